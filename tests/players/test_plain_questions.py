"""Questions and orders in plain words are answered, in two languages, at the prompt."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.documents.learning import read_glossary
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.questions.plain_answers import answer_plainly, explain_order
from interpreter.runtime.localizer import Localizer
from tests.recordings import assert_recorded

Answer = Callable[[str], "str | None"]


@pytest.fixture(params=["en", "ja"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(lang: str) -> Answer:
    """Ask in a new game in which the French seat chooses its activity."""
    rules = load("napoleon")
    game = rules.start(scenario="wagram", seed=3)
    localizer, glossary = Localizer(rules.program, lang), read_glossary("napoleon", rules.program.languages)
    lexicon = NameIndex(game, localizer)

    def answer(text: str) -> str | None:
        found = answer_plainly(text, game, "france", lexicon, glossary, "LESSON")
        found = explain_order(text, game, lexicon) if found is None else found
        return None if found is None else "\n".join(map(str, found))

    return answer


QUESTIONS = {
    "en": {
        "term": ("what is footing", "what are hits?", "define a rout", "what does morale mean", "what is a saved game"),
        "aim": ("How do I win?", "what is my goal"),
        "now": ("help me", "what should I do"),
        "learn": ("tutorial", "how do I play"),
        "order": ("attack Austria", "march to the austria"),
    },
    "ja": {
        "term": ("戦争体制とは", "損害とは何ですか？", "敗走の意味", "士気って何", "シナリオとは"),
        "aim": ("どうすれば勝てますか？", "勝利条件"),
        "now": ("助けて", "何をすればいい"),
        "learn": ("遊び方", "チュートリアル"),
        "order": ("オーストリアを攻撃", "オーストリアに侵攻する"),
    },
}
MARKS = {
    "en": {
        "term": ": ",
        "aim": "your aim",
        "now": "The question is",
        "learn": "LESSON",
        "order": "First choose: 5 (move and fight)",
    },
    "ja": {"term": "：", "aim": "目的", "now": "今の問い", "learn": "LESSON", "order": "先に選ぶもの：5 (移動/戦闘)"},
}


@pytest.mark.parametrize("sort", ["term", "aim", "now", "learn", "order"])
def test_plain_question_is_answered(ask: Answer, lang: str, sort: str) -> None:
    for text in QUESTIONS[lang][sort]:
        told = ask(text)
        assert told is not None, text
        assert MARKS[lang][sort] in told, f"{text}: {told}"
        assert "not in the glossary" not in told, text


def test_plain_words_leave_other_texts_alone(ask: Answer) -> None:
    for text in ("5", "reinforcement", "attack", "attack the moon", "undo", ""):
        assert ask(text) is None, text


def test_unknown_word_points_at_rules_that_mention_it(ask: Answer, lang: str) -> None:
    if lang == "en":
        told = ask("what is a canal")
        assert_recorded(told)
        assert "[" in (ask("what is withdrawal") or "") or "[" in (ask("what is a sea area") or "")


def test_prompt_answers_and_does_not_choose(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "what is footing\nhow do I win\nattack austria\ngo austria\nwhat footing\nglossary hit\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["play", "napoleon", "--scenario", "wagram", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert told.count("War footing: ") == 2
    assert told.count("5 (move and fight)") == 2
    assert "matches no option" not in told


def test_help_explains_word_that_is_not_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("help mobilisation\nhelp austria\nhelp undo\nhelp xyzzy\nquit\n"))
    assert main(["play", "napoleon", "--scenario", "wagram", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert "Unknown command `mobilisation`" not in told and "Unknown command `austria`" not in told
    assert "Mobilisation and reform: " in told
    assert "undo" in told and "Unknown command `xyzzy`" in told
