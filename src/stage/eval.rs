//! How well do players play? The table of `pipeline eval`.

use serde::{Deserialize, Serialize};

use super::series::{Series, round, to_csv};
use crate::arena::{Arena, Configuration, Tally, wilson};

/// A row of `eval.csv`: one player on one board under one first-click rule.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvalRow {
    pub player: String,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    /// Mines per cell.
    pub mine_ratio: f64,
    pub first_click: String,
    pub games: u64,
    pub wins: u64,
    /// Games not won, those out of time among them.
    pub losses: u64,
    /// Games not won because a limit was reached.
    pub timeouts: u64,
    /// Wins per game, with the ends of its 95 % interval (Wilson).
    pub win_ratio: f64,
    pub ci_low: f64,
    pub ci_high: f64,
    pub guesses_per_game: f64,
    /// Processor time of the games.
    pub cpu_seconds: f64,
    /// Time of the games as a clock shows it, added up over all threads.
    pub wall_seconds: f64,
    pub games_per_cpu_second: f64,
}

impl EvalRow {
    fn new(at: &Configuration, tally: &Tally) -> Self {
        let interval = wilson(tally.wins, tally.games);
        let games = tally.games as f64;
        Self {
            player: at.player.name.clone(),
            width: at.board.width(),
            height: at.board.height(),
            mines: at.board.mines(),
            mine_ratio: round(at.board.mine_ratio(), 6),
            first_click: at.first_click.name().to_owned(),
            games: tally.games,
            wins: tally.wins,
            losses: tally.games - tally.wins,
            timeouts: tally.timeouts,
            win_ratio: round(tally.wins as f64 / games, 6),
            ci_low: round(interval.low, 6),
            ci_high: round(interval.high, 6),
            guesses_per_game: round(tally.guesses as f64 / games, 6),
            cpu_seconds: round(tally.cpu_seconds, 6),
            wall_seconds: round(tally.wall_seconds, 6),
            games_per_cpu_second: round(games / tally.cpu_seconds.max(1e-9), 1),
        }
    }
}

/// Opens the series and its folder; plays nothing yet.
pub fn open(series: &Series) -> anyhow::Result<Arena> {
    series.open("eval")
}

/// The table of a finished series, written to `eval.csv` as well if there is a folder.
pub fn rows(arena: &Arena) -> anyhow::Result<Vec<EvalRow>> {
    let tallies = arena.ledger().tallies();
    let rows: Vec<_> = arena.plan().configurations.iter().zip(tallies).map(|(at, t)| EvalRow::new(at, t)).collect();
    if let Some(folder) = arena.folder() {
        folder.write("eval.csv", &to_csv(&rows)?)?;
    }
    Ok(rows)
}
