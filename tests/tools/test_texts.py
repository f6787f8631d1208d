"""All that ships speaks Japanese throughout; and what a translator is given to fill in."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.api.game import load
from interpreter.api.loading import read_model
from interpreter.checker.lints.translations import find_missing_translations
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.target import list_variants
from interpreter.files.assets import list_shipped_rulesets
from interpreter.model.checked_model import CheckedModel
from interpreter.play.game import Game
from interpreter.runtime.errors import IllegalAction
from interpreter.tools.describe.translator_texts import describe_texts, format_texts
from tests.tiny import checked_model

LANGUAGE = "ja"
TARGETS = list(list_shipped_rulesets())
TARGETS += [path for id in list_shipped_rulesets() for path in list_variants(id)]
LABELS = ("name", "title", "about", "note", "text", "reconstructed")
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the quick one where it was built
LATIN = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
WHY = 7  # of so many decisions one, reasons are asked for: that takes long
SAME = {"ZOC"}  # words that are Latin in print too


@lru_cache(maxsize=2)
def model_of(target: str) -> CheckedModel:
    model = checked_model(target)
    return model


def labels(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Return every label in a ruleset, with the path to it."""
    if isinstance(node, dict):
        if node and all(isinstance(v, str) for v in node.values()) and "en" in node:
            yield path, node
            return
        for key, value in node.items():
            yield from labels(value, f"{path}.{key}")
    elif isinstance(node, tuple):
        for n, value in enumerate(node):
            yield from labels(value, f"{path}.{getattr(value, 'id', n)}")
    elif is_dataclass(node):
        for f in fields(node):
            if f.name not in ("origin", "values", "locales"):
                yield from labels(getattr(node, f.name), f"{path}.{f.name}")


@pytest.mark.parametrize("target", TARGETS)
def test_no_text_no_name_and_no_label_is_missing(target: str) -> None:
    model = model_of(target)
    assert LANGUAGE in model.ruleset.languages
    assert find_missing_translations(model, LANGUAGE) == ([], [])
    missing = [
        path
        for path, label in labels(model.ruleset)
        if LANGUAGE not in label and LATIN.search(label["en"]) and not path.startswith(".kinds.edge.things")
    ]  # told by their ends
    assert not missing


def plain_labels(node: Any, path: str) -> Iterator[str]:
    """Return the labels in a document that lack the language."""
    if isinstance(node, dict):
        if "en" in node and LANGUAGE not in node:
            yield path
        for key, value in node.items():
            if key in LABELS and isinstance(value, str):
                yield f"{path}.{key}"
            yield from plain_labels(value, f"{path}.{key}")
    elif isinstance(node, list):
        for n, value in enumerate(node):
            yield from plain_labels(value, f"{path}[{n}]")


@pytest.mark.parametrize("name", list(list_shipped_rulesets()))
def test_documents_have_texts_in_all_languages(name: str) -> None:
    root = list_shipped_rulesets()[name]
    files = [
        p
        for p in sorted(root.rglob("*.yaml"))
        if not any(part in ("tests", "locale") or part.endswith("-tests") for part in p.relative_to(root).parts)
    ]
    missing = [
        f"{path.relative_to(root)}{where}"
        for path in files
        for where in plain_labels(yaml.load(path.read_text(encoding="utf-8"), LOADER), "")
    ]
    assert not missing


def told(game: Game, logged: int) -> Iterator[str]:
    """Return all texts of a decision and of what has happened since."""
    decision = game.decision
    if decision is not None:
        localizer = game.program.get_localizer(LANGUAGE)
        yield decision.format_prompt(LANGUAGE)
        yield localizer.translate_name(decision.name, "draft" if decision.is_draft else "decision")
        for option in decision.options[:40]:
            yield option.text(LANGUAGE)
            yield localizer.translate_name(option.name, decision.name, "option")
            yield from (localizer.translate_name(argument, option.name) for argument in option.args)
    for event in game.log[logged:]:
        if event.sort not in ("phase_end", "end"):
            yield event.text(LANGUAGE)


@pytest.mark.parametrize("name", list(list_shipped_rulesets()))
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_game_log_is_fully_translated(name: str, seed: int) -> None:
    game, chance = load(name).start(seed=seed), random.Random(seed)
    foreign: dict[str, None] = {}
    logged = 0
    for number in range(250):
        if game.over:
            break
        for text in told(game, logged):
            if set(LATIN.findall(text)) - SAME:
                foreign[text] = None
        logged = len(game.get_raw_log())
        assert game.decision is not None
        for choice in game.decision.info.options if number % WHY == 0 else ():
            for reason in game.why_not(choice.name):
                if set(LATIN.findall(reason.text_in(LANGUAGE))) - SAME:
                    foreign[reason.text_in(LANGUAGE)] = None
        game.pick(chance.randrange(game.count()))
    assert not foreign


def test_refusal_is_reported_in_language() -> None:
    game = load("napoleon").start(seed=1)
    with pytest.raises(IllegalAction) as refused:
        game.choose("march(x, 1)")
    assert "今の問い" in refused.value.reasons[0].text_in(LANGUAGE)


def test_translation_template_round_trips() -> None:
    model = model_of("denain-1712")
    data = describe_texts(model, "fr")
    lines = format_texts(data)
    document = yaml.load("\n".join(lines), yaml.BaseLoader)
    assert (document["kind"], document["language"]) == ("locale", "fr")
    assert "{u} cannot enter {h}" in document["texts"]
    assert set(document["texts"]) == {t["text"] for t in data["texts"] if any(x.isalpha() for x in t["text"])}
    assert "facing" in {n["name"] for n in data["names"]} | set(document["names"]) or document["names"]


def test_shipped_translations_are_complete() -> None:
    lines = format_texts(describe_texts(model_of("napoleon"), LANGUAGE))
    assert lines[0] == "# every text and name has a translation into `ja`"
    assert yaml.load("\n".join(lines), yaml.BaseLoader) == {"kind": "locale", "format": "2", "language": "ja"}


def test_listing_is_sound_locale(tmp_path: Path) -> None:
    from shutil import copytree

    folder = copytree(list_shipped_rulesets()["napoleon"], tmp_path / "napoleon")
    listing = "\n".join(format_texts(describe_texts(model_of("napoleon"), "en")))
    (folder / "locale" / "en.yaml").write_text(listing + "\n", encoding="utf-8")
    sink = Sink()
    assert read_model(str(folder), sink) is not None
    assert not sink.items
