"""Saved games: listed, named, resumed in one command, mailed, altered, typed dice, reports."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.api.resume import store_target
from tests.recordings import assert_recorded

from .conftest import Run

BOTS = ("--side", "reds=random", "--side", "blues=random")
KEPT: dict[tuple[str, ...], bytes] = {}  # by how it was played


def saved(run: Run, tiny: Path, path: Path, *how: str) -> Path:
    """Save a game by a ruleset that has been used; it is played at the first call and equal for all later ones."""
    if how not in KEPT:
        run("play", tiny, *how, "--save", path)
        KEPT[how] = path.read_bytes()
    path.write_bytes(KEPT[how])
    store_target(load(tiny))
    return path


@pytest.fixture
def journal(run: Run, tiny: Path, tmp_path: Path) -> Path:
    """Return the journal of a whole game."""
    return saved(run, tiny, tmp_path / "whole.journal", *BOTS, "--seed", "3")


# --- lists and names ------------------------------------------------------------------------------


def test_list_games_without_games(run: Run) -> None:
    done = run("list", "games")
    assert (done.code, done.err) == (0, "")
    assert "grognard play RULESET" in done.out
    assert run("list", "games", "--format", "json").json()["games"] == []
    assert_recorded(run("play", "--resume").err)


def test_games_are_listed_with_side_to_move(run: Run, tiny: Path) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening 3", fed="rest\n")
    run("play", tiny, *BOTS, "--seed", "3", "--name", "done")
    out = run("list", "games").out
    assert "evening 3: tiny, usual: turn 1, acting; blues to move (blue_seat)" in out
    assert "done: tiny, usual: over, won by" in out
    games = {g["name"]: g for g in run("list", "games", "--format", "json").json()["games"]}
    assert games["evening 3"]["to_move"] == {"side": "blues", "seat": "blue_seat"}
    assert games["evening 3"]["decisions"] == 1
    assert games["done"]["over"] and games["done"]["to_move"] is None


def test_damaged_game_is_listed_as_such(run: Run, tiny: Path, tmp_path: Path) -> None:
    run("play", tiny, "--seed", "1", "--name", "good", fed="rest\n")
    folder = Path(run("list", "games", "--format", "json").json()["folder"])
    (folder / "bad.journal").write_bytes(b"\x89PNG")
    (folder / "folder.journal").mkdir()
    out = run("list", "games").out
    assert "bad: " in out and "a PNG picture" in out
    assert "good: tiny" in out
    assert "resumed from" in run("play", "--resume").out


def test_play_resumes_game_by_every_form_of_resume_option(run: Run, tiny: Path) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening", fed="rest\n")
    for how in (("--resume",), ("--resume", "evening"), (tiny, "--resume", "evening"), (tiny, "--resume")):
        done = run("play", *how)
        assert done.code == 0
        assert "To move: Blue player, for Blues" in done.out
        assert done.out.rstrip().split("\n")[-2].endswith("--resume evening")


@pytest.mark.parametrize(
    "name",
    ["", " ", "../x", "a/b", "a\\b", ".hidden", "-x", "con", "NUL", "x" * 61, "a\nb", "a\0b", "trailing ", "dot."],
)
def test_names_that_no_game_can_have(run: Run, tiny: Path, name: str) -> None:
    done = run("play", tiny, f"--name={name}")
    assert (done.code, done.out) == (2, "")
    assert "--name" in done.err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--resume", "nope"), "or a saved game"),
        (("--resume", "a\0b"), "or a saved game"),
        (("--resume", "x" * 5000), "valid file name"),
        (("--resume", "evning"), "did you mean `evening`"),
        (("--resume", "evening", "--name", "x"), "leave out --save"),
        (
            ("--resume", "evening", "--dice", "ask"),
            "leave out --dice",
        ),
        ((), "play what?"),
        (("napoleon", "--resume", "evening"), "is a game of `tiny`"),
        (("napoleon", "--name", "evening"), "--resume 'evening'"),
        (("napoleon", "--name", "a", "--save", "b"), "--save gives"),
        (("napoleon", "--dice", "ask", "--seed", "3"), "leave out --seed"),
        (("napoleon", "--dice", "loaded"), "invalid choice"),
    ],
)
def test_invalid_resume_arguments_are_refused_with_hint(
    run: Run, tiny: Path, arguments: tuple[str, ...], hint: str
) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening", fed="rest\n")
    done = run("play", *arguments)
    assert done.code == 2
    assert hint in done.err


def test_file_that_was_mailed(run: Run, tiny: Path, tmp_path: Path) -> None:
    sent, received = tmp_path / "sent.journal", tmp_path / "inbox" / "game.journal"
    run("play", tiny, "--seed", "1", "--save", sent, "--side", "blues=random", fed="rest\n")
    received.parent.mkdir()
    shutil.copy(sent, received)
    elsewhere = tmp_path / "other machine" / "tiny"
    elsewhere.parent.mkdir()
    tiny.rename(elsewhere)
    lost = run("play", "--resume", received)
    assert lost.code == 2
    assert_recorded(lost.err, FOLDER=tmp_path)
    done = run("play", elsewhere, "--resume", received, "--side", "blues=human", fed="rest\n")
    assert done.code == 0
    assert "To move: Red player" in done.out
    assert run("verify", received).code == 0, "the place that was named is remembered"
    assert str(tmp_path) not in received.read_text()


# --- integrity ------------------------------------------------------------------------------------


def test_any_altered_byte_of_game_is_named(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="storm\n")
    content = path.read_bytes()
    for at in range(0, len(content), 7):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        done = run("verify", path)
        assert (done.code, done.out) == (1, ""), at
        assert f"line {content.count(10, 0, at) + 1}" in done.err or "`grognard play`" in done.err or at < 14


def test_verify_states_its_proof(run: Run, journal: Path) -> None:
    out = run("verify", journal).out
    assert_recorded(out, FOLDER=journal.parent)
    data = run("verify", journal, "--format", "json").json()
    assert data["ok"] and data["whole"] and not data["altered"] and data["dice"] == "seed"


def test_verify_of_file_cut_after_a_choice_says_what_is_open(run: Run, journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if b'"d":1' in line)
    second = next(n for n, line in enumerate(lines) if b'"d":2' in line)
    assert first < second
    journal.write_bytes(b"".join(lines[:second]))
    done = run("verify", journal)
    assert done.code == 0
    assert "the game is not finished, or its last choices were removed from the file" in done.out


def test_report_lists_undone_choices(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="storm\nundo anyway\nrest\n")
    assert "undone: 1 decision, with 1 roll" in run("verify", path).out
    data = run("verify", path, "--format", "json").json()
    assert (data["ok"], data["rolls"], data["taken_back"]) == (True, 0, {"decisions": 1, "rolls": 1})


def test_verify_names_altered_line_as_data(run: Run, journal: Path) -> None:
    journal.write_bytes(journal.read_bytes()[:-2] + b"]\n")
    done = run("verify", journal, "--format", "json")
    assert done.code == 1
    assert done.json()["altered"] and done.json()["line"] > 5
    journal.write_bytes(b"[1, 2, 3]")
    assert run("verify", journal, "--format", "json").json()["foreign"]


def test_lines_taken_from_end_are_noticed_inside_choice(run: Run, journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    done = run("verify", journal)
    assert done.code == 0
    assert_recorded(done.out, FOLDER=journal.parent)
    again = run("play", "--resume", journal)
    assert "=== Won by" in again.out
    assert journal.read_bytes().count(b"\n") == len(lines)


@pytest.mark.parametrize(
    "content",
    [
        b"{" * 100_000,
        b'{"grognard":2,"a":' + b"[" * 100_000,
        b"\0" * 4096,
        b"a" * 300_000,
        b"\xff\xd8\xff\xe0",
        b"PK\x03\x04",
        '{"x":"ü"}\n'.encode(),
    ],
)
@pytest.mark.parametrize("command", ["verify", "replay", "report", "resume"])
def test_foreign_file_is_refused(run: Run, tmp_path: Path, content: bytes, command: str) -> None:
    path = tmp_path / "f"
    path.write_bytes(content)
    done = run("play", "--resume", path) if command == "resume" else run(command, path)
    assert (done.code, done.out) == (1, "")
    assert str(path) in done.err


# --- dice at the table ----------------------------------------------------------------------------


def test_dice_are_asked_recorded_and_replayed(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--dice", "ask", "--name", "table", fed="storm\n7\n\n6\nstorm\nundo\nstorm\n2\n")
    assert done.code == 0
    assert "Storm (Reds): one d6 (1-6)> " in done.out
    assert "`7`" in done.out
    assert done.out.count("Storm (Reds): one d6") == 3 and done.out.count("Storm (Blues): one d6") == 2
    verified = run("verify", "table")
    assert "2 rolls, as typed" in verified.out
    assert run("list", "games", "--format", "json").json()["games"][0]["dice"] == "typed"
    again = run("play", "--resume", "table", fed="storm\n1\n")
    assert "Storm (Reds): one d6" in again.out
    assert "3 rolls" in run("verify", "table").out


def test_end_of_input_at_roll_loses_nothing(run: Run, tiny: Path) -> None:
    done = run("play", tiny, "--dice", "ask", "--name", "table", fed="rest\nstorm\n")
    assert done.code == 0
    assert "Stopped; to continue:" in done.out
    data = run("verify", "table", "--format", "json").json()
    assert (data["decisions"], data["rolls"], data["whole"]) == (1, 0, True)


def test_dice_of_bots_are_asked_too(run: Run, tiny: Path) -> None:
    done = run("play", tiny, *BOTS, "--dice", "ask", "--name", "table", fed="6\n" * 500)
    assert done.code == 0
    assert "=== Won by" in done.out
    assert run("verify", "table").code == 0


def test_typed_rolls_that_were_lost_are_asked_again(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    run("play", tiny, "--dice", "ask", "--save", path, fed="rest\nstorm\n6\n")
    lines = path.read_bytes().splitlines(keepends=True)
    rolled = next(n for n, line in enumerate(lines) if line.startswith(b'{"r"'))
    path.write_bytes(b"".join(lines[:rolled]))
    assert_recorded(run("verify", path).out, FOLDER=tmp_path)
    done = run("play", "--resume", path, fed="storm\n6\n")
    assert "Storm (Blues): one d6" in done.out
    data = run("verify", path, "--format", "json").json()
    assert data["ok"] and data["whole"] and data["rolls"] == 1


# --- replay and report ----------------------------------------------------------------------------


def test_replay_prints_range_and_steps(run: Run, journal: Path) -> None:
    part = run("replay", journal, "--from", "2", "--to", "4").out
    assert part.startswith("Turn 2, Acting\n")
    assert "Turn 1," not in part
    stepped = run("replay", journal, "--to", "3", "--step").out
    assert stepped.count("on the map:") == 3
    data = run("replay", journal, "--to", "3", "--step", "--format", "json").json()
    assert [s["decision"] for s in data["steps"]] == [0, 1, 2, 3]
    assert run("replay", journal, "--from", "5", "--to", "4").code == 2
    for nonsense in ("-1", "x", "1.5", "9" * 30):
        assert run("replay", journal, "--from", nonsense).code == 2


def test_report_has_all_headings(run: Run, journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    assert run("report", journal, "--out", out).code == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("# Two Hills\n\n- scenario: The usual start\n")
    for heading in ("## Outcome", "## What happened", "### Turn 1", "#### Acting [1.0]", "## Luck"):
        assert f"\n{heading}\n" in text
    assert "Storm table, storm (Reds): " in text
    assert "compared with" in text and "expected" in text
    assert run("report", journal, "--out", out).code == 2
    assert run("report", journal, "--out", out, "--force").code == 0
    assert run("report", journal, "--out", tmp_path).code == 2
    assert run("report", journal, "--out", out / "x.md").code == 2
    assert "赤軍" in run("report", journal, "--lang", "ja", "--no-luck").out


def test_luck_as_data_adds_up(run: Run, journal: Path) -> None:
    luck = run("report", journal, "--format", "json").json()["luck"]
    rolls = sum(r["count"] for r in luck["rolls"])
    assert rolls == run("verify", journal, "--format", "json").json()["rolls"]
    success = [t for t in luck["tables"] if t["part"] == "success"]
    assert sum(t["count"] for t in success) == rolls
    assert all(abs(t["expected"] - t["count"] / 6) < 1e-5 for t in success)
    assert "compared with" in run("report", journal, "--luck").out
    assert run("report", journal, "--luck", "--no-luck").code == 2


def test_report_is_printed_for_game_without_dice(run: Run, tiny: Path) -> None:
    run("play", tiny, "--name", "calm", fed="rest\n")
    done = run("report", "calm")
    assert done.code == 0
    assert_recorded(done.out[done.out.index("## Outcome") :])


def test_remarks_stay_in_file(run: Run, tiny: Path, tmp_path: Path) -> None:
    from interpreter.api.autosave import Autosave
    from interpreter.saves.journal import read_journal
    from interpreter.saves.storage import list_notes

    game = load(str(tiny)).start(seed=1)
    keeper = Autosave(tmp_path / "a.journal", {}, print)
    keeper.begin(game)
    keeper.save_note("an early *remark*")
    game.choose("rest")
    keeper.save_progress(game)
    keeper.save_note("a late one")
    game.undo()
    keeper.save_progress(game)
    keeper.copy(game, str(tmp_path / "b.journal"))
    keeper.close()
    store_target(load(str(tiny)))
    for name in ("a.journal", "b.journal"):
        assert list_notes(read_journal(tmp_path / name)) == ["an early *remark*", "a late one"]
        assert run("verify", tmp_path / name, "--format", "json").json()["whole"]
        assert "- an early \\*remark\\*\n- a late one\n" in run("report", tmp_path / name).out


NONSENSE = [
    '{"x":{}}',
    '{"x":{"things":[]}}',
    '{"x":{"things":{"army":{}}}}',
    '{"x":{"things":{"side":5}}}',
    '{"x":{"things":{"side":{"reds":{"spirit":"much"}}}}}',
    '{"x":{"pieces":{"nobody":{"at":"west"}}}}',
    '{"x":{"pieces":5}}',
    '{"x":{"pieces":{"red-1":7}}}',
    '{"x":{"game":{"weather":[]}}}',
    '{"x":{"groups":{"west":{"reds":-1}}}}',
    '{"x":{"groups":7}}',
    '{"d":1,"side":"reds","decision":"action","key":"march(nobody, nowhere)"}',
    '{"d":1,"side":"reds","decision":"action","key":""}',
    '{"d":1,"side":"blues","decision":"action","key":"rest"}',
    '{"d":1,"side":"reds","decision":"action","key":"' + "(" * 9000 + '"}',
    '{"d":7,"side":"reds","decision":"action","key":"rest"}',
    '{"u":3}',
    '{"r":"storm","s":"","f":[7,7,7]}',
    '{"w":"x","side":"x","seat":"x","p":"x","t":99999999999999999999}',
    '{"h":"00","p":"acting","t":1}',
    '{"e":{},"h":""}',
    '{"n":"\\u001b[2J"}',
]


@pytest.mark.parametrize("body", NONSENSE)
@pytest.mark.parametrize("typed", [False, True])
def test_invalid_entry_with_valid_checksum_is_refused(
    run: Run, tiny: Path, tmp_path: Path, body: str, typed: bool
) -> None:
    from interpreter.saves import journal_lines as module

    path = saved(run, tiny, tmp_path / "a.journal", *(("--dice", "ask") if typed else ("--seed", "1")))
    checksum = path.read_bytes()[-15:-3].decode()
    raw = body.encode()[:-1]
    line = raw + b',"c":"' + module.compute_checksum(checksum, raw).encode() + b'"}\n'
    path.write_bytes(path.read_bytes() + line)
    for command in (("verify",), ("replay",), ("report",), ("play", "--resume")):
        done = run(*command, path)
        assert done.code in (0, 1)
        assert "a bug in grognard:" not in done.err
        assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seed":1', '"seed":' + "9" * 200),
        ('"seed":1', '"seed":null'),
        ('"options":[]', '"options":["fog=maybe"]'),
        ('"options":[]', '"options":["' + "x" * 10_000 + '"]'),
        ('"scenario":"usual"', '"scenario":"../../etc"'),
        ('"engine":"1"', '"engine":"\\u001b[2J"'),
        ('"ruleset":"tiny"', '"ruleset":"/"'),
        ('"ruleset":"tiny"', '"ruleset":"tiny\\u0000"'),
        ('"ruleset":"tiny"', '"ruleset":"' + "x" * 5000 + '"'),
        ('"ruleset":"tiny"', '"location":"/","ruleset":"\\\\\\\\zzz\\\\share"'),
        ('"seats":{', '"seats":{"x":"y",'),
        ('"rules":"', '"rules":"0'),
        ('"scheme":1', '"scheme":7'),
        ('"setup":"', '"setup":"\\u001b'),
        ('"parts":{', '"parts":{"\\u001b[2J":"00",'),
        ('"parts":{', '"parts":{"a":{},'),
    ],
)
def test_invalid_header_with_valid_checksum_causes_no_crash(
    run: Run, tiny: Path, tmp_path: Path, old: str, new: str
) -> None:
    from interpreter.saves import journal_lines as module

    path = saved(run, tiny, tmp_path / "a.journal", "--seed", "1")
    raw = path.read_bytes().split(b"\n")[0].rpartition(b',"c":')[0].decode().replace(old, new, 1).encode()
    path.write_bytes(raw + b',"c":"' + module.compute_checksum(module.START, raw).encode() + b'"}\n')
    for command in (("verify",), ("replay",), ("report",), ("play", "--resume")):
        done = run(*command, path)
        assert done.code in (0, 1, 2)
        assert "a bug in grognard:" not in done.err
        assert "\x1b" not in done.out + done.err


def forge(path: Path, change: Callable[[list[bytes]], None]) -> None:
    """Change the lines of a journal and make all its checksums good again."""
    from interpreter.saves import journal_lines as module

    bodies = [line.rpartition(b',"c":')[0] for line in path.read_bytes().splitlines()]
    change(bodies)
    content, checksum = b"", module.START
    for body in bodies:
        checksum = module.compute_checksum(checksum, body)
        content += body + b',"c":"' + checksum.encode() + b'"}\n'
    path.write_bytes(content)


def place(bodies: list[bytes], start: bytes) -> int:
    return next(n for n, body in enumerate(bodies) if body.startswith(start))


def other_face(bodies: list[bytes]) -> None:
    n = place(bodies, b'{"r"')
    bodies[n] = bodies[n].replace(b'"f":[', b'"f":[1,')


def no_roll(bodies: list[bytes]) -> None:
    del bodies[place(bodies, b'{"r"')]


def other_seed(bodies: list[bytes]) -> None:
    bodies[0] = bodies[0].replace(b'"seed":3', b'"seed":4')


def other_winner(bodies: list[bytes]) -> None:
    bodies[-1] = bodies[-1].replace(b'"winner":', b'"winner":"nobody","was":')


def other_position(bodies: list[bytes]) -> None:
    n = place(bodies, b'{"h"')
    bodies[n] = bodies[n].replace(b'{"h":"', b'{"h":"0')


def other_to_move(bodies: list[bytes]) -> None:
    n = place(bodies, b'{"w"')
    bodies[n] = bodies[n].replace(b"reds", b"blues")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (other_face, "has the roll storm [1,"),
        (no_roll, "lacks the roll storm [1]"),
        (other_seed, "the rules give"),
        (other_winner, "final result differs"),
        (other_position, "start of `acting` in turn 1"),
        (other_to_move, "`action` of blues"),
    ],
)
def test_forged_journals_do_not_replay(
    run: Run, journal: Path, change: Callable[[list[bytes]], None], found: str
) -> None:
    forge(journal, lambda bodies: None)
    assert run("verify", journal).code == 0
    forge(journal, change)
    done = run("verify", journal)
    assert done.code == 1
    assert "no line was altered" in done.out and "differs after" in done.out
    assert found in done.out
    assert "does not replay" in run("play", "--resume", journal).err


def test_play_of_one_seat_stops_when_another_is_to_decide(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "mail.journal"
    first = run("play", tiny, "--seed", "1", "--save", journal, "--seat", "red_seat", fed="rest\nrest\nrest\n")
    assert first.code == 0
    assert first.out.count("Red player> ") == 1, "the second line is not for him"
    assert "Blue player> " not in first.out
    assert "the turn of Blue player" in first.out
    again = run("play", tiny, "--resume", journal, "--seat", "red_seat", fed="rest\n")
    assert "> " not in again.out and "the turn of Blue player" in again.out, "nothing can be chosen for another"
    second = run("play", tiny, "--resume", journal, "--seat", "blues", fed="rest\nrest\n")
    assert second.out.count("Blue player> ") == 1, "the name of a side means its seat"
    unknown = run("play", tiny, "--resume", journal, "--seat", "red_set")
    assert unknown.code == 2
    assert "did you mean `red_seat` or `reds`?" in unknown.err


def test_resumed_game_shows_notes_of_others(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "mail.journal"
    run("play", tiny, "--seed", "1", "--save", journal, fed="note mine\nrest\nnote bonjour\nrest\nnote adieu\nquit\n")
    out = run("play", tiny, "--resume", journal, fed="quit\n").out
    told = next(part for part in out.split("\n\n") if "UTC: bonjour" in part)
    assert_recorded(re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DATE", told), FOLDER=tmp_path)
    assert re.search(r"turn 1.*, Blue player, \d{4}-\d\d-\d\d \d\d:\d\d UTC: bonjour\n", told)
    assert "adieu" in told and "mine" not in told
    run("play", tiny, "--resume", journal, fed="rest\nquit\n")
    later = run("play", tiny, "--resume", journal, fed="quit\n").out
    assert "UTC: adieu" in later, "the Blue player has not chosen since"
    run("play", tiny, "--resume", journal, fed="rest\nquit\n")
    assert "bonjour" not in run("play", tiny, "--resume", journal, fed="quit\n").out
