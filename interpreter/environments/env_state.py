"""State of a game in an environment: an immutable value with its legal actions and successors.

Chance is part of it if the compiled form suspends before dice. Actions are the words of options, read from a prefix
tree (trie).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.environments.env_config import EnvConfig
from interpreter.environments.rewards import compute_returns
from interpreter.environments.word_actions import WordNumbers
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.game import Game
from interpreter.play.setup import create_game
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.drafts import DraftStep, RawOption, to_answer
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.machine import find_deciding_side
from interpreter.runtime.pending import PendingChance, PendingClose, PendingDraft, get_pending_decision
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.type_aliases import Values, handle_of


@dataclass(frozen=True, slots=True)
class ActionTrie:
    """A node of the tree of the words that spell the options.

    `ways`: for each word that can come next, in ascending order, the numbers of the options that remain possible.
    `prefix`: the words so far, including those that were skipped because they left no choice.
    """

    ways: dict[int, list[int]]
    prefix: WordNumbers


def build_trie(spelled: Sequence[WordNumbers]) -> ActionTrie:
    """Return the root of the tree of words for one or more options. A single option still takes one word.

    `spelled`: the words of each option.
    """
    if len(spelled) == 1:
        return ActionTrie({spelled[0][0]: [0]}, ())
    if all(len(words) == 1 for words in spelled):
        return ActionTrie(dict(sorted((words[0], [n]) for n, words in enumerate(spelled))), ())
    return _build_trie_node(spelled, list(range(len(spelled))), 0)


def find_subtrie(spelled: Sequence[WordNumbers], trie: ActionTrie, word: int) -> ActionTrie:
    """Return the subtree after `word`, which leaves more than one option. `spelled`: the words of each option."""
    return _build_trie_node(spelled, trie.ways[word], len(trie.prefix) + 1)


def _build_trie_node(spelled: Sequence[WordNumbers], options: list[int], depth: int) -> ActionTrie:
    """Return the first node, at or below `depth`, at which some options differ; `options`: their numbers."""
    while True:
        ways: dict[int, list[int]] = {}
        for number in options:
            ways.setdefault(spelled[number][depth], []).append(number)
        if len(ways) > 1:
            return ActionTrie(dict(sorted(ways.items())), spelled[options[0]][:depth])
        depth += 1


CHANCE, OVER = -1, -4  # the actor if it is not a player
_ROLL, _DRAW, _CLOSE = "roll", "draw", "close"  # where the form for odds suspends
_Past = Any  # what was done before and the last action, or None


class EnvState:
    """A position together with the words so far of the option being chosen.

    `player` is the index of the acting player in `setting.players`, CHANCE before dice, OVER at the end. `past` are all
    actions so far, including outcomes of chance. `action_count` counts the players' own actions; `is_cut` is true if
    the game was cut off because they reached the limit. `faces`: the dice of the pending roll that have fallen.
    """

    def __init__(
        self, setting: EnvConfig, state: State, past: _Past, action_count: int, faces: tuple[Any, ...] = ()
    ) -> None:
        self.setting = setting
        self.state = state
        self.past = past
        self.action_count = action_count
        self.faces = faces
        self.is_cut = False
        self._trie: ActionTrie | None = None
        self._raws: Sequence[RawOption] = ()
        self._sequences: Any = None
        self.player = self._find_player()

    def __deepcopy__(self, memo: object) -> EnvState:
        """Return the object itself, since it is immutable."""
        return self

    def _find_player(self) -> int:
        """Return the index of the acting player, CHANCE or OVER, and set `is_cut`."""
        pending = self.state.pending
        if self.state.outcome is not None or pending is None:
            return OVER
        if isinstance(pending, PendingChance):
            return CHANCE
        if self.action_count >= self.setting.max_actions:
            self.is_cut = True
            return OVER
        return self.setting.players.index(self.seat)

    @property
    def side(self) -> int:
        """Return the handle of the side that decides."""
        pending = get_pending_decision(self.state)
        return find_deciding_side(self.state, pending.number, pending.values)

    @property
    def seat(self) -> int:
        """Return the handle of the seat that decides."""
        seat: int = self.state.seat_of[self.side]
        return seat

    @property
    def is_over(self) -> bool:
        """Return True if no more actions are possible."""
        return self.player == OVER

    def returns(self) -> list[float]:
        """Return the reward of each player; 0 for all if the game was cut off."""
        return compute_returns(self.state, self.setting.players, self.setting.prizes)

    def copy_game(self) -> Game:
        """Return a copy of the position as a game. Playing it leaves this state unchanged."""
        return Game(self.setting.program, clone_state(self.state), self.setting.scenario, None, False)

    # --- what can be done ------------------------------------------------------------------------

    @property
    def trie(self) -> ActionTrie:
        """Return the node of the tree of words that holds the words that can come next. Valid only if a player acts."""
        if self._trie is None:
            pending = get_pending_decision(self.state)
            if isinstance(pending, PendingDraft):
                self._raws = Decision(self.state).list_raw_options()
            else:
                self._raws = pending.options
            self._sequences = self.setting.codec.encode_options(self.state, self._raws)
            self._trie = build_trie(self._sequences)
        return self._trie

    @property
    def words_so_far(self) -> tuple[int, ...]:
        """Return the actions that spell the current choice so far, including earlier steps of a draft."""
        return (*self.setting.codec.encode_draft_steps(self.state), *self.trie.prefix)

    def list_legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order: words of options, or outcomes of a die."""
        if self.player == CHANCE:
            return [number for number, _chance in self.list_outcomes()]
        return [] if self.player == OVER else list(self.trie.ways)

    def list_outcomes(self) -> list[tuple[int, float]]:
        """Return (action, probability) for each outcome of the next die or draw; dice are rolled one after another."""
        pending = self._get_chance()
        source = pending.source
        if pending.sort == _DRAW:
            remaining = len(source) - len(self.faces)
            return [(number, 1 / remaining) for number in range(remaining)]
        faces = _list_faces(source)
        return [(number, source.count(face) / len(source)) for number, face in enumerate(faces)]

    def get_outcome_label(self, outcome: int) -> str | int:
        """Return what an outcome shows: the face of a die; for a draw "number N", counted among the members left."""
        pending = self._get_chance()
        if pending.sort == _DRAW:
            return f"number {outcome + 1}"
        return _list_faces(pending.source)[outcome]

    def _get_chance(self) -> PendingChance:
        """Return the dice or the draw that the state waits for."""
        pending = self.state.pending
        assert isinstance(pending, PendingChance)
        return pending

    def find_next_action(self, option: int) -> int:
        """Return the action that leads toward an option by its number, counted from 0 as in the copied game."""
        for action, ways_of_action in self.trie.ways.items():
            if option in ways_of_action:
                return action
        raise IllegalAction("option number {number} does not exist here", number=option)

    def apply(self, action: int) -> EnvState:
        """Return the state after an action. Raises `IllegalAction` if the action is not legal."""
        past = (self.past, action)
        if self.player == CHANCE:
            return self._apply_die(action, past)
        ways = {} if self.player == OVER else self.trie.ways
        way = ways.get(action)
        if way is None:
            raise IllegalAction(self._build_refusal(action))
        if len(way) == 1:
            return EnvState(self.setting, self._apply_option(self._raws[way[0]]), past, self.action_count + 1)
        return self._add_word(action, past)

    def _add_word(self, word: int, past: _Past) -> EnvState:
        """Return the state after the action `word`, which several options still begin with.

        `past`: all actions so far, including this one.
        """
        same = EnvState.__new__(EnvState)
        same.setting, same.state, same.past, same.faces = self.setting, self.state, past, ()
        same.action_count = self.action_count + 1
        same.is_cut = same.action_count >= self.setting.max_actions
        same.player = OVER if same.is_cut else self.player
        same._raws, same._sequences = self._raws, self._sequences
        same._trie = find_subtrie(self._sequences, self.trie, word)
        return same

    def _build_refusal(self, action: int) -> Message:
        """Return the message about an action that is not legal."""
        if self.player == OVER:
            return _("the game is over")
        codec = self.setting.codec
        if not 0 <= action < codec.size:
            return _(
                "action {action} does not exist; actions are numbered from 0 to {last}",
                action=action,
                last=codec.size - 1,
            )
        return _("`{action}` is not legal here", action=codec.meaning(action))

    def _apply_option(self, raw: RawOption) -> State:
        """Return the state of the rules after an option is taken."""
        new = clone_state(self.state)
        if isinstance(raw, DraftStep):
            new.draft = (*new.draft, raw.step)
            return new
        if isinstance(self.state.pending, PendingDraft):
            machine.answer(new, to_answer(self.state, Decision(self.state).normalize_steps(raw)))
        else:
            machine.answer(new, raw)
        return advance_to_question(new)

    def _apply_die(self, action: int, past: _Past) -> EnvState:
        """Return the state after one die or drawn member; after the last one, continue to the next decision or roll.

        `action`: the index of the outcome in `list_outcomes`; `past`: all actions so far, including this one. Raises
        IllegalAction if the outcome does not exist.
        """
        pending = self._get_chance()
        source, count = pending.source, pending.amount
        if action not in self.list_legal_actions():
            raise IllegalAction("no die can have the result {action} here", action=action)
        if pending.sort == _DRAW:
            remaining = [number for number in range(len(source)) if number not in self.faces]
            faces: tuple[Any, ...] = (*self.faces, remaining[action])
            count, answer = min(count, len(source)), tuple(source[number] for number in faces)
        else:
            faces = answer = (*self.faces, _list_faces(source)[action])
        if len(faces) < count:
            return EnvState(self.setting, self.state, past, self.action_count, faces)
        new = clone_state(self.state)
        machine.answer(new, answer)
        return EnvState(self.setting, advance_to_question(new), past, self.action_count)


def _list_faces(source: Values) -> list[int]:
    return sorted({handle_of(face) for face in source})


def build_initial_state(setting: EnvConfig, dice: DiceSource) -> EnvState:
    """Return the initial state of a game.

    `dice`: the source used by compiled forms that roll dice themselves instead of waiting for an outcome.
    """
    game = create_game(setting.program, setting.scenario, setting.options, dice=dice, record=False)
    return EnvState(setting, advance_to_question(game.state), None, 0)


def advance_to_question(state: State) -> State:
    """Run the rules past pauses at which nothing is asked, such as the end of a repeated decision."""
    while isinstance(state.pending, PendingClose):
        machine.answer(state, None)
    return state


def list_past_actions(env_state: EnvState) -> list[int]:
    """Return all actions since the start of the game, in order."""
    actions: list[int] = []
    past = env_state.past
    while past is not None:
        past, action = past
        actions.append(action)
    return actions[::-1]
