//! SameGame: the tables of Schadd et al. (SP-MCTS) next to ours.

use mineflow_arena::{
    Estimate,
    numbers::{gain, grouped},
};
use mineflow_tasks::{samegame::eval::EvalRow, tuning::DistributionRow};
use serde::Deserialize;

use crate::{
    data::Data,
    table::{bare, estimate, score, shown, table},
};

/// A row of a table of Schadd et al.: mean points, and the average depth of the tree.
#[derive(Deserialize)]
struct Published {
    table: String,
    /// The name of the algorithm in `names.csv`; empty if the algorithm is not implemented.
    algorithm: String,
    budget: String,
    /// The name or the time that Schadd et al. give.
    label: String,
    mean: f64,
    mean_depth: Option<f64>,
}

/// Returns a table of `pipeline samegame eval` next to the table of the same name of Schadd et al.
/// Differences are paired by board, with the first algorithm that has the same budget.
pub(crate) fn beside(data: &Data, name: &str) -> anyhow::Result<String> {
    let mut papers: Vec<Published> = data.table("papers/samegame.csv")?;
    let names = data.names()?;
    let of = name
        .trim_end_matches("-program")
        .trim_end_matches("-literal");
    papers.retain(|paper| paper.table == of);
    let mut ours: Vec<EvalRow> = data.table(&format!("samegame/{name}.csv"))?;
    // If Schadd et al. have a table of this name, only its budgets and single playouts are shown.
    ours.retain(|row| {
        let budgets = || papers.iter().any(|paper| paper.budget == row.budget);
        papers.is_empty() || budgets() || row.budget == "playouts=1"
    });
    let others = papers.iter().filter(|paper| paper.algorithm.is_empty());
    let others =
        others.map(|paper| format!("{} |  |  |  | {:.0} |  |  |  | ", paper.label, paper.mean));
    Ok(table(
        "algorithm | budget | boards | points | paper, points | cleared | depth | paper, depth | less the first",
        ours.iter()
            .map(|row| {
                let is_of = |paper: &&Published| {
                    let mut recipes = names.get(&paper.algorithm).into_iter().flatten();
                    paper.budget == row.budget && recipes.any(|recipe| *recipe == row.algorithm)
                };
                let paper = papers.iter().find(is_of);
                format!(
                    "`{}` {} | {} | {} | {} | {} | {} | {} | {} | {}",
                    rounded(&row.algorithm),
                    paper.map_or("", |paper| &paper.label),
                    nodes(&row.budget),
                    row.boards,
                    score(mean(row)),
                    bare(paper.map(|paper| paper.mean), 0),
                    row.cleared,
                    bare(row.selection_depth.or(row.mean_depth), 0),
                    bare(paper.and_then(|paper| paper.mean_depth), 0),
                    shown(difference(row).filter(|of| of.low != of.high), gain)
                )
            })
            .chain(others),
    ))
}

/// Returns table 5 of Schadd et al. next to our results: the settings found by the Cross-Entropy
/// Method.
pub(crate) fn table_5(data: &Data) -> anyhow::Result<String> {
    let papers: Vec<(String, f64, f64, f64)> = data.table("papers/samegame-table-5.csv")?;
    let per_game: Vec<DistributionRow> = data.table("samegame/table-5-game.csv")?;
    let per_move: Vec<DistributionRow> = data.table("samegame/table-5-move.csv")?;
    Ok(table(
        "parameter | by hand | per game, paper | per move, paper | per game | per move",
        papers.iter().map(|(name, by_hand, game, per)| {
            let paper = [by_hand, game, per].map(|value| short(*value)).join(" | ");
            let found = [&per_game, &per_move].map(|rows| {
                rows.iter()
                    .filter(|row| row.parameter == *name)
                    .max_by_key(|row| row.iteration)
                    .map_or(String::new(), |row| {
                        format!("{} ± {}", short(row.mean), short(row.deviation))
                    })
            });
            format!("{name} | {paper} | {}", found.join(" | "))
        }),
    ))
}

fn mean(row: &EvalRow) -> Estimate {
    let low = row.low.unwrap_or(f64::NEG_INFINITY);
    estimate(row.mean, low, row.high.unwrap_or(f64::INFINITY))
}

/// Returns the mean difference between an algorithm and the first algorithm with the same budget,
/// on the same boards.
fn difference(row: &EvalRow) -> Option<Estimate> {
    Some(estimate(
        row.difference?,
        row.difference_low?,
        row.difference_high?,
    ))
}

/// Formats `nodes=100000` as `100,000`.
fn nodes(budget: &str) -> String {
    let (unit, number) = budget.split_once('=').unwrap_or(("", budget));
    let number = number.parse().map_or(number.to_owned(), grouped);
    if unit == "nodes" {
        number
    } else {
        format!("{number} {unit}")
    }
}

/// Rounds the long options of an algorithm to two decimals, or below 0.01 to two significant
/// digits.
fn rounded(algorithm: &str) -> String {
    let option = |text: &str| {
        let (name, value) = text.split_once('=')?;
        (value.len() > 7).then_some(format!("{name}={}", short(value.parse().ok()?)))
    };
    algorithm
        .split(':')
        .map(|text| option(text).unwrap_or_else(|| text.to_owned()))
        .collect::<Vec<_>>()
        .join(":")
}

fn short(value: f64) -> String {
    if value.abs() < 0.01 {
        format!("{value:.1e}")
    } else {
        format!("{}", (value * 100.0).round() / 100.0)
    }
}
