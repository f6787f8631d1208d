"""Translation of the interface with gettext message catalogues.

A catalogue is in `locale/LANGUAGE/LC_MESSAGES`; the English text is its own key, and untranslated texts stay English.
The texts of rulesets are not covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from interpreter.i18n.plural_forms import fill

FOLDER = Path(__file__).resolve().parents[1] / "locale"
DOMAIN = "grognard"
_MAX_PREFERENCES = 20  # entries of an Accept-Language header that are read; the rest is ignored


class Message(str):
    """A sentence to be translated later into the reader's language; as a string it is English.

    >>> late = mark("turn {number}", number=3)
    >>> late, ENGLISH(late)
    ('turn 3', 'turn 3')
    """

    __slots__ = ("key", "holes")
    key: str
    holes: dict[str, object]

    def __new__(cls, key: str, /, **holes: object) -> Message:
        """Create a message from the English sentence `key`; `holes` fill its placeholders, the names in braces.

        A placeholder takes any value that `Translator.translate` accepts.
        """
        self = super().__new__(
            cls, fill(key, {name: _join_english(value) for name, value in holes.items()}) if holes else key
        )
        self.key = key
        self.holes = holes
        return self


class LocalizedError(Exception):
    """An error whose message is translated into the reader's language; as a string it is English.

    The message extractor finds the sentences by the names of the subclasses.
    """

    def __init__(self, sentence: str, /, **holes: object) -> None:
        """Create the error from a `Message`, or from the arguments of one."""
        self.message = sentence if isinstance(sentence, Message) else Message(sentence, **holes)
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Translator:
    """A translator of interface messages into one language; call it with an English sentence or a `Message`.

    `language`: the code of the language, such as "ja". `look_up` returns the translation of an English sentence, or the
    sentence itself. `names` maps ids of a ruleset's documents to words; an id without a name is shown unchanged.
    (`runtime.localizer.Localizer` has the names of a compiled ruleset.)
    """

    language: str
    look_up: Callable[[str], str]
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, text: str, /, **values: object) -> str:
        """Translate an English sentence or a `Message`; `values` fill its placeholders, the names in braces."""
        key, holes = (text.key, text.holes or values) if isinstance(text, Message) else (text, values)
        translated = self.look_up(key) if key else ""  # gettext maps the empty key to the catalogue's header
        return fill(translated, {name: self.translate(value) for name, value in holes.items()}) if holes else translated

    def translate(self, value: object) -> object:
        """Translate a `Message`, an error that carries one, or an object with a method `text_in`.

        The items of a tuple are translated and joined; any other value is returned as is.
        """
        match value:
            case Message():
                return self(value)
            case BaseException(args=(Message() as message, *_)):
                return self(message)
            case tuple():
                return self(", ").join(str(self.translate(part)) for part in value)
        text_in = getattr(value, "text_in", None)
        return text_in(self.language) if text_in is not None else value

    def translate_name(self, identifier: str, *sorts: str) -> str:
        """Return the name of an id, or the id itself if it has none.

        `sorts`: the kinds of names to try first, in this order: "axis", "word", "text".
        """
        for sort in sorts:
            if name := self.names.get(f"{sort}.{identifier}"):
                return name
        return self.names.get(identifier, identifier)

    def format_value(self, value: object) -> str:
        """Format plain data in words: an id by its name, a flag as yes or no, a missing value as "-"."""
        match value:
            case None | "" | []:
                return "-"
            case bool():
                return self("yes") if value else self("no")
            case dict():
                return self.join_list(f"{self.translate_name(k)} {self.format_value(v)}" for k, v in value.items())
            case list():
                return self.join_list(self.format_value(v) for v in value)
            case str():
                return self.translate_name(value, "word", "text")
        from interpreter.i18n.number_format import (
            format_number,  # lazy: loads fractions, which most commands never need
        )

        return format_number(value)

    def join_list(self, parts: Iterable[str]) -> str:
        """Join parts with the list separator of the language."""
        return self(", ").join(parts)


def format_number_range(first: int, last: int, say: Translator) -> str:
    """Render the numbers from `first` to `last` that may be typed: "1", "1 or 2", or "a number from 1 to 5"."""
    if last - first > 1:
        return say("a number from {first} to {last}", first=first, last=last)
    return say(" or ").join(str(number) for number in range(first, last + 1))


@cache
def get_translator(lang: str) -> Translator:
    """Return the translator into a language; English if it has no catalogue.

    >>> get_translator("")("turn {number}", number=3)
    'turn 3'
    """
    return Translator(lang, _load_catalogue(lang))


def _load_catalogue(lang: str) -> Callable[[str], str]:
    if lang in ("", "en"):
        return str  # identity
    from gettext import translation  # lazy: not needed for English

    return translation(DOMAIN, FOLDER, [lang], fallback=True).gettext


def get_error_message(error: BaseException) -> Message:
    """Return the message of an error; it is translatable if the error was raised with a `Message`."""
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Message) else Message(str(error))


def _join_english(value: object) -> object:
    return ", ".join(str(part) for part in value) if isinstance(value, tuple) else value


def mark(text: str, /, **holes: object) -> Message:
    """Mark a text for the message extractor; it is translated later.

    Imported as `_`, the name that the extractor looks for.
    """
    return Message(text, **holes)


ENGLISH = get_translator("")


def list_languages() -> tuple[str, ...]:
    """Return the available languages of the interface, English first."""
    names = sorted(p.parent.parent.name for p in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return ("en", *(name for name in names if name != "en"))


def negotiate_language(header: str, languages: Sequence[str]) -> str:
    """Return the language that an Accept-Language header prefers among `languages`, or '' if it accepts none of them.

    Of equal preferences the first wins. A tag with a region counts as its language; `*` matches no language.

    >>> negotiate_language("fr, ja-JP;q=0.8, en;q=0.5", ("en", "ja"))
    'ja'
    >>> negotiate_language("de", ("en", "ja"))
    ''
    """
    best, weight = "", 0.0
    for part in header.split(",")[:_MAX_PREFERENCES]:
        tag, _semicolon, more = part.strip().partition(";")
        language = tag.strip().partition("-")[0].casefold()
        candidate = _parse_weight(more)
        if language in languages and candidate > weight:
            best, weight = language, candidate
    return best


def _parse_weight(parameter: str) -> float:
    """Return the weight in a parameter such as `q=0.8`, from 0 to 1; 1 without a parameter, 0 if it is not a number."""
    name, _equals, value = parameter.strip().partition("=")
    try:
        return min(max(float(value), 0.0), 1.0) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
