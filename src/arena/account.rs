//! CPU time of one piece of work where several share a process: that of its own thread and of the workers that it starts.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;

/// Nanoseconds charged to all accounts together.
static ALL: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static CURRENT: RefCell<Option<CpuAccount>> = const { RefCell::new(None) };
}

/// The account of a piece of work.
#[derive(Clone, Default, Debug)]
pub struct CpuAccount(Arc<AtomicU64>);

/// The time of this thread goes to an account until this is dropped.
#[derive(Debug)]
pub struct Charge {
    account: CpuAccount,
    before: Option<CpuAccount>,
    since: ThreadTime,
}

impl CpuAccount {
    /// What was charged so far. A thread charges after each job, at least.
    pub fn charged(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    /// What was charged to all accounts of this process.
    pub fn charged_to_all() -> Duration {
        Duration::from_nanos(ALL.load(Ordering::Relaxed))
    }

    /// That of the work which this thread does.
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// From here on this thread works for it, and so do workers that it starts.
    pub fn charge(&self) -> Charge {
        let before = CURRENT.replace(Some(self.clone()));
        Charge { account: self.clone(), before, since: ThreadTime::now() }
    }
}

impl Charge {
    /// Charges what the thread took since the last time.
    pub fn note(&mut self) {
        let now = ThreadTime::now();
        let took = now.duration_since(self.since).as_nanos() as u64;
        self.since = now;
        self.account.0.fetch_add(took, Ordering::Relaxed);
        ALL.fetch_add(took, Ordering::Relaxed);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.note();
        CURRENT.set(self.before.take());
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{ThreadsError, Workers};

    const SOME: Duration = Duration::from_millis(20);

    fn work() {
        let clock = ThreadTime::now();
        while clock.elapsed() < SOME {}
    }

    #[test]
    fn workers_are_charged_to_who_started_them_and_to_nobody_else() {
        let (first, second) = (CpuAccount::default(), CpuAccount::default());
        let before = CpuAccount::charged_to_all();
        std::thread::scope(|scope| {
            for (account, jobs) in [(&first, 4), (&second, 0)] {
                scope.spawn(move || {
                    let _charge = account.charge();
                    let workers = Workers { threads: 2, stop: &AtomicBool::new(false) };
                    let take = |_: Option<()>| Ok::<_, ThreadsError>(ControlFlow::Continue(()));
                    workers.run(0..jobs, || (), |(), _, _, _| work(), take).unwrap();
                });
            }
        });
        assert!(first.charged() >= 4 * SOME, "{first:?}");
        assert!(second.charged() > Duration::ZERO && second.charged() < SOME, "{second:?}");
        assert!(CpuAccount::charged_to_all() - before >= first.charged() + second.charged());
        work();
        assert!(CpuAccount::current().is_none() && first.charged() < 5 * SOME, "{first:?}");
    }
}
