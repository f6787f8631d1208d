"""A saved game looked at: forwards, backwards, by phase and turn, and nonsense typed on the way."""

from __future__ import annotations

import pytest

from interpreter.api.loading import load
from interpreter.api.resume import build_replay
from interpreter.players.reports.replay_log import ReplayLog, record_replay
from interpreter.players.reports.replay_viewer import ReplayViewer
from interpreter.runtime.localizer import Localizer
from interpreter.saves.journal import read_journal
from interpreter.saves.recorder import save
from tests.players.typist import Dictated
from tests.recordings import assert_recorded


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> ReplayLog:
    path = tmp_path_factory.mktemp("story") / "j"
    rules = load("napoleon")
    game = rules.start(seed=3)
    for n in range(60):
        game.pick(n * 7 % game.count())
    save(game, path)
    return record_replay(build_replay(read_journal(path), rules, path))


def view(story: ReplayLog, *typed: str) -> list[str]:
    screen = Dictated(*typed)
    ReplayViewer(
        story,
        Localizer(story.game.program),
        screen,
        lambda game, brief: [f"map of turn {game.turn}"],
        lambda upto: [f"luck to {upto}"],
    ).run()
    return screen.shown


def test_replay_restores_position_at_every_choice(story: ReplayLog) -> None:
    story.go_to(0)
    hashes = [story.game.hash()]
    for number in range(1, story.last + 1):
        story.go_to(number)
        hashes.append(story.game.hash())
    for number in (5, 60, 0, 33, 34, 33):
        story.go_to(number)
        assert story.game.hash() == hashes[number]
        assert story.at == number


def test_replay_moves_forwards_and_backwards(story: ReplayLog) -> None:
    view(story, "n", "", "next", "n 5", "b", "b 2", "goto 40", "7", "quit")
    assert story.at == 7
    view(story, "end", "b")
    assert story.at == story.last - 1
    view(story, "b", "start", "b 99")
    assert story.at == 0
    assert any("this is the start" in line for line in view(story, "b"))
    assert_recorded(view(story, "end", "n")[-3:])


def test_replay_viewer_steps_by_turn_and_phase(story: ReplayLog) -> None:
    view(story, "t")
    turn_two = story.at
    assert story.moments[turn_two].turn == 2 and story.moments[turn_two - 1].turn == 1
    view(story, f"goto {turn_two + 1}", "bt")
    assert story.at == turn_two
    view(story, f"goto {turn_two}", "bt")
    assert story.at == 0
    view(story, "p")
    here, start = story.moments[story.at], story.moments[0]
    assert (here.turn, here.phase) != (start.turn, start.phase)


def test_replay_answers_questions(story: ReplayLog) -> None:
    shown = view(story, "goto 9", "position", "map", "luck", "log 3", "help")
    assert "on the map:" in shown
    assert f"map of turn {story.moments[9].turn}" in shown
    assert "luck to 9" in shown
    assert any("next phase" in line for line in shown)


@pytest.mark.parametrize(
    "typed",
    [
        "x",
        "goto",
        "goto x",
        "goto -1",
        "n x",
        "n -1",
        "1.5",
        "9" * 40,
        "ñ" * 100,
        "log x",
        "map now",
        "\0",
        "²",
        "goto 99999999",
    ],
)
def test_nonsense_does_no_harm(story: ReplayLog, typed: str) -> None:
    shown = view(story, "goto 5", typed, "quit")
    assert shown[-1].endswith("> ")
    assert story.at in (5, story.last)
    assert all(len(line) < 300 for line in shown)
