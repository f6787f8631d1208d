"""Render odds as text lines for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.record_walk import select_fields
from interpreter.i18n.number_format import format_average, format_number
from interpreter.i18n.translator import mark as _
from interpreter.play.snapshot import to_plain_data
from interpreter.runtime.type_aliases import DisplayType
from interpreter.tools.odds.resolution import EventChance, Loss, Odds, OddsResult, SeatEvaluation, StopPoint
from interpreter.tools.odds.results import NetChange

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer

_MAX_FRACTION_LENGTH = 9  # longest fraction shown, in characters
_PLACES, _WIDTH = 2, 7  # decimal places of a percentage, and characters of its column
_ENDS = 3  # stops that are listed
DEFAULT_RESULTS = 12

Identity = tuple[str, tuple[tuple[str, Any], ...]]  # of a piece: its id, and the traits of an interchangeable piece
Details = dict[Identity, str]


def format_odds(
    odds: Odds, language: str = "", most: int = DEFAULT_RESULTS, requested_events: Iterable[str] = ()
) -> list[str]:
    """Render odds as text: results by probability, events, losses, evaluation.

    Shows the `most` likeliest results and events; events named in `requested_events` are always shown. Other events are
    left out if the rules give them no text, because players never see these.
    """
    localizer = odds.program.get_localizer(language)
    lines = [odds.what, *_format_method(odds, localizer), ""]
    lines += _format_results(odds, localizer, most)
    names = tuple(requested_events)
    chances = [c for c in odds.chances if c.event in names or odds.program.events[c.event].words is not None]
    if chances:
        lines += ["", localizer.translate_phrase("events, each at least once:")]
        shown_chances = [c for n, c in enumerate(chances) if n < most or c.event in names]
        lines += [_format_event(odds, chance, localizer) for chance in shown_chances]
        if len(chances) > len(shown_chances):
            lines.append(
                "  "
                + localizer.translate_phrase("and {number} rarer (one|ones)", number=len(chances) - len(shown_chances))
            )
    if odds.losses:
        lines += ["", localizer.translate_phrase("on average:"), *_format_losses(odds, localizer)]
    if odds.values:
        lines += [
            "",
            localizer.translate_phrase("evaluation:"),
            *(_format_value(value, localizer, odds) for value in odds.values),
        ]
    return lines


def _format_method(odds: Odds, localizer: Localizer) -> list[str]:
    """Return lines on how the odds were computed: decisions, precision, what was left out, and where they end."""
    say, remarks = localizer.translate_phrase, list[str]()
    if odds.decisions:
        ids = odds.program.ids["side"]
        sides = [localizer.get_name_by_handle("side", ids.index(d.side)) for d in odds.decisions]
        decisions = ", ".join(
            f"{localizer.translate_name(d.name, 'decision')} ({side})"
            for d, side in zip(odds.decisions, sides, strict=True)
        )
        if odds.policy == "uniform":
            remarks.append(
                say("decisions on the way, made at random, all options equally likely: {whose}", whose=decisions)
            )
        else:
            remarks.append(say("decisions on the way, made by the first option: {whose}", whose=decisions))
        if not odds.throws:
            remarks.append(say("best and worst: the maximum and minimum over all these decisions together"))
    if odds.throws:
        template = _(
            "more than {most} positions, or too much work for that many; estimated from {throws} samples instead, "
            "± one sigma"
        )
        remarks.append(say(template, most=f"{odds.most:,}", throws=f"{odds.throws:,}"))
    elif odds.exact and not odds.positions:
        remarks.append(say("exact; no chance is involved"))
    else:
        template = (
            _("exact; positions examined: {number}") if odds.exact else _("incomplete; positions examined: {number}")
        )
        remarks.append(say(template, number=f"{odds.positions:,}"))
    for until in odds.left_out:
        stop, share = _format_stop(odds, until, localizer), format_share(odds, until.probability, localizer)
        remarks.append(say("not examined: {what}, {share}; its results are left out", what=stop, share=share))
    ends = [until for until in odds.until if not until.left_out]
    if odds.side is not None and ends:  # only options: a procedure is always followed to its end
        end_texts = [_format_stop(odds, until, localizer) for until in ends]
        if len(odds.until) > 1:
            shares = [format_share(odds, until.probability, localizer) for until in ends]
            end_texts = [
                say("{what} ({more})", what=stop, more=more) for stop, more in zip(end_texts, shares, strict=True)
            ]
        line = say("; ").join(end_texts[:_ENDS]) + (" ..." if len(end_texts) > _ENDS else "")
        remarks.append(say("up to: {ends}", ends=line))
    return ["  " + line for line in remarks]


def _format_stop(odds: Odds, until: StopPoint, localizer: Localizer) -> str:
    """Return a phrase for a place where the odds end: a decision, a roll, or the end of the game or an action."""
    if until.side is not None:
        side = localizer.get_name_by_handle("side", odds.program.ids["side"].index(until.side))
        return localizer.translate_phrase(
            "the decision {name} ({side})", name=localizer.translate_name(until.name, "decision"), side=side
        )
    if until.sort == "roll":
        return localizer.translate_phrase("the roll of {name}", name=localizer.translate_name(until.name, "roll"))
    ends = {"over": _("the end of the game"), "chosen": _("the end of the chosen action")}
    return localizer.translate_phrase(ends.get(until.sort, _("the end of the current procedure")))


def format_probability(odds: Odds, probability: Fraction) -> str:
    """Format a probability for people: " 16.67%  1/6", or with its standard error if `odds` are estimated."""
    return _estimate(odds, probability) if odds.throws else format_exact_probability(probability)


def format_share(odds: Odds, probability: Fraction, localizer: Localizer) -> str:
    """Format a probability within a sentence: "16.67%", or with its standard error if `odds` are estimated."""
    if odds.throws:
        return _estimate(odds, probability).strip()
    return format_percent(probability, localizer, _PLACES)


def format_percent(probability: Fraction, localizer: Localizer, places: int = 0) -> str:
    """Format an exact probability within a sentence as a percentage with that many decimal places.

    Only a chance of exactly 0 or 1 is shown as 0 or 100; a chance that would round to it is "under 1%" or "over 99%".
    """
    least, text = Fraction(1, 10 ** (places + 2)), f"{100 * float(probability):.{places}f}%"
    if text == f"{0:.{places}f}%" and probability:
        return localizer.translate_phrase("under {share}", share=f"{100 * float(least):.{places}f}%")
    if text == f"{100:.{places}f}%" and probability != 1:
        return localizer.translate_phrase("over {share}", share=f"{100 * float(1 - least):.{places}f}%")
    return text


def _estimate(odds: Odds, probability: Fraction) -> str:
    """Format a sampled probability with its standard error; no sample proves a chance of 0 or 1."""
    bounds = {Fraction(0): f"{'<1%':>{_WIDTH}}", Fraction(1): f"{'>99%':>{_WIDTH}}"}
    shown = bounds.get(probability) or _format_percent(probability)
    return f"{shown} ± {100 * odds.compute_standard_error(probability):.2f}"


def format_exact_probability(probability: Fraction) -> str:
    """Format an exact probability as a percentage, followed by the fraction if that is short."""
    text = str(probability)
    return (
        f"{_format_percent(probability)}  {text if len(text) <= _MAX_FRACTION_LENGTH else '':<{_MAX_FRACTION_LENGTH}}"
    )


def _format_percent(probability: Fraction) -> str:
    """Format a probability in a column; only a chance of exactly 0 or 1 is shown as 0 or 100."""
    text = f"{100 * float(probability):.{_PLACES}f}%"
    if text == "0.00%" and probability:
        text = "<0.01%"
    elif text == "100.00%" and probability != 1:
        text = ">99.99%"
    return f"{text:>{_WIDTH}}"


def merge_results(odds: Odds) -> list[tuple[Fraction, OddsResult]]:
    """Return (probability, result) pairs, likeliest first; results that differ only in events are merged."""
    summed: dict[Any, Fraction] = {}
    first: dict[Any, OddsResult] = {}
    for result in odds.results:
        key = (result.outcome.changes, result.ended, repr(result.returned))
        summed[key] = summed.get(key, Fraction(0)) + result.probability
        first.setdefault(key, result)
    return sorted(((p, first[k]) for k, p in summed.items()), key=lambda r: (-r[0], repr(r[1].outcome)))


def _format_results(odds: Odds, localizer: Localizer, most: int) -> list[str]:
    details = _distinguish_pieces(odds, localizer)
    summed = dict[str, Fraction]()  # results that players cannot tell apart count as one
    for probability, result in merge_results(odds):
        text = localizer.join_texts(_format_result(odds, result, localizer, details))
        summed[text] = summed.get(text, Fraction(0)) + probability
    merged = sorted(summed.items(), key=lambda row: -row[1])
    lines = [f"  {format_probability(odds, p)}  {text}" for text, p in merged[:most]]
    unlisted = merged[most:]
    if unlisted:
        together = sum((p for _, p in unlisted), Fraction(0))
        lines.append(
            f"  {_format_percent(together)}  "
            + localizer.translate_phrase("other results: {number}", number=len(unlisted))
        )
    return lines


def _distinguish_pieces(odds: Odds, localizer: Localizer) -> Details:
    """Return the details that distinguish pieces which the results would call by the same name.

    Interchangeable pieces of one place differ in attributes, others in their places, or else in their ids.
    """
    attributes = odds.program.kinds["piece"]["attributes"]
    by_name = dict[tuple[str, int], dict[Identity, NetChange]]()
    for change in (change for result in odds.results for change in result.changes if change.kind == "piece"):
        name = localizer.get_name_by_handle("piece", change.raw[1])
        by_name.setdefault((name, change.place if change.traits else -1), {})[_identify(change)] = change
    details: Details = {}
    for alike in (changes for changes in by_name.values() if len(changes) > 1):
        common = set.intersection(*(set(change.traits) for change in alike.values()))
        has_places = len({change.place for change in alike.values()}) == len(alike)
        for identity, change in alike.items():
            differing = [(name, value) for name, value in change.traits if (name, value) not in common]
            texts = [_format_trait(attributes[name], value, localizer) for name, value in differing]
            place = localizer.get_name_by_handle("place", change.place) if has_places else change.id
            details[identity] = localizer.join_list(text for text in texts if text) if change.traits else place
    return details


def _identify(change: NetChange) -> Identity:
    """Return what identifies the piece, or the group of interchangeable pieces, that a change is about."""
    return change.id, change.traits


def _format_trait(attribute: Mapping[str, Any], value: object, localizer: Localizer) -> str:
    """Return a phrase for a value that distinguishes a piece; '' for a flag that is not set."""
    if attribute["show"][0] == "flag":
        return localizer.translate_attribute(attribute) if value else ""
    return localizer.format_value(attribute["show"], value)


def _format_result(odds: Odds, result: OddsResult, localizer: Localizer, details: Details) -> list[str]:
    words = [format_change(odds, change, localizer, details) for change in result.changes]
    if result.ended is not None:
        words.append(localizer.translate_phrase("the game ends: {how}", how=_format_ending(result, localizer)))
    if isinstance(result.returned, int | Fraction) and not isinstance(result.returned, bool) and not words:
        words.append(localizer.translate_phrase("gives {number}", number=format_number(result.returned)))
    return words or [localizer.translate_phrase("no change")]


def _format_ending(result: OddsResult, localizer: Localizer) -> str:
    """Return a phrase for the winner and the level of victory; ids in the ruleset's first language."""
    if localizer.is_first:
        return str(result.ended)
    winners, level = result.outcome.ended[:2]
    names = [localizer.get_name_by_handle("seat", winner) for winner in winners]
    winner_text = localizer.join_with_and(names) if names else localizer.translate_phrase("draw")
    if level is None:
        return winner_text
    return localizer.translate_phrase(
        "{what}: {values}", what=winner_text, values=localizer.get_name_by_handle("level", level)
    )


def format_change(odds: Odds, change: NetChange, localizer: Localizer, details: Details) -> str:
    """Return a phrase for one net change, such as a move, a loss or a new value.

    `details`: what is added to the names of pieces, from `_distinguish_pieces`.
    """
    kind, handle, name, before, after, count = change.raw
    program = odds.program
    if kind == "game":
        attribute = next(a for _, n, a in program.game if n == name)
        return f"{localizer.translate_attribute(attribute)} " + _format_transition(
            localizer, attribute["show"], before, after
        )
    what = localizer.get_name_by_handle(kind, handle)
    if kind == "piece" and program.is_alike[handle]:
        what = localizer.translate_phrase(
            "{number} {what} in {place}",
            number=count,
            what=localizer.pluralize_piece(handle, count),
            place=localizer.get_name_by_handle("place", change.place),
        )
    if kind == "piece":
        what = localizer.with_detail(what, details.get(_identify(change), ""))
    if name == "at":
        if change.lost:
            return localizer.translate_phrase("{what} lost", what=what)
        return f"{what} → {localizer.get_name_by_handle('place', after)}"
    if name == "seat":
        text = f"{localizer.translate_name('seat', 'kind')} " + _format_transition(
            localizer, ("thing", "seat"), before, after
        )
        return localizer.translate_phrase("{what}: {values}", what=what, values=text)
    attribute = program.kinds[kind]["attributes"][name]
    text = f"{localizer.translate_attribute(attribute)} " + _format_transition(
        localizer, attribute["show"], before, after
    )
    return localizer.translate_phrase("{what}: {values}", what=what, values=text)


def _format_transition(localizer: Localizer, show: DisplayType, before: object, after: object) -> str:
    return f"{localizer.format_value(show, before)} → {localizer.format_value(show, after)}"


def _format_event(odds: Odds, chance: EventChance, localizer: Localizer) -> str:
    words = localizer.translate_name(chance.event, "event")
    params = odds.program.events[chance.event].params
    if params:
        words = localizer.translate_phrase(
            "{what}: {values}", what=words, values=localizer.format_value(params[0][1], chance.raw[1])
        )
    bounds = ""
    if chance.best is not None and chance.worst is not None and chance.best != chance.worst:
        worst, best = (format_percent(bound, localizer, _PLACES) for bound in (chance.worst, chance.best))
        bounds = _format_bounds(worst, best, localizer)
    return f"  {format_probability(odds, chance.probability)}  {words}{bounds}"


def _format_losses(odds: Odds, localizer: Localizer) -> list[str]:
    """Return for each side a line with its expected losses and a line with its expected gains, each if there are any.

    Example: "  losses, Reds: steps 1.17  (from 0.5 to 2 by the decisions on the way)".
    """
    ids = odds.program.ids["side"]
    lines = []
    for side in dict.fromkeys(loss.side for loss in odds.losses):
        owner = (
            localizer.translate_phrase("unowned")
            if side is None
            else localizer.get_name_by_handle("side", ids.index(side))
        )
        side_losses = [loss for loss in odds.losses if loss.side == side]
        for template, sign in ((_("losses, {side}: {amounts}"), 1), (_("gains, {side}: {amounts}"), -1)):
            amounts = [
                _format_amount(odds, x, sign, localizer) for x in side_losses if (-1 if x.amount < 0 else 1) == sign
            ]
            if amounts:
                lines.append(
                    "  "
                    + localizer.translate_phrase(
                        template, side=owner, amounts=localizer.translate_phrase(", ").join(amounts)
                    )
                )
    return lines


def _format_amount(odds: Odds, loss: Loss, sign: int, localizer: Localizer) -> str:
    text = f"{_get_loss_word(odds, loss, localizer)} {format_average(sign * loss.amount)}"
    if loss.least is None or loss.most is None or loss.least == loss.most:
        return text
    low, high = sorted((sign * loss.least, sign * loss.most))
    return text + _format_bounds(format_average(low), format_average(high), localizer)


def _format_bounds(worst: str, best: str, localizer: Localizer) -> str:
    """Return two blanks and "(from WORST to BEST by ...)", for a figure that depends on the decisions on the way."""
    return "  " + localizer.translate_phrase(
        "(from {worst} to {best} by the decisions on the way)", worst=worst, best=best
    )


def _get_loss_word(odds: Odds, loss: Loss, localizer: Localizer) -> str:
    if not loss.name:
        return localizer.translate_phrase("pieces")
    attribute = odds.program.kinds["piece"]["attributes"][loss.name]
    label = localizer.translate_attribute(attribute)
    return localizer.translate_phrase("steps of {ladder}", ladder=label) if attribute["show"][0] == "rung" else label


def _format_value(value: SeatEvaluation, localizer: Localizer, odds: Odds) -> str:
    seat = localizer.get_name_by_handle("seat", odds.program.ids["seat"].index(value.seat))
    line = localizer.translate_phrase(
        "now {now}, expected {expected}", now=format_average(value.before), expected=format_average(value.expected)
    )
    if value.best is not None and value.worst is not None and value.best != value.worst:
        line += localizer.translate_phrase(
            ", best {best}, worst {worst}", best=format_average(value.best), worst=format_average(value.worst)
        )
    return "  " + localizer.translate_phrase("{what}: {values}", what=seat, values=line)


# --- data -------------------------------------------------------------------------------------------


def serialize_odds(odds: Odds) -> dict[str, Any]:
    """Return the odds as JSON data; probabilities as {"exact": "1/6", "value": 0.1667}, estimates with "error"."""
    return {
        **select_fields(odds, "what", "side", "exact", "throws", "positions", "policy"),
        "decisions": [select_fields(decision, "name", "side") for decision in odds.decisions],
        "until": [
            {
                "sort": x.sort,
                "name": x.name or None,
                "side": x.side,
                "left_out": x.left_out,
                **_serialize_share(odds, x.probability),
            }
            for x in odds.until
        ],
        "results": [
            {
                **_serialize_share(odds, r.probability),
                "changes": [_serialize_change(x) for x in r.changes],
                "events": [{"event": e, "first": to_plain_data(f)} for e, f in r.events],
                "ended": r.ended,
                "returned": to_plain_data(r.returned),
            }
            for r in odds.results
        ],
        "events": [
            {
                "event": x.event,
                "first": to_plain_data(x.first),
                **_serialize_share(odds, x.probability),
                **_list_numbers(x, "best", "worst"),
            }
            for x in odds.chances
        ],
        "losses": [
            {
                "side": x.side,
                "attribute": x.name or None,
                **encode_number(x.amount),
                **_list_numbers(x, "least", "most"),
            }
            for x in odds.losses
        ],
        "values": [
            {"seat": x.seat, "before": to_plain_data(x.before), **_list_numbers(x, "expected", "best", "worst")}
            for x in odds.values
        ],
    }


def _serialize_change(change: NetChange) -> dict[str, Any]:
    return {"kind": change.kind, "id": change.id, "attribute": change.name} | select_fields(
        change, "before", "after", "count", "lost"
    )


def _serialize_share(odds: Odds, probability: Fraction) -> dict[str, Any]:
    if not odds.throws:
        return {"probability": encode_number(probability)}
    return {"probability": {"value": float(probability), "error": odds.compute_standard_error(probability)}}


def encode_number(number: Fraction) -> dict[str, Any]:
    """Return a number as JSON data, as an exact fraction and as a float."""
    return {"exact": str(number), "value": float(number)}


def _list_numbers(record: object, *names: str) -> dict[str, Any]:
    """Return the fields `names` of the record `record` as JSON numbers, None for unknown ones."""
    numbers = select_fields(record, *names).items()
    return {name: None if number is None else encode_number(number) for name, number in numbers}
