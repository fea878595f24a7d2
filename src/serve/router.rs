//! Which function answers which request.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde_json::json;

use crate::app::Shared;
use crate::guard::{LONGEST_BODY, guard};
use crate::replies::{Refusal, Reply, json_reply};
use crate::{assets, exchange, games, position, puzzles, replays, runs};
use mineflow_minesweeper::{FirstClick, MAX_CELLS};
use mineflow_model::{Registry, Row};
use mineflow_tasks::models::show_row;

/// All routes, each behind the guard.
pub(crate) fn router(app: Shared) -> Router {
    Router::new()
        .route("/", get(async || assets::asset("index.html")))
        .route(
            "/assets/{name}",
            get(async |Path(name): Path<String>| assets::asset(&name)),
        )
        .route(
            "/api/about",
            get(async |State(app): State<Shared>| about(&app)),
        )
        .route("/api/models", get(async |State(app)| models(app).await))
        .route(
            "/api/solve",
            post(async |State(app), body: Bytes| position::solve(app, body).await),
        )
        .route(
            "/api/analyse",
            post(async |State(app), body: Bytes| position::analyse(app, body).await),
        )
        .route(
            "/api/deal",
            post(async |State(app), body: Bytes| games::deal(app, body).await),
        )
        .route(
            "/api/game",
            post(async |State(app), body: Bytes| games::game(app, body).await),
        )
        .route(
            "/api/judge",
            post(async |State(app), body: Bytes| games::judge(app, body).await),
        )
        .route(
            "/api/read",
            post(async |State(app), body: Bytes| exchange::read(app, body).await),
        )
        .route(
            "/api/write",
            post(async |State(app), body: Bytes| exchange::write(app, body).await),
        )
        .route("/api/puzzles", get(async || puzzles::puzzles()))
        .route("/api/runs", get(async |State(app)| runs::list(app).await))
        .route(
            "/api/runs/{run}/{stage}/metrics",
            get(async |State(app), Path(names)| runs::metrics(app, names).await),
        )
        .route(
            "/runs/{run}/{stage}/{file}",
            get(async |State(app), Path(names)| runs::file(app, names).await),
        )
        .route(
            "/api/replays",
            get(async |State(app)| replays::list(app).await),
        )
        .route(
            "/api/replays/{name}",
            get(async |State(app), Path(name), query: RawQuery| {
                replays::games(app, name, query).await
            }),
        )
        .route(
            "/api/replays/{name}/{index}",
            get(async |State(app), Path((name, index))| replays::one(app, name, index).await),
        )
        .fallback(async || Refusal::not_found("there is nothing at this address"))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.names.clone(), guard))
        .with_state(app)
}

/// The players, boards and rules that the page can ask about.
fn about(app: &Shared) -> Reply {
    let boards = [
        ("beginner", 9, 9, 10),
        ("intermediate", 16, 16, 40),
        ("expert", 30, 16, 99),
    ];
    let board = |(name, width, height, mines)| json!({"name": name, "width": width, "height": height, "mines": mines});
    let rules = [FirstClick::Safe, FirstClick::Opening, FirstClick::Any].map(FirstClick::name);
    json_reply(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "players": app.players,
        "boards": boards.map(board),
        "first_clicks": rules,
        "max_cells": MAX_CELLS,
        "runs": runs::names(app),
    }))
}

/// The models that players load, each with its notes on how it was made.
async fn models(app: Shared) -> Reply {
    let row = |registry: &Registry, row: &Row| {
        let Row {
            player,
            file,
            sha256,
            features,
            command,
            ..
        } = row;
        let described = show_row(registry, row);
        let notes = described
            .iter()
            .flat_map(|model| &model.notes)
            .filter(|(key, _)| *key != "command");
        let told = notes.map(|(key, value)| format!("{} {value}", key.replace('_', " ")));
        let history = std::iter::once(command.clone())
            .chain(told)
            .collect::<Vec<_>>()
            .join("; ");
        json!({"name": player, "file": file, "sha256": sha256, "feature_set": features, "note": history})
    };
    let shown = app.think(move |app, _| {
        let registry = Registry::open(app.models.as_deref()).map_err(Refusal::unanswerable)?;
        Ok(registry
            .rows()
            .iter()
            .map(|of| row(&registry, of))
            .collect::<Vec<_>>())
    });
    json_reply(&shown.await?)
}
