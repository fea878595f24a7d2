//! How much work a solver may spend on a game.

use std::time::Duration;

use mineflow_search::ThreadTime;

/// Nodes between two looks at the clock.
const NODES_PER_CLOCK: u64 = 1024;

/// Bytes that the counting of one position may take unless [`Budget::with_memory_limit`] says otherwise. With what the program
/// and the allocator take besides, it stays below 320 MB.
pub const DEFAULT_MEMORY_LIMIT: usize = 224 << 20;

/// The nodes, the processor time and the memory that one game may cost. A node is one step of a search tree, one state of a
/// counting, or 64 products of its numbers. Time is that of the thread which made the budget, so that other work on the machine costs the game nothing.
///
/// A limit on nodes or memory gives the same result on every machine; a time limit does not.
#[derive(Clone, Debug)]
pub struct Budget {
    spent: u64,
    node_limit: u64,
    memory_limit: usize,
    next_clock: u64,
    clock: Option<(ThreadTime, Duration)>,
}

/// A [`Budget`] that is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Exhausted {
    #[error("the limit of {0} nodes is reached")]
    Nodes(u64),
    #[error("the limit of {0:?} is reached")]
    Time(Duration),
}

impl Budget {
    /// A budget of this many nodes and this much time from now on; `None` is without limit. [`DEFAULT_MEMORY_LIMIT`] holds.
    pub fn new(node_limit: Option<u64>, time_limit: Option<Duration>) -> Self {
        Self {
            spent: 0,
            node_limit: node_limit.unwrap_or(u64::MAX),
            memory_limit: DEFAULT_MEMORY_LIMIT,
            next_clock: if time_limit.is_some() {
                NODES_PER_CLOCK
            } else {
                u64::MAX
            },
            clock: time_limit.map(|limit| (ThreadTime::now(), limit)),
        }
    }

    /// A budget that never ends; [`DEFAULT_MEMORY_LIMIT`] holds.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// The same budget, but for the memory that the counting of one position may take.
    #[must_use]
    pub fn with_memory_limit(self, bytes: usize) -> Self {
        Self {
            memory_limit: bytes,
            ..self
        }
    }

    /// Bytes that the counting of one position may take.
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// Takes `nodes` nodes out of the budget; an error if they are not there or the time is up.
    ///
    /// # Errors
    /// A limit is reached.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> Result<(), Exhausted> {
        self.spent += nodes;
        if self.spent >= self.next_clock {
            self.next_clock = self.spent + NODES_PER_CLOCK;
            self.check_clock()?;
        }
        if self.spent > self.node_limit {
            Err(Exhausted::Nodes(self.node_limit))
        } else {
            Ok(())
        }
    }

    /// An error if the time is up, whatever was spent; for callers whose steps are far apart.
    ///
    /// # Errors
    /// The time is up.
    #[cold]
    pub fn check_clock(&self) -> Result<(), Exhausted> {
        match self.clock {
            Some((start, limit)) if start.elapsed() >= limit => Err(Exhausted::Time(limit)),
            _ => Ok(()),
        }
    }

    /// Nodes spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}
