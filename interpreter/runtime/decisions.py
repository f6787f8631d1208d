"""Decisions and options for people and programs: keys, arguments, labels, reasons.

Everything is computed on demand from the pending decision of a state; a bot that picks options by number never needs
this module.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.runtime import drafts, option_words
from interpreter.runtime.draft_completion import can_finish
from interpreter.runtime.drafts import RawOption
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.lazy_options import list_pending_options
from interpreter.runtime.limits import begin_choice, shared_budget
from interpreter.runtime.localizer import NO_REMARKS
from interpreter.runtime.machine import as_query, find_deciding_side
from interpreter.runtime.option_keys import follow, format_option_key, is_offered, to_argument_id
from interpreter.runtime.pending import PendingDecision, PendingDraft, get_pending_decision
from interpreter.runtime.program_info import DraftInfo, OptionInfo, ParamInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Cites, DisplayType, Step, Telling, Values
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


class Option:
    """One legal option of a decision.

    `key`: stable text that selects it. `args`: its arguments by name, as ids and numbers. `label`: its words. `cite`:
    the numbers of the paragraphs that allow it.
    """

    __slots__ = ("_decision", "raw", "number")

    def __init__(self, decision: Decision, raw: RawOption, number: int = -1) -> None:
        self._decision = decision
        self.raw = raw
        self.number = number

    def belongs_to(self, decision: Decision) -> bool:
        """Return whether this option was made by the given decision object; if not, it must be looked up by its key."""
        return self._decision is decision

    @property
    def key(self) -> str:
        """Return the stable text that selects this option in its decision."""
        return self._decision.key(self.raw)

    @property
    def info(self) -> OptionInfo | None:
        """Return the description of an option or a step, or None for the end of a draft or of a repeated decision."""
        raw = self.raw
        if isinstance(raw, drafts.DraftEnd):
            return None
        if isinstance(raw, drafts.DraftStep):
            return self._decision.draft.steps[raw.step[0]]
        return self._decision.info.options[raw[0]] if raw[0] >= 0 else None

    @property
    def _params(self) -> Sequence[ParamInfo]:
        """Return the parameters of an option or a step, or () for an end."""
        return () if self.info is None else self.info.params

    @property
    def name(self) -> str:
        """Return the option's name in the rules; for a draft end, the name of its decision."""
        if self.is_end:
            return self._decision.name
        return "done" if self.info is None else self.info.name

    def _list_arguments(self, params: Sequence[ParamInfo], values: Values) -> dict[str, Any]:
        return {p.name: to_argument_id(self._decision.state, p, a) for p, a in zip(params, values, strict=True)}

    @property
    def args(self) -> dict[str, Any]:
        """Return the arguments by name, as ids and numbers; for a draft end, the values of its offer."""
        raw = self.raw
        if isinstance(raw, drafts.DraftEnd):
            offer = zip(self.shows.items(), raw.offer, strict=True)
            return {name: to_value_id(self._decision.program, show, value) for (name, show), value in offer}
        return self._list_arguments(self._params, raw.step[1] if isinstance(raw, drafts.DraftStep) else raw[1])

    @property
    def label(self) -> str:
        """Return the option's words in the ruleset's first language."""
        return self.text()

    def text(self, language: str = "", beside: Mapping[str, str] = NO_REMARKS) -> str:
        """Return the option's words in a language; `beside` maps arguments to remarks, added in brackets after them."""
        return self._decision.program.get_localizer(language).format_telling(self._telling, beside)

    @property
    def _telling(self) -> Telling:
        """Return the option as data that `Localizer.format_telling` can put into any language later."""
        return option_words.describe_option(self._decision, self.raw, self._decision.words)

    def list_labelled_arguments(self, language: str) -> frozenset[str]:
        """Return the names of the arguments that the option's label mentions in a translation."""
        return self._decision.program.get_localizer(language).list_labelled_arguments(self._telling)

    @property
    def has_words(self) -> bool:
        """Return whether the rules give the option a label."""
        return bool(self._telling[0] == "words")

    @property
    def label_arguments(self) -> frozenset[str]:
        """Return the names of the arguments that the option's label mentions in the ruleset's first language."""
        return frozenset(p.name for p in self._params if p.is_worded)

    def get_label_words(self, language: str = "") -> Cites:
        """Return the words that fill the placeholders of the option's label, or () if the rules give it none."""
        return self._decision.program.get_localizer(language).list_placeholder_words(self._telling)

    @property
    def cite(self) -> Cites:
        """Return the paragraphs that allow the option."""
        if self.is_end:
            return self._decision.draft.cites
        return self._decision.cite if self.info is None else self.info.cites

    @property
    def shows(self) -> dict[str, DisplayType]:
        """Return the type of each argument by name, in the form that `Localizer.format_value` takes."""
        if self.is_end:
            draft = self._decision.draft
            return dict(zip(draft.offer, draft.offer_shows, strict=True))
        return {p.name: p.show for p in self._params}

    @property
    def way(self) -> tuple[dict[str, Any], ...]:
        """Return the arguments of each step of a finished draft or of a single step, by name; () for a plain option."""
        raw, draft_steps = self.raw, self._decision.draft.steps if self._decision.is_draft else ()
        steps: tuple[Step, ...] = ()
        if isinstance(raw, drafts.DraftEnd):
            steps = raw.steps
        elif isinstance(raw, drafts.DraftStep):
            steps = (raw.step,)
        return tuple(self._list_arguments(draft_steps[number].params, values) for number, values in steps)

    @property
    def is_end(self) -> bool:
        """Return whether this is a finished draft, which is described by its result instead of a name."""
        return isinstance(self.raw, drafts.DraftEnd)

    @property
    def is_step(self) -> bool:
        """Return whether this is a single step of a draft, which is only part of an answer."""
        return self._decision.is_draft and not self.is_end

    @property
    def cost(self) -> int | Fraction | None:
        """Return the cost of this draft end if the rules ask for the cheapest paths, else None."""
        return self._decision.get_cost(self.raw)

    def __repr__(self) -> str:
        return f"Option({self.key!r})"


class Decision:
    """A decision that a side must make in the present position.

    `side` and `seat` are ids; `name` is the decision's name in the rules; `options` are all legal options, computed on
    first use. The options of a draft are its finished drafts, one shortest for each offer.
    """

    __slots__ = (
        "state",
        "program",
        "number",
        "values",
        "info",
        "_sides",
        "_options",
        "_offers",
        "_drafted",
        "_stepwise",
        "_here",
        "_words",
    )

    def __init__(self, state: State) -> None:
        self.state = state
        self.program: Program = state.program
        pending = get_pending_decision(state)
        self.number, self.values = pending.number, pending.values
        self.info = self.program.decisions[self.number]
        self._sides: tuple[str, str] | None = None
        self._options: tuple[Option, ...] | None = None
        self._offers: tuple[Hashable, ...] | None = None
        self._drafted: drafts.DraftEnds | None = None
        self._stepwise: tuple[RawOption, ...] | None = None
        self._here: drafts.DraftPosition | None = None
        self._words: option_words.OptionWords | None = None

    def copy_for(self, state: State) -> Decision:
        """Return this decision for `state`, a copy of its state, reusing the finished drafts already enumerated."""
        twin = Decision(state)
        twin._drafted, twin._here = self._drafted, self._here
        return twin

    def __repr__(self) -> str:
        keys = [] if self._options is None else [option.key for option in self._options]  # none is listed for a line
        more = f" and {len(keys) - 5} more" if len(keys) > 5 else ""
        return f"<Decision {self.name}{': ' if keys else ''}{', '.join(keys[:5])}{more}>"

    def after_step(self, step: Step) -> Decision:
        """Return the decision after one more step of its draft, which the state has already taken.

        It reuses the fields after the earlier steps.
        """
        further = Decision(self.state)
        if self._here is not None:
            further._here = self._advance(step)
        return further

    @as_query
    def _advance(self, step: Step) -> drafts.DraftPosition | None:
        assert self._here is not None
        return drafts.advance(self.state, self.draft, self.draft_args, self._here, step)

    # --- the question ---------------------------------------------------------------------

    @property
    def is_draft(self) -> bool:
        """Return whether the answer is built step by step."""
        return self.info.draft is not None

    @property
    def draft(self) -> DraftInfo:
        """Return the compiled description of the draft."""
        return self.program.get_draft(self.number)

    @property
    def draft_args(self) -> Values:
        """Return the arguments with which the rules began the pending draft."""
        pending = self.state.pending
        assert isinstance(pending, PendingDraft)
        return pending.args

    @property
    def side_handle(self) -> int:
        """Return the handle of the deciding side."""
        return find_deciding_side(self.state, self.number, self.values)

    @property
    def side(self) -> str:
        """Return the id of the deciding side."""
        return self.find_side_and_seat()[0]

    @property
    def seat(self) -> str:
        """Return the id of the seat that decides for the side."""
        return self.find_side_and_seat()[1]

    def find_side_and_seat(self) -> tuple[str, str]:
        """Return the ids of the deciding side and of its seat."""
        if self._sides is None:
            side, ids = self.side_handle, self.program.ids
            self._sides = ids["side"][side], ids["seat"][self.state.seat_of[side]]
        return self._sides

    @property
    def name(self) -> str:
        """Return the decision's name in the rules."""
        return self.info.name

    @property
    def address(self) -> str:
        """Return the address by which variants refer to the decision: procedure.decision."""
        return self.info.address

    @property
    def cite(self) -> Cites:
        """Return the rulebook paragraphs that the decision cites."""
        return self.info.cites

    @property
    def prompt(self) -> str:
        """Return the text that asks the player, in the ruleset's first language."""
        return self.format_prompt("")

    def format_prompt(self, language: str) -> str:
        """Return the text that asks the player, in a language."""
        return self.program.get_localizer(language).format_telling(self.build_prompt_telling())

    def build_prompt_telling(self) -> Telling:
        """Return the text that asks the player as data for `Localizer.format_telling`."""
        return option_words.describe_prompt(self, self.words)

    @property
    def words(self) -> option_words.OptionWords:
        """Return the texts of the question and its options that have been evaluated, with the budget they share."""
        if self._words is None:
            self._words = option_words.OptionWords()
        return self._words

    @property
    def faults(self) -> dict[str, RuleFault]:
        """Return the rules faults met while the decision's texts were evaluated, by their message."""
        return {} if self._words is None else self._words.faults

    # --- options ---------------------------------------------------------------------------

    def find_draft_ends(self) -> drafts.DraftEnds:
        """Return the finished drafts that can be reached from the steps taken."""
        if self._drafted is None:
            self._drafted = self._enumerate()
        return self._drafted

    @as_query
    def _enumerate(self) -> drafts.DraftEnds:
        here, shared = self.get_draft_state() if self.state.draft else None, shared_budget()
        if shared is not None:
            shared.settle()
        begin_choice(self.state)
        if shared is not None:
            shared.follow(self.state)
        return drafts.enumerate_finished(self.state, self.draft, self.draft_args, self.state.draft, here)

    def get_draft_state(self) -> drafts.DraftPosition | None:
        """Return (fields, whether the draft has stopped) after the steps taken, or None if they are no longer legal."""
        if self._here is None:
            self._here = drafts.walk(self.state, self.draft, self.draft_args, self.state.draft)
        return self._here

    def list_raw_options(self) -> Sequence[RawOption]:
        """Return the options as the machine represents them."""
        ends = self._get_ends()
        if ends is not None:
            return ends.finished
        return self._list_steps_and_end() if self.is_draft else list_pending_options(self.state)

    def list_offers(self) -> tuple[Hashable, ...]:
        """Return the values that distinguish the options, in order: the offer of a draft end, or the option itself."""
        if self._offers is None:
            if not self.is_draft:
                self._offers = tuple(list_pending_options(self.state))
            elif (ends := self._get_ends()) is not None:
                self._offers = tuple([offer for offer, _ in ends.ends])
            else:
                self._offers = tuple([getattr(raw, "offer", raw) for raw in self._list_steps_and_end()])
        return self._offers

    def _get_ends(self) -> drafts.DraftEnds | None:
        """Return the finished drafts that answer the decision, or None if it is another kind or answered step by step.

        A draft is answered step by step if it has too many ends to list.
        """
        drafted = None if self.info.draft is None else self.find_draft_ends()
        return drafted if drafted is not None and drafted.complete else None

    def count(self) -> int:
        """Return the number of options, without creating an object for each finished draft."""
        ends = self._get_ends()
        return len(self.list_raw_options()) if ends is None else len(ends)

    @property
    def may_end(self) -> bool:
        """Return whether the last option ends a repeated decision, without listing the other options."""
        pending = self.state.pending
        if not isinstance(pending, PendingDecision):
            return False
        return bool(pending.options) and pending.options[-1][0] < 0

    def get_raw_option(self, number: int) -> RawOption:
        """Return the option with a number, counted from 0."""
        ends = self._get_ends()
        return self.list_raw_options()[number] if ends is None else ends.at(number)

    def fields(self, number: int) -> Values | None:
        """Return the fields that identify the finished draft `number`, or None if fields alone do not identify it."""
        ends = self._get_ends()
        return None if ends is None or self.state.draft or self.draft.is_staged else ends.ends[number][1][:-1]

    def _list_steps_and_end(self) -> tuple[RawOption, ...]:
        """Return the options of a draft with too many ends to list: its legal steps, and its end if that is legal."""
        if self._stepwise is None:
            self._stepwise = self._list_by_steps()
        return self._stepwise

    @as_query
    def _list_by_steps(self) -> tuple[RawOption, ...]:
        here = self.get_draft_state()
        out: list[RawOption] = [o.raw for o in self.steps()]
        if here is not None and drafts.may_finish(self.state, self.draft, self.draft_args, here[0]):
            offer = self.program.functions.get_offer(self.draft.name)(self.state, *self.draft_args, *here[0])
            out.append(drafts.DraftEnd(self.state.draft, here[0], offer))
        return tuple(out)

    @property
    def options(self) -> tuple[Option, ...]:
        """Return every legal option in rules order."""
        if self._options is None:
            self._options = tuple(Option(self, raw, n) for n, raw in enumerate(self.list_raw_options()))
        return self._options

    @as_query
    def steps(self) -> tuple[Option, ...]:
        """Return the legal single steps of a draft after which it can still be finished.

        `may_finish` says whether it can be finished now.
        """
        here = self.get_draft_state()
        if here is None or here[1]:
            return ()
        out: list[Option] = []
        for step, new, stops in drafts.list_next_steps(self.state, self.draft, self.draft_args, here[0]):
            if self.draft.is_unordered and new == here[0] and not stops:
                continue  # the step is already part of the unordered combination
            if can_finish(self.state, self.draft, self.draft_args, (new, bool(stops))):
                out.append(Option(self, drafts.DraftStep(step), len(out)))
        return tuple(out)

    @property
    @as_query
    def may_finish(self) -> bool:
        """Return whether the draft may be finished after the steps taken so far."""
        here = self.get_draft_state() if self.is_draft else None
        return here is not None and drafts.may_finish(self.state, self.draft, self.draft_args, here[0])

    @as_query
    def can_begin_with(self, names: list[str]) -> bool:
        """Return whether steps with these names are legal next; the draft need not be completable after them."""
        there = follow(self.state, self.draft, self.draft_args, names, self.state.draft)
        return there is not None and there.failed is None

    def _format_step_key(self, step: Step) -> str:
        return format_option_key(self.state, self.draft.steps, step)

    def key(self, raw: RawOption) -> str:
        """Return the key of an option."""
        if isinstance(raw, drafts.DraftEnd):
            if raw.steps == self.state.draft and not self.find_draft_ends().complete:
                return "finish"
            return " > ".join(self._format_step_key(s) for s in raw.steps) or "finish"
        if isinstance(raw, drafts.DraftStep):
            return self._format_step_key(raw.step)
        return format_option_key(self.state, self.info.options, raw)

    def get_full_key(self, raw: RawOption) -> str:
        """Return an option's key with all steps of its draft, including the steps already taken; journals store it."""
        if not isinstance(raw, drafts.DraftEnd) or not raw.steps:
            return self.key(raw)
        words = [self._format_step_key(s) for s in raw.steps]
        if len(words) == 1 and (
            self.state.draft or not self.find_draft_ends().complete or not self.find_draft_ends().has_end(raw)
        ):
            words.append("finish")  # without it, the key would only take the step
        return " > ".join(words)

    @as_query
    def get_cost(self, raw: RawOption) -> int | Fraction | None:
        """Return the cost of a draft end if the rules ask for the cheapest paths, else None."""
        if not isinstance(raw, drafts.DraftEnd) or not self.draft.is_cheapest:
            return None
        cost: int | Fraction = self.program.functions.get_price(self.draft.name)(
            self.state, *self.draft_args, *raw.fields
        )
        return cost

    # --- finding an option ---------------------------------------------------------------------

    def find(self, key: str) -> RawOption | None:
        """Return the option with a key, as the machine represents it, or None."""
        for raw in self.list_raw_options():
            if self.key(raw) == key:
                return raw
        if self.is_draft:
            return self._find_draft(key)
        return None

    @as_query
    def normalize_steps(self, raw: RawOption) -> RawOption:
        """Return an equivalent answer in which the steps of an unordered draft are in the order that its key lists."""
        if not isinstance(raw, drafts.DraftEnd) or not self.state.draft or not self.draft.is_unordered:
            return raw
        try:
            steps = drafts.arrange_steps(self.state, self.draft, self.draft_args, raw.steps, lambda step: step)
        except drafts.TooManyOrdersError:
            return raw
        here = None if steps is None else drafts.walk(self.state, self.draft, self.draft_args, steps)
        if steps is None or here is None:
            return raw
        offer = self.program.functions.get_offer(self.draft.name)(self.state, *self.draft_args, *here[0])
        return drafts.DraftEnd(steps, here[0], offer)

    @as_query
    def _find_draft(self, key: str) -> drafts.DraftEnd | None:
        """Return the draft end that the steps named in a key reach, or None if they are illegal or incomplete."""
        words = [w.strip() for w in key.split(">")]
        if words[-1] == "finish":
            words.pop()
        there = follow(self.state, self.draft, self.draft_args, words, self.state.draft)
        if (
            there is None
            or there.failed is not None
            or not drafts.may_finish(self.state, self.draft, self.draft_args, there.fields)
        ):
            return None
        if not is_offered(self.state, self.draft, self.draft_args, there.fields):
            return None
        offer = self.program.functions.get_offer(self.draft.name)(self.state, *self.draft_args, *there.fields)
        return drafts.DraftEnd(there.steps, there.fields, offer)
