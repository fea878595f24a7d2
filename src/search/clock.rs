//! The CPU time of a thread, with which searches and solvers limit their running time.

use std::time::Duration;

#[cfg(any(unix, windows))]
pub use cpu_time::ThreadTime;
#[cfg(not(any(unix, windows)))]
pub use elsewhere::{ThreadTime, set_clock};

/// A clock: returns the time since an arbitrary fixed moment. A test may pass one of its own.
pub type Clock = fn() -> Duration;

/// Returns the CPU time of this thread.
pub fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// A time on a clock at which a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    clock: Clock,
    end: Duration,
}

impl Deadline {
    /// Returns the deadline that is `time` from now on the clock.
    pub fn after(time: Duration, clock: Clock) -> Self {
        Self {
            clock,
            end: clock().saturating_add(time),
        }
    }

    /// Reads the clock, and returns whether the deadline has passed.
    pub fn is_over(&self) -> bool {
        (self.clock)() >= self.end
    }
}

/// A replacement on systems without thread clocks, such as a web page.
#[cfg(not(any(unix, windows)))]
mod elsewhere {
    use std::{sync::OnceLock, time::Duration};

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the process, which counts from an arbitrary fixed time. Only the first
    /// call has an effect. Until a clock is set, the time stays 0.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A time read from the clock.
    #[derive(Clone, Copy, Debug)]
    pub struct ThreadTime(Duration);

    impl ThreadTime {
        /// Returns the current time.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// Returns this reading of the clock.
        pub fn as_duration(&self) -> Duration {
            self.0
        }

        /// Returns the time that has passed since this reading.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}
