//! Output to stdout and stderr.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use indicatif::ProgressBar;

use mineflow_arena::numbers::counted;
use mineflow_arena::plain_message;

static QUIET: AtomicBool = AtomicBool::new(false);

/// The progress bar, if one is shown. Code that writes to stderr hides it first.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

pub(super) fn shown_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
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

/// The part of a stage's answer that is shown while a pipeline runs.
pub(super) struct Brief {
    /// The maximum number of lines of the answer that are shown.
    pub(super) lines: usize,
    /// A path in the answer, and the path to show instead: the place to which the files will be moved.
    pub(super) moved: (String, String),
}

impl Brief {
    /// Returns the shown part of an answer.
    pub(super) fn of(&self, text: &str) -> String {
        let text = text.replace(&self.moved.0, &self.moved.1);
        let more = text.lines().count().saturating_sub(self.lines);
        if more == 0 {
            return text;
        }
        let first: String = text.split_inclusive('\n').take(self.lines).collect();
        format!("{first}... and {}\n", counted(more as u64, "more line"))
    }
}

/// Writes a line for people to stderr, above the bar if one is shown. A closed stderr is not an error.
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
        let brief = Brief {
            lines: 2,
            moved: ("a.new".to_owned(), "a".to_owned()),
        };
        assert_eq!(brief.of("a.new/1\na.new/2\n"), "a/1\na/2\n");
        assert_eq!(brief.of("1\n2\n3\n4\n"), "1\n2\n... and 2 more lines\n");
    }
}
