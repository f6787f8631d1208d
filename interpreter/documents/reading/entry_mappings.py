"""Table of the mappings that hold named entries, as opposed to the fields of one entry.

Files of one kind are merged, and overlays applied, entry by entry inside these mappings. The schemas describe
everything else about the form of documents.
"""

from __future__ import annotations

from functools import lru_cache

# `*` matches one key, a final `**` keys at any depth below.
_CONTAINERS: dict[str, tuple[str, ...]] = {
    "ruleset": (
        "dice", "sides.attributes", "sides.members", "seats", "seat_attributes", "kinds", "kinds.*.attributes",
        "kinds.*.members", "game", "options", "regions", "views", "setup_check",
    ),
    "rulebook": ("paragraphs",),
    "map": (
        "places.attributes", "places.members", "places.areas", "links.attributes", "links.members", "links.chains",
        "holding", "regions",
    ),
    "pieces": ("classes", "classes.*.attributes", "pieces"),
    "tables": ("values", "tables", "tables.*.axes", "tables.*.cells", "tables.*.cells.**"),
    "ladders": ("ladders", "ladders.*.rungs"),
    "activation": ("orders", "orders.*.axes", "orders.*.cells", "orders.*.cells.**"),
    "victory": ("aims", "conditions", "levels"),
    "scenarios": ("",),
}  # fmt: skip
# Mappings replaced as one value: a mix of an old and a new type is meaningless.
_WHOLE: dict[str, tuple[str, ...]] = {
    "tables": ("tables.*.axes.*", "tables.*.gives", "values.*.type"),
    "activation": ("orders.*.axes.*", "orders.*.gives"),
}

Path = tuple[str, ...]


@lru_cache(maxsize=4096)
def is_container(kind: str, path: Path) -> bool:
    """Return whether the mapping at `path` of a document of this kind holds named entries."""
    return any(_is_match(pattern, path) for pattern in _CONTAINERS.get(kind, ()))


@lru_cache(maxsize=4096)
def is_whole(kind: str, path: Path) -> bool:
    """Return whether an overlay replaces the mapping at `path` whole instead of merging it key by key.

    `kind`: the kind of the document.
    """
    if len(path) >= 3 and path[-1] == "type" and kind in ("ruleset", "map", "pieces"):
        return is_container(kind, path[:-2])
    return any(_is_match(pattern, path) for pattern in _WHOLE.get(kind, ()))


def count_chart_keys(kind: str, path: Path) -> int | None:
    """Return the number of cell keys in a path, 0 for a chart's `cells` itself, None outside of cells."""
    is_cells = (kind, path[:1]) in (("tables", ("tables",)), ("activation", ("orders",))) and path[2:3] == ("cells",)
    return len(path) - 3 if is_cells else None


def _is_match(pattern: str, path: Path) -> bool:
    """Return whether a path matches a pattern such as "places.members.*"; a final `**` matches any longer path."""
    parts = pattern.split(".") if pattern else []
    if parts and parts[-1] == "**":
        parts = parts[:-1]
        if len(path) <= len(parts):
            return False
        path = path[: len(parts)]
    return len(parts) == len(path) and all(p in ("*", q) for p, q in zip(parts, path, strict=True))
