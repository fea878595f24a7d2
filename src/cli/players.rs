//! `pipeline players`.

use std::process::ExitCode;

use serde::Serialize;

use super::Global;
use mineflow_document::TableOf;
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
        let table = TableOf::new(&rows)
            .left("name", |row| row.name)
            .left("recipe", |row| row.recipe)
            .left("summary", |row| row.summary)
            .left("source", |row| row.source);
        let parts: Vec<_> = parts().map(<[&str; 2]>::from).collect();
        let parts = TableOf::new(&parts).left("part", |part| part[0]).left("what it does", |part| part[1]);
        format!(
            "{}\nA recipe is parts joined by `+`, options after a `:`, such as {EXAMPLE}\n\n{}",
            table.text(),
            parts.text()
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
