//! The tables of a SameGame series: means of each algorithm and budget, all games, and the best
//! solutions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::games::{Games, PlayedBoard};
use crate::{Answer, json_lines};
use mineflow_arena::{
    Confidence, Estimate, PairedMean, Slots, SprtVerdict, TableOf, Tested, Text,
    numbers::{counted, ends, grouped, round},
    to_csv,
};
use mineflow_samegame::ScoredLine;

/// The results of an algorithm with a budget on all boards.
#[derive(Serialize, Deserialize)]
pub struct EvalRow {
    pub algorithm: String,
    /// The [version](mineflow_samegame::Algorithm::version) of the algorithm; empty in tables from
    /// before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub budget: String,
    pub boards: usize,
    pub mean: f64,
    /// The standard deviation over boards; `None` for a single board.
    pub deviation: Option<f64>,
    /// The ends of the 95 % confidence interval of the mean over boards of this kind; `None` for a
    /// single board.
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub total: i64,
    pub cleared: usize,
    pub mean_moves: f64,
    pub mean_playouts: f64,
    pub mean_nodes: f64,
    /// The mean depth of a node of the tree, averaged over boards; `mean_deepest` is the average
    /// depth of the deepest node. Both are empty for algorithms without a tree.
    pub mean_depth: Option<f64>,
    pub mean_deepest: Option<f64>,
    /// The mean over playouts of the depth at which selection ended, with the root at depth 1,
    /// averaged over boards; missing in tables of earlier versions.
    pub selection_depth: Option<f64>,
    /// The mean paired difference in points per board from the first algorithm with the same
    /// budget; `None` for the first algorithm.
    pub difference: Option<f64>,
    /// The lower end of the 95 % confidence interval of `difference`.
    pub difference_low: Option<f64>,
    /// The upper end of the 95 % confidence interval of `difference`.
    pub difference_high: Option<f64>,
    /// The verdict of the sequential test between the first algorithm and the second, identical in
    /// both rows; `None` without a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<SprtVerdict>,
    /// The log-likelihood ratio of the sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// The cost of the games. The cost is separate from [`EvalRow`], because it differs from run to
/// run.
#[derive(Serialize, Deserialize)]
pub struct CostRow {
    pub algorithm: String,
    /// The [version](mineflow_samegame::Algorithm::version) of the algorithm; empty in tables from
    /// before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub budget: String,
    pub cpu_seconds_per_board: f64,
    pub playouts_per_cpu_second: f64,
}

/// A game on one board: a row of `boards.csv`.
#[derive(Serialize, Deserialize)]
pub struct BoardRow {
    pub algorithm: String,
    /// The [version](mineflow_samegame::Algorithm::version) of the algorithm; empty in tables from
    /// before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub budget: String,
    /// Number of the board, from 1.
    pub board: usize,
    pub score: i32,
    cleared: bool,
    moves: usize,
    playouts: u64,
    nodes: u64,
    mean_depth: Option<f64>,
    deepest: Option<f64>,
    selection_depth: Option<f64>,
}

/// An algorithm with a budget, as the rows of all tables name it.
#[derive(Clone)]
struct Rival {
    algorithm: String,
    version: String,
    budget: String,
}

/// The printed result of a series.
pub(super) struct Tables {
    rows: Vec<EvalRow>,
    costs: Vec<CostRow>,
    boards: Vec<BoardRow>,
    /// The best solution of each board, by its number from 1; the first one in a tie.
    best: BTreeMap<usize, ScoredLine>,
    test: Option<Tested>,
}

impl Tables {
    /// Computes the tables of finished games.
    pub(super) fn of(games: &Games, played: &Slots<PlayedBoard>) -> Self {
        let mut rows = Vec::new();
        let mut costs = Vec::new();
        let mut boards = Vec::new();
        let records: Vec<&PlayedBoard> = played.pieces().collect();
        let test = played.test(0);
        // A sequential test may have needed only some of the boards.
        let boards_each = records.len() / (games.algorithms.len() * games.budgets.len());
        for (place, own) in records.chunks(boards_each).enumerate() {
            // This is the first record of the first algorithm with the same budget.
            let start = place % games.budgets.len() * boards_each;
            let first = &records[start..start + boards_each];
            let (algorithm, budget) = games.rivals(own[0].game);
            let rival = Rival {
                algorithm: algorithm.to_string(),
                version: algorithm.version(),
                budget: budget.to_string(),
            };
            let seconds = own
                .iter()
                .map(|record| {
                    played
                        .cost(record.game)
                        .map_or(0.0, |cost| cost.cpu_seconds)
                })
                .sum();
            let row = |record: &&PlayedBoard| board_row(&rival, games.board(record.game), record);
            boards.extend(own.iter().map(row));
            rows.push(row_of(rival.clone(), own, first, test));
            costs.push(cost_of(rival, own, seconds));
        }
        let mut best: BTreeMap<usize, ScoredLine> = BTreeMap::new();
        for record in records {
            let number = games.board(record.game) + 1;
            if best
                .get(&number)
                .is_none_or(|line| record.score > line.score)
            {
                best.insert(
                    number,
                    ScoredLine {
                        score: record.score,
                        moves: record.moves.clone(),
                    },
                );
            }
        }
        Self {
            rows,
            costs,
            boards,
            best,
            test,
        }
    }

    /// Returns the files of the tables.
    pub(super) fn files(&self) -> anyhow::Result<[(&'static str, Vec<u8>); 4]> {
        Ok([
            ("boards.csv", to_csv(&self.boards)?),
            (
                "solutions.json",
                ScoredLine::write_all(&self.best).into_bytes(),
            ),
            ("cost.csv", to_csv(&self.costs)?),
            ("eval.csv", to_csv(&self.rows)?),
        ])
    }
}

impl Answer for Tables {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.rows)
    }

    fn text(&self) -> Text {
        let unknown = || "unknown".to_owned();
        let depth =
            |depth: Option<f64>| depth.map_or("-".to_owned(), |depth| format!("{depth:.1}"));
        let table = TableOf::new(&self.rows.iter().zip(&self.costs).collect::<Vec<_>>())
            .left("algorithm", |(row, _)| &row.algorithm)
            .left("budget", |(row, _)| &row.budget)
            .right("boards", |(row, _)| grouped(row.boards as u64))
            .right("mean", |(row, _)| format!("{:.1}", row.mean))
            .left("95 % interval", |(row, _)| {
                row.low
                    .zip(row.high)
                    .map_or_else(unknown, |(low, high)| ends(low, high, 1))
            })
            .right("deviation", |(row, _)| {
                row.deviation
                    .map_or_else(unknown, |deviation| format!("{deviation:.1}"))
            })
            .right("cleared", |(row, _)| grouped(row.cleared as u64))
            .right("depth", |(row, _)| depth(row.mean_depth))
            .right("deepest", |(row, _)| depth(row.mean_deepest))
            .right("CPU s/board", |(_, cost)| {
                format!("{:.3}", cost.cpu_seconds_per_board)
            })
            .text();
        let Some(test) = self.test else { return table };
        let first = &self.rows[0].algorithm;
        let second = &self.rows[1].algorithm;
        let says = test.in_words(&counted(test.observations, "board"));
        table.then(format!(
            "{first} less {second}: {}.\n{says}\n",
            test.mean_in_words()
        ))
    }
}

fn board_row(rival: &Rival, board: usize, record: &PlayedBoard) -> BoardRow {
    BoardRow {
        algorithm: rival.algorithm.clone(),
        version: rival.version.clone(),
        budget: rival.budget.clone(),
        board: board + 1,
        score: record.score,
        cleared: record.cleared,
        moves: record.moves.len(),
        playouts: record.playouts,
        nodes: record.nodes,
        mean_depth: record.mean_depth.map(|depth| round(depth, 3)),
        deepest: record.deepest.map(|depth| round(depth, 3)),
        selection_depth: record.selection_depth.map(|depth| round(depth, 3)),
    }
}

/// Computes the row of an algorithm and a budget. `first` holds the results of the first algorithm
/// on the same boards.
fn row_of(
    rival: Rival,
    records: &[&PlayedBoard],
    first: &[&PlayedBoard],
    test: Option<Tested>,
) -> EvalRow {
    let boards = records.len();
    let differences = records
        .iter()
        .zip(first)
        .map(|(record, first)| f64::from(record.score - first.score));
    let difference = (!std::ptr::eq(records, first)).then(|| Estimate::mean(differences));
    let average = |value: &dyn Fn(&PlayedBoard) -> f64| {
        records.iter().map(|record| value(record)).sum::<f64>() / boards as f64
    };
    let scores = records.iter().map(|record| f64::from(record.score));
    let of_boards = PairedMean::of(scores);
    let interval = of_boards.interval(Confidence::default());
    let known = |value: f64| value.is_finite().then(|| round(value, 3));
    let depth = |value: fn(&PlayedBoard) -> Option<f64>| {
        records
            .iter()
            .all(|record| value(record).is_some())
            .then(|| round(average(&|record| value(record).unwrap_or(0.0)), 3))
    };
    EvalRow {
        algorithm: rival.algorithm,
        version: rival.version,
        budget: rival.budget,
        boards,
        mean: round(interval.value, 3),
        deviation: known(of_boards.error * (boards as f64).sqrt()),
        low: known(interval.low),
        high: known(interval.high),
        total: records.iter().map(|record| i64::from(record.score)).sum(),
        cleared: records.iter().filter(|record| record.cleared).count(),
        mean_moves: round(average(&|record| record.moves.len() as f64), 3),
        mean_playouts: round(average(&|record| record.playouts as f64), 3),
        mean_nodes: round(average(&|record| record.nodes as f64), 3),
        mean_depth: depth(|record| record.mean_depth),
        mean_deepest: depth(|record| record.deepest),
        selection_depth: depth(|record| record.selection_depth),
        difference: difference.map(|of| round(of.value, 3)),
        difference_low: difference.map(|of| round(of.low, 3)),
        difference_high: difference.map(|of| round(of.high, 3)),
        verdict: test.map(|test| test.verdict),
        llr: test.map(|test| test.llr),
    }
}

fn cost_of(rival: Rival, records: &[&PlayedBoard], seconds: f64) -> CostRow {
    let playouts: u64 = records.iter().map(|record| record.playouts).sum();
    CostRow {
        algorithm: rival.algorithm,
        version: rival.version,
        budget: rival.budget,
        cpu_seconds_per_board: round(seconds / records.len() as f64, 3),
        playouts_per_cpu_second: round(playouts as f64 / seconds.max(1e-9), 0),
    }
}
