//! Plays fixed games and hashes the cells opened in them, to verify that a player makes the same
//! decisions on every machine.

use super::{Fault, GameEnd, Limits, PlayerSpec, Seat, board_seed};
use crate::{Board, FirstClick};
use mineflow_rng::Seed;

/// The limits of one game, in nodes instead of seconds, because the signature must be the same on
/// every machine.
const LIMITS: Limits = Limits {
    nodes: Some(100_000),
    time: None,
};

/// The results of a player in the fixed games: its wins, its time-outs, and a hash of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedGames {
    pub wins: u32,
    /// The number of games that reached the limit of 100,000 nodes or one of the solver's limits.
    pub timeouts: u32,
    /// A 64-bit hash, in hexadecimal, of the end of every game and of the safe cells opened in it,
    /// in order. A decision that opens other safe cells changes the hash, but a choice between two
    /// cells that are both mines does not.
    pub signature: String,
}

/// Plays the first `games` games of `seed` on `board`, with a safe first click.
///
/// # Errors
/// Returns the index of the first game in which the player made an error, and the [`Fault`].
pub fn signed_games(
    player: &PlayerSpec,
    board: Board,
    games: u32,
    seed: Seed,
) -> Result<SignedGames, (u32, Fault)> {
    let mut seat = Seat::new(player.build(), board, FirstClick::Safe, LIMITS);
    // FNV-1a with steps of 16-bit numbers instead of bytes.
    let mut signature = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: u16| {
        signature = (signature ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    };
    let mut wins = 0;
    let mut timeouts = 0;
    for game in 0..games {
        let game_seed = board_seed(seed, board).child("game", u64::from(game));
        let outcome = seat.play(game_seed).map_err(|fault| (game, fault))?;
        wins += u32::from(outcome.end == GameEnd::Won);
        timeouts += u32::from(outcome.end == GameEnd::TimedOut);
        add(outcome.end as u16);
        seat.view().opened().iter().for_each(|cell| add(cell.0));
    }
    Ok(SignedGames {
        wins,
        timeouts,
        signature: format!("{signature:016x}"),
    })
}
