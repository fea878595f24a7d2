//! The benchmark of players: their speed and a hash of their decisions, on fixed boards, seeds and
//! numbers of games, on one thread.

use cpu_time::ThreadTime;
use serde::Serialize;

use mineflow_arena::numbers::round;
use mineflow_minesweeper::{
    Board,
    player::{PlayerSpec, SignedGames, signed_games},
};
use mineflow_rng::Seed;

/// The boards of the benchmark, each with the number of games that a player plays on it.
const BOARDS: [(&str, u32); 3] = [
    ("beginner", 20_000),
    ("intermediate", 3_000),
    ("expert", 1_000),
];

/// A row of the benchmark: one player on one board with a safe first click.
#[derive(Serialize)]
pub struct BenchRow {
    pub player: String,
    pub board: String,
    pub games: u32,
    pub wins: u32,
    /// Number of games aborted after 100,000 search nodes.
    pub timeouts: u32,
    pub cpu_seconds: f64,
    pub games_per_cpu_second: f64,
    /// A hash of every cell opened in every game, in order, and of the results of the games. The
    /// hash changes if any decision changes.
    pub signature: String,
}

/// Plays the benchmark of `player` and passes each row to the caller when its board is done.
/// `games` overrides the number of games per board.
pub fn bench(
    player: &PlayerSpec,
    games: Option<u32>,
    seed: u64,
) -> impl Iterator<Item = anyhow::Result<BenchRow>> {
    BOARDS.into_iter().map(move |(name, own)| {
        let board: Board = name.parse()?;
        row(player, board, games.unwrap_or(own), Seed::new(seed))
    })
}

fn row(player: &PlayerSpec, board: Board, games: u32, seed: Seed) -> anyhow::Result<BenchRow> {
    let clock = ThreadTime::now();
    let played = signed_games(player, board, games, seed);
    let cpu_seconds = clock.elapsed().as_secs_f64();
    let SignedGames {
        wins,
        timeouts,
        signature,
    } = played.map_err(|(game, fault)| {
        anyhow::anyhow!(
            "player {} is wrong on {board}, first click safe, game {game}: {fault}",
            player.name
        )
    })?;
    Ok(BenchRow {
        player: player.name.clone(),
        board: board.to_string(),
        games,
        wins,
        timeouts,
        cpu_seconds: round(cpu_seconds, 6),
        games_per_cpu_second: round(f64::from(games) / cpu_seconds.max(1e-9), 1),
        signature,
    })
}
