"""Measures the CPU time of `probabilities` and of `pipeline solve --json` for the same 10,000 expert positions of games of 7.0, on one
thread.

    python probabilities.py target/release/pipeline

The program also counts the layouts exactly, and reads and writes JSON. The time of exact counting is measured separately, with `layouts`.
"""

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

import mineflow
from mineflow.gymnasium import MinesweeperVector

VIEWS, BOARDS, ROUNDS = 10_000, 250, 3


def positions():
    """Returns the views of 7.0 before a sample of its moves on many boards, including moves that are certain."""
    envs = MinesweeperVector(BOARDS, "safe", board="expert", autoreset_mode="SameStep")
    player, views = mineflow.Player("7.0"), []
    seen, _ = envs.reset(seed=1)
    for _ in range(8 * VIEWS // BOARDS):
        views.append(seen)
        seen, *_ = envs.step(player.act(seen, 99))
    views = np.concatenate(views)
    begun = views[(views >= 0).any(axis=(1, 2))]
    return begun[np.random.default_rng(1).choice(len(begun), VIEWS, replace=False)]


def best(work, clock):
    times = []
    for _ in range(ROUNDS):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def main():
    views = positions()
    lines = []
    for view in views:
        rows = ["".join("#" if cell < 0 else str(cell) for cell in row) for row in view]
        lines.append(json.dumps({"width": 30, "height": 16, "mines": 99, "rows": rows}))
    text = "\n".join(lines).encode()

    def children():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    command = [sys.argv[1], "solve", "--json"]
    program = best(lambda: subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True), children)
    own = best(lambda: mineflow.probabilities(views, 99, threads=1), time.process_time)
    layouts = best(lambda: mineflow.layouts(views, 99, threads=1), time.process_time)
    print("views,program_cpu_seconds,probabilities_cpu_seconds,layouts_cpu_seconds")
    print(f"{VIEWS},{program:.3f},{own:.3f},{layouts:.3f}")


if __name__ == "__main__":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    main()
