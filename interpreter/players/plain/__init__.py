"""The plain text runner: lines out, lines in, no control of the screen."""
