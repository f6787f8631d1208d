"""Quantifiers and counts as plain loops, twice as fast as comprehensions where a statement is possible.

before: return any(True for v_u in G.occ[v_p] if K2[v_u] != v_a)
after:  x1 = False
        for v_u in G.occ[v_p]:
            if K2[v_u] != v_a:
                x1 = True
                break
        return x1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.printing_facts import is_filtered
from interpreter.backends.python.source_module import SourceBlock
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e
from interpreter.runtime.limits import LIMITS

MAX_LOOPS = 12  # loops inside one another; Python takes 20 blocks


class LoopPrinter:
    """Printer of quantifiers and counts as `for` loops instead of comprehensions."""

    def __init__(self, printer: ExpressionPrinter) -> None:
        self.expressions = printer
        self._loops = 0

    def has_loop(self, expr: e.Expr) -> bool:
        """Return whether an expression contains a quantifier or count that can be printed as a loop.

        Only the expression itself, operands of `and`, `or`, `not`, branches of conditionals and bodies of bindings
        count.
        """
        if self._loops >= MAX_LOOPS:
            return False
        match expr:
            case e.Fold(sort="any" | "no" | "every"):
                return expr.where is not None or expr.result is not None or is_filtered(expr.domain)
            case e.Fold(sort="count", result=None, extreme=None):
                return expr.where is not None or is_filtered(expr.domain)
            case e.Logic(operands=operands) | e.Apply("not", operands):
                return any(self.has_loop(part) for part in operands)
            case e.Conditional(_, yes, no):
                return self.has_loop(yes) or self.has_loop(no)
            case e.Let(body=body) | e.IfPresent(body=body):
                return self.has_loop(body)
        return False

    def print_value(self, out: SourceBlock, expr: e.Expr, span: Span) -> str:
        """Write the statements that an expression needs before it; return the code of its value."""
        computed = self.expressions.computed.pop(id(expr), None)
        if computed is not None:
            self.print_assignment(out, expr, computed, span)
            return computed
        if self.has_loop(expr) and self.expressions.is_fixed(expr):
            name = self.expressions.get_fixed_name(expr)
            with out.open_block(f"if {name} is None:", span):
                self.print_assignment(out, expr, name, span)
            return name
        if not self.has_loop(expr) and not self.expressions.is_fixed(expr):
            expr = self.print_lets(out, expr, span)
        if not self.has_loop(expr):
            self.print_tests(out, expr)
            return self.expressions.print_expr(expr)
        name = self.expressions.create_temporary()
        self.print_assignment(out, expr, name, span)
        return name

    def print_lets(self, out: SourceBlock, expr: e.Expr, span: Span) -> e.Expr:
        """Write the `let` bindings that an expression always makes as statements; return the expression inside them."""
        match expr:
            case e.Let(name, value, body) if id(
                expr
            ) not in self.expressions.computed and not self.expressions.may_fault([value]):
                is_fixed = (
                    self.expressions.fixed is not None
                    and self.expressions.facts.get_free_names(value) <= self.expressions.fixed
                )
                self.print_binding(out, name, value, span)
                if is_fixed and self.expressions.fixed is not None:
                    self.expressions.fixed |= {name}
                return self.print_lets(out, body, span)
            case e.Apply(operands=operands) if id(expr) not in self.expressions.computed:
                left = tuple([self.print_lets(out, operand, span) for operand in operands])
                is_same = all(a is b for a, b in zip(left, operands, strict=True))
                return expr if is_same else replace(expr, operands=left)
        return expr

    def print_binding(self, out: SourceBlock, name: str, value: e.Expr, span: Span) -> None:
        """Bind a name to a value: write an assignment, or let each use of the name print the value instead."""
        if not self.expressions.substitute(name, value):
            source = self.expressions.print_expr(value)
            self.expressions.clear_substitutions(name)
            out.add(f"{self.expressions.get_name(name)} = {source}", span)

    def print_guard(self, out: SourceBlock, test: e.Expr) -> None:
        """Begin an `if` for a test; lines added to `out` afterwards are inside it."""
        name = self.print_value(out, test, test.span)
        out.add(f"if {name}:", test.span)
        out.depth += 1

    def print_assignment(self, out: SourceBlock, expr: e.Expr, target: str, span: Span) -> None:
        """Write statements that assign the value of an expression to the variable `target`."""
        if not self.has_loop(expr):
            self.print_tests(out, expr)
            out.add(f"{target} = {self.expressions.print_expr(expr)}", span)
            return
        computed = self.expressions.computed.pop(id(expr), None)
        if computed is not None:
            self.print_assignment(out, expr, computed, span)
            out.add(f"{target} = {computed}", span)
            return
        match expr:
            case e.Fold(sort="count"):
                out.add(f"{target} = 0", span)
                self.print_loop(out, expr, lambda: out.add(f"{target} += 1", span))
            case e.Fold(sort=sort):
                out.add(f"{target} = {sort != 'any'}", span)
                self.print_loop(out, expr, lambda: self._print_quantifier_end(out, expr, target))
            case e.Logic(op, operands):
                self._print_joined(out, op, operands, target, span)
            case e.Apply("not", (operand,)):
                self.print_assignment(out, operand, target, span)
                out.add(f"{target} = not {target}", span)
            case e.Conditional(test, yes, no):
                depth = out.depth
                self.print_guard(out, test)
                self.print_assignment(out, yes, target, span)
                out.depth = depth
                with out.open_block("else:", span):
                    self.print_assignment(out, no, target, span)
            case e.Let(name, value, body):
                self.print_binding(out, name, value, span)
                self.print_assignment(out, body, target, span)
            case e.IfPresent(name, value, body):
                self.print_binding(out, name, value, span)
                out.add(f"if {self.expressions.get_name(name)} is None:", span)
                out.add(f"    {target} = None", span)
                with out.open_block("else:", span):
                    self.print_assignment(out, body, target, span)

    def _print_joined(self, out: SourceBlock, op: str, operands: tuple[e.Expr, ...], target: str, span: Span) -> None:
        """Write statements that evaluate operands of `op` ("and" or "or") in turn until one decides.

        `target`: the variable that receives the result.
        """
        depth = out.depth
        for number, operand in enumerate(operands):
            if number:
                out.add(f"if {target}:" if op == "and" else f"if not {target}:", span)
                out.depth += 1
            self.print_assignment(out, operand, target, operand.span)
            out.depth = depth

    def _print_quantifier_end(self, out: SourceBlock, fold: e.Fold, target: str) -> None:
        """Write the end of a quantifier's loop: for a member that decides, set `target` and leave the loop."""
        depth, span = out.depth, fold.span
        if fold.sort == "every":
            assert fold.result is not None
            out.add(f"if not {self.print_value(out, fold.result, span)}:", span)
            out.depth += 1
        out.add(f"{target} = {fold.sort == 'any'}", span)
        out.add("break", span)
        out.depth = depth

    def print_tests(self, out: SourceBlock, expr: e.Expr) -> None:
        """Write a function for each search test in an expression that contains a loop.

        Printed as a lambda, the test would need slow comprehensions.
        """
        match expr:
            case e.Search(where=where, var=var, previous=previous) if where is not None and self.has_loop(where):
                self._print_test(out, (var, previous), where)
            case e.Closure(first=first, second=second, where=where) if self.has_loop(where):
                self._print_test(out, (first, second), where)
            case e.OrElse(value=value) | e.GetField(record=value):
                self.print_tests(out, value)
            case e.Apply(operands=operands):
                for operand in operands:
                    self.print_tests(out, operand)

    def _print_test(self, out: SourceBlock, names: tuple[str, str], test: e.Expr) -> None:
        self.expressions.clear_substitutions(*names)
        name = f"test_{self.expressions.create_temporary()}"
        with out.open_block(
            f"def {name}({', '.join(self.expressions.get_name(param) for param in names)}):", test.span
        ):
            self.expressions.repeats += 1
            result = self.expressions.create_temporary()
            self.print_assignment(out, test, result, test.span)
            out.add(f"return {result}", test.span)
            self.expressions.repeats -= 1
        self.expressions.tests[id(test)] = name

    def print_charge(self, out: SourceBlock, members: str, charge: int, span: Span) -> str:
        """Write the charge of a loop's budget steps before it begins; return the code of the members to iterate over.

        `members`: the code of the collection. `charge`: the steps for each member; 0 writes nothing.
        """
        if not charge:
            return members
        name = members if members.isidentifier() else self.expressions.create_temporary()
        if name != members:
            out.add(f"{name} = {members}", span)
        out.add(f"{self.expressions.state}.spent += len({name}) * {charge}", span)
        out.add(f"if {self.expressions.state}.spent > {LIMITS.steps}: _out_of_steps()", span)
        return name

    def print_loop(self, out: SourceBlock, fold: e.Fold, inside: Callable[[], None]) -> None:
        """Write a loop over the members of a fold that pass its test. `inside`: writes the statements in the loop."""
        depth, span = out.depth, fold.span
        self.expressions.clear_substitutions(fold.var)
        var = self.expressions.get_name(fold.var)
        members, tests, charge = self.expressions.print_charged_source(fold.domain, var, fold.charge)
        if charge and members.startswith("G.occ["):
            name = self.expressions.create_temporary()
            out.add(f"{name} = {members}", fold.domain.span)
            out.add(f"if {name}:", fold.domain.span)  # most places are empty
            out.depth += 1
            members = name
        members = self.print_charge(out, members, charge, fold.domain.span)
        out.add(f"for {var} in {members}:", fold.domain.span)
        out.depth += 1
        self._loops += 1
        self.expressions.repeats += 1
        for test in (*tests, *(() if fold.where is None else (fold.where,))):
            if isinstance(test, str):
                out.add(f"if {test}:", span)
                out.depth += 1
            else:
                self.print_guard(out, test)
        inside()
        self._loops -= 1
        self.expressions.repeats -= 1
        out.depth = depth
