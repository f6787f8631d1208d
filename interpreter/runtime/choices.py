"""Decisions and options as people and programs see them: keys, arguments, labels, reasons.

Everything here is made on demand from the pending decision of a state; a bot that picks by
number never comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.runtime import drafts, option_words
from interpreter.runtime.faults import RuleFault
from interpreter.runtime.functions import distinct, side_that_took, stack_depth
from interpreter.runtime.keys import argument_id, follow, is_group, is_offered, key_of
from interpreter.runtime.limits import choice_begins, spend
from interpreter.runtime.machine import decided_by, question
from interpreter.runtime.naming import Described, value_id
from interpreter.runtime.unlisted import options_of

_MOST_NOTED = 100_000  # options whose keys and words are kept


class Option:
    """One legal option. `key` is stable text, `args` name -> id or number, `label` words, `cite` rules."""

    __slots__ = ("_decision", "raw", "number")

    def __init__(self, decision: Decision, raw: Any, number: int) -> None:
        self._decision = decision
        self.raw = raw
        self.number = number

    def belongs_to(self, decision: Decision) -> bool:
        """True for an option of this very decision, which need not be looked up again."""
        return self._decision is decision

    @property
    def key(self) -> str:
        """Stable text that chooses this option in this decision."""
        return self._decision.key(self.raw)

    @property
    def name(self) -> str:
        """The option's name in the rules."""
        return self._decision.option_name(self.raw)

    @property
    def args(self) -> dict[str, Any]:
        """Arguments by name, as ids and numbers."""
        return self._decision.option_args(self.raw)

    @property
    def label(self) -> str:
        """Words for people, in the ruleset's first language."""
        return self._decision.option_label(self.raw, "")

    def text(self, language: str = "") -> str:
        """Words for people."""
        return self._decision.option_label(self.raw, language)

    @property
    def has_words(self) -> bool:
        """True where the rules give it words of its own."""
        return bool(self._decision.option_told(self.raw)[0] == "words")

    @property
    def worded(self) -> frozenset[str]:
        """The arguments of which the words that the rules give it make something."""
        return self._decision.option_worded(self.raw)

    def spoken(self, language: str = "") -> tuple[str, ...]:
        """What fills the holes of the words that the rules give it; () where they give none."""
        return self._decision.program.naming(language).holes(self._decision.option_told(self.raw))

    @property
    def cite(self) -> tuple[str, ...]:
        """Paragraphs that allow it."""
        return self._decision.option_cites(self.raw)

    @property
    def shows(self) -> dict[str, Any]:
        """How each argument is told: what sort of value it is, see `naming`."""
        return self._decision.option_shows(self.raw)

    @property
    def way(self) -> tuple[dict[str, Any], ...]:
        """Of a draft's end, the arguments of each step that leads there; of a step, its own; else ()."""
        return self._decision.option_way(self.raw)

    @property
    def is_end(self) -> bool:
        """True for a whole draft, which is told by where it ends and not by its name."""
        return isinstance(self.raw, drafts.Finished)

    @property
    def is_step(self) -> bool:
        """True for a single step of a draft, which only begins or goes on with an answer."""
        return self._decision.is_draft and not self.is_end

    @property
    def cost(self) -> Any:
        """What this end of a draft costs, where the rules offer the cheapest ways; else None."""
        return self._decision.option_cost(self.raw)

    def __repr__(self) -> str:
        return f"Option({self.key!r})"


class Decision:
    """What a side must decide now.

    `side` and `seat` are ids; `name` the decision's name in the rules; `options` all legal options
    (made when first asked for). A draft's options are its finished ways, the shortest to each offer.
    """

    __slots__ = (
        "state",
        "program",
        "number",
        "values",
        "described",
        "_sides",
        "_options",
        "_offers",
        "_drafted",
        "_stepwise",
        "_here",
        "faults",
        "dear_words",
        "word_steps",
    )

    def __init__(self, state: Any) -> None:
        self.state = state
        self.program: Described = state.program
        self.number, self.values = state.pending[0], state.pending[1]
        self.described = self.program.decisions[self.number]
        self._sides: tuple[str, str] | None = None
        self._options: tuple[Option, ...] | None = None
        self._offers: tuple[Any, ...] | None = None
        self._drafted: drafts.Drafted | None = None
        self._stepwise: tuple[Any, ...] | None = None
        self._here: drafts.Here | None = None
        self.dear_words: dict[Any, tuple[Any, ...]] = {}
        self.word_steps = 0
        self.faults: dict[str, RuleFault] = {}  # of the rules, met while its words were told

    def in_twin(self, state: Any) -> Decision:
        """The same decision in an equal copy of its state, with the ends of its draft if they have been found."""
        twin = Decision(state)
        twin._drafted, twin._here = self._drafted, self._here
        return twin

    def __repr__(self) -> str:
        known = [] if self._options is None else [option.key for option in self._options]  # none is listed for a line
        more = f" and {len(known) - 5} more" if len(known) > 5 else ""
        return f"<Decision {self.name}{': ' if known else ''}{', '.join(known[:5])}{more}>"

    def after_step(self, step: drafts.Step) -> Decision:
        """Return the decision after one more step of its draft, which the state has taken: its way is known so far."""
        further = Decision(self.state)
        if self._here is not None:
            further._here = self._advanced(step)
        return further

    @question
    def _advanced(self, step: drafts.Step) -> drafts.Here | None:
        assert self._here is not None
        return drafts.advance(self.state, self.draft, self.draft_args, self._here, step)

    # --- what is asked -----------------------------------------------------------------

    @property
    def is_draft(self) -> bool:
        """True when the answer is built step by step."""
        return self.described["draft"] is not None

    @property
    def draft(self) -> dict[str, Any]:
        """The draft's description."""
        found: dict[str, Any] = self.program.drafts[self.described["draft"]]
        return found

    @property
    def draft_args(self) -> tuple[Any, ...]:
        """The draft's arguments."""
        args: tuple[Any, ...] = self.state.pending[2]
        return args

    @property
    def side_handle(self) -> int:
        """Handle of the side that decides."""
        return decided_by(self.state, self.number, self.values)

    @property
    def side(self) -> str:
        """Id of the side that decides."""
        return self.side_and_seat()[0]

    @property
    def seat(self) -> str:
        """Id of the seat that decides for that side."""
        return self.side_and_seat()[1]

    def side_and_seat(self) -> tuple[str, str]:
        """Ids of the side that decides and of the seat that decides for it, worked out together."""
        if self._sides is None:
            side, ids = self.side_handle, self.program.ids
            self._sides = ids["side"][side], ids["seat"][self.state.seat_of[side]]
        return self._sides

    @property
    def name(self) -> str:
        """The decision's name in the rules."""
        return str(self.described["name"])

    @property
    def address(self) -> str:
        """Where variants find it: procedure.decision."""
        return str(self.described["address"])

    @property
    def cite(self) -> tuple[str, ...]:
        """Paragraphs it comes from."""
        return tuple(self.described["cites"])

    @property
    def prompt(self) -> str:
        """What is asked, in words."""
        return self.prompt_text("")

    def prompt_text(self, language: str) -> str:
        """What is asked, in words of a language."""
        return self.program.naming(language).told(self.prompt_told())

    def prompt_told(self) -> tuple[Any, ...]:
        """What is asked, for `Naming.told`."""
        return option_words.prompt_told(self)

    # --- options ---------------------------------------------------------------------------

    def drafted(self) -> drafts.Drafted:
        """The finished ways of a draft from where it stands."""
        if self._drafted is None:
            self._drafted = self._enumerated()
        return self._drafted

    @question
    def _enumerated(self) -> drafts.Drafted:
        here = self.here() if self.state.draft else None
        choice_begins(self.state)
        return drafts.enumerate_finished(self.state, self.draft, self.draft_args, self.state.draft, here)

    def here(self) -> drafts.Here | None:
        """Where the steps of the draft that were taken have led; None if they no longer fit the game."""
        if self._here is None:
            self._here = drafts.walk(self.state, self.draft, self.draft_args, self.state.draft)
        return self._here

    def raw_options(self) -> Any:
        """Options as the machine knows them."""
        ends = self._ends()
        if ends is not None:
            return ends.finished
        return self._steps_and_end() if self.is_draft else options_of(self.state)

    def offers(self) -> tuple[Any, ...]:
        """What tells the options apart, in their order: of the ends of a draft their offers, else they themselves."""
        if self._offers is None:
            if not self.is_draft:
                self._offers = tuple(options_of(self.state))
            elif (found := self._ends()) is not None:
                self._offers = tuple([offer for offer, _ in found.ends])
            else:
                self._offers = tuple([getattr(raw, "offer", raw) for raw in self._steps_and_end()])
        return self._offers

    def _ends(self) -> drafts.Drafted | None:
        """The ends of a draft that is answered by one of them."""
        drafted = None if self.described["draft"] is None else self.drafted()
        return drafted if drafted is not None and drafted.complete else None

    def count(self) -> int:
        """How many options there are; of the ends of a draft none is made for it."""
        ends = self._ends()
        return len(self.raw_options()) if ends is None else len(ends)

    @property
    def may_end(self) -> bool:
        """True where the last option ends a row of choices; the others need not be listed for it."""
        options = self.state.pending[2]
        return self.described["draft"] is None and bool(options) and options[-1][0] < 0

    def raw(self, number: int) -> Any:
        """The option with a number, counted from 0."""
        ends = self._ends()
        return self.raw_options()[number] if ends is None else ends.at(number)

    def fields(self, number: int) -> tuple[Any, ...] | None:
        """What answers with an option, if that is the end of a draft of which only the fields are asked for."""
        ends = self._ends()
        return None if ends is None or self.state.draft or self.draft["staged"] else ends.ends[number][1][:-1]

    def _steps_and_end(self) -> tuple[Any, ...]:
        """Options of a draft with too many ends: the steps after which it can still be finished, and the end."""
        if self._stepwise is None:
            self._stepwise = self._by_steps()
        return self._stepwise

    @question
    def _by_steps(self) -> tuple[Any, ...]:
        here = self.here()
        out: list[Any] = [o.raw for o in self.steps()]
        if here is not None and drafts.may_finish(self.state, self.draft, self.draft_args, here[0]):
            offer = self.program.functions["offer_" + self.draft["name"]](self.state, *self.draft_args, *here[0])
            out.append(drafts.Finished(self.state.draft, here[0], offer))
        return tuple(out)

    @property
    def options(self) -> tuple[Option, ...]:
        """Every legal option, in the order of the rules."""
        if self._options is None:
            self._options = tuple(Option(self, raw, n) for n, raw in enumerate(self.raw_options()))
        return self._options

    @question
    def steps(self) -> tuple[Option, ...]:
        """Legal single steps of a draft after which it can be finished; `may_finish` says whether it can be now."""
        here = self.here()
        if here is None or here[1]:
            return ()
        out: list[Option] = []
        for step, new, stops in drafts.next_steps(self.state, self.draft, self.draft_args, here[0]):
            if self.draft["unordered"] and new == here[0] and not stops:
                continue  # it adds nothing to the combination
            if drafts.can_finish(self.state, self.draft, self.draft_args, (new, bool(stops))):
                out.append(Option(self, ("step", step), len(out)))
        return tuple(out)

    @property
    @question
    def may_finish(self) -> bool:
        """True for a draft that may be finished with the steps taken."""
        here = self.here() if self.is_draft else None
        return here is not None and drafts.may_finish(self.state, self.draft, self.draft_args, here[0])

    @question
    def begins(self, names: list[str]) -> bool:
        """True when a draft's steps of these names can be taken from where it stands, in whatever way it may go on."""
        there = follow(self.state, self.draft, self.draft_args, names, self.state.draft)
        return there is not None and there.failed is None

    def _step_key(self, step: drafts.Step) -> str:
        return key_of(self.state, self.draft["steps"], step)

    def key(self, raw: Any) -> str:
        """Key of an option."""
        if isinstance(raw, drafts.Finished):
            if raw.steps == self.state.draft and not self.drafted().complete:
                return "finish"
            return " > ".join(self._step_key(s) for s in raw.steps) or "finish"
        if raw[0] == "step":
            return self._step_key(raw[1])
        return key_of(self.state, self.described["choices"], raw)

    def whole_key(self, raw: Any) -> str:
        """Key of an option that also holds before any step of its draft is taken; journals keep this one."""
        if not isinstance(raw, drafts.Finished) or not raw.steps:
            return self.key(raw)
        words = [self._step_key(s) for s in raw.steps]
        if len(words) == 1 and (self.state.draft or not self.drafted().complete or not self.drafted().holds(raw)):
            words.append("finish")  # the step alone would only be taken
        return " > ".join(words)

    def option_name(self, raw: Any) -> str:
        """Name of an option."""
        if isinstance(raw, drafts.Finished):
            return self.name
        if raw[0] == "step":
            return str(self.draft["steps"][raw[1][0]]["name"])
        return "done" if raw[0] < 0 else str(self.described["choices"][raw[0]]["name"])

    def option_args(self, raw: Any) -> dict[str, Any]:
        """Arguments of an option."""
        if isinstance(raw, drafts.Finished):
            return {
                n: value_id(self.program, s, v)
                for n, s, v in zip(self.draft["offer"], self.draft["offer_shows"], raw.offer, strict=True)
            }
        if raw[0] == "step":
            raw, choices = raw[1], self.draft["steps"]
        else:
            choices = self.described["choices"]
        if raw[0] < 0:
            return {}
        params = choices[raw[0]]["params"]
        return {p["name"]: argument_id(self.state, p, a) for p, a in zip(params, raw[1], strict=True)}

    def noted(self, raw: Any) -> tuple[Any, ...]:
        """A choice as it is logged: side and seat, the decision's name, the key, what allows it, how it is told."""
        side, seat = self.side_and_seat()
        return ("decision", side, seat, self.name, self.whole_key(raw), self.option_cites(raw), self.option_told(raw))

    def option_way(self, raw: Any) -> tuple[dict[str, Any], ...]:
        """Arguments of each step of a draft, as ids and numbers."""
        steps = raw.steps if isinstance(raw, drafts.Finished) else (raw[1],) if raw[0] == "step" else ()
        found = []
        for number, values in steps:
            params = self.draft["steps"][number]["params"]
            found.append({p["name"]: argument_id(self.state, p, a) for p, a in zip(params, values, strict=True)})
        return tuple(found)

    def option_shows(self, raw: Any) -> dict[str, Any]:
        """How the arguments of an option are told."""
        if isinstance(raw, drafts.Finished):
            return dict(zip(self.draft["offer"], self.draft["offer_shows"], strict=True))
        return {p["name"]: p["show"] for p in self._params(raw)}

    def option_worded(self, raw: Any) -> frozenset[str]:
        """The arguments of which the words of an option make something; of the end of a draft none is known."""
        return frozenset(p["name"] for p in self._params(raw) if p["worded"])

    def _params(self, raw: Any) -> Sequence[dict[str, Any]]:
        """The parameters of an option or a step; () for ends."""
        if isinstance(raw, drafts.Finished):
            return ()
        choices = self.described["choices"]
        if raw[0] == "step":
            raw, choices = raw[1], self.draft["steps"]
        return () if raw[0] < 0 else choices[raw[0]]["params"]

    @question
    def option_cost(self, raw: Any) -> Any:
        """What an end costs, or None."""
        if not isinstance(raw, drafts.Finished) or not self.draft["cheapest"]:
            return None
        return self.program.functions["price_" + self.draft["name"]](self.state, *self.draft_args, *raw.fields)

    def option_cites(self, raw: Any) -> tuple[str, ...]:
        """Paragraphs of an option."""
        if isinstance(raw, drafts.Finished):
            return tuple(self.draft["cites"])
        if raw[0] == "step":
            return tuple(self.draft["steps"][raw[1][0]]["cites"])
        return self.cite if raw[0] < 0 else tuple(self.described["choices"][raw[0]]["cites"])

    def option_label(self, raw: Any, language: str) -> str:
        """Words of an option."""
        return self.program.naming(language).told(self.option_told(raw))

    def option_told(self, raw: Any) -> tuple[Any, ...]:
        """What an option is, for `Naming.told` to say in any language, at any later time."""
        return option_words.option_told(self, raw)

    def step_told(self, step: drafts.Step, fields: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a step of the draft is, taken where the fields are these; for `Naming.told`."""
        return option_words.step_told(self, step, fields)

    # --- finding an option ---------------------------------------------------------------------

    def find(self, key: str) -> Any:
        """The option with a key (as the machine knows it), or None."""
        for raw in self.raw_options():
            if self.key(raw) == key:
                return raw
        if self.is_draft:
            return self._find_draft(key)
        return None

    @question
    def settled(self, raw: Any) -> Any:
        """The same answer; an unordered draft built step by step in the order in which it would have been listed."""
        if not isinstance(raw, drafts.Finished) or not self.state.draft or not self.draft["unordered"]:
            return raw
        try:
            steps = drafts.arranged(self.state, self.draft, self.draft_args, raw.steps, lambda step: step)
        except drafts.TooManyOrders:
            return raw
        here = None if steps is None else drafts.walk(self.state, self.draft, self.draft_args, steps)
        if steps is None or here is None:
            return raw
        offer = self.program.functions["offer_" + self.draft["name"]](self.state, *self.draft_args, *here[0])
        return drafts.Finished(steps, here[0], offer)

    @question
    def _find_draft(self, key: str) -> Any:
        """A way that leads to an offer by other steps; None where it is none, or only the beginning of one."""
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
        offer = self.program.functions["offer_" + self.draft["name"]](self.state, *self.draft_args, *there.fields)
        return drafts.Finished(there.steps, there.fields, offer)


def noted_choice(state: Any, raw: Any) -> tuple[Any, ...]:
    """A choice that is no draft's end as it is logged, see `Decision.noted`."""
    program, (number, values, _) = state.program, state.pending
    known: tuple[Any, ...] | None = program.noted.get((number, raw))
    if known is None:
        noted = Decision(state).noted(raw)
        if _is_lasting(program, number, raw) and len(program.noted) < _MOST_NOTED:
            program.noted[number, raw] = noted[3:]
        return noted
    side = decided_by(state, number, values)
    return ("decision", program.ids["side"][side], program.ids["seat"][state.seat_of[side]]) + known


def _is_lasting(program: Described, number: int, raw: Any) -> bool:
    """True for an option whose key and words are the same in every position."""
    if raw[0] < 0:
        return True
    choice = program.decisions[number]["choices"][raw[0]]
    given = zip(choice["params"], raw[1], strict=True)
    return choice["label"] is None and not any(is_group(program, p["show"], a) for p, a in given)


def all_arguments(
    state: Any,
    choice: dict[str, Any],
    function: str,
    given: tuple[Any, ...],
    wanted: Callable[[dict[str, Any], Any], bool] | None = None,
) -> Iterator[tuple[Any, ...]]:
    """Every combination of arguments from the parameters' domains, legal or not.

    `wanted(parameter, value)` leaves values out before they are combined with others.
    """
    functions = state.program.functions

    def fill(done: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(done) == len(choice["params"]):
            yield done
            return
        param = choice["params"][len(done)]
        domain = functions[f"{function}_{len(done)}"](state, *given, *done)
        if param["alike"]:
            domain = distinct(state, domain)
        for value in domain:
            if wanted is None or wanted(param, value):
                yield from fill((*done, value))

    yield from fill(())


def sole_end(state: Any, number: int, values: tuple[Any, ...], draft: str, args: tuple[Any, ...]) -> Any:
    """What a draft's only end answers; it takes itself and is noted. None where there is a choice."""
    found = drafts.enumerate_finished(state, state.program.drafts[draft], args)
    if not found.complete or len(found) != 1:
        return None
    spend(state)
    end, spent = found.at(0), state.spent
    state.pending = (number, values, args)  # for as long as it is told
    if state.log is not None:
        side = side_that_took(state, number, values)
        told = Decision(state).option_told(end)
        state.log.append(("taken", number, values, None, told, side, stack_depth(state)))
    answer, state.pending = drafts.answer_of(state, end), None
    state.spent = spent  # telling it is no new beginning
    return answer
