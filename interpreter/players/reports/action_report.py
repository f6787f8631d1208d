"""After-action report of a saved game: the moves, the events, the losses and the luck, as a list of blocks.

As Markdown it escapes texts from the game, so that they never become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interpreter.i18n.number_format import format_number
from interpreter.play.lines import Line, format_citations
from interpreter.play.template_values import format_turn
from interpreter.players.luck.luck_analysis import LuckRecord
from interpreter.players.luck.luck_report import render_luck_report
from interpreter.players.narration.event_lines import EventFormatter, render_outcome
from interpreter.players.reports.losses import Strength, list_permanent_groups
from interpreter.players.reports.replay_log import ReplayLog
from interpreter.players.reports.replay_viewer import render_choice
from interpreter.players.reports.report_model import (
    Block,
    ReportFigure,
    ReportHeading,
    ReportItem,
    ReportParagraph,
    ReportTable,
)
from interpreter.players.reports.timeline import Timeline, compute_timeline
from interpreter.runtime.localizer import Localizer
from interpreter.saves.entries import JournalHeader

_NAMED = 5  # decisions listed as the most important


@dataclass(frozen=True, slots=True)
class FigureSource:
    """Figures of a report: those to insert `after` the outcome, and `course`, the charts of the course of the game.

    `of_phases`: a figure for each phase, by the number of its first decision.
    """

    after: Sequence[ReportFigure] = ()
    course: Sequence[ReportFigure] = ()
    of_phases: Mapping[int, ReportFigure] | None = None


@dataclass(frozen=True, slots=True)
class ReportContext:
    """Contents of a report besides the replay: the journal header, the luck (None: not analyzed) and remarks.

    `by_hand`: a heading and a line for each manual change of the position; empty without any.
    """

    header: JournalHeader
    luck: LuckRecord | None = None
    notes: Sequence[str] = ()
    by_hand: Sequence[str] = ()


def render_report(replay_log: ReplayLog, localizer: Localizer, context: ReportContext) -> list[str]:
    """Render the whole report in Markdown."""
    return render_markdown(build_report(replay_log, localizer, context))


def build_report(
    replay_log: ReplayLog,
    localizer: Localizer,
    context: ReportContext,
    course: Timeline | None = None,
    plates: FigureSource | None = None,
) -> list[Block]:
    """Build the blocks of the whole report.

    `course`: the timeline, if it is already computed; `plates`: the figures to insert.
    """
    say, plates = localizer.say, plates or FigureSource()
    course = course or compute_timeline(replay_log)
    replay_log.go_to(replay_log.last)
    blocks: list[Block] = [*_build_heading(replay_log, context.header, localizer)]
    if context.by_hand:
        blocks += [
            ReportHeading(2, say("Changed by hand")),
            ReportParagraph(context.by_hand[0]),
            *_build_items(context.by_hand[1:]),
        ]
    blocks += [ReportHeading(2, say("Outcome")), *_build_outcome(replay_log, localizer), *plates.after]
    if plates.course:
        blocks += [ReportHeading(2, say("Course of the game")), *plates.course]
    blocks += _build_losses(course, localizer, replay_log.game.scenario)
    blocks += _build_group_losses(course, replay_log, localizer)
    blocks += _build_key_decisions(replay_log, course, localizer)
    blocks += [ReportHeading(2, say("What happened"))]
    if plates.of_phases:
        signs = say("on the maps, a dotted arrow shows where pieces moved; a cross marks where pieces left the map")
        blocks += [ReportParagraph(signs)]
    blocks += [*_build_course(replay_log, localizer, plates.of_phases or {})]
    if context.notes:
        blocks += [ReportHeading(2, say("Notes")), *_build_items(context.notes)]
    if context.luck is not None:
        blocks += [ReportHeading(2, say("Luck"))]
        for line in render_luck_report(context.luck, localizer):
            blocks.append(ReportItem(line.text) if isinstance(line, Line) else ReportParagraph(line))
    return blocks


def _build_items(lines: Sequence[str]) -> list[Block]:
    return [ReportItem(line.strip()) for line in lines]


def _build_heading(replay_log: ReplayLog, header: JournalHeader, localizer: Localizer) -> list[Block]:
    """Build the title and the facts of a game: scenario, options, players, dice, decisions, turns."""
    say, data = localizer.say, localizer.data
    scenario = next((s for s in data["scenarios"] if s["id"] == header.scenario), None)
    options = [localizer.format_option(option) for option in header.options]
    dice = say("rolled at the table") if header.seed is None else say("from the seed {seed}", seed=header.seed)
    seats = [
        localizer.prefix_topic(localizer.get_thing_name("seat", seat), localizer.format_player(player))
        for seat, player in header.seats.items()
    ]
    facts = {
        say("scenario"): localizer.translate_label(scenario["title"], header.scenario) if scenario else header.scenario,
        say("optional rules"): localizer.join_list(options) or say("none"),
        say("players"): localizer.join_list(seats),
        say("dice"): dice,
        say("decisions"): str(replay_log.last),
        say("turns"): str(replay_log.moments[-1].turn - replay_log.moments[0].turn + 1),
    }
    title = localizer.translate_label(data["title"], header.ruleset)
    lines = [localizer.prefix_topic(label, value) for label, value in facts.items() if value]
    return [ReportHeading(1, title), *_build_items(lines)]


def _build_outcome(replay_log: ReplayLog, localizer: Localizer) -> list[Block]:
    if not replay_log.game.over:
        return [ReportParagraph(localizer.say("the game in this file is not finished"))]
    return [ReportParagraph(line.text) for line in render_outcome(replay_log.game.outcome, localizer) if line.text]


def _build_losses(timeline: Timeline, localizer: Localizer, scenario: str | None) -> list[Block]:
    """Build a table of each side's values on the map at the start and at the end, and items with the losses by turn.

    `scenario`: the id of the scenario, which may name its turns. Return [] if no side has a value.
    """
    say = localizer.say
    rows = [
        row for side, had in timeline.start.items() for row in _iter_side_rows(side, had, timeline.end[side], localizer)
    ]
    if not rows:
        return []
    heads = (say("side"), say("value"), say("at the start"), say("at the end"))
    blocks: list[Block] = [ReportHeading(2, say("Strength on the map")), ReportTable(heads, tuple(rows), 2)]
    if any(timeline.losses.values()):
        blocks.append(ReportHeading(2, say("Losses")))
    for turn, sides in timeline.losses.items():
        counts = localizer.join_list(
            f"{localizer.get_thing_name('side', side)} {count}" for side, count in sides.items()
        )
        if counts:
            line = say(
                "{turn}, pieces lost from the map: {sides}", turn=format_turn(localizer, turn, scenario), sides=counts
            )
            blocks.append(ReportItem(line))
    return blocks


def _iter_side_rows(side: str, had: Strength, has: Strength, localizer: Localizer) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a side: its pieces on the map, and the sums of its attributes that have changed."""
    if not had.pieces and not has.pieces:
        return
    attributes, name = localizer.get_kind("piece")["attributes"], localizer.get_thing_name("side", side)
    yield name, localizer.say("pieces on the map"), str(had.pieces), str(has.pieces)
    for attribute in dict.fromkeys([*had.sums, *has.sums]):
        before, now = had.sums.get(attribute, 0), has.sums.get(attribute, 0)
        if before != now:
            yield name, localizer.translate_attribute(attributes[attribute]), format_number(before), format_number(now)


def _build_group_losses(timeline: Timeline, replay_log: ReplayLog, localizer: Localizer) -> list[Block]:
    """Build a table for each kind of group: how many of its pieces were ever on the map, and how many have left it.

    Kinds without losses are left out.
    """
    say, program, at = localizer.say, localizer.program, replay_log.game.state.at
    attributes = localizer.get_kind("piece")["attributes"]
    blocks: list[Block] = []
    for (name, kind), members in list_permanent_groups(program).items():
        rows = []
        for thing, pieces in members.items():
            ever = [piece for piece in pieces if piece in timeline.pieces_seen]
            lost = [piece for piece in ever if not program.on_map[at[piece]]]
            if ever:
                rows.append(
                    (localizer.get_thing_name(kind, thing), str(len(ever)), str(len(lost)), str(len(ever) - len(lost)))
                )
        if any(row[2] != "0" for row in rows):
            heads = (
                localizer.translate_attribute(attributes[name]),
                say("total ever on the map"),
                say("gone"),
                say("left"),
            )
            blocks.append(ReportTable(heads, tuple(rows), 1))
    return [ReportHeading(3, say("Losses by group")), *blocks] if blocks else []


def _build_key_decisions(replay_log: ReplayLog, timeline: Timeline, localizer: Localizer) -> list[Block]:
    """Build the list of the decisions with the largest losses and score changes; or [] if no decision qualifies."""
    costliest = sorted(timeline.costs, key=lambda c: (-(c.cost + c.swing), c.decision))[:_NAMED]
    if not costliest:
        return []
    blocks: list[Block] = [ReportHeading(2, localizer.say("Decisions with the largest changes"))]
    for cost_entry in sorted(costliest, key=lambda c: c.decision):
        choice = render_choice(replay_log, localizer, cost_entry.decision)
        line = localizer.say(
            "decision {number}, {turn}: {choice}",
            number=cost_entry.decision,
            turn=format_turn(localizer, replay_log.moments[cost_entry.decision - 1].turn, replay_log.game.scenario),
            choice=choice.text,
        )
        cost = (
            localizer.say("lost by all sides: {cost}", cost=format_number(cost_entry.cost)) if cost_entry.cost else ""
        )
        swing = (
            localizer.say("score changed by {swing}", swing=format_number(cost_entry.swing)) if cost_entry.swing else ""
        )
        text = localizer.with_detail(line, localizer.join_texts(x for x in (cost, swing) if x))
        blocks.append(ReportItem(text, choice.citations))
    return blocks


def _build_course(replay_log: ReplayLog, localizer: Localizer, figures: Mapping[int, ReportFigure]) -> list[Block]:
    """Build headings for turns and phases, items for choices, and nested items for their results.

    `figures`: figures by decision number, each inserted before the text of its decision.
    """
    teller = EventFormatter(localizer, decisions=False)
    blocks = _convert_lines(teller.render_lines(replay_log.list_opening_events()), False)
    for decision in range(1, replay_log.last + 1):
        own = _convert_lines(teller.add_headings(render_choice(replay_log, localizer, decision)), False)
        if decision in figures:
            own.insert(len(own) - 1, figures[decision])
        blocks += own + _convert_lines(teller.render_lines(replay_log.list_events(decision - 1, decision)[1:]), True)
    return blocks


def _convert_lines(lines: Sequence[Line], is_below: bool) -> list[Block]:
    """Convert lines to blocks: headings, choices, and the results of a choice, which are nested below it.

    `is_below`: the first lines are results of a choice that came before them; a heading ends the results.
    """
    blocks: list[Block] = []
    for line in lines:
        if line.is_heading:
            blocks.append(ReportHeading(4 if line.kind == "phase" else 3, line.cited_text))
            is_below = False
        elif line.kind == "choice" and not line.level:
            blocks.append(ReportItem(line.text, line.citations, is_choice=True))
            is_below = True
        elif line.text:
            blocks.append(ReportItem(line.text, line.citations, is_below=is_below))
    return blocks


_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_<>|#"})
_LINK = re.compile(r"\](?=[\[(:])")  # a bracket that begins or defines a link or picture


def render_markdown(blocks: Iterable[Block]) -> list[str]:
    """Render the report as lines, without figures."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        if isinstance(block, ReportFigure):
            continue
        if lines and not (isinstance(block, ReportItem) and isinstance(before, ReportItem)):
            lines.append("")
        lines += _render_block(block)
        before = block
    return lines


def _render_block(block: Block) -> list[str]:
    """Render a block as lines of Markdown."""
    match block:
        case ReportHeading(level=level, text=text):
            return [f"{'#' * level} {_escape_text(text)}"]
        case ReportParagraph(text=text):
            return [_escape_text(text)]
        case ReportItem(text=text, citations=citations, is_choice=is_choice, is_below=is_below):
            markdown = _escape_text(text + format_citations(citations))
            return [f"- **{markdown}**" if is_choice else f"{'  ' if is_below else ''}- {markdown}"]
        case ReportTable(heads=heads, rows=rows, numbers=numbers):
            rule = "|".join("---" if n < numbers else "---:" for n in range(len(heads)))
            return [_format_row(heads), f"|{rule}|", *(_format_row(row) for row in rows)]
    return []


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_escape_text(cell) for cell in cells)} |"


def _escape_text(text: str) -> str:
    """Escape a text so that Markdown shows it literally, without markup, pictures or links."""
    return _LINK.sub(r"]\\", text.translate(_SPECIAL))
