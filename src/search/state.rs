//! The interface between a game and the search.

use std::fmt::Debug;
use std::hash::Hash;

use mineflow_rng::Rng;

/// A position of a game, with everything needed to continue from it.
pub trait State: Clone {
    /// A move. It should be cheap to copy; its order only has to be deterministic.
    type Move: Copy + Eq + Ord + Hash + Debug + Send;

    /// Whether moves reveal something that the player can't predict. If so, the tree keeps histories of (move, outcome) apart. If not, a
    /// move always leads to the same position: the positions on the path are kept, and neither the outcomes of [`State::play`] nor
    /// [`State::restart`] are used.
    const CHANCE: bool = false;

    /// Appends the legal moves, in an order that depends only on the position; none if the game is over.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move and returns what it revealed: a small number that the game defines, 0 in games without chance.
    fn play(&mut self, a_move: Self::Move, rng: &mut Rng) -> u32;

    /// The reward of a player at the end of the game, on the game's own scale.
    fn reward(&self, player: usize) -> f64;

    /// The player to move, from 0.
    fn player(&self) -> usize {
        0
    }

    /// Makes this position `root`, where every playout of a game of chance starts. Hidden information is drawn here.
    fn restart(&mut self, root: &Self, _rng: &mut Rng) {
        self.clone_from(root);
    }

    /// A hash that is equal for two positions only if the rest of the game is the same from both, rewards included. For games in which
    /// several move orders reach the same position. Such a game must not repeat a position.
    fn key(&self) -> Option<u64> {
        None
    }
}
