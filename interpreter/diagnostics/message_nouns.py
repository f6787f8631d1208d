"""Translatable nouns for the categories of items in a ruleset, and the report of an unknown name."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import Message, mark as _

NOUNS = (
    _("arm"), _("attribute"), _("case"), _("class"), _("column"), _("condition"), _("decision"), _("define"),
    _("die"), _("direction"), _("draft"), _("edge"), _("event"), _("group"), _("kind"), _("level"), _("option"),
    _("paragraph"), _("parameter"), _("phase"), _("piece"), _("place"), _("procedure"), _("record"), _("region"),
    _("roll"), _("row"), _("rule"), _("rung"), _("scenario"), _("seat"), _("side"), _("table"), _("tally"), _("text"),
    _("type"), _("value"), _("word"),
)  # fmt: skip
_QUOTED = 80  # characters, as many as the longest name may have
_KNOWN = {str(noun): noun for noun in NOUNS}


def get_noun(word: str) -> str:
    """Return the translatable noun for a category, or the word itself for a category that the ruleset defines."""
    return word if isinstance(word, Message) else _KNOWN.get(word, word)


def report_unknown_name(
    sink: Sink,
    code: str,
    kind: str,
    word: str,
    span: Span,
    candidates: Iterable[str],
    cure: str = "",
    known: Iterable[str] | None = None,
    message: str = "",
) -> None:
    """Report an unknown item as `unknown-<code>`, with the closest known words or else `cure` as help.

    `word`: the item as written; `kind`: the noun for it in the message; `candidates`: the known words that are
    suggested; `known`: all known words, if they are more; `message`: a more specific one than "unknown KIND".
    """
    message = message or _("unknown {what} `{word}`", what=get_noun(kind), word=shorten_word(word))
    advice = did_you_mean(word, candidates) or cure
    sink.add_error(f"unknown-{code}", message, span, help=advice, known=candidates if known is None else known)


def shorten_word(word: str) -> str:
    """Return a word for quotation in a message; only its beginning if it is too long to be a name."""
    return word if len(word) <= _QUOTED else f"{word[:_QUOTED]}..."


def add_article(word: str) -> str:
    """Return the noun with `a` or `an`; unchanged if it takes no article, such as "set of pieces"."""
    if word.startswith(("one of", "set of", "list of", "result of", "unknown")):
        return word
    vowel = word[:1] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
    return _("an {word}", word=word) if vowel else _("a {word}", word=word)
