//! `pipeline players`.

use std::process::ExitCode;

use serde::Serialize;

use super::Global;
use mineflow_document::{Align, columns};
use mineflow_minesweeper::player::{parts, versions};

const EXAMPLE: &str = "dss+dsscsp:solutions=100:depth=300+min-p";

#[derive(Serialize)]
struct Row {
    name: &'static str,
    recipe: &'static str,
    summary: &'static str,
    source: &'static str,
}

pub(super) fn run(global: &Global) -> anyhow::Result<ExitCode> {
    let rows: Vec<_> = versions()
        .iter()
        .map(|v| Row { name: v.name, recipe: v.recipe, summary: v.summary, source: v.source })
        .collect();
    global.print(&rows, || {
        let header = ["name", "recipe", "summary", "source"].map(|name| (name, Align::Left));
        let rows: Vec<_> =
            rows.iter().map(|row| [row.name, row.recipe, row.summary, row.source].map(str::to_owned)).collect();
        let parts: Vec<_> = parts().map(|part| <[&str; 2]>::from(part).map(str::to_owned)).collect();
        format!(
            "{}\nA recipe is parts joined by `+`, options after a `:`, such as {EXAMPLE}\n\n{}",
            columns(header, &rows),
            columns(["part", "what it does"].map(|name| (name, Align::Left)), &parts)
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
