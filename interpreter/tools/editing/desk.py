"""What an editor has open, and the ruleset that it belongs to, as far as it was good when last looked at.

Open texts stand in the place of their files. Must not speak to an editor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from interpreter.facade.loading import check_model
from interpreter.files.open_texts import reading
from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import Diagnostic, Sink
from interpreter.source.text import Span, span_in
from interpreter.tools.cases.case_checks import check_one
from interpreter.tools.editing.known_names import Known, known_names

ALONE = Lock()  # the parser reads one text at a time
_VARIANT = ("kind: variant", "kind: scenario")


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

    def text_of(self, path: Path) -> str:
        """The text of a file, open or not; '' where there is none."""
        if path in self.texts:
            return self.texts[path]
        try:
            return path.read_bytes().decode("utf-8", errors="replace")
        except OSError:
            return ""

    def target_of(self, path: Path) -> str:
        """What `check` is asked for a file: a variant or scenario for itself, else the folder of its ruleset."""
        head = self.text_of(path)[:2000]
        if path.suffix != ".rules" and any(f"\n{word}" in f"\n{head}" for word in _VARIANT):
            return str(path)
        for folder in path.parents:
            if folder.name.endswith("-tests") and folder.with_name(folder.name[:-6] + ".yaml").is_file():
                return str(folder.with_name(folder.name[:-6] + ".yaml"))
            if (folder / "ruleset.yaml").is_file():
                return str(folder)
        return str(path.parent)

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
