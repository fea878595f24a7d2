//! The interface between a game and the search.

use std::{fmt::Debug, hash::Hash};

use mineflow_rng::Rng;

/// A position of a single-player game, with everything needed to continue from it.
pub trait State: Clone {
    /// A move. Moves should be cheap to copy; their order only has to be deterministic.
    type Move: Copy + Eq + Ord + Hash + Debug + Send;

    /// Whether moves reveal something that the player can't predict. If true, the tree
    /// distinguishes histories by their moves and outcomes. If false, a move always leads to the
    /// same position: the search caches the positions on the path, and uses neither the results of
    /// [`State::play`] nor [`State::restart`].
    const CHANCE: bool = false;

    /// Appends the legal moves, in an order that depends only on the position. Appends nothing if
    /// the game is over.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move and returns the outcome of chance: a small number that the game defines,
    /// 0 in games without chance.
    fn play(&mut self, a_move: Self::Move, rng: &mut Rng) -> u32;

    /// Returns the reward at the end of the game, on the game's own scale.
    fn reward(&self) -> f64;

    /// Resets this position to `root`, where every playout of a game of chance starts. Hidden
    /// information is drawn here.
    fn restart(&mut self, root: &Self, _rng: &mut Rng) {
        self.clone_from(root);
    }
}
