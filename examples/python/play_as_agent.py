"""Plays Minesweeper over OpenEnv with an agent that reads each position as text and is rewarded for not taking needless risks.

    pip install "mineflow[agent]"
    python examples/python/play_as_agent.py --episodes 20

The agent here is a script that parses the text that a language model would read, and opens the cell with the lowest mine probability.
Replace `choose` by a call of your model. Episodes run in parallel, each over its own connection.
"""

import argparse
import asyncio
import contextlib
import socket
import subprocess
import sys
import time

import mineflow
import numpy as np
from openenv.core import GenericEnvClient


def choose(observation: dict) -> dict:
    """Returns the cell to open, given an observation of the environment."""
    view, mines = mineflow.parse(observation["text"])
    if (view < 0).all():
        return {"row": 0, "column": 0}
    chances = mineflow.probabilities(view[None], mines)[0]
    row, column = np.unravel_index(np.nanargmin(chances), chances.shape)
    return {"row": int(row), "column": int(column)}


async def episode(url: str, seed: int, board: str) -> tuple[bool, float, int]:
    """Plays one game that training never sees. Returns whether it is won, the sum of the rewards and the number of steps."""
    async with GenericEnvClient(base_url=url) as env:
        result = await env.reset(seed=seed, board=board, reward="regret", split="held-out")
        rewards, steps = 0.0, 0
        while not result.done:
            result = await env.step(choose(result.observation))
            rewards, steps = rewards + (result.reward or 0.0), steps + 1
        return result.observation["won"], rewards, steps


async def play(url: str, episodes: int, board: str) -> None:
    played = await asyncio.gather(*(episode(url, seed, board) for seed in range(episodes)))
    won = sum(game[0] for game in played)
    regret = sum(0.0 - game[1] for game in played) / episodes
    steps = sum(game[2] for game in played) / episodes
    print(f"{won} of {episodes} episodes won on {board}, {steps:.1f} steps and {regret:.3f} of needless risk an episode")


@contextlib.contextmanager
def server():
    """Runs the environment's server on a free port, as `python -m mineflow.agent` does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "mineflow.agent", "--port", str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if process.poll() is not None:
                sys.exit("the server did not start; pip install 'mineflow[agent]'")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--board", default="beginner")
    parser.add_argument("--url", help="a server that runs already")
    given = parser.parse_args()
    with contextlib.nullcontext(given.url) if given.url else server() as at:
        asyncio.run(play(at, given.episodes, given.board))
