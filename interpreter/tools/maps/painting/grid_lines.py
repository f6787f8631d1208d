"""Draw the lines between spaces, and the frame around a map with its checked border."""

from __future__ import annotations

from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.tools.maps.painting.cell_mesh import CellMesh, corner_key
from interpreter.tools.maps.painting.curves import format_point

BORDER = 13.0  # width of the checked border
_CHECK = 60.0  # length of a check
_THICK = 5.0


def build_grid_path(mesh: CellMesh) -> str:
    """Return the path of all sides of spaces, each side once."""
    seen, parts = set[frozenset[tuple[int, int]]](), []
    for cell in mesh.cells:
        corners, is_running = mesh.corners(cell), False
        for n, corner in enumerate(corners):
            following = corners[(n + 1) % len(corners)]
            side = frozenset((corner_key(corner), corner_key(following)))
            if side in seen:
                is_running = False
                continue
            seen.add(side)
            parts.append(("" if is_running else f"M{format_point(corner)}") + f"L{format_point(following)}")
            is_running = True
    return "".join(parts)


def draw_frame(mesh: CellMesh) -> str:
    """Return the frame around a grid: a checked border between two lines, and a thick line outside."""
    left, top, right, low = mesh.box
    border, parts = BORDER, list[str]()
    outer = _rectangle(left - border, top - border, right + border, low + border)
    parts.append(_path("checks-gap", outer + _rectangle(left, top, right, low), fill_rule="evenodd"))
    checks = []
    count = 2 * max(2, round((right - left) / _CHECK / 2)) + 1
    step, inset = (right - left) / count, (border - _THICK) / 2
    for n in range(0, count, 2):
        for y in (top - border + inset, low + inset):
            checks.append(_rectangle(left + n * step, y, left + (n + 1) * step, y + _THICK))
    count = 2 * max(2, round((low - top) / _CHECK / 2)) + 1
    step = (low - top) / count
    for n in range(0, count, 2):
        for x in (left - border + inset, right + inset):
            checks.append(_rectangle(x, top + n * step, x + _THICK, top + (n + 1) * step))
    parts.append(_path("checks", "".join(checks)))
    parts.append(_path("frame", _rectangle(left, top, right, low) + outer))
    far = border + 6
    parts.append(_path("frame-thick", _rectangle(left - far, top - far, right + far, low + far)))
    return element("g", parts, class_="g-border-frame")


def _rectangle(left: float, top: float, right: float, low: float) -> str:
    x, y = format_coordinate(left), format_coordinate(top)
    return f"M{x} {y}H{format_coordinate(right)}V{format_coordinate(low)}H{x}Z"


def _path(look: str, outline: str, **attributes: str) -> str:
    return element("path", class_=f"g-{look}", d=outline, **attributes)
