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
    s.IndexExpr: lookups.check_index,
    s.ComprehensionExpr: sets.report_misplaced_comprehension,
    s.CallExpr: Expressions._call,
    s.UnaryExpr: operators.check_unary,
    s.BinaryExpr: operators.check_binary,
    s.LogicExpr: operators.check_logic,
    s.QuantifiedExpr: sets.check_quantified,
    s.ConditionalExpr: operators.check_conditional,
    s.OrElseExpr: operators.check_or_else,
    s.PiecesAtExpr: sets.check_pieces_at,
    s.OnMapExpr: sets.check_on_map,
    s.CollectionExpr: sets.check_collection,
    s.PlayingExpr: Expressions._playing,
    s.HasCellExpr: lookups.check_has_cell,
    s.CanAdvanceExpr: Expressions._can_advance,
    s.PossibleExpr: Expressions._possible,
    s.SearchExpr: sets.check_search,
    s.ClosureExpr: sets.check_closure,
    s.WithFieldsExpr: Expressions._with_fields,
    s.ShiftedExpr: lookups.report_misplaced_shift,
}


def build_expression_checker(names: RulesScope) -> Expressions:
    """Return an expression checker for the names of this scope."""
    return Expressions(names, FORMS, dict.fromkeys(BUILTINS, check_builtin))
