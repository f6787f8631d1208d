"""Answers to what a player asks beside his choice: why not, what a rule says, what is where.

Nothing here changes the game. Must not print.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from interpreter.players.plain.menus import plain_name
from interpreter.players.plain.position import place_lines
from interpreter.players.plain.telling import Teller, events_since
from interpreter.players.words import Words, cited
from interpreter.runtime.choices import Decision
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.session import Game
from interpreter.source.suggestion import did_you_mean

HELP = """\
to choose: type the number of an option, its name, or its key such as name(place, 2)
  options          show the options again            back       go back to the question before
  why OPTION ...   why an option is not among them   steps      build a path step by step, where one is asked
  position         the whole position                look PLACE one place and whom it touches
  rule NUMBER      what a rule says                  log [N]    the last N things that happened
  undo, redo       take back, do again               save [FILE] keep the game in a file
  help             this                              quit       stop; the game can be resumed"""

_MOST_LOG = 1000


def why_lines(text: str, decision: Decision, game: Game, words: Words) -> list[str]:
    """Why an option is not legal: each reason with its rule."""
    choices = choice_params(decision, words)
    name, given = _read_option(text)
    known = [c for c in choices if plain_name(c).casefold() == plain_name(name).casefold()]
    if not known:
        hint = did_you_mean(name, choices) if name else ""
        return [
            f"why what? this decision has the options {', '.join(choices)}" + (f"; {hint}" if hint else "")
        ]
    name = known[0]
    params = choices[name]
    if not given and params:
        return [f"why {name} with what? write: why {name} " + " ".join(f"{p}=..." for p in params)]
    args = _read_args(given, params, words)
    if isinstance(args, str):
        return [args]
    try:
        reasons = game.why_not(name, **args)
    except IllegalAction as refused:
        return [refused.message, *(f"  {r}" for r in refused.reasons)]
    except (ValueError, TypeError, KeyError) as problem:
        return [f"this cannot be judged: {problem}"]
    if not reasons:
        return ["nothing stands against it: it is legal now"]
    return ["not legal:", *(f"  {r.text}{cited(r.cite)}" for r in reasons)]


def choice_params(decision: Decision, words: Words) -> dict[str, list[str]]:
    """The names of everything a decision could offer, legal or not, with their parameters."""
    for described in words.data["decisions"]:
        if described["name"] == decision.name and described["address"] == decision.address:
            choices = described["choices"]
            if described["draft"]:
                choices = words.data["drafts"].get(described["draft"], {}).get("steps", [])
            found = {c["name"]: [p["name"] for p in c["params"]] for c in choices}
            if described["until_done"]:
                found["done"] = []
            return found
    return {o.name: list(o.args) for o in decision.options}


def rule_lines(number: str, words: Words) -> list[str]:
    """What a rule says."""
    book = words.data["rulebook"]
    number = number.strip().strip("[]")
    if not number:
        return ["which rule? write: rule NUMBER, with a number as it stands in [brackets]"]
    if number in book:
        paragraph = book[number]
        return [f"{number}  {words.label(paragraph['title'])}", f"  {words.label(paragraph['text'])}"]
    below = [p for p in book if p.startswith((number + "-", number + "."))]
    if below:
        return [f"{p}  {words.label(book[p]['title'])}" for p in below[:20]]
    hint = did_you_mean(number, book)
    return [f"there is no rule {number}" + (f"; {hint}" if hint else "")]


def look_lines(text: str, game: Game, words: Words) -> list[str]:
    """One place; or what went wrong in naming it."""
    if not text:
        return ["look at what? write: look PLACE"]
    place = words.find(["place"], text)
    if place is not None:
        return place_lines(place, game.view(), words)
    known = [words.thing("place", t["id"]) for t in words.kind("place")["things"]]
    hint = did_you_mean(text, [*known, *(t["id"] for t in words.kind("place")["things"])])
    return [f"there is no place `{text}`" + (f"; {hint}" if hint else "")]


def log_lines(text: str, game: Game, words: Words) -> list[str]:
    """The last things that happened; 20 unless told."""
    if text and not (text.isascii() and text.isdigit()):
        return ["how many? write: log N"]
    number = min(int(text[:6]) if text else 20, _MOST_LOG)
    lines = [line for line in Teller(words).lines(events_since(game, 0)) if line]
    return lines[-number:] if number else []


def _read_option(text: str) -> tuple[str, list[str]]:
    """An option's name and its arguments, from "name(a, b)", "name a b" or "name x=a y=b"."""
    call = re.fullmatch(r"\s*([\w ]+?)\s*\((.*)\)\s*", text)
    if call:
        return call[1], [part.strip() for part in call[2].split(",") if part.strip()]
    name, _, rest = text.strip().partition(" ")
    parts = rest.split(",") if "," in rest else re.findall(r"\w+\s*=\s*[^=]+(?=\s+\w+\s*=|$)|\S+", rest)
    return name, [part.strip() for part in parts if part.strip()]


def _read_args(given: Sequence[str], params: Sequence[str], words: Words) -> dict[str, Any] | str:
    """Arguments by name; a sentence when they cannot be told apart."""
    args: dict[str, Any] = {}
    for n, part in enumerate(given):
        name, parted, value = part.partition("=")
        if not parted:
            if n >= len(params):
                return f"too many arguments: it takes {', '.join(params) or 'none'}"
            name, value = params[n], part
        name = name.strip()
        if name not in params:
            return f"it has no `{name}`; it takes {', '.join(params) or 'nothing'}"
        args[name] = _value(value.strip(), words)
    missing = [p for p in params if p not in args]
    if missing:
        return f"say also {', '.join(f'{p}=...' for p in missing)}"
    return args


def _value(text: str, words: Words) -> Any:
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 9:
        return int(text)
    if text.lower() in ("yes", "no", "true", "false"):
        return text.lower() in ("yes", "true")
    return words.find_anything(text) or text
