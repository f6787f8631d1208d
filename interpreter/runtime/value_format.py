"""Formatting of values: as stable ids for keys and data, as words for people."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.direction_names import direction_name
from interpreter.i18n.number_format import number_text
from interpreter.i18n.translator import LocalizedError, mark as _, translator_for
from interpreter.runtime.errors import BudgetExceededError
from interpreter.runtime.limits import LIMITS, spend
from interpreter.runtime.type_aliases import Show, Telling

if TYPE_CHECKING:
    from interpreter.runtime.program import Program
    from interpreter.runtime.program_info import EventInfo
    from interpreter.runtime.state import State
    from interpreter.runtime.tables import ChartAxis


_FRACTION = re.compile(r"-?[0-9]{1,18}/[1-9][0-9]{0,17}")  # fractions in data
# Names that any ruleset's data may contain without a document naming them.
_OWN_NAMES = frozenset(
    (
        *(_("and"), _("anything"), _("done"), _("draw"), _("finish"), _("inferred"), _("no"), _("nothing")),
        *(_("pieces"), _("printed"), _("reconstructed"), _("yes")),
    )
)
NO_REMARKS: Mapping[str, str] = MappingProxyType({})
_LETTERS_AT_ONCE = 8  # that are made in the time of one step of the budget
_SHORT = 1_000  # letters: of a text that can have no more they need not be counted
_LEAST_NAME = 20  # letters, so that numbers count as names
_WIDE = 20_000  # letters of an event
_PARTS_OF_AN_ENTRY = 8  # names in a logged entry beside pieces and words
_KINDS = {"piece": _("piece"), "place": _("place"), "side": _("side"), "seat": _("seat"), "word": _("word")}


class ValueFormatter:
    """Formatter of values in one language; falls back to the ruleset's first language for missing translations."""

    __slots__ = ("program", "language", "is_first", "names", "_texts", "_labels")

    def __init__(self, program: Program, language: str = "") -> None:
        self.program = program
        self.language = language or program.languages[0]
        self.is_first = self.language == program.languages[0]
        locale = program.data["locales"].get(self.language, {"texts": {}, "names": {}, "labels": {}})
        self.names: dict[str, str] = locale["names"]
        self._texts: dict[str, Any] = locale["texts"]
        self._labels: dict[str, Any] = locale["labels"]

    def label(self, label: Mapping[str, str] | None, fallback: str = "") -> str:
        """Return a label in this language; `fallback` is the name of the thing, which may be translated too."""
        if not label:
            return self.name(fallback) if fallback in self.names else fallback
        own = label.get(self.language) or self.names.get(fallback)
        return str(own or next(iter(label.values())))

    def name(self, identifier: str, *of: str) -> str:
        """Return a name of the rules as words.

        `of` lists what it names, most specific first, because one name may name several things: "option", "decision",
        "draft", "event", "roll", "kind" (singular or plural), "word" (a value), "axis" (of a table); for an option its
        decision or draft, for an argument its option or event. The first entry with its own translation is used.
        """
        identifier = self.program.data["kept"].get(identifier, identifier)
        own = next((self.names[f"{x}.{identifier}"] for x in of if f"{x}.{identifier}" in self.names), None)
        return own or self.names.get(identifier) or self._own_name(identifier).replace("_", " ")

    def _own_name(self, identifier: str) -> str:
        """Translate a name that the engine itself defines; return any other unchanged."""
        return translator_for(self.language)(identifier) if identifier in _OWN_NAMES else identifier

    def phrase(self, text: str, /, **values: object) -> str:
        """Return a text of the interface; `text` is its key in the catalogues, `values` fill its holes."""
        told = self.names.get(text)
        if told is None:
            return translator_for(self.language)(text, **values)
        return told.format(**values) if values else told

    def phase(self, phase: str, values: tuple[Any, ...] = ()) -> str:
        """Return the title of a phase; `values` fill its holes."""
        described = self.program.data["phases"].get(phase)
        if described is None or described["words"] is None or len(values) != described["holes"]:
            return self.names.get(phase) or (str(described["title"]) if described else phase)
        return self.words(described["words"], values)

    def attribute(self, attribute: Mapping[str, Any]) -> str:
        """Return the label of an attribute, given its description in the program."""
        return self.label(attribute["label"], attribute["name"]).replace("_", " ")

    def value(self, show: Show, value: Any) -> str:  # noqa: ANN401 - its shape follows `show`
        """Format a value for people."""
        match show[0]:
            case "thing":
                return self.thing(show[1], value)
            case "rung":
                ladder = self.program.ladders[show[1]]
                return self.label(ladder["labels"][value], ladder["rungs"][value])
            case "flag":
                return self.phrase("yes" if value else "no")
            case "maybe":
                return self.phrase("nothing") if value is None else self.value(show[1], value)
            case "many":
                return self.join_list([self.value(show[1], v) for v in value])
            case "word":
                return self.name(str(value), "word")
            case "direction":
                return direction_name(str(value), self.language)
            case "plain" if isinstance(value, str):
                return self.names.get(f"text.{value}", value)
            case "part":
                name = self.names.get(f"word.{value[0]}") or self.names.get(value[0]) or str(value[0]).replace("_", " ")
                return f"{name} {value[1]}" if value[1] else name
        return number_text(value)

    def row(self, label: str) -> str:
        """Return a chart row label as printed; "above 10 to 25" is translated."""
        parts = label.split()
        match parts:
            case ["above", low]:
                return self.phrase("above {low}", low=low)
            case ["above", low, _, high]:
                return self.phrase("above {low} to {high}", low=low, high=high)
        return label

    def heading(self, axis: ChartAxis, number: int) -> str:
        """Return the row of a chart's axis as printed, or its heading if it has one."""
        own = axis.headings[number] if axis.headings else {}
        return self.label(own) if own else self.row(axis.labels[number])

    def join_list(self, words: list[str]) -> str:
        """Join several words to a list."""
        if not words:
            return self.phrase("nothing")
        if len(words) == 1:
            return words[0]
        glue = translator_for(self.language)(_("and"))
        if glue != "and":
            return glue.join(words)
        return ", ".join(words[:-1]) + (" and " if self.language == "en" else ", ") + words[-1]

    def thing(self, kind: str, handle: int) -> str:
        """Return the name of a thing; an interchangeable piece is named after its group."""
        if kind == "level":
            level = self.program.level_data[handle]
            return self.label(level["title"], level["id"])
        data = self.program.kinds[kind]["things"][handle]
        if kind == "piece" and self.program.is_alike[handle]:
            cls = self.program.classes[data["cls"]]
            told = self.label(cls["label"], cls["one"])
            for n in cls["counters"]:
                if not (a := self.program.kinds["piece"]["attributes"][n])["changes"]:
                    owner = self.value(a["show"], self.program.constant_of(handle, n))
                    told = self.phrase("{thing} ({owner})", thing=told, owner=owner)
            return told
        if kind == "edge" and not self.is_first and self.language not in data["label"] and data["ends"]:
            return "–".join(self.thing("place", place) for place in data["ends"])
        return self.label(data["label"], data["id"])

    def words(self, words: int | Sequence[str | Show] | None, values: Iterable[Any]) -> str:
        """Fill the holes of a text, given by its number in the rules or as parts in order."""
        if isinstance(words, int):
            return self._text(words, tuple(values))
        following = iter(values)
        return "".join(self.phrase(p) if isinstance(p, str) else self.value(p, next(following)) for p in words or ())

    def _text(self, number: int, values: tuple[Any, ...]) -> str:
        parts = self.program.data["texts"][number]
        own = self._texts.get(str(number))
        if own is None:
            following = iter(values)
            return "".join(p if isinstance(p, str) else self.value(p, next(following)) for p in parts)
        shows = [p for p in parts if not isinstance(p, str)]
        return "".join(p if isinstance(p, str) else self.value(shows[p], values[p]) for p in own)

    def format_telling(self, telling: Telling, beside: Mapping[str, str] = NO_REMARKS) -> str:
        """Format a telling: an option or a reason recorded as data.

        `beside` holds texts for brackets after arguments, by name, where a label of the translation has the argument.

        ("words", text, values); ("name", decision, option, (name, show, value) of each argument); ("offer", draft,
        distinguishing values, path, both as (name, show, value)); ("say", interface sentence, texts or functions of a
        formatter that fill its holes); ("called", name, what it names); ("faulty", replacement, message of the rules
        fault); or a plain sentence.
        """
        match telling:
            case ("words", number, values):
                return self.words(number, values)
            case ("name", where, name, given):
                inside = [self.value(show, v) for _, show, v in given]
                return self._labelled((f"{where}.{name}", name), given, beside) or " ".join(
                    [self.name(name, where, "option"), *inside]
                )
            case ("say", text, holes):
                return self.phrase(text, **{h: told(self) if callable(told) else told for h, told in holes.items()})
            case ("called", name, *of):
                return self.name(name, *of)
            case ("faulty", name, fault):
                return self.phrase(
                    "{words} [error in the rules: {fault}]", words=self.format_telling(name), fault=fault
                )
            case ("offer", draft, offer, way):
                return self._labelled((draft,), offer) or self._offer(offer, [self.value(s, v) for _, s, v in way])
        return self.phrase(telling[0])

    def holes(self, telling: Telling) -> tuple[str, ...]:
        """Return the words that fill the holes of a text of the rules, or () for other tellings."""
        if telling[0] != "words":
            return ()
        shows = [p for p in self.program.data["texts"][telling[1]] if not isinstance(p, str)]
        return tuple(self.value(show, value) for show, value in zip(shows, telling[2], strict=True))

    def labelled_arguments(self, telling: Telling) -> frozenset[str]:
        """Return the names of the arguments that the translation's label of an option mentions."""
        if telling[0] != "name":
            return frozenset()
        _, where, name, given = telling
        label = self._label_of((f"{where}.{name}", name), {name for name, _, _ in given})
        return frozenset(part[0] for part in label if not isinstance(part, str))

    def _label_of(self, keys: tuple[str, ...], arguments: Container[str]) -> Sequence[Any]:
        """Return the parts of the translation's label of an option, () if it has none for these arguments."""
        label: Sequence[Any] = next((self._labels[k] for k in keys if k in self._labels), ())
        return () if any(not isinstance(part, str) and part[0] not in arguments for part in label) else label

    def _labelled(
        self, keys: tuple[str, ...], given: Iterable[tuple[str, Show, Any]], beside: Mapping[str, str] = NO_REMARKS
    ) -> str:
        """Return the translation's label of an option filled with its arguments, or '' if it has none."""
        values = {name: (show, value) for name, show, value in given}
        return "".join(
            part if isinstance(part, str) else self._with_remark(self.value(*values[part[0]]), beside.get(part[0], ""))
            for part in self._label_of(keys, values)
        )

    def _with_remark(self, text: str, remark: str) -> str:
        return self.phrase("{what} ({more})", what=text, more=remark) if remark else text

    def identifier(self, name: str, *of: str) -> str:
        """Return a name of the rules: as written in the first language, translated in others."""
        return name if self.is_first else self.name(name, *of)

    def _offer(self, offer: Sequence[tuple[str, Show, Any]], way: list[str]) -> str:
        words: list[str] = []
        for name, show, value in offer:
            if show[0] == "flag":
                if value:
                    words.append(self.name(name))
            elif show[0] == "thing":
                words.append(self.value(show, value))
            elif value != () or len(offer) == 1:  # an empty member of several is left out
                words.append(f"{self.name(name)} {self.value(show, value)}")
        told = translator_for(self.language)(", ").join(words) or self.phrase("finish")
        return self.phrase("{told} (by {way})", told=told, way=" – ".join(way[:-1])) if len(way) > 1 else told


class Lengths:
    """Upper bounds on the length of formatted text, from a ruleset's longest name and its texts in every language.

    `name`: of a name. `texts`: of each text without its placeholders, by number. `bounds`: of each text with
    everything its placeholders can contain. `entry`: of any log entry except the `wide` events, which can be very
    long.
    """

    __slots__ = ("name", "texts", "bounds", "entry", "wide")

    def __init__(self, program: Program) -> None:
        data, told = program.data, [locale["texts"] for locale in program.data["locales"].values()]
        names = [name for locale in program.data["locales"].values() for name in locale["names"].values()]
        for kind, described in program.kinds.items():
            names += program.ids[kind]
            names += [name for thing in described["things"] for name in (thing["label"] or {}).values()]
        for described in (*program.ladders.values(), *program.classes.values()):
            names += _texts_in(described)
        self.name = max(_LEAST_NAME, *map(len, names)) + len(", ") if names else _LEAST_NAME
        self.texts = [
            max(map(_count_letters, (parts, *(texts[str(n)] for texts in told if str(n) in texts))))
            for n, parts in enumerate(data["texts"])
        ]
        self.bounds = [
            length + self.name * sum(_most(program, part) for part in parts if not isinstance(part, str))
            for length, parts in zip(self.texts, data["texts"], strict=True)
        ]
        events = {name: self._of_event(program, event) for name, event in program.events.items()}
        self.wide = frozenset(name for name, letters in events.items() if letters > _WIDE)
        narrow = [letters for name, letters in events.items() if name not in self.wide]
        self.entry = max(self.name * (len(program.ids["piece"]) + _PARTS_OF_AN_ENTRY), *narrow, 0)

    def _of_event(self, program: Program, event: EventInfo) -> int:
        words = self.bounds[event.words] if event.words is not None else 0
        return words + self.name * sum(_most(program, show) for _, show in event.params)

    def of(self, text: int | None, values: Iterable[Any]) -> int:
        """Return the most letters of a text of the rules, by its number or None, with values in its holes."""
        count = digits = 0
        waiting = [values]
        while waiting:
            for value in waiting.pop():
                if value.__class__ is tuple or value.__class__ is list:
                    waiting.append(value)
                elif value.__class__ is int:
                    digits += value.bit_length()
                elif value.__class__ is Fraction:
                    digits += value.numerator.bit_length() + value.denominator.bit_length()
                elif value.__class__ is str:
                    digits += len(value)
                count += 1
        return (self.texts[text] if text is not None else 0) + count * self.name + digits // 3


def _most(program: Program, show: Show) -> int:
    """Return the maximum number of names in a formatted value of a type."""
    match show[0]:
        case "maybe":
            return _most(program, show[1])
        case "many":
            return (
                len(program.ids[show[1][1]]) if show[1][0] == "thing" and show[1][1] in program.ids else LIMITS.members
            )
        case "plain":
            return LIMITS.members
    return 1


def lengths_of(program: Program) -> Lengths:
    """Return the lengths of a ruleset's names and texts, measured when they are first asked for."""
    if program.lengths is None:
        program.lengths = Lengths(program)
    return program.lengths


def require_text(state: State, function: str, text: int | None, values: Iterable[Any]) -> None:
    """Charge the letters of a text filled by a compiled function; raise BudgetExceededError if they are too many."""
    program = state.program
    lengths = program.lengths or lengths_of(program)
    if text is not None and lengths.bounds[text] <= _SHORT:
        return
    letters = lengths.of(text, values)
    if letters > LIMITS.letters:
        code = getattr(program.functions.get(function), "__code__", None)
        raise BudgetExceededError(
            f"a text of up to {letters:,} letters is made here; at most {LIMITS.letters:,} are told; "
            "put fewer or shorter things into its holes",
            None if code is None else (code.co_filename, code.co_firstlineno),
        )
    spend(state, letters // _LETTERS_AT_ONCE)


def _texts_in(data: object) -> list[str]:
    """Return every text in nested data."""
    if isinstance(data, str):
        return [data]
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ()
    return [text for part in inside for text in _texts_in(part)]


def _count_letters(parts: Iterable[Any]) -> int:
    return sum(len(part) for part in parts if isinstance(part, str))


def value_id(program: Program, show: Show, value: Any) -> object:  # noqa: ANN401 - its shape follows `show`
    """Convert a value to stable data: ids for things, words for rungs, lists for sets."""
    match show[0]:
        case "thing":
            if value is None:
                return None
            if show[1] == "level":
                return program.level_data[value]["id"]
            return program.ids[show[1]][value]
        case "rung":
            return None if value is None else program.ladders[show[1]]["rungs"][value]
        case "maybe":
            return None if value is None else value_id(program, show[1], value)
        case "many":
            return tuple(value_id(program, show[1], v) for v in value)
        case "part":
            return f"{value[0]} {value[1]}" if value[1] else value[0]
    return value


def members_of(show: Show, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return a list as it is given, and a set with each member once, in the order that sets have."""
    return tuple(sorted(set(values))) if show[-1] == "set" else tuple(values)


class UnknownValueError(LocalizedError, ValueError):
    """Data that is not a value of the expected type; the message says what was expected."""


def value_from_id(program: Program, show: Show, given: object) -> object:
    """Convert stable data to a value; raise `UnknownValueError` with a helpful message."""
    match show[0]:
        case "thing":
            if show[1] == "edge" and str(given) in program.handles["edge"]:
                return program.handles["edge"][str(given)]
            ids = [x["id"] for x in program.level_data] if show[1] == "level" else program.ids[show[1]]
            return _index(given, ids, program.kinds[show[1]]["one"] if show[1] in program.kinds else show[1])
        case "rung":
            return _index(given, program.ladders[show[1]]["rungs"], _("rung of {ladder}", ladder=show[1]))
        case "flag":
            if isinstance(given, bool):
                return given
            if given in ("true", "yes"):
                return True
            if given in ("false", "no"):
                return False
            raise UnknownValueError("expected true or false, found `{given}`", given=given)
        case "int" | "number":
            if show[0] == "number" and isinstance(given, str) and _FRACTION.fullmatch(given):
                return Fraction(given)
            whole = isinstance(given, int) and not isinstance(given, bool)
            if not whole and not (show[0] == "number" and isinstance(given, Fraction)):
                raise UnknownValueError(
                    _("expected a whole number, found `{given}`", given=given)
                    if show[0] == "int"
                    else _("expected a number, found `{given}`", given=given)
                )
            return given
        case "maybe":
            return None if given is None else value_from_id(program, show[1], given)
        case "many":
            if not isinstance(given, list | tuple):
                raise UnknownValueError("expected a list, found `{given}`", given=given)
            return members_of(show, (value_from_id(program, show[1], v) for v in given))
        case "word":
            return show[1][_index(given, show[1], "word")]
        case "part":
            return _part(given, dict(show[1]))
    return given


def _part(given: object, arms: dict[str, bool]) -> tuple[str, int]:
    """Parse a part of a chart's result: its name, and its number if it carries one."""
    name, _gap, number = str(given).partition(" ")
    _index(name, arms, "word")
    if arms[name] and not number.isdecimal() or number and not arms[name]:
        raise UnknownValueError(
            _("expected `{name} 1` or another number, found `{given}`", name=name, given=given)
            if arms[name]
            else _("expected `{name}`, found `{given}`", name=name, given=given)
        )
    return name, int(number or 0)


def _index(given: object, ids: Iterable[str], what: str) -> int:
    for index, known in enumerate(ids):
        if known == str(given):
            return index
    raise UnknownValueError(
        "unknown {what} `{given}`{hint}",
        what=_KINDS.get(what, what),
        given=given,
        hint=suggest_words(str(given), ids),
    )
