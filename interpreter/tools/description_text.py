"""The data of `descriptions` in words, line by line.

Must not look at a ruleset: what is not in the data is not said.
"""

from __future__ import annotations

from typing import Any

from interpreter.tools.charts import authority_lines, table_lines
from interpreter.tools.values import data_text

Data = dict[str, Any]


def overview_lines(data: Data) -> list[str]:
    """The front page of a ruleset."""
    lines = [f"{data['id']}: {data['title']}, version {data['version']}", ""]
    lines += [data["about"], ""] if data["about"] else []
    lines += _reconstructed_lines(data["reconstructed"])
    sides = data["sides"]
    lines.append(f"{sides['word']}: " + ", ".join(_name(m) for m in sides["members"]))
    lines.append("seats: " + ", ".join(_name(m) for m in data["seats"]))
    lines.append(
        "scenarios: "
        + ", ".join(
            f"{s['id']} ({s['title']}{'; default' if s['default'] else ''})" for s in data["scenarios"]
        )
    )
    if data["options"]:
        lines.append("options: " + ", ".join(_name(o) for o in data["options"]))
    lines.append("tables: " + (", ".join(data["tables"]) or "none"))
    counts = data["counts"]
    lines.append(
        f"places: {counts['places']}; pieces: {counts['pieces']}; "
        f"paragraphs of the rulebook: {counts['paragraphs']}"
    )
    return lines


def map_lines(data: Data) -> list[str]:
    """Each place: what it is, then whom it touches."""
    usual = _commonest(data["places"])
    lines = _attribute_notes(data["attributes"] + data["edge_attributes"], "the map's")
    for place in data["places"]:
        if place["holding"]:
            continue
        lines.append(_with_values(_name(place), place["attributes"], usual))
        lines += authority_lines(place)
        if place["regions"]:
            lines.append(f"  in {', '.join(place['regions'])}")
        lines += [_neighbour(n) for n in place["neighbours"]] or ["  touches nothing"]
    off_map = [p for p in data["places"] if p["holding"]]
    if off_map:
        lines += ["", "off the map:", *(f"  {_name(p)}" for p in off_map)]
    return lines


def pieces_lines(data: Data) -> list[str]:
    """Each class, then its pieces by groups that begin alike."""
    lines: list[str] = []
    for cls in data["classes"]:
        lines += [""] if lines else []
        alike = "; those alike are one in decisions" if cls["alike"] else ""
        lines.append(f"class {_name(cls)}{_cited(cls)}{alike}")
        lines += authority_lines(cls)
        lines += _attribute_notes(cls["attributes"], "its")
        usual = _commonest(cls["groups"])
        for group in cls["groups"]:
            ids = group["ids"]
            title = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]} ({len(ids)})"
            shown = {"at": group["at"], **group["attributes"]}
            lines.append("  " + _with_values(title, shown, usual))
            lines += ["  " + line for line in authority_lines(group)]
    return lines


def things_lines(data: Data) -> list[str]:
    """The things of a kind, each with its attributes."""
    lines = [f"{data['many']}:"]
    lines += _attribute_notes(data["attributes"], "their")
    for member in data["members"]:
        lines.append(f"  {_name(member)}")
        lines += ["  " + line for line in authority_lines(member)]
        if "members" in member:
            lines.append(f"    plays: {', '.join(member['members']) or 'nobody at the start'}")
        lines += [f"    {name}: {data_text(value)}" for name, value in member["attributes"].items()]
    return lines


def tables_lines(data: Data) -> list[str]:
    """The named numbers, then every chart."""
    lines: list[str] = []
    if data["values"]:
        lines.append("values:")
        for value in data["values"]:
            lines.append(f"  {value['id']} = {data_text(value['value'])}{_cited(value)}")
            lines += ["  " + line for line in authority_lines(value)]
    for table in data["tables"]:
        lines += ["", *table_lines(table)] if lines else table_lines(table)
    return lines


def ladders_lines(data: Data) -> list[str]:
    """Each ladder on a line, lowest rung first."""
    lines: list[str] = []
    for ladder in data["ladders"]:
        lines.append(f"{_name(ladder)}{_cited(ladder)}: " + " < ".join(_name(r) for r in ladder["rungs"]))
        lines += authority_lines(ladder)
    return lines or ["no ladders"]


def scenarios_lines(data: Data) -> list[str]:
    """Each scenario: what it is about and what it sets up."""
    lines: list[str] = []
    for scenario in data["scenarios"]:
        lines += [""] if lines else []
        lines.append(f"{scenario['id']}: {scenario['title']}{' (default)' if scenario['default'] else ''}")
        lines += [f"  {scenario['about']}"] if scenario["about"] else []
        lines += authority_lines(scenario)
        if scenario["turns"]:
            lines.append(f"  length: {scenario['turns']} turns")
        if scenario["options"]:
            lines.append(f"  options: {data_text(scenario['options'])}")
        lines += _position_lines(scenario["position"])
    return lines or ["no scenarios"]


def options_lines(data: Data) -> list[str]:
    """Each optional rule and how it is asked for."""
    lines: list[str] = []
    for option in data["options"]:
        lines.append(f"{_name(option)}{_cited(option)}: {_how_asked(option)}")
        for word in ("needs", "excludes"):
            if option[word]:
                lines.append(f"  {word} {', '.join(option[word])}")
        lines += authority_lines(option)
    return lines or ["no options"]


def rulebook_lines(data: Data) -> list[str]:
    """The paragraphs, one after another."""
    lines: list[str] = []
    for paragraph in data["paragraphs"]:
        lines += ["", *paragraph_lines(paragraph)] if lines else paragraph_lines(paragraph)
    return lines or ["no rulebook"]


def paragraph_lines(data: Data) -> list[str]:
    """A paragraph with its number, title and text."""
    sort = " (ruling)" if data["ruling"] else ""
    lines = [f"{data['id']}  {data['title']}{sort}", f"  {data['text']}"]
    if data["replaced_when"]:
        lines.append(f"  not in force while: {data['replaced_when']}")
    return lines


def _reconstructed_lines(entries: list[Data]) -> list[str]:
    """The notes on whole documents, and how many single values there are in each part."""
    if not entries:
        return []
    whole = [e for e in entries if "." not in e["what"]]
    lines = [f"reconstructed: {e['note'] or e['what']}" for e in whole]
    parts: dict[str, int] = {}
    for entry in entries:
        part, parted, _ = entry["what"].rpartition(".")
        if parted:
            parts[part] = parts.get(part, 0) + 1
    if parts:
        told = ", ".join(f"{part} ({number})" for part, number in parts.items())
        lines.append(f"marked as reconstructed, each with a note where it is shown: {told}")
    return [*lines, ""]


def _how_asked(option: Data) -> str:
    if option["type"] == "split":
        parted = f"parts {option['splits']} among {len(option['into'])} seats"
        return f"--option {option['id']}=N or GROUP/GROUP, {parted}"
    if option["type"] == "choice":
        return f"--option {option['id']}=" + "|".join(option["values"]) + f" (default {option['default']})"
    return f"--option {option['id']}" + (" (on by default)" if option["default"] else "")


def _position_lines(position: Data) -> list[str]:
    lines = []
    for group in position["groups"]:
        what = ", ".join(data_text(v) for v in group["attributes"].values())
        lines.append(f"  {group['at']}: {group['number']} {what}".rstrip())
    lines += [f"  {piece}: {data_text(values)}" for piece, values in position["pieces"].items()]
    for many, things in position["things"].items():
        lines += [f"  {many}: {thing}: {data_text(values)}" for thing, values in things.items()]
    lines += [f"  {name}: {data_text(value)}" for name, value in position["game"].items()]
    return lines


def _neighbour(neighbour: Data) -> str:
    values = ", ".join(
        data_text(v) for v in neighbour["attributes"].values() if v not in (None, False, "", [])
    )
    mark = ""
    if neighbour["source"] in ("reconstructed", "inferred"):
        mark = f" ({neighbour['source']}{': ' + neighbour['note'] if neighbour['note'] else ''})"
    return f"  touches {neighbour['id']}{': ' + values if values else ''}{mark}"


def _attribute_notes(attributes: list[Data], whose: str) -> list[str]:
    return [
        f"  {whose} `{a['id']}` {line.strip()}"
        for a in attributes
        if a["source"] != "printed"
        for line in authority_lines(a)
    ]


def _with_values(title: str, values: Data, usual: Data) -> str:
    told = [f"{n} {data_text(v)}" for n, v in values.items() if n not in usual or usual[n] != v]
    return f"{title}: {', '.join(told)}" if told else title


def _commonest(entries: list[Data]) -> Data:
    """Attribute values that say nothing: flags that are off, nothing at all, zero."""
    names = [n for e in entries for n in e["attributes"]]
    usual: Data = {}
    for name in dict.fromkeys(names):
        values = [e["attributes"][name] for e in entries if name in e["attributes"]]
        empty = [v for v in values if v in (None, False, "", [], 0)]
        if empty:
            usual[name] = empty[0]
    return usual


def _name(entry: Data) -> str:
    label = entry.get("label") or ""
    same = label.lower().replace(" ", "_").replace("-", "_") == entry["id"].lower().replace("-", "_")
    return f"{label} ({entry['id']})" if label and not same else entry["id"]


def _cited(entry: Data) -> str:
    return f" [{', '.join(entry['cite'])}]" if entry["cite"] else ""
