"""One game under a small step budget, in the programs for play and for odds, which must end at the same place.

With a record or without, queried or not, continued on a copy: the fault and its place must be equal, or there is none.
The expected answer is never computed here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.model.checked_model import CheckedModel
from interpreter.runtime import machine
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS
from tests.witness.comparing import Differs, plain, questions
from tests.witness.forms import Odds, Run, asked_of, programs_of, told

DECIDING = ("play", "odds")


@contextmanager
def budget(steps: int) -> Iterator[None]:
    """Give programs that are compiled and run in the context so many steps for a choice."""
    usual = LIMITS.steps
    object.__setattr__(LIMITS, "steps", steps)
    try:
        yield
    finally:
        object.__setattr__(LIMITS, "steps", usual)


def agree_at(model: CheckedModel, steps: int, seed: int, most: int = 12) -> bool:
    """Play a game with choices from a seed; return whether a fault ended it. Raise Differs if programs disagree."""
    with budget(steps):
        programs = programs_of(model, DECIDING)
        runs = [
            Run("play", programs),
            Run("recording", programs, record=True),
            Run("odds", programs),
            Odds(programs),
            Run("looked at", programs),
            Run("copied", programs),
        ]
        chooser = random.Random(seed)
        for run in runs:
            run.begin(lambda game: machine.begin(game.state, game.state.last_turn), seed=seed)
        for _ in range(most):
            spent = {run.name: run.state.spent - run.program.unspent for run in runs if not run.fault}
            if len(set(spent.values())) > 1:
                raise Differs(f"budget of {steps}: so much was spent: {spent}")
            asked = [_asked(run) for run in runs]
            if any(run.fault != runs[0].fault for run in runs):
                raise Differs(
                    f"budget of {steps}: " + ", ".join(f"{run.name}: {run.fault and run.fault[1:]}" for run in runs)
                )
            if runs[0].fault or asked[0] is None:
                break
            if any(found != asked[0] for found in asked):
                raise Differs(f"budget of {steps}: {asked}")
            _look(model, runs[-2], chooser)
            runs[-1].game = runs[-1].game.clone()
            number = chooser.randrange(runs[0].game.count())
            for run in runs:
                run.choose(number)
        if len({run.game.hash() for run in runs if run.form == "play" and not run.fault}) > 1:
            raise Differs("the same game has several hashes")
        return runs[0].fault is not None


def _asked(run: Run) -> Any:
    """Return the present question in comparable form, or None; listing its options may itself fault."""
    if run.fault:
        return None
    try:
        found = run.asked()
    except RuleFault as fault:
        run.fault = told(fault)
        return None
    return None if found is None else plain(found)


def _look(model: CheckedModel, run: Run, chooser: random.Random) -> None:
    """Make every query of a game; what it caches must not matter."""
    for function, _core, args in questions(model, chooser, 4):
        run.state.spent = run.program.unspent
        asked_of(run.program, run.state, function, *args)
