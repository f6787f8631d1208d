"""Serve the page's own files from memory, compressed once: a page asks for some sixty before it shows anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from gzip import compress
from mimetypes import guess_type

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from interpreter.view_model.encoded_content import EncodedContent


@dataclass(frozen=True, slots=True)
class _PageFile:
    """A file in memory; `changed` differs if the file has changed."""

    changed: tuple[int, int]  # time in nanoseconds, and size
    content: EncodedContent


def build_encoded_response(
    request: Request, content: EncodedContent, media_type: str | None, headers: Mapping[str, str]
) -> Response:
    """Return the response with some content, gzipped if the client accepts that."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(content.plain, media_type=media_type, headers=headers)
    return Response(content.packed, media_type=media_type, headers={**headers, "content-encoding": "gzip"})


class PageFiles(StaticFiles):
    """ASGI application that answers with the files of one folder from memory; a changed file is read again."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory=directory)
        self._files: dict[str, _PageFile] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file's content. Raises HTTPException if the file does not exist or cannot be read."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        try:
            full_path, info = self.lookup_path(path)  # two calls of the system: a thread would cost more
            if info is None or not stat.S_ISREG(info.st_mode):
                raise HTTPException(404)
            file = self._read(full_path, info)
        except (OSError, ValueError):  # a name that the system refuses, or a file without read permission
            raise HTTPException(404) from None
        headers = {"vary": "accept-encoding"}
        return build_encoded_response(Request(scope), file.content, guess_type(full_path)[0], headers)

    def _read(self, full_path: str, info: os.stat_result) -> _PageFile:
        changed = info.st_mtime_ns, info.st_size
        file = self._files.get(full_path)
        if file is None or file.changed != changed:
            with open(full_path, "rb") as stream:
                plain = stream.read()
            content = EncodedContent(plain, compress(plain, mtime=0))
            file = self._files[full_path] = _PageFile(changed, content)
        return file
