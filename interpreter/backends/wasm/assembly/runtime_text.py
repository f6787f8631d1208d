"""The runtime library of every module, in the language of `function_compiler`: arena, sets, lists, numbers, dice.

A set of things is a bit set of 64-bit words; a list holds its length, then one 64-bit word for each member. Whatever
cannot be done exactly is a trap. Words in capitals are addresses and sizes of the memory layout.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.backends.wasm.assembly.code_builder import c32, c64, call, get, load64, put, store64
from interpreter.backends.wasm.assembly.encoding import I32, I64, Code, WasmFunction
from interpreter.backends.wasm.assembly.function_compiler import compile_functions

MEMORY = """
# temporary values: everything in the arena ends with the choice
def alloc(n: i32) -> i32:
    at = arena
    arena = at + n
    assert arena <= ARENA_END
    return at
# values of frames: the heap is part of the state and shrinks when a frame goes
def heap_alloc(n: i32) -> i32:
    at = i32[HEAP_TOP]
    i32[HEAP_TOP] = at + n
    assert i32[HEAP_TOP] <= HEAP_END
    return at
# whole words are copied: a few by a loop, which takes less time than the machine's own copy
def copy_words(to: i32, source: i32, n: i32):
    if n > 128:
        memory_copy(to, source, n)
    else:
        for k in range(0, n, 8):
            i64[to + k] = i64[source + k]
def copied(p: i32, n: i32) -> i32:
    at = alloc(n)
    copy_words(at, p, n)
    return at
def heap_copied(p: i32, n: i32) -> i32:
    at = heap_alloc(n)
    copy_words(at, p, n)
    return at
def spend(n: i64):
    spent += n
    assert spent <= budget
"""

SETS = """
def new_set(w: i32) -> i32:
    w <<= 3
    at = alloc(w)
    for k in range(0, w, 8):
        i64[at + k] = 0
    return at
def put(s: i32, v: i32):
    s += (v >> 6) << 3
    i64[s] |= 1 << i64(v)
def has(s: i32, v: i32) -> i32:
    if lt_s(v, 0): return 0
    return 1 & i32(i64[s + ((v >> 6) << 3)] >> i64(v))
def set_or(a: i32, b: i32, w: i32) -> i32:
    w <<= 3
    at = alloc(w)
    for k in range(0, w, 8):
        i64[at + k] = i64[a + k] | i64[b + k]
    return at
def set_minus(a: i32, b: i32, w: i32) -> i32:
    w <<= 3
    at = alloc(w)
    for k in range(0, w, 8):
        i64[at + k] = i64[a + k] & (-1 ^ i64[b + k])
    return at
def set_eq(a: i32, b: i32, w: i32) -> i32:
    w <<= 3
    for k in range(0, w, 8):
        if i64[a + k] != i64[b + k]: return 0
    return 1
def set_count(a: i32, w: i32) -> i64:
    n: i64 = 0
    w <<= 3
    for k in range(0, w, 8):
        n += popcnt(i64[a + k])
    return n
def list_has(p: i32, v: i64) -> i32:
    n = i64[p]
    if gt_u(n, 15): spend(n >> 4)
    while n:
        if i64[p, 8] == v: return 1
        p += 8
        n -= 1
    return 0
# lists in columns: $list_at returns the address, or -1 for no list; $store_list traps if the list is too long
def list_at(p: i32) -> i32:
    return -1 if i64[p] < 0 else p
def store_list(to: i32, source: i32):
    if lt_s(source, 0):
        i64[to] = -1
        return
    n = i32[source]
    assert n <= LIST_ROOM
    memory_copy(to, source, (n + 1) << 3)
def list_join(a: i32, b: i32) -> i32:
    na = i32(i64[a])
    nb = i32(i64[b])
    assert na + nb <= MOST_MEMBERS
    spend(i64((na + nb) >> 4))
    at = alloc((na + nb + 1) << 3)
    i64[at] = i64[a] + i64[b]
    memory_copy(at + 8, a + 8, na << 3)
    memory_copy(at + 8 + (na << 3), b + 8, nb << 3)
    return at
# the first `k` members
def list_take(p: i32, k: i64) -> i32:
    if k < 0: k = 0
    if k > i64[p]: k = i64[p]
    at = copied(p, (i32(k) + 1) << 3)
    i64[at] = k
    return at
"""

NUMBERS = """
def mul(a: i64, b: i64) -> i64:
    if gt_u(a + 0x40000000, 0x80000000) | gt_u(b + 0x40000000, 0x80000000):
        if not a: return 0
        r = a * b
        assert div_s(r, a) == b
        assert r + 0x4000000000000000 >= 0
        return r
    return a * b
def gcd(a: i64, b: i64) -> i64:
    if a < 0: a = 0 - a
    if b < 0: b = 0 - b
    while b:
        t = rem_u(a, b)
        a = b
        b = t
    return a
# the product of two scaled numbers; a trap where it is not a multiple of the unit
def mul_scaled(a: i64, b: i64) -> i64:
    if not a: return 0
    g = gcd(a, SCALE)
    a = div_s(a, g)
    g = div_s(SCALE, g)
    assert rem_s(b, g) == 0
    return mul(a, div_s(b, g))
def div_scaled(a: i64, b: i64) -> i64:
    assert b
    if not a: return 0
    g = gcd(a, b)
    a = div_s(a, g)
    b = div_s(b, g)
    assert rem_s(SCALE, b) == 0
    return mul(a, div_s(SCALE, b))
def floor_div(a: i64, b: i64) -> i64:
    q = div_s(a, b)
    if q * b != a and (a ^ b) < 0: q -= 1
    return q
def remainder(a: i64, b: i64) -> i64:
    return a - floor_div(a, b) * b
"""

TABLES = """
# rows of words: equality, a hash, and tables of (generation, number) that forget everything with a new generation
def row_eq(a: i32, b: i32, n: i32) -> i32:
    for k in range(0, n, 8):
        if i64[a + k] != i64[b + k]: return 0
    return 1
def hash_row(p: i32, n: i32) -> i32:
    h: i64 = 0
    for k in range(0, n, 8):
        h = (rotl(h, 5) ^ i64[p + k]) * 0x517cc1b727220a95
    return i32(h >> 33)
# the number of an equal row, or -1; then, with a number >= 0, it is entered
def find_row(row: i32, n: i32, number: i32, table: i32, base: i32, stride: i32, generation: i32) -> i32:
    i = hash_row(row, n)
    while True:
        e = table + ((i & 65535) << 3)
        if i32[e] != generation: break
        if row_eq(row, base + i32[e, 4] * stride, n): return i32[e, 4]
        i += 1
    if ge_s(number, 0):
        i32[e] = generation
        i32[e, 4] = number
    return -1
# a hash of 64 bits (the finalizer of SplitMix64). Sums of hashes identify combinations, so it must not be close to
# linear: the constant that is added keeps the hash of twice a number from being twice its hash
def mixed(x: i64) -> i64:
    x += -7046029254386353131
    x = (x ^ (x >> 30)) * -4658895280553007687
    x = (x ^ (x >> 27)) * -7723592293110705685
    return x ^ (x >> 31)
# where an equal value of n bytes is kept: equal values of one search share one address
def interned(p: i32, n: i32, table: i32, generation: i32) -> i32:
    assert n < 65536
    i = hash_row(p, n) + n
    while True:
        e = table + ((i & 16383) << 3)
        if i32[e] != generation: break
        at = i32[e, 4]
        if i64[at - 8] == i64(n) and row_eq(p, at, n): return at
        i += 1
    at = kept + 8
    kept = at + n
    assert kept <= kept_end
    kept_count += 1
    assert kept_count <= 15000
    i64[at - 8] = i64(n)
    memory_copy(at, p, n)
    i32[e] = generation
    i32[e, 4] = at
    return at
# whether a mark of 64 bits is new; it is entered in a table of (generation, mark)
def new_mark(mark: i64, table: i32, generation: i32) -> i32:
    i = i32(mark >> 40)
    while True:
        at = table + ((i & 65535) << 4)
        if i32[at] != generation: break
        if i64[at, 8] == mark: return 0
        i += 1
    i32[at] = generation
    i64[at, 8] = mark
    return 1
# rows of `size` bytes sorted by the signed word at `by`; equal ones keep their order (insertion sort)
def sort_rows(base: i32, n: i32, size: i32, by: i32, spare: i32):
    i = 1
    while lt_s(i, n):
        p = base + i * size
        q = p
        while q > base and i64[q - size + by] > i64[p + by]:
            q -= size
        if p != q:
            memory_copy(spare, p, size)
            memory_copy(q + size, q, p - q)
            memory_copy(q, spare, size)
        i += 1
def move_entry(to: i32, source: i32):
    i64[to] = i64[source]
    i64[to, 8] = i64[source, 8]
# a binary heap of (cost, key) at `base`: 16 bytes each
def heap_push(base: i32, n: i32, cost: i64, key: i64):
    while n:
        up = (n - 1) >> 1
        p = base + (up << 4)
        if i64[p] < cost: break
        if i64[p] == cost and i64[p, 8] <= key: break
        move_entry(base + (n << 4), p)
        n = up
    p = base + (n << 4)
    i64[p] = cost
    i64[p, 8] = key
# the least entry leaves; `n` is how many there were
def heap_pop(base: i32, n: i32):
    i = 0
    n -= 1
    p = base + (n << 4)
    cost = i64[p]
    key = i64[p, 8]
    while True:
        c = (i << 1) + 1
        if c >= n: break
        p = base + (c << 4)
        q = p + 16
        if c + 1 < n and (i64[q] < i64[p]) | ((i64[q] == i64[p]) & (i64[q, 8] < i64[p, 8])):
            c += 1
            p = q
        if cost < i64[p]: break
        if cost == i64[p] and key <= i64[p, 8]: break
        move_entry(base + (i << 4), p)
        i = c
    p = base + (i << 4)
    i64[p] = cost
    i64[p, 8] = key
"""

DEALT_DICE = """
# a die of the game: of a deal, if the trial has dealt dice, else of its stream
def die(name: i32, sides: i32) -> i32:
    rank = 0
    round = i32[DEALT]
    if not round: return roll(DICE, sides)
    round -= 1
    at = name << 2
    deal_digest(name, i32[at, ROLLED])
    i32[at, ROLLED] += 1
    own = u8[round, DEAL_TEXT]
    for k in range(8):
        if (u8[k, DEAL_TEXT] < own) | ((u8[k, DEAL_TEXT] == own) & (k < round)): rank += 1
    assert sides <= 1000000
    return (sides * ((rank << 8) | u8[round + 8, DEAL_TEXT])) >> 11
# the text that is digested for the n-th roll of a name, and its length: what the deal begins with, the name, n
def deal_words(name: i32, n: i32) -> i32:
    memory_fill(DEAL_TEXT, 0, 128)
    size = i32[DEALT, 4]
    memory_copy(DEAL_TEXT, DEAL_PREFIX, size)
    at = DEAL_TEXT + size
    size = u8[name, ROLL_SIZES]
    memory_copy(at, ROLL_TEXTS + (name << 6), size)
    at += size
    unit = 1
    while div_u(n, unit) >= 10:
        unit *= 10
    while True:
        u8[at] = 48 + rem_u(div_u(n, unit), 10)
        at += 1
        unit = div_u(unit, 10)
        if not unit: break
    return at - DEAL_TEXT
"""

DICE = """
# a source of dice: 0 seed (64 bytes), 64 counter, 72 unused bytes of the block, 80 the block (64 bytes)
def byte(d: i32) -> i32:
    left = i64[d, 72]
    if not left:
        blake2b(d)
        left = 64 - (i64[d, 64] & 63)
    i64[d, 72] = left - 1
    i64[d, 64] += 1
    return u8[d + (64 - i32(left)), 80]
# a number below `faces`, each equally likely: bytes that would favour the low numbers are passed over
def roll(d: i32, faces: i32) -> i32:
    assert faces <= 16777216
    space = 256
    while faces > space:
        space <<= 8
    limit = space - rem_u(space, faces)
    while True:
        number = byte(d)
        if space > 256: number = (number << 8) | byte(d)
        if space > 65536: number = (number << 8) | byte(d)
        if number < limit: break
    return rem_u(number, faces)
"""

GLOBALS = {
    "arena": ("i32", 0),
    "spent": ("i64", 0),
    "budget": ("i64", 0),
    "stamp": ("i32", 1),
    "gen": ("i32", 0),
    "kept": ("i32", 0),
    "kept_end": ("i32", 0),
    "kept_count": ("i32", 0),
    "ends_count": ("i64", 0),  # searches for the ends of a draft that was asked
    "ends_now": ("i64", 0),  # the number of the one whose ends are in memory
    "depth": ("i32", 0),
    "rows": ("i32", 0),
    "signal": ("i32", 0),
    "answered": ("i64", 0),
    "epoch": ("i32", 0),
    "era": ("i32", 0),  # of versions; a new one begins when the numbers of versions begin again
    "quick": ("i32", 0),  # whether repeated decisions are answered without a look at their options
    "lazy": ("i32", 0),  # whether the listing under way may stop at the first option
    "listing": ("i32", 0),  # where options are listed: in the buffer, or in the lane of a game
    "listing_end": ("i32", 0),
    "listed": ("i32", 0),  # whether the listing holds the options of the pending decision
}

# --- BLAKE2b: RFC 7693 -------------------------------------------------------------------------------

_IV = (
    *(0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1),
    *(0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179),
)
_SIGMA = (
    *("0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "9057 24af e1bc 683d"),
    *("2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0"),
)
_SCHEDULE = tuple(tuple(int(digit, 16) for digit in row.replace(" ", "")) for row in _SIGMA)
_MIXED = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
_STATE = (*(f"h{k}" for k in range(8)), *(f"{name}{k}" for name in "vm" for k in range(16)))  # local variables
_ROUNDS = 12
_BLOCK = 128
_PERSON, _DEAL_PERSON = b"grognard dice 1", b"grognard deal 1"


def build_library(constants: Mapping[str, int]) -> list[WasmFunction]:
    """Return the functions of the runtime library. `constants`: the addresses and sizes that it names."""
    digests = {f.name: f for f in (build_block_digest(), build_roll_digest(constants["DEAL_TEXT"]))}
    text = "\n".join((MEMORY, SETS, NUMBERS, TABLES, DICE, DEALT_DICE))
    return [*compile_functions(text, constants, GLOBALS, digests), *digests.values()]


def build_block_digest() -> WasmFunction:
    """Return `blake2b(source)`, which computes the keyed digest of the number of the block to read next.

    `source` is the address of a dice source.
    """
    source = get("source")
    parameters = 64 | 64 << 8 | 1 << 16 | 1 << 24  # digest and key of 64 bytes, no tree
    key = [load64(source, 8 * k) for k in range(8)]
    number: Code = ("i64.shr_u", load64(source, 64), c64(6))
    body = [
        *_emit_digest_start(_PERSON, parameters, key),
        *_emit_compression(c64(_BLOCK), False),
        *(put(f"m{k}", c64(0) if k else number) for k in range(8)),
        *_emit_compression(c64(_BLOCK + 16), True),
        *(store64(source, get(f"h{k}"), 80 + 8 * k) for k in range(8)),
    ]
    return WasmFunction("blake2b", [("source", I32)], "", dict.fromkeys(_STATE, I64), body)


def build_roll_digest(text: int) -> WasmFunction:
    """Return `deal_digest(name, n)`, which computes the 16-byte digest for the n-th roll of a name.

    It is stored at the address `text`, over the text that was hashed.
    """
    parameters = 16 | 1 << 16 | 1 << 24  # digest of 16 bytes, no key, no tree
    body = [
        put("counted", ("i64.extend_i32_u", call("deal_words", get("name"), get("n")))),
        *_emit_digest_start(_DEAL_PERSON, parameters, [load64(c32(text), 8 * k) for k in range(16)]),
        *_emit_compression(get("counted"), True),
        *(store64(c32(text), get(f"h{k}"), 8 * k) for k in range(2)),
    ]
    names = dict.fromkeys(("counted", *_STATE), I64)
    return WasmFunction("deal_digest", [("name", I32), ("n", I32)], "", names, body)


def _emit_digest_start(person: bytes, parameters: int, message: list[Code]) -> list[Code]:
    """Return code that begins a BLAKE2b digest: it sets the state `h` and the first words of the message block `m`.

    `person`: the personalization string, which separates digests for different purposes. `parameters`: the first word
    of the parameter block. `message`: the code of each word.
    """
    first, second = (int.from_bytes(person.ljust(16, b"\0")[k : k + 8], "little") for k in (0, 8))
    words = [_IV[0] ^ parameters, *_IV[1:6], _IV[6] ^ first, _IV[7] ^ second]
    state = [put(f"h{k}", _emit_word(word)) for k, word in enumerate(words)]
    return state + [put(f"m{k}", word) for k, word in enumerate(message)]


def _emit_word(number: int) -> Code:
    number &= (1 << 64) - 1
    return c64(number - (1 << 64) if number >> 63 else number)


def _emit_compression(counted: Code, is_last: bool) -> list[Code]:
    """Return the code of one compression of the message in `m` into the state in `h`.

    `counted`: code for the bytes hashed so far. `is_last`: it is the last block of the message.
    """
    h, v, m = ([get(f"{name}{k}") for k in range(16)] for name in "hvm")
    code = [put(f"v{k}", h[k]) for k in range(8)]
    code += [put(f"v{8 + k}", _emit_word(~word if is_last and k == 6 else word)) for k, word in enumerate(_IV)]
    code.append(put("v12", ("i64.xor", v[12], counted)))
    for number in range(_ROUNDS):
        row = _SCHEDULE[number % 10]
        for pair, (a, b, c, d) in enumerate(_MIXED):
            for word, first, second in ((row[2 * pair], 32, 24), (row[2 * pair + 1], 16, 63)):
                code += [
                    put(f"v{a}", ("i64.add", ("i64.add", v[a], v[b]), m[word])),
                    put(f"v{d}", ("i64.rotr", ("i64.xor", v[d], v[a]), c64(first))),
                    put(f"v{c}", ("i64.add", v[c], v[d])),
                    put(f"v{b}", ("i64.rotr", ("i64.xor", v[b], v[c]), c64(second))),
                ]
    return code + [put(f"h{k}", ("i64.xor", h[k], ("i64.xor", v[k], v[8 + k]))) for k in range(8)]
