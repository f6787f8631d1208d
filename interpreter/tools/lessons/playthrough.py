"""Playthrough of a ruleset's lesson for `grognard test`; reports each step that fails.

Each accepted order is played: it must be legal, and the lesson must be able to continue after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.api.loading import load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.learning import read_learning_documents, read_lesson
from interpreter.i18n.translator import ENGLISH, Message, Translator, get_error_message, mark as _
from interpreter.model.answers import CaseAnswer
from interpreter.model.learning import LessonStep
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import IllegalAction, RuleFault
from interpreter.tools.cases.answer_resolution import format_options
from interpreter.tools.lessons.course import LessonCourse, LessonError, list_fitting_options, start_lesson

_MAX_TRIED_OPTIONS = 12  # options that one accepted order may mean and that are all played


@dataclass(frozen=True, slots=True)
class LessonReport:
    """The result of playing a lesson: its title, number of steps, and faults as (message, span)."""

    title: str
    steps: int
    faults: tuple[tuple[Message, Span], ...]

    @property
    def ok(self) -> bool:
        """Return whether the lesson can be played to its end without faults."""
        return not self.faults


def play_lesson(target: str) -> LessonReport | None:
    """Play the lesson of a target; return None if it has none, or if a variant or scenario of a ruleset is named.

    Raises RulesetError if the ruleset cannot be loaded or one of the documents for learners has an error.
    """
    sink = Sink()
    documents = read_learning_documents(target, sink)
    sink.raise_errors()
    if not any(document.kind == "tutorial" for document in documents):
        return None
    rules = load(target, checked=True)
    lesson = read_lesson(target, rules.program.languages, sink)
    sink.raise_errors()
    if lesson is None or rules.model is None or rules.model.ruleset.extends is not None:
        return None
    title = next(iter(lesson.title.values()), "")
    try:
        course = start_lesson(lesson, rules)
        unused = course.list_unused_faces()
        if unused:
            raise LessonError(_format_unused_dice(unused), lesson.span)
        _play_steps(course)
    except LessonError as fault:
        return LessonReport(title, len(lesson.steps), ((fault.message, fault.span),))
    return LessonReport(title, len(lesson.steps), ())


def _play_steps(course: LessonCourse) -> None:
    """Play the usual order of each step, after trying its other orders on copies. Raises LessonError at a fault."""
    while (step := course.step) is not None:
        if not step.orders:
            if not course.read() and step.look is not None:
                course.finish_look_step(step.look.kind, [step.look.id])
            if step.meanwhile and (unused := course.list_unused_faces()):
                raise LessonError(_format_unused_dice(unused), step.span)
            continue
        options = _choose_options(course, step)
        for option in options[1:]:
            _carry_out(course.copy(), option, step)
        _carry_out(course, options[0], step)


def _choose_options(course: LessonCourse, step: LessonStep) -> list[Option]:
    """Return the options to play in a step: the options that fit each accepted order, up to a limit.

    Raises LessonError if no option fits an order.
    """
    decision = course.game.decision
    if decision is None:
        raise LessonError(_("nothing is asked, so `{answer}` cannot be given", answer=str(step.orders[0])), step.span)
    if decision.seat != course.lesson.seat:
        text = _("it is the turn of `{seat}`: {options}", seat=decision.seat, options=format_options(decision))
        raise LessonError(text, step.span)
    options_by_key: dict[str, Option] = {}
    for answer in step.orders:
        options = list_fitting_options(decision, answer)
        if not options:
            raise LessonError(_explain_refusal(course, decision, answer), answer.span)
        options_by_key |= {option.key: option for option in options[:_MAX_TRIED_OPTIONS]}
    return list(options_by_key.values())


def _explain_refusal(course: LessonCourse, decision: Decision, answer: CaseAnswer) -> Message:
    text = _("`{answer}` is not possible here: {options}", answer=str(answer), options=format_options(decision))
    if answer.args is None and answer.option and "(" in answer.option and decision.name == answer.decision:
        try:
            course.copy().game.choose(answer.option)
        except IllegalAction as refused:
            why = "; ".join(str(reason) for reason in refused.reasons)
            return _("{what}: {values}", what=text, values=why) if why else text
    return text


def _carry_out(course: LessonCourse, option: Option, step: LessonStep) -> None:
    """Choose an option in a step and check that the lesson continues after it.

    Raises LessonError if the next order is not legal or faces are left over.
    """
    key = option.key
    try:
        course.choose(key)
    except (IllegalAction, RuleFault) as problem:
        text = _("`{answer}`: {problem}", answer=key, problem=get_error_message(problem))
        raise LessonError(text, step.span) from None
    except LessonError as fault:
        raise LessonError(_("after `{answer}`: {problem}", answer=key, problem=fault.message), fault.span) from None
    if unused := course.list_unused_faces():
        raise LessonError(_("after `{answer}`: {problem}", answer=key, problem=_format_unused_dice(unused)), step.span)
    following = next(
        (
            later_step
            for later_step in course.lesson.steps[course.number :]
            if later_step.orders or later_step.meanwhile
        ),
        None,
    )
    if following is None or not following.orders:
        return
    decision = course.game.decision
    if (
        decision is None
        or decision.seat != course.lesson.seat
        or not any(list_fitting_options(decision, answer) for answer in following.orders)
    ):
        question = format_options(decision) if decision is not None else _("nothing is asked")
        text = _(
            "after `{answer}` the next order `{order}` cannot be given: {asked}",
            answer=key,
            order=str(following.orders[0]),
            asked=question,
        )
        raise LessonError(text, following.span)


def _format_unused_dice(unused: dict[str, list[int]]) -> Message:
    listed = "; ".join(f"{roll}: {faces}" for roll, faces in unused.items())
    return _("too many dice: these results were not used: {listed}", listed=listed)


def serialize_lesson_report(report: LessonReport) -> dict[str, Any]:
    """Return the report as plain data."""
    faults = [{"message": str(text), "file": span.file, "line": span.line} for text, span in report.faults]
    return {"title": report.title, "steps": report.steps, "ok": report.ok, "faults": faults}


def format_lesson_report(report: LessonReport, say: Translator = ENGLISH) -> list[str]:
    """Format the report: the faults, or that the lesson holds."""
    if report.ok:
        return [say("the lesson `{title}` holds: {number} (step|steps)", title=report.title, number=report.steps)]
    lines = [say("FAILED: the lesson `{title}`", title=report.title)]
    return lines + [f"    {span.file}:{span.line}: {say(text)}" for text, span in report.faults]
