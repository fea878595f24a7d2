//! What a stage works in, who looks on, and what comes of it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use serde::Serialize;

use mineflow_arena::numbers::percent;
use mineflow_arena::{Part, Workers};
use mineflow_store::{Folder, Purpose};

/// Where a stage works and who looks on.
#[derive(Clone)]
pub struct Context<'a> {
    /// Its folder, or the file that it writes; without one, results are only printed.
    pub out: Option<PathBuf>,
    /// Of everything random.
    pub seed: u64,
    /// Which part of the games is played.
    pub part: Part,
    /// Number of workers, at least 1; results don't depend on it.
    pub threads: usize,
    /// Bytes of memory that rows to learn from may take; results depend on it only where not all of them fit.
    pub memory: u64,
    /// Once it is set, the work ends soon.
    pub stop: &'a AtomicBool,
    pub observer: &'a dyn Observer,
}

/// Shows a person how far the work is.
pub trait Observer: Sync {
    /// How far it is now.
    fn progress(&self, progress: Progress<'_>);
    /// A line that stays among the progress.
    fn line(&self, text: &str);
    /// Something that a person may want to know.
    fn note(&self, text: &str);
    /// Something to show only to a user who asked for more.
    fn detail(&self, text: &str);
    /// Until it is called with `None`, an interruption may end the process at once and say this: single steps of the work may
    /// take long, and what was done is kept as it goes.
    fn allow_exit(&self, _kept: Option<&str>) {}
}

/// How far work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    pub done: u64,
    pub planned: u64,
    /// What is counted, for its rate and the time left; without it the text says everything.
    pub things: Option<&'static str>,
    /// What else there is to say.
    pub text: &'a str,
}

/// Nobody looks on.
pub struct Unobserved;

impl Observer for Unobserved {
    fn progress(&self, _: Progress<'_>) {}

    fn line(&self, _: &str) {}

    fn note(&self, _: &str) {}

    fn detail(&self, _: &str) {}
}

impl<'a> Context<'a> {
    /// The folder to work in.
    pub fn folder(&self) -> anyhow::Result<&Path> {
        self.out
            .as_deref()
            .context("it needs a folder for its results: give --out DIR")
    }

    /// Opens the folder to work in for this purpose, and says what in it is not as it was written.
    pub fn open(&self, purpose: &Purpose) -> anyhow::Result<Folder> {
        let folder = Folder::open(self.folder()?, purpose, self.stop)?;
        self.note_damage(&folder);
        Ok(folder)
    }

    /// The same if a folder was given; without one, nothing is kept.
    pub fn open_if_given(&self, purpose: &Purpose) -> anyhow::Result<Option<Folder>> {
        self.out.is_some().then(|| self.open(purpose)).transpose()
    }

    /// Says what in the folder was not as it was written when it was opened.
    pub fn note_damage(&self, folder: &Folder) {
        folder
            .damaged()
            .iter()
            .for_each(|damaged| self.note(&format!("note: {damaged}; it is made again")));
    }

    /// The workers of this context.
    pub fn workers(&self) -> Workers<'a> {
        Workers {
            threads: self.threads,
            stop: self.stop,
        }
    }

    /// What reading of rows may take.
    #[cfg(feature = "train")]
    pub(crate) fn read_limits(&self) -> mineflow_learn::data::ReadLimits<'a> {
        mineflow_learn::data::ReadLimits {
            stop: self.stop,
            memory: self.memory,
        }
    }

    /// Shows that `done` of `planned` things are done.
    pub fn count(&self, things: &'static str, done: u64, planned: u64, text: &str) {
        self.observer.progress(Progress {
            done,
            planned,
            things: Some(things),
            text,
        });
    }

    /// Shows how far it is in words.
    pub fn say(&self, done: u64, planned: u64, text: &str) {
        self.observer.progress(Progress {
            done,
            planned,
            things: None,
            text,
        });
    }

    /// Shows how many games of a series are played, who plays where, and the share of all games that were won.
    pub fn games(
        &self,
        mineflow_arena::GamesProgress {
            played,
            planned,
            won,
            ..
        }: mineflow_arena::GamesProgress,
        who: &str,
    ) {
        let who = if who.is_empty() {
            String::new()
        } else {
            format!(", {who}")
        };
        let won = if played == 0 {
            String::new()
        } else {
            format!(", {} % won", percent(won as f64 / played as f64))
        };
        self.count("games", played, planned, &(who + &won));
    }

    /// From now on an interruption ends the process at once and says what is kept.
    pub fn allow_exit(&self, kept: &str) {
        self.observer.allow_exit(Some(kept));
    }

    /// From now on an interruption waits for the work to end.
    pub fn forbid_exit(&self) {
        self.observer.allow_exit(None);
    }

    /// Tells a person something.
    pub fn note(&self, text: &str) {
        self.observer.note(text);
    }

    /// The outcome of work that was asked to stop when so much of it was done.
    pub fn interrupted(&self, done: &str) -> Outcome {
        Outcome::Interrupted(match &self.out {
            Some(out) => format!(
                "{done} are kept in {}; the same command resumes",
                out.display()
            ),
            None => format!("{done} are lost; --out DIR would have kept them"),
        })
    }
}

/// How a stage ended.
pub enum Outcome {
    Done(Box<dyn Answer>),
    /// It was asked to stop. In words what is kept.
    Interrupted(String),
}

/// What a stage prints.
pub trait Answer {
    /// As JSON, a line a row.
    fn json(&self) -> serde_json::Result<String>;

    /// For people, with the styles of a terminal.
    fn text(&self) -> String;

    /// Whether the answer to the question of the stage is no.
    fn is_no(&self) -> bool {
        false
    }
}

/// Rows of one type, which is what most stages print.
pub struct Rows<R>(pub Vec<R>);

/// A row of a table that is an answer.
pub trait Row: Serialize + Sized {
    /// The table for people, with the styles of a terminal.
    fn text(rows: &[Self]) -> String;

    /// Whether the rows say no to the question of the stage.
    fn is_no(_: &[Self]) -> bool {
        false
    }
}

impl<R: Row> Answer for Rows<R> {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.0)
    }

    fn text(&self) -> String {
        R::text(&self.0)
    }

    fn is_no(&self) -> bool {
        R::is_no(&self.0)
    }
}

/// Rows as JSON lines.
pub fn json_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> serde_json::Result<String> {
    rows.into_iter()
        .map(|row| Ok(serde_json::to_string(&row)? + "\n"))
        .collect()
}
