"""Names on maps of areas: where towns are named, where counters lie beside names, and how large both are."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.i18n.translator import ENGLISH
from interpreter.model.area_drawing import AreaMap
from interpreter.tools.maps.areas.label_placement import LabelSpot, Obstacles, choose_spots, compute_overlap, trim_box
from interpreter.tools.maps.areas.painter import _collect_values, compute_area_boxes
from interpreter.tools.maps.areas.plan import LARGEST_SCALE, AreaPlan, plan_areas
from interpreter.tools.maps.areas.town_labels import iter_letter_boxes, plan_labels
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.counter_faces import fit_name
from interpreter.tools.maps.counters import LARGEST, compute_row_boxes
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import AREA, compute_geometry
from interpreter.tools.maps.piece_groups import build_initial_position, find_default_scenario
from interpreter.tools.maps.shapes import draw_text, estimate_text_width
from interpreter.tools.maps.svg import list_ground_names, render_ground
from tests.first_game import write_first_game

SHEET = (0.0, 0.0, 100.0, 100.0)
FEWEST = 20  # names of towns on the shipped map, at least


def context_of(ruleset_name: str, lang: str) -> tuple[DrawingContext, AreaPlan | None]:
    ruleset = read_documents(ruleset_name, Sink())
    assert ruleset is not None
    context = create_context(ruleset, build_initial_position(ruleset, find_default_scenario(ruleset)), lang, ENGLISH)
    return context, context.geometry.plan


def counters_of(context: DrawingContext, count: int) -> list[Box]:
    found = []
    for n, box in compute_area_boxes(context, context.geometry.plan).items():
        for spot in compute_row_boxes(count, context.geometry.middles[n], box, LARGEST):
            (x, y), half = spot.middle, spot.size / 2
            found.append((x - half, y - half, x + half, y + half))
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("stacks", [1, 3])
def test_town_names_keep_clear_of_counters_letters_and_each_other(lang: str, stacks: int) -> None:
    context, plan = context_of("napoleon", lang)
    assert plan is not None
    labels = plan_labels(context, plan, _collect_values(context, plan), compute_area_boxes(context, plan))
    names = [spot.box for spot in (*labels.sites.values(), *labels.towns)]
    assert len(names) >= FEWEST
    taken = [*counters_of(context, stacks), *iter_letter_boxes(context, plan)]
    assert [box for box in names if any(compute_overlap(box, other) for other in taken)] == []
    assert [pair for pair in combinations(names, 2) if compute_overlap(*pair)] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_counters_of_area_keep_clear_of_letters_of_names(lang: str) -> None:
    context, plan = context_of("napoleon", lang)
    assert plan is not None
    letters = list(iter_letter_boxes(context, plan))
    for stacks in (1, 3, 5):
        covered = [box for box in counters_of(context, stacks) if any(compute_overlap(box, other) for other in letters)]
        assert covered == [], stacks


def test_many_counters_in_narrow_box_reach_beyond_it_rather_than_shrink() -> None:
    wide, high = 50.0, 100.0
    box = (-wide / 2, -high / 2, wide / 2, high / 2)
    for count in (1, 2, 3, 4, 9):
        spots = compute_row_boxes(count, (0.0, 0.0), box, LARGEST)
        ends = [(spot.middle[0] - spot.size / 2, spot.middle[0] + spot.size / 2) for spot in spots]
        assert min(spot.size for spot in spots) > 0.5 * LARGEST, count
        assert -0.8 * wide <= min(a for a, _ in ends) and max(b for _, b in ends) <= 0.8 * wide
        assert count > 3 or all(abs(x) <= wide / 2 for pair in ends for x in pair)


def test_town_names_are_chosen_once_per_language() -> None:
    context, plan = context_of("napoleon", "ja")
    assert plan is not None
    values, boxes = _collect_values(context, plan), compute_area_boxes(context, plan)
    assert plan_labels(context, plan, values, boxes) is plan_labels(context, plan, values, boxes)
    english = create_context(context.ruleset, context.position, "en", ENGLISH, context.geometry)
    assert plan_labels(english, plan, values, boxes) is not plan_labels(context, plan, values, boxes)


def test_label_moves_to_free_side_of_obstacle() -> None:
    obstacles = Obstacles(SHEET)
    stated = LabelSpot((50.0, 50.0), "start", (50.0, 40.0, 80.0, 50.0))
    other = LabelSpot((40.0, 50.0), "end", (10.0, 40.0, 40.0, 50.0), 25.0)
    assert choose_spots([[stated, other]], obstacles) == [stated]
    obstacles.add_line([(60.0, 0.0), (60.0, 100.0)], 20.0)
    assert choose_spots([[stated, other]], obstacles) == [other]
    outside = LabelSpot((90.0, 50.0), "start", (90.0, 40.0, 120.0, 50.0))
    assert choose_spots([[outside, stated]], obstacles) == [stated]


def test_box_is_trimmed_at_side_that_costs_least() -> None:
    assert trim_box((0, 0, 100, 50), [(10, -5, 20, 8)], (60, 30)) == (0, 8, 100, 50)
    assert trim_box((0, 0, 100, 50), [(40, 20, 60, 30)], (60, 30)) == (0, 0, 100, 50), "too little would be left"


def test_japanese_names_are_upright_and_as_wide_as_their_squares() -> None:
    context, _plan = context_of("napoleon", "ja")
    written = re.findall(r"<text([^>]*)>([^<]*)</text>", render_ground(context))
    wide = [attributes for attributes, text in written if not text.isascii()]
    assert wide and not [attributes for attributes in wide if "italic" in attributes]
    assert "italic" not in draw_text("海", 0, 0, 10, font_style="italic")
    assert "italic" in draw_text("sea", 0, 0, 10, font_style="italic")
    assert estimate_text_width("海", 10, 0.5) == 10


def test_japanese_minor_names_of_grid_are_upright() -> None:
    for lang, is_upright in (("en", False), ("ja", True)):
        context, _plan = context_of("denain-1712", lang)
        looks = {name.look for name in list_ground_names(context) if "minor" in name.look or "water" in name.look}
        assert looks and {"g-label-upright" in look for look in looks} == {is_upright}


def test_long_japanese_name_on_counter_is_squeezed_whole() -> None:
    name = "コロネル・ジェネラル"
    assert fit_name(name, 50.0)[0] == name


def test_counters_of_roomy_areas_are_larger_within_bounds(tmp_path: Path) -> None:
    ruleset = read_documents(str(write_first_game(tmp_path, layout="areas")), Sink())
    assert ruleset is not None
    plan = compute_geometry(ruleset).plan
    assert plan is not None
    assert plan.scales and all(1.0 < scale <= LARGEST_SCALE for scale in plan.scales.values())
    crowded = plan_areas(AreaMap(), (), {0: (0.0, 0.0), 1: (160.0, 0.0), 2: (80.0, 110.0)}, {0: [1, 2]}, AREA)
    left, top, right, bottom = crowded.contents[0]
    assert crowded.get_scale(0) == 1.0 and (right - left, bottom - top) == AREA
