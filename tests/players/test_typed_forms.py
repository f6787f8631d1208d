"""Test typed variants: full-width letters, hiragana, synonyms, a form feed; and what clears the screen."""

from __future__ import annotations

import pytest

from interpreter.api.loading import load
from interpreter.api.rules import Rules
from interpreter.players.narration.lookup import render_rule
from interpreter.players.narration.synonyms import list_synonyms
from interpreter.players.orders.matching import match_options, match_things
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.commands import find_command
from tests.players.typist import Dictated, sit_down


class Cleared(Dictated):
    """A screen that records when it is cleared."""

    def clear(self) -> None:
        self.shown = ["cleared"]

    def offer(self, words: object) -> None:
        """Offer no completions."""


@pytest.fixture(scope="module")
def denain() -> Rules:
    return load("denain-1712")


@pytest.fixture(scope="module")
def japanese(denain: Rules) -> Localizer:
    return Localizer(denain.program, "ja")


@pytest.mark.parametrize("typed", ["７．６－ｂ", "7.6ー b".replace(" ", ""), "[7.6-B]", "7.6–b"])
def test_rule_number_is_known_in_forms_in_which_it_is_typed(japanese: Localizer, typed: str) -> None:
    assert render_rule(typed, japanese) == render_rule("7.6-b", japanese)
    assert render_rule(typed, japanese)[0].startswith("7.6-b")


def test_unknown_rule_number_is_rejected_as_typed(japanese: Localizer) -> None:
    assert "9.9" in render_rule("９．９", japanese)[0]


@pytest.mark.parametrize(
    ("typed", "name"), [("ヒント", "hint"), ("前線", "front"), ("助け", "help"), ("ｌｏｇ", "log")]
)
def test_command_is_known_by_its_further_words(japanese: Localizer, typed: str, name: str) -> None:
    found = find_command(typed, japanese)
    assert found is not None and found.name == name


def test_further_words_of_english_hold_in_every_language(japanese: Localizer) -> None:
    assert {"goal", "victory"} <= set(list_synonyms("aim", japanese))
    assert list_synonyms("rest", japanese) == ()


def test_done_is_known_by_its_further_words(denain: Rules, japanese: Localizer) -> None:
    game = denain.start(seed=1)
    assert game.decision is not None
    found = match_options(game.decision.options, "完了", NameIndex(game, japanese))
    assert [option.key for option in found] == ["done"]


def test_names_are_known_in_hiragana(denain: Rules, japanese: Localizer) -> None:
    game = denain.start(seed=1)
    lexicon = NameIndex(game, japanese)
    assert match_things("piece", "なゔぁーる", lexicon) == match_things("piece", "ナヴァール", lexicon) != []
    assert game.decision is not None
    options = game.decision.options
    assert match_options(options, "なゔぁーる", lexicon) == match_options(options, "ナヴァール", lexicon) != []


@pytest.mark.parametrize("typed", ["clear", "\x0c", "  \x0c"])
def test_clear_empties_screen_and_shows_options_again(typed: str) -> None:
    rules = load("napoleon")
    screen = Cleared(typed)
    sit_down(rules, rules.start(seed=1), screen).play()
    first, *after = screen.shown
    assert first == "cleared"
    assert any("which activity?" in line for line in after)
    assert any("declaration of war" in line for line in after)
