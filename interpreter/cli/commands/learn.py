"""Implement `grognard learn`: the guided first turn of a ruleset at the prompt."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag, add_target
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import print_line, print_message
from interpreter.cli.tui_setup import add_screen, make_play_context, open_screen_channel, play_on_screen
from interpreter.files.assets import format_target_name
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.tools.lessons.course import LessonCourse
    from interpreter.ui.repl.repl import Repl

HELP = _("play a guided first turn")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(
        parser,
        "ruleset",
        _("RULESET"),
        _("the game to learn (default: a list of the games that have a lesson)"),
        nargs="?",
    )
    add_flag(parser, "--brief", _("write short text without brackets, one line per move, for listening"))
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the lesson, then continue the game from the position in which the lesson ends."""
    if arguments.ruleset is None:
        return _print_lessons(arguments.lang)
    from interpreter.api.game import load
    from interpreter.cli.start_menu import build_first_game_arguments
    from interpreter.documents.learning import read_lesson
    from interpreter.tools.lessons.course import LessonError, start_lesson

    if arguments.screen and arguments.brief:
        raise UsageError("--screen and --brief cannot be used together; choose one")
    arguments.plain = False  # a lesson has no --plain
    arguments.front = open_screen_channel(arguments)
    rules = load(arguments.ruleset, checked=True)
    lesson = read_lesson(rules.target, rules.program.languages)
    if lesson is None:
        raise UsageError(
            "{ruleset} has no lesson; play it with: {command}",
            ruleset=format_target_name(arguments.ruleset),
            command=f"grognard play {format_target_name(arguments.ruleset)}",
        )
    try:
        course = start_lesson(lesson, rules)
    except LessonError as fault:
        raise UsageError("the lesson cannot go on: {problem}", problem=fault.message) from None
    session = _create_session(arguments, rules, course)
    try:
        play_on_screen(arguments, session, session.play)
    except KeyboardInterrupt:
        print_line()
    say = session.context.localizer.say
    if not session.game.over:
        command = f"grognard learn {format_target_name(arguments.ruleset)}"
        print_line(say("A lesson is not saved. Begin it again with: {command}", command=command))
    command = " ".join(["grognard", "play", format_target_name(arguments.ruleset), *build_first_game_arguments(rules)])
    print_line(say("Play a game of your own with:"))
    print_line(f"  {command}")
    return GOOD


def _create_session(arguments: argparse.Namespace, rules: Rules, course: LessonCourse) -> Repl:
    """Return the interactive session of a lesson; bots play the other seats."""
    from interpreter.players.bots.registry import HUMAN, make_bots
    from interpreter.players.narration.event_lines import EventFormatter
    from interpreter.players.ownership import list_seats
    from interpreter.ui.repl.lesson import LessonGuide
    from interpreter.ui.repl.repl import Repl

    game = course.game
    seats = {seat: HUMAN if seat == course.lesson.seat else "greedy" for seat in list_seats(game)}
    context = make_play_context(arguments, rules, game, seats, make_bots(seats, course.lesson.seed))
    localizer = context.localizer
    session = Repl(context, EventFormatter(localizer, decisions=False), LessonGuide(course, localizer))
    session.reporter.log_position, session.reporter.event_formatter.has_started = len(game.get_raw_log()), True
    context.screen.write(
        [localizer.translate_label(localizer.data["title"], rules.id), localizer.translate_label(course.lesson.title)]
    )
    if arguments.brief:
        session.context.is_brief = True
    return session


def _print_lessons(lang: str) -> int:
    """Print the games that have a lesson, with the command for each."""
    from interpreter.tools.lessons.lesson_list import list_lessons

    say, lessons = get_translator(lang), list_lessons(lang)
    if not lessons:
        print_message(say("no game here has a lesson"))
    for lesson in lessons:
        print_line(say("{what}: {values}", what=lesson.game, values=lesson.about))
        line = say(
            "{number} steps, about {minutes} minutes: {command}",
            number=lesson.steps,
            minutes=lesson.minutes,
            command=f"grognard learn {lesson.ruleset}",
        )
        print_line(f"  {line}")
    return GOOD
