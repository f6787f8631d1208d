"""Saved games from strangers: what they may ask of this machine, what of them is told, what they cannot forge."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.saves import journal_lines as module

from .conftest import Run

COMMANDS = (("verify",), ("replay",), ("report",), ("play", "--resume"))


@pytest.fixture
def saved_game(run: Run, tiny: Path, tmp_path: Path) -> Path:
    path = tmp_path / "evening.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="rest\nrest\n")
    return path


def forge(path: Path, change: Callable[[list[dict]], None]) -> None:
    """Change the lines of a journal and make all its checksums good again."""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        del line["c"]
    change(lines)
    checksum, out = module.START, b""
    for line in lines:
        body = json.dumps(line, separators=(",", ":")).encode()[:-1]
        checksum = module.compute_checksum(checksum, body)
        out += body + b',"c":"' + checksum.encode() + b'"}\n'
    path.write_bytes(out)


EDIT = {
    "x": {
        "pieces": {"red-1": {"at": "middle"}},
        "game": {"weather": 2},
        "groups": None,
        "things": {"side": {"reds": {"spirit": 5}}},
    }
}


def test_manual_edit_is_reported_by_every_command(run: Run, saved_game: Path) -> None:
    forge(saved_game, lambda lines: lines.append(EDIT))
    for command in COMMANDS:
        done = run(*command, saved_game)
        assert "by hand once" in done.out + done.err, command
        assert "replays exactly" not in done.out + done.err
    done = run("verify", saved_game)
    assert done.code == 1
    assert "  after decision 2: pieces: red-1; game: weather; side: reds" in done.out
    data = run("verify", saved_game, "--format", "json").json()
    assert not data["ok"] and data["edits"] == [{"after": 2, "changes": EDIT["x"]}]
    for command in ("replay", "report"):
        assert run(command, saved_game, "--format", "json").json()["edits"]
    assert "## Changed by hand" in run("report", saved_game).out


def test_manual_edit_is_shown_in_list(run: Run, tiny: Path) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening", fed="rest\n")
    data = run("list", "games", "--format", "json").json()
    assert data["games"][0]["edits"] == 0
    forge(Path(data["games"][0]["file"]), lambda lines: lines.extend([EDIT, EDIT]))
    assert "changed by hand 2 times" in run("list", "games").out


def test_game_without_manual_edits_mentions_none(run: Run, saved_game: Path) -> None:
    for command in COMMANDS:
        done = run(*command, saved_game)
        assert "by hand" not in done.out + done.err


def test_undone_manual_edit_is_not_counted(run: Run, saved_game: Path) -> None:
    forge(saved_game, lambda lines: lines.extend([EDIT, {"u": 1}]))
    assert run("verify", saved_game).code == 0


@pytest.mark.parametrize("field", ["location", "ruleset"])
def test_journal_cannot_name_file_to_open(run: Run, tiny: Path, saved_game: Path, tmp_path: Path, field: str) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    os.mkfifo(trap / "ruleset.yaml")
    forge(saved_game, lambda lines: lines[0].update({field: str(trap)}))
    games = Path(run("list", "games", "--format", "json").json()["folder"])
    (games / "x.journal").write_bytes(saved_game.read_bytes())
    for lang in ("en", "ja"):
        assert run("list", "games", "--lang", lang).code == 0
    for command in COMMANDS:
        done = run(*command, saved_game)
        assert done.code == (2 if field == "ruleset" else 0), done
        assert ("--ruleset RULESET" in done.err) == (field == "ruleset")


def test_header_holds_no_path(run: Run, saved_game: Path, tmp_path: Path) -> None:
    assert str(tmp_path) not in saved_game.read_text()


def test_copy_with_hash_of_journal_is_taken(run: Run, tiny: Path, tmp_path: Path) -> None:
    import shutil

    path = tmp_path / "evening.journal"
    run("play", tiny, "--seed", "1", "--save", path, fed="rest\n")
    other = tmp_path / "copy" / "tiny"
    shutil.copytree(tiny, other)
    (other / "rulebook.yaml").write_text((other / "rulebook.yaml").read_text().replace("Marching", "Walking"))
    run("play", other, "--seed", "1", "--name", "other", fed="rest\n")
    assert run("verify", path).code == 0
    assert run("verify", "other").code == 0


def test_variant_that_ships_is_found_by_its_id(run: Run, tmp_path: Path) -> None:
    """Though a variant of another ruleset has the same."""
    from interpreter.documents.target import list_variants
    from interpreter.files.assets import list_shipped_rulesets

    variant = next(v for v in list_variants(sorted(list_shipped_rulesets())[-1]) if Path(v).stem == "balanced")
    path = tmp_path / "v.journal"
    run("play", variant, "--seed", "1", "--save", path, fed="1\nquit\n")
    places = tmp_path / "xdg_data_home" / "grognard" / "rulesets.json"
    assert str(variant) in places.read_text()
    places.unlink()
    assert run("verify", path).code == 0


@pytest.mark.parametrize("content", [b"", b"[", b"{}", b'[1, {}, {"id": 1}]', b"\xff", b"[" * 100_000])
def test_corrupt_location_store_is_ignored(
    run: Run, tiny: Path, saved_game: Path, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "xdg_data_home" / "grognard" / "rulesets.json").write_bytes(content)
    assert "--ruleset RULESET" in run("verify", saved_game).err
    assert run("verify", saved_game, "--ruleset", tiny).code == 0
    assert run("verify", saved_game).code == 0


def test_big_budgets_of_file_are_not_taken(run: Run, tiny: Path, saved_game: Path) -> None:
    forge(saved_game, lambda lines: lines[0]["seats"].update(blue_seat="search:1000000"))
    done = run("play", "--resume", saved_game)
    assert "The file names search:1000000 for blue_seat" in done.err and "search:1000 plays instead" in done.err
    assert "Bots: Blue player: search" in done.out


FORGED = "tiny\nwon by me: over\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[0].update(scenario=FORGED),
        lambda lines: lines[0].update(options=[FORGED]),
        lambda lines: lines[0].update(ruleset=FORGED),
        lambda lines: lines[0]["seats"].update({FORGED: FORGED}),
        lambda lines: lines.append({"w": "act", "side": FORGED, "seat": "x", "p": "x", "t": 1}),
        lambda lines: lines.append({"w": "act", "side": "x", "seat": "x\u202e", "p": "x", "t": 1}),
        lambda lines: lines.append({"w": "act", "side": "x", "seat": "x", "p": "x", "t": 10**4000}),
        lambda lines: lines.append({"e": {"winner": [FORGED]}, "h": ""}),
        lambda lines: lines.append({"e": {"winner": 10**4000}, "h": ""}),
        lambda lines: lines.append({"x": {"pieces": {FORGED: {}}}}),
        lambda lines: lines.append({"x": {"game": {"weather": 10**4000}}}),
    ],
)
def test_fields_cannot_forge_lines_or_fill_screens(run: Run, tiny: Path, change) -> None:
    run("play", tiny, "--seed", "1", "--name", "evening", fed="rest\n")
    data = run("list", "games", "--format", "json").json()
    file = Path(data["games"][0]["file"])
    forge(file, change)
    for command in (("list", "games"), *((*c, "evening") for c in COMMANDS)):
        done = run(*command)
        assert "\nwon by me" not in done.out + done.err
        assert "0" * 100 not in done.out + done.err
        assert "bug in grognard" not in done.err


def test_notes_are_escaped(run: Run, saved_game: Path) -> None:
    note = "a ![x](http://zzz/p.png) [y](http://zzz) [4.1]: http://zzz\n# head\n\u202e <b>"
    forge(saved_game, lambda lines: lines.append({"n": note}))
    lines = [line for line in run("report", saved_game).out.splitlines() if "zzz" in line]
    assert len(lines) == 1
    assert "](" not in lines[0] and "]:" not in lines[0] and "<b" not in lines[0].replace("\\<", "")
    assert "\u202e" not in lines[0]


SPOIL = ([], {}, "", None, -1, 10**30, "\n", "x" * 500, "../..", {"x": {"x": []}}, True, 1.5, "\ud800")


def spoiled(lines: list[dict], chance: random.Random) -> None:
    """Make one change to the lines that leaves them JSON."""
    line = chance.choice(lines)
    match chance.randrange(4):
        case 0 if line:
            line[chance.choice(list(line))] = chance.choice(SPOIL)
        case 1 if line:
            del line[chance.choice(list(line))]
        case 2:
            lines.insert(chance.randrange(1, len(lines) + 1), dict(chance.choice(lines)))
        case _:
            lines.insert(chance.randrange(1, len(lines) + 1), {chance.choice("druxepnwhf"): chance.choice(SPOIL)})


def spoil_often(run: Run, saved_game: Path, count: int, seed: int) -> None:
    good, chance = saved_game.read_bytes(), random.Random(seed)
    for _number in range(count):
        saved_game.write_bytes(good)
        forge(saved_game, lambda lines: [spoiled(lines, chance) for _ in range(chance.randrange(1, 4))])
        for command in COMMANDS:
            done = run(*command, saved_game)
            assert done.code in (0, 1, 2)
            assert "bug in grognard" not in done.err, (saved_game.read_bytes(), done.err)
            assert "Error" not in done.out + done.err and "\x1b" not in done.out + done.err
            has_long_note = re.search(rb'"n": ?"x{400}', saved_game.read_bytes())  # players' remarks are shown in full
            assert has_long_note or "x" * 400 not in done.out + done.err


def test_corrupt_journals_are_reported_or_played(run: Run, saved_game: Path) -> None:
    spoil_often(run, saved_game, 12, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_spoiled_journals_are_refused(run: Run, saved_game: Path, seed: int) -> None:
    spoil_often(run, saved_game, 500, seed)
