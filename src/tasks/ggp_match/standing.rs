//! Standings: the results of the matches by player.

use serde::Serialize;

use super::{AllPlayed, CostRow, MatchRow, Matches, Pairing, Played};
use crate::ggp::name_of;
use mineflow_arena::{Estimate, Tested, Z_95, numbers::round};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};

/// The highest goal value, which every role must reach to win a cooperative game.
const ALL_POINTS: f64 = 100.0;

/// The results of one player. Scores are in per cent.
#[derive(Debug, Serialize)]
pub struct Standing {
    /// The game; `None` if all matches play the same game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    pub player: String,
    /// The opponents; `None` if there is only one line-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The [version](mineflow_gdl::player::PlayerRecipe::version) of the player.
    pub version: String,
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Mean score in per cent: wins and half of the draws. `None` if no match had an opponent.
    pub score: Option<f64>,
    /// Standard error of `score`; `None` for a single match.
    pub deviation: Option<f64>,
    pub interval: Option<Interval>,
    /// The sequential test of the first player's score minus 50 %, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Tested>,
    pub mean_goal: f64,
    /// Mean number of playouts per move, over the moves at which the player had a choice. The next
    /// four fields are means over the same moves.
    pub samples_per_move: f64,
    pub stages_per_move: f64,
    pub certain_cuts_per_move: f64,
    pub confidence_cuts_per_move: f64,
    pub cpu_seconds_per_move: f64,
    /// Percentage of the player's playouts that ended in the cache of explored leaves.
    pub explored: f64,
    /// Percentage of the player's CPU time spent in the solver.
    pub solving: f64,
    /// `score` with the luck of chance subtracted, and its 95 % interval by Student's t
    /// distribution, if luck was measured. The luck has mean zero, so that both have the same mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Corrected>,
    /// Whether the budget of a move is a time.
    #[serde(skip)]
    pub is_timed: bool,
}

/// A score in per cent with the luck of chance subtracted, and its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Corrected {
    pub score: f64,
    pub low: f64,
    pub high: f64,
}

impl Corrected {
    /// Computes the corrected score of a player, or returns `None` if luck was not measured.
    fn of(
        rows: &[MatchRow],
        player: &str,
        score: impl Fn(&MatchRow) -> Option<f64>,
    ) -> Option<Self> {
        let scores = rows.iter().filter_map(|row| Some((row, score(row)?)));
        let less_luck = |(row, score)| Some(score - luck(row, player)?);
        let all: Vec<f64> = scores.map(less_luck).collect::<Option<_>>()?;
        let Estimate { value, low, high } = Estimate::mean(all.iter().copied());
        let [score, low, high] = [value, low, high].map(|of| round(100.0 * of, 2));
        (!all.is_empty()).then_some(Self { score, low, high })
    }
}

/// The 95 % confidence interval of a mean score, after adding two wins and two losses (Agresti and
/// Coull 1998, for proportions; a draw counts as a half here).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    fn new(scores: &[f64]) -> Self {
        let all: Vec<f64> = scores.iter().copied().chain([1.0, 1.0, 0.0, 0.0]).collect();
        let middle = mean(&all);
        let half = Z_95 * deviation_of_mean(&all);
        let percent = |score: f64| round(100.0 * score.clamp(0.0, 1.0), 2);
        Self {
            low: percent(middle - half),
            high: percent(middle + half),
        }
    }
}

/// Computes wins, draws and goals of each player of a pairing. A player wins a match if its best
/// goal is higher than that of every other player.
pub fn standings(pairing: &Pairing<'_>, played: &Played) -> Vec<Standing> {
    let row =
        |player: &PlayerRecipe| standing(player, played, |row| score(row, &player.to_string()));
    let mut rows: Vec<_> = pairing.distinct().into_iter().map(row).collect();
    rows[0].sprt = played.test;
    rows
}

/// Computes the standings of all pairings. They name the game if there are several games, and the
/// opponents if there are several line-ups.
pub(super) fn all_standings(matches: &Matches, played: &AllPlayed) -> Vec<Standing> {
    let of_pairing = |(pairing, played): (Pairing<'_>, &Played)| {
        let game = name_of(pairing.sheet);
        let distinct = pairing.distinct();
        let mut rows = standings(&pairing, played);
        for (row, player) in rows.iter_mut().zip(&distinct) {
            let others = distinct
                .iter()
                .filter(|other| *other != player)
                .map(ToString::to_string);
            row.is_timed = matches!(matches.budget, MoveBudget::Time(_));
            row.game = (matches.sheets.len() > 1).then(|| game.clone());
            row.against =
                (matches.line_ups.len() > 1).then(|| others.collect::<Vec<_>>().join(";"));
        }
        rows
    };
    matches
        .pairings()
        .zip(&played.pairings)
        .flat_map(of_pairing)
        .collect()
}

impl<'m> Pairing<'m> {
    /// Returns the distinct players of the pairing.
    pub(super) fn distinct(&self) -> Vec<&'m PlayerRecipe> {
        let mut players: Vec<&PlayerRecipe> = Vec::new();
        for player in self.players {
            if !players.contains(&player) {
                players.push(player);
            }
        }
        players
    }
}

/// Returns the score of a player in a match: 1 for a win, a half for a draw, 0 for a loss. Returns
/// `None` if there was no opponent.
fn score(row: &MatchRow, player: &str) -> Option<f64> {
    let best = |own: bool| {
        let seats = row.players.iter().zip(&row.goals);
        let those = seats.filter(|(seat, _)| (*seat == player) == own);
        those
            .map(|(_, &goal)| goal)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let own = best(true);
    let other = best(false);
    (own.min(other) > f64::NEG_INFINITY).then(|| score_of(own, other))
}

/// Computes the mean score of the player in the first seat of a match, over this match and its
/// mirrored match, in percentage points above 50 %.
pub(super) fn lead(row: &MatchRow, mirror: &MatchRow) -> f64 {
    let scores: Vec<f64> = [row, mirror]
        .iter()
        .filter_map(|of| score(of, &row.players[0]))
        .collect();
    100.0 * (mean(&scores) - 0.5)
}

/// Computes the standing in a cooperative game: a match is won if every role reaches the highest
/// goal value, and lost otherwise.
pub fn cooperative_standing(player: &PlayerRecipe, played: &Played) -> Standing {
    let won = |row: &MatchRow| {
        Some(f64::from(u8::from(
            row.goals.iter().all(|&goal| goal == ALL_POINTS),
        )))
    };
    standing(player, played, won)
}

/// Returns the luck of a player in a match, as a share of its score: that of its seats, less that
/// of the other seats if there are any; `None` if luck was not measured.
fn luck(row: &MatchRow, player: &str) -> Option<f64> {
    let of = |own: bool| -> Vec<f64> {
        let seats = row.players.iter().zip(&row.luck);
        let those = seats.filter(|(seat, _)| (*seat == player) == own);
        those.map(|(_, &luck)| luck).collect()
    };
    let (own, others) = (of(true), of(false));
    let luck = match others.is_empty() {
        true => mean(&own),
        false => (mean(&own) - mean(&others)) / 2.0,
    };
    (!own.is_empty()).then_some(luck)
}

fn score_of(own: f64, other: f64) -> f64 {
    if own > other {
        1.0
    } else if own == other {
        0.5
    } else {
        0.0
    }
}

fn standing(
    recipe: &PlayerRecipe,
    played: &Played,
    score: impl Fn(&MatchRow) -> Option<f64>,
) -> Standing {
    let player = &*recipe.to_string();
    let rows = &played.rows;
    let scores: Vec<f64> = rows.iter().filter_map(&score).collect();
    let count = |wanted: f64| scores.iter().filter(|&&score| score == wanted).count() as u32;
    let own = |list: fn(&MatchRow) -> &[u64]| -> f64 {
        rows.iter()
            .flat_map(|row| of_player(player, row, list(row)))
            .map(|&count| count as f64)
            .sum()
    };
    let cost = |list: fn(&CostRow) -> &[f64]| -> f64 {
        rows.iter()
            .zip(&played.costs)
            .flat_map(|(row, cost)| of_player(player, row, list(cost)))
            .sum()
    };
    let goals: Vec<f64> = rows
        .iter()
        .flat_map(|row| of_player(player, row, &row.goals))
        .copied()
        .collect();
    let (moves, samples) = (own(|row| &row.moves).max(1.0), own(|row| &row.samples));
    let (seconds, solving) = (cost(|c| &c.cpu_seconds), cost(|c| &c.solving_seconds));
    let against_others = |percent: f64| (!scores.is_empty()).then(|| round(percent, 2));
    Standing {
        game: None,
        player: player.to_owned(),
        against: None,
        version: recipe.version(),
        matches: rows.len() as u32,
        wins: count(1.0),
        draws: count(0.5),
        losses: count(0.0),
        score: against_others(100.0 * mean(&scores)),
        deviation: against_others(100.0 * deviation_of_mean(&scores)).filter(|_| scores.len() > 1),
        interval: (!scores.is_empty()).then(|| Interval::new(&scores)),
        sprt: None,
        mean_goal: round(mean(&goals), 2),
        samples_per_move: round(samples / moves, 2),
        stages_per_move: round(own(|row| &row.stages) / moves, 2),
        certain_cuts_per_move: round(own(|row| &row.certain_cuts) / moves, 2),
        confidence_cuts_per_move: round(own(|row| &row.confidence_cuts) / moves, 2),
        cpu_seconds_per_move: round(seconds / moves, 5),
        explored: round(100.0 * own(|row| &row.explored) / samples.max(1.0), 2),
        solving: round(100.0 * solving / seconds.max(1e-9), 2),
        corrected: Corrected::of(rows, player, score),
        is_timed: false,
    }
}

/// Returns the entries of a player's seats in a list that has one entry per seat of a match.
fn of_player<'a, T>(
    player: &'a str,
    row: &'a MatchRow,
    list: &'a [T],
) -> impl Iterator<Item = &'a T> {
    row.players
        .iter()
        .zip(list)
        .filter(move |(seat, _)| *seat == player)
        .map(|(_, entry)| entry)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn deviation_of_mean(values: &[f64]) -> f64 {
    let middle = mean(values);
    let squares = values
        .iter()
        .map(|value| (value - middle).powi(2))
        .sum::<f64>()
        / values.len().max(1) as f64;
    (squares / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_agresti_and_coulls_where_nothing_is_drawn() {
        // With 15 wins of 20, p = (15 + 2) / 24, and the half-width is 1.96 sqrt(p (1 - p) / 24).
        let scores: Vec<f64> = (0..20).map(|i| f64::from(u8::from(i < 15))).collect();
        let Interval { low, high } = Interval::new(&scores);
        assert!(
            (low - 52.65).abs() < 0.02 && (high - 89.02).abs() < 0.02,
            "{low} {high}"
        );
        assert!(Interval::new(&[0.5; 200]).low > 48.0);
    }
}
