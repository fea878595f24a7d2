//! Jobs on several threads: results in order or as they come, cooperative stopping, and progress.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use mineflow_store::lock;

/// The interval at which `take` is called without a result, and the longest time until a waiting
/// worker notices a stop request.
const TICK: Duration = Duration::from_millis(50);
/// The maximum number of jobs by which a worker of [`Workers::run_in_order`] may be ahead of the
/// oldest job without a result. Such a worker waits, which bounds memory.
const WINDOW: u64 = 512;

/// The number of threads and the stop flag.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// The number of threads, at least 1. Results don't depend on it.
    pub threads: usize,
    /// Once this flag is set, no new jobs are started; jobs in progress are finished.
    pub stop: &'a AtomicBool,
}

/// How [`Workers::run`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every job is done, or the caller of [`Workers::run`] has enough results.
    Finished,
    /// The stop flag was set. The results taken so far are kept.
    Stopped,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("can't start {0} threads")]
pub struct ThreadsError(usize, #[source] rayon::ThreadPoolBuildError);

/// The channel through which a worker hands in results and learns whether to end its job early.
pub struct ResultSender<'a, R> {
    sender: mpsc::Sender<R>,
    stop: &'a AtomicBool,
    enough: &'a AtomicBool,
}

impl<R> ResultSender<'_, R> {
    /// Hands in a result.
    pub fn hand_in(&self, result: R) {
        // Sending fails after an error or once there are enough results, because the receiver is
        // then dropped.
        let _ = self.sender.send(result);
    }

    /// Returns whether a stop was requested or there are enough results.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }
}

impl Workers<'_> {
    /// Runs `jobs`. Each thread creates its state with `make`. `work` does one job and may hand in
    /// any number of results. `take` receives the results on the calling thread as they arrive, and
    /// `None` at regular intervals.
    ///
    /// # Errors
    /// Returns the errors of `take`, and an error if the threads can't be started.
    pub fn run<J: Send, W, R: Send, E: From<ThreadsError>>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        make: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J, &ResultSender<'_, R>) + Sync,
        take: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Ending, E> {
        let threads = self.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ThreadsError(threads, error))?;
        let enough = AtomicBool::new(false);
        let stopped = AtomicBool::new(false);
        let jobs = Mutex::new(jobs.fuse());
        let (sender, receiver) = mpsc::channel();
        let at_work = |sender: &mpsc::Sender<R>| {
            let results = ResultSender {
                sender: sender.clone(),
                stop: self.stop,
                enough: &enough,
            };
            let mut state = make();
            loop {
                // This is checked before the next job is taken, so that a job that is not done
                // stays in the queue.
                if results.is_over() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let Some(job) = lock(&jobs).next() else {
                    return;
                };
                work(&mut state, job, &results);
            }
        };
        let at_work = &at_work;
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, _| at_work(&sender));
            let received = receive(&receiver, take);
            // A worker that waits to hand in a result must end.
            drop(receiver);
            enough.store(true, Ordering::Relaxed);
            let is_stopped = received?.is_continue()
                && stopped.load(Ordering::Relaxed)
                && lock(&jobs).next().is_some();
            Ok(if is_stopped {
                Ending::Stopped
            } else {
                Ending::Finished
            })
        })
    }

    /// Runs `jobs` as [`Workers::run`] does, but with one result per job, taken in the order of the
    /// jobs.
    ///
    /// # Errors
    /// Returns the errors of [`Workers::run`].
    pub fn run_in_order<J: Send, W, R: Send, E: From<ThreadsError>>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        make: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J) -> R + Sync,
        mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
    ) -> Result<Ending, E> {
        let taken = Mutex::new(0_u64);
        let moved = Condvar::new();
        let mut early = BTreeMap::new();
        let work = |state: &mut W, (index, job), results: &ResultSender<'_, (u64, R)>| {
            let mut done = lock(&taken);
            while index >= *done + WINDOW && !results.is_over() {
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

/// Passes the results of workers to `take`, and `None` at regular intervals. Breaks if `take` does.
fn receive<R, E>(
    receiver: &mpsc::Receiver<R>,
    mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
) -> Result<ControlFlow<()>, E> {
    let mut looked = Instant::now();
    loop {
        let mut taken = match receiver.recv_timeout(TICK) {
            Ok(result) => take(Some(result))?,
            Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            Err(RecvTimeoutError::Disconnected) => return Ok(ControlFlow::Continue(())),
        };
        if taken.is_continue() && looked.elapsed() >= TICK {
            looked = Instant::now();
            taken = take(None)?;
        }
        if taken.is_break() {
            return Ok(taken);
        }
    }
}
