"""Games for the board to serve: a new one of a ruleset, or a saved one taken up again.

Must not serve them, nor read a command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from interpreter.facade.keeping import Keeper
from interpreter.facade.resuming import remember, replay_of, rules_of
from interpreter.facade.rules import Rules
from interpreter.faces.board.served_game import ServedGame
from interpreter.players.belonging import seats_of, side_seats
from interpreter.players.bots.roster import HUMAN, is_bot, make_bots, within_bounds
from interpreter.saves.holding import Hold, held
from interpreter.saves.journal import JournalError, read_journal
from interpreter.saves.storage import decisions_in, fresh_seed, game_name, own_journal
from interpreter.words.speech import Say, Sentence, mark as _


def new_game(
    rules: Rules,
    say: Say,
    players: Mapping[str, str],
    scenario: str | None = None,
    options: Sequence[str] = (),
    seed: int | None = None,
) -> ServedGame:
    """A new game, kept among the user's own; `players`: by seat, a person where nothing is said."""
    game = rules.start(scenario=scenario, options=options, seed=fresh_seed() if seed is None else seed)
    chosen = {seat: players.get(seat) or HUMAN for seat in seats_of(game)}
    path = own_journal(rules.id)
    keeper = Keeper(path, chosen, lambda text: None, say=say, goes_on_elsewhere=True)
    if path is None:
        keeper.trouble = _("nothing that is played is being saved: no folder for saved games can be made")
    try:
        keeper.begin(game)
    except (JournalError, OSError) as problem:
        keeper.lose(problem, game)
    remember(rules)
    name = rules.id if path is None else game_name(path)
    return ServedGame(name, rules, game, keeper, chosen, make_bots(chosen, game.seed or 0))


Players = Callable[[Sequence[str], dict[str, str]], Mapping[str, str]]


def as_before(seats: Sequence[str], seat_of_side: dict[str, str]) -> Mapping[str, str]:
    """Whoever played each seat goes on with it."""
    return {}


def resumed_game(path: Path, say: Say, players: Players = as_before) -> ServedGame:
    """A saved game, taken up where it stands; one that another program plays can only be looked at.

    `players`: from the seats, and the seats of sides, makes by seat who is to play it now, where that is not as before.
    JournalError says why it cannot be.
    """
    with held(path) as found:
        return _replayed(path, say, players, found)


def _replayed(path: Path, say: Say, players: Players, found: Hold | Sentence) -> ServedGame:
    journal = read_journal(path)
    rules = rules_of(journal.header, path)
    replay = replay_of(journal, rules, path)
    game = replay.finish_exactly(path)
    chosen, named = {}, players(seats_of(game), side_seats(game))
    for seat in seats_of(game):
        before = journal.header.seats.get(seat, HUMAN)
        chosen[seat] = named.get(seat) or (within_bounds(before) if is_bot(before) else HUMAN)
    keeper = Keeper(path, chosen, lambda text: None, say=say, goes_on_elsewhere=True)
    if isinstance(found, Hold):
        keeper.hold = found
    if journal.header.seed is None and not game.over:  # no dice can be typed on the board
        keeper.looking = _("its dice are rolled at a table: go on with it at the prompt")
    elif not isinstance(found, Hold):
        keeper.looking = found
    if not game.over or not replay.is_whole:
        keeper.begin(game, journal)
    bots = make_bots(chosen, game.seed or 0, decisions_in(journal))
    served = ServedGame(game_name(path), rules, game, keeper, chosen, bots)
    if replay.unproved:
        served.notices.append(say(replay.unproved))
    return served
