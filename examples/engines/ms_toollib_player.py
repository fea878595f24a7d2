"""The solver of ms_toollib (pip install ms_toollib) as a player: opens cells that are no mines, else the least likely mine.

    pipeline compare "exec:python3 examples/engines/ms_toollib_player.py" 7.0 --boards expert --games 1000
"""
import sys

import ms_toollib


def choose(rows, mines):
    """Returns the cells to open."""
    board = [[10 if cell == "#" else int(cell.replace(".", "0")) for cell in row] for row in rows]
    cells = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"]
    chances, _ = ms_toollib.cal_probability_onboard(board, mines)
    least = min(chances[r][c] for r, c in cells)
    best = [(r, c) for r, c in cells if chances[r][c] <= least + 1e-9]
    return best if least < 1e-9 else best[:1]


mines = 0
for line in sys.stdin:
    match line.split():
        case ["mineflow", "1"]:
            print("name ms_toollib, least mine probability", flush=True)
        case ["board", _, _, count, _]:
            mines = int(count)
        case ["view", rows]:
            cells = choose(rows.split("/"), mines)
            print("open", *(number for cell in cells for number in cell), flush=True)
        case ["quit"]:
            break
