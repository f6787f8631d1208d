"""The command line: a module for each command, which reads arguments, calls, prints and gives an exit code.

No rule of play, no format of a file and no chart is worked out here.
"""
