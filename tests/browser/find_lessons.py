"""Looks for the positions of the lessons on the page: 20 for each, from games that need no guess, at most one from each game.

    target/release/pipeline serve --port 8080 &
    target/browser-venv/bin/python tests/browser/find_lessons.py http://127.0.0.1:8080 >src/page/view/lessons.txt

It writes a line for each position, lesson by lesson, with its rows joined by /. It takes five minutes.
"""

import shutil
import sys

from playwright.sync_api import sync_playwright

LENGTH = 20
# The level of the boards of each lesson.
LEVELS = ["single-numbers"] * 3 + ["pairs"] * 5 + ["whole-count"] * 4

# Plays a game and returns its first position of each lesson in `open`, as [lesson, rows].
GAME = """async ([level, seed, wanted]) => {
  const module = (name) => import(new URL(`assets/${name}.js`, document.baseURI));
  const [{ deal, analyse }, { blank, fromField, open, toIndex, toRows }, { easiest, explain, lessonOf, shownProof }] = await Promise.all(['api', 'position', 'why'].map(module));
  const board = { width: 9, height: 9, mines: 12, first_click: 'opening' };
  const dealt = await deal({ ...board, first: [4, 4], seed, game: 0, no_guess: true, level });
  const field = fromField(dealt.field);
  const cells = blank(9, 9);
  open(cells, field, 9, [40]);
  const found = [];
  for (;;) {
    const answer = await analyse({ ...board, rows: toRows(cells, 9), players: [], no_guess: true });
    if (answer.won || !answer.safe.length) return found;
    const fits = (lesson) => {
      const proof = shownProof(lesson, answer);
      return proof && lessonOf(explain(proof, { cells, width: 9, height: 9 }, answer).steps) === lesson;
    };
    const known = found.map(([lesson]) => lesson);
    const lesson = wanted.find((lesson) => !known.includes(lesson) && fits(lesson));
    if (lesson !== undefined && answer.why.length > 1 && answer.why.length <= 16) found.push([lesson, toRows(cells, 9).join('/')]);
    // The easiest step is done, so that harder positions come.
    const last = JSON.stringify(easiest(answer).steps.at(-1));
    const targets = answer.why.filter(({ steps, mine }) => !mine && JSON.stringify(steps.at(-1)) === last);
    open(cells, field, 9, targets.map(({ cell }) => toIndex(cell, 9)));
  }
}"""


def forms(rows):
    """Returns a position as it looks from all sides and in a mirror."""
    square, found = rows.split("/"), set()
    for _ in range(4):
        square = ["".join(column) for column in zip(*square[::-1], strict=True)]
        found |= {"/".join(square), "/".join(row[::-1] for row in square)}
    return found


def main():
    lessons = [[] for _ in LEVELS]
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"]).new_page()
        page.goto(sys.argv[1])
        for level in dict.fromkeys(LEVELS):
            seed = 0
            while wanted := [at for at, of in enumerate(LEVELS) if of == level and len(lessons[at]) < LENGTH]:
                seed += 1
                for lesson, rows in page.evaluate(GAME, [level, seed, wanted]):
                    if not forms(rows) & set(lessons[lesson]):
                        lessons[lesson].append(rows)
                if seed % 100 == 0:
                    print(level, seed, [len(found) for found in lessons], file=sys.stderr, flush=True)
    print("\n".join(rows for found in lessons for rows in found))


if __name__ == "__main__":
    main()
