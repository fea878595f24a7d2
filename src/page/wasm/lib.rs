#![doc = include_str!("README.md")]
// Internal to the page.
#![doc(hidden)]

use std::{cell::RefCell, time::Duration};

use serde::Deserialize;
use serde_json::json;

use mineflow_answers::{ListedPlayer, NODE_LIMIT, Refusal, Setup, WorkerState};
use mineflow_minesweeper::{
    Board,
    player::{PlayerSpec, signed_games},
};
use mineflow_rng::Seed;
use mineflow_search::ThreadTime;

/// CPU time limit of one answer.
const TIME: Duration = Duration::from_secs(10);
/// The status of an answer that can't be given before the page provides artifacts.
const MISSING: u32 = 424;

thread_local! {
    static PAGE: RefCell<Page> = RefCell::new(Page::new());
}

/// State kept between requests.
struct Page {
    question: Vec<u8>,
    answer: Vec<u8>,
    setup: Setup,
    worker: WorkerState,
}

/// Reserves memory for a request of this length and returns its address, which is valid until the
/// next call of any function here.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.question = vec![0; length];
        page.question.as_mut_ptr()
    })
}

/// Answers the request and returns an HTTP status.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u32 {
    PAGE.with_borrow_mut(Page::ask)
}

/// Returns the address of the answer, which is valid until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    PAGE.with_borrow(|page| page.answer.as_ptr())
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    PAGE.with_borrow(|page| page.answer.len())
}

impl Page {
    fn new() -> Self {
        clock::start();
        Self {
            question: Vec::new(),
            answer: Vec::new(),
            setup: Setup {
                players: ListedPlayer::versions(),
                make: Box::new(|name| name.parse().map_err(|error| format!("{error}"))),
                models: None,
                node_limit: NODE_LIMIT,
                time_limit: TIME,
            },
            worker: WorkerState::default(),
        }
    }

    fn ask(&mut self) -> u32 {
        let mut body = std::mem::take(&mut self.question);
        let end = body.iter().position(|&byte| byte == b'\n');
        let line: Vec<u8> = body
            .drain(..end.map_or(body.len(), |end| end + 1))
            .collect();
        let name = String::from_utf8_lossy(line.trim_ascii_end());
        let answered = match name.split_once(' ') {
            Some(("give", file)) => {
                models::give(file, body);
                Ok("null".to_owned())
            }
            _ if name == "bench" => bench(&body),
            _ => mineflow_answers::answer(&self.setup, &mut self.worker, &name, &body),
        };
        let missing = models::take_missing();
        let (status, text) = if missing.is_empty() {
            match answered {
                Ok(text) => (200, text),
                Err(refusal) => (refusal.status.into(), refusal.json().to_string()),
            }
        } else {
            // Discard state that was made without the artifacts.
            self.worker = WorkerState::default();
            (MISSING, json!({"missing": missing}).to_string())
        };
        self.answer = text.into_bytes();
        status
    }
}

#[derive(Deserialize)]
struct Bench {
    player: String,
    board: String,
    games: u32,
    seed: u64,
}

/// Plays the games of `pipeline bench`.
fn bench(body: &[u8]) -> Result<String, Refusal> {
    let asked: Bench = serde_json::from_slice(body).map_err(Refusal::bad)?;
    let player: PlayerSpec = asked.player.parse().map_err(Refusal::bad)?;
    let board: Board = asked.board.parse().map_err(Refusal::bad)?;
    let clock = ThreadTime::now();
    let played = signed_games(&player, board, asked.games, Seed::new(asked.seed))
        .map_err(|(game, fault)| Refusal::unanswerable(format!("game {game}: {fault}")))?;
    Ok(json!({
        "player": player.name,
        "board": board.to_string(),
        "games": asked.games,
        "wins": played.wins,
        "timeouts": played.timeouts,
        "seconds": clock.elapsed().as_secs_f64(),
        "signature": played.signature,
    })
    .to_string())
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod clock {
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    pub(super) fn start() {
        mineflow_search::set_clock(|| Duration::from_secs_f64(now() / 1000.0));
    }
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod clock {
    pub(super) const fn start() {}
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod models {
    pub(super) use mineflow_published::take_missing;

    pub(super) fn give(file: &str, bytes: Vec<u8>) {
        mineflow_published::give(file, bytes);
    }
}

/// Replacements for other targets, whose programs contain their artifacts.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod models {
    pub(super) fn give(_: &str, _: Vec<u8>) {}

    pub(super) const fn take_missing() -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &str, body: &str) -> (u32, serde_json::Value) {
        let question = format!("{name}\n{body}").into_bytes();
        alloc(question.len());
        PAGE.with_borrow_mut(|page| page.question = question);
        let status = ask();
        let answer = PAGE.with_borrow(|page| serde_json::from_slice(&page.answer).unwrap());
        (status, answer)
    }

    #[test]
    fn questions_are_answered_by_name() {
        let (status, about) = asked("about", "");
        assert_eq!(
            (status, &about["boards"][0]["name"]),
            (200, &json!("beginner"))
        );
        let position = r###"{"width":2,"height":2,"mines":1,"rows":["1#","##"]}"###;
        let (status, analysis) = asked("analyse", position);
        assert_eq!((status, &analysis["solutions"]), (200, &json!("3")));
        assert_eq!(asked("analyse", "{").0, 400);
        assert_eq!(asked("fly", "").0, 404);
    }

    #[test]
    fn the_benchmark_has_a_signature() {
        let body = r#"{"player":"7.0","board":"beginner","games":5,"seed":1}"#;
        let (status, row) = asked("bench", body);
        assert_eq!(status, 200);
        assert_eq!(row["signature"].as_str().map(str::len), Some(16));
    }
}
