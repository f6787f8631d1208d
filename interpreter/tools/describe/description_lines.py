"""Format the data of `descriptions` as lines of text.

Uses nothing but this data, never the ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.play.lines import TextLine
from interpreter.tools.describe import chart_lines
from interpreter.tools.describe.chart_lines import SOURCES
from interpreter.tools.describe.chart_view import ChartView
from interpreter.tools.describe.value_format import format_cites

Data = dict[str, Any]
_NOT_PLAYED, _PLAYED = re.compile(r"not playing (\w+)"), re.compile(r"playing (\w+)")
_OF_GAME = re.compile(r"game\.(\w+)")
_TITLED, _TITLED_DEFAULT = _("{id} ({title})"), _("{id} ({title}; default)")


def format_overview(data: Data, say: Translator = ENGLISH, differences: Sequence[str] = ()) -> list[str]:
    """Format the overview of a ruleset. `differences`: the lines of a variant's differences from its base."""
    lines = [
        say("{id}: {title}, version {version}", id=data["id"], title=data["title"], version=data["version"])
        if data["version"]
        else say("{id}: {title}", id=data["id"], title=data["title"]),
        "",
    ]
    lines += [data["about"], ""] if data["about"] else []
    lines += [*differences, ""] if differences else []
    lines += _format_reconstructed(data["reconstructed"], say)
    sides = data["sides"]
    names = say.join_list(_format_name(m, say) for m in sides["members"])
    lines.append(say("{what}: {values}", what=say.translate_name(sides["word"], "kind"), values=names))
    lines.append(say("seats: {names}", names=say.join_list(_format_name(m, say) for m in data["seats"])))
    scenarios = [
        say(_TITLED_DEFAULT if s["default"] else _TITLED, id=s["id"], title=s["title"]) for s in data["scenarios"]
    ]
    lines.append(say("scenarios: {names}", names=say.join_list(scenarios)))
    if data["options"]:
        lines.append(say("options: {names}", names=say.join_list(_format_name(o, say) for o in data["options"])))
    lines.append(say("tables: {names}", names=say.join_list(data["tables"]) or say("none")))
    text = say("places: {places}; pieces: {pieces}; paragraphs of the rulebook: {paragraphs}", **data["counts"])
    return [*lines, text]


def format_map(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format each place: its kind and attributes, then its neighbours."""
    usual = _list_default_values(data["places"])
    lines = _format_attribute_notes(data["attributes"] + data["edge_attributes"], _("`{name}` of the map"), say)
    for place in data["places"]:
        if place["holding"]:
            continue
        lines.append(_format_values(_format_name(place, say), place["attributes"], usual, say))
        lines += format_source(place, say)
        if place["regions"]:
            lines.append(
                "  " + say("in {places}", places=say.join_list(say.translate_name(r) for r in place["regions"]))
            )
        lines += [_format_neighbour(n, say) for n in place["neighbours"]] or ["  " + say("no adjacent places")]
    off_map = [p for p in data["places"] if p["holding"]]
    if off_map:
        lines += ["", say("off the map:"), *(f"  {_format_name(p, say)}" for p in off_map)]
    return lines


def format_pieces(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format each class, then its pieces, grouped by identical initial values."""
    lines: list[str] = []
    for cls in data["classes"]:
        lines += [""] if lines else []
        title = say("class {name}", name=_format_name(cls, say)) + format_cites(cls["cite"])
        lines.append(title + (say("; identical pieces count as one in decisions") if cls["alike"] else ""))
        lines += format_source(cls, say)
        lines += _format_attribute_notes(cls["attributes"], _("its `{name}`"), say)
        usual = _list_default_values(cls["groups"])
        for group in cls["groups"]:
            ids = group["ids"]
            first, last = say.translate_name(ids[0]), say.translate_name(ids[-1])
            title = (
                first if len(ids) == 1 else say("{first} to {last} ({number})", first=first, last=last, number=len(ids))
            )
            values = {say("at"): group["at"], **group["attributes"]}
            lines.append("  " + _format_values(title, values, usual, say))
            lines += ["  " + line for line in format_source(group, say)]
    return lines


def format_things(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format the things of a kind, each with its attributes."""
    lines = [say("{what}:", what=say.translate_name(data["many"], "kind"))]
    lines += _format_attribute_notes(data["attributes"], _("their `{name}`"), say)
    for member in data["members"]:
        lines.append(f"  {_format_name(member, say)}")
        lines += ["  " + line for line in format_source(member, say)]
        if "members" in member:
            sides = say.join_list(say.translate_name(side) for side in member["members"])
            lines.append("    " + say("plays: {sides}", sides=sides or say("unassigned at the start")))
        lines += [
            "    " + say("{what}: {values}", what=say.translate_name(name), values=say.format_value(value))
            for name, value in member["attributes"].items()
        ]
    return lines


def format_tables(values: Sequence[Data], charts: Iterable[ChartView], say: Translator = ENGLISH) -> list[TextLine]:
    """Format the named numbers `values`, then every chart."""
    lines: list[TextLine] = []
    if values:
        lines.append(say("values:"))
        for value in values:
            name = _format_name(value, say) if say.names else value["id"]
            lines.append(f"  {name} = {say.format_value(value['value'])}{format_cites(value['cite'])}")
            lines += ["  " + line for line in format_source(value, say)]
    for view in charts:
        chart_text = chart_lines.format_chart(view, say)
        lines += ["", *chart_text] if lines else chart_text
    return lines


def format_source(data: Data, say: Translator) -> list[str]:
    """Return one indented line on the source or note of a datum; [] if it was printed and has no note."""
    return chart_lines.format_source(data["source"], data["note"], say)


def format_ladders(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format each ladder on a line, lowest rung first."""
    lines: list[str] = []
    for ladder in data["ladders"]:
        rungs = " < ".join(_format_name(r, say) for r in ladder["rungs"])
        name = _format_name(ladder, say) + format_cites(ladder["cite"])
        lines.append(say("{what}: {values}", what=name, values=rungs))
        lines += format_source(ladder, say)
    return lines or [say("no ladders")]


def format_scenarios(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format each scenario: title, summary, source, length, options and position. `data`: from `describe_scenarios`."""
    lines: list[str] = []
    for scenario in data["scenarios"]:
        lines += [""] if lines else []
        title = say("{id}: {title}", id=scenario["id"], title=scenario["title"])
        lines.append(title + (say(" (default)") if scenario["default"] else ""))
        lines += [f"  {scenario['about']}"] if scenario["about"] else []
        lines += format_source(scenario, say)
        if scenario["turns"]:
            lines.append("  " + say("length: {number} (turn|turns)", number=scenario["turns"]))
        if scenario["options"]:
            lines.append("  " + say("options: {names}", names=say.format_value(scenario["options"])))
        lines += _format_player_texts(scenario, say)
        lines += _format_position(scenario["position"], say)
    return lines or [say("no scenarios")]


def format_options(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format each optional rule with the way to select it."""
    lines: list[str] = []
    for option in data["options"]:
        name = _format_name(option, say) + format_cites(option["cite"])
        lines.append(say("{what}: {values}", what=name, values=_describe_flag(option, say)))
        if option["needs"]:
            lines.append("  " + say("needs {options}", options=say.join_list(option["needs"])))
        if option["excludes"]:
            lines.append("  " + say("excludes {options}", options=say.join_list(option["excludes"])))
        lines += ["  " + text for text in describe_exchanges(option, say)]
        lines += format_source(option, say)
        lines += _format_player_texts(option, say)
    return lines or [say("no options")]


def describe_exchanges(option: Data, say: Translator) -> list[str]:
    """Return a sentence for each pair of things that exchange their names while an option is in use."""
    pairs = [(first["label"], second["label"]) for first, second in option["exchanges"]]
    return [say("{one} and {other} exchange names", one=first, other=second) for first, second in pairs]


def _format_player_texts(data: Data, say: Translator) -> list[str]:
    """Return lines with a scenario's texts for players: aims, scoring and the end of the game."""
    texts = []
    for entry in data["told"]:
        text = entry["text"] + format_cites(entry["cite"])
        texts.append("  " + (say("{what}: {values}", what=entry["label"], values=text) if entry["seat"] else text))
    return texts


def format_rulebook(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format the paragraphs of the rulebook, separated by empty lines."""
    lines: list[str] = []
    for paragraph in data["paragraphs"]:
        paragraph_lines = format_paragraph(paragraph, say)
        lines += ["", *paragraph_lines] if lines else paragraph_lines
    return lines or [say("no rulebook")]


def format_paragraph(data: Data, say: Translator = ENGLISH) -> list[str]:
    """Format a paragraph with its number, title and text."""
    sort = say(" (ruling)") if data["ruling"] else ""
    title = "" if data["title"] == data["id"] else f"  {data['title']}"
    lines = [f"{data['id']}{title}{sort}", f"  {data['text']}"]
    if data["replaced_when"]:
        condition = format_condition(data["replaced_when"], say)
        lines.append("  " + say("not in effect while: {condition}", condition=condition))
    return lines


def format_condition(text: str, say: Translator) -> str:
    """Return a condition of the rules with names for options and game values, and words for `and` and `or`.

    If the translator knows no names, return the text unchanged.
    """
    if not say.names:
        return text
    text = _NOT_PLAYED.sub(lambda match: say("without `{option}`", option=say.translate_name(match[1])), text)
    text = _PLAYED.sub(lambda match: say("with `{option}`", option=say.translate_name(match[1])), text)
    text = text.replace(" and ", say(" and also ")).replace(" or ", say(" or else "))
    return _OF_GAME.sub(lambda match: say.translate_name(match[1]), text)


def _format_reconstructed(entries: list[Data], say: Translator) -> list[str]:
    """Format the notes on whole reconstructed documents, and the number of reconstructed values in each part.

    `entries`: the reconstructed entries, each with "what" (a document, or a path with dots) and "note".
    """
    if not entries:
        return []
    whole_documents = [e for e in entries if "." not in e["what"]]
    lines = [say("{source}: {note}", source=say("reconstructed"), note=e["note"] or e["what"]) for e in whole_documents]
    parts: dict[str, int] = {}
    for entry in entries:
        part, parted, _ = entry["what"].rpartition(".")
        if parted:
            parts[part] = parts.get(part, 0) + 1
    if parts:
        text = say(", ").join(f"{part} ({number})" for part, number in parts.items())
        lines.append(say("marked as reconstructed, each with a note: {parts}", parts=text))
    return [*lines, ""]


def _describe_flag(option: Data, say: Translator) -> str:
    if option["type"] == "split":
        text = _("--option {name}=N or GROUP/GROUP, divides {seat} among up to {number} seats")
        return say(text, name=option["id"], seat=say.translate_name(option["splits"]), number=len(option["into"]))
    if option["type"] == "choice":
        values, default = "|".join(option["values"]), option["default"]
        return say("--option {name}={values} (default {default})", name=option["id"], values=values, default=default)
    return f"--option {option['id']}" + (say(" (on by default)") if option["default"] else "")


def _format_position(position: Data, say: Translator) -> list[str]:
    lines = []
    for group in position["groups"]:
        what = say.join_list(say.format_value(v) for v in group["attributes"].values())
        lines.append((say.translate_name(group["at"]), f"{group['number']} {what}".rstrip()))
    lines += [(say.translate_name(piece), say.format_value(values)) for piece, values in position["pieces"].items()]
    for many, things in position["things"].items():
        lines += [
            (f"{say.translate_name(many, 'kind')}: {say.translate_name(thing)}", say.format_value(values))
            for thing, values in things.items()
        ]
    lines += [(say.translate_name(name), say.format_value(value)) for name, value in position["game"].items()]
    return ["  " + say("{what}: {values}", what=what, values=values) for what, values in lines]


def _format_neighbour(neighbour: Data, say: Translator) -> str:
    values = say.join_list(
        say.format_value(v) for v in neighbour["attributes"].values() if v not in (None, False, "", [])
    )
    line = say("touches {place}", place=say.translate_name(neighbour["id"]))
    text = say("{what}: {values}", what=line, values=values) if values else line
    return f"  {text}{_format_source_remark(neighbour, say)}"


def _format_source_remark(data: Data, say: Translator) -> str:
    """Return "(reconstructed: why)" for a value that was not printed, or '' for a printed one."""
    if data["source"] not in SOURCES:
        return ""
    source = say(SOURCES[data["source"]])
    text = say("{source}: {note}", source=source, note=data["note"]) if data["note"] else source
    return f" ({text})"


def _format_attribute_notes(attributes: list[Data], template: str, say: Translator) -> list[str]:
    """Return lines on the source of each attribute that was not printed.

    `template`: a template of the interface that introduces an attribute, such as "its `{name}`"; `name` is the
    attribute.
    """
    return [
        f"  {say(template, name=say.translate_name(a['id']))} {line.strip()}"
        for a in attributes
        if a["source"] != "printed"
        for line in format_source(a, say)
    ]


def _format_values(title: str, values: Data, usual: Data, say: Translator) -> str:
    parts = [
        f"{say.translate_name(n)} {say.format_value(v)}" for n, v in values.items() if n not in usual or usual[n] != v
    ]
    return say("{what}: {values}", what=title, values=say.join_list(parts)) if parts else title


def _list_default_values(entries: list[Data]) -> Data:
    """Return the empty value (None, False, 0, "" or []) of each attribute that is empty in some entry.

    `entries`: things with their "attributes".
    """
    names = [n for e in entries for n in e["attributes"]]
    usual: Data = {}
    for name in dict.fromkeys(names):
        values = [e["attributes"][name] for e in entries if name in e["attributes"]]
        empty = [v for v in values if v in (None, False, "", [], 0)]
        if empty:
            usual[name] = empty[0]
    return usual


def _format_name(entry: Data, say: Translator) -> str:
    label = entry.get("label") or ""
    if say.names and label in ("", entry["id"]):
        label = say.translate_name(entry["id"])
    same = label.lower().replace(" ", "_").replace("-", "_") == entry["id"].lower().replace("-", "_")
    return f"{label} ({entry['id']})" if label and not same else entry["id"]
