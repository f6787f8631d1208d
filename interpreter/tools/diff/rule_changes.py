"""Compare the rules of two rulesets by name, down to a single requirement or line.

Compares the rules with all changes of variants applied; layout and comments are ignored. Checks nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from interpreter.checker.variants.syntax_rewrite import find_parts
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s
from interpreter.tools.diff.difference import Change, Difference

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*|\s+')
_MAX_RULE_LENGTH = 240  # characters of a rule shown in a message


def _join_moves(
    differences: Sequence[Difference], before: Sequence[s.Item], now: Sequence[s.Item]
) -> Iterator[Difference]:
    """Yield the differences, with each phase removed in one place and added in another reported as one move.

    The changes inside a moved phase follow. `before` and `now` are the items of the old and the new rules.
    """
    old, new = _index_phases(before), _index_phases(now)
    removed = {name for d in differences if d.what == "gone" and (name := _get_phase(d, old)) is not None}
    moved = {
        name for d in differences if d.what == "new" and (name := _get_phase(d, new)) in removed and name is not None
    }
    for difference in differences:
        name = _get_phase(difference, new if difference.what == "new" else old)
        if name is None or name not in moved:
            yield difference
        elif difference.what == "new":
            message = _describe_move(name, now)
            yield Difference("rules", "changed", difference.path, message, difference.span, None, str(message))
            if strip_spans(old[name]) != strip_spans(new[name]):
                yield from _iter_node_changes(old[name], new[name], tuple(difference.path.split(".")))


def _index_phases(items: Sequence[s.Item]) -> dict[str, s.PhaseStmt]:
    procedures = [item for item in items if isinstance(item, s.ProcedureDecl | s.SequenceDecl)]
    return {phase.name: phase for item in procedures for phase in find_parts(item, s.PhaseStmt)}


def _get_phase(difference: Difference, phases: dict[str, s.PhaseStmt]) -> str | None:
    """Return the name of the phase that a difference removes or adds, or None for other differences.

    `phases`: the phases by name, of the old rules for a removal, of the new rules for an addition.
    """
    name = difference.path.rpartition(".")[2]
    phase = phases.get(name)
    return name if phase is not None and phase.span == difference.span and difference.what != "changed" else None


def _describe_move(name: str, items: Sequence[s.Item]) -> Message:
    """Return a sentence that says after or before which neighbour the phase `name` now comes in `items`."""
    procedures = [item for item in items if isinstance(item, s.ProcedureDecl | s.SequenceDecl)]
    for block in (block for item in procedures for block in find_parts(item, s.BlockStmt)):
        names = [part.name for part in block.items if isinstance(part, s.PhaseStmt)]
        if name in names:
            index = names.index(name)
            if index > 0:
                return _(
                    "the phase `{name}` has moved: it now comes after `{other}`", name=name, other=names[index - 1]
                )
            if len(names) > 1:
                return _("the phase `{name}` has moved: it now comes before `{other}`", name=name, other=names[1])
    return _("the phase `{name}` has moved", name=name)


_KEPT = re.compile(r"(.+)_base\d+$")  # the generated name of the earlier version that a variant's item extends
Key = tuple[str, str, int]  # sort, name, index among items of that name


def _collect_earlier_versions(old: Mapping[Key, Any], new: Mapping[Key, Any]) -> dict[str, Any]:
    """Return the earlier versions that variants keep of the items they extend, by the generated name of the kept item.

    `old` and `new` are the items of the two rulesets by (sort, name, index). A version that the old rules also have is
    left out.
    """
    versions: dict[str, Any] = {}
    for key, item in new.items():
        match = _KEPT.match(key[1])
        if match and key not in old and (key[0], match[1], 0) in old and (key[0], match[1], 0) in new:
            versions[key[1]] = item
    return versions


def _find_earlier_version(item: s.NamedNode, versions: Mapping[str, Any]) -> s.NamedNode | None:
    """Return the earlier version of an item under the item's own name, or None if the item extends nothing.

    `versions`: the earlier versions of extended items, by generated name.
    """
    if isinstance(item, s.ProcedureDecl):
        call = _find_base_call(item, versions)
        return replace(versions[item.body.items[call].name], name=item.name) if call is not None else None  # type: ignore[union-attr]
    shape = repr(strip_spans(item))
    below = next((name for name, was in versions.items() if type(was) is type(item) and f"'{name}'" in shape), None)
    return None if below is None else replace(versions[below], name=item.name)


def _iter_additions(item: s.NamedNode, versions: Mapping[str, Any]) -> Iterator[tuple[str, Message, Any]]:
    """Yield (text, sentence, node) for each statement that an extending procedure adds around its earlier version.

    An item other than a procedure is yielded as a whole. `versions`: the earlier versions of extended items, by
    generated name.
    """
    if not isinstance(item, s.ProcedureDecl):
        text = _get_text(item)
        yield text, _("{address} extends the base: `{text}`", address=item.name, text=text), item
        return
    call = _find_base_call(item, versions)
    for number, part in enumerate(item.body.items):
        if number == call or _is_citation_only(part) or isinstance(part, s.ReturnStmt):
            continue
        text = _get_text(part)
        if call is not None and number < call:
            yield text, _("{address}: `{text}` is added before it", address=item.name, text=text), part
        else:
            yield text, _("{address}: `{text}` is added after it", address=item.name, text=text), part


def _is_citation_only(part: object) -> bool:
    """Return True for a generated statement that only carries the citations of a change."""
    return isinstance(part, s.NothingStmt) and not _get_text(part).startswith("nothing")


def _find_base_call(item: s.ProcedureDecl, versions: Mapping[str, Any]) -> int | None:
    """Return the index of the statement with which a procedure calls its earlier version, or None.

    `versions`: the earlier versions of extended items, by generated name.
    """
    calls = (n for n, x in enumerate(item.body.items) if isinstance(x, s.CallStmt) and x.name in versions)
    return next(calls, None)


# Nodes that contribute a name to an address; tuples of them are matched by name, the other ones in `_DEEP`, which are
# compared part by part as well, by structure.
_NAMED = (s.PhaseStmt, s.ChooseStmt, s.OptionDecl, s.DraftOptionDecl, s.RequireClause, s.FieldDecl, s.Binding)
Branches = tuple[tuple[s.Expr, s.BlockStmt], ...]
_DEEP = (
    *_NAMED,
    s.BlockStmt,
    s.IfStmt,
    s.ForStmt,
    s.WhileStmt,
    s.RepeatStmt,
    s.TogetherStmt,
    s.MatchStmt,
    s.MatchArm,
    s.TallyLineDecl,
)


def iter_rule_changes(before: Sequence[s.Item], now: Sequence[s.Item]) -> Iterator[Difference]:
    """Yield the differences between the items of two rulesets, in the order of `now`; removed items come last."""
    return _join_moves(list(_iter_item_changes_by_name(before, now)), before, now)


def _iter_item_changes_by_name(before: Sequence[s.Item], now: Sequence[s.Item]) -> Iterator[Difference]:
    old, new = _map_by_name(before), _map_by_name(now)
    versions = _collect_earlier_versions(old, new)
    for key, item in new.items():
        if key[1] in versions:
            continue
        if key not in old:
            text = _("{what} `{name}` is new", what=_get_noun(item), name=key[1])
            yield Difference("rules", "new", key[1], text, item.span, None, _get_text(item))
        elif strip_spans(old[key]) != strip_spans(item):
            yield from _iter_item_changes(old[key], item, versions)
    for key, item in old.items():
        if key not in new:
            text = _("{what} `{name}` is removed", what=_get_noun(item), name=key[1])
            yield Difference("rules", "gone", key[1], text, item.span, _get_text(item), None)


def _iter_item_changes(old: s.NamedNode, new: s.NamedNode, versions: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield the differences between the old and the new version of one item of the rules.

    An item of a variant may extend an earlier version of itself, which the variant keeps. Then that version is compared
    with `old`, and the statements added around it are yielded as additions. `versions`: the kept earlier versions, by
    generated name.
    """
    earlier = _find_earlier_version(new, versions)
    if earlier is None:
        yield from _iter_node_changes(old, new, (new.name,))
        return
    if strip_spans(old) != strip_spans(earlier):
        yield from _iter_item_changes(old, earlier, versions)
    for text, message, part in _iter_additions(new, versions):
        yield Difference("rules", "changed", new.name, message, part.span, None, text)


def _map_by_name(items: Sequence[s.Item]) -> dict[tuple[str, str, int], Any]:
    return _index_by_name((item, getattr(item, "name", getattr(item, "event", ""))) for item in items)


def _index_by_name(named: Iterable[tuple[Any, Any]]) -> dict[tuple[str, Any, int], Any]:
    """Return the items by (sort, name, index among items of this sort and name)."""
    index: dict[tuple[str, Any, int], Any] = {}
    counts: Counter[tuple[str, Any]] = Counter()
    for item, name in named:
        sort = type(item).__name__
        index[sort, name, counts[sort, name]] = item
        counts[sort, name] += 1
    return index


def _get_noun(item: object) -> Message:
    return _NOUNS.get(type(item).__name__, _("the rule"))


_NOUNS = {
    "SequenceDecl": _("the sequence"),
    "ProcedureDecl": _("the procedure"),
    "DefineDecl": _("the define"),
    "RuleDecl": _("the rule"),
    "TallyDecl": _("the tally"),
    "DraftDecl": _("the draft"),
    "RecordDecl": _("the record"),
    "EventDecl": _("the event"),
    "WatcherDecl": _("the watcher of"),
    "PhaseStmt": _("the phase"),
    "ChooseStmt": _("the decision"),
    "OptionDecl": _("the option"),
    "DraftOptionDecl": _("the option"),
    "RequireClause": _("the requirement"),
    "FieldDecl": _("the field"),
    "Binding": _("the field"),
    "TallyLineDecl": _("the line"),
}


def _iter_node_changes(old: s.SyntaxNode, new: s.SyntaxNode, address: tuple[str, ...]) -> Iterator[Difference]:
    """Yield the differences between two nodes of one type, field by field.

    `address`: the names that lead to the node, from the item of the rules inwards.
    """
    for field in fields(new):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if strip_spans(before) == strip_spans(after):
            continue
        if isinstance(after, _DEEP) and type(before) is type(after):
            yield from _iter_node_changes(before, after, _extend_address(address, after))
        elif field.name in ("cites", "because_cites", "otherwise_cites"):
            yield _build_citation_difference(before, after, new, address)
        elif (
            isinstance(before, tuple)
            and isinstance(after, tuple)
            and any(isinstance(x, _DEEP) for x in (*before, *after))
        ):
            yield from _iter_part_changes(before, after, new, address)
        elif isinstance(new, s.BlockStmt):
            yield from _iter_statement_changes(before, after, new, address)
        elif isinstance(new, s.IfStmt) and field.name == "branches":
            yield from _iter_branch_changes(before, after, new, address)
        else:
            yield _build_text_difference(field.name, before, after, new, address)


def _extend_address(address: tuple[str, ...], node: object) -> tuple[str, ...]:
    name = getattr(node, "name", None) if isinstance(node, _NAMED) else None
    return (*address, name) if name else address


def _iter_branch_changes(
    before: Branches, after: Branches, owner: s.SyntaxNode, address: tuple[str, ...]
) -> Iterator[Difference]:
    if len(before) != len(after):
        yield _build_text_difference("branches", before, after, owner, address)
        return
    for (old_test, old_block), (new_test, new_block) in zip(before, after, strict=True):
        if strip_spans(old_test) != strip_spans(new_test):
            yield _build_text_difference("test", old_test, new_test, owner, address)
        yield from _iter_node_changes(old_block, new_block, address)


def _iter_part_changes(
    before: tuple[Any, ...], after: tuple[Any, ...], owner: s.SyntaxNode, address: tuple[str, ...]
) -> Iterator[Difference]:
    """Yield the differences between the parts `before` (old) and `after` (new), matched by name, or by text if unnamed.

    `owner`: the new node that contains the parts; `address`: the names that lead to it.
    """
    if isinstance(owner, s.BlockStmt):
        yield from _iter_statement_changes(before, after, owner, address)
        return
    old, new = _index_parts(before), _index_parts(after)
    for key, part in new.items():
        if key not in old:
            yield _build_part_difference("new", part, address)
        elif strip_spans(old[key]) != strip_spans(part):
            yield from _iter_node_changes(old[key], part, _extend_address(address, part))
    for key, part in old.items():
        if key not in new:
            yield _build_part_difference("gone", part, address)
    shared = [key for key in new if key in old]
    if shared != [key for key in old if key in new]:
        names = ", ".join(str(key[1]) for key in shared)
        text = _("{address}: the order is now {names}", address=".".join(address), names=names)
        yield Difference("rules", "changed", ".".join(address), text, owner.span, None, names)


def _index_parts(parts: tuple[Any, ...]) -> dict[tuple[str, Any, int], Any]:
    return _index_by_name((x, getattr(x, "name", None) or _get_text(getattr(x, "words", None) or x)) for x in parts)


def _iter_statement_changes(
    before: tuple[Any, ...], after: tuple[Any, ...], owner: s.SyntaxNode, address: tuple[str, ...]
) -> Iterator[Difference]:
    """Yield the differences between the statements `before` (old) and `after` (new).

    Statements of one type in the same place are compared recursively. `owner`: the new block that contains them;
    `address`: the names that lead to it.
    """
    before, after = (tuple(x for x in statements if not _is_citation_only(x)) for statements in (before, after))
    matcher = SequenceMatcher(
        None, [repr(strip_spans(x)) for x in before], [repr(strip_spans(x)) for x in after], False
    )
    for sort, a, b, c, d in matcher.get_opcodes():
        if sort == "equal":
            continue
        pairs = min(b - a, d - c)
        for old, new in zip(before[a : a + pairs], after[c : c + pairs], strict=True):
            is_same_sort = type(old) is type(new) and getattr(old, "name", None) == getattr(new, "name", None)
            if is_same_sort and isinstance(new, _DEEP):
                yield from _iter_node_changes(old, new, _extend_address(address, new))
            elif isinstance(old, s.PhaseStmt) or isinstance(new, s.PhaseStmt):
                yield _build_part_difference("gone", old, address)
                yield _build_part_difference("new", new, address)
            else:
                yield _build_text_difference("", old, new, owner, address, new.span)
        for removed in before[a + pairs : b]:
            yield _build_part_difference("gone", removed, address)
        for added in after[c + pairs : d]:
            yield _build_part_difference("new", added, address)


def _build_part_difference(change: Change, part: s.SyntaxNode, address: tuple[str, ...]) -> Difference:
    dotted, text = ".".join(address), _get_text(part)
    name = getattr(part, "name", None) if isinstance(part, _NAMED) else None
    holes = {"address": dotted, "what": _get_noun(part), "name": name, "text": text}
    if isinstance(part, s.RequireClause) and change == "new":
        message = _("{address}: new requirement `{text}`", **{**holes, "text": _get_text(part.test)})
    elif change == "new":
        message = _("{address}: {what} `{name}` is new", **holes) if name else _("{address}: `{text}` is new", **holes)
    elif name:
        message = _("{address}: {what} `{name}` is removed", **holes)
    else:
        message = _("{address}: `{text}` is removed", **holes)
    path = f"{dotted}.{name}" if name else dotted
    was, now = (text, None) if change == "gone" else (None, text)
    return Difference("rules", change, path, message, part.span, was, now)


def _build_citation_difference(
    before: tuple[s.CiteClause, ...], after: tuple[s.CiteClause, ...], owner: s.SyntaxNode, address: tuple[str, ...]
) -> Difference:
    old, new = [cite.id for cite in before], [cite.id for cite in after]
    removed, added = ([f"[{c}]" for c in cites if c not in others] for cites, others in ((old, new), (new, old)))
    holes = {"address": _format_address(owner, address), "gone": " ".join(removed), "come": " ".join(added)}
    if removed and added:
        text = _("{address} now cites {come} instead of {gone}", **holes)
    elif added:
        text = _("{address} now also cites {come}", **holes)
    elif removed:
        text = _("{address} no longer cites {gone}", **holes)
    else:
        text = _("{address} cites in a different order", **holes)
    return Difference("rules", "changed", ".".join(address), text, owner.span, " ".join(old), " ".join(new))


def _build_text_difference(
    field: str, before: object, after: object, owner: s.SyntaxNode, address: tuple[str, ...], span: Span | None = None
) -> Difference:
    """Return the difference of one field of a node, with the old and the new text of the field.

    `before` and `after`: the values of `field`; `owner`: the node; `address`: the names that lead to it; `span`: the
    location, by default that of the node.
    """
    was, now = _format_syntax(before), _format_syntax(after)
    holes = {"address": _format_address(owner, address), "was": was, "now": now}
    if isinstance(owner, s.RequireClause) and field == "test":
        text = _("{address} now tests `{now}` instead of `{was}`", **holes)
    elif field in ("words", "label", "prompt", "title", "because", "ending"):
        text = _("{address}: the text {was} changes to {now}", **holes)
    elif not was or not now:
        text = _("{address}: `{now}` is new", **holes) if now else _("{address}: `{was}` is removed", **holes)
    else:
        text = _("{address}: `{was}` changes to `{now}`", **holes)
    return Difference("rules", "changed", ".".join(address), text, span or owner.span, was, now)


def _format_syntax(value: object) -> str:
    match value:
        case None | ():
            return ""
        case bool() | int():
            return str(value).lower()
        case str():
            return value
        case tuple() if any(isinstance(part, tuple) for part in value):  # branches: tests and blocks
            return " / ".join(_get_text(test) for test, _block in value)
    return _get_text(value)


def _format_address(owner: s.SyntaxNode, address: tuple[str, ...]) -> Message | str:
    """Return the address of a node as text for a message; a requirement is described as part of its owner.

    `address`: the names that lead to the node, from the item of the rules inwards.
    """
    if isinstance(owner, s.RequireClause):
        if owner.name and len(address) > 1:
            return _("{address}: requirement `{name}`", address=".".join(address[:-1]), name=owner.name)
        return _("{address}: a requirement", address=".".join(address))
    return ".".join(address)


def strip_spans(node: object) -> object:
    """Return the structure of a node without spans: equal for texts that differ only in layout and comments."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return tuple(strip_spans(item) for item in node)
    if is_dataclass(node):
        return (type(node).__name__, *(strip_spans(getattr(node, field.name)) for field in fields(node)))
    return node


def _get_text(node: object) -> str:
    """Return the source text of a node in one line without comments, truncated if it is long."""
    if isinstance(node, tuple):
        return " ".join(_get_text(item) for item in node)
    if isinstance(node, str):
        return f'"{node}"'
    span: Span = getattr(node, "span")  # noqa: B009 - every other part is a node
    source = span.source.text[span.start : span.end]
    text = " ".join(_TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", source).split(" ")).strip()
    text = re.sub(r" +", " ", text)
    return text if len(text) <= _MAX_RULE_LENGTH else text[: _MAX_RULE_LENGTH - 3] + "..."
