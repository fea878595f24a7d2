//! How fast are playouts, and how good? One thread.

use cpu_time::ThreadTime;
use serde::Serialize;

use mineflow_document::numbers::round;
use mineflow_rng::Seed;
use mineflow_samegame::{Policy, Position, Puzzle, Small, Strategy};

const POLICIES: [(&str, Policy); 4] = [
    ("random", Policy::Random),
    ("tabu-random", Policy::TabuRandom),
    ("tabu-color-random", Policy::TabuColorRandom),
    ("roulette-wheel", Policy::RouletteWheel),
];

/// A playout strategy on random boards of 15 x 15 and 5 colours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SpeedRow {
    pub strategy: &'static str,
    pub playouts: u32,
    pub mean_score: f64,
    pub mean_moves: f64,
    pub cpu_seconds: f64,
    pub playouts_per_cpu_second: f64,
}

/// Plays out `playouts` times by each policy, on 250 boards in turn.
pub fn speed(playouts: u32, seed: u64) -> anyhow::Result<Vec<SpeedRow>> {
    let seed = Seed::new(seed);
    let puzzle = |index| Puzzle::random(15, 15, 5, seed.child("speed", index));
    let boards =
        (0..250).map(|index| puzzle(index).map(|puzzle| puzzle.board::<Small>())).collect::<Result<Vec<_>, _>>()?;
    let row = |(name, policy)| {
        let strategy = Strategy::new(policy);
        let mut rng = seed.child("play-outs", 0).rng();
        let (mut score, mut moves, mut line) = (0i64, 0usize, Vec::new());
        let clock = ThreadTime::now();
        for index in 0..playouts as usize {
            let mut position = Position::new(boards[index % boards.len()]);
            line.clear();
            position.points = position.board.playout(&strategy, &mut line, &mut rng);
            score += i64::from(position.score());
            moves += line.len();
        }
        let cpu_seconds = clock.elapsed().as_secs_f64();
        let each = f64::from(playouts);
        SpeedRow {
            strategy: name,
            playouts,
            mean_score: round(score as f64 / each, 3),
            mean_moves: round(moves as f64 / each, 3),
            cpu_seconds: round(cpu_seconds, 6),
            playouts_per_cpu_second: round(each / cpu_seconds.max(1e-9), 0),
        }
    };
    Ok(POLICIES.into_iter().map(row).collect())
}
