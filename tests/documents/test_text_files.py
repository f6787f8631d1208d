"""Text files as people have them: marks, encodings, endings and signs that editors, mail and web pages put in."""

from __future__ import annotations

import codecs
import zipfile
from pathlib import Path
from unicodedata import normalize

import pytest

from interpreter.api.game import check, load
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.listing import list_resolved_values
from interpreter.documents.pipeline import load_trees
from interpreter.tools.autofix.apply_fixes import apply_fixes
from interpreter.tools.formatting.layouts import format_source
from tests.documents.conftest import FILES
from tests.first_game import spoil, write_first_game
from tests.recordings import assert_recorded


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_first_game(tmp_path)


def faults(target: Path) -> list[tuple[str, str, int]]:
    return [(d.code, d.file.rpartition("/")[2], d.line) for d in check(target)]


def only(target: Path) -> Diagnostic:
    found = check(target)
    assert len(found) == 1, [(d.code, str(d.span), d.message) for d in found]
    return found[0]


def mended(target: Path) -> None:
    """Carry out all cures; nothing is left to be found."""
    for path, content in apply_fixes(str(target)).texts.items():
        path.write_bytes(content)
    assert check(target) == ()


# --- marks and encodings ------------------------------------------------------------------


def test_byte_order_mark_in_every_file_is_skipped(game: Path) -> None:
    for path in (*game.glob("*.rules"), *game.glob("*.yaml")):
        path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert check(game) == ()
    assert load(game).title() == "Fords"


@pytest.mark.parametrize("text", ["define x = &\n", "\ndefine x = &\n", "# remark\ndefine x = &\n"])
def test_byte_order_mark_in_rules_keeps_line_of_fault(game: Path, text: str) -> None:
    (game / "more.rules").write_text("\ufeff" + text, encoding="utf-8")
    assert faults(game) == [("unexpected-character", "more.rules", text.count("\n"))]


def test_byte_order_mark_in_rules_is_taken_out_by_layout() -> None:
    assert format_source(Source("x.rules", "\ufeffdefine  x = 1\n"), Sink()) == "define x = 1\n"


@pytest.mark.parametrize("file", ["map.yaml", "words.rules"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_in_wide_characters_is_named(game: Path, file: str, encoding: str) -> None:
    path = game / file
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    found = only(game)
    assert found.code == "not-utf8" and "UTF-" in found.message and "UTF-8" in found.help


def test_ruleset_document_in_another_encoding_is_not_missing_too(game: Path) -> None:
    spoil(game / "ruleset.yaml", "the Reds", "les Étés")
    path = game / "ruleset.yaml"
    path.write_bytes(path.read_text(encoding="utf-8").encode("cp1252"))
    assert only(game).code == "not-utf8"


# --- names of files -----------------------------------------------------------------------


@pytest.mark.parametrize("file", ["map.yaml", "words.rules", "ruleset.yaml", "tests/first.yaml"])
def test_ending_in_capital_letters_is_read(game: Path, file: str) -> None:
    path = game / file
    path.rename(path.with_name(path.name.upper()))
    assert check(game) == ()
    assert {leaf.file for leaf in list_resolved_values(load_trees(str(game)))["map"]} <= {
        "fords/map.yaml",
        "fords/MAP.YAML",
    }


def test_variant_in_capital_letters_finds_ruleset_around_it(game: Path) -> None:
    (game / "ruleset.yaml").rename(game / "RULESET.YAML")
    (game / "variants").mkdir()
    variant = game / "variants" / "V.YAML"
    variant.write_text("kind: variant\nformat: 1\nid: v\ntitle: V\nextends: fords\n", encoding="utf-8")
    assert check(variant) == ()


@pytest.mark.parametrize("file", ["words.rules", "map.yaml"])
@pytest.mark.parametrize("added", [".txt", ".TXT", ".rtf"])
def test_file_with_second_suffix_is_reported_first(game: Path, file: str, added: str) -> None:
    (game / file).rename(game / f"{file}{added}")
    found = check(game)
    assert (found[0].code, found[0].severity, found[0].help) == (
        "passed-over-file",
        "error",
        f"rename it to `{file}`",
    )
    with pytest.raises(RulesetError) as raised:
        load(game)
    assert raised.value.diagnostics[0].code == "passed-over-file"


def test_unused_file_with_second_suffix_is_note(game: Path) -> None:
    (game / "old.rules.txt").write_text("define x = 1\n", encoding="utf-8")
    (game / "notes.txt").write_text("x\n", encoding="utf-8")
    found = only(game)
    assert (found.code, found.severity) == ("passed-over-file", "note")
    load(game)


@pytest.mark.parametrize("typed", ["NFC", "NFD"])
@pytest.mark.parametrize("kept", ["NFC", "NFD"])
def test_name_of_folder_is_found_in_either_composition(tmp_path: Path, typed: str, kept: str) -> None:
    game = write_first_game(tmp_path)
    game.rename(tmp_path / normalize(kept, "für"))
    assert check(tmp_path / normalize(typed, "für")) == ()
    variant = tmp_path / "v.yaml"
    base = normalize(typed, "./für")
    variant.write_text(f"kind: variant\nformat: 1\nid: v\ntitle: V\nextends: {base}\n", encoding="utf-8")
    assert check(variant) == ()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accented_letter_in_name_is_reported_with_plain_one(game: Path, form: str) -> None:
    (game / "more.yaml").write_text(
        f"kind: map\nformat: 1\nplaces: {{members: {{{normalize(form, 'hügel')}: {{}}}}}}\n", encoding="utf-8"
    )
    found = [d for d in check(game) if d.code == "bad-name"]
    assert [d.help for d in found] == ["did you mean `hugel`?"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accented_letter_in_rules_is_reported_with_letters_of_names(game: Path, form: str) -> None:
    (game / "more.rules").write_text(normalize(form, "define hügel = 1\n"), encoding="utf-8")
    found = only(game)
    assert found.code == "unexpected-character" and "a to z" in found.help


# --- files of other programs --------------------------------------------------------------


def archive(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as into:
        for name in names:
            into.writestr(name, "x")
    return path


def test_ruleset_archive_hint_says_unpack(tmp_path: Path) -> None:
    found = only(archive(tmp_path / "fords.zip", "fords/ruleset.yaml"))
    assert found.code == "foreign-file"
    assert "zip archive" in found.message and "unpack it" in found.help


@pytest.mark.parametrize(
    ("name", "inside", "what"),
    [
        ("a.vmod", ("buildFile.xml",), "a VASSAL module"),
        ("a.ods", ("mimetype", "content.xml"), ""),
        ("a.bin", ("xl/workbook.xml",), "a spreadsheet"),
        ("a.docx", ("word/document.xml",), "word processor"),
    ],
)
def test_archive_is_named_by_content(tmp_path: Path, name: str, inside: tuple[str, ...], what: str) -> None:
    found = only(archive(tmp_path / name, *inside))
    assert found.code == "foreign-file" and what in found.message


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 cut off",
        b"\x1f\x8b\x08",
        b"%PDF-1.7",
        b"\x89PNG\r\n",
        b"\xd0\xcf\x11\xe0\xa1\xb1",
        b"<?xml version='1.0'?><a/>",
        b"\xef\xbb\xbf<!DOCTYPE html>",
        b"{\\rtf1",
    ],
)
def test_foreign_file_content_is_rejected_in_every_folder(game: Path, content: bytes) -> None:
    (game / "more.yaml").write_bytes(content)
    assert [code for code, file, _line in faults(game) if file == "more.yaml"] == ["foreign-file"]
    alone = game.parent / "alone.yaml"
    alone.write_bytes(content)
    assert only(alone).code == "foreign-file"


@pytest.mark.parametrize("name", ["words.rules", "chart.csv", "chart.XLSX"])
def test_part_of_ruleset_is_not_taken_for_one(game: Path, name: str) -> None:
    path = game / name
    if not path.exists():
        path.write_bytes(b"a,b\n")
    found = only(path)
    assert found.code == "foreign-file" and "not a ruleset" in found.message


# --- blanks that are no spaces ------------------------------------------------------------

NO_BREAK = "\u00a0"
BLANKS = [NO_BREAK, "\u202f", "\u2003", "\u3000"]


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(
    ("file", "old"),
    [
        ("pieces.yaml", "  red_2: {"),
        ("map.yaml", "  attributes:\n"),
        ("map.yaml", "    terrain: {one_of"),
        ("scenario.yaml", "    red_1: {at"),
        ("tables.yaml", "    gives: {parts"),
    ],
)
def test_indentation_with_other_blanks_is_reported_in_its_line_and_fixed(
    game: Path, blank: str, file: str, old: str
) -> None:
    width = len(old) - len(old.lstrip())
    lead = blank * (width // 2 if blank == "\u3000" else width)
    spoil(game / file, old, lead + old.lstrip())
    text = (game / file).read_text(encoding="utf-8")
    found = only(game)
    assert found.code == ("full-width-character" if blank == "\u3000" else "look-alike-space")
    assert (found.file, found.line, found.column) == (f"fords/{file}", text[: text.index(blank)].count("\n") + 1, 1)
    mended(game)


def test_document_indented_with_no_break_spaces_is_cured_at_once(game: Path) -> None:
    path = game / "pieces.yaml"
    before = path.read_text(encoding="utf-8")
    lines = before.split("\n")
    path.write_text(
        "\n".join(NO_BREAK * (len(line) - len(line.lstrip())) + line.lstrip() for line in lines), encoding="utf-8"
    )
    mended(game)
    assert path.read_text(encoding="utf-8") == before


def test_cure_of_indentation_leaves_blanks_in_texts_alone(game: Path) -> None:
    spoil(game / "pieces.yaml", "  red_2: {name: 2nd Red", f"{NO_BREAK}{NO_BREAK}red_2: {{name: 2nd{NO_BREAK}Red")
    mended(game)
    assert f"  red_2: {{name: 2nd{NO_BREAK}Red" in (game / "pieces.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turns: 6", f"turns:{NO_BREAK}6"),
        ("red_1: {at:", f"red_1: {{at:{NO_BREAK}"),
        ("blue_1: {at: ", f"blue_1: {{at:{NO_BREAK}"),
        ("id: f", f"id:{NO_BREAK}f"),
    ],
)
def test_other_blank_behind_colon_is_reported_and_fixed(game: Path, old: str, new: str) -> None:
    spoil(game / "scenario.yaml", old, new)
    found = only(game)
    text = (game / "scenario.yaml").read_text(encoding="utf-8")
    assert (found.code, found.span.start) == ("look-alike-space", text.index(NO_BREAK))
    mended(game)


@pytest.mark.parametrize(("old", "new"), [("turns: 6", f"turns: 6{NO_BREAK}"), ("turns: 6", f"turns{NO_BREAK}: 6")])
def test_other_blank_at_end_of_word_is_stripped(game: Path, old: str, new: str) -> None:
    spoil(game / "scenario.yaml", old, new)
    assert check(game) == ()


@pytest.mark.parametrize("blank", BLANKS)
def test_other_blanks_in_rules_are_reported_and_fixed(game: Path, blank: str) -> None:
    path = game / "combat.rules"
    path.write_text(path.read_text(encoding="utf-8").replace("    ", blank * (2 if blank == "\u3000" else 4)))
    codes = {d.code for d in check(game)}
    assert codes == {"full-width-character" if blank == "\u3000" else "look-alike-space"}
    mended(game)


def test_other_blank_in_text_stays(game: Path) -> None:
    spoil(game / "pieces.yaml", "1st Red Brigade", f"1st{NO_BREAK}Red")
    assert check(game) == ()


# --- number signs and curly quotes --------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [
        ("name: 1st Red Brigade", "name: Brigade #1", "Brigade #1"),
        ("name: Red Horse", "name: Horse # 2 (red)", "Horse # 2 (red)"),
        ("{name: 2nd Red Brigade,", "{name: Brigade #2,\n   ", "Brigade #2"),
    ],
)
def test_number_sign_in_name_within_braces_is_reported_in_its_line_and_fixed(
    game: Path, old: str, new: str, right: str
) -> None:
    path = game / "pieces.yaml"
    spoil(path, old, new)
    found = only(game)
    text = path.read_text(encoding="utf-8")
    assert found.code == "text-cut-by-comment" and f'`"{right}"`' in found.help
    assert_recorded(found.help)
    assert found.line == text[: text.index(right)].count("\n") + 1
    mended(game)
    assert f'"{right}"' in path.read_text(encoding="utf-8")


def test_number_sign_that_shortens_name_is_warning_and_cured(game: Path) -> None:
    spoil(game / "scenario.yaml", "title: The first battle", "title: Battle #1 of two")
    found = only(game)
    assert (found.code, found.severity) == ("text-cut-by-comment", "warning")
    load(game)
    mended(game)
    assert 'title: "Battle #1 of two"\n' in (game / "scenario.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("behind", ["# one", "#one", "   # 1", "# allow x: y"])
def test_comment_behind_value_stays_comment(game: Path, behind: str) -> None:
    spoil(game / "scenario.yaml", "title: The first battle", f"title: The first battle {behind}")
    assert check(game) == ()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scenario.yaml", "title: The first battle", "title: “The first: battle”"),
        ("scenario.yaml", "title: The first battle", "title: „The first: battle“"),
        ("pieces.yaml", "name: 1st Red Brigade", "name: “Red, the 1st”"),
        ("pieces.yaml", "name: 1st Red Brigade", "name: “Red: the 1st”"),
        ("scenario.yaml", 'at: "0101"', "at: “0101”"),
        ("rulebook.yaml", 'text: "First the Reds', 'text: “First, the Reds”, cite: 1.1, x: "First the Reds'),
    ][:5],
)
def test_curly_quotes_that_enclose_nothing_are_reported_and_fixed(game: Path, file: str, old: str, new: str) -> None:
    spoil(game / file, old, new)
    text = (game / file).read_text(encoding="utf-8")
    found = only(game)
    assert found.code in ("curly-quote", "unknown-place")
    assert found.span.start == next(n for n, sign in enumerate(text) if sign in "“„")
    mended(game)


def test_curly_quotes_in_list_are_reported_once(workspace) -> None:
    workspace.spoil("pieces.yaml", "names: [One, Two,", "names: [“One, the 1st”, Two,")
    found = workspace.load().only("curly-quote")
    assert '`"One, the 1st"`' in found.help


def test_curly_quotes_in_text_stay(game: Path) -> None:
    spoil(game / "pieces.yaml", "name: 1st Red Brigade", "name: 1st “Red” Brigade")
    spoil(game / "scenario.yaml", "title: The first battle", "title: “The first”")
    assert check(game) == ()


@pytest.mark.parametrize("quotes", ["“”", "„“", "«»", "「」", "‘’"])
def test_curly_quotes_in_rules_are_reported_and_fixed(game: Path, quotes: str) -> None:
    path = game / "combat.rules"
    first, second, rest = path.read_text(encoding="utf-8").split('"', 2)
    path.write_text(f"{first}{quotes[0]}{second}{quotes[1]}{rest}", encoding="utf-8")
    assert only(game).code == "curly-quote"
    mended(game)


# --- attributes as they are printed -------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "written", "right"),
    [
        ("edges", "0101/0102: road, stream", "{road: true, stream: true}"),
        ("edges", "0101/0102: road", "{road: true}"),
        ("edges", "0101/0102: [road, stream]", "{road: true, stream: true}"),
        ("edges", "0101/0102: road paved", "{road: true, surface: paved}"),
        ("members", "0102: woods", "{terrain: woods}"),
    ],
)
def test_bare_words_in_place_of_attributes_are_reported_as_attributes(
    game: Path, key: str, written: str, right: str
) -> None:
    path = game / "map.yaml"
    spoil(
        path,
        "holding:\n",
        "links:\n  attributes: {road: flag, surface: {type: {one_of: [paved, mud]}, default: mud}}\nholding:\n",
    )
    if key == "edges":
        spoil(path, "  default: {terrain: open}\n", f"  default: {{terrain: open}}\n  edges:\n    {written}\n")
    else:
        spoil(path, "  members:\n", f"  members:\n    {written}\n")
    help = only(game).help
    assert f"`{right}`" in help
    assert_recorded(help)


# --- one fault alone ----------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted(name for name in FILES if name.endswith(".yaml") and "variants" not in name))
@pytest.mark.parametrize("slip", ["brace", "indentation", "encoding"])
def test_unreadable_document_is_only_fault(workspace, load_target, file: str, slip: str) -> None:
    workspace.files["scenarios/night.yaml"] = (
        "kind: scenario\nformat: 1\nid: night\ntitle: Night\nextends: dawn\nsetup: {each: {soult: {at: off_map}}}\n"
    )
    folder = workspace.write()
    assert load_target(folder).codes == []
    text = workspace.files[file]
    if slip == "brace":
        text = text[: text.rindex("}")] + text[text.rindex("}") + 1 :] if "}" in text else text + "x: [a"
    elif slip == "indentation":
        text = text.rstrip("\n") + "\n x: y\n  z: {\n"
    content = text.encode("utf-8") + (b"# \xe9\n" if slip == "encoding" else b"")
    (folder / file).write_bytes(content)
    assert len(load_target(folder).found) == 1
