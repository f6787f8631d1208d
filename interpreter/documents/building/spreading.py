"""What a map says of many places or links at once: values, which add up, and regions.

Must not build places or links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from interpreter.documents.building.thing_builder import report_unknown
from interpreter.documents.geography.chains import joined_places
from interpreter.documents.geography.grid import touching
from interpreter.documents.geography.place_lists import list_places
from interpreter.documents.reading.tree import Branch, Entry, Listing, Node, Scalar, describe, fields
from interpreter.documents.values.context import COMMON_KEYS, Context, read_cite
from interpreter.documents.values.typed_values import FAULT, read_attribute_value, read_value
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Value
from interpreter.source.pairs import as_known
from interpreter.source.suggestion import close_words
from interpreter.source.text import Span
from interpreter.words.speech import Sentence, mark as _

_RANGE = re.compile(r"\s*[0-9oOlI]+\s*\.\.\s*[0-9oOlI]+\s*", re.ASCII)  # digits, and letters that look like some
_OF_AREAS, _OF_CHAINS = ("places",), ("places", "from", "to")
Spread = dict[str, dict[str, Value]]  # by id of the place or link, then by attribute


def known_places(nodes: Sequence[Node], ctx: Context, in_line: bool = False) -> list[tuple[int, Span]]:
    """The same as handles; whatever names no place is reported."""
    found = []
    for node in nodes:
        listed = list_places([node], ctx.names.grid, in_line)
        if isinstance(node, Scalar) and _RANGE.fullmatch(node.text) and listed[:1] == [(node.text, node.span)]:
            what = describe(node)
            told = (
                _("{found} is no range of spaces in one row or column", found=what)
                if in_line
                else _("{found} is no range of spaces", found=what)
            )
            cure = _corner_meant(node, ctx) or _("name two spaces of the grid: `0203..0207`")
            ctx.sink.error("bad-range", told, node.span, help=cure)
            continue
        if not isinstance(node, Scalar):
            read_value(node, t.PLACE, ctx)  # reports it
        handles = [(read_value(Scalar(name, name, span), t.PLACE, ctx), span) for name, span in listed]
        found += [(handle, span) for handle, span in handles if handle is not FAULT]
    return found


def _corner_meant(node: Scalar, ctx: Context) -> Sentence | None:
    """A cure that names the corner of a range which is not on the grid, and the number it may have been."""
    places = ctx.names.handles["place"]
    for corner in (part.strip() for part in node.text.split("..")):
        if corner not in places and (meant := close_words(corner, places)):
            return _("the grid has no space `{name}`; did you mean `{word}`?", name=corner, word=meant[0])
    return None


def area_values(attributes: Mapping[str, Attribute], ctx: Context) -> Spread:
    """What the areas of the map say of each place; two that say the same thing of one place are reported."""
    found: Spread = {}
    stated: dict[tuple[str, str], Span] = {}
    ids = list(ctx.names.handles["place"])
    for area in ctx.kinds["map"].branch("places").branch("areas"):
        values = _values(area, attributes, _OF_AREAS, ctx)
        for handle, span in known_places(fields(area).items("places"), ctx):
            for name, value in values.items():
                first = stated.setdefault((ids[handle], name), span)
                if first is not span:
                    _twice(name, ids[handle], span, first, ctx)
                found.setdefault(ids[handle], {})[name] = value
    return found


def chain_values(attributes: Mapping[str, Attribute], own: Iterable[Entry], ctx: Context) -> Spread:
    """What the chains say of each link, by its id; what differs from another chain or from the link is reported.

    `own` are the entries of links that state values themselves; `links.members` are known by their ends.
    """
    found: Spread = {}
    by_name = {entry.key.text: fields(entry) for entry in own}
    known = _links_by_ends(ctx)
    stated: dict[tuple[str, str], Span] = {}
    values: dict[str, dict[str, Value]] = {}
    for chain in ctx.kinds["map"].branch("links").branch("chains"):
        values[chain.key.text] = _values(chain, attributes, _OF_CHAINS, ctx)
        known_places(fields(chain).items("places"), ctx, in_line=True)
        known_places((*fields(chain).items("from"), *fields(chain).items("to")), ctx)
    for pair in joined_places(ctx.kinds["map"], ctx.names.grid):
        link = known.get(as_known(pair.name, known))
        if link is None:
            _report_apart(pair.first, pair.second, pair.span, ctx)
            continue
        for name, value in values[pair.chain.key.text].items():
            first = stated.setdefault((link, name), pair.span)
            if found.setdefault(link, {}).setdefault(name, value) != value:
                _twice(name, link, pair.span, first, ctx)
            tree = by_name.get(link)
            if (
                tree is not None
                and name in tree
                and read_attribute_value(tree.entries[name].value, attributes[name], ctx) not in (value, FAULT)
            ):
                _twice(name, link, pair.span, tree.entries[name].key.span, ctx)
    return found


def _values(entry: Entry, attributes: Mapping[str, Attribute], own: tuple[str, ...], ctx: Context) -> dict[str, Value]:
    """The values that an entry gives to all it lists, each read once."""
    tree: Branch = fields(entry)
    report_unknown(tree, attributes, (*COMMON_KEYS, *own), ctx)
    read_cite(tree, ctx)
    read = {
        e.key.text: read_attribute_value(e.value, attributes[e.key.text], ctx) for e in tree if e.key.text in attributes
    }
    return {name: None if value is FAULT else value for name, value in read.items()}


def _links_by_ends(ctx: Context) -> dict[str, str]:
    """The ids of all links by their two places, in the order in which they are written."""
    named = {name: name for name in ctx.names.handles["edge"] if "/" in name}
    for member in ctx.kinds["map"].branch("links").branch("members"):
        ends = [n.text for n in fields(member).words("between")]
        if len(ends) == 2:
            named["/".join(ends)] = member.key.text
    return named


def _report_apart(first: str, second: str, span: Span, ctx: Context) -> None:
    places = ctx.names.handles["place"]
    if first == second:
        ctx.sink.error("link-to-itself", _("the link joins a place with itself"), span, help=_("name two places"))
    elif first in places and second in places:
        told = _("`{a}` and `{b}` are not two neighbouring spaces of the grid", a=first, b=second)
        near = touching(ctx.names.grid, first)
        help = (
            _("a chain goes from a space to one that touches it; `{space}` touches {spaces}", space=first, spaces=near)
            if near
            else _("a chain goes from a space to one that touches it")
        )
        ctx.sink.error("unknown-edge", told, span, help=help)


def _twice(name: str, whose: str, span: Span, first: Span, ctx: Context) -> None:
    told = _("`{name}` of `{whose}` is defined a second time", name=name, whose=whose)
    ctx.sink.twice(told, span, first, _("keep one of the two"))


def build_regions(ctx: Context) -> dict[str, tuple[int, ...]]:
    """The named lists of places, in the order of places; a list may hold ranges."""
    regions: dict[str, tuple[int, ...]] = {}
    entries: dict[str, Entry] = {}
    for tree in (ctx.kinds["map"].branch("regions"), ctx.kinds["ruleset"].branch("regions")):
        for entry in tree:
            name = entry.key.text
            if name in regions:
                told = _("`{name}` is defined a second time", name=name)
                ctx.sink.twice(told, entry.key.span, entries[name].key.span, _("keep one of the two"))
                continue
            entries[name] = entry
            found = known_places(entry.value.items, ctx) if isinstance(entry.value, Listing) else []
            regions[name] = tuple(sorted({handle for handle, _ in found}))
    return regions
