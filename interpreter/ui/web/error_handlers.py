"""Error handlers of the application: each answers with the error's code and message in the requested language."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from interpreter.api.autosave import NoRoomError
from interpreter.i18n.translator import get_translator, mark as _
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.commands import CommandRefusedError
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.json_transport import build_json_response
from interpreter.ui.web.refusals import build_refusal

Handler: TypeAlias = Callable[[Request, Exception], Coroutine[Any, Any, Response]]


def build_not_found_error() -> ApiError:
    """Return the refusal of a request for something that does not exist."""
    return ApiError(404, "not-found", _("page not found"))


class ErrorHandlers:
    """Error handlers for Starlette. `choose_language` returns the language of the answer to a request."""

    def __init__(self, choose_language: Callable[[Request], str]) -> None:
        self._choose_language = choose_language

    def map_by_type(self) -> Mapping[type[Exception], Handler]:
        """Return the handler of each type of error."""
        refused = (ApiError, CommandRefusedError, NoRoomError, RuleFault, SetupError)
        return {
            **dict.fromkeys(refused, self.refuse),
            HTTPException: self.handle_http_error,
            Exception: self.report_bug,
        }

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Answer with the refusal of an error that is not a bug of this program."""
        refusal = build_refusal(error)
        if refusal is None:
            return await self.report_bug(request, error)
        return build_json_response(refusal.serialize(get_translator(self._choose_language(request))), refusal.status)

    async def handle_http_error(self, request: Request, error: Exception) -> Response:
        """Answer an error of the router: an unknown path, or a method that the path does not have."""
        match error:
            case HTTPException(status_code=405):
                refusal = ApiError(405, "wrong-method", _("this address needs another HTTP method"))
                return await self.refuse(request, refusal)
            case HTTPException(status_code=404):
                return await self.refuse(request, build_not_found_error())
        return await self.report_bug(request, error)

    async def report_bug(self, request: Request, error: Exception) -> Response:
        """Print an unexpected error, a bug of this program, and answer with it."""
        message = get_translator(self._choose_language(request))(format_fault(error))
        print(f"grognard: {message}", file=sys.stderr)
        return build_json_response({"error": "fault", "message": message}, 500)
