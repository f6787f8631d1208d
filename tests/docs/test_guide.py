"""Test every example of the author's guide: games are played, snippets checked, commands run.

The tags of each block are described in blocks.py. Complete games are built step by step, as a reader builds them.
Snippets are checked inside the sample ruleset that documents.md shows.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, check, load
from interpreter.api.loading import FileSource, read_model
from interpreter.backends.python.program_printer import print_model
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.play.game import Game
from interpreter.runtime.program import Program
from tests.docs import blocks

SAMPLE = "documents.md"
GAME_OF = {"bots.md": "hexes.md", "lessons.md": "tutorial.md"}  # pages about another page's game
Workshop = Callable[[dict[str, str]], Path]
SNIPPET_PAGES = [
    p for p in [*blocks.pages(), *sorted(blocks.DECISIONS.glob("*.md"))] if p.name not in ("tutorial.md", "hexes.md")
]
LOOSE = ("unused-", "uncited-")  # a single snippet is not a finished ruleset

# Names available to a `rules statements` block: the parameters of the procedure it is put into, and the arguments
# of its call.
SCENE = "u: unit, v: unit, a: place, b: place, s: army, number: int, company: set of unit"
CAST: dict[str, Any] = {
    "u": "red_guards",
    "v": "blue_line",
    "a": "0303",
    "b": "0304",
    "s": "reds",
    "number": 2,
    "company": ["red_guards", "red_line"],
}


def snippets(language: str, *tags: str, value: str = "") -> list[Any]:
    """Return blocks of the snippet pages with a language and tags, as parameters of a test."""
    found = [
        b
        for page in SNIPPET_PAGES
        for b in blocks.blocks_of(page)
        if b.language == language
        and "file" not in b.values
        and set(b.tags) == set(tags)
        and (value in b.values if value else not b.values)
    ]
    return [pytest.param(b, id=b.name) for b in found]


def told(found: tuple[Diagnostic, ...]) -> str:
    return "\n".join(f"{d.file}:{d.line}:{d.column}: {d.severity}[{d.code}] {d.message}; {d.help}" for d in found)


def faults(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the findings that a snippet must not have: errors, and warnings that are not about loose ends."""
    return tuple(
        d for d in found if d.severity == "error" or (d.severity == "warning" and not d.code.startswith(LOOSE))
    )


def checked(folder: Path) -> tuple[CheckedModel | None, tuple[Diagnostic, ...]]:
    """Return the rules of a folder, and the findings without compiling: a snippet changes nothing of the set-up."""
    sink = Sink()
    return read_model(str(folder), sink), sink.list_sorted()


def read(folder: Path) -> tuple[Diagnostic, ...]:
    """Return the findings in a folder without compiling it."""
    return checked(folder)[1]


def play(game: Game, seed: int, most: int = 20_000) -> None:
    """Make random choices until the game is over."""
    chance = random.Random(seed)
    for _ in range(most):
        if game.over:
            return
        game.pick(chance.randrange(game.count()))
    raise AssertionError(f"no end after {most} decisions")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the test's folder: rulesets have equal relative names in all tests, which share their programs."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the sample ruleset."""
    folder: Path = blocks.write_all(SAMPLE, tmp_path_factory.mktemp("sample"))
    return folder


@pytest.fixture
def workshop(sample: Path) -> Workshop:
    """Return a function that writes files into a copy of the sample ruleset and returns its folder."""

    def write(files: dict[str, str]) -> Path:
        folder = Path("two_rivers")
        shutil.copytree(sample, folder)
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="module")
def sample_rules(sample: Path) -> Rules:
    return load(sample, checked=True)


# --- complete games ---------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["tutorial.md", "hexes.md", SAMPLE])
def test_games_of_guide_are_clean_and_end(page: str) -> None:
    folder = blocks.write_all(page, Path())
    found = [d for d in check(folder) if d.severity != "note"]
    assert not found, told(tuple(found))
    rules = load(folder)
    for seed in range(10):
        game = rules.start(seed=seed)
        play(game, seed)
        assert game.outcome is not None


@pytest.mark.parametrize("page", ["tutorial.md", "hexes.md"])
def test_games_of_guide_are_won_by_both_sides(page: str) -> None:
    rules = load(blocks.write_all(page, Path()))
    winners = set()
    for seed in range(60):
        game = rules.start(seed=seed, record=False)
        play(game, seed)
        assert game.outcome is not None
        winners.add(game.outcome.winner)
        if len(winners - {"draw"}) >= 2:
            return
    raise AssertionError(winners)


@pytest.mark.parametrize("page", [p.name for p in blocks.pages()])
def test_commands_print_output_of_page(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = blocks.blocks_of(blocks.GUIDE / page)
    if page in GAME_OF or page != SAMPLE and not any("file" in b.values for b in shown):
        blocks.write_all(GAME_OF.get(page, SAMPLE), tmp_path)
    for block in shown:
        if "file" in block.values:
            blocks.write(block, tmp_path)
        elif "cases" in block.values:
            path = tmp_path / "two_rivers" / "tests" / (block.values["cases"] + ".yaml")
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        if block.language == "console":
            for words, expected in blocks.commands(block):
                assert words[0] == "grognard", f"{block.name}: {words[0]}"
                main(words[1:])
                captured = capsys.readouterr()
                problem = blocks.difference(expected, captured.out + captured.err)
                assert not problem, f"{block.name}: {' '.join(words)}\n{problem}"


# --- snippets of rules --------------------------------------------------------------------------


def extra(block: Any) -> dict[str, str]:
    """Return the part of a document in the block before, if that is tagged `next`."""
    page = next(p for p in SNIPPET_PAGES if p.name == block.page)
    shown = blocks.blocks_of(page)
    before = [b for b in shown if b.line < block.line]
    return {"extra.yaml": part(before[-1])} if before and before[-1].is_tagged("next") else {}


def part(block: Any) -> str:
    """Return a part of a document as a document."""
    return f"kind: {block.values['extra']}\nformat: 1\n{block.text}"


@pytest.mark.parametrize("block", snippets("rules"))
def test_guide_items_pass_check(block: Any, workshop: Workshop) -> None:
    found = faults(read(workshop({"example.rules": block.text, **extra(block)})))
    assert not found, told(found)


@pytest.mark.parametrize("block", snippets("rules", "statements"))
def test_statements_check_and_run(block: Any, workshop: Workshop) -> None:
    lines = [f"    {line}" if line else "" for line in block.text.splitlines()]
    text = f"procedure example({SCENE}):\n" + "\n".join(lines) + "\n"
    folder = workshop({"example.rules": text})
    model, found = checked(folder)
    assert model is not None and not faults(found), told(faults(found))
    compiled = print_model(lower_model(model, explained=True), model)
    rules = Rules(
        Program(compiled.codes, json.loads(json.dumps(compiled.data))), model, str(folder), FileSource(str(folder))
    )
    for seed in range(3):
        game = rules.start(seed=seed)
        game.call("example", **CAST)
        chance = random.Random(seed)
        while game.decision is not None:
            game.pick(chance.randrange(game.count()))
        assert game.idle or game.over


@pytest.mark.parametrize("block", snippets("rules", "values"))
def test_expressions_give_shown_values(block: Any, sample_rules: Rules) -> None:
    game = sample_rules.start(dice=[4, 1])  # rain, and the reds begin
    for line in block.text.splitlines():
        expression, _, shown = line.partition("#")
        if not expression.strip():
            continue
        value = sample_rules.ask(game, expression.strip())
        assert written(value) == shown.strip(), f"{line}\n  gives {written(value)}"


def written(value: object) -> str:
    """Return a value as the guide writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(written(v) for v in value) + ")"
    return str(value)


@pytest.mark.parametrize("block", snippets("rules", value="instead"))
def test_files_of_sample_can_be_replaced(block: Any, workshop: Workshop) -> None:
    found = faults(check(workshop({block.values["instead"]: block.text})))
    assert not found, told(found)


@pytest.mark.parametrize("block", snippets("rules", value="error"))
def test_wrong_rules_are_refused(block: Any, workshop: Workshop) -> None:
    found = read(workshop({"example.rules": block.text}))
    codes = {d.code for d in found if d.severity == "error"}
    assert codes == {block.values["error"]}, told(found)


@pytest.mark.parametrize("block", [*snippets("yaml", value="extra"), *snippets("yaml", "next", value="extra")])
def test_parts_of_documents_check(block: Any, workshop: Workshop) -> None:
    found = faults(read(workshop({"extra.yaml": part(block)})))
    assert not found, told(found)


def variants() -> list[Any]:
    return [
        pytest.param(b, id=b.values["variant"])
        for b in blocks.blocks_of(blocks.GUIDE / "variants.md")
        if "variant" in b.values
    ]


@pytest.mark.parametrize("block", variants())
def test_variants_check_and_play(block: Any, workshop: Workshop) -> None:
    name = f"variants/{block.values['variant']}.yaml"
    path = workshop({name: block.text}) / name
    found = [d for d in check(path) if d.severity != "note"]
    expected = block.values.get("error")
    if expected is not None:
        assert [d.code for d in found if d.severity == "error"] == [expected], told(tuple(found))
        return
    assert not found, told(tuple(found))
    rules = load(path)
    for seed in range(3):
        play(rules.start(seed=seed), seed)


def test_every_block_is_tested() -> None:
    """Check that every tag is known: a block with an unknown tag would be shown and never run."""
    for page in SNIPPET_PAGES:
        for block in blocks.blocks_of(page):
            if block.language in ("rules", "yaml", "console"):
                known = bool(
                    "file" in block.values
                    or block.language == "console"
                    or block.language == "rules"
                    and (
                        block.tags in ((), ("statements",), ("values",))
                        or "error" in block.values
                        or "instead" in block.values
                    )
                    or block.language == "yaml"
                    and set(block.values) & {"extra", "variant", "cases"}
                )
                assert known, f"{block.name}: {block.tags} {block.values}"


# --- completeness ------------------------------------------------------------------------------


def code_of(page: str) -> str:
    """Return all rules shown on a page that must check."""
    return "\n".join(
        b.text for b in blocks.blocks_of(blocks.GUIDE / page) if b.language == "rules" and "error" not in b.values
    )


# One pattern for every construct of rules.lark; each must be shown in language.md.
CONSTRUCTS = {
    "setup": r"^setup.*:",
    "turn": r"^turn.*:",
    "procedure": r"^procedure ",
    "procedure result": r"^procedure .*->",
    "at most deep": r"at most .+ deep",
    "define": r"^define ",
    "define with type": r"^define .*-> .*=",
    "rule": r"^rule ",
    "tally": r"^tally ",
    "tally line": r'^    \+ .*"',
    "tally condition": r'^    \+ .* if .*"',
    "no less than": r"no less than",
    "no more than": r"no more than",
    "draft": r"^draft ",
    "unordered": r"\) unordered starting",
    "starting": r" starting ",
    "now": r"\) now ",
    "then stop": r"then stop(?! if)",
    "then stop if": r"then stop if",
    "finish require": r"finish require",
    "because": r"then stop if [^;]*?because \"",
    "ending": r"^    offer \"",
    "offer prefer": r"offer prefer",
    "offer distinct by": r"offer distinct by",
    "record": r"^record ",
    "event": r"^event ",
    "whenever": r"^whenever ",
    "whenever where": r"^whenever .* where ",
    "set of": r": set of ",
    "list of": r": list of ",
    "maybe": r": maybe ",
    "phase": r"phase \w+ \"",
    "let": r"^ *let ",
    "set": r"^ *set \w+",
    "raise": r"raise .* by",
    "lower": r"lower .* by",
    "advance": r"^ *advance ",
    "drop": r"^ *drop ",
    "if possible": r"if possible",
    "move": r"move .* to ",
    "if": r"^ *if ",
    "else if": r"else if .*:",
    "else": r"else:",
    "for": r"^ *for \w+ in ",
    "if some": r"if some \w+ in .* where ",
    "if some value": r"if some \w+ = ",
    "one of": r": \{one_of: \[",
    "draft alone": r"\) by \w+ \".*\" alone ->",
    "while still": r"while still",
    "while": r"^ *while ",
    "repeat times": r"repeat .* times",
    "roll": r"roll \w+: \w+ ->",
    "roll pool": r"roll \w+: .+ of \w+",
    "roll for": r"roll .* for .* ->",
    "report": r"^ *report ",
    "drawn": r"end game drawn",
    "won by": r"end game won by",
    "won as": r"won by .* as ",
    "skip to": r"skip to ",
    "later": r"^ *later ",
    "settle": r"^ *settle",
    "return": r"return ",
    "assert": r"assert .*\"",
    "together": r"together:",
    "nothing": r"^ *nothing",
    "match": r"^ *match ",
    "match number": r"^ *\w+\(n\):",
    "call with result": r"\) -> \w+",
    "draft decided by": r"\) by \w+ .*-> \w+",
    "choose": r"choose \w+ by ",
    "prompt": r'choose \w+ by .*"',
    "alone": r" alone",
    "until done": r"repeat until done",
    "option": r"option \w+",
    "parameters": r"option \w+\(.*,.* in ",
    "require": r"require \w",
    "named require": r"require \w+:",
    "prefer": r"prefer (?!least|most)",
    "prefer least": r"prefer least",
    "prefer most": r"prefer most",
    "otherwise": r"otherwise.*:",
    "citation": r"\[\d+\.\d+\]",
    "two citations": r"\] \[",
    "hole": r'"[^"]*\{[^"]*"',
    "if then else": r"if .* then .* else ",
    "or else": r"\) else ",
    "or": r" or ",
    "and": r" and ",
    "not": r"\bnot ",
    "any": r"\bany \w+ in ",
    "any where": r"\bany \w+ in .* where ",
    "no": r"\bno \w+ in ",
    "every": r"\bevery \w+ in .* satisfies ",
    "compare ==": r" == ",
    "compare !=": r" != ",
    "compare <": r" < ",
    "compare <=": r" <= ",
    "compare >": r" > ",
    "compare >=": r" >= ",
    "in": r"\w in ",
    "not in": r" not in ",
    "below": r" below ",
    "above": r" above ",
    "on map": r" on map",
    "has": r"\w has \[",
    "shifted": r" shifted by ",
    "range": r"\d\.\.\w",
    "plus": r" \+ ",
    "minus": r" - ",
    "times": r" \* ",
    "divided": r" / ",
    "sign": r"[ (]-\d",
    "at": r"units at ",
    "attribute": r"\w\.\w",
    "index": r"\w\[\w",
    "number": r"\d",
    "text": r'"',
    "true": r"\btrue\b",
    "false": r"\bfalse\b",
    "call": r"\w\(",
    "braces": r"\{\w",
    "having least": r"having least",
    "having most": r"having most",
    "list": r"[ (=]\[\w",
    "playing": r"playing \w+",
    "playing value": r"playing \w+ ==",
    "can advance": r"can advance ",
    "possible": r"possible \w+\(",
    "distance": r"distance from ",
    "path": r"path from ",
    "reach": r"reach from ",
    "within": r" within ",
    "through": r" through \w+",
    "after": r" through \w+ after \w+",
    "search where": r"through .* where ",
    "cost": r" cost ",
    "closure": r"closure of .* over ",
    "with": r" with \(",
    "filtered": r"\w in .* where ",
    "mapped": r" for \w+ in ",
    "comment": r"#",
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_language_page_names_every_construct(name: str) -> None:
    assert re.search(CONSTRUCTS[name], code_of("language.md"), re.MULTILINE), name


def test_list_of_constructs_knows_every_word_of_grammar() -> None:
    """Check that every keyword has a line in CONSTRUCTS, and so an example."""
    grammar = (blocks.ROOT / "interpreter" / "language" / "rules.lark").read_text(encoding="utf-8")
    grammar = grammar[: grammar.index("// --- changes")] + grammar[grammar.index("// --- statements") :]
    words = set(re.findall(r'"([a-z]{2,})"', grammar)) | {
        "raise",
        "lower",
        "advance",
        "drop",
        "least",
        "most",
        "any",
        "no",
        "distance",
        "path",
        "reach",
    }
    code = code_of("language.md")
    missing = sorted(w for w in words if not re.search(rf"\b{w}\b", code))
    assert not missing, missing


def test_every_reserved_word_is_listed() -> None:
    from interpreter.checker.scope import RESERVED

    text = (blocks.GUIDE / "language.md").read_text(encoding="utf-8")
    listed = set(text[text.index("## Words with a meaning") :].replace("`", " ").split())
    assert sorted(RESERVED - listed) == []


def test_variants_page_names_every_change_statement() -> None:
    text = (blocks.GUIDE / "variants.md").read_text(encoding="utf-8")
    for words in (
        "replace require",
        "replace define",
        "replace procedure",
        "replace rule",
        "replace tally",
        "remove ",
        "add option to",
        "add require to",
        "add line to",
        "before ",
        "after ",
        "base(",
    ):
        assert words in text, words


def test_language_page_names_every_builtin() -> None:
    from interpreter.checker.operations import BUILTINS

    code = code_of("language.md")
    missing = [name for name in BUILTINS if f"{name}(" not in code]
    assert not missing, missing


def schema_keys(schema: object) -> set[str]:
    """Return every property name of a schema, at any depth."""
    found: set[str] = set()
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            found |= {k for k, v in properties.items() if v not in ({"not": {}}, False)}
        for value in schema.values():
            found |= schema_keys(value)
    elif isinstance(schema, list):
        for value in schema:
            found |= schema_keys(value)
    return found


@pytest.mark.parametrize("path", sorted((blocks.ROOT / "schemas").glob("*.json")), ids=lambda p: p.name)
def test_guide_names_every_schema_key(path: Path) -> None:
    pages = {"variant": "variants.md", "cases": "testing.md", "tutorial": "lessons.md", "glossary": "lessons.md"}
    page = pages.get(path.name.removesuffix(".schema.json"), SAMPLE)
    text = (blocks.GUIDE / page).read_text(encoding="utf-8")
    words = set(re.findall(r"`([a-z_]+)`", text)) | set(re.findall(r"\b([a-z_]+):", text))
    missing = sorted(schema_keys(json.loads(path.read_text(encoding="utf-8"))) - words)
    assert not missing, missing


def test_links_between_guide_pages_resolve() -> None:
    for page in [*blocks.pages(), *(blocks.ROOT / "docs").glob("*.md"), *blocks.DECISIONS.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} -> {target}"
