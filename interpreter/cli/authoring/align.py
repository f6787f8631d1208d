"""Implement `grognard align`: write a page on which to click where places lie on a scanned map."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.errors import GOOD, UsageError, prepare_output
from interpreter.cli.output import print_line, print_message
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.files.safe_read import write_atomically
from interpreter.i18n.translator import Message, get_translator, mark as _

HELP = _("write a page for aligning a scanned map with the spaces, or for tracing outlines of areas")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument("image", metavar=_("IMAGE"), help=_("the scan: a PNG, JPEG, GIF or WebP file"))
    parser.add_argument("--out", metavar=_("FILE"), default="align.html", help=_("the page (default: align.html)"))


def run(arguments: argparse.Namespace) -> int:
    """Write the HTML page for aligning a scan with a map, and print how to use it."""
    from interpreter.documents.building.ruleset_builder import read_documents
    from interpreter.files.picture_files import PictureError, read_picture
    from interpreter.tools.calibration.page import render_page

    say, image = get_translator(arguments.lang), Path(arguments.image)
    try:
        picture = read_picture(image.absolute().parent, image.name)
    except PictureError as fault:
        raise UsageError("{what}: {values}", what=fault.problem, values=fault.cure) from None
    sink = Sink()
    ruleset = read_documents(arguments.ruleset, sink)
    if ruleset is None:
        raise RulesetError(sink.list_sorted())
    name, advice = _name_in_folder(image, Path(arguments.ruleset))
    page = render_page(ruleset, name, picture.content, picture.header, arguments.lang or "", say)
    with prepare_output(arguments.out) as path:
        write_atomically(path, page.encode())
    print_message(say("wrote {file}", file=arguments.out))
    print_message(say("open it in a browser, click, and copy the lines into a map document"))
    if advice is not None:
        print_line(say(advice))
    return GOOD


def _name_in_folder(image: Path, folder: Path) -> tuple[str, Message | None]:
    """Return the name of a picture relative to the ruleset's folder, and None.

    If the picture lies elsewhere, return its file name and the advice to copy it.
    """
    image_path, root = image.absolute(), folder.absolute()
    if root.is_dir() and image_path.is_relative_to(root):
        return image_path.relative_to(root).as_posix(), None
    return image.name, _("copy {file} into the ruleset's folder", file=image.name)
