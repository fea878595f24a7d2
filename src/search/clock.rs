//! The CPU time of a thread, by which searches and solvers limit themselves.

#[cfg(any(unix, windows))]
pub use cpu_time::ThreadTime;
#[cfg(not(any(unix, windows)))]
pub use elsewhere::{ThreadTime, set_clock};

/// A replacement on systems without thread clocks, such as a web page.
#[cfg(not(any(unix, windows)))]
mod elsewhere {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the process, which counts from an arbitrary fixed time. Only the first call has an effect. Without a clock, no
    /// time passes.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A time read from the clock.
    #[derive(Clone, Copy, Debug)]
    pub struct ThreadTime(Duration);

    impl ThreadTime {
        /// The current time.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time that has passed since this one.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}
