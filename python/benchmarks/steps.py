"""Steps a CPU second in jumanji's Minesweeper and here, by its rules, in one process on one core.

    pip install jumanji mineflow[gymnasium]
    python steps.py > steps.csv

Both step the same number of boards by the same random actions and begin a new game in the step that ends one. jumanji's loop is
compiled whole (`jit` of a `scan` over `vmap`), so that Python costs it nothing; ours is called from Python, step by step. The best of
several rounds counts for each, as the machine may be busy.
"""

import os
import time

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jumanji
import numpy as np
from jumanji.environments import Minesweeper
from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
from jumanji.wrappers import AutoResetWrapper, VmapWrapper

from mineflow.gymnasium import MinesweeperVector

ROUNDS = 5
# Width, height, mines, boards at once.
KINDS = [(10, 10, 10, 1024), (30, 16, 99, 256)]
JUMANJI_STEPS, OWN_STEPS = 20, 2000


def best(work, steps):
    """The most steps a CPU second that a round makes."""
    work()
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        rates.append(steps / (time.process_time() - began))
    return max(rates)


def jumanji_rate(width, height, mines, count, actions):
    env = VmapWrapper(AutoResetWrapper(Minesweeper(UniformSamplingGenerator(height, width, mines))))
    pairs = jax.numpy.stack([actions // width, actions % width], axis=-1)

    @jax.jit
    def run(state, pairs):
        def step(state, pair):
            state, timestep = env.step(state, pair)
            return state, timestep.reward.sum()

        return jax.lax.scan(step, state, pairs)

    state, _ = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(0), count))
    return best(lambda: jax.block_until_ready(run(state, pairs)), count * len(actions))


def own_rate(width, height, mines, count, actions):
    envs = MinesweeperVector(count, "jumanji", board=f"{width}x{height}/{mines}", threads=1, autoreset_mode="SameStep")
    envs.reset(seed=1)

    def run():
        for action in actions:
            envs.step(action)

    return best(run, count * len(actions))


def python_microseconds(count):
    """What a step costs beside the boards: one of `count` boards of a single cell that is never opened, less nothing."""
    envs = MinesweeperVector(count, "safe", board="2x1/1", threads=1, autoreset_mode="Disabled", rewards=None)
    envs.reset(seed=1)
    boards, action = envs._of.boards, np.zeros(count, np.int64)
    rate = {}
    for name, step in (("whole", envs.step), ("boards", boards.step)):
        steps = 2000

        def run(step=step):
            for _ in range(steps):
                envs.reset()
                step(action)

        rate[name] = 1e6 / best(run, steps)
    return rate["whole"] - rate["boards"]


def main():
    rng = np.random.default_rng(1)
    print("board,boards,jumanji_steps_per_cpu_second,steps_per_cpu_second,times")
    for width, height, mines, count in KINDS:
        actions = rng.integers(0, width * height, (OWN_STEPS, count))
        theirs = jumanji_rate(width, height, mines, count, jax.numpy.asarray(actions[:JUMANJI_STEPS]))
        ours = own_rate(width, height, mines, count, actions)
        print(f"{width}x{height}/{mines},{count},{theirs:.0f},{ours:.0f},{ours / theirs:.0f}", flush=True)
    import sys

    print(f"note: jumanji {jumanji.__version__}, jax {jax.__version__}; ", file=sys.stderr, end="")
    print(f"{python_microseconds(1024):.1f} us of Python a step of 1,024 boards", file=sys.stderr)


if __name__ == "__main__":
    main()
