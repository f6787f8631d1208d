"""Which function types which form of expression: the one list of them all. Must not type anything itself."""

from __future__ import annotations

from interpreter.checker.expressions import lookups, operators, sets
from interpreter.checker.expressions.expression_types import Expressions, Form
from interpreter.checker.expressions.signatures import check_builtin
from interpreter.checker.operations import BUILTINS
from interpreter.checker.scope import Names
from interpreter.language import syntax as s

FORMS: dict[type, Form] = {
    s.Name: Expressions._name,
    s.Literal: Expressions._literal,
    s.Attr: Expressions._attr,
    s.Index: lookups.index,
    s.Former: sets.misplaced_former,
    s.Call: Expressions._call,
    s.Unary: operators.unary,
    s.Binary: operators.binary,
    s.Logic: operators.logic,
    s.Quantified: sets.quantified,
    s.Conditional: operators.conditional,
    s.OrElse: operators.or_else,
    s.At: sets.at,
    s.OnMap: sets.on_map,
    s.Collection: sets.collection,
    s.Playing: Expressions._playing,
    s.HasCell: lookups.has_cell,
    s.CanAdvance: Expressions._can_advance,
    s.Possible: Expressions._possible,
    s.Search: sets.search,
    s.Closure: sets.closure,
    s.WithFields: Expressions._with_fields,
    s.Shifted: lookups.misplaced_shift,
}


def expressions_of(names: Names) -> Expressions:
    """What checks expressions with these names."""
    return Expressions(names, FORMS, dict.fromkeys(BUILTINS, check_builtin))
