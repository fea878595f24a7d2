//! The descent of a playout: the positions from the root to where it leaves the tree.

use super::rollout::Rollout;
use super::state::State;
use super::tree::NodeId;
use mineflow_rng::Rng;

/// Without chance the positions of the last path are kept: the next one usually begins with the same moves.
pub(super) struct TreeDescent<S> {
    /// The root, then the position after each move; in a game of chance the present position alone.
    states: Vec<S>,
    /// The node of each position but the root, as far as positions are known.
    nodes: Vec<NodeId>,
    /// The place of the present position.
    depth: usize,
    /// A copy to play out.
    end: S,
}

impl<S: State> TreeDescent<S> {
    pub(super) fn new(root: &S) -> Self {
        Self {
            states: vec![root.clone()],
            nodes: Vec::new(),
            depth: 0,
            end: root.clone(),
        }
    }

    /// Goes back to the root.
    pub(super) fn restart(&mut self, root: &S, rng: &mut Rng) {
        self.depth = 0;
        if S::CHANCE {
            self.states[0].restart(root, rng);
        }
    }

    /// The position now.
    pub(super) fn state(&self) -> &S {
        &self.states[self.depth]
    }

    /// Plays the move of a child and gives what it showed.
    pub(super) fn play(&mut self, child: NodeId, a_move: S::Move, rng: &mut Rng) -> u32 {
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

    /// Plays a copy of the position now to its end, appends the moves to `line`, and gives the position of the end.
    pub(super) fn playout(
        &mut self,
        rollout: &mut impl Rollout<S>,
        line: &mut Vec<S::Move>,
        rng: &mut Rng,
    ) -> &S {
        self.end.clone_from(&self.states[self.depth]);
        rollout.playout(&mut self.end, line, rng);
        &self.end
    }

    /// As [`TreeDescent::playout`], and ends the descent: with chance nothing is copied.
    pub(super) fn finish(
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
