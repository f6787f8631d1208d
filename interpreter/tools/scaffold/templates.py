"""Templates of a small game to start from, and of a scenario, a variant, a chart or a case for an existing ruleset.

The texts of the game ship in `docs/templates`; `places.txt` there lists the positions of the pieces on each board. The
other templates take their examples from the data of the ruleset.
"""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.api.game import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.formats import newest_format
from interpreter.files.assets import asset_folder, shipped_rulesets
from interpreter.model.ruleset import Paragraph, Ruleset, Table
from interpreter.model.statements import CheckedModel
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.scaffold.file_creation import ScaffoldError, quote_text

LOOK_UPS = ("a die", "odds and a die")
BOARDS = ("hexes", "squares", "areas")
_PLACES = "places.txt"


def folder_of(target: str) -> Path | None:
    """Return the folder of a target, or None for a shipped id or a file."""
    path = Path(target)
    return path if target not in shipped_rulesets() and path.is_dir() else None


def scenario_file(rules: Rules, id: str, title: str) -> dict[Path, str]:
    """Return the text of a new scenario's file, by path.

    The file lies in the ruleset's folder, or in the current one if the ruleset is not a folder.
    """
    ruleset = _ruleset(rules)
    base = next((s for s in ruleset.scenarios.values() if s.default), next(iter(ruleset.scenarios.values()), None))
    if id in ruleset.scenarios:
        raise ScaffoldError("the scenario `{id}` already exists; choose another name", id=id)
    folder = folder_of(rules.target)
    path = folder / "scenarios" / f"{id}.yaml" if folder else Path(f"{id}.yaml")
    lines = [
        "# A scenario: where every piece starts, and how long the game lasts. Only what is otherwise than in the",
        "# scenario it extends has to be written.",
        "",
        "kind: scenario",
        f"format: {newest_format()}",
        f"id: {id}",
        f"title: {quote_text(title)}",
        *([f"ruleset: {format_reference(rules.target, path)}"] if folder is None else []),
        *([f"extends: {base.id}"] if base else []),
        "# Where players play for something else than in the game itself, say so; it is told before the first choice:",
        "# aims:",
        f"#   {ruleset.kinds['seat'].things[0].id}: {{text: ...}}",
        f"turns: {base.turns}" if base and base.turns else "# turns: 6",
        *_moved_piece(ruleset),
    ]
    return {path: "\n".join(lines) + "\n"}


def _moved_piece(ruleset: Ruleset) -> list[str]:
    """Return lines of a scenario that show, as a comment, how to place one of the ruleset's own pieces elsewhere."""
    pieces = ruleset.kinds["piece"].things if "piece" in ruleset.kinds else ()
    place = next((p.id for p in ruleset.kinds["place"].things if p.holding is None), "")
    if not pieces or not place:
        return ["setup: {}"]
    return [
        "# To put a piece elsewhere, take the marks away from these lines, and the braces behind `setup:`:",
        "#   each:",
        f"#     {pieces[0].id}: {{at: {quote_text(place)}}}",
        "setup: {}",
    ]


def variant_file(rules: Rules, id: str, title: str) -> dict[Path, str]:
    """Return the text of a new variant's file, by path.

    The file lies in the ruleset's folder `variants`, or in the current one without a folder.
    """
    ruleset = _ruleset(rules)
    folder = folder_of(rules.target)
    path = folder / "variants" / f"{id}.yaml" if folder else Path(f"{id}.yaml")
    lines = [
        "# A variant: only what differs. `grognard check` tells what is wrong with it, `grognard test` whether the",
        "# cases of the game still hold, `grognard simulate` what comes of it.",
        "",
        "kind: variant",
        f"format: {newest_format()}",
        f"id: {id}",
        f"title: {quote_text(title)}",
        f"extends: {format_reference(rules.target, path)}",
        *_examples(ruleset),
    ]
    return {path: "\n".join(lines) + "\n"}


def _examples(ruleset: Ruleset) -> list[str]:
    """Return commented examples of changes, with the ruleset's own names and current values."""
    lines = ["", "# What can be changed, with the figures of the game; take the marks away from what you want:"]
    number = next((c for c in ruleset.constants.values() if str(c.type) == "int"), None)
    table = next((t for t in ruleset.tables.values() if len(t.axes) == 1 and _first_cell(t)), None)
    if number or table:
        lines.append("# tables:")
    if number:
        lines += ["#   values:", f"#     {number.id}: {{value: {number.value}}}"]
    if table:
        key, cell = _first_cell(table)
        lines += ["#   tables:", f"#     {table.id}:", f"#       cells: {{{quote_text(key)}: {cell}}}"]
    paragraph = _first_paragraph(ruleset)
    if paragraph:
        lines += ["# rulebook:", "#   paragraphs:", f"#     new {quote_text('X-1')}: {{title: ..., text: ...}}"]
    lines += ["# rules: |", "#   # changes of rules: see the guide, variants.md"]
    return lines


def _first_cell(table: Table) -> tuple[str, str]:
    """Return (label of its first row, text) of the first filled cell, or ("", "")."""
    for (row, *_rest), span in table.cell_spans.items():
        text = span.source.text[span.start : span.end]
        if text:
            return table.axes[0].labels[row], text
    return "", ""


def chart_file(rules: Rules, id: str, title: str, look_up: str) -> dict[Path, str]:
    """Return the files, by path, of a new chart in the ruleset's folder and of a case that reads it.

    `look_up`: one of LOOK_UPS, by what the chart is read. Raises ScaffoldError without a folder or dice, or if the id
    is taken.
    """
    folder = folder_of(rules.target)
    if folder is None:
        raise ScaffoldError("write a chart in the folder of a ruleset; in a variant it belongs under `tables:`")
    ruleset = _ruleset(rules)
    if id in ruleset.tables or id in ruleset.constants:
        raise ScaffoldError("the table `{id}` already exists; choose another name", id=id)
    die = next((d for d in ruleset.dice.values()), None)
    if die is None:
        raise ScaffoldError("the ruleset has no dice")
    path = folder / f"{id}.yaml"
    chart = _odds_chart(die.id, die.faces) if look_up == LOOK_UPS[1] else _die_chart(die.id, die.faces)
    head = [
        "kind: tables",
        f"format: {newest_format()}",
        "tables:",
        f"  {id}:",
        f"    name: {quote_text(title)}",
        *_cite_lines(ruleset, 4),
    ]
    asked = f"{id}[4 / 2, {die.faces[0]}]" if look_up == LOOK_UPS[1] else f"{id}[{die.faces[0]}]"
    case = _case(
        f"{id}-first",
        "what the chart says for the least throw",
        [],
        [f"      - ask: {asked}"],
        "    then: {value: low}",
    )
    remark = "# A chart. The rules read it as " + asked + "; replace words and cells by the printed ones.\n\n"
    return {
        path: remark + "\n".join([*head, *chart]) + "\n",
        folder / "tests" / f"{id}.yaml": _cases_head(title) + case,
    }


def _cite_lines(ruleset: Ruleset, lead: int) -> list[str]:
    paragraph = _first_paragraph(ruleset)
    return (
        [" " * lead + f"# cite: {quote_text(paragraph.id)}    # the paragraph that it belongs to"] if paragraph else []
    )


def _die_chart(die: str, faces: tuple[int, ...]) -> list[str]:
    cells = [f"{face}: {'high' if face == faces[-1] else 'low'}" for face in faces]
    return [f"    axes: {{die: {die}}}", "    gives: {one_of: [low, high]}", f"    cells: {{{', '.join(cells)}}}"]


def _odds_chart(die: str, faces: tuple[int, ...]) -> list[str]:
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
        lines.append(f"      {odds}: [{', '.join(w + ',' if n + 1 < len(words) else w for n, w in enumerate(words))}]")
    return [line.replace(",,", ",") for line in lines]


def case_file(rules: Rules, id: str, paragraph: str) -> dict[Path, str]:
    """Return the file, by path, of a new case about a paragraph, in the folder `tests` or in a variant's.

    Raises ScaffoldError for a shipped id, an unknown paragraph or an id that is taken.
    """
    ruleset = _ruleset(rules)
    if paragraph and paragraph not in ruleset.rulebook:
        raise ScaffoldError("unknown paragraph `{paragraph}`", paragraph=paragraph)
    folder = folder_of(rules.target)
    path = Path(rules.target)
    if folder is None and not path.is_file():
        raise ScaffoldError("write cases in the folder of a ruleset or beside a variant; give one of these")
    tests = folder / "tests" if folder else path.with_name(path.stem + "-tests")
    if any(case.id == id for case in collect_cases(rules.target, Sink())):
        raise ScaffoldError("the case `{id}` already exists; choose another name", id=id)
    asked, value = _first_question(rules)
    body = _case(
        id,
        "write here what it shows",
        [paragraph] if paragraph else [],
        [f"      - ask: {asked}"],
        f"    then: {{value: {value}}}",
    )
    return {tests / f"{id}.yaml": _cases_head("") + body}


def _first_question(rules: Rules) -> tuple[str, int]:
    """Return an expression of the rules that can be evaluated at the start of the game, and its value there."""
    ruleset = _ruleset(rules)
    game = rules.start(record=False)
    question = "count(places)"
    for piece in ruleset.kinds["piece"].things if "piece" in ruleset.kinds else ():
        place = _place_of(game.view()["pieces"], piece.id)
        if place and piece.cls and place in {p.id for p in ruleset.kinds["place"].things if p.holding is None}:
            question = f'count({ruleset.classes[piece.cls].many} at place("{place}"))'
            break
    return question, int(rules.ask(game, question))


def _place_of(pieces: object, id: str) -> str:
    found = pieces.get(id) if isinstance(pieces, dict) else None
    return str(found.get("at") or "") if isinstance(found, dict) else ""


def default_paragraph(rules: Rules) -> str:
    """Return the default paragraph of a new case, or "" if the ruleset has none."""
    paragraph = _first_paragraph(_ruleset(rules))
    return paragraph.id if paragraph else ""


def _first_paragraph(ruleset: Ruleset) -> Paragraph | None:
    return next((p for p in ruleset.rulebook.values() if not p.definition), None)


def _cases_head(about: str) -> str:
    lines = [
        "# Cases: given a position, when something is done, then the result is as written. A step may also `call:` a",
        "# procedure with its `dice:` and `choices:`, or `try:` a move; see the guide, testing.md.",
        "",
        "kind: cases",
        f"format: {newest_format()}",
        *([f"about: {quote_text(about)}"] if about else []),
        "cases:",
        "",
    ]
    return "\n".join(lines) + "\n"


def _case(id: str, title: str, rules: list[str], when: list[str], then: str) -> str:
    lines = [
        f"  {id}:",
        f"    title: {title}",
        *([f"    rules: [{', '.join(quote_text(r) for r in rules)}]"] if rules else []),
        "    given: {position: start}",
        "    when:",
        *when,
        then,
    ]
    return "\n".join(lines) + "\n"


def format_reference(target: str, path: Path) -> str:
    """Format a reference to a ruleset for a document: a shipped id, or the path relative to the document's folder."""
    if target in shipped_rulesets():
        return target
    way = os.path.relpath(target, path.parent).replace(os.sep, "/")
    return quote_text(way if way.startswith(".") else f"./{way}")


def _ruleset(rules: Rules) -> Ruleset:
    model: CheckedModel | None = rules.model
    if model is None:
        raise ValueError("the rules must be loaded with their checked model")
    return model.ruleset


def game_files(id: str, title: str, board: str) -> dict[str, str]:
    """Return the text of each file of a new game by its name within the folder; `board` is one of BOARDS."""
    shipped = asset_folder("docs")
    if shipped is None or not (shipped / "templates").is_dir():
        raise ScaffoldError("the templates for new games are not installed")
    templates = shipped / "templates"
    words = {"id": id, "title": quote_text(title)}
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
