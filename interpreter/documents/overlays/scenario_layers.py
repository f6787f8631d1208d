"""Scenarios as trees: one named by its file, and those that extend others.

If a later layer places a piece, the piece loses the place that the layer below gave it.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import report_unknown_name
from interpreter.documents.overlays.overlay import apply_overlay
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    get_entry_mapping,
    is_null,
)
from interpreter.i18n.translator import mark as _

_OWN = ("id", "title", "default", "extends", "name")  # keys a scenario does not inherit


def add_named_scenario(scenarios: MappingNode, document: MappingNode, sink: Sink) -> MappingNode:
    """Add the scenario in the file of a scenario document to the scenarios; it becomes the one played by default."""
    content, key = document.copy_without("kind", "format", "ruleset"), document.get("id")
    if not isinstance(key, ScalarNode):
        return scenarios
    old = scenarios.entries.get(key.text)
    if old is not None and old.key.span.source.text != key.span.source.text:
        message = _("the ruleset already has a scenario `{name}`", name=key.text)
        sink.report_duplicate(
            message, key.span, old.key.span, _("give it another id; to change the existing one, write `extends:`")
        )
    other_entries = {e.key.text: MappingEntry(e.key, get_entry_mapping(e).copy_without("default")) for e in scenarios}
    default_entry = MappingEntry(ScalarNode("default", "default", key.span), ScalarNode(True, "true", key.span))
    content = MappingNode({**content.entries, "default": default_entry}, content.span)
    return MappingNode({**other_entries, key.text: MappingEntry(key, content)}, content.span)


def resolve_extends(scenarios: MappingNode, sink: Sink) -> MappingNode:
    """Return the scenarios, each overlaid key by key on the scenario that it extends, if any."""
    resolved: dict[str, MappingNode] = {}
    for entry in scenarios:
        chain: dict[str, None] = {}
        name: str | None = entry.key.text
        while name is not None and name not in chain and name not in resolved:
            chain[name] = None
            name = _find_base(name, scenarios)
        for one in reversed(chain):
            resolved[one] = _resolve_scenario(one, scenarios, resolved, sink)
    return MappingNode({e.key.text: MappingEntry(e.key, resolved[e.key.text]) for e in scenarios}, scenarios.span)


def _find_base(name: str, scenarios: MappingNode) -> str | None:
    """Return the name of the scenario that `name` extends, or None if it extends none or an unknown one."""
    base = get_entry_mapping(scenarios.entries[name]).get("extends")
    return base.text if isinstance(base, ScalarNode) and base.text in scenarios else None


def _resolve_scenario(
    name: str, scenarios: MappingNode, resolved: Mapping[str, MappingNode], sink: Sink
) -> MappingNode:
    """Return a scenario overlaid on its base. `resolved` holds the resolved bases; a cycle of scenarios is ignored."""
    tree = get_entry_mapping(scenarios.entries[name])
    base = tree.get("extends")
    if base is None:
        _report_removals(tree, sink)
    if not isinstance(base, ScalarNode) or base.value is None:
        return tree.copy_without("extends")
    if base.text in resolved:
        own = tree.copy_without("extends")
        return apply_overlay("scenario", remove_moved_pieces(resolved[base.text].copy_without(*_OWN), own), own, sink)
    if base.text not in scenarios:
        report_unknown_name(sink, "scenario", "scenario", base.text, base.span, scenarios.entries)
    else:
        message, cure = _("the scenarios extend each other in a circle"), _("remove `extends:` from one of them")
        if base.text == name:
            message = _("the scenario `{name}` extends itself", name=name)
            cure = _("name another scenario after `extends:`, or give this one another id")
        sink.add_error("variant-circle", message, base.span, help=cure)
    return tree.copy_without("extends", "options", "setup")


def _report_removals(tree: MappingNode, sink: Sink) -> None:
    """Report each null in a scenario that removes nothing because the scenario does not extend another one."""
    for part in (tree.get_mapping("options"), *(get_entry_mapping(e) for e in tree.get_mapping("setup"))):
        for entry in part:
            if isinstance(entry.value, ScalarNode) and entry.value.value is None:
                name = entry.key.text
                message = _("`{name}` is marked for removal, but the scenario does not extend another", name=name)
                sink.add_error(
                    "nothing-to-delete", message, entry.key.span, help=_("remove this line, or write `extends:`")
                )


_NEW = "new "


def remove_moved_pieces(base: MappingNode, change: MappingNode) -> MappingNode:
    """Return a scenario without the places of pieces that its overlay `change` places elsewhere."""
    moved = _list_placed_pieces(change.get_mapping("setup"))
    setup = base.get("setup")
    if not moved or not isinstance(setup, MappingNode):
        return base
    parts = dict(setup.entries)
    for name, remove_moved in (("pieces", _remove_moved_pieces), ("each", _remove_moved_place)):
        if name in parts and isinstance(parts[name].value, MappingNode):
            own = {e.key.text: MappingEntry(e.key, remove_moved(e, moved)) for e in setup.get_mapping(name)}
            parts[name] = MappingEntry(parts[name].key, MappingNode(own, parts[name].value.span))
    return base.copy_with_value(["setup"], MappingNode(parts, setup.span))


def remove_all_moved_pieces(scenarios: MappingNode, changes: MappingNode) -> MappingNode:
    """Return the scenarios without the places of pieces that a variant's `changes` place elsewhere."""
    return MappingNode(
        {
            e.key.text: MappingEntry(
                e.key,
                remove_moved_pieces(get_entry_mapping(e), changes.get_mapping(e.key.text))
                if e.key.text in changes
                else e.value,
            )
            for e in scenarios
        },
        scenarios.span,
    )


def _list_placed_pieces(setup: MappingNode) -> set[str]:
    """Return the pieces that a setup places by name."""
    listed = {
        item.text
        for place in setup.get_mapping("pieces")
        if isinstance(place.value, SequenceNode)
        for item in place.value.items
        if isinstance(item, ScalarNode)
    }
    return listed | {
        e.key.text.removeprefix(_NEW).strip()
        for e in setup.get_mapping("each")
        if isinstance(e.value, MappingNode) and (at := e.value.get("at")) is not None and not is_null(at)
    }


def _remove_moved_pieces(entry: MappingEntry, moved: set[str]) -> Node:
    """Return the pieces at a place without those in `moved`, which a later layer places elsewhere."""
    if not isinstance(entry.value, SequenceNode):
        return entry.value
    remaining = tuple(i for i in entry.value.items if not (isinstance(i, ScalarNode) and i.text in moved))
    return SequenceNode(remaining, entry.value.span)


def _remove_moved_place(entry: MappingEntry, moved: set[str]) -> Node:
    """Return the values of a piece, without its place if it is in `moved`."""
    if entry.key.text not in moved or not isinstance(entry.value, MappingNode):
        return entry.value
    return entry.value.copy_without("at")
