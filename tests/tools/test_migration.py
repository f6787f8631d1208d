"""Test migrating documents to the newest format, completely or not at all, with comments kept.

The steps are first made up, then the real ones.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.cli.main import main
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading import formats
from interpreter.documents.reading.formats import FormatStep, Outdated, Remark
from interpreter.documents.reading.tree import MappingNode
from interpreter.i18n.translator import mark as _

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = Path(__file__).parent / "games" / "skirmish"
NEWEST = formats.get_newest_format()


def renamed(kind: str, root: MappingNode) -> list[Outdated]:
    """Rename the key `values` to `numbers` in documents of tables."""
    keys = [entry.key.span for entry in root if kind == "tables" and entry.key.text == "values"]
    return [Outdated(span, _("`values` is called `numbers`"), "numbers") for span in keys]


def far_defines(source: Source) -> list[Remark]:
    at = source.text.find("define far")
    return [Remark(Span(source, at, at + 10), _("`far` is nearer now"))] if at >= 0 else []


FIRST_STEP = FormatStep(
    _("`values` is called `numbers`"), renamed, lambda text: text.replace("value.", "number."), far_defines
)
SECOND_STEP = FormatStep(_("nothing but the number"))

TABLES = """\
# what is printed
kind: tables
format: 1   # the first
values:     # by name
  reach: 3  # hexes
tables: {}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "tables.yaml").write_text(TABLES, encoding="utf-8")
    (folder / "play.rules").write_text("# far\ndefine far = value.reach  # hexes\n", encoding="utf-8")
    (folder / "notes.yaml").write_text("mine: [1, 2]\n", encoding="utf-8")
    return folder


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "STEPS", (FIRST_STEP, SECOND_STEP))


@pytest.mark.parametrize("folder", [*sorted((ROOT / "rulesets").iterdir()), ROOT / "docs" / "lab" / "ford"])
def test_shipped_rulesets_use_newest_format(folder: Path, tmp_path: Path, capsys):
    copy = shutil.copytree(folder, tmp_path / folder.name)
    assert main(["migrate", str(copy)]) == 0
    for path in (*copy.rglob("*.yaml"), *copy.rglob("*.rules")):
        here = path.read_text(encoding="utf-8").replace(f"format: {NEWEST}", "format: N")
        was = (folder / path.relative_to(copy)).read_text(encoding="utf-8")
        for number in range(formats.FIRST, NEWEST + 1):
            was = was.replace(f"format: {number}", "format: N")
        assert here == was


def test_migrate_of_newest_documents_does_nothing(tmp_path: Path, capsys):
    copy = shutil.copytree(SKIRMISH, tmp_path / "skirmish")
    assert main(["migrate", str(copy)]) == 0
    before = {path: path.read_bytes() for path in copy.rglob("*.*")}
    capsys.readouterr()
    assert main(["migrate", str(copy)]) == 0
    assert f"Nothing to do: format {NEWEST} is the newest (7 files)" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in copy.rglob("*.*")} == before


def test_every_step_is_taken_and_comments_stay(game, steps, capsys):
    assert main(["migrate", str(game)]) == 0
    told = capsys.readouterr().out
    assert "tables.yaml updated from format 1 to 3" in told and "`values` is called `numbers`" in told
    expected = TABLES.replace("values:", "numbers:").replace("format: 1", "format: 3")
    assert (game / "tables.yaml").read_text() == expected
    assert (game / "play.rules").read_text() == "# far\ndefine far = number.reach  # hexes\n"
    assert (game / "notes.yaml").read_text() == "mine: [1, 2]\n"
    assert main(["migrate", str(game)]) == 0
    assert "format 3 is the newest" in capsys.readouterr().out
    assert (game / "tables.yaml").read_text() == expected


def test_migration_step_without_changes_is_not_reported(game, steps, capsys):
    (game / "pieces.yaml").write_text("kind: pieces\nformat: 1\npieces: {}\n")
    assert main(["migrate", str(game / "pieces.yaml")]) == 0
    told = capsys.readouterr().out
    assert "pieces.yaml updated from format 1 to 3" in told
    assert "numbers" not in told and "nothing but the number" not in told


def test_check_writes_nothing_and_ends_with_1(game, steps, capsys):
    assert main(["migrate", "--check", str(game)]) == 1
    assert "from format 1 to 3" in capsys.readouterr().out
    assert (game / "tables.yaml").read_text() == TABLES


def test_migration_reports_lines_for_author(game, steps, capsys):
    variant = game / "mine.yaml"
    variant.write_text("kind: variant\nformat: 1\nid: m\nextends: game\nrules: |\n  # mine\n  define far = 1\n")
    assert main(["migrate", str(game)]) == 0
    told = capsys.readouterr().out
    assert "play.rules:2:1: `far` is nearer now" in told
    assert "mine.yaml:7:3: `far` is nearer now" in told


def test_rules_inside_variant_go_with_it(game, steps):
    variant = game.parent / "mine.yaml"
    variant.write_text(
        "kind: variant\nformat: 1\nid: mine\nextends: game\nrules: |\n  # mine\n  define near = value.reach\n"
    )
    assert main(["migrate", str(variant)]) == 0
    assert "  # mine\n  define near = number.reach\n" in variant.read_text()
    assert "format: 3" in variant.read_text()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kind: tables\nformat: 9\n", "worse.yaml:2:9: error[unknown-format]"),
        ("kind: tables\nformat: first\n", "worse.yaml:2:9: error[unknown-format]"),
        ("kind: tables\nvalues: {a: 1}\n", "worse.yaml:1:1: error[unknown-format]"),
        ("kind: tables\nformat: 1\nvalues: [\n", "unclosed-bracket"),
    ],
)
def test_unreadable_file_stops_migration(game, steps, capsys, text, told):
    (game / "worse.yaml").write_text(text)
    assert main(["migrate", str(game)]) == 2
    shown = capsys.readouterr().err
    assert told in shown and "nothing was written" in shown and "Traceback" not in shown
    assert (game / "tables.yaml").read_text() == TABLES


def test_whole_game_that_goes_there_and_back_plays_as_before(tmp_path, steps, monkeypatch):
    """Check that migrated documents differ from the originals only by the migration steps."""
    copy = tmp_path / "skirmish"
    shutil.copytree(SKIRMISH, copy)
    assert main(["migrate", str(copy)]) == 0
    for path in copy.rglob("*.yaml"):
        here = path.read_text().replace("format: 3", "format: 1").replace("numbers:", "values:")
        assert here == (SKIRMISH / path.relative_to(copy)).read_text()


# --- format 1 to 2 ------------------------------------------------------------------------------

COUNTERS = """\
kind: map
format: 1
drawing:
  pieces:
    unit:
      facing: heading   # where it looks
      sign:
        attribute: arm  # on it
        values: {foot: cross}
      band: {values: {foot: "#ffffff"}, "attribute": arm}
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("is_variant", [False, True])
def test_keys_of_counters_are_renamed(tmp_path: Path, ends: str, mark: str, is_variant: bool) -> None:
    text = COUNTERS
    if is_variant:
        head = "kind: variant\nformat: 1\nid: v\ntitle: V\nextends: base\nmap:\n"
        text = head + "".join(f"  {line}\n" for line in COUNTERS.splitlines()[2:])
    path = tmp_path / "map.yaml"
    path.write_bytes((mark + text.replace("\n", ends)).encode())
    assert main(["migrate", str(path)]) == 0
    expected = text.replace("facing:", "arrow:").replace('"attribute":', "by:").replace("attribute:", "by:")
    expected = mark + expected.replace("format: 1", "format: 2").replace("\n", ends)
    assert path.read_bytes().decode() == expected


def test_key_with_old_and_new_name_is_not_migrated(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(COUNTERS.replace("values: {foot: cross}", "by: arm"))
    assert main(["migrate", str(path)]) == 0
    assert "        attribute: arm  # on it\n        by: arm\n" in path.read_text()


def test_check_names_new_key_and_command(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "tests" / "formats" / "samples" / "documents" / "1", tmp_path / "meadow")
    found = [d for d in check(copy) if d.severity == "error"]
    assert [(d.code, d.line) for d in found] == [("old-format", 30), ("old-format", 32)]
    assert all("`attribute`" in d.message and "`by`" in d.message for d in found)
    assert all("`grognard migrate`" in d.help for d in found)


def test_older_document_without_outdated_parts_is_read_unchanged(tmp_path: Path) -> None:
    copy = shutil.copytree(SKIRMISH, tmp_path / "skirmish")
    assert "format: 1" in (copy / "ruleset.yaml").read_text()
    assert check(copy) == ()


def test_migration_reports_unordered_drafts(tmp_path: Path, capsys) -> None:
    (tmp_path / "ruleset.yaml").write_text("kind: ruleset\nformat: 1\nid: x\n")
    lines = ("# draft unordered", "draft a(u: unit) unordered starting n = 0:", "draft c() starting n = 0:")
    (tmp_path / "play.rules").write_text("\n".join(lines))
    assert main(["migrate", "--check", str(tmp_path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if "`unordered`" in line]
    assert len(told) == 1 and "play.rules:2:18: " in told[0]
