"""Writes positions in which a guess is made, with exact mine probabilities, as a Parquet file with a data card.

    pip install "mineflow" pyarrow
    python write_positions.py --out positions

The folder has `positions.parquet` and the card, `README.md`. The same arguments give the same rows. With the default settings, 50,000
positions of expert are written in half a minute.
"""

import argparse
import hashlib
import os
import pathlib

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import mineflow

BATCH = 1000

CARD = """\
---
license: mit
tags: [minesweeper, tabular]
configs:
  - config_name: default
    data_files: positions.parquet
---

# Minesweeper positions with exact mine probabilities

{rows:,} positions of Minesweeper on {board} ({height} rows, {width} columns, {mines} mines) in which no cell is proved safe, and thus a
player must guess. They are consecutive guesses of player {player} in {games:,} games with the first-click rule `{rule}`.

| column | type | meaning |
|---|---|---|
| `game` | int64 | number of the game; the positions of a game are correlated, so split by game |
| `view` | int8[{cells}] | the cells row by row: -1 covered, 0 to 8 the number of mines around an open cell |
| `mine` | float64[{cells}] | mine probability of each covered cell, 0 to 1, NaN for open cells |

Probabilities are shares of the mine layouts that fit the numbers and the number of mines, all equally likely. They are counted without
sampling. A cell with 1.0 is proved a mine. The lowest probability of a position is above 0. The regret of a cell is its probability minus
the lowest one. A cell's (row, column) is `divmod(index, {width})`.

Source: mineflow {version}, `python write_positions.py {command}`. The games are those of `mineflow.evaluate` with the same seed; choose
another seed for games that no evaluation uses. Limits: the positions are those of one player, and a player with another style meets other
positions. Licence: MIT or Apache-2.0, as mineflow. SHA-256 of `positions.parquet`: `{digest}`.
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--board", default="expert")
    arguments.add_argument("--first-click", default="safe", choices=["safe", "opening", "any"])
    arguments.add_argument("--player", default="7.0", help="a player with exact probabilities")
    arguments.add_argument("--seed", type=int, default=1_000_000)
    arguments.add_argument("--positions", type=int, default=50_000)
    arguments.add_argument("--out", default="positions", help="the folder of the file and the card")
    given = arguments.parse_args()

    folder = pathlib.Path(given.out)
    file, part = folder / "positions.parquet", folder / "positions.parquet.tmp"
    if file.exists():
        raise SystemExit(f"{file} exists: choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    stream = mineflow.positions(given.board, BATCH, given.seed, first_click=given.first_click, player=given.player, threads=None)
    writer, rows, games = None, 0, set()
    while rows < given.positions:
        batch = next(stream)
        count = min(BATCH, given.positions - rows)
        _, height, width = batch.views.shape
        cells = height * width
        arrays = {
            "game": pa.array(batch.game[:count]),
            "view": pa.FixedSizeListArray.from_arrays(batch.views[:count].ravel(), cells),
            "mine": pa.FixedSizeListArray.from_arrays(batch.mine[:count].ravel(), cells),
        }
        table = pa.table(arrays)
        if writer is None:
            writer = parquet.ParquetWriter(part, table.schema, compression="zstd")
        writer.write_table(table)
        rows, games = rows + count, games | set(batch.game[:count].tolist())
    writer.close()
    os.replace(part, file)
    mines = round(float(np.nansum(batch.mine[0])))
    about = {"board": f"{width}x{height}/{mines}", "rows": rows, "games": len(games), "height": height, "width": width, "mines": mines}
    about |= {"cells": cells, "player": given.player, "rule": given.first_click}
    command = f"--board {given.board} --first-click {given.first_click} --player {given.player} --seed {given.seed}"
    about |= {"command": f"{command} --positions {given.positions}"}
    about |= {"version": mineflow.__version__, "digest": hashlib.sha256(file.read_bytes()).hexdigest()}
    (folder / "README.md").write_text(CARD.format(**about))
    print(f"{file}: {rows:,} positions of {len(games):,} games, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
