"""Checks of watching runs."""

import json

from browser import check_at_server, equal, holds


POINTS = "count => Number(document.querySelector('#curves polyline.line')?.dataset.points) === count"
NAMES = "names => { const shown = new Set([...document.querySelectorAll('#curves .end')].map(one => one.textContent)); return names.every(name => shown.has(name)); }"


@check_at_server
def a_curve_grows_while_a_training_runs(browser):
    holds(browser.runs, "no --runs")
    key = "live/trees"
    metrics = browser.runs / "live" / "trees" / "metrics.jsonl"
    lines = len(metrics.read_text().splitlines())
    page = browser.page("#runs")
    page.check(f'[data-stage="{key}"]')
    page.wait_for_function(POINTS, arg=lines)
    for step in range(1, 4):
        with metrics.open("a") as file:
            file.write(json.dumps({"round": lines + step, "validation_loss": 0.61 - step / 1000}) + "\n")
        page.wait_for_function(POINTS, arg=lines + step)
    browser.shot(page, "curve")


@check_at_server
def stages_of_two_runs_lie_over_one_another(browser):
    page = browser.page("#runs")
    boxes = page.locator("#run-list input[type=checkbox]")
    boxes.first.wait_for()
    for index in range(boxes.count()):
        boxes.nth(index).check()
    names = boxes.evaluate_all("all => all.map(one => one.dataset.stage)")
    holds({name.split("/")[0] for name in names} == {"live", "smoke"}, f"stages of one run alone: {names}")
    page.wait_for_function(NAMES, arg=names, timeout=30_000)
    holds(page.locator("#curves .band").count() > 0, "no interval of a share of games won")
    browser.shot(page, "curves", whole=True)
    again = browser.page(page.url.removeprefix(browser.url))
    again.wait_for_function(NAMES, arg=names, timeout=30_000)


@check_at_server
def runs_say_how_they_stand(browser):
    page = browser.page("#runs")
    page.wait_for_selector(".run")
    wanted = [(run["name"], stage["name"]) for run in browser.ask("api/runs") for stage in run["stages"]]
    shown = page.locator(".run").evaluate_all("all => all.flatMap(run => [...run.querySelectorAll('tbody .stage-name')].map(one => [run.querySelector('h2').firstChild.data, one.textContent]))")
    equal([tuple(one) for one in shown], wanted, "stages in the list")
    page.wait_for_selector("#models table")
    models = browser.ask("api/models")
    equal(page.locator("#models .hash").evaluate_all("all => all.map(one => one.title)"), [model["sha256"] for model in models], "hashes of the models")
    equal(page.locator("#models tbody th").all_text_contents(), [model["name"] for model in models], "names of the models")
    page.wait_for_selector(".rates li")
    rate = page.locator(".rates li").first.text_content()
    holds("4.0 on 9×9/10, safe: " in rate and "5 games" in rate, f"the win rate of a table: {rate}")
    link = page.locator(".files a").first
    equal(browser.status(link.get_attribute("href")), 200, "answer to the first link")
