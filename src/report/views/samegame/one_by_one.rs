//! Results one by one: table 4, figure 2, table 5, other readings and other algorithms.

use super::super::{Request, in_text};
use super::by_budget::by_budget;
use super::published::parameters;
use super::result::{SamegameResult, finite, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::list;
use mineflow_tasks::samegame::tune::DistributionRow;

/// Table 4: the final move by highest average, most playouts and top score, with the paper's means.
const FINAL_MOVES: [(&str, f64); 3] = [
    ("highest-mean", 784.0),
    ("most-playouts", 1458.0),
    ("top-score", 2644.0),
];

/// Table 4: each final move at each budget with the `paper`'s mean. More rows: what the paper's better one of two makes `more`.
pub(in crate::views) fn final_moves(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let (mut rows, mut pairs) = (Vec::new(), Vec::new());
    for results in by_budget(&results) {
        let of = |name: &str| {
            results
                .iter()
                .find(|result| result.option("final", "top-score") == name)
        };
        let known = FINAL_MOVES
            .into_iter()
            .filter_map(|(name, paper)| Some((name.replace('-', " "), paper, of(name)?)));
        let known: Vec<_> = known.collect();
        for (at, (better, paper, result)) in known.iter().enumerate() {
            rows.push(
                result
                    .values()
                    .with("final", better.as_str())
                    .with("paper", *paper),
            );
            pairs.extend(known[..at].iter().map(|(worse, _, other)| {
                let row = Row::default()
                    .with("better", better.as_str())
                    .with("worse", worse.as_str());
                row.with("more", result.minus(other))
            }));
        }
    }
    Ok(Data::of(rows).and("pairs", pairs))
}

/// Figure 2: at the largest budget a row for each number of `searches`, with what the paper's text names of its `paper` curve. More rows:
/// `two` with what two searches make `more` than one, `ten` with what ten make more than each other number, and as a share of the paper's
/// mean (`relative`).
pub(in crate::views) fn restarts(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let Some(results) = by_budget(&results).pop() else {
        return Ok(Data::default());
    };
    let searches = |result: &SamegameResult| result.option("searches", "1").parse::<u64>().ok();
    let mut known: Vec<_> = results
        .into_iter()
        .filter_map(|result| Some((searches(result)?, result)))
        .collect();
    known.sort_by_key(|(searches, _)| *searches);
    let of = |wanted: u64| {
        known
            .iter()
            .find(|(searches, _)| *searches == wanted)
            .map(|(_, result)| *result)
    };
    let row = |(searches, result): &(u64, &SamegameResult)| {
        let paper = match searches {
            2 => of(1).map(|one| one.row.mean + in_text("two-restarts")),
            10 => Some(in_text("ten-restarts")),
            _ => None,
        };
        result
            .values()
            .with("searches", *searches)
            .with("paper", paper)
    };
    let two = of(2)
        .zip(of(1))
        .map(|(two, one)| Row::default().with("more", two.minus(one)));
    let than = |ten: &SamegameResult| -> Vec<Row> {
        let others = known.iter().filter(|(searches, _)| *searches != 10);
        let row = |(searches, other): &(u64, &SamegameResult)| {
            Row::default()
                .with("searches", *searches)
                .with("more", ten.minus(other))
        };
        others.map(row).collect()
    };
    let mean = of(10).map(|ten| {
        Row::default()
            .with("mean", ten.mean())
            .with("relative", ten.relative(in_text("ten-restarts"), None))
    });
    let facts = known.first().map_or(Row::default(), |(_, result)| {
        Row::default().with("place", result.place())
    });
    let data = Data::of(known.iter().map(row).collect())
        .facts(facts)
        .and("two", two.into_iter().collect());
    Ok(data
        .and("ten", of(10).map(than).unwrap_or_default())
        .and("ten-mean", mean.into_iter().collect()))
}

/// Table 5: a row for each parameter, set manually, tuned by the paper, and tuned `here-game` and `here-move`. More rows: `iterations`.
pub(in crate::views) fn tuning(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut iterations = Vec::new();
    for file in request.files {
        let run = if file.path().ends_with("table-5-game.csv") {
            "game"
        } else {
            "move"
        };
        let read = csv_rows(file.path(), |row: &DistributionRow| {
            finite("mean", row.mean)?;
            finite("deviation", row.deviation)
        })?;
        iterations.extend(read.into_iter().flatten().map(|row| (run, row)));
    }
    let row = |paper: Row| {
        let found = |run: &str| {
            let of = paper.text("parameter");
            let here = iterations
                .iter()
                .filter(|(known, row)| *known == run && row.parameter == of);
            let (_, last) = here.max_by_key(|(_, row)| row.iteration)?;
            let digits = if of == "epsilon" { 5 } else { 2 };
            Some(format!(
                "{:.digits$} ± {:.digits$}",
                last.mean, last.deviation
            ))
        };
        let (game, each_move) = (found("game"), found("move"));
        paper.with("here-game", game).with("here-move", each_move)
    };
    let rows = parameters().into_iter().map(row).collect();
    // Every parameter of an iteration has the same fitness.
    let of_one = iterations
        .iter()
        .filter(|(_, row)| row.parameter == parameters()[0].text("parameter"));
    Ok(Data::of(rows).and(
        "iterations",
        of_one
            .map(|(run, row)| Row::of(row).with("run", *run))
            .collect(),
    ))
}

/// Other readings: what each makes `more` than the first. Facts: the first's `place`, and which are `better` and `worse` beyond the interval.
pub(in crate::views) fn variants(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let Some((first, others)) = results.split_first() else {
        return Ok(Data::default());
    };
    let more = |result: &SamegameResult| result.values().with("more", result.minus(first));
    let rows: Vec<_> = [first.values()]
        .into_iter()
        .chain(others.iter().map(more))
        .collect();
    let those = |is: fn(Estimate) -> bool| {
        let those = rows
            .iter()
            .filter(|row| row.estimate("more").is_some_and(is));
        list(
            &those
                .map(|row| format!("`{}`", row.text("algorithm")))
                .collect::<Vec<_>>(),
        )
    };
    let facts = Row::default().with("place", first.place());
    let facts = facts
        .with("better", those(Estimate::is_above_zero))
        .with("worse", those(Estimate::is_below_zero));
    Ok(Data::of(rows).facts(facts))
}

/// Other algorithms, the best first. Facts: the `best`, the best form of SP-MCTS as `ours`, and what makes more in no more time.
pub(in crate::views) fn rivals(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut results = read(request)?;
    results.sort_by(|a, b| b.row.mean.total_cmp(&a.row.mean));
    let code = |result: &SamegameResult| format!("`{}`", result.row.algorithm);
    let facts = results
        .iter()
        .find(|result| result.is_sp_mcts())
        .map(|ours| {
            let is_quicker = |other: &&SamegameResult| {
                other.row.mean > ours.row.mean
                    && other
                        .cpu_seconds
                        .zip(ours.cpu_seconds)
                        .is_some_and(|(a, b)| a <= b)
            };
            let quicker: Vec<_> = results.iter().filter(is_quicker).map(code).collect();
            Row::default()
                .with("best", code(&results[0]))
                .with("ours", code(ours))
                .with("quicker", list(&quicker))
        });
    Ok(
        Data::of(results.iter().map(SamegameResult::values).collect())
            .facts(facts.unwrap_or_default()),
    )
}
