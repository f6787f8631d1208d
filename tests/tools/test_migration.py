"""Documents of an older format come to the newest: comments stay, whole or not at all. No format has been left behind
yet, so the steps are registered here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.documents.reading.tree import Branch
from interpreter.source.text import Edit
from interpreter.tools.migration.migrated_files import STEPS, Step
from interpreter.words.speech import mark as _

SKIRMISH = Path(__file__).parent / "games" / "skirmish"


def renamed(kind: str, root: Branch) -> list[Edit]:
    """In documents of tables the key `values` is called `numbers`."""
    keys = [entry.key.span for entry in root if kind == "tables" and entry.key.text == "values"]
    return [Edit(span.start, span.end, "numbers") for span in keys]


FIRST_STEP = Step(_("`values` is called `numbers`"), renamed, lambda text: text.replace("value.", "number."))
SECOND_STEP = Step(_("nothing but the number"))

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
    monkeypatch.setattr("interpreter.tools.migration.migrated_files.STEPS", (FIRST_STEP, SECOND_STEP))


def test_today_nothing_is_to_be_done(capsys):
    before = {path: path.read_bytes() for path in SKIRMISH.rglob("*.*")}
    assert STEPS == ()
    assert main(["migrate", str(SKIRMISH)]) == 0
    assert "nothing is to be done: format 1 is the newest there is (7 files)" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in SKIRMISH.rglob("*.*")} == before


def test_every_step_is_taken_and_comments_stay(game, steps, capsys):
    assert main(["migrate", str(game)]) == 0
    told = capsys.readouterr().out
    assert "tables.yaml brought from format 1 to 3" in told and "`values` is called `numbers`" in told
    expected = TABLES.replace("values:", "numbers:").replace("format: 1", "format: 3")
    assert (game / "tables.yaml").read_text() == expected
    assert (game / "play.rules").read_text() == "# far\ndefine far = number.reach  # hexes\n"
    assert (game / "notes.yaml").read_text() == "mine: [1, 2]\n"
    assert main(["migrate", str(game)]) == 0
    assert "format 3 is the newest" in capsys.readouterr().out
    assert (game / "tables.yaml").read_text() == expected


def test_check_writes_nothing_and_ends_with_1(game, steps, capsys):
    assert main(["migrate", "--check", str(game)]) == 1
    assert "tables.yaml would go from format 1 to 3" in capsys.readouterr().out
    assert (game / "tables.yaml").read_text() == TABLES


def test_rules_inside_a_variant_go_with_it(game, steps):
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
        ("kind: tables\nformat: 9\n", "format 9 is not known here: this program knows 1 to 3"),
        ("kind: tables\nformat: first\n", "format first is not known here"),
        ("kind: tables\nvalues: {a: 1}\n", "does not say its format"),
        ("kind: tables\nformat: 1\nvalues: [\n", "yaml-syntax"),
    ],
)
def test_what_cannot_be_read_stops_all_of_it(game, steps, capsys, text, told):
    (game / "worse.yaml").write_text(text)
    assert main(["migrate", str(game)]) == 2
    shown = capsys.readouterr().err
    assert told in shown and "nothing has been written" in shown and "Traceback" not in shown
    assert (game / "tables.yaml").read_text() == TABLES


def test_a_whole_game_that_goes_there_and_back_plays_as_before(tmp_path, steps, monkeypatch):
    """What the steps change is all that differs."""
    copy = tmp_path / "skirmish"
    shutil.copytree(SKIRMISH, copy)
    assert main(["migrate", str(copy)]) == 0
    for path in copy.rglob("*.yaml"):
        here = path.read_text().replace("format: 3", "format: 1").replace("numbers:", "values:")
        assert here == (SKIRMISH / path.relative_to(copy)).read_text()
