"""Helpers for the checks of the page: pages with recorded errors, requests to the server, positions."""

import json
import os
import pathlib
import subprocess
import urllib.request

CHECKS = []
# Most checks of games read the odds of the cells, which are off for a new user.
ODDS = "try { localStorage.getItem('mineflow.switches') ?? localStorage.setItem('mineflow.switches', '{\"odds\":true,\"coach\":false,\"less\":false}') } catch {}"

# Without this variable, Playwright does not report requests by service workers.
os.environ["PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS"] = "1"


def check(function):
    """Registers a check, a function that gets the `Browser` and raises if its claim is false."""
    CHECKS.append(function)
    return function


def check_at_server(function):
    """Registers a check of features that need a server: runs, saved games, files in folders."""
    function.home = "server"
    return check(function)


def check_without_server(function):
    """Registers a check that applies only to the static files."""
    function.home = "files"
    return check(function)


def equal(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def holds(truth, what):
    if not truth:
        raise AssertionError(what)


class Browser:
    """Helpers for a check: pages with recorded errors, requests to the server, positions."""

    def __init__(self, playwright, options):
        self.url = options.url.rstrip("/") + "/"
        # The static page has no server; its answers are compared with those of a separate server.
        self.has_server = options.answers is None
        self.answers = (options.answers or options.url).rstrip("/") + "/"
        self.tabs = ["play", "review", "practice", "board"] + ["runs"] * self.has_server
        self.pipeline = options.pipeline
        self.runs = pathlib.Path(options.runs) if options.runs else None
        self.games = pathlib.Path(options.games) if options.games else None
        self.shots = pathlib.Path(options.shots)
        self.shots.mkdir(parents=True, exist_ok=True)
        self.chromium = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        self.errors = []
        self.foreign = set()

    def page(self, address="", expected_errors=(), odds=True, **context):
        context.setdefault("viewport", {"width": 1400, "height": 900})
        # Service workers are blocked, because each context would download all off-line files.
        context.setdefault("service_workers", "block")
        page = self.chromium.new_context(**context).new_page()
        page.set_default_timeout(15_000)
        if odds:
            page.add_init_script(ODDS)
        page.on("console", lambda message: message.type == "error" and not any(word in message.text for word in expected_errors) and self.errors.append(f"{message.text} {message.location['url']}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.context.on("request", lambda request: not request.url.startswith((self.url, "data:", "blob:")) and self.foreign.add(request.url))
        page.goto(self.url + address)
        page.wait_for_selector("[data-tab][aria-current]")
        if not address.startswith(("#games", "#puzzles", "#review", "#practice", "#runs", "#help")):
            page.wait_for_selector("#board [role=gridcell]")
            settle(page)
        return page

    def shot(self, page, name, whole=False):
        page.screenshot(path=self.shots / f"{name}.png", full_page=whole)

    def ask(self, path, body=None):
        request = urllib.request.Request(self.answers + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def status(self, path):
        with urllib.request.urlopen(self.url + path.lstrip("/"), timeout=60) as answer:
            return answer.status

    def solve(self, positions):
        """Returns the answers of `pipeline solve --json`."""
        lines = "".join(json.dumps(position) + "\n" for position in positions)
        answer = subprocess.run([self.pipeline, "solve", "--json"], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in answer.stdout.splitlines()]


def settle(page):
    """Waits until the analysis belongs to the position on the board."""
    page.wait_for_selector('#analysis[aria-busy="false"]', timeout=20_000)


def cell(page, index, grid="#board"):
    return page.locator(f'{grid} [data-index="{index}"]')


def looks(page, grid="#board"):
    """Returns the class, text and share of every cell."""
    return page.eval_on_selector_all(f"{grid} [role=gridcell]", "all => all.map(one => ({look: one.className, text: one.textContent, share: one.share ?? null}))")


def new_game(page, board="beginner", seed=1, first_click="safe", **more):
    if not page.is_visible("#new"):
        page.click("[data-tab=play]")
    page.click("#new")
    page.select_option("#new-form [name=board]", board)
    for name, value in more.items():
        page.fill(f"#new-form [name={name}]", str(value))
    page.select_option("#new-form [name=first-click]", first_click)
    page.fill("#new-form [name=seed]", str(seed))
    page.click("#new-form [value=play]")
    settle(page)


def outcome(page):
    return page.text_content("#outcome")


def address(width, height, mines, rows):
    """Returns the address of a position, by an implementation independent of the page, with one letter per cell."""
    letters = "".join("H" if letter == "#" else letter if letter == "F" else "abcdefghi"[int(letter)] for letter in "".join(rows))
    return f"#board/{width}x{height}x{mines}/safe/{letters}"


def around(width, height, row, column):
    return [(r, c) for r in range(max(0, row - 1), min(height, row + 2)) for c in range(max(0, column - 1), min(width, column + 2)) if (r, c) != (row, column)]


def positions_of(replay):
    """Returns the rows before each move of a game, except those of untouched boards and of lost games."""
    width, height, field = replay["width"], replay["height"], replay["field"]
    cells = {}
    found = []
    for move in replay["moves"]:
        waiting = [tuple(one) for one in move["cells"]]
        while waiting:
            row, column = waiting.pop()
            if (row, column) in cells:
                continue
            if field[row][column] == "*":
                return found
            near = around(width, height, row, column)
            cells[row, column] = sum(field[r][c] == "*" for r, c in near)
            if cells[row, column] == 0:
                waiting += near
        found.append(["".join(str(cells.get((row, column), "#")) for column in range(width)) for row in range(height)])
    return found
