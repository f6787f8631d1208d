"""The identity of rules: equal for what cannot change a game, different for whatever can."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from interpreter.api.loading import load, read_model, read_rules
from interpreter.api.resume import Replay
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.model import checked_model as m, expressions as n, meaning, ruleset as data, statements as c
from interpreter.model.checked_model import CheckedModel
from interpreter.model.meaning import collect_meaning, compute_identity
from interpreter.saves.identity import Match
from interpreter.saves.journal import read_journal
from interpreter.tools.mutation.data_mutations import find_play_attributes, iter_data_mutations
from interpreter.tools.mutation.mutant_run import check_mutant, is_same, prepare
from interpreter.tools.mutation.rule_mutations import iter_rule_mutations
from tests.folders import replace_in_file
from tests.tiny import checked_model

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "formats" / "samples" / "documents" / "2"
SKIRMISH = ROOT / "tests" / "tools" / "games" / "skirmish"
JOURNAL = ROOT / "tests" / "formats" / "samples" / "journals" / "3.journal"
Edit = Callable[[Path], None]


def identity(target: Path | str) -> tuple[str, dict[str, str]]:
    """Return the digest of the rules and those of the scenarios."""
    sink = Sink()
    model = read_model(str(target), sink)
    assert model is not None and not sink.has_errors, [str(x) for x in sink.list_sorted()]
    found = compute_identity(model)
    return found["rules"], found["scenarios"]


def game_of(target: Path | str, scenario: str = "dawn") -> tuple[str, str]:
    rules, scenarios = identity(target)
    return rules, scenarios[scenario]


@pytest.fixture(scope="module")
def sample() -> tuple[str, str]:
    return game_of(SAMPLE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "meadow"))


def texts(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".rules")]


def put(file: str, old: str, new: str) -> Edit:
    """Return an edit that replaces a text, which must exist, by another one."""

    def edit(folder: Path) -> None:
        replace_in_file(folder / file, old, new)

    return edit


def add(file: str, text: str) -> Edit:
    def edit(folder: Path) -> None:
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")

    return edit


def everywhere(change: Callable[[bytes], bytes], *endings: str) -> Edit:
    def edit(folder: Path) -> None:
        for path in texts(folder):
            if path.suffix in (endings or (".yaml", ".rules")):
                path.write_bytes(change(path.read_bytes()))

    return edit


def rename(old: str, new: str) -> Edit:
    return lambda folder: (folder / old).rename(folder / new) and None


def cut_off(file: str, start: str) -> Edit:
    """Return an edit that drops everything from a text on."""

    def edit(folder: Path) -> None:
        path = folder / file
        before = path.read_text(encoding="utf-8")
        path.write_text(before[: before.index(start)], encoding="utf-8")

    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)

    return edit


CELLS = """\
    cells:
      1-2: [A2, A, A, "-", D, D]
      1-1: [A2, A, "-", D, D, D2]
      2-1: [A, "-", D, D, D2, D2]
"""
HARMLESS: dict[str, Edit] = {
    "line ends": everywhere(lambda content: content.replace(b"\n", b"\r\n")),
    "blank lines at the end": everywhere(lambda content: content + b"\n\n"),
    "blanks at the ends of lines": everywhere(lambda content: content.replace(b"\n", b"  \n")),
    "byte order mark": everywhere(lambda content: b"\xef\xbb\xbf" + content, ".yaml"),
    "comments": everywhere(lambda content: b"# hello\n" + content + b"# the end\n"),
    "layout by fmt": lambda folder: None if main(["fmt", str(folder)]) == 0 else pytest.fail("fmt"),
    "braces in place of lines": put("ruleset.yaml", "seats:\n  red_player: {", "seats:\n  red_player:\n    {"),
    "order of fixed keys": put(
        "pieces.yaml", "class: unit, side: reds, arm: foot", "arm: foot, side: reds, class: unit"
    ),
    "quotes": put("ruleset.yaml", "id: meadow", 'id: "meadow"'),
    "brackets in rules": put("play.rules", "= terrain_cost[a.terrain]", "= (terrain_cost[(a.terrain)])"),
    "file names": all_of(rename("pieces.yaml", "counters.yaml"), rename("play.rules", "a.rules")),
    "decomposed file name": rename("pieces.yaml", normalize("NFD", "stück.yaml")),
    "folder of files": all_of(lambda f: (f / "more").mkdir(), rename("tables.yaml", "more/charts.yml")),
    "title, version, about": all_of(
        put("ruleset.yaml", "{en: Meadow, ja: 草原}", "{en: The Meadow}"),
        put("ruleset.yaml", 'version: "1"', 'version: "2"'),
    ),
    "name of a piece": put("pieces.yaml", "en: Red Foot", "en: 1st Foot"),
    "decomposed name": put("pieces.yaml", "en: Red Foot", "en: " + normalize("NFD", "Fußvolk für Köln")),
    "name of a place": put("map.yaml", "en: the crossroads", "en: the crossing"),
    "name of a side": put("ruleset.yaml", "en: the Reds", "en: Red Army"),
    "name of a chart": put("tables.yaml", "en: Results", "en: Combat Results Table"),
    "words of a refusal": put("play.rules", '"{u} has moved"', '"once is enough"'),
    "words of a question": put("play.rules", '"{s}: who moves?"', '"who?"'),
    "words of an option": put("play.rules", '"{u} against {e}"', '"{u} strikes"'),
    "words of an event": put("play.rules", '"{u} loses {n}"', '"{n} lost by {u}"'),
    "title of a phase": put("play.rules", '"Evening"', '"Nightfall"'),
    "title of a level": put("victory.yaml", "en: Small victory", "en: A narrow win"),
    "a citation more": put("play.rules", "define cost(a: place) [1.2]", "define cost(a: place) [1.1] [1.2]"),
    "rulebook": put("rulebook.yaml", "en: A die says who begins.", "en: Roll a die."),
    "where a chart comes from": put(
        "tables.yaml", "  results:\n", "  results:\n    source: reconstructed\n    note: by eye\n"
    ),
    "colours": put("map.yaml", "e6dfb8", "ffffff"),
    "no drawing": cut_off("map.yaml", "drawing:"),
    "translations": put("locale/ja.yaml", "移動", "行軍"),
    "no translations": lambda folder: shutil.rmtree(folder / "locale"),
    "no cases": lambda folder: shutil.rmtree(folder / "tests"),
    "no variants": lambda folder: shutil.rmtree(folder / "variants"),
    "another scenario": put("scenarios/dusk.yaml", "turns: 2", "turns: 5"),
    "no other scenario": lambda folder: (folder / "scenarios" / "dusk.yaml").unlink(),
    "title of the scenario": put("scenarios/dawn.yaml", "en: Dawn", "en: Daybreak"),
    "which scenario is the first": all_of(
        put("scenarios/dawn.yaml", "default: true\n", ""),
        put("scenarios/dusk.yaml", "turns: 2", "turns: 2\ndefault: true"),
    ),
    "what bots think": add("victory.yaml", "evaluation: game.losses\n"),
    "what only bots ask": all_of(
        add("victory.yaml", "evaluation: if grip(p) then value.weight else 0\n"),
        add(
            "play.rules", "define grip(p: seat) = any u in units where u.side.seat == p and u.at == value.crossroads\n"
        ),
        put("tables.yaml", "values:\n", "values:\n  weight: 3\n"),
    ),
    "aims": add("victory.yaml", "aims: {red_player: {text: Hold on.}}\n"),
    "views": add("ruleset.yaml", 'views: {worn: {of: army, as: a, value: a.spirit below steady, name: "worn"}}\n'),
    "set-up checks": add("ruleset.yaml", "setup_check:\n  some: {holds: 'units != {}', words: there are units}\n"),
    "short forms": put("pieces.yaml", "    many: units\n", '    many: units\n    short: "{strength}"\n'),
    "what is told": put("pieces.yaml", "{type: flag, lasts: turn}", "{type: flag, lasts: turn, told: false}"),
    "an order of words alone": put("tables.yaml", "cells: {open: 1, woods: 2}", "cells: {woods: 2, open: 1}"),
    "a printed chart": put(
        "tables.yaml",
        CELLS,
        "    cells: |\n      .    1  2  3  4  5   6\n      1-2  A2 A  A  -  D   D\n      1-1  A2 A  -  D  D   D2\n"
        "      2-1  A  -  D  D  D2  D2\n",
    ),
}


@pytest.mark.parametrize("edit", HARMLESS.values(), ids=HARMLESS)
def test_identity_is_kept_by_harmless_edit(copy: Path, sample: tuple[str, str], edit: Edit) -> None:
    edit(copy)
    assert game_of(copy) == sample
    replay = Replay(read_journal(JOURNAL), load(copy))
    replay.finish()
    assert (replay.match, replay.divergence, replay.is_whole) == (Match.SAME, None, True)


HARMFUL: dict[str, Edit] = {
    "an attribute": put("pieces.yaml", "arm: horse, strength: 2", "arm: horse, strength: 3"),
    "a bound": put("pieces.yaml", "high: 9", "high: 8"),
    "a lifetime": put("pieces.yaml", "moved: {type: flag, lasts: turn}", "moved: {type: flag, changes: true}"),
    "a class that is alike": put("pieces.yaml", "    many: units\n", "    many: units\n    alike: true\n"),
    "order of pieces": put(
        "pieces.yaml", "pieces:\n", "pieces:\n  blue_0: {class: unit, side: blues, arm: foot, strength: 1, at: lost}\n"
    ),
    "a place of its own": put("pieces.yaml", 'strength: 4, at: "0101"', 'strength: 4, at: "0103"'),
    "terrain": put("map.yaml", '"0301": {terrain: woods}', '"0302": {terrain: woods}'),
    "a grid": put("map.yaml", "rows: [1, 3]", "rows: [1, 4]"),
    "stagger": put("map.yaml", "stagger: even_low", "stagger: odd_low"),
    "a holding place": put("map.yaml", "holding:\n", "holding:\n  reserve: {}\n"),
    "a cell": put("tables.yaml", "woods: 2", "woods: 3"),
    "an axis": put("tables.yaml", "below: clamp", "below: refuse"),
    "rounding": put("tables.yaml", "round: for_defender", "round: near"),
    "a die": put("ruleset.yaml", "die: {faces: 6}", "die: {faces: 6}\n  coin: {faces: [0, 1]}"),
    "a ladder": put("ladders.yaml", "[broken, steady, proud]", "[broken, shaken, steady, proud]"),
    "an order of activation": put(
        "activation.yaml", "1: {first: reds, second: blues}", "1: {first: blues, second: reds}"
    ),
    "the start of a side": put("ruleset.yaml", "default: steady", "default: proud"),
    "a game value": put("ruleset.yaml", "losses: {type: int, default: 0}", "losses: {type: int, default: 1}"),
    "the default of an option": put("ruleset.yaml", "fog: {default: false", "fog: {default: true"),
    "an option": put("ruleset.yaml", "options:\n", "options:\n  rain: {default: false}\n"),
    "a seat": all_of(
        put("ruleset.yaml", "sides: [reds]}", "sides: []}"),
        put("ruleset.yaml", "sides: [blues]}", "sides: [reds, blues]}"),
    ),
    "the score": put("victory.yaml", "sum(u.strength for u in units", "sum(1 for u in units"),
    "who a level is for": put("victory.yaml", "for: red_player", "for: blue_player"),
    "a rule": put("play.rules", "spent + cost(a) <= allowance()", "spent + cost(a) < allowance()"),
    "a statement less": put("play.rules", "            set u.moved = true\n", ""),
    "alone": put("play.rules", 'by s "{s}: who attacks?" [1.3] repeat until done', 'by s "{s}: who attacks?" [1.3]'),
    "an unordered draft": put("play.rules", "draft march(u: unit) starting", "draft march(u: unit) unordered starting"),
    "a watcher": put("play.rules", "    raise game.losses by n\n", "    raise game.losses by n + 1\n"),
    "the rolling side": put("play.rules", "roll combat: die for e", "roll combat: die by s for e"),
    "the name of a roll": put("play.rules", "roll begins: die", "roll start: die"),
    "turns of the scenario": put("scenarios/dawn.yaml", "turns: 3", "turns: 4"),
    "first turn of the scenario": put("scenarios/dawn.yaml", "turns: 3", "turns: 3\nturn: 2"),
    "a position of the scenario": put("scenarios/dawn.yaml", '"0402"', '"0403"'),
    "an option of the scenario": put("scenarios/dawn.yaml", "turns: 3", "turns: 3\noptions: {fog: true}"),
}


@pytest.mark.parametrize("edit", HARMFUL.values(), ids=HARMFUL)
def test_identity_is_changed_by_edit_that_can_change_game(copy: Path, sample: tuple[str, str], edit: Edit) -> None:
    edit(copy)
    sink = Sink()
    model = read_model(str(copy), sink)
    if model is None or sink.has_errors:
        pytest.fail(f"the edit makes no ruleset: {[str(x) for x in sink.list_sorted()]}")
    found = compute_identity(model)
    assert (found["rules"], found["scenarios"]["dawn"]) != sample


@pytest.mark.parametrize("folder", [SAMPLE, SKIRMISH], ids=lambda path: path.name)
def test_identity_is_changed_by_every_mutation(folder: Path) -> None:
    """Check the changes of `test --mutate` to each rule and datum: only those that compile equally may keep it."""
    sink = Sink()
    read = read_rules(str(folder), sink)
    model = read_model(str(folder), sink)
    assert read is not None and model is not None
    bench = prepare(str(folder), read[1], model, ())
    words = {word for source in model.ruleset.rules for word in source.text.replace(".", " ").split()}
    changes = [
        *iter_rule_mutations(bench.items),
        *iter_data_mutations(model.ruleset, words, find_play_attributes(model)),
    ]
    before, sorts = compute_identity(model)["rules"], set()
    for change in changes:
        now = check_mutant(bench, change)
        if now is None:
            continue
        sorts.add(change.sort)
        if compute_identity(now)["rules"] == before:
            assert is_same(bench, now), change.description
    assert len(changes) > 60 and len(sorts) >= 9, sorts


ASKED = {
    "a value": ("value.crossroads", put("tables.yaml", '"0202"', '"0203"')),
    "a region": ("corner", put("map.yaml", '["0101"]', '["0103"]')),
    "a define": ("far()", put("play.rules", "define far() = 1", "define far() = 2")),
    "a chart": ("height[woods]", put("tables.yaml", "{open: 7, woods: 8}", "{open: 7, woods: 9}")),
}


@pytest.mark.parametrize("where", ["play.rules", "victory.yaml"])
@pytest.mark.parametrize(("name", "edit"), ASKED.values(), ids=ASKED)
def test_identity_covers_play_but_not_evaluation(copy: Path, name: str, edit: Edit, where: str) -> None:
    add("map.yaml", 'regions: {corner: ["0101"]}\n')(copy)
    add("play.rules", "define far() = 1\n")(copy)
    chart = "  height: {axes: {terrain: {one_of: [open, woods]}}, gives: int, cells: {open: 7, woods: 8}}\n"
    put("tables.yaml", "tables:\n", f"tables:\n{chart}")(copy)
    asked = f"if {{{name}}} == {{}} then 1 else 0"
    if where == "play.rules":
        put("play.rules", "else 3", f"else 3 + ({asked})")(copy)
    else:
        add("victory.yaml", f'evaluation: "{asked}"\n')(copy)
    before = game_of(copy)
    edit(copy)
    assert (game_of(copy) != before) == (where == "play.rules")


def split_pieces(folder: Path, names: tuple[str, str]) -> None:
    text = (folder / "pieces.yaml").read_text(encoding="utf-8")
    head, blue = text[: text.index("  blue_1")], text[text.index("  blue_1") :]
    (folder / "pieces.yaml").unlink()
    (folder / names[0]).write_text(head, encoding="utf-8")
    (folder / names[1]).write_text(f"kind: pieces\nformat: 2\npieces:\n{blue}", encoding="utf-8")


def test_order_of_documents_of_one_kind_does_not_count(tmp_path: Path) -> None:
    found = []
    for names in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
        folder = Path(shutil.copytree(SAMPLE, tmp_path / names[0]))
        split_pieces(folder, names)
        sink = Sink()
        model = read_model(str(folder), sink)
        assert model is not None
        found.append((compute_identity(model), [x.id for x in model.ruleset.kinds["piece"].things]))
    assert found[0] == found[1]


def test_order_of_rules_files_does_not_count(tmp_path: Path, sample: tuple[str, str]) -> None:
    """Watchers of one event run in the same order whatever their files are called."""
    more = "whenever struck(u, n):\n    set game.losses = game.losses * 2\n"
    found = []
    for name in ("a.rules", "z.rules"):
        folder = Path(shutil.copytree(SAMPLE, tmp_path / name))
        (folder / name).write_text(more, encoding="utf-8")
        model = checked_model(folder)
        found.append(
            (
                compute_identity(model)["rules"],
                [meaning._serialize_rules_part(w, model.ruleset) for w in model.watchers],
            )
        )
    assert found[0] == found[1]
    assert found[0][0] != sample[0]


def test_watchers_of_variant_follow_those_of_its_base(copy: Path) -> None:
    variant = copy / "variants" / "own.yaml"
    for body in ("raise game.losses by 9", "lower game.losses by 9", "set game.losses = 0"):
        head = "kind: variant\nformat: 2\nid: own\ntitle: Own\nextends: meadow\nrules: |\n"
        variant.write_text(f"{head}  whenever struck(u, n):\n      {body}\n", encoding="utf-8")
        model = checked_model(variant)
        assert [w.span.file.rpartition("/")[2] for w in model.watchers] == ["play.rules", "own.yaml"]


def test_variant_under_another_file_name_is_same(copy: Path) -> None:
    variant = copy / "variants" / "long_day.yaml"
    before = game_of(variant)
    assert before != game_of(copy)
    variant.rename(copy / "variants" / "long_day (1).yaml")
    assert game_of(copy / "variants" / "long_day (1).yaml") == before


def test_texts_that_rules_compare_are_normalized(copy: Path) -> None:
    """A decomposed text is the same text, in data and in rules, so equal identities play equal games."""
    put("pieces.yaml", "      arm: {", "      motto: {type: text, default: «é»}\n      arm: {".replace("«é»", '"é"'))(
        copy
    )
    add("play.rules", 'define proud(u: unit) = u.motto == "é"\n')(copy)
    before = meaning_of_folder(copy)
    everywhere(lambda content: normalize("NFD", content.decode()).encode())(copy)
    assert meaning_of_folder(copy) == before
    model = checked_model(copy)
    assert model.ruleset.kinds["piece"].things[0].values["motto"] == "é"


def meaning_of_folder(folder: Path) -> object:
    model = checked_model(folder)
    return collect_meaning(model)


def test_every_field_of_checked_rules_is_meant_or_named_as_not_meant() -> None:
    """Check that only fields of words, citations and places, and derived ones, are left out of the identity."""
    modules = (m, c, n)
    records = [x for module in modules for x in vars(module).values() if hasattr(x, "__dataclass_fields__")]
    silent = {
        f.name
        for record in records
        if record.__module__ in [module.__name__ for module in modules] and record not in (CheckedModel, c.TextTemplate)
        for f in fields(record)
        if str(f.type) in ("Span", "Cites", "TextTemplate", "TextTemplate | None", "Type", "str | TextTemplate")
    }
    derived = {"address", "names", "staged", "witness"}
    assert meaning.NOT_MEANT == silent | derived


# Fields of the data that no game depends on: words, looks, citations, and what is derived from other fields.
NOT_MEANT_OF_DATA = {
    data.Kind: "one many label origin _handles",
    data.Attribute: "has_default is_shown label origin",
    data.Thing: "label origin family",
    data.PieceClass: "one many label origin",
    data.Ladder: "labels label origin",
    data.Die: "origin",
    data.Table: "show columns signs label cites source note cell_spans origin unreadable",
    data.Axis: "labels headings show _row_of _columns",
    data.Constant: "label origin",
    data.Grid: "",
    data.OptionalRule: "label origin texts exchanges",
    data.SetupPosition: "",
    data.Scenario: "title about origin texts",
}


@pytest.mark.parametrize("record", NOT_MEANT_OF_DATA, ids=lambda record: record.__name__)
def test_every_field_of_data_is_meant_or_named_as_not_meant(record: type[Any]) -> None:
    """Check that a new field of a document's record is part of the identity, or named above as without effect."""
    tree = ast.parse(Path(str(meaning.__file__)).read_text(encoding="utf-8"))
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert {f.name for f in fields(record)} - read <= set(NOT_MEANT_OF_DATA[record].split())


def test_many_changed_parts_are_summarized_by_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    model = checked_model(SAMPLE)
    whole = compute_identity(model)
    monkeypatch.setattr(meaning, "_MAX_PARTS", 5)
    folded = compute_identity(model)
    assert (folded["rules"], folded["scenarios"]) == (whole["rules"], whole["scenarios"])
    assert {"procedure", "define", "table"} <= set(folded["parts"])


# The digests of the sample in scheme 1. They must never change: where equal rules would get others, `SCHEME` in
# `interpreter/model/meaning.py` is raised, and those of the new scheme stand here.
FROZEN = {1: ("085daf90e82fcef5b2f7f384897858d4", "98b814abad1b87d64b77f9cfcde4815e")}


def test_identity_of_sample_is_frozen(sample: tuple[str, str]) -> None:
    assert FROZEN[meaning.SCHEME] == sample


@pytest.mark.parametrize("settings", [("0", ()), ("1", ("-O",)), ("4711", ("-OO", "-X", "utf8=0"))], ids=str)
def test_identity_does_not_depend_on_process(sample: tuple[str, str], settings: tuple[str, tuple[str, ...]]) -> None:
    seed, options = settings
    code = "import sys; from tests.saves.test_identity import game_of, SAMPLE; print(*game_of(SAMPLE))"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, *options, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd="/"
    )
    assert tuple(done.stdout.split()) == sample
