"""Run-time layout: state columns, game-wide slots, constants; assigns names only."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from interpreter.model.statements import CheckedModel


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of columns (`(kind, attribute)` -> slot), game slots and constant tuples."""

    columns: dict[tuple[str, str], str] = field(default_factory=dict)
    game: dict[str, str] = field(default_factory=dict)
    constants: dict[tuple[str, str], str] = field(default_factory=dict)

    def column_of(self, kind: str, name: str) -> str | None:
        """Return the state column of an attribute, or None for a constant."""
        if kind == "piece" and name == "at":
            return "at"
        if kind == "side" and name == "seat":
            return "seat_of"
        return self.columns.get((kind, name))


@lru_cache(maxsize=1)
def lay_out(model: CheckedModel) -> Layout:
    """Assign names to columns, game slots and constants in document order: the layout depends on the ruleset alone."""
    layout = Layout()
    for kind in model.ruleset.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.changes:
                layout.columns[(kind.id, attribute.name)] = f"c{len(layout.columns)}"
            else:
                layout.constants[(kind.id, attribute.name)] = f"K{len(layout.constants)}"
    for name in model.ruleset.game:
        layout.game[name] = f"g{len(layout.game)}"
    return layout
