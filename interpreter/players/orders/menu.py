"""Menus: split many options into short questions, first the name and then each argument in turn.

A menu is an immutable value. Works for any ruleset; prints and chooses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics.terminal_text import measure_cells, quote_typed
from interpreter.i18n.number_format import format_number
from interpreter.i18n.translator import format_number_range
from interpreter.play.lines import TextLine, cite_few
from interpreter.players.orders.matching import Choosable, get_kind
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.players.orders.route_planning import Route
from interpreter.runtime.decisions import Option
from interpreter.runtime.localizer import Localizer

_MAX_LISTED = 15  # at most this many options of one name are listed individually
_MAX_LISTED_MIXED = 9  # at most this many of several names
_MAX_LISTED_BESIDE_OTHERS = 4  # at most this many of one name are listed individually beside others
_NAMED = 8  # at most this many values are named in an entry for many options
_MAX_UNCOLUMNED = 9  # more entries than these are laid out in columns if they are short
_LINE = 76  # width in cells of a row of columns
_MAX_RULES = 3  # rules cited per entry
_LETTERS = 2  # an argument with a name this short is called by its kind


@dataclass(frozen=True, slots=True)
class Menu:
    """The options, or routes of several choices, that are still possible.

    `name`, `selected`: the option name and the arguments already selected. `parent`: the menu from which this one was
    reached, or None.
    """

    options: tuple[Choosable, ...]
    name: str = ""
    selected: tuple[tuple[str, Any], ...] = ()
    parent: Menu | None = None


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu: its `text`, and the option or submenu `target` that it selects.

    `typed`: the texts that select it; `value`: the number it means, if a number is asked for.
    """

    text: str
    target: Menu | Choosable
    typed: tuple[str, ...]
    cite: tuple[str, ...] = ()
    value: int | None = None


def list_entries(menu: Menu, name_index: NameIndex) -> list[MenuEntry]:
    """Return the entries of a menu, in the order of the options."""
    if _is_short(menu):
        return _list_option_entries(menu, name_index)
    if not menu.name:
        names = list(dict.fromkeys(o.name for o in menu.options))
        if len(names) > 1:
            return [entry for name in names for entry in _list_entries_for_name(menu, name, name_index)]
        menu = Menu(menu.options, names[0], (), menu.parent)
    argument = _open_argument(menu)
    if argument is None:
        return [_build_option_entry(o, name_index) for o in menu.options]
    by_value: dict[Any, list[Choosable]] = {}
    for option in menu.options:
        by_value.setdefault(_to_hashable(option.args[argument]), []).append(option)
    if len(by_value) > _MAX_LISTED and all(isinstance(o.args[argument], list | tuple) for o in menu.options):
        return _list_member_entries(menu, argument, name_index)
    entries = [_build_value_entry(menu, argument, value, tuple(own), name_index) for value, own in by_value.items()]
    return _add_all_entry(entries, name_index.localizer)


def _add_all_entry(entries: list[MenuEntry], localizer: Localizer) -> list[MenuEntry]:
    """Make `all` select the largest number if all entries are numbers; otherwise return the entries unchanged."""
    numbers = [e.value for e in entries if e.value is not None]
    if len(numbers) < len(entries) or not numbers:
        return entries
    return [
        replace(e, typed=(*e.typed, "all", localizer.say("all"))) if e.value == max(numbers) else e for e in entries
    ]


def find_root(menu: Menu) -> Menu:
    """Return the root menu from which a submenu was reached."""
    while menu.parent is not None:
        menu = menu.parent
    return menu


def skip_single_questions(menu: Menu, name_index: NameIndex) -> Menu:
    """Return the menu or a menu below it, so that questions with a single answer are skipped."""
    entries = list_entries(menu, name_index)
    while len(entries) == 1 and isinstance(target := entries[0].target, Menu) and len(target.options) > 1:
        menu = replace(target, parent=menu.parent)
        entries = list_entries(menu, name_index)
    return menu


def _is_short(menu: Menu) -> bool:
    """Return whether a menu is short enough to list every option; the limit is lower for options of several names."""
    number = len(menu.options)
    return number <= _MAX_LISTED_MIXED or number <= _MAX_LISTED and len({o.name for o in menu.options}) == 1


def render_several_matches(text: str, menu: Menu, localizer: Localizer) -> str:
    """Render the line above a menu of all options that match the typed words.

    The line gives the number of options if the menu groups them.
    """
    if _is_short(menu):
        return localizer.say("`{text}` matches several options:", text=quote_typed(text))
    number = len(menu.options)
    return localizer.say("`{text}` matches {number} options; they differ in:", text=quote_typed(text), number=number)


def render_question(menu: Menu, name_index: NameIndex) -> str:
    """Render the question that the entries of a menu answer, or '' for the root menu."""
    if not menu.name:
        return ""
    localizer = name_index.localizer
    shows = menu.options[0].shows
    settled = [_format_argument(n, v, get_kind(shows.get(n)), localizer) for n, v in menu.selected]
    argument = None if _is_short(menu) else _open_argument(menu)
    question = localizer.say("which?")
    if argument:
        question = _render_argument_question(argument, menu.name, get_kind(shows.get(argument)), localizer)
    return localizer.prefix_topic(localizer.join_list([name_index.find_option_name(menu.name), *settled]), question)


def _render_argument_question(argument: str, option: str, kind: str, localizer: Localizer) -> str:
    """Render an argument as a question; an argument with a one-letter name is called by its kind."""
    called = localizer.translate_name(argument, option)
    if called == argument and len(argument) <= _LETTERS and kind:
        return localizer.say("which {what}?", what=localizer.translate_name(localizer.get_kind(kind)["one"], "kind"))
    return localizer.say("{what}?", what=called)


def render_entries(
    entries: Sequence[MenuEntry], localizer: Localizer, below: Sequence[str] = (), room: int = 0
) -> Sequence[TextLine]:
    """Render the entries as numbered lines; consecutive numbers to choose from are given as a range.

    `below`: a line under each entry, '' for none; `room`: the width in cells, 0 for unlimited.
    """
    if entries and all(e.value is not None for e in entries):
        values, every = [e.value for e in entries if e.value is not None], localizer.say("all")
        if values == list(range(values[0], values[-1] + 1)):
            numbers = format_number_range(values[0], values[-1], localizer.say)
            return ["  " + localizer.say("{numbers}, or `{all}`", numbers=numbers, all=every)]
        numbers = ", ".join(str(v) for v in values)
        return ["  " + localizer.say("one of {numbers}, or `{all}`", numbers=numbers, all=every)]
    width = len(str(len(entries)))
    if len(entries) > _MAX_UNCOLUMNED and not any(e.cite for e in entries) and not any(below):
        return _layout_columns([f"{str(number).rjust(width)}  {e.text}" for number, e in enumerate(entries, 1)], room)
    lines: list[TextLine] = []
    before: tuple[str, ...] | None = None
    for number, entry in enumerate(entries, 1):
        cites = entry.cite if entry.cite != before else ()  # once for consecutive entries with the same rules
        lines.append(cite_few(f"{str(number).rjust(width)}  {entry.text}", cites, _MAX_RULES, level=1))
        if below and below[number - 1]:
            lines.append(f"  {' ' * width}    {below[number - 1]}")
        before = entry.cite
    return lines


def format_after_colon(question: str, localizer: Localizer) -> str:
    """Return a question as it continues after a colon: "Red: which unit is next?".

    Its first letter becomes small unless the first word begins a name of the ruleset, or is not an ordinary word.
    """
    first = question.partition(" ")[0]
    is_ordinary = len(first) > 1 and first[0].isupper() and first[1:].islower() and first.isalpha()
    if not is_ordinary or any(name.split(" ")[0] == first for name in localizer.iter_names()):
        return question
    return first[0].lower() + question[1:]


def _layout_columns(cells: Sequence[str], room: int) -> list[str]:
    """Lay out short entries in as many columns as fit `room` cells (0: a default width), at least one."""
    widest = max(measure_cells(cell) for cell in cells)
    across = max(1, (min(_LINE, room - 2 if room else _LINE) + 3) // (widest + 3))
    lines = []
    for start in range(0, len(cells), across):
        row = [cell + " " * (widest - measure_cells(cell)) for cell in cells[start : start + across]]
        lines.append(f"  {'   '.join(row).rstrip()}")
    return lines


@dataclass(frozen=True, slots=True)
class OptionWording:
    """An option in words: `line` is all of it; `title` is its label without remarks, followed by its `details`."""

    line: str
    title: str
    details: Sequence[str]


def describe_option(option: Choosable, name_index: NameIndex) -> OptionWording:
    """Render an option in one line, and as its label and its details: missing arguments, piece places and the cost."""
    renderer = _OptionRenderer(option, name_index)
    return OptionWording(renderer.format_line(), *renderer.get_label_and_details())


def format_option(option: Choosable, name_index: NameIndex) -> str:
    """Render an option in one line: its label, the arguments missing from it, piece places and the cost."""
    return _OptionRenderer(option, name_index).format_line()


class _OptionRenderer:
    """Renders one option; what its line and its label have in common is evaluated once."""

    def __init__(self, option: Choosable, name_index: NameIndex) -> None:
        self._option, self._name_index, self._words = option, name_index, name_index.localizer
        self._args = option.args
        shows = option.shows
        self._kinds = {name: get_kind(shows.get(name)) for name in self._args}
        self._label = option.text(self._words.lang)
        self._details = self._collect_thing_details()
        self._plain: tuple[str, list[str]] | None = None

    def format_line(self) -> str:
        """Return the label, with the details of things inserted after their names, followed by the other details."""
        localizer, option = self._words, self._option
        label, parts = self._get_embedded()
        # how the piece gets there
        if parts and label.endswith((")", "）")) and (option.is_end or isinstance(option, Route)):
            return localizer.join_texts([label[:-1], *parts]) + label[-1]
        return localizer.with_detail(label, localizer.join_texts(parts))

    def get_label_and_details(self) -> tuple[str, list[str]]:
        """Return the label and all details, memoized."""
        if self._plain is None:
            self._plain = self._build_parts(self._label, self._details)
        return self._plain

    def _get_embedded(self) -> tuple[str, list[str]]:
        """Return the label, with details inserted after the names of things, and the parts that follow the label."""
        option, lang = self._option, self._words.lang
        if not self._details or not isinstance(option, Option):
            return self.get_label_and_details()
        inside = option.list_labelled_arguments(lang)
        if inside.isdisjoint(self._details):
            return self.get_label_and_details()
        label = option.text(lang, {name: text for name, text in self._details.items() if name in inside})
        return self._build_parts(label, {name: text for name, text in self._details.items() if name not in inside})

    def _build_parts(self, label: str, details: Mapping[str, str]) -> tuple[str, list[str]]:
        """Return the label and the parts that follow it; `details`: details of things to include in the parts."""
        option, localizer, kinds = self._option, self._words, self._kinds
        parts = list(details.values())
        for name, value in self._args.items():
            is_number = isinstance(value, int) and name in option.label_arguments
            if not is_number and not _is_in_label(name, value, kinds[name], label, localizer):
                parts.append(_format_argument(name, value, kinds[name], localizer))
        names = (
            thing_name for n, v in self._args.items() for thing_name in self._name_index.list_others_at(v, kinds[n])
        )
        parts += [thing_name for thing_name in names if thing_name not in label]
        if option.cost is not None:
            cost = format_number(option.cost)
            # otherwise the label shows it already
            if not (option.has_words and re.search(rf"(?<![\d./]){re.escape(cost)}(?![\d./])", label)):
                parts.append(localizer.say("cost {cost}", cost=cost))
        if option.is_end and not option.has_words:
            name = localizer.translate_name(option.name, "option")
            if name.casefold() not in label.casefold():
                return localizer.prefix_topic(name, label), parts
        return label, parts

    def _collect_thing_details(self) -> dict[str, str]:
        """Return, by argument, the short form and place of each thing, unless the label of the option shows them."""
        localizer, index, details = self._words, self._name_index, dict[str, str]()
        for name, value in self._args.items():
            short = index.find_short_form(value, self._kinds[name])
            place = index.find_place_name(value, self._kinds[name], on_map=True)
            place_text = (
                localizer.say("from {place}", place=place) if place and isinstance(self._option, Route) else place
            )
            parts = [text for text, key in ((short, short), (place_text, place)) if key and key not in self._label]
            if parts:
                details[name] = localizer.join_list(parts)
        return details


def _is_in_label(name: str, value: object, kind: str, label: str, localizer: Localizer) -> bool:
    """Return whether a label already shows an argument of its option."""
    if value is False or value is None:
        return True
    if isinstance(value, list | tuple):
        return all(format_value(v, localizer, kind).casefold() in label.casefold() for v in value)
    if not isinstance(value, str | bool):  # a label that contains numbers contains all of them
        return any(c.isdigit() for c in label)
    if isinstance(value, str) and "@" in value:
        return all(part.casefold() in label.casefold() for part in localizer.split_group(value))
    text = localizer.translate_name(name) if value is True else format_value(value, localizer, kind)
    return text.casefold() in label.casefold()


def _format_argument(name: str, value: object, kind: str, localizer: Localizer) -> str:
    """Format an argument: a flag by its name, a value alone if its text is unambiguous, else after its name."""
    if value is True:
        return localizer.translate_name(name)
    text = format_value(value, localizer, kind)
    return (
        text
        if isinstance(value, str) and text != localizer.translate_name(value)
        else f"{localizer.translate_name(name)} {text}"
    )


def format_value(value: object, localizer: Localizer, kind: str = "") -> str:
    """Render an argument value; `kind` is the kind of things it is, if known."""
    if isinstance(value, list | tuple):
        return localizer.join_list(format_value(v, localizer, kind) for v in value) or localizer.say("nothing")
    if isinstance(value, bool):
        return localizer.say("yes") if value else localizer.say("no")
    return localizer.find_name(kind, value) if isinstance(value, str) else format_number(value)


def _build_option_entry(option: Choosable, name_index: NameIndex) -> MenuEntry:
    """Return the entry that selects one option."""
    localizer = name_index.localizer
    label = format_option(option, name_index)
    if option.name == "done" and name_index.is_series_unused and not name_index.is_setting_up:
        label = localizer.with_detail(label, localizer.say("nothing done yet"))
    typed = (
        option.key,
        label,
        option.text(localizer.lang),
        option.name,
        localizer.translate_name(option.name, "option"),
    )
    return MenuEntry(label, option, typed, option.cite)


def _list_option_entries(menu: Menu, name_index: NameIndex) -> list[MenuEntry]:
    """Return an entry for every option.

    Where the options differ in one argument, its value may be typed too if no other option names it.
    """
    entries = [_build_option_entry(o, name_index) for o in menu.options]
    argument = _open_argument(menu) if len({o.name for o in menu.options}) == 1 else None
    if argument is None:
        return entries
    labels = [
        format_value(o.args[argument], name_index.localizer, get_kind(o.shows.get(argument))) for o in menu.options
    ]
    named = [
        {format_value(v, name_index.localizer, get_kind(o.shows.get(n))) for n, v in o.args.items()}
        for o in menu.options
    ]
    return [
        replace(e, typed=(*e.typed, t)) if sum(t in names for names in named) == 1 else e
        for e, t in zip(entries, labels, strict=True)
    ]


def _list_entries_for_name(menu: Menu, name: str, name_index: NameIndex) -> list[MenuEntry]:
    """Return the entries for the options named `name`: one with a submenu, or one per option if they are few."""
    own = tuple(o for o in menu.options if o.name == name)
    if len(own) <= _MAX_LISTED_BESIDE_OTHERS:
        return [_build_option_entry(o, name_index) for o in own]
    called = name_index.find_option_name(name)
    label = _summarize_options(called, own, name_index)
    typed = (name, label, name.replace("_", " "), called)
    return [MenuEntry(label, Menu(own, name, (), menu), typed, own[0].cite)]


def _summarize_options(name: str, options: Sequence[Choosable], name_index: NameIndex) -> str:
    """Summarize many options of one name: the arguments they share and the values in which they differ.

    `name`: the display name; `options`: these options.
    """
    first, localizer = options[0], name_index.localizer
    argument = _open_argument(Menu(tuple(options)))
    if argument is None:
        return localizer.say("{what} ({number} (way|ways))", what=name, number=len(options))
    same = [
        format_value(v, localizer, get_kind(first.shows.get(n)))
        for n, v in first.args.items()
        if isinstance(v, str) and all(o.args.get(n) == v for o in options)
    ]
    kind = get_kind(first.shows.get(argument))
    values = list(dict.fromkeys(_to_hashable(o.args[argument]) for o in options))
    label = localizer.say("{order} {what}", order=name, what=" ".join(same)) if same else name
    if len(values) > _NAMED or not all(isinstance(v, str) for v in values):
        return localizer.say("{what} ({number} (way|ways))", what=label, number=len(options))
    names = localizer.join_list(name_index.format_name_with_short(v, kind) for v in values)
    if len(values) == len(options):
        return localizer.say("{what}: {values}", what=label, values=names)
    return localizer.say("{what}: {values} ({number} (way|ways))", what=label, values=names, number=len(options))


def _build_value_entry(
    menu: Menu, argument: str, value: object, options: tuple[Choosable, ...], name_index: NameIndex
) -> MenuEntry:
    """Return one entry for `options`, the options of a menu in which `argument` has this value."""
    kind = get_kind(options[0].shows.get(argument))
    label, place = format_value(value, name_index.localizer, kind), name_index.find_place_name(str(value), kind)
    text = name_index.localizer.with_detail(f"{label} {name_index.find_short_form(value, kind)}".rstrip(), place)
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if len(options) == 1:
        if _has_more_details(options[0], text, menu, name_index):
            text, number = format_option(options[0], name_index), None
        return MenuEntry(text, options[0], (label, text, str(value)), (), number)
    submenu = Menu(options, menu.name, (*menu.selected, (argument, value)), menu)
    return MenuEntry(text, submenu, (label, text, str(value)), (), number)


def _list_member_entries(menu: Menu, argument: str, name_index: NameIndex) -> list[MenuEntry]:
    """Return entries that select the value of a set-valued argument member by member.

    A list of all subsets of eight would have 255 entries.
    """
    localizer, kind = name_index.localizer, get_kind(menu.options[0].shows.get(argument))
    sets = [frozenset(map(_to_hashable, option.args[argument])) for option in menu.options]
    settled = frozenset.intersection(*sets)
    settled_order = [m for m in dict.fromkeys(map(_to_hashable, menu.options[0].args[argument])) if m in settled]
    entries = [
        _build_option_entry(option, name_index)
        for option, own in zip(menu.options, sets, strict=True)
        if own == settled
    ]
    if settled:
        members = localizer.join_list(_format_member(m, kind, name_index) for m in settled_order)
        only = localizer.say("only {members}", members=members)
        entries = [replace(entry, text=only, typed=(*entry.typed, only)) for entry in entries]
    for member in dict.fromkeys(_to_hashable(v) for option in menu.options for v in option.args[argument]):
        if member in settled:
            continue
        own_options = tuple(o for o, own in zip(menu.options, sets, strict=True) if member in own)
        label, number = format_value(member, localizer, kind), len(own_options)
        called = _format_member(member, kind, name_index)
        text = (
            localizer.say("{member} too ({number} (way|ways))", member=called, number=number)
            if settled
            else localizer.say("{what} ({number} (way|ways))", what=called, number=number)
        )
        selected = (*(g for g in menu.selected if g[0] != argument), (argument, [*settled_order, member]))
        submenu = Menu(own_options, menu.name, selected, menu)
        entries.append(MenuEntry(text, submenu, (label, called, str(member))))
    return entries


def _format_member(member: object, kind: str, name_index: NameIndex) -> str:
    if isinstance(member, str):
        return name_index.format_name_with_short(member, kind)
    return format_value(member, name_index.localizer, kind)


def _has_more_details(option: Choosable, entry_text: str, menu: Menu, name_index: NameIndex) -> bool:
    """Return whether the option's label contains words that neither its menu entry nor the selected arguments show.

    `entry_text`: the text of the entry.
    """
    localizer = name_index.localizer
    if option.is_end and option.has_words:
        return not set(tokenize_words(entry_text)).issuperset(tokenize_words(option.text(localizer.lang)))
    texts = [
        entry_text,
        *(_format_argument(n, v, get_kind(option.shows.get(n)), localizer) for n, v in option.args.items()),
    ]
    texts += [
        place for n, v in menu.selected if (place := name_index.find_place_name(v, get_kind(option.shows.get(n))))
    ]
    label_words = {word for text in texts for word in tokenize_words(text)}
    return any(not label_words.issuperset(tokenize_words(hole)) for hole in option.get_label_words(localizer.lang))


def _open_argument(menu: Menu) -> str | None:
    """Return the name of the first argument that is not the same in all options of a menu, or None."""
    for name in menu.options[0].args if menu.options else ():
        values = {_to_hashable(o.args.get(name)) for o in menu.options}
        if len(values) > 1 and all(name in o.args for o in menu.options):
            return name
    return None


def _to_hashable(value: object) -> object:
    return tuple(_to_hashable(v) for v in value) if isinstance(value, list) else value
