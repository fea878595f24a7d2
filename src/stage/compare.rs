//! Is one player stronger than another? Both play the same games.

use serde::Serialize;

use super::series::{Series, round, to_csv};
use crate::arena::{Arena, Paired};

/// What a comparison shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The first player wins more often, at 95 %.
    AStronger,
    /// The second player wins more often, at 95 %.
    BStronger,
    /// Neither is shown to win more often.
    NoDifferenceShown,
}

/// A row of `compare.csv`: two players on one board under one first-click rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CompareRow {
    pub a: String,
    pub b: String,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub first_click: &'static str,
    /// Games that each of the two played.
    pub games: u64,
    pub both_won: u64,
    pub only_a_won: u64,
    pub only_b_won: u64,
    pub neither_won: u64,
    pub win_ratio_a: f64,
    pub win_ratio_b: f64,
    /// Win ratio of `a` less that of `b`, with the ends of its 95 % interval.
    pub difference: f64,
    pub ci_low: f64,
    pub ci_high: f64,
    /// McNemar's exact test, two-sided.
    pub p_value: f64,
    pub verdict: Verdict,
    /// Where no difference is shown: how many games would show one of the measured size, with a chance of 80 %.
    pub games_to_settle: Option<u64>,
}

/// Opens the series of two players and its folder; plays nothing yet.
pub fn open(series: &Series) -> anyhow::Result<Arena> {
    anyhow::ensure!(series.players.len() == 2, "a comparison takes two players, not {}", series.players.len());
    series.open("compare")
}

/// The table of a finished series, written to `compare.csv` as well if there is a folder.
pub fn rows(arena: &Arena) -> anyhow::Result<Vec<CompareRow>> {
    let kinds = arena.plan().configurations.len() / 2;
    let rows: Vec<_> = (0..kinds).map(|kind| row(arena, kind, kinds + kind)).collect();
    if let Some(folder) = arena.folder() {
        folder.write("compare.csv", &to_csv(&rows)?)?;
    }
    Ok(rows)
}

fn row(arena: &Arena, a: usize, b: usize) -> CompareRow {
    let configurations = &arena.plan().configurations;
    let tallies = arena.ledger().tallies();
    let paired = pair(tallies[a].won(), tallies[b].won(), tallies[a].games);
    let (interval, p_value) = (paired.interval(), paired.p_value());
    let verdict = match p_value < 0.05 {
        true if paired.only_a > paired.only_b => Verdict::AStronger,
        true => Verdict::BStronger,
        false => Verdict::NoDifferenceShown,
    };
    let (at, games) = (&configurations[a], paired.games() as f64);
    CompareRow {
        a: at.player.name.clone(),
        b: configurations[b].player.name.clone(),
        width: at.board.width(),
        height: at.board.height(),
        mines: at.board.mines(),
        first_click: at.first_click.name(),
        games: paired.games(),
        both_won: paired.both,
        only_a_won: paired.only_a,
        only_b_won: paired.only_b,
        neither_won: paired.neither,
        win_ratio_a: round(tallies[a].wins as f64 / games, 6),
        win_ratio_b: round(tallies[b].wins as f64 / games, 6),
        difference: round(paired.difference(), 6),
        ci_low: round(interval.low, 6),
        ci_high: round(interval.high, 6),
        p_value,
        verdict,
        games_to_settle: if verdict == Verdict::NoDifferenceShown { paired.games_to_settle() } else { None },
    }
}

/// Counts pairs; `a` and `b` have one bit a game, set where it was won.
fn pair(a: &[u64], b: &[u64], games: u64) -> Paired {
    let count = |both: fn(u64, u64) -> u64| a.iter().zip(b).map(|(&a, &b)| u64::from(both(a, b).count_ones())).sum();
    let (both, only_a, only_b): (u64, u64, u64) = (count(|a, b| a & b), count(|a, b| a & !b), count(|a, b| b & !a));
    Paired { both, only_a, only_b, neither: games - both - only_a - only_b }
}
