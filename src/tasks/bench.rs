//! How fast are players, and do they still decide as they did? Fixed boards, seeds and numbers of games, one thread.

use cpu_time::ThreadTime;
use serde::Serialize;

use mineflow_arena::numbers::round;
use mineflow_minesweeper::player::{Fault, GameEnd, Limits, PlayerSpec, Seat, board_seed};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_rng::Seed;

/// The boards and how many games each player plays there.
const BOARDS: [(&str, u32); 3] = [
    ("beginner", 20_000),
    ("intermediate", 3_000),
    ("expert", 1_000),
];
/// What one game may cost. Nodes, not seconds: the signature must be the same on every machine.
const LIMITS: Limits = Limits {
    nodes: Some(100_000),
    time: None,
};

/// A row of the benchmark: one player on one board, safe first click.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BenchRow {
    pub player: String,
    pub board: String,
    pub games: u32,
    pub wins: u32,
    /// Games given up at 100,000 nodes.
    pub timeouts: u32,
    pub cpu_seconds: f64,
    pub games_per_cpu_second: f64,
    /// A hash of every cell opened in every game, in order, and of how the games ended: another decision, another hash.
    pub signature: String,
}

/// Plays the benchmark of `player`, board by board, giving each row as it is done; `games` games on each board, if given.
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
    let mut seat = Seat::new(player.build(), board, FirstClick::Safe, LIMITS);
    let mut signature = Signature::new();
    let (mut wins, mut timeouts) = (0, 0);
    let clock = ThreadTime::now();
    for game in 0..games {
        let game_seed = board_seed(seed, board).child("game", u64::from(game));
        let outcome = seat
            .play(game_seed)
            .map_err(|fault| wrong(player, board, game, &fault))?;
        wins += u32::from(outcome.end == GameEnd::Won);
        timeouts += u32::from(outcome.end == GameEnd::TimedOut);
        signature.add(outcome.end as u16);
        seat.view()
            .opened()
            .iter()
            .for_each(|cell| signature.add(cell.0));
    }
    let cpu_seconds = clock.elapsed().as_secs_f64();
    Ok(BenchRow {
        player: player.name.clone(),
        board: board.to_string(),
        games,
        wins,
        timeouts,
        cpu_seconds: round(cpu_seconds, 6),
        games_per_cpu_second: round(f64::from(games) / cpu_seconds.max(1e-9), 1),
        signature: format!("{:016x}", signature.0),
    })
}

fn wrong(player: &PlayerSpec, board: Board, game: u32, fault: &Fault) -> anyhow::Error {
    anyhow::anyhow!(
        "player {} is wrong on {board}, first click safe, game {game}: {fault}",
        player.name
    )
}

/// A running hash of 16-bit numbers (the FNV-1a scheme, a number a step).
struct Signature(u64);

impl Signature {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: u16) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    }
}
