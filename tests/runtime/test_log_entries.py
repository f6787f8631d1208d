"""The records that a game logs."""

from __future__ import annotations

from typing import get_args

import pytest

from interpreter.api.game import load
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime import machine
from interpreter.runtime.drafts import to_answer
from interpreter.runtime.log_entries import LogEntry, LoggedRoll, LookupNote, TallyNote, TraceEntry, TraceLog


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_recorded_game_logs_only_log_entries(ruleset: str) -> None:
    game = load(ruleset).start(seed=3)
    while not game.over and len(game.keys) < 150:
        game.pick(len(game.keys) % game.count())
    found = {type(entry) for entry in game.get_raw_log()}
    assert found <= set(get_args(LogEntry))
    assert len(found) >= 7


def test_instrumented_program_logs_only_trace_entries() -> None:
    rules = load("denain-1712")
    game, found = rules.start(seed=3), set[type]()
    program = rules.form("ledger")
    while not {LoggedRoll, LookupNote, TallyNote} <= found:
        state = transfer_state(program, game.state)
        state.log = log = TraceLog()
        decision = game.decision
        assert decision is not None
        machine.answer(state, to_answer(game.state, decision.get_raw_option(len(game.keys) % game.count())))
        found |= {type(entry) for entry in log}
        game.pick(len(game.keys) % game.count())
    kinds = {kind for part in get_args(TraceEntry) for kind in (get_args(part) or (part,))}
    assert found <= kinds
