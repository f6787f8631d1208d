"""Spoiled documents: each spoils one thing and says which finding must come, and at which line."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.rendering import render

# File, what is replaced, by what, the code that must come, and where: so many lines below the
# replaced text, or (file, line) when the fault is told in another document.
CASES = [
    # YAML notation
    ("map.yaml", "    hill: {name", "\thill: {name", "tab-in-indentation", 0),
    ("map.yaml", "  low: [ford, \"0101\"]", "  low: [ford, \"0101\"", "unclosed-bracket", 0),
    ("map.yaml", "    river: {type: flag}", "     river: {type: flag}\n    lake: flag", "bad-indentation", 1),
    ("map.yaml", "shape: hex", "shape: hex: square", "misplaced-colon", 0),
    ("map.yaml", "numbering: CCRR", "numbering CCRR", "missing-colon", 0),
    ("map.yaml", "numbering: CCRR", "numbering: 'CCRR", "unclosed-quote", 0),
    ("map.yaml", "numbering: CCRR", "numbering: @CCRR", "reserved-character", 0),
    ("map.yaml", "numbering: CCRR", "numbering: !C CCRR", "yaml-tag", 0),
    ("map.yaml", "numbering: CCRR", "numbering: &x CCRR", "yaml-anchor", 0),
    ("map.yaml", "numbering: CCRR", "numbering: *x", "yaml-alias", 0),
    ("map.yaml", "numbering: CCRR", "numbering: CCRR\n  <<: {shape: hex}", "merge-key", 1),
    ("map.yaml", "numbering: CCRR", "numbering: CCRR\n  shape: hex", "duplicate-key", 1),
    ("map.yaml", "  dead_pile: {}", "  {a: b}: {}", "key-not-text", 0),
    ("map.yaml", "holding:", "---\nholding:", "second-document", 0),
    ("map.yaml", "name: Box", 'name: "B\\u001b[2J"', "control-character", 0),
    ("map.yaml", "name: Box", "name: B\u202eox", "control-character", 0),
    ("tables.yaml", "hand: 7", "hand: 1234567890123456789012", "number-too-long", 0),
    # slips of the pen
    ("map.yaml", "numbering: CCRR", "numbering:CCRR", "missing-space", 0),
    ("map.yaml", "numbering: CCRR", "numbering：CCRR", "full-width-character", 0),
    ("map.yaml", "columns: [1, 3]", "columns: ['1' 3]", "missing-comma", 0),
    ("map.yaml", "0102/0101", "0102-0101", "bad-name", 0),
    # the form of documents
    ("map.yaml", "kind: map\n", "", "missing-kind", 0),
    ("map.yaml", "kind: map", "kind: mapp", "unknown-document-kind", 0),
    ("map.yaml", "format: 1", "format: 99", "unknown-format", 0),
    ("map.yaml", "links:", "link:", "unknown-key", 0),
    ("map.yaml", "stagger: even_low", "stagger: even", "unknown-word", 0),
    ("map.yaml", "  shape: hex\n", "", "missing-key", -1),
    ("map.yaml", "shape: hex", "shape: square", "misplaced-key", 1),
    ("map.yaml", "    hill: {name", "    Hill: {name", "bad-name", 0),
    ("map.yaml", "numbering: CCRR", "numbering: XY", "bad-text", 0),
    ("map.yaml", 'between: [hill, "0101"]', "between: [hill]", "wrong-length", 0),
    ("map.yaml", "columns: [1, 3]", "columns: 3", "wrong-type", 0),
    ("pieces.yaml", "count: 3", "count: 0", "out-of-range", 0),
    ("ruleset.yaml", "id: two_hills", "id: Two Hills", "bad-text", 0),
    ("ruleset.yaml", "home: place", "home: {set_of: int, list_of: int}", "misplaced-key", 0),
    ("ruleset.yaml", "camp: {one_of: [north, south]}", "camp: {one_of: [north, north]}", "repeated-value", 0),
    # languages, citations
    ("map.yaml", "{en: The Hill, ja: 丘}", "{en: The Hill, de: Berg}", "unknown-language", 0),
    ("ruleset.yaml", 'cite: "1.1"', 'cite: "1.3"', "unknown-paragraph", 0),
    # types and attributes
    ("ruleset.yaml", "home: place", "home: plaice", "unknown-type", 0),
    ("ruleset.yaml", "top: best", "top: west", "unknown-attribute", 0),
    ("ruleset.yaml", "top: best", "top: camp", "wrong-type", 0),
    ("ruleset.yaml", "low: 0, high: 9, lasts", "low: 9, high: 0, lasts", "out-of-range", 0),
    ("ruleset.yaml", "default: 0, low: 0, high: 9, lasts", "low: 0, high: 9, lasts", "missing-default", 0),
    ("ruleset.yaml", "default: 20, cite", "default: 21, cite", "out-of-range", 0),
    ("ruleset.yaml", "home: place\n", "home: {type: place, low: 1}\n", "misplaced-key", 0),
    ("ruleset.yaml", "    home: place\n", "    home: place\n    note: text\n", "reserved-name", 1),
    ("map.yaml", "    hill: {", "    off_map: {terrain: open}\n    hill: {", "reserved-name", 0),
    ("ruleset.yaml", "  wing:\n", "  unit:\n", "word-taken", ("pieces.yaml", 4)),
    ("pieces.yaml", "army: {type: army}", "army: {type: seat}", "attribute-clash", 0),
    # things
    ("ruleset.yaml", "home: ford, camp: south", "camp: south", "missing-attribute", 0),
    ("ruleset.yaml", "home: ford, camp: south", "home: fjord, camp: south", "unknown-place", 0),
    ("ruleset.yaml", "home: ford, camp: south", "home: ford, camp: sooth", "unknown-word", 0),
    ("ruleset.yaml", "home: ford, camp: south", "home: ford, camp: south, size: 3", "unknown-attribute", 0),
    ("ruleset.yaml", "sides: [blues, greens]", "sides: [blues]", "side-without-seat", -3),
    ("ruleset.yaml", "sides: [blues, greens]", "sides: [blues, greens, reds]", "side-in-two-seats", 0),
    ("ruleset.yaml", "sides: [blues, greens]", "sides: [blues, greens, greys]", "unknown-side", 0),
    ("ruleset.yaml", "left: {commander: ney}", "left: {commander: nay}", "unknown-piece", 0),
    ("map.yaml", "bans: [3, 1]", "bans: [3, 3]", "repeated-value", 0),
    ("map.yaml", "bans: [3, 1]", "bans: 3", "wrong-type", 0),
    ("map.yaml", "height: 2,", 'height: "2",', "wrong-type", 0),
    ("map.yaml", '{between: [hill, "0101"]}', "{between: [ford, hill]}", "linked-twice", 0),
    ("map.yaml", "between: [hill, \"0101\"]", "between: [hill, hill]", "link-to-itself", 0),
    ("map.yaml", "\"0102\": {height", "\"0402\": {height", "outside-grid", 0),
    ("map.yaml", "0102/0101", "0101/0301", "unknown-edge", 0),
    ("map.yaml", "columns: [1, 3]", "columns: [3, 1]", "grid-empty", 0),
    ("map.yaml", "columns: [1, 3]", "columns: [1, 30000]", "grid-too-large", 0),
    ("map.yaml", "one_per: army", "one_per: armi", "unknown-kind", 0),
    ("map.yaml", "  low: [ford, \"0101\"]", "  high: [ford]", "defined-twice", ("ruleset.yaml", 47)),
    ("pieces.yaml", "{class: unit, count: 2", "{class: unite, count: 2", "unknown-class", 0),
    ("pieces.yaml", "at: box.reds", "at: box.red", "unknown-place", 0),
    ("pieces.yaml", "names: [One, Two, {", "names: [One, {", "wrong-length", 0),
    ("pieces.yaml", "counters: [army, condition]", "counters: [army, state]", "unknown-attribute", 0),
    ("pieces.yaml", "    alike: true\n", "", "counters-without-alike", 0),
    ("pieces.yaml", "  soult: {", "  red-1: {class: marshal, army: reds, rating: 1}\n  soult: {",
     "defined-twice", 0),
    ("pieces.yaml", 'rating: "3/2"', 'rating: "3/0"', "wrong-type", 0),
    # charts
    ("tables.yaml", "cells: {1: 2, 2: 1, 3: 1,", "cells: {1: 2, 2: 1,", "missing-row", 0),
    ("tables.yaml", "cells: {1: 2, 2: 1,", "cells: {1: 2, 2: ,", "missing-row", 0),
    ("tables.yaml", "cells: {1: 2, 2: 1,", "cells: {1: 2, 7: 1, 2: 1,", "unknown-row", 0),
    ("tables.yaml", "cells: {1: 2, 2: 1,", "cells: {1: two, 2: 1,", "wrong-type", 0),
    ("tables.yaml", '1-2: ["2D", "D R2", "-"]', '1-2: ["2D", "D R2"]', "wrong-row-count", 0),
    ("tables.yaml", '1-2: ["2D", "D R2", "-"]', '1-2: ["2D", "D Q2", "-"]', "unreadable-result", 0),
    ("tables.yaml", "1-1: {-1:", "2-2: {-1: E, 0: E, 1: E}\n      1-1: {-1:", "duplicate-key", 1),
    ("tables.yaml", "D: disorder", "D: {disorder: 1}", "bad-notation", 0),
    ("tables.yaml", '["1-2", "1-1", "2-1"]', '["1-1", "1-2", "2-1"]', "rows-out-of-order", 0),
    ("tables.yaml", "range: -1..1", "range: 1..-1", "bad-range", 0),
    ("tables.yaml", "reds:\n        steady", "reds:\n        stedy", "unknown-row", 1),
    ("tables.yaml", "steady: {gain: 1,", "steady: {", "missing-column", 0),
    ("tables.yaml", "steady: {gain: 1,", "steady: {gain: 1, extra: 2,", "unknown-column", 0),
    ("tables.yaml", '"above 10 to 25", "above 25"]}}', '"above 12 to 25", "above 25"]}}', "band-gap", 0),
    ("tables.yaml", '"above 10 to 25", "above 25"]}}', '"10..25", "above 25"]}}', "band-overlap", 0),
    ("tables.yaml", "level: spirit}", "level: spirits}", "unknown-axis", 0),
    ("tables.yaml", "gives: flag", "gives: flog", "unknown-type", 0),
    ("tables.yaml", "hand: 7", "hand: {value: [1, 2]}", "missing-type", 0),
    ("activation.yaml", "order_of_march:", "fire:", "defined-twice", 0),
    ("activation.yaml", "[blues, reds]", "[blues, rads]", "unknown-side", 0),
    ("ladders.yaml", "[broken, steady, proud]", "[broken, steady, proud, broken]", "repeated-value", 0),
    # options, victory
    ("ruleset.yaml", "needs: [fog]", "needs: [frog]", "unknown-option", 0),
    ("ruleset.yaml", "default: short}", "default: middling}", "unknown-word", 0),
    ("ruleset.yaml", "into: [other_1, other_2]", "into: [other_1, other_3]", "unknown-seat", 0),
    ("ruleset.yaml", "into: [other_1, other_2]", "into: [other_1, other_2], shares: {2: [[blues], [greys]]}",
     "unknown-side", 0),
    ("ruleset.yaml", "into: [other_1, other_2]", "into: [other_1, other_2], shares: {2: [[blues], [blues, greens]]}",
     "side-in-two-seats", 0),
    ("ruleset.yaml", "into: [other_1, other_2]", "into: [other_1, other_2], shares: {2: [[blues, greens]]}",
     "wrong-length", 0),
    ("ruleset.yaml", "into: [other_1, other_2]", "into: [other_1, other_2], shares: {1: [[blues]]}",
     "side-without-seat", 0),
    ("ruleset.yaml", "mud: {default: false", "mud: {default: true", "option-conflict", 0),
    ("victory.yaml", "for: reds", "for: blues", "unknown-seat", 0),
    ("victory.yaml", "    when: |", "    when: >", "inexact-expression", 0),
    ("victory.yaml", '"game.morale == 0"', '"game.morale \\x3d= 0"', "inexact-expression", 0),
    ("victory.yaml", '"game.morale == 0"', "[1]", "wrong-type", 0),
    # scenarios
    ("scenarios/dawn.yaml", "fog: true", "fig: true", "unknown-option", 0),
    ("scenarios/dawn.yaml", "fog: true", "mud: true, fog: true", "option-conflict", 0),
    ("scenarios/dawn.yaml", "length: long", "length: longer", "unknown-word", 0),
    ("scenarios/dawn.yaml", "fresh: 1,", "fresh: 9,", "too-many-pieces", 0),
    ("scenarios/dawn.yaml", "fresh: 1,", "flesh: 1,", "unknown-rung", 0),
    ("scenarios/dawn.yaml", "blues: 1}", "blue: 1}", "unknown-group", 0),
    ("scenarios/dawn.yaml", "blues: 1}", "blues: {fresh: {x: 1}}}", "wrong-type", 0),
    ("scenarios/dawn.yaml", "blues: 1}", "blues: -1}", "wrong-type", 0),
    ("scenarios/dawn.yaml", "    ford: [soult]\n", "", "piece-without-place", -8),
    ("scenarios/dawn.yaml", "ford: [soult]", "ford: [soult, soult]", "placed-twice", 0),
    ("scenarios/dawn.yaml", "condition: worn}", "army: blues}", "constant-attribute", 0),
    ("scenarios/dawn.yaml", "armies:", "armys:", "unknown-key", 0),
    ("scenarios/dawn.yaml", "morale: 12", "morale: 21", "out-of-range", 0),
    ("scenarios/dawn.yaml", "morale: 12", "morals: 12", "unknown-attribute", 0),
    ("scenarios/dawn.yaml", "default: true\n", "", "no-default-scenario", -2),
    ("scenarios/dusk.yaml", "title: Dusk", "title: Dusk\ndefault: true", "two-default-scenarios", 1),
    ("scenarios/dusk.yaml", "id: dusk", "id: dawn", "defined-twice", 0),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "code", "where"), CASES)
def test_spoiled_document_is_diagnosed(workspace, file, old, new, code, where):
    text = workspace.files[file]
    workspace.spoil(file, old, new)
    loaded = workspace.load()
    if isinstance(where, int):
        where = (file, text[: text.index(old)].count("\n") + 1 + where)
    found = [f for f in loaded.found if f.code == code]
    assert [(f.file, f.line) for f in found[:1]] == [(f"two_hills/{where[0]}", where[1])], render(loaded.found)
    assert all(f.severity == "error" for f in found)


@pytest.mark.parametrize(("file", "old", "new", "code", "where"), CASES)
def test_every_finding_has_advice(workspace, file, old, new, code, where):
    workspace.spoil(file, old, new)
    for finding in workspace.load().found:
        assert finding.message[0].islower() or finding.message[0] in "`0123456789", finding.message
        assert finding.help, finding


VARIANT_CASES = [
    ("reds: {camp: south}", "rads: {camp: south}", "unknown-in-base", 9, "reds"),
    ("reds: {camp: south}", "reds: {camp: soth}", "unknown-word", 9, "south"),
    ("reds: {camp: south}", "reds: {kamp: south}", "unknown-attribute", 9, "camp"),
    ("new yellows", "new reds", "already-in-base", 10, ""),
    ("new yellows", "yellows", "unknown-in-base", 10, "new yellows"),
    ("hand: null", "band: null", "nothing-to-delete", 16, "hand"),
    ("{cells: {1: 3}}", "{cells: {7: 3}}", "unknown-row", 18, ""),
    ("{cells: {1: 3}}", "{cells: {1: null}}", "missing-row", 12, ""),
    ("{cells: {1: 3}}", "{cels: {1: 3}}", "unknown-key", 18, "cells"),
    (
        "  tables:\n    fire: {cells: {1: 3}}",
        "  fire: {cells: {1: 3}}",
        "unknown-key",
        17,
        "the section of this document is `tables:`; does `",
    ),
    ("{cells: {1: 3}}", "{gives: null}", "missing-key", 9, ""),
    ("dusk: {turns: 4}", "dust: {turns: 4}", "unknown-in-base", 23, "dusk"),
    ("dusk: {turns: 4}", "dusk: {turns: 0}", "out-of-range", 23, ""),
    ("dusk: {turns: 4}", "dusk: {turns: 100000}", "out-of-range", 23, ""),
    ("rules: |", "rules: >", "inexact-expression", 25, ""),
    ("title: {en: A Long Day, ja: 長い一日}", "titel: x", "unknown-key", 4, "title"),
    ("extends: ..", "extends: ../../nowhere", "no-such-ruleset", 5, ""),
    ("extends: ..", "extends: /", "absolute-path", 5, ""),
    ("extends: ..", "extends: long_day.yaml", "variant-circle", 5, ""),
]


@pytest.mark.parametrize(("old", "new", "code", "line", "hint"), VARIANT_CASES)
def test_spoiled_variant_is_diagnosed(workspace, old, new, code, line, hint):
    workspace.spoil("variants/long_day.yaml", old, new)
    loaded = workspace.load("variants/long_day.yaml")
    finding = loaded.only(code)
    assert finding.line == line, render(loaded.found)
    assert hint in finding.help
    assert finding.help


def test_did_you_mean_is_reported(workspace):
    workspace.spoil("ruleset.yaml", "home: hill", "home: hil")
    assert "`hill`" in workspace.load().only("unknown-place").help


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "help"),
    [
        (
            "ruleset.yaml",
            "home: hill",
            "home: ney",
            "unknown-place",
            "`ney` is a piece, expected a place",
        ),
        ("ruleset.yaml", "  die: {faces: 6}", "  die: 6", "wrong-type", "`{faces: 6}`"),
        (
            "ruleset.yaml",
            "sides: [reds]",
            "sides: reds",
            "wrong-type",
            "`[reds]`",
        ),
        (
            "ruleset.yaml",
            "sides: [reds]",
            "sides: reds, blues, greens",
            "wrong-type",
            "`[reds, blues, greens]`",
        ),
        (
            "map.yaml",
            'between: [hill, "0101"]',
            'between: hill, "0101"',
            "wrong-type",
            '`[hill, "0101"]`',
        ),
        (
            "map.yaml",
            "{between: [hill, ford], river: true}",
            "{between: hill, ford, river: true}",
            "wrong-type",
            "`[hill, ford]`",
        ),
        ("tables.yaml", "gives: flag", "gives: boolean", "unknown-type", "did you mean `flag`?"),
        (
            "ruleset.yaml",
            "{en: A fight for two hills., ja",
            "{en: A fight, long and hard, ja",
            "bad-name",
            "needs quotes",
        ),
        (
            "ruleset.yaml",
            "{en: A fight for two hills., ja",
            "{en: A fight, too, ja",
            "bad-name",
            "needs quotes",
        ),
    ],
)
def test_repeated_slip_shows_its_hint_once(workspace, file, old, new, code, help):
    workspace.spoil(file, old, new)
    found = workspace.load().found
    assert [f.code for f in found] == [code] and help in found[0].help, render(found)


def test_too_many_pieces_are_reported_once_for_scenarios_with_shared_text(workspace):
    workspace.files["scenarios/dusk.yaml"] += (
        "extends: dawn\n" if "extends" not in workspace.files["scenarios/dusk.yaml"] else ""
    )
    workspace.spoil("scenarios/dawn.yaml", "blues: 1}", "blues: 99}")
    assert workspace.load().codes.count("too-many-pieces") == 1


def test_all_faults_of_all_files_come_in_one_run(workspace):
    workspace.spoil("ruleset.yaml", "home: hill", "home: hil")
    workspace.spoil("tables.yaml", "gives: flag", "gives: flog")
    workspace.spoil("scenarios/dawn.yaml", "turns: 8", "tunrs: 8")
    workspace.spoil("victory.yaml", "for: reds", "for: blues")
    assert sorted(workspace.load().codes) == ["unknown-key", "unknown-place", "unknown-seat", "unknown-type"]


def test_unreadable_document_suppresses_consequential_errors(workspace):
    workspace.spoil("map.yaml", "numbering: CCRR", "numbering: 'CCRR")
    workspace.spoil("tables.yaml", "cells: {1: 2, 2: 1,", "cells: {1: two, 2: 1,")
    loaded = workspace.load()
    assert loaded.codes == ["unclosed-quote", "wrong-type"]
    assert loaded.ruleset is None


def test_related_places_are_reported(workspace):
    workspace.spoil("map.yaml", "numbering: CCRR", "numbering: CCRR\n  shape: hex")
    finding = workspace.load().only("duplicate-key")
    assert [(r.message, r.span.line) for r in finding.related] == [("first written here", 20)]
