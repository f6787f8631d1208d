"""Implement `grognard test`: run a ruleset's own test cases."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from interpreter.cli.arguments import add_file, add_flag, add_format, add_number, add_ruleset, parse_seed
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, prepare_output, write_new_document
from interpreter.cli.output import Progress, log, print_json, print_line, print_result, write_document
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.i18n.translator import Message
    from interpreter.tools.cases.case_documents import Case
    from interpreter.tools.cases.suite import CaseReport
    from interpreter.tools.mutation.runner import TriedMutation

HELP = _("run the cases of a ruleset, and show which rules they cover")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "-k",
        dest="pattern",
        metavar=_("ID"),
        help=_("only the case with this id, or the cases whose ids begin with it"),
    )
    parser.add_argument(
        "--show",
        metavar=_("ID"),
        help=_("show what happens in a case: decisions, rolls, choices, available options, every change"),
    )
    add_flag(parser, "--watch", _("run again whenever a file changes, like `check --watch`"))
    parser.add_argument(
        "--update",
        metavar=_("ID"),
        help=_("write the actual values of one case into its file, after a change made on purpose"),
    )
    parser.add_argument(
        "--retire",
        metavar=_("WHY"),
        help=_("for a variant: print a document that retires the failing cases of its base, with this reason"),
    )
    add_file(parser, "--out", _("with --retire: write the document to this file, which must not exist yet"))
    add_flag(parser, "--coverage", _("also show which paragraphs, tables and options the cases cover"))
    add_flag(parser, "--mutate", _("change one rule or value at a time and list the changes that no case detects"))
    add_number(parser, "--sample", _("with --mutate: number of changes to test, chosen by --seed (default: all)"))
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=parse_seed,
        default=0,
        help=_("with --mutate and --sample: seed of the sample (default: 0)"),
    )
    add_number(parser, "--jobs", _("with --mutate: number of processes (default: 1)"), default=1)
    add_file(parser, "--survivors", _("with --mutate: write surviving changes to this file as soon as they are found"))
    add_file(parser, "--again", _("with --mutate: only the changes in a file written with --survivors"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the cases. Return FINDINGS if one fails, or with --mutate if a mutation survives.

    Requesting an unknown case is a usage error.
    """
    from interpreter.tools.cases.suite import format_report, run_cases, serialize_report
    from interpreter.tools.lessons.playthrough import format_lesson_report, play_lesson, serialize_lesson_report

    other_options = (arguments.mutate, arguments.watch, arguments.show, arguments.update, arguments.format == "json")
    if arguments.retire is not None and any(other_options):
        raise UsageError("--retire prints one document; leave out the other options")
    if arguments.mutate:
        return _run_mutation(arguments)
    for name in ("sample", "survivors", "again"):
        if getattr(arguments, name) is not None:
            raise UsageError("--{name} needs --mutate", name=name)
    if arguments.watch:
        from interpreter.cli.file_fixes import watch

        if arguments.format == "json" or arguments.show or arguments.update or arguments.pattern:
            raise UsageError("--watch runs the cases affected by a change, prints text and takes no other options")
        watch(arguments.ruleset, get_translator(arguments.lang))
        return GOOD
    if arguments.show is not None:
        return _show(arguments)
    if arguments.update is not None:
        return _update(arguments)
    say = get_translator(arguments.lang)
    if arguments.out and arguments.retire is None:
        raise UsageError("--{name} needs --retire", name="out")
    with closing(Progress(_("{done} of {total} (case|cases)"), say)) as progress:
        report = run_cases(arguments.ruleset, arguments.pattern, arguments.coverage, progress)
        if report.failed:
            report = _separate_dependent_cases(report, arguments.ruleset)
    lesson = play_lesson(arguments.ruleset) if arguments.pattern is None and arguments.retire is None else None
    if arguments.retire is not None:
        return _write_retirement(arguments, report)
    data = serialize_report(report)
    if arguments.pattern is not None and not data["cases"]:
        raise _build_no_case_error(arguments.ruleset, arguments.pattern)
    if lesson is not None:
        data["lesson"] = serialize_lesson_report(lesson)
    if arguments.format == "json":
        print_json(data)
    else:
        print_line(format_report(report, say).rstrip("\n"))
        for line in format_lesson_report(lesson, say) if lesson is not None else ():
            print_line(line)
        if advice := _explain_retirement(report, arguments.ruleset):
            print_line(say(advice))
    return FINDINGS if data["failed"] or lesson is not None and not lesson.ok else GOOD


def _write_retirement(arguments: argparse.Namespace, report: CaseReport) -> int:
    """Print or write the document by which a variant gives up the failed cases of its base. Return GOOD."""
    from interpreter.documents.target import find_base
    from interpreter.tools.cases.updating import render_retiring_document

    if find_base(arguments.ruleset) is None:
        raise UsageError("--retire: {ruleset} is not a variant, so it has no base", ruleset=arguments.ruleset)
    if not arguments.retire.strip():
        raise UsageError('--retire: give a reason, as in --retire "the new phase changes the order"')
    say, cases = get_translator(arguments.lang), _list_failed_of_base(report, arguments.ruleset)
    if not cases:
        log(say("no case of the base fails; there is nothing to retire"))
        return GOOD
    text = render_retiring_document(cases, arguments.retire)
    if arguments.out is None:
        write_document(text)
        return GOOD
    write_new_document(arguments.out, text)
    print_line(say("{number} (case|cases) retired in {file}", number=len(cases), file=arguments.out))
    return GOOD


def _list_failed_of_base(report: CaseReport, target: str) -> list[Case]:
    """Return the failed cases that the variant `target` has from its base and that depend on no replaced data."""
    dependent, folder = {case.id for case in report.dependent}, f"{Path(target).stem}-tests"
    failed = [r.case for r in report.results if not r.ok and r.case.id not in dependent]
    return [case for case in failed if f"{folder}/" not in case.span.file]


def _explain_retirement(report: CaseReport, target: str) -> Message | None:
    """Return advice on base cases that fail in the variant `target`; None if none fails or it has no base."""
    from interpreter.documents.target import find_base

    failed = _list_failed_of_base(report, target) if report.failed and find_base(target) is not None else []
    if not failed:
        return None
    return _(
        "failing cases of the base: {number}; if the variant intends this, write `{case}: null` under "
        "`cases:` of a document in {folder}/, with `because:` at its head, or write a case with that id; "
        "`--retire WHY` writes such a document for all of them",
        number=len(failed),
        case=failed[0].id,
        folder=f"{Path(target).stem}-tests",
    )


def _build_no_case_error(ruleset: str, pattern: str) -> UsageError:
    return UsageError("{ruleset} has no case whose id begins with `{pattern}`", ruleset=ruleset, pattern=pattern)


def _show(arguments: argparse.Namespace) -> int:
    from interpreter.tools.cases.suite import show_cases
    from interpreter.tools.cases.transcripts import format_transcript, serialize_transcript

    transcripts = show_cases(arguments.ruleset, arguments.show, arguments.lang)
    if not transcripts:
        raise _build_no_case_error(arguments.ruleset, arguments.show)
    data, say = {"cases": list(map(serialize_transcript, transcripts))}, get_translator(arguments.lang)
    print_result(
        arguments.format,
        data,
        lambda: (line for transcript in transcripts for line in format_transcript(transcript, say)),
    )
    return GOOD if all(transcript.holds for transcript in transcripts) else FINDINGS


def _update(arguments: argparse.Namespace) -> int:
    from interpreter.tools.cases.updating import update_case

    say = get_translator(arguments.lang)
    figures = update_case(arguments.ruleset, arguments.update)
    if arguments.format == "json":
        print_json({"case": arguments.update, "figures": [asdict(figure) for figure in figures]})
    elif not figures:
        print_line(say("{case} passes; there is nothing to update", case=arguments.update))
    for figure in figures if arguments.format == "text" else ():
        place = f"{figure.file}:{figure.line}"
        print_line(say("{place}: {was} becomes {now}", place=place, was=figure.was, now=figure.now))
    return GOOD


def _separate_dependent_cases(report: CaseReport, target: str) -> CaseReport:
    """Return the report with `dependent` filled: the failed cases that only hold with data that the user has replaced.

    Such data is our reconstruction of the printed charts. `target`: names the ruleset, see `load`.
    """
    from interpreter.tools.provenance import find_dependent_cases

    return replace(report, dependent=tuple(find_dependent_cases(target, [r for r in report.results if not r.ok])))


def _run_mutation(arguments: argparse.Namespace) -> int:
    """Run mutation testing. Return FINDINGS if a mutation survives or the unmodified cases fail."""
    from interpreter.tools.mutation.report import format_survey, parse_survivors, serialize_survey
    from interpreter.tools.mutation.runner import run_survey

    if arguments.coverage:
        raise UsageError("--mutate and --coverage cannot be used together; run them one after the other")
    say = get_translator(arguments.lang)
    only = None if arguments.again is None else parse_survivors(_read_text(arguments.again))
    with (
        closing(Progress(_("{done} of {total} (change|changes)"), say)) as progress,
        nullcontext() if arguments.survivors is None else _open_report(arguments.survivors) as survivors,
    ):
        result = run_survey(
            arguments.ruleset,
            arguments.pattern,
            sample=arguments.sample,
            seed=arguments.seed,
            jobs=arguments.jobs,
            progress=progress,
            report=_build_survivor_writer(survivors) if survivors else None,
            only=only,
        )
    if not result.cases:
        raise UsageError("{ruleset} has no such cases, so no change can be detected", ruleset=arguments.ruleset)
    if arguments.format == "json":
        print_json(serialize_survey(result))
    else:
        print_line(format_survey(result, say))
    return GOOD if result.has_no_findings else FINDINGS


def _read_text(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError("cannot read {file}: {problem}", file=name, problem=format_os_error(error)) from None


def _open_report(name: str) -> TextIO:
    with prepare_output(name) as path:
        return path.open("w", encoding="utf-8", newline="\n")


def _build_survivor_writer(file: TextIO) -> Callable[[TriedMutation], None]:
    """Return a callback that writes each mutation that no case detects to `file` immediately.

    So an interrupted run loses nothing.
    """
    from interpreter.tools.mutation.report import format_survivor

    def write(mutation: TriedMutation) -> None:
        if mutation.survives:
            file.write(format_survivor(mutation) + "\n")
            file.flush()

    return write
