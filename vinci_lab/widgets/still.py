"""Still pictures of widgets, for saved notebooks, code hosts and whoever has no kernel."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vinci_lab.engine.picture import Picture

COLORS = 96  # enough for a board; a third of the size of all colors


def small_png(picture: Picture, scale: float = 1.0) -> bytes:
    """Return a picture as a PNG with few colors, some 100 kB for a board."""
    return fewer_colors(picture.png(scale))


def still(picture: Picture, scale: float = 1.0) -> Any:
    """Return a picture as an image for a notebook; unlike a drawing, it also shows where a notebook is not trusted."""
    from IPython.display import Image

    image: Any = Image
    return image(small_png(picture, scale))


def fewer_colors(png: bytes) -> bytes:
    """Return a PNG with at most 96 colors."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        written = io.BytesIO()
        image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


def with_still(bundle: Any, png: bytes | None, words: str) -> Any:
    """Return a widget's answer to a notebook with a picture for those who cannot show widgets."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    added = {"text/plain": words}
    if png is not None:
        added["image/png"] = base64.b64encode(png).decode("ascii")
    return {**data, **added}, metadata
