"""Access tokens of seats, derived by HMAC from this installation's key and the game's identity.

A token stays the same whenever the same game is served again, and no file that is passed on contains it.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from interpreter.files.ruleset_locations import find_user_file

HOST, ONLOOKER = "host", "onlooker"  # roles besides the seats
_KEY_BYTES = 32
_LENGTH = 24  # characters of a token: 144 bits


@dataclass(frozen=True, slots=True)
class Requester:
    """Author of a request: a role, the seat of a player ('' for host and onlookers), and a language."""

    role: str
    seat: str
    lang: str

    @property
    def asker(self) -> str:
        """Return the id by which work queues and notes count this requester."""
        return f"{self.role} {self.seat}"


@dataclass(frozen=True, slots=True)
class Keyring:
    """The key of one installation, from which its access tokens are derived."""

    key: bytes

    def derive_secret(self, game: str, role: str, seat: str = "") -> str:
        """Return the token of the host, an onlooker, or a seat of the game with this identity."""
        text = "\n".join(("grognard seat 1", game, role, seat)).encode()
        return urlsafe_b64encode(hmac.digest(self.key, text, "sha256")).decode()[:_LENGTH]


def load_keyring() -> Keyring:
    """Return this installation's keyring, or a temporary one if its key can be neither read nor saved."""
    path = find_user_file("seats.key")
    if path is None:
        return Keyring(secrets.token_bytes(_KEY_BYTES))
    try:
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return Keyring(key)
    except OSError:
        pass
    return Keyring(_save_key(path, secrets.token_bytes(_KEY_BYTES)))


def random_token() -> str:
    """Return a random token that is valid until the server ends."""
    return secrets.token_urlsafe(_KEY_BYTES)[:_LENGTH]


def hash_token(secret: str) -> bytes:
    """Return the digest by which a token is looked up, so that lookup time reveals nothing about the token."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _save_key(path: Path, key: bytes) -> bytes:
    """Save a new key readable by its owner alone, and return it.

    Returns the key of another process if that one has saved its own at the same moment.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.unlink()  # incomplete key
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
    except FileExistsError:
        other_key = path.read_bytes()
        return other_key if len(other_key) == _KEY_BYTES else key
    except OSError:
        pass
    return key
