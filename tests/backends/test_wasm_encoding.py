"""Modules in binary and in text form: both run and compute the same numbers as Python."""

from __future__ import annotations

import pytest

from interpreter.backends.wasm.assembly import runtime_text
from interpreter.backends.wasm.assembly.encoding import WasmModule, encode_signed, encode_unsigned
from interpreter.backends.wasm.host.wasm_host import Instance, TrapError, load_module
from interpreter.runtime.dice import SeededDice

wasmtime = pytest.importorskip("wasmtime")

CONSTANTS = {
    "ARENA_END": 60_000,
    "HEAP_TOP": 8,
    "HEAP_END": 30_000,
    "MOST_MEMBERS": 100,
    "LIST_ROOM": 30,
    "SCALE": 720_720,
    **dict.fromkeys(("DICE", "DEALT", "DEAL_PREFIX", "DEAL_TEXT", "ROLLED", "ROLL_SIZES", "ROLL_TEXTS"), 62_000),
}


def runtime() -> WasmModule:
    module = WasmModule(runtime_text.build_library(CONSTANTS), dict(runtime_text.GLOBALS), pages=2)
    for function in module.functions:
        function.exported = True
    return module


@pytest.fixture(scope="module", params=["binary", "text"])
def instance(request: pytest.FixtureRequest) -> Instance:
    """Return an instance of the runtime, encoded by this package or from its text by wasmtime."""
    module = runtime()
    encoded = module.to_binary() if request.param == "binary" else bytes(wasmtime.wat2wasm(module.to_text()))
    return Instance(load_module(encoded))


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 300, 2**31, 2**62])
def test_leb128_of_number_reads_back(number: int) -> None:
    assert sum((byte & 0x7F) << (7 * n) for n, byte in enumerate(encode_unsigned(number))) == number
    assert encode_signed(-number)[-1] & 0x80 == 0


@pytest.mark.parametrize("faces", [2, 6, 10, 100, 256, 300, 70_000])
def test_dice_fall_as_in_python(faces: int, instance: Instance) -> None:
    at = 1024
    source = (-12345).to_bytes(64, "little", signed=True) + bytes(80)
    instance.memory[at : at + len(source)] = source
    roll, dice = instance.get_function("roll", 2), SeededDice(-12345)
    assert [roll(at, faces) for _ in range(150)] == [dice.roll(faces) for _ in range(150)]
    assert int.from_bytes(instance.memory[at + 64 : at + 72], "little") == dice.counter


@pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5)])
def test_division_rounds_down_as_in_python(a: int, b: int, instance: Instance) -> None:
    assert instance.get_function("floor_div", 2)(a, b) == a // b
    assert instance.get_function("remainder", 2)(a, b) == a % b


@pytest.mark.parametrize(("a", "b"), [(2**40, 2**40), (-(2**50), 2**20), (2**61, 2)])
def test_product_that_is_too_large_traps(a: int, b: int, instance: Instance) -> None:
    with pytest.raises(TrapError):
        instance.get_function("mul", 2)(a, b)


def test_quotient_not_multiple_of_unit_traps(instance: Instance) -> None:
    unit = CONSTANTS["SCALE"]
    assert instance.get_function("div_scaled", 2)(unit, 3 * unit) == unit // 3
    with pytest.raises(TrapError):
        instance.get_function("div_scaled", 2)(unit, 17 * unit)


def test_public_wasm_call_returns_same_as_prepared_call(instance: Instance) -> None:
    exported = instance._exports["mul"]
    assert instance._build_public_call(exported, "mul")(-6, 7) == instance.get_function("mul", 2)(-6, 7) == -42


def test_heap_gives_least_entry_first(instance: Instance) -> None:
    push, pop = instance.get_function("heap_push", 4), instance.get_function("heap_pop", 2)
    entries = [(5, 1), (3, 9), (3, 2), (8, 0), (1, 4), (5, 0)]
    for number, (cost, key) in enumerate(entries):
        push(2048, number, cost, key)
    found = []
    for left in range(len(entries), 0, -1):
        raw = instance.memory[2048:2064]
        found.append((int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")))
        pop(2048, left)
    assert found == sorted(entries)
