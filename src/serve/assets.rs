//! The files of the page, which are embedded in the program.

use axum::http::StatusCode;

use crate::replies::{Refusal, Reply, text};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! assets {
    ($($name:literal: $kind:expr,)*) => {
        /// Every file of the page with its content type.
        const ASSETS: &[(&str, &str, &[u8])] = &[$(($name, $kind, include_bytes!(concat!("page/", $name))),)*];
    };
}

assets! {
    "analysis.js": SCRIPT,
    "api.js": SCRIPT,
    "board.css": CSS,
    "board.js": SCRIPT,
    "candidates.js": SCRIPT,
    "chart.js": SCRIPT,
    "curves.js": SCRIPT,
    "desk.js": SCRIPT,
    "dom.js": SCRIPT,
    "engine.js": SCRIPT,
    "game.js": SCRIPT,
    "history.js": SCRIPT,
    "icon.svg": PICTURE,
    "index.html": HTML,
    "input.js": SCRIPT,
    "main.js": SCRIPT,
    "new_game.js": SCRIPT,
    "open.js": SCRIPT,
    "page.css": CSS,
    "panels.css": CSS,
    "play.js": SCRIPT,
    "players.js": SCRIPT,
    "position.js": SCRIPT,
    "puzzles.js": SCRIPT,
    "replay.js": SCRIPT,
    "runs.js": SCRIPT,
    "share.js": SCRIPT,
    "viewer.js": SCRIPT,
    "work.js": SCRIPT,
    "worker.js": SCRIPT,
    "workers.js": SCRIPT,
}

/// Returns a file of the page.
pub(crate) fn asset(name: &str) -> Reply {
    let found = ASSETS.iter().find(|(known, _, _)| *known == name);
    let &(_, kind, bytes) = found.ok_or_else(|| Refusal::not_found("the page has no such file"))?;
    Ok(text(StatusCode::OK, kind, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut known: Vec<&str> = ASSETS.iter().map(|(name, _, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(files, known);
    }
}
