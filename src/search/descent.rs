//! The descent of a playout: the positions from the root to the point where the playout leaves the
//! tree.

use super::{rollout::Rollout, state::State, tree::NodeId};
use mineflow_rng::Rng;

/// The positions of a descent. In games without chance, the positions of the last path are kept,
/// because the next path usually begins with the same moves.
pub(super) struct TreeDescent<S> {
    /// The root, then the position after each move. In a game of chance, only the current position.
    states: Vec<S>,
    /// The node of each position except the root, as far as the positions are cached.
    nodes: Vec<NodeId>,
    /// The depth of the current position.
    depth: usize,
    /// Scratch memory for the final position of a playout.
    end: S,
}

impl<S: State> TreeDescent<S> {
    pub fn new(root: &S) -> Self {
        Self {
            states: vec![root.clone()],
            nodes: Vec::new(),
            depth: 0,
            end: root.clone(),
        }
    }

    /// Returns to the root.
    pub fn restart(&mut self, root: &S, rng: &mut Rng) {
        self.depth = 0;
        if S::CHANCE {
            self.states[0].restart(root, rng);
        }
    }

    /// Returns the current position.
    pub fn state(&self) -> &S {
        &self.states[self.depth]
    }

    /// Plays the move of a child and returns the outcome of chance, which is 0 in games without
    /// chance.
    pub fn play(&mut self, child: NodeId, a_move: S::Move, rng: &mut Rng) -> u32 {
        if S::CHANCE {
            return self.states[0].play(a_move, rng);
        }
        if self.nodes.get(self.depth) != Some(&child) {
            self.nodes.truncate(self.depth);
            self.nodes.push(child);
            if self.states.len() == self.depth + 1 {
                self.states.push(self.end.clone());
            }
            let (before, after) = self.states.split_at_mut(self.depth + 1);
            after[0].clone_from(&before[self.depth]);
            after[0].play(a_move, rng);
        }
        self.depth += 1;
        0
    }

    /// Plays a copy of the current position to its end, appends the moves to `line`, and returns
    /// the final position.
    pub fn playout(
        &mut self,
        rollout: &mut impl Rollout<S>,
        line: &mut Vec<S::Move>,
        rng: &mut Rng,
    ) -> &S {
        self.end.clone_from(&self.states[self.depth]);
        rollout.playout(&mut self.end, line, rng);
        &self.end
    }

    /// Plays the current position to its end, as [`TreeDescent::playout`] does, and ends the
    /// descent. In a game of chance, the position is not copied.
    pub fn finish(
        &mut self,
        rollout: &mut impl Rollout<S>,
        line: &mut Vec<S::Move>,
        rng: &mut Rng,
    ) -> &S {
        if !S::CHANCE {
            return self.playout(rollout, line, rng);
        }
        rollout.playout(&mut self.states[0], line, rng);
        &self.states[0]
    }
}
