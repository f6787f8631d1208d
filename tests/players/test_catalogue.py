"""Test the interface in other languages: the catalogues hold every sentence of the code, and are well-formed."""

from __future__ import annotations

import ast
import gettext
import json
import re
import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from interpreter.api.autosave import Autosave
from interpreter.api.game import Rules, load
from interpreter.api.resume import build_replay
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.documents.reading.validation import KINDS
from interpreter.files.assets import find_schema_file
from interpreter.i18n.translator import DOMAIN, FOLDER, get_translator, list_languages
from interpreter.play.game import Game
from interpreter.players.luck.luck_report import render_luck_report
from interpreter.players.luck.luck_service import LuckService
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.orders.menu import Menu
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.players.orders.tokenizer import split_destination, split_endpoints, split_orders
from interpreter.players.reports.action_report import ReportContext, render_report
from interpreter.players.reports.replay_log import record_replay
from interpreter.players.reports.replay_viewer import _COMMANDS as VIEWER, ReplayViewer
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.localizer import Localizer
from interpreter.saves.recorder import build_journal
from interpreter.tools.describe.chart_lines import format_chart
from interpreter.tools.describe.chart_view import build_program_chart
from interpreter.ui.repl.commands import COMMANDS, find_command, render_help
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.repl import Repl
from tests.architecture.trees import nodes_of

pofile = pytest.importorskip("babel.messages.pofile")

CODE = FOLDER.parent
ERRORS = (
    "EntryError",
    "IllegalAction",
    "JournalError",
    "NoRoomError",
    "RenameError",
    "RulesChangedError",
    "ScaffoldError",
    "SetupError",
    "UnknownValueError",
    "UsageError",
    "InvalidDiceError",
)
CALLED = ("say", "told", "_", "translate_phrase", *ERRORS)
SAYING = re.compile(rf"\b(?:{'|'.join(CALLED)})\s*\(|[\"']say[\"']")  # a file without a match need not be parsed
UNUSUAL = ("cases", "locale")  # documents
LANGUAGES = [name for name in list_languages() if name != "en"]


@cache
def _texts_of(path: Path) -> tuple[tuple[str, str], ...]:
    return tuple(_texts(path))


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every text passed to one of `CALLED`, or written as `("say", text, ...)`."""
    code = path.read_text(encoding="utf-8")
    if not SAYING.search(code):
        return
    nodes = nodes_of(path)
    in_fields = {id(node) for joined in nodes if isinstance(joined, ast.JoinedStr) for node in ast.walk(joined)}
    for node in nodes:
        match node:
            case ast.Tuple(elts=[ast.Constant("say"), ast.Constant(str() as text), *_]):
                yield text, f"{path.relative_to(CODE.parent)}:{node.lineno}"
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0]
        if called in CALLED and isinstance(first, ast.Constant) and isinstance(first.value, str):
            where = f"{path.relative_to(CODE.parent)}:{node.lineno}"
            assert id(node) not in in_fields or called == "translate_phrase", (
                f"{where}: in an f-string translators' tools miss it"
            )
            yield first.value, where


@cache
def _said() -> dict[str, str]:
    return {text: where for path in sorted(CODE.rglob("*.py")) for text, where in _texts_of(path) if text}


@cache
def _described() -> dict[str, str]:
    """Return the descriptions in the schemas, which messages about documents quote, with the first schema of each."""
    found: dict[str, str] = {}

    def look_into(part: object, name: str) -> None:
        if isinstance(part, dict):
            if isinstance(told := part.get("description"), str):
                found.setdefault(told, name)
            part = list(part.values())
        for inner in part if isinstance(part, list) else ():
            look_into(inner, name)

    for name in ("common", *KINDS):
        path = find_schema_file(name)
        look_into(json.loads(path.read_text(encoding="utf-8")) if path else None, name)
    return found


def _holes(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def _catalogue(language: str) -> object:
    with (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return pofile.read_po(file, locale=language)


def test_every_error_class_is_known_to_translation_tools():
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CODE.rglob("*.py")))
    kinds, found = {"LocalizedError"}, {"LocalizedError"}
    while found:
        found = set(re.findall(rf"^class (\w+)\((?:{'|'.join(found)})\b", code, re.MULTILINE)) - kinds
        kinds |= found
    assert kinds - {"LocalizedError", "EvaluationError", "RollDeclined"} == set(ERRORS)  # these two take no sentence
    guide = (CODE.parent / "docs" / "translating.md").read_text(encoding="utf-8")
    assert guide.count(" ".join(f"-k {name}" for name in ERRORS)) == guide.count("pybabel extract")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_with_its_holes(language):
    catalogue, wrong = _catalogue(language), []
    for text, where in _said().items():
        message = catalogue.get(text)
        if message is None or not message.string:
            wrong.append(f"{where}: no translation of {text!r}")
        elif message.fuzzy:
            wrong.append(f"{where}: only a guess for {text!r}")
        elif _holes(message.string) != _holes(text):
            wrong.append(f"{where}: {message.string!r} has other holes than {text!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_schema_descriptions_are_translated(language):
    catalogue = _catalogue(language)
    usual = [text for text, name in _described().items() if name not in UNUSUAL]
    assert usual and not [text for text in usual if not (message := catalogue.get(text)) or not message.string]


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_has_no_obsolete_message(language):
    catalogue = _catalogue(language)
    said = {**_said(), **_described()}
    assert not [m.id for m in catalogue if m.id and m.id not in said]
    assert not list(catalogue.obsolete)


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_up_to_date(language):
    with (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog
    source = {m.id: m.string for m in _catalogue(language) if m.id}
    assert {key: text for key, text in compiled.items() if key} == source


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_have_names_of_one_word_and_no_two_alike(language):
    say = get_translator(language)
    for commands in (COMMANDS, VIEWER):
        names = [say(name) for name in commands]
        assert len(set(names)) == len(names)
        assert all(name and not any(c.isspace() for c in name) for name in names)
        assert not {n.casefold() for n in names} & set(commands) or names == list(commands)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if get_translator(language)("go") != "go"])
def test_quoted_commands_have_their_translated_names(language):
    names = "|".join(name for name in COMMANDS if get_translator(language)(name) != name)
    quoted = re.compile(rf"「(?:{names}) [^」]*」")
    assert not [m.string for m in _catalogue(language) if isinstance(m.string, str) and quoted.search(m.string)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_command_is_known_by_its_english_name_too(language):
    localizer = Localizer(load("napoleon").program, language)
    for name, command in COMMANDS.items():
        assert find_command(name, localizer) is find_command(localizer.say(name), localizer) is command


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_aligned_in_columns(language):
    localizer = Localizer(load("napoleon").program, language)
    lines = [line for line in render_help("", (), localizer) if line.startswith("  ")]
    starts = {measure_cells(line[: line.rindex("  ") + 2]) for line in lines if "  " in line.strip()}
    assert len(starts) == 1


def test_language_without_catalogue_is_english():
    say = get_translator("xx")
    assert say("turn {number}", number=2) == "turn 2"
    assert say("") == ""
    assert get_translator("") is not None and list_languages()[0] == "en"


# --- a played stretch ----------------------------------------------------------------------------------

ASKED = (
    "?",
    "? undo",
    "changes",
    "map",
    "map all",
    "tables",
    "odds 1",
    "ledger",
    "luck",
    "find 1",
    "log",
    "log turn 1",
    "why",
    "why x",
    "go",
    "all",
    "what",
    "look",
    "rule",
    "rule 1",
    "rule zzz",
    "position",
    "notes",
    "note",
    "save",
    "note 1",
    "notes",
    "steps",
    "options",
    "zzz",
    "table",
    "table zzz",
    "look zzz",
    "what zzz",
    "undo",
    "redo",
    "back",
    "1",
)
WORD = re.compile(r"[A-Za-z]{2,}")
CITED = re.compile(r"\[[^\]]*\]")


class Player:
    """A player who types every possible query, then answers by number; keeps the output."""

    def __init__(self, asked, choices, seed):
        self.typed = [*asked]
        self.choices, self.chance = choices, SeededDice(seed)
        self.shown = []
        self.most = 1

    def write(self, lines):
        for line in lines:
            self.shown.append(str(line))
            numbered = [int(n) for n in re.findall(r"(?:^|  ) *(\d+)  (?=\S)", str(line))]
            self.most = max([1, *numbered]) if numbered[:1] == [1] else max([self.most, *numbered])

    def width(self):
        return 0

    def offer(self, words):
        pass

    def show_progress(self, text):
        return nullcontext()

    def read(self, prompt):
        self.shown.append(prompt)
        if self.typed:
            return self.typed.pop(0)
        self.choices -= 1
        return str(1 + self.chance.roll(self.most)) if self.choices >= 0 else None


def _play_on(game: Game, decisions: int, chance: SeededDice) -> None:
    """Keep the default set-up, then choose at random."""
    while not game.over and decisions:
        in_setup = game.phase is None
        game.pick(game.count() - 1 if in_setup else chance.roll(game.count()))
        decisions -= not in_setup


def _played(rules: Rules, language: str, seed: int) -> tuple[Repl, Player]:
    localizer = Localizer(rules.program, language)
    player = Player(ASKED, 30, seed)
    tables = [f"table {name}" for name in rules.program.charts]
    things = [
        f"{ask} {thing}"
        for ask, kind in (("what", "piece"), ("look", "place"))
        for thing in rules.program.ids[kind][::7]
    ]
    player.typed += [*tables, *things[:20]]
    game = rules.start(seed=seed)
    _play_on(game, 60, SeededDice(seed))
    keeper = Autosave(None, {}, player.shown.append, say=localizer.say)
    context = PlayContext(game, localizer, player, {}, keeper, GameQueries(rules, localizer))
    session = Repl(context, EventFormatter(localizer, decisions=False))
    session.play()
    for _ in range(3):  # query the game wherever it is
        _play_on(game, 14, player.chance)
        player.typed, player.choices = ["ledger", "odds 1", "why 1", "log 30"], 0
        session.reporter.shown_moment = None
        session.play()
    player.typed = ["luck", "log 1000", "position", "map"]
    session.play()
    return session, player


def _english(lines: list[str], allowed: set[str]) -> list[str]:
    """Return the lines with a Latin word that is neither an id of the ruleset nor a command."""
    found = []
    for line in lines:
        if "_/" in line:
            continue  # a line of the drawn map: symbols and letters of sides
        plain = unicodedata.normalize("NFKC", CITED.sub("", line))
        if any(word.casefold() not in allowed for word in WORD.findall(plain)):
            found.append(line)
    return found


def _allowed(rules: Rules) -> set[str]:
    """Return the commands, and the words of the ids by which tables are named."""
    ids = [*COMMANDS, *VIEWER, "exit", "zzz", "svg", "png", *rules.program.charts, "zoc", *_signs(rules)]
    return {word.casefold() for text in ids for word in WORD.findall(text)}


def _signs(rules: Rules) -> set[str]:
    """Return the texts in the cells of charts that have a notation of their own."""
    tables = {name: chart for name, chart in rules.program.charts.items() if chart.signs}
    return {
        text
        for name in tables
        for line in format_chart(build_program_chart(rules.program, name))
        for text in str(line).split()
        if text.isupper() or "*" in text
    } | {sign for chart in tables.values() for sign, *_ in chart.signs}


@pytest.fixture(scope="module", params=["napoleon", "denain-1712"])
def stretch(request) -> tuple[Rules, Repl, Player]:
    rules = load(request.param)
    return rules, *_played(rules, "ja", 5)


def test_stretch_of_play_in_japanese_shows_no_english(stretch):
    rules, session, player = stretch
    assert len(session.game.keys) > 20
    assert _english(player.shown, _allowed(rules)) == []


def test_report_and_luck_in_japanese_show_no_english(stretch):
    rules, session, _ = stretch
    journal = build_journal(session.game)
    fortune = LuckService(rules).analyze_saved_game(journal)
    story = record_replay(build_replay(journal, rules, "game"))
    localizer = Localizer(rules.program, "ja")
    lines = [
        *render_report(story, localizer, ReportContext(journal.header, fortune, ["記"])),
        *map(str, render_luck_report(fortune, localizer)),
    ]
    assert _english(lines, _allowed(rules)) == []


def test_viewer_takes_japanese_commands_and_answers_without_english():
    rules = load("napoleon")
    game = rules.start(seed=4)
    _play_on(game, 20, SeededDice(4))
    story = record_replay(build_replay(build_journal(game), rules, "game"))
    screen = Player(
        [
            "ヘルプ",
            "次へ",
            "次へ ３",
            "前へ 2",
            "番号 9",
            "p",
            "bt",
            "局面",
            "地図",
            "運",
            "記録 5",
            "zzz",
            "最後",
            "次へ",
            "最初",
            "前へ",
            "終了",
        ],
        0,
        1,
    )
    localizer = Localizer(rules.program, "ja")
    ReplayViewer(story, localizer, screen, lambda game, brief: ["*"], lambda upto: ["*"]).run()
    assert "9/20> " in screen.shown and "20/20> " in screen.shown
    assert screen.typed == []
    assert _english(screen.shown, _allowed(rules) | {"bp", "bt"}) == []
    answers = get_translator("ja")("`{typed}` is not a command here; help lists the commands", typed="zzz")
    assert [line for line in screen.shown if "ここで使え" in line] == [answers]


def test_japanese_particles_and_wide_letters_are_read():
    rules = load("napoleon")
    game = rules.start(seed=4)
    lexicon = NameIndex(game, Localizer(rules.program, "ja"))
    for text in (
        "フランス から ライン連邦 へ",
        "フランス ライン連邦",
        "from フランス to ライン連邦",
        "フランス から ライン連邦 まで",
    ):
        assert split_endpoints(text, lexicon) == ("france", "rhine"), text
    assert split_destination("フランス ライン連邦 へ", lexicon) == ("フランス", ["rhine"])
    assert split_destination("ライン連邦　に", lexicon) == ("", ["rhine"])
    assert split_orders("３；何　フランス；") == ["３", "何 フランス"]
    first = Menu(game.decision.options)
    assert parse_menu_answer(first, "２", lexicon) == parse_menu_answer(first, "2", lexicon) is not None
    assert tokenize_words("バス") != tokenize_words("ハス")
