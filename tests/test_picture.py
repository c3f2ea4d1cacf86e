"""Pictures: escaping, ids, themes, files."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from vinci_lab.engine.picture import Picture, finish, fitting, new_picture

LIGHT, DARK = {"ink": {"fill": "#000000"}}, {"ink": {"fill": "#ffffff"}}


def drawn(theme: str = "auto", words: str = "hello", name: str | None = None) -> Picture:
    root = new_picture(200, words, name)
    group = root.group(data_words=words, id=root.id("group"))
    group.title(words)
    group.text(10, 20.04, words, 12)
    return finish(root, 50, LIGHT, DARK, theme)


@pytest.mark.parametrize("words", ["<img src=x onerror=alert(1)>", "a & b", "\"'", "]]>", "<!--", "\x00\x1b[31m\ud800"])
def test_any_text_stays_text(words: str) -> None:
    root = ElementTree.fromstring(drawn(words=words).svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {"svg", "style", "g", "title", "text"}
    (text,) = (element for element in root.iter() if element.tag.endswith("text"))
    expected = "".join(letter if letter.isprintable() else "\ufffd" for letter in words)
    assert text.text == expected
    assert root.attrib["aria-label"] == expected


def test_ids_and_styles_carry_the_name_of_the_picture() -> None:
    first, second = drawn().svg, drawn().svg
    assert first != second
    assert drawn(name="board").svg == drawn(name="board").svg
    assert 'id="v-a-b-c-group"' in drawn(name='a b"c').svg


def test_auto_follows_the_system_and_the_lab_and_the_other_themes_stay() -> None:
    auto, light, dark = (drawn(theme, name="x").svg for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme: dark" in auto
    assert "data-jp-theme-light" in auto
    for svg, color, other in ((light, "#000000", "#ffffff"), (dark, "#ffffff", "#000000")):
        assert color in svg
        assert other not in svg
        assert "@media" not in svg


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="theme: must be one of auto, light, dark, got 'blue'"):
        drawn("blue")


def test_a_picture_is_saved_as_its_name_says(tmp_path: Path) -> None:
    picture = drawn()
    assert picture.save(tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg ")
    png = picture.save(tmp_path / "a.png", scale=3).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 600
    with pytest.raises(ValueError, match=r"must end in \.svg or \.png"):
        picture.save(tmp_path / "a.gif")
    with pytest.raises(ValueError, match="scale: must be a number above 0"):
        picture.png(0)
    with pytest.raises(ValueError, match="up to 77 for this picture, got 78"):
        picture.png(78)


def test_letters_are_drawn_without_fonts_of_the_system() -> None:
    assert drawn(words="hello", name="x").png() != drawn(words="", name="x").png()


def test_long_words_are_shortened() -> None:
    assert fitting("short", 100, 10) == "short"
    assert fitting("a very long name of a tile", 60, 10) == "a very lo…"
