"""Render a paired comparison as lines, as a short progress line, and as a page with charts. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.experiments.measures import WINS, format_measure, format_measure_name, is_share
from interpreter.experiments.paired_comparison import MeasureSummary, PairedComparison
from interpreter.experiments.plots import IntervalBar, draw_interval_plot
from interpreter.files.assets import format_target_name
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
from interpreter.simulation.games import BatchSpec
from interpreter.tools.describe.chart_lines import align_rows

Contenders = tuple[BatchSpec, BatchSpec]  # the games of A and of B
Measures = Mapping[str, MeasureSummary]


def format_progress(comparison: PairedComparison, localizer: Localizer) -> str:
    """Return a progress line: the main measure in A and B, and the confidence interval of the difference."""
    is_known = comparison.pairs > 0 and comparison.main_measure in comparison.measures
    if not is_known or (interval := comparison.compute_interval(comparison.main_measure)).half_width >= 1:
        return localizer.say("no results yet")
    measured = comparison.measures[comparison.main_measure]
    return localizer.say(
        "{measure}: A {a}, B {b}, difference {low} to {high}",
        measure=format_measure_name(comparison.main_measure, localizer),
        a=format_measure(comparison.main_measure, measured.a.mean),
        b=format_measure(comparison.main_measure, measured.b.mean),
        low=format_measure(comparison.main_measure, interval.low, True),
        high=format_measure(comparison.main_measure, interval.high, True),
    )


def render_comparison(comparison: PairedComparison, contenders: Contenders, localizer: Localizer) -> list[str]:
    """Return the complete result of a comparison as lines of text."""
    say, measures = localizer.say, comparison.summarize_measures()
    lines = _describe_contenders(contenders, localizer)
    lines += ["", describe_pairs(comparison, localizer), describe_widths(comparison, localizer), ""]
    lines += align_rows([_list_headings(localizer), *_iter_rows(measures, localizer)])
    lines += ["", describe_verdict(comparison, localizer)]
    if not comparison.is_same:
        lines.append(describe_significant(measures, localizer))
    unfinished = measures.get("unfinished")
    if unfinished is not None and (unfinished.a or unfinished.b):
        lines.append(say("games that were cut off count only for their length; their results are unknown"))
    return lines


def _describe_contenders(contenders: Contenders, localizer: Localizer) -> list[str]:
    """Return a line about each side of a comparison: its game and its bots."""
    return [f"{letter}: {_describe_contender(spec, localizer)}" for letter, spec in zip("AB", contenders, strict=True)]


def _describe_contender(spec: BatchSpec, localizer: Localizer) -> str:
    bots = dict.fromkeys(spec.seats.values())
    if len(bots) == 1:
        players = localizer.format_player(next(iter(bots)))
    else:
        players = localizer.join_list(f"{seat} {localizer.format_player(bot)}" for seat, bot in spec.seats.items())
    more = [spec.scenario or "", *map(localizer.format_option, spec.options), players]
    return localizer.with_detail(format_target_name(spec.target), localizer.join_list(part for part in more if part))


def describe_pairs(comparison: PairedComparison, localizer: Localizer) -> str:
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
    return localizer.say(different if comparison.plan.apart else same, pairs=comparison.pairs, certainty=certainty)


def describe_widths(comparison: PairedComparison, localizer: Localizer) -> str:
    """Say why games won have narrower intervals than other measures of the same games."""
    return localizer.say(
        "of the remaining {doubt}%, half is kept for the lines `won by` and half is divided among all other "
        "lines, so the same games give a wider interval there",
        doubt=f"{100 * comparison.plan.error_probability:.6g}",
    )


def describe_verdict(comparison: PairedComparison, localizer: Localizer) -> str:
    """Return the answer to the main question, or the reason why it has no answer."""
    say, main = localizer.say, comparison.main_measure
    if not comparison.pairs:
        return say("no pair of games has finished")
    if comparison.is_same:
        return say("the games are identical in every roll: there is no difference")
    name = format_measure_name(main, localizer)
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


def describe_significant(measures: Measures, localizer: Localizer) -> str:
    """Return one line with the names of the measures whose difference is significant."""
    names = [format_measure_name(name, localizer) for name, measure in measures.items() if measure.differs]
    if not names:
        return localizer.say("no difference is certain")
    return localizer.say("certain differences: {measures}", measures=localizer.join_list(names))


def _list_headings(localizer: Localizer) -> tuple[str, ...]:
    say = localizer.say
    return say("measure"), "A", "B", say("difference"), say("low"), say("high")


def _iter_rows(measures: Measures, localizer: Localizer) -> Iterator[tuple[str, ...]]:
    """Yield a row for each measure: its name, its means in A and B, the difference and its interval."""
    for name, measure in measures.items():
        if not _is_worth_showing(name, measure):
            continue
        mark = " *" if measure.differs else ""
        yield (
            format_measure_name(name, localizer) + mark,
            format_measure(name, measure.a),
            format_measure(name, measure.b),
            *(format_measure(name, figure, True) for figure in (measure.difference, measure.low, measure.high)),
        )


def render_page(comparison: PairedComparison, contenders: Contenders, localizer: Localizer) -> str:
    """Render a comparison as one self-contained HTML page."""
    say, measures = localizer.say, comparison.summarize_measures()
    name_a, name_b = (format_target_name(spec.target) for spec in contenders)
    blocks: list[Block] = [ReportHeading(1, say("{a} and {b} compared", a=name_a, b=name_b))]
    blocks += map(ReportItem, _describe_contenders(contenders, localizer))
    blocks += [ReportParagraph(describe_verdict(comparison, localizer))]
    if not comparison.is_same:
        blocks.append(ReportParagraph(describe_significant(measures, localizer)))
    for is_in_shares, heading, axis in (
        (True, say("Results"), say("B minus A, percent of the games")),
        (False, say("Scores, length and losses"), say("B minus A, in standard deviations of the measure in A")),
    ):
        bars = []
        for name, measure in measures.items():
            if is_share(name) != is_in_shares or not _is_worth_showing(name, measure):
                continue
            if measure.difference is None or measure.low is None or measure.high is None:
                continue
            measured = comparison.measures[name]
            unit = 0.01 if is_in_shares else measured.a.deviation or measured.b.deviation or 1.0
            figures = (figure / unit for figure in (measure.difference, measure.low, measure.high))
            bars.append(IntervalBar(format_measure_name(name, localizer), *figures))
        if not bars:
            continue
        caption = say(
            "Points are differences (B minus A), bars their intervals. A difference is certain if its bar "
            "does not touch the line at 0."
        )
        blocks += [ReportHeading(2, heading), ReportFigure(draw_interval_plot(bars, axis), caption, "chart")]
    blocks += [
        ReportHeading(2, say("Figures")),
        ReportTable(_list_headings(localizer), tuple(_iter_rows(measures, localizer)), 1),
    ]
    blocks += [
        ReportParagraph(describe_pairs(comparison, localizer)),
        ReportParagraph(describe_widths(comparison, localizer)),
    ]
    return render_html_page(blocks, "", localizer.lang, say)


def _is_worth_showing(name: str, measure: MeasureSummary) -> bool:
    """Return whether to list the measure `name`: it is not 0 in both games, or it is a win rate."""
    return name.startswith(WINS) or bool(measure.a or measure.b or measure.differs)
