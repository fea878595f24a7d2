"""Checks of the page as static files: it shows a board before the solver is loaded, stays responsive, can be stopped and works off-line."""

import base64
import contextlib
import copy
import functools
import hashlib
import http.server
import pathlib
import re
import shutil
import tempfile
import threading

from board_checks import click_on
from browser import cell, check_without_server, equal, holds, new_game, settle

SITE = pathlib.Path(__file__).parent.parent.parent / "target" / "web"

# Requests boards that are never found: two requests run, and all further ones wait.
WORK = """async () => {
    const { deal } = await import(new URL('api.js', document.querySelector('script[type=module]').src));
    const wanted = { width: 30, height: 16, mines: 170, first_click: 'safe', first: [0, 0], seed: 1, game: 0, no_guess: true, level: 'whole-count' };
    window.told = [];
    for (let number = 0; number < 200; number++) deal({ ...wanted, seed: number }).catch(error => window.told.push(error.message));
}"""
# Tells whether the work is still running after a timer of the page has fired twenty times.
STILL_WORKS = """() => new Promise(done => {
    let ticks = 0;
    const timer = setInterval(() => {
        ticks += 1;
        if (ticks < 20) return;
        clearInterval(timer);
        done(!document.getElementById('work').hidden);
    }, 10);
})"""


@check_without_server
def work_leaves_the_page_responsive_and_can_be_stopped(browser):
    page = browser.page()
    page.evaluate(WORK)
    page.wait_for_selector("#work:not([hidden])", timeout=60_000)
    holds(page.evaluate(STILL_WORKS), "a timer of the page waited for the work")
    browser.shot(page, "work")
    page.click("#stop")
    page.wait_for_selector("#work", state="hidden")
    equal(page.evaluate("window.told.at(-1)"), "You stopped the calculation.", "what the last question was told")
    new_game(page, seed=2)
    cell(page, 40).click()
    settle(page)
    holds(" open " in cell(page, 40).get_attribute("class"), "nothing works after the stop")


@check_without_server
def an_address_of_runs_shows_the_board(browser):
    page = browser.page("#runs")
    page.wait_for_selector("#board [role=gridcell]")


@check_without_server
def the_first_board_waits_for_no_solver(browser):
    page = browser.chromium.new_context(service_workers="block").new_page()
    held = []
    page.route("**/*.wasm", lambda route: held.append(route))
    page.goto(browser.url + "#board/9x9x10/safe/81H")
    cell(page, 0).wait_for()
    page.keyboard.press("e")
    cell(page, 0).click()
    equal(cell(page, 0).text_content(), "1", "a number set before the solver is there")
    equal(page.text_content("#board-line"), "9×9, 10 mines (12.3 %) · the first click is safe · the mines are not known.", "what is said of the board")
    page.click("[data-tab=play]")
    page.wait_for_selector("#again:visible")
    cell(page, 40).click()
    holds(held and " open " not in cell(page, 40).get_attribute("class"), "the solver was there already")
    for route in held:
        route.continue_()
    settle(page)
    page.wait_for_selector('#board [data-index="40"].open')


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def own_copy(browser):
    """Serves a copy of the files below a path, on a server that can be shut down. Yields the folder, its `Browser` and its server."""
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "page"
        shutil.copytree(SITE, site)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = copy.copy(browser)
        there.url = f"http://127.0.0.1:{server.server_port}/page/"
        try:
            yield site, there, server
        finally:
            server.shutdown()
            server.server_close()


KEPT = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== 'activated' || !navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
}"""


REPLACED = """async () => {
    const registration = await navigator.serviceWorker.ready;
    while ((await caches.keys()).length < 3 || registration.installing || registration.waiting || registration.active.state !== 'activated') await new Promise((done) => setTimeout(done, 20));
}"""


@check_without_server
def it_works_off_line_after_the_first_visit(browser):
    with own_copy(browser) as (_, there, server):
        page = there.page(service_workers="allow")
        page.evaluate(KEPT)
        # A model that few users need is cached after its first request.
        page.goto(there.url + "#board/30x16x99/safe/200Hb279H")
        page.wait_for_selector(".candidates")
        page.click(".players summary")
        page.check("[data-player='5.0']")
        settle(page)
        server.shutdown()
        server.server_close()
        page.context.set_offline(True)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width in (1280, 768, 390):
                page.set_viewport_size({"width": width, "height": 800})
                page.goto("about:blank")
                page.goto(there.url + "#board/30x16x99/safe/200Hb279H")
                page.wait_for_selector(".candidates")
                settle(page)
                equal(page.locator(".advice dt").all_text_contents(), ["11.0", "7.0", "4.0", "5.0"], "players that answer off-line")
                browser.shot(page, f"off-line-{width}-{scheme}", whole=True)
        # If a model is not cached, only its player fails.
        page.click(".players summary")
        page.check("[data-player='5.5']")
        page.wait_for_function("() => document.querySelector('.advice').textContent.includes('can’t be downloaded')")
        holds(page.locator(".candidates").count(), "the chances are lost with a model")
        page.uncheck("[data-player='5.5']")
        page.reload()
        settle(page)
        new_game(page, seed=2)
        cell(page, 40).click()
        holds(click_on(page, min) in ("Won", "Lost"), "a game does not end off-line")
        page.click("#judge")
        page.wait_for_selector("#viewer .side")
        page.click("[data-tab=practice]")
        page.click("[data-part=guesses]")
        page.wait_for_selector("#puzzle [role=gridcell]")


def build_again(site, words):
    """Changes the files into those of another build, with these words in the page."""
    index, worker = site / "index.html", site / "sw.js"
    old = next(site.glob("assets-*")).name
    (site / old).rename(site / "assets-another")
    integrity = lambda: "sha256-" + base64.b64encode(hashlib.sha256(index.read_bytes()).digest()).decode()
    before = integrity()
    index.write_text(index.read_text().replace(old, "assets-another").replace("mineflow</a>", f"{words}</a>"))
    worker.write_text(worker.read_text().replace(old, "assets-another").replace(before, integrity()))
    holds(integrity() in worker.read_text(), "the service worker names another index.html")


@check_without_server
def a_new_build_takes_the_place_of_the_old(browser):
    with own_copy(browser) as (site, there, _):
        page = there.page(service_workers="allow")
        page.evaluate(KEPT)
        old = page.context.new_page()
        old.goto(there.url)
        settle(old)
        build_again(site, "another build")
        asked = set()
        page.on("request", lambda request: asked.update(re.findall("assets-[a-z0-9]+", request.url)))
        page.reload()
        settle(page)
        holds("another" in page.text_content(".brand"), "the old page came again")
        equal(asked, {"assets-another"}, "files that the new page asks for")
        page.evaluate(REPLACED)
        # The page that is still open starts a new worker from the files of its own build.
        old.evaluate(WORK)
        old.wait_for_selector("#work:not([hidden])")
        old.click("#stop")
        old.keyboard.press("n")
        cell(old, 40).click()
        old.wait_for_selector('#board [data-index="40"].open')
        page.context.set_offline(True)
        page.reload()
        settle(page)
        holds("another" in page.text_content(".brand"), "the old build came back off-line")
