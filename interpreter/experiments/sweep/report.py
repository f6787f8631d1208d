"""Render a sweep: lines for a terminal, and one page with charts. Computes nothing."""

from __future__ import annotations

from interpreter.experiments.confidence_intervals import MIN_PAIRS
from interpreter.experiments.measures import format_measure, format_measure_name, is_share
from interpreter.experiments.plots import (
    IntervalBar,
    TornadoBar,
    draw_interval_plot,
    draw_response_plot,
    draw_tornado_plot,
)
from interpreter.experiments.sweep.effects import EffectTable, FactorEffect
from interpreter.experiments.sweep.game_traces import CELL, CHOICE
from interpreter.experiments.sweep.outcome_associations import OutcomeAssociation
from interpreter.experiments.sweep.runner import SweepSummary
from interpreter.players.reports.html_page import render_html_page
from interpreter.players.reports.report_model import Block, ReportFigure, ReportHeading, ReportParagraph, ReportTable
from interpreter.runtime.localizer import Localizer

_MAX_PAIRS, _MAX_DECIDERS = 12, 20
_CURVES = 12


def group_by_factor(effects: EffectTable) -> list[tuple[str, list[FactorEffect]]]:
    """Return the effects grouped by factor, largest range first."""
    by_path: dict[str, list[FactorEffect]] = {}
    for effect in effects.single:
        by_path.setdefault(effect.paths[0], []).append(effect)
    return sorted(by_path.items(), key=lambda item: -_compute_range(item[1]))


def _compute_range(effects: list[FactorEffect]) -> float:
    means = [0.0, *(e.mean for e in effects)]
    return max(means) - min(means)


def render_summary(summary: SweepSummary, localizer: Localizer) -> list[str]:
    """Return lines for the design and the largest effects on the balance between the seats."""
    say, main = localizer.say, summary.main
    lines = [describe_design(summary, localizer), ""]
    effects = summary.effects.get(main)
    if effects is None and summary.seeds >= MIN_PAIRS:
        lines.append(
            say("these points cannot separate the effects of the changes: use more of them (--sample), or all")
        )
    elif effects is None:
        lines.append(
            say(
                "nothing is certain yet: {seeds} games are complete at every point, and {least} are needed; "
                "run the same command with a higher -n to continue",
                seeds=summary.seeds,
                least=MIN_PAIRS,
            )
        )
    else:
        lines.append(
            say(
                "effects on {measure}, with {seeds} seeds at every point:",
                measure=format_measure_name(main, localizer),
                seeds=effects.seeds,
            )
        )
        for path, factor_effects in group_by_factor(effects):
            lines.append(f"  {path}")
            lines += [f"    {_describe_effect(e, main, localizer)}" for e in factor_effects]
        lines += _render_pairs(summary, effects, localizer)
    lines += _render_associations(summary, localizer)
    return lines


def describe_design(summary: SweepSummary, localizer: Localizer) -> str:
    """Describe the number of points and games."""
    design = summary.design
    sorts = {
        "full": localizer.say("all combinations"),
        "sample": localizer.say("a sample of {possible} combinations", possible=design.possible),
        "alone": localizer.say("each change separately"),
    }
    sentence = localizer.say(
        "{points} points ({design}), {games} games",
        points=len(design.points),
        design=sorts[design.sort],
        games=summary.games,
    )
    if summary.unfinished:
        sentence += localizer.say("; {number} were cut off and count only for their length", number=summary.unfinished)
    return sentence


def _describe_effect(effect: FactorEffect, measure: str, localizer: Localizer) -> str:
    """Describe the effect of a value, with its interval and a star if it is certain."""
    sentence = localizer.say(
        "{value}: {effect} ({low} to {high})",
        value=", ".join(effect.values),
        effect=format_measure(measure, effect.mean, True),
        low=format_measure(measure, effect.interval.low, True),
        high=format_measure(measure, effect.interval.high, True),
    )
    return sentence + (" *" if effect.interval.excludes_zero else "")


def _render_pairs(summary: SweepSummary, effects: EffectTable, localizer: Localizer) -> list[str]:
    """Return lines about the certain interactions of two changes."""
    say = localizer.say
    if not effects.pairs_known:
        return [say("this design cannot show whether changes interact")] if len(summary.design.factors) > 1 else []
    sure = [e for e in effects.pairs if e.interval.excludes_zero]
    if not sure:
        return [say("no interaction between two changes was found")]
    lines = [say("interactions between changes, beyond their separate effects:")]
    for e in sorted(sure, key=lambda e: -abs(e.mean))[:_MAX_PAIRS]:
        levels = ", ".join(f"{p} = {v}" for p, v in zip(e.paths, e.values, strict=True))
        lines.append(f"  {levels}: {format_measure(summary.main, e.mean, True)}")
    return lines


def _render_associations(summary: SweepSummary, localizer: Localizer) -> list[str]:
    """Return lines about what is associated with winning."""
    if not summary.deciders:
        return []
    say = localizer.say
    lines = [
        "",
        say("associated with {measure} in the observed games:", measure=format_measure_name(summary.main, localizer)),
    ]
    sure = [d for d in summary.deciders if d.interval.excludes_zero]
    if not sure:
        return [*lines, "  " + say("nothing that can be detected in these games")]
    return lines + [
        f"  {describe_association(d, localizer)}: {_format_association_figures(d, summary.main)}"
        for d in sure[:_MAX_DECIDERS]
    ]


def _format_association_figures(decider: OutcomeAssociation, main: str) -> str:
    """Format an effect with its confidence interval: "+3.1 (1.2, 5.0)"; `main`: the measure that it is about."""
    effect, low, high = (
        format_measure(main, v, True) for v in (decider.effect, decider.interval.low, decider.interval.high)
    )
    return f"{effect} ({low}, {high})"


def describe_association(decider: OutcomeAssociation, localizer: Localizer) -> str:
    """Describe a cell, a requirement or a choice, and the seat it belongs to."""
    seat = localizer.get_thing_name("seat", decider.seat)
    if decider.kind == CELL:
        return localizer.say("cell {name} read by {seat}", name=decider.name, seat=seat)
    if decider.kind == CHOICE:
        return localizer.say("{seat} chooses {name}", name=decider.name, seat=seat)
    return localizer.say("{name} forbids {seat}", name=decider.name, seat=seat)


def render_page(summary: SweepSummary, title: str, localizer: Localizer) -> str:
    """Render the sweep as one self-contained HTML page."""
    say = localizer.say
    certainty = say(
        "All intervals of a chart or table together are correct with a confidence of 95%. A star or "
        "the color red marks a certain effect."
    )
    blocks: list[Block] = [
        ReportHeading(1, say("{title}: effects", title=title)),
        ReportParagraph(describe_design(summary, localizer)),
        ReportParagraph(certainty),
    ]
    effects = summary.effects.get(summary.main)
    if effects is not None:
        blocks += _draw_tornados(summary, localizer)
        blocks += _draw_curves(summary, localizer)
        blocks += _build_interactions(effects, localizer)
    blocks += _build_association_blocks(summary, localizer)
    blocks += _build_tables(summary, localizer)
    return render_html_page(blocks, "", localizer.lang, say)


def _draw_tornados(summary: SweepSummary, localizer: Localizer) -> list[Block]:
    """Build a tornado plot for the balance, the lead and the length of games."""
    say = localizer.say
    blocks: list[Block] = []
    for measure in (summary.main, "lead", "turns"):
        effects = summary.effects.get(measure)
        if effects is None or not effects.single:
            continue
        bars = []
        for path, factor_effects in group_by_factor(effects):
            ends = sorted(factor_effects, key=lambda e: e.mean)
            low, high = ends[0], ends[-1]
            unit = 0.01 if is_share(measure) else 1.0
            bars.append(
                TornadoBar(
                    _shorten_paths(path),
                    _build_bar(low, unit, low.mean <= 0),
                    _build_bar(high, unit, high.mean >= 0),
                )
            )
        name = format_measure_name(measure, localizer)
        axis = (
            say("change of: {measure}, percent of the games", measure=name)
            if is_share(measure)
            else say("change of: {measure}", measure=name)
        )
        caption = say(
            "Each bar shows the lowest to the highest effect of the values of one setting, compared with the "
            "unchanged rules; lines are intervals."
        )
        heading = say("Largest effects on the balance") if measure == summary.main else name
        blocks += [ReportHeading(2, heading), ReportFigure(draw_tornado_plot(bars, axis), caption, "chart")]
    return blocks


def _build_bar(effect: FactorEffect, unit: float, is_shown: bool) -> IntervalBar:
    """Return an effect in multiples of `unit`; unless `is_shown`, the unlabelled bar of the unchanged value at 0."""
    if not is_shown:
        return IntervalBar("", 0.0, 0.0, 0.0)
    return IntervalBar(effect.values[0], effect.mean / unit, effect.interval.low / unit, effect.interval.high / unit)


def _draw_curves(summary: SweepSummary, localizer: Localizer) -> list[Block]:
    """Build a plot of the balance over the values of each factor with the largest effects."""
    effects = summary.effects[summary.main]
    blocks: list[Block] = [ReportHeading(2, localizer.say("Responses"))]
    for path, _effects in group_by_factor(effects)[:_CURVES]:
        levels = [e for e in effects.levels if e.paths == (path,)]
        points = [IntervalBar("", 100 * e.mean, 100 * e.interval.low, 100 * e.interval.high) for e in levels]
        name = format_measure_name(summary.main, localizer)
        caption = localizer.say(
            "{measure} by {path}, over all points with that value; bars are intervals.", measure=name, path=path
        )
        drawing = draw_response_plot(
            _shorten_paths(path), [e.values[0] for e in levels], [(name, points)], localizer.say("percent of the games")
        )
        blocks.append(ReportFigure(drawing, caption, "chart"))
    return blocks


def _build_interactions(effects: EffectTable, localizer: Localizer) -> list[Block]:
    """Build a plot of the largest interactions between changes."""
    say = localizer.say
    blocks: list[Block] = [ReportHeading(2, say("Interactions between changes"))]
    if not effects.pairs:
        return [*blocks, ReportParagraph(say("this design cannot show whether changes interact"))]
    pairs = sorted(effects.pairs, key=lambda e: -abs(e.mean))[:_MAX_PAIRS]
    bars = [
        IntervalBar(
            " & ".join(f"{_shorten_paths(p)} = {v}" for p, v in zip(e.paths, e.values, strict=True)),
            100 * e.mean,
            100 * e.interval.low,
            100 * e.interval.high,
        )
        for e in pairs
    ]
    caption = say("The effect of two changes together beyond their separate effects.")
    return [*blocks, ReportFigure(draw_interval_plot(bars, say("percent of the games")), caption, "chart")]


def _build_association_blocks(summary: SweepSummary, localizer: Localizer) -> list[Block]:
    """Build a plot of what is associated with winning."""
    say = localizer.say
    if not summary.deciders:
        return []
    deciders = summary.deciders[:_MAX_DECIDERS]
    bars = [
        IntervalBar(describe_association(d, localizer), 100 * d.effect, 100 * d.interval.low, 100 * d.interval.high)
        for d in deciders
    ]
    name = format_measure_name(summary.main, localizer)
    axis = say("{measure}: percent more per standard deviation", measure=name)
    sentence = say(
        "Counted in the games as played, each as a share of its group: a cell among the cells of its chart, "
        "a choice among the choices of its decision. What is associated with a victory does not necessarily "
        "cause it; to find out, vary it in a sweep."
    )
    return [
        ReportHeading(2, say("What decides games")),
        ReportParagraph(sentence),
        ReportFigure(draw_interval_plot(bars, axis), name, "chart"),
    ]


def _build_tables(summary: SweepSummary, localizer: Localizer) -> list[Block]:
    """Build a table of the certain effects on each measure, and of all effects on the balance."""
    say, main = localizer.say, summary.main
    blocks: list[Block] = [ReportHeading(2, say("Figures"))]
    for measure, effects in summary.effects.items():
        sure = [e for e in effects.single if e.interval.excludes_zero or measure == main]
        if not sure:
            continue
        rows = tuple(
            (
                e.paths[0],
                e.values[0] + (" *" if e.interval.excludes_zero else ""),
                *(format_measure(measure, v, True) for v in (e.mean, e.interval.low, e.interval.high)),
            )
            for e in sure
        )
        heads = (say("varied setting"), say("value"), say("effect"), say("low"), say("high"))
        blocks += [ReportHeading(3, format_measure_name(measure, localizer)), ReportTable(heads, rows, 2)]
    return blocks


def _shorten_paths(path: str) -> str:
    """Shorten a path, or each of several paths, to its end, long enough to be distinguished on a chart."""
    ends = [parts if len(parts) <= 3 else ["…", *parts[-3:]] for parts in (part.split(".") for part in path.split("+"))]
    labels = [".".join(parts).replace("….", "… ") for parts in ends]
    return labels[0] if len(labels) == 1 else f"{labels[0]} + {len(labels) - 1}"
