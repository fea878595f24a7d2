"""Tests that copies of environments and players continue as the original does."""

import copy
import os
import pathlib
import pickle
import shutil
import time

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode

import mineflow
import mineflow.gymnasium as of
from mineflow import Player
from mineflow._mineflow import Boards

EXAMPLES = pathlib.Path(os.environ.get("EXAMPLES", pathlib.Path(__file__).parents[2] / "examples" / "python"))
MODELS = sorted((EXAMPLES.parents[1] / "models" / "5.5").glob("*.safetensors"))
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {number}": lambda env, number=number: pickle.loads(pickle.dumps(env, number)) for number in range(2, 6)},
}
OPTIONS = [
    {},
    {"rules": "jumanji"},
    {"rules": "textarena", "board": "5x5/5"},
    {"probabilities": True, "regret": True},
    {"certain_moves": True},
    {"no_guess": True, "board": "6x6/4"},
]


def masked(rng, mask):
    """Returns a random covered cell for each row of the mask."""
    return (mask * rng.random(mask.shape)).argmax(axis=-1)


def same(one, two):
    """Asserts that two results of `reset` or `step` are equal."""
    if isinstance(one, dict):
        assert one.keys() == two.keys()
        one, two = list(one.values()), list(two.values())
    if isinstance(one, (tuple, list)):
        for a, b in zip(one, two, strict=True):
            same(a, b)
    else:
        np.testing.assert_array_equal(one, two)


def play_on(envs, infos, steps, rng):
    for _ in range(steps):
        actions = masked(rng, infos["action_mask"])
        stepped = envs.step(actions)
        yield stepped
        infos = stepped[-1]


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_copy_of_a_vector_plays_on_identically(options, mode, how):
    envs = of.MinesweeperVector(20, autoreset_mode=mode, max_steps=9, threads=2, **options)
    _, infos = envs.reset(seed=3)
    for *_, infos in play_on(envs, infos, 15, np.random.default_rng(1)):
        pass
    copied = COPIES[how](envs)
    assert copied.metadata == envs.metadata and copied.rules == envs.rules
    played = zip(*(play_on(each, infos, 30, np.random.default_rng(2)) for each in (envs, copied)), strict=True)
    ended = 0
    for own, other in played:
        same(own, other)
        ended += (own[2] | own[3]).sum()
    assert ended > 20, "games end and others begin"
    same(envs.reset(), copied.reset())
    same(envs.action_space.sample(), copied.action_space.sample())


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_copy_of_one_environment_plays_on_identically(options, how):
    env = gymnasium.make("Minesweeper-v0", render_mode="ansi", **options)
    _, info = env.reset(seed=5)
    rng = np.random.default_rng(1)
    cell = masked(rng, info["action_mask"])
    env.step(cell)
    copied = COPIES[how](env.unwrapped if how == "copy" else env)
    drawn = copied.render()
    assert drawn == env.render()
    # Only the original makes a step. A copy that shared its boards would change too.
    env.step(masked(rng, env.unwrapped.restore(env.unwrapped.state())[1]["action_mask"]))
    assert copied.render() == drawn
    env = COPIES[how](copied)
    for game in range(3):
        over = False
        while not over:
            cell = masked(rng, copied.unwrapped.restore(copied.unwrapped.state())[1]["action_mask"])
            own, other = env.step(cell), copied.step(cell)
            same(own, other)
            over = own[2] or own[3]
        same(env.reset(), copied.reset())


@pytest.mark.parametrize("how", COPIES)
def test_an_environment_is_copied_before_its_first_game_too(how):
    for env in (of.Minesweeper(), of.MinesweeperVector(3)):
        copied = COPIES[how](env)
        with pytest.raises(gymnasium.error.ResetNeeded):
            copied.state()
        same(env.reset(seed=1), copied.reset(seed=1))


def test_boards_are_copied_with_their_settings():
    boards = of.MinesweeperVector(3, "textarena", certain_moves=True, threads=2, autoreset_mode="SameStep")._of.boards
    copied = copy.copy(boards)
    assert copied.__getnewargs_ex__() == boards.__getnewargs_ex__() and isinstance(copied, Boards)
    assert copied.__getnewargs_ex__()[0] == (3, "8x8/10")


def test_a_move_is_tried_and_taken_back():
    env = of.Minesweeper("any", probabilities=True)
    seen, info = env.reset(seed=2)
    seen, *_, info = env.step(0)
    state = env.state()
    results = []
    for cell in np.flatnonzero(info["action_mask"]):
        results.append(env.step(cell))
        back = env.restore(state)
        np.testing.assert_array_equal(back[0], seen)
        same(back[1]["mine_probability"], info["mine_probability"])
    assert 1 < sum(bool(result[2]) for result in results) < len(results), "some lose"
    for cell, expected in zip(np.flatnonzero(info["action_mask"]), results, strict=True):
        env.restore(state)
        same(env.step(cell), expected)


def test_rows_of_states_are_independent():
    """All environments restore the same game, and each opens a different cell."""
    envs = of.MinesweeperVector(81, "any", autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step(np.zeros(81, np.int64))
    states = envs.state()
    assert states.dtype == np.uint8 and len({row.tobytes() for row in states}) == 81
    seen, infos = envs.restore(states[[7] * 81])
    assert (seen == seen[0]).all()
    one = of.Minesweeper("any")
    np.testing.assert_array_equal(one.restore(states[7])[0], seen[0])
    after, _, ended, _, _ = envs.step(np.arange(81))
    for cell in (3, 40, 80):
        one.restore(states[7])
        alone = one.step(cell)
        np.testing.assert_array_equal(alone[0], after[cell])
        assert alone[2] == ended[cell]
    np.testing.assert_array_equal(envs.restore(states[::-1])[0][::-1], envs.restore(states)[0])


def test_a_state_from_elsewhere_is_refused_and_changes_nothing():
    envs = of.MinesweeperVector(2, "any")
    envs.reset(seed=1)
    states = envs.state()
    before = envs.state()
    other = of.MinesweeperVector(2, "any", board="8x8/10")
    other.reset(seed=1)
    counted = of.MinesweeperVector(2, "any", regret=True)
    counted.reset(seed=1)
    changed = states.copy()
    changed[1, 40] ^= 1
    for wrong, words in [
        (other.state(), r"state\[0\]: its board is 8x8/10, the boards here are 9x9/10"),
        (counted.state(), r"state\[0\]: its environment is with probabilities or regret, this one is without"),
        (changed, r"state\[1\]: it is damaged"),
        (states[:, :-8], r"state\[0\]: it is damaged"),
        (states[:, :-1], r"state\[0\]: it is damaged"),
        (np.zeros_like(states), r"state\[0\]: it is not a state of a board"),
        (states[:, :0], "not a state of a board"),
        (states[:1], "state: expected those of 2 boards, got 1"),
        (states[0], r"state: expected what state\(\) returns, uint8\[2, S\], got uint8"),
        (states.astype(np.int64), "got int64"),
        (states.tobytes(), "got bytes"),
        (None, "got NoneType"),
    ]:
        with pytest.raises(ValueError, match=words):
            envs.restore(wrong)
        with pytest.raises(ValueError, match=words):
            envs._of.boards.__setstate__(wrong)
    with pytest.raises(ValueError, match="state: expected"):
        of.Minesweeper().restore("here")
    np.testing.assert_array_equal(envs.state(), before)


def resealed(state):
    """Returns the state with the correct hash of its bytes, as an attacker who knows the format would write it."""
    low = (1 << 64) - 1

    def mix(value):
        value = (value + 0x9E3779B97F4A7C15) & low
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & low
        value = (value ^ value >> 27) * 0x94D049BB133111EB & low
        return value ^ value >> 31

    value = len(state) - 8
    for word in state[8:].view("<u8"):
        value = mix(value ^ int(word))
    state = state.copy()
    state[:8] = np.array([value], "<u8").view(np.uint8)
    return state


def test_no_state_crashes():
    """Randomly changed states, half of them with a correct hash, either can be played or raise a ValueError."""
    envs = of.MinesweeperVector(64, "any", board="4x4/3", regret=True, autoreset_mode="NextStep")
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(4)
    for *_, infos in play_on(envs, infos, 3, rng):
        pass
    states = envs.state()
    np.testing.assert_array_equal(resealed(states[5]), states[5])
    one = of.MinesweeperVector(1, "any", board="4x4/3", regret=True)
    one.reset(seed=1)
    restored = errors = 0
    for _ in range(3000):
        state = states[rng.integers(64)].copy()
        for _ in range(rng.integers(1, 4)):
            state[rng.integers(16, 90)] = rng.integers(256) if rng.random() < 0.3 else rng.integers(16)
        try:
            _, infos = one.restore((resealed(state) if rng.random() < 0.5 else state)[None])
            restored += 1
            for _ in range(3):
                one.step(masked(rng, infos["action_mask"]))
            one.restore(one.state())
        except ValueError as error:
            assert "state[0]: " in str(error)
            errors += 1
    assert restored > 100 and errors > 1000


def test_a_damaged_pickle_never_crashes():
    envs = of.MinesweeperVector(3, "any", board="4x4/3")
    envs.reset(seed=1)
    pickled = pickle.dumps(envs._of.boards)
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(2000):
        damaged = bytearray(pickled)
        damaged[rng.integers(pickled.index(b"mfboard1"), len(damaged))] = rng.integers(256)
        try:
            pickle.loads(bytes(damaged))
        except ValueError as error:
            refused += "state[" in str(error)
        except Exception:  # Pickle itself rejects the bytes.
            pass
    assert refused > 1000


@pytest.mark.parametrize("context", [None, "spawn"])
def test_live_environments_work_in_other_processes(context):
    env = of.Minesweeper("opening", threads=2)
    env.reset(seed=1)
    env.step(40)
    envs = AsyncVectorEnv([lambda: env] * 2, context=context)
    try:
        seen, _ = envs.reset()
        for row in seen:
            np.testing.assert_array_equal(row, copy.deepcopy(env).reset()[0])
        seen, *_ = envs.step(np.array([40, 40]))
        env.reset()
        expected, *_ = env.step(40)
        for row in seen:
            np.testing.assert_array_equal(row, expected)
    finally:
        envs.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_an_environment_works_in_a_forked_process():
    """The threads of an environment exist only in the parent process. A child that waited for them would wait forever."""
    envs = of.MinesweeperVector(300, threads=2)
    envs.reset(seed=1)
    child = os.fork()
    if child == 0:
        envs.step(np.zeros(300, np.int64))
        os._exit(0)
    for _ in range(300):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.1)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the child waits for threads that it does not have")


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", ["7.0", "11.0", "dss+posterior+min-p", "agent"])
def test_a_copy_of_a_player_is_the_same_player(name, how, positions):
    player = Player(name)
    copied = COPIES[how](player)
    assert (copied.name, copied.recipe) == (player.name, player.recipe)
    np.testing.assert_array_equal(copied.act(positions[:20], 10), player.act(positions[:20], 10))


@pytest.mark.skipif(not MODELS, reason="no published model of 5.5 beside the examples")
def test_a_pickled_player_finds_its_model_from_any_folder(tmp_path, monkeypatch, positions):
    shutil.copy(MODELS[0], tmp_path / "own.safetensors")
    monkeypatch.chdir(tmp_path)
    player = Player("5.5", model="own.safetensors")
    pickled = pickle.dumps(player)
    monkeypatch.chdir("/")
    back = pickle.loads(pickled)
    assert back.name == player.name == copy.deepcopy(player).name == "5.5 (own.safetensors)"
    np.testing.assert_array_equal(back.act(positions[:50], 10), player.act(positions[:50], 10))
    (tmp_path / "own.safetensors").unlink()
    with pytest.raises(ValueError, match="player: .*own.safetensors"):
        pickle.loads(pickled)


def test_a_pickled_player_of_another_version_is_refused():
    player = Player("5.5")
    pickled = pickle.dumps(player)
    recipe = player.recipe.encode()
    assert pickled.count(recipe) == 1
    changed = pickled.replace(recipe, recipe[:-1] + (b"0" if recipe[-1:] != b"0" else b"1"))
    with pytest.raises(ValueError, match="player: 5.5 was pickled as .*, here it is"):
        pickle.loads(changed)
    with pytest.raises(ValueError, match="player: "):
        pickle.loads(pickled.replace(b"5.5", b"5.x"))


def test_what_is_measured_can_be_pickled():
    result = mineflow.compare("7.0", "4.0", "4x4/2", games=100)
    back = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(back.a.won, result.a.won)
    assert (back.verdict, back.a.wins, str(back)) == (result.verdict, result.a.wins, str(result))
    assert copy.deepcopy(mineflow.PRESETS) == pickle.loads(pickle.dumps(mineflow.PRESETS)) == mineflow.PRESETS
