"""What messages call the sorts of things in a ruleset, ready to be said in any language; and that one is not there.

Must not know what any of them is.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import Span
from interpreter.words.speech import Sentence, mark as _

NOUNS = (
    _("arm"),
    _("attribute"),
    _("case"),
    _("class"),
    _("column"),
    _("condition"),
    _("decision"),
    _("define"),
    _("die"),
    _("direction"),
    _("draft"),
    _("edge"),
    _("event"),
    _("group"),
    _("kind"),
    _("level"),
    _("option"),
    _("paragraph"),
    _("parameter"),
    _("phase"),
    _("piece"),
    _("place"),
    _("procedure"),
    _("record"),
    _("region"),
    _("roll"),
    _("row"),
    _("rule"),
    _("rung"),
    _("scenario"),
    _("seat"),
    _("side"),
    _("table"),
    _("tally"),
    _("text"),
    _("type"),
    _("value"),
    _("word"),
)
_QUOTED = 80  # characters, as many as the longest name may have
_KNOWN = {str(noun): noun for noun in NOUNS}


def noun(word: str) -> str:
    """The word for a sort of thing; a word that only the ruleset knows stays as it is."""
    return word if isinstance(word, Sentence) else _KNOWN.get(word, word)


def report_none(sink: Sink, code: str, what: str, word: str, span: Span, known: Iterable[str], cure: str = "") -> None:
    """Report that there is no such thing, as `unknown-<code>`, with what is meant or, for no idea, a cure."""
    told = _("there is no {what} `{word}`", what=noun(what), word=shortened(word))
    sink.error(f"unknown-{code}", told, span, help=did_you_mean(word, known) or cure)


def shortened(word: str) -> str:
    """Return a word as messages quote it: the beginning of what is too long to be a name."""
    return word if len(word) <= _QUOTED else f"{word[:_QUOTED]}..."


def article(word: str) -> str:
    """The word with `a` or `an` before it, where it takes one."""
    if word.startswith(("one of", "set of", "list of", "result of", "unknown")):
        return word
    vowel = word[:1] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
    return _("an {word}", word=word) if vowel else _("a {word}", word=word)
