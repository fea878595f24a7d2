//! The processor time of a thread, by which searches and solvers limit themselves.

#[cfg(any(unix, windows))]
pub use cpu_time::ThreadTime;
#[cfg(not(any(unix, windows)))]
pub use elsewhere::{ThreadTime, set_clock};

/// A system without threads that have a clock, such as a web page.
#[cfg(not(any(unix, windows)))]
mod elsewhere {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the process, from any fixed time on. The first call counts; without one no time passes.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A time of the clock.
    #[derive(Clone, Copy, Debug)]
    pub struct ThreadTime(Duration);

    impl ThreadTime {
        /// The time now.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}
