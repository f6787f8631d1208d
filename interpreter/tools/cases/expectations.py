"""Compare the results of a case with its expectations.

Each check yields a CaseFault per mismatch, with the expected value, the actual value and the span. Runs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    get_entry_mapping,
    to_plain_data,
)
from interpreter.i18n.number_format import parse_number
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.snapshot import collect_game_values, collect_values
from interpreter.tools.cases.case_documents import CaseFault
from interpreter.tools.cases.case_positions import Counts, count_pieces, parse_pieces
from interpreter.tools.cases.written_positions import map_kind_words
from interpreter.tools.describe.value_format import format_as_document

if TYPE_CHECKING:
    from interpreter.play.events import LogEvent
    from interpreter.tools.cases.case_runs import CaseRun

_WHOLE = 12  # members of a list that a message writes out
Check = Callable[[Node, "CaseRun"], Iterator[CaseFault]]


def check_outcome(run: CaseRun) -> list[CaseFault]:
    """Return every mismatch between a run and its case's `then`, in the order of `then`.

    An unexpected refusal is returned alone.
    """
    faults: list[CaseFault] = []
    then = run.case.then
    expects_refusal = "refused" in then or ("legal" in then and not then.is_true("legal"))
    if run.refusal and not expects_refusal:
        return [CaseFault(str(run.refusal), run.refusal.span)]
    words = map_kind_words(run.model.ruleset)
    for entry in then:
        key = entry.key.text
        if key in words and isinstance(entry.value, MappingNode):
            faults += _compare_things(entry.value, run, words[key], key)
        elif key in _SINGLE:
            label, value_of = _SINGLE[key]
            faults += _compare(label, entry.value, value_of(run))
        elif key in _CHECKS:
            faults += _CHECKS[key](entry.value, run)
    if "events" in then or "only_events" in then:
        faults += _check_events(then, run)
    return faults


# --- values and positions -----------------------------------------------------------------


def to_case_data(value: object) -> object:
    """Convert a value of the engine to the data that a case writes for it.

    Tuples become lists, whole fractions numbers and other fractions text.
    """
    if isinstance(value, tuple | list):
        return [to_case_data(v) for v in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {k: to_case_data(v) for k, v in value.items()}
    return value


def is_equal(expected: object, actual: object) -> bool:
    """Return True if a value equals the expected data of a case.

    `1` does not equal `true`, and fractions match in any notation.
    """
    if isinstance(actual, Fraction) and isinstance(expected, str):
        return parse_number(expected) == actual
    actual = to_case_data(actual)
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(is_equal, expected, actual))
    return type(expected) is type(actual) and bool(expected == actual)


def format_case_value(value: object) -> str:
    """Format a value for a message, as a case would write it."""
    return format_as_document(to_case_data(value))


def _compare(label: str, node: Node, actual: object) -> Iterator[CaseFault]:
    if not is_equal(to_plain_data(node), actual):
        yield _build_mismatch(label, node, actual)


def _build_mismatch(label: str, node: Node, actual: object) -> CaseFault:
    expected, data = to_plain_data(node), to_case_data(actual)
    if isinstance(expected, list) and isinstance(data, list) and max(len(expected), len(data)) > _WHOLE:
        text = _("{what}: {difference}", what=label, difference=_compare_lists(expected, data))
        return CaseFault(text, node.span, (actual,))
    text = _(
        "{what}: expected {expected}, found {found}",
        what=label,
        expected=format_case_value(expected),
        found=format_case_value(data),
    )
    return CaseFault(text, node.span, (actual,))


def _compare_lists(expected: list[Any], actual: list[Any]) -> Message:
    """Describe the difference of two long lists: missing and unexpected members, else the first wrong position."""
    expected_counts, actual_counts = Counter(map(format_case_value, expected)), Counter(map(format_case_value, actual))
    missing, extra = _format_members(expected_counts - actual_counts), _format_members(actual_counts - expected_counts)
    if missing and extra:
        return _("missing: {missing}; unexpected: {extra}", missing=missing, extra=extra)
    if missing:
        return _("missing: {missing}", missing=missing)
    if extra:
        return _("unexpected: {extra}", extra=extra)
    index = next(n for n, (left, right) in enumerate(zip(expected, actual, strict=True)) if not is_equal(left, right))
    return _(
        "the order of the members differs, first at number {number}: expected {expected}, found {found}",
        number=index + 1,
        expected=format_case_value(expected[index]),
        found=format_case_value(actual[index]),
    )


def _format_members(members: Counter[str]) -> str | Message:
    """Return the first members of a difference and the number of further ones, as text; '' for no members."""
    several = list(members.elements())
    if len(several) <= _WHOLE:
        return ", ".join(several)
    return _("{listed} and {number} more", listed=", ".join(several[:_WHOLE]), number=len(several) - _WHOLE)


def _compare_things(tree: MappingNode, run: CaseRun, kind: str, word: str) -> Iterator[CaseFault]:
    handles = run.game.program.handles[kind]
    for thing in tree:
        values = collect_values(run.game.state, kind, handles[thing.key.text])
        for item in get_entry_mapping(thing):
            label = f"{word} {thing.key.text}.{item.key.text}"
            if item.key.text in values:
                yield from _compare(label, item.value, values[item.key.text])
                continue
            text = _(
                "{what} never changes, so there is nothing to compare after the steps; an `ask` step can read it",
                what=label,
            )
            yield CaseFault(text, item.key.span)


def _list_entries(node: Node) -> tuple[MappingEntry, ...]:
    return tuple(node) if isinstance(node, MappingNode) else ()


def _check_each(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    if isinstance(node, MappingNode):
        yield from _compare_things(node, run, "piece", "piece")


def _check_game(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    values = collect_game_values(run.game.state)
    for item in _list_entries(node):
        yield from _compare(f"game.{item.key.text}", item.value, values[item.key.text])


def _check_pieces(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    ruleset = run.model.ruleset
    places = count_pieces(run.game.state, ruleset)
    for entry in _list_entries(node):
        expected = parse_pieces(entry.value, ruleset, Sink())
        actual = places.get(entry.key.text, Counter())
        if expected != actual:
            text = _(
                "{what}: expected {expected}, found {found}",
                what=entry.key.text,
                expected=_format_groups(expected),
                found=_format_groups(actual),
            )
            yield CaseFault(text, entry.key.span)


def _format_groups(counts: Counts) -> str:
    """Format the pieces at a place: "2 reds fresh, guards-1"."""
    order = sorted(counts, key=lambda group: (group[0], repr(group[1])))
    parts = [values[0] if not cls else f"{counts[cls, values]} " + " ".join(map(str, values)) for cls, values in order]
    return ", ".join(parts) or _("nothing")


# --- answers, legality, decisions ------------------------------------------------------------


def _check_value(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    if not run.values:
        yield CaseFault(_("the case expects a value but has no `ask`"), node.span)
    else:
        yield from _compare(_("the value"), node, run.values[-1][0])


def _check_legality(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    if to_plain_data(node) is False and run.refusal is None:
        yield CaseFault(_("expected the last step to be refused, but it is legal"), node.span)


def _check_refusal(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    if run.refusal is None:
        yield CaseFault(_("expected the last step to be refused, but it is legal"), node.span)
        return
    assert isinstance(node, MappingNode)
    words, cite = node.get_text("words"), node.get_text("cite")
    for reason in (r for first in run.refusal.reasons for r in (first, *first.besides)):
        if words in reason.text and (not cite or cite in reason.cite):
            return
    expected = " ".join(([f'"{words}"'] if words else []) + ([f"[{cite}]"] if cite else []))
    reasons = "; ".join(str(r) for r in run.refusal.reasons) or _("no reason")
    text = _("refused for another reason: expected {expected}, found {found}", expected=expected, found=reasons)
    yield CaseFault(text, node.span)


def _check_fields(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    if run.fields is None:
        yield CaseFault(_("the case expects fields of a draft, but has no `try`"), node.span)
        return
    for item in _list_entries(node):
        if item.key.text not in run.fields:
            field_names = ", ".join(run.fields)
            text = _("the offer has no field `{field}`; its fields are {known}", field=item.key.text, known=field_names)
            yield CaseFault(text, item.key.span)
        else:
            yield from _compare(item.key.text, item.value, run.fields[item.key.text])


def _check_options(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    decision = run.game.decision
    if decision is None:
        yield CaseFault(_("the case expects options, but no decision is open"), node.span)
        return
    items = node.items if isinstance(node, SequenceNode) else ()
    expected = {item.text for item in items if isinstance(item, ScalarNode)}
    keys = {o.key: o.name for o in decision.options}
    missing = sorted(e for e in expected if e not in keys and e not in keys.values())
    extra = sorted(key for key, name in keys.items() if key not in expected and name not in expected)
    if missing or extra:
        problems = ([_("missing options: {options}", options=", ".join(missing))] if missing else []) + (
            [_("additional options: {options}", options=", ".join(extra))] if extra else []
        )
        both = problems[0] if len(problems) == 1 else _("{one}; {other}", one=problems[0], other=problems[1])
        text = _("the options of `{decision}`: {values}", decision=decision.name, values=both)
        yield CaseFault(text, node.span)


# --- events ------------------------------------------------------------------------


def _list_events(run: CaseRun, sort: str) -> list[Any]:
    return [e for e in run.game.log[run.first_event :] if e.sort == sort]


def _check_events(expectations: MappingNode, run: CaseRun) -> Iterator[CaseFault]:
    """Yield a fault if the events listed in `expectations` did not happen in the listed order.

    Other events may happen between the listed ones. For each name in `only_events`, also yield a fault unless exactly
    the listed events of that name happened.
    """
    happened = _list_events(run, "event")
    expected = [next(iter(node)) for node in expectations.list_nodes("events") if isinstance(node, MappingNode)]
    position = 0
    for entry in expected:
        args = to_plain_data(entry.value) if isinstance(entry.value, MappingNode) else {}
        while position < len(happened) and not _is_event(happened[position], entry.key.text, args):
            position += 1
        if position == len(happened):
            same = [e for e in happened if e.name == entry.key.text]
            text = _(
                "expected the event {event} at this position in the list, found {found}",
                event=f"{entry.key.text} {format_case_value(args)}",
                found=_format_events(same) or _("none with this name"),
            )
            yield CaseFault(text, entry.key.span)
            return
        position += 1
    for node in expectations.list_nodes("only_events"):
        name = to_plain_data(node)
        count = sum(entry.key.text == name for entry in expected)
        named_events = [e for e in happened if e.name == name]
        if len(named_events) != count:
            text = _(
                "expected exactly {count} `{name}` events, found {found}",
                count=count,
                name=name,
                found=_format_events(named_events) or _("none"),
            )
            yield CaseFault(text, node.span)


def _is_event(event: LogEvent, name: str, args: Mapping[str, Any]) -> bool:
    return event.name == name and all(a in event.args and is_equal(v, event.args[a]) for a, v in args.items())


def _format_events(events: list[Any]) -> str:
    return "; ".join(f"{e.name} {format_case_value(e.args)}" for e in events)


def _check_no_events(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    names = to_plain_data(node)
    unexpected = [e for e in _list_events(run, "event") if e.name in names]
    if unexpected:
        yield CaseFault(_("expected no such event, found {found}", found=_format_events(unexpected)), node.span)


def _check_outcome(node: Node, run: CaseRun) -> Iterator[CaseFault]:
    game = run.game
    if not isinstance(node, MappingNode):
        if game.over:
            text = _("expected the game to continue, but it ended: {outcome}", outcome=game.outcome)
            yield CaseFault(text, node.span)
        return
    if not game.over:
        yield CaseFault(_("expected the game to end, but it continues"), node.span)
        return
    for item in node:
        expected, actual = to_plain_data(item.value), getattr(game.outcome, item.key.text)
        if isinstance(expected, dict):
            actual = {k: v for k, v in actual.items() if k in expected}
        if to_case_data(actual) != expected:
            yield _build_mismatch(f"outcome.{item.key.text}", item.value, actual)


def _get_decision_attribute(run: CaseRun, name: str) -> object:
    """Return the attribute `name` of the open decision, or None if no decision is open."""
    decision = run.game.decision
    return getattr(decision, name) if decision else None


_CHECKS: dict[str, Check] = {
    "pieces": _check_pieces,
    "each": _check_each,
    "game": _check_game,
    "value": _check_value,
    "legal": _check_legality,
    "refused": _check_refusal,
    "fields": _check_fields,
    "options": _check_options,
    "no_events": _check_no_events,
    "outcome": _check_outcome,
}
# Expectations of a single value: its label, and its actual value.
_SINGLE: dict[str, tuple[str, Callable[[CaseRun], Any]]] = {
    "turn": (_("the turn"), lambda run: run.game.turn),
    "values": (_("the values"), lambda run: [value for value, _of in run.values]),
    "decision": (_("the decision"), lambda run: _get_decision_attribute(run, "name")),
    "side": (_("the side that decides"), lambda run: _get_decision_attribute(run, "side")),
    "seat": (_("the seat that decides"), lambda run: _get_decision_attribute(run, "seat")),
    "skipped": ("skipped", lambda run: run.skipped),
    "phases": (_("the phases"), lambda run: [e.name for e in _list_events(run, "phase")]),
    # every decision at which play stopped, answered by the case or not, and the open one
    "asked": (
        _("the current decision"),
        lambda run: [
            *(e.name for e in _list_events(run, "decision")),
            *filter(None, [_get_decision_attribute(run, "name")]),
        ],
    ),
}
EXPECTED = (*_CHECKS, *_SINGLE)
