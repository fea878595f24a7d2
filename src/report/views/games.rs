//! Tables of games as they are.

use std::collections::BTreeMap;

use super::{Request, lines};
use crate::chart::extent;
use crate::data::Data;
use crate::error::ReportError;
use crate::games::read;
use crate::row::Row;
use crate::sources::short;
use mineflow_arena::numbers::{counted, list};

/// Rows as they are, with `board`, `won` and `speed` (games a CPU second); the fact `tables` lists the files.
pub(super) fn games(request: &Request<'_>) -> Result<Data, ReportError> {
    let (mut rows, mut tables) = (Vec::new(), Vec::new());
    for file in request.files {
        let table = read(file.path())?.map_or_else(Vec::new, |table| table.rows);
        tables.push(format!("`{}` ({})", short(file.path()), counted(table.len() as u64, "row")));
        rows.extend(table.iter().map(|row| {
            let speed = row.cpu_seconds.map(|seconds| row.games as f64 / seconds.max(1e-9));
            Row::of(row).with("board", row.board()).with("won", row.won()).with("speed", speed)
        }));
    }
    Ok(Data::of(rows).facts(Row::default().with("tables", list(&tables))))
}

/// A row for each `training` and `player` of tables whose rows have the seed of their training: how many `seeds`, and what is won in the `mean`
/// of them, at `least` and at `most`, the luck taken out.
pub(super) fn seeds(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut groups: BTreeMap<[String; 2], Vec<f64>> = BTreeMap::new();
    for row in request.rows(lines)? {
        let won = groups.entry(["training", "player"].map(|name| row.text(name).to_owned())).or_default();
        won.extend(row.number("corrected_win_ratio"));
    }
    let row = |([training, player], won): (&[String; 2], &Vec<f64>)| {
        let (least, most) = extent(won.iter().copied());
        let row = Row::default().with("training", training.as_str()).with("player", player.as_str());
        let row = row.with("seeds", won.len()).with("mean", won.iter().sum::<f64>() / won.len() as f64);
        row.with("least", least).with("most", most)
    };
    Ok(Data::of(groups.iter().map(row).collect()))
}
