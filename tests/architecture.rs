//! What the compiler can't hold: no circle of files within a crate. The order of the crates stands in their `Cargo.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below a folder, without those of crates that lie in it.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() && !path.join("Cargo.toml").exists() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The folders of all crates below a folder.
fn crates(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("Cargo.toml").exists() {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            crates(&path, found);
        }
    }
}

/// The code of a file, comments left out.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the file can be read");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The paths that a file names: in its `use` lines, groups taken apart, and in expressions and types.
fn used_paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for prefix in ["crate::", "super::"] {
        for (at, _) in code.match_indices(prefix).filter(|&(at, _)| !code[..at].ends_with([':', '$'])) {
            let end =
                code[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(code.len() - at);
            paths.push(code[at..at + end].split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect());
        }
    }
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

/// The module of a file of a crate, as the names of its path; of a `mod.rs` that of its folder.
fn module_of(root: &Path, path: &Path) -> Vec<String> {
    let path = path.strip_prefix(root).expect("it lies in the crate").with_extension("");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod").collect()
}

/// What a `mod.rs` defines or passes on is for its children to use: it is not a file of a circle.
fn is_leaf(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name != "mod.rs" && name != "lib.rs" && name != "main.rs")
}

/// The files of a crate that each of its files names.
fn imports(root: &Path) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let mut files = Vec::new();
    rust_files(root, &mut files);
    files.retain(|path| is_leaf(path));
    let modules: BTreeSet<_> = files.iter().map(|path| module_of(root, path)).collect();
    let mut edges: BTreeMap<_, _> = modules.iter().map(|module| (module.clone(), BTreeSet::new())).collect();
    for path in &files {
        let own = module_of(root, path);
        for used in used_paths(&code(path)) {
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
    edges
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut roots = Vec::new();
    for folder in ["src", "python"] {
        crates(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut roots);
    }
    assert!(roots.len() > 10, "the crates were not found");
    let mut found = 0;
    for root in roots {
        let mut left = imports(&root);
        found += left.values().map(BTreeSet::len).sum::<usize>();
        // Files without an edge to one that is left are taken away until only circles are left.
        loop {
            let files: BTreeSet<_> = left.keys().cloned().collect();
            left.retain(|_, to| to.iter().any(|to| files.contains(to)));
            if left.len() == files.len() {
                break;
            }
        }
        let shown: Vec<_> = left.keys().map(|file| file.join("::")).collect();
        assert!(left.is_empty(), "{}: a circle is among {shown:?}", root.display());
    }
    assert!(found > 300, "the imports were not found");
}
