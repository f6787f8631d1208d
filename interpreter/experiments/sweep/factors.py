"""Parse what a sweep varies: document values by path, options, the scenario, bots.

Examples: "tables.values.loss.value=1,2,3", or several values that change together, "pieces.pieces.guard-*.morale=2,4".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.suggestions import find_close_words, suggest_words
from interpreter.documents.listing import Leaf, list_resolved_values
from interpreter.documents.pipeline import load_trees
from interpreter.i18n.number_format import format_plain_value
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.tools.provenance import NOT_DATA

VALUE, OPTION, SCENARIO, BOTS = "value", "option", "scenario", "bots"
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})")
_PART = re.compile(r"[^.\[\]]+")  # of a path
_MAX_VALUES = 1000
_OWN = ".value"  # the key of a value that says more of itself
_MAX_NAMED = 8
_ALSO, _ANY = "+", "*"  # between paths, and the values of paths, that change together; any part of a name in a path


@dataclass(frozen=True, slots=True)
class Factor:
    """A quantity that a sweep varies, and the values it takes.

    `sort`: VALUE, OPTION, SCENARIO or BOTS. `base`: its unchanged value as text, or None if unknown. `paths`: the paths
    of values in the documents that change together under one name; empty if `path` is the only one.
    """

    path: str
    sort: str
    values: tuple[str, ...]
    base: str | None
    paths: tuple[str, ...] = ()

    def list_changes(self, value: str) -> dict[str, str]:
        """Return the new value of each path for one value of the factor: one text for all paths, or one for each."""
        paths = self.paths or (self.path,)
        parts = value.split(_ALSO) if len(paths) > 1 else [value]
        return dict(zip(paths, parts * len(paths) if len(parts) == 1 else parts, strict=True))


def read_factors(
    texts: Sequence[str], target: str, options: Mapping[str, str], scenarios: Sequence[str], seats: Sequence[str]
) -> tuple[Factor, ...]:
    """Parse factors from command-line words (`texts`). Raise SetupError with suggestions for an unknown path or value.

    `options` has the options of the ruleset with their value; the first of `scenarios` is the one that is played.
    """
    leaves = {leaf.path: leaf for section in list_resolved_values(load_trees(target)).values() for leaf in section}
    factors: dict[str, Factor] = {}
    used_paths: set[str] = set()
    for word in texts:
        path, parted, text = word.partition("=")
        if not parted or not path or not text.strip():
            raise SetupError(
                "--vary {word}: expected PATH=V1,V2, such as tables.values.NAME.value=1,2,3", word=word[:80]
            )
        values = _parse_values(word, text)
        factor = _build_factor(path.strip(), values, leaves, options, scenarios, seats)
        if not used_paths.isdisjoint(paths := {factor.path, *factor.paths}):
            raise SetupError(
                "--vary {word}: this value is already varied; give all its settings in one --vary", word=word[:80]
            )
        used_paths |= paths
        factors[factor.path] = factor
    return tuple(factors.values())


def _parse_values(word: str, text: str) -> tuple[str, ...]:
    """Parse the values of `--vary word`: a list, in which A..B is a range of integers."""
    values: list[str] = []
    for part in text.split(","):
        part = part.strip()
        if not part:
            raise SetupError("--vary {word}: a value is missing before or after a comma", word=word[:80])
        if match := _RANGE.fullmatch(part):
            low, high = int(match[1]), int(match[2])
            if high - low >= _MAX_VALUES:
                raise SetupError("--vary {word}: more than {most} values", word=word[:80], most=_MAX_VALUES)
            values += [str(n) for n in range(low, high + 1)]
        else:
            values.append(part)
    if not values:
        raise SetupError("--vary {word}: write a range from the lower number to the higher", word=word[:80])
    return tuple(dict.fromkeys(values))


def _build_factor(
    path: str,
    values: tuple[str, ...],
    leaves: Mapping[str, Leaf],
    options: Mapping[str, str],
    scenarios: Sequence[str],
    seats: Sequence[str],
) -> Factor:
    """Return the factor of a path, whose first part names its sort. Raise SetupError for an unknown name."""
    sort, _parted, name = path.partition(".")
    if path == SCENARIO:
        for value in values:
            _check_word(path, value, scenarios)
        return Factor(path, SCENARIO, values, scenarios[0])
    if sort == OPTION and name:
        _check_word(path, name, options)
        return Factor(path, OPTION, values, options[name])
    if sort == BOTS:
        if name:
            _check_word(path, name, seats)
        return Factor(path, BOTS, values, None)
    paths = _resolve_paths(path, leaves)
    base = _join_values([format_plain_value(leaves[p].value) for p in paths])
    several = paths if len(paths) > 1 else ()
    return Factor(path if several else paths[0], VALUE, _repeat_for_each(path, values, len(paths)), base, several)


def _resolve_paths(path: str, leaves: Mapping[str, Leaf]) -> tuple[str, ...]:
    """Return the paths that a path expression selects among `leaves`, the values of the documents by path.

    It is one path, several joined by a plus sign, or a pattern with stars. Raises SetupError if it selects none.
    """
    if path in leaves:
        return (path,)
    paths: dict[str, None] = {}
    for part in path.split(_ALSO):
        pattern = re.compile("[^.]*".join(re.escape(text) for text in part.split(_ANY)))
        fitting = [p for p in leaves if pattern.fullmatch(p)]
        if not fitting:  # of a value with a citation or a note beside it
            fitting = [p for p in leaves if p.endswith(_OWN) and pattern.fullmatch(p.removesuffix(_OWN))]
        if not fitting:
            raise SetupError(_describe_missing(part, leaves))
        paths.update(dict.fromkeys(fitting))
    return tuple(paths)


def _repeat_for_each(path: str, values: Sequence[str], number: int) -> tuple[str, ...]:
    """Return the values of a factor with `number` paths that change together, each once.

    A value is one text for all paths, or one for each path, joined by +. Raises SetupError for any other number of
    them.
    """
    if number == 1:
        return tuple(values)
    parted = [value.split(_ALSO) for value in values]
    for parts in parted:
        if len(parts) not in (1, number):
            raise SetupError(
                "--vary {path}: `{value}` has {found} values for {number} places; give one for all, or one "
                "for each, joined with +",
                path=path,
                value=_ALSO.join(parts),
                found=len(parts),
                number=number,
            )
    return tuple(dict.fromkeys(_join_values(parts) for parts in parted))


def _join_values(parts: Sequence[str]) -> str:
    """Format the values of several paths as one text; equal values are written once."""
    return parts[0] if len(set(parts)) == 1 else _ALSO.join(parts)


def _check_word(path: str, word: str, words: Sequence[str] | Mapping[str, str]) -> None:
    """Raise SetupError if `word` is none of `words`; `path`: the varied value, for the message."""
    if word not in words:
        raise SetupError(
            "--vary {path}: there is no `{word}`{hint}", path=path, word=word, hint=suggest_words(word, words, True)
        )


def _describe_missing(path: str, leaves: Iterable[str]) -> str:
    """Return the message for a path that does not exist, with a suggestion among the paths that affect play."""
    leaves = [p for p in leaves if not any(key in NOT_DATA for key in _PART.findall(p))]
    inside = [p for p in leaves if p.startswith((path + ".", path + "["))]
    if len(inside) == 1:
        return _("--vary {path}: select a value here by `{inside}`", path=path, inside=inside[0])
    if inside:
        return _(
            "--vary {path}: there are {number} values here; choose one of them, such as {examples}",
            path=path,
            number=len(inside),
            examples=tuple(inside[:_MAX_NAMED]),
        )
    start = path
    while "." in start and not find_close_words(path, [p for p in leaves if p.startswith(start)]):
        start = start.rpartition(".")[0]
    near = [p for p in leaves if p.startswith(start)] if "." in start else leaves
    return _(
        "--vary {path}: this value does not exist (to list all values: `grognard show RULESET --resolved`){hint}",
        path=path,
        hint=suggest_words(path, near),
    )
