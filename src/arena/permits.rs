//! How many workers are at work at once where several pieces of work share the threads: those that come first go first.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How soon a worker that waits sees that it needn't any more.
const TICK: Duration = Duration::from_millis(50);

/// A number of permits to work.
#[derive(Debug)]
pub struct Permits {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// How many wait, by their place.
    waiting: BTreeMap<usize, usize>,
}

/// Permits of a stage at work; given back when this is dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    permits: &'a Permits,
    count: usize,
}

/// The permits of one piece of work, and its place: the lower, the sooner it gets them.
#[derive(Clone, Debug)]
pub struct Turn {
    pub permits: Arc<Permits>,
    pub place: usize,
}

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

impl Permits {
    /// With this many, at least 1.
    pub fn new(count: usize) -> Self {
        Self { state: Mutex::new(State { free: count, waiting: BTreeMap::new() }), moved: Condvar::new() }
    }

    /// Waits for `count` permits while no stage of a lower place waits; `None` if `over` says so first.
    pub fn acquire(&self, count: usize, place: usize, over: impl Fn() -> bool) -> Option<Permit<'_>> {
        let mut state = self.lock();
        *state.waiting.entry(place).or_default() += 1;
        let is_first = |state: &State| state.waiting.keys().next() == Some(&place);
        while !over() && (state.free < count || !is_first(&state)) {
            state = self.moved.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let waiting = state.waiting.entry(place).or_default();
        *waiting -= 1;
        if *waiting == 0 {
            state.waiting.remove(&place);
        }
        let got = !over() && state.free >= count;
        if got {
            state.free -= count;
        }
        drop(state);
        self.moved.notify_all();
        // Made only if it was got: dropping one gives its permits back.
        got.then(|| Permit { permits: self, count })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.permits.lock().free += self.count;
        self.permits.moved.notify_all();
    }
}

impl Turn {
    /// Does work on this thread whose workers take permits for each job.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> T {
        let before = TURN.replace(Some(self));
        let done = work();
        TURN.replace(before);
        done
    }

    /// The turn of the work that this thread does, if it shares its threads.
    pub(super) fn current() -> Option<Self> {
        TURN.with_borrow(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_are_at_work_than_there_are_permits() {
        let (permits, at_work, most) = (Permits::new(3), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for place in 0..8 {
                let (permits, at_work, most) = (&permits, &at_work, &most);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let count = 1 + place % 2;
                        let _permit = permits.acquire(count, place, || false).unwrap();
                        most.fetch_max(at_work.fetch_add(count, Ordering::SeqCst) + count, Ordering::SeqCst);
                        std::thread::yield_now();
                        at_work.fetch_sub(count, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!((2..=3).contains(&most.load(Ordering::SeqCst)), "{most:?}");
        assert_eq!(permits.lock().free, 3);
    }

    #[test]
    fn who_comes_first_goes_first_and_who_is_told_to_stop_waits_no_longer() {
        let permits = Permits::new(1);
        let held = permits.acquire(1, 5, || false).unwrap();
        assert!(permits.acquire(1, 0, || true).is_none());
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for place in [2, 1, 0] {
                let (permits, order) = (&permits, &order);
                scope.spawn(move || {
                    let _permit = permits.acquire(1, place, || false).unwrap();
                    order.lock().unwrap().push(place);
                });
                while !permits.lock().waiting.contains_key(&place) {
                    std::thread::yield_now();
                }
            }
            drop(held);
        });
        assert_eq!(*order.lock().unwrap(), [0, 1, 2]);
    }
}
