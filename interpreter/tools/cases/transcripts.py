"""Transcripts of cases: each decision, roll, choice, list of options and change, step by step.

Runs a case exactly as the test suite does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.api.rules import Rules
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import to_plain_data
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.runtime.decisions import Decision
from interpreter.tools.cases.case_documents import Case, CaseFault, CaseStep
from interpreter.tools.cases.case_runs import CaseRun, run_steps
from interpreter.tools.cases.expectations import check_outcome
from interpreter.tools.cases.yaml_flow import format_flow
from interpreter.tools.describe.value_format import convert_tuples_to_lists, format_cites

_MAX_LISTED = 40  # maximum number of options and changes listed
_NOT_CHANGES = ("decision", "phase", "phase_values")  # keys of a position that have separate entries
Entry = tuple[str, Any]  # "step" | "asked" | "event" | "value" | "changed" | "fields" | "refused", and its data


@dataclass(slots=True)
class Transcript:
    """A recorded run of a case.

    `entries`: its entries in order, as (sort, data); `faults`: the failed expectations; `log_position`, `value_count`
    and `old_view`: what has been recorded so far of the log, of answers to `ask` and of the position.
    """

    case: Case
    lang: str
    entries: list[Entry] = field(default_factory=list)
    faults: list[CaseFault] = field(default_factory=list)
    log_position: int = 0
    value_count: int = 0
    old_view: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Return True if every expectation was met."""
        return not self.faults

    def watch(self, what: CaseStep | Decision | None, run: CaseRun) -> None:
        """Record an entry for what has happened in a run since the last call.

        `what`: the step that begins or the decision that is open, which gets its own entry; None at the end of a
        step, which records its results.
        """
        self._record_events(run)
        if isinstance(what, CaseStep):
            self.old_view = run.game.view()
            self.entries.append(("step", _serialize_step(what)))
        elif isinstance(what, Decision):
            self.entries.append(("asked", _serialize_decision(what, self.lang)))
        else:
            self._record_results(run)

    def _record_events(self, run: CaseRun) -> None:
        log = run.game.log
        start = max(self.log_position, run.first_event)
        self.entries += [
            ("event", {"sort": e.sort, "text": e.text(self.lang), "cite": list(e.cite)}) for e in log[start:]
        ]
        self.log_position = len(log)

    def _record_results(self, run: CaseRun) -> None:
        changes = list(_iter_changes((), self.old_view, run.game.view()))
        if changes:
            self.entries.append(("changed", changes))
        for value, _span in run.values[self.value_count :]:
            self.entries.append(("value", convert_tuples_to_lists(value)))
        self.value_count = len(run.values)
        if run.refusal is not None:
            self.entries.append(("refused", run.refusal.sentence))
        elif run.fields is not None:
            self.entries.append(
                ("fields", {name: convert_tuples_to_lists(value) for name, value in run.fields.items()})
            )


def record_transcript(case: Case, rules: Rules, lang: str = "") -> Transcript:
    """Run a case and record its transcript."""
    transcript = Transcript(case, lang)
    run = run_steps(case, rules, transcript.watch)
    if isinstance(run, CaseFault):
        transcript.faults = [run]
        return transcript
    if not case.steps and run.game.decision is not None:
        transcript.watch(run.game.decision, run)
    transcript.faults = run.faults or check_outcome(run)
    return transcript


def _iter_changes(path: tuple[str, ...], before: object, now: object) -> Iterator[dict[str, Any]]:
    """Yield {"path", "was", "is"} for each value that differs between two positions.

    `path`: the keys that lead to `before` and `now`, () at the top, where keys such as the title are skipped.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in now.items():
            if key not in _NOT_CHANGES or path:
                yield from _iter_changes((*path, key), before.get(key), value)
    elif before != now:
        yield {"path": ".".join(path), "was": convert_tuples_to_lists(before), "is": convert_tuples_to_lists(now)}


def _serialize_step(step: CaseStep) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": step.sort, "name": step.name}
    parts = {"args": step.args, "dice": step.dice, "steps": list(step.moves)}
    if step.sort == "edit":
        parts["edit"] = to_plain_data(step.tree.get_mapping("edit"))
    return data | {name: part for name, part in parts.items() if part}


def _serialize_decision(decision: Decision, lang: str) -> dict[str, Any]:
    return {
        "decision": decision.name,
        "side": decision.side,
        "prompt": decision.format_prompt(lang),
        "options": [option.key for option in decision.options],
        "cite": list(decision.cite),
    }


def serialize_transcript(transcript: Transcript) -> dict[str, Any]:
    """Return the transcript as plain data, in English."""
    case = transcript.case
    return {
        "id": case.id,
        "title": case.title,
        "rules": list(case.rules),
        "file": case.span.file,
        "line": case.span.line,
        "given": to_plain_data(case.given),
        "course": [
            {"what": sort, "told": str(data) if sort == "refused" else data} for sort, data in transcript.entries
        ],
        "holds": transcript.holds,
        "faults": [{"message": str(f.message), "file": f.span.file, "line": f.span.line} for f in transcript.faults],
    }


def format_transcript(transcript: Transcript, say: Translator = ENGLISH) -> list[str]:
    """Format the transcript as lines of text."""
    case = transcript.case
    given_text = format_flow(to_plain_data(case.given)) if case.given.entries else say("the start")
    lines = [
        say("{case}: {title}{cite}", case=case.id, title=case.title, cite=format_cites(case.rules)),
        f"  {_format_place(case.span)}",
        "  " + say("given: {given}", given=given_text),
    ]
    for sort, data in transcript.entries:
        lines += _format_entry(sort, data, say)
    lines += [f"  {_format_place(f.span)}: {say(f.message)}" for f in transcript.faults]
    return [*lines, "  " + (say("the case passes") if transcript.holds else say("the case fails"))]


def _format_entry(sort: str, data: Any, say: Translator) -> list[str]:  # noqa: ANN401 - its shape follows `what`
    match sort:
        case "step":
            text = f"{data['sort']} {data['name']}".rstrip()
            more = "".join(
                f"  {name}: {format_flow(data[name])}" for name in ("args", "dice", "steps", "edit") if name in data
            )
            return [f"  * {text}{more}"]
        case "asked":
            prompt = f"{data['prompt']} " if data["prompt"] else ""
            lines = [
                "    "
                + say(
                    "decision of {side}: {prompt}({decision})",
                    side=data["side"],
                    prompt=prompt,
                    decision=data["decision"],
                )
            ]
            keys = data["options"]
            options_text = say(", ").join(keys[:_MAX_LISTED])
            if len(keys) > _MAX_LISTED:
                options_text = say("{listed} and {number} more", listed=options_text, number=len(keys) - _MAX_LISTED)
            return [*lines, "      " + say("possible: {options}", options=options_text)]
        case "event":
            cite = format_cites(data["cite"])
            if data["sort"] in ("decision", "taken"):
                return ["      " + say("chosen: {text}", text=data["text"]) + cite]
            return [f"    {data['text']}{cite}"]
        case "value":
            return ["    " + say("gives {value}", value=format_flow(data))]
        case "changed":
            text = _("{subject}: {was} changes to {now}")
            values = (
                (c["path"].replace(".", " "), format_flow(c["was"]), format_flow(c["is"])) for c in data[:_MAX_LISTED]
            )
            listed = (say(text, subject=subject, was=was, now=now) for subject, was, now in values)
            return ["    " + say("changed: {what}", what=each) for each in listed]
        case "fields":
            return [f"    {format_flow(data)}"]
    return ["    " + say(data)]


def _format_place(span: Span) -> str:
    return f"{span.file}:{span.line}"
