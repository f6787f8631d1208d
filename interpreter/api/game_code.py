"""Game codes: a whole game as one short word, for a link.

A code encodes the start of the game, with its seed, and the number of each option chosen; the dice follow from the
seed. It is tied to the identity of the rules, since numbers denote other options under other rules. Anyone with a code
can compute future dice, as with a journal.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.api.rules import Rules
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.saves.identity import compute_identity
from interpreter.saves.recorder import build_header

_FORMAT = 1
_DIGEST = 12  # characters of a digest
_MAX_BYTES = 4_000_000  # of a code when it is inflated
_MORE = 0x80  # marks a byte of a number that is not its last
_BITS = 7
_MAX_SHIFT = 28  # bits before the last group of a number: no number is larger than 35 bits
_MAX_NAME_CHARACTERS = 200  # characters of a name

_NOT_A_CODE = _("this link is damaged or incomplete; copy the whole link")

Choice = int | str
"""The number of an option, or its key if it is not among the numbered ones."""


@dataclass(frozen=True, slots=True)
class GameCode:
    """Decoded game code.

    `ruleset`: the id of the ruleset; `identity`: the digest of its rules. `scenario`, `options`, `seed`: the start of
    the game; a `seed` of None is to be drawn. `players`: the player of each seat. `choices`: the options chosen.
    """

    ruleset: str
    identity: str = ""
    scenario: str = ""
    options: tuple[str, ...] = ()
    seed: int | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()


def encode_code(code: GameCode) -> str:
    """Return a code as letters that any link may contain."""
    head = [_FORMAT, code.ruleset, code.identity, code.scenario, code.options, code.seed, dict(code.players)]
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    body = bytearray(_encode_varint(len(text)) + text)
    for choice in code.choices:
        if isinstance(choice, int):
            body += _encode_varint(choice + 1)
        else:
            key = choice.encode()
            body += _encode_varint(0) + _encode_varint(len(key)) + key
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(bytes(body)) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_code(text: str) -> GameCode:
    """Return the game of a code, given as text. Raises SetupError if it is damaged."""
    try:
        packed = base64.urlsafe_b64decode(text.strip() + "=" * (-len(text.strip()) % 4))
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        body = inflater.decompress(packed, _MAX_BYTES)
        if not inflater.eof:
            raise ValueError
        size, index = _decode_varint(body, 0)
        head = json.loads(body[index : index + size])
        return _decode_head(head, _decode_choices(body, index + size))
    except (ValueError, IndexError, TypeError, zlib.error, binascii.Error, RecursionError):
        raise SetupError(_NOT_A_CODE) from None


def _decode_head(head: Sequence[Any], choices: tuple[Choice, ...]) -> GameCode:
    """Return the game code with the fields in `head`, which `encode_code` wrote.

    Raises SetupError for another version of the format, ValueError or TypeError for invalid data.
    """
    format_, ruleset, identity, scenario, options, seed, players = head
    if format_ != _FORMAT:
        raise SetupError("this link was made by another version of grognard; ask for a saved game as a file instead")
    if not isinstance(options, list) or not isinstance(players, dict):
        raise ValueError
    texts = (ruleset, identity, scenario, *options, *players, *players.values())
    if not all(map(_is_name, texts)) or not (seed is None or type(seed) is int):
        raise ValueError
    return GameCode(ruleset, identity, scenario, tuple(options), seed, players, choices)


def _is_name(value: object) -> bool:
    """Return whether a value is a text that can be shown in a message: short, without control characters."""
    return isinstance(value, str) and len(value) <= _MAX_NAME_CHARACTERS and value.isprintable()


def encode_game(game: Game, rules: Rules, players: Mapping[str, str], choices: int | None = None) -> GameCode:
    """Return the code of a game up to a number of choices (None: all).

    `players`: the player of each seat, as stored in the code. Raises SetupError for a game that its seed does not
    determine: with manual dice, or changed by hand.
    """
    header = build_header(game)
    if header.seed is None or game.edits:
        raise SetupError(
            "a link cannot hold this game, because its dice were typed or its position was edited; save it as a file "
            "instead"
        )
    replayed = rules.start(header.scenario or None, header.options, header.seed)
    chosen = tuple(_repeat_choice(replayed, key) for key in game.keys[:choices])
    identity = header.identity.rules[:_DIGEST]
    return GameCode(game.program.id, identity, header.scenario, header.options, header.seed, dict(players), chosen)


def _repeat_choice(game: Game, key: str) -> Choice:
    """Choose the option `key`; return its number in the list of options, or `key` if no option is found by it."""
    decision = game.decision
    if decision is not None:
        for number, raw in enumerate(decision.list_raw_options()):
            if decision.get_full_key(raw) == key:
                game.pick(number)
                return number
    game.choose(key)
    return key


def replay_game_code(code: GameCode, rules: Rules, seed: int) -> Game:
    """Replay the choices of a code and return the game; raise SetupError if the rules are not those of the code.

    `seed`: the seed to use if the code has none.
    """
    program = rules.program
    if code.ruleset != program.id:
        raise SetupError(
            "this link is a game of `{given}`, but this page plays `{ruleset}`", given=code.ruleset, ruleset=program.id
        )
    if code.identity and code.identity != compute_identity(program, code.scenario).rules[:_DIGEST]:
        raise SetupError(
            "this link was made with other rules of `{ruleset}` than this page has; open it with the page it came "
            "from, or ask for a saved game as a file",
            ruleset=program.id,
        )
    game = rules.start(code.scenario or None, code.options, seed if code.seed is None else code.seed)
    for choice in code.choices:
        try:
            if isinstance(choice, int):
                game.pick(choice)
            else:
                game.choose(choice)
        except (IllegalAction, RuleFault, IndexError):
            raise SetupError(_NOT_A_CODE) from None
    return game


def _encode_varint(number: int) -> bytes:
    """Return a number in groups of seven bits, lowest first (LEB128)."""
    encoded = bytearray()
    while number >= _MORE:
        encoded.append(number & (_MORE - 1) | _MORE)
        number >>= _BITS
    encoded.append(number)
    return bytes(encoded)


def _decode_varint(body: bytes, index: int) -> tuple[int, int]:
    """Parse the LEB128 number that begins at `index` in `body`; return (number, index after it).

    Raises ValueError for a number that no code contains: a long one takes time in the square of its length.
    """
    number = shift = 0
    while True:
        byte = body[index]
        index += 1
        number |= (byte & (_MORE - 1)) << shift
        if byte < _MORE:
            return number, index
        shift += _BITS
        if shift > _MAX_SHIFT:
            raise ValueError


def _decode_choices(body: bytes, index: int) -> tuple[Choice, ...]:
    """Return the choices encoded in `body` from `index` on. Raises ValueError or IndexError for invalid data."""
    choices: list[Choice] = []
    while index < len(body):
        number, index = _decode_varint(body, index)
        if number:
            choices.append(number - 1)
            continue
        size, index = _decode_varint(body, index)
        if index + size > len(body):
            raise ValueError
        choices.append(body[index : index + size].decode())
        index += size
    return tuple(choices)
