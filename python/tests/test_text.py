"""Tests of writing positions as text and reading them back."""

import numpy as np
import pytest

import mineflow


def test_texts_give_their_view_back(positions):
    for view in positions:
        for write in (mineflow.render, mineflow.constraints):
            text = write(view, 10)
            back, mines = mineflow.parse(text)
            np.testing.assert_array_equal(back, view)
            assert mines == 10 and write(back, mines) == text


def test_a_view_is_drawn_and_told(places):
    assert mineflow.render(places, 1) == "2x2x1\n1H\nHH\n"
    assert mineflow.constraints(places, 1) == "2x2/1\n1 at (0, 0): 1 mine in (0, 1) (1, 0) (1, 1)\n"
    flagged = np.array([[-2, 0]], np.int8)
    assert mineflow.render(flagged, 0) == "2x1x0\nF0\n"
    np.testing.assert_array_equal(mineflow.parse("2x1x0\nF0\n")[0], flagged)
    # JSMinesweeper has several letters for covered cells and a letter for a flag.
    letters = np.array([[-1, -1], [-1, -2]], np.int8)
    np.testing.assert_array_equal(mineflow.parse("2x2x1\n?M\nIO\n")[0], letters)
    opened = np.array([[0, 0]], np.int8)
    assert mineflow.constraints(opened, 0).splitlines()[1] == "0 at (0, 0): no covered cell around"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "text: "),
        ("3x3", "not a size"),
        ("2x2x1\n1H\nH!\n", "line 3, column 2"),
        ("2x2/9\n", "line 1: 9 mines don't fit"),
        ("2x2/1\n1 at (0, 0): 1 mine in (0, 1)\n", r"line 2: .*doesn't fit the other lines"),
        ("2x2/1\n1 at (5, 0): 1 mine in (0, 1)\n", "line 2: .*is not a number"),
        ("2x2/1\n9 at (0, 0): 9 mines in (0, 1)\n", "line 2: a cell can't have 9 mines"),
        ("2x2/1\nhello\n", "line 2: `hello` is not a number"),
    ],
)
def test_a_text_that_is_no_view_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        mineflow.parse(text)


def test_no_text_crashes(positions):
    rng = np.random.default_rng(3)
    texts = [mineflow.render(positions[0], 10), mineflow.constraints(positions[1], 10)]
    for _ in range(3000):
        letters = list(texts[rng.integers(2)])
        for _ in range(rng.integers(1, 5)):
            at = rng.integers(len(letters))
            letters[at] = str(rng.choice(list("0189xHF#/(), \n\u00e9at")))
        try:
            mineflow.parse("".join(letters))
        except ValueError as error:
            assert str(error).startswith("text: ")
