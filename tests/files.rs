//! Helpers for the tests of every crate: temporary folders, golden files, the repository.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Returns the root of the repository, for any crate under test.
pub fn repository() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("tests/golden").is_dir())
        .expect("crates lie in the repository")
        .to_owned()
}

/// A stop flag that is never set.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A path of a test. The folder of [`tempdir`] is removed with everything in it when dropped.
pub struct TempPath {
    path: PathBuf,
    is_root: bool,
}

impl TempPath {
    pub fn join(&self, name: impl AsRef<Path>) -> Self {
        Self {
            path: self.path.join(name),
            is_root: false,
        }
    }
}

/// The copy of a temporary folder removes nothing.
impl Clone for TempPath {
    fn clone(&self) -> Self {
        Self {
            path: self.path.clone(),
            is_root: false,
        }
    }
}

impl Deref for TempPath {
    type Target = PathBuf;

    fn deref(&self) -> &PathBuf {
        &self.path
    }
}

impl AsRef<Path> for TempPath {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Display for TempPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(formatter)
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        // A leftover folder does no harm; a second panic while unwinding would hide the first.
        if self.is_root {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

pub fn tempdir() -> TempPath {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "mineflow-test-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let path = std::env::temp_dir().join(name);
    fs::create_dir(&path).expect("a folder can be made");
    TempPath {
        path,
        is_root: true,
    }
}

pub fn write_file(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    fs::write(path, bytes).expect("the file can be written");
}

pub fn read_bytes(path: impl AsRef<Path>) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}

pub fn read_text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

/// Compares `text` with the golden file `tests/golden/NAME.txt`. If the environment variable
/// UPDATE_GOLDEN is set, the file is written instead; read the difference before you commit it.
pub fn assert_golden(name: &str, text: &str) {
    assert_golden_or(name, text, "");
}

/// Compares `text` with the golden file as [`assert_golden`] does, and prints `advice` if it
/// differs.
pub fn assert_golden_or(name: &str, text: &str, advice: &str) {
    let path = repository()
        .join("tests/golden")
        .join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).expect("the golden file can be written");
    }
    let golden = fs::read_to_string(&path).expect("there is a golden file");
    assert!(
        golden == text,
        "{} holds\n{golden}\nbut there is\n{text}\n{advice}",
        path.display()
    );
}

/// Asserts that a text contains these words.
#[track_caller]
pub fn assert_has(text: impl AsRef<str>, words: impl AsRef<str>) {
    let (text, words) = (text.as_ref(), words.as_ref());
    assert!(text.contains(words), "`{words}` is not in\n{text}");
}
