"""Explanations of diagnostics, and of rule paragraphs with their citations and the cases that cover them.

Returns data and lines; neither checks nor plays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.files.assets import find_asset_folder
from interpreter.i18n.translator import ENGLISH, Translator, get_translator
from interpreter.model.checked_model import CheckedModel
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.describe.description_lines import format_paragraph
from interpreter.tools.describe.descriptions import describe_paragraph

Data = dict[str, Any]
_CODE = re.compile(r"[a-z][a-z0-9-]*")
_EXAMPLE = re.compile(r"```.*?\n```", re.DOTALL)


def read_diagnostic_page(code: str, lang: str = "") -> str | None:
    """Return the page of a diagnostic code, or None if it has none; in English if `lang` has no translation.

    A translation covers the meaning and the fix; the example always comes from the English page.
    """
    folder = find_asset_folder("docs")
    if folder is None or not _CODE.fullmatch(code):
        return None
    path = folder / "diagnostics" / f"{code}.md"
    if not path.is_file():
        return None
    page = path.read_text(encoding="utf-8")
    translated = _read_translated_parts(folder / "diagnostics" / "translations" / f"{lang}.md", code)
    example = _EXAMPLE.search(page)
    if translated is None or example is None:
        return page
    say, (meaning, cure) = get_translator(lang), translated
    parts = (f"# {code}", meaning, "## " + say("For example"), example[0], "## " + say("What to do"), cure)
    return "\n\n".join(parts) + "\n"


def _read_translated_parts(path: Path, code: str) -> tuple[str, str] | None:
    """Return (meaning, fix) of a diagnostic code from the file of a language.

    Return None if the file or its section for the code does not exist.
    """
    if not path.is_file():
        return None
    for page in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, _blank, text = page.partition("\n\n")
        if name == code:
            meaning, _blank, cure = text.strip().partition("\n\n")
            return meaning, cure
    return None


def list_diagnostic_codes() -> list[str]:
    """Return the codes that have a page."""
    folder = find_asset_folder("docs")
    return sorted(p.stem for p in (folder / "diagnostics").glob("*.md")) if folder else []


def describe_rule(model: CheckedModel, number: str, cases: Sequence[Case], lang: str = "") -> Data:
    """Return a paragraph as data, with the places that cite it and the cases about it, of all `cases`.

    Raises KeyError for an unknown number.
    """
    places = sorted({(span.file, span.line, what) for what, span in model.cited.get(number, ())})
    cited = [{"what": what, "file": file, "line": line} for file, line, what in places]
    return {
        **describe_paragraph(model.ruleset, number, lang),
        "cited": cited,
        "cases": list_covering_cases(cases, number),
    }


def format_rule(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format a paragraph with its citations and the cases about it."""
    lines = format_paragraph(data, say)
    lines.append("  " + say("declared in {place}", place=f"{data['file']}:{data['line']}"))
    if data["cited"]:
        lines.append(say("cited by"))
        lines += [f"  {c['file']}:{c['line']}: {c['what']}" for c in data["cited"]]
    else:
        lines.append(
            say("no rule and no data cites it; it is only a definition")
            if data["definition"]
            else say("no rule and no data cites it")
        )
    if data["cases"]:
        lines.append(say("covered by the cases"))
        for case in data["cases"]:
            named = f"{case['id']}: {case['title']}" if not say.names else case["id"]  # titles are not translated
            lines.append(f"  {named} ({case['file']}:{case['line']})")
    else:
        lines.append(say("no case covers it"))
    return lines


def list_covering_cases(cases: Sequence[Case], number: str) -> list[Data]:
    """Return id, title, file and line of each case that names the paragraph among its rules."""
    return [
        {"id": case.id, "title": case.title, "file": case.span.file, "line": case.span.line}
        for case in cases
        if number in case.rules
    ]
