"""Localizer: the ruleset's words in one language. Maps ids of things, attributes and rungs to labels and back.

Independent of the position and of the layout of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.suggestions import close_words, words_if_few
from interpreter.i18n.translator import mark as _, translator_for
from interpreter.play.template_values import short_form_attributes, turn_title
from interpreter.runtime.type_aliases import Telling
from interpreter.runtime.value_format import value_from_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

Data = Mapping[str, Any]
_PLAYERS = {"human": _("human"), "random": _("random"), "greedy": _("greedy"), "search": _("search")}
_SEARCHED = ("place", "side", "seat", "edge", "piece")  # an id of several kinds means the first of these


class Localizer:
    """Labels from a program's description of its data; a thing without a label is called by its id."""

    def __init__(self, program: Program, lang: str = "") -> None:
        self.program = program
        self.data: Data = program.data
        self.lang = lang if lang in program.languages else program.languages[0]
        self._say = translator_for(lang or self.lang)
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
        """Translate an interface message; `text` is the English one, `values` fill its placeholders."""
        return self._say(text, **values)

    def join_list(self, parts: Iterable[str]) -> str:
        """Join words with the list separator of the language."""
        return self.say(", ").join(parts)

    def about(self, topic: str, text: str) -> str:
        """Render "Reds: what next?", or `topic` alone if `text` is empty."""
        return self.say("{what}: {values}", what=topic, values=text) if text else topic

    def with_detail(self, text: str, more: str) -> str:
        """Render "Guards (strength 3)", or `text` alone if `more` is empty."""
        return self.say("{what} ({more})", what=text, more=more) if more else text

    def parted(self, parts: Iterable[str]) -> str:
        """Join texts that may contain commas with the language's outer separator."""
        return self.say("; ").join(parts)

    def counted_off(self, parts: Sequence[str], most: int) -> list[str]:
        """Return the first `most` parts, followed by the number of the rest."""
        more = [self.say("{number} more", number=len(parts) - most)] if len(parts) > most else []
        return [*parts[:most], *more]

    def some(self, names: Iterable[str], most: int) -> str:
        """Join distinct names; if there are more than `most`, the rest is counted."""
        unique = list(dict.fromkeys(names))
        if len(unique) <= most:
            return self.join_list(unique)
        shown = self.join_list(unique[: most - 1])
        return self.say("{names} and {number} others", names=shown, number=len(unique) - most + 1)

    def hint(self, word: str, candidates: Iterable[str], few: bool = True) -> str:
        """Render a "did you mean" suggestion for an unknown word, after a semicolon; '' without a suggestion.

        With `few`, list the known words if none is similar and there are only a few.
        """
        names = list(candidates)
        if close := close_words(word, names):
            suggestions = self.say(" or ").join(self.say("`{word}`", word=c) for c in close)
            return self.say("; did you mean {words}?", words=suggestions)
        if few and (shown := words_if_few(names)):
            return self.say(
                "; available here: {words}", words=self.join_list(self.say("`{word}`", word=n) for n in shown)
            )
        return ""

    def name(self, identifier: str, *of: str) -> str:
        """Render a rule name as words; `of` is its context: "option", "decision", "roll", or what it belongs to."""
        return self._naming.name(identifier, *of)

    def phase(self, phase: str, values: tuple[Any, ...] = ()) -> str:
        """Return the title of a phase; `values` fill its placeholders."""
        return self._naming.phase(phase, values)

    def turn(self, number: int, scenario: str | None) -> str:
        """Render a turn as its number and its title, if any."""
        return self.with_detail(
            self.say("turn {number}", number=number), turn_title(self.program, scenario, number, self.lang)
        )

    def label(self, label: Mapping[str, str], otherwise: str = "") -> str:
        """Return the label in the current language, else in its first language, else `otherwise`."""
        return label.get(self.lang) or next(iter(label.values()), "") or otherwise

    def thing(self, kind: str, thing_id: str) -> str:
        """Return the name of a thing, or its id if it has none."""
        return self._things.get(kind, {}).get(thing_id, thing_id)

    def piece(self, piece: str) -> str:
        """Return the name of a piece; interchangeable pieces share their common name."""
        return self._naming.thing("piece", self.program.handles["piece"][piece])

    def short(self, piece: str, values: Data) -> tuple[str, tuple[str, ...]]:
        """Return the short form of a piece and the attributes it shows; '' if it has none."""
        wording = values.get("short")
        if not wording:
            return "", ()
        return self.label(wording), short_form_attributes(self.program, "piece", self.program.handles["piece"][piece])

    def player(self, player: str) -> str:
        """Render the player of a seat from its journal notation, with a bot's budget."""
        name, parted, budget = player.partition(":")
        return self.say(_PLAYERS.get(name, name)) + parted + budget

    def option(self, option_name: str) -> str:
        """Render an optional rule from its journal notation with its value: "Fog: on"."""
        name, parted, value = option_name.partition("=")
        label = next((self.label(o["label"], name) for o in self.data["options"] if o["id"] == name), name)
        return self.about(label, value) if parted else label

    def pieces(self, piece: str, number: int) -> str:
        """Render a number of pieces that share a name: "Old Guard", "3 units (reds)"."""
        name = self.piece(piece)
        if number == 1:
            return name
        thing = self.program.kinds["piece"]["things"][self.program.handles["piece"][piece]]
        cls = self.program.classes.get(thing["cls"])
        if cls and cls["alike"] and self.lang == self.program.languages[0]:
            name = name.replace(self.label(cls["label"], cls["one"]), self.name(cls["many"], "kind"), 1)
        return self.say("{number} {what}", number=number, what=name)

    def company(self, pieces: Iterable[str]) -> list[str]:
        """Render pieces by name, one text for each name with its count."""
        names: dict[str, list[str]] = {}
        for piece in pieces:
            names.setdefault(self.piece(piece), []).append(piece)
        return [self.pieces(own[0], len(own)) for own in names.values()]

    def parts_of_group(self, group: str) -> list[str]:
        """Return the texts that identify a group of interchangeable pieces: its counter values and its place."""
        counters, _at, place = group.partition("@")
        return [*(self.name_of_id(part) for part in counters.split(".")), self.thing("place", place)]

    def name_of_id(self, word: str) -> str:
        """Return the name for an id of any kind, a rung or a piece group, or else the word itself."""
        for kind in self._searched:
            if word in self._things.get(kind, {}):
                return self._things[kind][word]
        if "@" in word:
            *counters, place = self.parts_of_group(word)
            return self.say("{pieces} in {place}", pieces=self.join_list(counters), place=place)
        for rungs in self._rungs.values():
            if word in rungs:
                return rungs[word]
        return word.replace("_", " ")

    def name_of(self, kind: str, value: str) -> str:
        """Return the name of a thing of a kind or of a group of pieces; without a known kind, as `anything` does."""
        return self._things[kind][value] if value in self._things.get(kind, {}) else self.name_of_id(value)

    def all_names(self) -> Iterator[str]:
        """Yield the ids and names of things of every kind."""
        for names in self._things.values():
            yield from names
            yield from names.values()

    def attribute(self, attribute: Data) -> str:
        """Return the name of an attribute."""
        return self.label(attribute["label"], attribute["name"]).replace("_", " ")

    def value(self, show: Sequence[Any], value: object) -> str:
        """Render a value of the view; `show` is its type."""
        try:
            return self._naming.value(show, value_from_id(self.program, show, value))
        except ValueError:
            return str(value)

    def attribute_text(self, kind: str, thing: str, name: str, values: Data) -> tuple[Any, str]:
        """Return an attribute of a thing and its text, variable or constant; `values` holds the variable ones."""
        attribute = self.kind(kind)["attributes"][name]
        if attribute["changes"]:
            return values.get(name), self.value(attribute["show"], values.get(name))
        value = self.program.constants[(kind, name)][self.program.handles[kind][thing]]
        is_none = value is None and attribute["show"][0] != "maybe"
        return value, "" if is_none else self.handle_value(attribute["show"], value)

    def handle_value(self, show: Sequence[Any], value: object) -> str:
        """Render a value given in the program's own form (handles instead of ids)."""
        return self._naming.value(show, value)

    def format_telling(self, telling: Telling) -> str:
        """Render an option or a refusal from its log record."""
        return self._naming.format_telling(telling)

    def level(self, level: str) -> str:
        """Return the title of a victory level."""
        return next((self.label(x["title"], level) for x in self.program.level_data if x["id"] == level), level)

    def find(self, kinds: Sequence[str], text: str) -> str | None:
        """Return the id of the thing with this id or localized name, or None."""
        wanted = _normalize(text)
        for kind in kinds:
            names: dict[str, str] = self._things.get(kind, {})
            if (edge_name := normalize_edge_name(text, names)) in names:
                return edge_name
            for thing_id, name in names.items():
                if wanted in (_normalize(name), _normalize(thing_id)):
                    return thing_id
        return None

    def find_anything(self, text: str) -> str | None:
        """Return the id of the thing of any kind, or of the rung, with this id or name, or None."""
        id = self.find(self._searched, text)
        if id is not None:
            return id
        wanted = _normalize(text)
        for rungs in self._rungs.values():
            for rung, name in rungs.items():
                if wanted in (_normalize(rung), _normalize(name)):
                    return rung
        return None

    def kind(self, kind: str) -> Data:
        """Return the description of a kind: its words, things and attributes."""
        described: Data = self.data["kinds"][kind]
        return described


def _normalize(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
