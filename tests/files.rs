//! Helpers for the tests of every crate: temporary folders, golden files, the repository.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::fs;
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

/// A new empty folder, removed with everything in it when dropped.
pub struct TempDir(PathBuf);

impl TempDir {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A leftover folder does no harm; a second panic while unwinding would hide the first.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn tempdir() -> TempDir {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "mineflow-test-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let path = std::env::temp_dir().join(name);
    fs::create_dir(&path).expect("a folder can be made");
    TempDir(path)
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
