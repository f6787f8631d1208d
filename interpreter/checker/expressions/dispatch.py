"""The dispatch table from each expression form to the function that type-checks it."""

from __future__ import annotations

from interpreter.checker.expressions import lookups, operators, sets
from interpreter.checker.expressions.expression_types import Expressions, Form
from interpreter.checker.expressions.signatures import check_builtin
from interpreter.checker.operations import BUILTINS
from interpreter.checker.scope import RulesScope
from interpreter.language import syntax as s

FORMS: dict[type, Form] = {
    s.NameExpr: Expressions._name,
    s.LiteralExpr: Expressions._literal,
    s.AttrExpr: Expressions._attr,
    s.IndexExpr: lookups.index,
    s.ComprehensionExpr: sets.misplaced_former,
    s.CallExpr: Expressions._call,
    s.UnaryExpr: operators.unary,
    s.BinaryExpr: operators.binary,
    s.LogicExpr: operators.logic,
    s.QuantifiedExpr: sets.quantified,
    s.ConditionalExpr: operators.conditional,
    s.OrElseExpr: operators.or_else,
    s.PiecesAtExpr: sets.at,
    s.OnMapExpr: sets.on_map,
    s.CollectionExpr: sets.collection,
    s.PlayingExpr: Expressions._playing,
    s.HasCellExpr: lookups.has_cell,
    s.CanAdvanceExpr: Expressions._can_advance,
    s.PossibleExpr: Expressions._possible,
    s.SearchExpr: sets.search,
    s.ClosureExpr: sets.closure,
    s.WithFieldsExpr: Expressions._with_fields,
    s.ShiftedExpr: lookups.misplaced_shift,
}


def expressions_of(names: RulesScope) -> Expressions:
    """Return an expression checker for the names of this scope."""
    return Expressions(names, FORMS, dict.fromkeys(BUILTINS, check_builtin))
