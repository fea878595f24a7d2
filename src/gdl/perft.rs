//! Counts of lines of play (perft), which serve to compare rule sheets with published figures.

use super::{engine::GameEngine, error::SheetError};

/// Counts the lines of exactly `depth` joint moves from the initial state. From each state, every
/// combination of legal actions of all roles continues a different line.
///
/// # Errors
/// Returns an error for a fault of the engine.
pub fn perft(engine: &mut dyn GameEngine, depth: usize) -> Result<u64, SheetError> {
    let initial = engine.initial();
    engine.look_at(&initial);
    let found = from_here(engine, depth);
    engine.fault().map_or(Ok(found), Err)
}

fn from_here(engine: &mut dyn GameEngine, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if engine.is_terminal() {
        return 0;
    }
    let mut joints = vec![Vec::new()];
    let mut legal = Vec::new();
    for role in 0..engine.roles() {
        engine.legal(role, &mut legal);
        let longer = |joint: &Vec<usize>| -> Vec<_> {
            let more = legal.iter();
            more.map(|&action| [&joint[..], &[action]].concat())
                .collect()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    if depth == 1 {
        return joints.len() as u64;
    }
    let state = engine.state();
    let mut sum = 0;
    for joint in joints {
        engine.look_at(&state);
        engine.step(&joint);
        sum += from_here(engine, depth - 1);
    }
    sum
}
