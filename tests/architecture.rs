//! The house rule of `src/lib.rs`: every folder imports only from those below it.

use std::collections::{BTreeMap, BTreeSet};
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
const KEPT_TO: [(&str, &[&str]); 15] = [
    ("axum", &["cli"]),
    ("hyper", &["cli"]),
    ("tokio", &["cli"]),
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
fn there_are_at_most_ten_folders_and_no_edge_that_nobody_uses() {
    let folders =
        MAY_IMPORT.iter().filter(|(name, _)| Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name).is_dir());
    assert!(folders.count() <= 10);
    let mut used = BTreeSet::new();
    for (_, room, text) in sources() {
        used.extend(names_after(&text, "crate::").map(|name| (room.clone(), name.to_owned())));
    }
    for (room, allowed) in MAY_IMPORT.iter().filter(|(room, allowed)| *allowed != ALL_BELOW && *room != "main") {
        for name in *allowed {
            let edge = ((*room).to_owned(), (*name).to_owned());
            assert!(used.contains(&edge), "{room} may import {name} and doesn't");
        }
    }
}

/// The paths that the `use` lines of a file name, groups taken apart.
fn used_paths(text: &str) -> Vec<Vec<String>> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    let mut paths = Vec::new();
    for statement in code.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(path, _)| path) {
        expand(statement.trim(), &[], &mut paths);
    }
    paths
}

fn expand(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let Some((head, group)) = tree.split_once('{') else {
        let names = tree.split("::").map(|name| name.split(" as ").next().unwrap_or(name).trim().to_owned());
        paths.push(before.iter().cloned().chain(names).collect());
        return;
    };
    let head: Vec<_> = head.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let before = [before, &head[..]].concat();
    let (mut depth, mut start) = (0, 0);
    let group = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(group[start..at].trim(), &before, paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        expand(group[start..].trim(), &before, paths);
    }
}

/// The module of a file of `src/`, as the names of its path; of a `mod.rs` that of its folder.
fn module_of(path: &Path) -> Vec<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let path = path.strip_prefix(src).expect("it lies in src").with_extension("");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod").collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files: Vec<_> = sources().into_iter().map(|(path, _, text)| (path, text)).collect();
    // What a `mod.rs` defines or passes on is for its children to use: it is not a file of the circle.
    let is_leaf =
        |path: &Path| path.file_name().is_some_and(|name| name != "mod.rs" && name != "lib.rs" && name != "main.rs");
    let modules: BTreeSet<_> =
        files.iter().filter(|(path, _)| is_leaf(path)).map(|(path, _)| module_of(path)).collect();
    let mut edges: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| is_leaf(path)) {
        let own = module_of(path);
        for used in used_paths(text) {
            let ups = used.iter().take_while(|name| *name == "super").count();
            let full = match used.first().map(String::as_str) {
                Some("crate") => used[1..].to_vec(),
                Some("super") => [&own[..own.len().saturating_sub(ups)], &used[ups..]].concat(),
                _ => continue,
            };
            let target = (1..=full.len()).rev().map(|end| full[..end].to_vec()).find(|path| modules.contains(path));
            if let Some(target) = target.filter(|target| *target != own) {
                edges.entry(own.clone()).or_default().insert(target);
            }
        }
    }
    // Files without an edge to one that is left are taken away until only circles are left.
    let mut left = modules.clone();
    loop {
        let free: Vec<_> = left
            .iter()
            .filter(|file| !edges.get(*file).is_some_and(|to| to.iter().any(|to| left.contains(to))))
            .cloned()
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|file| {
            left.remove(file);
        });
    }
    let shown: Vec<_> = left.iter().map(|file| file.join("::")).collect();
    assert!(left.is_empty(), "a circle is among {shown:?}");
    assert!(edges.len() > 100, "the imports were not found");
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
