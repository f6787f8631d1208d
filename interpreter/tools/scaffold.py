"""Templates of a small game to start from, and of a scenario, a variant, a chart or a case for an existing ruleset.

The texts of the game ship in `docs/templates`; `places.txt` there lists the positions of the pieces on each board. The
other templates take their examples from the data of a ruleset. All files are created or none, and never overwritten.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from interpreter.api.game import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.formats import get_newest_format
from interpreter.files.assets import find_asset_folder, list_shipped_rulesets
from interpreter.files.durable import replace_file
from interpreter.i18n.translator import LocalizedError
from interpreter.model.ruleset import Paragraph, Ruleset, Table
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.cases.case_runs import require_model
from interpreter.tools.formatting.layouts import format_source

LOOK_UPS = ("a die", "odds and a die")
BOARDS = ("hexes", "squares", "areas")
_PLACES = "places.txt"
_ID = re.compile(r"[a-z][a-z0-9_]{0,59}", re.ASCII)
_PLAIN = re.compile(r"[^\W_][\w' ().-]*", re.ASCII)
_NUMBER = re.compile(r"[0-9.]+", re.ASCII)
_WORDS = ("true", "false", "null")


def find_folder(target: str) -> Path | None:
    """Return the folder of a target, or None for a shipped id or a file."""
    path = Path(target)
    return path if target not in list_shipped_rulesets() and path.is_dir() else None


def _choose_path(folder: Path | None, subfolder: str, id: str) -> Path:
    """Return the path of a new document: in a subfolder of a ruleset's folder, or in the current folder without one."""
    return folder / subfolder / f"{id}.yaml" if folder else Path(f"{id}.yaml")


def _build_head_lines(kind: str, id: str, title: str) -> list[str]:
    """Return the first lines of a document of a kind, after a blank line."""
    return ["", f"kind: {kind}", f"format: {get_newest_format()}", f"id: {id}", f"title: {_quote_text(title)}"]


def build_scenario_file(rules: Rules, id: str, title: str) -> dict[Path, str]:
    """Return the text of a new scenario's file, by path.

    The file lies in the ruleset's folder, or in the current one if the ruleset is not a folder.
    """
    ruleset = require_model(rules).ruleset
    base = next((s for s in ruleset.scenarios.values() if s.default), next(iter(ruleset.scenarios.values()), None))
    if id in ruleset.scenarios:
        raise ScaffoldError("the scenario `{id}` already exists; choose another name", id=id)
    folder = find_folder(rules.target)
    path = _choose_path(folder, "scenarios", id)
    lines = [
        "# A scenario: where every piece starts, and how long the game lasts. Only what is otherwise than in the",
        "# scenario it extends has to be written.",
        *_build_head_lines("scenario", id, title),
        *([f"ruleset: {format_reference(rules.target, path)}"] if folder is None else []),
        *([f"extends: {base.id}"] if base else []),
        "# Where players play for something else than in the game itself, say so; it is told before the first choice:",
        "# aims:",
        f"#   {ruleset.kinds['seat'].things[0].id}: {{text: ...}}",
        f"turns: {base.turns}" if base and base.turns else "# turns: 6",
        *_build_piece_example(ruleset),
    ]
    return {path: "\n".join(lines) + "\n"}


def _build_piece_example(ruleset: Ruleset) -> list[str]:
    """Return lines of a scenario that show, as a comment, how to place one of the ruleset's own pieces elsewhere."""
    pieces = ruleset.kinds["piece"].things
    place = next((p.id for p in ruleset.kinds["place"].things if p.holding is None), "")
    if not pieces or not place:
        return ["setup: {}"]
    return [
        "# To put a piece elsewhere, take the marks away from these lines, and the braces behind `setup:`:",
        "#   each:",
        f"#     {pieces[0].id}: {{at: {_quote_text(place)}}}",
        "setup: {}",
    ]


def build_variant_file(rules: Rules, id: str, title: str) -> dict[Path, str]:
    """Return the text of a new variant's file, by path.

    The file lies in the ruleset's folder `variants`, or in the current one without a folder.
    """
    ruleset = require_model(rules).ruleset
    path = _choose_path(find_folder(rules.target), "variants", id)
    lines = [
        "# A variant: only what differs. `grognard check` tells what is wrong with it, `grognard test` whether the",
        "# cases of the game still hold, `grognard simulate` what comes of it.",
        *_build_head_lines("variant", id, title),
        f"extends: {format_reference(rules.target, path)}",
        *_build_examples(ruleset),
    ]
    return {path: "\n".join(lines) + "\n"}


def _build_examples(ruleset: Ruleset) -> list[str]:
    """Return commented examples of changes, with the ruleset's own names and current values."""
    lines = ["", "# What can be changed, with the figures of the game; take the marks away from what you want:"]
    number = next((c for c in ruleset.constants.values() if str(c.type) == "int"), None)
    table = next((t for t in ruleset.tables.values() if len(t.axes) == 1 and _find_first_cell(t)), None)
    if number or table:
        lines.append("# tables:")
    if number:
        lines += ["#   values:", f"#     {number.id}: {{value: {number.value}}}"]
    if table:
        key, cell = _find_first_cell(table)
        lines += ["#   tables:", f"#     {table.id}:", f"#       cells: {{{_quote_text(key)}: {cell}}}"]
    paragraph = _find_first_paragraph(ruleset)
    if paragraph:
        lines += ["# rulebook:", "#   paragraphs:", f"#     new {_quote_text('X-1')}: {{title: ..., text: ...}}"]
    lines += ["# rules: |", "#   # changes of rules: see the guide, variants.md"]
    return lines


def _find_first_cell(table: Table) -> tuple[str, str]:
    """Return (label of its first row, text) of the first filled cell, or ("", "")."""
    for (row, *_rest), span in table.cell_spans.items():
        text = span.source.text[span.start : span.end]
        if text:
            return table.axes[0].labels[row], text
    return "", ""


def build_chart_files(rules: Rules, id: str, title: str, look_up: str) -> dict[Path, str]:
    """Return the files, by path, of a new chart in the ruleset's folder and of a case that reads it.

    `look_up`: one of LOOK_UPS, the inputs by which the chart is read. Raises ScaffoldError without a folder or dice, or
    if the id is taken.
    """
    folder = find_folder(rules.target)
    if folder is None:
        raise ScaffoldError("write a chart in the folder of a ruleset; in a variant it belongs under `tables:`")
    ruleset = require_model(rules).ruleset
    if id in ruleset.tables or id in ruleset.constants:
        raise ScaffoldError("the table `{id}` already exists; choose another name", id=id)
    die = next(iter(ruleset.dice.values()), None)
    if die is None:
        raise ScaffoldError("the ruleset has no dice")
    path = folder / f"{id}.yaml"
    chart = _build_odds_chart(die.id, die.faces) if look_up == LOOK_UPS[1] else _build_die_chart(die.id, die.faces)
    head = [
        "kind: tables",
        f"format: {get_newest_format()}",
        "tables:",
        f"  {id}:",
        f"    name: {_quote_text(title)}",
        *_build_citation_lines(ruleset),
    ]
    question = f"{id}[4 / 2, {die.faces[0]}]" if look_up == LOOK_UPS[1] else f"{id}[{die.faces[0]}]"
    case = _build_case(
        f"{id}-first",
        "what the chart says for the least throw",
        [],
        [f"      - ask: {question}"],
        "    then: {value: low}",
    )
    remark = "# A chart. The rules read it as " + question + "; replace words and cells by the printed ones.\n\n"
    return {
        path: remark + "\n".join([*head, *chart]) + "\n",
        folder / "tests" / f"{id}.yaml": _build_cases_head(title) + case,
    }


def _build_citation_lines(ruleset: Ruleset) -> list[str]:
    paragraph = _find_first_paragraph(ruleset)
    return [f"    # cite: {_quote_text(paragraph.id)}    # the paragraph that it belongs to"] if paragraph else []


def _build_die_chart(die: str, faces: tuple[int, ...]) -> list[str]:
    cells = [f"{face}: {'high' if face == faces[-1] else 'low'}" for face in faces]
    return [f"    axes: {{die: {die}}}", "    gives: {one_of: [low, high]}", f"    cells: {{{', '.join(cells)}}}"]


def _build_odds_chart(die: str, faces: tuple[int, ...]) -> list[str]:
    lines = [
        "    axes:",
        '      odds: {ratio: ["1-2", "1-1", "2-1", "3-1"], round: for_defender, below: refuse, above: clamp}',
        f"      die: {die}",
        "    gives: {one_of: [low, high]}",
        "    cells:",
    ]
    for number, odds in enumerate(("1-2", "1-1", "2-1", "3-1")):
        least = len(faces) - number - (number == 3)
        words = ["high" if n >= max(least, 1) else "low" for n in range(len(faces))]
        lines.append(f"      {odds}: [{', '.join(words)}]")
    return lines


def build_case_file(rules: Rules, id: str, paragraph: str) -> dict[Path, str]:
    """Return the file, by path, of a new case about a paragraph, in the folder `tests` or in a variant's.

    Raises ScaffoldError for a shipped id, an unknown paragraph or an id that is taken.
    """
    ruleset = require_model(rules).ruleset
    if paragraph and paragraph not in ruleset.rulebook:
        raise ScaffoldError("unknown paragraph `{paragraph}`", paragraph=paragraph)
    folder = find_folder(rules.target)
    path = Path(rules.target)
    if folder is None and not path.is_file():
        raise ScaffoldError("write cases in the folder of a ruleset or beside a variant; give one of these")
    tests = folder / "tests" if folder else path.with_name(path.stem + "-tests")
    if any(case.id == id for case in collect_cases(rules.target, Sink())):
        raise ScaffoldError("the case `{id}` already exists; choose another name", id=id)
    question, value = _find_first_question(rules)
    body = _build_case(
        id,
        "write here what it shows",
        [paragraph] if paragraph else [],
        [f"      - ask: {question}"],
        f"    then: {{value: {value}}}",
    )
    return {tests / f"{id}.yaml": _build_cases_head("") + body}


def _find_first_question(rules: Rules) -> tuple[str, int]:
    """Return an expression of the rules that can be evaluated at the start of the game, and its value there."""
    ruleset = require_model(rules).ruleset
    game = rules.start(record=False)
    question, pieces = "count(places)", game.view()["pieces"]
    on_map = {place.id for place in ruleset.kinds["place"].things if place.holding is None}
    for piece in ruleset.kinds["piece"].things:
        place = pieces[piece.id]["at"]
        if piece.cls and place in on_map:
            question = f'count({ruleset.classes[piece.cls].many} at place("{place}"))'
            break
    return question, int(rules.ask(game, question))


def find_default_paragraph(rules: Rules) -> str:
    """Return the default paragraph of a new case, or "" if the ruleset has none."""
    paragraph = _find_first_paragraph(require_model(rules).ruleset)
    return paragraph.id if paragraph else ""


def _find_first_paragraph(ruleset: Ruleset) -> Paragraph | None:
    return next((p for p in ruleset.rulebook.values() if not p.definition), None)


def _build_cases_head(about: str) -> str:
    lines = [
        "# Cases: given a position, when something is done, then the result is as written. A step may also `call:` a",
        "# procedure with its `dice:` and `choices:`, or `try:` a move; see the guide, testing.md.",
        "",
        "kind: cases",
        f"format: {get_newest_format()}",
        *([f"about: {_quote_text(about)}"] if about else []),
        "cases:",
        "",
    ]
    return "\n".join(lines) + "\n"


def _build_case(id: str, title: str, rules: list[str], when: list[str], expectations: str) -> str:
    lines = [
        f"  {id}:",
        f"    title: {title}",
        *([f"    rules: [{', '.join(_quote_text(r) for r in rules)}]"] if rules else []),
        "    given: {position: start}",
        "    when:",
        *when,
        expectations,
    ]
    return "\n".join(lines) + "\n"


def format_reference(target: str, path: Path) -> str:
    """Format a reference to a ruleset for a document: a shipped id, or the path relative to the document's folder."""
    if target in list_shipped_rulesets():
        return target
    way = os.path.relpath(target, path.parent).replace(os.sep, "/")
    return _quote_text(way if way.startswith(".") else f"./{way}")


def build_game_files(id: str, title: str, board: str) -> dict[str, str]:
    """Return the text of each file of a new game by its name within the folder; `board` is one of BOARDS."""
    shipped = find_asset_folder("docs")
    if shipped is None or not (shipped / "templates").is_dir():
        raise ScaffoldError("the templates for new games are not installed")
    templates = shipped / "templates"
    words = {"id": id, "title": _quote_text(title)}
    for line in (templates / board / _PLACES).read_text(encoding="utf-8").splitlines():
        word, place = line.split()
        words[word] = place if place[0].isalpha() else f'"{place}"'
        words[f"{word}_word"] = place
    files: dict[str, str] = {}
    for root in (templates / "game", templates / board):
        for path in sorted(p for p in root.rglob("*") if p.is_file() and p.name != _PLACES):
            files[path.relative_to(root).as_posix()] = _fill(path.read_text(encoding="utf-8"), words)
    return files


def _fill(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"@@{word}@@", value)
    return text


class ScaffoldError(LocalizedError):
    """Raised if files cannot be created and none are; the message says why and how to fix it."""


def derive_id(name: str) -> str:
    """Derive an id from a name: "My Game" becomes `my_game`. Raises ScaffoldError if that is impossible."""
    id = re.sub(r"[\s.-]+", "_", Path(name).name.strip().lower().removesuffix(".yaml"))
    if not _ID.fullmatch(id):
        raise ScaffoldError(
            "`{name}` cannot be an id: use lower-case letters, digits and underscores, beginning with a letter",
            name=name or " ",
        )
    return id


def derive_title(name: str) -> str:
    """Derive a title from a name: `my_game` becomes "My game"."""
    words = re.sub(r"[_\s-]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _quote_text(text: str) -> str:
    """Format a text for a document, quoted if necessary."""
    if _PLAIN.fullmatch(text) and text == text.strip() and text.lower() not in _WORDS and not _NUMBER.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False)


def strip_controls(text: str) -> str:
    """Return an answer without surrounding blanks and control characters."""
    return "".join(letter for letter in text.strip() if letter.isprintable())


def _format_file(name: str, text: str) -> str:
    formatted = format_source(Source(name, text), Sink())
    return text if formatted is None else formatted


def refuse_existing(paths: Iterable[Path]) -> None:
    """Raise ScaffoldError for the first path that exists, even as a broken symbolic link."""
    for path in paths:
        if path.exists() or path.is_symlink():
            raise ScaffoldError("{file} already exists; choose another name", file=path.as_posix())


def create_files(files: Mapping[Path, str]) -> tuple[Path, ...]:
    """Create files and their folders, and return the paths.

    Raises ScaffoldError if one exists, and then creates none.
    """
    refuse_existing(files)
    created: list[Path] = []
    folders = [f for path in files for f in reversed(path.parents) if not f.exists()]
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                created.append(path)
                file.write(_format_file(path.name, text))
    except OSError:
        remove_created(created, folders)
        raise
    return tuple(created)


def remove_created(files: Iterable[Path], folders: Iterable[Path] = ()) -> None:
    """Remove created files and the folders created for them."""
    for path in files:
        path.unlink(missing_ok=True)
    for folder in sorted(dict.fromkeys(folders), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def create_folder(folder: Path, files: Mapping[str, str]) -> Path:
    """Create a folder atomically: it appears once all its files are written."""
    refuse_existing([folder])
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.parent / f".{folder.name}.{os.getpid()}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        for name, text in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_format_file(path.name, text), encoding="utf-8", newline="\n")
        replace_file(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder
