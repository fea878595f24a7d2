//! Tests every parser on mutated real files: every input is read or rejected, and nothing panics.
//!
//! `PROPTEST_CASES=1000000 cargo test --release -- mutated` runs that many cases of each test; the
//! default number takes seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mineflow::cli::pipeline::{PipelineFile, read_stages};
use mineflow::gdl::Sheet;
use mineflow::minesweeper::{mbf, text};
use mineflow::model::{AnyModel, Model, ModelScratch, Models, Registry};
use mineflow::samegame::{Puzzle, ScoredLine, TestSet};
use mineflow::store::{Folder, Journal, Purpose};
use proptest::prelude::*;

use crate::program::{NEVER, pipeline, prints, read_bytes, tempdir, write_file};

/// A mutation of some bytes.
#[derive(Clone, Debug)]
enum Change {
    /// Replaces a byte.
    Set(f64, u8),
    /// Flips a bit.
    Flip(f64, u8),
    /// Deletes this many bytes.
    Cut(f64, usize),
    /// Duplicates bytes.
    Repeat(f64, usize),
    /// Inserts text from elsewhere.
    Insert(f64, String),
    /// Truncates the file.
    End(f64),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0.0..1.0f64;
    const PIECES: [&str; 16] = [
        "",
        "-1",
        "0",
        "1e999",
        "NaN",
        "99999999999999999999",
        "null",
        "[[[[",
        "{\"",
        "\u{0}",
        "(",
        ")",
        "?x",
        "\\u001b",
        "é",
        "\n",
    ];
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (at(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        (at(), 1..40usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (at(), 1..200usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        (at(), prop::sample::select(&PIECES[..]))
            .prop_map(|(at, piece)| Change::Insert(at, piece.to_owned())),
        at().prop_map(Change::End),
    ]
}

impl Change {
    fn of(&self, bytes: &mut Vec<u8>) {
        let place = |share: f64, bytes: &[u8]| (share * bytes.len() as f64) as usize;
        if bytes.is_empty() {
            return;
        }
        match *self {
            Self::Set(share, byte) => {
                let at = place(share, bytes);
                bytes[at] = byte;
            }
            Self::Flip(share, bit) => {
                let at = place(share, bytes);
                bytes[at] ^= 1 << bit;
            }
            Self::Cut(share, length) => {
                let at = place(share, bytes);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Self::Repeat(share, length) => {
                let at = place(share, bytes);
                let again = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, again);
            }
            Self::Insert(share, ref piece) => {
                let at = place(share, bytes);
                bytes.splice(at..at, piece.bytes());
            }
            Self::End(share) => bytes.truncate(place(share, bytes)),
        }
    }
}

/// Returns a strategy that applies one to five mutations to one of these files.
fn mutated(files: &'static [Vec<u8>]) -> impl Strategy<Value = Vec<u8>> {
    (0..files.len(), prop::collection::vec(change(), 1..6)).prop_map(|(which, changes)| {
        let mut bytes = files[which].clone();
        changes.iter().for_each(|change| change.of(&mut bytes));
        bytes
    })
}

/// Reads the files of a repository folder whose names end in `end`.
fn files(folder: &str, end: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(end));
    paths.sort();
    assert!(!paths.is_empty(), "there are files that end in {end}");
    paths.iter().map(read_bytes).collect()
}

static SHEETS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files("pipelines/ggp", ".kif"));
static PIPELINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files("pipelines", ".toml"));
static MODELS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut models = files("tests/fixtures", ".safetensors");
    models.extend(files("tests/fixtures", ".json"));
    models.extend(files("tests/fixtures", ".txt"));
    models
});
static REGISTRY: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files("models", "registry.json"));
static SAMEGAME: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut texts = files("tests/fixtures", "lines.json");
    texts.extend((1..4).map(|seed| {
        prints(format!(
            "samegame solve --random {seed} --size 5x5 --budget nodes=5"
        ))
        .into_bytes()
    }));
    texts
});
static BOARDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let field: mineflow::minesweeper::Minefield = "..*.\n*...\n...*\n".parse().unwrap();
    let texts = [
        "5x3x4\n01HH0\n12F8H\n23456\n",
        "3x1x1\n1##\n",
        "..*.\n*...\n...*\n",
    ]
    .map(|text| text.as_bytes().to_vec());
    texts
        .into_iter()
        .chain([mbf::write(&field).unwrap()])
        .collect()
});
/// The files of a finished series.
static SERIES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let dir = tempdir();
    pipeline(format!(
        "eval --players 4.0,3.0 --boards 4x4/2 --games 150 --out {dir}"
    ))
    .success();
    ["manifest.json", "journal.jsonl"]
        .map(|name| read_bytes(dir.join(name)))
        .to_vec()
});

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    write_file(&path, bytes);
    path
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rule_sheets_are_read_or_refused(bytes in mutated(&SHEETS)) {
        let _ = Sheet::read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string());
    }

    #[test]
    fn pipelines_are_read_or_refused(bytes in mutated(&PIPELINES)) {
        let dir = tempdir();
        let path = put(&dir, "p.toml", &bytes);
        let _ = PipelineFile::read(&path, &[]).and_then(|file| read_stages(&file, &dir, &Models::default())).map_err(|error| format!("{error:#}"));
    }

    #[test]
    fn artifacts_are_read_or_refused(bytes in mutated(&MODELS)) {
        match AnyModel::from_bytes(&bytes) {
            Err(fault) => prop_assert!(!fault.to_string().is_empty() && !fault.help().is_empty()),
            Ok(AnyModel::Forest(forest)) => {
                let (rows, mut found) = (vec![0.5; forest.width() * 3], Vec::new());
                forest.append(&rows, &mut found, &mut ModelScratch::default());
                prop_assert_eq!(found.len(), 3);
            }
            Ok(AnyModel::Mlp(mlp)) => {
                let (rows, mut found) = (vec![0.5; mlp.inputs() * 3], Vec::new());
                mlp.append(&rows, &mut found, &mut ModelScratch::default());
                prop_assert_eq!(found.len(), 3 * mlp.outputs());
            }
            Ok(AnyModel::Linear(linear)) => prop_assert!((0.0..=1.0).contains(&linear.alpha(9, 9, 10))),
        }
    }

    #[test]
    fn registries_are_read_or_refused(bytes in mutated(&REGISTRY)) {
        let dir = tempdir();
        put(&dir, "registry.json", &bytes);
        let _ = Registry::open(Some(&dir)).map_err(|error| error.to_string());
    }

    #[test]
    fn positions_and_boards_are_read_or_refused(bytes in mutated(&BOARDS), mines in prop::option::of(0..20usize)) {
        let _ = mbf::read(&bytes).map_err(|error| error.to_string());
        let _ = text::read(&String::from_utf8_lossy(&bytes), mines).map_err(|error| error.to_string());
    }

    #[test]
    fn samegame_files_are_read_or_refused(bytes in mutated(&SAMEGAME)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = ScoredLine::parse_all(&text).map_err(|error| error.to_string());
        let _ = TestSet::parse(&text).map_err(|error| error.to_string());
        let _ = text.parse::<Puzzle>().map_err(|error| error.to_string());
    }

    #[test]
    fn folders_are_opened_or_refused(bytes in mutated(&SERIES), of_journal: bool) {
        let dir = tempdir();
        put(&dir, if of_journal { "journal.jsonl" } else { "manifest.json" }, &bytes);
        let take = |_: serde_json::Value| Ok(());
        let _ = Journal::open(dir.join("journal.jsonl").to_path_buf(), take).map_err(|error| error.to_string());
        let _ = Folder::open(&dir, &Purpose::default(), &NEVER).map_err(|error| error.to_string());
    }
}
