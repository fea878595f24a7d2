"""Tests of the environments with Gymnasium's own checker and against their documentation."""

import importlib.util
import os
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordVideo

import mineflow
import mineflow.gymnasium as of
from mineflow import Rewards

# The number of random steps of each preset. MINEFLOW_STEPS overrides it.
STEPS = int(os.environ.get("MINEFLOW_STEPS", 200_000))
OPTIONS = [
    {},
    {"rules": "opening", "board": "intermediate"},
    {"rules": "jumanji"},
    {"rules": "textarena", "board": "5x5/5"},
    {"probabilities": True, "regret": True},
    {"certain_moves": True},
    {"no_guess": True, "board": "6x6/4"},
    {"rewards": Rewards(win=1.0, safe=0.1, mine=-1.0, invalid=-0.1, regret=-0.5)},
]


def masked(rng, mask):
    """Returns a random covered cell for each row of the mask."""
    return (mask * rng.random(mask.shape)).argmax(axis=-1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasiums_checker_has_nothing_to_say(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("mineflow.gymnasium:Minesweeper-v0", disable_env_checker=True, **options)
        check_env(env.unwrapped)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_of_many_boards_is_the_one_board_of_its_seed(options, mode):
    """Every step equals that of Gymnasium's own vector of single environments."""
    kwargs = {**options, "max_steps": 6}
    ours = of.MinesweeperVector(5, autoreset_mode=mode, **kwargs)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: of.Minesweeper(**kwargs)] * 5, autoreset_mode=mode)
    rng = np.random.default_rng(4)
    seed = 7 if mode == AutoresetMode.DISABLED else 2**64 - 2
    seen, infos = ours.reset(seed=seed)
    expected, expected_infos = theirs.reset(seed=seed)
    for _ in range(60):
        np.testing.assert_array_equal(seen, expected)
        same_infos(infos, expected_infos, mode)
        actions = masked(rng, infos["action_mask"] | ~infos["action_mask"].any(axis=1, keepdims=True))
        seen, reward, ended, cut, infos = ours.step(actions)
        expected, expected_reward, expected_ended, expected_cut, expected_infos = theirs.step(actions)
        np.testing.assert_array_equal(reward, expected_reward)
        np.testing.assert_array_equal(ended, expected_ended)
        np.testing.assert_array_equal(cut, expected_cut)
        over = ended | cut
        if mode == AutoresetMode.DISABLED and over.any():
            seen, infos = ours.reset(options={"reset_mask": over})
            expected, expected_infos = theirs.reset(options={"reset_mask": over})
            infos = expected_infos


def same_infos(infos, expected, mode):
    for name, values in expected.items():
        if name.startswith("_") or name == "won":
            continue
        if name == "final_info":
            final = infos["final_info"]
            assert final.keys() == values.keys() and "action_mask" in values
            ended = expected["_final_info"]
            np.testing.assert_array_equal(infos["_final_info"], ended)
            for own in values:
                np.testing.assert_array_equal(final[own][ended], values[own][ended])
            continue
        if name == "final_obs":
            for index in np.flatnonzero(expected["_final_obs"]):
                np.testing.assert_array_equal(infos["final_obs"][index], values[index])
            np.testing.assert_array_equal(infos["_final_obs"], expected["_final_obs"])
            continue
        there = expected[f"_{name}"]
        if mode == AutoresetMode.SAME_STEP and name == "regret":
            # If a game ended, `final_info` has its last regret, and the regret of the new game is 0.
            continue
        np.testing.assert_array_equal(infos[name][there], values[there])


def test_make_vec_makes_the_vector():
    envs = gymnasium.make_vec("Minesweeper-v0", num_envs=3, rules="jumanji", autoreset_mode="SameStep")
    assert isinstance(envs, of.MinesweeperVector)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert envs.observation_space.shape == (3, 10, 10) and envs.single_action_space.n == 100
    seen, infos = envs.reset(seed=[1, None, 3])
    assert envs.observation_space.contains(seen) and infos["action_mask"].all()
    assert envs.action_space.contains(envs.action_space.sample())


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasiums_spaces_sample_by_the_mask(options):
    env = of.Minesweeper(**options)
    envs = of.MinesweeperVector(4, autoreset_mode="SameStep", **options)
    (seen, info), (_, infos) = env.reset(seed=1), envs.reset(seed=1)
    for _ in range(30):
        assert info["action_mask"].dtype == infos["action_mask"].dtype == np.int8
        np.testing.assert_array_equal(info["action_mask"], seen.ravel() < 0)
        cell = env.action_space.sample(info["action_mask"])
        assert seen.flat[cell] < 0
        seen, _, over, _, info = env.step(cell)
        if over:
            seen, info = env.reset()
        *_, infos = envs.step(envs.action_space.sample(tuple(infos["action_mask"])))
        if "final_info" in infos:
            assert infos["final_info"]["action_mask"].dtype == np.int8


def test_the_infos_of_a_finished_game_are_those_of_its_last_step():
    """The infos equal those of an environment that does not start a new game by itself."""
    options = dict(probabilities=True, regret=True, max_steps=4)
    envs = of.MinesweeperVector(200, "any", autoreset_mode="SameStep", threads=2, **options)
    apart = of.MinesweeperVector(200, "any", autoreset_mode="Disabled", threads=1, **options)
    rng = np.random.default_rng(2)
    (_, infos), _ = envs.reset(seed=1), apart.reset(seed=1)
    total = 0
    for _ in range(20):
        actions = masked(rng, infos["action_mask"])
        *_, infos = envs.step(actions)
        seen, _, ended, cut, expected = apart.step(actions)
        over = ended | cut
        if over.any():
            assert infos["final_info"].keys() == expected.keys()
            np.testing.assert_array_equal(infos["final_obs"][over], seen[over])
            for name in ("action_mask", "won", "regret", "mine_probability"):
                np.testing.assert_array_equal(infos["final_info"][name][over], expected[name][over])
                np.testing.assert_array_equal(infos["final_info"][f"_{name}"], over)
            assert not infos["final_obs"][~over].any()
            apart.reset(options={"reset_mask": over})
        total += over.sum()
    assert total > 200


# The fifth seed is one that numpy drew for a `SeedSequence()`.
SEEDS = [0, 2**63, 2**64 - 1, 2**64, 0x8A6D4E37C1F05B29D3E8A1470F6C25B9, 2**64 + 1, 2**128 - 1, 2**300 + 1]


def first_boards(seeds):
    """Returns the views after a click on the corner in the first game of each seed."""
    envs = of.MinesweeperVector(len(seeds), "opening", board="expert")
    envs.reset(seed=seeds)
    return envs.step(np.zeros(len(seeds), np.int64))[0]


def test_seeds_of_any_size_give_boards_of_their_own():
    boards = first_boards(SEEDS)
    assert len({board.tobytes() for board in boards}) == len(SEEDS)
    np.testing.assert_array_equal(first_boards(SEEDS), boards)
    for seed, board in zip(SEEDS, boards, strict=True):
        env = gymnasium.make("Minesweeper-v0", rules="opening", board="expert")
        env.reset(seed=seed)
        np.testing.assert_array_equal(env.step(0)[0], board)
        envs = of.MinesweeperVector(2, "opening", board="expert")
        envs.reset(seed=seed)
        np.testing.assert_array_equal(envs.step([0, 0])[0], first_boards([seed, seed + 1]))


def test_a_seed_is_the_same_seed_whatever_its_type():
    expected = first_boards([3, 4])
    for seeds in ([np.int64(3), np.uint8(4)], np.array([3, 4]), np.array([3, 4], np.uint64), (3, 4)):
        np.testing.assert_array_equal(first_boards(seeds), expected)


@pytest.mark.parametrize("seed", [-1, -(2**64), np.int64(-3)])
def test_negative_seeds_are_refused(seed):
    words = f"seed: {seed} is negative; seeds are integers from 0"
    view = np.array([[[1, -1], [-1, -1]]], np.int8)
    player = mineflow.Player("4.0")
    for use in (
        lambda: of.Minesweeper().reset(seed=seed),
        lambda: of.MinesweeperVector(2).reset(seed=seed),
        lambda: gymnasium.make("Minesweeper-v0").reset(seed=seed),
        lambda: mineflow.evaluate("4.0", games=1, seed=seed),
        lambda: mineflow.compare("4.0", "7.0", games=1, seed=seed),
        lambda: player.act(view, 1, seed=seed),
        lambda: player.candidates(view[0], 1, seed=seed),
        lambda: player.explain(view[0], 1, seed=seed),
    ):
        with pytest.raises(ValueError, match=words):
            use()
    with pytest.raises(ValueError, match=rf"seed\[1\]: {seed} is negative"):
        of.MinesweeperVector(2).reset(seed=[1, seed])


def test_an_environment_whose_seed_is_none_goes_on():
    envs, expected = (of.MinesweeperVector(3, "opening", board="expert") for _ in range(2))
    envs.reset(seed=1)
    expected.reset(seed=1)
    envs.reset(seed=[None, 9, None])
    expected.reset()
    (own, *_), (other, *_) = (each.step(np.zeros(3, np.int64)) for each in (envs, expected))
    np.testing.assert_array_equal(own[[0, 2]], other[[0, 2]])
    np.testing.assert_array_equal(own[1], first_boards([9])[0])


@pytest.mark.parametrize(("rule", "seed"), [("safe", 5), ("opening", 5), ("any", 2**90 + 1)])
def test_games_are_those_of_evaluate(rule, seed):
    """A player in the environment wins the games that `evaluate` says it wins."""
    player = mineflow.Player("7.0")
    expected = mineflow.evaluate("7.0", "8x8/10", first_click=rule, games=40, seed=seed, luck_corrected=False).won
    env = of.Minesweeper(rule, board="8x8/10", certain_moves=True)
    won = []
    for game in range(40):
        seen, info = env.reset(seed=seed if game == 0 else None)
        over = False
        while not over:
            cell = player.act(seen[None], 10, first_click=rule, seed=0)[0]
            seen, _, over, _, info = env.step(cell)
        won.append(info["won"])
    # The player breaks ties with another seed, and thus not every game is the same.
    assert np.mean(np.array(won) == expected) > 0.9


def test_regret_is_the_risk_taken_less_the_least():
    envs = of.MinesweeperVector(
        64, "any", probabilities=True, regret=True, rewards=Rewards(0, 0, 0, 0, regret=-1.0), autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(5)
    seen, infos = envs.reset(seed=1)
    total = 0
    for _ in range(50):
        mine = infos["mine_probability"]
        np.testing.assert_allclose(mine, np.nan_to_num(mineflow.probabilities(seen, 10)), atol=1e-12)
        actions = masked(rng, infos["action_mask"])
        flat = mine.reshape(64, -1)
        expected = flat[np.arange(64), actions] - np.where(infos["action_mask"], flat, 1).min(axis=1)
        seen, reward, ended, _, infos = envs.step(actions)
        np.testing.assert_allclose(infos["regret"], expected, atol=1e-15)
        np.testing.assert_array_equal(reward, -infos["regret"])
        total += expected.sum()
    assert total > 1


def test_certain_moves_leave_only_guesses():
    envs = of.MinesweeperVector(64, "safe", certain_moves=True, autoreset_mode="SameStep")
    rng = np.random.default_rng(6)
    seen, infos = envs.reset(seed=1)
    for _ in range(20):
        begun = (seen >= 0).any(axis=(1, 2))
        assert not mineflow.safe_cells(seen[begun], 10).any()
        seen, _, _, _, infos = envs.step(masked(rng, infos["action_mask"]))


def test_boards_without_a_guess_are_won_by_what_is_certain():
    envs = of.MinesweeperVector(64, "opening", no_guess=True, certain_moves=True, autoreset_mode="Disabled")
    rng = np.random.default_rng(7)
    _, infos = envs.reset(seed=1)
    _, reward, ended, _, infos = envs.step(masked(rng, infos["action_mask"]))
    assert ended.all() and infos["won"].all() and (reward == 1).all()
    dense = of.Minesweeper("any", board="4x4/14", no_guess=True)
    dense.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions\[0\]: none of \d+ boards 4x4/14 needs no guess"):
        dense.step(0)


def test_without_a_cascade_a_step_opens_one_cell_and_an_invalid_one_ends():
    envs = of.MinesweeperVector(256, "jumanji", autoreset_mode="Disabled")
    seen, infos = envs.reset(seed=2)
    cells = np.random.default_rng(8).integers(0, 100, 256)
    after, reward, ended, _, _ = envs.step(cells)
    opened = (after >= 0).sum(axis=(1, 2))
    np.testing.assert_array_equal(opened, ~ended)
    np.testing.assert_array_equal(reward, ~ended)
    assert 0 < ended.sum() < 256, "the first click may lose"
    envs.reset(options={"reset_mask": ended})
    fresh = np.where(ended, 0, cells)
    _, reward, over, _, infos = envs.step(fresh)
    assert over[~ended].all() and not reward[~ended].any() and not infos["won"].any()


def test_an_invalid_action_is_ignored_or_ends():
    for invalid, ends in (("ignore", False), ("end", True)):
        env = of.Minesweeper("safe", invalid=invalid, rewards=Rewards(invalid=-2.0))
        env.reset(seed=3)
        seen, *_ = env.step(40)
        again, reward, over, cut, info = env.step(40)
        np.testing.assert_array_equal(seen, again)
        assert (reward, over, cut, info["won"]) == (-2.0, ends, False, False)


def test_games_are_cut_off_after_max_steps():
    env = of.Minesweeper("safe", board="30x16/99", max_steps=3)
    env.reset(seed=1)
    cut = [env.step(0)[3] for _ in range(3)]
    assert cut == [False, False, True]
    with pytest.raises(ValueError, match="over; reset it first"):
        env.step(0)


@pytest.mark.parametrize(
    ("kwargs", "words"),
    [
        ({"rules": "hard"}, "rules: 'hard' is none of safe, opening"),
        ({"board": "9x9"}, "board: `9x9` is not a board"),
        ({"board": "-9x9/1"}, "board: `-9x9/1` is not a board"),
        ({"board": "9x9/81"}, "has no safe cell"),
        ({"board": "0x9/1"}, "board: a board of 0 x 9 cells is empty"),
        ({"board": "900x900/1"}, "more than 65535 cells"),
        ({"first_click": "never"}, "first_click: `never` is not a first-click rule"),
        ({"invalid": "lose"}, "invalid: 'lose'"),
        ({"max_steps": 0}, "max_steps 0"),
        ({"threads": 0}, "threads: 0"),
        ({"render_mode": "human"}, "render_mode: 'human'"),
    ],
)
def test_settings_that_are_none_are_refused(kwargs, words):
    with pytest.raises(ValueError, match=words):
        of.Minesweeper(**kwargs)


def test_more_boards_than_fit_are_refused():
    for count, words in [(0, "num_envs 0"), (10**9, "num_envs: 1000000000 boards 9x9/10 have more than")]:
        with pytest.raises(ValueError, match=words):
            of.MinesweeperVector(count)


class Tensor:
    """An object with the interface that numpy uses to read a tensor of PyTorch."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


class Exchanged:
    """An object that supports only the DLPack protocol."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Unreadable:
    """A tensor on another device, which numpy cannot read."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def kinds_of(cells):
    """Yields the cells in every type that can hold integers."""
    dtypes = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">i8"]
    yield from (cells.astype(dtype) for dtype in dtypes)
    yield from (cells.tolist(), tuple(cells.tolist()), list(cells.astype(np.int32)), range(len(cells)))
    yield from (Tensor(cells), Tensor(cells.astype(np.int32)), Exchanged(cells), memoryview(cells))
    if importlib.util.find_spec("torch"):
        import torch

        yield from (torch.from_numpy(cells), torch.from_numpy(cells).to(torch.int16))


def test_actions_may_be_anything_that_holds_integers():
    cells = np.arange(5)
    expected = None
    for actions in kinds_of(cells):
        envs = of.MinesweeperVector(5, board="4x4/3")
        envs.reset(seed=1)
        seen, *_ = envs.step(actions)
        expected = seen if expected is None else expected
        np.testing.assert_array_equal(seen, expected)


def test_mines_and_the_answer_of_a_function_may_be_so_too(places):
    views = np.array([places] * 5)
    expected = mineflow.probabilities(views, np.ones(5, np.int64))
    for mines in kinds_of(np.ones(5, np.int64)):
        if not isinstance(mines, range):
            np.testing.assert_array_equal(mineflow.probabilities(views, mines), expected)

    def first(views):
        return (views.reshape(len(views), -1) < 0).argmax(axis=1)

    wins = mineflow.evaluate(first, "4x4/2", games=50, luck_corrected=False).wins
    for other in (lambda views: first(views).tolist(), lambda views: Tensor(first(views))):
        assert mineflow.evaluate(other, "4x4/2", games=50, luck_corrected=False).wins == wins


def test_one_environment_takes_an_action_of_any_integer_type():
    env = of.Minesweeper(board="4x4/3")
    env.reset(seed=1)
    for action in (3, np.uint8(3), np.int32(3), np.array(3)):
        assert env.step(action)[0].flat[3] >= 0
    with pytest.raises(ValueError, match="actions"):
        env.step(2**70)


def test_actions_that_are_none_are_refused_and_change_nothing():
    envs = of.MinesweeperVector(3, "safe")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, np.int64))
    seen, _ = envs.reset(seed=1)
    for actions, words in [
        (np.array([0, 81, 0]), r"actions\[1\]: 81 is not a cell; cells are 0 to 80"),
        (np.array([0, 0, -1]), r"actions\[2\]: -1 is not a cell"),
        (np.zeros(2, np.int64), r"actions: expected an array or a list of 3 integers, got int64\[2\]"),
        (np.zeros(3), "got float64"),
        ([0, 1], r"got list as int64\[2\]"),
        ([0, 1.5, 2], r"got list as float64\[3\]"),
        ([0, 1, 2**70], r"got list as object\[3\]"),
        ([0, [1], 2], "got list: .*inhomogeneous"),
        ([True, False, True], r"got list as bool\[3\]"),
        ([0, 0, 81], r"actions\[2\]: 81 is not a cell"),
        ("012", "got str"),
        (None, "got NoneType"),
        (Tensor(np.zeros(3)), "got Tensor as float64"),
        (Unreadable(), "got Unreadable: can't convert cuda:0 device type tensor to numpy"),
    ]:
        with pytest.raises(ValueError, match=words):
            envs.step(actions)
    for options, words in [(np.zeros(3), "reset_mask: expected bool"), (np.zeros(2, bool), "reset_mask: expected 3")]:
        with pytest.raises(ValueError, match=words):
            envs.reset(options={"reset_mask": options})
    with pytest.raises(ValueError, match="seed: expected 3 seeds, got 2"):
        envs.reset(seed=[1, 2])
    np.testing.assert_array_equal(envs.reset(options={"reset_mask": np.zeros(3, bool)})[0], seen)


def test_render_draws_the_board():
    env = gymnasium.make("Minesweeper-v0", board="3x2/1", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "###\n###\n"
    envs = of.MinesweeperVector(2, board="3x2/1", render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == ("###\n###\n",) * 2
    with pytest.raises(ValueError, match="render_mode: 'human' is none of ansi, rgb_array"):
        of.MinesweeperVector(2, render_mode="human")


def test_render_paints_the_board():
    env = gymnasium.make("Minesweeper-v0", board="16x30/99", render_mode="rgb_array")
    seen, _ = env.reset(seed=1)
    frames = {}
    for cell in range(480):
        frame = env.render()
        assert frame.shape == (16 * 30, 16 * 16, 3) and frame.dtype == np.uint8
        tiles = frame.reshape(30, 16, 16, 16, 3).transpose(0, 2, 1, 3, 4)
        for number in range(-1, 9):
            for tile in tiles[seen == number][:3]:
                assert frames.setdefault(number, tile.tobytes()) == tile.tobytes()
        seen, _, over, _, _ = env.step(cell)
        if over:
            seen, _ = env.reset()
    assert {-1, 0, 1, 2, 3, 4} <= frames.keys() and len(set(frames.values())) == len(frames)
    assert len({tile.tobytes() for tile in of._TILES}) == 10
    envs = of.MinesweeperVector(2, board="3x2/1", render_mode="rgb_array")
    envs.reset(seed=1)
    assert [frame.shape for frame in envs.render()] == [(32, 48, 3)] * 2


def test_gymnasium_collects_what_is_rendered():
    env = gymnasium.make("Minesweeper-v0", board="4x4/3", render_mode="rgb_array_list")
    env.reset(seed=1)
    env.step(0)
    assert [frame.shape for frame in env.render()] == [(64, 64, 3)] * 2


@pytest.mark.skipif(importlib.util.find_spec("moviepy") is None, reason="not installed: moviepy")
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_records_a_video(tmp_path):
    env = RecordVideo(gymnasium.make("Minesweeper-v0", board="5x3/2", render_mode="rgb_array"), str(tmp_path))
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(masked(rng, info["action_mask"]))
    env.close()
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 500


@pytest.mark.parametrize("rules", mineflow.PRESETS)
@pytest.mark.parametrize("options", [{}, {"certain_moves": True, "regret": True}], ids=["plain", "counted"])
def test_many_random_steps_are_the_same_for_one_and_two_threads(rules, options):
    count, steps = 1000, max(2, STEPS // (1000 if not options else 50_000))
    both = [of.MinesweeperVector(count, rules, threads=threads, autoreset_mode="SameStep", **options) for threads in (1, 2)]
    rng = np.random.default_rng(9)
    (_, infos), _ = [envs.reset(seed=11) for envs in both]
    wins = 0
    for _ in range(steps):
        # In one step of sixteen, the actions may name open cells.
        actions = masked(rng, infos["action_mask"]) if rng.random() < 15 / 16 else rng.integers(0, infos["action_mask"].shape[1], count)
        one, two = (envs.step(actions) for envs in both)
        for a, b in zip(one[:4], two[:4], strict=True):
            np.testing.assert_array_equal(a, b)
        infos = one[4]
        for name in ("action_mask", "won", "regret", "final_obs"):
            np.testing.assert_array_equal(infos.get(name), two[4].get(name))
        wins += infos["won"].sum()
    assert wins > 0 or rules in ("jumanji", "gem", "korgym") or options == {} and steps < 1000


def test_no_array_of_actions_crashes():
    """Actions of random shapes, dtypes, strides and contents either make a step or raise a ValueError, in any state of the boards."""
    envs = of.MinesweeperVector(4, "any", board="3x3/2", autoreset_mode="SameStep")
    envs.reset(seed=1)
    rng = np.random.default_rng(12)
    steps = errors = 0
    for _ in range(3000):
        dtype = rng.choice(["int64", "int64", "int32", "uint8", "uint64", ">i4", "float32", "bool", "object", "U1"])
        shape = (4,) if rng.random() < 0.7 else tuple(rng.integers(0, 6, rng.integers(0, 4)))
        high = 9 if rng.random() < 0.7 else 1000
        array = rng.integers(0, high, shape).astype(dtype)
        if array.ndim and rng.random() < 0.3:
            array = np.concatenate([array, array])[:: int(rng.choice([2, -2]))]
        try:
            seen, *_ = envs.step(array)
            assert envs.observation_space.contains(seen)
            steps += 1
        except ValueError as error:
            assert "actions" in str(error)
            errors += 1
        if rng.random() < 0.1:
            try:
                envs.reset(options={"reset_mask": rng.integers(0, 2, rng.integers(0, 6)).astype(dtype)})
            except ValueError as error:
                assert "reset_mask" in str(error)
    assert steps > 300 and errors > 300


def test_action_masks_are_the_covered_cells():
    env = of.Minesweeper("unsloth")
    env.reset(seed=1)
    assert env.action_masks().tolist() == [True] * 36
    _, _, _, _, info = env.step(0)
    np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
    envs = of.MinesweeperVector(3, "gem")
    envs.reset(seed=1)
    _, _, _, _, infos = envs.step([0, 1, 2])
    np.testing.assert_array_equal(envs.action_masks(), infos["action_mask"] == 1)
