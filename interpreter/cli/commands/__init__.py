"""One module for each command, called as the command is.

A module has `HELP`, `add_arguments(parser)` and `run(arguments) -> exit code`; it imports what it
needs when it runs. `main` finds the modules by looking into this folder and `authoring`.
Must not hold what another command needs too.
"""
