"""Render a paired comparison as lines, as a short progress line, and as a page with charts. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.experiments.measures import WINS, format_measure, format_measure_name, is_share
from interpreter.experiments.paired_comparison import PairedComparison
from interpreter.experiments.plots import IntervalBar, draw_interval_plot
from interpreter.i18n.translator import mark as _
from interpreter.players.reports.html_page import render_html_page
from interpreter.players.reports.report_model import (
    Block,
    ReportFigure,
    ReportHeading,
    ReportItem,
    ReportParagraph,
    ReportTable,
)
from interpreter.runtime.localizer import Localizer
from interpreter.tools.describe.chart_lines import align_rows


def format_progress(comparison: PairedComparison, words: Localizer) -> str:
    """Return a progress line: the main measure in A and B, and the confidence interval of the difference."""
    is_known = comparison.pairs > 0 and comparison.main in comparison.measures
    if not is_known or (interval := comparison.compute_interval(comparison.main)).half_width >= 1:
        return words.say("no results yet")
    measured = comparison.measures[comparison.main]
    return words.say(
        "{measure}: A {a}, B {b}, difference {low} to {high}",
        measure=format_measure_name(comparison.main, words),
        a=format_measure(comparison.main, measured.a.mean),
        b=format_measure(comparison.main, measured.b.mean),
        low=format_measure(comparison.main, interval.low, True),
        high=format_measure(comparison.main, interval.high, True),
    )


def render_comparison(comparison: PairedComparison, data: dict[str, Any], words: Localizer) -> list[str]:
    """Return the complete result of a comparison as lines of text.

    `data`: the comparison as JSON data.
    """
    say = words.say
    lines = [f"{which.upper()}: {describe_contender(data[which], words)}" for which in ("a", "b")]
    lines += ["", describe_pairs(comparison, words), describe_widths(comparison, words), ""]
    lines += align_rows([_list_headings(words), *_iter_rows(data, words)])
    lines += ["", describe_verdict(comparison, words)]
    if not comparison.is_same:
        lines.append(describe_significant(data, words))
    unfinished = data["measures"].get("unfinished", {})
    if unfinished.get("a") or unfinished.get("b"):
        lines.append(say("games that were cut off count only for their length; their results are unknown"))
    return lines


def describe_contender(contender: dict[str, Any], words: Localizer) -> str:
    """Describe one side of a comparison: its game and its bots.

    `contender`: its JSON data, with "ruleset", "scenario", "options" and "bots" by seat.
    """
    bots = dict.fromkeys(contender["bots"].values())
    if len(bots) == 1:
        players = words.format_player(next(iter(bots)))
    else:
        players = words.join_list(f"{seat} {words.format_player(bot)}" for seat, bot in contender["bots"].items())
    more = [contender["scenario"] or "", *(words.format_option(o) for o in contender["options"]), players]
    return words.with_detail(contender["ruleset"], words.join_list(part for part in more if part))


def describe_pairs(comparison: PairedComparison, words: Localizer) -> str:
    """Describe how many pairs of games were played, and with which confidence the intervals hold."""
    same = _(
        "{pairs} pairs of games with the same seeds; all intervals together are correct with a confidence of "
        "{certainty}%"
    )
    different = _(
        "{pairs} pairs of games with different seeds; all intervals together are correct with a "
        "confidence of {certainty}%"
    )
    certainty = f"{100 * comparison.plan.certainty:g}"
    return words.say(different if comparison.plan.apart else same, pairs=comparison.pairs, certainty=certainty)


def describe_widths(comparison: PairedComparison, words: Localizer) -> str:
    """Say why games won have narrower intervals than other measures of the same games."""
    return words.say(
        "of the remaining {doubt}%, half is kept for the lines `won by` and half is divided among all other "
        "lines, so the same games give a wider interval there",
        doubt=f"{100 * comparison.plan.error_probability:.6g}",
    )


def describe_verdict(comparison: PairedComparison, words: Localizer) -> str:
    """Return the answer to the main question, or the reason why it has no answer."""
    say, main = words.say, comparison.main
    if not comparison.pairs:
        return say("no pair of games has finished")
    if comparison.is_same:
        return say("the games are identical in every roll: there is no difference")
    name = format_measure_name(main, words)
    if comparison.verdict == "differs":
        interval = comparison.compute_interval(main)
        return say(
            "certain: {measure} differs, by {low} to {high}",
            measure=name,
            low=format_measure(main, interval.low, True),
            high=format_measure(main, interval.high, True),
        )
    relevant = format_measure(main, comparison.plan.relevant_difference)
    if comparison.verdict == "alike":
        return say("certain: {measure} differs by less than {worth}", measure=name, worth=relevant)
    return say(
        "uncertain: {pairs} pairs do not show whether {measure} differs; about {needed} would, if the "
        "results stay similar",
        measure=name,
        pairs=comparison.pairs,
        needed=comparison.needed,
    )


def describe_significant(data: dict[str, Any], words: Localizer) -> str:
    """Return one line with the names of the measures whose difference is significant.

    `data`: the comparison as JSON data.
    """
    names = [format_measure_name(name, words) for name, m in data["measures"].items() if m["differs"]]
    if not names:
        return words.say("no difference is certain")
    return words.say("certain differences: {measures}", measures=words.join_list(names))


def _list_headings(words: Localizer) -> tuple[str, ...]:
    say = words.say
    return say("measure"), "A", "B", say("difference"), say("low"), say("high")


def _iter_rows(data: dict[str, Any], words: Localizer) -> Iterable[tuple[str, ...]]:
    """Yield a row for each measure: its name, its means in A and B, the difference and its interval."""
    for name, m in data["measures"].items():
        if not is_worth_showing(name, m):
            continue
        mark = " *" if m["differs"] else ""
        yield (
            format_measure_name(name, words) + mark,
            format_measure(name, m["a"]),
            format_measure(name, m["b"]),
            *(format_measure(name, m[part], True) for part in ("difference", "low", "high")),
        )


def render_page(comparison: PairedComparison, data: dict[str, Any], words: Localizer) -> str:
    """Render a comparison as one self-contained HTML page; `data` is the comparison as JSON data."""
    say = words.say
    title = say("{a} and {b} compared", a=data["a"]["ruleset"], b=data["b"]["ruleset"])
    blocks: list[Block] = [ReportHeading(1, title)]
    blocks += [ReportItem(f"{which.upper()}: {describe_contender(data[which], words)}") for which in ("a", "b")]
    blocks += [ReportParagraph(describe_verdict(comparison, words))]
    if not comparison.is_same:
        blocks.append(ReportParagraph(describe_significant(data, words)))
    for is_in_shares, heading, axis in (
        (True, say("Results"), say("B minus A, percent of the games")),
        (False, say("Scores, length and losses"), say("B minus A, in standard deviations of the measure in A")),
    ):
        measures = [
            (n, m)
            for n, m in data["measures"].items()
            if is_share(n) == is_in_shares and m["low"] is not None and is_worth_showing(n, m)
        ]
        if not measures:
            continue
        bars = []
        for name, m in measures:
            unit = (
                0.01
                if is_in_shares
                else (comparison.measures[name].a.deviation or comparison.measures[name].b.deviation or 1.0)
            )
            bars.append(
                IntervalBar(format_measure_name(name, words), m["difference"] / unit, m["low"] / unit, m["high"] / unit)
            )
        caption = say(
            "Points are differences (B minus A), bars their intervals. A difference is certain if its bar "
            "does not touch the line at 0."
        )
        blocks += [ReportHeading(2, heading), ReportFigure(draw_interval_plot(bars, axis), caption, "chart")]
    blocks += [ReportHeading(2, say("Figures")), ReportTable(_list_headings(words), tuple(_iter_rows(data, words)), 1)]
    blocks += [ReportParagraph(describe_pairs(comparison, words)), ReportParagraph(describe_widths(comparison, words))]
    return render_html_page(blocks, "", words.lang, say)


def is_worth_showing(name: str, m: dict[str, Any]) -> bool:
    """Return whether to list the measure `name`: it is not 0 in both games, or it is a win rate.

    `m`: the JSON data of the measure, with its means "a" and "b" and whether it "differs".
    """
    return name.startswith(WINS) or bool(m["a"] or m["b"] or m["differs"])
