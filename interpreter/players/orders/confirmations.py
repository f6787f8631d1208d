"""Choices that need a confirmation before they are carried out, the same in every user interface.

Four kinds of choices: `done` that leaves pieces without orders, an order after which further choices are made
automatically, a movement that ends in a roll of dice, and an order after which the rules by themselves cost the player
something that no player may miss. The first three need a confirmation only if `undo` could not restore the position:
dice are thrown, another seat decides, or the game ends. For `done` it is needed also if another side or another turn of
the same seat follows, since the player would notice a mistake too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from interpreter.play.events import format_forced_choice
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import IdlePieces, list_idle_pieces, list_orderable_pieces
from interpreter.players.orders.foreseeable_losses import find_foreseeable_losses
from interpreter.players.orders.repeated_decisions import DecisionSeries, find_series, is_series_unused
from interpreter.players.orders.route_planning import find_chooser, is_final, list_rolls, try_options
from interpreter.players.ownership import is_on_map
from interpreter.runtime.decisions import Decision
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    LoggedChoice,
    LoggedForcedChoice,
    LoggedMove,
    LoggedPhase,
    LoggedPhaseEnd,
    LoggedRoll,
)
from interpreter.runtime.machine import is_setting_up

_MAX_IDLE = 6  # names


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A yes-or-no question before an order is carried out, with the reasons why it is asked.

    `answers`: the labels of the buttons for yes and no, which say what they do. `ends_series`: it is asked before
    `done` ends a repeated decision, and for no other reason. `is_plain`: the words of the order say what it does, so a
    player who chooses it by its number, or sees the reasons beside it, need not be asked again.
    """

    question: str
    reasons: tuple[str, ...]
    answers: tuple[str, str]
    ends_series: bool = False
    is_plain: bool = False


def find_confirmation(game: Game, keys: str | Sequence[str], localizer: Localizer) -> Confirmation | None:
    """Return what to ask before the options with these keys are chosen, or None if they can be chosen at once."""
    keys = (keys,) if isinstance(keys, str) else tuple(keys)
    trial = try_options(game, keys)
    losses = localizer.join_sentences(find_foreseeable_losses(game, trial, localizer))
    if keys == ("done",):
        warned = (localizer.say("if you finish now: {events}", events=losses),) if losses else ()
        unused = _find_unused(game, localizer) if _is_leaving_series(game, trial) else ()
        if not warned and not unused:
            return None
        answers, is_plain = (localizer.say("Finish"), localizer.say("Go back")), not warned
        reasons = (*warned, *unused, *_name_rolls(_list_rolls_of_phase(trial), localizer))
        return Confirmation(localizer.say("finish anyway?"), reasons, answers, is_plain, is_plain)
    warned = (localizer.say("this order also leads to: {events}", events=losses),) if losses else ()
    is_over = is_final(game, trial)
    settled = _describe_forced_choices(game, trial, localizer) if is_over and len(keys) == 1 else ""
    if not warned and not settled and not (is_over and _has_immediate_roll(game, trial, keys)):
        return None
    only = (localizer.say("only one choice is possible next, so it is chosen too: {choice}", choice=settled),)
    reasons = (*warned, *(only if settled else ()), *_name_rolls(list_rolls(trial), localizer))
    answers = localizer.say("Continue"), localizer.say("Go back")
    return Confirmation(localizer.say("continue?"), reasons, answers, is_plain=not settled and not warned)


def _name_rolls(rolls: Sequence[str], localizer: Localizer) -> tuple[str, ...]:
    """Return a sentence that names these rolls, () for none."""
    dice = localizer.join_list(localizer.translate_name(roll, "roll") for roll in rolls)
    return (localizer.say("rolls on the way: {rolls}", rolls=dice),) if dice else ()


def _list_rolls_of_phase(trial: Game) -> tuple[str, ...]:
    """Return the names of the rolls that follow the last choice of a trial in the same phase, before another choice."""
    raws = takewhile(lambda raw: not isinstance(raw, LoggedPhase | LoggedPhaseEnd), trial.get_raw_log())
    named = {raw.name for raw in raws if isinstance(raw, LoggedRoll)}
    return tuple(roll for roll in list_rolls(trial) if roll in named)


def _is_leaving_series(game: Game, trial: Game) -> bool:
    """Return whether `done` cannot be undone, or ends what a side does in a turn; `trial` is the game after it."""
    if is_final(game, trial):
        return True
    before, after = game.decision, trial.decision
    return before is not None and after is not None and (before.side, game.turn) != (after.side, trial.turn)


def _has_immediate_roll(game: Game, trial: Game, keys: Sequence[str]) -> bool:
    """Return whether the options `keys` move pieces and thereby cause dice to be rolled.

    `trial` is the game after them. True for a route of several choices, for a path that is asked of one piece, and for
    an option of a repeated decision whose piece moves before the first roll of the phase. Rolls after the phase do not
    count.
    """
    decision = game.decision
    if decision is None or not list_rolls(trial):
        return False
    if len(keys) > 1 or decision.is_draft and _is_path_draft(decision):
        return True
    if not decision.info.is_repeated:
        return False
    raws = list(takewhile(lambda raw: not isinstance(raw, LoggedPhase), trial.get_raw_log()))
    rolled = next((n for n, raw in enumerate(raws) if isinstance(raw, LoggedRoll)), 0)
    return any(isinstance(raw, LoggedMove) for raw in raws[:rolled])


def _is_path_draft(decision: Decision) -> bool:
    """Return whether a draft has a piece as a parameter, so that its steps are the path of that piece."""
    return any(tuple(param.show) == ("thing", "piece") for param in decision.draft.params)


def is_last_order(game: Game, key: str) -> bool:
    """Return whether the option with this key makes the last order, which can still be undone now, irreversible.

    True also if the rules then cost the player something that no player may miss.
    """
    decision = game.decision
    last = next((raw for raw in reversed(game.get_raw_log()) if isinstance(raw, LoggedChoice | LoggedRoll)), None)
    if decision is None or last is None or isinstance(last, LoggedRoll) or find_chooser(game, last) != decision.seat:
        return False
    trial = try_options(game, [key])
    return is_final(game, trial) or bool(find_foreseeable_losses(game, trial, game.program.get_localizer()))


@dataclass(slots=True)
class AskedSeries:
    """Memory of the last series of decisions whose end was questioned, so that a player is asked once in each.

    That nothing has been chosen yet is another question than that some pieces have no orders.
    """

    series: DecisionSeries | None = None
    was_unused: bool = False

    def is_first(self, game: Game, needed: Confirmation) -> bool:
        """Return whether this question is new in the pending series of decisions, and remember it."""
        if not needed.ends_series:
            return True
        is_unused, last = is_series_unused(game), self.series
        if last is not None and last.is_asked_in(game.state) and self.was_unused is is_unused:
            return False
        self.series, self.was_unused = find_series(game), is_unused
        return True


def name_idle_pieces(game: Game, localizer: Localizer) -> str:
    """Return the names of the pieces that could still be ordered in a repeated decision, or ''."""
    return _format_idle_pieces(find_pieces_without_orders(game), localizer)


def find_pieces_without_orders(game: Game) -> tuple[IdlePieces, ...]:
    """Return the pieces that `done` would leave without orders; () for a set-up in which every piece has a place."""
    return () if _is_complete_setup(game) else list_idle_pieces(game)


def count_idle_pieces(idle: Sequence[IdlePieces], localizer: Localizer) -> str:
    """Return a sentence with the number and the names of idle pieces."""
    number, names = sum(one.number for one in idle), _format_idle_pieces(idle, localizer)
    return localizer.say("{number} (unit|units) could still act: {names}", number=number, names=names)


def _format_idle_pieces(idle: Sequence[IdlePieces], localizer: Localizer) -> str:
    """Render idle pieces by name, and interchangeable ones by number and place: "Guards, 3 units (reds) in Ford"."""
    program, names = localizer.program, []
    for one in idle:
        handle, name = program.handles["piece"][one.piece], localizer.get_piece_name(one.piece)
        if program.is_alike[handle]:
            what, place = (
                localizer.pluralize_piece(handle, one.number),
                localizer.get_name_by_handle("place", one.place),
            )
            name = localizer.say("{number} {what} in {place}", number=one.number, what=what, place=place)
        names.append(name)
    return localizer.join_some(names, _MAX_IDLE)


def _find_unused(game: Game, localizer: Localizer) -> tuple[str, ...]:
    """Return sentences about what `done` would leave undone in the pending repeated decision; () if nothing."""
    if _is_complete_setup(game):
        return ()
    idle, decision = find_pieces_without_orders(game), game.decision
    question = decision.format_prompt(localizer.lang) if decision is not None and is_series_unused(game) else ""
    return (
        *([localizer.with_detail(localizer.say("nothing has been chosen yet"), question)] if question else []),
        *([count_idle_pieces(idle, localizer)] if idle else []),
    )


def _is_complete_setup(game: Game) -> bool:
    """Return whether the game is being set up and all pieces that can be set up are on the map already.

    The rules or the scenario have placed them, so the player may keep them there.
    """
    if not is_setting_up(game.state):
        return False
    handles, able = game.program.handles["piece"], list_orderable_pieces(game)
    return bool(able) and all(is_on_map(game, handles[piece]) for piece in able)


def _describe_forced_choices(game: Game, trial: Game, localizer: Localizer) -> str:
    """Return the choices that were made automatically as part of the first choice of a trial, in words; '' for none.

    Counted are choices that the effects of the first choice ask for, up to the first other event. `trial` is the game
    after the first choice.
    """
    decision, sentences = game.decision, list[str]()
    inside = game.depth - 1  # what asks is on the stack now, and runs then
    for raw in trial.get_raw_log():
        if isinstance(raw, LoggedChoice):
            continue
        if not isinstance(raw, LoggedForcedChoice) or raw.depth != inside:
            break
        if decision is None or find_chooser(trial, raw) != decision.seat:
            break
        sentences.append(format_forced_choice(trial.program, localizer, raw))
    return localizer.join_list(sentences)
