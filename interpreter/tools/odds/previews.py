"""One-line previews of options that lead to dice: the chart row used and each side's risk of losses.

Stays quick by giving up: an option with too many positions gets no preview and is left to `odds`. Reports only what
was followed to its end. Works on copies of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault, RuntimeFault, SetupError
from interpreter.tools.odds.readings import find_common_lookups, find_readings, find_tables_read
from interpreter.tools.odds.resolution import NoExactOddsError, Odds, compute_option_odds

if TYPE_CHECKING:
    from interpreter.api.rules import Rules

_MAX_POSITIONS = 400  # positions explored per option
_ENOUGH_HARMLESS = 3  # harmless options after which the other options of that sort are skipped
_MAX_OPTIONS = 12  # options previewed in one list


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview of an option.

    `key`: the key of the option; `where`: (table, look-ups) pairs, from `Previewer._list_lookups`; `to_them` and
    `to_us`: the probability that another side, or the own side, suffers losses: a piece leaves the map, or its number
    or level falls.
    """

    key: str
    where: tuple[tuple[str, tuple[Any, ...]], ...]
    to_them: Fraction
    to_us: Fraction


@dataclass(slots=True)
class Previewer:
    """A source of previews for one ruleset; memoizes which sorts of options cause no losses, and each sort's tables."""

    rules: Rules
    _harmless: dict[tuple[str, str], int] = field(default_factory=dict)
    _tables: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    _cache: dict[tuple[int, int, str], Preview | None] = field(default_factory=dict)

    def preview(self, game: Game, key: str) -> Preview | None:
        """Return the preview of an option by its key, or None if it is missing or would take too long."""
        decision = game.decision
        if decision is None or key == "done":
            return None
        known = (id(game), len(game.keys), key)
        if known not in self._cache:
            self._cache[known] = self._build_preview(
                game, key, (decision.address, "" if decision.is_draft else key.partition("(")[0])
            )
        return self._cache[known]

    def _build_preview(self, game: Game, key: str, sort: tuple[str, str]) -> Preview | None:
        if self._harmless.get(sort, 0) >= _ENOUGH_HARMLESS:
            return None
        try:
            odds = compute_option_odds(self.rules, game, key, most=_MAX_POSITIONS, throws=0, valued=False)
        except (SetupError, RuntimeFault, RuleFault, NoExactOddsError):
            return None
        risks = None if odds.left_out else _compute_loss_probabilities(odds)
        if risks is None or not any(risks):
            self._harmless[sort] = self._harmless.get(sort, 0) + 1
            return None
        self._harmless[sort] = -_MAX_OPTIONS
        return Preview(key, self._list_lookups(game, key, sort), *risks)

    def _list_lookups(self, game: Game, key: str, sort: tuple[str, str]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
        """Return (table, look-ups) pairs for an option; each look-up holds (row or None, shift) for each axis.

        The last table is the table with most rows known before the die is rolled; before it come the tables with an
        odds axis. Return () if no row is known. `key`: the key of the option; `sort`: the key under which the choice of
        tables is memoized: (address of the decision, name of the option or "" for a draft).
        """
        form, charts = self.rules.form("ledger"), self.rules.program.charts
        if sort not in self._tables:
            tables_read = find_tables_read(form, game, key)
            looks_by_table = {
                t: looks
                for t in charts
                if t in tables_read and (looks := find_common_lookups(find_readings(form, game, t, [key])))
            }
            known_axes = {t: _count_known_axes(looks) for t, looks in looks_by_table.items()}
            best = max(known_axes, key=lambda t: known_axes[t], default="")
            ratios = [t for t in looks_by_table if any(axis.sort == "ratio" for axis in charts[t].axes)]
            if not best or not known_axes[best]:
                return ()
            self._tables[sort] = (*(t for t in ratios if t != best), best)
        lookups = ((t, find_common_lookups(find_readings(form, game, t, [key]))) for t in self._tables[sort])
        return tuple((table, looks) for table, looks in lookups if looks)


def _count_known_axes(looks: Iterable[Any]) -> int:
    """Return the largest number of known axes among look-ups that have an unknown axis, or 0.

    `looks`: for each look-up (row or None, shift) of each axis.
    """
    return max(
        (sum(row is not None for row, _ in look) for look in looks if None in [row for row, _ in look]), default=0
    )


def _compute_loss_probabilities(odds: Odds) -> tuple[Fraction, Fraction]:
    """Return the probability that any other side suffers losses, and the probability that the own side does."""
    own = odds.program.handles["side"].get(odds.side or "", -1)
    to_them = to_us = Fraction(0)
    for result in odds.results:
        hurt = {side for side, _name, amount in result.outcome.losses if amount > 0 and side >= 0}
        to_us += result.probability * (own in hurt)
        to_them += result.probability * bool(hurt - {own})
    return to_them, to_us
