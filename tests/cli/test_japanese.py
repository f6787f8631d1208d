"""Test that `--lang ja` leaves nothing in English: commands, help, mistakes and damaged files."""

from __future__ import annotations

import argparse
import ast
import errno
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.api.other_versions import describe_differences
from interpreter.cli.main import list_command_names
from interpreter.cli.parser import ARGPARSE, CellHelpFormatter, wrap_cells
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.translator import get_translator
from interpreter.saves import entries as e
from interpreter.saves.entries import JournalHeader
from interpreter.saves.identity import Differences, Identity
from interpreter.saves.journal import JournalWriter, _build_unwritable_error, read_journal, write_journal

from .conftest import Done, Run

SEATS = {"napoleon": ("france", "allies"), "denain-1712": ("french", "allied")}
# Two adjacent words that are no ids, file names or commands: part of a sentence.
WORD = r"(?<![\w./=*'|-])[A-Za-z]{2,}(?![\w./=*'|])"
SENTENCE = re.compile(rf"{WORD}[ :;,]+{WORD}")
KEY = re.compile(r"\w+\([^()]*\)")  # of an option, as journals write it
CITED = re.compile(r"\[[^\]]*\]")
ALLOWED = {
    "grognard",
    *list_command_names(),
    "games",
    "napoleon",
    "denain",
    "table",
    "map",
    "json",
    "ir",  # an output format of `compile`
    "wat",
    "webassembly",
    "pip",
    "install",
    "png",
    "svg",
    "text",
    "random",
    "greedy",
    "search",
    "human",
    "seed",
    "ask",
    "on",
    "off",
    "first",
    "zzz",
    "activity",
    "storm",
    "tests",
    "fire",
    "column",
    "die",
    "texts",
    "rulebook",
    "scenario",
    "yes",
    "no",
}
FAULTS_OF_AUTHORS = {  # texts of argparse that only the author of a command can see
    "conflicting option string: %s",
    "conflicting option strings: %s",
    ".__call__() not defined",
    "'required' is an invalid argument for positionals",
    "mutually exclusive arguments must be optional",
    "%r is not callable",
    "cannot merge actions - two groups are named %r",
    "dest= is required for options like %r",
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    "invalid conflict_resolution value: %r",
    "cannot have multiple subparser arguments",
    'argument "-" with mode %r',
    "conflicting subparser: %s",
    "conflicting subparser alias: %s",
    "subparsers",
    "options",
}


def english(done: Done) -> list[str]:
    """Return the lines that contain English."""
    found = []
    for line in (done.out + done.err).splitlines():
        if "_/" in line or "/" in line and "\\" in line:
            continue  # a line of the drawn map
        plain = KEY.sub("", unicodedata.normalize("NFKC", CITED.sub("", line)))
        left = re.sub(r"[A-Za-z]{2,}", lambda word: "*" if word[0].casefold() in ALLOWED else word[0], plain)
        if SENTENCE.search(left):
            found.append(line)
    return found


def all_japanese(run: Run, lines: str, fed: str = "") -> None:
    wrong = {}
    for line in lines.strip().splitlines():
        done = run(*line.split(), "--lang", "ja", fed=fed)
        assert done.out + done.err, line
        assert "Traceback" not in done.err, line
        if found := english(done):
            wrong[line.strip()] = found[:5]
    assert not wrong


@pytest.fixture(params=sorted(SEATS))
def game(request) -> str:
    return str(request.param)


def test_help_of_every_command_is_japanese(run: Run) -> None:
    all_japanese(run, "\n".join(["--help", *(f"{name} --help" for name in list_command_names())]))


def test_language_may_precede_command(run: Run) -> None:
    assert run("--lang", "ja", "list").out == run("list", "--lang", "ja").out == run("list", "--lang=ja").out
    assert "使い方" in run("--lang", "ja", "--help").out
    assert "usage" in run("play", "--help").out


def test_refusals_at_prompt_are_japanese(run: Run, game: str) -> None:
    seat, other = SEATS[game]
    all_japanese(
        run,
        f"""
        zzz
        plya
        verify
        verify zzz
        list zzz
        list --zzz
        list --format xml
        play
        play zzz
        play {game[:-2]}
        play ./zzz.yaml
        play {game} --seed x
        play {game} --dice zzz
        play {game} --dice ask --seed 3
        play {game} --save a --name b
        play {game} --name ../zzz
        play {game} --name con
        play {game} --scenario zzz
        play {game} --option zzz
        play {game} --side {seat}
        play {game} --side zzz=random
        play {game} --side {seat}=zzz
        play {game} --side {seat}=search:x
        play {game} --side {seat}=search:0s
        play {game} --side {seat}=greedy:3
        play {game} --side {seat}=random --side {seat}=greedy
        play --resume
        play --resume zzz
        play --resume zzz --seed 3
        play --resume zzz --name b
        simulate {game} -n 0
        simulate {game} --side {other}=human
        replay zzz --from 5 --to 2
        replay zzz --from x
        report zzz --luck --no-luck
        report zzz --out a --luck
        show {game} zzz
        show {game} table zzz
        show {game} scenario zzz
        show {game} tables --svg a
        show {game} map --scenario zzz
        odds {game}
        odds {game} zzz
        odds {game} table
        odds {game} table zzz
        odds {game} --choose zzz
        odds {game} --choose a b
        odds {game} --event zzz --choose zzz
        odds {game} --most x
        explain zzz
        explain {game}
        check zzz""",
    )


def test_show_command_is_japanese(run: Run, game: str) -> None:
    all_japanese(
        run,
        f"""
        show {game}
        show {game} tables
        show {game} map
        show {game} pieces
        show {game} ladders
        show {game} scenarios
        show {game} options
        show {game} rulebook
        show {game} sides
        show {game} seats""",
    )
    number = {"napoleon": "14.0-RP-b", "denain-1712": "10.3-a"}[game]
    all_japanese(run, f"explain {game} {number}")


def test_commands_on_tiny_ruleset_are_japanese(run: Run, tiny: Path) -> None:
    all_japanese(
        run,
        """
        list
        list games
        check napoleon
        simulate napoleon -n 2 --seed 1""",
    )


def test_findings_of_check_and_their_pages(run: Run, tiny: Path) -> None:
    rules = tiny / "play.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("s.spirit == 0", "s.sprit == 0"), encoding="utf-8")
    told = run("check", tiny, "--lang", "ja").out
    assert "エラー[unknown-attribute]" in told and "ヒント：「spirit」のことですか" in told
    assert not re.search(r"\b(error|help|did you mean|has no attribute)\b", told)
    assert "エラー[unknown-attribute]" in run("play", tiny, "--lang", "ja").err


def test_game_and_reports_are_japanese(run: Run, tmp_path: Path, monkeypatch) -> None:
    """Check one game; tests/players/test_catalogue.py checks the reports and luck of each game's own words."""
    monkeypatch.chdir(tmp_path)
    game = "napoleon"
    seat, other = SEATS[game]
    all_japanese(run, f"play {game} --side {other}=random --seed 3 --name a", fed="1\n1\nzzz\nなぜ zzz\n終了\n")
    all_japanese(run, f"play {game} --side {seat}=random --side {other}=random --seed 3 --save b")
    all_japanese(
        run,
        """
        list games
        play --resume a
        play --resume a --dice ask
        verify a
        replay b --to 9
        replay b --from 4 --to 6 --step
        replay b --to 99999
        report a
        report a --luck
        report a --out c
        report a --out c""",
        fed="",
    )


ASKED = (
    "?",
    "? 行く",
    "? zzz",
    "何",
    "何 zzz",
    "見る",
    "見る zzz",
    "規則",
    "規則 zzz",
    "表",
    "表 zzz",
    "表一覧",
    "確率",
    "確率 zzz",
    "確率 1",
    "内訳",
    "探す",
    "探す zzz",
    "記録",
    "記録 zzz",
    "運",
    "メモ",
    "メモ 一",
    "メモ一覧",
    "保存",
    "保存 folder",
    "保存 folder/zzz/zzz",
    "戻す",
    "やり直す",
    "なぜ",
    "なぜ zzz",
    "行く",
    "行く zzz",
    "経路",
    "経路 zzz",
    "全部",
    "全部 zzz から zzz へ",
    "一歩ずつ",
    "選択肢",
    "前へ",
    "変化",
    "局面",
    "地図",
    "地図 全部",
    "zzz",
    "zzz(zzz)",
    "99",
    "1; zzz; 1",
    "",
    "終了",
)


def test_every_command_at_prompt_with_good_words_and_bad(run: Run, game: str) -> None:
    Path("folder").mkdir()
    all_japanese(run, f"play {game} --seed 4", fed="\n".join(ASKED) + "\n")


def test_typed_dice_are_asked_for_in_japanese(run: Run, game: str) -> None:
    all_japanese(run, f"play {game} --dice ask", fed="zzz\n9 9\nヘルプ\n戻す\n")


def test_messages_about_spoilt_files_are_japanese(run: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("play", "napoleon", "--side", "france=random", "--side", "allies=random", "--seed", "3", "--save", "good")
    content = Path("good").read_bytes()
    lines = content.split(b"\n")
    spoilt = {
        "altered": content.replace(b'"d":3', b'"d":4', 1),
        "missing": b"\n".join([*lines[:4], *lines[5:]]),
        "returns": content.replace(b"\n", b"\r\n"),
        "torn": content[:-30],
        "empty": b"",
        "image": b"\x89PNG\r\n",
        "other": b'{"a": 1}\n',
        "binary": b"\0\1",
        "words": b"hello\n",
        "marked": b"\xef\xbb\xbf" + content,
        "older": b'{"grognard":1}\n',
        "newer": b'{"grognard":9}\n',
        "half": lines[0][:30],
        "tail": content[:-30] + b"?\n",
    }
    for name, spoiled in spoilt.items():
        Path(name).write_bytes(spoiled)
    Path("folder").mkdir()
    for name in [*spoilt, "folder"]:
        all_japanese(run, f"verify {name}\nplay --resume {name}")


PARTS = dict.fromkeys(
    [
        *(f"kind.{kind}" for kind in ("side", "seat", "place", "edge", "piece", "zzz")),
        *("kinds", "classes", "game", "grid", "options", "levels", "score", "procedure.turn", "procedure.setup"),
        *(f"{sort}.zzz" for sort in ("table", "value", "ladder", "die", "region", "option", "condition", "watcher")),
    ],
    "0",
)


def test_identity_differences_are_japanese() -> None:
    header = JournalHeader("zzz", Identity(1, "0", "0", {}), "zzz")
    for part in (*PARTS, "scenario", "kind", "table", "procedure", "define"):
        told = get_translator("ja")(
            describe_differences(Differences(changed=(part,), new=(part,), removed=(part,)), header)
        )
        assert english(Done(0, told, "")) == []
        assert not re.search("[a-y]", told), told


def test_divergences_are_described_in_japanese(run: Run, tmp_path: Path, monkeypatch) -> None:
    """Check files with good checksums that contradict the rules."""
    monkeypatch.chdir(tmp_path)
    run("play", "napoleon", "--side", "france=random", "--side", "allies=random", "--seed", "3", "--save", "good")
    journal = read_journal("good")
    found = list(journal.entries)
    at = {
        kind: [n for n, entry in enumerate(found) if isinstance(entry, kind)]
        for kind in (e.DecisionEntry, e.RollEntry, e.PhaseHashEntry, e.WaitingEntry, e.EndEntry)
    }

    def changed(kind: type, which: int, **values: object) -> list[e.Entry]:
        return [replace(entry, **values) if n == at[kind][which] else entry for n, entry in enumerate(found)]

    files = {
        "roll": changed(e.RollEntry, 3, faces=(99,)),
        "hash": changed(e.PhaseHashEntry, 2, hash="0"),
        "phase": changed(e.PhaseHashEntry, 2, phase="zzz"),
        "key": changed(e.DecisionEntry, 2, key="zzz"),
        "decision": changed(e.DecisionEntry, 2, name="zzz"),
        "wait": changed(e.WaitingEntry, 2, name="zzz"),
        "outcome": changed(e.EndEntry, 0, outcome={"winner": "draw"}),
        "final": changed(e.EndEntry, 0, hash="0"),
        "number": changed(e.DecisionEntry, 2, number=99),
        "left": [x for n, x in enumerate(found) if n != at[e.RollEntry][3]],
        "early": [*found[: at[e.DecisionEntry][5]], found[at[e.EndEntry][0]]],
        "late": [*found, replace(found[at[e.DecisionEntry][-1]], number=len(at[e.DecisionEntry]) + 1)],
        "edit": [
            *found[: at[e.DecisionEntry][3]],
            e.EditEntry({"pieces": {"zzz": {}}}),
            *found[at[e.DecisionEntry][3] :],
        ],
        "undo": [*found[: at[e.DecisionEntry][2]], e.UndoEntry(50)],
    }
    for name, entries in files.items():
        write_journal(name, journal.header, entries)
        all_japanese(run, f"verify {name}\nreplay {name} --to 2\nplay --resume {name}")
    other = replace(journal.header.identity, rules="0", setup="0", parts={**PARTS, "define.gone": "0"})
    for name, header in {
        "rules": {"identity": other},
        "bytes": {"identity": Identity(0, "0")},
        "scheme": {"identity": replace(other, scheme=99)},
        "engine": {"engine": "0"},
        "ruleset": {"ruleset": "zzz"},
        "scenario": {"scenario": "zzz"},
        "option": {"options": ("zzz",)},
    }.items():
        write_journal(name, replace(journal.header, **header), found)
        all_japanese(run, f"verify {name}")


def test_disk_error_is_japanese(run: Run, monkeypatch) -> None:
    def full(self: JournalWriter) -> None:
        raise _build_unwritable_error(Path("zzz"), OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr(JournalWriter, "sync", full)
    all_japanese(run, "play napoleon --save zzz\nplay napoleon", fed="1\n終了\n")
    assert "ディスクに空きがありません" in run("play", "napoleon", "--save", "yyy", "--lang", "ja").err


def test_json_is_unchanged(run: Run, game: str) -> None:
    """Check that data for programs has ids and English messages in any language."""
    told = run("show", game, "pieces", "--format", "json", "--lang", "ja").json()
    assert told["classes"][0]["groups"][0]["ids"]


def test_argparse_messages_are_translated() -> None:
    tree = ast.parse(Path(argparse.__file__).read_text(encoding="utf-8"))
    said = {
        text.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext")
        for text in node.args
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }
    assert {"usage: ", "expected one argument"} <= said
    assert not said - set(ARGPARSE) - FAULTS_OF_AUTHORS
    assert not [text for text in ARGPARSE if get_translator("ja")(text) == text]


def test_help_in_columns_by_cells() -> None:
    parser = argparse.ArgumentParser(prog="x", formatter_class=CellHelpFormatter)
    parser.add_argument("--seed", metavar="数", help="サイの目のもとになる数")
    parser.add_argument("--name", metavar="名前", help="ゲームの名前")
    lines = [line for line in parser.format_help().splitlines() if "--" in line and "usage" not in line]
    starts = {
        measure_cells(line[: line.index(word)])
        for line in lines
        for word in ("サイの", "ゲーム", "show")
        if word in line
    }
    assert len(starts) == 1


@pytest.mark.parametrize(
    "text", ["乱数の種。同じ種なら同じ目が出る（既定：なし）", "a few plain words", "search:200（決定ごと）", ""]
)
def test_lines_are_as_narrow_as_asked(text: str) -> None:
    lines = wrap_cells(text, 12)
    assert all(measure_cells(line) <= 14 for line in lines)  # a mark may hang over
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
