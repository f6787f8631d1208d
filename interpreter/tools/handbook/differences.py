"""What a variant changes in its base, value by value and statement by statement.

Must not judge what a change means in play.
"""

from __future__ import annotations

from typing import Any

from interpreter.documents.listing import Leaf, resolved_listing
from interpreter.documents.target import base_of
from interpreter.documents.trees import Trees, read_trees
from interpreter.language import syntax as s
from interpreter.language.parsing import parse_module
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import ENGLISH, Say

Data = dict[str, Any]


def differences_data(target: str) -> Data | None:
    """What differs, as plain data; None for a target that is no variant or cannot be read."""
    base = base_of(target)
    if base is None:
        return None
    ours, theirs = read_trees(target, Sink()), read_trees(base, Sink())
    if ours is None or theirs is None:
        return None
    now = _leaves(ours)
    return {"values": _values(_by_heading(_leaves(theirs), now), now), "rules": _statements(ours, len(theirs.changes))}


def _leaves(trees: Trees) -> dict[str, Leaf]:
    return {leaf.path: leaf for leaves in resolved_listing(trees).values() for leaf in leaves}


def _by_heading(before: dict[str, Leaf], now: dict[str, Leaf]) -> dict[str, Leaf]:
    """What was before, the cells of a row that a variant turned from a list into a mapping under their headings."""
    listed: dict[str, list[str]] = {}
    for path in before:
        if path.endswith("]") and path not in now:
            listed.setdefault(path.rpartition("[")[0], []).append(path)
    names: dict[str, str] = {}
    for row, cells in listed.items():
        headed = [path for path in now if path.startswith(row + ".")]
        if len(headed) == len(cells):
            names.update(zip(cells, headed, strict=True))
    return {names.get(path, path): leaf for path, leaf in before.items()}


def _values(before: dict[str, Leaf], now: dict[str, Leaf]) -> list[Data]:
    found: dict[tuple[str, str], Data] = {}
    for path, leaf in now.items():
        old = before.get(path)
        if old is None:
            entry = _first_unknown(path, before)
            found.setdefault(("new", entry), {"what": "new", "path": entry, "file": leaf.file, "line": leaf.line})
        elif (old.value, type(old.value)) != (leaf.value, type(leaf.value)):
            found["changed", path] = {
                "what": "changed",
                "path": path,
                "was": old.value,
                "is": leaf.value,
                "file": leaf.file,
                "line": leaf.line,
            }
    for path in before:
        if path not in now:
            entry = _first_unknown(path, now)
            found.setdefault(("gone", entry), {"what": "gone", "path": entry})
    return list(found.values())


def _first_unknown(path: str, known: dict[str, Leaf]) -> str:
    """The shortest beginning of a path under which the other side has nothing."""
    parts = path.split(".")
    for number in range(1, len(parts)):
        head = ".".join(parts[:number])
        if not any(k == head or k.startswith((head + ".", head + "[")) for k in known):
            return head
    return path


def changed_rules(trees: Trees) -> list[Data]:
    """What the variants on the way, the innermost first, replace, take away, add or bring: each with file and line."""
    return _statements(trees, 0)


def _statements(trees: Trees, skipped: int) -> list[Data]:
    found = []
    for source in trees.changes[skipped:]:
        module = parse_module(source, Sink())
        for item in module.items if module else ():
            if isinstance(item, s.Change):
                what, path = _change(item)
            else:
                what, path = "new", getattr(item, "name", getattr(item, "event", ""))
            found.append({"what": what, "path": path, "file": item.span.file, "line": item.span.line})
    return found


def _change(item: s.Change) -> tuple[str, str]:
    """What a statement does, as it is written, and to what."""
    added = getattr(item.content[0], "name", "") if item.content else ""
    match item.sort.split():
        case ["add", where] if where in ("before", "after"):
            return f"add phase {added} {where}", item.path[-1]
        case ["move", where]:
            return f"move phase {item.path[0]} {where}", item.path[-1]
    return item.sort, ".".join(item.path)


def _shown(value: None | bool | int | str) -> str:
    """A value as a document writes it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def differences_lines(data: Data, base: str, say: Say = ENGLISH) -> list[str]:
    """The same in words."""
    lines = [say("what differs from {base}:", base=base)]
    for value in data["values"]:
        match value["what"]:
            case "changed":
                lines.append(
                    "  "
                    + say(
                        "{path}: {was} → {now}", path=value["path"], was=_shown(value["was"]), now=_shown(value["is"])
                    )
                )
            case "new":
                lines.append("  " + say("new: {path}", path=value["path"]))
            case _:
                lines.append("  " + say("taken away: {path}", path=value["path"]))
    lines += ["  " + say("in the rules: {what}", what=f"{rule['what']} {rule['path']}") for rule in data["rules"]]
    return lines if len(lines) > 1 else [*lines, "  " + say("nothing")]
