"""The command line: a module for each command, which reads arguments, calls, prints and gives an exit code.

Must not work out a rule of play, a format of a file or a chart.
"""
