"""The display list and its two renderers."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from otherminds.core.errors import MissingExtra, UserError
from otherminds.view.pixels import save_gif, save_png, to_image
from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, to_svg

RED = "#ff0000"
SQUARE = Rect(10, 10, 20, 20, RED)
EVERY_KIND = (
    ("rect", SQUARE),
    ("circle", Circle(20, 20, 10, RED)),
    ("polygon", Polygon(((10, 10), (30, 10), (20, 30)), RED)),
    ("line", Line(10, 20, 30, 20, RED, 6)),
    ("text", Label(20, 20, "H", 20, RED, "middle", is_bold=True)),
)


def one(*shapes: Rect | Circle | Polygon | Line | Label) -> Scene:
    return Scene(40, 40, shapes)


def redness(image: Image.Image) -> float:
    """The share of pixels that are clearly red."""
    pixels = np.asarray(image)
    return float(np.mean((pixels[..., 0] > 200) & (pixels[..., 1] < 90)))


@pytest.mark.parametrize(("tag", "shape"), EVERY_KIND)
def test_every_kind_of_shape_appears_in_both_renderers(tag: str, shape: Rect | Circle | Polygon | Line | Label) -> None:
    root = ElementTree.fromstring(to_svg(one(shape)))
    drawn = [child for child in root if child.get("fill") == RED or child.get("stroke") == RED]
    assert [child.tag.rpartition("}")[2] for child in drawn] == [tag]
    assert redness(to_image(one(shape))) > 0.02


def test_an_image_has_the_size_of_the_scene_times_the_scale() -> None:
    assert to_image(one(SQUARE)).size == (40, 40)
    assert to_image(one(SQUARE), scale=2.5).size == (100, 100)


def test_a_rectangle_covers_exactly_its_pixels() -> None:
    image = to_image(one(SQUARE))
    assert image.getpixel((10, 10)) == image.getpixel((29, 29)) == (255, 0, 0)
    assert image.getpixel((9, 10)) == image.getpixel((30, 29)) == (255, 255, 255)


def test_a_stroke_is_centred_on_the_outline_as_in_svg() -> None:
    image = to_image(one(Rect(10, 10, 20, 20, None, RED, 4)))
    assert image.getpixel((8, 20)) == image.getpixel((11, 20)) == (255, 0, 0)
    assert image.getpixel((7, 20)) == image.getpixel((12, 20)) == (255, 255, 255)


@pytest.mark.parametrize("shape", [SQUARE, Circle(20, 20, 9), Polygon(((10, 10), (30, 10), (20, 30)))])
def test_a_shape_without_fill_and_stroke_leaves_no_pixel(shape: Rect | Circle | Polygon) -> None:
    blank = type(shape)(**{**vars(shape), "fill": None})
    assert redness(to_image(one(blank))) == 0
    assert 'fill="none"' in to_svg(one(blank))


def test_opacity_mixes_a_shape_with_what_lies_under_it() -> None:
    see_through = Rect(10, 10, 20, 20, "#000000", opacity=0.5)
    assert to_image(one(see_through)).getpixel((20, 20)) in ((127, 127, 127), (128, 128, 128))
    assert 'opacity="0.5"' in to_svg(one(see_through))


def test_text_is_escaped_in_svg() -> None:
    text = 'a < b & "c" </text><script>'
    scene = Scene(40, 40, (Label(0, 20, text),), description=text)
    root = ElementTree.fromstring(to_svg(scene))
    assert [node.text for node in root.iter() if node.text and "b" in node.text] == [text, text]
    assert "<script>" not in to_svg(scene)


def test_a_gif_has_a_frame_a_scene_loops_and_rests_on_the_last(tmp_path: Path) -> None:
    save_gif([one(Circle(10 + k, 20, 5, RED)) for k in range(15)], tmp_path / "a.gif", 0.1)
    with Image.open(tmp_path / "a.gif") as gif:
        assert getattr(gif, "n_frames", 1) == 15
        assert gif.info["loop"] == 0
        assert gif.info["duration"] == 100
        gif.seek(14)
        assert gif.info["duration"] > 100


@pytest.mark.parametrize("scenes", [[], [one(SQUARE), Scene(50, 40, ())]])
def test_a_gif_needs_scenes_of_one_size(scenes: list[Scene], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one size"):
        save_gif(scenes, tmp_path / "a.gif")


def test_files_are_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    save_png(one(SQUARE), tmp_path / "a.png")
    save_png(one(SQUARE), tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (40, 40)


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX")
def test_a_picture_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    save_png(one(SQUARE), tmp_path / "a.png")
    (tmp_path / "plain").touch()
    assert stat.S_IMODE((tmp_path / "a.png").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_an_unwritable_path_is_a_user_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot write"):
        save_gif([one(SQUARE)], tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_missing_pillow_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    for draw in (lambda: to_image(one(SQUARE)), lambda: save_gif([one(SQUARE)], tmp_path / "a.gif")):
        with pytest.raises(MissingExtra, match=r"install otherminds\[view\]"):
            draw()
    assert "<rect" in to_svg(one(SQUARE))
