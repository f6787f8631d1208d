"""Options as numbers: each way of saying one leads to it, and to no other; numbers mean the same everywhere."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import load
from interpreter.environments.action_codec import MAX_AUTO_OPTIONS
from interpreter.environments.env_config import load_config
from interpreter.environments.env_state import EnvState, build_initial_state, build_trie, find_subtrie
from interpreter.environments.word_actions import MAX_ONE_WORD_NUMBER, ActionVocabulary
from interpreter.runtime import drafts
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import IllegalAction
from tests.environments.rulesets import ALL, BORDER, CLASSICS
from tests.tiny import write


def positions(ruleset: Any, most: int, **given: Any) -> list[EnvState]:
    """Return the states at the beginning of a decision, in one random game."""
    standing = build_initial_state(load_config(ruleset, **given), SeededDice(4))
    choices, found = SeededDice(4), [standing]
    while not standing.is_over and len(found) < most:
        actions = standing.list_legal_actions()
        before = standing.state
        standing = standing.apply(actions[choices.roll(len(actions))])
        if standing.state is not before and not standing.is_over:
            found.append(standing)
    return found


@pytest.mark.parametrize("actions", ["auto", "words"])
@pytest.mark.parametrize("name", ALL)
def test_option_round_trips_through_one_action(name: str, actions: str) -> None:
    for standing in positions(ALL[name], 60, actions=actions):
        options = list(Decision(standing.state).list_raw_options())
        spelled = standing.setting.codec.encode_options(standing.state, options)
        assert len(set(spelled)) == len(options)
        assert not any(b[: len(a)] == a for a, b in pairwise(sorted(spelled)))  # sorted, a beginning stands before
        reached = []
        waiting = [build_trie(spelled)]
        while waiting:
            trie = waiting.pop()
            assert list(trie.ways) == sorted(trie.ways)
            for word, left in trie.ways.items():
                if len(left) == 1:
                    reached += left
                else:
                    waiting.append(find_subtrie(spelled, trie, word))
        assert sorted(reached) == list(range(len(options)))


@pytest.mark.parametrize("name", ALL)
def test_meaning_belongs_to_one_number(name: str) -> None:
    codec = load_config(ALL[name]).codec
    meanings = [codec.meaning(number) for number in range(codec.size)]
    assert len(set(meanings)) == codec.size


@pytest.mark.parametrize("name", [*CLASSICS, "border"])
def test_whole_option_means_its_key(name: str) -> None:
    for standing in positions(ALL[name], 30, actions="whole"):
        decision = Decision(standing.state)
        keys = {option.key for option in decision.options}
        assert {standing.setting.codec.meaning(action) for action in standing.list_legal_actions()} == keys


def test_numbers_follow_rules_and_documents() -> None:
    assert load_config(CLASSICS["connect_four"]).codec.size == 7
    assert load_config(CLASSICS["tic_tac_toe"]).codec.meaning(0) == "put(11)"
    border = load_config(BORDER).codec
    # marches of 20 units to 13 places, their rests, and the end of the row
    assert (border.sort, border.size, border.meaning(281 - 1)) == ("whole", 20 * 13 + 20 + 1, "done")
    assert border.meaning(13) == "march(red-2, a1)"
    assert load_config("napoleon").codec.sort == load_config("denain-1712").codec.sort == "words"
    assert load_config(CLASSICS["breakthrough"]).codec.size <= MAX_AUTO_OPTIONS


def test_alike_piece_is_encoded_by_sort_and_place() -> None:
    """Check that an alike piece is encoded by what distinguishes its sort at its place, not by its id."""
    standing = next(
        s for s in positions("napoleon", 400) if s.state.program.decisions[s.state.pending[0]].name == "marching"
    )
    codec = standing.setting.codec
    spelled = codec.encode_options(standing.state, list(Decision(standing.state).list_raw_options()))
    said = [[codec.meaning(word) for word in words] for words in spelled]
    march = next(words for words in said if words[0] == "march")
    assert march[1].startswith("unit ")
    assert march[2].startswith("place ")
    assert all(not word.startswith("piece ") for words in said for word in words)


def test_numbers_of_all_kinds_are_encoded() -> None:
    from fractions import Fraction

    codec = load_config("denain-1712").codec
    assert isinstance(codec, ActionVocabulary)
    told = {
        v: [codec.meaning(w) for w in codec._spell_number(v)]
        for v in (0, MAX_ONE_WORD_NUMBER, 65, 1000, -3, Fraction(7, 2))
    }
    assert told == {
        0: ["0"],
        MAX_ONE_WORD_NUMBER: ["64"],
        65: ["more", "1", "0"],
        1000: ["more", "15", "25"],
        -3: ["minus", "3"],
        Fraction(7, 2): ["fraction", "7", "2"],
    }


SETS = """
    draft picking(a: army) unordered starting picked = {}:
        option add(n in 1..20) now picked = picked + {n} "and {n}":
            require fresh: n not in picked  "{n} is picked already"
        finish require due: count(picked) == 6 or 20 in picked  "six are due"
    turn:
        phase only_phase:
            picking(reds) by reds -> result
            end game won by red_seat
"""


def test_large_draft_is_encoded_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LIMIT", 2_000)  # it has many thousands
    standing = build_initial_state(load_config(write(tmp_path, SETS)), SeededDice(0))
    said = []
    for wanted in ("7", "3", "20"):
        codec = standing.setting.codec
        known = {codec.meaning(action): action for action in standing.list_legal_actions()}
        assert wanted in known
        standing = standing.apply(known[wanted])
        said.append(wanted)
        if not standing.is_over:
            assert [m for m in map(codec.meaning, standing.words_so_far) if m.isdigit()] == said
    assert "enough" in {codec.meaning(action) for action in standing.list_legal_actions()} or standing.is_over
    while not standing.is_over:
        known = {codec.meaning(action): action for action in standing.list_legal_actions()}
        standing = standing.apply(known.get("enough", standing.list_legal_actions()[0]))
    assert standing.returns() == [1, -1]


def test_equal_spellings_are_numbered(tmp_path: Path) -> None:
    """Check that options with text arguments, which are not encoded, are numbered."""
    rules = """
    turn:
        phase only_phase:
            choose answer by reds "which?":
                option say(t in ["one", "two", "three"]):
                    if t == "two": end game won by red_seat
                    end game won by blue_seat
    """
    standing = build_initial_state(load_config(write(tmp_path, rules)), SeededDice(0))
    codec = standing.setting.codec
    assert [codec.meaning(action) for action in standing.list_legal_actions()] == ["1", "2", "3"]
    assert [standing.apply(action).returns()[0] for action in standing.list_legal_actions()] == [-1, 1, -1]


def test_illegal_action_number_is_rejected() -> None:
    standing = build_initial_state(load_config(CLASSICS["tic_tac_toe"]), SeededDice(0)).apply(0)
    with pytest.raises(IllegalAction, match="`put\\(11\\)`"):
        standing.apply(0)
    with pytest.raises(IllegalAction, match="from 0 to 8"):
        standing.apply(9)
    with pytest.raises(IllegalAction, match="action -1"):
        standing.apply(-1)


@pytest.mark.parametrize("name", ["border", "napoleon"])
def test_game_in_words_or_wholes_is_game_of_rules(name: str) -> None:
    """Check that the options of each action, picked by number in a game beside, lead to the same positions."""
    standing = build_initial_state(load_config(ALL[name]), SeededDice(11))
    game, choices = load(ALL[name]).start(seed=11, record=False), SeededDice(5)
    for _ in range(300):
        if standing.is_over:
            break
        actions = standing.list_legal_actions()
        action = actions[choices.roll(len(actions))]
        meant = standing.trie.ways[action]
        standing = standing.apply(action)
        if len(meant) == 1:
            game.pick(meant[0])
            assert game.state.at == standing.state.at
            assert game.state.pending == standing.state.pending
    assert game.turn > 1
