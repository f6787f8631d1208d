"""Positions as cases write them: the words they may use, and pieces counted by group.

Depends on the ruleset's data only; neither plays nor compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.edge_names import reverse_edge_name
from interpreter.diagnostics.message_nouns import report_unknown_name
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, describe
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.play.snapshot import get_value
from interpreter.tools.describe.value_format import to_plain_value

if TYPE_CHECKING:
    from interpreter.diagnostics.diagnostic import Sink
    from interpreter.diagnostics.source_text import Span
    from interpreter.model.ruleset import Attribute, PieceClass, Ruleset
    from interpreter.runtime.state import State

# (class, values of its counters), or ("", (piece,)) for a single piece
Group = tuple[str, tuple[Any, ...]]
Counts = Counter[Group]


def map_ids_to_handles(kind: str, ruleset: Ruleset) -> Mapping[str, int]:
    """Return the handle of each thing of a kind by its id; an edge is listed under both orders of its two places."""
    ids = ruleset.kinds[kind].get_handles()
    return ids if kind != "edge" else {reverse_edge_name(name): n for name, n in ids.items()} | dict(ids)


def list_words(type: t.Type, ruleset: Ruleset) -> Collection[str] | None:
    """Return the words that write the values of a type, or None for a type without a list of words, such as numbers."""
    match type:
        case t.ThingType(kind=kind):
            return ruleset.kinds[kind].get_handles()
        case t.RungType(ladder=ladder):
            return ruleset.ladders[ladder].rungs
        case t.OneOfType(values=values):
            return values
        case t.DirectionType():
            return ruleset.grid.directions if ruleset.grid else ()
        case t.MaybeType(item=item):
            return list_words(item, ruleset)
    return None


def count_pieces(state: State, ruleset: Ruleset) -> dict[str, Counts]:
    """Return the number of pieces at each place of a position: place id -> group of identical pieces -> number."""
    places: dict[str, Counts] = {}
    handles, names = state.program.handles["piece"], state.program.ids["place"]
    for thing in ruleset.kinds["piece"].things:
        piece = handles[thing.id]
        cls = ruleset.classes.get(thing.cls or "")
        group: Group = ("", (thing.id,))
        if cls is not None and cls.alike:
            group = (cls.id, tuple(_serialize_attribute(state, piece, a, thing.values, ruleset) for a in cls.counters))
        places.setdefault(names[state.at[piece]], Counter())[group] += 1
    return places


def _serialize_attribute(state: State, piece: int, name: str, values: Mapping[str, Any], ruleset: Ruleset) -> object:
    if ("piece", name) in state.program.slot_of:
        return get_value(state, "piece", name, piece)
    return to_plain_value(values[name], ruleset.kinds["piece"].attributes[name].type, ruleset)


def parse_pieces(node: Node, ruleset: Ruleset, sink: Sink) -> Counts:
    """Return the number of pieces that a case writes for one place, by group; report unknown words to `sink`."""
    counts: Counts = Counter()
    if isinstance(node, SequenceNode):
        pieces = map_ids_to_handles("piece", ruleset)
        for item in node.items:
            if isinstance(item, ScalarNode) and check_word(item, "piece", pieces, sink):
                counts["", (item.text,)] += 1
            elif isinstance(item, MappingNode):  # identical pieces listed among named ones
                counts += parse_pieces(item, ruleset, sink)
    elif isinstance(node, MappingNode):
        for entry in node:
            for group, number in _iter_groups(entry, ruleset, sink):
                counts[group] += number
    return +counts


_HAVE_CODES = (
    "attribute decision draft edge event option paragraph parameter phase piece place procedure roll scenario seat "
    "side table term"
).split()


def check_word(word: ScalarNode, sort: str, words: Collection[str], sink: Sink) -> bool:
    """Return True if `word` is one of `words`; otherwise report `unknown-<what>` with a suggestion to `sink`.

    If `sort` is a word that the ruleset itself defines (a ladder, an attribute, a kind), the code is `unknown-word`.
    """
    if word.text in words:
        return True
    report_unknown_name(sink, sort if sort in _HAVE_CODES else "word", sort, word.text, word.span, words)
    return False


def _iter_groups(entry: MappingEntry, ruleset: Ruleset, sink: Sink) -> Iterator[tuple[Group, int]]:
    """Yield each group of identical pieces under a key, with its number of pieces; report malformed ones to `sink`.

    The key is a class of identical pieces, or the first counter of such a class.
    """
    alike = [c for c in ruleset.classes.values() if c.alike]
    word = entry.key.text
    by_name = next((c for c in alike if c.id == word), None)
    if by_name is not None:
        if isinstance(entry.value, MappingNode):
            for inner in entry.value:
                yield from _iter_nested_groups(inner, by_name, (), ruleset, sink)
        else:
            yield from _iter_leaf_group(entry.value, by_name, (), entry.key.span, ruleset, sink)
        return
    fitting = [c for c in alike if c.counters and _has_word(c.counters[0], word, ruleset)]
    if fitting:
        yield from _iter_nested_groups(entry, fitting[0], (), ruleset, sink)
        return
    words = [w for c in alike for w in _list_counter_words(c.counters[:1], ruleset)]
    sink.add_error(
        "unknown-group",
        _("no class of identical pieces has groups with the name `{word}`", word=word),
        entry.key.span,
        help=did_you_mean(word, words) or _("list single pieces by id: `[first, second]`"),
    )


def _has_word(counter: str, word: str, ruleset: Ruleset) -> bool:
    return word in (list_words(_get_counter(counter, ruleset).type, ruleset) or (word,))


def _list_counter_words(counters: tuple[str, ...], ruleset: Ruleset) -> list[str]:
    return [w for c in counters for w in list_words(_get_counter(c, ruleset).type, ruleset) or ()]


def _get_counter(name: str, ruleset: Ruleset) -> Attribute:
    return ruleset.kinds["piece"].attributes[name]


def _iter_nested_groups(
    entry: MappingEntry, cls: PieceClass, values: tuple[Any, ...], ruleset: Ruleset, sink: Sink
) -> Iterator[tuple[Group, int]]:
    """Yield the groups below an entry whose key is the next counter of the class `cls`, with their numbers of pieces.

    `values`: the counters that enclosing keys have given.
    """
    if len(values) == len(cls.counters):
        sink.add_error(
            "wrong-type",
            _("found {found}, expected a number of pieces", found=describe(entry.key)),
            entry.key.span,
            help=_(
                "nest the groups of `{cls}` by {more}", cls=cls.id, more=", then ".join(cls.counters) or _("nothing")
            ),
        )
        return
    attribute = _get_counter(cls.counters[len(values)], ruleset)
    words = list_words(attribute.type, ruleset)
    if words is not None and not check_word(entry.key, attribute.name.replace("_", " "), words, sink):
        return
    values = (*values, entry.key.text if words is not None else entry.key.value)
    if isinstance(entry.value, MappingNode):
        for inner in entry.value:
            yield from _iter_nested_groups(inner, cls, values, ruleset, sink)
    else:
        yield from _iter_leaf_group(entry.value, cls, values, entry.key.span, ruleset, sink)


def _iter_leaf_group(
    node: Node, cls: PieceClass, values: tuple[Any, ...], span: Span, ruleset: Ruleset, sink: Sink
) -> Iterator[tuple[Group, int]]:
    """Yield the group of a single number of pieces; counters that no key gives take their defaults.

    `node`: the number; `values`: the counters given by keys; `span`: the innermost key, at which errors are reported.
    """
    if not isinstance(node, ScalarNode) or type(node.value) is not int or node.value < 0:
        sink.add_error(
            "wrong-type",
            _("found {found}, expected a number of pieces", found=describe(node)),
            span,
            help=_("write a whole number, 0 or more"),
        )
        return
    defaults = []
    for name in cls.counters[len(values) :]:
        attribute = _get_counter(name, ruleset)
        if not attribute.has_default:
            sink.add_error(
                "missing-default",
                _("`{name}` has no default, so it must be given", name=name),
                span,
                help=_("write one more level: {listed}", listed=", ".join(_list_counter_words((name,), ruleset))),
            )
            return
        defaults.append(to_plain_value(attribute.default, attribute.type, ruleset))
    yield (cls.id, (*values, *defaults)), node.value
