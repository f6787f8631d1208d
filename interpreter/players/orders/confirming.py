"""Choices that need a confirmation before they are carried out, the same in every user interface.

Two kinds: `done` that abandons a row of orders, and an order that settles more than it names. Either counts only if
`undo` could not restore the position: dice are thrown, another seat decides, or the game ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.events import taken_words
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import list_orderable_pieces
from interpreter.players.orders.repeated_decisions import row_is_unused
from interpreter.players.orders.route_planning import chooser_of, is_final, list_rolls, try_options
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChoice, LoggedForcedChoice, LoggedRoll

_MOST_IDLE = 6  # names


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question that yes or no answers, and the reasons why it is asked. `ends_row`: it is about `done`."""

    question: str
    reasons: tuple[str, ...]
    ends_row: bool = False


def confirmation_of(game: Game, key: str, words: Localizer) -> Confirmation | None:
    """Return what to ask before the option with this key is chosen, or None if it can be chosen at once."""
    is_done = key == "done"
    if is_done:
        reasons = _thrown_away(game, words)
        if not reasons or not is_final(game, try_options(game, [key])):
            return None
        return Confirmation(words.say("finish anyway?"), reasons, ends_row=True)
    trial = try_options(game, [key])
    settled = _settled(game, trial, words)
    if not settled or not is_final(game, trial):
        return None
    dice = words.join_list(words.name(roll, "roll") for roll in list_rolls(trial))
    reasons = (words.say("only one choice is possible next, so it is chosen too: {choice}", choice=settled),)
    lines = (words.say("rolls on the way: {rolls}", rolls=dice),) if dice else ()
    return Confirmation(words.say("go on?"), (*reasons, *lines))


def ends_an_order(game: Game, key: str) -> bool:
    """Return whether the option ends an order that could be undone until now and cannot be undone afterwards."""
    decision, last = (
        game.decision,
        next((raw for raw in reversed(game.raw_log()) if isinstance(raw, LoggedChoice | LoggedRoll)), None),
    )
    if decision is None or last is None or isinstance(last, LoggedRoll) or chooser_of(game, last) != decision.seat:
        return False
    return is_final(game, try_options(game, [key]))


def idle_names(game: Game, words: Localizer) -> str:
    """Return the names of the pieces that could still be ordered in a repeated decision, or ''."""
    return words.some(map(words.piece, list_orderable_pieces(game)), _MOST_IDLE)


def _thrown_away(game: Game, words: Localizer) -> tuple[str, ...]:
    """Return what `done` would leave undone in the row that is asked, in words; () if nothing."""
    idle, decision = idle_names(game, words), game.decision
    asked = decision.prompt_text(words.lang) if decision is not None and row_is_unused(game) else ""
    return (
        *([words.say("nothing has happened yet: {question}", question=asked)] if asked else []),
        *([words.say("without orders: {names}", names=idle)] if idle else []),
    )


def _settled(game: Game, trial: Game, words: Localizer) -> str:
    """Return the choices that took themselves as part of the first choice of a trial, in words; '' for none.

    They are part of it where its own effects ask for them, and before anything else has happened.
    """
    decision, sentences = game.decision, list[str]()
    inside = game.depth - 1  # what asks is on the stack now, and runs then
    for raw in trial.raw_log():
        if isinstance(raw, LoggedChoice):
            continue
        if not isinstance(raw, LoggedForcedChoice) or raw.depth != inside:
            break
        if decision is None or chooser_of(trial, raw) != decision.seat:
            break
        sentences.append(taken_words(trial.program, words, raw))
    return words.join_list(sentences)
