"""Trials of options for bots (see `players.bots.option_evaluation`), in the language of `function_compiler`.

A trial is a row of 64-bit words: 0 option (-1: evaluate the position as it is), 1 and 2 seeds of the dice and of the
chooser, 3 mode, 4 most replies tried, 5 decision of the planned reply; the results are 6 value, 7 won (1) or lost (-1),
8 whether chance had no part in it, 9 whether all replies were tried, 10 decision of the reply or -1, 11 size of the key
in bytes, 12 whether a closer look found the planned reply again; 16 the key of the planned reply, then of the reply.
The request of `session_text` holds what all trials of a call share.

The key of an option holds how many words follow, then its number and arguments; or for the end of a draft its offer,
with the members of sets and lists one after the other, and followed by the number of members of each.
"""

from __future__ import annotations

OWN, PLANNED, SOLE, CLOSER, POLICY = 1, 2, 4, 8, 16  # bits of the mode
TRIAL_SIZE, KEY_AT, MAX_TRIALS = 1024, 128, 64
RESULTS_AT, KEY_SIZE_AT = 48, 88  # words 6 and 11 of a trial
KEYS_SIZE, LONGEST_KEY = 4 << 20, 1 << 18
MAX_OPTIONS, MAX_LOOKED, MAX_PROMISING = 1 << 16, 1 << 13, 64
MAX_SEATS = 256  # whose pieces are counted
POLICY_TABLE, POLICY_SIZE = 4 << 12, 4 << 20
LIST, END_OF_SHAPE = 254, 255  # in the shape of an offer; other numbers are the words of a bit set, 0 a plain value
GLOBALS = {
    "looked": ("i32", 0),  # replies tried so far
    "policy_top": ("i32", 0),  # where the next entry of the policy goes
}

KEYS = """
def shape() -> i32:
    return i32[i32[PENDING] << 2, SHAPES]
# write the key of an option of the pending decision; return where it ends
def key(number: i32, to: i32) -> i32:
    assert to <= KEYS_LIMIT
    form = shape()
    at = to + 8
    lengths = SPARE
    if not i32[form]:
        row = listing + number * OPTION_SIZE
        base = (u8[form + i32[row], 9] + 1) << 3
        copy_words(at, row, base)
        at += base
    else:
        row = ENDS_AT + number * i32[form]
        form += 8
        while True:
            sort = u8[form]
            if sort == END_OF_SHAPE: break
            set = i32[row]
            members = at
            if not sort:
                i64[at] = i64[row]
                at += 8
            elif sort == LIST:
                base = i32[set]
                assert base <= 4096
                base <<= 3
                copy_words(at, set + 8, base)
                at += base
            else:
                for base in range(0, sort << 6, 64):
                    bits = i64[set]
                    while bits:
                        i64[at] = i64(base) + ctz(bits)
                        at += 8
                        bits &= bits - 1
                    set += 8
            if sort:
                i64[lengths] = i64((at - members) >> 3)
                lengths += 8
            row += 8
            form += 1
    i64[to] = i64(((at - to) >> 3) - 1)
    lengths -= SPARE
    copy_words(at, SPARE, lengths)
    return at + lengths
# write the keys of all options; return their size
@export
def listing_key() -> i64:
    list_options()
    at = KEYS
    for k in range(i32[COUNT]):
        at = key(k, at)
    return i64(at - KEYS)
def same_words(a: i32, b: i32, n: i32) -> i32:
    while n:
        if i64[a] != i64[b]: return 0
        a += 8
        b += 8
        n -= 8
    return 1
"""

BY_EVALUATION = """
# the value of the position for the seat: its evaluation
def value() -> f64:
    return as_float(worth(i32[SEAT]))
"""

BY_POINTS = """
# the value of the position for the seat: its lead in score
def value() -> f64:
    best: f64 = 0
    some = 0
    for side in range(SIDES):
        seat = i16[side << 1, SEAT_OF]
        lead = as_float(points(seat))
        if seat == i32[SEAT]:
            own = lead
        else:
            if (not some) | (lead > best): best = lead
            some = 1
    return own - best
"""

BY_PIECES = """
# the value of the position for the seat: its lead in pieces on the map
def value() -> f64:
    most: i64 = 0
    memory_fill(COUNTS, 0, COUNTS_SIZE)
    for piece in range(PIECES):
        if u8[i16[piece << 1, AT], ON_MAP]:
            side = owner(piece)
            if ge_s(side, 0):
                at = COUNTS + (i16[side << 1, SEAT_OF] << 3)
                i64[at] += 1
    for at in range(COUNTS, COUNTS + COUNTS_SIZE, 8):
        if at != COUNTS + (i32[SEAT] << 3) and i64[at] > most: most = i64[at]
    return f64(i64[COUNTS + (i32[SEAT] << 3)] - most)
"""

TRIALS = """
def as_float(number: i64) -> f64:
    assert le_u(number + 0x20000000000000, 0x40000000000000)
    return f64(number) / f64(WORTH_SCALE)
@export
def value_of(seat: i32):
    i64[SEAT] = i64(seat)
    f64[VALUE] = value()
# try an option on a saved position and evaluate it
@export
def look():
    attempt()
    f64[VALUE] = value()
# the trials from `k` on; TRIAL holds the one under way, for the host where there is a trap
@export
def trials(first: i32, n: i32):
    memory_copy(BASE, SLOT, 96)
    for k in range(first, n):
        i64[TRIAL] = i64(k)
        trial(TRIALS + k * TRIAL_SIZE)
def trial(e: i32):
    memory_copy(SLOT, BASE, 96)
    mode = i32[e, 24]
    i64[e, 56] = 0
    i64[e, 72] = 1
    i64[e, 80] = -1
    i64[e, 96] = 0
    i64[OPTION] = i64[e]
    i64[DICE_SEED] = i64[e, 8]
    i64[CHOOSER_SEED] = i64[e, 16]
    i64[STOP] = i64(2 if mode & 16 else mode & 1)
    if i64[e] < 0:
        load(i32[SLOT])
        f64[e, 48] = value()
        return
    left = attempt()
    if left != 0:
        if mode & 16:
            follow_policy(left)
        elif reply(e, left):
            i64[e, 96] = 1
            return
    i64[e, 64] = i64(not (i64[DICE, 64] | i64[CHOOSER, 64]))
    f64[e, 48] = value()
    if i32[OVER]:
        winners = i64[WINNER]
        if winners > 0: i64[e, 56] = 1 if i32(1 & (winners >> i64(i32[SEAT]))) else -1
# the seat's reply, and what follows until the option is at rest; whether a closer look found the planned one again
def reply(e: i32, left: i64) -> i32:
    list_options()
    count = i32[COUNT]
    mode = i32[e, 24]
    planned = -1
    if mode & 2: planned = planned_number(e, count)
    if ge_s(planned, 0) & ((mode & 4) == 4):
        best = planned
    else:
        best = best_reply(e, planned, count)
    if mode & 8 and best == planned: return 1
    size = key(best, KEYS) - KEYS
    assert size <= KEY_SIZE
    copy_words(e + KEY_AT, KEYS, size)
    i64[e, 80] = i64[PENDING]
    i64[e, 88] = i64(size)
    memory_copy(SLOT, BASE, 96)
    i64[LEFT] = left - 1
    i64[STOP] = 0
    quick = 1
    pick(best)
    advance()
    return 0
# the number of the planned reply, or -1; RELATIONS says how keys of two decisions compare
def planned_number(e: i32, count: i32) -> i32:
    plan = e + KEY_AT
    relation = u8[i32[PENDING] + i32[e, 40] * DECISIONS, RELATIONS]
    if not relation: return -1
    for k in range(count):
        size = key(k, KEYS) - KEYS
        if size == i32[e, 88]:
            if relation == 1:
                if same_words(plan, KEYS, size): return k
            else:
                assert i64[plan, 8] != i64[KEYS, 8]
    return -1
# the best reply of those tried; afterwards the position is as before
def best_reply(e: i32, planned: i32, count: i32) -> i32:
    highest: f64 = 0
    assert count <= MAX_OPTIONS
    most = i32[e, 32]
    i64[e, 72] = i64(count <= most)
    seed(REPLY_DICE, i64[CHOOSER_SEED] + 0x1000000000000000, 0)
    drawn = i64(roll(REPLY_DICE, 256))
    worth(i32[SEAT])
    memory_copy(KEPT_CHOOSER, CHOOSER, 144)
    save(REPLY_SLOT)
    i64[SLOT] = REPLY_SLOT
    i64[DICE_SEED] = drawn
    i64[CHOOSER_SEED] = -1 - drawn
    i64[OUTER_DEPTH] = i64[START_DEPTH]
    i64[OUTER_ADDRESS] = i64[START_ADDRESS]
    i64[START_DEPTH] = waiting()
    i64[START_ADDRESS] = i64(i32[i32[PENDING] << 2, ADDRESSES])
    i64[START_SIDE] = i64[SIDE]
    i64[STOP] = 0
    looked = 0
    memory_fill(FLAGS, 0, count)
    if ge_s(planned, 0):
        if count > most: most >>= 1
        look_at(planned)
    look_at_sample(count, most if count <= most else most >> 1)
    if count > most: look_at_promising(count, most - (most >> 1))
    at = LOOKED
    for k in range(looked):
        if (not k) | (f64[at, 8] > highest):
            highest = f64[at, 8]
            best = i32[at]
        at += 24
    load(REPLY_SLOT)
    list_options()
    memory_copy(CHOOSER, KEPT_CHOOSER, 144)
    return best
# try one reply, unless it was tried; 0 its number, 8 its value, 16 its key
def look_at(number: i32):
    if u8[number, FLAGS] & 1: return
    u8[number, FLAGS] |= 1
    assert looked < MAX_LOOKED
    i64[OPTION] = i64(number)
    i64[LEFT] = i64[FEW]
    attempt()
    at = LOOKED + looked * 24
    i64[at] = i64(number)
    f64[at, 8] = value()
    looked += 1
# try replies drawn at random, in order, and the last one
def look_at_sample(count: i32, most: i32):
    last = count - 1
    if count > most:
        for k in range(last):
            i32[k << 2, DRAWN] = k
        k = 0
        while lt_s(k, most - 1):
            at = k << 2
            other = (k + roll(REPLY_DICE, last - k)) << 2
            one = i32[at, DRAWN]
            i32[at, DRAWN] = i32[other, DRAWN]
            i32[other, DRAWN] = one
            k += 1
        at = (most if most else last) - 1
        k = 0
        while lt_s(k, at):
            u8[i32[k << 2, DRAWN], FLAGS] |= 2
            k += 1
    for k in range(count):
        if (count <= most) | (k == last) | (u8[k, FLAGS] >> 1): look_at(k)
# try the replies most like the best of those tried: see `players.bots.option_similarity`
def look_at_promising(count: i32, most: i32):
    mean: f64 = 0
    chosen = 0
    if not most: return
    assert most <= MAX_PROMISING
    load(REPLY_SLOT)
    list_options()
    assert i32[shape(), 4]
    end = LOOKED + looked * 24
    keys = KEYS
    for at in range(LOOKED, end, 24):
        mean += f64[at, 8]
        i64[at, 16] = i64(keys)
        keys = key(i32[at], keys)
    mean = mean / f64(i64(looked))
    alike = 1
    for at in range(LOOKED, end, 24):
        if f64[at, 8] != mean: alike = 0
    for k in range(count):
        if u8[k, FLAGS] & 1: continue
        if not alike:
            key(k, keys)
            hope = promise(keys, end, mean)
        place = PROMISING + (chosen << 4)
        if chosen >= most:
            place -= 16
            if not (hope > f64[place, 8]): continue
        else:
            chosen += 1
        while place != PROMISING and hope > f64[place - 16, 8]:
            move_entry(place, place - 16)
            place -= 16
        i64[place] = i64(k)
        f64[place, 8] = hope
    for k in range(chosen):
        look_at(i32[PROMISING + (k << 4)])
# the sum of the effects of an option's parts among the replies tried
def promise(key: i32, end: i32, mean: f64) -> f64:
    k = 0
    sum: f64 = 0
    parts = i32[key]
    while k < parts:
        k += 1
        total = f64(0)
        count: i64 = 1
        for at in range(LOOKED, end, 24):
            other = i32[at, 16]
            if k <= i32[other] and i64[other + (k << 3)] == i64[key + (k << 3)]:
                total = total + f64[at, 8] - mean
                count += 1
        if gt_u(count, 1): sum += total / f64(count)
    return sum
"""

POLICIES = """
# the answers of a rollout policy, by decision, side and options: a table of chains; an entry holds 0 the next one,
# 4 the answer, 8 the size of the keys, 12 the decision, 16 the side, 24 a hash, 32 the keys of the options
@export
def clear_policy():
    memory_fill(POLICY, 0, POLICY_TABLE)
    policy_top = POLICY_ENTRIES
def hash_words(at: i32, n: i32) -> i64:
    hash: i64 = 0x51ed270b35ac9f1d
    while n:
        hash = rotl(hash ^ i64[at], 29) * 0x2545f4914f6cdd1d
        at += 8
        n -= 8
    return hash ^ (hash >> 32)
# the address of the answer for the options whose keys were written, of a decision and a side; 0 if no answer is stored
def policy_entry(size: i32, pending: i32, side: i32) -> i32:
    hash = hash_words(KEYS, size)
    at = i32[(i32(hash) & 4095) << 2, POLICY]
    while at:
        is_same = (i32[at, 8] == size) & (i32[at, 12] == pending) & (i32[at, 16] == side)
        if i64[at, 24] == hash and is_same and same_words(KEYS, at + 32, size): return at
        at = i32[at]
    return 0
# enter options whose keys the host has written; return the entry, or 0 if the table is full
@export
def enter_policy(size: i32, pending: i32, side: i32) -> i64:
    at = policy_top
    if at + size + 64 > POLICY_END: return 0
    hash = hash_words(KEYS, size)
    chain = POLICY + ((i32(hash) & 4095) << 2)
    i32[at] = i32[chain]
    i32[chain] = at
    i32[at, 8] = size
    i32[at, 12] = pending
    i32[at, 16] = side
    i64[at, 24] = hash
    memory_copy(at + 32, KEYS, size)
    policy_top = at + size + 32
    return i64(at)
# answer known decisions as the policy does, until the trial is at rest
def follow_policy(left: i64):
    while True:
        at = policy_entry(i32(listing_key()), i32[PENDING], i32[SIDE])
        quick = 1
        if at:
            pick(i32[at, 4])
        else:
            answer_quickly()
        i64[LEFT] = left - 1
        left = advance()
        if left == 0: break
"""

TEXT = KEYS + TRIALS + POLICIES
