"""Everything about one piece: what is on its counter, how it stands, what it may do, who is near.

Makes lines; must not print them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.play.session import Game
from interpreter.play.shown_views import told_of
from interpreter.players.belonging import side_of_thing
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.orders.matching import things_in
from interpreter.players.orders.menus import option_words
from interpreter.players.orders.ways import reach
from interpreter.players.telling.position import labelled, pieces_by_place
from interpreter.players.telling.vocabulary import Words, cited
from interpreter.runtime.choices import Option
from interpreter.runtime.keys import piece_group
from interpreter.words.numbers import number_text

_MOST_ORDERS = 6  # told in full; more are counted by their name
_MOST_NEAR = 12


def piece_lines(piece: str, game: Game, lexicon: Lexicon) -> list[str]:
    """A piece by its id: its values, its orders now, the places in reach, the others around it."""
    words = lexicon.words
    view = game.view()
    at = str(view["pieces"][piece]["at"])
    lines = [words.about(words.piece(piece), words.thing("place", at)), *_values(piece, view, words)]
    lines += told_lines("piece", piece, game, words)
    orders = orders_of(piece, game)
    lines += _order_lines(orders, lexicon)
    found = reach(game, orders)
    found.pop(at, None)
    if found:
        lines.append(f"  {reach_words(found, words)}")
    return lines + _near_lines(piece, at, game, words)


def reach_words(found: Mapping[str, Any], words: Words) -> str:
    """Places in reach with what it costs to get there."""
    told = [words.aside(words.thing("place", p), "" if c is None else number_text(c)) for p, c in found.items()]
    costs = any(c is not None for c in found.values())
    head = words.say("in reach (with the cost):") if costs else words.say("in reach:")
    return words.say("{head} {values}", head=head, values=words.listed(told))


def told_lines(kind: str, thing: str, game: Game, words: Words) -> list[str]:
    """What the ruleset itself tells of a thing."""
    told = told_of(game.state, kind, game.program.handles[kind][thing], words.lang)
    return [f"  {words.about(label, text)}{cited(cites)}" for label, text, cites in told]


def orders_of(piece: str, game: Game) -> list[Option]:
    """The options of the present decision that name a piece, or the group of alike pieces it belongs to."""
    decision = game.decision
    if decision is None:
        return []
    handle = game.program.handles["piece"][piece]
    called = {piece, piece_group(game.state, handle)} if game.program.is_alike[handle] else {piece}
    found = [o for o in decision.options if called.intersection(things_in(o, "piece"))]
    if not found and decision.is_draft and any(v == handle for v in decision.draft_args):
        return list(decision.options)
    return found


def _values(piece: str, view: Any, words: Words) -> list[str]:
    """Its attributes, those that are nothing left out."""
    kind = words.kind("piece")
    handle = words.program.handles["piece"][piece]
    cls = words.data["classes"].get(kind["things"][handle]["cls"], {})
    told = [words.label(cls["label"], cls["one"])] if cls else []
    for name, attribute in kind["attributes"].items():
        if cls and name not in cls["attributes"] or not attribute["told"]:
            continue
        given, text = words.held("piece", piece, name, view["pieces"][piece])
        if (
            given is None
            or given is False
            or given in ("", (), [])
            or (given == 0 and attribute["show"][0] in ("int", "number") and not attribute["changes"])
        ):
            continue
        label = words.attribute(attribute)
        told.append(labelled(label, given, text))
    return [f"  {words.listed(told)}"] if told else []


def _order_lines(orders: Sequence[Option], lexicon: Lexicon) -> list[str]:
    words = lexicon.words
    if not orders:
        return ["  " + words.say("no order names it now (why ORDER tells the reason)")]
    by_name: dict[str, list[Option]] = {}
    for order in orders:
        by_name.setdefault(order.name, []).append(order)
    lines = ["  " + words.say("it may now:")]
    for name, own in by_name.items():
        if len(own) <= _MOST_ORDERS:
            lines += [f"    {option_words(o, lexicon)}{cited(o.cite)}" for o in own]
        else:
            many = words.say("{what} ({number} ways)", what=lexicon.option_name(name), number=len(own))
            lines.append(f"    {many}{cited(own[0].cite)}")
    return lines


def _near_lines(piece: str, at: str, game: Game, words: Words) -> list[str]:
    """The pieces of other sides in its place and in those it touches."""
    handles = words.program.handles
    side = side_of_thing(game.state, "piece", handles["piece"][piece])
    touching = [words.program.ids["place"][n] for n in words.program.links.neighbours[handles["place"][at]]]
    here = pieces_by_place(game.view())
    found = []
    for place in [at, *touching]:
        others = [
            other
            for other, _ in here.get(place, ())
            if side_of_thing(game.state, "piece", handles["piece"][other]) not in ("", side)
        ]
        found += [words.aside(named, words.thing("place", place)) for named in words.company(others)]
    if not found:
        return ["  " + words.say("nobody of another side is next to it")]
    told = words.listed(words.counted_off(found, _MOST_NEAR))
    return ["  " + words.say("of other sides next to it: {pieces}", pieces=told)]
