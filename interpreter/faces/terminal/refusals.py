"""Sentences that the runtime refuses something with, marked for the catalogues: they are said where they are shown.

Must not hold what the runtime puts into a language itself.
"""

from __future__ import annotations

from interpreter.words.speech import mark as _

REFUSALS = (
    _("there is nothing to take back"),
    _("there is nothing to make again"),
    _("this game keeps no record, so nothing can be taken back"),
    _("this game keeps no record, so it cannot be saved"),
    _("nothing is being decided now"),
    _("the game is over"),
    _("no choice has been made that is still on record"),
    _("the choice does not lead to the same position when it is made again"),
)
