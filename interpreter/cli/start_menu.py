"""Menu of `grognard` without a command: learn, play, continue, and what else there is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from interpreter.cli.errors import GOOD
from interpreter.cli.output import print_line
from interpreter.cli.parser import wrap_cells
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.installing import get_install_command
from interpreter.i18n.translator import Translator, format_number_range, get_translator

if TYPE_CHECKING:
    from interpreter.api.rules import Rules

_STOP = ("q", "quit", "exit")
_MAX_TRIES = 3
_MAX_LINES = 10  # of one entry in a very narrow terminal


@dataclass(frozen=True, slots=True)
class StartMenuEntry:
    """An entry of the menu: its text, and the command it runs, without the word `grognard`."""

    text: str
    command: tuple[str, ...]


def run_menu(lang: str, run: Callable[[Sequence[str]], int]) -> int:
    """Show the menu. On a terminal, ask for a number and run the command; otherwise list the commands.

    `run` runs a command line and returns its exit code, which is returned; or GOOD if no command is run.
    """
    say = get_translator(lang)
    entries = list_menu_entries(lang)
    is_asked = sys.stdin is not None and sys.stdin.isatty()
    print_line(say("Grognard: board wargames that know their own rules"))
    print_line()
    print_line(say("What do you want to do?") if is_asked else say("Start with one of these commands:"))
    for number, entry in enumerate(entries, 1):
        if is_asked:
            _print_indented(f"  {number}  ", entry.text)
        else:
            print_line(f"  {' '.join(('grognard', *_complete_command(entry.command)))}")
            print_line(f"      {entry.text}")
    for line in list_missing_extras(say):
        print_line(line)
    if not is_asked:
        return GOOD
    chosen = _ask_for_entry(entries, say)
    return GOOD if chosen is None else run([*(("--lang", lang) if lang else ()), *_complete_command(chosen.command)])


def list_menu_entries(lang: str) -> list[StartMenuEntry]:
    """Return the entries: lessons, games, the last saved game, the board, the help."""
    from interpreter.tools.lessons.lesson_list import list_lessons

    say = get_translator(lang)
    entries = []
    for lesson in list_lessons(lang):
        length = say(
            "{number} (step|steps), about {minutes} (minute|minutes)", number=lesson.steps, minutes=lesson.minutes
        )
        entries.append(
            StartMenuEntry(
                say("Learn {game}: a guided first turn ({length})", game=lesson.game, length=length),
                ("learn", lesson.ruleset),
            )
        )
    taught = [entry.command[1] for entry in entries]
    titles = _list_titles(lang)
    for ruleset in sorted(titles, key=lambda id: (*taught, id).index(id)):
        entries.append(StartMenuEntry(say("Play {game} against the computer", game=titles[ruleset]), ("play", ruleset)))
    if last_game := _find_last_game():
        entries.append(
            StartMenuEntry(say("Continue your last game: {name}", name=last_game), ("play", "--resume", last_game))
        )
    if _has_board():
        entries.append(StartMenuEntry(say("Play on a board in the browser"), ("serve", "--open")))
    entries.append(StartMenuEntry(say("See all commands"), ("--help",)))
    return entries


def _ask_for_entry(entries: Sequence[StartMenuEntry], say: Translator) -> StartMenuEntry | None:
    """Return the entry that the user chooses; the first one for an empty line, None to leave the menu."""
    for _try in range(_MAX_TRIES):
        try:
            typed = input(say("Type a number (Enter: 1, q: stop): ")).strip().casefold()
        except EOFError:
            print_line()
            return None
        if typed in _STOP:
            return None
        if not typed:
            _print_indented("  1  ", entries[0].text)
            return entries[0]
        if typed.isascii() and typed.isdigit() and 0 < int(typed[:4]) <= len(entries):
            return entries[int(typed[:4]) - 1]
        print_line(say("Type {number}.", number=format_number_range(1, len(entries), say)))
    print_line(say("No entry was chosen. To see the menu again: grognard"))
    return None


def _print_indented(mark: str, text: str) -> None:
    """Print a text after a mark, wrapped to the terminal; its further lines begin below the first word."""
    lines = wrap_cells(text, max(get_terminal_size().columns - len(mark), len(text) // _MAX_LINES, 1))
    print_line("\n".join((mark if n == 0 else " " * len(mark)) + line for n, line in enumerate(lines)))


def _complete_command(command: tuple[str, ...]) -> list[str]:
    """Return the words of a command; one that plays a ruleset gets the settings for a first game against a bot."""
    if len(command) != 2 or command[0] != "play":
        return list(command)
    from interpreter.api.game import load

    rules = load(command[1])
    return [*command, *build_first_game_arguments(rules)]


def build_first_game_arguments(rules: Rules) -> list[str]:
    """Return the arguments of `play` for a beginner: the recommended scenario, and a bot on each other seat."""
    from interpreter.documents.learning import read_first_game
    from interpreter.players.ownership import list_seats

    first_game = read_first_game(rules.target, rules.program.languages)
    scenario = first_game.scenario if first_game is not None else None
    seats = list_seats(rules.start(scenario=scenario, seed=0, record=False))
    own_seat = first_game.seat if first_game is not None and first_game.seat in seats else seats[0]
    opponent = first_game.opponent if first_game is not None else "greedy"
    sides = [word for seat in seats if seat != own_seat for word in ("--side", f"{seat}={opponent}")]
    return [*(("--scenario", scenario) if scenario else ()), *sides]


def _list_titles(lang: str) -> dict[str, str]:
    """Return the title of each shipped ruleset by its id."""
    from interpreter.documents.listing import list_shipped

    return {shipped.id: shipped.title or shipped.id for shipped in list_shipped(lang)}


def _find_last_game() -> str:
    """Return the name of the saved game that was played last, '' if no game has been saved."""
    from interpreter.saves.saved_games import list_saved_games

    try:
        return next((game.name for game in list_saved_games() if not game.problem), "")
    except (OSError, RulesetError):
        return ""


def _has_board() -> bool:
    return all(find_spec(module) is not None for module in ("starlette", "uvicorn"))


def list_missing_extras(say: Translator) -> list[str]:
    """Return a line for each way to play that needs further packages, with the command that installs them."""
    lines = []
    if not _has_board():
        told_board = say(
            "The board in the browser needs two more packages: {command}", command=get_install_command("board")
        )
        lines.append("  " + told_board)
    if find_spec("textual") is None:
        told_screen = say(
            "The full screen in the terminal needs one more package: {command}", command=get_install_command("screen")
        )
        lines.append("  " + told_screen)
    return lines
