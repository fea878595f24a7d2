"""Minesweeper for Gymnasium: `Minesweeper-v0`, and as many boards as you like in one call.

>>> import gymnasium, mineflow.gymnasium
>>> env = gymnasium.make("Minesweeper-v0", rules="opening", board="expert")
>>> envs = gymnasium.make_vec("Minesweeper-v0", num_envs=1024, rules="jumanji")

`gymnasium.make("mineflow.gymnasium:Minesweeper-v0")` does without the import. Whatever the number of environments, a step is one call,
and the game after `reset(seed=s)` is game 0 of `mineflow.evaluate(..., seed=s)` on the same board, the next one game 1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _mineflow
from .rules import PRESETS, Rewards, Rules

__all__ = ["Minesweeper", "MinesweeperVector"]

Views = NDArray[np.int8]
Infos = dict[str, Any]


def _rules(rules: str | Rules, changes: dict[str, Any]) -> Rules:
    """A preset or rules, with what is not None changed."""
    if isinstance(rules, str):
        if rules not in PRESETS:
            raise ValueError(f"rules: {rules!r} is none of {', '.join(PRESETS)}")
        rules = PRESETS[rules]
    rules = dataclasses.replace(rules, **{name: value for name, value in changes.items() if value is not None})
    if rules.invalid not in ("ignore", "end"):
        raise ValueError(f"invalid: {rules.invalid!r} is neither 'ignore' nor 'end'")
    return rules


class _Boards:
    """What both kinds of environment have: the boards, and what is said of them."""

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
        self.observation_space = spaces.Box(-1, 8, self.shape, np.int8)
        self.action_space = spaces.Discrete(height * width)


class Minesweeper(gymnasium.Env[Views, np.int64]):
    """One board after the other.

    Observations are int8[H, W]: -1 a covered cell, 0 to 8 an open one. Actions are cells by their row-major index, `row * W + col`.
    `info` has "action_mask", bool[H * W], the covered cells; "won", whether the step won the game; where asked for "regret", the
    risk that the step took less the least risk there was (NaN where a position is beyond counting), and "mine_probability",
    float64[H, W], of the position that is seen: 0.0 where open, as it was before once the game is over, NaN if it is beyond counting.

    rules: "safe", "opening", "any", "jumanji", "textarena", or `Rules`.
    board, first_click, cascade, invalid, max_steps, rewards: in place of what the rules say.
    probabilities: give the exact probabilities of a mine.
    regret: give the regret, which rewards may count too. Exact where all layouts that fit are equally likely, as they are but for
        `no_guess`.
    certain_moves: after each action the solver opens all that is proved safe, so that only guesses are left.
    no_guess: boards that need no guess after the first click, whatever cell that is.
    threads: how many work; None is one a core. Results don't depend on it.

    Raises ValueError for rules or a board that are none, and for an action that is not a cell.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

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
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode: {render_mode!r} is none of {self.metadata['render_modes']}")
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

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Views, Infos]:
        super().reset(seed=seed)
        seeds = None
        if seed is not None or not self._seeded:
            seeds = np.array([self.np_random.integers(2**63) if seed is None else seed], np.uint64)
            self._seeded = True
        seen, mask, probabilities = self._of.boards.reset(seeds)
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
        actions = np.array([int(action)], np.int64)
        seen, reward, terminated, truncated, mask, won, _, regret, probabilities = self._of.boards.step(actions)
        self._seen = seen[0]
        info: Infos = {"action_mask": mask[0], "won": bool(won[0])}
        if self._of.counts and regret is not None:
            info["regret"] = float(regret[0])
        if probabilities is not None:
            info["mine_probability"] = probabilities[0]
        return self._seen.copy(), float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> str | None:
        """The board as text, where the render mode is "ansi"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; make the environment with render_mode='ansi'")
            return None
        return _drawn(self._seen)


class MinesweeperVector(VectorEnv[Views, NDArray[np.int64], NDArray[Any]]):
    """Many boards at once: what `gymnasium.make_vec("Minesweeper-v0", num_envs=N)` makes.

    Observations are int8[N, H, W], actions N cells. `infos` has the arrays of `Minesweeper` with one row an environment. Environment
    `i` after `reset(seed=s)` is `Minesweeper` after `reset(seed=s + i)`; a list gives each its own seed.

    autoreset_mode: when the next game begins: "NextStep" (with the action after the end, which is not played), "SameStep" (at once:
        `infos["final_obs"]`, int8[N, H, W], has what was last seen where `infos["_final_obs"]`) or "Disabled" (with
        `reset(options={"reset_mask": bool[N]})`).

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
        mode = AutoresetMode(autoreset_mode)
        changes = dict(
            board=board, first_click=first_click, cascade=cascade, invalid=invalid, max_steps=max_steps, rewards=rewards
        )
        self.rules = _rules(rules, changes)
        options = dict(
            probabilities=probabilities, regret=regret, certain_moves=certain_moves, no_guess=no_guess, threads=threads
        )
        self._of = _Boards(num_envs, self.rules, mode, options)
        self.metadata = {"render_modes": ["ansi"], "render_fps": 4, "autoreset_mode": mode}
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
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = (options or {}).get("reset_mask")
        seen, actions, probabilities = self._of.boards.reset(self._seeds(seed), mask)
        self._seen = seen
        none = np.zeros(self.num_envs)
        return seen, self._infos(actions, none.astype(np.bool_), none if self._of.counts else None, probabilities)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> NDArray[np.uint64] | None:
        if seed is None and self._seeded:
            return None
        self._seeded = True
        if isinstance(seed, (int, np.integer)):
            return np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
        drawn = self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64)
        if seed is not None:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: expected {self.num_envs} seeds, got {len(seed)}")
            for index, own in enumerate(seed):
                drawn[index] = drawn[index] if own is None else own
        return drawn

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Views, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset the environments before their first step")
        seen, reward, terminated, truncated, mask, won, last, regret, probabilities = self._of.boards.step(actions)
        self._seen = seen
        infos = self._infos(mask, won, regret, probabilities)
        if last is not None:
            ended = terminated | truncated
            infos["final_obs"], infos["_final_obs"] = last, ended
            final: Infos = {"won": won, "_won": ended}
            if self._of.counts:
                final |= {"regret": regret, "_regret": ended}
            infos["final_info"], infos["_final_info"] = final, ended
        return seen, reward, terminated, truncated, infos

    def _infos(
        self,
        mask: NDArray[np.bool_],
        won: NDArray[np.bool_],
        regret: NDArray[np.float64] | None,
        probabilities: NDArray[np.float64] | None,
    ) -> Infos:
        infos: Infos = {"action_mask": mask, "_action_mask": self._all, "won": won, "_won": self._all}
        if self._of.counts and regret is not None:
            infos |= {"regret": regret, "_regret": self._all}
        if probabilities is not None:
            infos |= {"mine_probability": probabilities, "_mine_probability": self._all}
        return infos

    def render(self) -> tuple[str, ...] | None:
        """The boards as text, where the render mode is "ansi"."""
        return None if self.render_mode is None else tuple(_drawn(seen) for seen in self._seen)


def _drawn(seen: Views) -> str:
    return "\n".join("".join("#" if cell < 0 else str(cell) for cell in row) for row in seen) + "\n"


gymnasium.register(
    id="Minesweeper-v0",
    entry_point="mineflow.gymnasium:Minesweeper",
    vector_entry_point="mineflow.gymnasium:MinesweeperVector",
)
