"""References to a name in all files of its ruleset, and renaming across them. Never writes files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.source_text import Replacement, apply_edits
from interpreter.files.file_names import is_rules_name
from interpreter.i18n.translator import LocalizedError
from interpreter.tools.lsp.family import Family
from interpreter.tools.lsp.symbol_index import RulesetSymbol, SymbolIndex
from interpreter.tools.lsp.token_scan import NO_WORDS, Word, find_words
from interpreter.tools.lsp.workspace import Finding, Workspace

_NUMBERED = re.compile(r"(.+)-\d+")
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_THING = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
_THINGS = ("place", "piece", "edge")
_FIXED = ("keyword", "function", "paragraph")  # sorts that cannot be renamed
_KINDS = frozenset("side sides seat seats place places edge edges piece pieces".split())  # words of the language


@dataclass(frozen=True, slots=True)
class RenameTarget:
    """A span of a file's text that renaming would change."""

    path: Path
    start: int
    end: int


class RenameError(LocalizedError):
    """An error for a name that cannot be changed; the message says why."""


def find_references(workspace: Workspace, path: Path, offset: int) -> list[RenameTarget]:
    """Return every reference to the name at an offset in the files of its ruleset, including the name itself."""
    word = _find_word(workspace, path, offset)
    family = workspace.find_family(path)
    if word is None or family is None:
        return []
    return list(_iter_references(workspace, path, family, _find_declared_name(workspace, path, word.text)))


def rename_place(workspace: Workspace, path: Path, offset: int) -> RenameTarget:
    """Return the span of the name at an offset, so that an editor can offer to change it.

    Raises RenameError if the position holds no name or the name cannot be changed.
    """
    word = _find_word(workspace, path, offset)
    if word is None:
        raise RenameError("this is not a name but a text, a comment or a key of the format")
    known = workspace.get_known_names(path)
    if known is None:
        raise RenameError("the ruleset has errors, so its names are unknown; correct the errors first")
    name = _find_declared_name(workspace, path, word.text)
    sorts = {n.sort for n in known.names.get(name, ())} - ({"kind"} if name in _KINDS else set())
    if not sorts and name not in _KINDS:
        raise RenameError(
            "`{name}` is a local name or not a name of this ruleset; change it by hand where it is used", name=name
        )
    if sorts <= set(_FIXED):
        if "paragraph" in sorts:
            raise RenameError(
                "`{name}` is a paragraph; change its number by hand, in the rulebook and in citations", name=name
            )
        raise RenameError("`{name}` is a word of the rules language and cannot be renamed", name=name)
    if _is_numbered_by_grid(known, name):
        raise RenameError("`{name}` is a space of the grid: its number comes from `grid:` in the map", name=name)
    return RenameTarget(path, word.start, word.start + len(name))


def _is_numbered_by_grid(index: SymbolIndex, name: str) -> bool:
    ruleset = index.model.ruleset
    handle = ruleset.kinds["place"].get_handles().get(name)
    return ruleset.grid is not None and handle is not None and ruleset.grid.column_row[handle] is not None


def rename(workspace: Workspace, path: Path, offset: int, new: str) -> list[RenameTarget]:
    """Return every span to change for a new name. Raises RenameError if the change would cause errors."""
    place = rename_place(workspace, path, offset)
    name = workspace.read_text(path)[place.start : place.end]
    known, family = workspace.get_known_names(path), workspace.find_family(path)
    assert known is not None
    if family is None:
        raise RenameError("the file does not belong to a ruleset: there is no `ruleset.yaml` in its folder or above")
    _require_free(known, name, new)
    places = list(_iter_references(workspace, path, family, name))
    if family.is_shipped and not path.resolve().is_relative_to(family.root):
        outside = next((p.path.name for p in places if p.path.is_relative_to(family.root)), "")
        if outside:
            raise RenameError(
                "`{name}` is a name of the built-in ruleset ({file}); a variant cannot rename it",
                name=name,
                file=outside,
            )
    _require_sound(workspace, family, places, new)
    return places


def _require_free(index: SymbolIndex, name: str, new: str) -> None:
    """Raise RenameError if `new` is not a valid name for the thing called `name`, or already has a meaning."""
    if all(n.sort in _THINGS for n in index.names[name]):
        if not _THING.fullmatch(new):
            raise RenameError(
                "`{name}` cannot be an id: use lower-case letters, digits, underscores and hyphens", name=new
            )
    elif not _NAME.fullmatch(new):
        raise RenameError(
            "`{name}` cannot be a name: begin with a lower-case letter, then use lower-case letters, "
            "digits and underscores",
            name=new,
        )
    namesake: RulesetSymbol | None = next(iter(index.names.get(new, ())), None)
    if namesake is not None:
        raise RenameError("`{name}` is already in use in this ruleset ({sort})", name=new, sort=namesake.sort)


def _require_sound(workspace: Workspace, family: Family, places: list[RenameTarget], new: str) -> None:
    """Raise RenameError if `check` would report a new error in any target of the family after the change.

    `places`: the spans that would be replaced by `new`.
    """
    changed_workspace = Workspace(dict(workspace.texts), folders=workspace.folders)
    for file in dict.fromkeys(p.path for p in places):
        changed_workspace.texts[file] = apply_edits(
            workspace.read_text(file), [Replacement(p.start, p.end, new) for p in places if p.path == file]
        )
    for target in family.targets:
        findings = [finding for finding in changed_workspace.check(target) if finding.diagnostic.severity != "note"]
        old_keys = {_build_finding_key(finding) for finding in workspace.check(target)} if findings else set()
        new_finding = next((finding for finding in findings if _build_finding_key(finding) not in old_keys), None)
        if new_finding is not None:
            location = f"{new_finding.path.name}:{new_finding.diagnostic.span.line}"
            raise RenameError(
                "after this change, `check` would find an error: {where}: {problem}",
                where=location,
                problem=new_finding.diagnostic.message,
            )


def _build_finding_key(finding: Finding) -> tuple[str, str, int]:
    return finding.diagnostic.code, finding.path.as_posix(), finding.span.line


def _find_word(workspace: Workspace, path: Path, offset: int) -> Word | None:
    """Return the name at an offset, or None in prose, comments and keys of the format."""
    words = _find_words(workspace, path, path)
    return next((word for word in words if word.start <= offset <= word.end), None)


def _find_words(workspace: Workspace, asking_path: Path, path: Path) -> tuple[Word, ...]:
    """Return the names in the file `path`; memoized. `asking_path`: the file whose ruleset declares the names."""
    known, text = workspace.get_known_names(asking_path), workspace.read_text(path)
    vocabulary = NO_WORDS if known is None else known.vocabulary
    memo = workspace.words.get(path)
    if memo is None or memo[0] != text or memo[1] != vocabulary:
        memo = workspace.words[path] = text, vocabulary, find_words(text, is_rules_name(path), vocabulary)
    return memo[2]


def _find_declared_name(workspace: Workspace, path: Path, word: str) -> str:
    """Return the declared name behind a word: `red` for `red-2` if identical pieces are declared as `red`."""
    known, numbered = workspace.get_known_names(path), _NUMBERED.fullmatch(word)
    if known is None or numbered is None or numbered[1] not in known.names:
        return word
    return numbered[1] if any(n.sort == "piece" for n in known.names[numbered[1]]) else word


def _iter_references(workspace: Workspace, asking_path: Path, family: Family, name: str) -> Iterator[RenameTarget]:
    for file in sorted(family.files):
        if name in workspace.read_text(file):
            for word in _find_words(workspace, asking_path, file):
                if name in word.text and (
                    word.text == name or _find_declared_name(workspace, asking_path, word.text) == name
                ):
                    yield RenameTarget(file, word.start, word.start + len(name))
