"""Route planning: find the sequence of choices that brings a piece to a place, on copies of the game.

Works for any ruleset: a choice that names a piece, followed by one that names the place. The game itself is unchanged;
rolls on the way are reported by name, never by result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any

from interpreter.i18n.translator import get_translator, mark as _
from interpreter.play.game import Game
from interpreter.players.orders.matching import collect_option_words, get_kind, list_things, match_options, match_things
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import IllegalAction, Reason, RuleFault
from interpreter.runtime.limits import LIMITS
from interpreter.runtime.log_entries import LogEntry, LoggedChoice, LoggedForcedChoice, LoggedRoll
from interpreter.runtime.option_keys import format_piece_group
from interpreter.runtime.type_aliases import Number, handle_of

_MAX_ACTING = 12  # pieces for which an order against a target is tried
MAX_REPEATED_ORDERS = 200  # orders given by one "all"
_TRIED_TOGETHER = 10  # times the steps of one choice, for all choices that are tried for one question or group order
_STEPS_OF_A_TRIAL = 500  # charged for each trial besides the steps of its choices: a copy, and its options


@dataclass(frozen=True)
class Route:
    """A sequence of choices, `legs`; usable in a menu like an option."""

    legs: tuple[Option, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the keys to choose, in order."""
        return tuple(leg.key for leg in self.legs)

    @property
    def key(self) -> str:
        """Return the keys as one text."""
        return "; ".join(self.keys)

    @property
    def name(self) -> str:
        """Return the name of the first choice."""
        return self.legs[0].name

    @cached_property
    def args(self) -> dict[str, Any]:
        """Return the arguments of all choices; for a shared name, the value of the last one."""
        return {name: value for leg in self.legs for name, value in leg.args.items()}

    @property
    def is_end(self) -> bool:
        """Return False: a route is not a finished draft, which only an option can be."""
        return False

    @cached_property
    def shows(self) -> dict[str, Any]:
        """Return the value type of each argument."""
        return {name: show for leg in self.legs for name, show in leg.shows.items()}

    @property
    def cite(self) -> tuple[str, ...]:
        """Return the rule paragraphs of all choices, without duplicates."""
        return tuple(dict.fromkeys(c for leg in self.legs for c in leg.cite))

    @property
    def cost(self) -> Number | None:
        """Return the cost of the last choice, or None if the rules count none."""
        return self.legs[-1].cost

    @property
    def has_words(self) -> bool:
        """Return whether the rules give the last choice a label."""
        return self.legs[-1].has_words

    @cached_property
    def label_arguments(self) -> frozenset[str]:
        """Return the names of the arguments that the texts of its choices use."""
        return frozenset[str]().union(*(leg.label_arguments for leg in self.legs))

    def get_label_words(self, language: str = "") -> tuple[str, ...]:
        """Return the values that are inserted into the labels of its choices."""
        return tuple(words for leg in self.legs for words in leg.get_label_words(language))

    def text(self, language: str = "") -> str:
        """Render the texts of all choices."""
        return get_translator(language)(_(": ")).join(leg.text(language) for leg in self.legs)


@dataclass(frozen=True, slots=True)
class RouteEnd:
    """The result of a choice: `game` is a copy at `decision`, the next one of the same seat after `option`."""

    option: Option
    game: Game
    decision: Decision


def iter_route_ends(game: Game, options: Sequence[Option]) -> Iterator[RouteEnd]:
    """Yield the result of each choice after which the same seat decides again and no dice were thrown.

    Lazy: a caller that needs only some stops iterating.
    """
    seat = game.decision.seat if game.decision else ""
    for option in options:
        trial = try_options(game, [option.key])
        after = trial.decision
        if after is not None and after.seat == seat and not _has_rolled(trial):
            yield RouteEnd(option, trial, after)


def find_routes(game: Game, piece_text: str, destination: str, name_index: NameIndex) -> list[Route]:
    """Return every route of a piece to the place with the id `destination`.

    `piece_text`: typed words that name the piece; "" means the piece whose path is being drafted.
    """
    return find_routes_from_options(game, _match_options_for(game, piece_text, name_index), destination)


def list_piece_orders(piece: str, game: Game) -> list[Option]:
    """Return the options of the current decision that concern a piece: they name it or its interchangeable group.

    If a draft concerns the piece, all its options are returned.
    """
    decision = game.decision
    if decision is None:
        return []
    handle = game.program.handles["piece"][piece]
    called = {piece, format_piece_group(game.state, handle)} if game.program.is_alike[handle] else {piece}
    options = [o for o in decision.options if called.intersection(list_things(o, "piece"))]
    if not options and piece in _list_drafted_pieces(game, decision):
        return list(decision.options)
    return options


def _list_drafted_pieces(game: Game, decision: Decision) -> list[str]:
    """Return the ids of the pieces that the pending draft is about: its piece arguments; [] outside of a draft.

    Arguments of other types, such as numbers and flags, can equal the handle of a piece and are left out.
    """
    if not decision.is_draft:
        return []
    return [
        game.program.ids["piece"][handle_of(value)]
        for param, value in zip(decision.draft.params, decision.draft_args, strict=True)
        if tuple(param.show) == ("thing", "piece")
    ]


def _match_options_for(game: Game, piece_text: str, name_index: NameIndex) -> list[Option]:
    """Return the options of the pending decision, except `done`, that match typed words or the id of a piece.

    All options are returned if the text is empty or names the piece whose path is being drafted.
    """
    decision = game.decision
    if decision is None:
        return []
    options = [o for o in decision.options if o.name != "done"]
    if not piece_text:
        return options
    if piece_text in game.program.handles["piece"] and (piece_orders := list_piece_orders(piece_text, game)):
        return piece_orders
    numbers = {word for word in tokenize_words(piece_text) if word.isdigit()}
    # a number counts the pieces that go, never those of other sides at the goal
    candidates = [o for o in options if not numbers or _has_own_numbers(o, numbers, name_index)]
    matches = match_options(candidates, piece_text, name_index)
    if not matches and decision.is_draft:
        if set(match_things("piece", piece_text, name_index)).intersection(_list_drafted_pieces(game, decision)):
            return options
    return matches


def _has_own_numbers(option: Option, numbers: set[str], name_index: NameIndex) -> bool:
    """Return whether each of the typed `numbers` begins a word of the option; pieces of other sides do not count."""
    option_words = collect_option_words(option, name_index, with_others=False)
    return all(any(word.startswith(number) for word in option_words) for number in numbers)


def find_routes_from_options(game: Game, options: Sequence[Option], destination: str) -> list[Route]:
    """Return every route to the place with the id `destination` that begins with one of these options."""
    decision = game.decision
    if decision is None:
        return []
    direct = [o for o in options if destination in list_things(o, "place")]
    if direct or decision.is_draft:
        return [Route((o,)) for o in direct]
    return [
        Route((first.option, last))
        for first in iter_route_ends(game, options)
        if first.decision.address != decision.address
        for last in first.decision.options
        if destination in list_things(last, "place")
    ]


def prefer_plain_routes(game: Game, routes: Sequence[Route]) -> list[Route]:
    """Return, as a list, the only cheapest route if it leaves the attributes of the piece unchanged, else all routes.

    Flags mark unusual choices: a route with flags is never preferred to one without. Without costs, the only route
    without flags is chosen.
    """
    plain = [route for route in routes if not any(v is True for v in route.args.values())] or list(routes)
    least = min((route.cost for route in plain if route.cost is not None), default=None)
    cheapest = [route for route in plain if route.cost == least]
    if least is None and len(plain) == 1:
        return plain
    if len(routes) > 1 and least is not None and len(cheapest) == 1 and _is_keeping_attributes(game, cheapest[0]):
        if all(route.cost is None or route.cost >= least for route in routes):
            return cheapest
    return list(routes)


def _is_keeping_attributes(game: Game, route: Route) -> bool:
    """Return whether the last choice of a route leaves the attributes of its piece unchanged.

    That is so if it names things, such as groups, and the piece has all of them already; places, pieces and edges do
    not count.
    """
    pieces = [v for v in list_things(route.legs[0], "piece") if v in game.program.handles["piece"]]
    has = {str(v) for piece in pieces for v in game.view()["pieces"][piece].values() if isinstance(v, str)}
    last = route.legs[-1]
    values = [v for n, v in last.args.items() if get_kind(last.shows.get(n)) not in ("", "place", "piece", "edge")]
    return bool(values) and all(str(v) in has for v in values)


def find_largest_move(game: Game, origin: str, goal: str) -> Route | None:
    """Return the route from `origin` to `goal` that takes the most pieces, or None.

    Of equal ones, the one with the fewest flags (which mark unusual choices), then the least cost.
    """
    options = game.decision.options if game.decision is not None else ()
    starts = [o for o in options if any(_is_piece_at(game, piece, origin) for piece in list_things(o, "piece"))]
    return max(find_routes_from_options(game, starts, goal), key=_rank_route, default=None)


def count_pieces(route: Route) -> int:
    """Return how many pieces a route takes: the sum of the integers among its arguments, or 0."""
    return sum(v for v in route.args.values() if isinstance(v, int) and not isinstance(v, bool))


def _rank_route(route: Route) -> tuple[int, int, Number]:
    """Return a sort key: more pieces first, then fewer flags, then less cost."""
    return count_pieces(route), -sum(v is True for v in route.args.values()), -(route.cost or 0)


def _is_piece_at(game: Game, piece: str, place: str) -> bool:
    """Return whether a piece, or a group of interchangeable pieces, is at the place with the id `place`."""
    handles = game.program.handles
    if piece in handles["piece"] and game.state.at[handles["piece"][piece]] == handles["place"][place]:
        return True
    return piece.endswith("@" + place)


def find_reachable_places(game: Game, options: Sequence[Option]) -> dict[str, Any]:
    """Return the places that the options reach directly, each with its least cost (None if the rules count none)."""
    costs: dict[str, Any] = {}

    def collect_place(option: Option) -> None:
        for place in list_things(option, "place"):
            cost = option.cost
            if place not in costs or cost is not None and (costs[place] is None or cost < costs[place]):
                costs[place] = cost

    address = game.decision.address if game.decision else ""
    for option in options:
        collect_place(option)
    for first in iter_route_ends(game, [o for o in options if not list_things(o, "place")]):
        for last in first.decision.options if first.decision.address != address else ():
            collect_place(last)
    return costs


def find_places_in_reach(game: Game, piece_text: str, name_index: NameIndex) -> dict[str, Any]:
    """Return the places in reach of the piece that `piece_text` names; empty if it matches no piece or several."""
    decision = game.decision
    if decision is None or not (piece_text or decision.is_draft):
        return {}
    options = _match_options_for(game, piece_text, name_index)
    return find_reachable_places(game, options) if decision.is_draft or len(options) == 1 else {}


def find_options_aimed_at(game: Game, piece_text: str, place: str, name_index: NameIndex) -> list[Option]:
    """Return the options of the named piece whose target is at the place with the id `place`.

    The first argument of an option is the piece that acts; the other arguments are its targets.
    """
    if game.decision is None or game.decision.is_draft:
        return []
    options = _match_options_for(game, piece_text, name_index)
    return [o for o in options if any(_is_piece_at(game, piece, place) for piece in list_things(o, "piece")[1:])]


def explain_unreachable(game: Game, piece_text: str, destination: str, name_index: NameIndex) -> tuple[Reason, ...]:
    """Return the reasons why `piece_text` cannot reach the place with the id `destination`, or () if none is known.

    Either the piece cannot be ordered, or an obstacle blocks it.
    """
    decision = game.decision
    if decision is None:
        return ()
    options = _match_options_for(game, piece_text, name_index)
    if not options:
        return _explain_not_orderable(game, decision, piece_text, name_index)
    if decision.is_draft:
        return _explain_draft_obstacles(game, decision, destination)
    if not piece_text and len(options) > 1:  # no particular piece is meant
        return ()
    return next(filter(None, (_explain_option_obstacles(game, option, destination) for option in options)), ())


def _explain_option_obstacles(game: Game, option: Option, destination: str) -> tuple[Reason, ...]:
    """Return the reasons why an option, or the path drafted after it, does not lead to a place."""
    places = [n for n, show in option.shows.items() if tuple(show) == ("thing", "place")]
    for name in places:
        if reasons := filter_requirements(game.why_not(option.name, **{**option.args, name: destination}), game):
            return reasons
    for first in iter_route_ends(game, [option]):
        if first.decision.is_draft:
            return _explain_draft_obstacles(first.game, first.decision, destination)
    return ()


def _explain_not_orderable(
    game: Game, decision: Decision, piece_text: str, name_index: NameIndex
) -> tuple[Reason, ...]:
    """Return the reasons why the first option that takes a piece cannot be chosen for the named one, or ()."""
    pieces = match_things("piece", piece_text, name_index)
    localizer = name_index.localizer
    if not pieces or decision.is_draft or localizer.get_piece_name(pieces[0]) in decision.format_prompt(localizer.lang):
        return ()  # the prompt already asks something else about this piece
    for choice in decision.info.options:
        several = sum(tuple(p.show) == ("thing", "piece") for p in choice.params) > 1
        for param in () if several else choice.params:  # for a pair the reason may concern the other piece
            if tuple(param.show) == ("thing", "piece"):
                if reasons := filter_requirements(game.why_not(choice.name, **{param.name: pieces[0]}), game):
                    return reasons
    return ()


def explain_target(game: Game, text: str, name_index: NameIndex, name: str = "") -> tuple[Reason, ...]:
    """Return the reasons why no order is possible now against the piece, or to the place, that `text` names; or ().

    The target of an order is a place, or its second piece; of a piece off the map nothing is explained. The first piece
    is one that can be given such an order now. `name`: the name of the order, '' for any.
    """
    decision, handles, ids = game.decision, game.program.handles, game.program.ids
    pieces = match_things("piece", text, name_index)
    piece_places = [ids["place"][game.state.at[handles["piece"][piece]]] for piece in pieces]
    places = set(piece_places or match_things("place", text, name_index))
    if decision is None or len(places) != 1 or not name_index.is_on_map(place := next(iter(places))):
        return ()
    choices = decision.draft.steps if decision.is_draft else decision.info.options
    offered = decision.steps() if decision.is_draft else decision.options
    for choice in choices:
        able, goals = (
            [p.name for p in choice.params if tuple(p.show) == ("thing", kind)] for kind in ("piece", "place")
        )
        if not able or len(goals) != 1 and (len(able) != 2 or not pieces) or name not in ("", choice.name):
            continue
        target = {goals[0]: place} if len(goals) == 1 else {able[1]: pieces[0]}
        acting = dict.fromkeys(str(o.args[able[0]]) for o in offered if o.name == choice.name)
        reasons_by_piece = [game.why_not(choice.name, **{able[0]: one}, **target) for one in [*acting][:_MAX_ACTING]]
        if not all(reasons_by_piece):
            return ()  # one of them can be ordered so
        if reasons := next(filter(None, (filter_requirements(reasons, game) for reasons in reasons_by_piece)), ()):
            return reasons
    return ()


def filter_requirements(reasons: Sequence[Reason], game: Game) -> tuple[Reason, ...]:
    """Return the reasons that state a requirement, without those that only say that a choice is not offered."""
    decision = game.decision
    general = set() if decision is None else {c.address for c in decision.info.options}
    if decision is not None and decision.is_draft:
        general.add(decision.draft.name)
    return tuple(r for r in reasons if r.address and r.address not in general)


def _explain_draft_obstacles(game: Game, decision: Decision, destination: str) -> tuple[Reason, ...]:
    """Return the reasons why the path that is being drafted does not lead to a place, or ()."""
    for name, show in zip(decision.draft.offer, decision.draft.offer_shows, strict=True):
        if tuple(show) == ("thing", "place"):
            try:
                reasons = game.why_not(decision.name, **{name: destination})
            except IllegalAction as refused:
                reasons = refused.reasons
            return filter_requirements(reasons, game)  # a bare "no route leads there" would add nothing
    return ()


def list_route_rolls(game: Game, route: Route) -> tuple[str, ...]:
    """Return the names of the rolls that a route triggers directly, in order, without duplicates."""
    return list_rolls(try_options(game, route.keys))


def is_irreversible(game: Game, keys: Sequence[str]) -> bool:
    """Return whether these choices cannot be undone: dice are thrown, another seat decides, or the game ends."""
    return is_final(game, try_options(game, keys))


def is_final(game: Game, trial: Game) -> bool:
    """Return whether choices could not be undone in the game itself; `trial` is a copy after these choices."""
    seat = game.decision.seat if game.decision else ""
    after = trial.decision
    return after is None or after.seat != seat or _has_rolled(trial)


@dataclass(slots=True)
class _TrialBudget:
    """The steps that are left for trials."""

    left: int = field(default_factory=lambda: _TRIED_TOGETHER * LIMITS.steps)


_TRIALS: ContextVar[_TrialBudget | None] = ContextVar("trials", default=None)


@contextmanager
def limit_trials() -> Iterator[None]:
    """Limit the steps of all trials in the `with` block together, or of an enclosing block.

    Each choice has a budget of its own, but a question can try hundreds. `try_options` raises RuleFault once the limit
    is exceeded.
    """
    if _TRIALS.get() is not None:
        yield
        return
    token = _TRIALS.set(_TrialBudget())
    try:
        yield
    finally:
        _TRIALS.reset(token)


def charge_choice(game: Game) -> None:
    """Charge the steps of the last choice of a game, or of a trial, to the limit of trials if there is one."""
    budget = _TRIALS.get()
    if budget is not None:
        budget.left -= max(0, game.state.spent - game.program.unspent)


def _require_trial_steps() -> None:
    budget = _TRIALS.get()
    if budget is None:
        return
    budget.left -= _STEPS_OF_A_TRIAL
    if budget.left < 0:
        most = _TRIED_TOGETHER * LIMITS.steps
        raise RuleFault(
            f"the orders that are tried for this take more than {most:,} steps of work together; "
            "make what the rules do after them cheaper",
            is_exhausted=True,
        )


def try_options(game: Game, keys: Sequence[str]) -> Game:
    """Return a copy of the game after these choices, with independent dice, so that coming rolls are not revealed.

    The copy stops at a fault of the rules, which is reported only if the choice is made in the game, and at a choice
    that an earlier one has made illegal. Raises RuleFault if the limit of `limit_trials` is exceeded.
    """
    _require_trial_steps()
    trial = game.clone()
    trial.state.dice = SeededDice(0)
    with suppress(RuleFault):
        for number, key in enumerate(keys):
            if number and (trial.decision is None or trial.decision.find(key) is None):
                break
            try:
                trial.choose(key)
            finally:
                charge_choice(trial)
    return trial


def list_rolls(game: Game) -> tuple[str, ...]:
    """Return the names of the rolls in a game's log, each once, up to the first choice of another seat.

    Rolls after that choice belong to an order of the other seat, even if its choice was automatic.
    """
    log = game.get_raw_log()
    seat = next((seat for raw in log if (seat := find_chooser(game, raw)) is not None), None)
    entries_of_seat = takewhile(lambda raw: find_chooser(game, raw) in (None, seat), log)
    return tuple(dict.fromkeys(raw.name for raw in entries_of_seat if isinstance(raw, LoggedRoll)))


def _has_rolled(game: Game) -> bool:
    """Return whether the log of a game has a roll."""
    return any(isinstance(raw, LoggedRoll) for raw in game.get_raw_log())


def find_chooser(game: Game, raw: LogEntry) -> str | None:
    """Return the id of the seat that made a logged choice (automatic or not), or None for other log entries."""
    match raw:
        case LoggedChoice(seat=seat):
            return seat
        case LoggedForcedChoice(side=side) if side is not None:
            return str(game.program.ids["seat"][game.state.seat_of[side]])
    return None


def has_rolled_dice(game: Game) -> bool:
    """Return whether dice have been rolled since the last choice."""
    rolls_and_choices = (raw for raw in reversed(game.get_raw_log()) if isinstance(raw, LoggedRoll | LoggedChoice))
    return isinstance(next(rolls_and_choices, None), LoggedRoll)
