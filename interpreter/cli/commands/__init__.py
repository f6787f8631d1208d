"""Commands: one module each, with the name of the command.

A module has `HELP`, `add_arguments(parser)` and `run(arguments) -> exit code`, and imports its dependencies when it
runs. `main` discovers the modules in this folder, in `authoring` and in `experiments`. Code shared by several commands
lives outside these folders.
"""
