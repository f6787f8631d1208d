"""The ruleset's words in one language: labels of things, attributes, rungs; and back from words to ids.

Must not know the position, nor how words are laid out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Data = Mapping[str, Any]
_SEARCHED = ("place", "side", "seat", "edge", "piece")  # an id of several kinds means the first of these


class Words:
    """Labels from a program's description of its data; what has none is told by its id."""

    __slots__ = ("data", "lang", "_things", "_rungs", "_own")

    def __init__(self, data: Data, lang: str = "") -> None:
        self.data = data
        languages: Sequence[str] = data["languages"]
        self.lang = lang if lang in languages else (languages[0] if languages else "")
        self._things = {kind: {t["id"]: self.label(t["label"], t["id"]) for t in described["things"]}
                        for kind, described in data["kinds"].items()}
        self._rungs = {ladder: dict(zip(d["rungs"], (self.label(x) for x in d["labels"]), strict=True))
                       for ladder, d in data["ladders"].items()}
        self._own = [k for k in self._things if k not in _SEARCHED]

    def label(self, label: Mapping[str, str] | str, otherwise: str = "") -> str:
        """The label in our language, else in the first it has, else `otherwise`."""
        if isinstance(label, str):
            return label or otherwise
        return label.get(self.lang) or next(iter(label.values()), "") or otherwise

    def thing(self, kind: str, thing_id: str) -> str:
        """A thing's name."""
        return self._things.get(kind, {}).get(thing_id, thing_id)

    def anything(self, word: str) -> str:
        """The name behind an id of any kind, a rung, a group of alike pieces, or the word itself."""
        for kind in (*_SEARCHED, *self._own):
            if word in self._things.get(kind, {}):
                return self._things[kind][word]
        group, parted, place = word.partition("@")
        if parted:
            parts = [self.anything(p) for p in group.split(".")]
            return f"{', '.join(parts)} in {self.thing('place', place)}"
        for rungs in self._rungs.values():
            if word in rungs:
                return rungs[word] or word
        return word

    def attribute(self, attribute: Data) -> str:
        """An attribute's name."""
        return self.label(attribute["label"], attribute["name"]).replace("_", " ")

    def value(self, show: Sequence[Any], value: Any) -> str:
        """A value of the view in words; `show` says what sort of value it is."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        match list(show):
            case ["maybe", inner]:
                return self.value(inner, value)
            case ["many", inner]:
                return ", ".join(self.value(inner, v) for v in value) or "none"
            case ["thing", kind]:
                return self.thing(kind, str(value))
            case ["rung", ladder]:
                return self._rungs.get(ladder, {}).get(str(value)) or str(value)
        if isinstance(value, list | tuple):
            return ", ".join(str(v) for v in value) or "none"
        return str(value).replace("_", " ") if list(show) == ["word"] else str(value)

    def find(self, kinds: Sequence[str], text: str) -> str | None:
        """The id of the thing that is called like this, by id or by name in our language."""
        wanted = _folded(text)
        for kind in kinds:
            names = self._things.get(kind, {})
            if text in names:
                return text
            for thing_id, name in names.items():
                if wanted in (_folded(name), _folded(thing_id)):
                    return thing_id
        return None

    def find_anything(self, text: str) -> str | None:
        """The id of the thing of any kind, or the rung, that is called like this."""
        found = self.find((*_SEARCHED, *self._own), text)
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
