"""Games on exported pages, for the tests of the board's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from interpreter.api.game import load
from interpreter.api.game_code import encode_code, encode_game
from interpreter.play.game import Game
from tests.file_server import serve_folder


class ExportedPages:
    """Folders as `export` writes them, on a server of files; a game is a link to the page of its ruleset."""

    def __init__(self, base: str, export: Callable[[str], object]) -> None:
        self.base = base
        self.export = export

    def game(self, ruleset: str, players=None, seed: int = 1, lang: str = "") -> str:
        """Return the address of a new game, in which people play the seats without a player."""
        return self._address(load(ruleset).start(seed=seed), ruleset, players or {}, lang)

    def advanced(self, ruleset: str, play: Callable[[Game], None], players=None, seed: int = 1) -> str:
        """Return the address of a game that has been advanced here."""
        game = load(ruleset).start(seed=seed)
        play(game)
        return self._address(game, ruleset, players or {})

    def open_lesson(self, open_page, ruleset: str):
        """Open a page and begin the lesson, as a first visitor does."""
        page = open_page(self.game(ruleset))
        page.locator("#more summary").click()
        page.get_by_role("button", name="Learn: a guided first turn").click()
        return page

    def own_folders(self):
        return nullcontext()

    def _address(self, game: Game, ruleset: str, players, lang: str = "") -> str:
        self.export(ruleset)
        rules, query = load(ruleset), f"?lang={lang}" if lang else ""
        return f"{self.base}/{rules.id}/{query}#game={encode_code(encode_game(game, rules, players))}"


@contextmanager
def serve_exported_pages(folder: Path, export: Callable[[str], object]) -> Iterator[ExportedPages]:
    """Serve the folders inside the context."""
    with serve_folder(folder) as server:
        yield ExportedPages(server.address.rstrip("/"), export)
