"""The texts open in an editor, and the last error-free state of the rulesets they belong to.

Open texts take precedence over their files. Independent of the editor protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from interpreter.api.loading import check_model
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Span, map_span
from interpreter.files.buffer_overlay import overlay_texts
from interpreter.files.file_names import find_ruleset_document
from interpreter.tools.cases.case_checks import check_target
from interpreter.tools.lsp.family import Family, find_family
from interpreter.tools.lsp.symbol_index import SymbolIndex, build_index
from interpreter.tools.lsp.token_scan import Vocabulary, Word

PARSER_LOCK = Lock()  # the parser is not thread-safe


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic placed in a file: `span` is its location in the file's own text."""

    path: Path
    span: Span
    diagnostic: Diagnostic


@dataclass(slots=True)
class Workspace:
    """The open texts by path, and the last symbol index of each ruleset that had no errors.

    `indexes`: the symbol index by target; `paths`: by target, the path of each file that a check names; `folders`: the
    editor's workspace folders, which may hold variants; `words`: a cache of (text, vocabulary, words) by file.
    """

    texts: dict[Path, str] = field(default_factory=dict)
    indexes: dict[str, SymbolIndex] = field(default_factory=dict)
    paths: dict[str, dict[str, Path]] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    words: dict[Path, tuple[str, Vocabulary, tuple[Word, ...]]] = field(default_factory=dict)

    def read_text(self, path: Path) -> str:
        """Return the text of a file, open or not; '' if it does not exist."""
        if path in self.texts:
            return self.texts[path]
        try:
            return path.read_bytes().decode("utf-8", errors="replace")
        except OSError:
            return ""

    def find_target(self, path: Path) -> str:
        """Return the target to check for a file: the folder of its ruleset, a variant, or a scenario outside one."""
        head = "\n" + self.read_text(path)[:2000].removeprefix("\ufeff")
        if path.suffix != ".rules" and "\nkind: variant" in head:
            return str(path)
        for folder in path.parents:
            if folder.name.endswith("-tests") and folder.with_name(folder.name[:-6] + ".yaml").is_file():
                return str(folder.with_name(folder.name[:-6] + ".yaml"))
            if find_ruleset_document(folder) is not None:
                return str(folder)
        is_scenario = path.suffix != ".rules" and "\nkind: scenario" in head
        return str(path if is_scenario else path.parent)

    def get_known_names(self, path: Path) -> SymbolIndex | None:
        """Return the names that a file may use, from its last error-free state, or None if it never had one."""
        target = self.find_target(path)
        if target not in self.indexes:
            self.check(target)
        return self.indexes.get(target)

    def find_family(self, path: Path) -> Family | None:
        """Return the files that share names with a file, as a family; None if the file belongs to no ruleset."""
        with overlay_texts({p: text.encode("utf-8") for p, text in self.texts.items()}):
            return find_family(self.find_target(path), self.folders)

    def check(self, target: str) -> list[Finding]:
        """Check a target with the editor's contents; return its findings. Refreshes the index if it has no errors."""
        with PARSER_LOCK:
            with overlay_texts({p: text.encode("utf-8") for p, text in self.texts.items()}) as opened:
                sink = Sink()
                model = check_target(target, sink)
            self.paths[target] = dict(opened.paths)
            if model is None and target not in self.indexes:
                with overlay_texts({}):
                    model = check_model(target, Sink())  # from disk
            if model is not None:
                self.indexes[target] = build_index(model)
            return [
                finding
                for diagnostic in sink.list_sorted()
                if (finding := self._locate_in_file(diagnostic, opened.paths)) is not None
            ]

    def _locate_in_file(self, diagnostic: Diagnostic, paths: Mapping[str, Path]) -> Finding | None:
        path = paths.get(diagnostic.span.file)
        if path is None:
            return None
        text = self.read_text(path)
        span = map_span(text, diagnostic.span) or Span(diagnostic.span.source, 0, 0)
        return Finding(path, span, diagnostic)

    def resolve_span(self, target: str, span: Span) -> tuple[Path, Span] | None:
        """Convert a span reported by a check of `target` to the file and the span in its own text.

        Return None if the span is not in a file.
        """
        path = self.paths.get(target, {}).get(span.file)
        if path is None:
            return None
        inside = map_span(self.read_text(path), span)
        return None if inside is None else (path, inside)
