"""JSON over HTTP: bodies of requests, responses, and work that ends when its client disconnects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from interpreter.i18n.translator import mark as _
from interpreter.ui.web.api_errors import ApiError

_T = TypeVar("_T")
JSON = "application/json"
_MAX_BODY_BYTES = 65_536  # bytes


async def await_unless_disconnected(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Await `work` and return its result; cancel it as soon as the client of the request disconnects."""
    task = asyncio.ensure_future(work)
    left = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait((task, left), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise build_timeout_error()
        return task.result()
    finally:
        task.cancel()
        left.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects, for a request without a body."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def build_timeout_error() -> ApiError:
    """Return the refusal of a request that took too long, or whose client has left."""
    return ApiError(408, "took-too-long", _("this took too long and was stopped"))


async def parse_body(request: Request) -> dict[str, Any]:
    """Parse the body of a request as a JSON object. Raises ApiError if it is none, too long or not Unicode."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY_BYTES:
                raise ApiError(413, "too-long", _("the request is too long"))
    except ClientDisconnect:  # the client has left, so the text is never read
        raise build_timeout_error() from None
    try:
        data = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise ApiError(400, "no-json", _("the request is not JSON")) from None
    if not isinstance(data, dict):
        raise ApiError(400, "no-object", _("the request is not a JSON object"))
    if not _is_unicode(data):
        raise ApiError(400, "no-json", _("the request contains a lone surrogate, which is not valid Unicode"))
    return data


def _is_unicode(data: object) -> bool:
    r"""Return whether JSON data can be encoded as UTF-8; lone surrogates such as `\ud800` cannot."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def build_json_response(data: object, status: int = 200) -> Response:
    """Return the response with some data as JSON."""
    text = json.dumps(data, ensure_ascii=False)
    return Response(text.encode(errors="replace"), status, media_type=JSON)  # notes of other faces may hold anything
