"""Encode options as word sequences, for rulesets whose options cannot be enumerated in advance.

Words are the names of options, the things that they are about, numbers, yes and no. No sequence is a prefix of
another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.environments.encodings import list_values
from interpreter.runtime.drafts import DraftEnd, DraftStep, RawOption
from interpreter.runtime.pending import get_pending_decision
from interpreter.runtime.program import Program
from interpreter.runtime.program_info import OptionInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType
from interpreter.runtime.value_ids import to_value_id

WordNumbers = tuple[int, ...]
Speller = Callable[[Any], WordNumbers]
MAX_ONE_WORD_NUMBER = 64  # the largest number that is one word; `more` before a number adds so much
_ENOUGH, _NOTHING, _MORE, _MINUS, _FRACTION = "enough", "nothing", "more", "minus", "fraction"


class ActionVocabulary:
    """Codec that spells options as words; the words are numbered in the order of the rules and the documents."""

    def __init__(self, program: Program) -> None:
        self.sort = "words"
        self._program = program
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._meanings: list[str] = []
        self._known: dict[tuple[Any, ...], WordNumbers] = {}
        self._spellers: dict[tuple[Any, int], tuple[int, list[Speller | None]]] = {}
        self._offers: dict[str, list[Speller]] = {}
        self._marks = name_piece_sorts(program)
        self._changing: dict[str, list[tuple[str, Speller]]] = {}
        for number, decision in enumerate(program.decisions):
            for index, choice in enumerate(decision.options):
                self._spellers[number, index] = self._spell_choice(choice)
            if decision.is_repeated:
                self._spellers[number, -1] = self._add_word(("option", "done"), "done"), []
        for name, draft in program.drafts.items():
            self._add_word(("option", name), name)
            self._offers[name] = [self._build_speller(show) for show in draft.offer_shows]
            for index, step in enumerate(draft.steps):
                self._spellers[name, index] = self._spell_choice(step)
        for word in (_ENOUGH, _NOTHING, _MORE, _MINUS, _FRACTION):
            self._add_word((word,), word)
        for value in range(MAX_ONE_WORD_NUMBER + 1):
            self._add_word(("number", value), str(value))
        self.size = len(self._meanings)

    def meaning(self, number: int) -> str:
        """Return the text that a word denotes."""
        return self._meanings[number]

    def encode_options(self, state: State, options: Sequence[RawOption]) -> list[WordNumbers]:
        """Return the words of each option of the pending decision; options with equal words get a number at the end."""
        decision = get_pending_decision(state).number
        draft = self._program.decisions[decision].draft
        if draft is None:
            spelled = [self._spell(state, decision, *raw) for raw in options if isinstance(raw, tuple)]
        elif all(isinstance(raw, DraftEnd) for raw in options):
            spelled = [self._spell_offer(draft, raw) for raw in options if isinstance(raw, DraftEnd)]
        else:  # there are too many ends: it is asked step by step
            spelled = [
                self._spell(state, draft, *raw.step) if isinstance(raw, DraftStep) else (self._numbers[_ENOUGH,],)
                for raw in options
            ]
        if len(set(spelled)) < len(spelled):
            return self._number_equal_spellings(spelled)
        return spelled

    def encode_draft_steps(self, state: State) -> WordNumbers:
        """Return the words of the steps taken in the pending draft, or () if it is not answered step by step."""
        draft = self._program.decisions[get_pending_decision(state).number].draft if state.draft else None
        return tuple(word for index, args in state.draft for word in self._spell(state, draft, index, args))

    def _number_equal_spellings(self, spelled: list[WordNumbers]) -> list[WordNumbers]:
        """Append a number, counted from 1, to each of several equal spellings."""
        totals, counts, numbered = Counter(spelled), Counter[WordNumbers](), []
        for words in spelled:
            counts[words] += 1
            numbered.append((*words, *self._spell_number(counts[words])) if totals[words] > 1 else words)
        return numbered

    def _spell_offer(self, draft: str, raw: DraftEnd) -> WordNumbers:
        """Return the words of a finished draft: those of its offer, the values by which it differs from other ends."""
        spelled = [self._numbers["option", draft]]
        for speller, value in zip(self._offers[draft], raw.offer, strict=True):
            spelled += speller(value)
        return tuple(spelled)

    def _spell(self, state: State, owner: object, index: int, args: tuple[Any, ...]) -> WordNumbers:
        """Return the words of option `index` of a decision (by number) or of step `index` of a draft (by name)."""
        key = (owner, index, args)
        cached = self._known.get(key)
        if cached is not None:
            return cached
        first, spellers = self._spellers[owner, index]
        words, is_lasting = [first], True
        for speller, value in zip(spellers, args, strict=True):
            if speller is None:
                is_lasting = is_lasting and value not in self._marks
                words += self._spell_piece(state, value)
            else:
                words += speller(value)
        spelled = tuple(words)
        if is_lasting:
            self._known[key] = spelled
        return spelled

    # --- words of values ----------------------------------------------------------------------

    def _add_word(self, key: tuple[Any, ...], meaning: str) -> int:
        """Return the number of a word, identified by `key`; add it to the vocabulary if it is new."""
        if key not in self._numbers:
            self._numbers[key] = len(self._meanings)
            self._meanings.append(meaning)
        return self._numbers[key]

    def _spell_choice(self, choice: OptionInfo) -> tuple[int, list[Speller | None]]:
        """Return the word of an option or a draft step, and for each argument the function that spells it.

        The function is None for a piece, whose words depend on the state.
        """
        first = self._add_word(("option", choice.name), choice.name)
        spellers = [self._build_speller(p.show) for p in choice.params]
        return first, [
            None if self._marks and p.show == ["thing", "piece"] else speller
            for p, speller in zip(choice.params, spellers, strict=True)
        ]

    def _build_speller(self, show: DisplayType) -> Speller:
        """Return a function that spells values of type `show`, and add its words to the vocabulary."""
        program = self._program
        match show[0]:
            case "thing" if show[1] == "piece":
                return self._build_piece_speller()
            case "int" | "number":
                return self._spell_number
            case "maybe":
                inner, nothing = self._build_speller(show[1]), (self._add_word((_NOTHING,), _NOTHING),)
                return lambda value: nothing if value is None else inner(value)
            case "many":
                member, enough = self._build_speller(show[1]), (self._add_word((_ENOUGH,), _ENOUGH),)
                return lambda value: tuple(word for v in value for word in member(v)) + enough
            case "part":
                name_words = self._spell_names("word", {name: name for name, _ in show[1]})
                carries = dict(show[1])
                return lambda value: name_words(value[0]) + (self._spell_number(value[1]) if carries[value[0]] else ())
        words = list_values(program, show)
        if words is None:
            return lambda value: ()  # texts and records: distinguished by a number
        return self._spell_names(show[1] if show[0] in ("thing", "rung") else show[0], words)

    def _spell_names(self, sort: str, names: dict[Any, str]) -> Speller:
        """Return a function that spells a value by one word; `names`: the text of each value."""
        words = {value: (self._add_word((sort, value), f"{sort} {name}"),) for value, name in names.items()}
        nothing = self._add_word((_NOTHING,), _NOTHING)
        return lambda value: words.get(value, (nothing,))

    def _build_piece_speller(self) -> Speller:
        """Return a function that spells pieces, and add the words of pieces to the vocabulary.

        A unique piece has its own word. Interchangeable pieces share the word of their sort; `_spell_piece` adds the
        words that distinguish them.
        """
        words = {}
        self._prepare_alike_spellers()
        for piece, name in enumerate(self._program.ids["piece"]):
            mark = self._marks.get(piece)
            words[piece] = (
                self._add_word(("piece", piece), f"piece {name}")
                if mark is None
                else self._add_word(("sort", mark), mark),
            )
        return lambda value: words[value]

    def _prepare_alike_spellers(self) -> None:
        """Prepare the functions that spell the location and the changing attributes of interchangeable pieces."""
        if not self._marks or self._changing:
            return
        data, program = self._program.kinds["piece"], self._program
        self._build_speller(("thing", "place"))
        for name, cls in program.classes.items():
            if cls["alike"]:
                self._changing[name] = [
                    (slot, self._build_speller(data["attributes"][attribute]["show"]))
                    for slot, kind, attribute, _start in program.columns
                    if kind == "piece" and attribute in cls["attributes"]
                ]

    def _spell_piece(self, state: State, piece: int) -> WordNumbers:
        """Return the words of an interchangeable piece: its sort, its location, and its changing attributes."""
        mark = self._marks.get(piece)
        if mark is None:
            return (self._numbers["piece", piece],)
        spelled = [self._numbers["sort", mark], self._numbers["place", state.at[piece]]]
        for slot, speller in self._changing[self._program.kinds["piece"]["things"][piece]["cls"]]:
            spelled += speller(getattr(state, slot)[piece])
        return tuple(spelled)

    def _spell_number(self, value: int | Fraction) -> WordNumbers:
        """Return the words of a number: one up to MAX_ONE_WORD_NUMBER, otherwise `more`, a multiplier and a remainder.

        The number is the multiplier times (MAX_ONE_WORD_NUMBER + 1) plus the remainder.
        """
        numbers = self._numbers
        if isinstance(value, Fraction) and value.denominator != 1:
            return (numbers[_FRACTION,], *self._spell_number(value.numerator), *self._spell_number(value.denominator))
        number = int(value)
        if number < 0:
            return (numbers[_MINUS,], *self._spell_number(-number))
        if number <= MAX_ONE_WORD_NUMBER:
            return (numbers["number", number],)
        times, rest = divmod(number, MAX_ONE_WORD_NUMBER + 1)
        return (numbers[_MORE,], *self._spell_number(times), numbers["number", rest])


def name_piece_sorts(program: Program) -> dict[int, str]:
    """Return, for each interchangeable piece, the name of its sort, made of its class and its constant attributes.

    Pieces of one sort differ only in what can change in play.
    """
    marks, sorts = program.alike_groups, dict[int, str]()
    out = {}
    for piece, is_alike in enumerate(program.is_alike):
        if not is_alike:
            continue
        if marks[piece] not in sorts:
            sorts[marks[piece]] = _choose_sort_name(program, piece, set(sorts.values()))
        out[piece] = sorts[marks[piece]]
    return out


def _choose_sort_name(program: Program, piece: int, used_names: set[str]) -> str:
    """Return a name for the sort of a piece that is not one of the names `used_names`."""
    data = program.kinds["piece"]
    cls = data["things"][piece]["cls"]
    words = [str(program.classes[cls]["one"])]
    for counter in program.classes[cls]["counters"]:
        attribute = data["attributes"][counter]
        if not attribute["changes"]:
            words.append(str(to_value_id(program, attribute["show"], program.get_constant(piece, counter))))
    name = " ".join(words)
    return name if name not in used_names else f"{name} {len(used_names) + 1}"
