//! A series: many pieces of work of one kind, each recorded when it is done, so that an interrupted
//! series resumes.
//!
//! ```text
//! DIR/manifest.json, lock   as in every folder
//!     journal.jsonl         a line for each record; in a fixed order once the series is complete
//!     cost.jsonl            the cost of each record, if it is kept
//! ```

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::jobs::{Ending, ResultSender, ThreadsError, Workers};
use mineflow_store::{Folder, Journal, StoreError, remove_file};

/// The interval at which records are passed to the operating system. If the process is killed, at
/// most this much work is lost.
pub(super) const BETWEEN_RECORDS: Duration = Duration::from_millis(500);

/// How the folder of a series stores its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// The noun for the counted pieces in the result of the finished folder.
    pub things: &'static str,
    pub has_costs: bool,
    /// Whether the journal stays in the finished folder. If not, the tables in the folder contain
    /// all records.
    pub journal_stays: bool,
}

/// The collection of the results of a series, to which results are added record by record.
pub trait Records {
    /// The result of a piece of work, without times.
    type Record: Serialize + DeserializeOwned + Send + Sync;
    /// The cost of a piece of work. It differs from run to run and is therefore stored in a
    /// separate file.
    type Cost: Serialize + DeserializeOwned + Send;
    const KEEPING: Keeping;

    /// Adds a record.
    ///
    /// # Errors
    /// Returns a description of why the record can't belong to this series.
    fn add(&mut self, record: &Self::Record) -> Result<(), String>;

    /// Adds the cost of a piece of work, if costs are kept.
    ///
    /// # Errors
    /// Returns the errors of [`Records::add`].
    fn add_cost(&mut self, _cost: &Self::Cost) -> Result<(), String> {
        Ok(())
    }

    /// Returns the number of pieces that are done.
    fn done(&self) -> u64;

    /// Returns the number of pieces to do, as far as it is known.
    fn planned(&self) -> u64;

    /// Returns all records of a complete series in a fixed order, independent of the order in which
    /// they were made.
    fn in_order(&self) -> impl Iterator<Item = Self::Record>;

    /// Returns the result that the manifest of the finished folder stores.
    fn result(&self) -> Value {
        json!({ Self::KEEPING.things: self.planned() })
    }

    /// Returns the maximum number of pieces, if a rule may end the series early or extend it.
    fn most(&self) -> u64 {
        self.planned()
    }

    /// Returns whether all pieces are done.
    fn is_whole(&self) -> bool {
        self.done() == self.planned()
    }
}

/// A series in progress, in memory or in a folder.
pub struct Series<R: Records> {
    records: R,
    kept: Option<OpenFolder>,
    /// The number of pieces done before this process began.
    before: u64,
}

/// The folder and the journals of a series.
struct OpenFolder {
    folder: Folder,
    journal: Option<Journal>,
    costs: Option<Journal>,
    /// The time of the last flush. `flushed` is the number of pieces done by then, and `is_behind`
    /// tells whether records were added since.
    flushed_at: Instant,
    flushed: u64,
    is_behind: bool,
}

impl<R: Records> Series<R> {
    /// Opens a series with these records and those in the folder's journal. Without a folder, all
    /// records are kept only in memory.
    ///
    /// # Errors
    /// Returns an error if the journal belongs to another series, or if files can't be read or
    /// written.
    pub fn open(mut records: R, folder: Option<Folder>) -> Result<Self, StoreError> {
        let Some(mut folder) = folder else {
            return Ok(Self {
                records,
                kept: None,
                before: 0,
            });
        };
        let mut journal = None;
        let mut costs = None;
        if R::KEEPING.journal_stays || !records.is_whole() {
            let file = |name| folder.path().join(name);
            journal = Some(Journal::open(file(Journal::FILE), |record| {
                records.add(&record)
            })?);
            if R::KEEPING.has_costs {
                costs = Some(Journal::open(file(Journal::COSTS), |cost| {
                    records.add_cost(&cost)
                })?);
            }
        }
        if !records.is_whole() {
            folder.reopen()?;
        }
        let before = records.done();
        let kept = OpenFolder {
            folder,
            journal,
            costs,
            flushed_at: Instant::now(),
            flushed: before,
            is_behind: false,
        };
        Ok(Self {
            records,
            kept: Some(kept),
            before,
        })
    }

    /// Returns the results so far.
    pub fn records(&self) -> &R {
        &self.records
    }

    /// Returns the number of pieces done before this process began.
    pub fn before(&self) -> u64 {
        self.before
    }

    /// Returns the number of pieces on disk.
    pub fn kept(&self) -> u64 {
        self.kept.as_ref().map_or(0, |kept| kept.flushed)
    }

    /// Returns the folder, if there is one.
    pub fn folder(&self) -> Option<&Folder> {
        self.kept.as_ref().map(|kept| &kept.folder)
    }

    /// Lets workers do the jobs that `missing` lists, and records the results that they hand in.
    /// This is repeated until the series is complete, because a test may need more jobs after each
    /// round, or until a stop is requested. `watch` receives the series after each record, together
    /// with the record, and many times a second without one.
    ///
    /// # Errors
    /// Returns the first error that a worker hands in, and an error if the folder can't be written.
    /// Results handed in before are kept.
    pub fn play<
        I: IntoIterator<IntoIter: Send, Item: Send>,
        W: Default,
        E: From<ThreadsError> + From<StoreError> + Send,
    >(
        &mut self,
        workers: Workers<'_>,
        missing: impl Fn(&R) -> I,
        work: impl Fn(&mut W, I::Item, &ResultSender<'_, Result<(R::Record, R::Cost), E>>) + Sync,
        mut watch: impl FnMut(&Self, Option<&R::Record>),
    ) -> Result<Ending, E> {
        loop {
            let jobs = missing(&self.records).into_iter();
            let played = workers.run::<_, _, _, E>(jobs, W::default, &work, |handed_in| {
                if let Some(done) = handed_in {
                    let (record, cost) = done?;
                    self.keep(&record, &cost)?;
                    watch(self, Some(&record));
                } else {
                    self.flush_in_time()?;
                    watch(self, None);
                }
                Ok(ControlFlow::Continue(()))
            });
            self.flush()?;
            watch(self, None);
            played?;
            if self.records.is_whole() {
                return Ok(Ending::Finished);
            }
            if workers.stop.load(Ordering::Relaxed) {
                return Ok(Ending::Stopped);
            }
        }
    }

    /// Adds the result and the cost of a piece of work. Both are on disk soon afterwards.
    ///
    /// # Errors
    /// Returns an error if the folder can't be written.
    ///
    /// # Panics
    /// Panics if the record belongs to another series.
    pub fn keep(&mut self, record: &R::Record, cost: &R::Cost) -> Result<(), StoreError> {
        self.records
            .add(record)
            .expect("work that is missing is done once");
        if let Some(kept) = &mut self.kept {
            kept.is_behind = true;
            // The cost is flushed first, so that no record is on disk without its cost: a journal
            // whose buffer is full writes records before the next flush.
            if let Some(costs) = &mut kept.costs {
                costs.append(cost)?;
                costs.flush()?;
            }
            if let Some(journal) = &mut kept.journal {
                journal.append(record)?;
            }
        }
        if R::KEEPING.has_costs {
            self.records.add_cost(cost).expect("clocks give durations");
        }
        self.flush_in_time()
    }

    fn flush_in_time(&mut self) -> Result<(), StoreError> {
        match &self.kept {
            Some(kept) if kept.is_behind && kept.flushed_at.elapsed() >= BETWEEN_RECORDS => {
                self.flush()
            }
            _ => Ok(()),
        }
    }

    /// Passes all buffered records to the operating system.
    ///
    /// # Errors
    /// Returns an error if the journal can't be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        if let Some(journal) = &mut kept.journal {
            journal.flush()?;
        }
        kept.flushed_at = Instant::now();
        kept.flushed = self.records.done();
        kept.is_behind = false;
        Ok(())
    }

    /// Writes the results of a complete series into its folder, if it has one, and seals it. The
    /// files are identical however the series was interrupted.
    ///
    /// # Errors
    /// Returns an error if the folder can't be written, and [`StoreError::Stopped`] if `stop` was
    /// set.
    ///
    /// # Panics
    /// Panics if work is missing.
    pub fn seal(&mut self, files: &[(&str, Vec<u8>)], stop: &AtomicBool) -> Result<(), StoreError> {
        assert!(self.records.is_whole(), "work is missing");
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        if R::KEEPING.journal_stays
            && let Some(journal) = &mut kept.journal
        {
            journal.replace(self.records.in_order())?;
        }
        for (name, contents) in files {
            kept.folder.write(name, contents)?;
        }
        if !R::KEEPING.journal_stays {
            kept.journal = None;
            kept.costs = None;
            for name in [Journal::FILE, Journal::COSTS] {
                remove_file(&kept.folder.path().join(name))?;
            }
        }
        kept.folder.finish(&self.records.result(), stop)
    }
}
