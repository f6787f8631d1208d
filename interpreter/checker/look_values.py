"""Whether a word that the drawing gives a look is a value of the type it hangs on.

Must not type expressions, nor know looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from interpreter.checker.scope import Names
from interpreter.documents.values.typed_values import HAVE_CODES
from interpreter.model import types as t
from interpreter.source.nouns import report_none
from interpreter.source.text import Span
from interpreter.words.numbers import plain_text
from interpreter.words.speech import mark as _

_NUMBER = re.compile("-?[0-9]{1,9}(/[1-9][0-9]{0,8})?", re.ASCII)


def check_value(names: Names, word: str, type: t.Type, span: Span) -> None:
    """Report a word that is no value of the type: `unknown-...` for names, `wrong-type` for others."""
    match type:
        case t.OneOf(values=values):
            _known(names, "word", "word", word, values, span)
        case t.Rung(ladder=ladder):
            what = _("rung of `{ladder}`", ladder=ladder)
            _known(names, "rung", what, word, names.ruleset.ladders[ladder].rungs, span)
        case t.Direction():
            grid = names.ruleset.grid
            _known(names, "direction", "direction", word, grid.directions if grid else (), span)
        case t.ThingOf(kind="level"):
            _known(names, "level", "level", word, (level.id for level in names.ruleset.victory.levels), span)
        case t.ThingOf(kind=kind, cls=cls):
            things = names.ruleset.kinds[kind].things
            _known(names, kind, kind, word, (x.id for x in things if cls in (None, x.cls)), span)
        case t.Flag() if word not in ("true", "false"):
            _wrong(names, word, span, _("`true` or `false`"))
        case t.Int() if not _is_number(word) or "/" in word:
            _wrong(names, word, span, _("a whole number"))
        case t.Number() if not _is_number(word):
            _wrong(names, word, span, _("a number"), _('write a whole number or a fraction like "7/2"'))


def _is_number(word: str) -> bool:
    """True for a number as it is compared: 3, -1 or 7/2, in lowest terms."""
    return _NUMBER.fullmatch(word) is not None and plain_text(Fraction(word)) == word


def _wrong(names: Names, word: str, span: Span, wanted: str, help: str = "") -> None:
    told = _("found {found}, expected {words}", found=f"`{word}`", words=wanted)
    names.sink.error("wrong-type", told, span, help=help)


def _known(names: Names, kind: str, what: str, word: str, known: Iterable[str], span: Span) -> None:
    listed = [*known]
    if word not in listed:
        cure = _("look at its spelling, or add it")
        report_none(names.sink, kind if kind in HAVE_CODES else "thing", what, word, span, listed, cure)
