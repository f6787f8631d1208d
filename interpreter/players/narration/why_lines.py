"""Explanations of why an order is illegal: the order is parsed from plain words, the reasons come from the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.players.narration.piece_lines import format_reach
from interpreter.players.orders.matching import get_kind, is_significant_word, match_options, match_things, rank_matches
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex, to_half_width, tokenize_words
from interpreter.players.orders.route_planning import (
    count_pieces,
    explain_target,
    explain_unreachable,
    find_options_aimed_at,
    find_places_in_reach,
    find_routes,
    iter_route_ends,
)
from interpreter.players.orders.tokenizer import split_destination
from interpreter.players.ownership import find_side_of_thing
from interpreter.players.questions.plain_answers import explain_later_order
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import IllegalAction, Reason, SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.program_info import OptionInfo
from interpreter.runtime.type_aliases import DisplayType

_MAX_LISTED = 5  # legal orders that are listed
_MAX_COMPARED = 20  # options of one name whose labels are compared
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
class _ParsedQuery:
    """An order that a player asks about, with the arguments that the query names, by parameter."""

    order: QueriedOrder
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _QueryProblem:
    """A problem with a query, as a line for the player."""

    line: str


def render_why_not(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render each reason why an order is illegal now, with the paragraphs it cites."""
    decision, localizer = game.decision, name_index.localizer
    if decision is None:
        return [localizer.say("nothing needs to be decided now")]
    move_text = _parse_go_command(text, localizer)
    if move_text is not None and (lines := render_why_unreachable(move_text, game, name_index)):
        return lines
    queried = list_orders(decision, localizer)
    if move_text is None and (lines := _render_why_printed(text, game, name_index)):
        return lines
    query = _parse_query(text, queried, name_index)
    if isinstance(query, _QueryProblem):
        if move_text is not None and _split_order_name(text, queried, localizer)[0] is None:
            return [localizer.say("which piece cannot go where? Write: why go PIECE PLACE")]
        if legal_options := match_options(decision.options, text, name_index):
            return _render_legal_options(legal_options, name_index)
        return (
            _render_why_step_fails(text, game, name_index)
            or _render_why_follow_up_fails(text, game, name_index)
            or render_reasons(_find_other_decision(text, game, localizer), localizer)
            or render_why_unreachable(text, game, name_index)
            or [query.line]
        )
    order = query.order
    try:
        reasons = game.why_not(order.name, **query.args)
    except IllegalAction as refused:
        return render_reasons(refused.reasons, localizer) or [localizer.say(refused.message)]
    except SetupError as problem:
        return [localizer.say("cannot check this: {problem}", problem=problem)]
    except (ValueError, TypeError, KeyError):
        return [localizer.say("cannot check this here")]
    values = (localizer.find_name_of_id(v) if isinstance(v, str) else str(v) for v in query.args.values())
    title = " ".join([order.get_title(localizer), *values])
    if not reasons:
        return [localizer.say("{order}: this is legal now", order=title)]
    offered = rank_matches(decision.options, text, name_index)
    if offered.is_plain and all(option.name == order.name for option in offered.options):
        # the words name other arguments than those parsed from them
        return _render_legal_options(offered.options, name_index)
    return [localizer.say("{order}: not legal", order=title), *render_reasons(reasons, localizer)]


def _render_legal_options(options: Sequence[Option], name_index: NameIndex) -> list[str]:
    localizer = name_index.localizer
    lines = [localizer.say("{order}: this is legal now", order=format_option(option, name_index)) for option in options]
    return localizer.limit_texts(lines, _MAX_LISTED)


def _render_why_printed(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why an order against a target is illegal that is named as in the list, such as "take Fort".

    Return [] for other texts, for a legal order, or if the rules give no reason.
    """
    decision, localizer = game.decision, name_index.localizer
    assert decision is not None
    queried = list_orders(decision, localizer)
    order, rest = _split_order_name(text, queried, localizer)
    typed = tokenize_words(text)
    for name in () if order is not None else dict.fromkeys(option.name for option in decision.options):
        printed = _list_printed_words([o for o in decision.options if o.name == name], name_index)
        if any(is_significant_word(word) and word in printed for word in typed):
            order, rest = queried.get(name), " ".join(word for word in typed if word not in printed)
            break
    if order is None or not tokenize_words(rest):
        return []
    foreign = {
        find_side_of_thing(game.state, "piece", game.program.handles["piece"][p])
        for p in match_things("piece", rest, name_index)
    }
    reasons: Sequence[Reason] = ()
    if foreign.isdisjoint({"", decision.side}):
        reasons = explain_target(game, rest, name_index, "" if decision.is_draft else order.name)
    if not reasons and rest not in text and (args := _assign_parameters(rest, order, name_index)):
        reasons = game.why_not(order.name, **args)
    return (
        [localizer.say("{order}: not legal", order=quote_typed(text)), *render_reasons(reasons, localizer)]
        if reasons
        else []
    )


def _list_printed_words(options: Sequence[Option], name_index: NameIndex) -> set[str]:
    """Return the words that the labels of all these options share, apart from the words for their arguments."""
    localizer, compared = name_index.localizer, options[:_MAX_COMPARED]
    printed = set.intersection(*(set(tokenize_words(option.text(localizer.lang))) for option in compared))
    for option in compared:
        for name, value in option.args.items():
            printed -= name_index.list_words_for(value, get_kind(option.shows.get(name)))
    return printed


def _render_why_step_fails(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why an order that is built in steps is illegal, asked in the words of the list: "raid on 12 by Guards".

    The order is that of the pending decision, or of one that an option without arguments leads to. Return [] for other
    texts and for legal orders.
    """
    decision, localizer = game.decision, name_index.localizer
    assert decision is not None
    if not decision.is_draft:
        gates = [o for o in decision.options if o.key != "done" and not o.args]
        ends = (end.game for end in iter_route_ends(game, gates))
        drafts = (trial for trial in ends if trial.decision is not None and trial.decision.is_draft)
        return next(
            filter(None, (_render_why_step_fails(text, trial, NameIndex(trial, localizer)) for trial in drafts)), ()
        )
    printed = _list_printed_words(decision.options, name_index) if decision.options else set()
    typed = tokenize_words(text)
    if not any(is_significant_word(word) and word in printed for word in typed):
        return []
    rest = [word for word in typed if word not in printed]
    by_name = sorted(rest, key=str.isdigit)  # the number of a space may also mean a piece there
    steps = [step for step in list_orders(decision, localizer).values() if step.name not in (decision.name, "finish")]
    for step, order in product(steps, (rest, by_name)):
        args = _assign_parameters(" ".join(order), step, name_index)
        if args and len(args) == len(step.params) and (reasons := game.why_not(step.name, **args)):
            return [localizer.say("{order}: not legal", order=quote_typed(text)), *render_reasons(reasons, localizer)]
    return []


def _render_why_follow_up_fails(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why an option cannot be chosen together with the words after its name, which answer the next decision.

    Return [] if the text does not begin with the name of an option without parameters, or ends there.
    """
    decision, localizer = game.decision, name_index.localizer
    assert decision is not None
    order, rest = _split_order_name(text, list_orders(decision, localizer), localizer)
    if order is None or order.params or not tokenize_words(rest):
        return []
    for followed in iter_route_ends(game, [o for o in decision.options if o.name == order.name][:1]):
        there = NameIndex(followed.game, localizer)
        query = _parse_query(rest, list_orders(followed.decision, localizer), there)
        reasons = followed.game.why_not(query.order.name, **query.args) if isinstance(query, _ParsedQuery) else ()
        if isinstance(query, _ParsedQuery) or _is_option_or_place(rest, followed.game, there):
            return render_reasons(reasons, localizer) or [localizer.say("{order}: this is legal now", order=text)]
    if reasons := game.why_not(order.name):
        return [
            localizer.say("{order}: not legal", order=order.get_title(localizer)),
            *render_reasons(reasons, localizer),
        ]
    return [
        localizer.say(
            "{order}: legal now; no decision before the dice roll fits `{rest}`",
            order=order.get_title(localizer),
            rest=quote_typed(rest),
        )
    ]


def _is_option_or_place(text: str, game: Game, name_index: NameIndex) -> bool:
    """Return whether the words match an option of the current decision, or name a place that an option leads to."""
    piece_text, places = split_destination(text, name_index)
    return bool(
        (game.decision is not None and match_options(game.decision.options, text, name_index))
        or (len(places) == 1 and find_routes(game, piece_text, places[0], name_index))
    )


def render_why_unreachable(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why a piece cannot reach the place named by the last words of a text; [] unless they name one place."""
    localizer = name_index.localizer
    piece_text, places = split_destination(text, name_index)
    if len(places) != 1:
        return []
    where = localizer.get_thing_name("place", places[0])
    if find_routes(game, piece_text, places[0], name_index):
        return [localizer.say("{place} can be reached now", place=where)]
    if targets := find_options_aimed_at(game, piece_text, places[0], name_index):
        return _render_legal_options(targets, name_index)
    if foreign := _render_foreign_pieces(game, piece_text, name_index):
        return [localizer.say("{place} cannot be reached now", place=where), f"  {foreign}"]
    reasons = explain_unreachable(game, piece_text, places[0], name_index)
    near = find_places_in_reach(game, piece_text, name_index)
    if reasons or near:
        lines = [localizer.say("{place} cannot be reached now", place=where), *render_reasons(reasons, localizer)]
        return [*lines, f"  {format_reach(near, localizer)}"] if near else lines
    question = game.decision.format_prompt(localizer.lang) if game.decision is not None else ""
    if piece_text and (routes := find_routes(game, "", places[0], name_index)):
        if any(word.isdigit() for word in tokenize_words(piece_text)[:1]) and not any(
            count_pieces(way) for way in routes
        ):
            return [
                localizer.say(
                    "this decision does not ask how many go; to go to {place}, leave out `{who}`: `go {place}`; "
                    "current decision: {question}",
                    who=quote_typed(piece_text),
                    place=where,
                    question=question,
                )
            ]
        return [
            localizer.say(
                "`{who}` does not match any of the {count} orders that lead to {place} (`go {place}` lists "
                "them); current decision: {question}",
                who=quote_typed(piece_text),
                count=len(routes),
                place=where,
                question=question,
            )
        ]
    if later := explain_later_order(where, game, name_index):
        return later
    return [
        localizer.say("no order leads to {place} now; current decision: {question}", place=where, question=question)
    ]


def _render_foreign_pieces(game: Game, piece_text: str, name_index: NameIndex) -> str:
    """Return a line that says that the pieces that `piece_text` names belong to other sides; '' if they do not.

    `piece_text`: typed words. Other sides are those that do not decide now. Also '' if an option names the pieces:
    rules may let a side order another side's pieces.
    """
    decision, localizer, program = game.decision, name_index.localizer, game.program
    pieces = match_things("piece", piece_text, name_index)
    if decision is None or not pieces or match_options(decision.options, piece_text, name_index):
        return ""
    sides = {find_side_of_thing(game.state, "piece", program.handles["piece"][p]) for p in pieces}
    if sides & {"", decision.side}:
        return ""
    return localizer.say(
        "only {side} can give orders to {what}; current decision: {question}",
        question=decision.format_prompt(localizer.lang),
        what=localizer.join_list(dict.fromkeys(localizer.get_piece_name(p) for p in pieces)),
        side=localizer.join_list(localizer.get_thing_name("side", s) for s in sorted(sides)),
    )


def render_why_not_order(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why an order typed in full, with its name, is not among the options; [] for other texts."""
    decision, localizer = game.decision, name_index.localizer
    if decision is None:
        return []
    order, rest = _split_order_name(text, list_orders(decision, localizer), localizer)
    args = _assign_parameters(rest, order, name_index) if order is not None and tokenize_words(rest) else None
    if order is None or not args:
        return []
    try:
        return render_reasons(game.why_not(order.name, **args), localizer)
    except (IllegalAction, ValueError, TypeError, KeyError):
        return []


def suggest_next_step(text: str, game: Game, name_index: NameIndex) -> TextLine:
    """Render advice on a line that matches no option; '' if the line names nothing known.

    The advice names the command that shows the thing, or the decision in which the order can be given.
    """
    localizer = name_index.localizer
    if game.decision is None:
        return ""
    if _split_order_name(text, list_orders(game.decision, localizer), localizer)[0] is None:
        for reason in _find_other_decision(text, game, localizer):
            return Line(reason.text_in(localizer.lang), reason.cite)
    shortened = quote_typed(" ".join(text.split()))
    piece_text, places = split_destination(text, name_index)
    if len(places) == 1 and not piece_text:
        return localizer.say(
            "`{text}` matches no option; `why {text}` shows the reason, `look {text}` shows the place", text=shortened
        )
    if match_things("piece", text, name_index):
        return localizer.say(
            "`{text}` matches no option; `what {text}` shows it and its orders, `find {text}` shows its place",
            text=shortened,
        )
    return ""


def _parse_go_command(text: str, localizer: Localizer) -> str | None:
    """Return the arguments of the command that sends a piece somewhere, in any language, or None for other commands."""
    first, _, rest = text.strip().partition(" ")
    called = {word for name in ("go", "plan") for word in (name, localizer.say(name).casefold())}
    return rest.strip() if to_half_width(first).casefold() in called else None


def _find_other_decision(text: str, game: Game, localizer: Localizer) -> tuple[Reason, ...]:
    """Return the reasons why an order of any decision is not available now, such as that another decision offers it.

    Return () for texts that do not begin with the name of an order.
    """
    program = game.program
    called = {c.name for d in program.decisions for c in d.options}
    called |= {s.name for d in program.drafts.values() for s in d.steps}
    typed = tokenize_words(text)
    for name in sorted(called, key=lambda n: (-len(n), n)):
        plain = tokenize_words(localizer.translate_name(name, "option"))
        if typed[: len(plain)] == plain:
            return game.why_not(name)
    begun = [
        name
        for name in called
        if typed and localizer.translate_name(name, "option").casefold().startswith(" ".join(typed))
    ]
    return game.why_not(begun[0]) if len(begun) == 1 else ()


def render_reasons(reasons: Sequence[Reason], localizer: Localizer) -> Sequence[TextLine]:
    """Render each reason with the paragraphs it cites."""
    return [Line(r.text_in(localizer.lang), r.cite, level=1) for r in reasons]


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


def _parse_query(text: str, queried: Mapping[str, QueriedOrder], name_index: NameIndex) -> _ParsedQuery | _QueryProblem:
    """Parse an order and its arguments by name; the problem names the missing part if the text is ambiguous.

    `queried`: the orders that may be named, by name.
    """
    localizer = name_index.localizer
    if not text.strip():
        return _QueryProblem(
            localizer.say(
                "why what? Write: why ORDER, such as why {example}; the orders here are {orders}",
                example=" ".join(_render_example(queried, localizer)),
                orders=_format_names(queried, localizer),
            )
        )
    named_first, rest = _split_order_name(text, queried, localizer)
    if _EXPLICIT.fullmatch(text):
        return _parse_explicit_order(text, queried, localizer)
    for order in [named_first] if named_first else list(queried.values()):
        args = _assign_parameters(rest, order, name_index)
        if args is not None and (args or not order.params):
            return _ParsedQuery(order, args)
    if named_first is not None and not tokenize_words(rest):
        return _QueryProblem(
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
    return _QueryProblem(
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


def _split_order_name(
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


def _assign_parameters(text: str, order: QueriedOrder, name_index: NameIndex) -> dict[str, Any] | None:
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
) -> _ParsedQuery | _QueryProblem:
    """Parse an order written as name(a, b), name a, b or name x=a y=b; the problem is the first mistake in it.

    `queried`: the orders that may be named, by name.
    """
    call = re.fullmatch(r"\s*([\w ]+?)\s*\((.*)\)\s*", text)
    if call:
        order, rest = _split_order_name(call[1], queried, localizer)[0], call[2]
    else:
        order, rest = _split_order_name(text, queried, localizer)
    if order is None:
        return _QueryProblem(
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
                return _QueryProblem(
                    localizer.say(
                        "too many arguments: {order} takes {parameters}",
                        parameters=param_names,
                        order=localizer.translate_name(order.name, "option"),
                    )
                )
            name, value = params[n], part
        if name.strip() not in params:
            return _QueryProblem(
                localizer.say(
                    "{order} has no `{name}`; it takes {parameters}",
                    order=localizer.translate_name(order.name, "option"),
                    name=quote_typed(name.strip()),
                    parameters=param_names,
                )
            )
        args[name.strip()] = _parse_value(value.strip(), order.params[name.strip()], localizer)
    return _ParsedQuery(order, args)


def _parse_value(text: str, show: DisplayType, localizer: Localizer) -> object:
    """Parse a typed value by the value type `show`; digits are a number only if the type is numeric, never an id."""
    sort = show[1][0] if show[0] == "maybe" else show[0]
    is_number = text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 9
    if is_number and (sort in ("int", "number") or sort == "plain" and str(int(text)) == text):
        return int(text)
    if sort == "flag" and text.lower() in ("yes", "no", "true", "false"):
        return text.lower() in ("yes", "true")
    return localizer.find_anything(text) or text
