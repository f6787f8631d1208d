"""Functions of compiled rules, by what they compute; the printers of `backends/python` give them their names.

Each takes the state first, unless its method says otherwise, then the values that the rules read around it. Options and
steps are found by their owner: the number of a decision, or the name of a draft.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.runtime.type_aliases import Failures, PlainOption, Step, Value, Values

Function = Callable[..., Any]
Owner = int | str  # the number of a decision, or the name of a draft
NextStep = tuple[Step, Values, bool]  # a legal step of a draft, the fields after it, whether the draft stops there


class CompiledFunctions:
    """The functions of one program. `namespace`: the globals of its compiled code, by name."""

    __slots__ = ("namespace",)

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace

    def get(self, name: str) -> Function:
        """Return the function with a name that the data of the program gives."""
        function: Function = self.namespace[name]
        return function

    # --- rules ------------------------------------------------------------------------------------

    def get_requirement(self, number: int) -> Callable[..., Failures]:
        """Return the test of a requirement: it returns () if the requirement holds, else what fails."""
        return self.get(f"ex_{number}")

    def get_rule(self, name: str) -> Function:
        """Return the test of a rule."""
        return self.get("r_" + name)

    def get_procedure(self, name: str) -> Function:
        """Return a procedure; one that can suspend takes its resume point and its variables instead of arguments."""
        return self.get("p_" + name)

    def find_setup(self) -> Function | None:
        """Return the setup procedure, or None if the rules have none."""
        return self.namespace.get("p_setup")

    def find_score(self) -> Function | None:
        """Return the function of the score of a seat, or None if the rules have none."""
        return self.namespace.get("score_of")

    def find_evaluation(self) -> Function | None:
        """Return the function of the evaluation of a seat, or None if the rules have none."""
        return self.namespace.get("evaluation_of")

    def find_level(self, number: int) -> Function | None:
        """Return the condition of a victory level, or None if it has none."""
        return self.namespace.get(f"level_{number}")

    def get_view(self, name: str) -> Function:
        """Return the function of a view."""
        return self.get("view_" + name)

    def get_setup_check(self, name: str) -> Function:
        """Return the function of a setup check."""
        return self.get("setup_check_" + name)

    def get_event_text(self, event: str) -> Function:
        """Return the function that computes the values in the text of an event."""
        return self.get("say_" + event)

    def get_tallied_value(self, name: str) -> Function:
        """Return the function of a score or view that a ledger notes line by line."""
        return self.get("tallied_" + name)

    # --- decisions -----------------------------------------------------------------------------------

    def get_listing(self, decision: int) -> Callable[..., list[PlainOption]]:
        """Return the function that lists the legal options of a decision, without its end."""
        return self.get(f"list_{decision}")

    def get_series_end_test(self, decision: int) -> Callable[..., bool]:
        """Return the test of whether a repeated decision may be ended."""
        return self.get(f"done_{decision}")

    def get_decider(self, decision: int) -> Callable[..., int]:
        """Return the function that computes the deciding side."""
        return self.get(f"by_{decision}")

    def get_prompt(self, decision: int) -> Callable[..., Values]:
        """Return the function that computes the values in the question of a decision."""
        return self.get(f"prompt_{decision}")

    def get_domain(self, owner: Owner, option: int, param: int) -> Callable[..., tuple[Value, ...]]:
        """Return the function that lists the domain of a parameter; it takes the arguments before it too."""
        return self.get(f"dom_{owner}_{option}_{param}")

    def get_label(self, owner: Owner, option: int) -> Callable[..., Values]:
        """Return the function that computes the values in the label of an option."""
        return self.get(f"label_{owner}_{option}")

    def get_preference(self, owner: Owner, option: int, number: int) -> Function:
        """Return the function of the measure, or of the test, of a preference of an option."""
        return self.get(f"pref_{owner}_{option}_{number}")

    def get_preference_text(self, owner: Owner, option: int, number: int) -> Callable[..., Values]:
        """Return the function that computes the values in the text of a preference of an option."""
        return self.get(f"better_{owner}_{option}_{number}")

    def get_preference_filter(self, sort: str) -> Callable[..., list[Values]]:
        """Return the function that keeps the preferred candidates, given them and the measure.

        `sort`: "test", "least" or "most".
        """
        return self.get("_prefer_" + sort)

    # --- drafts ----------------------------------------------------------------------------------------

    def get_draft_start(self, draft: str) -> Callable[..., Values]:
        """Return the function that computes the first fields of a draft from its arguments."""
        return self.get("start_" + draft)

    def get_next_steps(self, draft: str) -> Callable[..., list[NextStep]]:
        """Return the function that lists the legal next steps of a draft from its arguments and fields."""
        return self.get("steps_" + draft)

    def get_finish_test(self, draft: str) -> Callable[..., bool]:
        """Return the test of whether a draft with its fields may be finished."""
        return self.get("finish_" + draft)

    def get_offer(self, draft: str) -> Callable[..., Values]:
        """Return the function that computes the values that distinguish the ends of a draft."""
        return self.get("offer_" + draft)

    def get_price(self, draft: str) -> Function:
        """Return the function of the cost of a finished draft."""
        return self.get("price_" + draft)

    def get_draft_preference(self, draft: str, number: int) -> Function:
        """Return the function of the measure, or of the test, of a preference among the ends of a draft."""
        return self.get(f"best_{draft}_{number}")

    def get_step_result(self, draft: str, step: int) -> Callable[..., Values]:
        """Return the function that computes the fields after a step."""
        return self.get(f"after_{draft}_{step}")

    def get_stop_test(self, draft: str, step: int) -> Callable[..., bool]:
        """Return the test of whether a draft stops after a step."""
        return self.get(f"stops_{draft}_{step}")

    def get_stop_text(self, draft: str, step: int) -> Callable[..., Values]:
        """Return the function that computes the values in the text that says why a draft stops after a step."""
        return self.get(f"because_{draft}_{step}")

    def get_ending(self, draft: str) -> Callable[..., Values]:
        """Return the function that computes the values in the text of an end of a draft."""
        return self.get("ending_" + draft)
