"""Queries about an order that a player asks why it is illegal: from typed words to the order and its arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.players.orders.matching import get_kind, match_things
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.runtime.decisions import Decision
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.program_info import OptionInfo
from interpreter.runtime.type_aliases import DisplayType

_EXPLICIT = re.compile(r"\s*([\w ]+?)\s*\((.*)\)\s*|.*=.*|.*,.*")


@dataclass(frozen=True, slots=True)
class QueriedOrder:
    """An order that a player asks about, which a decision could offer: its name and the value type of each parameter.

    `text`: its menu label, if it is legal now and takes no arguments; else ''. `is_listed`: whether the options listed
    include it; the steps of a draft, and `finish`, are listed only once the draft is begun step by step.
    """

    name: str
    params: Mapping[str, Any]
    text: str = ""
    is_listed: bool = True

    def get_title(self, localizer: Localizer) -> str:
        """Return the name shown to the player."""
        return self.text or localizer.translate_name(self.name, "option")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """An order that a player asks about, with the arguments that the query names, by parameter."""

    order: QueriedOrder
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QueryProblem:
    """A problem with a query, as a line for the player."""

    line: str


def list_orders(decision: Decision, localizer: Localizer) -> dict[str, QueriedOrder]:
    """Return every order that a decision could offer, legal or not, by name.

    For a draft these are its steps, `finish`, and the draft itself with the values of its offer.
    """
    queried: dict[str, QueriedOrder] = {}
    is_begun = bool(decision.state.draft)
    if decision.is_draft:
        draft = decision.draft
        queried[decision.name] = QueriedOrder(decision.name, dict(zip(draft.offer, draft.offer_shows, strict=True)))
        queried["finish"] = QueriedOrder("finish", {}, is_listed=is_begun)
        choices: Sequence[OptionInfo] = draft.steps
    else:
        choices = decision.info.options
    for choice in choices:
        params = {p.name: p.show for p in choice.params}
        is_listed = is_begun or not decision.is_draft
        queried.setdefault(choice.name, QueriedOrder(choice.name, params, is_listed=is_listed))
    if decision.info.is_repeated:
        queried["done"] = QueriedOrder("done", {})
    for option in () if decision.is_draft else decision.options:
        if not option.args and option.name in queried and option.name != "done":
            queried[option.name] = QueriedOrder(option.name, {}, option.text(localizer.lang))
    return queried


def parse_query(text: str, queried: Mapping[str, QueriedOrder], name_index: NameIndex) -> ParsedQuery | QueryProblem:
    """Parse an order and its arguments by name; the problem names the missing part if the text is ambiguous.

    `queried`: the orders that may be named, by name.
    """
    localizer = name_index.localizer
    if not text.strip():
        return QueryProblem(
            localizer.say(
                "why what? Write: why ORDER, such as why {example}; the orders here are {orders}",
                example=" ".join(_render_example(queried, localizer)),
                orders=_format_names(queried, localizer),
            )
        )
    named_first, rest = split_order_name(text, queried, localizer)
    if _EXPLICIT.fullmatch(text):
        return _parse_explicit_order(text, queried, localizer)
    for order in [named_first] if named_first else list(queried.values()):
        args = assign_parameters(rest, order, name_index)
        if args is not None and (args or not order.params):
            return ParsedQuery(order, args)
    if named_first is not None and not tokenize_words(rest):
        return QueryProblem(
            localizer.say(
                "why {order} with what? It takes {parameters}",
                order=localizer.translate_name(named_first.name, "option"),
                parameters=localizer.join_list(
                    _name_parameter(p, show, localizer) for p, show in named_first.params.items()
                ),
            )
        )
    listed = [order.get_title(localizer) for order in queried.values() if order.is_listed]
    hint = localizer.format_hint(text, listed, few=False) if named_first is None else ""
    return QueryProblem(
        localizer.say(
            "`{text}` is not an order that can be given here; the orders are {orders}",
            text=quote_typed(text),
            orders=_format_names(queried, localizer),
        )
        + hint
    )


def _format_names(queried: Mapping[str, QueriedOrder], localizer: Localizer) -> str:
    return localizer.join_list(order.get_title(localizer) for order in queried.values() if order.is_listed)


def _render_example(queried: Mapping[str, QueriedOrder], localizer: Localizer) -> list[str]:
    order = next(iter(queried.values()))
    return [
        order.get_title(localizer),
        *(_name_parameter(p, show, localizer).upper() for p, show in order.params.items()),
    ]


def _name_parameter(name: str, show: DisplayType, localizer: Localizer) -> str:
    """Return a parameter's name for people: a single letter without a translation becomes the kind that it takes."""
    kind, named = get_kind(show), localizer.translate_name(name)
    return localizer.translate_name(kind, "kind") if kind and len(name) == 1 and named == name else named


def split_order_name(
    text: str, queried: Mapping[str, QueriedOrder], localizer: Localizer
) -> tuple[QueriedOrder | None, str]:
    """Split a text into the order whose name it begins with (longest name first) and the rest of the text.

    `queried`: the orders that may be named, by name. The order is None if the text begins with none of the names.
    """
    plain = " ".join(text.split())
    called = [
        (called, order)
        for order in queried.values()
        for called in {
            order.get_title(localizer),
            localizer.translate_name(order.name, "option"),
            order.name,
            order.name.replace("_", " "),
        }
    ]
    for name, order in sorted(called, key=lambda pair: (-len(pair[0]), pair[0])):
        if plain.casefold() == name.casefold() or plain.casefold().startswith((name + " ").casefold()):
            return order, plain[len(name) :].strip()
    first, _, rest = plain.partition(" ")
    begun = {order.name: order for name, order in called if name.casefold().startswith(first.casefold())}
    if first and len(begun) == 1:  # a prefix suffices, as when giving an order
        return next(iter(begun.values())), rest.strip()
    return None, plain


def assign_parameters(text: str, order: QueriedOrder, name_index: NameIndex) -> dict[str, Any] | None:
    """Assign every typed word to the first parameter of the order that it matches; None if a word matches none."""
    left = list(tokenize_words(text))
    args: dict[str, Any] = {}
    while left:
        for length in range(len(left), 0, -1):
            match = _match_parameter_value(" ".join(left[:length]), order, args, name_index)
            if match is not None:
                args[match[0]] = match[1]
                left = left[length:]
                break
        else:
            return None
    return args


def _match_parameter_value(
    text: str, order: QueriedOrder, args: Mapping[str, Any], name_index: NameIndex
) -> tuple[str, Any] | None:
    """Return the first unassigned parameter for which the text is a value, and that value; None if none fits.

    `args`: the arguments assigned so far, by parameter.
    """
    for name, show in order.params.items():
        if name in args:
            continue
        kind = show[1] if show[0] == "maybe" else show
        match kind[0]:
            case "thing":
                matches = match_things(kind[1], text, name_index)
                if len(matches) == 1:
                    return name, matches[0]
                if kind[1] == "piece" and _is_group(text, name_index):
                    return name, text
            case "rung":
                rungs = name_index.program.ladders[kind[1]]["rungs"]
                matches = [
                    r
                    for r in rungs
                    if tokenize_words(name_index.localizer.find_name_of_id(r)) == tokenize_words(text) or r == text
                ]
                if matches:
                    return name, matches[0]
            case "flag":
                if text in ("yes", "no", "true", "false"):
                    return name, text in ("yes", "true")
            case "int" | "number" | "plain" if text.removeprefix("-").isdigit() and text.isascii() and len(text) < 10:
                return name, int(text)
            case "word" if text:
                return name, text
    return None


def _is_group(text: str, name_index: NameIndex) -> bool:
    """Return whether a text is an option key for interchangeable pieces: counter values, `@`, place id."""
    group, _, place = text.partition("@")
    return bool(group) and place in name_index.program.handles["place"]


def _parse_explicit_order(
    text: str, queried: Mapping[str, QueriedOrder], localizer: Localizer
) -> ParsedQuery | QueryProblem:
    """Parse an order written as name(a, b), name a, b or name x=a y=b; the problem is the first mistake in it.

    `queried`: the orders that may be named, by name.
    """
    call = re.fullmatch(r"\s*([\w ]+?)\s*\((.*)\)\s*", text)
    if call:
        order, rest = split_order_name(call[1], queried, localizer)[0], call[2]
    else:
        order, rest = split_order_name(text, queried, localizer)
    if order is None:
        return QueryProblem(
            localizer.say(
                "`{text}` is not an order; the orders here are {orders}",
                text=quote_typed(text),
                orders=_format_names(queried, localizer),
            )
        )
    parts = rest.split(",") if "," in rest else re.findall(r"\w+\s*=\s*[^=]+(?=\s+\w+\s*=|$)|\S+", rest)
    params = list(order.params)
    param_names = localizer.join_list(params) or localizer.say("nothing")
    args: dict[str, Any] = {}
    for n, part in enumerate(p.strip() for p in parts if p.strip()):
        name, parted, value = part.partition("=")
        if not parted:
            if n >= len(params):
                return QueryProblem(
                    localizer.say(
                        "too many arguments: {order} takes {parameters}",
                        parameters=param_names,
                        order=localizer.translate_name(order.name, "option"),
                    )
                )
            name, value = params[n], part
        if name.strip() not in params:
            return QueryProblem(
                localizer.say(
                    "{order} has no `{name}`; it takes {parameters}",
                    order=localizer.translate_name(order.name, "option"),
                    name=quote_typed(name.strip()),
                    parameters=param_names,
                )
            )
        args[name.strip()] = _parse_value(value.strip(), order.params[name.strip()], localizer)
    return ParsedQuery(order, args)


def _parse_value(text: str, show: DisplayType, localizer: Localizer) -> object:
    """Parse a typed value by the value type `show`; digits are a number only if the type is numeric, never an id."""
    sort = show[1][0] if show[0] == "maybe" else show[0]
    is_number = text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 9
    if is_number and (sort in ("int", "number") or sort == "plain" and str(int(text)) == text):
        return int(text)
    if sort == "flag" and text.lower() in ("yes", "no", "true", "false"):
        return text.lower() in ("yes", "true")
    return localizer.find_anything(text) or text
