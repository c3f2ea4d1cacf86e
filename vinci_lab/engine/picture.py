"""Pictures: a thin layer over the standard library's XML, which escapes every name, and the finished SVG.

A picture's ids and styles carry its name, so that any number of pictures can stand on one page.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

THEMES = ("auto", "light", "dark")
FONT = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif"
NAMESPACE = "http://www.w3.org/2000/svg"
MOST_PIXELS = 60_000_000
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Style = Mapping[str, Mapping[str, str]]  # class -> property -> value


class Node:
    """One element of a picture, to which others are added.

    In names of attributes ``_`` stands for ``-`` and a last ``_`` is dropped (``class_``, ``data_seat``); numbers are
    rounded to tenths of a pixel, and attributes that are None are left out.
    """

    def __init__(self, element: ElementTree.Element, name: str) -> None:
        self.element = element
        self.name = name

    def add(self, tag: str, text: str | None = None, /, **attributes: object) -> Node:
        """Add an element and return it."""
        node = Node(ElementTree.SubElement(self.element, tag), self.name)
        node.element.text = None if text is None else plain(text)
        for key, value in attributes.items():
            node.set(key, value)
        return node

    def set(self, key: str, value: object) -> None:
        """Give an attribute a value, unless it is None."""
        if value is not None:
            self.element.set(key.rstrip("_").replace("_", "-"), number(value))

    def group(self, **attributes: object) -> Node:
        """Add a group."""
        return self.add("g", **attributes)

    def title(self, text: str) -> None:
        """Let a text appear while the pointer rests here."""
        title = ElementTree.Element("title")
        title.text = plain(text)
        self.element.insert(0, title)

    def text(
        self, x: float, y: float, words: str, size: float, class_: str = "ink", anchor: str = "start", **more: object
    ) -> Node:
        """Add a line of text whose baseline is at ``y``."""
        anchor_ = None if anchor == "start" else anchor
        return self.add("text", words, x=x, y=y, font_size=size, class_=class_, text_anchor=anchor_, **more)

    def id(self, key: str) -> str:
        """Return an id that no other picture has."""
        return f"{self.name}-{key}"

    def url(self, key: str) -> str:
        """Return a reference to an id of this picture."""
        return f"url(#{self.id(key)})"


@dataclass(frozen=True)
class Picture:
    """A finished drawing.

    Attributes
    ----------
    svg : str
        The whole picture; it loads nothing.
    width, height : int
        Pixels at its natural size.
    parts : tuple of str
        What stands in the outermost element, one by one.
    """

    svg: str
    width: int
    height: int
    parts: tuple[str, ...] = ()

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def inline(self) -> str:
        """The picture as part of an HTML page, which needs no name of the language."""
        return self.svg.replace(f' xmlns="{NAMESPACE}"', "", 1)

    def png(self, scale: float = 2) -> bytes:
        """Return the picture as PNG, ``scale`` times its natural size; letters are those of DejaVu Sans everywhere."""
        import matplotlib
        import resvg_py

        pixels = self.width * self.height * scale**2
        if not (scale > 0 and pixels <= MOST_PIXELS):
            most = (MOST_PIXELS / (self.width * self.height)) ** 0.5
            raise ValueError(f"scale: must be a number above 0, up to {most:.2g} for this picture, got {scale}")
        fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        files = [str(fonts / f"DejaVuSans{face}.ttf") for face in ("", "-Bold", "-Oblique")]
        drawn = resvg_py.svg_to_bytes(
            svg_string=self.svg,
            width=round(self.width * scale),
            skip_system_fonts=True,
            font_files=files,
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
        return bytes(drawn)

    def save(self, path: str | Path, scale: float = 2) -> Path:
        """Write the picture as the ending of its name says, ``.svg`` or ``.png``, and return the path.

        Raises
        ------
        ValueError
            If the name ends otherwise.
        """
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg + "\n", encoding="utf-8", newline="\n")
        elif path.suffix == ".png":
            path.write_bytes(self.png(scale))
        else:
            raise ValueError(f"{path}: the name must end in .svg or .png")
        return path


def new_picture(width: int, title: str, name: str | None = None) -> Node:
    """Return an empty picture.

    Parameters
    ----------
    width : int
        Pixels; the height is given to :func:`finish`, when it is known.
    title : str
        What it shows, for readers that cannot see it.
    name : str, optional
        What its ids begin with; a name of its own is made up if left out. Letters, digits, ``_`` and ``-`` are kept.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "-", name) if name else uuid.uuid4().hex[:8]
    root = Node(ElementTree.Element("svg"), f"v-{name}")
    root.set("xmlns", NAMESPACE)
    for key, value in (("width", width), ("role", "img"), ("aria_label", plain(title))):
        root.set(key, value)
    root.set("id", root.name)
    root.set("font_family", FONT)
    return root


def finish(root: Node, height: float, light: Style, dark: Style, theme: str = "auto") -> Picture:
    """Return the picture with its styles.

    Parameters
    ----------
    root : Node
        From :func:`new_picture`.
    height : float
        Pixels.
    light, dark : mapping
        Looks of the classes.
    theme : {"auto", "light", "dark"}
        ``auto`` follows the reader's system, and in JupyterLab the theme of the lab.

    Raises
    ------
    ValueError
        If there is no such theme.
    """
    if theme not in THEMES:
        raise ValueError(f"theme: must be one of {', '.join(THEMES)}, got {theme!r}")
    own = f"#{root.name}"
    rules = _rules(own, dark if theme == "dark" else light)
    if theme == "auto":
        rules += f"@media (prefers-color-scheme: dark) {{ {_rules(own, dark)} }}"
        rules += _rules(f'[data-jp-theme-light="true"] {own}', light)
        rules += _rules(f'[data-jp-theme-light="false"] {own}', dark)
    style = ElementTree.Element("style")
    style.text = rules
    root.element.insert(0, style)
    width, whole = int(root.element.attrib["width"]), math.ceil(height)
    root.set("height", whole)
    root.set("viewBox", f"0 0 {width} {whole}")
    parts = tuple(ElementTree.tostring(part, encoding="unicode") for part in root.element)
    empty = ElementTree.Element(root.element.tag, root.element.attrib)
    opened = ElementTree.tostring(empty, encoding="unicode", short_empty_elements=False).removesuffix("</svg>")
    return Picture(f"{opened}{''.join(parts)}</svg>", width, whole, parts)


def _rules(owner: str, style: Style) -> str:
    return "".join(
        f"{owner} .{name} {{ {'; '.join(f'{key}: {value}' for key, value in looks.items())} }}\n"
        for name, looks in style.items()
    )


def plain(text: object) -> str:
    """Return a text without the characters that XML cannot hold."""
    return NOT_IN_XML.sub("\ufffd", str(text))


def number(value: object) -> str:
    """Return an attribute's value; floats are rounded to tenths."""
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return plain(value)


def fitting(words: str, width: float, size: float) -> str:
    """Return a text, shortened if it would be wider than ``width`` pixels in letters of ``size`` pixels."""
    room = max(1, int(width / (0.56 * size)))  # letters of DejaVu Sans are 0.56 of their size wide on average
    return words if len(words) <= room else f"{words[: room - 1].rstrip()}…"
