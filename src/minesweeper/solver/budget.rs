//! The amount of work that a solver may spend on a game.

use std::time::Duration;

use mineflow_search::ThreadTime;

/// Number of nodes between two checks of the clock.
const NODES_PER_CLOCK: u64 = 1024;

/// Default limit on the bytes for counting one position; [`Budget::with_memory_limit`] overrides
/// it. The memory of the program and the overhead of the allocator are not included.
pub const DEFAULT_MEMORY_LIMIT: usize = 224 << 20;

/// The nodes, CPU time and memory that one game may cost. A node is one step of a search tree, one
/// state of a count by dynamic programming, or 64 multiplications in such a count. Time is the CPU
/// time of the thread that created the budget, so that other work on the machine is not charged to
/// the game.
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

/// The limit that a computation has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Exhausted {
    #[error("the limit of {0} nodes is reached")]
    Nodes(u64),
    #[error("the limit of {0:?} is reached")]
    Time(Duration),
}

impl Budget {
    /// Creates a budget of this many nodes and this much CPU time from now on; `None` means
    /// unlimited. The memory limit is [`DEFAULT_MEMORY_LIMIT`].
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

    /// Creates a budget without a limit on nodes and time. The memory limit is
    /// [`DEFAULT_MEMORY_LIMIT`].
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// Returns the budget with another limit on the bytes for counting one position.
    #[must_use]
    pub fn with_memory_limit(self, bytes: usize) -> Self {
        Self {
            memory_limit: bytes,
            ..self
        }
    }

    /// Returns the limit on the bytes for counting one position.
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// Spends `nodes` nodes.
    ///
    /// # Errors
    /// Returns an error if the node limit is exceeded or the time limit is reached.
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

    /// Checks the time limit, however few nodes were spent. Callers with long steps between calls
    /// of [`Budget::spend`] use it.
    ///
    /// # Errors
    /// Returns an error if the time is up.
    #[cold]
    pub fn check_clock(&self) -> Result<(), Exhausted> {
        match self.clock {
            Some((start, limit)) if start.elapsed() >= limit => Err(Exhausted::Time(limit)),
            _ => Ok(()),
        }
    }

    /// Returns the number of nodes spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}
