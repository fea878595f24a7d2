//! The parts of matches, joined: a folder of them, or a folder of such folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::Played;
use super::record::{read_rows_of, write_rows};
use mineflow_arena::Part;
use mineflow_stage::part::hold_same_work;
use mineflow_store::{Folder, Purpose, StoreError};

/// The folder of the series of a table or a ladder.
pub const SERIES: &str = "series";

/// Joins the matches of parts. The command then makes its tables of them.
///
/// # Errors
/// A part that is not finished, damaged or of other work, and files that can't be read or written.
pub fn join_matches(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> anyhow::Result<()> {
    if Folder::finished_result(out)?.is_some() {
        return Ok(());
    }
    let mut settings = Vec::new();
    for part in parts {
        let mut own = Folder::finished_settings(part, stop)?;
        own.remove(Part::SETTING);
        hold_same_work((&parts[0], settings.first().unwrap_or(&own)), (part, &own))?;
        settings.push(own);
    }
    let folder = Folder::open(out, &Purpose::of(settings.swap_remove(0)), stop)?;
    let series = parts[0].join(SERIES);
    if !series.exists() {
        let mut all = Played::default();
        for part in parts {
            let played = read_rows_of(part)?;
            all.rows.extend(played.rows);
            all.costs.extend(played.costs);
        }
        return write_rows(&folder, &all);
    }
    for entry in fs::read_dir(&series).map_err(StoreError::io("read", &series))? {
        let name = entry.map_err(StoreError::io("read", &series))?.file_name();
        let of_parts: Vec<_> = parts.iter().map(|part| part.join(SERIES).join(&name)).collect();
        join_matches(&out.join(SERIES).join(&name), &of_parts, stop)?;
    }
    Ok(())
}
