"""Draw the author's own pictures: a scanned map below the spaces, and scans as faces of counters.

A picture that is one file holds them as data; a page may refer to them by a name, a digest of their content.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.files.picture_files import MAX_BYTES, build_content_name, read_picture_header
from interpreter.files.safe_read import read_regular_file
from interpreter.model.area_drawing import Point
from interpreter.model.drawing import Background, CalibrationPoint, CounterPictures, MapDrawing, PictureFile
from interpreter.tools.maps.areas.ground import format_rings_path
from interpreter.tools.maps.counter_faces import FACE
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.shapes import draw_text, format_path
from interpreter.tools.maps.style import find_written_value

ADDRESS = "pictures/"  # below which a page finds the scans
_NAME_BYTES = 12
_KEPT = 256  # pictures whose content stays in memory
_ROUND = 0.08  # of a counter's corners, as a share of its side

Matrix = tuple[float, float, float, float, float, float]


def read_content(picture: PictureFile) -> bytes | None:
    """Return the content of a picture, or None if the file is missing or no longer a picture of that kind."""
    if picture.content is not None:
        return picture.content
    try:
        status = os.stat(picture.path, follow_symlinks=False)
    except OSError:
        return None
    return _read_content(picture.path, picture.kind, status.st_mtime_ns, status.st_size)


@lru_cache(_KEPT)
def _read_content(path: str, kind: str, _changed: int, _size: int) -> bytes | None:
    try:
        data = read_regular_file(path, MAX_BYTES, follow=False)
    except OSError:
        return None
    header = read_picture_header(data)
    return data if header is not None and header.kind == kind else None


def find_picture(drawing: MapDrawing, name: str) -> tuple[bytes, str] | None:
    """Return (content, media type) of the counter scan whose address ends in `name`, or None."""
    for picture in drawing.iter_counter_pictures():
        content = read_content(picture)
        if content is not None and build_content_name(content, picture.kind) == name:
            return content, f"image/{picture.kind}"
    return None


def _build_address(picture: PictureFile, is_linked: bool) -> str:
    """Return the address of a picture; "" if its file is missing.

    `is_linked`: a name below the page, which serves the picture; otherwise a `data:` address with its content.
    """
    content = read_content(picture)
    if content is None:
        return ""
    if is_linked:
        return ADDRESS + build_content_name(content, picture.kind)
    return f"data:image/{picture.kind};base64,{b64encode(content).decode('ascii')}"


# --- a scanned map ----------------------------------------------------------------------------------


def draw_background(context: DrawingContext, background: Background) -> str:
    """Draw the scanned map and, if wanted, the outlines of the spaces over it; "" if the file is missing."""
    address = _build_address(background.picture, False)
    matrix = fit_matrix(background.points, context.geometry.middles)
    if not address or matrix is None:
        return ""
    (width, height), layout = background.picture.size, context.geometry
    picture = build_element(
        "image",
        href=address,
        width=width,
        height=height,
        preserveAspectRatio="none",
        transform=f"matrix({' '.join(f'{value:.6g}' for value in matrix)})",
    )
    sheet = build_element(
        "clipPath", build_element("rect", width=layout.size[0], height=layout.size[1]), id="scan-sheet"
    )
    parts = [sheet, build_element("g", picture, clip_path="url(#scan-sheet)", class_="scan")]
    if background.has_grid:
        look = {"fill": "none", "stroke": "#1c1c1c", "stroke_width": 0.8, "stroke_opacity": "0.45"}
        parts.append(build_element("path", d=_build_outline_path(layout), **look))
    return "".join(parts)


def _build_outline_path(layout: MapGeometry) -> str:
    if layout.plan is not None:
        return "".join(format_rings_path(rings) for rings in layout.plan.outlines.values())
    spaces = [layout.middles[n] for n in sorted(layout.on_grid)]
    return "".join(format_path([(x + a, y + b) for a, b in layout.corners], close=True) for x, y in spaces)


def compute_background_digest(background: Background | None) -> str:
    """Return a digest of the scanned map, or "" without one."""
    content = None if background is None else read_content(background.picture)
    return "" if content is None else blake2b(content, digest_size=_NAME_BYTES).hexdigest()


def fit_matrix(points: Sequence[CalibrationPoint], middles: Mapping[int, Point]) -> Matrix | None:
    """Return the transform from pixels of a scan to the map, or None if the points do not determine it.

    `points`: pixels of the scan with a place or a point of the map; `middles`: by place. No points give the identity,
    two a similarity, three or more the affine transform that fits best (least squares).
    """
    pairs = [
        (point.at, to) for point in points if (to := point.on if point.place is None else middles.get(point.place))
    ]
    if not points:
        return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    if len(pairs) == 2:
        return _fit_similarity(*pairs)
    return _fit_affine(pairs) if len(pairs) > 2 else None


def _fit_similarity(first: tuple[Point, Point], last: tuple[Point, Point]) -> Matrix | None:
    (ax, ay), (ux, uy) = first
    (bx, by), (vx, vy) = last
    dx, dy, ex, ey = bx - ax, by - ay, vx - ux, vy - uy
    length = dx * dx + dy * dy
    if not length or (ex, ey) == (0.0, 0.0):
        return None
    c, s = (dx * ex + dy * ey) / length, (dx * ey - dy * ex) / length
    return c, s, -s, c, ux - c * ax + s * ay, uy - s * ax - c * ay


def _fit_affine(pairs: Sequence[tuple[Point, Point]]) -> Matrix | None:
    """Return the affine transform that takes each pair's first point nearest to its second (least squares).

    Solves the normal equations by Cramer's rule. None if the first points lie on one line.
    """
    count = len(pairs)
    mx, my = sum(p[0] for p, _ in pairs) / count, sum(p[1] for p, _ in pairs) / count
    ux, uy = sum(q[0] for _, q in pairs) / count, sum(q[1] for _, q in pairs) / count
    xx = sum((p[0] - mx) ** 2 for p, _ in pairs)
    yy = sum((p[1] - my) ** 2 for p, _ in pairs)
    xy = sum((p[0] - mx) * (p[1] - my) for p, _ in pairs)
    determinant = xx * yy - xy * xy
    if determinant <= 1e-9 * (xx * yy or 1.0):
        return None  # all in one line
    rows = []
    for axis, mean in ((0, ux), (1, uy)):
        xu = sum((p[0] - mx) * (q[axis] - mean) for p, q in pairs)
        yu = sum((p[1] - my) * (q[axis] - mean) for p, q in pairs)
        a, c = (xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant
        rows.append((a, c, mean - a * mx - c * my))
    (a, c, e), (b, d, f) = rows
    return a, b, c, d, e, f


# --- scanned counters -------------------------------------------------------------------------------


def find_scan(group: PlacedGroup, context: DrawingContext) -> PictureFile | None:
    """Return the picture file of a counter's scan, or None if the counter is to be drawn."""
    pictures: CounterPictures | None = context.get_style(group).pictures
    if pictures is None:
        return None
    if group.handle in pictures.pieces:
        return pictures.pieces[group.handle]
    value = find_written_value(context.ruleset, "piece", pictures.by, group.values) if pictures.by else None
    picture = pictures.values.get(value or "", pictures.usual)
    return picture if picture is not None and read_content(picture) is not None else None


def draw_scan(picture: PictureFile, count: int, is_linked: bool) -> str:
    """Draw a scan as the front of a counter around (0, 0), in units of its face.

    `count`: the number of pieces, shown if above 1; `is_linked`: refer to the picture by its
    address on the server instead of embedding it as a `data:` URL.
    """
    side = FACE
    corner = -side / 2
    box = {"x": corner, "y": corner, "width": side, "height": side}
    parts = [
        build_element(
            "image",
            href=_build_address(picture, is_linked),
            preserveAspectRatio="xMidYMid slice",
            clip_path=f"inset(0 round {format_coordinate(side * _ROUND)}px)",
            **box,
        ),
        build_element("rect", rx=side * _ROUND, fill="none", stroke="#1c1c1c", stroke_width=0.8, **box),
    ]
    if count > 1:
        r = side * 0.2
        middle = -corner - r * 0.7
        parts.append(
            build_element("circle", cx=middle, cy=middle, r=r, fill="#ffffff", stroke="#1c1c1c", stroke_width=0.8)
        )
        parts.append(draw_text(f"×{count}", middle, middle + r * 0.4, r * 1.1, font_weight="bold"))
    return "".join(parts)
