"""Pictures of an author's own: recognized by content, read safely, fitted under the spaces, shown on counters."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from math import cos, isclose, pi, sin
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.files.picture_files import MAX_BYTES, PictureError, PictureHeader, read_picture, read_picture_header
from interpreter.i18n.translator import ENGLISH
from interpreter.model.drawing import CalibrationPoint
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.piece_groups import build_initial_position, find_default_scenario
from interpreter.tools.maps.scans import find_picture, fit_matrix
from interpreter.tools.maps.svg import render_ground, render_map
from tests.recordings import assert_recorded
from tests.tools.test_drawing import MAP, PIECES, RULESET, SCENARIO

SCRIPT = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def png(width: int = 4, height: int = 3) -> bytes:
    """Return a PNG whose header states a size; its content is two grey rows at most."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x80" * min(width, 8) for _ in range(min(height, 2)))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01" + bytes(7) + b"\xff\xc0\x00\x11\x08\x01\x2c\x02\x58\x03" + bytes(9)
GIF = b"GIF89a\x20\x00\x10\x00\x00\x00\x00"
WEBP = {
    b"VP8X": b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x63\x00\x00\x31\x00\x00",
    b"VP8L": b"RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0\x2f" + ((99) | (49 << 14)).to_bytes(4, "little") + bytes(5),
    b"VP8 ": b"RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x64\x00\x32\x00",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a small ruleset with a picture in it."""
    texts = {"ruleset": RULESET, "map": MAP, "pieces": PIECES, "scenario": SCENARIO}
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "scan.png").write_bytes(png(1200, 900))
    return tmp_path


def with_drawing(folder: Path, drawing: str) -> tuple[Ruleset, Sink]:
    (folder / "map.yaml").write_text(f"{MAP}drawing:\n{drawing}", encoding="utf-8")
    sink = Sink()
    ruleset = read_documents(str(folder), sink)
    assert ruleset is not None
    return ruleset, sink


# --- which files are pictures -----------------------------------------------------------------------


def test_picture_header_gives_kind_and_size() -> None:
    assert read_picture_header(png(640, 480)) == PictureHeader("png", (640, 480))
    assert read_picture_header(JPEG) == PictureHeader("jpeg", (600, 300))
    assert read_picture_header(GIF) == PictureHeader("gif", (32, 16))
    assert [read_picture_header(data) for data in WEBP.values()] == [PictureHeader("webp", (100, 50))] * 3


@pytest.mark.parametrize("data", [SCRIPT, b"", b"\xff\xd8\xff", b"GIF8", png()[:20], b"RIFF\0\0\0\0WEBP", b"%PDF-1.7"])
def test_picture_header_of_other_file_is_none(data: bytes) -> None:
    assert read_picture_header(data) is None


def test_truncated_picture_has_same_header_or_none() -> None:
    for whole in (png(), JPEG, GIF, *WEBP.values()):
        headers = [read_picture_header(whole[:length]) for length in range(len(whole))]
        assert headers[0] is None and set(headers) <= {None, read_picture_header(whole)}


@pytest.mark.parametrize(
    "name", ["../secret.png", "/etc/hosts", "a/../../x.png", "C:\\x.png", "a\\b.png", "a//b.png", ""]
)
def test_picture_outside_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    (tmp_path / "game").mkdir()
    with pytest.raises(PictureError) as fault:
        read_picture(tmp_path / "game", name)
    assert_recorded(fault.value.problem, FOLDER=tmp_path)


@pytest.mark.parametrize("place", ["file", "folder"])
def test_picture_behind_link_is_refused(tmp_path: Path, place: str) -> None:
    outside, game = tmp_path / "outside", tmp_path / "game"
    outside.mkdir(), game.mkdir()
    (outside / "scan.png").write_bytes(png())
    name = "scan.png" if place == "file" else "pictures/scan.png"
    (game / name.split("/")[0]).symlink_to(outside / "scan.png" if place == "file" else outside)
    with pytest.raises(PictureError) as fault:
        read_picture(game, name)
    assert_recorded(fault.value.problem)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "holds no picture `scan.png`"),
        (SCRIPT, "markup file"),
        (b"plain words", "not a PNG"),
        (png(40_000, 40_000), "40000 pixels wide"),
        (png(0, 3), "0 pixels wide"),
        (png() + bytes(MAX_BYTES), "takes 16 megabytes"),
    ],
)
def test_wrong_picture_is_reported_where_it_is_named(folder: Path, content: bytes | None, problem: str) -> None:
    (folder / "scan.png").unlink()
    if content is not None:
        (folder / "scan.png").write_bytes(content)
    ruleset, sink = with_drawing(folder, "  background: {image: scan.png}\n")
    (fault,) = sink.list_errors()
    assert fault.code == "bad-picture" and problem in str(fault.message) and fault.help
    assert fault.span.source.text[fault.span.start : fault.span.end] == "scan.png"
    assert ruleset.drawing.background is None


@pytest.mark.parametrize(
    "points", ["[{at: [1, 2], place: '0101'}, {at: [1, 2], place: '0302'}]", "[{at: [1, 2]}, {at: [9, 9], on: [1, 1]}]"]
)
def test_degenerate_alignment_points_are_reported(folder: Path, points: str) -> None:
    _, sink = with_drawing(folder, f"  background: {{image: scan.png, points: {points}}}\n")
    assert {d.code for d in sink.list_errors()} == {"bad-picture"}


# --- where a scan lies ------------------------------------------------------------------------------


def points(*pairs: tuple[tuple[float, float], tuple[float, float]]) -> list[CalibrationPoint]:
    return [CalibrationPoint(at, None, on) for at, on in pairs]


def test_two_points_give_similarity_through_both() -> None:
    matrix = fit_matrix(points(((10, 10), (100, 200)), ((110, 10), (100, 400))), {})
    assert matrix is not None
    a, b, c, d, e, f = matrix
    assert isclose(a, 0, abs_tol=1e-9) and isclose(b, 2) and isclose(c, -2) and isclose(d, 0, abs_tol=1e-9)
    assert isclose(110 * a + 10 * c + e, 100) and isclose(110 * b + 10 * d + f, 400)


def test_more_points_give_affine_transform_that_fits_best() -> None:
    angle = pi / 50
    true = (1.2 * cos(angle), 0.9 * sin(angle), -1.1 * sin(angle), 0.95 * cos(angle), 40.0, -25.0)
    a, b, c, d, e, f = true
    spots = [(0.0, 0.0), (900.0, 30.0), (100.0, 700.0), (950.0, 720.0)]
    exact = points(*((p, (a * p[0] + c * p[1] + e, b * p[0] + d * p[1] + f)) for p in spots))
    found = fit_matrix(exact, {})
    assert found is not None and all(isclose(x, y, abs_tol=1e-9) for x, y in zip(found, true, strict=True))
    shaken = [replace(p, on=(p.on[0] + s, p.on[1] - s)) for p, s in zip(exact, (1, -1, -1, 1), strict=True) if p.on]
    near = fit_matrix(shaken, {})
    assert near is not None and all(abs(x - y) < 1.5 for x, y in zip(near, true, strict=True))


def test_points_in_one_line_give_no_transform() -> None:
    assert fit_matrix(points(((0, 0), (0, 0)), ((5, 5), (9, 9)), ((9, 9), (15, 15))), {}) is None
    assert fit_matrix([CalibrationPoint((1, 1), 7)], {}) is None
    assert fit_matrix([], {}) == (1, 0, 0, 1, 0, 0)


# --- pictures with scans ----------------------------------------------------------------------------


def test_scan_replaces_drawn_ground(folder: Path) -> None:
    where = "points: [{at: [100, 100], place: '0101'}, {at: [500, 340], place: '0302'}], grid: true"
    ruleset, sink = with_drawing(folder, f"  background: {{image: scan.png, {where}}}\n")
    assert not sink.has_errors
    drawn = render_ground(
        create_context(ruleset, build_initial_position(ruleset, find_default_scenario(ruleset)), "", ENGLISH)
    )
    assert drawn.count('href="data:image/png;base64,') == 1 and "matrix(" in drawn
    assert "Green Ford" not in drawn and ">0101<" not in drawn
    (folder / "scan.png").unlink()
    drawn = render_ground(
        create_context(ruleset, build_initial_position(ruleset, find_default_scenario(ruleset)), "", ENGLISH)
    )
    assert "data:image" not in drawn and 'class="ground"' in drawn, "a picture that has gone is not missed"


def test_scans_of_counters_go_by_piece_and_by_value(folder: Path) -> None:
    (folder / "red.png").write_bytes(png(50, 50))
    (folder / "own.png").write_bytes(png(60, 60))
    image = "{by: owner, values: {reds: red.png}, pieces: {rangers: own.png}}"
    ruleset, sink = with_drawing(folder, f"  pieces: {{band: {{image: {image}}}}}\n")
    assert not sink.has_errors
    shown = build_initial_position(ruleset, find_default_scenario(ruleset))
    drawn = render_map(ruleset, find_default_scenario(ruleset), position=shown)
    assert len(set(re.findall(r'href="data:image/png;base64,([^"]+)"', drawn))) == 2
    context = replace(create_context(ruleset, shown, "", ENGLISH), is_linked=True)
    from interpreter.tools.maps.svg import draw_layers

    names = re.findall(r'href="pictures/([^"]+)"', "".join(draw_layers(context).counters))
    assert len(names) == 2 and "data:image" not in "".join(draw_layers(context).counters)
    served = [find_picture(ruleset.drawing, name) for name in names]
    assert [found and found[1] for found in served] == ["image/png"] * 2
    assert find_picture(ruleset.drawing, "../scan.png") is None


def test_pictures_do_not_change_identity() -> None:
    from interpreter.model.meaning import collect_meaning

    rules = load("napoleon", checked=True)
    assert rules.model is not None
    drawing = replace(rules.model.ruleset.drawing, area_map=type(rules.model.ruleset.drawing.area_map)())
    other = replace(rules.model, ruleset=replace(rules.model.ruleset, drawing=drawing))
    assert collect_meaning(other) == collect_meaning(rules.model)
