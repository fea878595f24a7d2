//! Routes: the function for each request.

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::StatusCode,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use serde_json::json;

use crate::{
    app::Shared,
    assets,
    guard::{LONGEST_BODY, guard},
    replays,
    replies::{JSON, Refused, Reply, json_reply, text},
    runs,
};
use mineflow_answers::{Answering, QUESTIONS, Refusal};
use mineflow_minesweeper::json_lines::answer_line;
use mineflow_model::{Registry, Row, TARGET};
use mineflow_tasks::models::show_row;

/// Returns all routes, each behind the guard.
pub(crate) fn router(app: Shared) -> Router {
    let mut router = Router::new();
    for (name, answering) in QUESTIONS {
        let handler = async move |State(app), body: Bytes| ask(app, answering, body).await;
        router = router.route(&format!("/api/{name}"), post(handler));
    }
    router
        .route("/", get(async || assets::asset("index.html")))
        .route("/assets/{name}", get(assets::named))
        .route("/api/about", get(about))
        .route("/api/models", get(models))
        .route("/api/solve", post(solve))
        .route("/api/puzzles", get(puzzles))
        .route("/api/runs", get(runs::list))
        .route("/api/runs/{run}/{stage}/metrics", get(runs::metrics))
        .route("/runs/{run}/{stage}/{file}", get(runs::file))
        .route("/api/replays", get(replays::list))
        .route("/api/replays/{name}", get(replays::games))
        .route("/api/replays/{name}/{index}", get(replays::one))
        .fallback(async || Refused(Refusal::not_found("there is nothing at this address")))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.names.clone(), guard))
        .with_state(app)
}

/// Answers a request of the page on a worker.
async fn ask(app: Shared, answering: Answering, body: Bytes) -> Reply {
    let answer = app
        .think(move |app, worker| answering(&app.setup, worker, &body))
        .await?;
    Ok(text(StatusCode::OK, JSON, answer))
}

/// Solves a position and answers in the format of `pipeline solve --json`.
async fn solve(State(app): State<Shared>, body: Bytes) -> Reply {
    let line = app
        .think(move |app, worker| Ok(answer_line(&mut worker.solver, &body, &app.setup.budget())))
        .await?;
    let status = if line.solved {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    Ok(text(status, JSON, line.text))
}

/// Returns the players, boards and rules that the page offers, and the runs.
async fn about(State(app): State<Shared>) -> Reply {
    json_reply(&mineflow_answers::about(&app.setup, &runs::names(&app)))
}

async fn puzzles() -> Reply {
    Ok(text(StatusCode::OK, JSON, mineflow_answers::puzzles()))
}

/// Returns the models of the players, each with notes on its training.
async fn models(State(app): State<Shared>) -> Reply {
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
        let told = described
            .iter()
            .flat_map(|model| &model.notes)
            .filter(|(key, _)| !["command", TARGET].contains(&key.as_str()))
            .map(|(key, value)| format!("{} {value}", key.replace('_', " ")));
        let fault = described.as_ref().err().map(|error| format!("{error:#}"));
        let history = std::iter::once(command.clone())
            .chain(told)
            .chain(fault)
            .collect::<Vec<_>>()
            .join("; ");
        json!({"name": player, "file": file, "sha256": sha256, "feature_set": features, "note": history})
    };
    let shown = app.think(move |app, _| {
        let registry =
            Registry::open(app.setup.models.as_deref()).map_err(Refusal::unanswerable)?;
        Ok(registry
            .rows()
            .map(|of| row(&registry, of))
            .collect::<Vec<_>>())
    });
    json_reply(&shown.await?)
}
