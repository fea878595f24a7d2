"""Tests of exact probabilities and counts, and of the errors for invalid arrays."""

import itertools
import math
import os
import threading
import time

import numpy as np
import pytest

import mineflow

SMALL = [((2, 2), 1), ((3, 3), 2), ((2, 5), 3), ((4, 3), 4), ((1, 7), 2)]


def layouts_that_fit(view, mines):
    """Returns all layouts that are consistent with a view, by enumeration."""
    height, width = view.shape
    cells = list(itertools.product(range(height), range(width)))
    fitting = []
    for chosen in itertools.combinations(cells, mines):
        mine = np.zeros((height + 2, width + 2), bool)
        for row, col in chosen:
            mine[row + 1, col + 1] = True
        around = sum(mine[1 + r : height + 1 + r, 1 + c : width + 1 + c] for r in (-1, 0, 1) for c in (-1, 0, 1))
        inner = mine[1:-1, 1:-1]
        if (~inner[view >= 0]).all() and ((around - inner)[view >= 0] == view[view >= 0]).all():
            fitting.append(inner)
    return np.array(fitting).reshape(-1, height, width)


@pytest.mark.parametrize(("size", "mines"), SMALL)
def test_probabilities_are_those_of_all_layouts_that_fit(size, mines):
    rng = np.random.default_rng(1)
    views, expected, counts = [], [], []
    while len(views) < 30:
        field = np.zeros(size, bool)
        field.flat[rng.choice(field.size, mines, replace=False)] = True
        padded = np.pad(field, 1).astype(int)
        number = sum(np.roll(padded, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1))[1:-1, 1:-1] - field
        view = np.where(~field & (rng.random(size) < 0.4), number, -1).astype(np.int8)
        fitting = layouts_that_fit(view, mines)
        views.append(view)
        counts.append(len(fitting))
        expected.append(np.where(view < 0, fitting.mean(axis=0), np.nan))
    views = np.array(views)
    found = mineflow.probabilities(views, mines)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert mineflow.layouts(views, mines) == counts
    np.testing.assert_array_equal(mineflow.safe_cells(views, mines), np.array(expected) == 0)


def test_solving_one_view_gives_what_the_batch_gives(positions):
    for view in positions[:50]:
        solution = mineflow.solve(view, 10)
        np.testing.assert_array_equal(solution["mine_probability"], mineflow.probabilities(view[None], 10)[0])
        assert solution["solutions"] == mineflow.layouts(view[None], 10)[0]
        safe = np.zeros_like(view, bool)
        safe[tuple(solution["safe"].T)] = True
        np.testing.assert_array_equal(safe, mineflow.safe_cells(view[None], 10)[0])
        assert (solution["mine_probability"][tuple(solution["mines"].T)] == 1).all()


def test_a_large_empty_board_has_exact_layouts():
    view = np.full((1, 16, 30), -1, np.int8)
    (count,) = mineflow.layouts(view, 99)
    assert count == math.comb(480, 99)
    np.testing.assert_allclose(mineflow.probabilities(view, 99), 99 / 480)


def test_results_do_not_depend_on_threads(positions):
    many = np.concatenate([positions] * 12)
    one = mineflow.probabilities(many, 10, threads=1)
    for threads in (2, 3, None):
        np.testing.assert_array_equal(one, mineflow.probabilities(many, 10, threads=threads))
    assert mineflow.layouts(many, 10, threads=1) == mineflow.layouts(many, 10, threads=2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_process_has_threads_of_its_own(positions):
    """A thread pool does not survive a fork. A child that waited for it would wait forever."""
    expected = mineflow.probabilities(positions, 10, threads=2)
    child = os.fork()
    if child == 0:
        same = np.array_equal(mineflow.probabilities(positions, 10, threads=2), expected, equal_nan=True)
        os._exit(0 if same else 1)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.1)
    os.kill(child, 9)
    pytest.fail("the child waits for threads that it does not have")


def test_work_goes_on_while_other_threads_of_python_run(positions):
    """A batch is computed without Python's global lock, so that another thread can count in the meantime."""
    many = np.concatenate([positions] * 200)
    counted, over = [0], threading.Event()

    def count():
        while not over.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    mineflow.probabilities(many, 10, threads=1)
    meanwhile = counted[0] - before
    over.set()
    other.join()
    assert meanwhile > 1000


def test_arrays_are_filled_in_place(positions):
    out = np.empty(positions.shape)
    assert mineflow.probabilities(positions, 10, out=out) is out
    np.testing.assert_array_equal(out, mineflow.probabilities(positions, 10))
    safe = np.empty(positions.shape, bool)
    assert mineflow.safe_cells(positions, 10, out=safe) is safe


def test_views_of_any_strides_are_read_without_a_copy(positions):
    expected = mineflow.probabilities(positions, 10)
    wide = np.zeros((2 * len(positions), 9, 18), np.int8)
    wide[::2, :, ::2] = positions
    np.testing.assert_array_equal(mineflow.probabilities(wide[::2, :, ::2], 10), expected)
    turned = np.ascontiguousarray(positions[:, ::-1])[:, ::-1]
    np.testing.assert_array_equal(mineflow.probabilities(turned, 10), expected)
    transposed = mineflow.probabilities(positions.transpose(0, 2, 1), 10)
    np.testing.assert_allclose(transposed.transpose(0, 2, 1), expected)


def test_mines_may_differ_from_view_to_view(places):
    views = np.array([places] * 3)
    found = mineflow.probabilities(views, np.array([1, 1, 1], np.uint8))
    np.testing.assert_allclose(found[:, 1, 1], 1 / 3)
    with pytest.raises(ValueError, match=r"views\[1\]: .*contradicts itself"):
        mineflow.probabilities(views, np.array([1, 2, 9]))


def test_flags_prove_nothing(places):
    flagged = places.copy()
    flagged[1, 1] = -2
    np.testing.assert_array_equal(mineflow.probabilities(flagged[None], 1), mineflow.probabilities(places[None], 1))


@pytest.mark.parametrize(
    ("views", "mines", "words"),
    [
        (np.zeros((2, 2), np.int8), 1, r"views: expected a numpy array int8\[N, H, W\].*got int8\[2, 2\]"),
        (np.zeros((1, 2, 2)), 1, r"got float64\[1, 2, 2\]"),
        (np.zeros((1, 2, 2), np.int64), 1, r"got int64\[1, 2, 2\]"),
        ([[[-1]]], 1, "got list"),
        (np.zeros((1, 0, 5), np.int8), 0, "views: a board of 5 x 0 cells is empty"),
        (np.zeros((0, 0, 5), np.int8), 0, "is empty"),
        (np.broadcast_to(np.int8(-1), (1, 10_000, 10_000)), 5, "more than 65535 cells"),
        (np.broadcast_to(np.int8(-1), (2**40, 9, 9)), 5, r"views: int8\[\d+, 9, 9\] are more than"),
        (np.full((1, 2, 2), 9, np.int8), 1, r"views\[0\]: 9 at \(0, 0\) is neither a number"),
        (np.full((1, 2, 2), -3, np.int8), 1, r"views\[0\]: -3 at \(0, 0\)"),
        (np.full((2, 2, 2), -1, np.int8), 5, r"views\[0\]: 5 mines don't fit on 4 cells"),
        (np.full((2, 2, 2), -1, np.int8), -1, r"views\[0\]: -1 mines don't fit"),
        (np.full((2, 2, 2), -1, np.int8), np.array([1, 2, 3]), r"mines: expected .* got int64\[3\]"),
        (np.full((2, 2, 2), -1, np.int8), "two", "mines: expected .* got str"),
        (np.full((2, 2, 2), -1, np.int8), 2**70, "mines: expected .* got int"),
        (np.full((1, 2, 2), 8, np.int8), 0, r"views\[0\]: .*contradicts itself"),
    ],
)
def test_what_is_no_batch_of_views_is_refused_by_name(views, mines, words):
    for function in (mineflow.probabilities, mineflow.safe_cells, mineflow.layouts):
        with pytest.raises(ValueError, match=words):
            function(views, mines)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((2, 2, 3)), r"out: expected a contiguous numpy array float64\[1, 2, 2\], got float64\[2, 2, 3\]"),
        (np.empty((1, 2, 2), np.float32), "got float32"),
        (np.empty((1, 2, 4))[:, :, ::2], "strides"),
        (np.frombuffer(bytearray(33), np.float64, 4, 1).reshape(1, 2, 2), "strides"),
        (np.frombuffer(bytes(32), np.float64).reshape(1, 2, 2), "can't be written to"),
        ("here", "got str"),
    ],
)
def test_an_array_that_cannot_be_filled_is_refused(places, out, words):
    with pytest.raises(ValueError, match=words):
        mineflow.probabilities(places[None], 1, out=out)


def test_views_without_an_answer_may_be_rows_of_nan(places):
    views = np.array([places, np.full((2, 2), 8, np.int8), places])
    found = mineflow.probabilities(views, 1, on_error="nan")
    assert np.isnan(found[1]).all() and found[2, 1, 1] == found[0, 1, 1]
    assert mineflow.layouts(views, 1, on_error="nan") == [3, None, 3]
    assert not mineflow.safe_cells(views, 1, on_error="nan")[1].any()
    with pytest.raises(ValueError, match="on_error"):
        mineflow.probabilities(views, 1, on_error="ignore")
    with pytest.raises(ValueError, match=r"view: .*contradicts"):
        mineflow.solve(views[1], 1)


def test_work_and_threads_have_limits(positions):
    with pytest.raises(ValueError, match=r"views\[\d+\]: the limit of 0 nodes"):
        mineflow.probabilities(positions, 10, node_limit=0)
    for threads in (0, 10**6):
        with pytest.raises(ValueError, match="threads"):
            mineflow.probabilities(positions, 10, threads=threads)


def test_no_array_crashes():
    """Arrays of random shapes, dtypes, strides and contents either have an answer or raise a ValueError."""
    rng = np.random.default_rng(2)
    answers = errors = 0
    for _ in range(3000):
        dtype = rng.choice([np.int8, np.int8, np.int8, np.uint8, np.int64, np.float32, bool, ">i2", "U1", object])
        shape = tuple(rng.integers(0, 7, rng.choice([3, 3, 3, 1, 2, 4])))
        array = rng.choice([-1, -1, -1, 0, 1, 2, 8, -2, 77, -128], shape).astype(np.int8)
        array = array.astype(dtype) if dtype != "U1" else array.astype(str)
        for axis in range(array.ndim):
            step = int(rng.choice([1, 1, -1, 2]))
            array = array[(slice(None),) * axis + (slice(None, None, step),)]
        if array.ndim and rng.random() < 0.2:
            array = array.T
        mines = rng.choice([0, 1, 2, 3, 50, -1]) if rng.random() < 0.7 else rng.integers(-1, 5, rng.integers(0, 7))
        try:
            found = mineflow.probabilities(array, mines, on_error=str(rng.choice(["raise", "nan"])))
            assert found.shape == array.shape
            answers += 1
        except ValueError as error:
            assert str(error)
            errors += 1
    assert answers > 100 and errors > 1000


def test_wrong_integers_name_their_argument(positions):
    of = pytest.importorskip("mineflow.gymnasium")
    env = of.Minesweeper("safe", board="beginner")
    env.reset(seed=1)
    calls = {
        "threads": lambda value: mineflow.probabilities(positions, 10, threads=value),
        "node_limit": lambda value: mineflow.probabilities(positions, 10, node_limit=value),
        "mines": lambda value: mineflow.solve(positions[0], value),
        "games": lambda value: mineflow.evaluate("4.0", games=value),
        "batch": lambda value: mineflow.evaluate("4.0", games=1, batch=value),
        "max_steps": lambda value: of.Minesweeper("safe", board="beginner", max_steps=value),
        "action": lambda value: env.step(value),
    }
    for name, call in calls.items():
        for value in (2**70, -(2**70)):
            with pytest.raises(ValueError, match=name):
                call(value)
        with pytest.raises((TypeError, ValueError), match=name):
            call([])
    with pytest.raises(TypeError, match="seed"):
        env.reset(seed=1.5)


def test_proofs_lead_from_numbers_to_cells():
    view = np.array([[1, -1, -1], [2, -1, -1], [1, -1, -1]], np.int8)
    proofs = {tuple(proof["cell"]): proof for proof in mineflow.explain(view, 3)}
    assert {cell: proof["mine"] for cell, proof in proofs.items()} == {(0, 1): True, (2, 1): True, (1, 1): False}
    first, last = proofs[1, 1]["steps"]
    assert (first["rule"], last["rule"], last["after"], last["cells"]) == ("pair", "number", [0], [(1, 1)])
