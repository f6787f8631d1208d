"""A worksheet for translators: texts and names of a ruleset with their translations in one language.

`format_texts` renders a locale document to be filled in. Translations are checked elsewhere.
"""

from __future__ import annotations

from typing import Any

from interpreter.checker.lints.translations import find_missing_translations
from interpreter.documents.reading.formats import get_newest_format
from interpreter.documents.reading.yaml_reader import quote_text
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Locale
from interpreter.model.texts import collect_displayed_names, collect_rule_texts


def describe_texts(model: CheckedModel, language: str) -> dict[str, Any]:
    """Return every text with file and line, every displayed name, their translations, and what is still missing."""
    locale = model.ruleset.locales.get(language) or Locale(language, {}, {})
    missing_texts, missing_names = find_missing_translations(model, language)
    texts = [
        {
            "text": text.text,
            "translation": locale.texts[text.text].text if text.text in locale.texts else None,
            "missing": text.text in missing_texts,
            "file": text.span.file,
            "line": text.span.line,
        }
        for text in collect_rule_texts(model)
    ]
    names = [
        {
            "name": name,
            "translation": locale.names[name].text if name in locale.names else None,
            "missing": name in missing_names,
        }
        for name in dict.fromkeys([*locale.names, *collect_displayed_names(model, language)])
    ]
    return {"language": language, "texts": texts, "names": names}


def format_texts(data: dict[str, Any]) -> list[str]:
    """Render the missing translations as a locale document to be filled in."""
    texts = [t for t in data["texts"] if t["missing"]]
    names = [n for n in data["names"] if n["missing"]]
    if texts or names:
        remarks = [
            f"# {len(texts)} texts and {len(names)} names without a translation into `{data['language']}`. Write it",
            "# after each colon, in quotes, and keep the holes in { } as they are; then put the file into locale/.",
        ]
    else:
        remarks = [f"# every text and name has a translation into `{data['language']}`"]
    lines = [*remarks, "", "kind: locale", f"format: {get_newest_format()}", f"language: {data['language']}"]
    if texts:
        lines.append("texts:")
    before = ""
    for text in texts:
        if text["file"] != before:
            lines.append(f"  # {text['file']}")
        before = text["file"]
        lines.append(f"  {quote_text(text['text'])}:")
    if names:
        plain = (n["name"] for n in names)
        lines += ["names:", *(f"  {name if name.replace('_', 'a').isalnum() else quote_text(name)}:" for name in plain)]
    return lines
