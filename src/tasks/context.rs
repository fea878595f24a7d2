//! The context of a stage: its folder, seed, resources and observer, and its outcome.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Context as _, Result};
use serde::Serialize;

use mineflow_arena::{GamesProgress, Part, Text, Workers, numbers::percent};
use mineflow_model::Models;
use mineflow_store::{Folder, Purpose};

/// The context in which a stage runs.
#[derive(Clone)]
pub struct Context<'a> {
    /// The output folder or file. Without one, results are only printed.
    pub out: Option<PathBuf>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The shard of the run, which is the part of the work that this process does.
    pub part: Part,
    /// Number of worker threads, at least 1. Results don't depend on this number.
    pub threads: usize,
    /// Memory limit for training rows, in bytes. Results depend on this limit only if not all rows
    /// fit.
    pub memory: u64,
    /// The published models.
    pub models: &'a Models,
    /// A flag that interrupts the work; the work ends soon after the flag is set.
    pub stop: &'a AtomicBool,
    pub observer: &'a dyn Observer,
}

/// Shows the progress of a stage to a person.
pub trait Observer: Sync {
    /// Shows the current progress.
    fn progress(&self, _progress: Progress<'_>) {}
    /// Prints a line that stays above the progress display.
    fn line(&self, _text: &str) {}
    /// Prints a note for the user.
    fn note(&self, _text: &str) {}
    /// Prints a detail, only in verbose mode.
    fn detail(&self, _text: &str) {}
    /// Allows an interruption to end the process at once with this message. A call with `None`
    /// revokes this. Call the method before steps that may take long and whose completed work is
    /// already saved.
    fn allow_exit(&self, _kept: Option<&str>) {}
}

/// Progress of a stage.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    pub done: u64,
    pub planned: u64,
    /// The name of what is counted, to show its rate and the time left. With `None`, only the text
    /// is shown.
    pub things: Option<&'static str>,
    /// Additional text.
    pub text: &'a str,
}

/// An observer that shows nothing.
pub struct Unobserved;

impl Observer for Unobserved {}

impl<'a> Context<'a> {
    /// Returns the output folder, or an error if none was given.
    pub fn folder(&self) -> Result<&Path> {
        self.out
            .as_deref()
            .context("it needs a folder for its results: give --out DIR")
    }

    /// Opens the output folder for this purpose and reports files that were changed or damaged.
    pub fn open(&self, purpose: &Purpose) -> Result<Folder> {
        let folder = Folder::open(self.folder()?, purpose, self.stop)?;
        for damaged in folder.damaged() {
            self.note(&format!("note: {damaged}; it is made again"));
        }
        Ok(folder)
    }

    /// Opens the output folder as [`Self::open`] does, if one was given; otherwise returns `None`
    /// and nothing is saved.
    pub fn open_if_given(&self, purpose: &Purpose) -> Result<Option<Folder>> {
        self.out.is_some().then(|| self.open(purpose)).transpose()
    }

    /// Returns the worker threads of this context.
    pub fn workers(&self) -> Workers<'a> {
        Workers {
            threads: self.threads,
            stop: self.stop,
        }
    }

    /// Returns the limits on the resources for reading rows.
    #[cfg(feature = "train")]
    pub(crate) fn read_limits(&self) -> mineflow_learn::data::ReadLimits<'a> {
        mineflow_learn::data::ReadLimits {
            stop: self.stop,
            memory: self.memory,
        }
    }

    /// Reports that `done` of `planned` things are done.
    pub fn count(&self, things: &'static str, done: u64, planned: u64, text: &str) {
        self.observer.progress(Progress {
            done,
            planned,
            things: Some(things),
            text,
        });
    }

    /// Reports progress in words.
    pub fn say(&self, done: u64, planned: u64, text: &str) {
        self.observer.progress(Progress {
            done,
            planned,
            things: None,
            text,
        });
    }

    /// Reports the progress of a series: games played, the current player and board, and the win
    /// rate over all games.
    pub fn games(&self, progress: GamesProgress, who: &str) {
        let mut text = if who.is_empty() {
            String::new()
        } else {
            format!(", {who}")
        };
        if progress.played > 0 {
            let won = percent(progress.won as f64 / progress.played as f64);
            text += &format!(", {won} % won");
        }
        self.count("games", progress.played, progress.planned, &text);
    }

    /// From now on, makes an interruption end the process at once. `kept` is then printed and says
    /// what is saved.
    pub fn allow_exit(&self, kept: &str) {
        self.observer.allow_exit(Some(kept));
    }

    /// From now on, makes an interruption wait until the work ends.
    pub fn forbid_exit(&self) {
        self.observer.allow_exit(None);
    }

    /// Prints a note for the user.
    pub fn note(&self, text: &str) {
        self.observer.note(text);
    }

    /// Returns the outcome of interrupted work; `done` describes what was completed.
    pub fn interrupted(&self, done: &str) -> Outcome {
        let is_one = done.starts_with("1 ") && !done.contains(" and ");
        let are = if is_one { "is" } else { "are" };
        Outcome::Interrupted(match &self.out {
            Some(out) => format!(
                "{done} {are} kept in {}; the same command resumes",
                out.display()
            ),
            None => format!("{done} {are} lost; --out DIR would have kept the work"),
        })
    }
}

/// The way in which a stage ended.
pub enum Outcome {
    Done(Box<dyn Answer>),
    /// The stage was interrupted; the text says what is saved.
    Interrupted(String),
}

/// The printed result of a stage.
pub trait Answer {
    /// Returns the answer as JSON, with one line per row.
    fn json(&self) -> serde_json::Result<String>;

    /// Returns the answer as text for people.
    fn text(&self) -> Text;

    /// Returns whether the answer is negative, which sets the exit code.
    fn is_no(&self) -> bool {
        false
    }
}

/// Rows of one type, the result of most stages.
pub struct Rows<R>(pub Vec<R>);

/// A row of a table that a stage prints.
pub trait Row: Serialize + Sized {
    /// Returns the table for people.
    fn text(rows: &[Self]) -> Text;

    /// Returns whether the answer of the rows is negative.
    fn is_no(_: &[Self]) -> bool {
        false
    }
}

impl<R: Row> Answer for Rows<R> {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.0)
    }

    fn text(&self) -> Text {
        R::text(&self.0)
    }

    fn is_no(&self) -> bool {
        R::is_no(&self.0)
    }
}

/// Formats rows as JSON lines.
pub fn json_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> serde_json::Result<String> {
    rows.into_iter()
        .map(|row| Ok(serde_json::to_string(&row)? + "\n"))
        .collect()
}
