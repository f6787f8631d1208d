"""Saved games and rulesets that have changed since: harmless changes go unnoticed, others are named with the way on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter.api.game import load, resume
from interpreter.api.resume import store_target
from interpreter.i18n.translator import ENGLISH
from interpreter.saves.journal import JournalError, read_journal
from interpreter.ui.web.game_factory import resume_game
from tests.folders import replace_in_file
from tests.recordings import assert_recorded, lines_with

from .conftest import Run

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "formats" / "samples"
BOTS = ("--side", "reds=random", "--side", "blues=random")


@pytest.fixture
def journal(run: Run, tiny: Path, tmp_path: Path) -> Path:
    """Return the journal of an unfinished game."""
    path = tmp_path / "evening.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="rest\nmarch middle\nstorm\n")
    store_target(load(tiny))
    return path


def test_cosmetic_change_of_ruleset_keeps_journal_valid(run: Run, tiny: Path, journal: Path) -> None:
    for path in (*tiny.rglob("*.yaml"), *tiny.rglob("*.rules")):
        path.write_bytes(b"# hello\r\n" + path.read_bytes().replace(b"\n", b"\r\n"))
    replace_in_file(tiny / "map.yaml", "West Hill", "The Western Hill")
    (tiny / "pieces.yaml").rename(tiny / "counters.yaml")
    assert run("check", tiny).code == 0
    for command in (("verify",), ("replay",), ("report", "--no-luck")):
        done = run(*command, journal)
        assert (done.code, done.err) == (0, ""), command
    assert "replays exactly" in run("verify", journal).out
    assert run("verify", journal, "--format", "json").json()["rules"] == "same"
    assert "resumed from" in run("play", "--resume", journal).out
    assert resume(journal).decision is not None


CHANGES = {
    "the chart `storm_table`": ("tables.yaml", "cells: [nothing_done,", "cells: [success,"),
    "the value `loss`": ("tables.yaml", "{loss: 1}", "{loss: 2}"),
    "`act`": ("play.rules", "lower foe(s).spirit by", "lower s.spirit by"),
    "the pieces": ("pieces.yaml", "red: {class: band, count: 2", "red: {class: band, count: 3"),
    "the sides": ("ruleset.yaml", "default: 3", "default: 4"),
    "the scenario `usual`": ("scenarios/usual.yaml", "weather: 1", "weather: 2"),
    "the die `coin` (new)": ("ruleset.yaml", "dice: {die: {faces: 6}}", "dice: {die: {faces: 6}, coin: {faces: 2}}"),
}


@pytest.mark.parametrize(("told", "change"), CHANGES.items(), ids=CHANGES)
def test_version_refusal_names_differences_and_next_step(
    run: Run, tiny: Path, journal: Path, told: str, change: tuple[str, str, str]
) -> None:
    replace_in_file(tiny / change[0], *change[1:])
    command = f"grognard replay {journal} --rules {tiny} --save {journal.with_name('evening-carried.journal')}"
    found = []
    for words in (("verify",), ("replay",), ("report",), ("play", "--resume")):
        done = run(*words, journal)
        assert (done.code, done.out) == (1, ""), words
        found.append(done.err)
    with pytest.raises(JournalError) as caught:
        resume(journal, tiny)
    found.append(str(caught.value))
    with pytest.raises(JournalError) as refused:
        resume_game(journal, ENGLISH)
    found.append(str(refused.value).replace(str(tiny.resolve()), str(tiny)))
    for message in found:
        message = message.replace(str(tiny.resolve()), str(tiny))
        assert "the rules of `tiny`. Changed: " in message
        assert told in message
        assert command in message and "--anyway" in message


def test_command_of_refusal_carries_game_over(run: Run, tiny: Path, journal: Path) -> None:
    replace_in_file(tiny / "tables.yaml", "{loss: 1}", "{loss: 2}")
    message = run("play", "--resume", journal).err
    words = message[message.index("grognard replay") :].partition(". To see")[0].split()
    done = run(*words[1:])
    assert done.code == 0
    assert "all 3 choices are possible" in done.out
    assert "other rules: the value `loss`" in done.err
    carried = journal.with_name("evening-carried.journal")
    assert "replays exactly: 3 decisions" in run("verify", carried).out
    assert "resumed from" in run("play", "--resume", carried).out


def test_own_game_is_named_by_its_name(run: Run, tiny: Path) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening 3", fed="rest\n")
    replace_in_file(tiny / "tables.yaml", "{loss: 1}", "{loss: 2}")
    message = run("play", "--resume", "evening 3").err
    assert f'grognard replay "evening 3" --rules {tiny.resolve()} --save "evening 3-carried.journal"' in message


def test_change_that_game_did_not_meet_is_named_with_anyway(run: Run, tiny: Path, journal: Path) -> None:
    replace_in_file(tiny / "ruleset.yaml", "dice: {die: {faces: 6}}", "dice: {die: {faces: 6}, coin: {faces: 2}}")
    assert run("verify", journal).code == 1
    done = run("verify", journal, "--anyway")
    assert "replays exactly" in done.out and "Changed: the die `coin` (new)" in done.out
    for command in (("replay",), ("report", "--no-luck")):
        assert "Changed: " in run(*command, journal, "--anyway").err


def test_many_differences_show_first_few(run: Run, tiny: Path, journal: Path) -> None:
    dice = "".join(f", d{n}: {{faces: 4}}" for n in range(20))
    replace_in_file(tiny / "ruleset.yaml", "dice: {die: {faces: 6}}", f"dice: {{die: {{faces: 6}}{dice}}}")
    message = run("verify", journal).err
    assert message.count("the die `d") == 6 and "14 more (new)" in message


def test_deleted_scenario_is_named(run: Run, tiny: Path, journal: Path) -> None:
    replace_in_file(tiny / "scenarios" / "usual.yaml", "id: usual", "id: other")
    assert "the scenario `usual` (removed)" in run("verify", journal).err
    assert "has no scenario `usual`" in run("verify", journal, "--anyway").err


def test_variant_as_mail_program_saves_it(run: Run, tiny: Path, tmp_path: Path) -> None:
    variant = tmp_path / "v.yaml"
    text = "kind: variant\nformat: 2\nid: long\ntitle: Long\nextends: tiny\ntables: {values: {loss: 2}}\n"
    variant.write_text(text, encoding="utf-8")
    run("play", variant, *BOTS, "--seed", "1", "--max-decisions", "20", "--save", "v.journal")
    renamed = variant.rename(tmp_path / "v (1).yaml")
    assert "replays exactly" in run("verify", "v.journal", "--ruleset", renamed).out


# --- journals of an earlier format ----------------------------------------------------------------


@pytest.fixture
def meadow(own_folders: None) -> Path:
    return Path(shutil.copytree(SAMPLES / "documents" / "2", "meadow"))


def test_old_journal_continues_if_it_replays(run: Run, meadow: Path) -> None:
    old = Path(shutil.copy(SAMPLES / "journals" / "2.journal", "old.journal"))
    lines = old.read_bytes().splitlines(keepends=True)
    old.write_bytes(b"".join(lines[:-6]))
    done = run("verify", old, "--ruleset", meadow)
    assert done.code == 0
    assert_recorded(lines_with(done.out, "unknown"))
    assert run("verify", old, "--format", "json").json()["rules"] == "unknown"
    for command in (("replay",), ("report", "--no-luck")):
        assert "is unknown" in run(*command, old).err
    served = resume_game(old, ENGLISH)
    assert any("is unknown" in notice for notice in served.notices)
    served.autosave.close()
    done = run("play", "--resume", old, "--side", "reds=human", "--side", "blues=human", fed="done\n")
    assert "is unknown" in done.out
    assert read_journal(old).header == read_journal(SAMPLES / "journals" / "2.journal").header
    assert run("verify", old).code == 0
    run("play", "--resume", old, "--side", "reds=human", "--side", "blues=human", fed="save copy.journal\nquit\n")
    assert run("verify", "copy.journal", "--format", "json").json()["rules"] == "same"


def test_old_journal_that_parts_names_way_on(run: Run, meadow: Path) -> None:
    old = Path(shutil.copy(SAMPLES / "journals" / "2.journal", "old.journal"))
    replace_in_file(meadow / "ruleset.yaml", "default: steady", "default: broken")
    done = run("play", "--resume", old, meadow)
    assert done.code == 1
    assert "does not replay" in done.err
    assert "grognard replay old.journal --rules meadow --save old-carried.journal" in done.err
    done = run("verify", old)
    assert done.code == 1
    assert "the replay differs after" in done.out and "grognard replay old.journal --rules" in done.out


def test_format_2_journal_with_matching_digest_is_accepted(run: Run, own_folders: None) -> None:
    """Check that the digest of bytes in a journal of format 2 is still compared with that of the files."""
    from interpreter.documents.pipeline import compute_content_hash
    from interpreter.saves import journal_lines
    from interpreter.saves.entries import encode_entry

    folder = Path(shutil.copytree(SAMPLES / "documents" / "2", "meadow"))
    journal = read_journal(SAMPLES / "journals" / "2.journal")
    head = json.loads((SAMPLES / "journals" / "2.journal").read_text().splitlines()[0])
    head.pop("c")
    content, checksum = b"", journal_lines.START
    for data in ({**head, "hash": compute_content_hash(str(folder))}, *map(encode_entry, journal.entries)):
        line, checksum = journal_lines.encode_line(data, checksum)
        content += line
    Path("old.journal").write_bytes(content)
    assert run("verify", "old.journal", "--ruleset", folder, "--format", "json").json()["rules"] == "same"
    assert "is unknown" not in run("verify", "old.journal").out


def test_ruleset_that_plays_game_is_taken_among_several_places(run: Run, tiny: Path, journal: Path) -> None:
    """Check that the ruleset that fits is found, though it was changed harmlessly and another was named last."""
    other = Path(shutil.copytree(tiny, "other"))
    replace_in_file(other / "tables.yaml", "{loss: 1}", "{loss: 2}")
    replace_in_file(tiny / "map.yaml", "West Hill", "Westhill")
    store_target(load(other))
    assert run("verify", journal).code == 0


# --- what mail programs and editors do --------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (lambda content: content.replace(b"\n", b"\r\n"), "CR LF"),
        (lambda content: b"\xef\xbb\xbf" + content, "byte order mark"),
        (
            lambda content: content + b"\n\n",
            "below its last line",
        ),
        (
            lambda content: content + b"-- \nHans\n",
            "below its last line",
        ),
        (
            lambda content: content + b"> go on!\n> Hans\n",
            "below its last line",
        ),
    ],
    ids=["CRLF", "BOM", "blank lines", "signature", "quotation"],
)
def test_mailed_journal_is_proved_and_played_on(run: Run, tiny: Path, journal: Path, change, remark: str) -> None:
    journal.write_bytes(change(journal.read_bytes()))
    done = run("verify", journal)
    assert done.code == 0
    assert "no line was altered" in done.out and remark in done.out
    data = run("verify", journal, "--format", "json").json()
    assert data["crlf"] or data["byte_order_mark"] or data["text_below"]
    assert run("replay", journal).code == 0
    assert "resumed from" in run("play", "--resume", journal, fed="rest\n").out
    found = run("verify", journal)
    assert found.code == 0 and "replays exactly: 4 decisions" in found.out
    assert "below its last line" not in found.out


def test_option_that_player_switched_off_stays_off(run: Run, tiny: Path) -> None:
    """Check that the journal records an option as off that its scenario switches on."""
    replace_in_file(tiny / "scenarios" / "usual.yaml", "default: true\n", "default: true\noptions: {fog: true}\n")
    run("play", tiny, "--option", "fog=off", "--seed", "1", "--save", "off.journal", fed="march middle\n")
    assert read_journal("off.journal").header.options == ("fog=off",)
    assert "replays exactly: 1 decision" in run("verify", "off.journal", "--ruleset", tiny).out
    run("play", tiny, "--seed", "1", "--save", "on.journal", fed="rest\n")
    assert read_journal("on.journal").header.options == ("fog",)
