//! Many jobs on several threads: results in order or as they come, a stop when it is asked for, a look at how far it is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the taker is called though nothing came, and how soon a request to stop is seen.
const TICK: Duration = Duration::from_millis(50);
/// In order, a worker this many jobs ahead of the oldest unfinished one waits for it; bounds memory.
const WINDOW: u64 = 512;

/// Who works, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// Number of threads, at least 1. Results don't depend on it.
    pub threads: usize,
    /// Once it is set, jobs under way are the last ones.
    pub stop: &'a AtomicBool,
}

/// Whether everything is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every job is done, or the taker has enough.
    Finished,
    /// It was asked to stop; everything taken is kept.
    Stopped,
}

/// The threads can't be started.
#[derive(Debug, thiserror::Error)]
#[error("can't start {0} threads")]
pub struct ThreadsError(usize, #[source] rayon::ThreadPoolBuildError);

/// Where a worker hands in results.
pub struct ResultSender<R> {
    sender: mpsc::Sender<R>,
}

impl<R> ResultSender<R> {
    /// Hands in a result.
    pub fn hand_in(&self, result: R) {
        // Nobody takes it any more once there is an error or enough.
        let _ = self.sender.send(result);
    }
}

impl Workers<'_> {
    /// Works through `jobs`. Each thread makes itself a state with `make`; `work` does one job and may hand in any number of
    /// results. `take` gets them on the calling thread as they come, and `None` now and then.
    ///
    /// # Errors
    /// What `take` gives, and threads that can't be started.
    pub fn run<J: Send, W, R: Send, E: From<ThreadsError>>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        make: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J, &ResultSender<R>, &StopSignal<'_>) + Sync,
        mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Ending, E> {
        let threads = self.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ThreadsError(threads, error))?;
        let enough = AtomicBool::new(false);
        let over = StopSignal {
            stop: self.stop,
            enough: &enough,
        };
        let jobs = Mutex::new(jobs.fuse());
        let stopped = AtomicBool::new(false);
        let (sender, receiver) = mpsc::channel();
        let at_work = |sender: &mpsc::Sender<R>| {
            let results = ResultSender {
                sender: sender.clone(),
            };
            let mut state = make();
            loop {
                // Asked before the next job is taken, so that no job is lost unnoticed.
                if over.is_over() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let Some(job) = lock(&jobs).next() else {
                    return;
                };
                work(&mut state, job, &results, &over);
            }
        };
        let at_work = &at_work;
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, _| at_work(&sender));
            let mut looked = Instant::now();
            let ended = loop {
                let taken = match receiver.recv_timeout(TICK) {
                    Ok(result) => take(Some(result)),
                    Err(RecvTimeoutError::Timeout) => Ok(ControlFlow::Continue(())),
                    Err(RecvTimeoutError::Disconnected) => {
                        let is_stopped =
                            stopped.load(Ordering::Relaxed) && lock(&jobs).next().is_some();
                        break Ok(if is_stopped {
                            Ending::Stopped
                        } else {
                            Ending::Finished
                        });
                    }
                };
                let taken = match taken {
                    Ok(ControlFlow::Continue(())) if looked.elapsed() >= TICK => {
                        looked = Instant::now();
                        take(None)
                    }
                    taken => taken,
                };
                match taken {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => break Ok(Ending::Finished),
                    Err(error) => break Err(error),
                }
            };
            enough.store(true, Ordering::Relaxed);
            ended
        })
    }

    /// As [`Workers::run`], with one result a job, taken in the order of the jobs.
    ///
    /// # Errors
    /// As [`Workers::run`].
    pub fn run_in_order<J: Send, W, R: Send, E: From<ThreadsError>>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        make: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J) -> R + Sync,
        mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Ending, E> {
        let (taken, moved) = (Mutex::new(0_u64), Condvar::new());
        let mut early = BTreeMap::new();
        let work = |state: &mut W,
                    (index, job),
                    results: &ResultSender<(u64, R)>,
                    over: &StopSignal<'_>| {
            let mut done = lock(&taken);
            while index >= *done + WINDOW && !over.is_over() {
                done = moved
                    .wait_timeout(done, TICK)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            drop(done);
            results.hand_in((index, work(state, job)));
        };
        self.run((0..).zip(jobs), make, work, |result| {
            let Some((index, result)) = result else {
                return take(None);
            };
            early.insert(index, result);
            let mut next = *lock(&taken);
            while let Some(result) = early.remove(&next) {
                next += 1;
                *lock(&taken) = next;
                moved.notify_all();
                if take(Some(result))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// Whether workers are to end their job early.
pub struct StopSignal<'a> {
    stop: &'a AtomicBool,
    enough: &'a AtomicBool,
}

impl StopSignal<'_> {
    /// Whether it was asked to stop, or there is enough.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
