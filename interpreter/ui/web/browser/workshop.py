"""Workshop for trying changes: charts as cells, the variant with the changes, and the checker's findings.

Works on the documents of the exported ruleset, in the file system of a web worker of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.api.bundle import PLAY, pack_rules
from interpreter.api.loading import check_target, load
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.pipeline import load_trees
from interpreter.documents.reading.chart_text import CHARTS
from interpreter.documents.reading.formats import get_newest_format
from interpreter.i18n.translator import Translator, get_translator, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Label, Ruleset, Table
from interpreter.tools.describe.value_format import to_plain_value
from interpreter.tools.spreadsheets.chart_grids import build_chart_rows
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.browser.worker_files import write_files
from interpreter.ui.web.refusals import build_failure
from interpreter.view_model.to_json import format_json, to_json

TRIED = "tried.yaml"
VALUES = "values"
_PLAIN = re.compile(r"[A-Za-z_][\w-]*|-?\d+")  # words that mean the same in YAML without quotation marks
_NUMBER = re.compile(r"-?\d+")
_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_MAX_CHANGES = 2_000
_EXTENDS = "extends: "


@dataclass(frozen=True, slots=True)
class ChangedCell:
    """A cell that can be changed: its path in a variant, and its value as documents write it, perhaps a list."""

    path: tuple[str, ...]
    text: str
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as the page shows it: its id and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of a chart: its headings and its cells."""

    heads: tuple[str, ...]
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True, slots=True)
class CellChart:
    """A chart with the headings above its cells."""

    id: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[CellRow, ...]


@dataclass(frozen=True, slots=True)
class VariantText:
    """A variant as text; `lines`: the id of the changed cell by number of its line, from 1."""

    text: str
    lines: Mapping[int, str]


class Workshop:
    """A service that reads the documents of a ruleset once, and checks and compiles a visitor's changes to them."""

    def __init__(self, target: Path, base: str = "", lang: str = "") -> None:
        self.target = target
        self.base = base  # what a downloaded variant extends
        self.lang = lang
        self.status, self.kind = 200, "application/json"
        self._trees = load_trees(str(target))
        self.ruleset: Ruleset = build_ruleset(self._trees, Sink())
        self.cells: dict[str, ChangedCell] = {}
        tables = filter(_has_editable_cells, self.ruleset.tables.values())
        self.charts = [self._build_values_chart(), *map(self._build_chart, tables)]
        self._made: dict[str, bytes] = {}

    # --- the charts ----------------------------------------------------------------------------------

    def _build_values_chart(self) -> CellChart:
        """Return the named values of the rules that are single words or numbers as a chart."""
        rows = []
        for name, constant in self.ruleset.constants.items():
            text = _format_scalar(to_plain_value(constant.value, constant.type, self.ruleset))
            if text:
                rows.append(CellRow((name,), (self._add_cell(("tables", "values", name, "value"), text),)))
        return CellChart(VALUES, self._say(_("numbers of the rules")), ("", ""), tuple(rows))

    def _build_chart(self, table: Table) -> CellChart:
        """Return a table of the ruleset as a chart, with a cell for each value that can be changed."""
        heads, *written = build_chart_rows(table, self.ruleset)
        section = next(pair for pair in CHARTS.items() if table.id in self._trees.kinds[pair[0]].get_mapping(pair[1]))
        is_record, is_list = isinstance(table.type, t.RecordType), isinstance(table.type, t.ListType | t.SetType)
        front = len(table.axes) - (0 if is_record or len(table.axes) == 1 else 1)
        rows = []
        for row in written:
            cells = []
            for head, text in zip(heads[front:], row[front:], strict=True):
                below = () if len(table.axes) == 1 and not is_record else (head,)
                path = (*section, table.id, "cells", *row[:front], *below)
                cells.append(self._add_cell(path, text, is_list))
            rows.append(CellRow(tuple(row[:front]), tuple(cells)))
        return CellChart(table.id, self._translate_label(table.label) or table.id, tuple(heads), tuple(rows))

    def _add_cell(self, path: tuple[str, ...], text: str, is_list: bool = False) -> ShownCell:
        """Add a cell that can be changed; its id is its number. `is_list`: its value is a list."""
        cell = ShownCell(str(len(self.cells)), text)
        self.cells[cell.id] = ChangedCell(path, text, is_list)
        return cell

    # --- requests --------------------------------------------------------------------------------------

    def call(self, method: str, path: str, query: str, body: str) -> str:
        """Answer a request; return the body of the answer as JSON and set `status`.

        The parameters are those of an HTTP request: its method, path, query string and body.
        """
        self.status = 200
        try:
            fields = json.loads(body) if body else {}
            match path.rpartition("/")[2]:
                case "charts":
                    return format_json({"charts": to_json([chart for chart in self.charts if chart.rows])})
                case "check":
                    return format_json(self.check(fields["changes"], fields.get("title", "")))
                case "build":
                    return format_json(self.build(fields["variant"]))
            raise ApiError(404, "not-found", _("page not found"))
        except Exception as error:
            refusal = build_failure(error, is_query=True)
            self.status = refusal.status
            return format_json(refusal.serialize(self._say))

    def write_generated_files(self, folder: str) -> str:
        """Write the bundle of the last variant built into a folder; return its file names, separated by blanks."""
        return write_files(self._made, folder)

    # --- changes ---------------------------------------------------------------------------------------

    def build_variant(self, changes: Mapping[str, str], title: str) -> VariantText:
        """Return the variant with these changes, keyed by cell id; each changed cell has its own line.

        `title`: the title of the variant.
        """
        if len(changes) > _MAX_CHANGES or not all(name in self.cells for name in changes):
            raise ApiError(400, "no-cell", _("the charts of this game have no such cell"))
        variant_id = f"{re.sub('[^a-z0-9_]', '_', self.ruleset.id)}_changed"
        head = {"kind": "variant", "format": str(get_newest_format()), "id": variant_id}
        variant_title = title or self._say(_("{title}, changed", title=self._translate_label(self.ruleset.title)))
        lines = [f"{key}: {value}" for key, value in head.items()]
        lines += [
            f"title: {json.dumps(variant_title, ensure_ascii=False)}",
            _EXTENDS + _format_word(self._get_extended_target()),
        ]
        cell_of_line: dict[int, str] = {}
        last_path: tuple[str, ...] = ()
        for name in sorted(changes, key=lambda cell_id: [_build_sort_key(step) for step in self.cells[cell_id].path]):
            cell = self.cells[name]
            shared = next((n for n, (a, b) in enumerate(zip(cell.path, last_path, strict=False)) if a != b), 0)
            shared = min(shared, len(cell.path) - 1)
            for depth in range(shared, len(cell.path) - 1):
                lines.append(f"{'  ' * depth}{_format_word(cell.path[depth])}:")
            lines.append(
                f"{'  ' * (len(cell.path) - 1)}{_format_word(cell.path[-1])}: {_parse_value(changes[name], cell)}"
            )
            cell_of_line[len(lines)] = name
            last_path = cell.path
        return VariantText("\n".join(lines) + "\n", cell_of_line)

    def _get_extended_target(self) -> str:
        """Return the target that a visitor's variant extends: the ruleset, or a variant beside it."""
        return ".." if self.target.is_dir() else f"./{self.target.name}"

    def check(self, changes: Mapping[str, str], title: str = "") -> dict[str, Any]:
        """Return the variant with these changes, and each finding of the checker with its cell ('' if it has none).

        `changes`: the new text of each changed cell, by cell id; `title`: the title of the variant.
        """
        variant = self.build_variant(changes, title)
        path = self._write_variant(variant.text)
        findings = check_target(str(path))
        is_sound = not any(finding.severity == "error" for finding in findings)
        misread = [
            self._serialize_misread(name, text) for name, text in changes.items() if self._is_misread(name, text)
        ]
        is_cause_known = is_sound or bool(misread)  # what is found elsewhere then only follows from it
        serialized = [
            self._serialize_finding(record, variant)
            for record in findings
            if record.file.endswith(TRIED) or not is_cause_known
        ]
        unique = [record for number, record in enumerate(serialized) if record not in serialized[:number]]
        is_sound = is_sound and not misread
        file = variant.text.replace(
            _EXTENDS + _format_word(self._get_extended_target()), _EXTENDS + _format_word(self.base), 1
        )
        return {"variant": variant.text, "file": file, "findings": [*misread, *unique], "is_sound": is_sound}

    def _serialize_finding(self, diagnostic: Diagnostic, variant: VariantText) -> dict[str, str]:
        cell = variant.lines.get(diagnostic.line, "") if diagnostic.file.endswith(TRIED) else ""
        message, advice = self._say(diagnostic.message), self._say(diagnostic.help) if diagnostic.help else ""
        return {"cell": cell, "severity": diagnostic.severity, "message": message, "help": advice}

    def _is_misread(self, name: str, text: str) -> bool:
        """Return whether the text typed into the cell `name` replaces a number by something else.

        It is tested here because the checker would report such a mistake far from the cell.
        """
        cell = self.cells[name]
        is_value = cell.path[:2] == ("tables", VALUES)
        return is_value and bool(_NUMBER.fullmatch(cell.text)) and not _NUMBER.fullmatch(text.strip())

    def _serialize_misread(self, name: str, text: str) -> dict[str, str]:
        message = self._say(_("expected a whole number, found `{found}`", found=quote_typed(text.strip())))
        return {"cell": name, "severity": "error", "message": message, "help": ""}

    def build(self, text: str) -> dict[str, Any]:
        """Check and compile a variant for `write_generated_files`. Raises ApiError with the first finding."""
        path = self._write_variant(text)
        try:
            self._made = pack_rules(str(path), (PLAY,))
        except RulesetError as error:
            problem = next(iter(error.diagnostics)).message
            raise ApiError(422, "not-sound", _("the change cannot be played: {problem}", problem=problem)) from None
        return {"ruleset": load(str(path)).id}

    def _write_variant(self, text: str) -> Path:
        """Write the text of the tried variant to its file and return the path."""
        folder = self.target / "variants" if self.target.is_dir() else self.target.parent
        folder.mkdir(exist_ok=True)
        path = folder / TRIED
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _translate_label(self, label: Label) -> str:
        return label.get(self.lang) or next(iter(label.values()), "")

    @property
    def _say(self) -> Translator:
        return get_translator(self.lang)


def _has_editable_cells(table: Table) -> bool:
    """Return True for a chart whose cells can be changed one at a time."""
    return not table.signs and not table.unreadable and bool(table.axes)


def _format_scalar(data: object) -> str:
    """Return a value as documents write it, '' for one that is not a single word or number."""
    match data:
        case bool():
            return "true" if data else "false"
        case int() | str():
            return str(data)
    return ""


def _build_sort_key(step: str) -> tuple[int, str]:
    return (int(step), "") if re.fullmatch(r"-?\d{1,9}", step) else (0, step)


def _format_word(text: str) -> str:
    """Format a value as YAML, in quotation marks if YAML would read it as something other than text."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED else json.dumps(text, ensure_ascii=False)


def _parse_value(text: str, cell: ChangedCell) -> str:
    """Convert the text typed into a cell to YAML: a list, a word, a number, `true`, `false` or `null`."""
    text = text.strip()
    if cell.is_list:
        return f"[{', '.join(_format_word(part.strip()) for part in text.strip('[]').split(',') if part.strip())}]"
    if text in ("true", "false", "null", ""):
        return text or "null"
    return _format_word(text)
