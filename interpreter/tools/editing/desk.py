"""What an editor has open, and the ruleset that it belongs to, as far as it was good when last looked at.

Open texts stand in the place of their files. Must not speak to an editor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from interpreter.facade.loading import check_model
from interpreter.files.file_names import ruleset_document
from interpreter.files.open_texts import reading
from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import Diagnostic, Sink
from interpreter.source.text import Span, span_in
from interpreter.tools.cases.case_checks import check_one
from interpreter.tools.editing.family import Family, family_of
from interpreter.tools.editing.known_names import Known, known_names
from interpreter.tools.editing.written_words import Vocabulary, Word

ALONE = Lock()  # the parser reads one text at a time


@dataclass(frozen=True, slots=True)
class Found:
    """One finding in a file, with its stretch of the file's own text."""

    path: Path
    span: Span
    diagnostic: Diagnostic


@dataclass(slots=True)
class Desk:
    """The open texts by path, and for each ruleset what is known of it."""

    texts: dict[Path, str] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)
    paths: dict[str, dict[str, Path]] = field(default_factory=dict)  # for each target the file of each name in messages
    folders: tuple[Path, ...] = ()  # what the editor has open as a whole
    words: dict[Path, tuple[str, Vocabulary, tuple[Word, ...]]] = field(default_factory=dict)  # of the newest texts

    def text_of(self, path: Path) -> str:
        """The text of a file, open or not; '' where there is none."""
        if path in self.texts:
            return self.texts[path]
        try:
            return path.read_bytes().decode("utf-8", errors="replace")
        except OSError:
            return ""

    def target_of(self, path: Path) -> str:
        """Return what to check for a file: the folder of its ruleset, a variant, or a scenario outside of one."""
        head = "\n" + self.text_of(path)[:2000]
        is_variant = path.suffix != ".rules" and "\nkind: variant" in head
        if is_variant:
            return str(path)
        for folder in path.parents:
            if folder.name.endswith("-tests") and folder.with_name(folder.name[:-6] + ".yaml").is_file():
                return str(folder.with_name(folder.name[:-6] + ".yaml"))
            if ruleset_document(folder) is not None:
                return str(folder)
        is_scenario = path.suffix != ".rules" and "\nkind: scenario" in head
        return str(path if is_scenario else path.parent)

    def known_of(self, path: Path) -> Known | None:
        """Return the names that a file may use, from the last state without errors; None where there was none."""
        target = self.target_of(path)
        if target not in self.known:
            self.check(target)
        return self.known.get(target)

    def family_of(self, path: Path) -> Family | None:
        """Find all files that share names with a file."""
        with reading({p: text.encode("utf-8") for p, text in self.texts.items()}):
            return family_of(self.target_of(path), self.folders)

    def check(self, target: str) -> list[Found]:
        """Every finding about a target as it stands in the editor; what is known of it is renewed where it is good."""
        with ALONE:
            return self._check(target)

    def _check(self, target: str) -> list[Found]:
        with reading({p: text.encode("utf-8") for p, text in self.texts.items()}) as opened:
            sink = Sink()
            model = check_one(target, sink)
        self.paths[target] = dict(opened.paths)
        if model is None and target not in self.known:
            with reading({}):
                model = check_model(target, Sink())  # as it stands on the disk
        if model is not None:
            self.learn(target, model)
        return [found for one in sink.sorted() if (found := self._in_file(one, opened.paths)) is not None]

    def learn(self, target: str, model: CheckedModel) -> None:
        """Keep the names of a good ruleset."""
        self.known[target] = known_names(model)

    def _in_file(self, found: Diagnostic, paths: Mapping[str, Path]) -> Found | None:
        path = paths.get(found.span.file)
        if path is None:
            return None
        text = self.text_of(path)
        span = span_in(text, found.span) or Span(found.span.source, 0, 0)
        return Found(path, span, found)

    def place_of(self, target: str, span: Span) -> tuple[Path, Span] | None:
        """The file of a span and the stretch of the file's own text; None for what stands in no file."""
        path = self.paths.get(target, {}).get(span.file)
        if path is None:
            return None
        inside = span_in(self.text_of(path), span)
        return None if inside is None else (path, inside)
