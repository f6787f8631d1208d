"""Operations of the host on whole positions, in the language of `function_compiler`: save, restore, count, look ahead.

Layout of a slot: 0 number of bytes of the saved block, 4 of its heap, 8 of its queue, 12 of its listed options (-1 if
they must be listed again), 16 the era of its versions, 32 these bytes in that order.

A request from the host is a row of 64-bit words: 0 slot, 1 option, 2 and 3 seeds of the dice and of the chooser,
4 answers left, 5 to 7 depth, address and side of the decision the look begins from, 8 and 9 depth and address of the
one around it, 10 seat, 11 where to stop: 1 where the seat has a first choice, 2 where it has a decision marked as
known, 0 nowhere.
"""

from __future__ import annotations

REQUEST = ("slot", "option", "dice", "chooser", "left", "depth", "address", "side", "outer", "around", "seat", "stop")

POSITIONS = """
@export
def save(to: i32) -> i64:
    at = save_state(to)
    n = -1
    if listed & (not is_draft()) and i32[COUNT] <= MOST_ROWS:
        n = i32[COUNT] * OPTION_SIZE
        copy_words(at, OPTIONS, n)
        at += n
    i32[to, 12] = n
    return i64(at - to)
@export
def load(source: i32):
    list_in_buffer()
    at = load_state(source)
    n = i32[source, 12]
    if gt_s(n, 0): copy_words(OPTIONS, at, n)
# everything but the listed options; where they would follow
def save_state(to: i32) -> i32:
    n = i32[SP] - COPIED
    i32[to] = n
    at = to + 32
    memory_copy(at, COPIED, n)
    at += n
    n = i32[HEAP_TOP] - HEAP
    i32[to, 4] = n
    if n:
        memory_copy(at, HEAP, n)
        at += n
    n = 0
    if i32[QUEUED]:
        n = QUEUE_BYTES
        memory_copy(at, QUEUE, n)
        at += n
    i32[to, 8] = n
    i32[to, 16] = era
    return at
def load_state(source: i32) -> i32:
    quick = 0
    at = source + 32
    n = i32[source]
    memory_copy(COPIED, at, n)
    at += n
    n = i32[source, 4]
    if n:
        memory_copy(HEAP, at, n)
        at += n
    n = i32[source, 8]
    if n:
        memory_copy(QUEUE, at, n)
        at += n
    listed = ge_s(i32[source, 12], 0) | (is_draft() & ((i64[ENDS] != 0) & (i64[ENDS] == ends_now)))
    if i32[source, 16] != era: renew_versions()
    return at
# a position that the host has written: its options are listed, its versions are new
@export
def resume():
    quick = 0
    list_in_buffer()
    renew_versions()
    relist()
def list_in_buffer():
    listing = OPTIONS
    listing_end = OPTIONS_END
@export
def list_options():
    quick = 0
    if not listed: relist()
def is_draft() -> i32:
    return u8[i32[PENDING], IS_DRAFT]
# dice from a seed of 64 bits of which `counter` bytes are used
@export
def seed(dice: i32, seed: i64, counter: i64):
    i64[dice] = seed
    for k in range(8, 64, 8):
        i64[dice + k] = shr_s(seed, 63)
    i64[dice, 64] = counter
    i64[dice, 72] = 0
# sequences of choices to a depth; a game that is over is one
@export
def perft(levels: i32, slot: i32) -> i64:
    sum: i64 = 0
    if (not levels) | i32[OVER]: return 1
    if levels == 1: return i64[COUNT]
    assert slot < SLOTS_END
    n = i32[COUNT]
    save(slot)
    for k in range(n):
        if k: load(slot)
        pick(k)
        sum += perft(levels - 1, slot + SLOT_SIZE)
    return sum
"""

BATCHES = """
# options are listed in the lane itself: they lie behind the LANE_ROOM bytes of the position
def list_in_lane(lane: i32, stride: i32):
    listing = lane + i32[LANE_ROOM]
    listing_end = lane + stride
def saved_size() -> i32:
    n = 32 + (i32[SP] - COPIED + (i32[HEAP_TOP] - HEAP))
    if i32[QUEUED]: n += QUEUE_BYTES
    return n
def into_lane(lane: i32):
    assert saved_size() <= i32[LANE_ROOM]
    save_state(lane)
    i32[lane, 12] = 0 if listed & (not is_draft()) else -1
# the live position, which the host has written, becomes that of a lane
@export
def settle_lane(k: i32, stride: i32):
    lane = LANES + k * stride
    list_in_lane(lane, stride)
    if not i32[OVER]: relist()
    into_lane(lane)
# the game of a lane starts again, with the next of its seeds
@export
def begin_lane(k: i32, n: i32, stride: i32):
    lane = LANES + k * stride
    at = LANE_SEEDS + (k << 3)
    load(SLOTS)
    seed(DICE, i64[at], 0)
    i64[at] += i64(n)
    list_in_lane(lane, stride)
    begin()
    into_lane(lane)
# one choice in each lane from `k` on; a lane whose game is over starts again. The lane being played is kept in
# LANE, so that the host knows it where there is a trap. Options that there are not are a trap. The first position has
# versions of its own, so all lanes share what is memoized of it.
@export
def step_lanes(k: i32, n: i32, stride: i32):
    lane = LANES + k * stride
    while True:
        if k >= n: return
        i32[LANE] = k
        if i32[lane, LANE_OVER]:
            begin_lane(k, n, stride)
        else:
            number = i32[k << 2, LANE_ACTIONS]
            assert number < i32[lane, LANE_COUNT]
            load_state(lane)
            list_in_lane(lane, stride)
            pick(number)
            into_lane(lane)
        k += 1
        lane += stride
"""

LOOKAHEAD = """
# how many procedures wait for the decision, the sequence of play among them
@export
def waiting() -> i64:
    n: i64 = 1
    p = i32[FP]
    while p:
        n += 1
        p = i32[p, 8]
    return n
def may_end() -> i32:
    if i32[PARTIAL]: return 1
    if is_draft(): return 0
    if not i32[COUNT]: return 0
    return i32[OPTIONS + (i32[COUNT] - 1) * OPTION_SIZE] == -1
# the end of a repeated decision where it is offered, else any option
def answer_quickly():
    if i32[PARTIAL]:
        begin_question()
        i64[ANSWER] = -1
        go_on()
        return
    n = i32[COUNT]
    if may_end():
        pick(n - 1)
    elif n == 1:
        pick(0)
    else:
        pick(roll(CHOOSER, n))
# the end of a repeated decision, whether or not its options are listed
@export
def end_row():
    if i32[PARTIAL]:
        answer_quickly()
    else:
        pick(i32[COUNT] - 1)
# answer quickly until the request says to stop; the answers left where the seat itself has to choose, else 0
def advance() -> i64:
    left = i64[LEFT]
    stop = i32[STOP]
    quick = 1
    while left > 0 and not i32[OVER]:
        nesting = waiting()
        address = i32[i32[PENDING] << 2, ADDRESSES]
        side = i32[SIDE]
        if nesting < i64[START_DEPTH]: break
        if nesting == i64[START_DEPTH] and address == i32[START_ADDRESS]:
            if (side != i32[START_SIDE]) | (not may_end()): break
            if stop == 1: stop = 0
        if nesting < i64[OUTER_DEPTH]: break
        if (nesting == i64[OUTER_DEPTH]) & (address == i32[OUTER_ADDRESS]): break
        if stop and i16[side << 1, SEAT_OF] == i32[SEAT]:
            if stop == 1:
                if (i32[COUNT] > 1) | may_end():
                    quick = 0
                    return left
            elif u8[address * SIDES + side, KNOWN]:
                quick = 0
                return left
        answer_quickly()
        left -= 1
    quick = 0
    return 0
# try an option on a saved position, with dice of its own
def attempt() -> i64:
    load(i32[SLOT])
    i64[DEALT] = 0
    seed(DICE, i64[DICE_SEED], 0)
    seed(CHOOSER, i64[CHOOSER_SEED], 0)
    quick = 1
    pick(i32[OPTION])
    return advance()
"""
