"""Loose ends of a ruleset that is right in itself: paragraphs nobody cites, rules nobody uses."""

from __future__ import annotations

from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import Sink


def find_loose_ends(model: CheckedModel, sink: Sink) -> None:
    """Report what is declared and never used, and paragraphs that nothing carries out."""
    del model, sink
