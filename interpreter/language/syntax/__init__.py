"""Syntax of the rules language: nodes as written, with the span of every part.

Used as one namespace for all modules of the package: `from interpreter.language import syntax as s`. Names are not
resolved.
"""

from interpreter.language.syntax.expressions import *  # noqa: F403
from interpreter.language.syntax.items import *  # noqa: F403
from interpreter.language.syntax.statements import *  # noqa: F403
