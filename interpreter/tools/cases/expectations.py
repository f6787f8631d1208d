"""Compares what came of a case with what it expects. Must not play.

Each check yields a Fault for what is not as the case says: expected, found, and where it says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.documents.reading.tree import Branch, Entry, Listing, Node, Scalar, fields, plain
from interpreter.model.core import CheckedModel
from interpreter.play.snapshot import game_values, values_of
from interpreter.source.diagnostic import Sink
from interpreter.tools.cases.case_documents import Case, Fault
from interpreter.tools.cases.case_positions import Counts, counted_pieces, expected_pieces, kind_words
from interpreter.tools.handbook.value_words import document_text
from interpreter.words.numbers import parse_number
from interpreter.words.speech import Sentence, mark as _

if TYPE_CHECKING:
    from interpreter.tools.cases.case_runs import Course

_WHOLE = 12  # members of a list that a message writes out
Check = Callable[[Node, "Course", CheckedModel], Iterator[Fault]]


def check_outcome(case: Case, course: Course, model: CheckedModel) -> list[Fault]:
    """Everything that is not as `then` says, in its order; a refusal it does not expect comes first."""
    faults: list[Fault] = []
    then = case.then
    expects_refusal = "refused" in then or ("legal" in then and not then.flag("legal"))
    if course.refusal and not expects_refusal:
        return [Fault(str(course.refusal), course.refusal.span)]
    words = kind_words(model.ruleset)
    for entry in then:
        key = entry.key.text
        if key in words and isinstance(entry.value, Branch):
            faults += _values(entry.value, course, words[key], key)
        elif key in _SINGLE:
            what, value_of = _SINGLE[key]
            faults += _compared(what, entry.value, value_of(course))
        elif key in _CHECKS:
            faults += _CHECKS[key](entry.value, course, model)
    if "events" in then or "only_events" in then:
        faults += _events(then, course)
    return faults


# --- values and positions -----------------------------------------------------------------


def as_data(value: Any) -> Any:
    """A value of the engine as a case writes it: tuples as lists, whole shares as numbers, others as text."""
    if isinstance(value, tuple | list):
        return [as_data(v) for v in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {k: as_data(v) for k, v in value.items()}
    return value


def equal(expected: Any, found: Any) -> bool:
    """Equal, and not merely `1` for `true`; a share in any form in which numbers are written."""
    if isinstance(found, Fraction) and isinstance(expected, str):
        return parse_number(expected) == found
    found = as_data(found)
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(equal, expected, found))
    return type(expected) is type(found) and bool(expected == found)


def shown(value: Any) -> str:
    """A value in a message, as it would be written in a case."""
    return document_text(as_data(value))


def _compared(what: str, node: Node, found: Any) -> Iterator[Fault]:
    if not equal(plain(node), found):
        yield _expected(what, node, found)


def _expected(what: str, node: Node, found: Any) -> Fault:
    expected, data = plain(node), as_data(found)
    if isinstance(expected, list) and isinstance(data, list) and max(len(expected), len(data)) > _WHOLE:
        return Fault(
            _("{what}: {difference}", what=what, difference=_lists_differ(expected, data)), node.span, (found,)
        )
    told = _("{what}: expected {expected}, found {found}", what=what, expected=shown(expected), found=shown(data))
    return Fault(told, node.span, (found,))


def _lists_differ(expected: list[Any], found: list[Any]) -> Sentence:
    """Say how two long lists differ: by their members, else by their order."""
    wanted, there = Counter(map(shown, expected)), Counter(map(shown, found))
    missing, extra = _listed(wanted - there), _listed(there - wanted)
    if missing and extra:
        return _("missing: {missing}; not expected: {extra}", missing=missing, extra=extra)
    if missing:
        return _("missing: {missing}", missing=missing)
    if extra:
        return _("not expected: {extra}", extra=extra)
    at = next(n for n, (one, other) in enumerate(zip(expected, found, strict=True)) if not equal(one, other))
    return _(
        "the same members in another order, first at number {number}: expected {expected}, found {found}",
        number=at + 1,
        expected=shown(expected[at]),
        found=shown(found[at]),
    )


def _listed(members: Counter[str]) -> str | Sentence:
    """Return the first members of a difference, and how many more there are; '' for none."""
    several = list(members.elements())
    if len(several) <= _WHOLE:
        return ", ".join(several)
    return _("{listed} and {number} more", listed=", ".join(several[:_WHOLE]), number=len(several) - _WHOLE)


def _values(tree: Branch, course: Course, kind: str, word: str) -> Iterator[Fault]:
    handles = course.game.program.handles[kind]
    for thing in tree:
        values = values_of(course.game.state, kind, handles[thing.key.text])
        for item in fields(thing):
            what = f"{word} {thing.key.text}.{item.key.text}"
            if item.key.text in values:
                yield from _compared(what, item.value, values[item.key.text])
                continue
            told = _(
                "{what} never changes, so there is nothing to compare after the steps; "
                "an `ask` among them can look at it",
                what=what,
            )
            yield Fault(told, item.key.span)


def _entries(node: Node) -> tuple[Entry, ...]:
    return tuple(node) if isinstance(node, Branch) else ()


def _each(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    if isinstance(node, Branch):
        yield from _values(node, course, "piece", "piece")


def _game(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    values = game_values(course.game.state)
    for item in _entries(node):
        yield from _compared(f"game.{item.key.text}", item.value, values[item.key.text])


def _pieces(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    places = counted_pieces(course.game.state, model.ruleset)
    for entry in _entries(node):
        expected = expected_pieces(entry.value, model.ruleset, Sink())
        found = places.get(entry.key.text, Counter())
        if expected != found:
            told = _(
                "{what}: expected {expected}, found {found}",
                what=entry.key.text,
                expected=groups_text(expected),
                found=groups_text(found),
            )
            yield Fault(told, entry.key.span)


def groups_text(counts: Counts) -> str:
    """Pieces at a place in words: "2 reds fresh, guards-1"."""
    order = sorted(counts, key=lambda group: (group[0], repr(group[1])))
    parts = [values[0] if not cls else f"{counts[cls, values]} " + " ".join(map(str, values)) for cls, values in order]
    return ", ".join(parts) or _("nothing")


# --- answers, legality, decisions ------------------------------------------------------------


def _value(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    if not course.values:
        yield Fault(_("the case expects a value but asks for none"), node.span)
    else:
        yield from _compared(_("the value"), node, course.values[-1][0])


def _legal(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    if plain(node) is False and course.refusal is None:
        yield Fault(_("expected that the last step is refused, but it is legal"), node.span)


def _refused(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    if course.refusal is None:
        yield Fault(_("expected that the last step is refused, but it is legal"), node.span)
        return
    assert isinstance(node, Branch)
    words, cite = node.text("words"), node.text("cite")
    for reason in (r for first in course.refusal.reasons for r in (first, *first.besides)):
        if words in reason.text and (not cite or cite in reason.cite):
            return
    expected = " ".join(([f'"{words}"'] if words else []) + ([f"[{cite}]"] if cite else []))
    found = "; ".join(str(r) for r in course.refusal.reasons) or _("no reason")
    told = _("refused for another reason: expected {expected}, found {found}", expected=expected, found=found)
    yield Fault(told, node.span)


def _fields(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    if course.fields is None:
        yield Fault(_("the case expects fields of a draft but tries none"), node.span)
        return
    for item in _entries(node):
        if item.key.text not in course.fields:
            known = ", ".join(course.fields)
            told = _("the offer has no field `{field}`; it has {known}", field=item.key.text, known=known)
            yield Fault(told, item.key.span)
        else:
            yield from _compared(item.key.text, item.value, course.fields[item.key.text])


def _options(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    decision = course.game.decision
    if decision is None:
        yield Fault(_("the case expects options, but nothing is being asked"), node.span)
        return
    items = node.items if isinstance(node, Listing) else ()
    expected = {item.text for item in items if isinstance(item, Scalar)}
    keys = {o.key: o.name for o in decision.options}
    missing = sorted(e for e in expected if e not in keys and e not in keys.values())
    extra = sorted(key for key, name in keys.items() if key not in expected and name not in expected)
    if missing or extra:
        said = ([_("not offered: {options}", options=", ".join(missing))] if missing else []) + (
            [_("offered too: {options}", options=", ".join(extra))] if extra else []
        )
        both = said[0] if len(said) == 1 else _("{one}; {other}", one=said[0], other=said[1])
        told = _("the options of `{decision}`: {values}", decision=decision.name, values=both)
        yield Fault(told, node.span)


# --- what happened ------------------------------------------------------------------------


def _log(course: Course, sort: str) -> list[Any]:
    return [e for e in course.game.log[course.first_event :] if e.sort == sort]


def _events(then: Branch, course: Course) -> Iterator[Fault]:
    """The events listed happened in this order; of the names in `only_events`, no others."""
    happened = _log(course, "event")
    expected = [next(iter(node)) for node in then.items("events") if isinstance(node, Branch)]
    at = 0
    for entry in expected:
        args = plain(entry.value) if isinstance(entry.value, Branch) else {}
        while at < len(happened) and not _is_event(happened[at], entry.key.text, args):
            at += 1
        if at == len(happened):
            same = [e for e in happened if e.name == entry.key.text]
            told = _(
                "expected the event {event} at its place in the list; found {found}",
                event=f"{entry.key.text} {shown(args)}",
                found=_told(same) or _("none of this name"),
            )
            yield Fault(told, entry.key.span)
            return
        at += 1
    for node in then.items("only_events"):
        name = plain(node)
        count = sum(entry.key.text == name for entry in expected)
        found = [e for e in happened if e.name == name]
        if len(found) != count:
            told = _(
                "expected {count} `{name}` events and no more, found {found}",
                count=count,
                name=name,
                found=_told(found) or _("none"),
            )
            yield Fault(told, node.span)


def _is_event(event: Any, name: str, args: Mapping[str, Any]) -> bool:
    return event.name == name and all(a in event.args and equal(v, event.args[a]) for a, v in args.items())


def _told(events: list[Any]) -> str:
    return "; ".join(f"{e.name} {shown(e.args)}" for e in events)


def _no_events(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    names = plain(node)
    found = [e for e in _log(course, "event") if e.name in names]
    if found:
        yield Fault(_("expected no such event, found {found}", found=_told(found)), node.span)


def _outcome(node: Node, course: Course, model: CheckedModel) -> Iterator[Fault]:
    game = course.game
    if not isinstance(node, Branch):
        if game.over:
            told = _("expected that the game goes on, but it ended: {outcome}", outcome=game.outcome)
            yield Fault(told, node.span)
        return
    if not game.over:
        yield Fault(_("expected that the game is over, but it goes on"), node.span)
        return
    for item in node:
        expected, found = plain(item.value), getattr(game.outcome, item.key.text)
        if isinstance(expected, dict):
            found = {k: v for k, v in found.items() if k in expected}
        if as_data(found) != expected:
            yield _expected(f"outcome.{item.key.text}", item.value, found)


def _open(course: Course, what: str) -> Any:
    """Something of the decision that stands open."""
    decision = course.game.decision
    return getattr(decision, what) if decision else None


_CHECKS: dict[str, Check] = {
    "pieces": _pieces,
    "each": _each,
    "game": _game,
    "value": _value,
    "legal": _legal,
    "refused": _refused,
    "fields": _fields,
    "options": _options,
    "no_events": _no_events,
    "outcome": _outcome,
}
# What is a single value: what it is called, and what came of it.
_SINGLE: dict[str, tuple[str, Callable[[Course], Any]]] = {
    "turn": (_("the turn"), lambda course: course.game.turn),
    "values": (_("the values"), lambda course: [value for value, _of in course.values]),
    "decision": (_("the decision"), lambda course: _open(course, "name")),
    "side": (_("the side that decides"), lambda course: _open(course, "side")),
    "seat": (_("the seat that decides"), lambda course: _open(course, "seat")),
    "skipped": ("skipped", lambda course: course.skipped),
    "phases": (_("the phases"), lambda course: [e.name for e in _log(course, "phase")]),
    # every decision that play stopped for, answered by the case or not, and the one that stands open
    "asked": (
        _("what was asked"),
        lambda course: [*(e.name for e in _log(course, "decision")), *filter(None, [_open(course, "name")])],
    ),
}
EXPECTED = (*_CHECKS, *_SINGLE)
