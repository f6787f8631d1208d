"""Many options as short questions: first what, then each of its arguments in turn.

A menu is a value: the options that are still meant. Works for any ruleset; must not print or
choose anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.players.words import Words, cited
from interpreter.runtime.choices import Option

SHORT = 15  # so many options are listed whole


@dataclass(frozen=True, slots=True)
class Menu:
    """Options still meant; `name` and `given` are what has been settled on the way here."""

    options: tuple[Option, ...]
    name: str = ""
    given: tuple[tuple[str, Any], ...] = ()
    before: Menu | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer to a menu: its words, and where it leads. `value` is set where numbers are asked for."""

    words: str
    leads: Menu | Option
    typed: tuple[str, ...]
    cite: tuple[str, ...] = ()
    value: int | None = None


def first_menu(options: Sequence[Option]) -> Menu:
    """The menu a decision begins with."""
    return Menu(tuple(options))


def entries(menu: Menu, words: Words) -> list[Entry]:
    """The answers to a menu, in the order of the options."""
    if len(menu.options) <= SHORT:
        return _listed(menu, words)
    if not menu.name:
        names = list(dict.fromkeys(o.name for o in menu.options))
        if len(names) > 1:
            return [_by_name(menu, name, words) for name in names]
        menu = Menu(menu.options, names[0], (), menu.before)
    argument = _open_argument(menu)
    if argument is None:
        return [_whole(o, words) for o in menu.options]
    values = list(dict.fromkeys(_hashable(o.args[argument]) for o in menu.options))
    return [_by_value(menu, argument, value, words) for value in values]


def question(menu: Menu, words: Words) -> str:
    """What the entries of a menu answer; '' at the beginning."""
    if not menu.name:
        return ""
    settled = "".join(f", {n} {value_words(v, words)}" for n, v in menu.given)
    argument = _open_argument(menu) if len(menu.options) > SHORT else None
    asked = f"{argument.replace('_', ' ')}?" if argument else "which?"
    return f"{plain_name(menu.name)}{settled}: {asked}"


def entry_lines(found: Sequence[Entry]) -> list[str]:
    """Numbered lines; a run of numbers to choose from is told by its ends."""
    if found and all(e.value is not None for e in found):
        values = [e.value for e in found if e.value is not None]
        if values == list(range(values[0], values[-1] + 1)):
            return [f"  a number from {values[0]} to {values[-1]}"]
        return ["  one of " + ", ".join(str(v) for v in values)]
    width = len(str(len(found)))
    lines = []
    before: tuple[str, ...] | None = None
    for number, entry in enumerate(found, 1):
        rules = cited(entry.cite) if entry.cite != before else ""  # once for those that follow each other
        lines.append(f"  {str(number).rjust(width)}  {entry.words}{rules}")
        before = entry.cite
    return lines


def answer(menu: Menu, text: str, words: Words) -> Menu | Option | None:
    """Where a typed answer leads; None when it answers nothing."""
    found = entries(menu, words)
    by_number = _numbered(found, text)
    if by_number is not None:
        return by_number
    for option in menu.options:
        if _same(text, option.key):
            return option
    matching = [e for e in found if any(_same(text, t) for t in e.typed)]
    if len(matching) == 1:
        return matching[0].leads
    named = [o for o in menu.options if _same(text, o.name)]
    if len(named) == 1:
        return named[0]
    return Menu(tuple(named), named[0].name, (), menu) if named and len(named) < len(menu.options) else None


def option_words(option: Option, words: Words) -> str:
    """An option in a line: what it is, with the arguments that its label does not tell."""
    label = option.text(words.lang)
    told = [_argument_words(n, v, words) for n, v in option.args.items() if not _is_told(n, v, label, words)]
    name = plain_name(option.name)
    head = "" if name == "done" or name.casefold() in label.casefold() else f"{name}: "
    return f"{head}{label}{' (' + '; '.join(told) + ')' if told else ''}"


def _is_told(name: str, value: Any, label: str, words: Words) -> bool:
    if value is False or value is None:
        return True
    shown = plain_name(name) if value is True else value_words(value, words)
    return shown.casefold() in label.casefold()


def _argument_words(name: str, value: Any, words: Words) -> str:
    if value is True:
        return plain_name(name)
    shown = value_words(value, words)
    return shown if isinstance(value, str) and shown != plain_name(value) else f"{plain_name(name)} {shown}"


def value_words(value: Any, words: Words) -> str:
    """An argument in words."""
    if isinstance(value, list | tuple):
        return ", ".join(value_words(v, words) for v in value) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words.anything(value) if isinstance(value, str) else str(value)


def plain_name(name: str) -> str:
    """An option's or decision's name as words."""
    return name.replace("_", " ")


def _whole(option: Option, words: Words) -> Entry:
    typed = (option.key, option.text(words.lang), plain_name(option.name))
    return Entry(option_words(option, words), option, typed, option.cite)


def _listed(menu: Menu, words: Words) -> list[Entry]:
    """Every option in full; where only one argument tells them apart, its value alone names one too."""
    found = [_whole(o, words) for o in menu.options]
    argument = _open_argument(menu) if len({o.name for o in menu.options}) == 1 else None
    if argument is None:
        return found
    told = [value_words(o.args[argument], words) for o in menu.options]
    return [
        replace(e, typed=(*e.typed, t)) if told.count(t) == 1 else e for e, t in zip(found, told, strict=True)
    ]


def _by_name(menu: Menu, name: str, words: Words) -> Entry:
    own = tuple(o for o in menu.options if o.name == name)
    if len(own) == 1:
        return _whole(own[0], words)
    return Entry(
        f"{plain_name(name)} ({len(own)} ways)",
        Menu(own, name, (), menu),
        (name, plain_name(name)),
        own[0].cite,
    )


def _by_value(menu: Menu, argument: str, value: Any, words: Words) -> Entry:
    own = tuple(o for o in menu.options if _hashable(o.args[argument]) == value)
    told = value_words(value, words)
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if len(own) == 1:
        return Entry(told, own[0], (told, str(value)), (), number)
    return Entry(
        told, Menu(own, menu.name, (*menu.given, (argument, value)), menu), (told, str(value)), (), number
    )


def _open_argument(menu: Menu) -> str | None:
    """The first argument in which the options still differ."""
    for name in menu.options[0].args if menu.options else ():
        values = {_hashable(o.args.get(name)) for o in menu.options}
        if len(values) > 1 and all(name in o.args for o in menu.options):
            return name
    return None


def _numbered(found: Sequence[Entry], text: str) -> Menu | Option | None:
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 9:
        return None
    number = int(text)
    if found and all(e.value is not None for e in found):
        return next((e.leads for e in found if e.value == number), None)
    return found[number - 1].leads if 1 <= number <= len(found) else None


def _same(typed: str, known: str) -> bool:
    return " ".join(typed.casefold().split()) == " ".join(known.casefold().split()) != ""


def _hashable(value: Any) -> Any:
    return tuple(_hashable(v) for v in value) if isinstance(value, list) else value
