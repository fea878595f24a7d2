//! What a game shows the search.

use std::fmt::Debug;
use std::hash::Hash;

use mineflow_rng::Rng;

/// A position of a game, with all that is needed to play on from it.
pub trait State: Clone {
    /// Names a move. Cheap to copy; the order only has to be the same on every run.
    type Move: Copy + Eq + Ord + Hash + Debug + Send;

    /// Does a move show something that the player can't predict? The tree then keeps what was shown apart, as histories
    /// of (move, outcome). Otherwise a move always leads to the same position: positions on the path are kept, and neither
    /// the outcomes of [`State::play`] nor [`State::restart`] are asked for.
    const CHANCE: bool = false;

    /// Appends the legal moves, in an order that depends on the position alone; none if the game is over.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move and gives what it showed: a small number of the game's choosing, 0 in games without chance.
    fn play(&mut self, a_move: Self::Move, rng: &mut Rng) -> u32;

    /// What a player gets, once the game is over. The scale is the game's own.
    fn reward(&self, player: usize) -> f64;

    /// The player to move, from 0.
    fn player(&self) -> usize {
        0
    }

    /// Makes this position `root`, where every playout of a game of chance starts; hidden things are drawn here.
    fn restart(&mut self, root: &Self, _rng: &mut Rng) {
        self.clone_from(root);
    }

    /// A hash that two positions share if the rest of the game is the same from both, rewards included. For games that
    /// reach a position in several ways. Such a game must not repeat a position.
    fn key(&self) -> Option<u64> {
        None
    }
}
