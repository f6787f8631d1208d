"""Test what bots skip: refuted options, playouts of decided games, fruitless rows, and values that have not changed."""

from __future__ import annotations

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.players.bots.evaluation import EvaluationCache, evaluate_seats
from interpreter.players.bots.greedy import DelayedPayoffProbe, GreedyPlayer
from interpreter.players.bots.lookahead import identify_pending
from interpreter.players.bots.option_evaluation import BestReply, ReplyPolicy, find_best_reply, find_similar_options
from interpreter.players.bots.search.mcts_player import MctsPlayer, SearchBudget
from interpreter.players.bots.search.mcts_tree import TreeEdge, TreeNode
from interpreter.players.bots.search.playouts import Playout
from interpreter.runtime.dice import DiceSource, ScriptedDice, SeededDice
from tests.tiny import SUM_OF_SCORES, build

# An option with two numbers, of which only the second counts, and one that brings nothing.
LANES = """
    turn:
        phase only:
            choose way by reds "which way?":
                option walk(n in 1..6, gain in 1..6):
                    raise reds.score by gain
                option stay
        phase rest:
            for a in armies:
                choose idle by a "what now?" repeat until done:
                    option turn_round(n in 1..4)
            if turn == 5: end game drawn
"""


@pytest.fixture(scope="module")
def lanes(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(tmp_path_factory.mktemp("lanes"), LANES, SUM_OF_SCORES)


def test_candidate_most_like_best_is_evaluated_next() -> None:
    keys = [(0, (n, gain)) for n in range(4) for gain in range(4)]
    seen = {keys.index((0, (n, gain))): float(gain) for n, gain in [(0, 3), (1, 2), (2, 0), (3, 1), (2, 3)]}
    assert [keys[number] for number in find_similar_options(keys, seen, 3)] == [(0, (1, 3)), (0, (0, 2)), (0, (3, 3))]
    assert find_similar_options(keys, seen, 99) and not set(find_similar_options(keys, seen, 99)) & set(seen)


def test_greedy_finds_best_of_more_options_than_it_looks_at(lanes: Rules) -> None:
    """Check that the one option of 37 that gains six is found with 24 looks."""
    for seed in range(8):
        game = lanes.start(seed=seed, record=False)
        game.pick(GreedyPlayer("red_seat", seed).choose(game))
        assert game.scores()["red_seat"] == 6


def test_sole_intended_reply_is_returned_without_trials(lanes: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    game = lanes.start(seed=1, record=False)
    decision = game.decision
    assert decision is not None
    meant = decision.list_offers()[7]
    assert find_best_reply(game, identify_pending(game), "red_seat", 3, ReplyPolicy(4, meant)).is_exhaustive is False
    monkeypatch.setattr(type(game), "trial", None)
    assert find_best_reply(
        game, identify_pending(game), "red_seat", 3, ReplyPolicy(4, meant, is_sole=True)
    ) == BestReply(7)


def test_refinement_skips_evaluated_candidates(lanes: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a continued evaluation gives the same values as a fresh one."""
    game = lanes.start(seed=1, record=False)
    start, known = identify_pending(game), dict[int, float]()
    find_best_reply(game, start, "red_seat", 3, ReplyPolicy(6, value_cache=known))
    assert 0 < len(known) <= 6
    before, looks = set(known), 0
    trial = Game.trial

    def counted(self: Game, dice: DiceSource) -> Game:
        nonlocal looks
        looks += 1
        return trial(self, dice)

    monkeypatch.setattr(Game, "trial", counted)
    closer = find_best_reply(game, start, "red_seat", 3, ReplyPolicy(24, value_cache=known))
    assert looks == len(set(known) - before)
    anew = find_best_reply(game, start, "red_seat", 3, ReplyPolicy(24))
    assert closer == anew


def test_fruitless_row_is_not_searched_again(lanes: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    best = DelayedPayoffProbe.find_sequence

    def counted(self: DelayedPayoffProbe, end: int) -> list[object] | None:
        asked.append(self.seat)
        return best(self, end)

    monkeypatch.setattr(DelayedPayoffProbe, "find_sequence", counted)
    game = lanes.start(seed=1, record=False)
    bots = {seat: GreedyPlayer(seat, 5) for seat in ("red_seat", "blue_seat")}
    while not game.over:
        assert game.decision is not None
        game.pick(bots[game.decision.seat].choose(game))
    assert asked == ["red_seat"]  # the other seat sees what follows its row


def node(**found: list[float]) -> TreeNode:
    edges = {key: TreeEdge(0.5, 0.0, worths, sum(worths)) for key, worths in found.items()}
    return TreeNode("red_seat", "way", "reds", edges=edges)


def test_significantly_worse_candidates_are_dropped() -> None:
    root = node(first=[0.5] * 8, equal=[0.5] * 8, worse=[0.4] * 8, unsure=[0.2, 0.7] * 4)
    assert root.list_undecided(list(root.edges)) == ["first", "unsure"]
    few = node(first=[0.5] * 7, worse=[0.4] * 7)
    assert few.list_undecided(list(few.edges)) == ["first", "worse"]


def test_significantly_better_candidate_becomes_favourite() -> None:
    root = node(first=[0.5] * 8, better=[0.6] * 8, best=[0.7] * 8)
    assert root.list_undecided(list(root.edges)) == ["best"]
    assert root.choose_option(1.0) == "best"


@pytest.mark.parametrize(("budget", "most"), [(16, 16), (400, 200)])
def test_search_ends_when_decision_is_clear(
    budget: int, most: int, lanes: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a search never exceeds its budget, and uses far less of a large one."""
    playouts: list[int] = []
    run = Playout.run

    def counted(self: Playout, *given: object) -> None:
        playouts[-1] += 1
        run(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Playout, "run", counted)
    game, chance = lanes.start(seed=2, record=False), SeededDice(1)
    bot = MctsPlayer("red_seat", 3, SearchBudget(playouts=budget))
    for _ in range(30):
        if game.over:
            break
        assert game.decision is not None
        if game.decision.seat != "red_seat":
            game.pick(chance.roll(game.count()))
            continue
        playouts.append(0)
        game.pick(bot.choose(game))
    assert max(playouts) > 0 and max(playouts) <= most


@pytest.mark.parametrize("name", ["napoleon", "denain-1712"])
def test_remembered_evaluation_equals_recomputed_one(name: str) -> None:
    """Compare values at each choice of a random game, whose own memo stays unchanged."""
    game, chance, known = load(name).start(seed=4, record=False), SeededDice(2), EvaluationCache()
    seats = sorted(game.scores())
    kept = 0
    for _ in range(250):
        if game.over:
            break
        lent = dict(game.state.memo)
        seen, anew = known.copy_for_lookahead(game), game.trial(SeededDice(0))
        assert game.state.memo == lent
        kept += len(seen.state.memo) > len(lent)
        anew.state.memo = {}
        assert evaluate_seats(seen, seats) == evaluate_seats(anew, seats)
        game.pick(chance.roll(game.count()))
    assert kept > 100


@pytest.mark.parametrize("name", ["napoleon", "denain-1712"])
def test_bot_reuses_lookahead(name: str) -> None:
    """Check that a bot reuses its look-ahead where the game followed it, and starts from the position otherwise."""
    game, chance, known = load(name).start(seed=4, record=False), SeededDice(2), EvaluationCache()
    met = 0
    for number in range(120):
        if game.over:
            break
        trial = known.copy_for_lookahead(game).trial(SeededDice(number))
        seen, chosen = chance.roll(game.count()), chance.roll(game.count())
        trial.pick(seen)
        game.pick(seen if number % 3 else chosen)
        if game.over:
            break
        now = known.copy_for_lookahead(game)
        assert now.data() == game.data() and now.count() == game.count()
        met += now.state is trial.state
    assert 20 < met < 110


def test_bot_chooses_alike_with_and_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def hashes() -> list[str]:
        found = []
        for name in ("napoleon", "denain-1712"):
            game = load(name).start(seed=3, record=False)
            bots = {seat: GreedyPlayer(seat, 5) for seat in game.scores()}
            for _ in range(60):
                assert game.decision is not None
                game.pick(bots[game.decision.seat].choose(game))
            found.append(game.hash())
        return found

    recollecting = hashes()
    monkeypatch.setattr(EvaluationCache, "copy_for_lookahead", lambda self, game: game)
    assert hashes() == recollecting


def test_trials_with_any_dice_go_where_copy_with_these_dice_goes() -> None:
    """Check that scripted dice, which do not count rolls, and seeded dice, which do, both agree with a copy."""
    game = load("napoleon").start(seed=3, record=False)
    for dice in (ScriptedDice([2] * 999), SeededDice(4)):
        for chance in (1, 1, 2):  # the second follows the path of the first
            trial, copy = game.trial(dice.clone()), game.clone()
            copy.state.dice = dice.clone()
            choices = SeededDice(chance)
            for _ in range(25):
                number = choices.roll(trial.count())
                trial.pick(number)
                copy.pick(number)
                assert trial.state.at == copy.state.at and trial.turn == copy.turn
            assert trial.hash() == copy.hash()
