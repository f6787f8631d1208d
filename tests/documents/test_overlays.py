"""Variants laid over rulesets."""

from __future__ import annotations

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.listing import list_resolved_values, list_shipped
from interpreter.documents.pipeline import compute_content_hash, read_trees

VARIANT = "variants/long_day.yaml"


def test_overlay_merges_trees(workspace):
    rules = workspace.load(VARIANT).good()
    assert (rules.id, rules.extends, rules.version) == ("long_day", "two_hills", "1.0")
    assert rules.title["ja"] == "長い一日"
    assert [s.id for s in rules.kinds["side"].things] == ["reds", "blues", "greens", "yellows"]
    reds = rules.kinds["side"].things[0]
    assert (reds.values["camp"], reds.label) == ("south", {"en": "Reds", "ja": "赤軍"})
    assert rules.kinds["seat"].things[0].members == (0, 3)
    assert rules.constants["stop_limit"].value == 6
    assert rules.constants["stop_limit"].origin.cite == ("1.1",)
    assert "hand" not in rules.constants
    assert rules.tables["fire"].cells[(0,)] == 3
    assert rules.tables["fire"].cells[(1,)] == 1
    assert rules.tables["order_of_march"].cells[(1,)] == (2,)
    assert rules.scenarios["dusk"].turns == 4
    assert rules.scenarios["night"].position.pieces


def test_every_value_remembers_its_file(workspace):
    rules = workspace.load(VARIANT).good()
    spans = rules.tables["fire"].cell_spans
    assert (spans[(0,)].file, spans[(0,)].line) == ("two_hills/variants/long_day.yaml", 18)
    assert (spans[(1,)].file, spans[(1,)].line) == ("two_hills/tables.yaml", 12)


def test_resolved_listing_has_all_values(workspace):
    trees = read_trees(str(workspace.write() / VARIANT), Sink())
    listing = list_resolved_values(trees)
    found = {leaf.path: leaf for leaves in listing.values() for leaf in leaves}
    fire = found["tables.tables.fire.cells.1"]
    assert (fire.value, fire.file, fire.line) == (3, "two_hills/variants/long_day.yaml", 18)
    assert found["tables.tables.fire.cells.2"].file == "two_hills/tables.yaml"
    assert found["map.regions.low[1]"].value == "0101"
    assert list(listing)[:3] == ["ruleset", "rulebook", "map"]
    assert list(listing)[-1] == "scenarios"


def test_rules_block_keeps_its_place(workspace):
    changes = workspace.load(VARIANT).good().changes
    assert [c.name for c in changes] == ["two_hills/variants/long_day.yaml"]
    source = changes[0]
    yaml_text = workspace.files[VARIANT]
    assert len(source.text) == len(yaml_text)
    for words in ("replace define a() -> int = 2", "before march:", "report late"):
        assert source.text.index(words) == yaml_text.index(words)
    at = source.text.index("report late")
    assert source.get_position(at) == (29, 7)
    lines = [line for line in source.text.splitlines() if line.strip()]
    assert lines == ["replace define a() -> int = 2", "before march:", "    report late"]


LONGER = """\
kind: variant
format: 1
id: longer
title: Longer
extends: long_day.yaml
tables: {values: {stop_limit: {value: 7}}}
"""

OTHER_BANDS = """\
kind: variant
format: 1
id: other_bands
title: Other bands
extends: ..
tables:
  tables:
    weight:
      axes: {load: {range: 1..2}}
      cells: {"..10": null, above 10 to 25: null, above 25: null, new 1: light, new 2: heavy}
"""


def test_chain_of_variants_is_merged_in_order(workspace):
    workspace.write({"variants/longer.yaml": LONGER})
    rules = workspace.load("variants/longer.yaml").good()
    assert (rules.id, rules.constants["stop_limit"].value, len(rules.changes)) == ("longer", 7, 1)
    assert rules.tables["fire"].cells[(0,)] == 3


def test_axis_is_replaced_whole_and_cells_by_key(workspace):
    workspace.files[VARIANT] = OTHER_BANDS
    weight = workspace.load(VARIANT).good().tables["weight"]
    assert weight.axes[0].sort == "range"
    assert weight.cells == {(0,): "light", (1,): "heavy"}


def test_variant_extends_ruleset_of_its_own_folder(workspace):
    workspace.spoil(VARIANT, "extends: ..", "extends: two_hills")
    assert workspace.load(VARIANT).good().id == "long_day"


def test_content_hash_without_loading(workspace):
    folder = workspace.write()
    for target in (folder, folder / VARIANT):
        trees = read_trees(str(target), Sink())
        assert compute_content_hash(str(target)) == trees.content_hash
    assert compute_content_hash(str(folder)) != compute_content_hash(str(folder / VARIANT))
    assert compute_content_hash("no such thing") is None


def test_shipped_are_listed():
    for shipped in list_shipped():
        assert shipped.scenarios
        assert shipped.title


CELLS = """\
kind: variant
format: 1
id: cells
title: Cells
extends: ..
tables:
  tables:
    thin: {cells: {reds: {3: 9}, blues: {2: 8}}}
"""
THIN = """
kind: tables
format: 1
tables:
  thin:
    axes: {army: {of: army, only: [reds, blues]}, die: {of: die, only: [1, 2, 3]}}
    gives: int
    blanks: true
    cells:
      reds: [1, 2, 3]
      blues: {1: 4}
"""


def test_single_cells_of_row_and_blank_cells(workspace):
    workspace.files["thin.yaml"] = THIN
    workspace.files[VARIANT] = CELLS
    thin = workspace.load(VARIANT).good().tables["thin"]
    assert thin.cells == {(0, 0): 1, (0, 1): 2, (0, 2): 9, (1, 0): 4, (1, 1): 8}
    spans = [(thin.cell_spans[at].file.split("/")[-1], thin.cell_spans[at].line) for at in ((0, 0), (0, 2), (1, 1))]
    assert spans == [("thin.yaml", 10), ("long_day.yaml", 8), ("long_day.yaml", 8)]


def test_heading_that_axis_lacks(workspace):
    workspace.files["thin.yaml"] = THIN
    workspace.files[VARIANT] = CELLS.replace("{3: 9}", "{7: 9}").replace("{2: 8}", "{2: null}")
    found = workspace.load(VARIANT).found
    assert sorted(d.code for d in found) == ["nothing-to-delete", "unknown-row"]
    workspace.files[VARIANT] = CELLS.replace("{3: 9}", "{7: 9}")
    assert [(d.code, d.line) for d in workspace.load(VARIANT).found] == [("unknown-row", 8)]
