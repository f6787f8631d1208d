"""Key presses per turn on the full screen by the map alone: a bot's choices, each entered with the fewest keys.

    python -m tests.docs.screen_keys denain-1712 [SEED]

Cursor keys, Tab, Enter and the list are counted as the screen moves them; nothing is typed. A march that repeats the
one before with another piece is entered by the key for that.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from dataclasses import dataclass, field

from interpreter.api.game import load
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.machine import is_setting_up
from interpreter.ui.tui.map.background_layer import build_layout
from interpreter.ui.tui.map.map_layout import find_next_place
from interpreter.ui.tui.selection import (
    NOTHING,
    LastOrder,
    Selection,
    filter_options,
    find_done_key,
    find_next_orderable_place,
    find_place_asked_about,
    format_go_command,
    get_destination,
    is_asking_place,
    repeat_order,
    should_focus_list,
)
from interpreter.view_model.dynamic_view import ViewBuilder, build_viewer
from interpreter.view_model.queries.route_queries import list_places_in_reach, list_plans
from interpreter.view_model.static_view import build_static_view
from interpreter.view_model.view_context import build_view_context

ZOOM = 1


@dataclass
class Typist:
    """The cursor's place and the keys pressed so far."""

    ruleset: str
    seed: int
    keys: Counter[str] = field(default_factory=Counter)
    cursor: str = ""
    habit: LastOrder | None = None

    def __post_init__(self) -> None:
        self.rules = load(self.ruleset)
        self.stage = build_view_context(self.rules)
        still = build_static_view(self.stage)
        self.plan = build_layout(self.stage, ZOOM)
        self.neighbours = {p.id: frozenset(p.neighbours.values()) for p in still.places}
        self.order = {p.id: p.order for p in still.places}
        self.middles = {p.id: p.middle for p in still.places}
        self.game = self.rules.start(seed=self.seed)
        self.bots = make_bots(dict.fromkeys(list_seats(self.game), "greedy"), self.seed)
        self.scenery = ViewBuilder(self.stage)

    def moment(self):
        return self.scenery.build_view(self.game, build_viewer(self.game, ()), str(len(self.game.keys)))

    def arrows(self, start: str, end: str) -> int:
        """Return how many arrow keys lead from one place to another, or 99 if none do."""
        seen, waiting = {start: 0}, deque([start])
        while waiting and end not in seen:
            here = waiting.popleft()
            for way in ("up", "down", "left", "right"):
                there = find_next_place(self.plan, here, way, self.neighbours, self.plan.spots[here].middle[1])
                if there not in seen:
                    seen[there] = seen[here] + 1
                    waiting.append(there)
        return seen.get(end, 99)

    def tabs(self, moment, start: str, end: str) -> int:
        """Return how many presses of Tab lead from one place with orders to another, in either direction, or 99."""
        found = 99
        for step in (1, -1):
            here = start
            for number in range(1, 60):
                here = find_next_orderable_place(moment, here, self.order, step)
                if here == end:
                    found = min(found, number)
                    break
        return found

    def reaching(self, goals, origin: str, start: str, end: str) -> int:
        """Return how many presses of Tab lead to a place in reach, the nearest first, in either direction, or 99."""
        x, y = self.middles[origin]
        known = [p for p in goals if p in self.order and p in self.middles]
        known.sort(key=lambda p: ((self.middles[p][0] - x) ** 2 + (self.middles[p][1] - y) ** 2, self.order[p]))
        if end not in known:
            return 99
        at = known.index(start) if start in known else -1
        return min((known.index(end) - at) % len(known), (at - known.index(end)) % len(known) + (at < 0))

    def press(self, name: str, times: int = 1) -> None:
        self.keys[name] += times

    def move(self, arrows: int, tabs: int, end: str) -> None:
        self.press("arrow" if arrows <= tabs else "tab", min(arrows, tabs))
        self.cursor = end

    def to_able(self, moment, place: str) -> None:
        """Put the cursor on a place with orders, as the screen itself does after each order."""
        able = {p.place for p in moment.pieces if p.orderable and p.place in self.order}
        if able and self.cursor not in able:
            self.cursor = find_next_orderable_place(moment, self.cursor, self.order, 1)
        if self.cursor != place:
            self.move(self.arrows(self.cursor, place), self.tabs(moment, self.cursor, place), place)

    def pick(self, moment, piece) -> None:
        """Press Enter until the piece of the stack is selected."""
        able = [p.id for p in moment.pieces if p.place == piece.place and p.orderable]
        self.to_able(moment, piece.place)
        self.press("enter", able.index(piece.id) + 1)

    def from_list(self, options, option) -> None:
        at = options.index(option)
        self.press("f2")
        self.press("arrow", min(at, len(options) - at))
        self.press("enter")

    def choose(self) -> None:
        """Enter one choice of the bot, or a march of two choices, by the fewest keys."""
        moment, game = self.moment(), self.game
        number = self.bots[game.decision.seat].choose(game)
        key = game.decision.options[number].key
        option = next(o for o in moment.decision.options if o.key == key)
        pieces = [p for p in moment.pieces if p.id in option.pieces and p.place in self.order and p.at]
        is_setup = is_setting_up(game.state)
        game.pick(number)
        if is_asking_place(moment) and get_destination(option):
            self.path(moment, option)
        elif find_done_key(moment) == key:
            self.press("end")
            if is_setup:
                self.press("end")
        elif len(pieces) != 1 or should_focus_list(moment):
            self.list_or_opening(moment, option)
        elif get_destination(option):
            self.order_on_map(moment, option, pieces[0])
        else:
            self.march(moment, option, pieces[0])

    def list_or_opening(self, moment, option) -> None:
        """Choose from the list, which is already focused if the map offers no choice."""
        options = filter_options(moment, NOTHING)
        if should_focus_list(moment):
            at = options.index(option)
            self.press("arrow", min(at, len(options) - at))
            self.press("enter")
        else:
            self.from_list(options, option)

    def order_on_map(self, moment, option, piece) -> None:
        """Enter an order that names a counter and a place."""
        if self.habit and repeat_order(moment, self.habit, piece.id, self.middles, {}) == option.key:
            self.to_able(moment, piece.place)
            self.press("again")
            return
        self.pick(moment, piece)
        own = filter_options(moment, Selection(piece.id))
        end = get_destination(option)
        if end in self.middles and end in self.plan.spots:
            tabs = self.reaching({get_destination(o) for o in own}, piece.place, self.cursor, end)
            self.move(self.arrows(self.cursor, end), tabs, end)
            self.press("enter")
            there = [o for o in own if get_destination(o) == end]
            if len(there) > 1:
                at = there.index(option)
                self.press("arrow", min(at, len(there) - at))
                self.press("enter")
            self.habit = LastOrder(piece.place, end, option.name)
        else:
            self.from_list(own, option)

    def march(self, moment, option, piece) -> None:
        """March a counter: the whole way at once if the usual way is what the bot takes next."""
        before = self.game.clone()
        own = filter_options(moment, Selection(piece.id))
        after = self.game.decision
        if after is not None and after.is_draft and len(own) == 1:
            before.undo() if before.get_history() else None
            number = self.bots[after.seat].choose(self.game)
            taken = after.options[number].key
            scene = self.moment()
            end = next(o for o in scene.decision.options if o.key == taken)
            place = get_destination(end)
            self.game.undo()
            reach = dict(list_places_in_reach(self.game, piece.id))
            usual = list_plans(self.stage, self.game, piece.id, place) if place in reach else ()
            self.game.choose(option.key)
            if usual and usual[0].keys[-1] == taken and place in self.plan.spots:
                self.game.choose(taken)
                if self.habit and repeat_order(moment, self.habit, piece.id, self.middles, reach) == format_go_command(
                    piece.id, place
                ):
                    self.to_able(moment, piece.place)
                    self.press("again")
                    return
                self.pick(moment, piece)
                tabs = self.reaching(reach, piece.place, self.cursor, place)
                self.move(self.arrows(self.cursor, place), tabs, place)
                self.press("enter")
                self.habit = LastOrder(piece.place, place, "")
                return
        self.pick(moment, piece)
        if not self.reach_of(moment, piece, option):
            at = own.index(option)
            self.press("arrow", min(at, len(own) - at))
            self.press("enter")
        else:
            self.from_list(own, option)

    def reach_of(self, moment, piece, option) -> bool:
        self.game.undo()
        found = bool(list_places_in_reach(self.game, piece.id)) and not any(
            get_destination(o) for o in filter_options(moment, Selection(piece.id))
        )
        self.game.choose(option.key)
        return found

    def path(self, moment, option) -> None:
        """Enter the end of a path that is asked for."""
        options, end = filter_options(moment, NOTHING), get_destination(option)
        self.cursor = find_place_asked_about(moment) or self.cursor
        if end in self.plan.spots and self.cursor in self.plan.spots:
            tabs = self.reaching({get_destination(o) for o in options}, self.cursor, self.cursor, end)
            self.move(self.arrows(self.cursor, end), tabs, end)
            self.press("enter")
            there = [o for o in options if get_destination(o) == end]
            if len(there) > 1:
                at = there.index(option)
                self.press("arrow", min(at, len(there) - at))
                self.press("enter")
        else:
            self.from_list(options, option)

    def turn(self) -> Counter[str]:
        """Return the keys of the first turn."""
        while self.game.decision is not None and self.game.turn <= 1:
            self.choose()
        return self.keys


def main() -> None:
    ruleset, *more = sys.argv[1:] or ["denain-1712"]
    for seed in [int(word) for word in more] or [3, 4, 5]:
        typist = Typist(ruleset, seed)
        keys = typist.turn()
        print(f"{ruleset}, seed {seed}: {sum(keys.values())} keys for {len(typist.game.keys)} choices: {dict(keys)}")


if __name__ == "__main__":
    main()
