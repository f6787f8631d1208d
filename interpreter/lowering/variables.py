"""The variables of a procedure: one for each name of the rules, with a type that fits all values assigned to it.

A name that is used for values without a common type becomes several variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.suspension import walk
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e
from interpreter.lowering.lowering_context import FunctionNames
from interpreter.lowering.value_types import common_type
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.types import DRAFT


class Variables:
    """Variables of one function by the names of the rules; a name has several if its values have no common type.

    `widened`: wider types for variables that an earlier lowering typed too narrowly, by variable; updated in place.
    """

    def __init__(self, names: FunctionNames, widened: dict[str, t.Type]) -> None:
        self._names = names
        self._widened = widened
        self._groups: dict[str, list[e.Local]] = {}
        self.too_narrow = False

    def declare(self, name: str, type_: t.Type, span: Span) -> None:
        """Record that a value of a type is assigned to a name: widen a variable of the name, or create one."""
        groups = self._groups.setdefault(name, [])
        for number, local in enumerate(groups):
            joined = common_type(local.type, type_)
            if joined is not None:
                groups[number] = e.Local(local.name, joined, local.span)
                self._names.locals[local.name] = joined
                return
        new_name = self._names.create_name(name)
        type_ = self._widened.get(new_name, type_)
        groups.append(e.Local(new_name, type_, span))
        self._names.locals[new_name] = type_

    def get_variable(self, name: str, type_: t.Type, span: Span) -> e.Local:
        """Return the variable for a value of a type.

        If the variable's type is too narrow, sets `too_narrow`, and the next lowering begins with the wider type.
        """
        groups = self._groups.get(name, [])
        for local in groups:
            if (joined := common_type(local.type, type_)) is not None:
                if joined != local.type:
                    self._widened[local.name] = joined
                    self.too_narrow = True
                return e.Local(local.name, local.type, span)
        self.declare(name, type_, span)
        local = self._groups[name][-1]
        return e.Local(local.name, local.type, span)

    def list_variables(self) -> tuple[str, ...]:
        """Return the variables, in the order they were declared."""
        return tuple(local.name for groups in self._groups.values() for local in groups)


def iter_assignments(model: CheckedModel, body: c.Body) -> Iterator[tuple[str, t.Type, Span]]:
    """Yield (name, type, span) for each assignment in statements."""
    for stmt in walk(body):
        match stmt:
            case c.SetLocal(name, value):
                yield name, value.type, stmt.span
            case c.Loop(sort="for", var=str() as var, head=head):
                collection = head.type
                item = collection.item if isinstance(collection, t.SetType | t.ListType) else None
                yield var, item or t.NEVER, stmt.span
            case c.Loop(var=str() as var):
                yield var, t.INT, stmt.span
            case c.RollDice(count=count, var=var):
                yield var, t.INT if count is None else t.ListType(t.INT), stmt.span
            case c.DrawMembers(count=count, source=source, var=var):
                collection = source.type
                item = (collection.item if isinstance(collection, t.SetType | t.ListType) else None) or t.NEVER
                yield var, item if count is None else t.ListType(item), stmt.span
            case c.CallProcedure(procedure, _, str() as var):
                yield var, model.procedures[procedure].result or t.NEVER, stmt.span
            case c.MatchPart(_, arms):
                for _, arm_var, _ in arms:
                    if arm_var is not None:
                        yield arm_var, t.INT, stmt.span
            case c.DecideDraft(draft, var=str() as var):
                yield var, t.RecordType(DRAFT + draft), stmt.span
            case c.Decide(choices=choices):
                for choice in choices:
                    for param in choice.params:
                        yield param.name, param.type, choice.span
