"""Builder of the author's own pictures: checks that each file is there, is a picture, and is not too large."""

from __future__ import annotations

from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode, integer_of
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.files.picture_files import PictureError, read_picture
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.pictures import Background, CalibrationPoint, PictureFile, Point

_CODE = "bad-picture"
_NEEDED = 2  # calibration points that differ


def picture_of(node: Node | None, ctx: BuildContext) -> PictureFile | None:
    """Return the picture that a text names, or None if there is none or it cannot be used (reported)."""
    if not isinstance(node, ScalarNode) or node.value is None or ctx.folder is None:
        return None
    try:
        path, header, _data = read_picture(ctx.folder, node.text)
    except PictureError as fault:
        ctx.sink.error(_CODE, fault.problem, node.span, help=fault.cure)
        return None
    return PictureFile(node.text, str(path.absolute()), header.kind, header.size)


def read_background(tree: MappingNode, ctx: BuildContext) -> Background | None:
    """Return the scanned map of a drawing, or None if there is none that can be used."""
    stated = tree.branch("background")
    picture = picture_of(stated.get("image"), ctx)
    points = tuple(
        point
        for node in stated.items("points")
        if isinstance(node, MappingNode) and (point := _point_of(node, ctx)) is not None
    )
    if "points" in stated and len({point.at for point in points}) < _NEEDED:
        cure = _("state two or three points far apart; `grognard align` finds them by clicks")
        problem = _("the points do not determine where the scan lies")
        ctx.sink.error(_CODE, problem, stated.entries["points"].key.span, help=cure)
        return None
    grid = stated.get("grid")
    has_grid = isinstance(grid, ScalarNode) and grid.value is True
    return None if picture is None else Background(picture, points, has_grid)


def _point_of(tree: MappingNode, ctx: BuildContext) -> CalibrationPoint | None:
    at, on, place = _point(tree.get("at")), _point(tree.get("on")), tree.get("place")
    if (on is None) == (place is None):
        problem = _("this point needs either `place` or `on`")
        cure = _("write `place` with the number or id of a place, or `on` with a point of the map")
        ctx.sink.error(_CODE, problem, tree.span, help=cure)
        return None
    handle = None if place is None else read_value(place, t.PLACE, ctx)
    if at is None or handle is FAULT:
        return None
    return CalibrationPoint(at, handle, on)


def _point(node: Node | None) -> Point | None:
    if not isinstance(node, SequenceNode) or len(node.items) < 2:
        return None
    return float(integer_of(node.items[0]) or 0), float(integer_of(node.items[1]) or 0)
