"""The ruleset's words in one language: labels of things, attributes, rungs; and back from words to ids.

Must not know the position, nor how words are laid out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.diagnostics.edge_names import as_known
from interpreter.diagnostics.suggestions import close_words, few_words
from interpreter.i18n.translator import mark as _, speaker
from interpreter.play.template_values import told_by_short, turn_title
from interpreter.runtime.program import Program
from interpreter.runtime.value_format import value_from_id

Data = Mapping[str, Any]
_PLAYERS = {"human": _("human"), "random": _("random"), "greedy": _("greedy"), "search": _("search")}
_SEARCHED = ("place", "side", "seat", "edge", "piece")  # an id of several kinds means the first of these


class Localizer:
    """Labels from a program's description of its data; what has none is told by its id."""

    def __init__(self, program: Program, lang: str = "") -> None:
        self.program = program
        self.data: Data = program.data
        self.lang = lang if lang in program.languages else program.languages[0]
        self._say = speaker(lang or self.lang)
        self._naming = program.naming(self.lang)
        self._things: dict[str, dict[str, str]] = {
            kind: {t["id"]: self.label(t["label"], t["id"]) for t in described["things"]}
            for kind, described in program.kinds.items()
        }
        self._rungs: dict[str, dict[str, str]] = {
            ladder: {r: self.label(words, r) for r, words in zip(d["rungs"], d["labels"], strict=True)}
            for ladder, d in program.ladders.items()
        }
        self._searched = (*_SEARCHED, *(k for k in self._things if k not in _SEARCHED))

    def say(self, text: str, /, **values: object) -> str:
        """A sentence of the interface in our language; `text` is the English one, `values` fill its holes."""
        return self._say(text, **values)

    def listed(self, parts: Iterable[str]) -> str:
        """Several words one after another, with what parts them in our language."""
        return self.say(", ").join(parts)

    def about(self, what: str, told: str) -> str:
        """ "Reds: what next?", or `what` alone where nothing is told of it."""
        return self.say("{what}: {values}", what=what, values=told) if told else what

    def aside(self, what: str, more: str) -> str:
        """ "Guards (strength 3)", or `what` alone where there is no more."""
        return self.say("{what} ({more})", what=what, more=more) if more else what

    def parted(self, parts: Iterable[str]) -> str:
        """Several things one after another, each of which may be a list itself."""
        return self.say("; ").join(parts)

    def counted_off(self, parts: Sequence[str], most: int) -> list[str]:
        """The first of several things, then how many more there are."""
        more = [self.say("{number} more", number=len(parts) - most)] if len(parts) > most else []
        return [*parts[:most], *more]

    def some(self, names: Iterable[str], most: int) -> str:
        """Names, each once; beyond some they are counted."""
        known = list(dict.fromkeys(names))
        if len(known) <= most:
            return self.listed(known)
        shown = self.listed(known[: most - 1])
        return self.say("{names} and {number} others", names=shown, number=len(known) - most + 1)

    def hint(self, word: str, known: Iterable[str], few: bool = True) -> str:
        """What may have been meant by a word that is none of those known, after a semicolon; '' for no idea.

        With `few`, what is known is told where nothing is like the word and there is not much of it.
        """
        names = list(known)
        if close := close_words(word, names):
            told = self.say(" or ").join(self.say("`{word}`", word=c) for c in close)
            return self.say("; did you mean {words}?", words=told)
        if few and (shown := few_words(names)):
            return self.say("; known here: {words}", words=self.listed(self.say("`{word}`", word=n) for n in shown))
        return ""

    def name(self, identifier: str, *of: str) -> str:
        """A name of the rules as words; `of` says of what: "option", "decision", "roll", or what it belongs to."""
        return self._naming.name(identifier, *of)

    def phase(self, phase: str, values: tuple[Any, ...] = ()) -> str:
        """The title of a phase; `values` are those in its holes."""
        return self._naming.phase(phase, values)

    def turn(self, number: int, scenario: str | None) -> str:
        """A turn by its number and, where it has one, its title."""
        return self.aside(
            self.say("turn {number}", number=number), turn_title(self.program, scenario, number, self.lang)
        )

    def label(self, label: Mapping[str, str], otherwise: str = "") -> str:
        """The label in our language, else in the first it has, else `otherwise`."""
        return label.get(self.lang) or next(iter(label.values()), "") or otherwise

    def thing(self, kind: str, thing_id: str) -> str:
        """A thing's name."""
        return self._things.get(kind, {}).get(thing_id, thing_id)

    def piece(self, piece: str) -> str:
        """A piece's name; one that has doubles goes by what they are called together."""
        return self._naming.thing("piece", self.program.handles["piece"][piece])

    def short(self, piece: str, values: Data) -> tuple[str, tuple[str, ...]]:
        """The short form of a piece of a position, and the attributes that it tells; '' where it has none."""
        told = values.get("short")
        if not told:
            return "", ()
        return self.label(told), told_by_short(self.program, "piece", self.program.handles["piece"][piece])

    def player(self, player: str) -> str:
        """Who plays a seat, as journals name him, with a bot's budget."""
        name, parted, budget = player.partition(":")
        return self.say(_PLAYERS.get(name, name)) + parted + budget

    def option(self, given: str) -> str:
        """An optional rule as journals name it, with its value: "Fog: on"."""
        name, parted, value = given.partition("=")
        label = next((self.label(o["label"], name) for o in self.data["options"] if o["id"] == name), name)
        return self.about(label, value) if parted else label

    def pieces(self, piece: str, number: int) -> str:
        """So many pieces that are called like this one: "Old Guard", "3 units (reds)"."""
        name = self.piece(piece)
        if number == 1:
            return name
        thing = self.program.kinds["piece"]["things"][self.program.handles["piece"][piece]]
        cls = self.program.classes.get(thing["cls"])
        if cls and cls["alike"] and self.lang == self.program.languages[0]:
            name = name.replace(self.label(cls["label"], cls["one"]), self.name(cls["many"], "kind"), 1)
        return self.say("{number} {what}", number=number, what=name)

    def company(self, pieces: Iterable[str]) -> list[str]:
        """Pieces by name, those of one name counted."""
        names: dict[str, list[str]] = {}
        for piece in pieces:
            names.setdefault(self.piece(piece), []).append(piece)
        return [self.pieces(own[0], len(own)) for own in names.values()]

    def parts_of_group(self, group: str) -> list[str]:
        """What tells a group of alike pieces: what is on their counters, and where they stand, each in words."""
        counters, _at, place = group.partition("@")
        return [*(self.anything(part) for part in counters.split(".")), self.thing("place", place)]

    def anything(self, word: str) -> str:
        """The name behind an id of any kind, a rung, a group of alike pieces, or the word itself."""
        for kind in self._searched:
            if word in self._things.get(kind, {}):
                return self._things[kind][word]
        if "@" in word:
            *counters, place = self.parts_of_group(word)
            return self.say("{pieces} in {place}", pieces=self.listed(counters), place=place)
        for rungs in self._rungs.values():
            if word in rungs:
                return rungs[word]
        return word.replace("_", " ")

    def called(self, kind: str, value: str) -> str:
        """The name of a thing of a kind, or of a group of alike pieces; of anything where no kind is known."""
        return self._things[kind][value] if value in self._things.get(kind, {}) else self.anything(value)

    def all_names(self) -> Iterator[str]:
        """What things of every kind are called, and their ids."""
        for names in self._things.values():
            yield from names
            yield from names.values()

    def attribute(self, attribute: Data) -> str:
        """An attribute's name."""
        return self.label(attribute["label"], attribute["name"]).replace("_", " ")

    def value(self, show: Sequence[Any], given: Any) -> str:
        """A value of the view in words; `show` says what sort of value it is."""
        try:
            return self._naming.value(show, value_from_id(self.program, show, given))
        except ValueError:
            return str(given)

    def held(self, kind: str, thing: str, name: str, values: Data) -> tuple[Any, str]:
        """An attribute of a thing and its words, whether it can change or not; `values` are those that can."""
        attribute = self.kind(kind)["attributes"][name]
        if attribute["changes"]:
            return values.get(name), self.value(attribute["show"], values.get(name))
        given = self.program.constants[(kind, name)][self.program.handles[kind][thing]]
        is_none = given is None and attribute["show"][0] != "maybe"
        return given, "" if is_none else self.handle_value(attribute["show"], given)

    def handle_value(self, show: Sequence[Any], value: Any) -> str:
        """A value as the program holds it, in words."""
        return self._naming.value(show, value)

    def told(self, telling: Any) -> str:
        """An option or a refusal as the log notes it."""
        return self._naming.told(telling)

    def level(self, level: str) -> str:
        """What a level of victory is called."""
        return next((self.label(x["title"], level) for x in self.program.level_data if x["id"] == level), level)

    def find(self, kinds: Sequence[str], text: str) -> str | None:
        """The id of the thing that is called like this, by id or by name in our language."""
        wanted = _folded(text)
        for kind in kinds:
            names: dict[str, str] = self._things.get(kind, {})
            if (known := as_known(text, names)) in names:
                return known
            for thing_id, name in names.items():
                if wanted in (_folded(name), _folded(thing_id)):
                    return thing_id
        return None

    def find_anything(self, text: str) -> str | None:
        """The id of the thing of any kind, or the rung, that is called like this."""
        found = self.find(self._searched, text)
        if found is not None:
            return found
        wanted = _folded(text)
        for rungs in self._rungs.values():
            for rung, name in rungs.items():
                if wanted in (_folded(rung), _folded(name)):
                    return rung
        return None

    def kind(self, kind: str) -> Data:
        """What is described of a kind: its words, things and attributes."""
        described: Data = self.data["kinds"][kind]
        return described


def cited(cites: Sequence[str]) -> str:
    """ " [4.1] [4.2]" with a space before it; '' for no citation."""
    return "".join(f" [{c}]" for c in cites)


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
