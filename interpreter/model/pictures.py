"""Pictures of the author's own: scans of a map and of counters, as files in the ruleset's folder.

Looks only; nothing here affects play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that was found and recognized: its name in the folder, its file, its kind and its size in pixels.

    `kind` is "png", "jpeg", "gif" or "webp". `content` is set where files are not available, as in a browser.
    """

    name: str
    path: str
    kind: str
    size: tuple[int, int]
    content: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CalibrationPoint:
    """A calibration point: a pixel of the scan, and the place or sheet point that it shows."""

    at: Point
    place: int | None = None
    on: Point | None = None


@dataclass(frozen=True, slots=True)
class Background:
    """A scanned map below the spaces. Without reference points it is placed at the upper left corner, unscaled.

    `has_grid`: the outlines of the spaces are drawn over it.
    """

    picture: PictureFile
    points: tuple[CalibrationPoint, ...] = ()
    has_grid: bool = False


@dataclass(frozen=True, slots=True)
class CounterPictures:
    """The scans of the counters of a class.

    `usual`: one for all; `values`: by the value of the attribute or expression `by`; `pieces`: by the piece's handle.
    """

    usual: PictureFile | None = None
    by: str = ""
    values: Mapping[str, PictureFile] = field(default_factory=dict)
    pieces: Mapping[int, PictureFile] = field(default_factory=dict)

    def files(self) -> Iterator[PictureFile]:
        """Yield the scans."""
        yield from ([self.usual] if self.usual is not None else [])
        yield from self.values.values()
        yield from self.pieces.values()

    def replaced(self, change: Callable[[PictureFile], PictureFile]) -> CounterPictures:
        """Return a copy with each scan replaced by `change(scan)`."""
        values = {name: change(picture) for name, picture in self.values.items()}
        pieces = {handle: change(picture) for handle, picture in self.pieces.items()}
        return CounterPictures(None if self.usual is None else change(self.usual), self.by, values, pieces)
