//! The files of the page, which are embedded in the program.

use axum::{extract::Path, http::StatusCode};

use crate::replies::{Reply, text};
use mineflow_answers::Refusal;

macro_rules! assets {
    ($($name:literal,)*) => {
        /// The files of the page.
        const ASSETS: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../view/", $name))),)*];
    };
}

assets! {
    "analysis.js",
    "api.js",
    "board.css",
    "board.js",
    "candidates.js",
    "chart.js",
    "codes.js",
    "curves.js",
    "desk.js",
    "dom.js",
    "end.js",
    "engine.js",
    "facts.js",
    "first-cells.csv",
    "graph.js",
    "guesses.js",
    "heat.js",
    "help.js",
    "icon.svg",
    "index.html",
    "input.js",
    "kept.js",
    "ladder.js",
    "learn.js",
    "lessons.js",
    "lessons.txt",
    "levels.js",
    "main.js",
    "manifest.webmanifest",
    "new_game.js",
    "open.js",
    "page.css",
    "panels.css",
    "picture.js",
    "play.js",
    "players.js",
    "position.js",
    "practice.js",
    "preview.png",
    "records.js",
    "replay.js",
    "review.js",
    "runs.js",
    "share.js",
    "sheet.js",
    "texts.js",
    "tutor.js",
    "viewer.js",
    "watch.js",
    "why.js",
    "work.js",
    "worker.js",
    "workers.js",
}

/// Returns a file of the page.
pub(crate) fn asset(name: &str) -> Reply {
    let found = ASSETS.iter().find(|(known, _)| *known == name);
    let &(_, bytes) = found.ok_or_else(|| Refusal::not_found("the page has no such file"))?;
    let kind = match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "png")) => "image/png",
        Some((_, "csv")) => "text/csv; charset=utf-8",
        Some((_, "txt")) => "text/plain; charset=utf-8",
        Some((_, "webmanifest")) => "application/manifest+json",
        _ => "text/html; charset=utf-8",
    };
    Ok(text(StatusCode::OK, kind, bytes))
}

/// Returns a file of the page.
pub(crate) async fn named(Path(name): Path<String>) -> Reply {
    asset(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("view");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        // The service worker belongs to the page without a server only.
        let mut known: Vec<&str> = ASSETS.iter().map(|(name, _)| *name).collect();
        known.push("sw.js");
        known.sort_unstable();
        assert_eq!(files, known);
    }
}
