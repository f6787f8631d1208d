"""A game played inside WebAssembly, step by step from Python: what bots need of a game, with the same choices.

Operations that the module cannot do exactly raise `TrapError` or `NotInsideError`. `to_python_game` then returns the
position before the choice as a Python game, and `resumed` returns from a Python game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from interpreter.backends.wasm.host.session import NativeSession, NotInsideError, Position, SessionFacts, no_game
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.play.game import Game, GameOutcome
from interpreter.runtime.dice import DiceSource, SeededDice
from interpreter.runtime.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set as AbstractSet

    from interpreter.backends.wasm.host.trials import Trial, TrialResult
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State

Start = tuple[int, str, str]  # depth, address and side of a decision
_NOWHERE = -1  # a depth that no decision has


class NativeDecision:
    """The decision a side must make now."""

    __slots__ = ("_game", "side", "seat", "address", "name", "_offers", "_may_end")

    def __init__(self, game: NativeGame, number: int, side: int) -> None:
        session = game.session
        self._game = ref(game)  # a game holds its decision
        self.side, self.seat, self.address, self.name = get_session_names(session, number, side)
        self._offers: tuple[Any, ...] | None = None
        self._may_end: bool | None = None

    def copy_for(self, game: NativeGame) -> NativeDecision:
        """Return a copy of this decision for `game`, another game in the same position."""
        twin = NativeDecision.__new__(NativeDecision)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin._game = ref(game)
        return twin

    @property
    def may_end(self) -> bool:
        """Return whether the last option ends a series of decisions."""
        if self._may_end is None:
            self._may_end = self._get_game().is_series_ending()
        return self._may_end

    def list_offers(self) -> tuple[Any, ...]:
        """Return the values that distinguish the options, in order.

        They are the offers of the finished drafts if a draft answers the decision, else the options themselves.
        """
        if self._offers is None:
            self._offers = self._get_game().list_offers()
        return self._offers

    def _get_game(self) -> NativeGame:
        game = self._game()
        assert game is not None
        return game

    def list_raw_options(self) -> Sequence[Any]:
        """Return hashable values that identify the options, in order; bots use them as keys."""
        return self.list_offers()


def get_session_names(session: NativeSession, number: int, side: int) -> tuple[str, str, str, str]:
    """Return (side, seat, address, name) of decision `number` for the side with a handle."""
    ids, sheet = session.program.ids, session.sheet.decisions[number]
    return ids["side"][side], ids["seat"][session.seat_of(side)], sheet.address, sheet.name


class NativeGame:
    """One game or trial. Its position is live in the session, or saved."""

    __slots__ = (
        "session",
        "program",
        "scenario",
        "seed",
        "begun",
        "_position",
        "_dice",
        "_deal",
        "_is_fresh",
        "_is_listed",
        "_facts",
        "_depth",
        "_decision",
        "_forced",
        "_origin",
        "_moves",
        "_python",
        "__weakref__",
    )

    def __init__(self, session: NativeSession, scenario: str | None, seed: int, begun: State) -> None:
        self.session = session
        self.program: Program = session.program
        self.scenario = scenario
        self.seed = seed
        self.begun = begun
        self._position: Position | None = None  # the saved position; None once it has changed
        self._dice: SeededDice | None = None  # dice of a trial, which tell how many bytes were used
        self._deal: tuple[str, int] | None = None  # dice of a trial that are dealt instead
        self._is_fresh = False  # whether they are still to be put into the position
        self._is_listed = True  # whether the options of the live position are in the buffer
        self._facts: SessionFacts | None = None  # of the position, read when first asked for
        self._depth = -1
        self._decision: NativeDecision | None = None
        self._forced = 0
        self._origin: tuple[NativeGame, DiceSource, int] | None = None  # of a trial: its game, dice and their counter
        self._moves: list[int] = []  # the choices of a trial; -1 for the last option
        self._python: Game | None = None  # the position as Python has it

    @classmethod
    def start(cls, session: NativeSession, scenario: str | None, options: tuple[str, ...], seed: int) -> NativeGame:
        """Begin a game and run it to its first decision. `options`: the optional rules in use."""
        save_live_position(session)
        game = cls(session, scenario, seed, session.begin(scenario, options, seed))
        session.start()
        session.live = ref(game)
        return game

    @classmethod
    def resumed(cls, session: NativeSession, game: Game, begun: State) -> NativeGame:
        """Return a game that continues from the pending decision of a Python game.

        `begun`: a Python state of the ruleset; each position read from the module is written into a copy of it.
        """
        decision = game.decision
        if decision is None or game.seed is None:
            raise NotInsideError("a game that asks nothing")
        save_live_position(session)
        game_ = cls(session, game.scenario, game.seed, begun)
        session.enter(game.state, game.program.handles["side"][decision.side], game.count())
        session.live = ref(game_)
        return game_

    # --- the position --------------------------------------------------------------------------------------

    def load_position(self) -> None:
        """Make this game's position the live one."""
        session = self.session
        if session.live() is self:
            return
        save_live_position(session)
        assert self._position is not None
        session.load_position(self._position)
        session.live = ref(self)
        self._is_listed = False
        if self._is_fresh:
            if self._deal is not None:
                session.deal(*self._deal)
            elif self._dice is not None:
                session.words[session.sheet.dealt // 8] = 0
                session.seed(session.sheet.dice, self._dice.seed, self._dice.counter)
            self._position, self._is_fresh = None, False

    def save_position(self) -> Position:
        """Save the current position in a slot and return it."""
        if self._position is None or self._is_fresh:
            self.load_position()
            self._position = self.session.save_position()
        return self._position

    def _get_facts(self) -> SessionFacts:
        """Return the number, side and option count of the pending decision, memoized."""
        if self._facts is None:
            self.load_position()
            self._facts = self.session.read_facts()
        return self._facts

    def _list_into_buffer(self) -> None:
        """Load the position and list all its options into the buffer."""
        self.load_position()
        if not self._is_listed or self._get_facts().is_partial:
            self.session.list_options()
            self._facts, self._is_listed = self.session.read_facts(), True

    def _clear_memos(self) -> None:
        """Discard everything memoized of the position."""
        self._is_listed = True
        self._position = self._decision = self._facts = self._python = None
        self._depth = -1

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self._get_facts().is_over

    @property
    def turn(self) -> int:
        """Return the turn number, from 1."""
        self.load_position()
        return self.session.words[self.session.turn_at]

    @property
    def depth(self) -> int:
        """Return the number of suspended procedures."""
        if self._depth < 0:
            self.load_position()
            self._depth = self.session.waiting()
        return self._depth

    @property
    def decision(self) -> NativeDecision | None:
        """Return the pending decision, or None."""
        if self._decision is None and not (facts := self._get_facts()).is_over:
            self._decision = NativeDecision(self, facts.pending, facts.side)
        return self._decision

    @property
    def state(self) -> State:
        """Return the position as a Python state without suspended procedures."""
        self.load_position()
        return self.session.read_state(self.begun, self.seed)

    def as_python(self) -> Game:
        """Return the position as a Python game that can be read, not played on."""
        return Game(self.program, self.state, self.scenario, self.seed, False)

    def in_python(self) -> Game:
        """Return a Python game in this position; a trial is returned after its last choice that did not trap."""
        if self._python is None:
            if self._origin is None:
                self._python = self.to_python_game()
            else:
                base, dice, counter = self._origin
                fresh = dice.clone()
                if isinstance(fresh, SeededDice):
                    fresh.move_to(counter)
                self._python = base.in_python().trial(fresh)
                for number in self._moves:
                    self._python.pick(number if number >= 0 else self._python.count() - 1)
        return self._python

    def to_python_game(self) -> Game:
        """Return the position as a Python game that can be played on."""
        self.load_position()
        game = Game(
            self.program, self.session.read_suspended_state(self.begun, self.seed), self.scenario, self.seed, False
        )
        game.forced = self._forced
        return game

    def restore(self, position: Position) -> None:
        """Return to a saved position, after a choice that trapped."""
        self.session.live = no_game
        self._clear_memos()
        self._position = position

    @property
    def outcome(self) -> GameOutcome | None:
        """Return how the game ended, or None."""
        return self.as_python().outcome if self.over else None

    def scores(self) -> dict[str, Any]:
        """Return the score of every seat that holds a side, by seat id."""
        return self.as_python().scores()

    def evaluation(self, seat: str) -> float | None:
        """Return the ruleset's `evaluation` of a seat, or None if the ruleset has none."""
        if not self.session.has_worth:
            return self.as_python().evaluation(seat)
        self.load_position()
        return self.session.evaluate(self.program.handles["seat"][seat])

    def evaluate(self, seat: str) -> float:
        """Return the value of the position for a seat, as bots estimate it. Valid only if `tries_options` is True."""
        self.load_position()
        trials = self.session.trials
        assert trials is not None
        return trials.value(self.program.handles["seat"][seat])

    # --- options ---------------------------------------------------------------------------------------------

    def count(self) -> int:
        """Return the number of options of the pending decision."""
        facts = self._get_facts()
        if facts.is_partial:
            self._list_into_buffer()
            facts = self._get_facts()
        return 0 if facts.is_over else facts.options

    def has_choice(self) -> bool:
        """Return whether there is more than one option, or a repeated decision that may be ended."""
        decision = self.decision
        return decision is not None and (decision.may_end or self.count() > 1)

    def is_series_ending(self) -> bool:
        """Return whether the last option ends a series of decisions."""
        facts = self._get_facts()
        if facts.is_partial:
            return True
        session, sheet = self.session, self.session.sheet
        if sheet.decisions[facts.pending].draft is not None or not facts.options:
            return False
        self._list_into_buffer()
        last = sheet.listed + (facts.options - 1) * sheet.option_size
        return session.words[last // 8] == -1

    def list_offers(self) -> tuple[Any, ...]:
        """Return the values that distinguish the options, in order, as `NativeDecision.list_offers` does."""
        self._list_into_buffer()
        trials = self.session.trials
        if trials is not None:
            return trials.list_option_keys(self._get_facts().pending)
        return self.session.transfer.list_offers(self.session.memory)

    # --- choices ---------------------------------------------------------------------------------------------

    def pick(self, number: int) -> None:
        """Choose the option with this number."""
        count = self.count()
        if not 0 <= number < count:
            raise NotInsideError(f"the option {number}")
        self._forced = self._forced + 1 if count == 1 else 0
        if self._forced > LIMITS.forced:
            raise NotInsideError("decisions without a choice")  # Python tells of them
        self.load_position()
        self._clear_memos()
        self._make_choice(number, self.session.pick, number)

    def play(self, most: int) -> int:
        """Choose by chance, with the session's dice, to the end or `most` times; return the number of choices made."""
        self.load_position()
        self._clear_memos()
        choices = self.session.play(most)
        _, self._forced = self.session.count_choices()
        return choices

    def play_turn(self, most: int) -> int:
        """Choose by chance to the end of the turn or `most` times; return the number of choices made."""
        self.load_position()
        self._clear_memos()
        return self.session.play_turn(most)

    def end_series(self) -> None:
        """Choose the last option, which ends a series of decisions."""
        self.load_position()
        self._clear_memos()
        self._make_choice(-1, self.session.end_series)

    def _make_choice(self, move: int, choose: Callable[..., int], *number: int) -> None:
        try:
            choose(*number)
        except TrapError:
            self.session.live = no_game  # the memory holds no position any more
            raise
        self._moves.append(move)
        self._record_dice()

    def _record_dice(self) -> None:
        if self._dice is not None:
            self._dice.move_to(self.session.words[self.session.used_at[0]])

    # --- looking ahead -----------------------------------------------------------------------------------------

    def trial(self, dice: DiceSource) -> NativeGame:
        """Return a game in the same position with other dice."""
        deal: tuple[str, int] | None = getattr(dice, "deal", None)
        seeded = dice if isinstance(dice, SeededDice) else None
        if deal is None and seeded is None:
            raise NotInsideError("dice that are not seeded")
        twin = NativeGame(self.session, self.scenario, self.seed, self.begun)
        twin._position, twin._dice, twin._deal = self.save_position(), seeded, deal
        twin._origin = self, dice, 0 if seeded is None else seeded.counter
        twin._is_fresh = True
        twin._facts, twin._depth = self._facts, self._depth
        if self._decision is not None:
            twin._decision = self._decision.copy_for(twin)
        return twin

    def evaluate_option(self, number: int, seed: int, start: Start, outer: Start, seat: str, most: int) -> float:
        """Return the value of option `number` for a seat after a quick playout with dice seeded by `seed`.

        `start`, `outer`: (depth, address, side) of the decision, and of the enclosing decision. `most`: the maximum
        number of decisions answered after the option.
        """
        session, position = self.session, self.save_position()
        save_live_position(session)
        session.live = no_game
        bounds = self._compute_bounds(start, outer, seat)
        assert session.trials is not None
        return session.trials.evaluate_option(position, number, seed, -1 - seed, most, *bounds, 0)

    @property
    def tries_options(self) -> bool:
        """Return whether `try_options`, `evaluate_option` and `evaluate` can be used."""
        return self.session.trials is not None

    def try_options(
        self, trials: Sequence[Trial], most: int, start: Start, around: Start | None, own: str, few: int
    ) -> list[TrialResult | None]:
        """Try options of the pending decision, each until the position is at rest (see `lookahead.is_at_rest`).

        The result is None for a trial that the module cannot make. `start`, `around`: (depth, address, side) of the
        decision, and of the enclosing one. `most`: the maximum number of decisions answered after an option; `few`: the
        maximum after a reply of the seat `own`.
        """
        session, position = self.session, self.save_position()
        assert session.trials is not None
        save_live_position(session)
        session.live = no_game
        return session.trials.run(position, trials, self._compute_bounds(start, around, own), most, few)

    @property
    def follows_policies(self) -> bool:
        """Return whether trials can reply by a policy."""
        trials = self.session.trials
        return trials is not None and trials.follows_policies

    def build_decision_key(self) -> tuple[int, int, bytes]:
        """Return the key of the pending decision in the table of policy answers, for `enter_answer`.

        It holds the decision's number in the module, the handle of the side, and the bytes that encode the listed
        options.
        """
        self._list_into_buffer()
        facts = self._get_facts()
        assert self.session.trials is not None
        return facts.pending, facts.side, self.session.trials.build_listing_key()

    def set_policy(self, policy: object) -> bool:
        """Let trials reply by this policy; return whether another one was set before."""
        trials = self.session.trials
        assert trials is not None
        before, trials.policy = trials.policy, policy
        return before is not policy

    def clear_policy(self) -> None:
        """Clear all answers of the policy."""
        assert self.session.trials is not None
        self.session.trials.clear_policy()

    def enter_answer(self, key: tuple[int, int, bytes], number: int) -> int:
        """Enter the policy's answer to a decision; return its cell for `set_answer`, or 0 if the table is full.

        `key`: what identifies the decision, as `build_decision_key` returns it. `number`: the number of the option that
        the policy chooses.
        """
        assert self.session.trials is not None
        return self.session.trials.enter_policy(*key, number)

    def set_answer(self, cell: int, number: int) -> None:
        """Change an answer of the policy to option `number`. `cell`: as `enter_answer` returned it."""
        self.session.ints[cell] = number

    def mark_known(self, decisions: AbstractSet[tuple[str, str]]) -> None:
        """Mark decisions (address, side) as known: trials stop there."""
        session = self.session
        if session.marked != decisions:
            handles = self.program.handles["side"]
            marks = bytearray(len(session.sheet.decisions) * len(handles))
            for address, side in decisions:
                marks[session.addresses[address] * len(handles) + handles[side]] = 1
            session.memory[session.sheet.known : session.sheet.known + len(marks)] = marks
            session.marked = frozenset(decisions)

    def _compute_bounds(self, start: Start, around: Start | None, seat: str) -> tuple[int, int, int, int, int, int]:
        addresses, handles = self.session.addresses, self.program.handles
        depth, address, side = start
        outer, there = (_NOWHERE, 0) if around is None else (around[0], addresses[around[1]])
        return depth, addresses[address], handles["side"][side], outer, there, handles["seat"][seat]


def save_live_position(session: NativeSession) -> None:
    """Save the live position in a slot, so that another can become live."""
    live = session.live()
    if isinstance(live, NativeGame):
        live.save_position()
