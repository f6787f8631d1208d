"""Implement `replay --rules`: replay a saved game with other rules, up to the first difference.

The comparison itself is in `tools/replay_diff`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.errors import FINDINGS, GOOD, UsageError, reporting_write_errors
from interpreter.cli.output import say_json, say_lines, say_message, tell
from interpreter.cli.saves import find_game, resume_command
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.assets import target_name
from interpreter.i18n.translator import Translator, mark as _, message_of, translator_for

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.saves.journal import Journal
    from interpreter.tools.diff.difference import Difference
    from interpreter.tools.replay_diff import ReplayDiff


def replay_with(arguments: argparse.Namespace) -> int:
    """Replay a game on other rules as far as possible and print the comparison.

    Return FINDINGS if the game differs from the original.
    """
    from interpreter.api.game import load
    from interpreter.runtime.dice import DiceExhaustedError, InvalidDiceError
    from interpreter.runtime.errors import SetupError
    from interpreter.saves.entries import EntryError
    from interpreter.saves.journal import JournalError, read_journal
    from interpreter.tools.replay_diff import replay_with_rules

    told = translator_for(arguments.lang)
    _refuse(arguments)
    path = find_game(arguments.file)
    journal = read_journal(path)
    now = load(arguments.rules, checked=True)
    before = _original_rules(journal, arguments.ruleset, now, told)
    try:
        course = replay_with_rules(journal, now, before)
    except (SetupError, EntryError, DiceExhaustedError, InvalidDiceError) as fault:
        raise JournalError(_("cannot replay {path}: {fault}", path=path, fault=message_of(fault))) from None
    causes = _causes(course, before, now, arguments.lang, told)
    if arguments.save:
        _save(course, journal, arguments.save)
    if arguments.format == "json":
        say_json(_data(course, causes, arguments))
    else:
        say_lines(_lines(course, causes, before, now, told))
        if arguments.save:
            how = resume_command(Path(arguments.save), arguments.rules, arguments.lang)
            say_message(told("to continue from there: {command}", command=how))
    return FINDINGS if course.parting is not None else GOOD


def _refuse(arguments: argparse.Namespace) -> None:
    others = (arguments.start, arguments.to, arguments.step or None, arguments.pictures)
    if any(other is not None for other in others):
        raise UsageError("--rules examines the whole game; leave out --from, --to, --step and --pictures")
    if arguments.save and (Path(arguments.save).exists() or Path(arguments.save).is_symlink()):
        raise UsageError("{file} already exists; choose another name", file=arguments.save)


def _original_rules(journal: Journal, target: str | None, now: Rules, say: Translator) -> Rules | None:
    """Return the rules that the game was played with; if they are not available unchanged, print that and return None.

    `target`: the ruleset named by the user, or None; `now`: the rules to compare with.
    """
    from interpreter.api.other_versions import describe_differences
    from interpreter.api.resume import rules_of
    from interpreter.runtime.errors import SetupError
    from interpreter.saves.identity import differences, identity_of

    try:
        rules = rules_of(journal.header, "", target)
    except (SetupError, RulesetError):
        rules = None
    if rules is not None and _is_original(rules, journal):
        return rules
    tell(say("the original rules of this game are no longer available: only its choices and dice are compared"))
    was, is_ = journal.header.identity, identity_of(now.program, journal.header.scenario)
    if was.scheme == is_.scheme and (was.rules, was.setup) != (is_.rules, is_.setup):
        parts = describe_differences(differences(was, is_), journal.header)
        tell(say("differences in the other rules: {parts}", parts=parts))
    return None


def _is_original(rules: Rules, journal: Journal) -> bool:
    """Return whether a game was played with these rules; if that is unknown, whether they replay all of it."""
    from interpreter.api.resume import Replay
    from interpreter.saves.identity import Match, match

    found = match(journal.header.identity, rules.program, journal.header.scenario)
    if found is not Match.UNKNOWN:
        return found is Match.SAME
    replay = Replay(journal, rules)
    replay.finish()
    return replay.divergence is None


def _causes(diff: ReplayDiff, before: Rules | None, now: Rules, lang: str, say: Translator) -> list[Difference]:
    if diff.parting is None or before is None:
        return []
    from interpreter.tools.diff.comparison import compare, read_snapshot
    from interpreter.tools.replay_diff import find_causes

    assert now.model is not None
    found = compare(read_snapshot(before.target), read_snapshot(now.target), lang, say)
    return find_causes(diff.parting, found, now.model)


def _save(diff: ReplayDiff, journal: Journal, name: str) -> None:
    from interpreter.saves.recorder import save

    with reporting_write_errors(name):
        save(diff.game, name, dict(journal.header.seats))


def _lines(diff: ReplayDiff, causes: list[Difference], before: Rules | None, now: Rules, say: Translator) -> list[str]:
    parting = diff.parting
    if parting is None:
        return [say("all {number} choices are possible and have the same results", number=diff.choices)]
    lines = [say("{number} (choice has|choices have) the same results", number=diff.choices)]
    if parting.entry is None:
        lines.append(say("before the first choice: {what}", what=parting.message))
    else:
        entry = parting.entry
        lines.append(
            say(
                "choice {number}, `{key}` of {side} in `{name}`: {what}",
                number=entry.number,
                key=entry.key,
                side=entry.side,
                name=entry.name,
                what=parting.message,
            )
        )
    if causes:
        lines.append(say("changes there:"))
        lines += [f"  {each.span.file}:{each.span.line}: {say(each.message)}" for each in causes]
    elif before is not None:
        command = f"grognard diff {target_name(before.target)} {target_name(now.target)}"
        lines.append(say("no single change causes it; for all of them: {command}", command=command))
    return lines


def _data(diff: ReplayDiff, causes: list[Difference], arguments: argparse.Namespace) -> dict[str, Any]:
    from interpreter.tools.diff.comparison import comparison_data

    parting = diff.parting
    entry = parting.entry if parting is not None else None
    return {
        "rules": arguments.rules,
        "choices": diff.choices,
        "saved": arguments.save,
        "parting": None
        if parting is None
        else {
            "decision": parting.number,
            "side": entry.side if entry else None,
            "name": entry.name if entry else None,
            "key": entry.key if entry else None,
            "words": str(parting.message),
            "cite": sorted({c for reason in parting.reasons for c in reason.cite}),
            "causes": comparison_data(causes),
        },
    }
