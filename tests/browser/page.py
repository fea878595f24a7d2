"""Drives the page, of `pipeline serve` or of `src/page/build`, in a real Chromium and checks what a user sees.

The script needs Playwright for Python and a Chromium; `tests/browser/run` installs both. It prints one line per check. The exit code is 1
if a check fails.
"""

import argparse
import shutil
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from browser import CHECKS, Browser, check, equal

# Each of these modules adds its checks, which run in this order.
import board_checks  # noqa: F401
import game_checks  # noqa: F401
import look_checks  # noqa: F401
import position_checks  # noqa: F401
import prefix_checks  # noqa: F401
import puzzle_checks  # noqa: F401
import run_checks  # noqa: F401
import tutor_checks  # noqa: F401
import user_checks  # noqa: F401
import web_checks  # noqa: F401


@check
def nothing_went_wrong_unseen(browser):
    equal(browser.errors, [], "errors of the console")
    equal(sorted(browser.foreign), [], "requests to other hosts")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--answers", help="a server whose answers the page must show, if --url is the page as static files")
    parser.add_argument("--pipeline", required=True)
    parser.add_argument("--runs")
    parser.add_argument("--games", help="the file of kept games that the server shows")
    parser.add_argument("--shots", default="target/browser-shots")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("--only", default="", help="checks with this word in their name")
    options = parser.parse_args()
    failed = 0
    home = "files" if options.answers else "server"
    chosen = [one for one in CHECKS if (options.only in one.__name__ or one is nothing_went_wrong_unseen) and getattr(one, "home", home) == home]
    with sync_playwright() as playwright:
        browser = Browser(playwright, options)
        for one in chosen:
            start = time.monotonic()
            try:
                one(browser)
                print(f"ok   {one.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAIL {one.__name__}: {error}", flush=True)
                print("".join(traceback.format_tb(error.__traceback__)[1:2]))
            for context in browser.chromium.contexts:
                context.close()
        browser.chromium.close()
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
