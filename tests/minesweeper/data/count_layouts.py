"""Counts the layouts of positions by a transfer-matrix sweep over the cells, which shares no method with the solver.

The board is swept cell by cell along its shorter side. A state consists of the number of mines so far, and of the mines among those swept
cells that are next to a number not checked yet. Python's integers make the counts exact. The method uses no components, no boxes and no
floating-point numbers.

    python3 count_layouts.py < positions.jsonl > layout_counts.jsonl

Each input line is {"id", "width", "height", "mines", "rows"}. Each output line also has "solutions" and, for the covered cells `probes`
below, "probes": [[row, col, number of layouts in which the cell is a mine], ...].
"""

import json
import sys
from collections import defaultdict
from math import comb


def count(width, height, mines, rows, forced=None):
    """Returns the number of layouts with exactly `mines` mines. If `forced` is a (row, col), counts only the layouts with a mine there."""
    cells = [(r, c) for c in range(width) for r in range(height)]
    if width < height:
        cells = [(r, c) for r in range(height) for c in range(width)]
    order = {cell: i for i, cell in enumerate(cells)}

    def around(r, c):
        return [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)
                if (i or j) and 0 <= r + i < height and 0 <= c + j < width]

    covered = {cell for cell in cells if rows[cell[0]][cell[1]] in "#F"}
    numbers = {cell: int(rows[cell[0]][cell[1]]) for cell in cells if cell not in covered}
    # A number is checked after its last neighbour; a cell is forgotten after the last number that sees it is checked.
    checks, forget = defaultdict(list), defaultdict(list)
    for cell in numbers:
        checks[max((order[n] for n in around(*cell)), default=0)].append(cell)
    for cell in covered:
        seen_by = [max(order[m] for m in around(*n)) for n in around(*cell) if n in numbers]
        if seen_by:
            forget[max(seen_by)].append(cell)
    bit = {cell: 1 << i for i, cell in enumerate(sorted(cell for gone in forget.values() for cell in gone))}
    seen = {number: sum(bit.get(n, 0) for n in around(*number)) for number in numbers}
    # Maps the bits of the remembered mines to the layouts by number of mines so far. Cells without a neighbouring number are added at the
    # end.
    states = {0: {0: 1}}
    for i, cell in enumerate(cells):
        if cell in bit:
            after = defaultdict(lambda: defaultdict(int))
            for bits, ways in states.items():
                for value in (1,) if cell == forced else (0, 1):
                    into = after[bits | bit[cell] if value else bits]
                    for so_far, n in ways.items():
                        into[so_far + value] += n
            states = after
        kept = ~sum(bit[gone] for gone in forget[i])
        checked = [(seen[number], numbers[number]) for number in checks[i]]
        if checked or forget[i]:
            after = defaultdict(lambda: defaultdict(int))
            for bits, ways in states.items():
                if all((bits & mask).bit_count() == number for mask, number in checked):
                    into = after[bits & kept]
                    for so_far, n in ways.items():
                        into[so_far] += n
            states = after
    rest = len(covered) - len(bit)
    if forced is not None and forced not in bit:
        rest, mines = rest - 1, mines - 1
    ways = [(so_far, n) for by_mines in states.values() for so_far, n in by_mines.items()]
    return sum(n * comb(rest, mines - so_far) for so_far, n in ways if so_far <= mines)


for line in sys.stdin:
    position = json.loads(line)
    width, height, mines, rows = (position[key] for key in ("width", "height", "mines", "rows"))
    covered = [(r, c) for r in range(height) for c in range(width) if rows[r][c] in "#F"]
    probes = sorted({covered[len(covered) * k // 4] for k in range(4)}) if covered else []
    position["solutions"] = str(count(width, height, mines, rows))
    position["probes"] = [[r, c, str(count(width, height, mines, rows, (r, c)))] for r, c in probes]
    print(json.dumps(position), flush=True)
