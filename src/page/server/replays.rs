//! Saved games from the files in the arguments.

use axum::extract::{Path, RawQuery, State};
use serde_json::json;

use crate::{
    app::{App, Shared},
    game_file::GameFile,
    replies::{Reply, json_reply},
};
use mineflow_answers::{Refusal, judged};
use mineflow_minesweeper::player::GameEnd;

/// Maximum number of games in one answer's list.
const LISTED: usize = 200;

fn file<'a>(app: &'a App, name: &str) -> Result<&'a GameFile, Refusal> {
    app.replays
        .iter()
        .find(|file| file.name == name)
        .ok_or_else(|| Refusal::not_found("this folder has no such file of games"))
}

/// Lists the files of saved games.
pub(crate) async fn list(State(app): State<Shared>) -> Reply {
    json_reply(
        &app.replays
            .iter()
            .map(|file| json!({"name": file.name, "games": file.lines.len()}))
            .collect::<Vec<_>>(),
    )
}

/// Lists games of a file, starting with game `from`.
pub(crate) async fn games(
    State(app): State<Shared>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply {
    let number = |key: &str, otherwise: usize| {
        query
            .iter()
            .flat_map(|query| query.split('&'))
            .filter_map(|pair| pair.split_once('='))
            .filter(|(known, _)| *known == key)
            .find_map(|(_, value)| value.parse().ok())
            .unwrap_or(otherwise)
    };
    let from = number("from", 0);
    let count = number("count", 50).min(LISTED);
    let rows = app
        .think(move |app, _| {
            let file = file(app, &name)?;
            (from..file.lines.len()).take(count)
                .map(|index| {
                    let kept = file.game(index)?;
                    let board = kept.field.board().to_string();
                    Ok(json!({"index": index, "player": kept.player, "board": board, "won": kept.end == GameEnd::Won, "moves": kept.moves.len()}))
                })
                .collect::<Result<Vec<_>, Refusal>>()
        })
        .await?;
    json_reply(&rows)
}

/// Returns one game of a file, judged.
pub(crate) async fn one(
    State(app): State<Shared>,
    Path((name, index)): Path<(String, usize)>,
) -> Reply {
    let replay = app
        .think(move |app, worker| {
            let kept = file(app, &name)?.game(index)?;
            judged(&app.setup, worker, &kept, false)
        })
        .await?;
    json_reply(&replay)
}
