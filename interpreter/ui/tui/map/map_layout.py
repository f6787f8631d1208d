"""Map layout: the cells of each place on a character grid, its borders, and the place under each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.tools.maps.text.grid_cells import Cell


@dataclass(frozen=True, slots=True)
class PlaceCells:
    """Cells of one place: `rows` (column, row, length) from the top, and shared side cells by neighbour id.

    `is_box`: drawn as a frame with its name.
    """

    rows: tuple[tuple[int, int, int], ...]
    sides: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    is_box: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Return the centre in cells."""
        left, _, length = self.rows[len(self.rows) // 2]
        return left + length / 2, (self.rows[0][1] + self.rows[-1][1]) / 2


@dataclass(frozen=True, slots=True)
class MapLayout:
    """A laid-out map: size in cells, places by id, border characters by cell, and the place under each cell.

    `spots`: the cells of each place by its id; `under`: the place by cell. `is_bare`: places are too small for borders.
    `lines` holds the cells of links between boxes, by the two places.
    """

    width: int
    height: int
    spots: Mapping[str, PlaceCells]
    borders: Mapping[Cell, str]
    under: Mapping[Cell, str]
    is_bare: bool = False
    lines: Mapping[tuple[str, str], tuple[Cell, ...]] = field(default_factory=dict)


def find_next_place(
    plan: MapLayout, start: str, direction: str, neighbours: Mapping[str, frozenset[str]], row: float
) -> str:
    """Return the next place in a direction ("up", "down", "left", "right"), preferring neighbours, or `start`.

    `row` is the row where a sideways walk began, so that it continues straight.
    """
    x, y = plan.spots[start].middle
    near = neighbours.get(start, frozenset())
    best, least = start, 0.0
    for name, spot in plan.spots.items():
        other_x, other_y = spot.middle
        dx, dy = (other_x - x) / 2, other_y - y
        along, aside = {
            "right": (dx, abs(dy)),
            "left": (-dx, abs(dy)),
            "down": (dy, abs(dx)),
            "up": (-dy, abs(dx)),
        }[direction]
        if along < 0.4 or aside > 1.6 * along + 0.6:
            continue
        drift = abs(other_y - row) * 0.3 if direction in ("left", "right") else 0.0
        far = (along + 2 * aside + drift) * (1 if name in near else 1.7)
        if best == start or far < least:
            best, least = name, far
    return best


def index_cells(spots: Mapping[str, PlaceCells]) -> dict[Cell, str]:
    """Map each cell to the place that owns it."""
    return {(x + n, y): name for name, spot in spots.items() for x, y, length in spot.rows for n in range(length)}
