"""The runtime pieces of every module, in the text form of WebAssembly: arena, sets, lists, numbers, hashing, dice.

A set of things is a bit set of 64-bit words; a list holds its length, then one 64-bit word for each member. Whatever
cannot be done exactly is a trap (`unreachable`). Words in capitals are addresses and sizes of the memory layout.
"""

from __future__ import annotations

MEMORY = """
;; temporary values: everything in the arena ends with the choice
(func $alloc (param $n i32) (result i32) (local $at i32)
  (local.set $at (global.get $arena))
  (global.set $arena (i32.add (local.get $at) (local.get $n)))
  (if (i32.gt_u (global.get $arena) (i32.const ARENA_END)) (then (unreachable)))
  (local.get $at))
;; values of frames: the heap is part of the state and shrinks when a frame goes
(func $heap_alloc (param $n i32) (result i32) (local $at i32)
  (local.set $at (i32.load (i32.const HEAP_TOP)))
  (i32.store (i32.const HEAP_TOP) (i32.add (local.get $at) (local.get $n)))
  (if (i32.gt_u (i32.load (i32.const HEAP_TOP)) (i32.const HEAP_END)) (then (unreachable)))
  (local.get $at))
;; whole words are copied: a few by a loop, which takes less time than the machine's own copy
(func $copy_words (param $to i32) (param $from i32) (param $n i32) (local $k i32)
  (if (i32.gt_u (local.get $n) (i32.const 128))
    (then (memory.copy (local.get $to) (local.get $from) (local.get $n)))
    (else
      (block $out (loop $l
        (br_if $out (i32.ge_u (local.get $k) (local.get $n)))
        (i64.store (i32.add (local.get $to) (local.get $k)) (i64.load (i32.add (local.get $from) (local.get $k))))
        (local.set $k (i32.add (local.get $k) (i32.const 8)))
        (br $l))))))
(func $copied (param $p i32) (param $n i32) (result i32) (local $at i32)
  (local.set $at (call $alloc (local.get $n)))
  (call $copy_words (local.get $at) (local.get $p) (local.get $n))
  (local.get $at))
(func $heap_copied (param $p i32) (param $n i32) (result i32) (local $at i32)
  (local.set $at (call $heap_alloc (local.get $n)))
  (call $copy_words (local.get $at) (local.get $p) (local.get $n))
  (local.get $at))
(func $spend (param $n i64)
  (global.set $spent (i64.add (global.get $spent) (local.get $n)))
  (if (i64.gt_s (global.get $spent) (global.get $budget)) (then (unreachable))))
"""

SETS = """
(func $new_set (param $w i32) (result i32) (local $at i32) (local $k i32)
  (local.set $w (i32.shl (local.get $w) (i32.const 3)))
  (local.set $at (call $alloc (local.get $w)))
  (loop $l
    (i64.store (i32.add (local.get $at) (local.get $k)) (i64.const 0))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $w))))
  (local.get $at))
(func $put (param $s i32) (param $v i32)
  (local.set $s (i32.add (local.get $s) (i32.shl (i32.shr_u (local.get $v) (i32.const 6)) (i32.const 3))))
  (i64.store (local.get $s) (i64.or (i64.load (local.get $s)) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $v))))))
(func $has (param $s i32) (param $v i32) (result i32)
  (if (i32.lt_s (local.get $v) (i32.const 0)) (then (return (i32.const 0))))
  (i32.and (i32.const 1) (i32.wrap_i64 (i64.shr_u
    (i64.load (i32.add (local.get $s) (i32.shl (i32.shr_u (local.get $v) (i32.const 6)) (i32.const 3))))
    (i64.extend_i32_u (local.get $v))))))
(func $set_or (param $a i32) (param $b i32) (param $w i32) (result i32) (local $at i32) (local $k i32)
  (local.set $w (i32.shl (local.get $w) (i32.const 3)))
  (local.set $at (call $alloc (local.get $w)))
  (loop $l
    (i64.store (i32.add (local.get $at) (local.get $k)) (i64.or
      (i64.load (i32.add (local.get $a) (local.get $k))) (i64.load (i32.add (local.get $b) (local.get $k)))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $w))))
  (local.get $at))
(func $set_minus (param $a i32) (param $b i32) (param $w i32) (result i32) (local $at i32) (local $k i32)
  (local.set $w (i32.shl (local.get $w) (i32.const 3)))
  (local.set $at (call $alloc (local.get $w)))
  (loop $l
    (i64.store (i32.add (local.get $at) (local.get $k)) (i64.and
      (i64.load (i32.add (local.get $a) (local.get $k)))
      (i64.xor (i64.const -1) (i64.load (i32.add (local.get $b) (local.get $k))))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $w))))
  (local.get $at))
(func $set_eq (param $a i32) (param $b i32) (param $w i32) (result i32) (local $k i32)
  (local.set $w (i32.shl (local.get $w) (i32.const 3)))
  (loop $l
    (if (i64.ne (i64.load (i32.add (local.get $a) (local.get $k))) (i64.load (i32.add (local.get $b) (local.get $k))))
      (then (return (i32.const 0))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $w))))
  (i32.const 1))
(func $set_count (param $a i32) (param $w i32) (result i64) (local $k i32) (local $n i64)
  (local.set $w (i32.shl (local.get $w) (i32.const 3)))
  (loop $l
    (local.set $n (i64.add (local.get $n) (i64.popcnt (i64.load (i32.add (local.get $a) (local.get $k))))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $w))))
  (local.get $n))
(func $list_has (param $p i32) (param $v i64) (result i32) (local $n i64)
  (local.set $n (i64.load (local.get $p)))
  (if (i64.gt_u (local.get $n) (i64.const 15)) (then (call $spend (i64.shr_u (local.get $n) (i64.const 4)))))
  (block $out (loop $l
    (br_if $out (i64.eqz (local.get $n)))
    (if (i64.eq (i64.load offset=8 (local.get $p)) (local.get $v)) (then (return (i32.const 1))))
    (local.set $p (i32.add (local.get $p) (i32.const 8)))
    (local.set $n (i64.sub (local.get $n) (i64.const 1)))
    (br $l)))
  (i32.const 0))
;; lists in columns: $list_at returns the address, or -1 for no list; $store_list traps if the list is too long
(func $list_at (param $p i32) (result i32)
  (select (i32.const -1) (local.get $p) (i64.lt_s (i64.load (local.get $p)) (i64.const 0))))
(func $store_list (param $to i32) (param $from i32) (local $n i32)
  (if (i32.lt_s (local.get $from) (i32.const 0)) (then (i64.store (local.get $to) (i64.const -1)) (return)))
  (local.set $n (i32.load (local.get $from)))
  (if (i32.gt_u (local.get $n) (i32.const LIST_ROOM)) (then (unreachable)))
  (memory.copy (local.get $to) (local.get $from) (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 3))))
(func $list_join (param $a i32) (param $b i32) (result i32) (local $at i32) (local $na i32) (local $nb i32)
  (local.set $na (i32.wrap_i64 (i64.load (local.get $a))))
  (local.set $nb (i32.wrap_i64 (i64.load (local.get $b))))
  (if (i32.gt_u (i32.add (local.get $na) (local.get $nb)) (i32.const MOST_MEMBERS)) (then (unreachable)))
  (call $spend (i64.extend_i32_u (i32.shr_u (i32.add (local.get $na) (local.get $nb)) (i32.const 4))))
  (local.set $at (call $alloc (i32.shl (i32.add (i32.add (local.get $na) (local.get $nb)) (i32.const 1)) (i32.const 3))))
  (i64.store (local.get $at) (i64.add (i64.load (local.get $a)) (i64.load (local.get $b))))
  (memory.copy (i32.add (local.get $at) (i32.const 8)) (i32.add (local.get $a) (i32.const 8)) (i32.shl (local.get $na) (i32.const 3)))
  (memory.copy (i32.add (i32.add (local.get $at) (i32.const 8)) (i32.shl (local.get $na) (i32.const 3)))
    (i32.add (local.get $b) (i32.const 8)) (i32.shl (local.get $nb) (i32.const 3)))
  (local.get $at))
;; the first `k` members
(func $list_take (param $p i32) (param $k i64) (result i32) (local $at i32)
  (if (i64.lt_s (local.get $k) (i64.const 0)) (then (local.set $k (i64.const 0))))
  (if (i64.gt_s (local.get $k) (i64.load (local.get $p))) (then (local.set $k (i64.load (local.get $p)))))
  (local.set $at (call $copied (local.get $p) (i32.shl (i32.add (i32.wrap_i64 (local.get $k)) (i32.const 1)) (i32.const 3))))
  (i64.store (local.get $at) (local.get $k))
  (local.get $at))
"""

NUMBERS = """
(func $mul (param $a i64) (param $b i64) (result i64) (local $r i64)
  (if (i32.or
      (i64.gt_u (i64.add (local.get $a) (i64.const 0x40000000)) (i64.const 0x80000000))
      (i64.gt_u (i64.add (local.get $b) (i64.const 0x40000000)) (i64.const 0x80000000)))
    (then
      (if (i64.eqz (local.get $a)) (then (return (i64.const 0))))
      (local.set $r (i64.mul (local.get $a) (local.get $b)))
      (if (i64.ne (i64.div_s (local.get $r) (local.get $a)) (local.get $b)) (then (unreachable)))
      (if (i64.lt_s (i64.add (local.get $r) (i64.const 0x4000000000000000)) (i64.const 0)) (then (unreachable)))
      (return (local.get $r))))
  (i64.mul (local.get $a) (local.get $b)))
(func $gcd (param $a i64) (param $b i64) (result i64) (local $t i64)
  (if (i64.lt_s (local.get $a) (i64.const 0)) (then (local.set $a (i64.sub (i64.const 0) (local.get $a)))))
  (if (i64.lt_s (local.get $b) (i64.const 0)) (then (local.set $b (i64.sub (i64.const 0) (local.get $b)))))
  (block $out (loop $l
    (br_if $out (i64.eqz (local.get $b)))
    (local.set $t (i64.rem_u (local.get $a) (local.get $b)))
    (local.set $a (local.get $b))
    (local.set $b (local.get $t))
    (br $l)))
  (local.get $a))
;; the product of two scaled numbers; a trap where it is not a multiple of the unit
(func $mul_scaled (param $a i64) (param $b i64) (result i64) (local $g i64)
  (if (i64.eqz (local.get $a)) (then (return (i64.const 0))))
  (local.set $g (call $gcd (local.get $a) (i64.const SCALE)))
  (local.set $a (i64.div_s (local.get $a) (local.get $g)))
  (local.set $g (i64.div_s (i64.const SCALE) (local.get $g)))
  (if (i64.ne (i64.rem_s (local.get $b) (local.get $g)) (i64.const 0)) (then (unreachable)))
  (call $mul (local.get $a) (i64.div_s (local.get $b) (local.get $g))))
(func $div_scaled (param $a i64) (param $b i64) (result i64) (local $g i64)
  (if (i64.eqz (local.get $b)) (then (unreachable)))
  (if (i64.eqz (local.get $a)) (then (return (i64.const 0))))
  (local.set $g (call $gcd (local.get $a) (local.get $b)))
  (local.set $a (i64.div_s (local.get $a) (local.get $g)))
  (local.set $b (i64.div_s (local.get $b) (local.get $g)))
  (if (i64.ne (i64.rem_s (i64.const SCALE) (local.get $b)) (i64.const 0)) (then (unreachable)))
  (call $mul (local.get $a) (i64.div_s (i64.const SCALE) (local.get $b))))
(func $floor_div (param $a i64) (param $b i64) (result i64) (local $q i64)
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (if (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a)) (then
    (if (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0)) (then
      (local.set $q (i64.sub (local.get $q) (i64.const 1)))))))
  (local.get $q))
(func $remainder (param $a i64) (param $b i64) (result i64)
  (i64.sub (local.get $a) (i64.mul (call $floor_div (local.get $a) (local.get $b)) (local.get $b))))
"""

TABLES = """
;; rows of words: equality, a hash, and tables of (generation, number) that forget everything with a new generation
(func $row_eq (param $a i32) (param $b i32) (param $n i32) (result i32) (local $k i32)
  (loop $l
    (if (i64.ne (i64.load (i32.add (local.get $a) (local.get $k))) (i64.load (i32.add (local.get $b) (local.get $k))))
      (then (return (i32.const 0))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $n))))
  (i32.const 1))
(func $hash_row (param $p i32) (param $n i32) (result i32) (local $h i64) (local $k i32)
  (loop $l
    (local.set $h (i64.mul
      (i64.xor (i64.rotl (local.get $h) (i64.const 5)) (i64.load (i32.add (local.get $p) (local.get $k))))
      (i64.const 0x517cc1b727220a95)))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 8))) (local.get $n))))
  (i32.wrap_i64 (i64.shr_u (local.get $h) (i64.const 33))))
;; the number of an equal row, or -1; then, with a number >= 0, it is entered
(func $find_row (param $row i32) (param $n i32) (param $number i32) (param $table i32) (param $base i32) (param $stride i32)
    (param $gen i32) (result i32) (local $e i32) (local $i i32)
  (local.set $i (call $hash_row (local.get $row) (local.get $n)))
  (loop $l
    (local.set $e (i32.add (local.get $table) (i32.shl (i32.and (local.get $i) (i32.const 65535)) (i32.const 3))))
    (if (i32.eq (i32.load (local.get $e)) (local.get $gen)) (then
      (if (call $row_eq (local.get $row)
            (i32.add (local.get $base) (i32.mul (i32.load offset=4 (local.get $e)) (local.get $stride))) (local.get $n))
        (then (return (i32.load offset=4 (local.get $e)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $l))))
  (if (i32.ge_s (local.get $number) (i32.const 0)) (then
    (i32.store (local.get $e) (local.get $gen))
    (i32.store offset=4 (local.get $e) (local.get $number))))
  (i32.const -1))
;; a hash of 64 bits (the finalizer of SplitMix64). Sums of hashes identify combinations, so it must not be close to
;; linear: the constant that is added keeps the hash of twice a number from being twice its hash
(func $mixed (param $x i64) (result i64)
  (local.set $x (i64.add (local.get $x) (i64.const -7046029254386353131)))
  (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30))) (i64.const -4658895280553007687)))
  (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27))) (i64.const -7723592293110705685)))
  (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))
;; where an equal value of n bytes is kept: equal values of one search share one address
(func $interned (param $p i32) (param $n i32) (param $table i32) (param $gen i32) (result i32) (local $e i32) (local $i i32)
  (local $at i32)
  (if (i32.ge_u (local.get $n) (i32.const 65536)) (then (unreachable)))
  (local.set $i (i32.add (call $hash_row (local.get $p) (local.get $n)) (local.get $n)))
  (block $free (loop $l
    (local.set $e (i32.add (local.get $table) (i32.shl (i32.and (local.get $i) (i32.const 16383)) (i32.const 3))))
    (br_if $free (i32.ne (i32.load (local.get $e)) (local.get $gen)))
    (local.set $at (i32.load offset=4 (local.get $e)))
    (if (i64.eq (i64.load (i32.sub (local.get $at) (i32.const 8))) (i64.extend_i32_u (local.get $n))) (then
      (if (call $row_eq (local.get $p) (local.get $at) (local.get $n)) (then (return (local.get $at))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $l)))
  (local.set $at (i32.add (global.get $kept) (i32.const 8)))
  (global.set $kept (i32.add (local.get $at) (local.get $n)))
  (if (i32.gt_u (global.get $kept) (global.get $kept_end)) (then (unreachable)))
  (global.set $kept_count (i32.add (global.get $kept_count) (i32.const 1)))
  (if (i32.gt_u (global.get $kept_count) (i32.const 15000)) (then (unreachable)))
  (i64.store (i32.sub (local.get $at) (i32.const 8)) (i64.extend_i32_u (local.get $n)))
  (memory.copy (local.get $at) (local.get $p) (local.get $n))
  (i32.store (local.get $e) (local.get $gen))
  (i32.store offset=4 (local.get $e) (local.get $at))
  (local.get $at))
;; rows of `size` bytes sorted by the signed word at `by`; equal ones keep their order (insertion sort)
(func $sort_rows (param $base i32) (param $n i32) (param $size i32) (param $by i32) (param $spare i32)
    (local $i i32) (local $p i32) (local $q i32)
  (local.set $i (i32.const 1))
  (block $out (loop $l
    (br_if $out (i32.ge_s (local.get $i) (local.get $n)))
    (local.set $p (i32.add (local.get $base) (i32.mul (local.get $i) (local.get $size))))
    (local.set $q (local.get $p))
    (block $placed (loop $up
      (br_if $placed (i32.le_u (local.get $q) (local.get $base)))
      (br_if $placed (i64.le_s
        (i64.load (i32.add (i32.sub (local.get $q) (local.get $size)) (local.get $by)))
        (i64.load (i32.add (local.get $p) (local.get $by)))))
      (local.set $q (i32.sub (local.get $q) (local.get $size)))
      (br $up)))
    (if (i32.ne (local.get $p) (local.get $q)) (then
      (memory.copy (local.get $spare) (local.get $p) (local.get $size))
      (memory.copy (i32.add (local.get $q) (local.get $size)) (local.get $q) (i32.sub (local.get $p) (local.get $q)))
      (memory.copy (local.get $q) (local.get $spare) (local.get $size))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $l))))
(func $move_entry (param $to i32) (param $from i32)
  (i64.store (local.get $to) (i64.load (local.get $from)))
  (i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from))))
;; a binary heap of (cost, key) at `base`: 16 bytes each
(func $heap_push (param $base i32) (param $n i32) (param $cost i64) (param $key i64) (local $up i32) (local $p i32)
  (block $out (loop $l
    (br_if $out (i32.eqz (local.get $n)))
    (local.set $up (i32.shr_u (i32.sub (local.get $n) (i32.const 1)) (i32.const 1)))
    (local.set $p (i32.add (local.get $base) (i32.shl (local.get $up) (i32.const 4))))
    (br_if $out (i64.lt_s (i64.load (local.get $p)) (local.get $cost)))
    (if (i64.eq (i64.load (local.get $p)) (local.get $cost)) (then
      (br_if $out (i64.le_s (i64.load offset=8 (local.get $p)) (local.get $key)))))
    (call $move_entry (i32.add (local.get $base) (i32.shl (local.get $n) (i32.const 4))) (local.get $p))
    (local.set $n (local.get $up))
    (br $l)))
  (local.set $p (i32.add (local.get $base) (i32.shl (local.get $n) (i32.const 4))))
  (i64.store (local.get $p) (local.get $cost))
  (i64.store offset=8 (local.get $p) (local.get $key)))
;; the least entry leaves; `n` is how many there were
(func $heap_pop (param $base i32) (param $n i32) (local $i i32) (local $c i32) (local $p i32) (local $q i32)
    (local $cost i64) (local $key i64)
  (local.set $n (i32.sub (local.get $n) (i32.const 1)))
  (local.set $p (i32.add (local.get $base) (i32.shl (local.get $n) (i32.const 4))))
  (local.set $cost (i64.load (local.get $p)))
  (local.set $key (i64.load offset=8 (local.get $p)))
  (block $out (loop $l
    (local.set $c (i32.add (i32.shl (local.get $i) (i32.const 1)) (i32.const 1)))
    (br_if $out (i32.ge_u (local.get $c) (local.get $n)))
    (local.set $p (i32.add (local.get $base) (i32.shl (local.get $c) (i32.const 4))))
    (local.set $q (i32.add (local.get $p) (i32.const 16)))
    (if (i32.lt_u (i32.add (local.get $c) (i32.const 1)) (local.get $n)) (then
      (if (i32.or (i64.lt_s (i64.load (local.get $q)) (i64.load (local.get $p)))
            (i32.and (i64.eq (i64.load (local.get $q)) (i64.load (local.get $p)))
                     (i64.lt_s (i64.load offset=8 (local.get $q)) (i64.load offset=8 (local.get $p)))))
        (then (local.set $c (i32.add (local.get $c) (i32.const 1))) (local.set $p (local.get $q))))))
    (br_if $out (i64.lt_s (local.get $cost) (i64.load (local.get $p))))
    (if (i64.eq (local.get $cost) (i64.load (local.get $p))) (then
      (br_if $out (i64.le_s (local.get $key) (i64.load offset=8 (local.get $p))))))
    (call $move_entry (i32.add (local.get $base) (i32.shl (local.get $i) (i32.const 4))) (local.get $p))
    (local.set $i (local.get $c))
    (br $l)))
  (local.set $p (i32.add (local.get $base) (i32.shl (local.get $i) (i32.const 4))))
  (i64.store (local.get $p) (local.get $cost))
  (i64.store offset=8 (local.get $p) (local.get $key)))
"""

DEALT_DICE = """
;; a die of the game: of a deal, if the trial has dealt dice, else of its stream
(func $die (param $name i32) (param $sides i32) (result i32) (local $round i32) (local $at i32) (local $k i32)
    (local $rank i32) (local $own i32)
  (local.set $round (i32.load (i32.const DEALT)))
  (if (i32.eqz (local.get $round)) (then (return (call $roll (i32.const DICE) (local.get $sides)))))
  (local.set $round (i32.sub (local.get $round) (i32.const 1)))
  (local.set $at (i32.shl (local.get $name) (i32.const 2)))
  (call $deal_digest (local.get $name) (i32.load offset=ROLLED (local.get $at)))
  (i32.store offset=ROLLED (local.get $at) (i32.add (i32.load offset=ROLLED (local.get $at)) (i32.const 1)))
  (local.set $own (i32.load8_u offset=DEAL_TEXT (local.get $round)))
  (loop $l
    (if (i32.or
          (i32.lt_u (i32.load8_u offset=DEAL_TEXT (local.get $k)) (local.get $own))
          (i32.and (i32.eq (i32.load8_u offset=DEAL_TEXT (local.get $k)) (local.get $own))
                   (i32.lt_u (local.get $k) (local.get $round))))
      (then (local.set $rank (i32.add (local.get $rank) (i32.const 1)))))
    (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 8))))
  (if (i32.gt_u (local.get $sides) (i32.const 1000000)) (then (unreachable)))
  (i32.shr_u (i32.mul (local.get $sides)
    (i32.or (i32.shl (local.get $rank) (i32.const 8)) (i32.load8_u offset=DEAL_TEXT (i32.add (local.get $round) (i32.const 8)))))
    (i32.const 11)))
;; the text that is digested for the n-th roll of a name, and its length: what the deal begins with, the name, n
(func $deal_words (param $name i32) (param $n i32) (result i32) (local $at i32) (local $size i32) (local $unit i32)
  (memory.fill (i32.const DEAL_TEXT) (i32.const 0) (i32.const 128))
  (local.set $size (i32.load offset=4 (i32.const DEALT)))
  (memory.copy (i32.const DEAL_TEXT) (i32.const DEAL_PREFIX) (local.get $size))
  (local.set $at (i32.add (i32.const DEAL_TEXT) (local.get $size)))
  (local.set $size (i32.load8_u offset=ROLL_SIZES (local.get $name)))
  (memory.copy (local.get $at) (i32.add (i32.const ROLL_TEXTS) (i32.shl (local.get $name) (i32.const 6))) (local.get $size))
  (local.set $at (i32.add (local.get $at) (local.get $size)))
  (local.set $unit (i32.const 1))
  (loop $l
    (if (i32.ge_u (i32.div_u (local.get $n) (local.get $unit)) (i32.const 10)) (then
      (local.set $unit (i32.mul (local.get $unit) (i32.const 10))) (br $l))))
  (loop $l
    (i32.store8 (local.get $at) (i32.add (i32.const 48)
      (i32.rem_u (i32.div_u (local.get $n) (local.get $unit)) (i32.const 10))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (local.set $unit (i32.div_u (local.get $unit) (i32.const 10)))
    (br_if $l (local.get $unit)))
  (i32.sub (local.get $at) (i32.const DEAL_TEXT)))
"""

DICE = """
;; a source of dice: 0 seed (64 bytes), 64 counter, 72 unused bytes of the block, 80 the block (64 bytes)
(func $byte (param $d i32) (result i32) (local $left i64)
  (local.set $left (i64.load offset=72 (local.get $d)))
  (if (i64.eqz (local.get $left)) (then
    (call $blake2b (local.get $d))
    (local.set $left (i64.sub (i64.const 64) (i64.and (i64.load offset=64 (local.get $d)) (i64.const 63))))))
  (i64.store offset=72 (local.get $d) (i64.sub (local.get $left) (i64.const 1)))
  (i64.store offset=64 (local.get $d) (i64.add (i64.load offset=64 (local.get $d)) (i64.const 1)))
  (i32.load8_u offset=80 (i32.add (local.get $d) (i32.sub (i32.const 64) (i32.wrap_i64 (local.get $left))))))
;; a number below `faces`, each equally likely: bytes that would favour the low numbers are passed over
(func $roll (param $d i32) (param $faces i32) (result i32) (local $space i32) (local $limit i32) (local $number i32)
  (if (i32.gt_u (local.get $faces) (i32.const 16777216)) (then (unreachable)))
  (local.set $space (i32.const 256))
  (loop $wider
    (if (i32.gt_u (local.get $faces) (local.get $space)) (then
      (local.set $space (i32.shl (local.get $space) (i32.const 8))) (br $wider))))
  (local.set $limit (i32.sub (local.get $space) (i32.rem_u (local.get $space) (local.get $faces))))
  (loop $again
    (local.set $number (call $byte (local.get $d)))
    (if (i32.gt_u (local.get $space) (i32.const 256)) (then
      (local.set $number (i32.or (i32.shl (local.get $number) (i32.const 8)) (call $byte (local.get $d))))))
    (if (i32.gt_u (local.get $space) (i32.const 65536)) (then
      (local.set $number (i32.or (i32.shl (local.get $number) (i32.const 8)) (call $byte (local.get $d))))))
    (br_if $again (i32.ge_u (local.get $number) (local.get $limit))))
  (i32.rem_u (local.get $number) (local.get $faces)))
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
_ROUNDS = 12
_BLOCK = 128
_PERSON, _DEAL_PERSON = b"grognard dice 1", b"grognard deal 1"


def blake2b_text() -> str:
    """Return the text of `$blake2b(source)`: the keyed digest of the number of the block to read next.

    `source` is the address of a dice source.
    """
    person = [int.from_bytes(_PERSON.ljust(16, b"\0")[k : k + 8], "little") for k in (0, 8)]
    parameters = 64 | 64 << 8 | 1 << 16 | 1 << 24  # digest and key of 64 bytes, no tree
    start = [_IV[0] ^ parameters, *_IV[1:6], _IV[6] ^ person[0], _IV[7] ^ person[1]]
    names = [f"$h{k}" for k in range(8)] + [f"$v{k}" for k in range(16)] + [f"$m{k}" for k in range(16)]
    out = ["(func $blake2b (param $d i32)", *(f"(local {name} i64)" for name in names)]
    out += [f"(local.set $h{k} (i64.const {_as_signed(start[k])}))" for k in range(8)]
    out += [f"(local.set $m{k} (i64.load offset={8 * k} (local.get $d)))" for k in range(8)]
    out += [f"(local.set $m{k} (i64.const 0))" for k in range(8, 16)]
    out += _compression(_BLOCK, False)
    out.append("(local.set $m0 (i64.shr_u (i64.load offset=64 (local.get $d)) (i64.const 6)))")
    out += [f"(local.set $m{k} (i64.const 0))" for k in range(1, 8)]
    out += _compression(_BLOCK + 16, True)
    out += [f"(i64.store offset={80 + 8 * k} (local.get $d) (local.get $h{k}))" for k in range(8)]
    return "\n".join(out) + ")"


def deal_digest_text() -> str:
    """Return the text of `$deal_digest(name, n)`, which computes the 16-byte digest for the n-th roll of a name.

    It is stored at DEAL_TEXT, over the text that was hashed.
    """
    person = [int.from_bytes(_DEAL_PERSON.ljust(16, b"\0")[k : k + 8], "little") for k in (0, 8)]
    parameters = 16 | 1 << 16 | 1 << 24  # digest of 16 bytes, no key, no tree
    start = [_IV[0] ^ parameters, *_IV[1:6], _IV[6] ^ person[0], _IV[7] ^ person[1]]
    names = [f"$h{k}" for k in range(8)] + [f"$v{k}" for k in range(16)] + [f"$m{k}" for k in range(16)]
    out = ["(func $deal_digest (param $name i32) (param $n i32) (local $counted i64)"]
    out += [f"(local {name} i64)" for name in names]
    out.append("(local.set $counted (i64.extend_i32_u (call $deal_words (local.get $name) (local.get $n))))")
    out += [f"(local.set $h{k} (i64.const {_as_signed(start[k])}))" for k in range(8)]
    out += [f"(local.set $m{k} (i64.load offset={8 * k} (i32.const DEAL_TEXT)))" for k in range(16)]
    mixing = _compression(0, True)
    mixing[12] = f"(local.set $v12 (i64.xor (i64.const {_as_signed(_IV[4])}) (local.get $counted)))"
    out += mixing
    out += [f"(i64.store offset={8 * k} (i32.const DEAL_TEXT) (local.get $h{k}))" for k in range(2)]
    return "\n".join(out) + ")"


def _as_signed(number: int) -> int:
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


def _compression(counted: int, is_last: bool) -> list[str]:
    """Return the text of one compression of the message in `m` into the state in `h`.

    `counted`: the bytes hashed so far. `is_last`: it is the last block of the message.
    """
    v = [f"(local.set $v{k} (local.get $h{k}))" for k in range(8)]
    for k in range(8):
        word = _IV[k] ^ (counted if k == 4 else 0) ^ ((1 << 64) - 1 if is_last and k == 6 else 0)
        v.append(f"(local.set $v{8 + k} (i64.const {_as_signed(word)}))")
    for number in range(_ROUNDS):
        row = _SCHEDULE[number % 10]
        for pair, (a, b, c, d) in enumerate(_MIXED):
            for word, first, second in ((row[2 * pair], 32, 24), (row[2 * pair + 1], 16, 63)):
                v += [
                    f"(local.set $v{a} (i64.add (i64.add (local.get $v{a}) (local.get $v{b})) (local.get $m{word})))",
                    f"(local.set $v{d} (i64.rotr (i64.xor (local.get $v{d}) (local.get $v{a})) (i64.const {first})))",
                    f"(local.set $v{c} (i64.add (local.get $v{c}) (local.get $v{d})))",
                    f"(local.set $v{b} (i64.rotr (i64.xor (local.get $v{b}) (local.get $v{c})) (i64.const {second})))",
                ]
    v += [
        f"(local.set $h{k} (i64.xor (local.get $h{k}) (i64.xor (local.get $v{k}) (local.get $v{8 + k}))))"
        for k in range(8)
    ]
    return v
