"""Participants: parse rulesets, scenarios, options and bots for all seats from the words of a command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from interpreter.cli.arguments import parse_seat_players
from interpreter.cli.errors import UsageError

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.simulation.games import BatchSpec, BotFactory


def load_batch(
    target: str,
    bots: str,
    scenario: str | None,
    options: Sequence[str],
    seed: int,
    max_decisions: int,
    option: str = "--bots",
    allows_overrides: bool = True,
) -> tuple[Rules, BatchSpec]:
    """Load a target and return its rules and batch settings; a trial start reports missing names immediately.

    `bots`: the bots as for `parse_bots`; `max_decisions`: the maximum number of decisions of a game; `option`: the
    option that error messages name. With `allows_overrides` a bot may use the evaluation of another ruleset:
    "greedy@FOLDER".
    """
    from interpreter.api.loading import load
    from interpreter.players.ownership import list_seats, map_sides_to_seats
    from interpreter.simulation.games import BatchSpec
    from interpreter.simulation.work_units import cache_rules

    rules = load(target)
    trial_game = rules.start(scenario=scenario, options=options, seed=seed, record=False)
    seats = parse_bots(bots, list_seats(trial_game), map_sides_to_seats(trial_game), option, allows_overrides)
    factory = make_bot_factory(seats.values(), rules)
    content = rules.program.content_hash
    plan = BatchSpec(target, seats, factory, seed, scenario, tuple(options), max_decisions, content=content)
    cache_rules(plan, rules)
    return rules, plan


def make_bot_factory(players: Iterable[str], rules: Rules) -> BotFactory:
    """Return the function that creates the bots of a game.

    `players`: the bots that take part. Raises SetupError for an evaluation of another ruleset that does not fit the
    rules.
    """
    from interpreter.experiments.evaluation_override import EvaluationOverrides, check_evaluation_ruleset, parse_player
    from interpreter.players.bots.registry import make_bots

    paths = sorted({parse_player(player)[1] for player in players} - {""})
    return (
        EvaluationOverrides(tuple((path, check_evaluation_ruleset(path, rules.program)) for path in paths))
        if paths
        else make_bots
    )


def parse_bots(
    bots: str,
    seats: Sequence[str],
    seat_of_side: dict[str, str],
    option: str = "--bots",
    allows_overrides: bool = False,
) -> dict[str, str]:
    """Return the bot of each seat, parsed from "greedy" or "reds=greedy,blues=search:50".

    A lone bot plays all seats; seats without an entry play at random. `option`: the option that error messages name;
    `allows_overrides`: a bot may use the evaluation of another ruleset. Raises UsageError for any other text.
    """
    from interpreter.experiments.evaluation_override import AT
    from interpreter.players.bots.registry import BOTS, check_player_name, is_timed

    if AT in bots and not allows_overrides:
        raise UsageError(
            "{where} {word}: bots that use another ruleset (BOT@RULESET) can only play in `compare` and `rank`",
            where=option,
            word=bots,
        )
    words = [word.strip() for word in bots.split(",")]
    if len(words) > 1 or "=" in bots:
        bots_by_seat = parse_seat_players(words, seats, seat_of_side, BOTS, BOTS[0], option, _strip_evaluation)
    elif fault := check_player_name(_strip_evaluation(bots), BOTS):
        raise UsageError("{where} {word}: {fault}", where=option, word=bots, fault=fault)
    else:
        bots_by_seat = dict.fromkeys(seats, bots)
    for player in bots_by_seat.values():
        if is_timed(_strip_evaluation(player)):
            raise UsageError(
                "{where}: `{player}` thinks for a fixed time, so its games cannot be reproduced; give "
                "playouts, such as search:50",
                where=option,
                player=player,
            )
    return bots_by_seat


def _strip_evaluation(player: str) -> str:
    """Return the name of a bot without the ruleset after "@" that gives its evaluation.

    A trailing "@" is kept so that it is reported as an unknown player.
    """
    from interpreter.experiments.evaluation_override import parse_player

    bot, where = parse_player(player)
    return bot if where else player
