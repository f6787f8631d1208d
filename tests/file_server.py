"""A web server of files, as any host of static pages is, for the tests of exported pages."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileServer(http.server.ThreadingHTTPServer):
    """A server of one folder; `sent` counts the bytes of the files it has sent."""

    sent = 0

    @property
    def address(self) -> str:
        """Return the address of the folder, with a slash at its end."""
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Handler(http.server.SimpleHTTPRequestHandler):
    server: FileServer

    def log_message(self, format: str, *args: object) -> None:
        """Keep silent."""

    def copyfile(self, source, outputfile) -> None:
        data = source.read()
        self.server.sent += len(data)
        outputfile.write(data)


@contextmanager
def serve_folder(folder: Path) -> Iterator[FileServer]:
    """Serve a folder inside the context."""
    with FileServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
