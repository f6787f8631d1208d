"""What a page may ask beside the scene: answers by name, worked out on a copy of the game, as plain data.

Must not change a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interpreter.faces.board.apart import Apart, Position, position_of
from interpreter.faces.board.declined import Declined
from interpreter.faces.board.served_game import ServedGame
from interpreter.play.session import Game
from interpreter.players.luck.fortune_teller import FortuneTeller
from interpreter.scene.horizon import game_after
from interpreter.scene.moving_scene import Scenery, Watcher
from interpreter.scene.plain import plain
from interpreter.scene.questions import accounts, answers_told, overlays, planned_ways, sightings, told_whole
from interpreter.scene.stage import Stage
from interpreter.words.speech import mark as _

MOST, THROWS = 40_000, 2_000  # positions looked at for exact odds, and throws where there are more
_LONGEST, _LONGEST_KEY = 200, 4_000  # letters of what is asked about, and of an option's key

Given = Mapping[str, str]


class Inquiry:
    """Answers about one served game. `seat`: for whom the answer is."""

    def __init__(self, served: ServedGame) -> None:
        self.served = served
        self._sceneries: dict[str, Scenery] = {}
        self._fortunes = FortuneTeller(served.rules)

    def answer(self, what: str, given: Given, seat: str, lang: str) -> Any:
        """What is asked, as data; Declined or SetupError where it is none."""
        given = {name: value[: _LONGEST_KEY if name == "key" else _LONGEST] for name, value in given.items()}
        stage, game = self.served.stage(lang), self.served.copy()
        asked = self._questions(stage, game, given)
        if what in asked:
            return plain(asked[what]())
        return plain(answers_told.answer_about(stage, game, what, seat or self._first_seat(game), self.served.players))

    def quick_odds(self, key: str, lang: str) -> tuple[Any, Position]:
        """The exact chances of an option, None where they take long; and the position they are asked of."""
        game = self.served.copy()
        found = accounts.quick_odds(self.served.stage(lang), game, key[:_LONGEST_KEY])
        return None if found is None else plain(found), position_of(game)

    def slow_odds(self, position: Position, key: str, lang: str, apart: Apart) -> Any:
        """The same worked out in a process, which may be ended."""
        return apart.ask("odds", position, key[:_LONGEST_KEY], lang, MOST, THROWS)

    def _first_seat(self, game: Game) -> str:
        decision = game.decision
        return decision.seat if decision is not None else self.served.seats[0]

    def _questions(self, stage: Stage, game: Game, given: Given) -> dict[str, Callable[[], Any]]:
        def named(name: str) -> str:
            return given.get(name, "")

        def whole(name: str) -> int:
            given_number = named(name)
            return int(given_number[:9]) if given_number.isascii() and given_number.isdigit() else 0

        return {
            "piece": lambda: answers_told.answer_piece(stage, game, named("id")),
            "place": lambda: answers_told.answer_place(stage, game, named("id")),
            "why": lambda: answers_told.answer_why(stage, game, named("piece"), named("place")),
            "rule": lambda: answers_told.answer_rule(stage, named("id")),
            "find": lambda: answers_told.answer_find(stage, game, named("text")),
            "reach": lambda: planned_ways.places_in_reach(game, named("piece")),
            "plan": lambda: planned_ways.plans_to(stage, game, named("piece"), named("place"), whole("from")),
            "chart": lambda: accounts.chart_answer(stage, game, named("id"), named("key")),
            "ledger": lambda: accounts.ledger_answer(stage, game),
            "preview": lambda: accounts.preview_of(stage, game, named("key")),
            "luck": lambda: accounts.luck_answer(stage, game, self._fortunes),
            "report": lambda: told_whole.report_answer(stage, game, self.served.players, self.served.keeper.notes),
            "log": lambda: told_whole.whole_log(stage, game),
            "legend": lambda: {"drawing": self.served.scenery(stage.lang).legend(game)},
            "overlays": lambda: overlays.overlay_names(stage),
            "overlay": lambda: overlays.overlay_of(stage, game, named("id"), named("piece")),
            "sight": lambda: sightings.sighting(stage, game, named("id"), named("piece"), named("place")),
            "comers": lambda: planned_ways.who_can_come(game, named("place")),
            "earlier": lambda: self._earlier(stage, game, named("choices")),
            "notes": lambda: answers_told.told_answer(stage, stage.words.say("notes"), self.served.keeper.notes),
        }

    def _earlier(self, stage: Stage, game: Game, choices: str) -> Any:
        """The scene after so many choices, in which nothing can be done."""
        if not choices.isascii() or not choices.isdigit():
            raise Declined(400, "no-number", _("expected a whole number from 1, found {found!r}", found=choices[:40]))
        shown = game_after(game, int(choices[:9]))
        scenery = self._sceneries.setdefault(stage.lang, self.served.scenery(stage.lang).twin())
        moment = scenery.moment(shown, Watcher(()), f"earlier-{choices}")
        return replace(moment, waiting="")
