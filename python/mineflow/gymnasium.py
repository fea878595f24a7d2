"""Minesweeper for Gymnasium: `Minesweeper-v0`, and a vector environment that steps any number of boards in one call.

>>> import gymnasium, mineflow.gymnasium
>>> env = gymnasium.make("Minesweeper-v0", rules="opening", board="expert")
>>> envs = gymnasium.make_vec("Minesweeper-v0", num_envs=1024, rules="jumanji")

`gymnasium.make("mineflow.gymnasium:Minesweeper-v0")` needs no import of this module. One call of `step` advances any number of
environments. The game after `reset(seed=s)` is game 0 of `mineflow.evaluate(..., seed=s)` on the same board, and the next one is game 1.

Environments can be copied with `copy.deepcopy` and pickled. A copy has the boards, the random generators and the action space of the
original, and thus continues identically. `state()` and `restore()` copy only the boards, as an array: for tree search, call
`env.unwrapped.state()`, try a move, and go back with `env.unwrapped.restore(state)`.
"""

from __future__ import annotations

import copy
import dataclasses
import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from . import _mineflow
from .rules import PRESETS, Rewards, Rules

__all__ = ["Minesweeper", "MinesweeperVector"]

Views = NDArray[np.int8]
Infos = dict[str, Any]
States = NDArray[np.uint8]
_RENDER_MODES = ("ansi", "rgb_array")


def _rules(rules: str | Rules, changes: dict[str, Any]) -> Rules:
    """Returns the rules of a preset, or the given rules, with the changes that are not None."""
    if isinstance(rules, str):
        if rules not in PRESETS:
            raise ValueError(f"rules: {rules!r} is none of {', '.join(PRESETS)}")
        rules = PRESETS[rules]
    rules = dataclasses.replace(rules, **{name: value for name, value in changes.items() if value is not None})
    if rules.invalid not in ("ignore", "end"):
        raise ValueError(f"invalid: {rules.invalid!r} is neither 'ignore' nor 'end'")
    return rules


def _check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in _RENDER_MODES:
        raise ValueError(f"render_mode: {mode!r} is none of {', '.join(_RENDER_MODES)}")


def _check_seed(seed: object) -> None:
    if isinstance(seed, (int, np.integer)) and seed < 0:
        raise ValueError(f"seed: {seed} is negative; seeds are integers from 0")
    if isinstance(seed, (float, str)):
        raise TypeError(f"seed: expected an integer, got {type(seed).__name__}")


def _index(action: Any) -> int:
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"action: expected an integer, got {type(action).__name__}") from None


class _Boards:
    """The boards of an environment of either kind, with their shape, number of mines and spaces."""

    def __init__(self, count: int, rules: Rules, autoreset: AutoresetMode, options: dict[str, Any]) -> None:
        worth = rules.rewards
        self.counts = options["regret"] or worth.regret != 0.0
        self.boards = _mineflow.Boards(
            count,
            rules.board,
            first_click=rules.first_click,
            cascade=rules.cascade,
            invalid_ends=rules.invalid == "end",
            max_steps=rules.max_steps,
            rewards=[worth.win, worth.safe, worth.mine, worth.invalid, worth.regret],
            counts=self.counts,
            autoreset=autoreset.value,
            probabilities=options["probabilities"],
            certain_moves=options["certain_moves"],
            no_guess=options["no_guess"],
            threads=options["threads"],
        )
        self.shape = height, width = self.boards.shape
        self.mines: int = self.boards.mines
        self.observation_space = spaces.Box(-1, 8, self.shape, np.int8)
        self.action_space = spaces.Discrete(height * width)


class Minesweeper(gymnasium.Env[Views, np.int64]):
    """An environment that plays one board after the other.

    Observations are int8[H, W]: -1 is a covered cell, 0 to 8 an open one. Actions are cells by their row-major index, `row * W + col`.
    `info` has these items:

    action_mask: int8[H * W], 1 for each covered cell. `action_space.sample(mask)` takes it, and for vector environments `tuple(mask)`.
    won: whether the step won the game.
    regret: if requested, the mine probability of the opened cell minus the lowest one of all covered cells; NaN if the layouts could not be
        counted.
    mine_probability: if requested, float64[H, W], the mine probabilities of the observed position. Open cells have 0.0, where
        `mineflow.probabilities` has NaN, so that a network can read the array. After the end of a game, the probabilities are those before
        its last step. They are NaN if the layouts could not be counted.

    Arguments:

    rules: "safe", "opening", "any", "jumanji", "textarena", "gem", "korgym", "unsloth", or `Rules`.
    board, first_click, cascade, invalid, max_steps, rewards: override the items of the rules.
    probabilities: adds the exact mine probabilities to `info`.
    regret: adds the regret to `info`; the rewards may use it too. The regret is exact if all consistent layouts are equally likely, which
        holds except with `no_guess`.
    certain_moves: after each action, the solver opens all cells that are proved safe, so that only guesses are left.
    no_guess: restricts the boards to those that need no guess after the first click, whichever cell is clicked first.
    threads: the number of threads; None uses one per core. Results do not depend on it.
    render_mode: "ansi" for text, or "rgb_array" for a picture, uint8[16 * H, 16 * W, 3].

    Raises ValueError for invalid rules or boards, and for an action that is not a cell.
    """

    metadata = {"render_modes": list(_RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        rules: str | Rules = "safe",
        *,
        board: str | None = None,
        first_click: str | None = None,
        cascade: bool | None = None,
        invalid: str | None = None,
        max_steps: int | None = None,
        rewards: Rewards | None = None,
        probabilities: bool = False,
        regret: bool = False,
        certain_moves: bool = False,
        no_guess: bool = False,
        threads: int | None = 1,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode)
        changes = dict(
            board=board, first_click=first_click, cascade=cascade, invalid=invalid, max_steps=max_steps, rewards=rewards
        )
        self.rules = _rules(rules, changes)
        options = dict(
            probabilities=probabilities, regret=regret, certain_moves=certain_moves, no_guess=no_guess, threads=threads
        )
        self._of = _Boards(1, self.rules, AutoresetMode.DISABLED, options)
        self.observation_space = self._of.observation_space
        self.action_space = self._of.action_space
        self.render_mode = render_mode
        self._seen: Views = np.full(self._of.shape, -1, np.int8)
        self._seeded = False

    @property
    def mines(self) -> int:
        """The number of mines on the board."""
        return self._of.mines

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        """Begins the next game, or the first game of a seed, which is a non-negative integer of any size. `options` are ignored."""
        _check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        return self._begun(*self._of.boards.reset([seed]))

    def state(self) -> States:
        """Returns the state of the game and its random generator, uint8[S], without rules and rewards."""
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset the environment before you take its state")
        state: States = self._of.boards.state()[0]
        return state

    def restore(self, state: States) -> tuple[Views, Infos]:
        """Continues from a state and returns what `reset` returns.

        The state may come from another environment with the same board, if both or neither compute probabilities or regret.
        Raises ValueError for bytes that are not such a state; the environment does not change then.
        """
        return self._begun(*self._of.boards.restore(np.asarray(state)[None]))

    def _begun(self, seen: Views, mask: NDArray[np.int8], probabilities: NDArray[np.float64] | None) -> tuple[Views, Infos]:
        self._seeded = True
        self._seen = seen[0]
        info: Infos = {"action_mask": mask[0], "won": False}
        if self._of.counts:
            info["regret"] = 0.0
        if probabilities is not None:
            info["mine_probability"] = probabilities[0]
        return self._seen.copy(), info

    def step(self, action: np.int64 | int) -> tuple[Views, float, bool, bool, Infos]:
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset the environment before its first step")
        seen, reward, terminated, truncated, mask, won, regret, probabilities, *_ = self._of.boards.step([_index(action)])
        self._seen = seen[0]
        info: Infos = {"action_mask": mask[0], "won": bool(won[0])}
        if self._of.counts and regret is not None:
            info["regret"] = float(regret[0])
        if probabilities is not None:
            info["mine_probability"] = probabilities[0]
        return self._seen.copy(), float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the covered cells, bool[H * W], for sb3-contrib's `MaskablePPO`."""
        return self._seen.reshape(-1) < 0

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the board as text or as a picture, depending on the render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; make the environment with render_mode='ansi'")
            return None
        return _drawn(self._seen, self.render_mode)

    def __copy__(self) -> Minesweeper:
        # A shallow copy would share its boards with the original, and a step of either would change both.
        return copy.deepcopy(self)


class MinesweeperVector(VectorEnv[Views, NDArray[np.int64], NDArray[Any]]):
    """A vector environment of many boards, which `gymnasium.make_vec("Minesweeper-v0", num_envs=N)` makes.

    Observations are int8[N, H, W]. Actions are N cells: an array of any integer type, a list, or a tensor of another library. `infos` has
    the items of `Minesweeper` with one row per environment. Environment `i` after `reset(seed=s)` equals `Minesweeper` after
    `reset(seed=s + i)`. A list gives each environment its own seed; an environment whose seed is None continues with its next game.

    autoreset_mode: when the next game begins. "NextStep": with the action after the end of a game; this action is not played. "SameStep":
        in the step that ends a game; where `infos["_final_obs"]` is true, `infos["final_obs"]`, int8[N, H, W], is the last observation of
        the finished game and `infos["final_info"]` has the infos of that step. "Disabled": with `reset(options={"reset_mask": bool[N]})`.

    The other arguments are those of `Minesweeper`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "safe",
        *,
        board: str | None = None,
        first_click: str | None = None,
        cascade: bool | None = None,
        invalid: str | None = None,
        max_steps: int | None = None,
        rewards: Rewards | None = None,
        probabilities: bool = False,
        regret: bool = False,
        certain_moves: bool = False,
        no_guess: bool = False,
        threads: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        _check_render_mode(render_mode)
        mode = AutoresetMode(autoreset_mode)
        changes = dict(
            board=board, first_click=first_click, cascade=cascade, invalid=invalid, max_steps=max_steps, rewards=rewards
        )
        self.rules = _rules(rules, changes)
        options = dict(
            probabilities=probabilities, regret=regret, certain_moves=certain_moves, no_guess=no_guess, threads=threads
        )
        self._of = _Boards(num_envs, self.rules, mode, options)
        self.mines = self._of.mines
        self.metadata = {"render_modes": list(_RENDER_MODES), "render_fps": 4, "autoreset_mode": mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = self._of.observation_space
        self.single_action_space = self._of.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)
        self._all.flags.writeable = False
        self._seen: Views = np.full((num_envs, *self._of.shape), -1, np.int8)
        self._seeded = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Views, Infos]:
        """Begins the next game of all environments, or the first games of their seeds, non-negative integers of any size."""
        _check_seed(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = (options or {}).get("reset_mask")
        return self._begun(*self._of.boards.reset(self._seeds(seed), mask))

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + index for index in range(self.num_envs)]
        seeds: list[int | None] = [None] * self.num_envs if seed is None else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected {self.num_envs} seeds, got {len(seeds)}")
        if self._seeded:
            return seeds
        drawn = self.np_random.integers(2**63, size=self.num_envs).tolist()
        return [new if own is None else own for own, new in zip(seeds, drawn, strict=True)]

    def state(self) -> States:
        """Returns the states of all environments, uint8[N, S]. Each row is a state as `Minesweeper.state` returns it.

        Rows are independent: `restore(states[rows])` gives environment `i` the state `rows[i]`. For example, `restore(states[[7] * N])`
        continues the game of environment 7 in all environments.
        """
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset the environments before you take their states")
        return self._of.boards.state()

    def restore(self, states: States) -> tuple[Views, Infos]:
        """Continues from states, one per environment, and returns what `reset` returns.

        Raises a ValueError that names the first row that is not a state of such a board; the environments do not change then.
        """
        return self._begun(*self._of.boards.restore(states))

    def _begun(self, seen: Views, mask: NDArray[np.int8], probabilities: NDArray[np.float64] | None) -> tuple[Views, Infos]:
        self._seeded = True
        self._seen = seen
        none = np.zeros(self.num_envs)
        return seen, self._infos(self._all, mask, none.astype(np.bool_), none, probabilities)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Views, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset the environments before their first step")
        seen, reward, terminated, truncated, mask, won, regret, probabilities, last, last_mine = self._of.boards.step(actions)
        self._seen = seen
        infos = self._infos(self._all, mask, won, regret, probabilities)
        if last is not None:
            ended = terminated | truncated
            covered = (last < 0).astype(np.int8).reshape(mask.shape)
            infos["final_obs"], infos["_final_obs"] = last, ended
            infos["final_info"], infos["_final_info"] = self._infos(ended, covered, won, regret, last_mine), ended
        return seen, reward, terminated, truncated, infos

    def _infos(
        self,
        there: NDArray[np.bool_],
        mask: NDArray[np.int8],
        won: NDArray[np.bool_],
        regret: NDArray[np.float64] | None,
        probabilities: NDArray[np.float64] | None,
    ) -> Infos:
        infos: Infos = {"action_mask": mask, "_action_mask": there, "won": won, "_won": there}
        if self._of.counts and regret is not None:
            infos |= {"regret": regret, "_regret": there}
        if probabilities is not None:
            infos |= {"mine_probability": probabilities, "_mine_probability": there}
        return infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the covered cells of each environment, bool[N, H * W]."""
        return self._seen.reshape(self.num_envs, -1) < 0

    def render(self) -> tuple[str | NDArray[np.uint8], ...] | None:
        """Returns the boards as texts or as pictures, depending on the render mode."""
        return None if self.render_mode is None else tuple(_drawn(seen, self.render_mode) for seen in self._seen)

    def __copy__(self) -> MinesweeperVector:
        return copy.deepcopy(self)


def _tiles() -> NDArray[np.uint8]:
    """Returns pictures of a covered cell and of the numbers 0 to 8, uint8[10, 16, 16, 3]."""
    tiles = np.full((10, 16, 16, 3), 128, np.uint8)
    tiles[:, 1:, 1:] = 224
    tiles[0, 1:, 1:] = 160
    rows = {1: "010110010010111", 2: "111001111100111", 3: "111001111001111", 4: "101101111001001"}
    rows |= {5: "111100111001111", 6: "111100111101111", 7: "111001010010010", 8: "111101111101111"}
    colours = [(0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128), (128, 0, 0), (0, 128, 128), (0, 0, 0), (96, 96, 96)]
    for (number, pixels), colour in zip(rows.items(), colours, strict=True):
        digit = np.array([pixel == "1" for pixel in pixels]).reshape(5, 3).repeat(2, 0).repeat(2, 1)
        tiles[number + 1, 3:13, 5:11][digit] = colour
    return tiles


_TILES = _tiles()


def _drawn(seen: Views, mode: str) -> str | NDArray[np.uint8]:
    if mode == "ansi":
        return "\n".join("".join("#" if cell < 0 else str(cell) for cell in row) for row in seen) + "\n"
    height, width = seen.shape
    return _TILES[seen + 1].transpose(0, 2, 1, 3, 4).reshape(16 * height, 16 * width, 3)


gymnasium.register(
    id="Minesweeper-v0",
    entry_point="mineflow.gymnasium:Minesweeper",
    vector_entry_point="mineflow.gymnasium:MinesweeperVector",
)
