"""Test that listed options can be chosen, that unlisted ones are refused with a reason, and that both agree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from interpreter.play.failing_reasons import format_reasons, iter_arguments
from interpreter.play.game import Game
from interpreter.runtime import drafts
from interpreter.runtime.decisions import Decision, Option, format_option_key
from interpreter.runtime.drafts import DraftStep
from interpreter.runtime.errors import IllegalAction
from tests.properties.games import GUIDE, OPTIONS, RULESETS, walk

# Only a share of the decisions of each game is examined, so that the test takes seconds.
SEEDS = {"napoleon": (5, 7), "denain-1712": (1, 67), "skirmish": (8, 3)}
LONGER = {"denain-1712": (1, 67, 1), "skirmish": (0, 1, 8)}  # first seed, share and how many, at leisure
CASES = [pytest.param(name, seed, every) for name, (count, every) in SEEDS.items() for seed in range(count)]
CASES += [
    pytest.param(name, seed, every, marks=[pytest.mark.soak])
    for name, (first, every, count) in LONGER.items()
    for seed in range(first, first + count)
]
MORE = [pytest.param(name, seed, 5) for name in GUIDE for seed in range(2)]


def positions(name: str, seed: int, every: int) -> list[Game]:
    """Return independent games at every n-th decision of a random game."""
    return [game.clone() for game in _walked(name, seed, every)]


@cache
def _walked(name: str, seed: int, every: int) -> tuple[Game, ...]:
    options = {"napoleon": (OPTIONS[seed % len(OPTIONS)],), "skirmish": ("fog",)}.get(name, ())
    games = enumerate(walk((RULESETS | GUIDE)[name](), seed, options=options))
    return tuple(g.clone() for n, g in games if n % every == seed % every and not g.over)


@pytest.mark.parametrize(("name", "seed", "every"), CASES)
def test_everything_listed_can_be_done(name: str, seed: int, every: int) -> None:
    for game in positions(name, seed, every):
        decision = game.decision
        assert decision is not None
        before = game.hash()
        keys = [o.key for o in decision.options]
        assert len(set(keys)) == len(keys) > 0, "keys tell options apart"
        for number, option in enumerate(decision.options):
            by_number, by_key, by_option = game.clone(), game.clone(), game.clone()
            by_number.pick(number)
            by_key.choose(option.key)
            by_option.choose(option)
            assert by_number.hash() == by_key.hash() == by_option.hash()
            assert option.label and isinstance(option.args, dict)
            assert game.why_not(option.name, **option.args) == ()
        assert game.hash() == before


def unlisted(game: Game, decision: Decision) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield key, name and arguments of everything in the domains that is not listed."""
    listed = {o.key for o in decision.options}
    for index, choice in enumerate(decision.info.options):
        for values in iter_arguments(game.state, decision.number, index, choice, decision.values):
            key = format_option_key(game.state, decision.info.options, (index, values))
            if key not in listed:
                yield key, choice.name, Option(decision, (index, values)).args


@pytest.mark.parametrize(("name", "seed", "every"), CASES)
def test_everything_else_is_refused_with_reason(name: str, seed: int, every: int) -> None:
    seen = 0
    for game in positions(name, seed, every):
        decision = game.decision
        assert decision is not None
        before = game.hash()
        for key, option, arguments in islice(unlisted(game, decision), 40):
            with pytest.raises(IllegalAction) as caught:
                game.choose(key)
            assert caught.value.reasons, key
            assert all(r.text.strip() for r in caught.value.reasons), key
            told = game.why_not(option, **arguments)
            assert len(told) == 1, key
            seen += 1
        for key in ("nonsense", "", "done(3)", f"{decision.info.name}(x", "🂠"):
            if key not in [o.key for o in decision.options]:
                with pytest.raises(IllegalAction) as caught:
                    game.choose(key)
                assert caught.value.reasons and caught.value.reasons[0].text
        assert game.hash() == before
    assert seen, "some positions refuse something"


@pytest.mark.parametrize(("name", "seed", "every"), CASES)
def test_option_is_listed_exactly_if_requirements_hold(name: str, seed: int, every: int) -> None:
    """Check that an option is listed exactly if no requirement fails, unless a preference passes it over."""
    for game in positions(name, seed, every):
        decision = game.decision
        assert decision is not None
        if decision.is_draft:
            _steps_agree(game, decision)
            continue
        listed = {raw for raw in decision.list_raw_options() if raw[0] >= 0}
        for index, choice in enumerate(decision.info.options):
            clean = set()
            for values in iter_arguments(game.state, decision.number, index, choice, decision.values):
                if not game.program.list_failures(game.state, choice.requires, (*decision.values, *values)):
                    clean.add(decision.key((index, values)))
            of_this = {decision.key(raw) for raw in listed if raw[0] == index}
            assert of_this <= clean
            assert bool(of_this) == bool(clean), "a preference never refuses everything"
            if not choice.prefers:
                assert of_this == clean


@pytest.mark.parametrize(("name", "seed", "every"), CASES + MORE)
def test_reason_is_first_requirement_that_fails(name: str, seed: int, every: int) -> None:
    """Check that the reason is the first failing requirement in the order of the text, each tested alone."""
    seen = 0
    for game in positions(name, seed, every):
        decision, state = game.decision, game.state
        assert decision is not None
        listed = {o.key for o in decision.options}
        for index, choice in enumerate(decision.info.options):
            firsts: dict[str, set[Any]] = {}  # by key: alike pieces share one, and may differ in what fails first
            domain = iter_arguments(state, decision.number, index, choice, decision.values)
            for values in islice(domain, 80):
                key = format_option_key(state, decision.info.options, (index, values))
                first = first_of(game, choice.requires, (*decision.values, *values))
                if key in listed:
                    assert game.why_not(choice.name, **Option(decision, (index, values)).args) == ()
                elif first is not None:
                    firsts.setdefault(key, set()).add(first)
                    [told] = game.why_not(choice.name, **Option(decision, (index, values)).args)
                    firsts[key].add((told.text, told.cite, told.address))
            for found in firsts.values():
                assert len(found) == 1 or any(game.program.is_alike)
            seen += len(firsts)
        if decision.is_draft:
            seen += _step_reasons(game, decision)
    assert seen


def first_of(game: Game, numbers: list[int], values: tuple[Any, ...]) -> tuple[str, tuple[str, ...], str] | None:
    """Return the first failing requirement, each tested alone, as text, citations and address; None if all hold."""
    for number in numbers:
        if found := game.program.list_failures(game.state, [number], values):
            told = format_reasons(game.state, found[:1])[0]
            return told.text, told.cite, told.address
    return None


def _step_reasons(game: Game, decision: Decision) -> int:
    """Return how many steps are refused now; check that each names the first requirement that fails."""
    state, draft = game.state, decision.draft
    here = drafts.walk(state, draft, decision.draft_args, state.draft)
    assert here is not None
    offered, number = {s.key for s in decision.steps()}, 0
    for index, step in enumerate(draft.steps):
        given = (*decision.draft_args, *here[0])
        for values in islice(iter_arguments(state, draft.name, index, step, given), 30):
            arguments = Option(decision, DraftStep((index, values))).args
            told = game.why_not(step.name, **arguments)
            if format_option_key(state, draft.steps, (index, values)) in offered:
                assert told == ()
                continue
            first = first_of(game, step.requires, (*given, *values))
            if first is not None:
                assert [(r.text, r.cite, r.address) for r in told] == [first]
                number += 1
    return number


def _steps_agree(game: Game, decision: Decision) -> None:
    state, draft, given = game.state, decision.draft, decision.draft_args
    offers = decision.find_draft_ends()
    assert offers.complete
    for found in offers.finished:
        here = drafts.walk(state, draft, given, found.steps)
        assert here is not None and here[0] == found.fields
        assert not game.program.list_failures(state, draft.finish, (*given, *found.fields))
        for taken in range(len(found.steps)):
            before = drafts.walk(state, draft, given, found.steps[:taken])
            assert before is not None
            legal = {s[0] for s in drafts.list_next_steps(state, draft, given, before[0])}
            for index, step in enumerate(draft.steps):
                clean = {
                    format_option_key(state, draft.steps, (index, values))
                    for values in iter_arguments(state, draft.name, index, step, (*given, *before[0]))
                    if not game.program.list_failures(state, step.requires, (*given, *before[0], *values))
                }
                if not step.prefers:
                    assert {format_option_key(state, draft.steps, s) for s in legal if s[0] == index} == clean


@pytest.mark.parametrize("name", list(RULESETS))
def test_draft_step_by_step_leads_where_whole_leads(name: str) -> None:
    seen = 0
    for game in walk(RULESETS[name](), 3):
        decision = game.decision
        if decision is None or not decision.is_draft:
            continue
        for option in decision.options[:3]:
            whole, single = game.clone(), game.clone()
            whole.choose(option.key)
            for key in option.key.split(" > "):
                single.choose(next(s for s in single.draft_steps() if s.key == key))
            if single.state.draft:
                single.choose("finish")
            assert single.hash() == whole.hash()
            seen += 1
        if seen > 20:
            break
    assert seen
