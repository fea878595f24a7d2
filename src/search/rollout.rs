//! Playouts: from a position to the end of the game.

use super::state::State;
use mineflow_rng::{Rng, below};

/// A policy that plays a game to its end. A policy may contain scratch memory.
pub trait Rollout<S: State> {
    /// Plays until the game is over and appends the moves to `line`.
    fn playout(&mut self, state: &mut S, line: &mut Vec<S::Move>, rng: &mut Rng);
}

/// A playout policy for any game, which plays uniformly random legal moves.
#[derive(Clone, Debug)]
pub struct UniformRollout<M> {
    moves: Vec<M>,
}

impl<M> Default for UniformRollout<M> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<S: State> Rollout<S> for UniformRollout<S::Move> {
    fn playout(&mut self, state: &mut S, line: &mut Vec<S::Move>, rng: &mut Rng) {
        loop {
            self.moves.clear();
            state.moves(&mut self.moves);
            if self.moves.is_empty() {
                return;
            }
            let a_move = self.moves[below(rng, self.moves.len())];
            line.push(a_move);
            state.play(a_move, rng);
        }
    }
}
