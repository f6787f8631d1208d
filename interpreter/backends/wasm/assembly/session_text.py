"""Operations of the host on whole positions, in the text form of WebAssembly: save, restore, count, look ahead.

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
(func $save (export) (param $to i32) (result i64) (local $n i32) (local $at i32)
  (local.set $at (call $save_state (local.get $to)))
  (local.set $n (i32.const -1))
  (if (i32.and (global.get $listed) (i32.eqz (call $is_draft))) (then
    (if (i32.le_u (i32.load (i32.const COUNT)) (i32.const MOST_ROWS)) (then
      (local.set $n (i32.mul (i32.load (i32.const COUNT)) (i32.const OPTION_SIZE)))
      (call $copy_words (local.get $at) (i32.const OPTIONS) (local.get $n))
      (local.set $at (i32.add (local.get $at) (local.get $n)))))))
  (i32.store offset=12 (local.get $to) (local.get $n))
  (i64.extend_i32_u (i32.sub (local.get $at) (local.get $to))))
(func $load (export) (param $from i32) (local $n i32) (local $at i32)
  (call $list_in_buffer)
  (local.set $at (call $load_state (local.get $from)))
  (local.set $n (i32.load offset=12 (local.get $from)))
  (if (i32.gt_s (local.get $n) (i32.const 0)) (then
    (call $copy_words (i32.const OPTIONS) (local.get $at) (local.get $n)))))
;; everything but the listed options; where they would follow
(func $save_state (param $to i32) (result i32) (local $n i32) (local $at i32)
  (local.set $n (i32.sub (i32.load (i32.const SP)) (i32.const COPIED)))
  (i32.store (local.get $to) (local.get $n))
  (local.set $at (i32.add (local.get $to) (i32.const 32)))
  (memory.copy (local.get $at) (i32.const COPIED) (local.get $n))
  (local.set $at (i32.add (local.get $at) (local.get $n)))
  (local.set $n (i32.sub (i32.load (i32.const HEAP_TOP)) (i32.const HEAP)))
  (i32.store offset=4 (local.get $to) (local.get $n))
  (if (local.get $n) (then
    (memory.copy (local.get $at) (i32.const HEAP) (local.get $n))
    (local.set $at (i32.add (local.get $at) (local.get $n)))))
  (local.set $n (i32.const 0))
  (if (i32.load (i32.const QUEUED)) (then
    (local.set $n (i32.const QUEUE_BYTES))
    (memory.copy (local.get $at) (i32.const QUEUE) (local.get $n))
    (local.set $at (i32.add (local.get $at) (local.get $n)))))
  (i32.store offset=8 (local.get $to) (local.get $n))
  (i32.store offset=16 (local.get $to) (global.get $era))
  (local.get $at))
(func $load_state (param $from i32) (result i32) (local $n i32) (local $at i32)
  (global.set $quick (i32.const 0))
  (local.set $at (i32.add (local.get $from) (i32.const 32)))
  (local.set $n (i32.load (local.get $from)))
  (memory.copy (i32.const COPIED) (local.get $at) (local.get $n))
  (local.set $at (i32.add (local.get $at) (local.get $n)))
  (local.set $n (i32.load offset=4 (local.get $from)))
  (if (local.get $n) (then
    (memory.copy (i32.const HEAP) (local.get $at) (local.get $n))
    (local.set $at (i32.add (local.get $at) (local.get $n)))))
  (local.set $n (i32.load offset=8 (local.get $from)))
  (if (local.get $n) (then
    (memory.copy (i32.const QUEUE) (local.get $at) (local.get $n))
    (local.set $at (i32.add (local.get $at) (local.get $n)))))
  (global.set $listed (i32.or
    (i32.ge_s (i32.load offset=12 (local.get $from)) (i32.const 0))
    (i32.and (call $is_draft) (i32.and
      (i64.ne (i64.load (i32.const ENDS)) (i64.const 0))
      (i64.eq (i64.load (i32.const ENDS)) (global.get $ends_now))))))
  (if (i32.ne (i32.load offset=16 (local.get $from)) (global.get $era)) (then (call $renew_versions)))
  (local.get $at))
;; a position that the host has written: its options are listed, its versions are new
(func $resume (export)
  (global.set $quick (i32.const 0))
  (call $list_in_buffer)
  (call $renew_versions)
  (call $relist))
(func $list_in_buffer
  (global.set $listing (i32.const OPTIONS))
  (global.set $listing_end (i32.const OPTIONS_END)))
(func $list_options (export)
  (global.set $quick (i32.const 0))
  (if (i32.eqz (global.get $listed)) (then (call $relist))))
(func $is_draft (result i32) (i32.load8_u offset=DRAFTED (i32.load (i32.const PENDING))))
;; dice from a seed of 64 bits of which `counter` bytes are used
(func $seed (export) (param $dice i32) (param $seed i64) (param $counter i64) (local $k i32)
  (i64.store (local.get $dice) (local.get $seed))
  (local.set $k (i32.const 8))
  (loop $l
    (i64.store (i32.add (local.get $dice) (local.get $k)) (i64.shr_s (local.get $seed) (i64.const 63)))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (i32.const 64))))
  (i64.store offset=64 (local.get $dice) (local.get $counter))
  (i64.store offset=72 (local.get $dice) (i64.const 0)))
;; sequences of choices to a depth; a game that is over is one
(func $perft (export) (param $depth i32) (param $slot i32) (result i64) (local $k i32) (local $n i32) (local $sum i64)
  (if (i32.or (i32.eqz (local.get $depth)) (i32.load (i32.const OVER))) (then (return (i64.const 1))))
  (if (i32.eq (local.get $depth) (i32.const 1)) (then (return (i64.load (i32.const COUNT)))))
  (if (i32.ge_u (local.get $slot) (i32.const SLOTS_END)) (then (unreachable)))
  (local.set $n (i32.load (i32.const COUNT)))
  (drop (call $save (local.get $slot)))
  (loop $l
    (if (local.get $k) (then (call $load (local.get $slot))))
    (drop (call $pick (local.get $k)))
    (local.set $sum (i64.add (local.get $sum) (call $perft
      (i32.sub (local.get $depth) (i32.const 1)) (i32.add (local.get $slot) (i32.const SLOT_SIZE)))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $n))))
  (local.get $sum))
"""

BATCHES = """
;; options are listed in the lane itself: they lie behind the LANE_ROOM bytes of the position
(func $list_in_lane (param $lane i32) (param $stride i32)
  (global.set $listing (i32.add (local.get $lane) (i32.load (i32.const LANE_ROOM))))
  (global.set $listing_end (i32.add (local.get $lane) (local.get $stride))))
(func $saved_size (result i32) (local $n i32)
  (local.set $n (i32.add (i32.const 32) (i32.add
    (i32.sub (i32.load (i32.const SP)) (i32.const COPIED))
    (i32.sub (i32.load (i32.const HEAP_TOP)) (i32.const HEAP)))))
  (if (i32.load (i32.const QUEUED)) (then
    (local.set $n (i32.add (local.get $n) (i32.const QUEUE_BYTES)))))
  (local.get $n))
(func $into_lane (param $lane i32)
  (if (i32.gt_u (call $saved_size) (i32.load (i32.const LANE_ROOM))) (then (unreachable)))
  (drop (call $save_state (local.get $lane)))
  (i32.store offset=12 (local.get $lane)
    (select (i32.const 0) (i32.const -1) (i32.and (global.get $listed) (i32.eqz (call $is_draft))))))
;; the live position, which the host has written, becomes that of a lane
(func $settle_lane (export) (param $k i32) (param $stride i32) (local $lane i32)
  (local.set $lane (i32.add (i32.const LANES) (i32.mul (local.get $k) (local.get $stride))))
  (call $list_in_lane (local.get $lane) (local.get $stride))
  (if (i32.eqz (i32.load (i32.const OVER))) (then (call $relist)))
  (call $into_lane (local.get $lane)))
;; the game of a lane starts again, with the next of its seeds
(func $begin_lane (export) (param $k i32) (param $n i32) (param $stride i32) (local $at i32) (local $lane i32)
  (local.set $lane (i32.add (i32.const LANES) (i32.mul (local.get $k) (local.get $stride))))
  (local.set $at (i32.add (i32.const LANE_SEEDS) (i32.shl (local.get $k) (i32.const 3))))
  (call $load (i32.const SLOTS))
  (call $seed (i32.const DICE) (i64.load (local.get $at)) (i64.const 0))
  (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (i64.extend_i32_u (local.get $n))))
  (call $list_in_lane (local.get $lane) (local.get $stride))
  (drop (call $begin))
  (call $into_lane (local.get $lane)))
;; one choice in each lane from `k` on; a lane whose game is over starts again. The lane being played is kept in
;; LANE, so that the host knows it where there is a trap. Options that there are not are a trap. The first position has
;; versions of its own, so all lanes share what is remembered of it.
(func $step_lanes (export) (param $k i32) (param $n i32) (param $stride i32) (local $lane i32) (local $number i32)
  (local.set $lane (i32.add (i32.const LANES) (i32.mul (local.get $k) (local.get $stride))))
  (loop $l
    (if (i32.ge_u (local.get $k) (local.get $n)) (then (return)))
    (i32.store (i32.const LANE) (local.get $k))
    (if (i32.load offset=LANE_OVER (local.get $lane))
      (then (call $begin_lane (local.get $k) (local.get $n) (local.get $stride)))
      (else
        (local.set $number (i32.load offset=LANE_ACTIONS (i32.shl (local.get $k) (i32.const 2))))
        (if (i32.ge_u (local.get $number) (i32.load offset=LANE_COUNT (local.get $lane))) (then (unreachable)))
        (drop (call $load_state (local.get $lane)))
        (call $list_in_lane (local.get $lane) (local.get $stride))
        (drop (call $pick (local.get $number)))
        (call $into_lane (local.get $lane))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
    (br $l)))
"""

LOOKAHEAD = """
;; how many procedures wait for the decision, the sequence of play among them
(func $waiting (export) (result i64) (local $p i32) (local $n i64)
  (local.set $n (i64.const 1))
  (local.set $p (i32.load (i32.const FP)))
  (block $out (loop $l
    (br_if $out (i32.eqz (local.get $p)))
    (local.set $n (i64.add (local.get $n) (i64.const 1)))
    (local.set $p (i32.load offset=8 (local.get $p)))
    (br $l)))
  (local.get $n))
(func $may_end (result i32)
  (if (i32.load (i32.const PARTIAL)) (then (return (i32.const 1))))
  (if (call $is_draft) (then (return (i32.const 0))))
  (if (i32.eqz (i32.load (i32.const COUNT))) (then (return (i32.const 0))))
  (i32.eq (i32.load (i32.add (i32.const OPTIONS)
    (i32.mul (i32.sub (i32.load (i32.const COUNT)) (i32.const 1)) (i32.const OPTION_SIZE)))) (i32.const -1)))
;; the end of a repeated decision where it is offered, else any option
(func $answer_quickly (local $n i32)
  (if (i32.load (i32.const PARTIAL)) (then (call $begin_question) (i64.store (i32.const ANSWER) (i64.const -1))
    (drop (call $go_on)) (return)))
  (local.set $n (i32.load (i32.const COUNT)))
  (if (call $may_end)
    (then (drop (call $pick (i32.sub (local.get $n) (i32.const 1)))))
    (else (if (i32.eq (local.get $n) (i32.const 1))
      (then (drop (call $pick (i32.const 0))))
      (else (drop (call $pick (call $roll (i32.const CHOOSER) (local.get $n)))))))))
;; the end of a repeated decision, whether or not its options are listed
(func $end_row (export)
  (if (i32.load (i32.const PARTIAL))
    (then (call $answer_quickly))
    (else (drop (call $pick (i32.sub (i32.load (i32.const COUNT)) (i32.const 1)))))))
;; answer quickly until the request says to stop; the answers left where the seat itself has to choose, else 0
(func $advance (result i64) (local $depth i64) (local $left i64) (local $address i32) (local $side i32)
    (local $stop i32)
  (local.set $left (i64.load (i32.const LEFT)))
  (local.set $stop (i32.load (i32.const STOP)))
  (global.set $quick (i32.const 1))
  (block $rest (loop $on
    (br_if $rest (i64.le_s (local.get $left) (i64.const 0)))
    (br_if $rest (i32.load (i32.const OVER)))
    (local.set $depth (call $waiting))
    (local.set $address (i32.load offset=ADDRESSES (i32.shl (i32.load (i32.const PENDING)) (i32.const 2))))
    (local.set $side (i32.load (i32.const SIDE)))
    (br_if $rest (i64.lt_s (local.get $depth) (i64.load (i32.const START_DEPTH))))
    (if (i64.eq (local.get $depth) (i64.load (i32.const START_DEPTH))) (then
      (if (i32.eq (local.get $address) (i32.load (i32.const START_ADDRESS))) (then
        (br_if $rest (i32.or (i32.ne (local.get $side) (i32.load (i32.const START_SIDE))) (i32.eqz (call $may_end))))
        (if (i32.eq (local.get $stop) (i32.const 1)) (then (local.set $stop (i32.const 0))))))))
    (br_if $rest (i64.lt_s (local.get $depth) (i64.load (i32.const OUTER_DEPTH))))
    (br_if $rest (i32.and
      (i64.eq (local.get $depth) (i64.load (i32.const OUTER_DEPTH)))
      (i32.eq (local.get $address) (i32.load (i32.const OUTER_ADDRESS)))))
    (if (local.get $stop) (then
      (if (i32.eq (i32.load16_s offset=SEAT_OF (i32.shl (local.get $side) (i32.const 1))) (i32.load (i32.const SEAT)))
        (then
          (if (i32.eq (local.get $stop) (i32.const 1))
            (then
              (if (i32.or (i32.gt_u (i32.load (i32.const COUNT)) (i32.const 1)) (call $may_end))
                (then (global.set $quick (i32.const 0)) (return (local.get $left)))))
            (else
              (if (i32.load8_u offset=KNOWN
                    (i32.add (i32.mul (local.get $address) (i32.const SIDES)) (local.get $side)))
                (then (global.set $quick (i32.const 0)) (return (local.get $left))))))))))
    (call $answer_quickly)
    (local.set $left (i64.sub (local.get $left) (i64.const 1)))
    (br $on)))
  (global.set $quick (i32.const 0))
  (i64.const 0))
;; try an option on a saved position, with dice of its own
(func $attempt (result i64)
  (call $load (i32.load (i32.const SLOT)))
  (i64.store (i32.const DEALT) (i64.const 0))
  (call $seed (i32.const DICE) (i64.load (i32.const DICE_SEED)) (i64.const 0))
  (call $seed (i32.const CHOOSER) (i64.load (i32.const CHOOSER_SEED)) (i64.const 0))
  (global.set $quick (i32.const 1))
  (drop (call $pick (i32.load (i32.const OPTION))))
  (call $advance))
"""
