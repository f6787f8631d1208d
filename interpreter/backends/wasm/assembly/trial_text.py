"""Trials of options for bots, in the text form of WebAssembly: see `players.bots.option_evaluation` for what they do.

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
TRIAL_SIZE, KEY_AT, MOST_TRIALS = 1024, 128, 64
RESULTS_AT, KEY_SIZE_AT = 48, 88  # words 6 and 11 of a trial
KEYS_SIZE, LONGEST_KEY = 4 << 20, 1 << 18
MOST_OPTIONS, MOST_LOOKED, MOST_PROMISING = 1 << 16, 1 << 13, 64
MOST_SEATS = 256  # whose pieces are counted
POLICY_TABLE, POLICY_SIZE = 4 << 12, 4 << 20
LIST, END_OF_SHAPE = 254, 255  # in the shape of an offer; other numbers are the words of a bit set, 0 a plain value
GLOBALS = {
    "looked": ("i32", 0),  # replies tried so far
    "policy_top": ("i32", 0),  # where the next entry of the policy goes
}

KEYS = """
(func $shape (result i32) (i32.load offset=SHAPES (i32.shl (i32.load (i32.const PENDING)) (i32.const 2))))
;; write the key of an option of the pending decision; return where it ends
(func $key (param $number i32) (param $to i32) (result i32)
    (local $shape i32) (local $row i32) (local $at i32) (local $sort i32) (local $set i32) (local $base i32)
    (local $bits i64) (local $from i32) (local $lengths i32)
  (if (i32.gt_u (local.get $to) (i32.const KEYS_LIMIT)) (then (unreachable)))
  (local.set $shape (call $shape))
  (local.set $at (i32.add (local.get $to) (i32.const 8)))
  (local.set $lengths (i32.const SPARE))
  (if (i32.eqz (i32.load (local.get $shape)))
    (then
      (local.set $row (i32.add (global.get $listing) (i32.mul (local.get $number) (i32.const OPTION_SIZE))))
      (local.set $base (i32.shl
        (i32.add (i32.load8_u offset=9 (i32.add (local.get $shape) (i32.load (local.get $row)))) (i32.const 1))
        (i32.const 3)))
      (call $copy_words (local.get $at) (local.get $row) (local.get $base))
      (local.set $at (i32.add (local.get $at) (local.get $base))))
    (else
      (local.set $row (i32.add (i32.const ENDS_AT) (i32.mul (local.get $number) (i32.load (local.get $shape)))))
      (local.set $shape (i32.add (local.get $shape) (i32.const 8)))
      (block $out (loop $values
        (local.set $sort (i32.load8_u (local.get $shape)))
        (br_if $out (i32.eq (local.get $sort) (i32.const 255)))
        (local.set $set (i32.load (local.get $row)))
        (local.set $from (local.get $at))
        (block $taken
          (if (i32.eqz (local.get $sort)) (then
            (i64.store (local.get $at) (i64.load (local.get $row)))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $taken)))
          (if (i32.eq (local.get $sort) (i32.const 254))
            (then
              (local.set $base (i32.load (local.get $set)))
              (if (i32.gt_u (local.get $base) (i32.const 4096)) (then (unreachable)))
              (local.set $base (i32.shl (local.get $base) (i32.const 3)))
              (call $copy_words (local.get $at) (i32.add (local.get $set) (i32.const 8)) (local.get $base))
              (local.set $at (i32.add (local.get $at) (local.get $base))))
            (else
              (local.set $base (i32.const 0))
              (loop $words
                (local.set $bits (i64.load (local.get $set)))
                (block $empty (loop $members
                  (br_if $empty (i64.eqz (local.get $bits)))
                  (i64.store (local.get $at) (i64.add (i64.extend_i32_u (local.get $base)) (i64.ctz (local.get $bits))))
                  (local.set $at (i32.add (local.get $at) (i32.const 8)))
                  (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
                  (br $members)))
                (local.set $set (i32.add (local.get $set) (i32.const 8)))
                (local.set $base (i32.add (local.get $base) (i32.const 64)))
                (br_if $words (local.tee $sort (i32.sub (local.get $sort) (i32.const 1)))))))
          (i64.store (local.get $lengths)
            (i64.extend_i32_u (i32.shr_u (i32.sub (local.get $at) (local.get $from)) (i32.const 3))))
          (local.set $lengths (i32.add (local.get $lengths) (i32.const 8))))
        (local.set $row (i32.add (local.get $row) (i32.const 8)))
        (local.set $shape (i32.add (local.get $shape) (i32.const 1)))
        (br $values)))))
  (i64.store (local.get $to)
    (i64.extend_i32_u (i32.sub (i32.shr_u (i32.sub (local.get $at) (local.get $to)) (i32.const 3)) (i32.const 1))))
  (local.set $lengths (i32.sub (local.get $lengths) (i32.const SPARE)))
  (call $copy_words (local.get $at) (i32.const SPARE) (local.get $lengths))
  (i32.add (local.get $at) (local.get $lengths)))
;; write the keys of all options; return their size
(func $listing_key (export) (result i64) (local $k i32) (local $at i32)
  (call $list_options)
  (local.set $at (i32.const KEYS))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $k) (i32.load (i32.const COUNT))))
    (local.set $at (call $key (local.get $k) (local.get $at)))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $l)))
  (i64.extend_i32_u (i32.sub (local.get $at) (i32.const KEYS))))
(func $same_words (param $a i32) (param $b i32) (param $n i32) (result i32)
  (block $out (loop $l
    (br_if $out (i32.eqz (local.get $n)))
    (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (local.set $n (i32.sub (local.get $n) (i32.const 8)))
    (br $l)))
  (i32.const 1))
"""

BY_EVALUATION = """
;; the value of the position for the seat: its evaluation
(func $value (result f64) (call $as_float (call $worth (i32.load (i32.const SEAT)))))
"""

BY_POINTS = """
;; the value of the position for the seat: its lead in score
(func $value (result f64) (local $side i32) (local $seat i32) (local $points f64) (local $own f64) (local $best f64)
    (local $some i32)
  (loop $l
    (local.set $seat (i32.load16_s offset=SEAT_OF (i32.shl (local.get $side) (i32.const 1))))
    (local.set $points (call $as_float (call $points (local.get $seat))))
    (if (i32.eq (local.get $seat) (i32.load (i32.const SEAT)))
      (then (local.set $own (local.get $points)))
      (else
        (if (i32.or (i32.eqz (local.get $some)) (f64.gt (local.get $points) (local.get $best)))
          (then (local.set $best (local.get $points))))
        (local.set $some (i32.const 1))))
    (br_if $l (i32.lt_u (local.tee $side (i32.add (local.get $side) (i32.const 1))) (i32.const SIDES))))
  (f64.sub (local.get $own) (local.get $best)))
"""

BY_PIECES = """
;; the value of the position for the seat: its lead in pieces on the map
(func $value (result f64) (local $piece i32) (local $side i32) (local $at i32) (local $most i64)
  (memory.fill (i32.const COUNTS) (i32.const 0) (i32.const COUNTS_SIZE))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $piece) (i32.const PIECES)))
    (if (i32.load8_u offset=ON_MAP (i32.load16_s offset=PLACE_OF (i32.shl (local.get $piece) (i32.const 1)))) (then
      (local.set $side (call $owner (local.get $piece)))
      (if (i32.ge_s (local.get $side) (i32.const 0)) (then
        (local.set $at (i32.add (i32.const COUNTS) (i32.shl
          (i32.load16_s offset=SEAT_OF (i32.shl (local.get $side) (i32.const 1))) (i32.const 3))))
        (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (i64.const 1)))))))
    (local.set $piece (i32.add (local.get $piece) (i32.const 1)))
    (br $l)))
  (local.set $at (i32.const COUNTS))
  (loop $l
    (if (i32.ne (local.get $at) (i32.add (i32.const COUNTS) (i32.shl (i32.load (i32.const SEAT)) (i32.const 3)))) (then
      (if (i64.gt_s (i64.load (local.get $at)) (local.get $most)) (then
        (local.set $most (i64.load (local.get $at)))))))
    (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8)))
      (i32.add (i32.const COUNTS) (i32.const COUNTS_SIZE)))))
  (f64.convert_i64_s (i64.sub
    (i64.load (i32.add (i32.const COUNTS) (i32.shl (i32.load (i32.const SEAT)) (i32.const 3)))) (local.get $most))))
"""

TRIALS = """
(func $as_float (param $number i64) (result f64)
  (if (i64.gt_u (i64.add (local.get $number) (i64.const 0x20000000000000)) (i64.const 0x40000000000000))
    (then (unreachable)))
  (f64.div (f64.convert_i64_s (local.get $number)) (f64.convert_i64_s (i64.const WORTH_SCALE))))
(func $value_of (export) (param $seat i32)
  (i64.store (i32.const SEAT) (i64.extend_i32_u (local.get $seat)))
  (f64.store (i32.const VALUE) (call $value)))
;; try an option on a saved position and evaluate it
(func $look (export)
  (drop (call $attempt))
  (f64.store (i32.const VALUE) (call $value)))
;; the trials from `k` on; TRIAL holds the one under way, for the host where there is a trap
(func $trials (export) (param $k i32) (param $n i32)
  (memory.copy (i32.const BASE) (i32.const SLOT) (i32.const 96))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $k) (local.get $n)))
    (i64.store (i32.const TRIAL) (i64.extend_i32_u (local.get $k)))
    (call $trial (i32.add (i32.const TRIALS) (i32.mul (local.get $k) (i32.const TRIAL_SIZE))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $l))))
(func $trial (param $e i32) (local $left i64) (local $mode i32) (local $winners i64)
  (memory.copy (i32.const SLOT) (i32.const BASE) (i32.const 96))
  (local.set $mode (i32.load offset=24 (local.get $e)))
  (i64.store offset=56 (local.get $e) (i64.const 0))
  (i64.store offset=72 (local.get $e) (i64.const 1))
  (i64.store offset=80 (local.get $e) (i64.const -1))
  (i64.store offset=96 (local.get $e) (i64.const 0))
  (i64.store (i32.const OPTION) (i64.load (local.get $e)))
  (i64.store (i32.const DICE_SEED) (i64.load offset=8 (local.get $e)))
  (i64.store (i32.const CHOOSER_SEED) (i64.load offset=16 (local.get $e)))
  (i64.store (i32.const STOP) (i64.extend_i32_u
    (select (i32.const 2) (i32.and (local.get $mode) (i32.const 1)) (i32.and (local.get $mode) (i32.const 16)))))
  (if (i64.lt_s (i64.load (local.get $e)) (i64.const 0)) (then
    (call $load (i32.load (i32.const SLOT)))
    (f64.store offset=48 (local.get $e) (call $value))
    (return)))
  (local.set $left (call $attempt))
  (if (i64.ne (local.get $left) (i64.const 0)) (then
    (if (i32.and (local.get $mode) (i32.const 16))
      (then (call $follow_policy (local.get $left)))
      (else
        (if (call $reply (local.get $e) (local.get $left)) (then
          (i64.store offset=96 (local.get $e) (i64.const 1))
          (return)))))))
  (i64.store offset=64 (local.get $e) (i64.extend_i32_u (i64.eqz
    (i64.or (i64.load offset=64 (i32.const DICE)) (i64.load offset=64 (i32.const CHOOSER))))))
  (f64.store offset=48 (local.get $e) (call $value))
  (if (i32.load (i32.const OVER)) (then
    (local.set $winners (i64.load (i32.const WINNER)))
    (if (i64.gt_s (local.get $winners) (i64.const 0)) (then
      (i64.store offset=56 (local.get $e) (select (i64.const 1) (i64.const -1) (i32.wrap_i64 (i64.and (i64.const 1)
        (i64.shr_u (local.get $winners) (i64.extend_i32_u (i32.load (i32.const SEAT)))))))))))))
;; the seat's reply, and what follows until the option is at rest; whether a closer look found the planned one again
(func $reply (param $e i32) (param $left i64) (result i32) (local $count i32) (local $planned i32) (local $best i32)
    (local $mode i32) (local $size i32)
  (call $list_options)
  (local.set $count (i32.load (i32.const COUNT)))
  (local.set $mode (i32.load offset=24 (local.get $e)))
  (local.set $planned (i32.const -1))
  (if (i32.and (local.get $mode) (i32.const 2)) (then
    (local.set $planned (call $planned_number (local.get $e) (local.get $count)))))
  (if (i32.and (i32.ge_s (local.get $planned) (i32.const 0))
        (i32.eq (i32.and (local.get $mode) (i32.const 4)) (i32.const 4)))
    (then (local.set $best (local.get $planned)))
    (else (local.set $best (call $best_reply (local.get $e) (local.get $planned) (local.get $count)))))
  (if (i32.and (local.get $mode) (i32.const 8)) (then
    (if (i32.eq (local.get $best) (local.get $planned)) (then (return (i32.const 1))))))
  (local.set $size (i32.sub (call $key (local.get $best) (i32.const KEYS)) (i32.const KEYS)))
  (if (i32.gt_u (local.get $size) (i32.const KEY_SIZE)) (then (unreachable)))
  (call $copy_words (i32.add (local.get $e) (i32.const KEY_AT)) (i32.const KEYS) (local.get $size))
  (i64.store offset=80 (local.get $e) (i64.load (i32.const PENDING)))
  (i64.store offset=88 (local.get $e) (i64.extend_i32_u (local.get $size)))
  (memory.copy (i32.const SLOT) (i32.const BASE) (i32.const 96))
  (i64.store (i32.const LEFT) (i64.sub (local.get $left) (i64.const 1)))
  (i64.store (i32.const STOP) (i64.const 0))
  (global.set $quick (i32.const 1))
  (drop (call $pick (local.get $best)))
  (drop (call $advance))
  (i32.const 0))
;; the number of the planned reply, or -1; RELATIONS says how keys of two decisions compare
(func $planned_number (param $e i32) (param $count i32) (result i32) (local $k i32) (local $plan i32) (local $size i32)
    (local $relation i32)
  (local.set $plan (i32.add (local.get $e) (i32.const KEY_AT)))
  (local.set $relation (i32.load8_u offset=RELATIONS (i32.add (i32.load (i32.const PENDING))
    (i32.mul (i32.load offset=40 (local.get $e)) (i32.const DECISIONS)))))
  (if (i32.eqz (local.get $relation)) (then (return (i32.const -1))))
  (block $none (loop $l
    (br_if $none (i32.ge_u (local.get $k) (local.get $count)))
    (local.set $size (i32.sub (call $key (local.get $k) (i32.const KEYS)) (i32.const KEYS)))
    (if (i32.eq (local.get $size) (i32.load offset=88 (local.get $e))) (then
      (if (i32.eq (local.get $relation) (i32.const 1))
        (then
          (if (call $same_words (local.get $plan) (i32.const KEYS) (local.get $size))
            (then (return (local.get $k)))))
        (else
          (if (i64.eq (i64.load offset=8 (local.get $plan)) (i64.load offset=8 (i32.const KEYS)))
            (then (unreachable)))))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $l)))
  (i32.const -1))
;; the best reply of those tried; afterwards the position is as before
(func $best_reply (param $e i32) (param $planned i32) (param $count i32) (result i32)
    (local $most i32) (local $seed i64) (local $k i32) (local $at i32) (local $best i32) (local $value f64)
  (if (i32.gt_u (local.get $count) (i32.const MOST_OPTIONS)) (then (unreachable)))
  (local.set $most (i32.load offset=32 (local.get $e)))
  (i64.store offset=72 (local.get $e) (i64.extend_i32_u (i32.le_u (local.get $count) (local.get $most))))
  (call $seed (i32.const REPLY_DICE)
    (i64.add (i64.load (i32.const CHOOSER_SEED)) (i64.const 0x1000000000000000)) (i64.const 0))
  (local.set $seed (i64.extend_i32_u (call $roll (i32.const REPLY_DICE) (i32.const 256))))
  (drop (call $worth (i32.load (i32.const SEAT))))
  (memory.copy (i32.const KEPT_CHOOSER) (i32.const CHOOSER) (i32.const 144))
  (drop (call $save (i32.const REPLY_SLOT)))
  (i64.store (i32.const SLOT) (i64.const REPLY_SLOT))
  (i64.store (i32.const DICE_SEED) (local.get $seed))
  (i64.store (i32.const CHOOSER_SEED) (i64.sub (i64.const -1) (local.get $seed)))
  (i64.store (i32.const OUTER_DEPTH) (i64.load (i32.const START_DEPTH)))
  (i64.store (i32.const OUTER_ADDRESS) (i64.load (i32.const START_ADDRESS)))
  (i64.store (i32.const START_DEPTH) (call $waiting))
  (i64.store (i32.const START_ADDRESS)
    (i64.extend_i32_u (i32.load offset=ADDRESSES (i32.shl (i32.load (i32.const PENDING)) (i32.const 2)))))
  (i64.store (i32.const START_SIDE) (i64.load (i32.const SIDE)))
  (i64.store (i32.const STOP) (i64.const 0))
  (global.set $looked (i32.const 0))
  (memory.fill (i32.const FLAGS) (i32.const 0) (local.get $count))
  (if (i32.ge_s (local.get $planned) (i32.const 0)) (then
    (if (i32.gt_u (local.get $count) (local.get $most)) (then
      (local.set $most (i32.shr_u (local.get $most) (i32.const 1)))))
    (call $look_at (local.get $planned))))
  (call $look_at_sample (local.get $count) (select (local.get $most) (i32.shr_u (local.get $most) (i32.const 1))
    (i32.le_u (local.get $count) (local.get $most))))
  (if (i32.gt_u (local.get $count) (local.get $most)) (then
    (call $look_at_promising (local.get $count)
      (i32.sub (local.get $most) (i32.shr_u (local.get $most) (i32.const 1))))))
  (local.set $at (i32.const LOOKED))
  (loop $l
    (if (i32.or (i32.eqz (local.get $k)) (f64.gt (f64.load offset=8 (local.get $at)) (local.get $value))) (then
      (local.set $value (f64.load offset=8 (local.get $at)))
      (local.set $best (i32.load (local.get $at)))))
    (local.set $at (i32.add (local.get $at) (i32.const 24)))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (global.get $looked))))
  (call $load (i32.const REPLY_SLOT))
  (call $list_options)
  (memory.copy (i32.const CHOOSER) (i32.const KEPT_CHOOSER) (i32.const 144))
  (local.get $best))
;; try one reply, unless it was tried; 0 its number, 8 its value, 16 its key
(func $look_at (param $number i32) (local $at i32)
  (if (i32.and (i32.load8_u offset=FLAGS (local.get $number)) (i32.const 1)) (then (return)))
  (i32.store8 offset=FLAGS (local.get $number)
    (i32.or (i32.load8_u offset=FLAGS (local.get $number)) (i32.const 1)))
  (if (i32.ge_u (global.get $looked) (i32.const MOST_LOOKED)) (then (unreachable)))
  (i64.store (i32.const OPTION) (i64.extend_i32_u (local.get $number)))
  (i64.store (i32.const LEFT) (i64.load (i32.const FEW)))
  (drop (call $attempt))
  (local.set $at (i32.add (i32.const LOOKED) (i32.mul (global.get $looked) (i32.const 24))))
  (i64.store (local.get $at) (i64.extend_i32_u (local.get $number)))
  (f64.store offset=8 (local.get $at) (call $value))
  (global.set $looked (i32.add (global.get $looked) (i32.const 1))))
;; try replies drawn at random, in order, and the last one
(func $look_at_sample (param $count i32) (param $most i32)
    (local $k i32) (local $last i32) (local $at i32) (local $other i32) (local $one i32)
  (local.set $last (i32.sub (local.get $count) (i32.const 1)))
  (if (i32.gt_u (local.get $count) (local.get $most)) (then
    (block $out (loop $l
      (br_if $out (i32.ge_s (local.get $k) (local.get $last)))
      (i32.store offset=DRAWN (i32.shl (local.get $k) (i32.const 2)) (local.get $k))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br $l)))
    (local.set $k (i32.const 0))
    (block $out (loop $l
      (br_if $out (i32.ge_s (local.get $k) (i32.sub (local.get $most) (i32.const 1))))
      (local.set $at (i32.shl (local.get $k) (i32.const 2)))
      (local.set $other (i32.shl (i32.add (local.get $k)
        (call $roll (i32.const REPLY_DICE) (i32.sub (local.get $last) (local.get $k)))) (i32.const 2)))
      (local.set $one (i32.load offset=DRAWN (local.get $at)))
      (i32.store offset=DRAWN (local.get $at) (i32.load offset=DRAWN (local.get $other)))
      (i32.store offset=DRAWN (local.get $other) (local.get $one))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br $l)))
    (local.set $at (i32.sub (select (local.get $most) (local.get $last) (local.get $most)) (i32.const 1)))
    (local.set $k (i32.const 0))
    (block $out (loop $l
      (br_if $out (i32.ge_s (local.get $k) (local.get $at)))
      (local.set $other (i32.load offset=DRAWN (i32.shl (local.get $k) (i32.const 2))))
      (i32.store8 offset=FLAGS (local.get $other)
        (i32.or (i32.load8_u offset=FLAGS (local.get $other)) (i32.const 2)))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br $l)))))
  (local.set $k (i32.const 0))
  (loop $l
    (if (i32.or (i32.or (i32.le_u (local.get $count) (local.get $most)) (i32.eq (local.get $k) (local.get $last)))
          (i32.shr_u (i32.load8_u offset=FLAGS (local.get $k)) (i32.const 1)))
      (then (call $look_at (local.get $k))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $count)))))
;; try the replies most like the best of those tried: see `players.bots.option_similarity`
(func $look_at_promising (param $count i32) (param $most i32) (local $k i32) (local $at i32) (local $keys i32)
    (local $end i32) (local $mean f64) (local $alike i32) (local $chosen i32) (local $promise f64) (local $place i32)
  (if (i32.eqz (local.get $most)) (then (return)))
  (if (i32.gt_u (local.get $most) (i32.const MOST_PROMISING)) (then (unreachable)))
  (call $load (i32.const REPLY_SLOT))
  (call $list_options)
  (if (i32.eqz (i32.load offset=4 (call $shape))) (then (unreachable)))
  (local.set $end (i32.add (i32.const LOOKED) (i32.mul (global.get $looked) (i32.const 24))))
  (local.set $at (i32.const LOOKED))
  (local.set $keys (i32.const KEYS))
  (loop $l
    (local.set $mean (f64.add (local.get $mean) (f64.load offset=8 (local.get $at))))
    (i64.store offset=16 (local.get $at) (i64.extend_i32_u (local.get $keys)))
    (local.set $keys (call $key (i32.load (local.get $at)) (local.get $keys)))
    (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 24))) (local.get $end))))
  (local.set $mean (f64.div (local.get $mean) (f64.convert_i64_s (i64.extend_i32_u (global.get $looked)))))
  (local.set $at (i32.const LOOKED))
  (local.set $alike (i32.const 1))
  (loop $l
    (if (f64.ne (f64.load offset=8 (local.get $at)) (local.get $mean)) (then (local.set $alike (i32.const 0))))
    (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 24))) (local.get $end))))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $k) (local.get $count)))
    (block $known
      (br_if $known (i32.and (i32.load8_u offset=FLAGS (local.get $k)) (i32.const 1)))
      (if (i32.eqz (local.get $alike)) (then
        (drop (call $key (local.get $k) (local.get $keys)))
        (local.set $promise (call $promise (local.get $keys) (local.get $end) (local.get $mean)))))
      (local.set $place (i32.add (i32.const PROMISING) (i32.shl (local.get $chosen) (i32.const 4))))
      (if (i32.ge_u (local.get $chosen) (local.get $most))
        (then
          (local.set $place (i32.sub (local.get $place) (i32.const 16)))
          (br_if $known (i32.eqz (f64.gt (local.get $promise) (f64.load offset=8 (local.get $place))))))
        (else (local.set $chosen (i32.add (local.get $chosen) (i32.const 1)))))
      (block $found (loop $up
        (br_if $found (i32.eq (local.get $place) (i32.const PROMISING)))
        (br_if $found (i32.eqz
          (f64.gt (local.get $promise) (f64.load offset=8 (i32.sub (local.get $place) (i32.const 16))))))
        (call $move_entry (local.get $place) (i32.sub (local.get $place) (i32.const 16)))
        (local.set $place (i32.sub (local.get $place) (i32.const 16)))
        (br $up)))
      (i64.store (local.get $place) (i64.extend_i32_u (local.get $k)))
      (f64.store offset=8 (local.get $place) (local.get $promise)))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $l)))
  (local.set $k (i32.const 0))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $k) (local.get $chosen)))
    (call $look_at (i32.load (i32.add (i32.const PROMISING) (i32.shl (local.get $k) (i32.const 4)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $l))))
;; the sum of the effects of an option's parts among the replies tried
(func $promise (param $key i32) (param $end i32) (param $mean f64) (result f64) (local $parts i32) (local $k i32)
    (local $at i32) (local $other i32) (local $total f64) (local $count i64) (local $sum f64)
  (local.set $parts (i32.load (local.get $key)))
  (block $out (loop $l
    (br_if $out (i32.ge_u (local.get $k) (local.get $parts)))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (local.set $total (f64.convert_i64_s (i64.const 0)))
    (local.set $count (i64.const 1))
    (local.set $at (i32.const LOOKED))
    (loop $seen
      (local.set $other (i32.load offset=16 (local.get $at)))
      (if (i32.le_u (local.get $k) (i32.load (local.get $other))) (then
        (if (i64.eq (i64.load (i32.add (local.get $other) (i32.shl (local.get $k) (i32.const 3))))
                    (i64.load (i32.add (local.get $key) (i32.shl (local.get $k) (i32.const 3)))))
          (then
            (local.set $total
              (f64.sub (f64.add (local.get $total) (f64.load offset=8 (local.get $at))) (local.get $mean)))
            (local.set $count (i64.add (local.get $count) (i64.const 1)))))))
      (br_if $seen (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 24))) (local.get $end))))
    (if (i64.gt_u (local.get $count) (i64.const 1)) (then
      (local.set $sum (f64.add (local.get $sum) (f64.div (local.get $total) (f64.convert_i64_s (local.get $count)))))))
    (br $l)))
  (local.get $sum))
"""

POLICIES = """
;; the answers of a rollout policy, by decision, side and options: a table of chains; an entry holds 0 the next one,
;; 4 the answer, 8 the size of the keys, 12 the decision, 16 the side, 24 a hash, 32 the keys of the options
(func $clear_policy (export)
  (memory.fill (i32.const POLICY) (i32.const 0) (i32.const POLICY_TABLE))
  (global.set $policy_top (i32.const POLICY_ENTRIES)))
(func $hash_words (param $at i32) (param $n i32) (result i64) (local $hash i64)
  (local.set $hash (i64.const 0x51ed270b35ac9f1d))
  (block $out (loop $l
    (br_if $out (i32.eqz (local.get $n)))
    (local.set $hash (i64.mul (i64.rotl (i64.xor (local.get $hash) (i64.load (local.get $at))) (i64.const 29))
      (i64.const 0x2545f4914f6cdd1d)))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $n (i32.sub (local.get $n) (i32.const 8)))
    (br $l)))
  (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))
;; the address of the answer for the options whose keys were written, of a decision and a side; 0 if no answer is stored
(func $policy_entry (param $size i32) (param $pending i32) (param $side i32) (result i32)
    (local $at i32) (local $hash i64)
  (local.set $hash (call $hash_words (i32.const KEYS) (local.get $size)))
  (local.set $at (i32.load offset=POLICY
    (i32.shl (i32.and (i32.wrap_i64 (local.get $hash)) (i32.const 4095)) (i32.const 2))))
  (block $none (loop $l
    (br_if $none (i32.eqz (local.get $at)))
    (block $other
      (br_if $other (i64.ne (i64.load offset=24 (local.get $at)) (local.get $hash)))
      (br_if $other (i32.ne (i32.load offset=8 (local.get $at)) (local.get $size)))
      (br_if $other (i32.ne (i32.load offset=12 (local.get $at)) (local.get $pending)))
      (br_if $other (i32.ne (i32.load offset=16 (local.get $at)) (local.get $side)))
      (br_if $other (i32.eqz
        (call $same_words (i32.const KEYS) (i32.add (local.get $at) (i32.const 32)) (local.get $size))))
      (return (local.get $at)))
    (local.set $at (i32.load (local.get $at)))
    (br $l)))
  (i32.const 0))
;; enter options whose keys the host has written; return the entry, or 0 if the table is full
(func $enter_policy (export) (param $size i32) (param $pending i32) (param $side i32) (result i64)
    (local $at i32) (local $chain i32) (local $hash i64)
  (local.set $at (global.get $policy_top))
  (if (i32.gt_u (i32.add (i32.add (local.get $at) (local.get $size)) (i32.const 64)) (i32.const POLICY_END))
    (then (return (i64.const 0))))
  (local.set $hash (call $hash_words (i32.const KEYS) (local.get $size)))
  (local.set $chain (i32.add (i32.const POLICY)
    (i32.shl (i32.and (i32.wrap_i64 (local.get $hash)) (i32.const 4095)) (i32.const 2))))
  (i32.store (local.get $at) (i32.load (local.get $chain)))
  (i32.store (local.get $chain) (local.get $at))
  (i32.store offset=8 (local.get $at) (local.get $size))
  (i32.store offset=12 (local.get $at) (local.get $pending))
  (i32.store offset=16 (local.get $at) (local.get $side))
  (i64.store offset=24 (local.get $at) (local.get $hash))
  (memory.copy (i32.add (local.get $at) (i32.const 32)) (i32.const KEYS) (local.get $size))
  (global.set $policy_top (i32.add (i32.add (local.get $at) (local.get $size)) (i32.const 32)))
  (i64.extend_i32_u (local.get $at)))
;; answer known decisions as the policy does, until the trial is at rest
(func $follow_policy (param $left i64) (local $at i32)
  (loop $l
    (local.set $at (call $policy_entry (i32.wrap_i64 (call $listing_key)) (i32.load (i32.const PENDING))
      (i32.load (i32.const SIDE))))
    (global.set $quick (i32.const 1))
    (if (local.get $at)
      (then (drop (call $pick (i32.load offset=4 (local.get $at)))))
      (else (call $answer_quickly)))
    (i64.store (i32.const LEFT) (i64.sub (local.get $left) (i64.const 1)))
    (br_if $l (i32.wrap_i64 (local.tee $left (call $advance))))))
"""

TEXT = KEYS + TRIALS + POLICIES
