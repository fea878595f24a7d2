//! Plays fixed games and hashes every decision, to verify that a player's decisions are unchanged on any machine.

use super::{Fault, GameEnd, Limits, PlayerSpec, Seat, board_seed};
use crate::{Board, FirstClick};
use mineflow_rng::Seed;

/// The limits of one game. They count nodes, not seconds, since the signature must be the same on every machine.
const LIMITS: Limits = Limits {
    nodes: Some(100_000),
    time: None,
};

/// The results of the fixed games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedGames {
    pub wins: u32,
    /// Games that reached the limit of 100,000 nodes.
    pub timeouts: u32,
    /// A hash of every cell opened in every game, in order, and of the ends of the games. Any different decision changes it.
    pub signature: String,
}

/// Plays the games 0 to `games` of the seed on the board, with a safe first click.
///
/// # Errors
/// The game in which the player did what a correct player never does, and what that was.
pub fn signed_games(
    player: &PlayerSpec,
    board: Board,
    games: u32,
    seed: Seed,
) -> Result<SignedGames, (u32, Fault)> {
    let mut seat = Seat::new(player.build(), board, FirstClick::Safe, LIMITS);
    let mut signature = Signature::new();
    let (mut wins, mut timeouts) = (0, 0);
    for game in 0..games {
        let game_seed = board_seed(seed, board).child("game", u64::from(game));
        let outcome = seat.play(game_seed).map_err(|fault| (game, fault))?;
        wins += u32::from(outcome.end == GameEnd::Won);
        timeouts += u32::from(outcome.end == GameEnd::TimedOut);
        signature.add(outcome.end as u16);
        seat.view()
            .opened()
            .iter()
            .for_each(|cell| signature.add(cell.0));
    }
    Ok(SignedGames {
        wins,
        timeouts,
        signature: format!("{:016x}", signature.0),
    })
}

/// A running FNV-1a hash that takes a 16-bit number per step.
struct Signature(u64);

impl Signature {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: u16) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    }
}
