"""`grognard list`: what ships with the program, and the games that are kept."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.output import say, say_json, tell
from interpreter.speech import Say, speaker

if TYPE_CHECKING:
    from interpreter.players.saved_games import SavedGame

HELP = "list the shipped rulesets with their scenarios, variants and options; or your saved games"

_Title = str | dict[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("rulesets", "games"),
        default="rulesets",
        help="rulesets (the default), or games: those that are kept, the last one first",
    )
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    if arguments.what == "games":
        return _list_games(arguments.format, speaker(arguments.lang))
    from interpreter.documents.loading import list_shipped

    shipped = list_shipped()
    lang: str = arguments.lang
    if arguments.format == "json":
        say_json(
            {
                "rulesets": [
                    {
                        "id": s.id,
                        "title": _words(s.title, lang),
                        "folder": s.folder,
                        "scenarios": _named(s.scenarios, lang),
                        "variants": _named(s.variants, lang),
                        "options": _named(s.options, lang),
                    }
                    for s in shipped
                ]
            }
        )
        return GOOD
    if not shipped:
        tell("grognard: no rulesets were found beside the program; name a folder instead")
        return FINDINGS
    for n, ruleset in enumerate(shipped):
        if n:
            say()
        say(f"{ruleset.id}: {_words(ruleset.title, lang)}")
        for what, entries in (
            ("scenarios", ruleset.scenarios),
            ("variants", ruleset.variants),
            ("options", ruleset.options),
        ):
            _say_entries(what, entries, lang)
        if ruleset.variants:
            say(f"  (a variant is named by its file, in {ruleset.folder}/variants)")
    return GOOD


def _say_entries(what: str, entries: dict[str, _Title], lang: str) -> None:
    if not entries:
        return
    say(f"  {what}:")
    width = max(len(i) for i in entries)
    for entry, title in entries.items():
        say(f"    {entry.ljust(width)}  {_words(title, lang)}")


def _named(entries: dict[str, _Title], lang: str) -> list[dict[str, str]]:
    return [{"id": i, "title": _words(t, lang)} for i, t in entries.items()]


def _words(title: _Title, lang: str) -> str:
    if isinstance(title, str):
        return title
    return title.get(lang) or next(iter(title.values()), "")


def _list_games(form: str, _: Say) -> int:
    from interpreter.players.plain.storage import games_folder
    from interpreter.players.saved_games import saved_games

    games = saved_games()
    if form == "json":
        say_json({"folder": str(games_folder() or ""), "games": [_game_data(game) for game in games]})
        return GOOD
    if not games:
        say(_("no games are kept yet; grognard play RULESET begins one"))
    for game in games:
        say(f"{game.name}: {game.problem or _standing(game, _)}")
        if not game.problem:
            seats = ", ".join(f"{seat} {player}" for seat, player in game.seats.items())
            players = seats or _("nobody was named")
            told = _("last move {date}; {number} decisions; {players}", date=_date(game.moved), number=game.decisions,
                     players=players)
            say(f"  {told}")
    if any(not game.over and not game.problem for game in games):
        say(_("go on with one by: grognard play --resume NAME"))
    return GOOD


def _standing(game: SavedGame, _: Say) -> str:
    """ "tiny, usual: turn 3, fire; reds to move (red_seat)"."""
    what = ", ".join(x for x in (game.ruleset, game.scenario, *game.options) if x)
    if game.over:
        winner = game.outcome.get("winner")
        names = winner if isinstance(winner, list) else [winner]
        won = _("drawn") if winner in (None, "draw") else _("won by {winner}",
                                                            winner=_(" and ").join(str(name) for name in names))
        return _("{game}: over, {result}", game=what, result=won)
    where = _("turn {number}", number=game.turn) + (f", {game.phase.replace('_', ' ')}" if game.phase else "")
    next_one = _("{side} to move ({seat})", side=game.side, seat=game.seat) if game.side else _(
        "cut off after a choice")
    return f"{what}: {where}; {next_one}"


def _game_data(game: SavedGame) -> dict[str, Any]:
    if game.problem:
        return {"name": game.name, "file": str(game.path), "moved": _date(game.moved), "problem": game.problem}
    return {
        "name": game.name,
        "file": str(game.path),
        "moved": _date(game.moved),
        "ruleset": game.ruleset,
        "scenario": game.scenario,
        "options": list(game.options),
        "turn": game.turn,
        "phase": game.phase,
        "to_move": {"side": game.side, "seat": game.seat} if game.side else None,
        "over": game.over,
        "outcome": dict(game.outcome) if game.over else None,
        "decisions": game.decisions,
        "dice": "typed" if game.typed_dice else "seed",
        "seats": dict(game.seats),
        "problem": None,
    }


def _date(moved: float) -> str:
    """Day and minute, in local time."""
    try:
        return datetime.fromtimestamp(moved).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "unknown"
