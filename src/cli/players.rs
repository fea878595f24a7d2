//! `pipeline players`.

use std::process::ExitCode;

use clap::Args;

use super::Global;
use mineflow_arena::TableOf;
use mineflow_minesweeper::player::{parts, versions};
use mineflow_tasks::help::examples;

const EXAMPLE: &str = "dss+dsscsp:solutions=100+min-p";

/// List the named players with descriptions and sources
#[derive(Args)]
#[command(after_help = examples(&["players", "players --recipes", "players --json"], ""))]
pub(super) struct PlayersArgs {
    /// Show the recipe of each player, and every component that a recipe can have; JSON always has
    /// the recipes
    #[arg(long)]
    recipes: bool,
}

pub(super) fn run(args: &PlayersArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let rows = versions();
    global.print(rows, || {
        let table = TableOf::new(rows).left("name", |row| row.name);
        if !args.recipes {
            let table = table.left("summary", |row| row.summary);
            return table.left("source", |row| row.source).text();
        }
        let parts: Vec<_> = parts().map(<[&str; 2]>::from).collect();
        let parts = TableOf::new(&parts)
            .left("part", |part| part[0])
            .left("what it does", |part| part[1]);
        let how = format!(
            "\nA recipe is parts joined by `+`, options after a `:`, such as {EXAMPLE}\n\n"
        );
        table
            .left("recipe", |row| row.recipe)
            .text()
            .then(how)
            .then(parts)
    })
}
