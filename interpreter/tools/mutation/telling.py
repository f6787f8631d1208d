"""Says what came of a survey of changes: figures by kind, and each change that no case noticed, with its place.

Must not run anything, nor print.
"""

from __future__ import annotations

from typing import Any

from interpreter.tools.mutation.surveying import Survey, Tried
from interpreter.words.speech import ENGLISH, Say
from interpreter.words.speech import mark as _

_SORTS = {
    "statement": _("statements"),
    "condition": _("conditions"),
    "comparison": _("comparisons"),
    "reckoning": _("plus and minus"),
    "number": _("numbers"),
    "requirement": _("requirements"),
    "preference": _("preferences"),
    "option": _("options left out"),
    "tally line": _("lines of tallies"),
    "table cell": _("cells of tables"),
    "value": _("values"),
    "attribute": _("attributes"),
    "bound": _("bounds"),
}


def survey_data(survey: Survey) -> dict[str, Any]:
    """The survey as plain data."""
    return {
        "cases": survey.cases,
        "possible": survey.possible,
        **_figures(survey.tried),
        "kinds": {
            sort: figures
            for sort in _SORTS
            if (figures := _figures([x for x in survey.tried if x.change.sort == sort]))["made"]
        },
        "survivors": [
            {
                "file": x.change.span.file,
                "line": x.change.span.line,
                "kind": x.change.sort,
                "change": x.change.what,
                "cases": x.cases,
            }
            for x in survey.survivors
        ],
        "failed": [result.id for result in survey.failed],
    }


def _figures(tried: Any) -> dict[str, int]:
    """`made` are the changes that count: those that check lets pass and that do something."""
    fates = [x.fate for x in tried]
    noticed, survived = fates.count("noticed"), fates.count("survived")
    return {
        "made": noticed + survived,
        "noticed": noticed,
        "survived": survived,
        "refused": fates.count("refused"),
        "same": fates.count("same"),
    }


def survey_text(survey: Survey, say: Say = ENGLISH) -> str:
    """The survey for people: the survivors by file, then the figures."""
    if survey.failed:
        return say(
            "{number} cases do not hold as it is ({names}): mend them first, then changes can be tried",
            number=len(survey.failed),
            names=say(", ").join(r.id for r in survey.failed[:8]),
        )
    lines = [line for tried in survey.survivors for line in _survivor(tried, say)]
    whole = _figures(survey.tried)
    if whole["survived"]:
        lines.append("")
    lines.append(say("changes: {made} made, {noticed} noticed, {survived} survived", **_told(whole)))
    for sort, words in _SORTS.items():
        figures = _figures([x for x in survey.tried if x.change.sort == sort])
        if figures["made"]:
            lines.append(
                "  "
                + say("{what}: {made} made, {noticed} noticed, {survived} survived", what=say(words), **_told(figures))
            )
    if whole["refused"] or whole["same"]:
        lines.append(
            say(
                "not counted: {refused} refused by check, {same} without effect",
                refused=whole["refused"],
                same=whole["same"],
            )
        )
    if len(survey.tried) < survey.possible:
        lines.append(say("a sample: {tried} of {possible} changes", tried=len(survey.tried), possible=survey.possible))
    return "\n".join(lines)


def _told(figures: dict[str, int]) -> dict[str, int]:
    return {name: figures[name] for name in ("made", "noticed", "survived")}


def _survivor(tried: Tried, say: Say) -> list[str]:
    change = tried.change
    reached = say("no case runs it") if not tried.cases else say("cases that run it: {number}", number=tried.cases)
    return [f"{change.span.file}:{change.span.line}: {change.what}", f"    {reached}"]
