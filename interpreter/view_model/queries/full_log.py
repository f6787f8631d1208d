"""The whole game as text: its log and its after-action report, built from a replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.api.resume import build_replay
from interpreter.play.game import Game
from interpreter.play.lines import Line
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.reports.action_report import ReportContext, build_report
from interpreter.players.reports.replay_log import record_replay
from interpreter.players.reports.report_model import Block, ReportHeading, ReportItem, ReportParagraph, ReportTable
from interpreter.saves.recorder import build_journal
from interpreter.view_model.answer_records import AnswerLine, TextAnswer
from interpreter.view_model.log_view import LogView, build_answer_lines
from interpreter.view_model.records import LogLine
from interpreter.view_model.view_context import ViewContext


def answer_report(context: ViewContext, game: Game, players: Mapping[str, str], notes: Sequence[str]) -> TextAnswer:
    """Return the report of a game so far, with its luck and the players' notes."""
    journal = build_journal(game, dict(players))
    luck = LuckService(context.rules).analyze_saved_game(journal)
    story = record_replay(build_replay(journal, context.rules, ""))
    blocks = build_report(story, context.localizer, ReportContext(journal.header, luck, tuple(notes)))
    return TextAnswer(
        context.localizer.say("report"), tuple(line for block in blocks for line in _format_block(block, context))
    )


def _format_block(block: Block, context: ViewContext) -> Sequence[AnswerLine]:
    """Return a block of the report as lines indented below its heading, without pictures."""
    match block:
        case ReportHeading(text=text) | ReportParagraph(text=text):
            return build_answer_lines([text])
        case ReportItem(text=text, citations=citations, is_below=is_below):
            return build_answer_lines([Line(text, citations, level=2 if is_below else 1)])
        case ReportTable(heads=heads, rows=rows):
            return [AnswerLine(context.localizer.join_list(row), (), 1, row) for row in (heads, *rows)]
    return ()


def list_full_log(context: ViewContext, game: Game) -> tuple[LogLine, ...]:
    """Return every line of the log."""
    return tuple(LogView(context).list_lines(game))
