"""Dice typed at the table: what is asked, what is taken, what is asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.resume import build_replay
from interpreter.players.manual_dice import ManualDice, RollDeclined, read_faces
from interpreter.runtime.dice import AskedDice, LabelledDie
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.localizer import Localizer
from interpreter.saves.recorder import build_journal
from interpreter.tools.replay_diff import replay_with_rules
from tests.players.typist import Dictated
from tests.recordings import assert_recorded
from tests.tiny import build

D6 = (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("text", "faces", "count", "read"),
    [
        ("3", D6, 1, [3]),
        (" 3 ", D6, 1, [3]),
        ("3 1", D6, 2, [3, 1]),
        ("3,1;6", D6, 3, [3, 1, 6]),
        ("31", D6, 2, [3, 1]),
        ("-1 0", (-1, 0, 1), 2, [-1, 0]),
        ("10", tuple(range(1, 11)), 1, [10]),
        ("11", D6, 1, None),
        ("7", D6, 1, None),
        ("", D6, 1, None),
        ("3 1", D6, 1, None),
        ("3", D6, 2, None),
        ("x", D6, 1, None),
        ("³", D6, 1, None),
        ("٣", D6, 1, None),
        ("3.0", D6, 1, None),
        ("9" * 500, D6, 1, None),
        ("1e0", D6, 1, None),
        ("--1", D6, 1, None),
    ],
)
def test_read_faces_parses_typed_faces(text: str, faces: tuple[int, ...], count: int, read: list[int] | None) -> None:
    assert read_faces(text, faces, count) == read


@pytest.fixture
def localizer(tmp_path: Path) -> Localizer:
    return Localizer(build(tmp_path, RULES).program)


RULES = """
procedure run(a: army):
    ask(a) -> n
    roll volley: 2 of die for a -> thrown
    for t in thrown:
        report note(t)
    roll luck: coin -> c
    report note(c)
    ask(a) -> m
    report note(m)
"""


def test_manual_dice_prompt_names_roll_and_faces(localizer: Localizer) -> None:
    dice = ManualDice(localizer, Dictated())
    assert dice.prompt("first_volley", "reds", D6, 1) == "First volley (reds): one d6 (1-6)"
    assert dice.prompt("volley", "", D6, 3) == "Volley: 3 d6 (1-6 each)"
    assert_recorded(dice.prompt("luck", "", (0, 1), 1))
    assert_recorded(dice.prompt("luck", "", (1, 3, 3, 5), 2))


def test_bad_faces_are_asked_again(localizer: Localizer) -> None:
    typist = Dictated("7", "x" * 99, "", "help", "4")
    assert ManualDice(localizer, typist)("volley", "reds", D6, 1) == [4]
    told = "\n".join(typist.shown)
    assert "one number from 1-6" in told
    assert "x" * 41 not in told
    assert "no input; " in told
    assert told.count("> ") == 5


def test_manual_draw_lists_members(localizer: Localizer) -> None:
    lot = LabelledDie.from_members((0, 2, 3), ("thing", "place"))
    typist = Dictated("b", "help", "D", "2")
    dice = ManualDice(localizer, typist)
    assert dice("spot", "", lot, 1) == [3]
    told = "\n".join(typist.shown)
    assert "  1  a\n  2  c\n  3  d\n" in told
    assert told.count("Spot: which one was drawn? (1-3)> ") == 3
    assert "one of 1-3" in told
    assert dice("spot", "", lot, 1) == [2]


def test_declining_leaves_game_as_it_was(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES)
    localizer = Localizer(rules.program)
    typist = Dictated("6 6", "undo", "1 2", "0")
    dice = ManualDice(localizer, typist)
    game = rules.start(dice=AskedDice(dice), empty=True)
    game.call("run", a="reds")
    before, logged = game.hash(), len(game.log)
    with pytest.raises(RollDeclined) as declined:
        game.choose(game.decision.options[0])
    assert not declined.value.is_last
    assert isinstance(declined.value, IllegalAction)
    assert (game.hash(), len(game.log), game.keys) == (before, logged, [])
    game.choose(game.decision.options[0])
    assert [e.args["faces"] for e in game.log if e.sort == "roll"] == [[1, 2], [0]]


def test_leaving_at_dice_prompt_undoes_choice(localizer: Localizer) -> None:
    typist = Dictated("help", "quit")
    with pytest.raises(RollDeclined) as declined:
        ManualDice(localizer, typist)("luck", "", D6, 1)
    assert declined.value.is_last
    assert any("quit leaves the game" in line for line in typist.shown)


def test_manual_roll_ended_by_player_leaves_game_unchanged(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES)

    class Leaver(Dictated):
        def read(self, prompt: str) -> str | None:
            raise KeyboardInterrupt

    for typist, error in ((Dictated("1 1"), RollDeclined), (Leaver(), KeyboardInterrupt)):
        game = rules.start(dice=AskedDice(ManualDice(Localizer(rules.program), typist)), empty=True)
        game.call("run", a="reds")
        before = game.hash()
        with pytest.raises(error):
            game.choose(game.decision.options[0])
        assert game.hash() == before and game.decision is not None


def test_empty_roll_is_not_asked_on_resume(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        turn:
            phase only_phase "Only":
                throw(reds)
        procedure throw(a: army):
            choose go_on by a:
                option now:
                    roll none_of_them: (a.score) of die -> few
                    roll spot: die -> face
                    report note(face + count(few))
        """,
    )
    game = rules.start(dice=AskedDice(lambda _name, _subject, _faces, _count: [3]))
    game.choose("now")
    assert [e.args["faces"] for e in game.log if e.sort == "roll"] == [[], [3]]
    replay = build_replay(build_journal(game), rules, "game")
    assert replay.finish().hash() == game.hash()
    assert replay.divergence is None
    assert replay_with_rules(build_journal(game), rules, rules).divergence is None
