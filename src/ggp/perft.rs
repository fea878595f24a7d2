//! Counting lines of play, by which rule sheets are compared with published figures.

use super::propnet::{Machine, Propnet};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Lines of exactly so many joint moves.
    Lines { depth: usize },
    /// Games that end after at most so many joint moves.
    Games { depth: usize },
}

/// Counts lines of play from the initial state, each combination of legal actions of all roles a branch of its own.
pub fn perft(net: &Propnet, count: Count) -> u64 {
    let mut machine = Machine::new(net);
    let (depth, lines) = match count {
        Count::Lines { depth } => (depth, true),
        Count::Games { depth } => (depth, false),
    };
    below(net, &mut machine, depth, lines)
}

fn below(net: &Propnet, machine: &mut Machine<'_>, depth: usize, lines: bool) -> u64 {
    if machine.is_terminal() {
        return u64::from(depth == 0 || !lines);
    }
    if depth == 0 {
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
    if lines && depth == 1 {
        return joints.len() as u64;
    }
    let state = machine.state();
    let mut sum = 0;
    for joint in joints {
        machine.look_at(&state);
        machine.step(&joint);
        sum += below(net, machine, depth - 1, lines);
    }
    sum
}
