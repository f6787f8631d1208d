"""Error tests in chunk files: the checker's findings on small pieces of rules, line by line.

A file `tests/cases/check/*.rules` holds chunks parted by lines of three dashes. Each chunk is laid over the
ruleset in `tests/cases/check/base/` as one more rules file. The end of a line says what must be found there:

    let x = strenght(reds)        ### unknown-name `strenght`

the code of the finding and the terms in backquotes that its message must contain, whatever its wording;
several marks where there are several findings. A finding without a mark and a mark without a finding
both fail; a chunk without marks must be clean, and is compiled and linked too. The marks are taken out before
the text is read. A chunk may begin with lines that say how to take it:

    ## variant              the chunk changes the base, as the `rules:` of a variant do
    ## yaml NAME.yaml       the chunk is a document of that name, laid over the base's
    ## without FILE         one of the base's rules files is left out
    ## elsewhere CODE `..` a finding that must come at no line of the chunk
    ## loose ends CODE-     warnings about loose ends that begin with CODE- count too
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest

from interpreter.backends.python.program_printer import print_model
from interpreter.checker.lints.run_lints import run_lints
from interpreter.checker.module_checker import check_rules
from interpreter.checker.variants.variant_changes import apply_changes
from interpreter.checker.wargame_lints.run_wargame_lints import run_wargame_lints
from interpreter.checker.whole_ruleset import check_whole
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.language import parsing, syntax as s
from interpreter.language.parsing import parse_module
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Ruleset
from interpreter.runtime.program import Program
from tests.architecture.trees import nodes_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "cases" / "check"
BASE = FOLDER / "base"
ONE = r"[a-z0-9-]+(?: `[^`\n]*`)*"
MARK = re.compile(rf"\s*###\s*({ONE}(?:\s*###\s*{ONE})*)\s*$")
WANTED = re.compile(r"([a-z0-9-]+)((?: `[^`\n]*`)*)")
LOOSE = ("unused-", "uncited-", "literal-", "unread-", "unreachable-rung", "unreachable-level")


@dataclass(frozen=True)
class Chunk:
    """A piece of rules: its text without marks, the expected findings by line, and its directives."""

    name: str
    text: str
    wanted: tuple[tuple[int, str, str], ...]
    directives: tuple[str, ...] = ()

    def directive(self, word: str) -> str | None:
        """Return the text after a directive, or None if the chunk does not have it."""
        return next((d[len(word) :].strip() for d in self.directives if d.startswith(word)), None)


@dataclass(frozen=True)
class Outcome:
    """The findings, the model if there was something to check, and the chunk's name in spans."""

    found: tuple[Diagnostic, ...]
    model: CheckedModel | None = None
    own: str = ""


def chunks_of(path: Path) -> list[Chunk]:
    """Return the chunks of a file."""
    out = []
    start = 1
    for text in re.split(r"(?m)^---\n", path.read_text(encoding="utf-8")):
        lines = text.split("\n")
        directives: list[str] = []
        wanted: list[tuple[int, str, str]] = []
        for number, line in enumerate(lines):
            if line.startswith("## "):
                directives.append(line[3:].strip())
                lines[number] = ""
                continue
            found = MARK.search(line)
            if found:
                wanted += [(number + 1, code, terms) for code, terms in WANTED.findall(found.group(1))]
                lines[number] = line[: found.start()]
        out.append(Chunk(f"{path.stem}:{start}", "\n".join(lines), tuple(wanted), tuple(directives)))
        start += len(lines)
    return out


CHUNKS = [c for path in sorted(FOLDER.glob("*.rules")) for c in chunks_of(path)]


@lru_cache(maxsize=1)
def base() -> tuple[Ruleset, dict[str, s.RulesModule]]:
    """Return the base ruleset's data and its rules by file name; it must be clean."""
    sink = Sink()
    ruleset = read_documents(str(BASE), sink)
    assert ruleset is not None
    modules = {}
    for source in ruleset.rules:
        module = parse_module(source, sink)
        assert module is not None
        modules[Path(source.name).name] = module
    assert not sink.items, [(str(d.span), d.message) for d in sink.items]
    return ruleset, modules


@cache
def judged(chunk: Chunk) -> Outcome:
    """Return the outcome of checking a chunk, computed once."""
    with TemporaryDirectory() as folder:
        return judge(chunk, Path(folder))


def judge(chunk: Chunk, folder: Path) -> Outcome:
    """Read and check the base with the chunk laid over it."""
    ruleset, modules = base()
    sink = Sink()
    document = chunk.directive("yaml")
    if document is not None:
        copytree(BASE, folder / "base")
        (folder / "base" / document).write_text(chunk.text, encoding="utf-8")
        spoiled = read_documents(str(folder / "base"), sink)
        if spoiled is None:
            return Outcome(sink.list_sorted(), own=f"base/{document}")
        ruleset = spoiled
    left_out = chunk.directive("without")
    rules = [m for name, m in modules.items() if name != left_out]
    own = f"base/{document}" if document is not None else chunk.name
    if document is None:
        module = parse_module(Source(own, chunk.text), sink)
        if module is None:
            return Outcome(sink.list_sorted(), own=own)
        if chunk.directive("variant") is not None:
            rules = apply_changes(rules, [module], sink)
        else:
            rules.append(module)
    model = check_rules(ruleset, rules, sink)
    if not sink.has_errors:
        check_whole(model, sink)
        run_lints(model, sink)
        run_wargame_lints(model, sink)
    return Outcome(sink.list_sorted(), model, own)


def shown(found: Diagnostic) -> str:
    return f"{found.span}: {found.severity}[{found.code}] {found.message} | {found.help}"


def fits(found: Diagnostic, code: str, terms: str) -> bool:
    """Return True if a finding has this code and its message contains all terms."""
    return found.code == code and all(f"`{term}`" in found.message for term in re.findall("`([^`]*)`", terms))


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda c: c.name)
def test_chunk_gives_expected_diagnostics(chunk: Chunk) -> None:
    outcome = judged(chunk)
    loose = chunk.directive("loose ends") or "none"
    found = [d for d in outcome.found if d.code.startswith(loose) or not d.code.startswith(LOOSE)]
    left = list(found)
    missing = []
    for line, code, words in chunk.wanted:
        fitting = next(
            (d for d in left if fits(d, code, words) and d.line == line and d.file == outcome.own),
            None,
        )
        if fitting is None:
            missing.append(f"line {line}: {code}{words}")
        else:
            left.remove(fitting)
    for text in [d[len("elsewhere") :] for d in chunk.directives if d.startswith("elsewhere")]:
        code, words = WANTED.findall(text)[0]
        fitting = next((d for d in left if fits(d, code, words)), None)
        if fitting is None:
            missing.append(f"elsewhere: {code}{words}")
        else:
            left.remove(fitting)
    assert not missing and not left, (
        "missing: " + "; ".join(missing) + "\nunexpected:\n" + "\n".join(shown(d) for d in left)
    )
    for d in found:
        assert 0 <= d.span.start <= d.span.end <= len(d.span.source.text), shown(d)
    if not any(d.severity == "error" for d in found):
        assert outcome.model is not None
        compiled = print_model(lower_model(outcome.model, explained=True), outcome.model)
        Program(compiled.codes, compiled.data)


def test_base_of_check_cases_has_no_findings(tmp_path: Path) -> None:
    outcome = judge(Chunk("empty", "", ()), tmp_path)
    assert [shown(d) for d in outcome.found if not d.code.startswith(LOOSE)] == []


def test_every_code_has_chunk() -> None:
    emitted = {code for folder in ("language", "checker") for code in codes_in(ROOT / "interpreter" / folder)}
    emitted |= {"unused-" + word for word in ("procedure", "define", "rule", "tally", "draft", "event")}
    told = " ".join(d for c in CHUNKS for d in c.directives)
    wanted = {code for c in CHUNKS for _, code, _ in c.wanted} | {code for code, _ in WANTED.findall(told)}
    assert sorted(emitted - wanted) == []


def codes_in(folder: Path) -> set[str]:
    """Return every text in the code of a folder that has the form of a diagnostic's code."""
    return {
        n.value
        for path in sorted(folder.rglob("*.py"))
        for n in nodes_of(path)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and re.fullmatch(r"[a-z]+(-[a-z]+)+", n.value)
    }


def test_every_construct_of_grammar_is_used_without_finding() -> None:
    """Compare the tree shapes that the grammar can make with those that clean chunks make."""
    parser = parsing._get_parser()
    possible = {str(r.alias or r.origin.name) for r in parser.rules if not r.options.expand1 or r.alias}
    possible -= {"__start_star_0", "start", "expression_start"}
    made: set[str] = set()
    for chunk in CHUNKS:
        if chunk.wanted or chunk.directive("yaml") is not None:
            continue
        tree = parser.parse(parsing.join_continued_lines(chunk.text) + "\n", start="start")
        made |= {str(t.data) for t in tree.iter_subtrees()}
    missing = sorted(p for p in possible - made if not p.startswith("__"))
    assert missing == []
