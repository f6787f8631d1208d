"""Measures of a game, derived from the ruleset: winner, level, scores, length, losses; their names and formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.players.ownership import find_side_of_thing
from interpreter.players.reports.losses import compute_strengths, list_lasting_numbers
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.simulation.games import GameResult

Row = dict[str, float]  # values by name of the measure, without those that a game does not have

WINS, DRAWS, LEVELS, SCORES, LEAD = "wins", "draws", "level", "score", "lead"
TURNS, DECISIONS, LOSSES, UNFINISHED = "turns", "decisions", "losses", "unfinished"
SHARES = (WINS, DRAWS, LEVELS, UNFINISHED)  # measures from 0 to 1


def is_share(measure: str) -> bool:
    """Return True if a measure lies between 0 and 1 in each game, so that its mean is a share of the games."""
    return measure.partition(".")[0] in SHARES


class Measurer:
    """Observer that records the scores and losses of one game; it counts the pieces at the start of each turn."""

    looks_by_turn = True

    def __init__(self, _rules: Rules, game: Game) -> None:
        self._program: Program = game.program
        self._initial_values: dict[int, tuple[str, tuple[float, ...]]] = {}
        self._turn = -1
        self._numbers = list_lasting_numbers(game.program)

    def before_choice(self, game: Game, _number: int) -> None:
        """Count the pieces if the choice about to be made is the first one of a turn."""
        if game.state.turn != self._turn:
            self._turn = game.state.turn
            self._record_initial_values(game.state)

    def get_record(self, game: Game) -> dict[str, Any]:
        """Return the scores by seat, and by side the lost pieces and the sums of their numeric attributes."""
        outcome = game.outcome
        scores = {seat: float(score) for seat, score in game.scores().items() if isinstance(score, int | float)}
        level = "" if outcome is None else outcome.level or ""
        return {"level": level, "scores": scores, "losses": self._compute_losses(game.state)}

    def _record_initial_values(self, state: State) -> None:
        """Record the side and the numbers of each piece that is on the map for the first time."""
        on_map, values = self._program.on_map, self._initial_values
        for piece, place in enumerate(state.at):
            if piece not in values and on_map[place]:
                side = find_side_of_thing(state, "piece", piece)
                values[piece] = side, tuple(_read_number(state, slot, piece) for _, slot in self._numbers)

    def _compute_losses(self, state: State) -> dict[str, float]:
        """Return by side the pieces lost, and by side and attribute the losses of each permanent number."""
        self._record_initial_values(state)
        losses = dict.fromkeys(compute_strengths(state), 0.0)
        losses |= {f"{side}.{name}": 0.0 for side in compute_strengths(state) for name, _ in self._numbers}
        for piece, (side, numbers) in self._initial_values.items():
            if side not in losses:
                continue
            is_there = self._program.on_map[state.at[piece]]
            losses[side] += not is_there
            for (name, slot), number in zip(self._numbers, numbers, strict=True):
                losses[f"{side}.{name}"] += number - (_read_number(state, slot, piece) if is_there else 0.0)
        return losses


def _read_number(state: State, slot: str, piece: int) -> float:
    value = getattr(state, slot)[piece]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def build_row(played: GameResult, seats: tuple[str, ...], levels: tuple[str, ...]) -> Row:
    """Return the measures of one game by name. A game that was cut off contributes only its length.

    `levels`: the ids of all victory levels.
    """
    row: Row = {UNFINISHED: float(not played.outcome), DECISIONS: float(played.decisions), TURNS: float(played.turn)}
    if not played.outcome:
        return row
    for seat in seats:
        row[f"{WINS}.{seat}"] = 0.5 if not played.winners else float(seat in played.winners)
    row[DRAWS] = float(not played.winners)
    for level in levels:
        row[f"{LEVELS}.{level}"] = float(played.observations.get("level") == level)
    scores: Mapping[str, float] = played.observations.get("scores", {})
    for seat, score in scores.items():
        row[f"{SCORES}.{seat}"] = score
    if len(scores) == 2:
        first, other = scores.values()
        row[LEAD] = first - other
    for side, lost in played.observations.get("losses", {}).items():
        row[f"{LOSSES}.{side}"] = lost
    return row


def list_levels(program: Program) -> tuple[str, ...]:
    """Return the ids of the victory levels of a ruleset."""
    return tuple(str(level["id"]) for level in program.level_data)


_ORDER = (WINS, DRAWS, LEVELS, LEAD, SCORES, TURNS, DECISIONS, LOSSES, UNFINISHED)


def get_measure_order(name: str) -> int:
    """Return the sort key of a measure for display: the winner comes first."""
    return _ORDER.index(name.partition(".")[0])


def format_measure_name(name: str, localizer: Localizer) -> str:
    """Return the name of a measure for readers."""
    sort, _, owner = name.partition(".")
    say = localizer.say
    if sort == WINS:
        return say("won by {seat}", seat=localizer.get_thing_name("seat", owner))
    if sort == LEVELS:
        return say("ended as {level}", level=localizer.format_level(owner))
    if sort == SCORES:
        return say("score of {seat}", seat=localizer.get_thing_name("seat", owner))
    if sort == LEAD:
        return say(
            "lead in score of {seat}",
            seat=localizer.get_thing_name("seat", next(iter(localizer.program.ids["seat"]), "")),
        )
    if sort == LOSSES:
        return _format_losses_name(owner, localizer)
    names = {
        DRAWS: say("drawn games"),
        TURNS: say("turns"),
        DECISIONS: say("decisions in a game"),
        UNFINISHED: say("games cut off"),
    }
    return names.get(sort, name)


def _format_losses_name(owner: str, localizer: Localizer) -> str:
    """Return the name of a measure of losses for readers; `owner`: a side, or a side and an attribute of pieces."""
    side, parted, attribute = owner.partition(".")
    if not parted:
        return localizer.say("pieces lost by {side}", side=localizer.get_thing_name("side", side))
    name = localizer.translate_attribute({"name": attribute, **localizer.get_kind("piece")["attributes"][attribute]})
    return localizer.say("{attribute} lost by {side}", attribute=name, side=localizer.get_thing_name("side", side))


def format_measure(name: str, value: float | None, signed: bool = False) -> str:
    """Format the value of the measure `name`: shares in percent, a missing value as a dash.

    `signed`: with + or -.
    """
    if value is None:
        return "-"
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.1f}%" if is_share(name) else f"{value:{sign}.2f}"
