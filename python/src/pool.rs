//! Runs work on several threads without Python's lock; no panic reaches Python.

use std::any::Any;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The maximum number of threads.
const MOST_THREADS: usize = 1024;

/// The thread pools of this process by number of threads. Threads don't survive a fork; a child process therefore creates its own pools.
static POOLS: Mutex<BTreeMap<(u32, usize), Arc<rayon::ThreadPool>>> = Mutex::new(BTreeMap::new());

/// Returns the pool of this process that has this number of threads.
fn pool(threads: usize) -> Result<Arc<rayon::ThreadPool>, rayon::ThreadPoolBuildError> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(pool.clone());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    Ok(pools.entry(key).or_insert(Arc::new(pool)).clone())
}

/// The number of threads: the requested number, or one per core. Results don't depend on it.
#[derive(Clone)]
pub struct Threads {
    asked: Option<usize>,
    count: usize,
}

impl Threads {
    pub fn new(asked: Option<usize>) -> PyResult<Self> {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let count = asked.unwrap_or_else(cores);
        if count == 0 || count > MOST_THREADS {
            return Err(PyValueError::new_err(format!(
                "threads: {count} is not a number from 1 to {MOST_THREADS}"
            )));
        }
        if count > 1 {
            pool(count).map_err(|error| {
                PyRuntimeError::new_err(format!("threads: can't start {count}: {error}"))
            })?;
        }
        Ok(Self { asked, count })
    }

    /// Returns the requested number of threads.
    pub fn asked(&self) -> Option<usize> {
        self.asked
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Calls `work` on every item, with a state that each thread keeps from item to item. An item should take at least microseconds, or
    /// consist of many parts.
    pub fn for_each<T: Send, S>(
        &self,
        items: Vec<T>,
        make: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, T) + Sync,
    ) {
        // The pool is looked up in each call, because this process may be a fork of the one that created it. If no pool can be created, one
        // thread does all the work.
        let pool = if self.count > 1 {
            pool(self.count).ok()
        } else {
            None
        };
        match pool {
            Some(pool) => {
                let left = Mutex::new(items.into_iter());
                pool.broadcast(|_| {
                    let mut state = make();
                    loop {
                        let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(item) = next else { return };
                        work(&mut state, item);
                    }
                });
            }
            None => {
                let mut state = make();
                items.into_iter().for_each(|item| work(&mut state, item));
            }
        }
    }
}

/// Idle objects that keep their memory from one piece of work to the next. A thread takes an object and returns it afterwards.
pub struct Rest<T>(Mutex<Vec<T>>);

impl<T> Default for Rest<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Rest<T> {
    /// Takes an idle object, or creates one with `make`.
    pub fn take(&self, make: impl FnOnce() -> T) -> Taken<'_, T> {
        let rested = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Taken {
            thing: Some(rested.unwrap_or_else(make)),
            rest: self,
        }
    }
}

/// An object taken from [`Rest`], which is returned when it is dropped.
pub struct Taken<'a, T> {
    thing: Option<T>,
    rest: &'a Rest<T>,
}

impl<T> Deref for Taken<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.thing
            .as_ref()
            .expect("it is there until it is put back")
    }
}

impl<T> DerefMut for Taken<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.thing
            .as_mut()
            .expect("it is there until it is put back")
    }
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        // After a panic in the middle of its work, an object is not used again.
        if let Some(thing) = self.thing.take().filter(|_| !thread::panicking()) {
            self.rest
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(thing);
        }
    }
}

/// Runs `work` without Python's lock; a panic in it becomes a `RuntimeError`.
pub fn detached<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| {
            let text = message(&*panic);
            PyRuntimeError::new_err(format!(
                "this is a bug in mineflow; please report it: {text}"
            ))
        })
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
