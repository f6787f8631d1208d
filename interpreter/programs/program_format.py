"""Compiled forms as bytes: the data as JSON, the code objects in Python's own format.

The bytes depend on the minor version of Python. Decode only what this program or its user has written: code objects
are executed.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

_SIZE = 8  # bytes for the length of the data


def encode_compiled(codes: Sequence[CodeType], data: Mapping[str, Any]) -> bytes:
    """Return code objects and JSON-compatible data as bytes, for `decode_compiled` under the same Python."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return len(text).to_bytes(_SIZE, "little") + text + marshal.dumps(list(codes))


def decode_compiled(body: bytes) -> tuple[tuple[CodeType, ...], dict[str, Any]] | None:
    """Return the code objects and the data of a compiled form; None if the bytes are damaged."""
    try:
        end = _SIZE + int.from_bytes(body[:_SIZE], "little")
        return tuple(marshal.loads(body[end:])), json.loads(body[_SIZE:end])
    except (ValueError, EOFError, TypeError):
        return None
