//! A series: much work of one kind, each piece recorded when it is done, so that an interrupted series resumes.
//!
//! ```text
//! DIR/manifest.json, lock   as of every folder
//!     journal.jsonl         a line for each record; in one order once the series is whole
//!     cost.jsonl            what each record took, where that is kept
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::jobs::{Ending, ResultSender, StopSignal, ThreadsError, Workers};
use mineflow_store::{Folder, Journal, StoreError, remove_file};

/// How often records are handed to the operating system: no more than this is lost when the process is killed.
pub(super) const BETWEEN_RECORDS: Duration = Duration::from_millis(500);

/// How the folder of a series keeps what is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// What is counted, as the result of the finished folder names it.
    pub things: &'static str,
    pub has_costs: bool,
    /// Whether the journal stays in the finished folder. Where it doesn't, tables there hold all records.
    pub journal_stays: bool,
}

/// What is done of a series.
pub trait Records {
    /// What came of some work. Says nothing of time.
    type Record: Serialize + DeserializeOwned + Send + Sync;
    /// What that work took. It is another thing every time, so that a file of its own has it.
    type Cost: Serialize + DeserializeOwned + Send;
    const KEEPING: Keeping;

    /// Takes in a record.
    ///
    /// # Errors
    /// In words why it can't be one of this series.
    fn add(&mut self, record: &Self::Record) -> Result<(), String>;

    /// Takes in what some work took.
    ///
    /// # Errors
    /// As [`Records::add`].
    fn add_cost(&mut self, cost: &Self::Cost) -> Result<(), String>;

    /// How many things are done.
    fn done(&self) -> u64;

    /// How many there are to do, as far as is known.
    fn planned(&self) -> u64;

    /// All records of a whole series in one order, the same however it was done.
    fn in_order(&self) -> impl Iterator<Item = Self::Record>;

    /// What the manifest of the finished folder says of the series.
    fn result(&self) -> Value {
        json!({ Self::KEEPING.things: self.planned() })
    }

    /// How many there can be at most, where a rule may end the series early or make it longer.
    fn most(&self) -> u64 {
        self.planned()
    }

    /// Whether everything is done.
    fn is_whole(&self) -> bool {
        self.done() == self.planned()
    }
}

/// A series under way, in memory or in a folder.
pub struct Series<R: Records> {
    records: R,
    kept: Option<OpenFolder>,
    /// Done before this process began.
    before: u64,
}

/// Where records are kept.
struct OpenFolder {
    folder: Folder,
    journal: Option<Journal>,
    costs: Option<Journal>,
    /// When everything was last handed to the operating system, how much was done then, and whether more is since.
    flushed_at: Instant,
    flushed: u64,
    is_behind: bool,
}

impl<R: Records> Series<R> {
    /// A series that has these records, and those of the journal of its folder. Without a folder all is kept in memory alone.
    ///
    /// # Errors
    /// A journal that is not of this series, and files that can't be read or written.
    pub fn open(mut records: R, folder: Option<Folder>) -> Result<Self, StoreError> {
        let Some(mut folder) = folder else {
            return Ok(Self {
                records,
                kept: None,
                before: 0,
            });
        };
        let (mut journal, mut costs) = (None, None);
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

    /// What is done.
    pub fn records(&self) -> &R {
        &self.records
    }

    /// How much was done before this process began.
    pub fn before(&self) -> u64 {
        self.before
    }

    /// How much is on disk.
    pub fn kept(&self) -> u64 {
        self.kept.as_ref().map_or(0, |kept| kept.flushed)
    }

    /// Where it is kept.
    pub fn folder(&self) -> Option<&Folder> {
        self.kept.as_ref().map(|kept| &kept.folder)
    }

    /// Has workers do the jobs that are `missing`, and keeps what they hand in; then, as those of a round may not be all that a test
    /// needs, the next ones, until the series is whole or soon after it is asked to stop. `watch` sees the series after each record, with
    /// that, and many times a second without one.
    ///
    /// # Errors
    /// What a worker hands in, and a folder that can't be written; what was handed in before is kept.
    pub fn play<
        I: IntoIterator<IntoIter: Send, Item: Send>,
        W: Default,
        E: From<ThreadsError> + From<StoreError> + Send,
    >(
        &mut self,
        workers: Workers<'_>,
        missing: impl Fn(&R) -> I,
        work: impl Fn(&mut W, I::Item, &ResultSender<Result<(R::Record, R::Cost), E>>, &StopSignal<'_>)
        + Sync,
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

    /// Takes in what some work came to and took; it is on disk soon after.
    ///
    /// # Errors
    /// If the folder can't be written.
    ///
    /// # Panics
    /// If it is of another series.
    pub fn keep(&mut self, record: &R::Record, cost: &R::Cost) -> Result<(), StoreError> {
        self.records
            .add(record)
            .expect("work that is missing is done once");
        if let Some(OpenFolder {
            journal,
            costs,
            is_behind,
            ..
        }) = &mut self.kept
        {
            *is_behind = true;
            // Its cost first, as a journal whose buffer is full doesn't wait to be flushed.
            costs
                .iter_mut()
                .try_for_each(|costs| costs.append(cost).and_then(|()| costs.flush()))?;
            journal
                .iter_mut()
                .try_for_each(|journal| journal.append(record))?;
        }
        if R::KEEPING.has_costs {
            self.records.add_cost(cost).expect("clocks give durations");
        }
        self.flush_in_time()
    }

    fn flush_in_time(&mut self) -> Result<(), StoreError> {
        let is_due =
            |kept: &OpenFolder| kept.is_behind && kept.flushed_at.elapsed() >= BETWEEN_RECORDS;
        if self.kept.as_ref().is_some_and(is_due) {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        kept.journal.iter_mut().try_for_each(Journal::flush)?;
        (kept.flushed_at, kept.flushed, kept.is_behind) =
            (Instant::now(), self.records.done(), false);
        Ok(())
    }

    /// Writes the results of a whole series into its folder, if it has one, and seals it. The same series leaves the same bytes however it was
    /// interrupted.
    ///
    /// # Errors
    /// If the folder can't be written, and [`StoreError::Stopped`].
    ///
    /// # Panics
    /// If work is missing.
    pub fn seal(&mut self, files: &[(&str, Vec<u8>)], stop: &AtomicBool) -> Result<(), StoreError> {
        assert!(self.records.is_whole(), "work is missing");
        let Some(OpenFolder {
            folder,
            journal,
            costs,
            ..
        }) = &mut self.kept
        else {
            return Ok(());
        };
        if R::KEEPING.journal_stays {
            journal
                .iter_mut()
                .try_for_each(|journal| journal.replace(self.records.in_order()))?;
        }
        files
            .iter()
            .try_for_each(|(name, contents)| folder.write(name, contents))?;
        if !R::KEEPING.journal_stays {
            (*journal, *costs) = (None, None);
            [Journal::FILE, Journal::COSTS]
                .iter()
                .try_for_each(|name| remove_file(&folder.path().join(name)))?;
        }
        folder.finish(&self.records.result(), stop)
    }
}
