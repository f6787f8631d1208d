"""Which mappings of a document hold named entries, as against fields of one entry.

Files of one kind are merged, and overlays applied, entry by entry inside these mappings.
Must not hold anything else about the documents: their shape stands in the schemas.
"""

from __future__ import annotations

from functools import lru_cache

# A `*` stands for one key, a final `**` for keys at any depth below.
_CONTAINERS: dict[str, tuple[str, ...]] = {
    "ruleset": (
        "dice",
        "sides.attributes",
        "sides.members",
        "seats",
        "seat_attributes",
        "kinds",
        "kinds.*.attributes",
        "kinds.*.members",
        "game",
        "options",
        "regions",
        "views",
        "setup_check",
    ),
    "rulebook": ("paragraphs",),
    "map": (
        "places.attributes",
        "places.members",
        "places.areas",
        "links.attributes",
        "links.members",
        "links.chains",
        "holding",
        "regions",
    ),
    "pieces": ("classes", "classes.*.attributes", "pieces"),
    "tables": ("values", "tables", "tables.*.axes", "tables.*.cells", "tables.*.cells.**"),
    "ladders": ("ladders", "ladders.*.rungs"),
    "activation": ("orders", "orders.*.axes", "orders.*.cells", "orders.*.cells.**"),
    "victory": ("aims", "conditions", "levels"),
    "scenarios": ("",),
}
# Mappings that are one value: half of an old type and half of a new one mean nothing.
_WHOLE: dict[str, tuple[str, ...]] = {
    "tables": ("tables.*.axes.*", "tables.*.gives", "values.*.type"),
    "activation": ("orders.*.axes.*", "orders.*.gives"),
}

Path = tuple[str, ...]


@lru_cache(maxsize=4096)
def is_container(kind: str, path: Path) -> bool:
    """True when the mapping at `path` of a document of this kind holds named entries."""
    return any(_matches(pattern, path) for pattern in _CONTAINERS.get(kind, ()))


@lru_cache(maxsize=4096)
def is_whole(kind: str, path: Path) -> bool:
    """True when the mapping at `path` is replaced as one value."""
    if len(path) >= 3 and path[-1] == "type" and kind in ("ruleset", "map", "pieces"):
        return is_container(kind, path[:-2])
    return any(_matches(pattern, path) for pattern in _WHOLE.get(kind, ()))


def charts_depth(kind: str, path: Path) -> int | None:
    """How many keys of cells stand in a path, 0 for a chart's `cells` itself; None outside of cells."""
    is_cells = (kind, path[:1]) in (("tables", ("tables",)), ("activation", ("orders",))) and path[2:3] == ("cells",)
    return len(path) - 3 if is_cells else None


def _matches(pattern: str, path: Path) -> bool:
    parts = pattern.split(".") if pattern else []
    if parts and parts[-1] == "**":
        parts = parts[:-1]
        if len(path) <= len(parts):
            return False
        path = path[: len(parts)]
    return len(parts) == len(path) and all(p in ("*", q) for p, q in zip(parts, path, strict=True))
