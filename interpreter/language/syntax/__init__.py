"""Syntax of the rules language: what was written, with the span of every part.

Used as one namespace of all that its modules hold: `from interpreter.language import syntax as s`. Must not know what
names mean.
"""

from interpreter.language.syntax.expressions import *  # noqa: F403
from interpreter.language.syntax.items import *  # noqa: F403
from interpreter.language.syntax.statements import *  # noqa: F403
