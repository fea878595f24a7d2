"""A player for mineflow in Python: opens all cells that single numbers prove safe, otherwise a random cell off the boundary.

    pipeline compare "exec:python3 examples/engines/single.py" 1.0 --games 1000
"""
import random
import sys


def around(row, column, height, width):
    """Returns the neighbours of a cell."""
    return [(r, c) for r in range(max(row - 1, 0), min(row + 2, height))
            for c in range(max(column - 1, 0), min(column + 2, width)) if (r, c) != (row, column)]


def choose(rows, draws):
    """Returns the cells to open, those that single numbers prove safe or else one guess, and why."""
    height, width = len(rows), len(rows[0])
    numbers = [(int(cell.replace(".", "0")), around(r, c, height, width))
               for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "#"]
    mines, safe, known = set(), set(), -1
    while known != len(mines) + len(safe):
        known = len(mines) + len(safe)
        for number, near in numbers:
            covered = {(r, c) for r, c in near if rows[r][c] == "#"} - safe
            if len(covered) == number:
                mines |= covered
            elif len(covered & mines) == number:
                safe |= covered - mines
    if safe:
        return sorted(safe), "single numbers prove it"
    covered = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#" and (r, c) not in mines]
    touched = {cell for _, near in numbers for cell in near}
    return [draws.choice([cell for cell in covered if cell not in touched] or covered)], "drawn by lot"


draws = random.Random()
for line in sys.stdin:
    match line.split():
        case ["mineflow", "1"]:
            print("name single numbers (Python)", flush=True)
        case ["game", _, seed]:
            draws.seed(int(seed))  # the player's own draws; never the mines
        case ["view", rows]:
            cells, why = choose(rows.split("/"), draws)
            print("open", *(number for cell in cells for number in cell), "why", why, flush=True)
        case ["quit"]:
            break
