from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.saves import journal as journal_module, journal_lines
from interpreter.saves.entries import (
    DecisionEntry,
    EditEntry,
    EndEntry,
    EntryError,
    JournalHeader,
    NoteEntry,
    PhaseHashEntry,
    RollEntry,
    UndoEntry,
    WaitingEntry,
    list_effective_entries,
)
from interpreter.saves.identity import Identity
from interpreter.saves.journal import JournalError, JournalWriter, parse_journal, read_journal, write_journal
from tests.recordings import assert_recorded

HEADER = JournalHeader(
    "skirmish",
    Identity(1, "ab12", "cd34", {"table.losses": "00ff00", "procedure.march": "11aa22"}),
    "standard",
    ("fog", "length=short"),
    7,
    "0.1.0",
    {"reds": "human", "blues": "random"},
)
ENTRIES = (
    PhaseHashEntry("00ff", "march", 1),
    DecisionEntry(1, "reds", "march of guards", "march(1st-guards, hill)"),
    RollEntry("attack", "1st guards 東", (6, 1)),
    UndoEntry(0),
    EditEntry({"pieces": {"guards": {"at": "hill"}}}),
    DecisionEntry(1, "reds", "march of guards", "pass"),
    WaitingEntry(1, "march", "blues", "blue_seat", "reply"),
    EndEntry({"winner": ["reds"], "level": "draw"}, "beef"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "evening.journal"
    with JournalWriter(file) as writer:
        writer.start(HEADER)
        for entry in ENTRIES:
            writer.write(entry)
    return file


def message(path: Path, content: bytes | None = None) -> str:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(JournalError) as caught:
        read_journal(path)
    assert "\n" not in caught.value.message == str(caught.value)
    return str(caught.value)


def lines_with(*bodies: str) -> bytes:
    """Return lines with valid checksums, whatever they contain."""
    content, checksum = b"", journal_lines.START
    for body in bodies:
        raw = body.encode()[:-1]
        checksum = journal_lines.compute_checksum(checksum, raw)
        content += raw + b',"c":"' + checksum.encode() + b'"}\n'
    return content


FIRST = len(b'{"grognard":3,')  # a change before this may make the file look foreign, or of another format
HEADER_BODY = (
    '{"grognard":3,"ruleset":"s","scheme":1,"rules":"h","setup":"","scenario":"x","options":[],"seed":1,"engine":"0",'
    '"seats":{},"parts":{"score":"0f"}}'
)


def test_journal_round_trips(path: Path) -> None:
    found = read_journal(path)
    assert (found.header, found.entries, found.is_torn) == (HEADER, ENTRIES, False)
    assert found.length == path.stat().st_size


def test_lines_are_json_with_checksum(path: Path) -> None:
    content = path.read_bytes()
    assert content.isascii()
    lines = [json.loads(line) for line in content.decode().splitlines()]
    assert lines[0]["grognard"] == 3
    assert all(list(line)[-1] == "c" for line in lines)
    assert lines[2]["key"] == "march(1st-guards, hill)"


def test_truncated_anywhere_only_last_line_is_lost(path: Path) -> None:
    content = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(content) if byte == 10]
    for size in range(len(content)):
        whole = sum(end <= size for end in ends)
        if whole == 0:
            with pytest.raises(JournalError, match="first line|is empty"):
                parse_journal(content[:size], "j")
            continue
        found = parse_journal(content[:size], "j")
        assert found.entries == ENTRIES[: whole - 1]
        assert found.is_torn == (size not in ends)
        assert found.length == ends[whole - 1]


def test_any_changed_byte_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    for at in range(len(content)):
        for flip in (1, 0x20, 0x80):
            changed = bytearray(content)
            changed[at] ^= flip
            with pytest.raises(JournalError) as caught:
                parse_journal(bytes(changed), "j")
            line = content.count(b"\n", 0, at) + 1
            assert caught.value.fault == "altered" or at < FIRST
            assert caught.value.line in (line, line + 1) or at < FIRST, (at, str(caught.value))


def test_altered_line_is_named(path: Path) -> None:
    content = path.read_bytes().replace(b'"key":"pass"', b'"key":"mass"')
    assert "line 7 was altered" in message(path, content)


def test_removed_and_swapped_lines_are_noticed(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    assert "line 3 was altered" in message(path, b"".join(lines[:2] + lines[3:]))
    assert "line 3 was altered" in message(path, b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    assert "line 2 was altered" in message(path, b"".join([lines[0], lines[0], *lines[1:]]))


@pytest.mark.parametrize("which", ["all", "some"])
def test_journal_with_other_line_ends_is_read(path: Path, which: str) -> None:
    content = path.read_bytes()
    changed = content.replace(b"\n", b"\r\n") if which == "all" else content.replace(b"\n", b"\r\n", 3)
    found = parse_journal(changed, "j")
    assert (found.header, found.entries, found.is_torn, found.has_text_below) == (HEADER, ENTRIES, False, False)
    assert (found.length, found.line_end) == (len(changed), b"\r\n")


def test_journal_with_byte_order_mark_is_read(path: Path) -> None:
    found = parse_journal(b"\xef\xbb\xbf" + path.read_bytes(), "j")
    assert (found.header, found.entries, found.is_marked) == (HEADER, ENTRIES, True)


BELOW = {
    "blank lines": b"\n\n  \n",
    "blanks": b"  ",
    "signature": b"-- \nHans\n",
    "signature without line end": b"-- \r\nHans",
    "quoted text": b"\n> your move\n> > mine\n",
    "quoted journal": b'> {"u":0,"c":"0123456789ab"}\n',
    "other letters": "\n宜しく\nMfG Jürgen".encode("latin-1", "replace"),
    "an x": b"x",
}


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("below", BELOW.values(), ids=BELOW)
def test_text_below_end_is_ignored(path: Path, below: bytes, ends: bytes) -> None:
    content = path.read_bytes().replace(b"\n", ends)
    found = parse_journal(content + below, "j")
    assert (found.entries, found.is_torn, found.has_text_below) == (ENTRIES, False, True)
    assert (found.length, found.size) == (len(content), len(content + below))


@pytest.mark.parametrize("below", BELOW.values(), ids=BELOW)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_writer_continues_mailed_file(path: Path, below: bytes, mark: bytes, ends: bytes) -> None:
    mailed = mark + path.read_bytes().replace(b"\n", ends) + below
    path.write_bytes(mailed)
    journal = read_journal(path)
    JournalWriter.reopen(path, journal).close()
    assert path.read_bytes() == mailed, "what is only opened stays as it is"
    with JournalWriter.reopen(path, journal) as writer:
        writer.write(NoteEntry("on"))
        writer.write(NoteEntry("and on"))
    found = read_journal(path)
    assert found.entries == (*ENTRIES, NoteEntry("on"), NoteEntry("and on"))
    assert not found.has_text_below
    assert path.read_bytes() == mailed[: journal.length] + path.read_bytes()[journal.length :]
    assert path.read_bytes().count(ends) == len(found.entries) + 1


@pytest.mark.parametrize("at", [0, 1, -1, -2, -18])
def test_changed_last_line_is_not_text_below(path: Path, at: int) -> None:
    """Check every other value of a byte: `>` does not make the line a quotation, nor a blank a signature."""
    lines = path.read_bytes().splitlines(keepends=True)
    for other in range(256):
        last = bytearray(lines[-1].rstrip(b"\n"))
        if last[at] != other:
            last[at] = other
            with pytest.raises(JournalError) as caught:
                parse_journal(b"".join(lines[:-1]) + bytes(last) + b"\n", "j")
            assert caught.value.fault == "altered"


def test_line_between_text_below_is_noticed(path: Path) -> None:
    """Check that an inserted line, or one moved below a signature, is not part of the text below."""
    lines = path.read_bytes().splitlines(keepends=True)
    content = b"".join([*lines[:-1], b"-- \n", lines[-1]])
    assert "line 9 was altered" in message(path, content)
    assert "line 5 was altered" in message(path, b"".join([*lines[:4], b"\n", *lines[4:]]))


def test_zeros_after_power_cut(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0" * 512)
    found = read_journal(path)
    assert found.is_torn
    assert found.entries == ENTRIES


@pytest.mark.parametrize(
    "more",
    [
        b'{"d":3,"si\n',
        b'{"d":3,"si\x01',
        b"{}",
        b'{"u":0,"c":"0123456789ab"}',
        b'{"u":0,"c":"0123456789ab"}}',
        b"\0" * 4 + b"{",
        '{"ü'.encode(),
        b"-- \nHans\x00",
    ],
)
def test_appended_text_is_noticed(path: Path, more: bytes) -> None:
    assert "line 10 was altered" in message(path, path.read_bytes() + more)


def test_unreadable_journal_path_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "none.journal", tmp_path, tmp_path / "a\0b"):
        assert_recorded(message(path).replace(repr(str(path))[1:-1], str(path)), FOLDER=tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"title: reds\n", b"{}\n", b"[1]\n", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\n", b'{"ruleset":"s"}\n', b"\n"],
)
def test_foreign_file_is_refused_with_advice(tmp_path: Path, content: bytes) -> None:
    found = message(tmp_path / "f", content)
    assert "`grognard play`" in found or "ends inside" in found
    assert "grognard list games" in found


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_file_in_other_encoding_is_refused(path: Path, encoding: str) -> None:
    text = path.read_text(encoding="ascii")
    assert_recorded(message(path, text.encode(encoding)), FOLDER=path.parent)


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"PK\x03\x04...", "a zip archive"), (b"\x1f\x8b\x08", "a gzip file"), (b"7z\xbc\xaf\x27\x1c", "a 7z archive")],
)
def test_packed_file_is_reported_as_such(tmp_path: Path, content: bytes, told: str) -> None:
    assert told in message(tmp_path / "f", content)
    assert_recorded(message(tmp_path / "f", content), FOLDER=tmp_path)


def test_journal_without_whole_header_is_reported(tmp_path: Path) -> None:
    assert_recorded(message(tmp_path / "f", b""), FOLDER=tmp_path)
    assert_recorded(message(tmp_path / "f", b'{"grognard":1,"rule'), FOLDER=tmp_path)


def test_newer_format_is_refused(path: Path) -> None:
    content = path.read_bytes().replace(b'{"grognard":3,', b'{"grognard":4,', 1)
    assert "format 4, which is too new" in message(path, content)
    assert "was altered" in message(path, content.replace(b'{"grognard":4,', b'{"grognard":true,', 1))


def test_older_format_is_refused(path: Path) -> None:
    old = b'{"grognard":1,"ruleset":"s","hash":"h"}\n{"d":1,"side":"reds"}\n'
    assert "reads formats 2 to 3" in message(path, old)


def test_sizes_are_limited(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = '{"x":{"a":"' + "b" * journal_lines.MAX_LINE_BYTES + '"}}'
    long = lines_with(HEADER_BODY, '{"u":0}', body, '{"u":0}')
    assert "line 3 is too long" in message(path, long)
    ending = lines_with(HEADER_BODY, body)
    assert "line 2 is too long" in message(path, ending)
    monkeypatch.setattr(journal_module, "MAX_BYTES", 100)
    assert "too large" in message(path)


def test_writing_line_that_is_too_long(tmp_path: Path) -> None:
    with JournalWriter(tmp_path / "j") as writer:
        writer.start(HEADER)
        with pytest.raises(JournalError, match="saved game would have"):
            writer.write(NoteEntry("b" * journal_lines.MAX_LINE_BYTES))
        writer.write(UndoEntry(0))
    assert read_journal(tmp_path / "j").entries == (UndoEntry(0),)


@pytest.mark.parametrize(
    "body",
    [
        '{"d":-1,"side":"reds","decision":"m","key":"k"}',
        '{"d":1,"side":2,"decision":"m","key":"k"}',
        '{"d":true,"side":"reds","decision":"m","key":"k"}',
        '{"d":1.0,"side":"reds","decision":"m","key":"k"}',
        '{"r":"attack","s":"","f":["6"]}',
        '{"r":"attack","s":"","f":6}',
        '{"h":"00","p":"march","t":"1"}',
        '{"u":null}',
        '{"x":[]}',
        '{"x":' + '{"a":' * 40 + "1" + "}" * 40 + "}",
        '{"z":1}',
        '{"u":NaN}',
        '{"x":' + "[" * 60000 + "]" * 60000 + "}",
        '{"u":' + "9" * 5000 + "}",
    ],
)
def test_right_checksums_do_not_make_nonsense_good(tmp_path: Path, body: str) -> None:
    assert "line 2 cannot be used" in message(tmp_path / "j", lines_with(HEADER_BODY, body, '{"u":0}'))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"options":[]', '"options":[1]'),
        ('"seed":1', '"seed":"1"'),
        ('"seats":{}', '"seats":[]'),
        ('"rules":"h"', '"rules":null'),
        ('"scheme":1', '"scheme":-1'),
        ('"setup":""', '"setup":[]'),
        ('"parts":{"score":"0f"}', '"parts":[]'),
        ('"score":"0f"', '"score":1'),
        ('"score":"0f"', '"sc\\u001bore":"0f"'),
    ],
)
def test_bad_header_is_refused(tmp_path: Path, old: str, new: str) -> None:
    assert "line 1 cannot be used" in message(tmp_path / "j", lines_with(HEADER_BODY.replace(old, new)))


def test_header_without_seed_round_trips(tmp_path: Path) -> None:
    header = replace(HEADER, seed=None)
    write_journal(tmp_path / "j", header, ())
    assert read_journal(tmp_path / "j").header == header


def test_reopened_journal_replaces_torn_line(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    with JournalWriter.reopen(path, read_journal(path)) as writer:
        writer.write(DecisionEntry(2, "blues", "reply", "pass"))
    found = read_journal(path)
    assert found.entries == (*ENTRIES[:-1], DecisionEntry(2, "blues", "reply", "pass"))
    assert not found.is_torn


def test_decision_is_on_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda number: synced.append(number))
    writer = JournalWriter(tmp_path / "j")
    writer.start(HEADER)
    writer.write(RollEntry("attack", "", (1,)))
    assert len(synced) == 2, "the file, and the folder that holds its name"
    writer.write(DecisionEntry(1, "reds", "m", "k"))
    assert len(synced) == 3
    assert len(read_journal(tmp_path / "j").entries) == 2
    writer.close()
    writer.close()


def test_existing_file_is_not_overwritten(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(JournalError, match="exists"):
        JournalWriter(path)
    assert path.read_bytes() == before


def test_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as opened:
        JournalWriter(tmp_path / "none" / "j")
    with pytest.raises(JournalError) as written:
        write_journal(tmp_path / "none" / "j", HEADER, ())
    assert_recorded([opened.value, written.value], FOLDER=tmp_path, PROCESS=os.getpid())


def test_write_journal_replaces_whole_file(path: Path) -> None:
    write_journal(path, HEADER, ENTRIES[:2])
    assert read_journal(path).entries == ENTRIES[:2]
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_note_with_special_characters_round_trips(tmp_path: Path) -> None:
    said = NoteEntry("what a \x1b day \u2028 \ud800")
    write_journal(tmp_path / "j", HEADER, (said, *ENTRIES))
    assert read_journal(tmp_path / "j").entries == (said, *ENTRIES)


def test_effective_entries_skip_undone_ones() -> None:
    one, two = DecisionEntry(1, "reds", "m", "a"), DecisionEntry(2, "reds", "m", "b")
    again = DecisionEntry(2, "reds", "m", "c")
    roll = RollEntry("attack", "", (1,))
    start = PhaseHashEntry("00", "march", 1)
    assert list_effective_entries((start, one, roll, two, roll, UndoEntry(1), again)) == (start, one, roll, again)
    assert list_effective_entries((start, one, two, UndoEntry(0))) == (start,)
    assert list_effective_entries((start, one, UndoEntry(1))) == (start, one)


@pytest.mark.parametrize(
    "entries",
    [
        (UndoEntry(1),),
        (DecisionEntry(2, "reds", "m", "k"),),
        (DecisionEntry(1, "reds", "m", "k"), DecisionEntry(3, "reds", "m", "k")),
    ],
)
def test_decisions_must_follow_one_another(entries: tuple[UndoEntry | DecisionEntry, ...]) -> None:
    with pytest.raises(EntryError):
        list_effective_entries(entries)
