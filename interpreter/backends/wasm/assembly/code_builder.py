"""Helpers to write instruction trees, and a function being written."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.encoding import Code, WasmFunction


def c32(number: int) -> Code:
    """Return the code of a 32-bit constant."""
    return ("i32.const", number)


def c64(number: int) -> Code:
    """Return the code of a 64-bit constant."""
    return ("i64.const", number)


def const(kind: str, number: int) -> Code:
    """Return the code of a constant. `kind`: its register type, "i32" or "i64"."""
    return (f"{kind}.const", number)


def get(name: str) -> Code:
    """Return code for the value of the local `name`."""
    return ("local.get", name)


def put(name: str, value: Code) -> Code:
    """Return code that assigns a value to the local `name`."""
    return ("local.set", name, value)


def seq(*parts: Code) -> Code:
    """Return the code of instructions one after the other; the last may leave a value on the stack."""
    return ("seq", *parts)


def when(test: Code, yes: Code, no: Code | None = None) -> Code:
    """Return the code of a conditional statement: `yes` if the test is not 0, else `no`."""
    return ("if", "", test, yes) if no is None else ("if", "", test, yes, no)


def select_value(kind: str, test: Code, yes: Code, no: Code) -> Code:
    """Return the code of a conditional value: `yes` if the test is not 0, else `no`. `kind`: its value type."""
    return ("if", kind, test, yes, no)


def add32(left: Code, right: Code) -> Code:
    """Return code for the sum of two 32-bit numbers; constants are folded."""
    if right[0] == "i32.const":
        if right[1] == 0:
            return left
        if left[0] == "i32.const":
            assert isinstance(left[1], int)
            assert isinstance(right[1], int)
            return c32(left[1] + right[1])
    return ("i32.add", left, right)


def times(index: Code, size: int) -> Code:
    """Return code for an index times a constant size in bytes."""
    if index[0] == "i32.const":
        assert isinstance(index[1], int)
        return c32(index[1] * size)
    if size & (size - 1) == 0:
        shift = size.bit_length() - 1
        return ("i32.shl", index, c32(shift)) if shift else index
    return ("i32.mul", index, c32(size))


def wrap(value: Code) -> Code:
    """Return code that converts a 64-bit number to 32 bits."""
    if value[0] == "i64.const":
        assert isinstance(value[1], int)
        return c32(value[1])
    if value[0] in ("i64.extend_i32_s", "i64.extend_i32_u"):
        assert isinstance(value[1], tuple)
        return value[1]
    return ("i32.wrap_i64", value)


def extend(value: Code) -> Code:
    """Return code that converts a 32-bit number to 64 bits, with its sign."""
    if value[0] == "i32.const":
        assert isinstance(value[1], int)
        return c64(value[1])
    return ("i64.extend_i32_s", value)


def load64(address: Code, offset: int = 0) -> Code:
    """Return code that loads a 64-bit word at `address` + `offset` bytes."""
    return ("i64.load", offset, address)


def load32(address: Code, offset: int = 0) -> Code:
    """Return code that loads a 32-bit word at `address` + `offset` bytes."""
    return ("i32.load", offset, address)


def store64(address: Code, value: Code, offset: int = 0) -> Code:
    """Return code that writes a 64-bit word at `address` + `offset` bytes."""
    return ("i64.store", offset, address, value)


def store32(address: Code, value: Code, offset: int = 0) -> Code:
    """Return code that writes a 32-bit word at `address` + `offset` bytes."""
    return ("i32.store", offset, address, value)


def call(name: str, *args: Code) -> Code:
    """Return the code of a call of the function `name`."""
    return ("call", name, *args)


TRAP: Code = ("unreachable",)
_MAX_UNROLLED_WORDS = 12  # that are written one by one


def copy_words(to: Code, source: Code, words: int) -> Code:
    """Return code that copies `words` 64-bit words; both addresses are locals or constants."""
    if words > _MAX_UNROLLED_WORDS:
        return ("memory.copy", to, source, c32(8 * words))
    return seq(*(store64(to, load64(source, 8 * k), 8 * k) for k in range(words)))


class Writer:
    """A function being written, with unique names for locals and labels."""

    def __init__(self, name: str, params: list[tuple[str, str]], result: str) -> None:
        self.function = WasmFunction(name, params, result)
        self._taken = {n for n, _ in params}
        self._number = 0
        self.allocates = False

    def create_local(self, hint: str, kind: str) -> str:
        """Return the name of a new local of register type `kind`; it begins with `hint`."""
        self._number += 1
        local = f"{hint}~{self._number}"  # no name of the rules is written so
        self.function.locals[local] = kind
        return local

    def get_local(self, name: str, kind: str) -> str:
        """Return the local `name`, created with register type `kind` at its first use."""
        if name not in self._taken:
            self._taken.add(name)
            self.function.locals[name] = kind
        return name

    def create_label(self, hint: str) -> str:
        """Return a new label that begins with `hint`."""
        self._number += 1
        return f"{hint}.{self._number}"

    def emit_loop_until(self, test: Code, *turn: Code) -> Code:
        """Return code that repeats `turn` until a test holds; the test is evaluated before each iteration."""
        out, again = self.create_label("out"), self.create_label("again")
        return ("block", out, "", ("loop", again, "", seq(("br_if", out, test), *turn, ("br", again))))

    def append(self, *parts: Code) -> None:
        """Add instructions."""
        self.function.body.extend(parts)
