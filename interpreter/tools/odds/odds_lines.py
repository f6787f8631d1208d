"""Render odds as text lines for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.record_walk import select_fields
from interpreter.i18n.number_format import average_text, number_text
from interpreter.i18n.translator import mark as _
from interpreter.play.snapshot import plain_data
from interpreter.runtime.type_aliases import Show
from interpreter.tools.odds.resolution import EventChance, Loss, Odds, OddsResult, StopPoint, Value
from interpreter.tools.odds.results import NetChange

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer

_LONGEST = 9  # longest fraction shown, in characters
_ENDS = 3  # stops that are listed
SHOWN = 12


def odds_lines(odds: Odds, language: str = "", most: int = SHOWN, wanted: Iterable[str] = ()) -> list[str]:
    """Render odds as text: results by probability, events, losses, evaluation.

    Shows the `most` likeliest results and events; events named in `wanted` are always shown. Other events without a
    text are left out, as everywhere.
    """
    localizer = odds.program.localizer(language)
    lines = [odds.what, *_method_lines(odds, localizer), ""]
    lines += _result_lines(odds, localizer, most)
    names = tuple(wanted)
    told = [c for c in odds.chances if c.event in names or odds.program.events[c.event].words is not None]
    if told:
        lines += ["", localizer.phrase("events, each at least once:")]
        shown = [c for n, c in enumerate(told) if n < most or c.event in names]
        lines += [_event_line(odds, chance, localizer) for chance in shown]
        if len(told) > len(shown):
            lines.append("  " + localizer.phrase("and {number} rarer (one|ones)", number=len(told) - len(shown)))
    if odds.losses:
        lines += ["", localizer.phrase("on average:"), *_loss_lines(odds, localizer)]
    if odds.values:
        lines += ["", localizer.phrase("evaluation:"), *(_value_line(value, localizer, odds) for value in odds.values)]
    return lines


def _method_lines(odds: Odds, localizer: Localizer) -> list[str]:
    say, told = localizer.phrase, list[str]()
    if odds.decisions:
        ids = odds.program.ids["side"]
        whose = ", ".join(
            f"{localizer.name(d.name, 'decision')} ({localizer.handle_name('side', ids.index(d.side))})"
            for d in odds.decisions
        )
        if odds.policy == "uniform":
            told.append(say("decisions on the way, made at random, all options equally likely: {whose}", whose=whose))
        else:
            told.append(say("decisions on the way, made by the first option: {whose}", whose=whose))
        if not odds.throws:
            told.append(say("best and worst: the maximum and minimum over all these decisions together"))
    if odds.throws:
        way = _(
            "more than {most} positions, or too much work for that many; estimated from {throws} samples instead, "
            "± one sigma"
        )
        told.append(say(way, most=f"{odds.most:,}", throws=f"{odds.throws:,}"))
    elif odds.exact and not odds.positions:
        told.append(say("exact; no chance is involved"))
    else:
        way = _("exact; positions examined: {number}") if odds.exact else _("incomplete; positions examined: {number}")
        told.append(say(way, number=f"{odds.positions:,}"))
    for until in odds.left_out:
        what, share = _until_words(odds, until, localizer), format_share(odds, until.probability)
        told.append(say("not examined: {what}, {share}; its results are left out", what=what, share=share))
    ends = [until for until in odds.until if not until.left_out]
    if odds.side is not None and ends:  # only options: a procedure is always followed to its end
        shown = [_until_words(odds, until, localizer) for until in ends]
        if len(odds.until) > 1:
            shares = [format_share(odds, until.probability) for until in ends]
            shown = [say("{what} ({more})", what=what, more=more) for what, more in zip(shown, shares, strict=True)]
        line = say("; ").join(shown[:_ENDS]) + (" ..." if len(shown) > _ENDS else "")
        told.append(say("up to: {ends}", ends=line))
    return ["  " + line for line in told]


def _until_words(odds: Odds, until: StopPoint, localizer: Localizer) -> str:
    """Return a phrase for a place where the odds end: a decision, a roll, or the end of the game or an action."""
    if until.side is not None:
        side = localizer.handle_name("side", odds.program.ids["side"].index(until.side))
        return localizer.phrase("the decision {name} ({side})", name=localizer.name(until.name, "decision"), side=side)
    if until.sort == "roll":
        return localizer.phrase("the roll of {name}", name=localizer.name(until.name, "roll"))
    ends = {"over": _("the end of the game"), "chosen": _("the end of the chosen action")}
    return localizer.phrase(ends.get(until.sort, _("the end of the current procedure")))


def format_probability(odds: Odds, probability: Fraction) -> str:
    """Format a probability for people: " 16.67%  1/6", or with its standard error if `odds` are estimated."""
    return _estimate(odds, probability) if odds.throws else format_exact_probability(probability)


def format_share(odds: Odds, probability: Fraction) -> str:
    """Format a probability within a sentence: "16.67%", or with its standard error if `odds` are estimated."""
    return (_estimate(odds, probability) if odds.throws else _percent(probability)).strip()


def _estimate(odds: Odds, probability: Fraction) -> str:
    return f"{_percent(probability)} ± {100 * odds.error(probability):.2f}"


def format_exact_probability(probability: Fraction) -> str:
    """Format an exact probability as a percentage, followed by the fraction if that is short."""
    text = str(probability)
    return f"{_percent(probability)}  {text if len(text) <= _LONGEST else '':<{_LONGEST}}"


def _percent(probability: Fraction) -> str:
    return f"{100 * float(probability):6.2f}%"


def merge_results(odds: Odds) -> list[tuple[Fraction, OddsResult]]:
    """Return (probability, result) pairs, likeliest first; results that differ only in events are merged."""
    summed: dict[Any, Fraction] = {}
    first: dict[Any, OddsResult] = {}
    for result in odds.results:
        key = (result.outcome.changes, result.ended, repr(result.returned))
        summed[key] = summed.get(key, Fraction(0)) + result.probability
        first.setdefault(key, result)
    return sorted(((p, first[k]) for k, p in summed.items()), key=lambda r: (-r[0], repr(r[1].outcome)))


def _result_lines(odds: Odds, localizer: Localizer, most: int) -> list[str]:
    told = merge_results(odds)
    lines = [
        f"  {format_probability(odds, p)}  {localizer.phrase('; ').join(_result_words(odds, result, localizer))}"
        for p, result in told[:most]
    ]
    rest = told[most:]
    if rest:
        together = sum((p for p, _ in rest), Fraction(0))
        lines.append(f"  {_percent(together)}  " + localizer.phrase("other results: {number}", number=len(rest)))
    return lines


def _result_words(odds: Odds, result: OddsResult, localizer: Localizer) -> list[str]:
    words = [change_words(odds, change, localizer) for change in result.changes]
    if result.ended is not None:
        words.append(localizer.phrase("the game ends: {how}", how=_ending_words(result, localizer)))
    if isinstance(result.returned, int | Fraction) and not isinstance(result.returned, bool) and not words:
        words.append(localizer.phrase("gives {number}", number=number_text(result.returned)))
    return words or [localizer.phrase("no change")]


def _ending_words(result: OddsResult, localizer: Localizer) -> str:
    """Return a phrase for the winner and the level of victory; ids in the ruleset's first language."""
    if localizer.is_first:
        return str(result.ended)
    winners, level = result.outcome.ended[:2]
    names = [localizer.handle_name("seat", winner) for winner in winners]
    won = localizer.join_with_and(names) if names else localizer.phrase("draw")
    if level is None:
        return won
    return localizer.phrase("{what}: {values}", what=won, values=localizer.handle_name("level", level))


def change_words(odds: Odds, change: NetChange, localizer: Localizer) -> str:
    """Return a phrase for one net change, such as a move, a loss or a new value."""
    kind, handle, name, before, after, count = change.raw
    program = odds.program
    if kind == "game":
        attribute = next(a for _, n, a in program.game if n == name)
        return f"{localizer.attribute(attribute)} " + _from_to(localizer, attribute["show"], before, after)
    what = localizer.handle_name(kind, handle)
    if kind == "piece" and program.is_alike[handle]:
        what = localizer.phrase(
            "{number} {what} in {place}", number=count, what=what, place=localizer.handle_name("place", change.place)
        )
    if name == "at":
        if change.lost:
            return localizer.phrase("{what} lost", what=what)
        return f"{what} → {localizer.handle_name('place', after)}"
    if name == "seat":
        text = f"{localizer.name('seat', 'kind')} " + _from_to(localizer, ("thing", "seat"), before, after)
        return localizer.phrase("{what}: {values}", what=what, values=text)
    attribute = program.kinds[kind]["attributes"][name]
    text = f"{localizer.attribute(attribute)} " + _from_to(localizer, attribute["show"], before, after)
    return localizer.phrase("{what}: {values}", what=what, values=text)


def _from_to(localizer: Localizer, show: Show, before: object, after: object) -> str:
    return f"{localizer.handle_value(show, before)} → {localizer.handle_value(show, after)}"


def _event_line(odds: Odds, chance: EventChance, localizer: Localizer) -> str:
    words = localizer.name(chance.event, "event")
    params = odds.program.events[chance.event].params
    if params:
        words = localizer.phrase(
            "{what}: {values}", what=words, values=localizer.handle_value(params[0][1], chance.raw[1])
        )
    span = ""
    if chance.best is not None and chance.worst is not None and chance.best != chance.worst:
        span = _bounds_words(f"{100 * float(chance.worst):.2f}%", f"{100 * float(chance.best):.2f}%", localizer)
    return f"  {format_probability(odds, chance.probability)}  {words}{span}"


def _loss_lines(odds: Odds, localizer: Localizer) -> list[str]:
    """Render losses as "  losses, Reds: steps 1.17 (from 0.5 to 2 by the decisions inside)"; gains apart."""
    ids = odds.program.ids["side"]
    lines = []
    for side in dict.fromkeys(loss.side for loss in odds.losses):
        who = localizer.phrase("unowned") if side is None else localizer.handle_name("side", ids.index(side))
        own = [loss for loss in odds.losses if loss.side == side]
        for way, sign in ((_("losses, {side}: {amounts}"), 1), (_("gains, {side}: {amounts}"), -1)):
            told = [_amount_words(odds, x, sign, localizer) for x in own if (-1 if x.amount < 0 else 1) == sign]
            if told:
                lines.append("  " + localizer.phrase(way, side=who, amounts=localizer.phrase(", ").join(told)))
    return lines


def _amount_words(odds: Odds, loss: Loss, sign: int, localizer: Localizer) -> str:
    text = f"{_loss_word(odds, loss, localizer)} {average_text(sign * loss.amount)}"
    if loss.least is None or loss.most is None or loss.least == loss.most:
        return text
    low, high = sorted((sign * loss.least, sign * loss.most))
    return text + _bounds_words(average_text(low), average_text(high), localizer)


def _bounds_words(worst: str, best: str, localizer: Localizer) -> str:
    """Return "(from WORST to BEST ...)" for a figure that depends on the decisions inside."""
    return "  " + localizer.phrase("(from {worst} to {best} by the decisions on the way)", worst=worst, best=best)


def _loss_word(odds: Odds, loss: Loss, localizer: Localizer) -> str:
    if not loss.name:
        return localizer.phrase("pieces")
    attribute = odds.program.kinds["piece"]["attributes"][loss.name]
    label = localizer.attribute(attribute)
    return localizer.phrase("steps of {ladder}", ladder=label) if attribute["show"][0] == "rung" else label


def _value_line(value: Value, localizer: Localizer, odds: Odds) -> str:
    seat = localizer.handle_name("seat", odds.program.ids["seat"].index(value.seat))
    line = localizer.phrase(
        "now {now}, expected {expected}", now=average_text(value.before), expected=average_text(value.expected)
    )
    if value.best is not None and value.worst is not None and value.best != value.worst:
        line += localizer.phrase(
            ", best {best}, worst {worst}", best=average_text(value.best), worst=average_text(value.worst)
        )
    return "  " + localizer.phrase("{what}: {values}", what=seat, values=line)


# --- data -------------------------------------------------------------------------------------------


def odds_data(odds: Odds) -> dict[str, Any]:
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
                **_share_data(odds, x.probability),
            }
            for x in odds.until
        ],
        "results": [
            {
                **_share_data(odds, r.probability),
                "changes": [_change_data(x) for x in r.changes],
                "events": [{"event": e, "first": plain_data(f)} for e, f in r.events],
                "ended": r.ended,
                "returned": plain_data(r.returned),
            }
            for r in odds.results
        ],
        "events": [
            {
                "event": x.event,
                "first": plain_data(x.first),
                **_share_data(odds, x.probability),
                **_numbers(x, "best", "worst"),
            }
            for x in odds.chances
        ],
        "losses": [
            {"side": x.side, "attribute": x.name or None, **encode_number(x.amount), **_numbers(x, "least", "most")}
            for x in odds.losses
        ],
        "values": [
            {"seat": x.seat, "before": plain_data(x.before), **_numbers(x, "expected", "best", "worst")}
            for x in odds.values
        ],
    }


def _change_data(change: NetChange) -> dict[str, Any]:
    return {"kind": change.kind, "id": change.id, "attribute": change.name} | select_fields(
        change, "before", "after", "count", "lost"
    )


def _share_data(odds: Odds, probability: Fraction) -> dict[str, Any]:
    if not odds.throws:
        return {"probability": encode_number(probability)}
    return {"probability": {"value": float(probability), "error": odds.error(probability)}}


def encode_number(number: Fraction) -> dict[str, Any]:
    """Return a number as JSON data, as an exact fraction and as a float."""
    return {"exact": str(number), "value": float(number)}


def _numbers(of: object, *names: str) -> dict[str, Any]:
    """Return the fields `names` of the record `of` as JSON numbers, None for unknown ones."""
    numbers = select_fields(of, *names).items()
    return {name: None if number is None else encode_number(number) for name, number in numbers}
