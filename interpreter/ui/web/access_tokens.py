"""Who a link lets in: secrets for the seats of a game, made from a key of this installation and the game's identity.

A secret is the same whenever the same game is served again, and stands in no file that is passed on. Must not know the
web.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from interpreter.files.ruleset_locations import own_file

HOST, ONLOOKER = "host", "onlooker"  # roles beside the seats; no id of a seat has a blank before it
_KEY_BYTES = 32
_LENGTH = 24  # letters of a secret: 144 bits


@dataclass(frozen=True, slots=True)
class Keyring:
    """Makes the secrets of one installation."""

    key: bytes

    def secret(self, game: str, role: str, seat: str = "") -> str:
        """Return the secret of the host, an onlooker, or a seat of the game with this identity."""
        text = "\n".join(("grognard seat 1", game, role, seat)).encode()
        return urlsafe_b64encode(hmac.digest(self.key, text, "sha256")).decode()[:_LENGTH]


def keyring() -> Keyring:
    """The keyring of this installation; where its key can be neither read nor kept, one for this time."""
    path = own_file("seats.key")
    if path is None:
        return Keyring(secrets.token_bytes(_KEY_BYTES))
    try:
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return Keyring(key)
    except OSError:
        pass
    return Keyring(_kept(path, secrets.token_bytes(_KEY_BYTES)))


def fresh_secret() -> str:
    """Return a secret that is good until the server ends."""
    return secrets.token_urlsafe(_KEY_BYTES)[:_LENGTH]


def digest_of(secret: str) -> bytes:
    """By what a secret is looked up: looking for one tells nothing of how much of it was right."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _kept(path: Path, key: bytes) -> bytes:
    """The key, on disk for its owner alone; the one that another program has put there at the same moment."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.unlink()  # not a whole key
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
    except FileExistsError:
        found = path.read_bytes()
        return found if len(found) == _KEY_BYTES else key
    except OSError:
        pass
    return key
