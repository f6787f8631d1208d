"""Record the form of documents and rules under the newest format's number: `python -m tests.formats.freeze`.

The form is what the schemas and the grammar allow, without descriptions, titles and examples. `forms.json` holds the
digest of each schema by the number of the format. Records nothing for a number that has digests already: a form that
has changed needs a new number (docs/decisions/035-formats.md). `--unreleased` records the newest number again: for a
format that no release has had yet.
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

from interpreter.documents.reading.formats import get_newest_format

ROOT = Path(__file__).resolve().parents[2]
FORMS = Path(__file__).resolve().parent / "forms.json"
_SILENT = ("title", "description", "examples", "markdownDescription", "$id", "$comment", "default")
_NAMED = ("properties", "$defs", "patternProperties", "dependentRequired")  # names below these are not keywords


def forms_now() -> dict[str, str]:
    """Return the digest of the form of each schema, and of the grammar."""
    found = {}
    for path in sorted((ROOT / "schemas").glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        form = without_words(json.loads(path.read_text(encoding="utf-8")))
        if name != "common":
            form["properties"].pop("format")  # it lists the numbers themselves
        found[name] = digest(json.dumps(form, sort_keys=True))
    grammar = (ROOT / "interpreter" / "language" / "rules.lark").read_text(encoding="utf-8")
    code = re.sub(r"(?m)^\s*//.*$|\s+//.*$", "", grammar)
    found["rules"] = digest(" ".join(code.split()))
    return found


def without_words(schema: Any, is_named: bool = False) -> Any:
    """Return a schema without the parts that are only for people."""
    if isinstance(schema, dict):
        return {
            key: without_words(value, not is_named and key in _NAMED)
            for key, value in schema.items()
            if is_named or key not in _SILENT
        }
    return [without_words(item) for item in schema] if isinstance(schema, list) else schema


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded digests by the number of the format."""
    found: dict[str, dict[str, str]] = json.loads(FORMS.read_text(encoding="utf-8"))
    return found


def main(words: list[str]) -> int:
    known, number = recorded() if FORMS.exists() else {}, str(get_newest_format())
    if number in known and known[number] != forms_now() and words != ["--unreleased"]:
        print(f"format {number} is recorded already; add a step in documents/reading/formats.py for a new number")
        return 1
    FORMS.write_text(json.dumps({**known, number: forms_now()}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"format {number} recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
