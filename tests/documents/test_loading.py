"""From documents to the typed ruleset: the sample ruleset, value by value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model import types as t


@pytest.fixture
def rules(workspace):
    return workspace.load().good()


def ids(kind):
    return [thing.id for thing in kind.things]


def thing(rules, kind, name):
    return next(x for x in rules.kinds[kind].things if x.id == name)


def place(rules, name):
    return ids(rules.kinds["place"]).index(name)


def test_loading_reads_head(rules):
    assert (rules.id, rules.version, rules.languages, rules.extends) == (
        "two_hills",
        "1.0",
        ("en", "ja"),
        None,
    )
    assert rules.title == {"en": "Two Hills", "ja": "二つの丘"}
    assert [s.name for s in rules.rules] == ["two_hills/more/words.rules", "two_hills/sequence.rules"]
    assert rules.reconstructed[0][1].note == {"en": "The fire chart is our own."}
    assert [what for what, _ in rules.reconstructed] == ["ruleset", "tables.tables.charge"]


def test_loading_keeps_order_of_kinds(rules):
    assert list(rules.kinds) == ["side", "seat", "wing", "place", "edge", "piece"]
    side = rules.kinds["side"]
    assert (side.one, side.many, ids(side)) == ("army", "armies", ["reds", "blues", "greens"])
    assert rules.kinds["wing"].many == "wings"
    assert rules.kinds["wing"].attributes["commander"].type == t.ThingType("piece", "marshal")


def test_loading_reads_values_of_sides(rules):
    blues = thing(rules, "side", "blues")
    assert blues.values == {"home": place(rules, "0101"), "camp": "south", "spirit": 1, "best": 2, "shots": 0}
    assert blues.label == {"en": "blues"}
    assert blues.origin.cite == ("1.1",)
    assert blues.origin.span.line == 22


def test_loading_reads_attributes(rules):
    attributes = rules.kinds["side"].attributes
    assert attributes["home"].type == t.PLACE
    assert not attributes["home"].changes
    assert attributes["camp"].type == t.OneOfType(("north", "south"))
    assert (attributes["spirit"].type, attributes["spirit"].top) == (t.RungType("spirit"), "best")
    shots = attributes["shots"]
    assert (shots.changes, shots.lasts, shots.low, shots.high, shots.default) == (True, "turn", 0, 9, 0)
    morale = rules.game["morale"]
    assert (morale.changes, morale.clamp, morale.default, morale.origin.cite) == (True, True, 20, ("1.2",))
    assert rules.game["order"].type == t.ListType(t.SIDE)


def test_loading_reads_seats(rules):
    assert [s.members for s in rules.kinds["seat"].things] == [(0,), (1, 2), (), ()]
    assert rules.kinds["seat"].things[0].values == {"points": Fraction(1, 2)}
    assert rules.seats == (0, 1, 2, 3)


def test_loading_reads_places_and_holdings(rules):
    assert ids(rules.kinds["place"]) == [
        "hill", "ford", "0101", "0102", "0103", "0201", "0202", "0301", "0302", "0303",
        "box.reds", "box.blues", "box.greens", "arrives.1", "arrives.2", "dead_pile", "off_map"]  # fmt: skip
    hill, box = thing(rules, "place", "hill"), thing(rules, "place", "box.reds")
    assert hill.values == {"terrain": "open", "height": 2, "bans": (1, 3), "owner": None}
    assert thing(rules, "place", "ford").values["owner"] == 0
    assert thing(rules, "place", "0102").values == {"terrain": "wood", "height": 1, "bans": (), "owner": None}
    assert (box.holding, box.values["terrain"], box.label) == (
        "box", None, {"en": "Box (Reds)", "ja": "Box（赤軍）"})  # fmt: skip
    assert thing(rules, "place", "dead_pile").holding == "dead_pile"
    assert hill.holding is None


def test_loading_reads_links(rules):
    edges = rules.kinds["edge"].things
    assert (edges[0].id, edges[0].ends, edges[0].values) == ("hill-ford", (0, 1), {"river": True})
    assert thing(rules, "edge", "0101/0102").values == {"river": True}
    assert thing(rules, "edge", "0102/0103").values == {"river": False}
    assert thing(rules, "edge", "0101/0102").direction == "s"
    assert rules.regions == {"low": (1, 2), "high": (0, 3)}


def test_loading_reads_pieces(rules):
    pieces = rules.kinds["piece"]
    assert ids(pieces) == ["red-1", "red-2", "red-3", "blue-1", "blue-2", "ney", "soult"]
    assert list(pieces.attributes) == ["army", "condition", "tired", "rating"]
    assert [p.label for p in pieces.things[:5]] == [
        {"en": "One"}, {"en": "Two"}, {"en": "Three", "ja": "三"},
        {"en": "blue 1"}, {"en": "blue 2"}]  # fmt: skip
    assert pieces.things[0].values == {"army": 0, "condition": 1, "tired": False, "rating": None}
    assert pieces.things[0].at == place(rules, "box.reds")
    assert thing(rules, "piece", "ney").values["rating"] == Fraction(3, 2)
    assert thing(rules, "piece", "soult").values["rating"] == 2
    assert thing(rules, "piece", "soult").at is None
    unit, marshal = rules.classes["unit"], rules.classes["marshal"]
    assert (unit.alike, unit.counters, unit.attributes) == (
        True,
        ("army", "condition"),
        ("army", "condition", "tired"),
    )
    assert (marshal.one, marshal.many, marshal.alike) == ("marshal_piece", "marshals", False)


def test_loading_reads_ladders_and_dice(rules):
    assert rules.ladders["spirit"].rungs == ("broken", "steady", "proud")
    assert rules.ladders["condition"].labels == ({"en": "worn out"}, {"en": "fresh"})
    assert rules.dice["die"].faces == (1, 2, 3, 4, 5, 6)
    assert rules.dice["odd_die"].faces == (1, 1, 3, 5)


def test_loading_reads_constants(rules):
    found = {name: (c.type, c.value) for name, c in rules.constants.items()}
    assert found == {"stop_limit": (t.INT, 5), "hand": (t.INT, 7), "half": (t.NUMBER, Fraction(1, 2)),
                     "first_sides": (t.SetType(t.SIDE), (0, 2))}  # fmt: skip


def test_loading_reads_die_table(rules):
    fire = rules.tables["fire"]
    assert (fire.axes[0].sort, fire.axes[0].keys, fire.axes[0].below, fire.axes[0].above) == (
        "range", (1, 2, 3, 4, 5, 6), "refuse", "clamp")  # fmt: skip
    assert fire.cells == {(0,): 2, (1,): 1, (2,): 1, (3,): 0, (4,): 0, (5,): 0}
    assert fire.cell_spans[(1,)].line == 12


def test_loading_reads_composite_table(rules):
    charge = rules.tables["charge"]
    arms = (("loss", True), ("disorder", False), ("retreat", True), ("star", False), ("destroyed", False))
    assert charge.type == t.ListType(t.PartType(arms))
    odds, die = charge.axes
    assert odds.keys == (Fraction(1, 2), Fraction(1), Fraction(2))
    assert (odds.sort, odds.rounding, odds.below) == ("ratio", "for_defender", "refuse")
    assert odds.above == ("result", (("destroyed", 0),))
    assert die.keys == (-1, 0, 1)
    assert charge.cells[(0, 0)] == (("loss", 2), ("disorder", 0))
    assert charge.cells[(0, 1)] == (("disorder", 0), ("retreat", 2))
    assert charge.cells[(0, 2)] == ()
    assert charge.cells[(1, 0)] == (("retreat", 1),)
    assert charge.cells[(1, 1)] == (("loss", 1), ("disorder", 0), ("retreat", 2), ("star", 0))


def test_record_table_with_blanks(rules):
    supply = rules.tables["supply"]
    assert supply.type == t.RecordType("supply")
    assert rules.records["supply"].fields == {"gain": t.INT, "limit": t.MaybeType(t.INT)}
    assert supply.blanks
    assert supply.cells == {(0, 1): (1, 4), (0, 2): (2, None), (1, 2): (3, None)}


def test_loading_reads_bands(rules):
    weight = rules.tables["weight"]
    assert weight.axes[0].type == t.NUMBER
    assert weight.axes[0].keys == ((None, True, 10, True), (10, False, 25, True), (25, False, None, True))
    assert weight.cells == {(0,): "light", (1,): "heavy", (2,): "heavy"}


def test_loading_reads_die_with_gaps(rules):
    luck = rules.tables["luck"]
    assert (luck.axes[0].sort, luck.axes[0].keys) == ("keys", (1, 3, 5))
    assert luck.cells[(2, 0)] is False


def test_loading_reads_order_of_activity(rules):
    order = rules.tables["order_of_march"]
    assert order.type == t.ListType(t.SIDE)
    assert order.cells == {(0,): (0, 1, 2), (1,): (1, 0)}


def test_loading_reads_rulebook(rules):
    hills, morale = rules.rulebook["1.1"], rules.rulebook["1.2"]
    assert (hills.definition, hills.text["ja"]) == (True, "丘は二つある。")
    assert morale.replaced_when.text == "playing fog"


def test_victory_expressions_match_spans(rules):
    collapse, when, score = (
        rules.victory.conditions["collapse"],
        rules.victory.levels[1].when,
        rules.victory.score,
    )
    for embedded in (collapse, when, score):
        assert embedded.span.source.text[embedded.span.start : embedded.span.end] == embedded.text
    assert (collapse.text, collapse.span.line, collapse.span.column) == ("game.morale == 0", 4, 21)
    assert when.text.split() == "game.morale > 3 and not playing fog".split()
    assert (when.span.line, when.span.column) == (11, 7)
    assert (score.text, rules.victory.score_word) == ("points(s)", "s")
    assert [(level.id, level.seat) for level in rules.victory.levels] == [("draw", None), ("triumph", 0)]


def test_loading_reads_options(rules):
    fog, mud, length, shared = rules.options.values()
    assert (fog.type, fog.default) == ("flag", False)
    assert (mud.needs, mud.excludes) == (("fog",), ("length",))
    assert (length.type, length.values, length.default) == ("choice", ("short", "long"), "short")
    assert (shared.type, shared.splits, shared.into) == ("split", 1, (2, 3))


def test_loading_reads_scenario(rules):
    dawn = rules.scenarios["dawn"]
    hill = place(rules, "hill")
    assert (dawn.default, dawn.turns, dawn.options) == (True, 8, {"fog": True, "length": "long"})
    assert dawn.position.groups == (
        (hill, (("army", 0), ("condition", 1)), 1, "unit"),
        (hill, (("army", 0), ("condition", 0)), 1, "unit"),
        (hill, (("army", 1),), 1, "unit"),
    )
    assert dawn.position.pieces == {6: {"at": place(rules, "ford")},
                                    2: {"at": place(rules, "dead_pile"), "condition": 0}}  # fmt: skip
    assert dawn.position.things == {("side", 0): {"spirit": 0}, ("wing", 0): {"tired": True}}
    assert dawn.position.game == {"morale": 12}
    assert not rules.scenarios["dusk"].default


def test_lone_scenario_is_default(workspace):
    del workspace.files["scenarios/dawn.yaml"]
    assert workspace.load().good().scenarios["dusk"].default


def test_several_files_of_one_kind(workspace):
    more = "kind: tables\nformat: 1\nvalues: {third: 3}\n"
    workspace.files["more/tables.yml"] = more
    assert workspace.load().good().constants["third"].value == 3
    workspace.files["more/tables.yml"] = more.replace("third", "hand")
    finding = workspace.load().only("defined-twice")
    assert {finding.file, finding.related[0].span.file} == {
        "two_hills/more/tables.yml",
        "two_hills/tables.yaml",
    }


def test_loading_twice_gives_same(workspace):
    first, second = workspace.load().good(), workspace.load().good()
    assert first.content_hash == second.content_hash
    assert [k.things for k in first.kinds.values()][0][0].values == second.kinds["side"].things[0].values


@pytest.mark.parametrize("file", ["map.yaml", "sequence.rules", "rulebook.yaml"])
def test_every_byte_read_counts_in_hash(workspace, file):
    before = workspace.load().good().content_hash
    workspace.files[file] += "# a remark\n"
    assert workspace.load().good().content_hash != before


def test_variants_tests_and_locales_are_excluded_from_base(workspace):
    before = workspace.load().good().content_hash
    workspace.write(
        {
            "variants/broken.yaml": "a: [",
            "tests/cases.yaml": "a: [",
            ".x.yaml": "[",
            "locale/ja.yaml": "kind: locale\nformat: 1\nlanguage: ja\n",
        }
    )
    assert workspace.load().good().content_hash == before


def test_shipped_rulesets_load():
    from interpreter.files.assets import list_shipped_rulesets

    for name in list_shipped_rulesets():
        sink = Sink()
        assert read_documents(name, sink) is not None
        assert not sink.has_errors, sink.list_sorted()[0].message
