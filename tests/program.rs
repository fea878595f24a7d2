//! The program run as a process, and folders that go when they are no longer needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub const PIPELINE: &str = env!("CARGO_BIN_EXE_pipeline");

/// A stop flag that is never set.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A run of the program that has ended.
pub struct Finished(Output);

impl Finished {
    /// Runs `command` to its end.
    pub fn of(command: &mut Command) -> Self {
        Self(command.output().expect("the program starts"))
    }

    /// Holds that it ended with 0.
    pub fn success(self) -> Self {
        self.code(0)
    }

    /// Holds that it ended with `code`.
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.0.status.code(), Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout(), self.stderr());
        self
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("stdout is UTF-8")
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).expect("stderr is UTF-8")
    }
}

/// The program with arguments separated by spaces, and no environment that changes colours or models.
pub fn command(arguments: &str) -> Command {
    let mut command = Command::new(PIPELINE);
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("MINEFLOW_MODELS")
        .args(arguments.split_whitespace());
    command
}

/// Runs the program with these arguments.
pub fn pipeline(arguments: &str) -> Finished {
    Finished::of(&mut command(arguments))
}

/// Makes the finished folder `out` one whose work was cut off before its end was noted.
pub fn unfinish(out: &Path) {
    let file = out.join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let members = manifest.as_object_mut().unwrap();
    assert!(members.remove("result").is_some() && members.remove("files").is_some(), "{} is finished", out.display());
    fs::write(file, manifest.to_string()).unwrap();
}

/// A new empty folder, removed with everything in it when dropped.
pub struct TempDir(PathBuf);

impl TempDir {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A folder left behind harms nobody; a second panic while unwinding would hide the first.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn tempdir() -> TempDir {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("mineflow-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    fs::create_dir(&path).expect("a folder can be made");
    TempDir(path)
}

/// Holds `text` against `tests/golden/NAME.txt`. With UPDATE_GOLDEN set in the environment the file is written instead:
/// read the difference before you commit it.
pub fn assert_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).expect("the golden file can be written");
    }
    let golden = fs::read_to_string(&path).expect("there is a golden file");
    assert!(golden == text, "{} holds\n{golden}\nbut there is\n{text}", path.display());
}
