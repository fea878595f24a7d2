//! Budgets: how long a search may run.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::clock::{Clock, thread_time};

/// Limits of a search, which ends at the first limit reached. A search without any limit would not
/// end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Budget {
    /// The maximum number of nodes in memory, including the nodes of a tree kept from an earlier
    /// search.
    pub nodes: Option<u64>,
    pub playouts: Option<u64>,
    /// The maximum CPU time of this thread. With this limit, results depend on the machine.
    pub time: Option<Duration>,
    pub stop: Stop,
}

/// A flag that ends a search early when it is set. Budgets with the same limits are equal whatever
/// their flags.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop(pub Option<&'static AtomicBool>);

impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The number of playouts between two readings of the clock. One reading costs about a tenth of a
/// playout.
const CLOCK_EVERY: u64 = 8;

impl Budget {
    const UNLIMITED: Self = Self {
        nodes: None,
        playouts: None,
        time: None,
        stop: Stop(None),
    };

    /// Returns a budget limited by nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::UNLIMITED
        }
    }

    /// Returns a budget limited by playouts.
    pub const fn playouts(playouts: u64) -> Self {
        Self {
            playouts: Some(playouts),
            ..Self::UNLIMITED
        }
    }

    /// Returns a budget limited by CPU time.
    pub const fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::UNLIMITED
        }
    }

    /// Returns whether the budget has any limit.
    pub const fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.playouts.is_some() || self.time.is_some()
    }

    /// Returns the share of this budget for one of `parts` searches: at least one node and one
    /// playout if these are limited.
    pub fn part(&self, parts: f64) -> Self {
        let share = |limit: u64| ((limit as f64 / parts).round() as u64).max(1);
        Self {
            nodes: self.nodes.map(share),
            playouts: self.playouts.map(share),
            time: self.time.map(|time| time.div_f64(parts)),
            ..*self
        }
    }

    /// Returns this budget with the limit of nodes raised by `nodes`, the number of nodes that the
    /// tree already has.
    pub(super) fn beyond(self, nodes: u64) -> Self {
        Self {
            nodes: self.nodes.map(|limit| limit + nodes),
            ..self
        }
    }
}

/// The budget consumed so far, by a search or by a caller that counts its own playouts.
pub struct Spending {
    budget: Budget,
    clock: Clock,
    begun: Option<Duration>,
    playouts: u64,
}

impl Spending {
    /// Creates the counter, and starts the clock if time is limited.
    pub fn new(budget: Budget) -> Self {
        Self::by(thread_time, budget)
    }

    /// Creates the counter as [`Self::new`] does, but with this clock for the limit of time.
    pub fn by(clock: Clock, budget: Budget) -> Self {
        Self {
            budget,
            clock,
            begun: budget.time.map(|_| clock()),
            playouts: 0,
        }
    }

    /// Returns the budget.
    pub fn limit(&self) -> Budget {
        self.budget
    }

    /// Returns whether the limit of playouts or of time is reached.
    pub fn is_over(&self) -> bool {
        let times = self.elapsed().zip(self.budget.time);
        self.left() == 0 || times.is_some_and(|(spent, limit)| spent >= limit)
    }

    /// Counts more playouts.
    pub fn add_playouts(&mut self, playouts: u64) {
        self.playouts += playouts;
    }

    /// Returns the number of playouts counted so far.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Returns the number of playouts that the limit leaves.
    fn left(&self) -> u64 {
        let limit = self.budget.playouts.unwrap_or(u64::MAX);
        limit.saturating_sub(self.playouts)
    }

    /// Returns the CPU time used so far, if time is limited.
    pub fn elapsed(&self) -> Option<Duration> {
        self.begun.map(|begun| (self.clock)().saturating_sub(begun))
    }

    /// Counts one more playout if the budget allows another playout with `nodes` nodes in memory.
    /// Returns whether the budget allows it.
    pub(super) fn go_on(&mut self, nodes: u64) -> bool {
        let in_time = || {
            let is_due = self.playouts.is_multiple_of(CLOCK_EVERY);
            !is_due
                || self
                    .budget
                    .time
                    .is_none_or(|time| self.elapsed() < Some(time))
        };
        let is_stopped = |stop: &AtomicBool| stop.load(Ordering::Relaxed);
        let allowed = !self.budget.stop.0.is_some_and(is_stopped)
            && self.budget.nodes.is_none_or(|limit| nodes < limit)
            && self.left() > 0
            && in_time();
        self.playouts += u64::from(allowed);
        allowed
    }
}
