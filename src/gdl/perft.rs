//! Counting lines of play, by which rule sheets are compared with published figures.

use super::propnet::{Machine, Propnet};

/// What is counted.
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

    /// What is counted one joint move further on.
    const fn after_a_move(self) -> Self {
        match self {
            Self::Lines { depth } => Self::Lines { depth: depth - 1 },
            Self::Games { depth } => Self::Games { depth: depth - 1 },
        }
    }
}

/// Counts lines of play from the initial state, each combination of legal actions of all roles a branch of its own.
pub fn perft(net: &Propnet, count: PerftCount) -> u64 {
    from_here(net, &mut Machine::new(net), count)
}

fn from_here(net: &Propnet, machine: &mut Machine<'_>, count: PerftCount) -> u64 {
    let lines = matches!(count, PerftCount::Lines { .. });
    if machine.is_terminal() {
        return u64::from(count.depth() == 0 || !lines);
    }
    if count.depth() == 0 {
        return u64::from(lines);
    }
    let mut joints = vec![Vec::new()];
    for role in 0..net.roles() {
        let legal: Vec<_> = machine.legal(role).collect();
        let longer = |joint: &Vec<usize>| -> Vec<_> {
            legal.iter().map(|&action| [joint.as_slice(), &[action]].concat()).collect()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    if count == (PerftCount::Lines { depth: 1 }) {
        return joints.len() as u64;
    }
    let state = machine.state();
    let mut sum = 0;
    for joint in joints {
        machine.look_at(&state);
        machine.step(&joint);
        sum += from_here(net, machine, count.after_a_move());
    }
    sum
}
