"""Measures steps per CPU second of jumanji's Minesweeper and of mineflow under the same rules, in one process on one core.

    pip install jumanji mineflow[gymnasium]
    python steps.py > steps.csv

Both step the same number of boards with the same random actions, and start a new game in the step that ends one. jumanji's loop is
compiled as a whole (`jit` of a `scan` over `vmap`) and has no overhead from Python; mineflow is called from Python in every step. The
result is the best of several rounds, because the machine may be busy.
"""

import os
import sys
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
# Width, height, mines, number of parallel boards.
KINDS = [(10, 10, 10, 1024), (30, 16, 99, 256)]
JUMANJI_STEPS, OWN_STEPS = 20, 2000


def best(work, steps):
    """Returns the steps per CPU second of the fastest round."""
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


def own_rates(width, height, mines, count, actions):
    """Returns the steps per CPU second of the environment, and of its boards alone, without the overhead of Python."""
    rates = []
    for whole in (True, False):
        board = f"{width}x{height}/{mines}"
        envs = MinesweeperVector(count, "jumanji", board=board, threads=1, autoreset_mode="SameStep")
        envs.reset(seed=1)
        step = envs.step if whole else envs._of.boards.step

        def run(step=step):
            for action in actions:
                step(action)

        rates.append(best(run, count * len(actions)))
    return rates


def main():
    rng = np.random.default_rng(1)
    print("board,boards,jumanji_steps_per_cpu_second,steps_per_cpu_second,times,python_microseconds_a_step")
    for width, height, mines, count in KINDS:
        actions = rng.integers(0, width * height, (OWN_STEPS, count))
        theirs = jumanji_rate(width, height, mines, count, jax.numpy.asarray(actions[:JUMANJI_STEPS]))
        whole, boards = own_rates(width, height, mines, count, actions)
        beside = 1e6 * (count / whole - count / boards)
        print(f"{width}x{height}/{mines},{count},{theirs:.0f},{whole:.0f},{whole / theirs:.0f},{beside:.1f}", flush=True)
    print(f"note: jumanji {jumanji.__version__}, jax {jax.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
