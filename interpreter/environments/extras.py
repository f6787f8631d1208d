"""Libraries that come with the extra `rl`, and may not be there. Must not use them."""

from __future__ import annotations

from importlib.util import find_spec

from interpreter.files.installing import install_command
from interpreter.runtime.faults import SetupError


def required(*names: str) -> None:
    """SetupError that says what to install, where one of these cannot be imported."""
    for name in names:
        if find_spec(name) is None:
            raise SetupError(
                "`{library}` is not installed, which environments need; install it with: {command}",
                library=name,
                command=install_command("rl"),
            )
