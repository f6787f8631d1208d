"""Explanations of illegal options: the first failing requirement of the nearest attempt.

Requirements after the first failing one depend on it and are not reported. Listing and checking options use the same
requirements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.diagnostics.suggestions import did_you_mean, suggest_words
from interpreter.i18n.translator import mark as _
from interpreter.play import why_not_draft
from interpreter.play.failing_reasons import build_reason, combine_reasons, find_failures, iter_arguments, rank_failure
from interpreter.play.position_editing import to_argument
from interpreter.play.why_not_draft import OTHER_HAS_PRIORITY, build_draft_reason, explain_no_continuation
from interpreter.runtime import drafts
from interpreter.runtime.decisions import Decision
from interpreter.runtime.draft_completion import can_finish
from interpreter.runtime.errors import IllegalAction, Reason, SetupError
from interpreter.runtime.lazy_options import list_pending_options
from interpreter.runtime.option_keys import (
    StepTrace,
    follow,
    format_option_key,
    format_piece_group,
    is_offered,
    to_argument_id,
)
from interpreter.runtime.program_info import DecisionInfo, DraftInfo, OptionInfo, ParamInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType, Step
from interpreter.runtime.value_ids import UnknownValueError, from_value_id, to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program

_MAX_LISTED = 8  # values or steps listed in a reason
_MAX_COMBINATIONS = 20_000  # combinations of arguments tried for one explanation
_MAX_HIDDEN_NAME = 2  # letters; parameter names up to this length are not shown


def why_not(state: State, name: str, args: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons why the option `name` with these arguments is illegal now, or () if it is legal."""
    if state.pending is None:
        text = "nothing needs to be decided now" if state.outcome is None else "the game is over"
        return (build_reason(state.program, (text,)),)
    decision = Decision(state)
    if decision.is_draft and name in (decision.name, "finish", *(s.name for s in decision.draft.steps)):
        return _explain_draft(decision, name, args)
    if name == "done" and decision.info.is_repeated:
        failures = find_failures(state, decision.info.finish, decision.values)
        return combine_reasons(state, failures)
    for index, choice in enumerate(decision.info.options):
        if choice.name == name:
            return _explain_choice(decision, index, choice, args)
    return (_explain_elsewhere(decision, name),)


def _explain_elsewhere(decision: Decision, name: str) -> Reason:
    """Return the reason that the pending decision does not offer an option: another decision does, or none."""
    program = decision.program
    decisions = []
    for described in program.decisions:
        names = [c.name for c in described.options]
        if described.draft is not None:
            names += [described.draft, *(s.name for s in program.drafts[described.draft].steps)]
        if name in names:
            decisions.append(described)
    if decisions:
        telling = (
            "say",
            "`{name}` is not possible now; the game asks for it later ({decisions}). The question now: {prompt}",
            {
                "name": _build_identifier_formatter(name),
                "decisions": _build_decisions_formatter(decisions),
                "prompt": lambda localizer: decision.format_prompt(localizer.lang),
            },
        )
        return _build_located_reason(
            program, decisions[0] if len(decisions) == 1 else replace(decisions[0], cites=()), telling
        )

    names = [c.name for c in decision.info.options]
    if decision.is_draft:
        names = [s.name for s in decision.draft.steps] + ["finish"]
    hint = did_you_mean(name, names)
    unknown = f"unknown option `{name}`" + (f"; {hint}" if hint else "")

    def text_in(language: str) -> str:
        if language in ("", program.languages[0]):
            return unknown
        return program.get_localizer(language).format_telling(("say", "unknown option `{name}`", {"name": name}))

    return Reason(unknown, translate=text_in)


def _build_located_reason(program: Program, described: DecisionInfo | OptionInfo, telling: tuple[Any, ...]) -> Reason:
    """Return a reason with the source position and the citations of a decision or an option.

    `telling`: its words as data, as for `Localizer.format_telling`.
    """
    where = (described.address, described.file, described.line)
    return build_reason(program, telling, described.cites, *where)


def _build_identifier_formatter(name: str) -> Callable[[Localizer], str]:
    return lambda localizer: localizer.translate_identifier(name, "option")


def _build_decisions_formatter(decisions: Sequence[DecisionInfo]) -> Callable[[Localizer], str]:
    return lambda localizer: localizer.join_with_and(
        list(dict.fromkeys(localizer.translate_name(d.name, "decision") for d in decisions))
    )


def _build_arguments_formatter(
    state: State, args: Mapping[str, Any], shows: Mapping[str, Any], nothing: str
) -> Callable[[Localizer], str]:
    """Return a function that formats the requested arguments in a language.

    `shows`: the type description of each parameter; `nothing`: the text used without arguments.
    """

    def format_arguments(localizer: Localizer) -> str:
        parts = [
            (f"{localizer.translate_identifier(k)} " if len(k) > _MAX_HIDDEN_NAME else "")
            + (_format_group(state, v, shows.get(k), localizer) or _format_value(v, shows.get(k), localizer))
            for k, v in args.items()
        ]
        return localizer.translate_phrase(", ").join(parts) or localizer.translate_phrase(nothing)

    return format_arguments


def _format_group(state: State, group_id: object, show: DisplayType | None, localizer: Localizer) -> str:
    """Format the group of interchangeable pieces with the id `group_id`: name and place; '' for anything else.

    `show`: the type description of the parameter.
    """
    program = state.program
    if show is None or tuple(show) != ("thing", "piece") or group_id in program.handles["piece"]:
        return ""
    for piece, place in enumerate(state.at):
        if program.is_alike[piece] and format_piece_group(state, piece) == group_id:
            return localizer.translate_phrase(
                "{what} ({more})",
                what=localizer.get_name_by_handle("piece", piece),
                more=localizer.get_name_by_handle("place", place),
            )
    return _format_missing_group(str(group_id), localizer)


def _format_missing_group(group_id: str, localizer: Localizer) -> str:
    """Format a group of interchangeable pieces that does not exist now: the values of its counters, and the place.

    `group_id`: the id of the group. Returns '' if it cannot be the id of a group.
    """
    program = localizer.program
    group, _, place = group_id.partition("@")
    if place not in program.handles["place"]:
        return ""
    attributes, parts = program.kinds["piece"]["attributes"], group.split(".")
    for cls in program.classes.values():
        if cls["alike"] and len(parts) == len(cls["counters"]):
            try:
                values = [(attributes[n]["show"], part) for n, part in zip(cls["counters"], parts, strict=True)]
                texts = [localizer.format_value(show, from_value_id(program, show, part)) for show, part in values]
            except ValueError:
                continue
            where = localizer.get_name_by_handle("place", program.handles["place"][place])
            return localizer.translate_phrase(
                "{what} ({more})", what=localizer.translate_phrase(", ").join(texts), more=where
            )
    return ""


def _is_unknown_piece(state: State, piece_id: str) -> bool:
    """Return whether an id is neither a piece nor an existing or possible group of interchangeable pieces."""
    localizer = state.program.get_localizer("")
    return piece_id not in state.program.handles["piece"] and not _format_group(
        state, piece_id, ("thing", "piece"), localizer
    )


def _format_value(value_id: object, show: DisplayType | None, localizer: Localizer) -> str:
    """Format the value with the id `value_id`; an unknown one is returned as given. `show`: its type description."""
    if show is None:
        return str(value_id)
    try:
        return localizer.format_value(show, from_value_id(localizer.program, show, value_id))
    except UnknownValueError:
        return str(value_id)


def _are_requested(
    state: State, params: Sequence[ParamInfo], values: tuple[Any, ...], requested: Mapping[str, Any]
) -> bool:
    """Return whether all arguments match the request; `values`: an argument for each of `params`."""
    return all(_is_requested(state, param, value, requested) for param, value in zip(params, values, strict=True))


def _is_requested(state: State, param: ParamInfo, value: object, requested: Mapping[str, Any]) -> bool:
    """Return whether an argument matches the request; any value does if the request does not name its parameter.

    `requested`: the requested arguments by name of the parameter.
    """
    if param.name not in requested:
        return True
    requested_id = str(requested[param.name])
    return (
        str(to_argument_id(state, param, value)) == requested_id
        or str(to_value_id(state.program, param.show, value)) == requested_id
    )


def _explain_choice(decision: Decision, index: int, choice: OptionInfo, args: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return why the choice `index` with the arguments `args` is not legal; () if it is."""
    state = decision.state
    names = [p.name for p in choice.params]
    for arg_name in args:
        if arg_name not in names:
            telling = (
                "say",
                "`{name}` has no `{given}`; it takes {known}",
                {
                    "name": _build_identifier_formatter(choice.name),
                    "given": arg_name,
                    "known": lambda localizer: (
                        ", ".join(map(localizer.translate_identifier, names)) or localizer.translate_phrase("nothing")
                    ),
                },
            )
            return (build_reason(state.program, telling),)
    for param in choice.params:
        piece_id = args.get(param.name)
        if isinstance(piece_id, str) and tuple(param.show) == ("thing", "piece") and _is_unknown_piece(state, piece_id):
            telling = ("say", "`{given}` is not a piece", {"given": piece_id})
            return (build_reason(state.program, telling),)
    best: tuple[int, tuple[Any, ...]] | None = None  # the most requirements met, and the values that meet them
    excluded: tuple[Any, ...] | None = None
    allowed: list[tuple[Any, ...]] = [values for number, values in list_pending_options(state) if number == index]
    if any(_are_requested(state, choice.params, values, args) for values in allowed):
        return ()
    for values in _iter_combinations(decision, index, choice, args):
        rank, first = rank_failure(state, choice.requires, tried := (*decision.values, *values))
        if not first and not choice.prefers:
            return ()  # equivalent to a listed option
        if not first:
            excluded = excluded or values
            allowed.append(values)
            continue
        if best is None or rank > best[0]:
            best = (rank, tried)
    if excluded is not None:
        return _explain_preference(decision, index, choice, excluded, allowed)
    if best is not None:
        return combine_reasons(state, find_failures(state, choice.requires, best[1]))
    return (_build_located_reason(state.program, choice, _explain_rejected_argument(decision, index, choice, args)),)


def _iter_combinations(
    decision: Decision, index: int, choice: OptionInfo, args: Mapping[str, Any]
) -> Iterator[tuple[Any, ...]]:
    """Yield the first `_MAX_COMBINATIONS` combinations of arguments that match the request, legal or not.

    `choice`: the option, `index`: its number in the decision; `args`: the requested arguments by name.
    """
    combinations = iter_arguments(
        decision.state,
        decision.number,
        index,
        choice,
        decision.values,
        lambda p, v: _is_requested(decision.state, p, v, args),
    )
    return islice(combinations, _MAX_COMBINATIONS)


def _explain_rejected_argument(
    decision: Decision, index: int, choice: OptionInfo, args: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Return the words (as for `Localizer.format_telling`) for arguments that no combination matches.

    They name the first such argument and list the accepted values, or all arguments if there are too many combinations
    to enumerate. `choice`: the option, `index`: its number in the decision; `args`: the requested arguments by name.
    """
    shows = {p.name: p.show for p in choice.params}
    before: dict[str, Any] = {}
    for place, param in enumerate(choice.params):
        requested = {name: args[name] for name in (param.name,) if name in args}
        if any(True for _values in _iter_combinations(decision, index, choice, before | requested)):
            before |= requested
            continue
        accepted = list(_iter_combinations(decision, index, choice, before))
        if not 0 < len(accepted) < _MAX_COMBINATIONS:
            break
        return (
            "say",
            "`{name}` is not possible for {given} here, only for {offered}",
            {
                "name": _build_identifier_formatter(choice.name),
                "given": _build_arguments_formatter(decision.state, requested, shows, "anything"),
                "offered": _build_values_formatter(
                    list(dict.fromkeys(values[place] for values in accepted)), param.show
                ),
            },
        )
    return (
        "say",
        "`{name}` is not possible with {arguments} here",
        {
            "name": _build_identifier_formatter(choice.name),
            "arguments": _build_arguments_formatter(decision.state, args, shows, "anything"),
        },
    )


def _build_values_formatter(values: Sequence[Any], show: DisplayType) -> Callable[[Localizer], str]:
    """Return a function that formats the first few distinct values, and the number of the rest, in a language.

    `show`: the type description of the values.
    """

    def format_localized(localizer: Localizer) -> str:
        names = list(dict.fromkeys(localizer.format_value(show, value) for value in values))
        more = (
            [localizer.translate_phrase("{number} more", number=len(names) - _MAX_LISTED)]
            if len(names) > _MAX_LISTED
            else []
        )
        return localizer.join_with_and([*names[:_MAX_LISTED], *more])

    return format_localized


def _explain_preference(
    decision: Decision, index: int, choice: OptionInfo, values: tuple[Any, ...], allowed: list[tuple[Any, ...]]
) -> tuple[Reason, ...]:
    """Return the reason why a candidate that meets all requirements is excluded: the first preference it does not meet.

    `choice`: the option, `index`: its number in the decision; `values`: the arguments of the candidate; `allowed`: the
    combinations of arguments that meet all requirements.
    """
    functions, remaining = decision.program.functions, list(dict.fromkeys(allowed))
    for n, preference in enumerate(choice.prefers):
        measure = functions.get_preference(decision.number, index, n)
        measures = {v: measure(decision.state, *decision.values, *v) for v in remaining}
        if preference.sort == "test":
            remaining = [v for v in remaining if measures[v]] or remaining
        else:
            best = (min if preference.sort == "least" else max)(measures.values())
            remaining = [v for v in remaining if measures[v] == best]
        if values in remaining:
            continue
        telling: tuple[Any, ...] = OTHER_HAS_PRIORITY
        if preference.words is not None:
            telling = (
                "words",
                preference.words,
                functions.get_preference_text(decision.number, index, n)(decision.state, *decision.values, *values),
            )
        where = replace(choice, cites=preference.cites, line=preference.line)
        return (_build_located_reason(decision.program, where, telling),)
    return (_build_located_reason(decision.program, choice, OTHER_HAS_PRIORITY),)


def _explain_draft(decision: Decision, name: str, args: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons why a draft cannot end as requested, cannot be finished now, or why a step is illegal.

    `name`: the name of the decision, "finish" or a step, which selects the question; `args`: the requested arguments by
    name. Returns () if it is legal.
    """
    state, draft = decision.state, decision.draft
    reasons: tuple[Reason, ...] | None
    shows = dict(zip((*draft.fields, *draft.offer), (*draft.shows, *draft.offer_shows), strict=True))
    if name == "finish":
        return why_not_draft.explain_no_finish(decision)
    if name != decision.name:
        shows = {p.name: p.show for s in draft.steps if s.name == name for p in s.params}
        reasons = why_not_draft.explain_no_step(
            decision, name, lambda step, values: _are_requested(state, step.params, values, args)
        )
        telling: tuple[Any, ...] = (
            "say",
            "`{name}` is not possible with {arguments} here",
            {
                "name": _build_identifier_formatter(name),
                "arguments": _build_arguments_formatter(state, args, shows, "anything"),
            },
        )
    else:
        if any(all(str(o.args.get(k)) == str(v) for k, v in args.items()) for o in decision.options):
            return ()
        reasons = why_not_draft.explain_no_end(decision, args)
        telling = (
            "say",
            "no route leads to {goal} from here",
            {"goal": _build_arguments_formatter(state, args, shows, _("an end"))},
        )
    if reasons is not None:
        return reasons
    return (build_draft_reason(state.program, draft, telling),)


def split_steps(key: str) -> list[str]:
    """Split an answer to a draft into its steps, separated by `>`, a comma or a semicolon.

    >>> split_steps("go(a, b) > go(c), rest")
    ['go(a, b)', 'go(c)', 'rest']
    """
    parts, depth = [""], 0
    for sign in key:
        depth += (sign == "(") - (sign == ")")
        if sign in ">,;" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def explain_option_refusal(decision: Decision, keys: list[str]) -> tuple[Reason, ...]:
    """Return the reason why individually legal steps are not an option of a draft: their order, or a missing part.

    `keys`: the keys of the steps, as the player has entered them.
    """
    draft, program = decision.draft, decision.program
    reordered = [o.key for o in decision.options if sorted(o.key.split(" > ")) == sorted(keys)]
    telling = (
        "say",
        "`{key}` is not an option of this decision; an option looks like `{example}`",
        {"key": " > ".join(keys), "example": decision.options[0].key if decision.options else ""},
    )
    if reordered and reordered[0].split(" > ") == keys:
        telling = ("say", "write ` > ` between the parts: `{key}`", {"key": reordered[0]})
    elif reordered:
        telling = ("say", "write the parts in the order offered: `{key}`", {"key": reordered[0]})
    return (build_draft_reason(program, draft, telling),)


class DraftCheck(NamedTuple):
    """The result of checking the steps of a draft: its final fields if they are legal, else the reasons why not."""

    reasons: tuple[Reason, ...]
    fields: tuple[Any, ...] | None = None


def check_draft_steps(
    state: State, draft: DraftInfo, args: tuple[Any, ...], keys: list[str], steps_taken: tuple[Step, ...] = ()
) -> DraftCheck:
    """Check whether a list of step keys is a legal draft.

    `args`: the arguments of the draft; `steps_taken`: the steps made before `keys`.
    """
    trace = follow(state, draft, args, keys, steps_taken)
    if trace is None:
        return DraftCheck(explain_no_continuation(state))
    if trace.failed is not None:
        reasons = _explain_step(state, draft, args, trace)
        return DraftCheck((*reasons, *_build_too_many_reason(state, draft, keys, trace)))
    failures = find_failures(state, draft.finish, (*args, *trace.fields))
    if failures:
        return DraftCheck((*combine_reasons(state, failures), *_explain_incomplete(state, draft, args, trace)))
    if not is_offered(state, draft, args, trace.fields):
        return DraftCheck((build_draft_reason(state.program, draft, OTHER_HAS_PRIORITY),))
    return DraftCheck((), trace.fields)


def _build_too_many_reason(state: State, draft: DraftInfo, keys: list[str], trace: StepTrace) -> tuple[Reason, ...]:
    """Return the reason that another order of the steps may be legal, but takes too long to find; () otherwise.

    `trace`: the result of following the steps `keys`.
    """
    if not trace.gave_up:
        return ()
    telling = (
        "say",
        "there are too many possible orders of these {count} steps; write them in an order in which each is legal",
        {"count": len(keys)},
    )
    return (build_draft_reason(state.program, draft, telling),)


def _explain_step(state: State, draft: DraftInfo, args: tuple[Any, ...], trace: StepTrace) -> tuple[Reason, ...]:
    """Return the reasons why a step is illegal: its requirements, or that the draft has ended.

    `args`: the arguments of the draft; `trace`: the result of following the steps, up to the failed one.
    """
    failed = trace.failed or ""
    if trace.stopped:
        return (_explain_ended(state, draft, args, trace),)
    for index, step in enumerate(draft.steps):
        for values in iter_arguments(state, draft.name, index, step, (*args, *trace.fields)):
            if format_option_key(state, draft.steps, (index, values)) == failed:
                failures = find_failures(state, step.requires, (*args, *trace.fields, *values))
                if failures:
                    return combine_reasons(state, failures)
                return (build_draft_reason(state.program, draft, OTHER_HAS_PRIORITY),)
    telling = ("say", "unknown step `{name}`", {"name": failed})
    return (build_draft_reason(state.program, draft, telling),)


def _explain_ended(state: State, draft: DraftInfo, args: tuple[Any, ...], trace: StepTrace) -> Reason:
    """Return the reason that the draft ends with its last step: the words of the rules, or the step's name.

    `args`: the arguments of the draft; `trace`: the result of following the steps.
    """
    index, values = trace.steps[-1]
    step, position_before = draft.steps[index], drafts.walk(state, draft, args, trace.steps[:-1])
    where = (step.address, step.file, step.line)
    if step.because is None or position_before is None:
        telling = (
            "say",
            "no step can follow this one: {step}",
            {"step": format_option_key(state, draft.steps, trace.steps[-1])},
        )
        return build_reason(state.program, telling, step.cites, *where)
    text_values = state.program.functions.get_stop_text(draft.name, index)(state, *args, *position_before[0], *values)
    return build_reason(state.program, ("words", step.because, text_values), step.because_cites, *where)


def _explain_incomplete(state: State, draft: DraftInfo, args: tuple[Any, ...], trace: StepTrace) -> tuple[Reason, ...]:
    """Return the reason that the draft is incomplete, with the possible next steps; or () if no step is possible.

    `args`: the arguments of the draft; `trace`: the result of following the steps.
    """
    if trace.stopped:
        return ()
    following = [
        format_option_key(state, draft.steps, step)
        for step, fields, stops in drafts.list_next_steps(state, draft, args, trace.fields)
        if can_finish(state, draft, args, (fields, bool(stops)))
    ]
    if not following or not trace.steps:
        return ()
    steps_text = ", ".join(following[:_MAX_LISTED]) + (", ..." if len(following) > _MAX_LISTED else "")
    telling = ("say", "this is incomplete; it can continue with {steps}", {"steps": steps_text})
    return (build_draft_reason(state.program, draft, telling),)


def try_draft(state: State, draft: str, args: Mapping[str, Any], steps: list[str]) -> dict[str, Any]:
    """Return the fields and offer, by name, of a draft built from single step keys.

    `args`: the arguments of the draft. Raises IllegalAction if a step or the finish is refused.
    """
    if draft not in state.program.drafts:
        raise SetupError("unknown draft `{draft}`{hint}", draft=draft, hint=suggest_words(draft, state.program.drafts))
    data = state.program.drafts[draft]
    missing = [p.name for p in data.params if p.name not in args]
    if missing or len(args) != len(data.params):
        raise SetupError("`{draft}` takes {names}", draft=draft, names=tuple(p.name for p in data.params))
    values = tuple(to_argument(state, p.show, args[p.name]) for p in data.params)
    reasons, fields = check_draft_steps(state, data, values, steps)
    if fields is None:
        refusal = _("`{key}` is not legal: {reasons}", key=" > ".join(steps), reasons=reasons)
        raise IllegalAction(refusal if steps else _("no step yet: {reasons}", reasons=reasons), reasons)
    offer = state.program.functions.get_offer(draft)(state, *values, *fields)
    values_by_name = {
        n: to_value_id(state.program, s, v) for n, s, v in zip(data.fields, data.shows, fields, strict=True)
    }
    values_by_name.update(
        {n: to_value_id(state.program, s, v) for n, s, v in zip(data.offer, data.offer_shows, offer, strict=True)}
    )
    return values_by_name
