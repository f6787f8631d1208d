"""`sweep` as a command: designs, results in a folder, going on after a stop, and what it refuses."""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.experiments import plots
from interpreter.experiments.sweep import runner
from interpreter.experiments.sweep.store import SweepStore
from interpreter.simulation import dask_executor
from tests.folders import write_files

from .conftest import DOCUMENTS, Run

pytestmark = pytest.mark.skipif(  # only looked for: who collects the tests need not load them
    find_spec("pyarrow") is None or find_spec("matplotlib") is None, reason="the extra `lab` is not installed"
)

SPIRIT = "ruleset.sides.attributes.spirit.default=1,3"
CELL = "tables.tables.storm_table.cells[4]=nothing_done,success"
Swept = tuple[Path, str, str]  # its folder, what was printed, and what was noted beside it
FILES = ("games.parquet", "looks.parquet", "summary.json", "page.html", "sweep.json")


def sweep(run: Run, tiny: Path, out: Path, *more: object):  # type: ignore[no-untyped-def]
    return run("sweep", tiny, "--vary", SPIRIT, "--vary", CELL, "-n", "12", "--out", out, *more)


def contents(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in FILES}


@pytest.fixture
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave charts out of the page, for tests that do not read it: drawing them takes longer than the games."""
    monkeypatch.setattr(plots, "_render_svg", lambda figure: "<svg></svg>")


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Swept:
    """Return the whole sweep, played once for all tests that only read it."""
    top = tmp_path_factory.mktemp("swept")
    write_files(top / "tiny", DOCUMENTS)
    told, noted = io.StringIO(), io.StringIO()
    with chdir(top), redirect_stdout(told), redirect_stderr(noted):
        code = main(["sweep", "tiny", "--vary", SPIRIT, "--vary", CELL, "-n", "12", "--out", "out", "--format", "json"])
    assert code == 0, noted.getvalue()
    return top / "out", told.getvalue(), noted.getvalue()


def test_sweep_reports_effects_on_balance(swept: Swept) -> None:
    out, told, noted = swept
    data = json.loads(told)
    assert data == json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert (len(data["points"]), data["games"], data["design"]) == (4, 48, "full")
    turns = {tuple(e["changes"].items()): e for e in data["effects"]["turns"]["single"]}
    shorter = turns[(("ruleset.sides.attributes.spirit.default", "1"),)]
    assert shorter["sure"] and shorter["high"] < 0, "with one spirit in place of three games are shorter"
    assert "48 games at 4 points" in noted
    assert (out / "points/0001.yaml").read_text(encoding="utf-8").startswith("kind: variant")
    assert "<script" not in (out / "page.html").read_text(encoding="utf-8")


def test_tables_are_documented_and_can_be_read(swept: Swept) -> None:
    import pyarrow.parquet as parquet

    games = parquet.read_table(swept[0] / "games.parquet")
    assert games.num_rows == 48
    assert all(field.metadata[b"description"] for field in games.schema)
    assert games.column("point").to_pylist() == sorted(games.column("point").to_pylist())
    looks = parquet.read_table(swept[0] / "looks.parquet").to_pylist()
    assert {"cell", "choice"} <= {look["kind"] for look in looks}
    assert any(look["name"] == "storm_table[die 6]" for look in looks)


def test_point_is_variant_that_can_be_played(run: Run, swept: Swept) -> None:
    points = sorted((swept[0] / "points").iterdir())
    assert len(points) == 3  # the fourth is the ruleset itself
    for path in points:
        assert run("check", path).code == 0
    changed = [run("diff", swept[0].parent / "tiny", path).out for path in points]
    assert any("Storm table" in told for told in changed)


def test_stopped_sweep_continues_to_same_bytes(
    run: Run, swept: Swept, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, added = SweepStore.add, []

    def stopping(self: SweepStore, records) -> None:  # type: ignore[no-untyped-def]
        add(self, records)
        added.append(1)
        if len(added) == 15:
            raise KeyboardInterrupt

    monkeypatch.setattr(SweepStore, "add", stopping)
    assert sweep(run, tiny, tmp_path / "stopped").code == 130
    monkeypatch.setattr(SweepStore, "add", add)
    journal = tmp_path / "stopped/games.jsonl"
    with journal.open("a", encoding="utf-8") as torn:
        torn.write('[0,11,33,"red')
    done = sweep(run, tiny, tmp_path / "stopped")
    assert done.code == 0 and "33 games at 4 points" in done.err
    assert contents(tmp_path / "stopped") == contents(swept[0])
    assert not journal.exists()


@pytest.mark.usefixtures("no_charts")
def test_more_games_and_values_are_added(run: Run, tiny: Path, tmp_path: Path) -> None:
    sweep(run, tiny, tmp_path / "out", "-n", "12", "--alone")
    done = sweep(run, tiny, tmp_path / "out", "-n", "14")
    assert done.code == 0 and "20 games at 4 points" in done.err  # two more at three points, and all of one
    assert sweep(run, tiny, tmp_path / "out", "-n", "14").err == ""


@pytest.mark.usefixtures("no_charts")
def test_too_few_games_warning_is_shown_before_and_after(run: Run, tiny: Path, tmp_path: Path) -> None:
    few = sweep(run, tiny, tmp_path / "out", "-n", "3")
    assert "at least 10 games" in few.err and "-n 10" in few.err
    assert re.search(r"\b3 games .*\b10\b", few.out)
    more = sweep(run, tiny, tmp_path / "out", "-n", "10")
    assert "28 games at 4 points" in more.err and "at least 10 games" not in more.err
    assert "effects on won by" in more.out and "effects on" not in few.out and not re.search(r"\b3 games", more.out)


@pytest.mark.usefixtures("no_charts")
def test_confounded_sample_is_reported(run: Run, tiny: Path, tmp_path: Path) -> None:
    done = sweep(run, tiny, tmp_path / "out", "--sample", "2")
    assert "(--sample)" in done.out + done.err


@pytest.mark.usefixtures("no_charts")
def test_games_of_others_are_not_mixed_in(run: Run, tiny: Path, tmp_path: Path) -> None:
    sweep(run, tiny, tmp_path / "out")
    for more in (("--seed", "2"), ("--bots", "greedy"), ("--option", "fog")):
        done = sweep(run, tiny, tmp_path / "out", *more)
        assert done.code == 2 and "give a new folder" in done.err
    rules = tiny / "tables.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("loss: 1", "loss: 2"), encoding="utf-8")
    assert "give a new folder" in sweep(run, tiny, tmp_path / "out").err


def test_processes_make_no_difference_to_any_byte(run: Run, swept: Swept, tiny: Path, tmp_path: Path) -> None:
    assert sweep(run, tiny, tmp_path / "two", "--jobs", "2").code == 0
    assert contents(swept[0]) == contents(tmp_path / "two")


@pytest.mark.usefixtures("no_charts")
def test_bots_options_and_scenarios_can_be_varied(run: Run, tiny: Path, tmp_path: Path) -> None:
    vary = ("--vary", "bots.red_seat=random,greedy", "--vary", "option.fog=false,true")
    data = run("sweep", tiny, *vary, "-n", "10", "--out", tmp_path / "out", "--format", "json").json()
    assert [p["changes"] for p in data["points"]][0] == {"bots.red_seat": "random"}
    assert {"option.fog": "true", "bots.red_seat": "greedy"} in [p["changes"] for p in data["points"]]


@pytest.mark.usefixtures("no_charts")
def test_several_values_change_together(run: Run, tiny: Path, tmp_path: Path) -> None:
    both = "tables.tables.storm_table.cells[3]+tables.tables.storm_table.cells[4]"
    vary = ("--vary", f"{both}=success,nothing_done+success", "--vary", "tables.tables.storm_table.cell*[5]=success")
    done = run("sweep", tiny, *vary, "-n", "10", "--out", tmp_path / "out", "--alone", "--format", "json")
    assert done.code == 0, done.err
    changed = [p["changes"] for p in done.json()["points"]]
    assert {both: "success"} in changed
    for path in sorted((tmp_path / "out/points").iterdir()):
        assert run("check", path).code == 0


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        ("tables.values.los.value=1", "did you mean"),
        ("tables.tables.storm_table.cells[*]=success+nothing_done", "2 values for"),
        ("tables.values.loss.valu*+tables.values.los.value=1", "did you mean"),
        ("tables.tables.storm_table.cells=1", "storm_table"),
        ("tables.values.loss=nonsense", "must be a number"),
        ("tables.tables.storm_table.cells[4]=victory", ""),
        ("tables.values.loss", "PATH=V1,V2"),
        ("tables.values.loss=1,,2", "after a comma"),
        ("tables.values.loss=1..9999", "more than 1000"),
        ("option.fgo=true", "fog"),
        ("scenario=frist", ""),
        ("bots.red_seat=gredy", "greedy"),
        ("bots.green=random", ""),
    ],
)
def test_invalid_factor_is_reported_before_playing(run: Run, tiny: Path, tmp_path: Path, vary: str, told: str) -> None:
    done = run("sweep", tiny, "--vary", vary, "-n", "2", "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "") and told in done.err
    assert not (tmp_path / "out/games.jsonl").exists()


@pytest.mark.parametrize("path", ["tables.values.declare_a", "map.places.members.france"])
def test_suggested_factor_is_valid(run: Run, tmp_path: Path, path: str) -> None:
    """Check that no paragraph, note or source is suggested in place of a value of the game."""
    done = run("sweep", "napoleon", "--vary", f"{path}=3", "-n", "2", "--out", tmp_path / "out")
    assert done.code == 2 and ".value`" in done.err or "garrison" in done.err
    assert not any(f".{key}" in done.err for key in ("cite", "source", "note"))


def test_oversized_design_is_reported_with_time(run: Run, tiny: Path, tmp_path: Path) -> None:
    done = sweep(run, tiny, tmp_path / "out", "-n", "100000000")
    assert done.code == 2 and "about" in done.err and "more than 12 h" in done.err
    many = run("sweep", tiny, "--vary", "tables.values.loss=1..900", "--vary", "game.x=1", "--out", tmp_path / "x")
    assert many.code == 2


def test_full_disk_keeps_played_games(run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed = []

    def full(_file: int) -> None:
        flushed.append(1)
        if len(flushed) == 9:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = sweep(run, tiny, tmp_path / "out")
    assert done.code == 2 and f"{tmp_path / 'out'}: no space left" in done.err and "Traceback" not in done.err
    monkeypatch.undo()
    assert "48 games" not in sweep(run, tiny, tmp_path / "out").err


def test_scheduler_that_does_not_answer(run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_executor, "_ANSWER_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        done = sweep(run, tiny, tmp_path / "out", "--scheduler", address)
        assert done.code == 2 and "does not answer" in done.err


def test_sweep_refuses_folder_with_other_files(run: Run, tiny: Path) -> None:
    assert sweep(run, tiny, tiny).code == 2


def test_sweep_observes_at_most_stated_points() -> None:
    assert runner.OBSERVED_POINTS == 16
