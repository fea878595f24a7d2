//! Routes: the function for each request.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde_json::json;

use crate::app::Shared;
use crate::guard::{LONGEST_BODY, guard};
use crate::replies::{Refusal, Reply, json_reply, text};
use crate::{assets, replays, runs};
use mineflow_answers::{Answering, QUESTIONS};
use mineflow_minesweeper::json_lines::answer_line;
use mineflow_model::{Registry, Row};
use mineflow_tasks::models::show_row;

const JSON: &str = "application/json";

/// Returns all routes, each behind the guard.
pub(crate) fn router(app: Shared) -> Router {
    let mut router = Router::new();
    for (name, answering) in QUESTIONS {
        let handler = async move |State(app), body: Bytes| ask(app, answering, body).await;
        router = router.route(&format!("/api/{name}"), post(handler));
    }
    router
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
            post(async |State(app), body: Bytes| solve(app, body).await),
        )
        .route(
            "/api/puzzles",
            get(async || Ok::<_, Refusal>(text(StatusCode::OK, JSON, mineflow_answers::puzzles()))),
        )
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

/// Answers a request of the page on a worker.
async fn ask(app: Shared, answering: Answering, body: Bytes) -> Reply {
    let answer = app
        .think(move |app, worker| Ok(answering(&app.setup, worker, &body)?))
        .await?;
    Ok(text(StatusCode::OK, JSON, answer))
}

/// Solves a position and answers in the format of `pipeline solve --json`.
async fn solve(app: Shared, body: Bytes) -> Reply {
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
fn about(app: &Shared) -> Reply {
    let mut about = mineflow_answers::about(&app.setup);
    about["runs"] = json!(runs::names(app));
    json_reply(&about)
}

/// Returns the models of the players, each with notes on its training.
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
