"""Test the searching bots: legal, repeatable, blind to future dice, and better than chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.bots.bot_game import get_decision
from interpreter.players.bots.evaluation import count_material, evaluate_seats
from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.mast import MastTable, identify_answer
from interpreter.players.bots.registry import RandomPlayer
from interpreter.players.bots.search.mcts_player import MctsPlayer, SearchBudget
from interpreter.players.bots.search.mcts_tree import TreeEdge, TreeNode
from interpreter.players.bots.search.playouts import Playout, PlayoutConfig, RewardScale
from interpreter.players.bots.search.rollout_policy import RolloutPolicy
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import SetupError
from tests.tiny import build

# The side that climbs higher is ahead; a jump may fail, and a long wait brings nothing.
RACE = """
    turn:
        phase climbing:
            for a in armies:
                climb(a)
        phase counting:
            if turn >= 6:
                for a in armies:
                    for b in armies:
                        if a.score > b.score: end game won by a.seat as level("small")
                end game drawn

    procedure climb(a: army):
        choose way by a "{a}: how?":
            option wait
            option step:
                raise a.score by 1
            option jump(n in 2..4):
                roll luck: die for a -> found
                if found > n: raise a.score by n
            option plan:
                choose answer by a "{a}: what plan?":
                    option bad:
                        lower a.score by 1
                    option good:
                        raise a.score by 3
                    option idle
"""
MEASURE = {
    "victory.yaml": """
    kind: victory
    format: 1
    levels:
      small: {title: Small}
      great: {for: red_seat, title: Great, when: reds.score > 9}
    score: {of: p, value: "sum(a.score for a in armies where a.seat == p)"}
    evaluation: "sum((if a.seat == p then a.score else 0 - a.score) for a in armies)"
"""
}
SEATS = ("red_seat", "blue_seat")


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(tmp_path_factory.mktemp("race"), RACE, MEASURE)


def thinking(kind: str, seat: str, seed: int) -> Bot:
    return GreedyPlayer(seat, seed) if kind == "greedy" else MctsPlayer(seat, seed, SearchBudget(playouts=12))


def play(rules: Rules, seed: int, players: dict[str, Bot]) -> tuple[list[int], Game]:
    game = rules.start(seed=seed, record=False)
    chosen = []
    while not game.over:
        assert game.decision is not None
        before = game.hash()
        number = players[game.decision.seat].choose(game)
        assert 0 <= number < game.count()
        assert game.hash() == before, "choosing changed the game"
        chosen.append(number)
        game.pick(number)
    return chosen, game


@pytest.mark.parametrize("kind", ["greedy", "search"])
def test_equal_seeds_choose_alike(race: Rules, kind: str) -> None:
    games = [play(race, 3, {s: thinking(kind, s, n + 7) for n, s in enumerate(SEATS)})[0] for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("kind", ["greedy", "search"])
def test_no_bot_peeks_at_dice_to_come(race: Rules, kind: str) -> None:
    """Check that the choice does not depend on the future dice of the game."""
    chosen = set()
    for future in range(12):
        game = race.start(seed=1, record=False)
        game.state.dice = SeededDice(1000 + future)
        assert game.decision is not None
        chosen.add(thinking(kind, game.decision.seat, 5).choose(game))
    assert len(chosen) == 1


@pytest.mark.parametrize("kind", ["greedy", "search"])
def test_thinking_bot_beats_chance_on_both_sides(race: Rules, kind: str) -> None:
    won = 0
    for seed in range(10):
        for seat, other in (SEATS, SEATS[::-1]):
            _, game = play(race, seed, {seat: thinking(kind, seat, seed + 100), other: RandomPlayer(seed + 500)})
            won += game.outcome is not None and game.outcome.winner == seat
    assert won >= 18


def test_bot_evaluates_result_of_plan(race: Rules) -> None:
    """Check a plan whose sure three points lie behind a second decision."""
    game = race.start(seed=1, record=False)
    assert game.decision is not None
    names = [o.name for o in game.decision.options]
    assert names[GreedyPlayer("red_seat", 1).choose(game)] == "plan"


def test_trial_has_dice_of_its_own_and_leaves_game_alone(race: Rules) -> None:
    game = race.start(seed=1)
    before = game.hash()
    trial = game.trial(SeededDice(9))
    assert not trial.record and trial.state.dice.seed == 9
    while not trial.over:
        trial.pick(2)
    assert game.hash() == before and not game.over


def test_position_is_judged_by_evaluation(race: Rules) -> None:
    game = race.start(seed=1)
    game.edit(sides={"reds": {"score": 4}, "blues": {"score": 1}})
    assert (game.evaluation("red_seat"), game.evaluation("blue_seat")) == (3.0, -3.0)
    assert evaluate_seats(game, SEATS) == (3.0, -3.0)
    with pytest.raises(SetupError, match="unknown seat `green_seat`"):
        game.evaluation("green_seat")


def test_seats_without_evaluation_are_valued_by_score_lead(tmp_path: Path) -> None:
    victory = {"victory.yaml": MEASURE["victory.yaml"][: MEASURE["victory.yaml"].index("    evaluation")]}
    game = build(tmp_path, RACE, victory).start(seed=1)
    game.edit(sides={"reds": {"score": 4}, "blues": {"score": 1}})
    assert game.evaluation("red_seat") is None
    assert evaluate_seats(game, SEATS) == (3.0, -3.0)


def test_without_score_by_pieces_on_map(tmp_path: Path) -> None:
    game = build(tmp_path, RACE).start(seed=1)
    assert count_material(game) == {"red_seat": 3.0, "blue_seat": 3.0}
    game.edit(pieces={"blue-1": {"at": "pile"}, "blue-2": {"at": "pile"}})
    assert evaluate_seats(game, SEATS) == (2.0, -2.0)


def test_fault_in_trial_is_not_bots(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        turn:
            phase only:
                for a in armies:
                    choose way by a "how?":
                        option break:
                            assert 1 == 2 "this is broken"
                        option rest
                end game drawn
    """,
    )
    for kind in ("greedy", "search"):
        _, game = play(rules, 1, {s: thinking(kind, s, 1) for s in SEATS})
        assert game.over


def test_rollout_policy_prefers_successful_actions(race: Rules) -> None:
    game = race.start(seed=1, record=False)
    decision = game.decision
    assert decision is not None
    habits = MastTable()
    answers = [identify_answer(decision, option) for option in decision.list_raw_options()]
    for _ in range(5):
        for number, answer in enumerate(answers):
            habits.learn([answer], {"red_seat": 0.9 if number == 1 else 0.1, "blue_seat": 0.5})
    assert habits.pick(decision, game.count(), 60, SeededDice(2)) == (1, answers[1])


def test_playout_ends_when_decision_settles_and_updates_tree(race: Rules) -> None:
    game = race.start(seed=1, record=False)
    decision = game.decision
    assert decision is not None
    keys = get_decision(game).list_offers()
    root = TreeNode(decision.seat, decision.address, decision.side, edges={key: TreeEdge(0.5, 0.0) for key in keys})
    scale = RewardScale(dict.fromkeys(SEATS, 0.0), 4.0)
    for seed in range(6):
        playout = Playout(
            game.trial(SeededDice(seed)),
            SeededDice(-1 - seed),
            MastTable(),
            RolloutPolicy(decision.seat),
            PlayoutConfig(),
        )
        playout.run(root, keys[1], scale)
        assert playout.trial.turn == game.turn
        assert playout.trial.decision is not None and playout.trial.decision.side != decision.side
    assert root.visits == root.edges[keys[1]].visits == 6
    assert root.edges[keys[0]].visits == 0 and root.edges[keys[1]].child is not None


def test_bot_avoids_useless_actions(tmp_path: Path) -> None:
    """Check that bots end a row in which no option gains anything, instead of taking its options."""
    rules = build(
        tmp_path,
        """
        turn:
            phase only:
                for a in armies:
                    choose fidget by a "what now?" repeat until done:
                        option turn_round(n in 1..30)
                end game drawn
    """,
        MEASURE,
    )
    for kind in ("greedy", "search"):
        chosen, game = play(rules, 1, {s: thinking(kind, s, 1) for s in SEATS})
        assert game.over and chosen == [30, 30]


def test_another_option_must_be_surely_better() -> None:
    favourite, other = TreeEdge(0.5, 0.0, [0.5] * 8, 4.0), TreeEdge(0.5, 0.0, [0.9, 0.1] * 4, 4.0)
    root = TreeNode("red_seat", "way", "reds", edges={"first": favourite, "second": other})
    assert root.choose_option(0.5) == "first"
    root.edges["second"] = TreeEdge(0.5, 0.0, [0.6, 0.7] * 4, 5.2)
    assert root.choose_option(0.5) == "second"


def test_playout_results_carry_over_to_next_decision() -> None:
    """Check that the option tried most is preferred, though a fresh search prefers another."""
    kept = TreeNode(
        "red_seat",
        "way",
        "reds",
        edges={
            "plan": TreeEdge(0.5, 0.0, [0.8] * 6, 4.8),
            "wait": TreeEdge(0.5, 0.0, [0.4] * 6, 2.4),
            "late": TreeEdge(0.5, 0.0),
            "gone": TreeEdge(0.5, 0.0, [0.9] * 6, 5.4),
        },
    )
    root = TreeNode("red_seat", "way", "reds", edges={"wait": TreeEdge(0.5, 3.0), "plan": TreeEdge(0.4, 3.0)})
    root.reuse_edges(kept, ["wait", "plan", "late"])
    assert list(root.edges) == ["plan", "wait"]
    assert root.edges["plan"].compute_mean() == pytest.approx(0.6) and root.edges["plan"].prior_weight == 6.0
    assert root.edges["plan"].visits == 0
    assert root.choose_option(1.0) == "plan"


def test_rollout_policy_finds_and_prefers_best_option(race: Rules) -> None:
    """Check an option that brings four points once against a plan that brings three whenever its answer is known."""
    game = race.start(seed=1, record=False)
    decision = game.decision
    assert decision is not None
    names = [option.name for option in decision.options]
    notions, chance = RolloutPolicy(decision.seat), SeededDice(3)
    inner = game.trial(SeededDice(1))
    inner.pick(names.index("plan"))
    for _ in range(4):
        assert [o.name for o in inner.decision.options][notions.pick(inner, 6, chance)] == "good"
    picked = [names[notions.pick(game, 6, chance)] for _ in range(30)]
    assert picked.count("plan") > 20
    assert notions.gains[next(iter(notions.gains))]
    before = game.hash()
    notions.pick(game, 6, chance)
    assert game.hash() == before
