"""Every format has a number, a frozen sample and a way to the newest; a form that changes without one is noticed."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.api.game import check, resume
from interpreter.api.loading import load
from interpreter.api.resume import open_replay
from interpreter.cli.main import main
from interpreter.documents.reading import formats
from interpreter.documents.reading.validation import KINDS, read_schema
from interpreter.saves import entries as e, journal_lines
from interpreter.saves.identity import SCHEME_OF_BYTES, Match
from interpreter.saves.journal import JournalError, read_journal
from tests.formats.freeze import forms_now, recorded
from tests.recordings import assert_recorded

SAMPLES = Path(__file__).resolve().parent / "samples"
DOCUMENTS, JOURNALS = SAMPLES / "documents", SAMPLES / "journals"
NUMBERS = range(formats.FIRST, formats.get_newest_format() + 1)
NEWEST = DOCUMENTS / str(formats.get_newest_format())
WHAT_TO_DO = (
    "the form of documents or rules has changed: add a step (empty where older documents stay as they are) to "
    "interpreter/documents/reading/formats.py, list the number in the schemas, freeze a sample under "
    "tests/formats/samples/documents, and run python -m tests.formats.freeze (with --unreleased where no release has "
    "had the newest number yet and its samples still hold); see docs/decisions/035-formats.md"
)
JOURNAL_FORM = {
    # the keys of a line of each sort, in order; a change of any needs another journal format and a frozen sample
    3: (
        "grognard ruleset scheme rules setup scenario options seed engine seats parts c",
        "d side decision key c",
        "r s f c",
        "h p t c",
        "w side seat p t c",
        "u c",
        "x c",
        "n c",
        "e h c",
    ),
}


def test_form_of_documents_changes_only_with_new_number() -> None:
    assert recorded().get(str(formats.get_newest_format())) == forms_now(), WHAT_TO_DO


def test_every_schema_lists_every_number() -> None:
    for kind in KINDS:
        assert read_schema(kind)["properties"]["format"]["enum"] == list(NUMBERS), kind


@pytest.mark.parametrize("number", NUMBERS)
def test_every_format_has_frozen_sample_of_each_kind(number: int) -> None:
    folder = DOCUMENTS / str(number)
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.yaml"))]
    assert {text[text.index("kind: ") :].split()[1] for text in texts} == set(KINDS)
    assert all(f"format: {number}" in text for text in texts)
    assert list(folder.glob("*.rules"))


@pytest.mark.parametrize("number", NUMBERS)
def test_frozen_sample_comes_to_newest(number: int, tmp_path: Path) -> None:
    """With every comment and blank, so that the result is the newest sample byte for byte."""
    copy = Path(shutil.copytree(DOCUMENTS / str(number), tmp_path / "meadow"))
    assert main(["migrate", str(copy)]) == 0
    found = {path.relative_to(copy): path.read_text(encoding="utf-8") for path in copy.rglob("*.*")}
    assert found == {path.relative_to(NEWEST): path.read_text(encoding="utf-8") for path in NEWEST.rglob("*.*")}
    assert check(copy, variants=True) == ()
    assert main(["test", str(copy)]) == 0
    assert main(["test", str(copy / "variants" / "long_day.yaml")]) == 0


def test_values_that_were_texts_in_format_1_are_texts_after_migrating(tmp_path: Path) -> None:
    """`check` names the values that format 2 reads otherwise, and `migrate` preserves what they were."""
    folder = Path(shutil.copytree(DOCUMENTS / "1", tmp_path / "meadow"))
    values = folder / "values.yaml"
    shutil.copy(SAMPLES / "values" / "1.yaml", values)
    old = [found for found in check(folder) if found.code == "old-format" and found.span.file.endswith("values.yaml")]
    assert [found.span.line for found in old] == [4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17]
    assert main(["migrate", str(folder)]) == 0
    assert values.read_text(encoding="utf-8") == (SAMPLES / "values" / "2.yaml").read_text(encoding="utf-8")
    read = {name: (str(one.type), one.value) for name, one in load(folder).documents().constants.items()}
    texts = {"half": "½", "half_quoted": "½", "decimal": "0.5", "mixed": "1 1/2", "nothing": "0/5", "in_braces": "½"}
    texts |= {"in_lines": "1½", "number": "05", "bonus": "+5", "points": "5 pts", "dash": "–5", "code": "05"}
    texts |= {"clock": "12:30"}
    assert {name: value for name, (type, value) in read.items() if type == "text"} == texts
    assert read["below"] == ("int", -5) and read["share"][1] == read["share_quoted"][1] == Fraction(1, 2)


def test_values_of_variant_that_were_texts_in_format_1_stay_texts(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DOCUMENTS / "1", tmp_path / "meadow"))
    variant = folder / "variants" / "long_day.yaml"
    text = variant.read_text(encoding="utf-8") + 'tables:\n  values:\n    half: ½\n    crossroads: {value: "0301"}\n'
    variant.write_text(text, encoding="utf-8")
    assert main(["migrate", str(folder)]) == 0
    migrated = variant.read_text(encoding="utf-8")
    assert 'half: {value: "½", type: text}' in migrated and 'crossroads: {value: "0301"}' in migrated


# --- journals -----------------------------------------------------------------------------------


def test_every_journal_format_has_frozen_sample() -> None:
    assert sorted(path.name for path in JOURNALS.iterdir()) == [
        f"{n}.journal" for n in range(1, journal_lines.FORMAT + 1)
    ]
    for number in range(1, journal_lines.FORMAT + 1):
        head = json.loads((JOURNALS / f"{number}.journal").read_text(encoding="ascii").splitlines()[0])
        assert head["grognard"] == number


@pytest.mark.parametrize("number", journal_lines.READABLE_FORMATS)
def test_frozen_journal_replays(number: int) -> None:
    path = JOURNALS / f"{number}.journal"
    replay = open_replay(path, target=str(NEWEST))
    replay.finish()
    assert (replay.divergence, replay.is_whole, replay.game.over) == (None, True, True)
    identity = replay.journal.header.identity
    assert replay.match is (Match.UNKNOWN if identity.scheme == SCHEME_OF_BYTES else Match.SAME)
    assert resume(path, NEWEST).hash() == replay.game.hash()


def test_frozen_journals_show_same_game() -> None:
    two, three = (read_journal(JOURNALS / f"{number}.journal").entries for number in (2, 3))
    assert two == three


def test_journal_of_format_1_is_rejected_as_too_old() -> None:
    with pytest.raises(JournalError) as error:
        read_journal(JOURNALS / "1.journal")
    assert_recorded(error.value, FOLDER=JOURNALS)


def test_form_of_journals_changes_only_with_new_number(tmp_path: Path) -> None:
    path = tmp_path / "all.journal"
    game = load(NEWEST).start(seed=1)
    game.save(path)
    header = read_journal(path).header
    entries = (
        e.DecisionEntry(1, "reds", "moving", "done"),
        e.RollEntry("begins", "", (1,)),
        e.PhaseHashEntry("00", "evening", 1),
        e.WaitingEntry(1, "", "reds", "red_player", "moving"),
        e.UndoEntry(0),
        e.EditEntry({"game": {"losses": 1}}),
        e.NoteEntry("hello"),
        e.EndEntry({"winner": None, "level": None}, "00"),
    )
    lines = [{journal_lines.MARK: journal_lines.FORMAT, **e.encode_header(header)}, *map(e.encode_entry, entries)]
    assert tuple(" ".join([*line, "c"]) for line in lines) == JOURNAL_FORM[journal_lines.FORMAT]
    assert {type(entry) for entry in entries} == set(e.Entry.__args__)  # type: ignore[attr-defined]
