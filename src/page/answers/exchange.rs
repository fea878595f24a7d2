//! Reads and writes boards of other programs: files, texts, links.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Refusal, Setup, WorkerState,
    asked::Asked,
    games::{field_rows, judged, judged_replay},
    question, written,
};
use mineflow_minesweeper::{
    Minefield, View,
    board_text::BoardText,
    links, mbf,
    play::SavedGame,
    replay::{self, Format},
    text::write_mine,
};

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    Text(String),
    Base64(String),
}

/// Reads the board in a text or a file.
pub(crate) fn read(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    let board = match question(body)? {
        Given::Base64(text) => {
            let bytes = BASE64_STANDARD
                .decode(text)
                .map_err(|error| Refusal::bad(format!("not base64: {error}")))?;
            match replay::format_of(&bytes) {
                Some(Format::Mbf) => of_field(&mbf::read(&bytes).map_err(Refusal::bad)?),
                _ => of_replay(setup, worker, &bytes)?,
            }
        }
        Given::Text(text) => of_text(setup, worker, text.trim_start_matches('\u{feff}').trim())?,
    };
    written(&board)
}

fn of_text(setup: &Setup, worker: &mut WorkerState, text: &str) -> Result<Value, Refusal> {
    if text.starts_with('{') {
        let kept: SavedGame = text.parse().map_err(Refusal::bad)?;
        return Ok(json!({"what": "replay", "replay": judged(setup, worker, &kept, false)?}));
    }
    if replay::format_of(text.as_bytes()) == Some(Format::RawVf) {
        return of_replay(setup, worker, text.as_bytes());
    }
    if text.contains("://") || (text.starts_with('?') && text.contains('=')) {
        return Ok(of_view(&links::read(text).map_err(Refusal::bad)?, None));
    }
    Ok(match text.parse().map_err(Refusal::bad)? {
        BoardText {
            position: Some(view),
            field,
        } => of_view(&view, field.as_ref()),
        BoardText {
            field,
            position: None,
        } => of_field(&field.expect("the text has one of the two")),
    })
}

fn of_replay(setup: &Setup, worker: &mut WorkerState, bytes: &[u8]) -> Result<Value, Refusal> {
    let replay = replay::read(bytes).map_err(Refusal::bad)?;
    let judged = judged_replay(setup, worker, &replay)?;
    Ok(json!({"what": "replay", "replay": judged}))
}

fn of_field(field: &Minefield) -> Value {
    let board = field.board();
    json!({"what": "field", "width": board.width(), "height": board.height(), "mines": board.mines(), "field": field_rows(field)})
}

fn of_view(view: &View, field: Option<&Minefield>) -> Value {
    let board = view.board();
    let rows: Vec<String> = view.to_string().lines().map(str::to_owned).collect();
    let mut answer = json!({"what": "position", "width": board.width(), "height": board.height(), "mines": view.mines(), "rows": rows});
    if let Some(field) = field {
        answer["field"] = json!(field_rows(field));
    }
    answer
}

#[derive(Serialize, Default)]
struct Written {
    mine: Option<String>,
    text: String,
    mbf: Option<String>,
    links: Vec<Value>,
    notes: Vec<String>,
}

/// Writes a board in the formats of other programs.
pub(crate) fn write(_: &Setup, worker: &mut WorkerState, body: &[u8]) -> Result<String, Refusal> {
    written(&forms(worker, &question(body)?)?)
}

fn forms(worker: &mut WorkerState, asked: &Asked) -> Result<Written, Refusal> {
    asked.board()?;
    let mut written = Written::default();
    if asked.rows.is_some() {
        let view = asked.view(worker)?;
        let mine = write_mine(&view);
        written.text.clone_from(&mine);
        written.mine = Some(mine);
        match links::position(&view) {
            Ok(url) => {
                let link = json!({"name": "JSMinesweeper", "url": url});
                written.links.push(link);
            }
            Err(error) => written.notes.push(error.to_string()),
        }
    }
    match asked.field()? {
        Some(field) => {
            written.text = if written.text.is_empty() {
                field.to_string()
            } else {
                format!("{}\n{field}", written.text)
            };
            match mbf::write(&field) {
                Ok(bytes) => written.mbf = Some(BASE64_STANDARD.encode(bytes)),
                Err(error) => written.notes.push(error.to_string()),
            }
        }
        None => written
            .notes
            .push("a board file holds the mines, which only a game has".to_owned()),
    }
    Ok(written)
}
