"""Texts of strangers (names, labels, words of rules, translations, notes in a saved game) cannot steer a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.folders import replace_in_file

from .conftest import Run

EVIL = "\\x1b[2J\\x1b]0;owned\\x07\\u202eevil\\u009b31m"  # as YAML and JSON write it
BAD = ("\x1b", "\x07", "\u202e", "\x9b")
ASKED = "\n".join(
    [
        "help",
        "what red",
        "look the middle",
        "why march",
        "map all",
        "tables",
        "table storm_table",
        "find evil",
        "rule 1.0",
        "log",
        "odds storm",
        "storm",
        "ledger",
        "luck",
        "notes",
        "position",
        "quit",
        "",
    ]
)


def spoil(folder: Path) -> None:
    """Put control characters into everything that is shown."""
    for name, old, new in (
        ("ruleset.yaml", "title: {en: Two Hills,", f'title: {{en: "Two {EVIL} Hills",'),
        ("ruleset.yaml", "{en: Reds,", f'{{en: "Reds {EVIL}",'),
        ("map.yaml", "{name: The Middle}", f'{{name: "The Middle {EVIL}"}}'),
        ("tables.yaml", "name: Storm table", f'name: "Storm table {EVIL}"'),
        ("tables.yaml", "note: a six felt right", f'note: "felt {EVIL} right"'),
        ("rulebook.yaml", "text: A unit marches to a neighbouring place.", f'text: "marches {EVIL}"'),
        ("pieces.yaml", "many: bands", f'many: bands\n    name: "Band {EVIL}"'),
    ):
        replace_in_file(folder / name, old, new)


def clean(text: str) -> bool:
    return not any(b in text for b in BAD)


def test_ruleset_cannot_steer_terminal(run: Run, tiny: Path) -> None:
    spoil(tiny)
    for lang in ("en", "ja"):
        done = run("play", tiny, "--seed", "1", "--lang", lang, fed=ASKED)
        assert clean(done.out + done.err)
        assert "evil" in done.out + done.err, "shown, but harmless"
    for command in ("check", "show", "list"):
        done = run(command, *([tiny] if command != "list" else []))
        assert clean(done.out + done.err)


@pytest.mark.parametrize("command", ["verify", "replay", "report", "play"])
def test_saved_game_cannot_steer_terminal(run: Run, tiny: Path, tmp_path: Path, command: str) -> None:
    spoil(tiny)
    journal = tmp_path / "evil.journal"
    done = run("play", tiny, "--seed", "1", "--save", journal, fed="note x\x1b[2Jx \u202e\nstorm\nrest\nquit\n")
    assert clean(done.out + done.err)
    given = ["play", tiny, "--resume", journal] if command == "play" else [command, journal, "--ruleset", tiny]
    done = run(*given, fed="notes\nlog\nquit\n")
    assert clean(done.out + done.err)


def test_header_of_saved_game_cannot_steer_terminal(run: Run, tiny: Path, tmp_path: Path) -> None:
    journal = tmp_path / "evil.journal"
    run("play", tiny, "--seed", "1", "--save", journal, fed="rest\nquit\n")
    lines = journal.read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    for key, value in header.items():
        if isinstance(value, str):
            spoilt = json.dumps({**header, key: value + "\x1b[2J\u202e"}, ensure_ascii=False)
            journal.write_text("\n".join([spoilt, *lines[1:]]) + "\n", encoding="utf-8")
            resumed = ["play", tiny, "--resume", journal]
            for given in (["verify", journal], ["replay", journal], resumed, ["list", "games"]):
                done = run(*given)
                assert clean(done.out + done.err), (key, given)


@pytest.mark.parametrize("words", [["list", "{}"], ["test", ".", "{}"], ["serve", ".", "--{}"], ["odds", "--lang"]])
def test_wrong_command_line_cannot_steer_terminal(run: Run, words: list[str]) -> None:
    evil = "ga\x1b[2Jme\u202e"  # the name of a folder, which `*` on a command line stands for
    done = run(*(word.format(evil) for word in words))
    assert done.code == 2
    assert clean(done.out + done.err)
    assert ("\\x1b" in done.err) == ("{}" in "".join(words))
