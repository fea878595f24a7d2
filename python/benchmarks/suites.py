"""Evaluates our players on the boards and under the rules of other training suites: notebooks-free-reports/suites/suites.csv.

    python suites.py suites.csv [GAMES [SUITE ...]]

Every player plays games 0 to GAMES - 1 of seed 1 under the rules of `mineflow.PRESETS`. Each row is written as soon as its games are played.
"""

import csv
import sys

import mineflow

PLAYERS = ["4.0", "7.0", "11.0"]
BOARDS = {"jumanji": ["10x10/10"], "textarena": ["5x5/5", "10x10/20", "12x12/30"]}
BOARDS |= {"gem": ["5x5/5", "8x8/12"], "korgym": ["15x15/20"], "unsloth": ["6x6/5"]}
COLUMNS = ["suite", "board", "first_click", "cascade", "player", "version", "games", "wins", "win_ratio", "ci_low", "ci_high"]
COLUMNS += ["corrected_win_ratio", "corrected_ci_low", "corrected_ci_high"]


def main():
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with open(sys.argv[1], "w", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        rows.writeheader()
        for suite, board in ((suite, board) for suite in sys.argv[3:] or BOARDS for board in BOARDS[suite]):
            rules = mineflow.PRESETS[suite]
            for player in PLAYERS:
                result = mineflow.evaluate(
                    player, board, first_click=rules.first_click, cascade=rules.cascade, games=games, seed=1
                )
                (low, high), (corrected_low, corrected_high) = result.interval, result.corrected_interval
                shown = [result.win_ratio, low, high, result.corrected_win_ratio, corrected_low, corrected_high]
                row = [suite, board, rules.first_click, rules.cascade, player, mineflow.Player(player).version]
                row += [games, result.wins]
                rows.writerow(dict(zip(COLUMNS, [*row, *(f"{value:.6f}" for value in shown)], strict=True)))
                file.flush()


if __name__ == "__main__":
    main()
