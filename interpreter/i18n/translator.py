"""The interface's own words in a language, from message catalogues.

A catalogue lies in `locale/LANGUAGE/LC_MESSAGES`; the English text is its own key, and what has no
translation stays English. Must not know the words of a ruleset, nor what is said where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

FOLDER = Path(__file__).resolve().parents[1] / "locale"
DOMAIN = "grognard"


class Message(str):
    """A sentence that is said later, to whoever reads it in his language; as a text it is English.

    >>> late = mark("turn {number}", number=3)
    >>> late, ENGLISH(late)
    ('turn 3', 'turn 3')
    """

    __slots__ = ("key", "holes")
    key: str
    holes: dict[str, object]

    def __new__(cls, key: str, /, **holes: object) -> Message:
        """`key` is the English sentence; `holes` fill its names in braces, and may be what `Speaker.said` takes."""
        self = super().__new__(
            cls, key.format(**{name: _in_english(value) for name, value in holes.items()}) if holes else key
        )
        self.key = key
        self.holes = holes
        return self


class LocalizedError(Exception):
    """An error whose message is said in the language of whoever reads it; as a text it is English.

    Translators' tools find its sentences by the names of its kinds.
    """

    def __init__(self, sentence: str, /, **holes: object) -> None:
        """As `Sentence` takes them; a `Sentence` stays as it is."""
        self.message = sentence if isinstance(sentence, Message) else Message(sentence, **holes)
        super().__init__(self.message)


class Translate(Protocol):
    """Says a sentence of the interface in one language."""

    def __call__(self, text: str, /, **values: object) -> str:
        """`text` is the English sentence, or a `Sentence`; `values` fill its holes, which are names in braces."""


@dataclass(frozen=True, slots=True)
class Translator:
    """Says sentences in a language by its catalogue."""

    language: str
    translated: Callable[[str], str]

    def __call__(self, text: str, /, **values: object) -> str:
        """As `Say` tells."""
        key, holes = (text.key, text.holes or values) if isinstance(text, Message) else (text, values)
        told = self.translated(key) if key else ""  # the empty key is the catalogue's own header
        return told.format(**{name: self.said(value) for name, value in holes.items()}) if holes else told

    def said(self, value: object) -> object:
        """A sentence, an error whose message is one, or what has a method `text_in`; anything else as it is.

        Several in a tuple are told one after another.
        """
        match value:
            case Message():
                return self(value)
            case BaseException(args=(Message() as message, *_)):
                return self(message)
            case tuple():
                return self(", ").join(str(self.said(part)) for part in value)
        text_in = getattr(value, "text_in", None)
        return text_in(self.language) if text_in is not None else value


@cache
def speaker(lang: str) -> Translator:
    """What says the interface's sentences in a language; in English where there is no catalogue.

    >>> speaker("")("turn {number}", number=3)
    'turn 3'
    """
    return Translator(lang, _catalogue(lang))


def _catalogue(lang: str) -> Callable[[str], str]:
    if lang in ("", "en"):
        return str  # as it stands
    from gettext import translation  # late: English needs none

    return translation(DOMAIN, FOLDER, [lang], fallback=True).gettext


def message_of(error: BaseException) -> Message:
    """The message of an error, to be said in any language if it was written so."""
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Message) else Message(str(error))


def _in_english(value: object) -> object:
    return ", ".join(str(part) for part in value) if isinstance(value, tuple) else value


def mark(text: str, /, **holes: object) -> Message:
    """Marks a text for the catalogues that is said elsewhere; imported as `_`, which translators' tools look for."""
    return Message(text, **holes)


ENGLISH = speaker("")


def languages() -> tuple[str, ...]:
    """The languages the interface speaks, English first."""
    found = sorted(p.parent.parent.name for p in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return ("en", *(name for name in found if name != "en"))
