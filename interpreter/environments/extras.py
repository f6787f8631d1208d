"""Import the optional libraries of the extra `rl`, with a helpful error if they are missing."""

from __future__ import annotations

from importlib.util import find_spec

from interpreter.files.installing import get_install_command
from interpreter.runtime.errors import SetupError


def require_modules(*names: str) -> None:
    """Raise SetupError with the install command if a module cannot be imported."""
    for name in names:
        if find_spec(name) is None:
            raise SetupError(
                "environments need `{library}`, which is not installed; to install it: {command}",
                library=name,
                command=get_install_command("rl"),
            )
