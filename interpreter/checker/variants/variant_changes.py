"""Apply a variant's change statements to the syntax of its base, before anything is checked.

An address is a path of names: item, then decision and option (or a draft's option), then a requirement's own name. It
must exist. `base(...)` inside a replacement calls the replaced definition; in a phase, or a block
`turn` or `setup`, it is replaced by the old body, which keeps the names that are in scope there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.checker.variants.syntax_rewrite import find_parts, rebuild
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import get_noun
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s

_Edit = Callable[[Any], object]
_WITH_BODY = s.ProcedureDecl | s.SequenceDecl  # the items in which phases and decisions can be


def apply_changes(modules: list[s.RulesModule], changes: list[s.RulesModule], sink: Sink) -> list[s.RulesModule]:
    """Return the rules with the changes of all variants applied, as one module; without `changes`, `modules` itself.

    `modules`: the modules of the base; `changes`: the modules of the variants, in the order in which they are
    applied. New items are appended.
    """
    if not changes:
        return modules
    items: list[Any] = [i for m in modules for i in m.items]
    base_names: dict[str, str] = {}
    cited: list[tuple[str, s.CiteClause]] = []
    for module in changes:
        for item in module.items:
            if isinstance(item, s.VariantChange):
                if item.sort == "remove":  # nothing is left that could hold its citations
                    cited += [(".".join(item.path), cite) for cite in item.cites]
                items = _ChangeApplication(items, item, base_names, sink).apply()
            else:
                items.append(item)
    span = modules[0].span if modules else changes[0].span
    return [s.RulesModule(tuple(items), tuple(base_names.items()), tuple(cited), span=span)]


class _ChangeApplication:
    """The application of one change of a variant to the items of the rules.

    `base_names`: the author's names of replaced items by the generated ones; a replacement that calls `base` adds one.
    """

    def __init__(self, items: list[Any], change: s.VariantChange, base_names: dict[str, str], sink: Sink) -> None:
        self.items = items
        self.change = change
        self.base_names = base_names
        self.sink = sink
        self.is_applied = False

    def apply(self) -> list[Any]:
        """Apply the change and return the items of the changed module; report an error if its target is not found."""
        c = self.change
        before = self.sink.number_reported
        match c.sort:
            case "replace" if isinstance(c.content[0], s.PhaseStmt):
                if self._has_phase(c.content[0].name):
                    self.items = replace_phase(self.items, c.content[0])
            case "replace":
                self._replace_item()
            case "move before" | "move after":
                self._move_phase()
            case "add before" | "add after":
                if self._has_phase(c.path[-1]):
                    phase: Any = c.content[0]
                    self.items = put_phase(self.items, phase, c.sort.split()[1], c.path[-1])
            case "before" | "after":
                self._change_around()
            case "replace require":
                content: Any = c.content[0]
                self._edit_inside(c.path, lambda old: replace(content, name=c.path[-1]))
            case "remove":
                self._remove()
            case "add option":
                self._change_decision(lambda d: replace(d, options=(*d.options, *c.content)))
            case "add require":
                self._change_owner(lambda o: replace(o, requires=(*o.requires, *c.content)))
            case "add line":
                self._edit_item(s.TallyDecl, lambda t: replace(t, lines=(*t.lines, *c.content)), "tally")
        if not self.is_applied and self.sink.number_reported == before:
            self._report_missing(c.path[-1], ())
        return self.items

    # --- look-up ---------------------------------------------------------------------------

    def _report_unapplied(self, message: Message, cure: str = "") -> None:
        """Report that the change cannot be applied, at its address."""
        self.sink.add_error("unknown-address", message, self.change.path_span, help=cure)

    def _report_missing(self, word: str, names: tuple[str, ...]) -> None:
        """Report that `word`, a part of the address, is not among the `names` at that place."""
        two = self.change.sort.startswith("move ")  # the path is two phase names, not one address
        dotted = word if two else ".".join(self.change.path)
        self._report_unapplied(
            _("the base has no address `{dotted}`: `{word}` is missing", dotted=dotted, word=word),
            did_you_mean(word, names),
        )

    def _list_names(self) -> tuple[str, ...]:
        return tuple(i.name for i in self.items if hasattr(i, "name"))

    def _list_phase_names(self) -> tuple[str, ...]:
        return tuple(p.name for p in list_phases(self.items))

    def _has_phase(self, name: str) -> bool:
        names = self._list_phase_names()
        self.is_applied = name in names
        if not self.is_applied:
            self._report_missing(name, names)
        return self.is_applied

    def _find_index(self, name: str, also: tuple[str, ...] = ()) -> int | None:
        """Return the index of the item of this name, or None (reported); `also`: further names to suggest."""
        for index, item in enumerate(self.items):
            if getattr(item, "name", None) == name and not isinstance(item, s.VariantChange | s.WatcherDecl):
                return index
        self._report_missing(name, (*self._list_names(), *also))
        return None

    def _edit_item(self, kind: type, edit: _Edit, word: str) -> None:
        """Apply `edit` to the item that the change names, if it is a `kind`; `word`: what messages call this kind."""
        index = self._find_index(self.change.path[0])
        if index is None:
            return
        if not isinstance(self.items[index], kind):
            self._report_unapplied(_("`{more}` is not a {word}", more=self.change.path[0], word=get_noun(word)))
            return
        self.items[index] = edit(self.items[index])
        self.is_applied = True

    def _edit_inside(self, path: tuple[str, ...], edit: _Edit) -> None:
        """Replace the node at an address of two or more names by the result of `edit` for that node."""
        index = self._find_index(path[0])
        if index is not None:
            self.items[index] = self._edit_at_path(self.items[index], path[1:], edit)

    def _edit_at_path(self, node: object, path: tuple[str, ...], edit: _Edit) -> object:
        """Return a node in which `edit` was applied to the part at a path of names."""
        if not path:
            self.is_applied = True
            return edit(node)
        if isinstance(node, s.DraftDecl | s.ChooseStmt):
            if len(path) == 2 and path[0] == ("finish" if isinstance(node, s.DraftDecl) else "done"):
                return self._edit_tuple(node, "finish", path[1:], edit)
            return self._edit_tuple(node, "options", path, edit)
        if isinstance(node, s.OptionDecl | s.DraftOptionDecl | s.RuleDecl):
            return self._edit_tuple(node, "requires", path, edit)
        return self._edit_decision(node, path, edit)

    def _edit_tuple(self, node: s.SyntaxNode, field: str, path: tuple[str, ...], edit: _Edit) -> object:
        """Return a node in which `edit` was applied at a path that begins with the name of a part in `field`."""
        parts = list(getattr(node, field))
        for n, part in enumerate(parts):
            if part.name == path[0]:
                parts[n] = self._edit_at_path(part, path[1:], edit)
                changed: dict[str, Any] = {field: tuple(p for p in parts if p is not None)}
                return replace(node, **changed)
        self._report_missing(path[0], tuple(p.name for p in parts if p.name))
        return node

    def _edit_decision(self, node: object, path: tuple[str, ...], edit: _Edit) -> object:
        """Return `node` with `edit` applied below the decision that the first name of `path` denotes, at any depth.

        A missing decision is reported; `node` is then unchanged.
        """
        names: list[str] = []

        def visit(part: object) -> object:
            if isinstance(part, s.ChooseStmt):
                names.append(part.name)
                if part.name == path[0]:
                    return self._edit_at_path(part, path[1:], edit)
            return rebuild(part, visit)

        new = visit(node)
        if path[0] not in names:
            self._report_missing(path[0], tuple(names))
        return new

    # --- edits --------------------------------------------------------------------------------

    def _change_decision(self, edit: _Edit) -> None:
        def add(node: object) -> object:
            names = [o.name for o in node.options] if isinstance(node, s.ChooseStmt) else None
            if names is None:
                self._report_unapplied(
                    _("`{listed}` is not a decision", listed=".".join(self.change.path)),
                    _("write the target of new options as procedure.decision"),
                )
                return node
            return edit(node)

        path = self.change.path
        if len(path) == 1:
            self._edit_in_any_decision(path[0], add)
        else:
            self._edit_inside(path, add)

    def _edit_in_any_decision(self, name: str, edit: _Edit) -> None:
        """Apply `edit` to the decision `name`, addressed without its procedure.

        Reports an error unless exactly one procedure has a decision of that name.
        """
        holders = [i.name for i in self.items if any(d.name == name for d in _list_decisions(i))]
        if len(holders) == 1:
            self._edit_inside((holders[0], name), edit)
        elif holders:
            self.sink.add_error(
                "ambiguous-address",
                _("several procedures have a decision `{name}`: {listed}", name=name, listed=", ".join(holders)),
                self.change.path_span,
                help=_("write {more}.{name}", more=holders[0], name=name),
            )
        else:
            self._report_missing(name, tuple(d.name for i in self.items for d in _list_decisions(i)))

    def _change_owner(self, edit: _Edit) -> None:
        def add(node: object) -> object:
            if isinstance(node, s.OptionDecl | s.DraftOptionDecl | s.RuleDecl):
                return edit(node)
            self._report_unapplied(
                _("`{listed}` has no requirements", listed=".".join(self.change.path)),
                _("only options, steps of drafts and rules have requirements"),
            )
            return node

        self._edit_inside(self.change.path, add)

    def _remove(self) -> None:
        if len(self.change.path) == 1:
            name = self.change.path[0]
            if name not in self._list_names() and name in self._list_phase_names():
                self.items = remove_phase(self.items, name)
                self.is_applied = True
                return
            index = self._find_index(name, self._list_phase_names())
            if index is not None:
                del self.items[index]
                self.is_applied = True
            return
        self._edit_inside(self.change.path, lambda node: None)

    def _move_phase(self) -> None:
        name, to = self.change.path[0], self.change.path[-1]
        if not (self._has_phase(name) and self._has_phase(to)):
            return
        moved = find_phase(self.items, name)
        other_items = remove_phase(self.items, name)
        if moved is None or find_phase(other_items, to) is None:
            self._report_unapplied(
                _("`{to}` is not a phase at the same level as `{name}`", to=to, name=name),
                _("name another phase that is not inside it"),
            )
            return
        cited = replace(moved, cites=(*moved.cites, *self.change.cites))
        self.items = put_phase(other_items, cited, self.change.sort.split()[1], to)

    def _replace_item(self) -> None:
        new: Any = self.change.content[0]
        index = self._find_index(new.name)
        if index is None:
            return
        old = self.items[index]
        if isinstance(old, s.SequenceDecl) and isinstance(new, s.SequenceDecl):
            body = substitute_base(new.body, old.body)
            self.items[index] = replace(new, cites=new.cites or old.cites, body=body)
            self.is_applied = True
            return
        if type(old) is not type(new):
            self.sink.add_error(
                "changed-kind",
                _(
                    "`{name}` is a {more} in the base, so a {more2} cannot replace it",
                    name=new.name,
                    more=get_noun(type(old).__name__.removesuffix("Decl").lower()),
                    more2=get_noun(type(new).__name__.removesuffix("Decl").lower()),
                ),
                self.change.span,
                help=_("write it in the form that it has in the base, or add a new one with another name"),
            )
            return
        if [(f.name, _format_type_name(f.type)) for f in old.fields] != [
            (f.name, _format_type_name(f.type)) for f in new.fields
        ]:
            self.sink.add_error(
                "changed-signature",
                _(
                    "`{name}` must have the same parameters as in the base: ({listed})",
                    name=new.name,
                    listed=", ".join(f"{f.name}: {_format_type_name(f.type)}" for f in old.fields),
                ),
                self.change.span,
                help=_("write these parameters, or add a new item with another name and use that"),
            )
            return
        if _is_using_base(new):
            base_name = self._find_free_name(new.name)
            self.base_names[base_name] = new.name
            self.items.append(replace(old, name=base_name))
            new = _rename_calls(new, "base", base_name)
        self.items[index] = new
        self.is_applied = True

    def _find_free_name(self, name: str) -> str:
        used_names = self._list_names()
        number = 1
        while f"{name}_base{number}" in used_names:
            number += 1
        return f"{name}_base{number}"

    def _change_around(self) -> None:
        c = self.change
        cited = (s.NothingStmt(c.cites, span=c.span),) if c.cites else ()
        block = s.BlockStmt((*cited, *c.content), span=c.span)  # type: ignore[arg-type]
        holders = {n: i for n, i in enumerate(self.items) if isinstance(i, _WITH_BODY)}
        holder = next((n for n, i in holders.items() if i.name == c.path[-1]), None)
        if holder is not None and len(c.path) == 1:
            self.items[holder] = self._wrap_body(self.items[holder], block)
            self.is_applied = True
            return
        for n, item in holders.items():
            self.items[n] = self._edit_in_phase(item, block)
        if not self.is_applied:
            self._report_missing(c.path[-1], (*self._list_phase_names(), *(i.name for i in holders.values())))

    def _edit_in_phase(self, item: object, block: s.BlockStmt) -> object:
        """Return an item in which a block was added at the beginning or the end of the phase that the change names."""

        def visit(part: object) -> object:
            if isinstance(part, s.PhaseStmt) and part.name == self.change.path[-1]:
                self.is_applied = True
                return replace(part, body=self._join_blocks(part.body, block))
            return rebuild(part, visit)

        return visit(item)

    def _join_blocks(self, body: s.BlockStmt, block: s.BlockStmt) -> s.BlockStmt:
        """Return a body with a block before or after it, as the change says."""
        items = (*block.items, *body.items) if self.change.sort == "before" else (*body.items, *block.items)
        return s.BlockStmt(items, span=body.span)

    def _wrap_body(self, item: s.ProcedureDecl | s.SequenceDecl, block: s.BlockStmt) -> object:
        """Return a procedure with the statements of `block` added before or after its body, as the change says.

        Statements after the body run on every return path: the body becomes a separate procedure that is called first.
        """
        if self.change.sort == "before" or isinstance(item, s.SequenceDecl):
            return replace(item, body=self._join_blocks(item.body, block))
        base_name = self._find_free_name(item.name)
        self.items.append(replace(item, name=base_name))
        span = self.change.span
        args = tuple(s.NameExpr(f.name, span=span) for f in item.fields)
        result = "the_result" if item.result is not None else None
        call = s.CallStmt(base_name, args, None, None, False, result, (), span=span)
        ending: tuple[Any, ...] = (s.ReturnStmt(s.NameExpr("the_result", span=span), span=span),) if result else ()
        return replace(item, body=s.BlockStmt((call, *block.items, *ending), span=item.body.span))


def _format_type_name(type_: s.TypeName) -> str:
    word = " ".join((type_.word, *type_.values))
    return word if type_.item is None else f"{word} {_format_type_name(type_.item)}"


def _list_decisions(item: object) -> list[s.ChooseStmt]:
    return find_parts(item, s.ChooseStmt) if isinstance(item, _WITH_BODY) else []


def _is_using_base(item: object) -> bool:
    return any(c.name == "base" for c in [*find_parts(item, s.CallExpr), *find_parts(item, s.CallStmt)])


def _rename_calls(item: object, old: str, new: str) -> object:
    """Return an item that calls `new` wherever it called `old`."""

    def visit(part: object) -> object:
        if isinstance(part, s.CallExpr | s.CallStmt) and part.name == old:
            part = replace(part, name=new)
        return rebuild(part, visit)

    return visit(item)


_PhaseEdit = Callable[[s.PhaseStmt], list[s.Statement]]  # returns the statements that replace a phase


def list_phases(items: list[Any]) -> list[s.PhaseStmt]:
    """Return all phases, in order."""
    return [p for i in items if isinstance(i, _WITH_BODY) for p in find_parts(i, s.PhaseStmt)]


def find_phase(items: list[Any], name: str) -> s.PhaseStmt | None:
    """Return the phase of this name, or None."""
    return next((p for p in list_phases(items) if p.name == name), None)


def replace_phase(items: list[Any], new: s.PhaseStmt) -> list[Any]:
    """Return the items in which the phase with the name of `new` has the body of `new` instead of its own.

    `base()` in the new body is replaced by the old statements. Title and citations are kept unless `new` has its own.
    """

    def replace_old(old: s.PhaseStmt) -> list[s.Statement]:
        body = substitute_base(new.body, old.body)
        return [replace(new, title=new.title or old.title, cites=new.cites or old.cites, body=body)]

    return _edit_phase(items, new.name, replace_old)


def remove_phase(items: list[Any], name: str) -> list[Any]:
    """Return the items without the phase `name`."""
    return _edit_phase(items, name, lambda old: [])


def put_phase(items: list[Any], phase: s.PhaseStmt, where: str, name: str) -> list[Any]:
    """Return the items with `phase` inserted before or after the phase `name`; `where` is "before" or "after"."""

    return _edit_phase(items, name, lambda old: [phase, old] if where == "before" else [old, phase])


def substitute_base(body: s.BlockStmt, old: s.BlockStmt) -> s.BlockStmt:
    """Return a body with each `base()` replaced by the statements of the old body."""

    def visit(part: object) -> object:
        if isinstance(part, s.BlockStmt) and any(_is_base(x) for x in part.items):
            return rebuild(
                replace(part, items=tuple(y for x in part.items for y in (old.items if _is_base(x) else (x,)))), visit
            )
        return part if part is old else rebuild(part, visit)

    result = visit(body)
    assert isinstance(result, s.BlockStmt)
    return result


def _is_base(node: object) -> bool:
    return isinstance(node, s.CallStmt) and node.name == "base" and not node.args


def _edit_phase(items: list[Any], name: str, edit: _PhaseEdit) -> list[Any]:
    """Return the items in which the result of `edit` replaces the phase `name`."""

    def visit(part: Any) -> object:  # noqa: ANN401 - a part of a syntax tree
        if isinstance(part, s.BlockStmt):
            for index, statement in enumerate(part.items):
                if isinstance(statement, s.PhaseStmt) and statement.name == name:
                    statements = (*part.items[:index], *edit(statement), *part.items[index + 1 :])
                    return replace(part, items=statements or (s.NothingStmt((), span=statement.span),))
        return rebuild(part, visit)

    return [visit(item) if isinstance(item, _WITH_BODY) else item for item in items]
