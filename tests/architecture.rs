//! The house rule of `src/lib.rs`: every folder imports only from those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// Everything that stands above a line of the table.
const ALL_BELOW: &[&str] = &["*"];

/// Each folder or file of `src/`, lowest first, with what it may import besides itself.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("rng", &[]),
    ("store", &[]),
    ("document", &[]),
    ("search", &["rng"]),
    ("learn", &["store", "rng"]),
    ("minesweeper", &["learn", "search", "store", "rng"]),
    ("samegame", &["search", "rng"]),
    ("gdl", &["search", "rng"]),
    ("arena", &["minesweeper", "document", "store", "rng"]),
    ("stage", ALL_BELOW),
    ("cli", ALL_BELOW),
    ("main", &["cli"]),
];

/// Crates that only some folders may name.
const KEPT_TO: [(&str, &[&str]); 12] = [
    ("clap", &["stage", "cli"]),
    ("clap_complete", &["cli"]),
    ("ctrlc", &["cli"]),
    ("anstream", &["cli"]),
    ("indicatif", &["cli"]),
    ("ratatui", &["cli"]),
    ("crossterm", &["cli"]),
    ("polars", &["learn"]),
    ("burn", &["learn"]),
    ("linfa", &["learn"]),
    ("ndarray", &["learn"]),
    ("hessboost", &["learn"]),
];

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// All files of `src/` with the folder (or top-level file) that each belongs to, and their text.
fn sources() -> Vec<(PathBuf, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let room_of = |path: &Path| {
        let first = path.strip_prefix(&src).expect("it lies in src").components().next().expect("it has a name");
        first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    files
        .into_iter()
        .map(|path| (path.clone(), room_of(&path), fs::read_to_string(&path).expect("the file can be read")))
        .collect()
}

/// The names that follow `prefix` in the code of a file, comments left out.
fn names_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(move |line| line.split(prefix).skip(1))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
        .filter(|name| !name.is_empty())
}

#[test]
fn folders_import_only_from_below() {
    for (path, room, text) in sources() {
        if room == "lib" {
            continue;
        }
        let Some(line) = MAY_IMPORT.iter().position(|(name, _)| *name == room) else {
            panic!("{} lies in `{room}`, which the table of this test doesn't know", path.display());
        };
        let below: Vec<_> = MAY_IMPORT[..line].iter().map(|(name, _)| *name).collect();
        let allowed = if MAY_IMPORT[line].1 == ALL_BELOW { below.as_slice() } else { MAY_IMPORT[line].1 };
        for prefix in ["crate::", "mineflow::"] {
            for name in names_after(&text, prefix) {
                let ok = name == room || allowed.contains(&name) || room == "main" && name == "cli";
                assert!(ok, "{} imports `{name}`; `{room}` may import {allowed:?} only", path.display());
            }
        }
    }
}

#[test]
fn heavy_and_terminal_crates_stay_in_their_folders() {
    for (path, room, text) in sources() {
        for (name, rooms) in KEPT_TO {
            let named = text.contains(&format!("{name}::"));
            assert!(!named || rooms.contains(&room.as_str()), "{} names `{name}`", path.display());
        }
    }
}
