"""Trials of many options by one call, and the keys that identify options; see `assembly.trial_text`."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.backends.wasm.assembly import trial_text
from interpreter.backends.wasm.assembly.session_text import REQUEST
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.model import types as t

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.session import NativeSession, Position
    from interpreter.backends.wasm.host.state_transfer import Memory
    from interpreter.model.expressions import Value

_pack = Struct("<6q").pack_into
_read = Struct("<d6q").unpack_from
_read_value = Struct("<d").unpack_from
_SEEDS = 1 << 59  # seeds between this and its negative leave room for those derived from them
_MAX_KEYS = 1 << 16  # keys that a session remembers
_MAX_LISTINGS = 1 << 12


class OptionKey(tuple[Any, ...]):
    """Identity of an option: a tuple equal to the option's identity in Python.

    `decision`: the number of its decision; `raw`: the bytes that identify the option in the module.
    """

    decision: int
    raw: bytes


class Trial(NamedTuple):
    """Parameters of one trial: take an option, give replies, and evaluate the position reached.

    `option`: the number of the option, -1 to evaluate the unchanged position; `seed`: the seed of the dice. `most`: the
    maximum number of replies tried; `planned`: the key of the planned reply, or None. `is_own`: the seat chooses its
    first reply by lookahead. `is_sole`, `is_closer`: as in `players.bots.option_evaluation.ReplyPolicy`.
    `follows_policy`: replies are looked up in the policy table; `planned` and the other flags are then ignored.
    """

    option: int
    seed: int
    most: int = 0
    planned: object = None
    is_own: bool = False
    is_sole: bool = False
    is_closer: bool = False
    follows_policy: bool = False

    @property
    def mode(self) -> int:
        """Return the way to reply as the number that the module reads."""
        if self.follows_policy:
            return trial_text.POLICY
        flags = trial_text.SOLE * self.is_sole | trial_text.CLOSER * self.is_closer
        return trial_text.OWN * self.is_own | trial_text.PLANNED * (self.planned is not None) | flags


class NativeTrialBounds(NamedTuple):
    """The bounds at which a trial ends, in the order that the module reads.

    `depth`, `address`, `side`: for the decision whose options are tried, the number of suspended procedures, the number
    of its address, and the handle of the deciding side. `outer_depth`, `outer_address`: depth and address of the
    enclosing decision; `outer_depth` is -1 without one. `seat`: the handle of the seat that tries options.
    """

    depth: int
    address: int
    side: int
    outer_depth: int
    outer_address: int
    seat: int


class TrialResult(NamedTuple):
    """Result of a trial.

    `worth`: the value of the position reached; `ended`: 1 if the seat has won, -1 if it has lost, else 0. `is_certain`:
    chance had no part in it; `is_exhaustive`: all replies were tried. `reply`: the key of the seat's reply, None if it
    had none; `is_same`: a closer look found the planned reply again.
    """

    worth: float
    ended: int
    is_certain: bool
    is_exhaustive: bool
    reply: OptionKey | None
    is_same: bool


class TrialRunner:
    """Runner of trials in the memory of one session."""

    def __init__(self, session: NativeSession) -> None:
        self._session = session
        sheet = session.sheet
        self._at, self._keys_at = sheet.session.trials["TRIALS"], sheet.session.trials["KEYS"]
        self._few_at = (sheet.session.request + 8 * len(REQUEST)) // 8
        function = session.function
        self._run = function("trials", 2)
        self._listing_key = function("listing_key", 0)
        self._look, self._value_of = function("look", 0), function("value_of", 1)
        self._clear_policy, self._enter_policy = function("clear_policy", 0), function("enter_policy", 3)
        self._keys: dict[tuple[int, bytes], OptionKey] = {}
        self._listings: dict[tuple[int, bytes], tuple[Any, ...]] = {}
        self.policy: object = None  # the policy whose answers are in the table
        addresses = [d.address for d in sheet.rules.decisions]
        self.follows_policies = len(set(addresses)) == len(addresses)  # else a decision is not known by its address

    def run(
        self, position: Position, trials: Sequence[Trial], bounds: NativeTrialBounds, most: int, few: int
    ) -> list[TrialResult | None]:
        """Try options in a position: choose each, give default replies, and return the value of where that leads.

        The result is None for a trial that the module cannot make. `most`: the maximum number of decisions
        answered after an option; `few`: the maximum after a reply.
        """
        results: list[TrialResult | None] = []
        for start in range(0, len(trials), trial_text.MAX_TRIALS):
            results += self._run_some(position, trials[start : start + trial_text.MAX_TRIALS], bounds, most, few)
        return results

    def _run_some(
        self, position: Position, trials: Sequence[Trial], bounds: NativeTrialBounds, most: int, few: int
    ) -> list[TrialResult | None]:
        session, memory = self._session, self._session.memory
        at, size = self._at, trial_text.TRIAL_SIZE
        barred = set()
        for number, trial in enumerate(trials):
            place, planned, decision = at + size * number, trial.planned, 0
            if not -_SEEDS < trial.seed < _SEEDS:
                barred.add(number)
                continue
            if isinstance(planned, OptionKey):
                decision = planned.decision
                session.words[(place + trial_text.KEY_SIZE_AT) // 8] = len(planned.raw)
                key_at = place + trial_text.KEY_AT
                memory[key_at : key_at + len(planned.raw)] = planned.raw
            elif planned is not None:  # found by Python
                barred.add(number)
            _pack(memory, place, trial.option, trial.seed, -1 - trial.seed, trial.mode, trial.most, decision)
        slot = session.place_in_slot(position)
        done = 0
        while done < len(trials):
            if done in barred:
                done += 1
                continue
            until = min((n for n in barred if n > done), default=len(trials))
            # a trial that trapped may have left a request of its own, for the replies that it looked at
            session.request(0, 0, 0, most, *bounds, 0)
            session.words[session.sheet.session.request // 8] = slot
            session.words[self._few_at] = few
            try:
                self._run(done, until)
                done = until
            except TrapError:
                done = session.words[self._few_at + 1]
                barred.add(done)
        return [None if n in barred else self._read_result(at + size * n) for n in range(len(trials))]

    def _read_result(self, at: int) -> TrialResult:
        worth, ended, certain, exhaustive, decision, size, same = _read(
            self._session.memory, at + trial_text.RESULTS_AT
        )
        reply = None
        if decision >= 0:
            key_at = at + trial_text.KEY_AT
            reply = self.key(decision, bytes(self._session.memory[key_at : key_at + size]))
        return TrialResult(worth, ended, certain != 0, exhaustive != 0, reply, same != 0)

    def evaluate_option(self, position: Position, *request: int) -> float:
        """Try an option in a position and return the value of the position that it leads to.

        `request`: the numbers that `NativeGame.evaluate_option` sends.
        """
        self._session.write_request(position, request)
        self._look()
        return self._read_value()

    def value(self, seat: int) -> float:
        """Return the value of the live position for a seat."""
        self._value_of(seat)
        return self._read_value()

    def _read_value(self) -> float:
        value: float = _read_value(self._session.memory, 8 * (self._few_at + 2))[0]
        return value

    # --- keys ----------------------------------------------------------------------------------------------

    def key(self, decision: int, raw: bytes) -> OptionKey:
        """Return the key of an option of a decision. `raw`: its bytes in the module."""
        option_key = self._keys.get((decision, raw))
        if option_key is None:
            if len(self._keys) >= _MAX_KEYS:
                self._keys.clear()
            option_key = OptionKey(self._decode_key(decision, raw))
            option_key.decision, option_key.raw = decision, raw
            self._keys[decision, raw] = option_key
        return option_key

    def _decode_key(self, decision: int, raw: bytes) -> tuple[Any, ...]:
        session = self._session
        sheet, memory, words = session.sheet.rules.decisions[decision], session.memory, memoryview(raw).cast("q")
        if sheet.draft is None:
            return session.transfer.decode_option(memory, decision, words[1:].tolist())
        place, lengths = 1, 1 + words[0]
        out: list[Any] = []
        for type_ in session.sheet.rules.drafts[sheet.draft].offer:
            if isinstance(type_, t.SetType | t.ListType):
                values, lengths = words[place : place + words[lengths]].tolist(), lengths + 1
                out.append(tuple(self._decode_member(memory, value, type_) for value in values))
                place += len(values)
            else:
                out.append(session.transfer.decode_word(memory, words[place], type_))
                place += 1
        return tuple(out)

    def _decode_member(self, memory: Memory, word: int, type_: t.SetType | t.ListType) -> Value:
        if isinstance(type_, t.SetType) and self._session.sheet.values.count_set_words(type_):
            return word
        return self._session.transfer.decode_word(memory, word, type_.item or t.INT)

    def build_listing_key(self) -> bytes:
        """Return the bytes that distinguish the options of the pending decision of the live position."""
        size = self._listing_key()
        return bytes(self._session.memory[self._keys_at : self._keys_at + size])

    def list_option_keys(self, decision: int) -> tuple[Any, ...]:
        """Return the keys of all options of the pending decision of the live position."""
        raw = self.build_listing_key()
        listing = self._listings.get((decision, raw))
        if listing is None:
            if len(self._listings) >= _MAX_LISTINGS:
                self._listings.clear()
            listing = self._listings[decision, raw] = self._session.transfer.list_offers(self._session.memory)
        return listing

    # --- answers of a policy -----------------------------------------------------------------------------------

    def clear_policy(self) -> None:
        """Clear all answers of the policy."""
        self._clear_policy()

    def enter_policy(self, decision: int, side: int, listing: bytes, number: int) -> int:
        """Enter the policy's answer to a decision; return its index in `session.ints`, or 0 if the table is full.

        `decision`: the number of the decision; `side`: the handle of the deciding side. `listing`: the bytes that
        distinguish the options. `number`: the number of the option to take.
        """
        session = self._session
        session.memory[self._keys_at : self._keys_at + len(listing)] = listing
        entry = self._enter_policy(len(listing), decision, side)
        if not entry:
            return 0
        cell = (entry + 4) // 4
        session.ints[cell] = number
        return cell
