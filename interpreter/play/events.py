"""Events of a game: records whose words and citations are formatted on demand.

The state's log holds the entries of `runtime/log_entries.py`; `build_event` converts one to an event with ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.play.template_values import format_turn_title
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedChange,
    LoggedChoice,
    LoggedEnd,
    LoggedForcedChoice,
    LoggedMove,
    LoggedPhase,
    LoggedPhaseEnd,
    LoggedReport,
    LoggedRoll,
    LoggedTurn,
    TraceEntry,
)
from interpreter.runtime.text_lengths import Lengths, get_lengths
from interpreter.runtime.type_aliases import Cites, Telling, Value, handle_of
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program

_MAX_LISTED_FACES = 100  # faces listed one by one; of more dice the log counts each face
_SORTS: dict[type[LogEntry], str] = {
    LoggedReport: "event",
    LoggedRoll: "roll",
    LoggedMove: "move",
    LoggedChange: "set",
    LoggedChoice: "decision",
    LoggedForcedChoice: "taken",
    LoggedTurn: "turn",
    LoggedPhase: "phase",
    LoggedPhaseEnd: "phase_end",
    LoggedEnd: "end",
}


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One event of the log, with its data made readable.

    `sort` is "event" (reported by the rules), "roll", "decision", "taken" (a choice made automatically), "move", "set",
    "turn", "phase", "phase_end" or "end"; `args` are ids, numbers and words by name; `raw` is the log entry.
    """

    sort: str
    name: str
    args: dict[str, Any]
    cite: tuple[str, ...]
    raw: LogEntry
    program: Program

    def text(self, language: str = "") -> str:
        """Return the words of the event in a language."""
        return format_event(self.program, self.raw, language)


def build_event(program: Program, raw: LogEntry) -> LogEvent:
    """Build the event of a log entry."""
    name, args, cite = _get_parts(program, raw)
    return LogEvent(_SORTS[type(raw)], name, args, tuple(cite), raw, program)


def _get_parts(program: Program, raw: LogEntry) -> tuple[str, dict[str, Any], Cites]:
    """Return (name, arguments by name as ids and numbers, citations) of a log entry."""
    ids = program.ids
    match raw:
        case LoggedReport():
            data = program.events[raw.event]
            args = {n: to_value_id(program, show, v) for (n, show), v in zip(data.params, raw.args, strict=True)}
            return raw.event, args, (*raw.cites, *(c for c in data.cites if c not in raw.cites))
        case LoggedRoll():
            by = {} if raw.thrower is None else {"by": ids["side"][raw.thrower]}
            drawn = {"drawn": to_value_id(program, *raw.drawn)} if raw.drawn is not None and is_named_draw(raw) else {}
            return raw.name, {"subject": raw.subject_id, "faces": list(raw.faces), **by, **drawn}, raw.cites
        case LoggedMove(pieces, origin, destination, cites):
            places = ids["place"]
            moved = [ids["piece"][p] for p in pieces]
            return "move", {"pieces": moved, "from": places[origin], "to": places[destination]}, cites
        case LoggedChange(kind, attribute, owner, value, cites):
            changed = {"value": to_value_id(program, get_changed_attribute(program, raw)["show"], value)}
            return attribute, changed if kind == "game" else {"kind": kind, "of": ids[kind][owner], **changed}, cites
        case LoggedChoice(side, seat, name, key, cites):
            return name, {"side": side, "seat": seat, "key": key}, cites
        case LoggedForcedChoice(option=option):
            decision = program.decisions[raw.decision]
            chosen = decision.name if option is None else decision.options[option[0]].name  # None: a draft
            return decision.name, {"option": chosen}, decision.cites
        case LoggedPhase():
            return raw.phase, {}, raw.cites
        case LoggedPhaseEnd(phase):
            return phase, {}, ()
        case LoggedTurn(turn, scenario):
            title = format_turn_title(program, scenario, turn)
            return "turn", {"turn": turn, **({"title": title} if title else {})}, ()
        case LoggedEnd():
            winner = None if raw.winner is None else [ids["seat"][x] for x in raw.winner]
            level = None if raw.level is None else program.level_data[raw.level]["id"]
            return "end", {"winner": winner, "level": level}, raw.cites


def get_changed_attribute(program: Program, raw: LoggedChange) -> Mapping[str, Any]:
    """Return the data of the attribute that a log entry has changed, with its name, label and type description."""
    if raw.kind == "game":
        return next(a for _, n, a in program.game if n == raw.attribute)
    attribute: Mapping[str, Any] = program.kinds[raw.kind]["attributes"][raw.attribute]
    return attribute


def iter_text_faults(log: Iterable[TraceEntry]) -> Iterator[RuleFault]:
    """Yield the RuleFaults that occurred while the texts of logged choices were evaluated."""
    for raw in log:
        if isinstance(raw, LoggedChoice) and raw.words[0] == "faulty":
            yield raw.words[2]


def require_log_within_limit(program: Program, log: Sequence[LogEntry], start: int) -> None:
    """Raise RuleFault if the texts of the log entries of one choice, from index `start` on, exceed the text limit.

    An upper bound is compared with the limit: every value counts as long as the longest name of the ruleset.
    """
    lengths = program.lengths or get_lengths(program)
    most, variable = (len(log) - start) * lengths.entry, lengths.wide
    for raw in log[start:] if variable else ():
        if isinstance(raw, LoggedReport) and raw.event in variable:
            most += _bound_letters(program, lengths, raw)
    if most <= LIMITS.letters:
        return
    by_event: Counter[str] = Counter()
    for raw in log[start:]:
        by_event[raw.event if isinstance(raw, LoggedReport) else ""] += _bound_letters(program, lengths, raw)
    if by_event.total() <= LIMITS.letters:
        return
    event, letters = by_event.most_common(1)[0]
    source = f"the event `{event}` takes" if event else "moves, rolls and changes take"
    code = (program.functions.get_event_text(event) if event else program.functions.get_procedure("turn")).__code__
    raise RuleFault(
        f"the log of this one choice may have more than {LIMITS.letters:,} letters; {source} up to "
        f"{letters:,} of them; "
        "report less, or less often",
        code.co_filename,
        code.co_firstlineno,
        is_exhausted=True,
    )


def _bound_letters(program: Program, lengths: Lengths, raw: LogEntry) -> int:
    """Return an upper bound of the number of letters that a log entry has as text.

    `lengths`: the greatest lengths of the program's texts and names.
    """
    match raw:
        case LoggedReport(event, args):
            return max(
                lengths.bound_text_length(program.events[event].words, raw.words or ()),
                lengths.bound_text_length(None, args),
            )
        case LoggedMove(pieces, origin, destination):
            return lengths.bound_text_length(None, (*pieces, origin, destination))
        case LoggedRoll(name, subject_id, faces):
            return lengths.bound_text_length(None, (name, subject_id)) + 2 * min(len(faces), _MAX_LISTED_FACES)
        case LoggedChange(kind, attribute, owner, value):
            return lengths.bound_text_length(None, (kind, attribute, owner, value))
        case LoggedChoice():
            return lengths.bound_text_length(*_get_words(raw.words))
        case LoggedForcedChoice(option=option, words=words):
            if option is None:
                return lengths.bound_text_length(*_get_words(words or ("",)))
            return lengths.bound_text_length(None, (*option[1], *(words or ())))
        case LoggedPhase():
            return lengths.bound_text_length(None, raw.title_values)
    return lengths.name


def _get_words(telling: Telling) -> tuple[int | None, Iterable[Value]]:
    """Return the number of the text of a telling and the values that fill it.

    The number is None for a telling that is not of the form ("words", number, values); the values are then all its
    members. See `Localizer.format_telling`.
    """
    return (telling[1], telling[2]) if telling[0] == "words" else (None, telling[1:])


def is_silent(program: Program, raw: object) -> bool:
    """Return whether a log entry is an event for which the rules have no text.

    Such an event triggers watchers and tests, but is not shown.
    """
    return isinstance(raw, LoggedReport) and program.events[raw.event].words is None


def format_event(program: Program, raw: LogEntry, language: str) -> str:
    """Format a log entry in a language."""
    localizer = program.get_localizer(language)
    match raw:
        case LoggedReport(event, args):
            data = program.events[event]
            if data.words is not None:
                return localizer.fill_text(data.words, raw.words)
            arguments = localizer.translate_phrase(", ").join(
                f"{localizer.translate_identifier(n, event)} {localizer.format_value(s, v)}"
                for (n, s), v in zip(data.params, args, strict=True)
            )
            return localizer.translate_phrase(
                "{what}: {values}", what=localizer.translate_name(event, "event"), values=arguments
            )
        case LoggedRoll():
            return localizer.translate_phrase(
                "{what}: {values}", what=format_roll_name(localizer, raw), values=format_outcome(localizer, [raw])
            )
        case LoggedMove():
            return _format_move(localizer, raw)
        case LoggedChange():
            return format_changes(localizer, [raw], 1)
        case LoggedChoice():
            decision_name = localizer.translate_name(raw.decision, "decision")
            return localizer.translate_phrase(
                "{what}: {values}", what=decision_name, values=localizer.format_telling(raw.words)
            )
        case LoggedForcedChoice():
            return localizer.translate_phrase(
                "{option} (the only option)", option=format_forced_choice(program, localizer, raw)
            )
        case LoggedPhase():
            return localizer.format_phase_title(raw.phase, raw.title_values)
        case LoggedTurn(turn, scenario):
            number = localizer.translate_phrase("turn {number}", number=turn)
            title = format_turn_title(program, scenario, turn, language)
            return localizer.translate_phrase("{thing} ({owner})", thing=number, owner=title) if title else number
    return _SORTS[type(raw)]


def format_forced_choice(program: Program, localizer: Localizer, raw: LoggedForcedChoice) -> str:
    """Return the label of the option that was chosen automatically, as in a list of options."""
    if raw.option is None:
        assert raw.words is not None
        return localizer.format_telling(raw.words)
    data, (index, values) = program.decisions[raw.decision], raw.option
    choice = data.options[index]
    if choice.label is not None and raw.words is not None:
        return localizer.format_telling(("words", choice.label, raw.words))
    args = [(p.name, p.show, v) for p, v in zip(choice.params, values, strict=True)]
    return localizer.format_telling(("name", data.name, choice.name, args))


def is_named_draw(raw: LoggedRoll) -> bool:
    """Return whether a roll drew a member with a name; records have no name and are shown by number."""
    return raw.drawn is not None and (raw.drawn[0] != ("plain",) or isinstance(raw.drawn[1], str))


def format_outcome(localizer: Localizer, rolls: Sequence[LoggedRoll]) -> str:
    """Format the outcome of rolls that have one name: the faces (counted if there are many), or the members drawn."""
    if is_named_draw(rolls[0]):
        return localizer.translate_phrase(", ").join(
            localizer.format_value(*raw.drawn) for raw in rolls if raw.drawn is not None
        )
    faces = [face for raw in rolls for face in raw.faces]
    if len(faces) > _MAX_LISTED_FACES:
        counts = sorted(Counter(faces).items())
        return localizer.translate_phrase(", ").join(
            localizer.translate_phrase("{what} ({number} times)", what=face, number=number) for face, number in counts
        )
    return " ".join(map(str, faces)) or localizer.translate_phrase("no dice")


def format_roll_name(localizer: Localizer, raw: LoggedRoll) -> str:
    """Format the name of a roll, with its subject and the side that rolled, without the faces."""
    name, details = localizer.translate_name(raw.name, "roll"), list[str]()
    if raw.thrower is not None:
        details.append(localizer.get_name_by_handle("side", raw.thrower))
    if raw.kind and raw.subject is not None and (raw.kind, raw.subject) != ("side", raw.thrower):
        details.append(localizer.get_name_by_handle(raw.kind, handle_of(raw.subject)))
    return (
        localizer.translate_phrase("{what} ({more})", what=name, more=localizer.translate_phrase(", ").join(details))
        if details
        else name
    )


def _format_move(localizer: Localizer, raw: LoggedMove) -> str:
    """Return the sentence of a logged move of a piece."""
    pieces = localizer.join_with_and(localizer.list_piece_counts(localizer.program.ids["piece"][p] for p in raw.pieces))
    origin, destination = (localizer.get_name_by_handle("place", place) for place in (raw.origin, raw.destination))
    route = f"{origin} → {destination}"
    return localizer.translate_phrase("{what}: {values}", what=pieces, values=route)


def format_changes(localizer: Localizer, changes: Sequence[LoggedChange], most: int) -> str:
    """Return a sentence about things that have the same new value; names beyond `most` are given as a number.

    A rung is an adjective for a piece, as in "Guards are now routed", and often a noun for a side or a place.
    """
    program, first = localizer.program, changes[0]
    changes_by_thing = [format_change(program, localizer, raw) for raw in changes]
    owners = list(dict.fromkeys(owner for owner, _text in changes_by_thing if owner))
    if not owners:
        return changes_by_thing[0][1]
    names, show = localizer.join_some(owners, most), get_changed_attribute(program, first)["show"]
    if first.kind != "piece" or show[0] != "rung":
        return localizer.translate_phrase("{what}: {values}", what=names, values=changes_by_thing[0][1])
    value = localizer.format_value(show, first.value)
    names = localizer.join_with_and(owners) if len(owners) <= most else names
    if len(owners) == 1:
        return localizer.translate_phrase("{names} is now {value}", names=names, value=value)
    return localizer.translate_phrase("{names} are now {value}", names=names, value=value)


def format_change(program: Program, localizer: Localizer, raw: LoggedChange) -> tuple[str, str]:
    """Return (changed thing, '' for the game; attribute with its new value, or a flag's name alone if it is set)."""
    attribute = get_changed_attribute(program, raw)
    owner = "" if raw.kind == "game" else localizer.get_name_by_handle(raw.kind, raw.owner)
    label, show = localizer.translate_attribute(attribute), attribute["show"]
    if show[0] == "flag":
        return owner, label if raw.value else localizer.translate_phrase("no longer {what}", what=label)
    return owner, f"{label} {localizer.format_value(show, raw.value)}"
