"""The environments, by Gymnasium's own checker and by what they promise."""

import os
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import mineflow
import mineflow.gymnasium as of
from mineflow import Rewards

# Random steps of each preset; MINEFLOW_STEPS asks for more.
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
    """Covered cells at random, one a row."""
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
    """Step by step the same as Gymnasium's own vector of single environments."""
    kwargs = {**options, "max_steps": 6}
    ours = of.MinesweeperVector(5, autoreset_mode=mode, **kwargs)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: of.Minesweeper(**kwargs)] * 5, autoreset_mode=mode)
    rng = np.random.default_rng(4)
    seen, infos = ours.reset(seed=7)
    expected, expected_infos = theirs.reset(seed=7)
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
        if name.startswith("_") or name in ("final_info", "won"):
            continue
        if name == "final_obs":
            for index in np.flatnonzero(expected["_final_obs"]):
                np.testing.assert_array_equal(infos["final_obs"][index], values[index])
            np.testing.assert_array_equal(infos["_final_obs"], expected["_final_obs"])
            continue
        there = expected[f"_{name}"]
        if mode == AutoresetMode.SAME_STEP and name == "regret":
            # Where a game ended, its last regret is in `final_info`, and that of the new game is 0.
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


@pytest.mark.parametrize("rule", ["safe", "opening", "any"])
def test_games_are_those_of_evaluate(rule):
    """A player in the environment wins the games that `evaluate` says it wins."""
    player = mineflow.Player("7.0")
    expected = mineflow.evaluate("7.0", "8x8/10", first_click=rule, games=40, seed=5, luck_corrected=False).won
    env = of.Minesweeper(rule, board="8x8/10", certain_moves=True)
    won = []
    for game in range(40):
        seen, info = env.reset(seed=5 if game == 0 else None)
        over = False
        while not over:
            cell = player.act(seen[None], 10, first_click=rule, seed=0)[0]
            seen, _, over, _, info = env.step(cell)
        won.append(info["won"])
    # The player breaks ties by a seed of its own, so that not every game is the same.
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


def test_actions_that_are_none_are_refused_and_change_nothing():
    envs = of.MinesweeperVector(3, "safe")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, np.int64))
    seen, _ = envs.reset(seed=1)
    for actions, words in [
        (np.array([0, 81, 0]), r"actions\[1\]: 81 is not a cell; cells are 0 to 80"),
        (np.array([0, 0, -1]), r"actions\[2\]: -1 is not a cell"),
        (np.zeros(2, np.int64), r"actions: expected a numpy array of 3 whole numbers, got int64\[2\]"),
        (np.zeros(3), "got float64"),
        ([0, 1, 2], "got list"),
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


@pytest.mark.parametrize("rules", mineflow.PRESETS)
@pytest.mark.parametrize("options", [{}, {"certain_moves": True, "regret": True}], ids=["plain", "counted"])
def test_many_random_steps_are_the_same_for_one_and_two_threads(rules, options):
    count, steps = 1000, max(2, STEPS // (1000 if not options else 50_000))
    both = [of.MinesweeperVector(count, rules, threads=threads, autoreset_mode="SameStep", **options) for threads in (1, 2)]
    rng = np.random.default_rng(9)
    (_, infos), _ = [envs.reset(seed=11) for envs in both]
    wins = 0
    for _ in range(steps):
        # One action in sixteen may be on an open cell.
        actions = masked(rng, infos["action_mask"]) if rng.random() < 15 / 16 else rng.integers(0, infos["action_mask"].shape[1], count)
        one, two = (envs.step(actions) for envs in both)
        for a, b in zip(one[:4], two[:4], strict=True):
            np.testing.assert_array_equal(a, b)
        infos = one[4]
        for name in ("action_mask", "won", "regret", "final_obs"):
            np.testing.assert_array_equal(infos.get(name), two[4].get(name))
        wins += infos["won"].sum()
    assert wins > 0 or rules == "jumanji" or options == {} and steps < 1000


def test_no_array_of_actions_crashes():
    """Random shapes, dtypes, strides and contents: a step or a ValueError, whatever the boards have been through."""
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
