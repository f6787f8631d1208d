"""Explanations of why an order is illegal, in lines for players; the reasons come from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.players.narration.piece_lines import format_reach
from interpreter.players.narration.why_queries import (
    ParsedQuery,
    QueryProblem,
    assign_parameters,
    list_orders,
    parse_query,
    split_order_name,
)
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
from interpreter.runtime.decisions import Option
from interpreter.runtime.errors import IllegalAction, Reason, SetupError
from interpreter.runtime.localizer import Localizer

_MAX_LISTED = 5  # legal orders that are listed
_MAX_COMPARED = 20  # options of one name whose labels are compared


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
    query = parse_query(text, queried, name_index)
    if isinstance(query, QueryProblem):
        if move_text is not None and split_order_name(text, queried, localizer)[0] is None:
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
    order, rest = split_order_name(text, queried, localizer)
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
    if not reasons and rest not in text and (args := assign_parameters(rest, order, name_index)):
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
        args = assign_parameters(" ".join(order), step, name_index)
        if args and len(args) == len(step.params) and (reasons := game.why_not(step.name, **args)):
            return [localizer.say("{order}: not legal", order=quote_typed(text)), *render_reasons(reasons, localizer)]
    return []


def _render_why_follow_up_fails(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render why an option cannot be chosen together with the words after its name, which answer the next decision.

    Return [] if the text does not begin with the name of an option without parameters, or ends there.
    """
    decision, localizer = game.decision, name_index.localizer
    assert decision is not None
    order, rest = split_order_name(text, list_orders(decision, localizer), localizer)
    if order is None or order.params or not tokenize_words(rest):
        return []
    for followed in iter_route_ends(game, [o for o in decision.options if o.name == order.name][:1]):
        there = NameIndex(followed.game, localizer)
        query = parse_query(rest, list_orders(followed.decision, localizer), there)
        reasons = followed.game.why_not(query.order.name, **query.args) if isinstance(query, ParsedQuery) else ()
        if isinstance(query, ParsedQuery) or _is_option_or_place(rest, followed.game, there):
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
    order, rest = split_order_name(text, list_orders(decision, localizer), localizer)
    args = assign_parameters(rest, order, name_index) if order is not None and tokenize_words(rest) else None
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
    if split_order_name(text, list_orders(game.decision, localizer), localizer)[0] is None:
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
