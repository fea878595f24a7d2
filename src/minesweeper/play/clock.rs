//! The clock of a game: counts while the game is played.

use std::time::Duration;

/// A stop watch that gets the time from its caller, counted from whenever the caller likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Counted before the clock was last started.
    counted: Duration,
    started: Option<Duration>,
}

impl Clock {
    /// A clock that stands at `counted`.
    pub fn at(counted: Duration) -> Self {
        Self { counted, started: None }
    }

    /// Goes on, if it stands.
    pub fn start(&mut self, now: Duration) {
        self.started.get_or_insert(now);
    }

    /// Stands still, if it goes.
    pub fn stop(&mut self, now: Duration) {
        *self = Self::at(self.read(now));
    }

    /// What it shows.
    pub fn read(&self, now: Duration) -> Duration {
        self.counted + self.started.map_or(Duration::ZERO, |started| now.saturating_sub(started))
    }
}
