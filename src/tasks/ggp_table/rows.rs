//! The rows of the tables: what was counted in a series of matches.

use serde::{Deserialize, Serialize};

use super::experiment::{Kind, Series, solving_of};
use crate::ggp_match::{Matches, Played, Standing, cooperative_standing, standings};
use mineflow_arena::Estimate;
use mineflow_arena::SprtVerdict;
use mineflow_arena::numbers::round;
use mineflow_gdl::player::PlayerRecipe;

/// What was counted in a series: a row of `table3.csv`, `table4.csv` or `figure6.csv`, from the view of `player`. The same
/// for every run if the budget is one of playouts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableRow {
    pub game: String,
    pub kind: Kind,
    pub player: String,
    /// Empty in a cooperative game.
    pub opponent: String,
    /// The [revision](mineflow_gdl::player::Algorithm::revision) of their algorithms; empty in tables from before versions were noted.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub opponent_version: String,
    pub budget: String,
    /// Of `player`, or as MAC-UCB usually has them.
    pub solving_share: f64,
    pub samples_per_stage: String,
    /// As many as were planned, or as many as a sequential test took to decide.
    pub matches: u32,
    /// What the test says, where there is one: does `player` score the higher points above 50 %?
    #[serde(default)]
    pub test: Option<SprtVerdict>,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// In per cent, with the standard deviation of that mean and its 95 % interval.
    pub score: f64,
    pub deviation: f64,
    pub low: f64,
    pub high: f64,
    pub mean_goal: f64,
    pub opponent_goal: Option<f64>,
    pub samples_per_move: f64,
    pub opponent_samples_per_move: Option<f64>,
    pub stages_per_move: f64,
    pub certain_cuts_per_move: f64,
    pub confidence_cuts_per_move: f64,
    /// Of the playouts, those that ended in the cache of explored leaves, in per cent.
    pub explored: f64,
    pub opponent_explored: Option<f64>,
}

/// Some of the matches in a row: a row of `figure5.csv`, from the view of `player`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningRow {
    pub game: String,
    pub player: String,
    pub opponent: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub opponent_version: String,
    pub budget: String,
    /// The first and the last match of these, of all in a row, counted from 1.
    pub from: u32,
    pub to: u32,
    /// Of all rows together.
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// In per cent, with its 95 % interval.
    pub score: f64,
    pub low: f64,
    pub high: f64,
    /// Of the playouts, those that ended in a state that was known, in per cent.
    pub explored: f64,
    pub samples_per_move: f64,
}

/// What a series took: a row of `cost.csv`. No two runs agree in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableCost {
    pub game: String,
    pub player: String,
    pub opponent: String,
    pub budget: String,
    pub solving_share: f64,
    pub matches: u32,
    /// Of all matches and players together.
    pub cpu_seconds: f64,
    pub cpu_seconds_per_move: f64,
    pub opponent_cpu_seconds_per_move: Option<f64>,
    /// Of the CPU time, that in the solver, in per cent.
    pub solving: f64,
    pub opponent_solving: Option<f64>,
    /// CPU milliseconds of a stage that is solved; none for a player that solves none.
    pub ms_per_stage: Option<f64>,
    pub opponent_ms_per_stage: Option<f64>,
}

impl TableRow {
    /// Wins and half of the draws, 0 to 1.
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.score / 100.0, low: self.low / 100.0, high: self.high / 100.0 }
    }

    /// The budget as a number, to be laid along an axis: milliseconds or playouts.
    pub fn amount(&self) -> f64 {
        amount(&self.budget).expect("the budget was checked when it was read")
    }
}

/// The number in a budget: milliseconds or playouts.
pub fn amount(budget: &str) -> Option<f64> {
    budget.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()
}

impl LearningRow {
    /// As that of a [`TableRow`].
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.score / 100.0, low: self.low / 100.0, high: self.high / 100.0 }
    }
}

/// What was counted of a series.
pub(super) struct Counted {
    pub(super) row: TableRow,
    pub(super) cost: TableCost,
    /// Over the matches in a row.
    pub(super) learning: Vec<LearningRow>,
}

impl Counted {
    /// Of a series that is played.
    pub(super) fn of(series: &Series, matches: &Matches, played: &Played) -> Self {
        let (row, cost) = rows_of(series, matches, played);
        let learning = if series.in_a_row > 1 { learning_of(series, matches, played) } else { Vec::new() };
        Self { row, cost, learning }
    }
}

fn rows_of(series: &Series, matches: &Matches, played: &Played) -> (TableRow, TableCost) {
    let (own, other): (Standing, Option<Standing>) = match series.opponent {
        None => (cooperative_standing(&series.player, played), None),
        Some(_) => {
            let mut both = standings(matches, played).into_iter();
            (both.next().expect("the first of the players is the player"), both.next())
        }
    };
    let interval = own.interval.expect("every match of the series has a score");
    let solving = solving_of(&series.player);
    let (game, player) = (series.entry.name.clone(), series.player.to_string());
    let opponent = series.opponent.as_ref().map_or_else(String::new, PlayerRecipe::to_string);
    let budget = series.budget.to_string();
    let cost = TableCost {
        game: game.clone(),
        player: player.clone(),
        opponent: opponent.clone(),
        budget: budget.clone(),
        solving_share: solving.solving_share,
        matches: own.matches,
        cpu_seconds: played.cpu_seconds(),
        cpu_seconds_per_move: own.cpu_seconds_per_move,
        opponent_cpu_seconds_per_move: other.as_ref().map(|other| other.cpu_seconds_per_move),
        solving: own.solving,
        opponent_solving: other.as_ref().map(|other| other.solving),
        ms_per_stage: ms_per_stage(&own),
        opponent_ms_per_stage: other.as_ref().and_then(ms_per_stage),
    };
    let row = TableRow {
        game,
        kind: series.entry.kind,
        player,
        opponent,
        version: own.version,
        opponent_version: other.as_ref().map_or_else(String::new, |other| other.version.clone()),
        budget,
        solving_share: solving.solving_share,
        samples_per_stage: solving.samples.to_string(),
        matches: own.matches,
        test: own.sprt.map(|test| test.verdict),
        wins: own.wins,
        draws: own.draws,
        losses: own.losses,
        score: own.score.expect("every match of the series has a score"),
        deviation: own.deviation.expect("every match of the series has a score"),
        low: interval.low,
        high: interval.high,
        mean_goal: own.mean_goal,
        opponent_goal: other.as_ref().map(|other| other.mean_goal),
        samples_per_move: own.samples_per_move,
        opponent_samples_per_move: other.as_ref().map(|other| other.samples_per_move),
        stages_per_move: own.stages_per_move,
        certain_cuts_per_move: own.certain_cuts_per_move,
        confidence_cuts_per_move: own.confidence_cuts_per_move,
        explored: own.explored,
        opponent_explored: other.as_ref().map(|other| other.explored),
    };
    (row, cost)
}

fn ms_per_stage(of: &Standing) -> Option<f64> {
    let ms_solving = 1000.0 * of.cpu_seconds_per_move * of.solving / 100.0;
    (of.stages_per_move > 0.0).then(|| round(ms_solving / of.stages_per_move, 4))
}

/// Parts into which the matches in a row are counted.
const PARTS_IN_A_ROW: u32 = 10;

/// What was counted in each part of the matches in a row, over all rows.
fn learning_of(series: &Series, matches: &Matches, played: &Played) -> Vec<LearningRow> {
    let ends = |part: u32| series.in_a_row * part / PARTS_IN_A_ROW;
    let parts = (0..PARTS_IN_A_ROW).map(|part| (ends(part), ends(part + 1))).filter(|(from, to)| from < to);
    let row = |(from, to): (u32, u32)| {
        let inside = |index: u32| (from..to).contains(&(index % series.in_a_row));
        let part = Played {
            rows: played.rows.iter().filter(|row| inside(row.index)).cloned().collect(),
            costs: played.costs.iter().filter(|cost| inside(cost.index)).cloned().collect(),
            ..Played::default()
        };
        let own = match series.opponent {
            Some(_) => standings(matches, &part).into_iter().next().expect("a player has a standing"),
            None => cooperative_standing(&series.player, &part),
        };
        let interval = own.interval?;
        Some(LearningRow {
            game: series.entry.name.clone(),
            player: own.player,
            opponent: series.opponent.as_ref().map_or_else(String::new, PlayerRecipe::to_string),
            version: own.version,
            opponent_version: series
                .opponent
                .as_ref()
                .map_or_else(String::new, |opponent| opponent.algorithm.revision().to_string()),
            budget: series.budget.to_string(),
            from: from + 1,
            to,
            matches: own.matches,
            wins: own.wins,
            draws: own.draws,
            losses: own.losses,
            score: own.score?,
            low: interval.low,
            high: interval.high,
            explored: own.explored,
            samples_per_move: own.samples_per_move,
        })
    };
    parts.filter_map(row).collect()
}
