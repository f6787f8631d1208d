""" "Go there": the choices that together bring somebody to a place, tried out on copies of the game.

Works for any ruleset: a choice that names a piece, followed by one that names the place. Changes nothing
in the game that is asked about; what would be rolled is told by name, never by face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from interpreter.play.session import Game
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.orders.matching import kind_of, matching, named, things_in
from interpreter.runtime.choices import Decision, Option
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import IllegalAction, Reason, RuleFault
from interpreter.words.speech import mark as _, speaker

MOST_REPEATED = 200  # orders given by one "all"


@dataclass(frozen=True)
class Way:
    """Choices made one after another; stands in a menu like an option."""

    legs: tuple[Option, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys to be chosen, in order."""
        return tuple(leg.key for leg in self.legs)

    @property
    def key(self) -> str:
        """The keys in one text."""
        return "; ".join(self.keys)

    @property
    def name(self) -> str:
        """The name of the first choice."""
        return self.legs[0].name

    @cached_property
    def args(self) -> dict[str, Any]:
        """The arguments of all choices; the last one's value where they share a name."""
        return {name: value for leg in self.legs for name, value in leg.args.items()}

    @property
    def is_end(self) -> bool:
        """False: it is told by its first choice."""
        return False

    @cached_property
    def shows(self) -> dict[str, Any]:
        """What sort of value each argument is."""
        return {name: show for leg in self.legs for name, show in leg.shows.items()}

    @property
    def cite(self) -> tuple[str, ...]:
        """Paragraphs of all choices, each once."""
        return tuple(dict.fromkeys(c for leg in self.legs for c in leg.cite))

    @property
    def cost(self) -> Any:
        """What the last choice costs, where the rules count it."""
        return self.legs[-1].cost

    @property
    def has_words(self) -> bool:
        """True where the rules give words of its own to its last choice."""
        return self.legs[-1].has_words

    @cached_property
    def worded(self) -> frozenset[str]:
        """The arguments of which the words of its choices make something."""
        return frozenset[str]().union(*(leg.worded for leg in self.legs))

    def spoken(self, language: str = "") -> tuple[str, ...]:
        """What fills the holes of the words that the rules give to the choices."""
        return tuple(words for leg in self.legs for words in leg.spoken(language))

    def text(self, language: str = "") -> str:
        """Words for people: those of all choices."""
        return speaker(language)(_(": ")).join(leg.text(language) for leg in self.legs)


@dataclass(frozen=True, slots=True)
class Follows:
    """What a choice leads to at once: `game` stands at the next decision of the same seat."""

    option: Option
    game: Game


def follow(game: Game, options: Sequence[Option]) -> Iterator[Follows]:
    """Yield what follows each choice, where the same seat goes on deciding and no dice have fallen.

    Follows every one of them: a caller that needs only some stops asking.
    """
    seat = game.decision.seat if game.decision else ""
    for option in options:
        trial = tried(game, [option.key])
        after = trial.decision
        if after is not None and after.seat == seat and not _has_rolled(trial):
            yield Follows(option, trial)


def ways(game: Game, who: str, where: str, lexicon: Lexicon) -> list[Way]:
    """Every way to order `who` (typed words; "" for whoever is asked about) to the place with the id `where`."""
    decision = game.decision
    if decision is None:
        return []
    options = [o for o in decision.options if o.name != "done"]
    return _ways(game, decision, _asked(game, decision, options, who, lexicon), where)


def _asked(game: Game, decision: Decision, options: list[Option], who: str, lexicon: Lexicon) -> list[Option]:
    """The options that mean somebody; all where nobody is named, or where a path of his is asked about."""
    if not who:
        return options
    found = matching(options, who, lexicon)
    if not found and decision.is_draft:
        ids, called = game.program.ids["piece"], named("piece", who, lexicon)
        if any(
            ids[value] in called
            for p, value in zip(decision.draft["params"], decision.draft_args, strict=True)
            if tuple(p["show"]) == ("thing", "piece")
        ):
            return options
    return found


def _ways(game: Game, decision: Decision, asked: Sequence[Option], where: str) -> list[Way]:
    """The ways to a place that begin with one of these options."""
    direct = [o for o in asked if where in things_in(o, "place")]
    if direct or decision.is_draft:
        return [Way((o,)) for o in direct]
    found: list[Way] = []
    for followed in follow(game, asked):
        after = followed.game.decision
        assert after is not None
        if after.address != decision.address:
            found += [Way((followed.option, end)) for end in after.options if where in things_in(end, "place")]
    return found


def plainest(game: Game, found: Sequence[Way]) -> list[Way]:
    """The one way that costs least, where it leaves as they are all values of the piece that it may set; else all.

    A way with flags, which stand for what is out of the ordinary, is never taken for granted where others have none;
    where nothing has a cost, the one way without any is meant.
    """
    plain = [way for way in found if not any(v is True for v in way.args.values())] or list(found)
    least = min((way.cost for way in plain if way.cost is not None), default=None)
    cheapest = [way for way in plain if way.cost == least]
    if least is None and len(plain) == 1:
        return plain
    if len(found) > 1 and least is not None and len(cheapest) == 1 and _keeps(game, cheapest[0]):
        if all(way.cost is None or way.cost >= least for way in found):
            return cheapest
    return list(found)


def _keeps(game: Game, way: Way) -> bool:
    """True where the last choice names no thing of the ruleset's own kinds but those that the piece has already."""
    pieces = [v for v in things_in(way.legs[0], "piece") if v in game.program.handles["piece"]]
    has = {str(v) for piece in pieces for v in game.view()["pieces"][piece].values() if isinstance(v, str)}
    last = way.legs[-1]
    named = [v for n, v in last.args.items() if kind_of(last.shows.get(n)) not in ("", "place", "piece", "edge")]
    return bool(named) and all(str(v) in has for v in named)


def ways_from(game: Game, options: Sequence[Option], where: str) -> list[Way]:
    """Every way to the place with the id `where` that begins with one of these options."""
    return [] if game.decision is None else _ways(game, game.decision, options, where)


def largest_from(game: Game, origin: str, goal: str) -> Way | None:
    """The way that takes most along of those that start with somebody at `origin` and lead to `goal`.

    Of equal ones the plainest: the fewest flags (what is out of the ordinary), then the least cost.
    """
    decision = game.decision
    if decision is None:
        return None
    found = _ways(game, decision, [o for o in decision.options if _starts_at(o, origin, game)], goal)
    return max(found, key=_worth, default=None)


def number_in(way: Way) -> int:
    """Return how many a way takes along: the sum of the whole numbers that its choices name, 0 where they name none."""
    return sum(v for v in way.args.values() if isinstance(v, int) and not isinstance(v, bool))


def _worth(way: Way) -> tuple[int, int, Any]:
    return number_in(way), -sum(v is True for v in way.args.values()), -(way.cost or 0)


def _starts_at(option: Option, origin: str, game: Game) -> bool:
    """True when a piece that the option names stands at the origin."""
    handles = game.program.handles["piece"]
    at = game.program.handles["place"][origin]
    return any(
        v.endswith("@" + origin) or v in handles and game.state.at[handles[v]] == at for v in things_in(option, "piece")
    )


def reach(game: Game, options: Sequence[Option]) -> dict[str, Any]:
    """The places that choices lead to at once, each with its least cost (None where nothing counts it)."""
    found: dict[str, Any] = {}

    def note(option: Option) -> None:
        for place in things_in(option, "place"):
            cost = option.cost
            if place not in found or cost is not None and (found[place] is None or cost < found[place]):
                found[place] = cost

    address = game.decision.address if game.decision else ""
    plain = [o for o in options if things_in(o, "place")]
    for option in plain:
        note(option)
    for followed in follow(game, [o for o in options if o not in plain]):
        after = followed.game.decision
        assert after is not None
        if after.address != address:
            for end in after.options:
                note(end)
    return found


def within_reach(game: Game, who: str, lexicon: Lexicon) -> dict[str, Any]:
    """The places in reach of whom these words mean; empty where they mean nobody, or several."""
    decision = game.decision
    if decision is None:
        return {}
    options = [o for o in decision.options if o.name != "done"]
    asked = _asked(game, decision, options, who, lexicon) if who or decision.is_draft else []
    return reach(game, asked) if decision.is_draft or len(asked) == 1 else {}


def aimed_at(game: Game, who: str, where: str, lexicon: Lexicon) -> list[Option]:
    """Return the options of whom these words mean that name somebody at a place as their target.

    What an option names first gives the order; a target is whoever it names besides.
    """
    decision, handles = game.decision, game.program.handles
    if decision is None or decision.is_draft:
        return []
    place = handles["place"][where]

    def is_there(piece: str) -> bool:
        return (
            piece.endswith("@" + where) or piece in handles["piece"] and game.state.at[handles["piece"][piece]] == place
        )

    asked = _asked(game, decision, [o for o in decision.options if o.name != "done"], who, lexicon)
    return [o for o in asked if any(is_there(piece) for piece in things_in(o, "piece")[1:])]


def obstacles(game: Game, who: str, where: str, lexicon: Lexicon) -> tuple[Reason, ...]:
    """Why nobody of `who` gets there: he cannot be ordered, or what stands in his way; () when nothing can be said."""
    decision = game.decision
    if decision is None:
        return ()
    options = [o for o in decision.options if o.name != "done"]
    asked = _asked(game, decision, options, who, lexicon)
    if not asked:
        return _not_ordered(game, decision, who, lexicon)
    if decision.is_draft:
        return _draft_obstacles(game, decision, where)
    if not who and len(asked) > 1:  # nobody in particular is meant
        return ()
    for option in asked:
        if found := _obstacles_after(game, option, where):
            return found
    return ()


def _obstacles_after(game: Game, option: Option, where: str) -> tuple[Reason, ...]:
    """Why an option, or the path that it asks for, does not lead to a place."""
    places = [n for n, show in option.shows.items() if tuple(show) == ("thing", "place")]
    for name in places:
        if found := specific(game.why_not(option.name, **{**option.args, name: where}), game):
            return found
    for followed in follow(game, [option]):
        after = followed.game.decision
        if after is not None and after.is_draft:
            return _draft_obstacles(followed.game, after, where)
    return ()


def _not_ordered(game: Game, decision: Decision, who: str, lexicon: Lexicon) -> tuple[Reason, ...]:
    """Why a piece that these words name is among no options: what the first option that takes pieces says of it."""
    pieces = named("piece", who, lexicon)
    words = lexicon.words
    if not pieces or decision.is_draft or words.piece(pieces[0]) in decision.prompt_text(words.lang):
        return ()  # of whom something else is asked now
    for choice in decision.described["choices"]:
        several = sum(tuple(p["show"]) == ("thing", "piece") for p in choice["params"]) > 1
        for param in () if several else choice["params"]:  # of a pair the reason may be the other's
            if tuple(param["show"]) == ("thing", "piece"):
                if found := specific(game.why_not(choice["name"], **{param["name"]: pieces[0]}), game):
                    return found
    return ()


def specific(reasons: Sequence[Reason], game: Game) -> tuple[Reason, ...]:
    """The reasons that are requirements of the rules, and not only that something cannot be done."""
    decision = game.decision
    general = set() if decision is None else {c["address"] for c in decision.described["choices"]}
    if decision is not None and decision.is_draft:
        general.add(decision.draft["name"])
    return tuple(r for r in reasons if r.address and r.address not in general)


def _draft_obstacles(game: Game, decision: Decision, where: str) -> tuple[Reason, ...]:
    for name, show in zip(decision.draft["offer"], decision.draft["offer_shows"], strict=True):
        if show[0] == "thing" and show[1] == "place":
            try:
                found = game.why_not(decision.name, **{name: where})
            except IllegalAction as refused:
                found = refused.reasons
            return specific(found, game)  # that no way leads there is known
    return ()


def dice_on(game: Game, way: Way) -> tuple[str, ...]:
    """The names of the rolls that taking this way sets off at once, in order, each once."""
    return rolls_of(tried(game, way.keys))


def comes_out(game: Game, keys: Sequence[str]) -> bool:
    """Return True if these choices cannot be taken back: dice fall, another seat decides, or the game ends."""
    return is_final(game, tried(game, keys))


def is_final(game: Game, trial: Game) -> bool:
    """Return True if what was tried on a copy of a game could not be taken back in the game itself."""
    seat = game.decision.seat if game.decision else ""
    after = trial.decision
    return after is None or after.seat != seat or _has_rolled(trial)


def tried(game: Game, keys: Sequence[str]) -> Game:
    """Return a copy in which these choices were made, with dice of its own: what will be rolled is not looked at.

    A fault of the rules ends it there; the player who makes the choice in the game is shown it.
    """
    trial = game.clone()
    trial.state.dice = SeededDice(0)
    with suppress(RuleFault):
        for key in keys:
            trial.choose(key)
    return trial


def rolls_of(game: Game) -> tuple[str, ...]:
    """Return the names of the rolls in a game's log, each once, up to the first choice of another seat.

    What is rolled after that choice belongs to the other seat's order, also where the choice took itself.
    """
    log = game.raw_log()
    seat = next((seat for raw in log if (seat := chooser_of(game, raw)) is not None), None)
    own = takewhile(lambda raw: chooser_of(game, raw) in (None, seat), log)
    return tuple(dict.fromkeys(raw[1] for raw in own if raw[0] == "roll"))


def _has_rolled(game: Game) -> bool:
    return any(raw[0] == "roll" for raw in game.raw_log())


def chooser_of(game: Game, raw: tuple[Any, ...]) -> str | None:
    """Return the id of the seat whose choice a log entry is, made or taken by itself; None for any other entry."""
    if raw[0] == "decision":
        return str(raw[2])
    is_taken = raw[0] == "taken" and raw[5] is not None
    return str(game.program.ids["seat"][game.state.seat_of[raw[5]]]) if is_taken else None


def dice_fell(game: Game) -> bool:
    """True when dice have fallen since the last choice."""
    for raw in reversed(game.raw_log()):
        if raw[0] == "roll":
            return True
        if raw[0] == "decision":
            break
    return False
