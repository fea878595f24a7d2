//! Helpers that run the program as a process.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub use crate::files::{
    NEVER, TempPath, assert_golden, assert_golden_or, assert_has, read_bytes, read_text, tempdir,
    write_file,
};
pub use crate::unfinish::unfinish;

pub const PIPELINE: &str = env!("CARGO_BIN_EXE_pipeline");

/// A finished run of the program.
pub struct Finished(Output);

impl Finished {
    /// Runs `command` to its end.
    pub fn of(command: &mut Command) -> Self {
        Self(command.output().expect("the program starts"))
    }

    /// Asserts that the exit code is 0.
    pub fn success(self) -> Self {
        self.code(0)
    }

    /// Asserts that the exit code is `code`.
    pub fn code(self, code: i32) -> Self {
        assert_eq!(
            self.0.status.code(),
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout(),
            self.stderr()
        );
        self
    }

    /// Returns whether the run ended normally, with an answer (exit code 0) or without one (exit
    /// code 1).
    pub fn is_over(&self) -> bool {
        matches!(self.0.status.code(), Some(0 | 1))
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("stdout is UTF-8")
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).expect("stderr is UTF-8")
    }
}

/// Returns a command that runs the program with arguments separated by spaces, without environment
/// variables that affect colours or models.
pub fn command(arguments: impl AsRef<str>) -> Command {
    let mut command = Command::new(PIPELINE);
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("MINEFLOW_MODELS")
        .args(arguments.as_ref().split_whitespace());
    command
}

/// Waits until `is_time` holds or `child` has ended; returns whether `child` is still running.
/// Panics after an hour.
pub fn wait_for(child: &mut Child, is_time: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while !is_time() && child.try_wait().expect("its state is known").is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(3600),
            "it did not come to that"
        );
        std::thread::sleep(Duration::from_micros(200));
    }
    child.try_wait().expect("its state is known").is_none()
}

/// Starts `command` and kills it as soon as `is_time` holds; returns whether the process was still
/// running then.
pub fn kill_when(command: &mut Command, is_time: impl Fn() -> bool) -> bool {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let was_at_work = wait_for(&mut child, is_time);
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
    was_at_work
}

/// Starts `command`, sends it `signal` as soon as `is_time` holds for its process id, and waits for
/// its end. The exit must be that of an interruption. Returns its standard error.
pub fn interrupt_when(
    command: &mut Command,
    signal: &str,
    is_time: impl Fn(u32) -> bool,
) -> String {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let id = child.id();
    assert!(
        wait_for(&mut child, || is_time(id)),
        "it ended before it was interrupted"
    );
    Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .expect("there is `kill`");
    let output = child.wait_with_output().expect("it has ended");
    let said = String::from_utf8(output.stderr).expect("stderr is UTF-8");
    assert_eq!(output.status.code(), Some(130), "{said}");
    said
}

/// Returns all files below a folder with their bytes, except locks and times.
pub fn left(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name != "lock" && !name.starts_with("cost.") {
                files.insert(
                    path.strip_prefix(folder).unwrap().to_owned(),
                    read_bytes(&path),
                );
            }
        }
    }
    files
}

/// Returns the number of lines of a file, or 0 if the file doesn't exist.
pub fn lines_of(file: &Path) -> usize {
    fs::read(file)
        .unwrap_or_default()
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
}

/// The rows of a table, by the names of its columns.
pub type Rows = Vec<HashMap<String, String>>;

/// Reads a table in CSV.
pub fn rows(folder: &Path, name: &str) -> Rows {
    csv::Reader::from_path(folder.join(name))
        .unwrap()
        .deserialize()
        .map(Result::unwrap)
        .collect()
}

/// Replaces a text in the records of a folder's journal, and updates each line's checksum.
pub fn change_journal(folder: &Path, from: &str, to: &str) {
    let journal = folder.join("journal.jsonl");
    let text = read_text(&journal);
    let record = |line: &str| {
        line.split_once(',')
            .unwrap()
            .1
            .strip_suffix(']')
            .unwrap()
            .replace(from, to)
    };
    let line = |record: String| {
        format!(
            "[\"{}\",{record}]\n",
            &mineflow::store::sha256(record.as_bytes())[..8]
        )
    };
    let changed: String = text.lines().map(record).map(line).collect();
    assert_ne!(changed, text);
    write_file(journal, changed);
}

pub fn json_of(text: impl AsRef<[u8]>) -> serde_json::Value {
    serde_json::from_slice(text.as_ref()).expect("it is JSON")
}

/// Runs the program with these arguments.
pub fn pipeline(arguments: impl AsRef<str>) -> Finished {
    Finished::of(&mut command(arguments))
}

/// Runs the program, which must succeed, and returns its standard output.
pub fn prints(arguments: impl AsRef<str>) -> String {
    pipeline(arguments).success().stdout()
}

/// Runs the program, which must end with exit code 2, and returns its standard error.
pub fn fails(arguments: impl AsRef<str>) -> String {
    pipeline(arguments).code(2).stderr()
}
