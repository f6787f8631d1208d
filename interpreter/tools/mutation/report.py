"""Render a mutation survey: figures by kind, and each change that no case noticed, with its place.

Runs and prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.tools.mutation.runner import MutationSurvey, OutdatedReview, TriedMutation

_SORTS = {
    "statement": _("statements"),
    "condition": _("conditions"),
    "comparison": _("comparisons"),
    "arithmetic": _("plus and minus"),
    "number": _("numbers"),
    "requirement": _("requirements"),
    "preference": _("preferences"),
    "option": _("removed options"),
    "tally line": _("lines of tallies"),
    "table cell": _("cells of tables"),
    "value": _("values"),
    "attribute": _("attributes"),
    "bound": _("bounds"),
}


def serialize_survey(survey: MutationSurvey) -> dict[str, Any]:
    """Return the survey as plain data."""
    return {
        "cases": survey.cases,
        "possible": survey.possible,
        **_count_by_fate(survey.tried),
        "kinds": {
            sort: figures
            for sort in _SORTS
            if (figures := _count_by_fate([x for x in survey.tried if x.change.sort == sort]))["made"]
        },
        "survivors": [{**_serialize_place(x), "cases": x.cases} for x in survey.survivors],
        "without_effect": [{**_serialize_place(x), "because": x.because} for x in survey.tried if x.because],
        "outdated": [
            {"file": x.reviewed.span.file, "line": x.reviewed.span.line, "change": x.reviewed.change, "fate": x.fate}
            for x in survey.outdated
        ],
        "failed": [result.case.id for result in survey.failed],
    }


def _serialize_place(mutation: TriedMutation) -> dict[str, Any]:
    change = mutation.change
    return {"file": change.span.file, "line": change.span.line, "kind": change.sort, "change": change.description}


def _count_by_fate(mutations: Iterable[TriedMutation]) -> dict[str, int]:
    """Return the number of changes by fate.

    `made` counts changes that pass the check and have an effect; `explained` counts survivors accepted as harmless.
    """
    fates = [x.fate for x in mutations]
    noticed, explained = fates.count("noticed"), sum(bool(x.because) for x in mutations)
    survived = fates.count("survived") - explained
    return {
        "made": noticed + explained + survived,
        "noticed": noticed,
        "explained": explained,
        "survived": survived,
        "refused": fates.count("refused"),
        "same": fates.count("same"),
    }


def format_survey(survey: MutationSurvey, say: Translator = ENGLISH) -> str:
    """Render the survey as text: the survivors by file, then the figures."""
    if survey.failed:
        return say(
            "{number} cases fail without any change ({names}): correct them first, then test changes",
            number=len(survey.failed),
            names=say(", ").join(r.case.id for r in survey.failed[:8]),
        )
    lines = [line for tried in survey.survivors for line in _format_survivor(tried, say)]
    lines += [line for review in survey.outdated for line in _format_outdated(review, say)]
    counts = _count_by_fate(survey.tried)
    if lines:
        lines.append("")
    lines.append(say("changes: {made} made, {noticed} detected, {survived} survived", **_select_main_figures(counts)))
    if counts["explained"]:
        lines.append("  " + say("proved to have no effect: {number}", number=counts["explained"]))
    for sort, words in _SORTS.items():
        figures = _count_by_fate([x for x in survey.tried if x.change.sort == sort])
        if figures["made"]:
            text = _("{what}: {made} made, {noticed} detected, {survived} survived")
            lines.append("  " + say(text, what=say(words), **_select_main_figures(figures)))
    if counts["refused"] or counts["same"]:
        text = _("not counted: {refused} rejected by check, {same} without effect")
        lines.append(say(text, refused=counts["refused"], same=counts["same"]))
    if len(survey.tried) < survey.possible:
        lines.append(say("a sample: {tried} of {possible} changes", tried=len(survey.tried), possible=survey.possible))
    return "\n".join(lines)


def _select_main_figures(figures: dict[str, int]) -> dict[str, int]:
    """Return the numbers of changes that were made, noticed by a case, and not noticed."""
    return {name: figures[name] for name in ("made", "noticed", "survived")}


def _format_survivor(mutation: TriedMutation, say: Translator) -> list[str]:
    reached = say("cases that run it: {number}", number=mutation.cases) if mutation.cases else say("no case runs it")
    return [format_survivor(mutation), f"    {reached}"]


def format_survivor(mutation: TriedMutation) -> str:
    """Format a survivor as one line, identical in every language."""
    span = mutation.change.span
    return f"{span.file}:{span.line}: {mutation.change.description}"


def parse_survivors(text: str) -> frozenset[str]:
    """Return the descriptions of the changes in lines that `format_survivor` has written."""
    return frozenset(re.sub(r"^.*?:\d+: ", "", line) for line in text.splitlines() if line[:1].strip())


def _format_outdated(review: OutdatedReview, say: Translator) -> list[str]:
    reason = {None: say("this change does not exist (any more)"), "noticed": say("a case detects it")}.get(
        review.fate, say("it does not count: check rejects it, or the compiled result is unchanged")
    )
    span = review.reviewed.span
    return [
        f"{span.file}:{span.line}: " + say("remove from `without_effect`: {change}", change=review.reviewed.change),
        f"    {reason}",
    ]
