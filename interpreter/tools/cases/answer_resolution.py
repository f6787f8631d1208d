"""Match the answers and drafts of a case with the legal options, and explain why an answer is refused.

Independent of what the case expects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import Message, get_error_message, mark as _
from interpreter.model.answers import CaseAnswer
from interpreter.model.checked_model import CheckedModel
from interpreter.model.statements import Decide
from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import IllegalAction, Reason
from interpreter.tools.cases.coverage import iter_parts

if TYPE_CHECKING:
    from interpreter.tools.cases.case_documents import CaseStep

_MAX_LISTED = 12  # maximum number of options listed in a message


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that was refused, with the reasons.

    `what`: the answer as text; `span`: its location; `is_last`: the step has no further answer.
    """

    what: str
    reasons: tuple[Reason, ...]
    span: Span
    is_last: bool

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Message:
        """Format the refused answer and the reasons as a sentence."""
        why = "; ".join(str(r) for r in self.reasons)
        if not why or why in self.what:
            return _("refused: {what}", what=self.what)
        return _("refused: {what}: {why}", what=self.what, why=why)


class StepError(Exception):
    """Raised for a step that cannot be carried out as written."""

    def __init__(self, message: str, span: Span) -> None:
        self.span = span
        super().__init__(message)


def format_options(decision: Decision) -> Message:
    """Format a decision with its side and its first options in one line."""
    keys = [o.key for o in decision.options]
    listed, more = ", ".join(keys[:_MAX_LISTED]), len(keys) - _MAX_LISTED
    values = listed if more <= 0 else _("{listed} and {number} more", listed=listed, number=more)
    return _("`{decision}` of {side}: {values}", decision=decision.name, side=decision.side, values=values)


def _build_ambiguity_error(answer: CaseAnswer, options: list[Option]) -> StepError:
    keys = ", ".join(o.key for o in options[:_MAX_LISTED])
    return StepError(
        _("the answer `{answer}` matches several options: {keys}", answer=str(answer), keys=keys), answer.span
    )


def choose_answer(
    game: Game, decision: Decision, answer: CaseAnswer, is_last: bool, model: CheckedModel
) -> Refusal | None:
    """Carry out the option that an answer of a case means. Return None, or a Refusal if the option is illegal.

    Raises StepError if the answer is ambiguous or means no option. `is_last`: the step has no further answer, recorded
    in the Refusal.
    """
    if answer.args is None:
        return _choose_by_text(game, decision, answer, is_last)
    fitting = [o for o in decision.options if answer.option in (None, o.name) and _is_fitting(o, answer.args)]
    if len(fitting) > 1:
        fitting = [o for o in fitting if len(o.args) == len(answer.args)] or fitting
    if len(fitting) > 1:
        raise _build_ambiguity_error(answer, fitting)
    if fitting:
        game.choose(fitting[0])
        return None
    return _explain_refusal(game, decision, answer, is_last, model)


def _is_fitting(option: Option, args: Mapping[str, Any]) -> bool:
    return all(name in option.args and option.args[name] == value for name, value in args.items())


def _choose_by_text(game: Game, decision: Decision, answer: CaseAnswer, is_last: bool) -> Refusal | None:
    text = answer.option or ""
    if not decision.is_draft:
        options = [o for o in decision.options if text == o.name]
        if len(options) > 1 and not any(o.key == text for o in options):
            raise _build_ambiguity_error(answer, options)
        if len(options) == 1:
            game.choose(options[0])
            return None
    try:
        game.choose(text)
    except IllegalAction as refusal:
        if not any(reason.address for reason in refusal.reasons):
            message = _("the answer `{answer}`: {problem}", answer=str(answer), problem=get_error_message(refusal))
            raise StepError(message, answer.span) from None
        return Refusal(f"`{answer}`", refusal.reasons, answer.span, is_last)
    return None


def _explain_refusal(game: Game, decision: Decision, answer: CaseAnswer, is_last: bool, model: CheckedModel) -> Refusal:
    """Return the Refusal that explains why no option has the arguments of an answer.

    Raises StepError if the answer means no option of this decision, or lacks arguments. `is_last`: the step has no
    further answer, recorded in the Refusal.
    """
    args, options = dict(answer.args or {}), format_options(decision)
    decisions = (part for part in iter_parts(model) if isinstance(part, Decide) and part.name == decision.name)
    names = {option.name: [param.name for param in option.params] for part in decisions for option in part.choices}
    name = answer.option or (next(iter(names)) if len(names) == 1 else None)
    text = _("no option matches the answer `{answer}`: {options}", answer=str(answer), options=options)
    if name is None or name not in names or any(a not in names[name] for a in args):
        raise StepError(text, answer.span)
    if set(args) != set(names[name]):
        missing = ", ".join(a for a in names[name] if a not in args)
        text = _(
            "no option matches the answer `{answer}`, and without {missing} the reason cannot be given: {options}",
            answer=str(answer),
            missing=missing,
            options=options,
        )
        raise StepError(text, answer.span)
    reasons = game.why_not(name, **args)
    if not reasons:
        text = _("the answer `{answer}` is not offered: {options}", answer=str(answer), options=options)
        raise StepError(text, answer.span)
    return Refusal(f"`{answer}`", reasons, answer.span, is_last)


def try_draft(game: Game, step: CaseStep) -> dict[str, Any]:
    """Build the draft that the step's moves describe; return its fields and the values that it offers, by name.

    Leaves the game unchanged. Raises IllegalAction with the reasons if the draft is not allowed, StepError if the step
    lacks an argument.
    """
    missing = [p.name for p in game.program.drafts[step.name].params if p.name not in step.args]
    if missing:
        raise StepError(_("the draft `{draft}` needs {names}", draft=step.name, names=", ".join(missing)), step.span)
    return game.try_draft(step.name, step.args, list(step.moves))
