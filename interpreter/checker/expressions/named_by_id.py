"""How the rules name a thing by its id, for whoever wrote the id alone. Must not check anything."""

from __future__ import annotations

from interpreter.checker.scope import Names
from interpreter.model import nodes as n
from interpreter.model import types as t
from interpreter.words.speech import Sentence
from interpreter.words.speech import mark as _


def written(names: Names, word: str) -> str:
    """A word as it stands in rules: a thing whose id is no name stands in quotes behind its kind."""
    if word.isidentifier():
        return word
    kind = next((kind for kind, ids in names.index.ids.items() if word in ids), None)
    return word if kind is None else _in_quotes(names, kind, word)


def meant_by_id(names: Names, found: n.Core, wanted: t.Type) -> Sentence:
    """Help where a number or a text stands for a thing that has it as its id; '' for anything else."""
    wanted = wanted.item if isinstance(wanted, t.Maybe) and wanted.item is not None else wanted
    if not isinstance(wanted, t.ThingOf) or not isinstance(found, n.Literal) or found.type not in (t.INT, t.TEXT):
        return Sentence("")
    text = str(found.value)
    ids = names.index.ids.get(wanted.kind, ())
    meant = text if text in ids else next((one for one in ids if one.lstrip("0") == text), "")
    return _("write {call}", call=_in_quotes(names, wanted.kind, meant)) if meant else Sentence("")


def _in_quotes(names: Names, kind: str, word: str) -> str:
    return f'{names.word_for(t.ThingOf(kind))}("{word}")'
