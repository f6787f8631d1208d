"""Choice history: which choices belong to one order, such as an attack, its reaction fire and its losses.

An order of a repeated decision may require further choices before the decision repeats. The order and these choices
form an order record. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from interpreter.play.game import Game
from interpreter.play.ledger import list_states_at_entries
from interpreter.players.orders.repeated_decisions import DecisionSeries, find_series_in_state
from interpreter.runtime.log_entries import (
    LogEntry,
    LoggedChoice,
    LoggedForcedChoice,
    LoggedPhase,
    LoggedRoll,
    LoggedTurn,
    TraceEntry,
)
from interpreter.runtime.state import State

_MAX_EXAMINED = 40  # choices before or after one that are examined


@dataclass(frozen=True, slots=True)
class RecordedChoice:
    """A choice that was made, or a part of it: its number from 1, the state before it, and its log entries.

    `part`: which part it is; a new one begins with each order or phase within the choice. From 1 on, `key` is ''.
    `offset`: how many log entries of the choice precede the part.
    """

    number: int
    before: State
    key: str
    raws: tuple[LogEntry, ...]
    part: int = 0
    offset: int = 0

    @property
    def has_dice(self) -> bool:
        """Return whether dice were rolled for it."""
        return any(isinstance(raw, LoggedRoll) for raw in self.raws)


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """All choices of one order: `choice`, the choices `before` it that led to it, and those `after` it that resolve it.

    Several of them may have rolled dice, such as an attack and its answer. `end` is the state in which the next order
    or phase began within the last choice, or None.
    """

    before: tuple[RecordedChoice, ...]
    choice: RecordedChoice
    after: tuple[RecordedChoice, ...]
    end: State | None = None

    @property
    def start(self) -> State:
        """Return the state before the first choice."""
        return self.choices[0].before

    @property
    def choices(self) -> tuple[RecordedChoice, ...]:
        """Return all choices in order of time."""
        return (*self.before, self.choice, *self.after)


class ChoiceHistory:
    """The recorded choices of a game by number, from 1; steps of a draft belong to the choice they build."""

    def __init__(self, game: Game) -> None:
        self.game = game
        entries = list(enumerate(reversed(list(game.get_history().iter_marks()))))
        self._positions = [(n, length) for n, (length, key) in entries if key]

    def __len__(self) -> int:
        return len(self._positions)

    def find_log_start(self, number: int) -> int:
        """Return the length of the log before the choice with this number."""
        return self._positions[number - 1][1]

    def list_log_entries(self, number: int) -> tuple[LogEntry, ...]:
        """Return the log entries of the choice with this number, as the runtime logged them."""
        log = self.game.get_raw_log()
        end = self._positions[number][1] if number < len(self._positions) else len(log)
        return tuple(log[self.find_log_start(number) : end])

    def get_choice(self, number: int) -> RecordedChoice:
        """Return the choice with this number and the state before it."""
        before, _length, key = self.game.get_history()[self._positions[number - 1][0]]
        return RecordedChoice(number, before, key, self.list_log_entries(number))

    def get_state_after(self, number: int) -> State:
        """Return the state after the choice with this number."""
        return self.get_choice(number + 1).before if number < len(self) else self.game.state

    def list_with_dice(self, since: int = 0) -> tuple[int, ...]:
        """Return the numbers of the choices after choice `since` for which dice were rolled."""
        return tuple(
            n
            for n in range(since + 1, len(self) + 1)
            if any(isinstance(raw, LoggedRoll) for raw in self.list_log_entries(n))
        )

    def get_chooser(self, number: int) -> str:
        """Return the id of the seat that made the choice with this number."""
        return next((raw.seat for raw in self.list_log_entries(number) if isinstance(raw, LoggedChoice)), "")

    def find_last_own_choice(self, seats: Collection[str]) -> int:
        """Return the number of the last choice of these seats after which another seat has chosen; 0 for none.

        If no other seat has chosen, return the number of all choices.
        """
        has_answer = False
        for number in range(len(self), 0, -1):
            is_own = self.get_chooser(number) in seats
            if is_own and has_answer:
                return number
            has_answer = has_answer or not is_own
        return 0 if has_answer else len(self)

    def find_turn_before_answer(self, seats: Collection[str]) -> int:
        """Return the number of the last choice before the latest turn of these seats that other seats have answered.

        A turn consists of consecutive choices of the seats. Return 0 if that turn began the game.
        """
        begun = self.find_last_own_choice(seats)
        while begun > 0 and self.get_chooser(begun) in seats:
            begun -= 1
        return begun

    def find_order_record(self, number: int, until: int = 0) -> OrderRecord:
        """Return the choices that belong to one order with choice `number`; none after `until`, unless that is 0."""
        choice = self.get_choice(number)
        before = self._list_preceding(choice)
        after = self._list_following(number, find_series_in_state((before[0] if before else choice).before), until)
        if after:  # an inner series may have asked the choice, and an outer one its consequences
            whole = [preceding for preceding in self._list_preceding(after[-1]) if preceding.number < number]
            before = max(before, whole, key=len)
        return OrderRecord(tuple(before), choice, tuple(after))

    def is_open(self, order_record: OrderRecord) -> bool:
        """Return whether the choice that follows a recorded order still belongs to it."""
        last = order_record.choices[-1].number
        following = RecordedChoice(last + 1, self.get_state_after(last), "", ())
        return order_record.end is None and self._is_following(
            following, order_record.choice.number, find_series_in_state(order_record.start)
        )

    def split_order_record(self, order_record: OrderRecord) -> tuple[OrderRecord, ...]:
        """Split an order record into the order itself and the orders that began automatically within its choices.

        For example, the losses of an attack may be followed by the last attack of the phase, given because nothing else
        could be ordered, or by the rolls of the next phase.
        """
        series = find_series_in_state(order_record.start)
        orders: list[OrderRecord] = []
        current: list[RecordedChoice] = []
        inner_series: DecisionSeries | None = None
        for choice in order_record.choices:
            choice_series = find_series_in_state(choice.before)
            if (
                current
                and inner_series is not None
                and inner_series.waiting != ()
                and not inner_series.is_running_in(choice.before)
            ):
                orders.append(OrderRecord((), current[0], tuple(current[1:]), choice.before))
                current, inner_series = [], None
            if not self._is_repeated(series) and self._is_repeated(choice_series):
                inner_series = choice_series
            cuts = self._list_cuts(choice, series, inner_series)
            if (
                cuts
                and inner_series is not None
                and not inner_series.is_running_in(self.get_state_after(choice.number))
            ):
                inner_series = None  # another order has begun already
            first = cuts[0][0] if cuts else len(choice.raws)
            current.append(replace(choice, raws=choice.raws[:first]))
            for part, (cut, state) in enumerate(cuts, 1):
                orders.append(OrderRecord((), current[0], tuple(current[1:]), state))
                last = cuts[part][0] if part < len(cuts) else len(choice.raws)
                current = [RecordedChoice(choice.number, state, "", choice.raws[cut:last], part, cut)]
        orders.append(OrderRecord((), current[0], tuple(current[1:])))
        return tuple(orders) if len(orders) > 1 else (order_record,)

    def _list_cuts(
        self, choice: RecordedChoice, series: DecisionSeries | None, inner_series: DecisionSeries | None
    ) -> list[tuple[int, State]]:
        """Return (index, state) of each log entry of a choice at which another order, phase or turn began.

        `series`: the decision in which the order was given. What is logged after the procedure of that decision has
        ended belongs to another order. `inner_series`: the series of orders within that decision; the first choice that
        is made automatically after it has ended begins another order, such as the only fight after the last move.
        """
        after = self.get_state_after(choice.number)
        ends = series is not None and not series.is_running_in(after)
        if inner_series is not None and (inner_series.waiting == () or inner_series.is_running_in(after)):
            inner_series = None
        is_next = inner_series is not None and any(map(_is_forced, choice.raws))
        if not is_next and (
            not choice.has_dice or not ends and not any(_is_order_beginning(r, series) for r in choice.raws)
        ):
            return []
        has_ended = False

        def is_beginning(entry: TraceEntry, state: State) -> bool:
            nonlocal has_ended, inner_series
            was_running = not has_ended
            has_ended = has_ended or series is not None and not series.is_running_in(state)
            if inner_series is not None and _is_forced(entry) and not inner_series.is_running_in(state):
                inner_series = None
                return True
            return _is_order_beginning(entry, series) or (was_running and has_ended)

        faces = [face for raw in choice.raws if isinstance(raw, LoggedRoll) for face in raw.faces]
        cuts = [n for n, raw in enumerate(choice.raws) if not isinstance(raw, LoggedChoice)]
        return [(cuts[n], state) for n, state in list_states_at_entries(choice.before, choice.key, faces, is_beginning)]

    def _list_preceding(self, choice: RecordedChoice) -> list[RecordedChoice]:
        """Return the choices before `choice` that belong to the same order, its first choice first; [] without any.

        A repeated decision that is asked again or has ended in between, or another phase, means that another order has
        begun. So does the second of two repeated decisions that follow a choice in a decision asked only once.
        """
        series = find_series_in_state(choice.before)
        choices: list[RecordedChoice] = []
        is_second_series = False
        for number in range(choice.number - 1, max(0, choice.number - _MAX_EXAMINED), -1):
            past = self.get_choice(number)
            past_series = find_series_in_state(past.before)
            has_ended = past.key == "done" and not past.has_dice  # if dice followed, its order goes on
            is_end = has_ended or any(isinstance(raw, LoggedPhase) for raw in past.raws)
            if (
                past_series is None
                or series is None
                or is_end
                or past_series.moment != series.moment
                or past_series.is_asked_in(choice.before)
            ):
                break
            choices.insert(0, past)
            if past_series.is_interrupted_in(choice.before):
                return [] if is_second_series and not self._is_repeated(past_series) else choices
            is_second_series = is_second_series or (self._is_repeated(past_series) and self._is_repeated(series))
        return []

    def _list_following(self, number: int, series: DecisionSeries | None, until: int) -> list[RecordedChoice]:
        """Return the choices after choice `number` that belong to its order; none after `until`, unless that is 0."""
        choices: list[RecordedChoice] = []
        is_repeated = self._is_repeated(series)
        inner_series: DecisionSeries | None = None
        for later in range(number + 1, min(until or len(self), len(self), number + _MAX_EXAMINED) + 1):
            following = self.get_choice(later)
            if not self._is_following(following, number, series):
                break
            following_series = find_series_in_state(following.before)
            if not is_repeated and self._is_repeated(following_series):
                if inner_series is not None and not inner_series.is_asked_in(following.before):
                    break
                inner_series = following_series
            choices.append(following)
            if following.key == "done" and not is_repeated:
                break
        return choices

    def _is_repeated(self, series: DecisionSeries | None) -> bool:
        return series is not None and self.game.program.decisions[series.number].is_repeated

    def _is_following(self, following: RecordedChoice, number: int, series: DecisionSeries | None) -> bool:
        """Return whether a later choice belongs to the order of choice `number`, which the series `series` asked."""
        if series is not None and series.is_interrupted_in(following.before):
            return True
        return number in (choice.number for choice in self._list_preceding(following))


def _is_forced(raw: TraceEntry) -> bool:
    """Return whether a log entry is a choice that was made automatically for a side."""
    return isinstance(raw, LoggedForcedChoice) and raw.side is not None


def _is_order_beginning(raw: TraceEntry, series: DecisionSeries | None) -> bool:
    """Return whether a log entry begins a turn, a phase, or another order of `series`, given automatically."""
    if isinstance(raw, LoggedForcedChoice):
        return series is not None and raw.decision == series.number
    return isinstance(raw, LoggedTurn | LoggedPhase)
