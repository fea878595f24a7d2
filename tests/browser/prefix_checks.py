"""Checks of the page below a path, as behind JupyterHub's `/proxy/8650/` or a location of nginx."""

import contextlib
import copy
import http.client
import http.server
import threading
import urllib.parse

from browser import cell, check_at_server, equal, holds, looks, new_game, settle

PREFIX = "/proxy/8650"


@contextlib.contextmanager
def proxy(url):
    """Runs a proxy that removes the prefix, and yields its address."""
    host = urllib.parse.urlsplit(url).netloc

    class Handler(http.server.BaseHTTPRequestHandler):
        def forward(self):
            if not self.path.startswith(PREFIX + "/"):
                return self.send_error(404)
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            upstream = http.client.HTTPConnection(host)
            upstream.request(self.command, self.path.removeprefix(PREFIX), body or None, headers)
            answer = upstream.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                    self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                while piece := answer.read1(65536):
                    self.wfile.write(piece)
                    self.wfile.flush()
            upstream.close()

        do_GET = do_POST = forward

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}/"
    finally:
        server.shutdown()


@check_at_server
def the_page_works_below_a_path(browser):
    with proxy(browser.url) as url:
        behind = copy.copy(browser)
        behind.url = url
        page = behind.page()
        new_game(page, seed=2)
        cell(page, 40).click()
        settle(page)
        holds(" open " in cell(page, 40).get_attribute("class"), "a click opened nothing")
        page.click("#share")
        link = page.locator("#share-body .share-line input").nth(1).input_value()
        holds(link.startswith(url + "#board/"), f"the link {link} leaves the path")
        again = behind.page(link.removeprefix(url))
        equal([one["text"] for one in looks(again)], [one["text"] for one in looks(page)], "the position of the shared link")
        page = behind.page("#games")
        page.click("#kept > summary")
        page.locator("#kept-list details summary").first.click()
        page.locator(".kept-game").first.click()
        page.wait_for_selector("#viewer .side")
        page = behind.page("#practice/guesses")
        page.wait_for_selector("#puzzle [role=gridcell]")
        page = behind.page("#runs")
        page.locator("#run-list input[type=checkbox]").first.check()
        page.wait_for_selector("#curves polyline.line")
        page.wait_for_selector("#models table")
        equal(behind.status(page.locator(".files a").first.get_attribute("href")), 200, "answer to the first link")
        page.context.close()
