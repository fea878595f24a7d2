//! Edges of search trees, which `pipeline eval --engine paper` counts as nodes.

use std::collections::HashMap;

use super::Request;
use crate::data::Data;
use crate::error::ReportError;
use crate::games::read;
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_tasks::eval::EvalRow;

/// A row for each pair of players that is asked for: over the `boards` on which no game of either reached a limit, how many times as many
/// `edges` a game of the second walks and how many `times` as long it takes, as medians over boards, and `all-edges` and `all-times`, those of
/// all their games together; `late-first` and `late-second` count the games that reached one.
pub(super) fn edges(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| Ok(read(path)?.map(|table| table.rows)))?;
    Ok(Data::of(
        request
            .with
            .pairs
            .iter()
            .filter_map(|pair| of_pair(&rows, pair))
            .collect(),
    ))
}

fn of_pair(rows: &[EvalRow], [first, second]: &[String; 2]) -> Option<Row> {
    let of = |player: &str| -> Vec<&EvalRow> {
        rows.iter().filter(|row| row.player == player).collect()
    };
    let late = |rows: &[&EvalRow]| rows.iter().map(|row| row.timeouts).sum::<u64>();
    let (of_first, of_second) = (of(first), of(second));
    let board = |row: &EvalRow| (row.width, row.height, row.mines, row.first_click.clone());
    let on_board: HashMap<_, _> = of_second.iter().map(|row| (board(row), *row)).collect();
    let both = of_first
        .iter()
        .filter_map(|a| Some((*a, *on_board.get(&board(a))?)));
    let both: Vec<_> = both
        .filter(|(a, b)| a.timeouts + b.timeouts == 0 && a.games == b.games)
        .collect();
    let compared = |of: fn(&EvalRow) -> Option<f64>| -> Option<(Estimate, f64)> {
        let pairs: Option<Vec<_>> = both.iter().map(|(a, b)| of(a).zip(of(b))).collect();
        let pairs: Vec<_> = pairs?
            .into_iter()
            .filter(|&(a, b)| a > 0.0 && b > 0.0)
            .collect();
        let sum = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>();
        let all = sum(|pair| pair.1) / sum(|pair| pair.0);
        Some((Estimate::median(pairs.iter().map(|(a, b)| b / a))?, all))
    };
    let (edges, all_edges) = compared(|row| row.nodes_per_game)?;
    let (times, all_times) = compared(|row| row.cpu_seconds)?;
    let row = Row::default()
        .with("first", &**first)
        .with("second", &**second)
        .with("boards", both.len());
    let row = row
        .with("edges", edges)
        .with("all-edges", all_edges)
        .with("times", times)
        .with("all-times", all_times);
    Some(
        row.with("late-first", late(&of_first))
            .with("late-second", late(&of_second)),
    )
}
