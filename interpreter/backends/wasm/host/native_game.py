"""A game played inside WebAssembly, step by step from Python: what bots need of a game, with the same choices.

Whatever the module cannot do exactly raises `TrapError` or `NotInsideError`; the game is then played by Python from
its beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.backends.wasm.assembly.session_text import OWN_CHOICE
from interpreter.backends.wasm.host.session import NativeSession, NotInsideError, Position
from interpreter.play.game import Game, GameOutcome
from interpreter.runtime.dice import DiceSource, SeededDice
from interpreter.runtime.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State

Start = tuple[int, str, str]  # depth, address and side of a decision
_NOWHERE = -1  # a depth that no decision has


class NativeDecision:
    """The decision a side must make now; `number` and `side_handle` are the module's."""

    __slots__ = ("_game", "number", "side_handle", "side", "seat", "address", "name", "_offers", "_may_end")

    def __init__(self, game: NativeGame, number: int, side: int) -> None:
        session = game.session
        self._game = game
        self.number = number
        self.side_handle = side
        self.side, self.seat, self.address, self.name = session_names(session, number, side)
        self._offers: tuple[Any, ...] | None = None
        self._may_end: bool | None = None

    def in_twin(self, game: NativeGame) -> NativeDecision:
        """Return this decision for a game in the same position."""
        twin = NativeDecision.__new__(NativeDecision)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin._game = game
        return twin

    @property
    def may_end(self) -> bool:
        """Return whether the last option ends a row of choices."""
        if self._may_end is None:
            self._may_end = self._game.ends_row()
        return self._may_end

    def offers(self) -> tuple[Any, ...]:
        """Return what distinguishes the options, in order: offers of draft ends, else the options themselves."""
        if self._offers is None:
            self._offers = self._game.listed_offers()
        return self._offers

    def raw_options(self) -> Sequence[Any]:
        """Return what distinguishes the options; a bot knows them by nothing else."""
        return self.offers()


def session_names(session: NativeSession, number: int, side: int) -> tuple[str, str, str, str]:
    """Return side, seat and address of a decision, and its name."""
    ids, sheet = session.program.ids, session.sheet.decisions[number]
    return ids["side"][side], ids["seat"][session.seat_of(side)], sheet.address, sheet.name


class NativeGame:
    """One game or trial. Its position is live in the session, or put aside."""

    __slots__ = (
        "session",
        "program",
        "scenario",
        "seed",
        "begun",
        "_position",
        "_dice",
        "_is_fresh",
        "_decision",
        "_forced",
    )

    def __init__(self, session: NativeSession, scenario: str | None, seed: int, begun: State) -> None:
        self.session = session
        self.program: Program = session.program
        self.scenario = scenario
        self.seed = seed
        self.begun = begun
        self._position: Position | None = None  # the position as it was put aside; None once it has changed
        self._dice: SeededDice | None = None  # dice of a trial, which tell how many bytes were used
        self._is_fresh = False  # whether they are still to be put into the position
        self._decision: NativeDecision | None = None
        self._forced = 0

    @classmethod
    def start(cls, session: NativeSession, scenario: str | None, options: tuple[str, ...], seed: int) -> NativeGame:
        """Begin a game and run it to its first decision."""
        put_live_aside(session)
        game = cls(session, scenario, seed, session.begin(scenario, options, seed))
        session.start()
        session.live = game
        return game

    # --- the position --------------------------------------------------------------------------------------

    def bring_here(self) -> None:
        """Make this game's position the live one."""
        session = self.session
        if session.live is self:
            return
        put_live_aside(session)
        assert self._position is not None
        session.take_back(self._position)
        session.live = self
        if self._is_fresh:
            assert self._dice is not None
            session.seed(session.sheet.dice, self._dice.seed, self._dice.counter)
            self._position, self._is_fresh = None, False

    def put_aside(self) -> Position:
        """Return the position as it was put aside."""
        if self._position is None or self._is_fresh:
            self.bring_here()
            self._position = self.session.put_aside()
        return self._position

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        self.bring_here()
        return self.session.word("over") != 0

    @property
    def turn(self) -> int:
        """Return the turn number, from 1."""
        self.bring_here()
        return self.session.words[self.session.turn_at]

    @property
    def depth(self) -> int:
        """Return the number of suspended procedures."""
        self.bring_here()
        return self.session.waiting()

    @property
    def decision(self) -> NativeDecision | None:
        """Return the pending decision, or None."""
        if self._decision is None and not self.over:
            session = self.session
            self._decision = NativeDecision(self, session.word("pending"), session.word("side"))
        return self._decision

    @property
    def state(self) -> State:
        """Return the position as a Python state without suspended procedures."""
        self.bring_here()
        return self.session.state(self.begun, self.seed)

    def as_python(self) -> Game:
        """Return the position as a Python game that can be read, not played on."""
        return Game(self.program, self.state, self.scenario, self.seed, False)

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
        self.bring_here()
        return self.session.worth(self.program.handles["seat"][seat])

    # --- options ---------------------------------------------------------------------------------------------

    def count(self) -> int:
        """Return the number of options of the pending decision."""
        self.bring_here()
        session = self.session
        if session.word("over"):
            return 0
        if session.word("partial"):
            session.list_options()
        return session.word("count")

    def has_choice(self) -> bool:
        """Return whether there is more than one option, or a row of choices that may be ended."""
        decision = self.decision
        return decision is not None and (decision.may_end or self.count() > 1)

    def ends_row(self) -> bool:
        """Return whether the last option ends a row of choices."""
        self.bring_here()
        session, sheet = self.session, self.session.sheet
        if session.word("partial"):
            return True
        if sheet.decisions[session.word("pending")].draft is not None or not session.word("count"):
            return False
        session.list_options()
        last = sheet.listed + (session.word("count") - 1) * sheet.option_size
        return session.words[last // 8] == -1

    def listed_offers(self) -> tuple[Any, ...]:
        """Return what distinguishes the options, in order."""
        self.bring_here()
        session = self.session
        session.list_options()
        return session.transfer.offers(session.memory)

    # --- choices ---------------------------------------------------------------------------------------------

    def pick(self, number: int) -> None:
        """Choose the option with this number."""
        self.bring_here()
        session = self.session
        count = self.count()
        if not 0 <= number < count:
            raise NotInsideError(f"the option {number}")
        self._forced = self._forced + 1 if count == 1 else 0
        if self._forced > LIMITS.forced:
            raise NotInsideError("decisions without a choice")  # Python tells of them
        self._position = self._decision = None
        session.pick(number)
        self._note_dice()

    def play(self, most: int) -> int:
        """Choose by chance, with the session's chooser, to the end or `most` times; return how many choices it took."""
        self.bring_here()
        self._position = self._decision = None
        return self.session.play(most)

    def play_turn(self, most: int) -> int:
        """Choose by chance to the end of the turn; return how many choices it took."""
        self.bring_here()
        self._position = self._decision = None
        return self.session.play_turn(most)

    def end_row(self) -> None:
        """Choose the last option, which ends a row of choices."""
        self.pick(self.count() - 1)

    def _note_dice(self) -> None:
        if self._dice is not None:
            self._dice.move_to(self.session.words[self.session.used_at[0]])

    # --- looking ahead -----------------------------------------------------------------------------------------

    def trial(self, dice: DiceSource) -> NativeGame:
        """Return a game in the same position with other dice."""
        if not isinstance(dice, SeededDice):
            raise NotInsideError("dice that are not seeded")
        twin = NativeGame(self.session, self.scenario, self.seed, self.begun)
        twin._position, twin._dice, twin._is_fresh = self.put_aside(), dice, True
        if self._decision is not None:
            twin._decision = self._decision.in_twin(twin)
        return twin

    def attempt(
        self,
        number: int,
        dice: SeededDice,
        chooser: SeededDice,
        most: int,
        start: Start,
        around: Start | None,
        own: str,
        is_own: bool,
    ) -> tuple[NativeGame, int]:
        """Return a trial in which an option was taken and `advance` has answered; see there."""
        session, position = self.session, self.put_aside()
        twin = NativeGame(session, self.scenario, self.seed, self.begun)
        put_live_aside(session)
        session.live = None
        bounds = self._bounds(start, around, own)
        left = session.attempt(position, number, dice.seed, chooser.seed, most, *bounds, OWN_CHOICE if is_own else 0)
        session.live, twin._dice = twin, dice
        twin._note_dice()
        chooser.move_to(session.words[session.used_at[1]])
        return twin, left

    def advance(
        self, chooser: SeededDice, most: int, start: Start, around: Start | None, own: str, is_own: bool
    ) -> int:
        """Answer quickly until the decision `start` is at rest or `around` is asked again, at most `most` times.

        Return how many answers are left at the first choice of the seat `own` itself if it `is_own`, else 0.
        """
        self.bring_here()
        session = self.session
        session.seed(session.sheet.chooser, chooser.seed, chooser.counter)
        bounds = self._bounds(start, around, own)
        session.request(0, 0, 0, most, *bounds, OWN_CHOICE if is_own else 0)
        self._position = self._decision = None
        left = session.advance()
        self._note_dice()
        chooser.move_to(session.words[session.used_at[1]])
        return left

    def look(self, number: int, seed: int, start: Start, outer: Start, seat: str, most: int) -> float:
        """Return what an option is worth to a seat after quick answers, with dice from a seed."""
        session, position = self.session, self.put_aside()
        put_live_aside(session)
        session.live = None
        bounds = self._bounds(start, outer, seat)
        return session.look(position, number, seed, -1 - seed, most, *bounds, 0)

    def _bounds(self, start: Start, around: Start | None, seat: str) -> tuple[int, int, int, int, int, int]:
        addresses, handles = self.session.addresses, self.program.handles
        depth, address, side = start
        outer, there = (_NOWHERE, 0) if around is None else (around[0], addresses[around[1]])
        return depth, addresses[address], handles["side"][side], outer, there, handles["seat"][seat]


def put_live_aside(session: NativeSession) -> None:
    """Put the live position aside, so that another can take its place."""
    live = session.live
    if isinstance(live, NativeGame):
        live.put_aside()
