"""The words of a ruleset in one language, and the values of a game formatted with them.

A value is given either as the program stores it, by handle (`format_value`, `get_name_by_handle`), or as views and
saved games write it, by id (`format_id_value`, `get_thing_name`). Independent of the position and of the layout of
text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.suggestions import find_close_words, list_words_if_few
from interpreter.i18n.direction_names import translate_direction
from interpreter.i18n.number_format import format_number
from interpreter.i18n.plural_forms import fill, join_parts
from interpreter.i18n.translator import get_translator, mark as _
from interpreter.runtime.type_aliases import DisplayType, Telling
from interpreter.runtime.value_ids import from_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program
    from interpreter.runtime.tables import ChartAxis

Data = Mapping[str, Any]
_PLAYERS = {"human": _("human"), "random": _("random"), "greedy": _("greedy"), "search": _("search")}
_SEARCHED = ("place", "side", "seat", "edge", "piece")  # an id of several kinds means the first listed kind
# Names that any ruleset's data may contain without a document naming them.
_OWN_NAMES = frozenset(
    (
        *(_("and"), _("anything"), _("done"), _("draw"), _("finish"), _("inferred"), _("no"), _("nothing")),
        *(_("pieces"), _("printed"), _("reconstructed"), _("yes")),
    )
)
NO_REMARKS: Mapping[str, str] = MappingProxyType({})
_NO_LOCALE: Data = MappingProxyType({"texts": {}, "names": {}, "labels": {}})

_WORD = re.compile(r"[^\W\d_]\w*")
_LATER_WORD = re.compile(r"(?<=\w )[^\W\d_]\w*")
_LANGUAGES_WITH_CAPITAL_NOUNS = ("de", "lb")
_ENGLISH_PRONOUN = "I"


class Localizer:
    """The labels, names and texts of a ruleset in one language; those without a translation are in its first language.

    `lang`: the language of the names. `say`: translates sentences of the interface, perhaps into a language that the
    ruleset does not have.
    """

    def __init__(self, program: Program, lang: str = "") -> None:
        self.program = program
        self.data: Data = program.data
        self.lang = lang if lang in program.languages else program.languages[0]
        self.is_first = self.lang == program.languages[0]
        self.say = get_translator(lang or self.lang)
        locale = program.data["locales"].get(self.lang, _NO_LOCALE)
        self.names: dict[str, str] = locale["names"]
        self._texts: dict[str, Any] = locale["texts"]
        self._labels: dict[str, Any] = locale["labels"]

    @cached_property
    def _things(self) -> dict[str, dict[str, str]]:
        """Return the name of each thing, by kind and id."""
        return {
            kind: {t["id"]: self.translate_label(t["label"], t["id"]) for t in described["things"]}
            for kind, described in self.program.kinds.items()
        }

    @cached_property
    def names_with_brackets(self) -> tuple[str, ...]:
        """Return the names of things that contain round brackets, each once."""
        names = (name for things in self._things.values() for name in things.values())
        return tuple(dict.fromkeys(name for name in names if "(" in name or "\uff08" in name))

    @cached_property
    def _rungs(self) -> dict[str, dict[str, str]]:
        """Return the name of each rung, by ladder and rung id."""
        return {
            ladder: {r: self.translate_label(words, r) for r, words in zip(d["rungs"], d["labels"], strict=True)}
            for ladder, d in self.program.ladders.items()
        }

    @cached_property
    def _searched(self) -> tuple[str, ...]:
        """Return the kinds in the order in which a name is searched among their things."""
        return (*_SEARCHED, *(k for k in self._things if k not in _SEARCHED))

    def translate_label(self, label: Mapping[str, str] | None, fallback: str = "") -> str:
        """Return the text of a label in this language, else the translation of `fallback`, else its first text.

        `label`: the text by language. If it is empty, `fallback` is returned, translated if possible.
        """
        if not label:
            return self.translate_name(fallback) if fallback in self.names else fallback
        own = label.get(self.lang) or self.names.get(fallback)
        return str(own or next(iter(label.values())))

    def translate_name(self, identifier: str, *of: str) -> str:
        """Return a name that the rules define, in words of this language.

        `of` says what the name denotes, most specific first, because one name may denote several things: "option",
        "decision", "draft", "event", "roll", "kind" (singular or plural), "word" (a value), "axis" (of a table); for an
        option its decision or draft, for an argument its option or event. The first of them for which there is a
        translation is used.
        """
        identifier = self.program.data["kept"].get(identifier, identifier)
        own = next((self.names[f"{x}.{identifier}"] for x in of if f"{x}.{identifier}" in self.names), None)
        return own or self.names.get(identifier) or self._translate_engine_name(identifier).replace("_", " ")

    def _translate_engine_name(self, identifier: str) -> str:
        """Translate a name that the engine itself defines; return any other unchanged."""
        return self.say(identifier) if identifier in _OWN_NAMES else identifier

    def translate_phrase(self, text: str, /, **values: object) -> str:
        """Return a text of the interface; `text` is its key in the catalogues, `values` fill its placeholders."""
        template = self.names.get(text)
        if template is None:
            return self.say(text, **values)
        return fill(template, values) if values else template

    def format_phase_title(self, phase: str, values: tuple[Any, ...] = ()) -> str:
        """Return the title of a phase; `values` fill its placeholders."""
        described = self.program.data["phases"].get(phase)
        if described is None or described["words"] is None or len(values) != described["holes"]:
            return self.names.get(phase) or (str(described["title"]) if described else phase)
        return self.fill_text(described["words"], values)

    def translate_attribute(self, attribute: Mapping[str, Any]) -> str:
        """Return the label of an attribute, given its description in the program."""
        return self.translate_label(attribute["label"], attribute["name"]).replace("_", " ")

    def format_value(self, show: DisplayType, value: Any) -> str:  # noqa: ANN401 - its shape follows `show`
        """Format a value in which things are given by handle. `show`: the type of the value, as plain data."""
        match show[0]:
            case "thing":
                return self.get_name_by_handle(show[1], value)
            case "rung":
                ladder = self.program.ladders[show[1]]
                return self.translate_label(ladder["labels"][value], ladder["rungs"][value])
            case "flag":
                return self.translate_phrase("yes" if value else "no")
            case "maybe":
                return self.translate_phrase("nothing") if value is None else self.format_value(show[1], value)
            case "many":
                return self.join_with_and([self.format_value(show[1], v) for v in value])
            case "word":
                return self.translate_name(str(value), "word")
            case "direction":
                return translate_direction(str(value), self.lang)
            case "plain" if isinstance(value, str):
                return self.names.get(f"text.{value}", value)
            case "part":
                name = self.names.get(f"word.{value[0]}") or self.names.get(value[0]) or str(value[0]).replace("_", " ")
                return f"{name} {value[1]}" if value[1] else name
        return format_number(value)

    def format_row_label(self, label: str) -> str:
        """Return a chart row label in words: "1–3" for "1..3", "7 or more" for "7..", "above 10 to 25"."""
        parts = label.split()
        match parts:
            case ["above", low]:
                return self.translate_phrase("above {low}", low=low)
            case ["above", low, _, high]:
                return self.translate_phrase("above {low} to {high}", low=low, high=high)
        low, is_range, high = label.partition("..")
        if not is_range or not (low or high):
            return label
        if low and high:
            return self.translate_phrase("{low}–{high}", low=low, high=high)
        return (
            self.translate_phrase("{low} or more", low=low)
            if low
            else self.translate_phrase("{high} or less", high=high)
        )

    def format_axis_heading(self, axis: ChartAxis, number: int) -> str:
        """Return the printed heading of row `number` on a chart's axis.

        Without a heading, a thing or rung is named, and numbers, bands and odds have their printed labels.
        """
        own = axis.headings[number] if axis.headings else {}
        if own:
            return self.translate_label(own)
        return (
            self.format_value(axis.show, axis.keys[number])
            if axis.sort == "keys"
            else self.format_row_label(axis.labels[number])
        )

    def join_with_and(self, words: list[str]) -> str:
        """Join words to a list with "and" before the last one."""
        if not words:
            return self.translate_phrase("nothing")
        if len(words) == 1:
            return words[0]
        glue = self.say(_("and"))
        if glue != "and":
            return glue.join(words)
        return ", ".join(words[:-1]) + (" and " if self.lang == "en" else ", ") + words[-1]

    def get_name_by_handle(self, kind: str, handle: int) -> str:
        """Return the name of a thing; an interchangeable piece has the name of its group."""
        if kind == "level":
            level = self.program.level_data[handle]
            return self.translate_label(level["title"], level["id"])
        data = self.program.kinds[kind]["things"][handle]
        if kind == "piece" and self.program.is_alike[handle]:
            if "family" in data and not self.program.exchanged:
                return self.translate_label(data["family"])
            cls = self.program.classes[data["cls"]]
            name = self.translate_label(cls["label"], cls["one"])
            for n in cls["counters"]:
                if not (a := self.program.kinds["piece"]["attributes"][n])["changes"]:
                    owner = self.format_value(a["show"], self.program.get_constant(handle, n))
                    name = self.translate_phrase("{thing} ({owner})", thing=name, owner=owner)
            return name
        if kind == "edge" and not self.is_first and self.lang not in data["label"] and data["ends"]:
            return "–".join(self.get_name_by_handle("place", place) for place in data["ends"])
        return self.translate_label(data["label"], data["id"])

    def fill_text(self, text: int | Sequence[str | DisplayType] | None, values: Iterable[Any]) -> str:
        """Fill the placeholders of a text with values.

        `text`: the text's number in the rules, or its parts in order.
        """
        arguments, holes = tuple(values), count()
        if isinstance(text, int):
            parts, own = self.program.data["texts"][text], self._texts.get(str(text))
        else:
            parts, own = [self.translate_phrase(p) if isinstance(p, str) else p for p in text or ()], None
        shows = [p for p in parts if not isinstance(p, str)]
        if own is None:  # not translated: the placeholders in their own order
            own = [p if isinstance(p, str) else next(holes) for p in parts]
        return join_parts(
            [(p, False) if isinstance(p, str) else (self.format_value(shows[p], arguments[p]), True) for p in own]
        )

    def format_telling(self, telling: Telling, beside: Mapping[str, str] = NO_REMARKS) -> str:
        """Format a telling: an option, a question or a reason, recorded as data so that any language can render it.

        Its forms are ("words", text, values); ("name", decision, option, (name, show, value) of each argument);
        ("offer", draft, distinguishing values, path, both as (name, show, value)); ("say", interface sentence, texts or
        functions of a formatter that fill its placeholders); ("called", name, what it names); ("faulty", replacement,
        message of the rules fault); or a plain sentence. `beside` maps arguments to remarks, added in brackets after
        them in the label of a translation.
        """
        match telling:
            case ("words", number, values):
                return self.fill_text(number, values)
            case ("name", where, name, given):
                inside = [self.format_value(show, v) for _, show, v in given]
                return self._fill_label((f"{where}.{name}", name), given, beside) or " ".join(
                    [self.translate_name(name, where, "option"), *inside]
                )
            case ("say", text, holes):
                return self.translate_phrase(
                    text, **{h: value(self) if callable(value) else value for h, value in holes.items()}
                )
            case ("called", name, *of):
                return self.translate_name(name, *of)
            case ("faulty", name, fault):
                return self.translate_phrase(
                    "{words} [error in the rules: {fault}]", words=self.format_telling(name), fault=fault
                )
            case ("offer", draft, offer, way):
                return self._fill_label((draft,), offer) or self._offer(
                    offer, [self.format_value(s, v) for _, s, v in way]
                )
        return self.translate_phrase(telling[0])

    def list_placeholder_words(self, telling: Telling) -> tuple[str, ...]:
        """Return the words that fill the placeholders of a telling ("words", text, values), or () for another form."""
        if telling[0] != "words":
            return ()
        shows = [p for p in self.program.data["texts"][telling[1]] if not isinstance(p, str)]
        return tuple(self.format_value(show, value) for show, value in zip(shows, telling[2], strict=True))

    def list_labelled_arguments(self, telling: Telling) -> frozenset[str]:
        """Return the names of the arguments that the label of an option mentions in this translation."""
        if telling[0] != "name":
            return frozenset()
        _, where, name, args = telling
        label = self._get_label((f"{where}.{name}", name), {name for name, _, _ in args})
        return frozenset(part[0] for part in label if not isinstance(part, str))

    def _get_label(self, keys: tuple[str, ...], arguments: Container[str]) -> Sequence[Any]:
        """Return the parts of the label of an option in this translation, or () if it has none.

        `keys`: keys under which the label may be found, tried in order. Also () if the label needs an argument that is
        not in `arguments`.
        """
        label: Sequence[Any] = next((self._labels[k] for k in keys if k in self._labels), ())
        return () if any(not isinstance(part, str) and part[0] not in arguments for part in label) else label

    def _fill_label(
        self,
        keys: tuple[str, ...],
        args: Iterable[tuple[str, DisplayType, Any]],
        beside: Mapping[str, str] = NO_REMARKS,
    ) -> str:
        """Return the label of an option in this translation, filled with its arguments, or '' if it has none.

        `keys`: keys under which the label may be found, tried in order. `args`: (name, type, value) of the arguments.
        `beside` maps arguments to remarks, added in brackets after them.
        """
        values = {name: (show, value) for name, show, value in args}
        return "".join(
            part
            if isinstance(part, str)
            else self.with_detail(self.format_value(*values[part[0]]), beside.get(part[0], ""))
            for part in self._get_label(keys, values)
        )

    def translate_identifier(self, name: str, *of: str) -> str:
        """Return a name of the rules: as written if this is the ruleset's first language, otherwise translated."""
        return name if self.is_first else self.translate_name(name, *of)

    def _offer(self, offer: Sequence[tuple[str, DisplayType, Any]], way: list[str]) -> str:
        words: list[str] = []
        for name, show, value in offer:
            if show[0] == "flag":
                if value:
                    words.append(self.translate_name(name))
            elif show[0] == "thing":
                words.append(self.format_value(show, value))
            elif value != () or len(offer) == 1:  # an empty member of several is left out
                words.append(f"{self.translate_name(name)} {self.format_value(show, value)}")
        text = self.say(", ").join(words) or self.translate_phrase("finish")
        before = [step for step in way[:-1] if step not in words]  # what the words say already is not said twice
        return self.translate_phrase("{text} (by {way})", text=text, way=" – ".join(before)) if before else text

    def join_list(self, parts: Iterable[str]) -> str:
        """Join words with the list separator of the language."""
        return self.say(", ").join(parts)

    def prefix_topic(self, topic: str, text: str) -> str:
        """Render a text after what it is about, as "Reds: what next?"; `topic` alone if `text` is empty."""
        return self.say("{what}: {values}", what=topic, values=text) if text else topic

    def with_detail(self, text: str, more: str) -> str:
        """Render a detail in brackets after a text, as "Guards (strength 3)"; the text alone if `more` is empty."""
        return self.say("{what} ({more})", what=text, more=more) if more else text

    def join_texts(self, parts: Iterable[str]) -> str:
        """Join texts that may contain commas, with the separator that the language uses between them."""
        return self.say("; ").join(parts)

    def join_sentences(self, parts: Iterable[str]) -> str:
        """Join sentences with semicolons: later ones begin with a small letter, unless they begin with a name."""
        first, *others = [*parts] or [""]
        return self.join_texts([first, *map(self._begin_clause, others)])

    def _begin_clause(self, sentence: str) -> str:
        """Return a sentence as it continues another one, with a small letter at its start if it begins with no name."""
        match = _WORD.match(sentence)
        if match is None or self.lang in _LANGUAGES_WITH_CAPITAL_NOUNS or match[0] in self._proper_words:
            return sentence
        is_abbreviation = not match[0][1:].islower() if len(match[0]) > 1 else not sentence[1:].startswith(" ")
        return sentence if is_abbreviation else sentence[0].lower() + sentence[1:]

    @cached_property
    def _proper_words(self) -> frozenset[str]:
        """Return the words with a capital letter in names of things, and after another word in texts of the rules."""
        found = {_ENGLISH_PRONOUN}
        names = {
            self.get_name_by_handle(kind, handle)
            for kind, ids in self.program.ids.items()
            for handle in range(len(ids))
        }
        found.update(word for name in names for word in _WORD.findall(name) if word[0].isupper())
        for text in (*self.program.data["texts"], *self._texts.values()):
            for part in text or ():
                if isinstance(part, str):
                    found.update(word for word in _LATER_WORD.findall(part) if word[0].isupper())
        return frozenset(found)

    def limit_texts(self, parts: Sequence[str], most: int) -> list[str]:
        """Return the first `most` texts; if there are more, a text with the number of the remaining ones follows."""
        more = [self.say("{number} more", number=len(parts) - most)] if len(parts) > most else []
        return [*parts[:most], *more]

    def join_some(self, names: Iterable[str], most: int) -> str:
        """Join distinct names; if there are more than `most`, the last part is the number of the remaining names."""
        unique = list(dict.fromkeys(names))
        if len(unique) <= most:
            return self.join_list(unique)
        listed = self.join_list(unique[: most - 1])
        return self.say("{names} and {number} (other|others)", names=listed, number=len(unique) - most + 1)

    def format_hint(self, word: str, candidates: Iterable[str], few: bool = True) -> str:
        """Render a "did you mean" suggestion for an unknown word, after a semicolon; '' without a suggestion.

        With `few`, list the known words if none is similar and there are only a few.
        """
        names = list(candidates)
        if close := find_close_words(word, names):
            suggestions = self.say(" or ").join(self.say("`{word}`", word=c) for c in close)
            return self.say("; did you mean {words}?", words=suggestions)
        if few and (shown := list_words_if_few(names)):
            return self.say(
                "; available here: {words}", words=self.join_list(self.say("`{word}`", word=n) for n in shown)
            )
        return ""

    def get_thing_name(self, kind: str, thing_id: str) -> str:
        """Return the name of a thing, or its id if it has none."""
        return self._things.get(kind, {}).get(thing_id, thing_id)

    def get_piece_name(self, piece: str) -> str:
        """Return the name of a piece; interchangeable pieces share their common name."""
        return self.get_name_by_handle("piece", self.program.handles["piece"][piece])

    def format_player(self, player: str) -> str:
        """Render the player of a seat, given as in a journal ("search:50"), with a bot's search budget."""
        name, parted, budget = player.partition(":")
        return self.say(_PLAYERS.get(name, name)) + parted + budget

    def format_option(self, option_name: str) -> str:
        """Render an optional rule and its value, given as in a journal: "Fog: on"."""
        name, parted, value = option_name.partition("=")
        label = next((self.translate_label(o["label"], name) for o in self.data["options"] if o["id"] == name), name)
        return self.prefix_topic(label, value) if parted else label

    def format_piece_count(self, piece: str, number: int) -> str:
        """Render a number of pieces that share the name of `piece`: "Old Guard", "3 units (reds)"."""
        if number == 1:
            return self.get_piece_name(piece)
        name = self.pluralize_piece(self.program.handles["piece"][piece], number)
        return self.say("{number} {what}", number=number, what=name)

    def pluralize_piece(self, piece: int, number: int) -> str:
        """Return the name of a piece by its handle, in the plural for several interchangeable pieces."""
        name = self.get_name_by_handle("piece", piece)
        cls = self.program.classes.get(self.program.kinds["piece"]["things"][piece]["cls"])
        if number == 1 or not cls or not cls["alike"] or self.lang != self.program.languages[0]:
            return name
        return name.replace(self.translate_label(cls["label"], cls["one"]), self.translate_name(cls["many"], "kind"), 1)

    def list_piece_counts(self, pieces: Iterable[str]) -> list[str]:
        """Render pieces as one text for each distinct name, with the number of pieces that have it."""
        names: dict[str, list[str]] = {}
        for piece in pieces:
            names.setdefault(self.get_piece_name(piece), []).append(piece)
        return [self.format_piece_count(own[0], len(own)) for own in names.values()]

    def split_group(self, group: str) -> list[str]:
        """Return the texts that identify a group of interchangeable pieces: its counter values, then its place."""
        counters, _at, place = group.partition("@")
        return [*(self.find_name_of_id(part) for part in counters.split(".")), self.get_thing_name("place", place)]

    def find_name_of_id(self, word: str) -> str:
        """Return the name for an id of any kind of thing, a rung or a group of pieces; an unknown word is unchanged."""
        for kind in self._searched:
            if word in self._things.get(kind, {}):
                return self._things[kind][word]
        if "@" in word:
            *counters, place = self.split_group(word)
            return self.say("{pieces} in {place}", pieces=self.join_list(counters), place=place)
        for rungs in self._rungs.values():
            if word in rungs:
                return rungs[word]
        return word.replace("_", " ")

    def find_name(self, kind: str, value: str) -> str:
        """Return the name of a thing of a kind, or of a group of pieces.

        If the kind has no such thing, the id is looked up among all kinds, as `find_name_of_id` does.
        """
        return self._things[kind][value] if value in self._things.get(kind, {}) else self.find_name_of_id(value)

    def iter_names(self) -> Iterator[str]:
        """Yield the ids and names of things of every kind."""
        for names in self._things.values():
            yield from names
            yield from names.values()

    def format_id_value(self, show: Sequence[Any], value: object) -> str:
        """Render a value in which things are given by id; `show` is its type."""
        try:
            return self.format_value(show, from_value_id(self.program, show, value))
        except ValueError:
            return str(value)

    def format_attribute(self, kind: str, thing: str, name: str, values: Data) -> tuple[Any, str]:
        """Return (value, text) of an attribute of a thing.

        `values`: the values of its attributes that change in play; a constant is read from the program.
        """
        attribute = self.get_kind(kind)["attributes"][name]
        if attribute["changes"]:
            return values.get(name), self.format_id_value(attribute["show"], values.get(name))
        value = self.program.constants[(kind, name)][self.program.handles[kind][thing]]
        is_none = value is None and attribute["show"][0] != "maybe"
        return value, "" if is_none else self.format_value(attribute["show"], value)

    def format_level(self, level: str) -> str:
        """Return the title of a victory level."""
        return next(
            (self.translate_label(x["title"], level) for x in self.program.level_data if x["id"] == level), level
        )

    def find(self, kinds: Sequence[str], text: str) -> str | None:
        """Return the id of the thing of one of these kinds with this id or localized name, or None."""
        spelling = _normalize(text)
        for kind in kinds:
            names: dict[str, str] = self._things.get(kind, {})
            if (edge_name := normalize_edge_name(text, names)) in names:
                return edge_name
            for thing_id, name in names.items():
                if spelling in (_normalize(name), _normalize(thing_id)):
                    return thing_id
        return None

    def find_anything(self, text: str) -> str | None:
        """Return the id of the thing of any kind, or of the rung, with this id or name, or None."""
        id = self.find(self._searched, text)
        if id is not None:
            return id
        spelling = _normalize(text)
        for rungs in self._rungs.values():
            for rung, name in rungs.items():
                if spelling in (_normalize(rung), _normalize(name)):
                    return rung
        return None

    def get_kind(self, kind: str) -> Data:
        """Return the description of a kind: its words, things and attributes."""
        described: Data = self.data["kinds"][kind]
        return described

    def get_kind_name(self, kind: str) -> str:
        """Return the singular of a kind as words, by its label if the ruleset gives one."""
        described = self.get_kind(kind)
        singular: str = described["one"]
        return (
            self.translate_label(described["label"], singular)
            if described["label"]
            else self.translate_name(singular, "kind")
        )


def _normalize(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
