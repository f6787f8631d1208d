"""WebAssembly modules: instruction trees, their binary form and their text form.

An instruction is a tuple: its name, its immediates, its operands. `seq` puts instructions one after the other; a
`block`, `loop` or `if` holds a label and a result type ("" for none).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Code = tuple["str | int | Code", ...]

I32, I64 = "i32", "i64"
_TYPES = {"i32": 0x7F, "i64": 0x7E, "f64": 0x7C, "": 0x40}
_LOADS = {
    "i32.load": (0x28, 2),
    "i64.load": (0x29, 3),
    "f64.load": (0x2B, 3),
    "i32.load8_s": (0x2C, 0),
    "i32.load8_u": (0x2D, 0),
    "i32.load16_s": (0x2E, 1),
    "i32.load16_u": (0x2F, 1),
    "i64.load8_s": (0x30, 0),
    "i64.load8_u": (0x31, 0),
    "i64.load16_s": (0x32, 1),
    "i64.load16_u": (0x33, 1),
    "i64.load32_s": (0x34, 2),
    "i64.load32_u": (0x35, 2),
    "i32.store": (0x36, 2),
    "i64.store": (0x37, 3),
    "f64.store": (0x39, 3),
    "i32.store8": (0x3A, 0),
    "i32.store16": (0x3B, 1),
    "i64.store8": (0x3C, 0),
    "i64.store16": (0x3D, 1),
    "i64.store32": (0x3E, 2),
}
_COMPARE = ("eqz", "eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u")
_MATH = (
    *("clz", "ctz", "popcnt", "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u"),
    *("and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr"),
)
_PLAIN: dict[str, bytes] = {
    "unreachable": b"\x00",
    "return": b"\x0f",
    "drop": b"\x1a",
    "select": b"\x1b",
    **{f"i32.{name}": bytes([0x45 + n]) for n, name in enumerate(_COMPARE)},
    **{f"i64.{name}": bytes([0x50 + n]) for n, name in enumerate(_COMPARE)},
    **{f"i32.{name}": bytes([0x67 + n]) for n, name in enumerate(_MATH)},
    **{f"i64.{name}": bytes([0x79 + n]) for n, name in enumerate(_MATH)},
    **{f"f64.{name}": bytes([0x61 + n]) for n, name in enumerate(("eq", "ne", "lt", "gt", "le", "ge"))},
    **{f"f64.{name}": bytes([0xA0 + n]) for n, name in enumerate(("add", "sub", "mul", "div"))},
    "f64.convert_i64_s": b"\xb9",
    "i32.wrap_i64": b"\xa7",
    "i64.extend_i32_s": b"\xac",
    "i64.extend_i32_u": b"\xad",
    "i64.extend32_s": b"\xc4",
    "memory.copy": b"\xfc\x0a\x00\x00",
    "memory.fill": b"\xfc\x0b\x00",
}


def encode_unsigned(number: int) -> bytes:
    """Return a number as unsigned LEB128.

    >>> encode_unsigned(624485).hex()
    'e58e26'
    """
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        if not number:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def encode_signed(number: int) -> bytes:
    """Return a number as signed LEB128.

    >>> encode_signed(-123456).hex()
    'c0bb78'
    """
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        if number == (-1 if byte & 0x40 else 0):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


@dataclass(slots=True)
class WasmFunction:
    """A function; `params` are (name, type) pairs, and `exported` makes it callable by the host under its own name.

    `result`: its result type, "" for none; `locals`: the types of its local variables by name.
    """

    name: str
    params: list[tuple[str, str]]
    result: str
    locals: dict[str, str] = field(default_factory=dict)
    body: list[Code] = field(default_factory=list)
    exported: bool = False


@dataclass(slots=True)
class WasmModule:
    """A module with one memory.

    `globals`: (type, initial value) by name; `data`: (address, bytes) of each data segment; `pages`: the size of the
    memory in units of 64 KiB.
    """

    functions: list[WasmFunction] = field(default_factory=list)
    globals: dict[str, tuple[str, int]] = field(default_factory=dict)
    data: list[tuple[int, bytes]] = field(default_factory=list)
    pages: int = 1

    def to_binary(self) -> bytes:
        """Return the binary form."""
        types: dict[tuple[tuple[str, ...], str], int] = {}
        kinds = []
        for f in self.functions:
            key = (tuple(type_ for _, type_ in f.params), f.result)
            kinds.append(types.setdefault(key, len(types)))
        numbers = {f.name: n for n, f in enumerate(self.functions)}
        global_numbers = {name: n for n, name in enumerate(self.globals)}
        type_entries = [
            b"\x60"
            + _encode_vector([bytes([_TYPES[p]]) for p in params])
            + _encode_vector([bytes([_TYPES[result]])] if result else [])
            for params, result in types
        ]
        exports = [_encode_name("memory") + b"\x02\x00"]
        exports += [
            _encode_name(f.name) + b"\x00" + encode_unsigned(n) for n, f in enumerate(self.functions) if f.exported
        ]
        globals_ = [
            bytes([_TYPES[type_], 1]) + (b"\x41" if type_ == I32 else b"\x42") + encode_signed(start) + b"\x0b"
            for type_, start in self.globals.values()
        ]
        data = [b"\x00\x41" + encode_signed(at) + b"\x0b" + encode_unsigned(len(raw)) + raw for at, raw in self.data]
        code = [_encode_function_body(f, numbers, global_numbers) for f in self.functions]
        return b"".join(
            (
                b"\x00asm\x01\x00\x00\x00",
                _encode_section(1, _encode_vector(type_entries)),
                _encode_section(3, _encode_vector([encode_unsigned(kind) for kind in kinds])),
                _encode_section(5, b"\x01\x01" + encode_unsigned(self.pages) + encode_unsigned(self.pages)),
                _encode_section(6, _encode_vector(globals_)),
                _encode_section(7, _encode_vector(exports)),
                _encode_section(10, _encode_vector(code)),
                _encode_section(11, _encode_vector(data)),
            )
        )

    def to_text(self, name: str = "") -> str:
        """Return the text form (WAT) without data.

        With a name, only functions called `name`, or ending in it, are included.
        """
        if name:
            functions = [f for f in self.functions if f.name.partition(".")[0].endswith(("_" + name, name))]
            return "\n".join(line for f in functions for line in format_function(f))
        lines = ["(module", f'  (memory (export "memory") {self.pages})']
        lines += [
            f"  (global ${n} (mut {type_}) ({type_}.const {start}))" for n, (type_, start) in self.globals.items()
        ]
        for f in self.functions:
            lines += format_function(f)
        return "\n".join([*lines, ")", ""])


def format_function(f: WasmFunction) -> list[str]:
    """Return the lines of a function in text form."""
    head = f"  (func ${f.name}" + (f' (export "{f.name}")' if f.exported else "")
    head += "".join(f" (param ${n} {type_})" for n, type_ in f.params) + (f" (result {f.result})" if f.result else "")
    lines = [head]
    if f.locals:
        lines.append("    " + " ".join(f"(local ${n} {type_})" for n, type_ in f.locals.items()))
    for code in f.body:
        lines += _format_code(code, "    ")
    lines[-1] += ")"
    return lines


_MAX_WIDTH = 110


def _format_code(code: Code, indent: str) -> list[str]:
    name = str(code[0])
    if name == "seq":
        return [line for part in code[1:] if isinstance(part, tuple) for line in _format_code(part, indent)]
    heads: list[str] = []
    operands: list[Code] = []
    for part in code[1:]:
        if isinstance(part, tuple):
            operands.append(part)
        else:
            heads.append(str(part))
    if name in ("block", "loop"):
        head = f"({name} ${heads[0]}" + (f" (result {heads[1]})" if heads[1] else "")
    elif name == "if":
        head = "(if" + (f" (result {heads[0]})" if heads[0] else "")
    elif name in _LOADS:
        head = f"({name}" + (f" offset={heads[0]}" if heads[0] != "0" else "")
    elif name.startswith(("local.", "global.", "call", "br")):
        head = f"({name} " + " ".join("$" + x for x in heads)
    else:
        head = " ".join([f"({name}", *heads])
    inner = [_format_code(part, indent + "  ") for part in operands]
    if name == "if":
        for number, word in ((1, "then"), (2, "else")):
            if number < len(inner):
                inner[number] = [f"{indent}  ({word}", *("  " + line for line in inner[number])]
                inner[number][-1] += ")"
    if all(len(part) == 1 for part in inner):
        whole = " ".join([indent + head, *(part[0].strip() for part in inner)]) + ")"
        if len(whole) <= _MAX_WIDTH:
            return [whole]
    out = [indent + head, *(line for part in inner for line in part)]
    out[-1] += ")"
    return out


def _encode_vector(parts: Iterable[bytes]) -> bytes:
    items = list(parts)
    return encode_unsigned(len(items)) + b"".join(items)


def _encode_name(text: str) -> bytes:
    raw = text.encode()
    return encode_unsigned(len(raw)) + raw


def _encode_section(number: int, content: bytes) -> bytes:
    return bytes([number]) + encode_unsigned(len(content)) + content


def _encode_function_body(f: WasmFunction, functions: Mapping[str, int], globals_: Mapping[str, int]) -> bytes:
    numbers = {name: n for n, name in enumerate([*(n for n, _ in f.params), *f.locals])}
    writer = _Writer(f.name, numbers, functions, globals_)
    for code in f.body:
        writer.write(code)
    locals_ = _encode_vector([b"\x01" + bytes([_TYPES[type_]]) for type_ in f.locals.values()])
    content = locals_ + bytes(writer.out) + b"\x0b"
    return encode_unsigned(len(content)) + content


_LOCALS = {"local.get": 0x20, "local.set": 0x21, "local.tee": 0x22}
_GLOBALS = {"global.get": 0x23, "global.set": 0x24}


class _Writer:
    """Encoder of the instructions of one function."""

    def __init__(
        self, name: str, locals_: Mapping[str, int], functions: Mapping[str, int], globals_: Mapping[str, int]
    ) -> None:
        self.name = name
        self.locals = locals_
        self.functions = functions
        self.globals = globals_
        self.out = bytearray()
        self.labels: list[str] = []

    def write(self, code: Code) -> None:
        """Append the encoding of an instruction tree to `out`: operands before their instruction, bodies inside."""
        name = code[0]
        assert isinstance(name, str)
        plain = _PLAIN.get(name)
        if plain is not None:
            for part in code[1:]:
                self.write(part)  # type: ignore[arg-type]
            self.out += plain
        elif name in _LOCALS:
            for part in code[2:]:
                self.write(part)  # type: ignore[arg-type]
            self.out.append(_LOCALS[name])
            self.out += encode_unsigned(self.locals[code[1]])  # type: ignore[index]
        elif name == "i64.const":
            self.out.append(0x42)
            self.out += encode_signed(code[1])  # type: ignore[arg-type]
        elif name == "i32.const":
            self.out.append(0x41)
            self.out += encode_signed(code[1])  # type: ignore[arg-type]
        elif name == "seq":
            for part in code[1:]:
                self.write(part)  # type: ignore[arg-type]
        elif name in _LOADS:
            opcode, alignment = _LOADS[name]
            for part in code[2:]:
                self.write(part)  # type: ignore[arg-type]
            self.out += bytes((opcode, alignment)) + encode_unsigned(code[1])  # type: ignore[arg-type]
        elif name == "call":
            for part in code[2:]:
                self.write(part)  # type: ignore[arg-type]
            self.out.append(0x10)
            self.out += encode_unsigned(self.functions[code[1]])  # type: ignore[index]
        elif name in _GLOBALS:
            for part in code[2:]:
                self.write(part)  # type: ignore[arg-type]
            self.out.append(_GLOBALS[name])
            self.out += encode_unsigned(self.globals[code[1]])  # type: ignore[index]
        else:
            self._write_control(name, code)

    def _write_control(self, name: str, code: Code) -> None:
        match code:
            case ("block" | "loop", str() as label, str() as result, *parts):
                self.out += bytes((0x02 if name == "block" else 0x03, _TYPES[result]))
                self.labels.append(label)
                for part in parts:
                    self.write(part)  # type: ignore[arg-type]
                self.labels.pop()
                self.out.append(0x0B)
            case ("if", str() as result, test, yes, *no):
                self.write(test)  # type: ignore[arg-type]
                self.out += bytes((0x04, _TYPES[result]))
                self.labels.append("")
                self.write(yes)  # type: ignore[arg-type]
                if no:
                    self.out.append(0x05)
                    self.write(no[0])  # type: ignore[arg-type]
                self.labels.pop()
                self.out.append(0x0B)
            case ("br", str() as label):
                self.out.append(0x0C)
                self.out += self._encode_depth(label)
            case ("br_if", str() as label, test):
                self.write(test)  # type: ignore[arg-type]
                self.out.append(0x0D)
                self.out += self._encode_depth(label)
            case ("br_table", index, *labels):
                self.write(index)  # type: ignore[arg-type]
                depths = [self._encode_depth(str(label)) for label in labels]
                self.out.append(0x0E)
                self.out += encode_unsigned(len(depths) - 1) + b"".join(depths)
            case _:
                raise ValueError(f"{self.name}: no instruction {code[:2]}")

    def _encode_depth(self, label: str) -> bytes:
        for depth, open_label in enumerate(reversed(self.labels)):
            if open_label == label:
                return encode_unsigned(depth)
        raise ValueError(f"{self.name}: no label {label}")
