"""Probabilities over an outcome graph: shares of outcomes, and bounds over all decisions.

Computes with exact fractions. Pure: never runs rules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from interpreter.tools.odds.outcome_graph import ChanceNode, DecisionNode, EndNode, OutcomeGraph
from interpreter.tools.odds.resolution_scope import Stop

Policy = Literal["uniform", "first"]  # how decisions inside are taken: at random, or always the first option


def compute_shares(graph: OutcomeGraph, policy: Policy) -> tuple[list[Fraction], dict[Stop, Fraction]]:
    """Return the probability of each outcome, by number, and of each stop.

    `policy`: takes the decisions: the first option, or all options with equal probability.
    """
    reached = [Fraction(0)] * len(graph.nodes)
    reached[0] = Fraction(1)
    shares = [Fraction(0)] * len(graph.outcomes)
    stops: dict[Stop, Fraction] = {}
    for at in reversed(graph.order):
        p = reached[at]
        match graph.nodes[at]:
            case EndNode(outcome=number, stop=stop):
                shares[number] += p
                stops[stop] = stops.get(stop, Fraction(0)) + p
            case ChanceNode(ways=ways, total=total):
                for weight, to in ways:
                    reached[to] += p * Fraction(weight, total)
            case DecisionNode(ways=ways):
                taken = ways[:1] if policy == "first" else ways
                for to in taken:
                    reached[to] += p / len(taken)
    return shares, stops


def compute_bounds(graph: OutcomeGraph, worth: list[Any]) -> tuple[Fraction, Fraction]:
    """Return the maximum and the minimum expected value over all decisions; `worth` is the value of each outcome."""
    most: list[Any] = [None] * len(graph.nodes)
    least: list[Any] = [None] * len(graph.nodes)
    for at in graph.order:
        match graph.nodes[at]:
            case EndNode(outcome=number):
                most[at] = least[at] = worth[number]
            case ChanceNode(ways=ways, total=total):
                most[at] = Fraction(sum(w * most[to] for w, to in ways)) / total
                least[at] = Fraction(sum(w * least[to] for w, to in ways)) / total
            case DecisionNode(ways=ways):
                most[at] = max(most[to] for to in ways)
                least[at] = min(least[to] for to in ways)
    return Fraction(most[0]), Fraction(least[0])
