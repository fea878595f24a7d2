//! The page, which is part of the program.

use axum::http::StatusCode;

use super::replies::{Refusal, Reply, text};

const HTML: &str = "text/html; charset=utf-8";

macro_rules! assets {
    ($($name:literal: $kind:expr,)*) => {
        /// Every file of the page with its kind.
        const ASSETS: &[(&str, &str, &[u8])] = &[$(($name, $kind, include_bytes!(concat!("page/", $name))),)*];
    };
}

assets! {
    "index.html": HTML,
}

/// A file of the page.
pub(super) fn asset(name: &str) -> Reply {
    let found = ASSETS.iter().find(|(known, _, _)| *known == name);
    let &(_, kind, bytes) = found.ok_or_else(|| Refusal::not_found("the page has no such file"))?;
    Ok(text(StatusCode::OK, kind, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/serve/page");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let mut known: Vec<&str> = ASSETS.iter().map(|(name, _, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(files, known);
    }
}
