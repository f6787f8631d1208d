"""Plain words at the prompt that ask for a command, and words that an option and a command share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.documents.learning import read_glossary
from interpreter.players.orders.group_orders import iter_orderable_groups
from interpreter.players.questions import plain_commands
from interpreter.players.questions.plain_commands import parse_plain_command
from interpreter.queries.resolutions import render_option_odds
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.commands import find_command
from interpreter.ui.repl.repl import Repl
from interpreter.view_model.queries.text_queries import answer_plain
from interpreter.view_model.view_context import build_view_context
from tests.players.typist import Dictated, sit_down
from tests.tiny import DISTINCT_UNITS, build

PIECES = f"""\
{DISTINCT_UNITS}\
  first: {{class: unit, army: reds, at: a}}
  enemy: {{class: unit, army: blues, at: d}}
"""
SHARED_WORDS = """
    turn:
        choose storming by reds "how?":
            option breach "try a breach":
                set game.total = 1
            option all_out "all against the wall":
                set game.total = 2
            option wait
"""


class Prompt(Dictated):
    """A screen without completion and waiting."""

    def offer(self, words: Sequence[str]) -> None:
        """Offer no completions."""

    def show_progress(self, text: str) -> AbstractContextManager[None]:
        return nullcontext()


def type_lines(rules, game, *typed: str) -> tuple[Repl, str]:
    screen = Prompt(*typed)
    session = sit_down(rules, game, screen)
    session.play()
    return session, "\n".join(screen.shown)


@pytest.mark.parametrize(("typed", "total"), [("try a breach", 1), ("try breach", 1), ("all against", 2)])
def test_option_that_begins_with_command_word_is_chosen(tmp_path: Path, typed: str, total: int) -> None:
    rules = build(tmp_path, SHARED_WORDS, {"pieces.yaml": PIECES})
    session, _shown = type_lines(rules, rules.start(seed=1), typed)
    assert session.game.view()["game"]["total"] == total


@pytest.mark.parametrize("typed", [("mark breach", "try breach"), ("try",)])
def test_command_with_its_own_argument_goes_before_option(tmp_path: Path, typed: tuple[str, ...]) -> None:
    rules = build(tmp_path, SHARED_WORDS, {"pieces.yaml": PIECES})
    session, shown = type_lines(rules, rules.start(seed=1), *typed, "return")
    assert session.game.view()["game"]["total"] == 0
    assert "what if: " in shown


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("Who is winning?", "score"),
        ("where is the Old Guard", "what old guard"),
        ("save game", "save"),
        ("end turn", "done"),
        ("what are the odds of 3", "odds 3"),
        ("Napoleon", ""),
    ],
)
def test_plain_words_ask_for_command(typed: str, line: str) -> None:
    assert parse_plain_command(typed, Localizer(load("napoleon").program)) == line


@pytest.mark.parametrize(
    ("typed", "line"),
    [("勝っているのは誰？", "score"), ("オーストリアはどこ", "what オーストリア"), ("ターン終了", "done")],
)
def test_japanese_plain_words_ask_for_command(typed: str, line: str) -> None:
    assert parse_plain_command(typed, Localizer(load("napoleon").program, "ja")) == line


@pytest.mark.parametrize("language", ["en", "ja"])
def test_plain_words_lead_to_known_commands(language: str) -> None:
    localizer = Localizer(load("napoleon").program, language)
    listed = plain_commands._parse_commands(localizer.say(plain_commands._COMMANDS))
    unknown = {line.split()[0] for _phrase, line in listed if find_command(line.split()[0], localizer) is None}
    assert unknown <= {"done"}


def test_first_words_of_new_player_are_answered() -> None:
    rules = load("napoleon")
    typed = ("attack the moon", "end turn", "99", "atack austria", "where can I go", "is it raining?", "undo all")
    _session, shown = type_lines(rules, rules.start(seed=3), *typed)
    assert "No piece or place of this game is called `moon`." in shown
    assert "there is nothing to end here" in shown
    assert "`99` is not a number of the list" in shown
    assert "did you mean `attack austria`?" in shown
    assert "first choose: 5 (move and fight)" in shown
    assert "You can ask:" in shown
    assert "`undo` takes back one choice" in shown
    assert "matches no option" not in shown


def test_board_answers_same_questions() -> None:
    rules = load("napoleon")
    game, glossary = rules.start(seed=3), read_glossary("napoleon", rules.program.languages)
    context = build_view_context(rules)
    asked = {
        text: "\n".join(line.text for line in answer_plain(context, game, text, "france", glossary).lines)
        for text in ("who is winning", "where is austria", "where can I go")
    }
    assert "points" in asked["who is winning"]
    assert "garrison" in asked["where is austria"]
    assert "first choose" in asked["where can I go"]


def test_group_orders_wait_for_end_of_setup() -> None:
    rules = load("denain-1712")
    game = rules.start(seed=5)
    assert not list(iter_orderable_groups(game))
    session, shown = type_lines(rules, game, "all forward")
    assert "begin with the first turn" in shown and not session.game.keys


def test_setup_that_can_be_kept_offers_plain_done() -> None:
    rules = load("denain-1712")
    _session, shown = type_lines(rules, rules.start(seed=5))
    assert "done" in shown and "nothing done yet" not in shown


def test_odds_of_two_initiative_dice_are_exact() -> None:
    rules = load("denain-1712")
    game = rules.start(scenario="no_alarm", seed=4)
    game.choose("done")
    lines = "\n".join(render_option_odds(rules, game, "done", "en")[1])
    assert "samples" not in lines
    assert "16/25" in lines  # the French add 1, win ties, and roll a ten-sided die from 0 to 9
