//! Alpha of equation 9: what it is worth, and how well equation 10 predicts it.

use std::collections::BTreeMap;

use super::Request;
use super::regression::{LinePoint, r_squared_with_interval};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::{csv_rows, json, ratio};
use crate::row::Row;
use mineflow_tasks::training_records::{AlphaResult, SweepRow, TargetRow};

/// Section 5.2.2: R^2 of the regression of alpha.
const PAPER: f64 = 0.27;

/// A row for each board: the best `alpha` and the `fitted` one. Facts: what the regression gives. More rows: `sweep` with the `gain` of each
/// alpha on alpha = 1, by mine ratio in twentieths, `fit` with R^2 of the first of the alphas that win most, as an arg max gives it: `first`,
/// and how far that is `off` the paper's.
pub(super) fn alpha(request: &Request<'_>) -> Result<Data, ReportError> {
    let [fit, sweep, targets] = request.files else {
        return Ok(Data::default());
    };
    let fit: Option<AlphaResult> = json(fit.path())?;
    let sweep = csv_rows(sweep.path(), check_sweep)?.unwrap_or_default();
    let targets = csv_rows(targets.path(), |row: &TargetRow| {
        ratio("alpha", row.alpha)?;
        ratio("fitted", row.fitted)
    })?;
    let (Some(fit), Some(targets)) = (fit, targets) else {
        return Ok(Data::default());
    };
    let facts = facts(&fit, &sweep, &targets);
    let first = r_squared_with_interval(&first_best(&sweep));
    let published: Vec<LinePoint> = targets
        .iter()
        .map(|row| (like(row.width, row.height, row.mine_ratio), row.alpha))
        .collect();
    let facts = facts.with("mean-of-ties", r_squared_with_interval(&published));
    let off = first.map(|first| first.less(PAPER));
    let data = Data::of(targets.iter().map(Row::of).collect())
        .facts(facts)
        .and("sweep", by_ratio(&sweep));
    Ok(data.and(
        "fit",
        vec![Row::default().with("first", first).with("off", off)],
    ))
}

fn check_sweep(row: &SweepRow) -> Result<(), String> {
    ratio("alpha", row.alpha)?;
    ratio("mine_ratio", row.mine_ratio)?;
    if row.wins <= row.games && row.games > 0 {
        Ok(())
    } else {
        Err(format!("{} wins in {} games", row.wins, row.games))
    }
}

fn facts(fit: &AlphaResult, sweep: &[SweepRow], targets: &[TargetRow]) -> Row {
    let [width, height, mine_ratio, constant] = fit.theta;
    let mut sharing: Vec<_> = targets.iter().map(|target| target.sharing).collect();
    sharing.sort_unstable();
    let shared = sharing.iter().filter(|&&sharing| sharing > 1).count();
    Row::default()
        .with("games", fit.games)
        .with("boards", fit.boards)
        .with("width", width)
        .with("height", height)
        .with("ratio", mine_ratio)
        .with("constant", constant)
        .with("games-a-value", sweep.first().map_or(0, |row| row.games))
        .with("shared", shared)
        .with("targets", targets.len())
        .with(
            "middle",
            sharing.get(sharing.len() / 2).copied().unwrap_or(0),
        )
}

/// What a line sees of a board: the longer side, the shorter side, the mine ratio and a constant.
fn like(width: usize, height: usize, mine_ratio: f64) -> [f64; 4] {
    [
        width.max(height) as f64,
        width.min(height) as f64,
        mine_ratio,
        1.0,
    ]
}

/// Every board with the first of the alphas that win most there.
fn first_best(sweep: &[SweepRow]) -> Vec<LinePoint> {
    let of_one =
        |a: &SweepRow, b: &SweepRow| (a.width, a.height, a.mines) == (b.width, b.height, b.mines);
    let best = |rows: &[SweepRow]| {
        let best = rows
            .iter()
            .reduce(|best, row| if row.wins > best.wins { row } else { best })?;
        Some((like(best.width, best.height, best.mine_ratio), best.alpha))
    };
    sweep.chunk_by(of_one).filter_map(best).collect()
}

/// By mine ratio in twentieths, then by alpha: points won more than with the last alpha.
fn by_ratio(sweep: &[SweepRow]) -> Vec<Row> {
    // Alpha is not negative, so its bits are ordered like it.
    let mut groups: BTreeMap<u32, BTreeMap<u64, (f64, f64, f64)>> = BTreeMap::new();
    for row in sweep {
        let group = (row.mine_ratio * 20.0).round().clamp(1.0, 5.0) as u32;
        let (_, sum, boards) = groups
            .entry(group)
            .or_default()
            .entry(row.alpha.to_bits())
            .or_insert((row.alpha, 0.0, 0.0));
        *sum += row.wins as f64 / row.games as f64;
        *boards += 1.0;
    }
    let rows = groups.iter().flat_map(|(group, alphas)| {
        let means: Vec<_> = alphas
            .values()
            .map(|&(alpha, sum, boards)| (alpha, sum / boards))
            .collect();
        let of_p_alone = means.last().map_or(0.0, |(_, mean)| *mean);
        let name = format!("{} % mines", group * 5);
        means.into_iter().map(move |(alpha, mean)| {
            Row::default()
                .with("mines", name.as_str())
                .with("alpha", alpha)
                .with("gain", mean - of_p_alone)
        })
    });
    rows.collect()
}
