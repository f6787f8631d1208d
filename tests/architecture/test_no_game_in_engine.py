"""Test that no id, name or rule number of a shipped game occurs in the interpreter or the schemas."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture import game_words

ROOT = Path(__file__).resolve().parents[2]

_TEXT = (".py", ".lark", ".json", ".md", ".yaml", ".txt", ".css", ".js")

# Words of a game that the engine cannot do without. Short, and each with its reason: a word that
# is only handy belongs out of the engine, not in here.
ALLOWED = {
    "first": "ordinal ('first defined here', 'call start first'); in a game the name of a level",
    "second": "ordinal and unit of time; in a game the name of a level",
    "condition": "a term of the rules language: what an `if` tests and a victory condition is",
    "hill": "our made-up place in examples; in a game the surname of a general",
    "unit": "our made-up class of pieces in examples, and the commonest class there is",
    "units": "plural of the same example class",
    **dict.fromkeys(
        (
            "plain",
            "members",
            "open",
            "draw",
            "standing",
            "good",
            "broken",
            "resolve",
            "counted",
            "half",
            "halves",
            "centre",
            "orientation",
            "streams",
            "operations",
            "lost",
            "covers",
            "behind",
            "front",
            "sees",
            "accompany",
            "active",
            "arrives",
            "balanced",
            "clock",
            "declaration",
            "first column",
            "hit",
            "posted",
            "protection",
            "recover",
            "risk",
            "scoring",
            "slope",
            "east",
            "west",
            "ground",
        ),
        "ordinary English, used here in its everyday sense; in a game the name of a ladder's rung or of a define",
    ),
    **dict.fromkeys(
        ("movement", "odds columns", "reinforcement", "shifts", "terrain", "turn track"),
        "standard terms of wargames and of machine learning, which comments use for what any game has",
    ),
    **dict.fromkeys(
        ("woods", "town", "marsh", "bridge", "bridges", "entrenchment", "redoubt", "ruined", "village"),
        "styles in which maps are painted, and the English words by which a terrain or a line is recognized",
    ),
    **dict.fromkeys(
        ("activated", "destroyed", "fighting", "fired", "melee", "rout", "routed", "shaken", "surrendered"),
        "English words by which the conditions of counters are recognized, to choose their markers",
    ),
    **dict.fromkeys(("leader", "leaders"), "standard term for the pieces that are drawn as medals"),
    **dict.fromkeys(("arm", "arms"), "the branches of a `match`; in a game a branch of the army"),
    **dict.fromkeys(("ne", "nw", "se", "sw"), "directions of a hex grid, which documents may use as such"),
    **dict.fromkeys(
        ("north-east", "north-west", "south-east", "south-west"), "the same directions, as they are read aloud"
    ),
    **dict.fromkeys(("北東", "北西", "南東", "南西"), "the same directions, as the interface says them"),
    "引き分け": "a drawn game; in a game the name of a level",
    "english": "the language in which the interface's own sentences stand in the code",
    "standard": "standard deviation and standard error; in a game the id of a scenario",
    "activation": "the document kind for orders of activity",
    "odds": "ratios of strength: a sort of table axis, and exact chances",
    "segment": "a run of letters of one look, as the library of the full screen calls it; in a game a part of a turn",
    "facing": "a key of a map's drawing in format 1, which the step to format 2 renames; in a game an attribute",
    **dict.fromkeys(("town", "woods", "marsh"), "what maps of any game show; in a game a kind of ground"),
    "aspect": "aspect ratio, the attribute of a picture that keeps it; in a game a side of a unit",
    "box": "a place off the map; the ordinary word for it on any printed map",
}


def engine_files() -> list[Path]:
    """Return every text file of the interpreter and the schemas."""
    return [
        path
        for folder in ("interpreter", "schemas")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.suffix in _TEXT and "_data" not in path.parts
    ]


def test_engine_files_contain_no_word_of_shipped_game() -> None:
    words = {w: origin for w, origin in game_words.game_words(ROOT / "rulesets").items() if w not in ALLOWED}
    found = [
        f"{path.relative_to(ROOT)}:{line}: `{word}` is a word of {words[word]}"
        for path in engine_files()
        for line, word in game_words.words_in(path.read_text(encoding="utf-8"), words)
    ]
    assert not found, "\n" + "\n".join(found)


def test_no_word_of_game_in_file_name() -> None:
    words = {w: origin for w, origin in game_words.game_words(ROOT / "rulesets").items() if w not in ALLOWED}
    found = [
        f"{path.relative_to(ROOT)}: `{word}`"
        for path in engine_files()
        for _, word in game_words.words_in(path.stem.replace("_", " ").replace(".", " "), words)
    ]
    assert not found, "\n" + "\n".join(found)


def test_engine_files_cite_no_rule_number() -> None:
    numbers = game_words.rule_numbers(ROOT / "rulesets")
    found = [
        f"{path.relative_to(ROOT)}:{number}: [{cited}]"
        for path in engine_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for cited in re.findall(r"\[([A-Z]?-?\d+(?:\.\d+)+(?:-\w+)?|[A-Z]-\d+)\]", line)
        if cited in numbers
    ]
    assert not found, "\n" + "\n".join(found)


def test_every_game_has_words_to_search_for() -> None:
    """Guard the tests above: a reader of words that finds none would let everything pass."""
    for folder in sorted((ROOT / "rulesets").iterdir()):
        if (folder / "ruleset.yaml").is_file():
            assert len(game_words.game_words(folder)) > 30, folder.name
            assert folder.name in game_words.game_words(folder), folder.name


def test_every_allowed_word_is_needed() -> None:
    words = game_words.game_words(ROOT / "rulesets")
    needless = sorted(word for word in ALLOWED if word not in words)
    assert not needless, f"no game has these words any more; take them out of ALLOWED: {needless}"


def test_word_search_finds_words_in_prose_and_identifiers() -> None:
    words = {"bluecoats": "x", "order of march": "x", "北軍": "x", "fort": "x", "cut_off": "x"}
    text = "fortune effort\nclass BlueCoats:  # Order of March\n南北軍\ncut off"
    assert sorted(game_words.words_in(text, words)) == [(2, "bluecoats"), (2, "order of march"), (3, "北軍")]
    assert list(game_words.words_in("max_bluecoats\nFortTable\nCutOff\nis_cut_off_2", words)) == [
        (1, "bluecoats"),
        (2, "fort"),
        (3, "cut_off"),
        (4, "cut_off"),
    ]
    assert list(game_words.words_in("class FortTable", words)) == [(1, "fort")]
