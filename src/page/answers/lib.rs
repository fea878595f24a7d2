#![doc = include_str!("README.md")]
// Internal to the program and the page.
#![doc(hidden)]

mod asked;
mod exchange;
mod games;
mod position;
mod puzzles;
mod refusal;
mod setup;
mod worker;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub use games::judged;
pub use puzzles::puzzles;
pub use refusal::Refusal;
pub use setup::{ListedPlayer, MakePlayer, Setup};
pub use worker::WorkerState;

use mineflow_minesweeper::{FirstClick, MAX_CELLS};

/// The default limit of an answer, in nodes of search or counting.
pub const NODE_LIMIT: u64 = 5_000_000;

/// A cell in JSON: row and column, counted from 0.
type Place = (usize, usize);

/// A function that answers requests of one kind. Request and answer are JSON.
pub type Answering = fn(&Setup, &mut WorkerState, &[u8]) -> Result<String, Refusal>;

/// The kinds of requests with a body, by name.
pub const QUESTIONS: [(&str, Answering); 6] = [
    ("analyse", position::analyse),
    ("deal", games::deal),
    ("game", games::game),
    ("judge", games::judge),
    ("read", exchange::read),
    ("write", exchange::write),
];

/// Answers the request of this name, including requests without a body.
///
/// # Errors
/// Returns an error if the request is not valid or has no answer.
pub fn answer(
    setup: &Setup,
    worker: &mut WorkerState,
    name: &str,
    body: &[u8],
) -> Result<String, Refusal> {
    match name {
        "about" => Ok(about(setup, &[]).to_string()),
        "puzzles" => Ok(puzzles()),
        _ => {
            let (_, answering) = QUESTIONS
                .iter()
                .find(|(known, _)| *known == name)
                .ok_or_else(|| Refusal::not_found("there is nothing at this address"))?;
            answering(setup, worker, body)
        }
    }
}

/// Returns the players, boards, rules and runs that the page offers.
pub fn about(setup: &Setup, runs: &[String]) -> Value {
    let boards = [
        ("beginner", 9, 9, 10),
        ("intermediate", 16, 16, 40),
        ("expert", 30, 16, 99),
    ];
    let rules = [FirstClick::Safe, FirstClick::Opening, FirstClick::Any].map(FirstClick::name);
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "players": setup.players,
        "boards": boards.map(|(name, width, height, mines)| json!({"name": name, "width": width, "height": height, "mines": mines})),
        "first_clicks": rules,
        "max_cells": MAX_CELLS,
        "runs": runs,
    })
}

/// Parses a request.
fn question<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the question is not valid: {error}")))
}

/// Serialises an answer.
fn written(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(|error| Refusal::new(500, error))
}
