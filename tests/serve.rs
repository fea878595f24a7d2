//! Tests of `pipeline serve` over real connections: answers, rejections, and ten thousand malicious requests.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use mineflow::minesweeper::play::SavedGame;
use mineflow::minesweeper::player::PlayerSpec;
use mineflow::minesweeper::solver::Budget;
use mineflow::minesweeper::{FirstClick, View};
use mineflow::rng::{Rng, Seed};
use rand::RngExt;
use serde_json::{Value, json};

use crate::program::{
    assert_has, command, fails, json_of, pipeline, prints, read_bytes, tempdir, write_file,
};

/// A server that is killed at the end of the test.
pub(crate) struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    pub(crate) fn start(arguments: &str) -> Self {
        let mut child = command(format!("serve --port 0 {arguments}"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .and_then(|line| line.strip_suffix('/'))
            .expect("an address");
        Self {
            address: address.to_owned(),
            child,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends a complete request and reads the whole response.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        self.send_part(bytes, true)
    }

    /// Sends a request, which is incomplete unless `is_whole`, and reads the whole response.
    fn send_part(&self, bytes: &[u8], is_whole: bool) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        if !is_whole {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        Answer::of(
            &self.send(
                format!(
                    "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                    self.address
                )
                .as_bytes(),
            ),
        )
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::of(&self.send(&self.question(path, &body.to_string(), "")))
    }

    fn question(&self, path: &str, body: &str, headers: &str) -> Vec<u8> {
        let (host, length) = (&self.address, body.len());
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}Connection: close\r\n\r\n{body}"
        )
        .into_bytes()
    }
}

/// The status, headers and body of a response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("an answer has a head");
        let headers = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        Self {
            status,
            headers: headers.to_ascii_lowercase(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(
            self.status,
            status,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("it is a list")
}

fn position(view: &View) -> Value {
    let rows: Vec<String> = view.to_string().lines().map(str::to_owned).collect();
    json!({"width": view.board().width(), "height": view.board().height(), "mines": view.mines(), "rows": rows})
}

/// Returns mid-game positions from games of 7.0, including guesses.
fn positions(count: u64) -> Vec<View> {
    let spec: PlayerSpec = "7.0".parse().unwrap();
    let expert = ("expert".parse().unwrap(), FirstClick::Safe);
    let position = |game: u64| {
        let kept = SavedGame::play(
            (&spec.name, &mut *spec.build()),
            expert,
            (5, game),
            None,
            &mut Budget::unlimited(),
        )
        .unwrap();
        let mut play = mineflow::minesweeper::Game::on(kept.field.clone());
        for made in &kept.moves[..kept.moves.len() / 2] {
            made.cells.iter().for_each(|&cell| {
                let _ = play.open(cell);
            });
        }
        play.view().clone()
    };
    (0..count).map(position).collect()
}

#[test]
fn solve_answers_as_the_command_does_and_analyse_agrees() {
    let server = Server::start("");
    let folder = tempdir();
    let views = positions(50);
    let lines: String = views
        .iter()
        .map(|view| format!("{}\n", position(view)))
        .collect();
    let file = folder.join("positions.jsonl");
    write_file(&file, lines);
    let solved = prints(format!("solve --json {file}"));
    let mut guesses = 0;
    for (view, line) in views.iter().zip(solved.lines()) {
        let answer = server.post("/api/solve", &position(view));
        assert_eq!(String::from_utf8(answer.body).unwrap().trim(), line);
        let expected = json_of(line);
        let mut question = position(view);
        question["players"] = json!(["7.0", "11.0"]);
        let analysed = server.post("/api/analyse", &question).json(200);
        for key in ["solutions", "mine_probability", "safe", "mines"] {
            assert_eq!(analysed[key], expected[key]);
        }
        assert_eq!(list(&analysed["advice"]).len(), 2);
        let safe = list(&analysed["why"]).iter();
        assert_eq!(
            safe.filter(|proof| proof["mine"] == false).count(),
            list(&analysed["safe"]).len()
        );
        let candidates = list(&analysed["candidates"]);
        assert_eq!(candidates.is_empty(), !list(&analysed["safe"]).is_empty());
        if let Some(best) = candidates.first() {
            guesses += 1;
            let (row, col) = (
                best["cell"][0].as_u64().unwrap() as usize,
                best["cell"][1].as_u64().unwrap() as usize,
            );
            assert_eq!(best["mine"], expected["mine_probability"][row][col]);
            let win = best["win"].as_f64().unwrap();
            assert!(
                candidates
                    .iter()
                    .all(|other| other["win"].as_f64().unwrap() <= win)
            );
            assert!(
                win > 0.0 && win <= 1.0 - best["mine"].as_f64().unwrap(),
                "{best}"
            );
        }
    }
    assert!(guesses > 0 && guesses < 50, "{guesses}");
}

#[test]
fn served_games_equal_those_of_the_table_and_are_judged() {
    let server = Server::start("");
    let rules = json!({"width": 16, "height": 16, "mines": 40, "first_click": "safe", "seed": 3, "game": 4, "player": "7.0"});
    let replay = server.post("/api/game", &rules).json(200);
    let spec: PlayerSpec = "7.0".parse().unwrap();
    let board = ("16x16/40".parse().unwrap(), FirstClick::Safe);
    let kept = SavedGame::play(
        (&spec.name, &mut *spec.build()),
        board,
        (3, 4),
        None,
        &mut Budget::unlimited(),
    )
    .unwrap();
    let field: Vec<String> = kept.field.to_string().lines().map(str::to_owned).collect();
    assert_eq!(replay["field"], json!(field));
    assert_eq!(list(&replay["moves"]).len(), kept.moves.len());
    // The same moves are judged without reasons, as moves of a person are.
    let moves: Vec<Value> = list(&replay["moves"])
        .iter()
        .map(|made| json!({"cells": made["cells"]}))
        .collect();
    let mut question = rules.clone();
    (question["field"], question["moves"]) = (replay["field"].clone(), json!(moves));
    let judged = server.post("/api/judge", &question).json(200);
    assert_eq!(judged["end"], replay["end"]);
    for (a, b) in list(&judged["moves"]).iter().zip(list(&replay["moves"])) {
        assert_eq!(
            (&a["win"], &a["mine"], &a["verdict"]),
            (&b["win"], &b["mine"], &b["verdict"])
        );
    }
    // Another player plays on the same mines, from a given first cell.
    let mut same = rules.clone();
    (same["field"], same["first"], same["player"]) =
        (replay["field"].clone(), json!([8, 8]), json!("agent"));
    let other = server.post("/api/game", &same).json(200);
    assert_eq!(
        (&other["field"], &other["moves"][0]["cells"]),
        (&replay["field"], &json!([[8, 8]]))
    );
    let mut first = rules.clone();
    first["first"] = replay["moves"][0]["cells"][0].clone();
    assert_eq!(
        server.post("/api/deal", &first).json(200)["field"],
        replay["field"]
    );
}

#[test]
fn a_player_with_a_model_file_is_listed_and_plays() {
    let server = Server::start("--player dss+components+trees:model=models/5.0/768ad20d1575.json");
    let about = server.get("/api/about").json(200);
    let player = &list(&about["players"]).last().unwrap()["name"];
    assert!(player.as_str().unwrap().contains("model=768ad20d1575.json"));
    let rules = json!({"width": 5, "height": 5, "mines": 4, "first_click": "safe", "seed": 3, "game": 4, "player": player});
    let replay = server.post("/api/game", &rules).json(200);
    assert!(!list(&replay["moves"]).is_empty());
}

#[test]
fn what_a_program_says_of_its_move_is_shown() {
    let folder = tempdir();
    let program = "read hello; echo name one; while read word rest; do [ $word != view ] || echo open 0 0 why the corner; done";
    write_file(folder.join("one.sh"), program);
    write_file(folder.join("one.toml"), "command = \"sh one.sh\"");
    let server = Server::start(&format!("--player exec:{folder}/one.toml"));
    let about = server.get("/api/about").json(200);
    let player = &list(&about["players"]).last().unwrap()["name"];
    let asked = json!({"width": 4, "height": 1, "mines": 1, "rows": ["####"], "players": [player]});
    let advice = &server.post("/api/analyse", &asked).json(200)["advice"][0];
    assert_eq!(advice["why"], "the corner");
}

#[test]
fn missing_and_damaged_models_are_refused_before_the_page_is_served() {
    let folder = tempdir();
    let models = &folder;
    pipeline(format!(
        "models import value models/value/7ba0377f005f.json --models {models}"
    ))
    .success();
    write_file(folder.join("value/7ba0377f005f.json"), "{}");
    let damaged = format!("serve --port 0 --models {models}");
    for (arguments, expected) in [
        ("serve --port 0 --models no/such/folder", "no/such/folder"),
        ("serve --port 0 --model 5.5=no/such/file", "no/such/file"),
        (&damaged, "value/7ba0377f005f.json has sha256"),
    ] {
        assert_has(fails(arguments), expected);
    }
}

#[test]
fn a_value_model_that_is_damaged_later_is_an_error_of_the_answer() {
    let folder = tempdir();
    let models = &folder;
    pipeline(format!(
        "models import value models/value/7ba0377f005f.json --models {models}"
    ))
    .success();
    let server = Server::start(&format!("--models {models}"));
    write_file(folder.join("value/7ba0377f005f.json"), "{}");
    let asked = json!({"width": 2, "height": 1, "mines": 1, "rows": ["##"]});
    let refused = server.post("/api/analyse", &asked).json(422);
    assert!(
        refused["error"].as_str().unwrap().contains("has sha256"),
        "{refused}"
    );
    let asked = json!({"width": 2, "height": 2, "mines": 4, "first": [0, 0], "no_guess": true});
    let refused = server.post("/api/deal", &asked).json(400);
    assert!(
        refused["error"].as_str().unwrap().contains("no safe cell"),
        "{refused}"
    );
}

#[test]
fn runs_and_saved_games_are_shown_as_they_are() {
    let folder = tempdir();
    let out = folder.join("runs");
    pipeline(format!(
        "eval --players 7.0,11.0 --games 20 --keep-games 3 --out {out}/play/table"
    ))
    .success();
    let later = "eval --players 7.0 --games 5 -q --out";
    pipeline(format!("{later} {out}/play/a-later")).success();
    // Beside the folders of pipelines, a folder of a single command.
    let alone = "eval --players 7.0 --games 5 -q --out";
    pipeline(format!("{alone} {out}/alone")).success();
    let training = out.join("train/q.unfinished-0123456789ab");
    fs::create_dir_all(&training).unwrap();
    write_file(training.join("metrics.jsonl"), "{\"number\":1}\n");
    write_file(folder.join("secret.csv"), "secret");
    let server = Server::start(&format!(
        "--runs {out} --replays {out}/play/table/games.jsonl"
    ));
    let runs = server.get("/api/runs").json(200);
    let stage = |run: &str| {
        list(&runs)
            .iter()
            .find(|listed| listed["name"] == run)
            .unwrap()["stages"][0]
            .clone()
    };
    assert_eq!(
        (
            stage("play")["name"].as_str(),
            stage("play")["command"].as_str()
        ),
        (Some("table"), Some("eval"))
    );
    assert_eq!(
        (
            stage("train")["state"].as_str(),
            stage("train")["metrics"].as_bool()
        ),
        (Some("interrupted"), Some(true))
    );
    assert_eq!(stage("runs")["name"], "alone");
    let played = list(&runs).iter().find(|run| run["name"] == "play");
    let names = list(&played.unwrap()["stages"])
        .iter()
        .map(|of| &of["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["table", "a-later"]);
    for run in ["runs", "play"] {
        assert_eq!(stage(run)["state"], "up-to-date", "{run}");
    }
    let table = server.get("/runs/play/table/eval.csv");
    assert_eq!(
        (table.status, table.body),
        (200, read_bytes(out.join("play/table/eval.csv")))
    );
    assert!(table.headers.contains("sandbox"));
    for path in [
        "/runs/play/table/..%2f..%2f..%2fsecret.csv",
        "/runs/play/..%2f/secret.csv",
        "/runs/../secret.csv",
        "/runs/play/table/lock",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let games = server
        .get("/api/replays/games.jsonl?from=1&count=2")
        .json(200);
    assert_eq!(
        (list(&games).len(), games[0]["index"].as_u64()),
        (2, Some(1))
    );
    let replay = server.get("/api/replays/games.jsonl/4").json(200);
    assert_eq!(
        (replay["player"].as_str(), replay["game"].as_u64()),
        (Some("11.0"), Some(1))
    );
    // A line that is written while the page listens is sent to the page.
    let mut stream = server.connect();
    write!(
        stream,
        "GET /api/runs/train/q/metrics HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut next = || {
        lines
            .by_ref()
            .map(Result::unwrap)
            .find(|line| line.starts_with("data: "))
            .unwrap()
    };
    assert_eq!(next(), "data: {\"number\":1}");
    fs::OpenOptions::new()
        .append(true)
        .open(training.join("metrics.jsonl"))
        .unwrap()
        .write_all(b"{\"number\":2}\n")
        .unwrap();
    assert_eq!(next(), "data: {\"number\":2}");
}

#[test]
fn other_origins_names_and_kinds_are_refused() {
    let server = Server::start("");
    let body = json!({"width": 1, "height": 1, "mines": 0, "rows": ["#"]}).to_string();
    let status = |bytes: &[u8]| Answer::of(&server.send(bytes)).status;
    let own = format!("Origin: http://{}\r\n", server.address);
    let port = server.address.rsplit_once(':').unwrap().1;
    let local = format!("localhost:{port}");
    // A request of the page, with another origin, another type or another name of the server.
    for (headers, from, to, expected) in [
        ("", "", "", 200),
        (&own, "", "", 200),
        ("Origin: http://example.org\r\n", "", "", 403),
        ("Origin: null\r\n", "", "", 403),
        ("", "application/json", "text/plain", 415),
        ("", &server.address, "example.org:80", 403),
        ("", &server.address, &local, 200),
    ] {
        let question = server.question("/api/solve", &body, headers);
        let changed = String::from_utf8(question).unwrap().replacen(from, to, 1);
        assert_eq!(status(changed.as_bytes()), expected, "{changed}");
    }
    for (target, expected) in [(server.address.as_str(), 200), ("example.org:80", 403)] {
        let absolute = server.get(&format!("http://{target}/api/about"));
        assert_eq!(absolute.status, expected, "{target}");
    }
    assert_eq!(
        status(
            format!(
                "GET / HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\nConnection: close\r\n\r\n",
                server.address
            )
            .as_bytes()
        ),
        403
    );
}

#[test]
fn a_name_is_found_as_browsers_encode_it() {
    let server = Server::start("--name mines.example.org:80 --name proxy.example.org");
    let status = |host: &str| {
        let question = format!(
            "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        );
        Answer::of(&server.send(question.as_bytes())).status
    };
    for (host, expected) in [
        ("mines.example.org", 422),
        ("mines.example.org:80", 422),
        ("mines.example.org:8650", 403),
        ("proxy.example.org", 422),
        ("proxy.example.org:8443", 422),
        ("example.org", 403),
    ] {
        assert_eq!(status(host), expected, "{host}");
    }
    assert_has(
        fails("serve --port 0 --name http://mines.example.org/"),
        "write HOST or HOST:PORT",
    );
}

/// The service worker is only for the page without a server.
#[test]
fn every_file_of_the_page_is_served() {
    let server = Server::start("");
    let view = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page/view");
    for entry in fs::read_dir(view).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let found = server.get(&format!("/assets/{name}")).status == 200;
        assert_eq!(found, name != "sw.js", "{name}");
    }
}

/// Returns a request that no page sends, and whether the server can determine where the request ends.
fn hostile(server: &Server, rng: &mut Rng) -> (Vec<u8>, bool) {
    let any = |rng: &mut Rng, of: &str| {
        let all: Vec<&str> = of.split('|').collect();
        all[rng.random_range(0..all.len())].to_owned()
    };
    let paths = "/|/api/about|/api/solve|/api/analyse|/api/deal|/api/game|/api/judge|/api/read|/api/write|/api/runs|\
                 /assets/../../Cargo.toml|/assets/%2e%2e%2fCargo.toml|/runs/../../../etc/passwd|/runs/%2e%2e/%2e%2e/passwd|\
                 //etc/passwd|/runs/a/b/c%00.csv|/api/replays/..%2f..%2fsecret|/api/replays/x/99999999999999999999|/%ff%fe|\
                 /api/runs/%2e/%2e/metrics|http://example.org/api/about|*|/a?from=-1&count=99999999999";
    let numbers = "0|1|-1|3|65536|1e99|null|\"9\"|18446744073709551615|30|99";
    let rows = r####"[]|["#"]|["999"]|["###","#8#","###"]|[1]|["\u0000"]|"#"|null"####;
    let body = match rng.random_range(0..8u32) {
        0 => (0..rng.random_range(0..200usize))
            .map(|_| char::from(rng.random_range(0..128u8)))
            .collect(),
        1 => "[".repeat(rng.random_range(0..5000usize)),
        2 => format!(
            "{{\"text\": \"{}\"}}",
            any(
                rng,
                "?b=9999&m=vvvv|?analysis=99999999999999|https://x?b=1|1x1x1\\n#|\\ud800|{}|99999x99999x1"
            )
        ),
        3 => format!(
            "{{\"base64\": \"{}\"}}",
            any(rng, "AAAA|////|=|AQEAAQAA|/////w==")
        ),
        _ => format!(
            "{{\"width\": {}, \"height\": {}, \"mines\": {}, \"rows\": {}, \"field\": {}, \"first\": [{}, {}], \"player\": \"{}\", \"players\": [\"{}\"], \"game\": {}, \"moves\": [{{\"cells\": [[{}, 0]]}}]}}",
            any(rng, numbers),
            any(rng, numbers),
            any(rng, numbers),
            any(rng, rows),
            any(rng, "null|[\"*.\"]|[\"...\",\".*.\",\"...\"]"),
            any(rng, numbers),
            any(rng, numbers),
            any(rng, "7.0|no|../../x|dss+posterior"),
            any(rng, "7.0|11.0|"),
            any(rng, numbers),
            any(rng, numbers)
        ),
    };
    let path = any(rng, paths);
    let method = any(rng, "POST|POST|POST|GET|PUT|DELETE|OPTIONS|get|\u{0}");
    let host = if rng.random_range(0..10u32) == 0 {
        "example.org".to_owned()
    } else {
        server.address.clone()
    };
    let length = if rng.random_range(0..10u32) == 0 {
        any(rng, "-1|99999999999999999999|x|7")
    } else {
        body.len().to_string()
    };
    let origin = any(
        rng,
        "|||Origin: http://example.org\r\n|Origin: \u{ff}\r\n|Transfer-Encoding: chunked\r\n",
    );
    let kind = any(
        rng,
        "application/json|application/json|application/json|text/html|application/json; charset=utf-16",
    );
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{origin}Connection: close\r\n\r\n"
    );
    let mut bytes = [head.into_bytes(), body.into_bytes()].concat();
    // Some requests are incomplete.
    let breaks_off = rng.random_range(0..10u32) == 0;
    if breaks_off {
        bytes.truncate(rng.random_range(0..=bytes.len()));
    }
    (
        bytes,
        !breaks_off && length != "7" && !origin.starts_with("Transfer"),
    )
}

#[test]
fn ten_thousand_malicious_requests_do_no_harm() {
    let folder = tempdir();
    fs::create_dir_all(folder.join("runs/a/b")).unwrap();
    write_file(folder.join("secret"), "the secret of this test");
    let mut server = Server::start(&format!("--node-limit 20000 --runs {folder}/runs"));
    let mut rng = Seed::new(1).rng();
    let mut refused = 0;
    for number in 0..10_000 {
        let (bytes, is_whole) = hostile(&server, &mut rng);
        let answer = server.send_part(&bytes, is_whole);
        let text = String::from_utf8_lossy(&answer);
        let shown = || {
            format!(
                "question {number}: {}\nanswer: {text}",
                String::from_utf8_lossy(&bytes)
            )
        };
        assert!(!text.starts_with("HTTP/1.1 5"), "{}", shown());
        for secret in ["the secret of this test", "root:", "[package]"] {
            assert!(!text.contains(secret), "{}", shown());
        }
        refused += u32::from(text.starts_with("HTTP/1.1 4"));
    }
    assert!(refused > 5_000, "{refused}");
    assert_eq!(
        server.child.try_wait().unwrap(),
        None,
        "the server still runs"
    );
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn a_slow_or_huge_body_does_not_delay_other_requests() {
    let server = Server::start("");
    let mut slow: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    for stream in &mut slow {
        write!(
            stream,
            "POST /api/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
            server.address
        )
        .unwrap();
    }
    assert_eq!(server.get("/api/about").status, 200);
    let body = format!("{{\"rows\": \"{}\"}}", "#".repeat(3 << 20));
    assert_eq!(
        Answer::of(&server.send(&server.question("/api/solve", &body, ""))).status,
        413
    );
}

/// The server of axum alone would wait for ever.
#[test]
fn a_connection_whose_headers_take_more_than_ten_seconds_is_closed() {
    let server = Server::start("");
    let mut slow = server.connect();
    write!(slow, "GET / HTTP/1.1\r\nHost: {}\r\n", server.address).unwrap();
    let began = Instant::now();
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer);
    let seconds = began.elapsed().as_secs();
    assert!((9..20).contains(&seconds), "{seconds} s");
}
