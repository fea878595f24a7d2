"""Measures the tutor: its chances to win, its marks, its proofs and its speed. Sizes are fixed here, before any run.

    pip install pyarrow                                  # for the guess sets
    python tests/tutor/measure.py --pipeline target/release/pipeline --out notebooks-free-reports/play/tutor.csv
    python tests/tutor/measure.py chances proofs         # only some of the parts

The parts: `chances` (no shown chance exceeds what closed parts allow), `guesses` (the best cell is that of 11.0, and intervals of roll-outs
hold, on the guess set), `flagged` (claimed losses of 4.0 against fresh roll-outs), `proofs` (stuck moments), `speed` (roll-outs natively and
in WebAssembly, which needs Node.js and `src/page/build`). All of them take about half an hour on one core.
"""

import argparse
import csv
import itertools
import json
import math
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANCE_GAMES = dict(players="11.0", boards="30x16/99", first="opening", seed=99, games=400)
STUCK_GAMES = dict(players="11.0", boards="30x16/99", first="safe", seed=55, games=200)
FLAG_GAMES = dict(players="4.0", boards="30x16/99", first="safe", seed=66, games=200)
FLAG_GUESSES = 240
FLAG_LAYOUTS = 1000
# Every 13th guess of the set is judged, and 24 positions of the games are timed.
EVERY_GUESS = 13
SPEED_POSITIONS = 24
SPEED_GAMES = 60
# The number of positions with closed parts that are also rated by roll-outs.
CLOSED_POSITIONS = 60
# The largest group of cells whose layouts are listed.
GROUP = 22
T7 = 2.365  # the 97.5 % quantile of Student's t with 7 degrees of freedom, for means of eight blocks


class Program:
    """The program: its commands, and a server of the page."""

    def __init__(self, path, work):
        self.path, self.work = path, pathlib.Path(work)
        self.server = subprocess.Popen([path, "serve", "--port", "0", "--name", "127.0.0.1"], stdout=subprocess.PIPE, text=True)
        line = next(line for line in self.server.stdout if "listening on" in line)
        self.url = line.split("listening on ")[1].strip()

    def run(self, *words, stdin=None):
        words = [str(word) for word in words]
        return subprocess.run([self.path, "--quiet", *words], input=stdin, capture_output=True, text=True, check=True).stdout

    def games(self, players, boards, first, seed, games):
        out = self.work / f"games-{players}-{boards.replace('/', '-')}-{first}-{seed}"
        self.run("eval", "--players", players, "--boards", boards, "--first-click", first, "--seed", seed, "--games", games, "--keep-games", games, "--out", out)
        return out / "games.jsonl"

    def judged(self, file, count):
        return [json.loads(self.run("replay", file, "--game", game, "--json")) for game in range(count)]

    def solve(self, positions, *more):
        """Solves positions, each (rows, mines)."""
        lines = [json.dumps({"width": len(rows[0]), "height": len(rows), "mines": mines, "rows": rows}) for rows, mines in positions]
        return [json.loads(line) for line in self.run("solve", "--json", *more, stdin="\n".join(lines)).splitlines()]

    def ask(self, name, question):
        request = urllib.request.Request(self.url + f"api/{name}", json.dumps(question).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def analyse(self, question):
        return self.ask("analyse", question)


def question(rows, mines, rule, **more):
    return {"width": len(rows[0]), "height": len(rows), "mines": mines, "rows": rows, "first_click": rule, "players": [], **more}


def near(cell, height, width):
    row, col = cell
    return [(r, c) for r in range(max(0, row - 1), min(height, row + 2)) for c in range(max(0, col - 1), min(width, col + 2)) if (r, c) != cell]


def positions(game):
    """Yields (rows before the move, move) of a judged game."""
    height, width = game["height"], game["width"]
    rows = [["#"] * width for _ in range(height)]
    field = game["field"]
    for move in game["moves"]:
        yield ["".join(row) for row in rows], move
        for row, col in move["opened"]:
            rows[row][col] = str(sum(field[r][c] == "*" for r, c in near((row, col), height, width)))


def layouts(cells, numbers, values=(), most=100_000):
    """Lists the layouts of a few cells: `numbers` are (mines, cells)."""
    found, waiting = [], [{}]
    while waiting and len(found) < most:
        known = waiting.pop()
        if len(known) == len(cells):
            found.append(known)
            continue
        cell = cells[len(known)]
        for mine in (0, 1):
            trial = {**known, cell: mine}
            fits = all(sum(trial.get(one, 0) for one in around) <= need <= sum(trial.get(one, 1) for one in around) for need, around in numbers if cell in around)
            if fits:
                waiting.append(trial)
    return found


def closed_bound(rows, solved):
    """Bounds the chance to win a position in which nothing is proved safe, from its rows, its proved mines and nothing else.

    Cells are linked if they have a common neighbour, covered or open, that isn't a proved mine. A group of linked cells with the same number of mines in all
    its layouts is closed: what it shows says nothing about other cells and vice versa. Its first guess is safe with at most one minus the
    least share of mines. Chances of groups are independent.
    """
    height, width = len(rows), len(rows[0])
    mines = {tuple(cell) for cell in solved["mines"]}
    unknown = {(r, c) for r in range(height) for c in range(width) if rows[r][c] == "#"} - mines
    bound, left = 1.0, set(unknown)
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            cell = waiting.pop()
            if cell in group:
                continue
            group.add(cell)
            for eye in [cell, *near(cell, height, width)]:
                if eye not in mines:
                    waiting += [other for other in near(eye, height, width) if other in unknown and other not in group]
                    if eye in unknown:
                        waiting.append(eye)
        left -= group
        if len(group) > GROUP or len(group) == len(unknown):
            continue
        eyes = {eye for cell in group for eye in near(cell, height, width) if rows[eye[0]][eye[1]] != "#"}
        numbers = []
        for eye in eyes:
            around = near(eye, height, width)
            numbers.append((int(rows[eye[0]][eye[1]]) - sum(cell in mines for cell in around), [cell for cell in around if cell in group]))
        found = layouts(sorted(group), numbers)
        if len({sum(one.values()) for one in found}) == 1:
            bound *= 1 - min(sum(one[cell] for one in found) / len(found) for cell in group)
    return bound


def share(part, whole):
    return f"{100 * part / whole:.2f}" if whole else ""


def chances(program, rows):
    games = program.judged(program.games(**CHANCE_GAMES), CHANCE_GAMES["games"])
    guesses = [(before, move, game) for game in games for before, move in positions(game) if move["verdict"] in ("guess", "50/50", "needless", "known-mine")]
    marks = [move["mark"] for _, move, _ in guesses]
    for mark in ("blunder", "mistake", "inaccuracy", "good", "forced"):
        rows.append(("chances", f"guesses of 11.0 marked {mark}", marks.count(mark), len(marks), share(marks.count(mark), len(marks))))
    solved = program.solve([(before, game["mines"]) for before, _, game in guesses])
    bounds = [closed_bound(before, one) if not one["safe"] else 1.0 for (before, _, _), one in zip(guesses, solved)]
    over = shown = 0
    for (_, move, _), bound in zip(guesses, bounds):
        told = [move["win"], move["after"], (move["best"] or {}).get("after")]
        told = [chance for chance in told if chance is not None]
        shown += len(told)
        over += sum(chance > bound + 1e-9 for chance in told)
    rows.append(("chances", "chances of replay above the bound of closed parts", over, shown, share(over, shown)))
    closed = [one for one, bound in zip(zip(guesses, bounds), bounds) if bound < 1]
    rows.append(("chances", "guesses with a closed part", len(closed), len(guesses), share(len(closed), len(guesses))))
    # Positions that replay does not show exactly come first.
    closed.sort(key=lambda one: one[0][1]["exact"])
    over = shown = 0
    for (before, _, game), bound in closed[:CLOSED_POSITIONS]:
        answer = program.analyse(question(before, game["mines"], game["first_click"], roll_outs=True))
        told = [answer["win"], *(candidate["win"] for candidate in answer["candidates"])]
        told = [chance for chance in told if chance is not None]
        shown += len(told)
        over += sum(chance > bound + 1e-9 for chance in told)
    rows.append(("chances", "chances of the page above the bound of closed parts", over, shown, share(over, shown)))


def read_set(*paths):
    import pyarrow.parquet

    found = [row for path in paths for row in pyarrow.parquet.read_table(path).to_pylist()]
    keyed = itertools.groupby(found, key=lambda row: (row["board"], row["first_click"], row["guess"]))
    return [list(group) for _, group in keyed]


def guesses(program, rows):
    guesses = read_set(ROOT / "data/guesses-report.parquet")[::EVERY_GUESS]
    losses, held, pairs, first = {}, 0, 0, 0
    for guess in guesses:
        one = guess[0]
        mines = int(one["board"].split("/")[1])
        asked = question(one["position"].split("/"), mines, one["first_click"], players=["11.0"], roll_outs=True)
        answer = program.analyse(asked)
        known = {(row["row"], row["column"]): row for row in guess}
        best = tuple(answer["candidates"][0]["cell"])
        own = tuple(answer["advice"][0]["moves"][0])
        first += best == own
        kind = f"{one['board']} {one['first_click']}"
        lost, count = losses.get(kind, (0.0, 0))
        loss = known[own]["value"] - known[best]["value"] if own in known and best in known else 0.0
        losses[kind] = (lost + EVERY_GUESS * one["weight"] * loss, count + 1)
        if one["exact"] or best not in known:
            continue
        for candidate in answer["candidates"][1:]:
            other = known.get(tuple(candidate["cell"]))
            if not other or candidate["behind"] is None:
                continue
            blocks = [known[best][f"block_{block}"] - other[f"block_{block}"] for block in range(1, 9)]
            error = T7 * statistics.stdev(blocks) / math.sqrt(8)
            behind, behind_error = candidate["behind"]
            pairs += 1
            held += abs(behind - statistics.mean(blocks)) <= math.hypot(error, behind_error)
    rows.append(("guesses", "first candidate is the cell of 11.0", first, len(guesses), share(first, len(guesses))))
    for kind, (lost, count) in losses.items():
        rows.append(("guesses", f"loss of the first candidate against 11.0, points a game, {kind}", f"{100 * lost:.3f}", count, ""))
    rows.append(("guesses", "differences of roll-outs within both errors of the set's", held, pairs, share(held, pairs)))


def flagged(program, rows):
    games = program.judged(program.games(**FLAG_GAMES), FLAG_GAMES["games"])
    out = program.work / "set"
    program.run("guess-set", "--player", FLAG_GAMES["players"], "--kinds", f"expert:safe={FLAG_GUESSES}", "--games", FLAG_GAMES["games"], "--layouts", 8, "--looking-layouts", FLAG_LAYOUTS, "--seed", FLAG_GAMES["seed"], "--out", out)
    claims = []
    for guess in read_set(out / "tune.parquet", out / "report.parquet"):
        move = list(positions(games[guess[0]["game"]]))[guess[0]["turn"]]
        assert move[0] == guess[0]["position"].split("/"), "the set and the games have different positions"
        known = {(row["row"], row["column"]): row for row in guess}
        move = move[1]
        best = known.get(tuple(move["best"]["cell"])) if move["best"] else None
        if guess[0]["exact"] or not best or not move["loss"]:
            continue
        real = best["looking_value"] - known[tuple(move["cell"])]["looking_value"]
        claims.append((guess[0]["weight"], move["loss"], real, move["mark"]))
    for name, wanted in (("with a loss", None), ("marked mistake or inaccuracy", ("mistake", "inaccuracy"))):
        chosen = [claim for claim in claims if wanted is None or claim[3] in wanted]
        weight = sum(claim[0] for claim in chosen)
        mean = lambda of: sum(claim[0] * of(claim) for claim in chosen) / weight
        bias = mean(lambda claim: claim[1] - claim[2])
        error = 1.96 * math.sqrt(sum((claim[0] * (claim[1] - claim[2] - bias)) ** 2 for claim in chosen)) / weight
        for label, value in (("claimed", mean(lambda claim: claim[1])), ("real", mean(lambda claim: claim[2])), ("claimed less real", bias), ("error of that", error)):
            rows.append(("flagged", f"guesses of 4.0 {name}: mean loss in points, {label}", f"{100 * value:.2f}", len(chosen), ""))


def single_numbers(rows):
    """Returns whether single numbers, again and again, prove a cell safe."""
    height, width = len(rows), len(rows[0])
    mines, grown = set(), True
    while grown:
        grown = False
        for cell in itertools.product(range(height), range(width)):
            if rows[cell[0]][cell[1]] == "#":
                continue
            around = [other for other in near(cell, height, width) if rows[other[0]][other[1]] == "#"]
            unknown = [other for other in around if other not in mines]
            need = int(rows[cell[0]][cell[1]]) - (len(around) - len(unknown))
            if unknown and need == 0:
                return True
            if unknown and need == len(unknown):
                mines.update(unknown)
                grown = True
    return False


def proofs(program, rows):
    file = program.games(**STUCK_GAMES)
    games = program.judged(file, STUCK_GAMES["games"])
    stuck = [(before, game["mines"]) for game in games for before, _ in positions(game) if "#" in "".join(before) and any(set(row) - {"#"} for row in before) and not single_numbers(before)]
    answers = program.solve(stuck, "--why")
    answers = [(one, before) for one, (before, _) in zip(answers, stuck)]
    rows.append(("proofs", "moments in which single numbers prove nothing safe", len(answers), STUCK_GAMES["games"], ""))
    safe = [one for one in answers if one[0]["safe"]]
    hardest = []
    for one, _ in safe:
        easiest = next(proof for proof in one["proofs"] if not proof["mine"])
        order = ["number", "pair", "count", "ways", "layouts"]
        hardest.append(max((step["rule"] for step in easiest["steps"]), key=order.index))
    for rule in ("number", "pair", "count", "ways", "layouts"):
        rows.append(("proofs", f"of those with a safe cell: easiest proof needs the rule {rule}", hardest.count(rule), len(hardest), share(hardest.count(rule), len(hardest))))
    said = len(hardest) - hardest.count("layouts")
    rows.append(("proofs", "of those with a safe cell: proved by numbers and words", said, len(hardest), share(said, len(hardest))))
    proved = wanted = told = covered = 0
    for one, before in answers:
        have = {tuple(proof["cell"]) for proof in one["proofs"] if proof["steps"]}
        wanted += len(one["mines"])
        proved += sum(tuple(cell) in have for cell in one["mines"])
        for (r, row), c in itertools.product(enumerate(before), range(len(before[0]))):
            if row[c] == "#":
                covered += 1
                chance = one["mine_probability"][r][c]
                told += chance is not None and (0 < chance < 1 or (r, c) in have)
    rows.append(("proofs", "proved mines with a proof", proved, wanted, share(proved, wanted)))
    rows.append(("proofs", "covered cells with a proof or a chance", told, covered, share(told, covered)))


def speed(program, rows):
    games = program.judged(program.games(**CHANCE_GAMES), SPEED_GAMES)
    guesses = [(before, game) for game in games for before, move in positions(game) if move["verdict"] == "guess" and not move["exact"]]
    chosen = guesses[:: max(1, len(guesses) // SPEED_POSITIONS)][:SPEED_POSITIONS]
    asked = [question(before, game["mines"], game["first_click"], roll_outs=True) for before, game in chosen]
    node = subprocess.run(["node", ROOT / "tests/tutor/wasm.mjs"], input="\n".join(map(json.dumps, asked)), capture_output=True, text=True, check=True).stdout
    of_page = [json.loads(line) for line in node.splitlines()]
    program.analyse(asked[0])
    native = []
    for one in asked:
        start = time.perf_counter()
        answer = program.analyse(one)
        native.append({"took": 1000 * (time.perf_counter() - start), "answer": answer})
    for name, found in (("natively", native), ("in WebAssembly, of processor time", of_page)):
        took = [one["took"] / 1000 for one in found]
        errors = [100 * max((candidate["behind"][1] for candidate in one["answer"]["candidates"] if candidate["behind"]), default=0) for one in found]
        for label, value in (("median", statistics.median(took)), ("longest", max(took))):
            rows.append(("speed", f"seconds of roll-outs {name}, {label}", f"{value:.2f}", len(found), ""))
        for label, value in (("median", statistics.median(errors)), ("largest", max(errors))):
            rows.append(("speed", f"error of a difference {name}, points, {label}", f"{value:.2f}", len(found), ""))


PARTS = {part.__name__: part for part in (chances, guesses, flagged, proofs, speed)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--pipeline", default=ROOT / "target/release/pipeline", help="the program")
    parser.add_argument("--out", type=pathlib.Path, help="also write the figures to this CSV file; parts that are not run keep theirs")
    given = parser.parse_args()
    for part in given.parts:
        part in PARTS or parser.error(f"no part is called {part}; parts are {', '.join(PARTS)}")
    parts = given.parts or list(PARTS)
    rows = []
    with tempfile.TemporaryDirectory() as work:
        program = Program(given.pipeline, work)
        try:
            for part in parts:
                before = len(rows)
                PARTS[part](program, rows)
                for row in rows[before:]:
                    print(*row, sep="\t", flush=True)
        finally:
            program.server.terminate()
    if given.out:
        old = list(csv.reader(given.out.open()))[1:] if given.out.exists() else []
        rows += [tuple(row) for row in old if row[0] not in parts]
        rows.sort(key=lambda row: list(PARTS).index(row[0]))
        with given.out.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("part", "figure", "value", "of", "percent"), *rows])


if __name__ == "__main__":
    main()
