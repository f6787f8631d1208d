"""Events of a game: records whose words and citations are formatted on demand.

The state's log holds plain tuples; `event_of` converts one to a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.play.template_values import turn_title
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS, size_of
from interpreter.runtime.value_format import Lengths, lengths_of, value_id

if TYPE_CHECKING:
    from interpreter.runtime.errors import RuleFault
    from interpreter.runtime.program import Program
    from interpreter.runtime.value_format import ValueFormatter


_MOST_FACES = 100  # faces listed one by one; of more dice the log counts each face


class Log(list[Any]):
    """The log of a state; with `hashes`, every phase records the hash of the position it begins with."""

    __slots__ = ("hashes", "told")

    def __init__(self, hashes: bool = False) -> None:
        super().__init__()
        self.hashes = hashes
        self.told = 0

    def size_of_last(self) -> int:
        """Return the number of members that the last entry holds."""
        return size_of(tuple(self[-1:]))


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One logged event.

    `sort` is "event" (reported by the rules), "roll", "decision", "taken" (a choice made automatically), "move",
    "set", "turn", "phase", "phase_end" or "end"; `args` are stable data.
    """

    sort: str
    name: str
    args: dict[str, Any]
    cite: tuple[str, ...]
    raw: tuple[Any, ...]
    program: Program

    def text(self, language: str = "") -> str:
        """Return the words of the event in a language."""
        return format_event(self.program, self.raw, self.args, language)


def event_of(program: Program, raw: tuple[Any, ...]) -> LogEvent:
    """Build the event record of a logged tuple."""
    name, args, cite = _parts(program, raw)
    return LogEvent(raw[0], name, args, tuple(cite), raw, program)


def _parts(program: Program, raw: tuple[Any, ...]) -> tuple[str, dict[str, Any], Any]:
    sort = raw[0]
    if sort == "event":
        data = program.events[raw[1]]
        args = {n: value_id(program, show, v) for (n, show), v in zip(data["params"], raw[2], strict=True)}
        return raw[1], args, (*raw[3], *(c for c in data["cites"] if c not in raw[3]))
    if sort == "roll":
        by = {} if raw[7] is None else {"by": program.ids["side"][raw[7]]}
        drawn = {"drawn": value_id(program, *raw[8])} if is_named_draw(raw) else {}
        return raw[1], {"subject": raw[2], "faces": list(raw[3]), **by, **drawn}, raw[4]
    if sort == "move":
        ids = program.ids
        return (
            "move",
            {"pieces": [ids["piece"][p] for p in raw[1]], "from": ids["place"][raw[2]], "to": ids["place"][raw[3]]},
            raw[4],
        )
    if sort == "set":
        return _set_parts(program, raw)
    if sort == "decision":
        return raw[3], {"side": raw[1], "seat": raw[2], "key": raw[4]}, raw[5]
    if sort == "taken":
        data = program.decisions[raw[1]]
        if raw[3] is None:  # a draft
            return data["name"], {"option": data["name"]}, data["cites"]
        return data["name"], {"option": data["choices"][raw[3][0]]["name"]}, data["cites"]
    if sort in ("phase", "phase_end"):
        return raw[1], {}, raw[2] if len(raw) > 2 else ()
    if sort == "turn":
        title = turn_title(program, raw[2], raw[1])
        return "turn", {"turn": raw[1], **({"title": title} if title else {})}, ()
    winner = None if raw[1] is None else [program.ids["seat"][x] for x in raw[1]]
    level = None if raw[2] is None else program.level_data[raw[2]]["id"]
    return "end", {"winner": winner, "level": level}, raw[3]


def _set_parts(program: Program, raw: tuple[Any, ...]) -> tuple[str, dict[str, Any], Any]:
    _, kind, name, owner, value, cites = raw
    if kind == "game":
        show = next(a["show"] for _, n, a in program.game if n == name)
        return name, {"value": value_id(program, show, value)}, cites
    show = program.kinds[kind]["attributes"][name]["show"]
    return name, {"kind": kind, "of": program.ids[kind][owner], "value": value_id(program, show, value)}, cites


def faults_in_words(log: Iterable[tuple[Any, ...]]) -> Iterator[RuleFault]:
    """Yield the faults of the rules in the words of logged choices."""
    for raw in log:
        told = raw[6] if raw[0] == "decision" else ()
        if told and told[0] == "faulty":
            yield told[2]


def require_short(program: Program, log: Sequence[tuple[Any, ...]], begun: int) -> None:
    """Raise RuleFault if the log of one choice, which starts at entry `begun`, has too many letters.

    Counts an upper bound: every value as long as the longest name of the ruleset.
    """
    lengths = program.lengths or lengths_of(program)
    most, wide = (len(log) - begun) * lengths.entry, lengths.wide
    for raw in log[begun:] if wide else ():
        if raw[1] in wide and raw[0] == "event":
            most += _most_letters(program, lengths, raw)
    if most <= LIMITS.letters:
        return
    by_event: Counter[str] = Counter()
    for raw in log[begun:]:
        by_event[raw[1] if raw[0] == "event" else ""] += _most_letters(program, lengths, raw)
    if by_event.total() <= LIMITS.letters:
        return
    event, letters = by_event.most_common(1)[0]
    told = f"the event `{event}` takes" if event else "moves, rolls and changes take"
    code = program.functions["say_" + event if event else "p_turn"].__code__
    raise RuleFault(
        f"the log of this one choice may have more than {LIMITS.letters:,} letters; {told} up to {letters:,} of them; "
        "report less, or less often",
        code.co_filename,
        code.co_firstlineno,
        is_exhausted=True,
    )


def _most_letters(program: Program, lengths: Lengths, raw: tuple[Any, ...]) -> int:
    """Return an upper bound of the letters of a log entry."""
    match raw[0]:
        case "event":
            words = program.events[raw[1]]["words"]
            return max(lengths.of(words, raw[4] or ()), lengths.of(None, raw[2]))
        case "move":
            return lengths.of(None, (*raw[1], raw[2], raw[3]))
        case "roll":
            return lengths.of(None, raw[1:3]) + 2 * min(len(raw[3]), _MOST_FACES)
        case "set":
            return lengths.of(None, raw[1:5])
        case "decision":
            return lengths.of(*_words_of(raw[6]))
        case "taken":
            return lengths.of(*_words_of(raw[4])) if raw[3] is None else lengths.of(None, (*raw[3][1], *(raw[4] or ())))
        case "phase":
            return lengths.of(None, raw[5])
    return lengths.name


def _words_of(telling: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Return the number of the text and the values in the data that `ValueFormatter.told` renders."""
    return (telling[1], telling[2]) if telling[0] == "words" else (None, telling[1:])


def is_silent(program: Program, raw: tuple[Any, ...]) -> bool:
    """Return whether the rules gave an event no words: it triggers watchers and tests, but is not shown."""
    return raw[0] == "event" and program.events[raw[1]]["words"] is None


def format_event(program: Program, raw: tuple[Any, ...], args: dict[str, Any], language: str) -> str:
    """Format a logged tuple in a language."""
    naming = program.naming(language)
    sort = raw[0]
    if sort == "event":
        data = program.events[raw[1]]
        if data["words"] is None:
            inside = naming.phrase(", ").join(
                f"{naming.identifier(n, raw[1])} {naming.value(s, v)}"
                for (n, s), v in zip(data["params"], raw[2], strict=True)
            )
            return naming.phrase("{what}: {values}", what=naming.name(raw[1], "event"), values=inside)
        return naming.words(data["words"], raw[4])
    if sort == "roll":
        return naming.phrase(
            "{what}: {values}", what=format_roll_name(naming, raw), values=format_outcome(naming, [raw])
        )
    if sort == "move":
        return _format_move(naming, raw)
    if sort == "set":
        return _format_set(program, naming, raw)
    if sort == "decision":
        return naming.phrase("{what}: {values}", what=naming.name(raw[3], "decision"), values=naming.told(raw[6]))
    if sort == "taken":
        return naming.phrase("{option} (the only option)", option=taken_words(program, naming, raw))
    if sort == "phase":
        return naming.phase(raw[1], raw[5])
    if sort == "turn":
        number, title = naming.phrase("turn {number}", number=raw[1]), turn_title(program, raw[2], raw[1], language)
        return naming.phrase("{thing} ({owner})", thing=number, owner=title) if title else number
    return str(sort)


def taken_words(program: Program, naming: ValueFormatter, raw: tuple[Any, ...]) -> str:
    """Return the words of a logged option that took itself, as it would have been listed."""
    if raw[3] is None:
        return naming.told(raw[4])
    data, (index, values) = program.decisions[raw[1]], raw[3]
    choice = data["choices"][index]
    if choice["label"] is not None and raw[4] is not None:
        return naming.told(("words", choice["label"], raw[4]))
    given = [(p["name"], p["show"], v) for p, v in zip(choice["params"], values, strict=True)]
    return naming.told(("name", data["name"], choice["name"], given))


def is_named_draw(raw: tuple[Any, ...]) -> bool:
    """Return whether a logged draw has named members; records have no name and are shown by number."""
    return raw[8] is not None and (raw[8][0] != ("plain",) or isinstance(raw[8][1], str))


def format_outcome(naming: ValueFormatter, rolls: Sequence[tuple[Any, ...]]) -> str:
    """Format the outcome of logged rolls of one name: the faces, or the members drawn."""
    if is_named_draw(rolls[0]):
        return naming.phrase(", ").join(naming.value(*raw[8]) for raw in rolls)
    faces = [face for raw in rolls for face in raw[3]]
    if len(faces) > _MOST_FACES:
        often = sorted(Counter(faces).items())
        return naming.phrase(", ").join(
            naming.phrase("{what} ({number} times)", what=face, number=number) for face, number in often
        )
    return " ".join(map(str, faces)) or naming.phrase("no dice")


def format_roll_name(naming: ValueFormatter, raw: tuple[Any, ...]) -> str:
    """Format what was rolled, for which subject and by which side, without its faces."""
    name = naming.name(raw[1], "roll")
    if raw[7] is not None:
        name = naming.phrase("{name} by {side}", name=name, side=naming.thing("side", raw[7]))
        if raw[5:7] == ("side", raw[7]):
            return name
    if raw[5] and raw[6] is not None:
        return naming.phrase("{what} ({more})", what=name, more=naming.thing(raw[5], raw[6]))
    return name


def _format_move(naming: ValueFormatter, raw: tuple[Any, ...]) -> str:
    names: dict[str, int] = {}
    for p in raw[1]:
        word = naming.thing("piece", p)
        names[word] = names.get(word, 0) + 1
    what = naming.many([naming.phrase("{number} {what}", number=n, what=w) if n > 1 else w for w, n in names.items()])
    way = f"{naming.thing('place', raw[2])} → {naming.thing('place', raw[3])}"
    return naming.phrase("{what}: {values}", what=what, values=way)


def _format_set(program: Program, naming: ValueFormatter, raw: tuple[Any, ...]) -> str:
    whose, what = format_change(program, naming, raw)
    return naming.phrase("{what}: {values}", what=whose, values=what) if whose else what


def format_change(program: Program, naming: ValueFormatter, raw: tuple[Any, ...]) -> tuple[str, str]:
    """Format a logged "set": return the changed thing ('' for the game) and its new value; a flag is its name alone."""
    _, kind, name, owner, value, _ = raw
    if kind == "game":
        attribute = next(a for _, n, a in program.game if n == name)
        whose = ""
    else:
        attribute = program.kinds[kind]["attributes"][name]
        whose = naming.thing(kind, owner)
    label, show = naming.attribute(attribute), attribute["show"]
    if show[0] == "flag":
        return whose, label if value else naming.phrase("no longer {what}", what=label)
    return whose, f"{label} {naming.value(show, value)}"
