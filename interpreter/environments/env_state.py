"""Where a game of an environment stands: a value that is never changed; what can be done, and what comes of it.

Chance is part of it where the form of the rules stands still before dice. Must not know who learns, nor judge legality.
"""

from __future__ import annotations

from typing import Any

from interpreter.environments.action_trie import ActionTrie, first_menu, next_menu
from interpreter.environments.env_config import EnvConfig
from interpreter.environments.rewards import returns_of
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.play.setup.new_game import new_game
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import DiceSource
from interpreter.runtime.drafts import answer_of
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.machine import RULES_FAULTS, rule_fault
from interpreter.runtime.state import copied

CHANCE, OVER = -1, -4  # who acts where no player does
_ROLL, _DRAW, _CLOSE = "roll", "draw", "close"  # what the form for odds stands still before
_Past = Any  # what was done before and the last action, or None


class EnvState:
    """A position of the rules, with what has been said of the option that is being chosen.

    `player` is the number of the player who acts, CHANCE before dice, OVER at the end. `past` are all actions so far,
    those of chance too. `acts` counts the players' own; `is_cut` where they have become too many.
    """

    def __init__(self, setting: EnvConfig, state: Any, past: _Past, acts: int, faces: tuple[Any, ...] = ()) -> None:
        self.setting = setting
        self.state = state
        self.past = past
        self.acts = acts
        self.faces = faces
        self.is_cut = False
        self._menu: ActionTrie | None = None
        self._raws: Any = None
        self._spelled: Any = None
        self.player = self._find_player()

    def __deepcopy__(self, memo: Any) -> EnvState:
        """Itself: it is never changed."""
        return self

    def _find_player(self) -> int:
        pending = self.state.pending
        if self.state.outcome is not None or pending is None:
            return OVER
        if pending[0] == _ROLL or pending[0] == _DRAW:
            return CHANCE
        if self.acts >= self.setting.max_actions:
            self.is_cut = True
            return OVER
        return self.setting.players.index(self.seat)

    @property
    def side(self) -> int:
        """Handle of the side that decides."""
        state = self.state
        try:
            side: int = state.program.functions[f"by_{state.pending[0]}"](state, *state.pending[1])
        except RULES_FAULTS as fault:
            raise rule_fault(state, fault) from fault
        return side

    @property
    def seat(self) -> int:
        """Handle of the seat that decides."""
        seat: int = self.state.seat_of[self.side]
        return seat

    @property
    def is_over(self) -> bool:
        """True where nobody acts any more."""
        return self.player == OVER

    def returns(self) -> list[float]:
        """What each player gets; nothing for all in a game that was cut short."""
        return returns_of(self.state, self.setting.players, self.setting.prizes)

    def game(self) -> Game:
        """The position as a game that may be played on: bots look at it; what happens in it changes nothing here."""
        return Game(self.setting.program, copied(self.state), self.setting.scenario, None, False)

    # --- what can be done ------------------------------------------------------------------------

    @property
    def menu(self) -> ActionTrie:
        """What can be said next; only where a player acts."""
        if self._menu is None:
            pending, program = self.state.pending, self.setting.program
            if pending[0] in program.draft_decisions:
                self._raws = Decision(self.state).raw_options()
            else:
                self._raws = pending[2]
            self._spelled = self.setting.coder.spell(self.state, self._raws)
            self._menu = first_menu(self._spelled)
        return self._menu

    @property
    def said(self) -> tuple[int, ...]:
        """The words said so far of what is being chosen, those of the steps of a draft before it included."""
        return (*self.setting.coder.taken(self.state), *self.menu.said)

    def actions(self) -> list[int]:
        """What can be done, as numbers in ascending order: words of options, or outcomes of a die."""
        if self.player == CHANCE:
            return [number for number, _chance in self.outcomes()]
        return [] if self.player == OVER else list(self.menu.ways)

    def outcomes(self) -> list[tuple[int, float]]:
        """What a die or a draw can show, and how likely each is: one die after the other, each fair."""
        sort, source = self.state.pending[0], self.state.pending[4]
        if sort == _DRAW:
            left = len(source) - len(self.faces)
            return [(number, 1 / left) for number in range(left)]
        shown = sorted(set(source))
        return [(number, source.count(face) / len(source)) for number, face in enumerate(shown)]

    def shown(self, outcome: int) -> Any:
        """What an outcome of a die or a draw shows: a face, or which of the members that are left."""
        if self.state.pending[0] == _DRAW:
            return f"number {outcome + 1}"
        return sorted(set(self.state.pending[4]))[outcome]

    def toward(self, option: int) -> int:
        """The action that goes on saying the option with this number, counted as by `game().count()`, from 0."""
        for action, meant in self.menu.ways.items():
            if option in meant:
                return action
        raise IllegalAction("there is no option number {number} here", number=option)

    def after(self, action: int) -> EnvState:
        """Where the game stands when this has been done; IllegalAction for what cannot be."""
        past = (self.past, action)
        if self.player == CHANCE:
            return self._after_chance(action, past)
        ways = {} if self.player == OVER else self.menu.ways
        meant = ways.get(action)
        if meant is None:
            raise IllegalAction(self._refusal(action))
        if len(meant) == 1:
            return EnvState(self.setting, self._chosen(self._raws[meant[0]]), past, self.acts + 1)
        return self._further(action, past)

    def _further(self, word: int, past: _Past) -> EnvState:
        """One word more has been said, and more than one option may still be meant."""
        same = EnvState.__new__(EnvState)
        same.setting, same.state, same.past, same.faces = self.setting, self.state, past, ()
        same.acts = self.acts + 1
        same.is_cut = same.acts >= self.setting.max_actions
        same.player = OVER if same.is_cut else self.player
        same._raws, same._spelled = self._raws, self._spelled
        same._menu = next_menu(self._spelled, self.menu, word)
        return same

    def _refusal(self, action: int) -> Any:
        if self.player == OVER:
            return _("the game is over")
        coder = self.setting.coder
        if not 0 <= action < coder.size:
            return _("there is no action {action}; they go from 0 to {last}", action=action, last=coder.size - 1)
        return _("`{action}` is not legal here", action=coder.meaning(action))

    def _chosen(self, raw: Any) -> Any:
        """The position of the rules after an option."""
        new = copied(self.state)
        if isinstance(raw, tuple) and raw and raw[0] == "step":
            new.draft = (*new.draft, raw[1])
            return new
        if self.state.pending[0] in self.setting.program.draft_decisions:
            raw = answer_of(self.state, Decision(self.state).settled(raw))
        machine.answer(new, raw)
        return settled(new)

    def _after_chance(self, action: int, past: _Past) -> EnvState:
        """The next die has fallen; with the last one the rules go on."""
        sort, source, count = self.state.pending[0], self.state.pending[4], self.state.pending[5]
        if action not in self.actions():
            raise IllegalAction("no die can show the outcome {action} here", action=action)
        if sort == _DRAW:
            left = [number for number in range(len(source)) if number not in self.faces]
            faces: tuple[Any, ...] = (*self.faces, left[action])
            count, answer = min(count, len(source)), tuple(source[number] for number in faces)
        else:
            faces = answer = (*self.faces, sorted(set(source))[action])
        if len(faces) < count:
            return EnvState(self.setting, self.state, past, self.acts, faces)
        new = copied(self.state)
        machine.answer(new, answer)
        return EnvState(self.setting, settled(new), past, self.acts)


def first_standing(setting: EnvConfig, dice: DiceSource) -> EnvState:
    """Where a game begins; the dice are for rules that do not stand still before a roll."""
    game = new_game(setting.program, setting.scenario, setting.options, dice=dice, record=False)
    return EnvState(setting, settled(game.state), None, 0)


def settled(state: Any) -> Any:
    """The same state, past what is no question: the end of an option in a row of choices."""
    while state.pending is not None and state.pending[0] == _CLOSE:
        machine.answer(state, None)
    return state


def actions_of(standing: EnvState) -> list[int]:
    """Everything that has been done since the game began, the first first."""
    out: list[int] = []
    past = standing.past
    while past is not None:
        past, action = past
        out.append(action)
    out.reverse()
    return out
