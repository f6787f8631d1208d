"""Find the differences between two rulesets that may explain where a replay diverges. Runs nothing.

Closer differences come first: a requirement that refuses, then a rule whose lines were executed, then a value or chart
that these lines mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.model.statements import CheckedModel
from interpreter.tools.diff.difference import Difference
from interpreter.tools.profiling.rule_lines import items_of
from interpreter.tools.replay_diff.side_by_side import Line, RulesDivergence

_WORD = re.compile(r"[A-Za-z_]\w*")
_MOST = 5


def find_causes(parting: RulesDivergence, found: Sequence[Difference], model: CheckedModel) -> list[Difference]:
    """Return at most five differences between the rules that may have caused a divergence; [] if none fits.

    All are of the closest category that has any: a requirement that refuses, then an executed rule, then a value or
    chart that the executed lines mention. `parting`: the divergence; `found`: all differences between the rulesets;
    `model`: the checked model of the rules that the replay ran on.
    """
    addresses = {r.address for reason in parting.reasons for r in (reason, *reason.besides) if r.address}
    listed = [each for each in found if each.part != "cases"]
    for called in (False, True):
        lines, words = _executed_lines(parting.lines, model, called)
        weighed = [(_weight(each, addresses, lines, words), each) for each in listed]
        best = max((weight for weight, _each in weighed), default=0)
        if best:
            return [each for weight, each in weighed if weight == best][:_MOST]
    return []


def _executed_lines(seen: Iterable[Line], model: CheckedModel, called: bool) -> tuple[set[Line], set[str]]:
    """Return the executed lines and the words in them.

    `seen`: the lines that were traced. With `called`, include the lines of items they mention: memoized items leave no
    trace.
    """
    sources = {source.name: source for source in (*model.ruleset.rules, *model.ruleset.changes)}
    named = {item.name: item for item in items_of(model) if item.sort in ("define", "tally", "rule", "draft")}
    lines, words, waiting = set[Line](), set[str](), set(seen)
    while waiting:
        file, line = waiting.pop()
        lines.add((file, line))
        if file not in sources:
            continue
        for word in _WORD.findall(sources[file].line(line)):
            if called and word not in words and word in named:
                item = named[word]
                waiting |= {(item.file, n) for n in range(item.first, item.last + 1)} - lines
            words.add(word)
    return lines, words


def _weight(difference: Difference, addresses: set[str], lines: set[Line], words: set[str]) -> int:
    if difference.part == "rules":
        if any(address == difference.path or address.startswith(difference.path + ".") for address in addresses):
            return 4
        if any(difference.path and address.rpartition(".")[0] == difference.path for address in addresses):
            filled = {str(value) for value in difference.message.holes.values()}
            return 4 if filled & {a.rpartition(".")[2] for a in addresses} else 3
        return 3 if _is_at_work(difference, lines) else 0
    if difference.part in ("values", "charts"):
        named = _WORD.findall(difference.path)
        return 2 if named and named[-1] in words else 1 if set(named) & words else 0
    return 0


def _is_at_work(difference: Difference, lines: set[Line]) -> bool:
    span = difference.span
    first = span.source.position(span.start)[0]
    last = span.source.position(max(span.start, span.end - 1))[0]
    return any(file == span.file and first <= line <= last for file, line in lines)
