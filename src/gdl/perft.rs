//! Counts of lines of play (perft), which serve to compare rule sheets with published figures.

use super::engine::{GameEngine, NetEngine};
use super::error::SheetError;
use super::propnet::Propnet;

/// The quantity that is counted, with its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PerftCount {
    /// Lines of exactly this many joint moves.
    Lines { depth: usize },
    /// Games that end after at most this many joint moves.
    Games { depth: usize },
}

impl PerftCount {
    const fn depth(self) -> usize {
        let (Self::Lines { depth } | Self::Games { depth }) = self;
        depth
    }

    /// Returns the count to make from each state that one joint move leads to.
    const fn after_a_move(self) -> Self {
        match self {
            Self::Lines { depth } => Self::Lines { depth: depth - 1 },
            Self::Games { depth } => Self::Games { depth: depth - 1 },
        }
    }
}

/// Counts lines of play from the initial state. From each state, every combination of legal actions
/// of all roles continues a different line.
pub fn perft(net: &Propnet, count: PerftCount) -> u64 {
    perft_by(&mut NetEngine::new(net), count).expect("a network has no faults")
}

/// Counts lines of play from the initial state with any engine; see [`perft`].
///
/// # Errors
/// Returns an error for a fault of the engine.
pub fn perft_by(engine: &mut dyn GameEngine, count: PerftCount) -> Result<u64, SheetError> {
    let initial = engine.initial();
    engine.look_at(&initial);
    let found = from_here(engine, count);
    engine.fault().map_or(Ok(found), Err)
}

fn from_here(engine: &mut dyn GameEngine, count: PerftCount) -> u64 {
    let lines = matches!(count, PerftCount::Lines { .. });
    if engine.is_terminal() {
        return u64::from(count.depth() == 0 || !lines);
    }
    if count.depth() == 0 {
        return u64::from(lines);
    }
    let mut joints = vec![Vec::new()];
    let mut legal = Vec::new();
    for role in 0..engine.roles() {
        engine.legal(role, &mut legal);
        let longer = |joint: &Vec<usize>| -> Vec<_> {
            legal
                .iter()
                .map(|&action| [joint.as_slice(), &[action]].concat())
                .collect()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    if count == (PerftCount::Lines { depth: 1 }) {
        return joints.len() as u64;
    }
    let state = engine.state();
    let mut sum = 0;
    for joint in joints {
        engine.look_at(&state);
        engine.step(&joint);
        sum += from_here(engine, count.after_a_move());
    }
    sum
}
