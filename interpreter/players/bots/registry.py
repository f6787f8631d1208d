"""The kinds of players by name, and the bots of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import Message, get_error_message, mark as _
from interpreter.play.bot import Bot
from interpreter.players.bots.bot_game import BotGame
from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.search.mcts_player import MctsPlayer, SearchBudget
from interpreter.runtime.dice import SeededDice

HUMAN = "human"
BOTS = ("random", "greedy", "search")
SEARCH = "search"

_PERSON = b"grognard bots 1"
_BYTES_PER_DECISION = 64  # far more of a bot's stream than one choice takes
_MAX_PLAYOUTS = 1_000_000
_MAX_SECONDS = 3600.0
_PLAYOUTS_UNASKED = 1_000  # limit for a received file
_SECONDS_UNASKED = 10.0
_BUDGETS = _("search:200 means at most 200 playouts per decision, search:2s at most two seconds")


def make_bots(seats: Mapping[str, str], seed: int, decisions: int = 0) -> dict[str, Bot]:
    """Return the bots of a game with this seed, by seat.

    `seats`: the player of each seat, such as "human" or "search:50". `decisions`: the number of decisions already
    taken, so that a resumed game does not repeat its first choices. Seats that choose at random share one random
    stream, so that a game is the same in every command; every other bot has its own.
    """
    chance = RandomPlayer(_derive_bot_seed(seed), decisions * _BYTES_PER_DECISION)
    bots: dict[str, Bot] = {}
    for seat, player in seats.items():
        if player == "random":
            bots[seat] = chance
        elif player == "greedy":
            bots[seat] = GreedyPlayer(seat, _derive_bot_seed(seed, seat, decisions))
        elif is_bot(player):
            bots[seat] = MctsPlayer(seat, _derive_bot_seed(seed, seat, decisions), parse_budget(player))
    return bots


def is_bot(player: str) -> bool:
    """Return True if a player is a bot, with or without a search budget."""
    return not check_player_name(player, BOTS)


def is_timed(player: str) -> bool:
    """Return True if a bot searches for a number of seconds, so that its choices are not reproducible."""
    return is_bot(player) and player.partition(":")[0] == SEARCH and parse_budget(player).seconds > 0


def limit_budget(player: str) -> str:
    """Limit the search budget of a bot that was requested by a file.

    >>> [limit_budget(player) for player in ("search:50", "search:1000000", "search:3600s")]
    ['search:50', 'search:1000', 'search:10s']
    """
    if player.partition(":")[0] != SEARCH:
        return player
    budget = parse_budget(player)
    if budget.seconds > _SECONDS_UNASKED:
        return f"{SEARCH}:{_SECONDS_UNASKED:.0f}s"
    return f"{SEARCH}:{_PLAYOUTS_UNASKED}" if budget.playouts > _PLAYOUTS_UNASKED else player


def check_player_name(player: str, players: Sequence[str]) -> Message:
    """Return a message if the name of a player, such as "search:50", is invalid, or '' if it is valid.

    `players`: the names allowed before the colon.
    """
    name, parted, budget = player.partition(":")
    if name not in players:
        hint = suggest_words(name, players)
        budgets = _(" ({budgets})", budgets=_BUDGETS) if SEARCH in players else Message("")
        return _("unknown player `{name}`{hint}{budgets}", name=name, hint=hint, budgets=budgets)
    if not parted:
        return Message("")
    if name != SEARCH:
        return _("`{name}` has no budget; write only {name}", name=name)
    try:
        read_budget(budget)
    except ValueError as fault:
        return get_error_message(fault)
    return Message("")


def parse_budget(player: str) -> SearchBudget:
    """Return the search budget of a player, such as "search:2s". Raise `ValueError` if it is invalid."""
    _name, parted, budget = player.partition(":")
    return read_budget(budget) if parted else SearchBudget()


def read_budget(text: str) -> SearchBudget:
    """Parse a budget such as "200" (playouts) or "2s", "0.5s" (seconds).

    Raises `ValueError` with a message otherwise.
    """
    if text.endswith("s"):
        number = text[:-1]
        if number.isascii() and number.replace(".", "", 1).isdigit() and 0 < float(number) <= _MAX_SECONDS:
            return SearchBudget(seconds=float(number))
        raise ValueError(
            _(
                "`{text}` is not a valid thinking time: expected more than 0 and at most {most:.0f} seconds; {budgets}",
                text=quote_typed(text),
                most=_MAX_SECONDS,
                budgets=_BUDGETS,
            )
        )
    if text.isascii() and text.isdigit() and len(text) < 12 and 0 < int(text) <= _MAX_PLAYOUTS:
        return SearchBudget(playouts=int(text))
    raise ValueError(
        _(
            "`{text}` is not a valid number of playouts: expected 1 to {most}; {budgets}",
            text=quote_typed(text),
            most=_MAX_PLAYOUTS,
            budgets=_BUDGETS,
        )
    )


def _derive_bot_seed(seed: int, *distinguishing_parts: str | int) -> int:
    """Return the seed of a bot's random numbers, which differ from the game's dice and from those of other bots.

    `distinguishing_parts`: a value that distinguishes this bot from the other bots of the game.
    """
    words = "".join(f" {len(str(part))} {part}" for part in distinguishing_parts)
    digest = blake2b((str(seed) + words).encode("utf-8"), digest_size=8, person=_PERSON).digest()
    return int.from_bytes(digest, "little")


class RandomPlayer:
    """A bot that chooses options at random; equal seeds give equal choices.

    `used`: the number of bytes of the random stream to skip.
    """

    plays_native = True

    def __init__(self, seed: int, used: int = 0) -> None:
        self._dice = SeededDice(seed, used)

    @property
    def stream(self) -> tuple[int, int]:
        """Return the seed of the bot's random stream and the number of bytes used; both determine its next choices."""
        return self._dice.seed, self._dice.counter

    def choose(self, game: BotGame) -> int:
        """Return a number from 0 to `game.count()` - 1."""
        return self._dice.roll(game.count())
