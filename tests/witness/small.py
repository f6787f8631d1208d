"""One small ruleset over the documents of `field`, played by the reference evaluator and by every form.

Contains no rules.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

from interpreter.model.checked_model import CheckedModel
from tests.tiny import checked_model
from tests.witness.comparing import Match
from tests.witness.field import write

END = """
    phase second:
        end game drawn
"""


def model_of(folder: Path, rules: str, game: str = "") -> CheckedModel:
    """Return the checked rules. Without a second phase the game ends in the first; without a turn nothing else runs.

    `game`: further attributes of the game, as lines of `ruleset.yaml`.
    """
    rules = dedent(rules)
    if "turn:" not in rules:
        rules += "\nturn:\n    phase first:\n        nothing\n"
    if "phase second" not in rules:
        rules = rules.rstrip() + END
    target = write(folder, rules)
    document = target / "ruleset.yaml"
    text = document.read_text()
    document.write_text(text.replace("\ngame:\n", "\ngame:\n" + indent(dedent(game), "  ")))
    return checked_model(target)


def agrees(folder: Path, rules: str, games: int = 1) -> None:
    """Play the rules every way."""
    match = Match(model_of(folder, rules))
    for number in range(games):
        match.play(number, looks=8)
