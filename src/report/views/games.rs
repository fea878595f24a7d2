//! Tables of games as they are.

use super::Request;
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
        tables.push(format!(
            "`{}` ({})",
            short(file.path()),
            counted(table.len() as u64, "row")
        ));
        rows.extend(table.iter().map(|row| {
            let speed = row
                .cpu_seconds
                .map(|seconds| row.games as f64 / seconds.max(1e-9));
            Row::of(row)
                .with("board", row.board())
                .with("won", row.won())
                .with("speed", speed)
        }));
    }
    Ok(Data::of(rows).facts(Row::default().with("tables", list(&tables))))
}
