"""One more run of a game: inside WebAssembly, beside the reference evaluator.

Positions, options in order, ends of drafts, dice and values of defines must be the same; a fault of the rules must be a
trap. A trap where the rules are at no fault ends the run without a difference: Python would make the choice. At some
decisions the position goes to a Python state with its suspended procedures, and comes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from interpreter.backends.wasm.host.frame_transfer import FrameTransfer
from interpreter.backends.wasm.host.state_transfer import StateTransfer
from interpreter.backends.wasm.host.wasm_host import Instance, TrapError, load_module
from interpreter.backends.wasm.module_sheet import ModuleSheet
from interpreter.backends.wasm.value_encoding import NotEncodableError, is_compound, is_wide
from interpreter.backends.wasm.wasm_module import build_module
from interpreter.ir.verifier import verify
from interpreter.lowering.model_lowering import lower_model
from interpreter.lowering.value_types import NotLoweredError
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.passes.pipeline import PASSES, run_passes
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.program import Program
from tests.witness.comparing import Differs, arguments, plain
from tests.witness.deciding import End
from tests.witness.faults import Faulted, NotCovered
from tests.witness.forms import laid_out, programs_of
from tests.witness.playing import Asked, Player
from tests.witness.world import World, data_of

REFUSALS = (NotLoweredError, NotEncodableError)


class NativeMatch:
    """One model, played by the reference evaluator and inside WebAssembly. Raises a refusal for what has no form."""

    def __init__(self, model: CheckedModel, program: Program | None = None, without: tuple[str, ...] = ()) -> None:
        self.model = model
        lowered = lower_model(model)
        verify(lowered)
        self.ir = run_passes(lowered, without=without, check=lambda made, _name: verify(made))
        self.built = build_module(self.ir, model.ruleset)
        for function in self.built.module.functions:
            function.exported = function.exported or function.name in self.ir.functions
        self.instance = Instance(load_module(self.built.module.to_binary()))
        self.program = program or programs_of(model, ("play",))["play"]
        slots = {**self.program.slot_of, **{("game", n): s for n, s in self.program.game_slot.items()}}
        self.transfer = StateTransfer(ModuleSheet.from_json(self.built.sheet.to_json()), slots)
        self.start, self.pick = self.instance.get_function("start"), self.instance.get_function("pick", 1)
        self.frames = FrameTransfer(self.transfer, self.program)
        self.resume = self.instance.get_function("resume")
        self.begin_question = self.instance.get_function("begin_question")
        self.said: Counter[str] = Counter()
        self.most_turns = 0

    def play(self, seed: int, most: int = 40, looks: int = 0, hops: int = 3, **arguments_: Any) -> None:
        """Play one game with choices from a seed; raise Differs if the two disagree.

        At one decision in `hops` the state is handed to Python and back.
        """
        chooser = Random(seed)
        self.state = laid_out(self.program, seed=seed, **arguments_).state
        world = World(self.model.ruleset, self.state)
        player = Player(self.model, world)
        going = player.game()
        layout, memory = self.built.layout, self.instance.memory
        block = self.transfer.serialize_state(self.state)
        memory[4096 : 4096 + len(block)] = block
        dice = self.transfer.serialize_dice(seed)
        memory[layout.dice : layout.dice + len(dice)] = dice
        trapped = self._run(self.start)
        self.said["games"] += 1
        wanted, fault = _next(going, None)
        for number in range(most):
            if trapped:
                self.said["faults alike" if fault else "trapped alone"] += 1
                return
            if fault is not None:
                raise Differs(f"native went on after {number} choices, the reference evaluator met {fault}")
            self._agree(wanted, world)
            self._ask(player, chooser, looks)
            if wanted is None:
                self.said["finished"] += 1
                return
            self.said["decisions"] += 1
            if hops and chooser.randrange(hops) == 0:
                self._hop()
                self._agree(wanted, world)
            choice = chooser.randrange(len(wanted.options))
            trapped = self._run(partial(self.pick, choice))
            wanted, fault = _next(going, wanted.options[choice])
        self.said["cut off"] += 1

    def _hop(self) -> None:
        """Read the position into another Python state, with its frames, and write it back from there."""
        memory, transfer = self.instance.memory, self.transfer
        state = self.program.copy_state(self.state, self.program.state_type, None)
        try:
            transfer.read(memory, state)
            self.frames.read(memory, state)
            side, count = transfer.read_machine_value(memory, "side"), transfer.read_machine_value(memory, "count")
            self.frames.write(memory, state, side, count)
        except NotEncodableError:
            self.said["hops that cannot be made"] += 1
            return
        dice = transfer.serialize_dice(self.state.dice.seed, self.state.dice.counter)
        memory[self.built.layout.dice : self.built.layout.dice + len(dice)] = dice
        self.resume()
        self.said["hops"] += 1

    def _run(self, run: Callable[[], Any]) -> bool:
        try:
            run()
        except TrapError:
            return True
        return False

    def _agree(self, wanted: Asked | None, world: World) -> None:
        memory = self.instance.memory
        self.state.dice = SeededDice(getattr(self.state.dice, "seed", 0), self.transfer.read_dice_counter(memory))
        try:
            self.transfer.read(memory, self.state)
        except NotEncodableError:
            self.said["results that cannot be read"] += 1
        expected, found = world.data(), data_of(self.state)
        if found != expected:
            parted = {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}
            raise Differs(f"native: other positions: {parted}")
        asked = self._asked()
        if plain(asked) != plain(wanted):
            raise Differs(f"native: asks {asked}, expected {wanted}")

    def _asked(self) -> Asked | None:
        transfer, memory = self.transfer, self.instance.memory
        if transfer.read_machine_value(memory, "over"):
            return None
        decision = self.ir.decisions[transfer.read_machine_value(memory, "pending")]
        side = transfer.read_machine_value(memory, "side")
        if decision.draft is None:
            return Asked(decision.name, side, tuple(self._options()))
        ends = self._draft_ends(decision.draft)
        return Asked(decision.name, side, tuple(End(offer, stages[-1], tuple(stages[1:])) for offer, stages in ends))

    def _options(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Return the listed options of the pending decision, `done` as (-1, ())."""
        transfer, memory = self.transfer, self.instance.memory
        options = transfer.sheet.rules.decisions[transfer.read_machine_value(memory, "pending")].options
        for number in range(transfer.read_machine_value(memory, "count")):
            at = transfer.sheet.session.listed + number * transfer.sheet.session.option_size
            index = transfer.read_word(memory, at)
            yield index, self._items(at + 8, options[index] if index >= 0 else [])

    def _draft_ends(self, name: str) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
        """Return the ends of the pending draft: the identifying values of each, and its fields after each step."""
        transfer, memory = self.transfer, self.instance.memory
        draft = transfer.sheet.rules.drafts[name]
        for number in range(transfer.read_machine_value(memory, "count")):
            at = transfer.sheet.session.ends + number * draft.end
            node = transfer.read_word(memory, at + 8 * len(draft.offer) + 8)
            stages: list[tuple[Any, ...]] = []
            while node >= 0:
                stages.insert(0, self._items(node, draft.fields))
                node = transfer.read_word(
                    memory, node + 8 * (len(draft.fields) + 1)
                )  # the predecessor, behind the fields and the stop flag
            yield self._items(at, draft.offer), stages

    def _items(self, at: int, types: list[t.Type]) -> tuple[Any, ...]:
        """Return the values of these types in the words from `at` on."""
        return tuple(self.transfer.read_item(self.instance.memory, at + 8 * k, type_) for k, type_ in enumerate(types))

    def _ask(self, player: Player, chooser: Random, looks: int) -> None:
        """Compare values of defines and rules, each with some arguments that are no collections."""
        for sort, items in (("define", self.model.defines), ("rule", self.model.rules)):
            for name, declared in items.items() if looks else ():
                if any(is_compound(type_) for _, type_ in declared.params):
                    continue
                for given in arguments(self.model, declared.params, chooser, looks):
                    names = dict(zip([n for n, _ in declared.params], given, strict=True))
                    try:
                        wanted = (
                            player.x.value(declared.value, names)
                            if sort == "define"
                            else player.x.holds(declared.requires, names)
                        )
                    except Faulted:
                        wanted = Faulted
                    self._compare(f"{sort}_{name}", given, wanted)

    def _compare(self, name: str, given: tuple[Any, ...], wanted: Any) -> None:
        function, layout = self.ir.functions[name], self.built.layout
        numbers = [layout.encode(v, ty) for v, (_, ty) in zip(given, function.params, strict=True)]
        self.begin_question()
        try:
            raw = self.instance.get_function(name, len(numbers))(*numbers)
        except TrapError:
            self.said["values trapped" if wanted is not Faulted else "value faults"] += 1
            return
        if wanted is Faulted:
            raise Differs(f"native: {name}{given} gives a value, the reference evaluator met a fault")
        if not is_wide(function.result):
            raw = (raw & 0xFFFFFFFF) - ((raw & 0x80000000) << 1)
        found = self.transfer.decode(self.instance.memory, raw, function.result)
        if isinstance(function.result, t.FlagType):
            found = bool(raw)
        if plain(found) != plain(wanted):
            raise Differs(f"native: {name}{given} gives {found!r}, expected {wanted!r}")
        self.said["values"] += 1


def _next(going: Iterator[Any], chosen: Any) -> tuple[Asked | None, Faulted | None]:
    try:
        return (next(going) if chosen is None else going.send(chosen)), None  # type: ignore[attr-defined]
    except StopIteration:
        return None, None
    except Faulted as fault:
        return None, fault


__all__ = ["PASSES", "REFUSALS", "NativeMatch", "NotCovered"]
