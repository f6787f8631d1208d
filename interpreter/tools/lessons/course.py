"""The course of a lesson: a game in which only the orders of the present step are carried out.

Used by every user interface and by `playthrough`. Writes no text: the interfaces render the steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from interpreter.api.rules import Rules
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import get_error_message, mark as _
from interpreter.model.answers import CaseAnswer
from interpreter.model.learning import Highlight, Lesson, LessonStep
from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.dice import DiceExhaustedError, Faces, InvalidDiceError, ScriptedDice, SeededDice
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.tools.cases.answer_resolution import format_options
from interpreter.tools.cases.written_positions import MAX_PASSED_DECISIONS, build_edit_arguments, build_scripted_dice
from interpreter.tools.lessons.errors import LessonError as LessonError, OtherOrderError as OtherOrderError


class LessonDice:
    """Dice that show the faces scripted by a step; all other rolls come from a seed."""

    def __init__(
        self, seed: int, seeded_dice: SeededDice | None = None, scripted_dice: ScriptedDice | None = None
    ) -> None:
        self._seed = seed
        self._seeded_dice = SeededDice(seed) if seeded_dice is None else seeded_dice
        self._scripted_dice = ScriptedDice({}) if scripted_dice is None else scripted_dice
        self._named: frozenset[str] = frozenset()
        self._span: Span | None = None  # of the step that scripts the faces

    @property
    def counter(self) -> int:
        """Return the position in the seeded sequence."""
        return self._seeded_dice.counter

    def load(self, faces: Mapping[str, Any], span: Span) -> None:
        """Set the faces of the next rolls, by roll; `span`: the location for an error."""
        self._scripted_dice = build_scripted_dice(faces)
        self._named = frozenset(faces)
        self._span = span

    def list_unused_faces(self) -> dict[str, list[int]]:
        """Return the faces that were given but not rolled, by roll."""
        return self._scripted_dice.list_unused_faces()

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return the next `count` faces of a roll: the scripted ones, or faces from the seed.

        Raises LessonError if the lesson scripts too few faces, or one that the die lacks.
        """
        if self._span is None or name not in self._named or name not in self._list_unused_rolls(subject):
            return self._seeded_dice.roll_faces(name, subject, faces, count)
        try:
            return self._scripted_dice.roll_faces(name, subject, faces, count)
        except (DiceExhaustedError, InvalidDiceError) as problem:
            raise LessonError(get_error_message(problem), self._span) from None

    def clone(self) -> LessonDice:
        """Return an independent copy."""
        twin = LessonDice(self._seed, self._seeded_dice.clone(), self._scripted_dice.clone())
        twin._named, twin._span = self._named, self._span
        return twin

    def _list_unused_rolls(self, subject: str) -> set[str]:
        """Return the names of the rolls whose scripted faces are not used up.

        Faces scripted by subject count only for `subject`.
        """
        unused = set()
        for name in self._scripted_dice.list_unused_faces():
            roll, by_subject, roll_subject = name.partition(" of ")
            if not by_subject or roll_subject == subject:
                unused.add(roll)
        return unused


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """The progress of a player in a lesson, from which `LessonCourse.resume` restores the position.

    `steps`: for each finished step the key of the option chosen, or "" if the step asked for no order. `has_left`: the
    player has left the lesson and plays on without it. `after`: the keys of the options chosen since the lesson ended,
    by its player and by bots.
    """

    steps: tuple[str, ...] = ()
    has_left: bool = False
    after: tuple[str, ...] = ()


NOTHING_DONE = LessonProgress()


@dataclass(slots=True)
class LessonCourse:
    """A lesson in play.

    `game`: the game in which the orders are carried out. `number`: the index of the present step, which equals the
    number of steps at the end. `choices_at_start`: for each step reached, the number of choices made in the game before
    it. `has_left`: the player has left the lesson, and the game continues without it.
    """

    lesson: Lesson
    game: Game
    number: int = 0
    choices_at_start: list[int] = field(default_factory=list)
    has_left: bool = False

    @property
    def step(self) -> LessonStep | None:
        """Return the present step, or None if the lesson is over."""
        return self.lesson.steps[self.number] if self.is_on else None

    @property
    def is_on(self) -> bool:
        """Return True until the last step is done or the player leaves the lesson."""
        return not self.has_left and self.number < len(self.lesson.steps)

    @property
    def is_read_only(self) -> bool:
        """Return True if the present step asks for neither an order nor a look."""
        return self.step is not None and not self.step.orders and self.step.look is None

    def list_accepted_options(self) -> list[Option]:
        """Return the options of the pending decision that the present step accepts, the usual order's first."""
        decision, step = self.game.decision, self.step
        if decision is None or step is None:
            return []
        options: dict[str, Option] = {}
        for answer in step.orders:
            options |= {option.key: option for option in list_fitting_options(decision, answer)}
        return list(options.values())

    def choose(self, option: Option | str) -> None:
        """Carry out an order of the current step and the choices that the lesson fixes, and advance to the next step.

        Raises OtherOrderError if the step does not expect it, IllegalAction if it is not legal, LessonError if a fixed
        choice is not. After the lesson every legal order is carried out.
        """
        step, decision = self.step, self.game.decision
        if step is None or decision is None:
            self.game.choose(option)
            return
        chosen_option = option if isinstance(option, Option) else _find_option(decision, option)
        if chosen_option is None:
            self.game.choose(option)  # not legal: raises with the reasons
            return
        if not any(_is_expected(chosen_option, decision, answer) for answer in step.orders):
            raise OtherOrderError
        self._create_dice().load(step.dice, step.span)
        self.game.choose(chosen_option)
        self._answer_decisions(step.meanwhile, step.span)
        self.advance()

    def finish_look_step(self, kind: str, ids: Sequence[str]) -> bool:
        """Finish the present step if it asks the player to look at one of the given things; return True if it did.

        `kind` and `ids`: the things that the player has pointed at.
        """
        look = self.step.look if self.step is not None else None
        if look is None or not self.has_pointed_to(look, kind, ids):
            return False
        self.advance()
        return True

    def has_pointed_to(self, look: Highlight, kind: str, ids: Sequence[str]) -> bool:
        """Return True if the player has pointed at the thing that `look` highlights.

        `kind` and `ids`: the things pointed at. Pointing at a piece also counts for its place.
        """
        if kind == look.kind:
            return look.id in ids
        state, handles = self.game.state, self.game.program.handles
        if kind == "piece" and look.kind == "place":
            places = self.game.program.ids["place"]
            return any(
                places[state.at[handles["piece"][piece]]] == look.id for piece in ids if piece in handles["piece"]
            )
        return False

    def read(self) -> bool:
        """Finish the present step if the player only has to read it; return True if the step is finished.

        Raises LessonError if a choice that the lesson prescribes after the step is not legal.
        """
        if not self.is_read_only:
            return False
        self._finish_without_order()
        return True

    def go_back(self) -> bool:
        """Return to the previous step and the position it began with.

        Return False at the first step, or if the player has left the lesson.
        """
        if self.number == 0 or self.has_left:
            return False
        self.number -= 1
        choices = self.choices_at_start[self.number]
        del self.choices_at_start[self.number + 1 :]
        while len(self.game.keys) > choices:
            self.game.undo()
        return True

    def get_progress(self) -> LessonProgress:
        """Return the orders and choices made so far, from which `resume` restores the position."""
        keys, begun = self.game.keys, self.choices_at_start
        spans = zip(self.lesson.steps, pairwise(begun), strict=False)
        steps = tuple(keys[first] if step.orders and last > first else "" for step, (first, last) in spans)
        return LessonProgress(steps, self.has_left, () if self.is_on else tuple(keys[begun[-1] :]))

    def resume(self, progress: LessonProgress) -> None:
        """Restore the progress of a player in this lesson, starting at the first step.

        Raises IllegalAction, OtherOrderError or LessonError if the progress does not fit the lesson.
        """
        for key in progress.steps:
            if self.step is None:
                raise OtherOrderError
            if key:
                self.choose(key)
            else:
                self._finish_without_order()
        self.has_left = progress.has_left
        for key in () if self.is_on else progress.after:
            self.game.choose(key)

    def leave(self) -> None:
        """End the lesson; the game continues without it."""
        self.has_left = True

    def begin(self) -> None:
        """Make the choices before the first step."""
        self._create_dice().load(self.lesson.dice, self.lesson.span)
        self.game.play_on()
        self._answer_decisions(self.lesson.before, self.lesson.span)
        self.choices_at_start = [len(self.game.keys)]

    def copy(self) -> LessonCourse:
        """Return an independent course at the same step."""
        return LessonCourse(
            self.lesson, self.game.copy_with_history(), self.number, list(self.choices_at_start), self.has_left
        )

    def list_unused_faces(self) -> dict[str, list[int]]:
        """Return the faces that the last step gave and that were not rolled, by roll."""
        return self._create_dice().list_unused_faces()

    def _create_dice(self) -> LessonDice:
        dice = self.game.state.dice
        assert isinstance(dice, LessonDice)
        return dice

    def _finish_without_order(self) -> None:
        """Make the choices that the lesson prescribes after a step without an order, and advance to the next step."""
        step = self.step
        if step is not None and step.meanwhile:
            self._create_dice().load(step.dice, step.span)
            self._answer_decisions(step.meanwhile, step.span)
        self.advance()

    def advance(self) -> None:
        """Go to the next step without an order."""
        self.number += 1
        self.choices_at_start.append(len(self.game.keys))

    def _answer_decisions(self, answers: Sequence[CaseAnswer], span: Span) -> None:
        """Answer decisions with `answers`, and take the only option of decisions that no step asks about.

        Stops at any other decision. `span`: the location for an error. Raises LessonError if an answer is not possible
        or its decision is not asked.
        """
        waiting, passed = list(answers), 0
        while (decision := self.game.decision) is not None:
            if waiting and waiting[0].decision == decision.name:
                answer = waiting.pop(0)
                fitting = list_fitting_options(decision, answer)
                if not fitting:
                    text = _(
                        "`{answer}` is not possible here: {options}",
                        answer=str(answer),
                        options=format_options(decision),
                    )
                    raise LessonError(text, answer.span)
                self.game.choose(fitting[0])
            elif self.game.count() == 1 and not self._is_asked_next(decision):
                self.game.pick(0)
                passed += 1
                if passed > MAX_PASSED_DECISIONS:
                    text = _("decisions with one option follow each other without end")
                    raise LessonError(text, span)
            else:
                break
        if waiting:
            question = format_options(decision) if decision is not None else _("nothing is asked")
            text = _("`{answer}` was not asked for: {asked}", answer=str(waiting[0]), asked=question)
            raise LessonError(text, waiting[0].span)

    def _is_asked_next(self, decision: Decision) -> bool:
        """Return True if the next step that expects an order expects one for this decision."""
        first = self.number + 1 if self.choices_at_start else 0
        following = next((step for step in self.lesson.steps[first:] if step.orders), None)
        return following is not None and any(answer.decision == decision.name for answer in following.orders)


def start_lesson(lesson: Lesson, rules: Rules) -> LessonCourse:
    """Return the course of a lesson at its first step.

    Raises LessonError if its position or first choices are invalid.
    """
    begin = dict(lesson.begin)
    scenario, options = begin.pop("scenario", None), begin.pop("options", None)
    try:
        game = rules.start(scenario or None, options or (), dice=LessonDice(lesson.seed), ready=True)
        changes = build_edit_arguments(begin, rules.documents())
        if changes:
            game.edit(**changes)
        course = LessonCourse(lesson, game)
        course.begin()
    except (SetupError, IllegalAction, RuleFault, ValueError) as problem:
        text = _("the lesson cannot begin: {problem}", problem=get_error_message(problem))
        raise LessonError(text, lesson.begin_span) from None
    return course


def list_fitting_options(decision: Decision, answer: CaseAnswer) -> list[Option]:
    """Return the options of a decision that fit an answer; several if the answer leaves something open."""
    if decision.name != answer.decision:
        return []
    options = list(decision.options)
    if answer.args is None:
        exact = [option for option in options if option.key == answer.option]
        if not exact and answer.option and (option_with_key := _find_option(decision, answer.option)) is not None:
            exact = [option_with_key]
        return exact or [option for option in options if option.name == answer.option]
    return [option for option in options if _has_arguments(option, answer)]


def _is_expected(option: Option, decision: Decision, answer: CaseAnswer) -> bool:
    """Return True if an option fits an answer of the lesson, also if the player built the draft on another path."""
    if decision.name != answer.decision:
        return False
    if answer.args is not None:
        return _has_arguments(option, answer)
    return option.key in {fitting.key for fitting in list_fitting_options(decision, answer)}


def _has_arguments(option: Option, answer: CaseAnswer) -> bool:
    if answer.option is not None and option.name != answer.option:
        return False
    option_args, answer_args = option.args, answer.args or {}
    return all(
        name in option_args and _normalize(option_args[name]) == _normalize(value)
        for name, value in answer_args.items()
    )


def _normalize(value: object) -> object:
    """Return an argument's value, a set or list as sorted texts, so that its members compare equal in any order."""
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value


def _find_option(decision: Decision, key: str) -> Option | None:
    """Return the option with a key, or None if no option has it."""
    raw = decision.find(key)
    return None if raw is None else Option(decision, raw, -1)


_EMPHASIS = re.compile(r"\*([^*\n]+)\*")


def strip_emphasis(text: str) -> str:
    """Return a text for plain lines, with quotation marks around emphasized words.

    >>> strip_emphasis("Choose *move*.")
    'Choose “move”.'
    """
    return _EMPHASIS.sub(r"“\1”", text)
