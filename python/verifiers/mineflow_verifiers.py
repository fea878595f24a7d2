"""Minesweeper for verifiers: each task is a game, and the environment answers each move with the board.

    vf-eval mineflow-verifiers -m MODEL --env.taskset.board 6x6/5 --env.taskset.games 100
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf

from mineflow.episode import Episode
from mineflow.rewards import move

__all__ = ["MinesweeperEnv", "MinesweeperTaskset"]

SYSTEM_PROMPT = """\
You play Minesweeper. H is a covered cell, and a number says how many of the eight cells around it are mines. Open all cells that are not
mines. Answer with the cell to open as (row, column), counted from (0, 0) at the top left. The last cell that you name counts."""


class MinesweeperConfig(vf.TasksetConfig):
    """The settings of the games, those of `mineflow.episode.Episode`."""

    games: int = 1000
    """The number of tasks. Their games have the seeds `seed`, `seed` + 1, ..."""
    seed: int = 0
    board: str = "beginner"
    first_click: Literal["safe", "opening", "any"] = "safe"
    reward: Literal["win", "safe", "regret"] = "regret"
    split: Literal["train", "held-out"] = "train"
    max_steps: int | None = None
    certain_moves: bool = False


class MinesweeperData(vf.TaskData):
    """A game before its first move."""

    episode: dict[str, Any]
    """The arguments of `Episode`. All rollouts of a task play the same game."""


class MinesweeperTask(vf.Task[MinesweeperData]):
    """One game."""


class MinesweeperTaskset(vf.Taskset[MinesweeperTask, MinesweeperConfig]):
    """Games of consecutive seeds."""

    def load(self) -> Iterator[MinesweeperTask]:
        settings = self.config.model_dump(include={"board", "first_click", "reward", "split", "max_steps", "certain_moves"})
        for seed in range(self.config.seed, self.config.seed + self.config.games):
            episode = {"seed": seed} | settings
            data = MinesweeperData(
                name=f"{self.config.board}#{seed}", system_prompt=SYSTEM_PROMPT, prompt=Episode(**episode).text, episode=episode
            )
            yield MinesweeperTask(data, self.config.task)


class MinesweeperEnvConfig(vf.EnvConfig):
    """The environment has one agent, `player`, which chats without tools and thus needs no container."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class MinesweeperEnv(vf.Env[MinesweeperEnvConfig]):
    """Plays a game with a model.

    The reward `game` is the sum of the rewards of the moves. An answer without a covered cell ends the game, and costs 1. The metrics are
    `won`, `steps` and `invalid`.
    """

    async def run(self, task: MinesweeperTask, agents: vf.Agents) -> None:
        game, invalid = Episode(**task.data.episode), False
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                try:
                    game.open(*(move(segment.last_reply) or (-1, -1)))
                except ValueError:
                    invalid = True
                if invalid or game.done:
                    break
                segment = await interaction.turn(game.said)
        interaction.trace.record_reward("game", game.total - invalid)
        interaction.trace.record_metrics({"won": float(game.won), "steps": float(game.steps), "invalid": float(invalid)})
