//! Output to stdout and stderr.

use std::{
    io::Write,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context;
use indicatif::ProgressBar;

use mineflow_arena::{numbers::counted, plain_message};
use mineflow_store::lock;

static QUIET: AtomicBool = AtomicBool::new(false);

/// The progress bar, if one is shown. Code that writes to stderr hides it first.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

pub(super) fn shown_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    lock(&BAR)
}

/// Hides the bar, calls `write`, and draws the bar again below.
pub(super) fn above_bar(write: impl FnOnce()) {
    let bar = shown_bar().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Writes an answer to stdout, without colours if they are off.
pub(super) fn to_stdout(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("can't write to standard output")
}

/// Returns the first lines of an answer, at most this many, and says how many others the stage's
/// folder has.
pub(super) fn brief(text: &str, lines: usize) -> String {
    let more = text.lines().count().saturating_sub(lines);
    if more == 0 {
        return text.to_owned();
    }
    let first: String = text.split_inclusive('\n').take(lines).collect();
    format!("{first}... and {}\n", counted(more as u64, "more line"))
}

/// Writes a line for people to stderr, above the bar if one is shown. A closed stderr is not an
/// error.
pub(super) fn to_stderr(line: &str) {
    above_bar(|| {
        let _ = writeln!(anstream::stderr().lock(), "{line}");
    });
}

/// Turns [`note`] off.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Writes a note to stderr, unless `--quiet` is given.
pub(super) fn note(line: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        to_stderr(&plain_message(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_answer_has_its_first_lines_and_says_how_many_are_missing() {
        assert_eq!(brief("1\n2\n", 2), "1\n2\n");
        assert_eq!(brief("1\n2\n3\n4\n", 2), "1\n2\n... and 2 more lines\n");
    }
}
