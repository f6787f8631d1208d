"""Rulesets in an editor: uses of a name, renaming, completion, descriptions, outlines; without the protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.diagnostics.source_text import Replacement, apply_edits
from interpreter.tools.cases.case_checks import check_with_cases
from interpreter.tools.lsp import features as answers
from interpreter.tools.lsp.completion.yaml_cursor import locate_cursor
from interpreter.tools.lsp.document_places import list_places
from interpreter.tools.lsp.features import build_outline, list_folds
from interpreter.tools.lsp.renaming import RenameError, find_references, rename, rename_place
from interpreter.tools.lsp.schema_walk import Shape, find_shape, get_document_shape
from interpreter.tools.lsp.token_scan import find_word
from interpreter.tools.lsp.workspace import Workspace
from tests.cli.conftest import DOCUMENTS
from tests.folders import write_files
from tests.recordings import assert_recorded

ROOT = Path(__file__).resolve().parents[2]
HERE = "|^|"  # where the cursor is
MORE = {
    "ruleset.yaml": DOCUMENTS["ruleset.yaml"].replace(
        "game: {weather: {type: int, default: 0}}",
        "game:\n  weather: {type: int, default: 0}\n  sky: {type: {one_of: [clear, rainy]}, default: clear}\n"
        "  ground: {type: condition, default: dry, changes: true}",
    ),
    "ladders.yaml": "kind: ladders\nformat: 1\nladders:\n  condition: [wet, dry]\n",
    "pieces.yaml": DOCUMENTS["pieces.yaml"].replace(
        "pieces:\n",
        "  leader:\n    many: leaders\n    attributes: {of: side, arm: {one_of: [foot, horse]}}\npieces:\n"
        '  p1: {class: leader, of: reds, arm: horse, at: west, name: {en: "p1, the leader", ja: 隊長}}\n',
    ),
    "lead.rules": """\
define is_led(s: side) = piece("p1").at in {x.home for x in sides where x == s} and leads(piece("p1"))  # not p1

define leads(l: leader) = l.arm == horse
""",
    "scenarios/usual.yaml": """\
kind: scenario
format: 1
id: usual
title: p1 at the start
default: true
setup:
  game: {weather: 1, sky: clear}
  each:
    p1: {at: middle}
""",
    "tests/leading.yaml": """\
kind: cases
format: 1
cases:
  L1:
    title: p1 leads at home
    rules: ["1.0"]
    given: {position: start, each: {p1: {at: west}}}
    when: [{ask: 'is_led(side("reds"))'}]
    then: {value: true}
  L2:
    title: p1 stands where it is put
    rules: ["1.0"]
    given: {position: start, pieces: {east: [p1]}}
    when: [{ask: 'piece("p1").at == place("east")'}]
    then: {value: true, each: {p1: {at: east}}}
""",
    "variants/far.yaml": """\
kind: variant
format: 1
id: far
title: Far away
extends: tiny
pieces:
  pieces:
    p1: {at: east}
rules: |
  replace define is_led(s: side) = piece("p1").at == s.home  # p1
""",
    "variants/far-tests/far.yaml": """\
kind: cases
format: 1
cases:
  F1:
    title: p1 is far away
    rules: ["1.0"]
    given: {position: start}
    when: [{ask: 'is_led(side("blues"))'}]
    then: {value: false, each: {p1: {at: middle}}}
""",
    "locale/ja.yaml": """\
kind: locale
format: 1
language: ja
texts:
  "march to {goal}": "{goal}へ進む"
names:
  is_led: 率いる
""",
}

EMPTY = Shape(())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the tiny ruleset with a leader named in every kind of file."""
    made = write_files(tmp_path / "tiny", {**DOCUMENTS, **MORE})
    errors = [f"{d.span}: {d.message}" for d in check_with_cases(str(made)) if d.severity == "error"]
    assert not errors, errors
    return made


def test_references_are_same_from_every_file(folder: Path) -> None:
    desk, asked = Workspace(), {}
    for name, before in {
        "pieces.yaml": "  p1:",
        "lead.rules": '"p1").at in',
        "scenarios/usual.yaml": "    p1:",
        "tests/leading.yaml": "{p1:",
        "variants/far.yaml": "    p1:",
        "variants/far-tests/far.yaml": "{p1:",
    }.items():
        path = folder / name
        text = path.read_text(encoding="utf-8")
        offset = text.index("p1", text.index(before))
        asked[name] = {(place.path.name, place.start) for place in find_references(desk, path, offset + 1)}
    first = asked["pieces.yaml"]
    assert all(found == first for found in asked.values()), asked
    files = [name for name, _ in first]
    assert {name: files.count(name) for name in files} == {
        "pieces.yaml": 1,
        "lead.rules": 2,
        "usual.yaml": 1,
        "leading.yaml": 4,
        "far.yaml": 3,  # the variant and its cases
    }


@pytest.mark.parametrize(
    "word",
    [
        "p1",
        "leader",
        "arm",
        "horse",
        "is_led",
        "sky",
        "clear",
        "reds",
        "west",
        "wet",
        "condition",
        "march",
        "action",
        "fog",
    ],
)
@pytest.mark.parametrize("new", ["renamed"])
def test_renamed_ruleset_is_clean(folder: Path, word: str, new: str) -> None:
    desk, known = Workspace(), Workspace()
    known.check(str(folder))
    path, offset = next(
        (path, found.start())
        for path in sorted(folder.rglob("*.*"))
        for found in re.finditer(rf"(?<!\w){word}(?!\w)", path.read_text(encoding="utf-8"))
        if find_references(desk, path, found.start())
    )
    places = rename(desk, path, offset, new)
    for file in {place.path for place in places}:
        text = file.read_text(encoding="utf-8")
        file.write_text(
            apply_edits(text, [Replacement(p.start, p.end, new) for p in places if p.path == file]), encoding="utf-8"
        )
    assert [f"{d.span}: {d.message}" for d in check_with_cases(str(folder)) if d.severity == "error"] == []
    again = Workspace()
    again.check(str(folder))
    assert new in again.indexes[str(folder)].names and word not in again.indexes[str(folder)].names


@pytest.mark.parametrize(
    ("name", "before", "new", "why"),
    [
        ("play.rules", "require fog", "other", "word of the rules language"),
        ("play.rules", "goal in neighbours", "other", "is a local name"),
        ("play.rules", "neighbours(b", "other", "word of the rules language"),
        ("play.rules", "the fog hides", "other", "is not a name"),
        ("pieces.yaml", "class: leader", "other", "is not a name"),
        ("pieces.yaml", "the leader", "other", "is not a name"),
        ("rulebook.yaml", '1.0"', "other", "is a paragraph"),
        ("pieces.yaml", "p1: {", "Marshal Ney", "cannot be an id"),
        ("lead.rules", "is_led", "is-led", "cannot be a name"),
        ("lead.rules", "is_led", "west", "(place)"),
        ("lead.rules", "is_led", "while", "(keyword)"),
    ],
)
def test_refused_rename_says_why(folder: Path, name: str, before: str, new: str, why: str) -> None:
    path = folder / name
    offset = path.read_text(encoding="utf-8").index(before) + (1 if before != "require fog" else 0)
    with pytest.raises(RenameError) as refused:
        rename(Workspace(), path, offset, new)
    assert why in str(refused.value.message)


def test_rename_that_would_break_ruleset_is_refused(folder: Path) -> None:
    rules = folder / "lead.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "\ndefine zone() = 1\n", encoding="utf-8")
    desk = Workspace()
    desk.check(str(folder))
    with pytest.raises(RenameError) as refused:
        rename(desk, rules, rules.read_text(encoding="utf-8").index("zone"), "value")
    assert "lead.rules:5: `value`" in str(refused.value.message)


def test_variant_does_not_rename_shipped_ruleset(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    text = "kind: variant\nformat: 1\nid: own\ntitle: Own\nextends: napoleon\nruleset: {game: {moved_on: null}}\n"
    text = text.replace("ruleset: {game: {moved_on: null}}", "pieces: {pieces: {french: {condition: face_down}}}")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RenameError) as refused:
        rename(Workspace(), path, text.index("french"), "gallic")
    assert "`french`" in str(refused.value.message)


def test_space_of_grid_is_not_renamed() -> None:
    path = ROOT / "rulesets" / "denain-1712" / "tests" / "11-attacks.yaml"
    with pytest.raises(RenameError) as refused:
        rename_place(Workspace(), path, path.read_text(encoding="utf-8").index("1602") + 1)
    assert_recorded(refused.value.message)


def test_rename_place_of_numbered_piece_is_name_that_is_declared(folder: Path) -> None:
    rules = folder / "lead.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + '\ndefine first_red() = piece("red-1").at\n', encoding="utf-8")
    desk = Workspace()
    offset = rules.read_text(encoding="utf-8").index("red-1") + 4
    place = rename_place(desk, rules, offset)
    assert rules.read_text(encoding="utf-8")[place.start : place.end] == "red"
    assert {p.path.name for p in rename(desk, rules, offset, "crimson")} == {"lead.rules", "pieces.yaml"}


# --- completion ----------------------------------------------------------------------------------------


def offered(folder: Path, name: str, text: str) -> list[str]:
    """Complete at the cursor of a text that is open in place of a file. Return the words offered."""
    desk = Workspace()
    desk.check(str(folder))
    path, offset = folder / name, text.index(HERE)
    desk.texts[path] = text.replace(HERE, "")
    return [found.name for found in answers.complete(desk, path, offset)[0]]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if l.arm == |^|", ["foot", "horse"]),
        ("if l.arm != ho|^|", ["foot", "horse"]),
        ("if game.sky == |^|", ["clear", "rainy"]),
        ("set game.ground = |^|", ["wet", "dry"]),
        ("set game.|^|", ["weather", "sky", "ground"]),
        ("match l.arm:\n        |^|", ["foot", "horse"]),
        ("for b in bands:\n        set b.|^|", ["tired"]),
        ("for b in {x in bands where x.tired}:\n        if b.|^|", ["at", "owner", "tired"]),
        ("let b = l.of\n    raise b.|^|", ["spirit"]),
        ("if leads(l) and l.at.|^|", ["height"]),
        ("if storm_table[3] == |^|", ["nothing_done", "success"]),
        ('if l.at == place("|^|', ["west", "middle", "east", "pool"]),
        ("if value.|^|", ["loss"]),
        ("# l.arm == |^|", []),
        ('assert true "the |^|', []),
    ],
)
def test_completion_in_rules(folder: Path, line: str, expected: list[str]) -> None:
    text = MORE["lead.rules"] + f"\nprocedure go(l: leader):\n    {line}"
    assert offered(folder, "lead.rules", text) == expected


def test_completion_in_rules_begins_with_local_names(folder: Path) -> None:
    text = MORE["lead.rules"] + "\nprocedure go(l: leader, far: int):\n    for s in sides:\n        |^|"
    words = offered(folder, "lead.rules", text)
    assert words[:3] == ["l", "far", "s"] and {"act", "leads", "report", "neighbours"} <= set(words)
    assert not {"west", "1.0", "tired"} & set(words), "ids, paragraphs and attributes cannot stand there alone"


CASE, PIECES, VARIANT = "kind: cases\ncases:\n  A:\n", "kind: pieces\npieces:\n", "kind: variant\nextends: tiny\n"
MEMBER_KEYS = ["name", "cite", "source", "note", "short"]
SETUP_KEYS = ["pieces", "each", "game", "sides", "seats", "places"]
PIECE_KEYS = ["class", "at", "count", "names", "name", "short", "cite", "source", "note"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pieces.yaml", "|^|", ["kind"]),
        ("pieces.yaml", "kind: |^|", "ruleset rulebook map pieces tables ladders activation victory scenario variant "
         "locale cases tutorial glossary".split()),
        ("pieces.yaml", "kind: pieces\n|^|", ["format", "classes", "pieces"]),
        ("pieces.yaml", PIECES + "  x:\n    |^|", [*PIECE_KEYS, "owner", "tired", "of", "arm"]),
        ("pieces.yaml", PIECES + "  x: {class: leader, |^|",
         [*PIECE_KEYS[1:], "of", "arm"]),
        ("pieces.yaml", PIECES + "  x: {class: |^|", ["band", "leader"]),
        ("pieces.yaml", PIECES + "  x: {class: leader, arm: |^|", ["foot", "horse"]),
        ("pieces.yaml", PIECES + "  x:\n    class: band\n    tired: |^|", ["true", "false"]),
        ("pieces.yaml", PIECES + "  x:\n    at: |^|", ["west", "middle", "east", "pool"]),
        ("pieces.yaml", "kind: pieces\nclasses:\n  x: {attributes: {of: s|^|",
         "int number flag text direction side seat place edge piece band leader condition".split()),
        ("pieces.yaml", "kind: pieces\nclasses:\n  x: {attributes: {of: {one_of: [a, b], default: |^|", ["a", "b"]),
        ("pieces.yaml", "kind: pieces\nclasses:\n  band:\n    counters: [|^|", ["at", "owner", "tired"]),
        ("pieces.yaml", PIECES + "  x: {source: |^|", ["printed", "inferred", "reconstructed"]),
        ("pieces.yaml", PIECES + "  x: {cite: |^|", ["1.0", "2.0", "3.0", "4.0"]),
        ("pieces.yaml", PIECES + "  x: {name: {|^|", ["en", "ja"]),
        ("pieces.yaml", "kind: pieces\n# class: |^|", []),
        ("map.yaml", "kind: map\nplaces:\n  members:\n    x: {height: 2, |^|", MEMBER_KEYS),
        ("map.yaml", "kind: map\nlinks:\n  members:\n    x: {between: [west, |^|", ["west", "middle", "east", "pool"]),
        ("map.yaml", "kind: map\ngrid:\n  shape: |^|", ["hex", "square"]),
        ("map.yaml", "kind: map\ndrawing:\n  sides: {|^|", ["reds", "blues"]),
        ("tables.yaml", "kind: tables\ntables:\n  storm_table:\n    cells: |\n      |^|", ["nothing_done", "success"]),
        ("scenarios/usual.yaml", "kind: scenario\nsetup:\n  |^|", SETUP_KEYS),
        ("scenarios/usual.yaml", "kind: scenario\nsetup:\n  sides:\n    |^|", ["reds", "blues"]),
        ("scenarios/usual.yaml", "kind: scenario\nsetup:\n  sides: {reds: {|^|", ["home", "spirit"]),
        ("scenarios/usual.yaml", "kind: scenario\nsetup:\n  game: {sky: |^|", ["clear", "rainy"]),
        ("scenarios/usual.yaml", "kind: scenario\noptions:\n  |^|", ["fog"]),
        ("tests/leading.yaml", CASE + "    when:\n      - call: |^|", ["turn", "act"]),
        ("tests/leading.yaml", CASE + "    when:\n      - call: act\n        args: {|^|", ["s"]),
        ("tests/leading.yaml", CASE + "    when:\n      - call: act\n        args: {s: |^|", ["reds", "blues"]),
        ("tests/leading.yaml", CASE + "    when:\n      - call: act\n        choices:\n          - action: |^|",
         ["march", "storm", "rest"]),
        ("tests/leading.yaml", CASE + "    given: {position: |^|", ["start", "empty"]),
        ("variants/far.yaml", VARIANT + "pieces:\n  pieces:\n    p1: {arm: |^|", ["foot", "horse"]),
        ("variants/far.yaml", VARIANT + "pieces:\n  pieces:\n    p1: {class: leader, arm: |^|", ["foot", "horse"]),
        ("variants/far.yaml", VARIANT + "rules: |\n  define z(l: leader) = l.arm == |^|", ["foot", "horse"]),
    ],
)  # fmt: skip
def test_completion_in_documents(folder: Path, name: str, text: str, expected: list[str]) -> None:
    desk = Workspace()
    desk.check(str(folder))
    path = folder / name
    desk.check(desk.find_target(path))
    desk.texts[path] = text.replace(HERE, "")
    assert [found.name for found in answers.complete(desk, path, text.index(HERE))[0]] == expected


def test_completed_keys_are_described(folder: Path) -> None:
    desk = Workspace()
    path = folder / "pieces.yaml"
    text = "kind: pieces\npieces:\n  x:\n    "
    desk.texts[path] = text
    found, _ = answers.complete(desk, path, len(text))
    assert all(name.summary for name in found) and found[0].summary == "The class of the piece."
    assert answers.describe_key(desk, path, text.index("pieces:\n  x") + 1) == "Pieces by id."


def test_completion_replaces_typed_text(folder: Path) -> None:
    desk = Workspace()
    desk.check(str(folder))
    path = folder / "pieces.yaml"
    text = "kind: pieces\npieces:\n  x: {at: mid"
    desk.texts[path] = text
    found, start = answers.complete(desk, path, len(text))
    assert text[start:] == "mid" and "middle" in [name.name for name in found]


# --- the rest ------------------------------------------------------------------------------------------


def test_hover_writes_values_as_documents_do(folder: Path) -> None:
    desk = Workspace()
    desk.check(str(folder))
    path = folder / "pieces.yaml"
    words = answers.describe_names(answers.find_meanings(desk, path, path.read_text(encoding="utf-8").index("p1:"))[1])
    assert "- of: reds" in words and "- arm: horse" in words
    everything = answers.describe_names(desk.indexes[str(folder)].iter_symbols())
    assert not re.search(r"\b(True|False|None)\b|\('|, \)|: \d+, ", everything)


def test_signature_shows_parameter_that_is_typed(folder: Path) -> None:
    desk = Workspace()
    desk.check(str(folder))
    path, text = (
        folder / "lead.rules",
        "define z(l: leader, s: side) = 1\n\ndefine y(l: leader) = is_led(l.of) and is_led(l",
    )
    desk.texts[path] = text
    call = answers.find_call(desk, path, len(text))
    assert call is not None and (call.label, call.index) == ("is_led(s: side) -> flag", 0)
    desk.texts[path] = "define y() = storm_table[3"
    look_up = answers.find_call(desk, path, len(desk.texts[path]))
    assert look_up is not None and look_up.params == ("die: int",)
    desk.texts[path] = "define y() = 3 + (2"
    assert answers.find_call(desk, path, len(desk.texts[path])) is None


def test_outline_and_folds_follow_indentation() -> None:
    rules = DOCUMENTS["play.rules"]
    (turn,) = [symbol for symbol in build_outline(rules, True) if symbol.name == "turn"]
    assert [child.name for child in turn.children] == ["acting", "ending"]
    assert rules[turn.start : turn.until].rstrip().endswith("[4.0]")
    pieces = build_outline(DOCUMENTS["pieces.yaml"], False)
    assert [symbol.name for symbol in pieces] == ["kind", "format", "classes", "pieces"]
    assert [child.name for child in pieces[3].children] == ["red", "blue"]
    assert list_folds("a:\n  b:\n    c: 1\n\n  d: 2\ne: 3\n") == [(0, 4), (1, 2)]


def test_symbols_of_workspace_begin_with_those_that_begin_so(folder: Path) -> None:
    desk = Workspace()
    desk.check(str(folder))
    found = [(name.name, place.path.name) for name, place in answers.search_symbols(desk, "lea")]
    assert ("leader", "pieces.yaml") in found and ("leads", "lead.rules") in found
    assert answers.search_symbols(desk, "nothing at all") == []


def _is_known(kind: str, path: tuple[str | int, ...]) -> bool:
    above: Shape = find_shape(kind, path[:-1])
    if above == EMPTY:
        return True  # the schemas do not describe the entries below
    if path and isinstance(path[-1], int):
        return above.get_item_shape() != EMPTY or any("array" in part.schema.get("type", ()) for part in above.parts)
    return (
        not path
        or above.has_declared_key(str(path[-1]))
        or above.get_value_shape(str(path[-1])) != EMPTY
        or _is_open(above)
    )


def _is_open(shape: Shape) -> bool:
    return any(part.schema.get("additionalProperties", True) is not False for part in shape.parts)


@pytest.mark.parametrize("place", list_places())
def test_listed_place_exists_in_schemas(place: str) -> None:
    kind, *steps = place.split(".")
    path = tuple(0 if step == "#" else "any" if step == "*" else step for step in steps if step != "key")
    assert get_document_shape(kind) != EMPTY
    for length in range(1, len(path) + 1):
        assert _is_known(kind, path[:length]), (place, path[:length])


@pytest.mark.parametrize(
    ("text", "path", "is_key"),
    [
        ("a:\n  b:\n    c: d|^|", ("a", "b", "c"), False),
        ("a:\n  b:\n    |^|\n  e: 1", ("a", "b"), True),
        ("a:\n  b: {c: {d: 1}, e: |^|", ("a", "b", "e"), False),
        ("a: [1, {b: 2}, |^|", ("a", 2), False),
        ("a:\n  - b: 1\n    c: |^|", ("a", 0, "c"), False),
        ("a:\n  - b: 1\n  - |^|", ("a", 1), True),
        ("a:\n- b\n- c: {d: |^|", ("a", 1, "c", "d"), False),
        ('a:\n  "x: y": {b: |^|', ("a", "x: y", "b"), False),
        ("a: {b: '{', c: |^|", ("a", "c"), False),
        ("a: # {\n  b: |^|", ("a", "b"), False),
        ("a: |\n  text: {\nb:\n  |^|", ("b",), True),
        ("a: {b: 1,\n    c: 2}\nd: |^|", ("d",), False),
    ],
)
def test_cursor_finds_keys_above_it(text: str, path: tuple[str | int, ...], is_key: bool) -> None:
    found = locate_cursor(text.replace(HERE, ""), text.index(HERE))
    assert (found.path, found.is_key) == (path, is_key)


def test_find_word_at_end_of_line_with_many_words():
    line = "a-b " * 200_000 + "hill-top [1.2-x]"  # to search the line again for each word took minutes
    at = len(line) - len("top [1.2-x]")
    assert find_word(line, at, is_rules=True) == (at, at + 3)
    assert find_word(line, at, is_rules=False) == (at - 5, at + 3)
    assert find_word(line, len(line) - 2, is_rules=True) == (len(line) - 6, len(line) - 1)
