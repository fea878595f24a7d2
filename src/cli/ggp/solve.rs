//! `pipeline ggp solve`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::load;
use crate::Global;
use crate::examples::examples;
use mineflow_document::TableOf;
use mineflow_document::numbers::grouped;
use mineflow_gdl::solve::{Unsolved, Way, solve};
use mineflow_stage_games::ggp_fault::fault_of;

#[derive(Args)]
#[command(after_help = examples(
    &[
        "ggp solve pipelines/ggp/tic-tac-toe.kif",
        "ggp solve pipelines/ggp/kaseklau.kif --json",
    ],
    "",
))]
pub(crate) struct SolveArgs {
    /// A rule sheet in KIF
    file: PathBuf,
    /// Give up after this many states; each takes up to 500 bytes
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    most_states: u32,
}

/// The expected goal of one role for one combination of ways to play.
#[derive(Serialize)]
struct Row {
    game: String,
    states: usize,
    role: String,
    plays: &'static str,
    /// How the other roles play; empty in a game of one role.
    others: &'static str,
    /// The expected goal, 0 to 100.
    goal: f64,
}

pub(super) fn run(args: &SolveArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let game = load(&args.file, global)?;
    let engines = game.engines()?;
    let chance = engines.chance();
    let most = args.most_states as usize;
    let solution = solve(&mut *engines.engine(), chance, most, &|role| engines.role_name(role));
    let solution = solution.map_err(|unsolved| match unsolved {
        Unsolved::Sheet(error) => fault_of(&args.file)(error),
        too_large @ Unsolved::TooLarge { .. } => anyhow::anyhow!("{}: {too_large}", args.file.display()),
    })?;
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut rows = Vec::new();
    for values in &solution.values {
        for role in (0..values.ways.len()).filter(|&role| Some(role) != chance) {
            let others = (0..values.ways.len()).find(|&other| other != role && Some(other) != chance);
            rows.push(Row {
                game: name.clone(),
                states: solution.states,
                role: engines.role_name(role),
                plays: way(values.ways[role]),
                others: others.map_or("-", |other| way(values.ways[other])),
                goal: values.goals[role],
            });
        }
    }
    global.print(&rows, || for_people(&rows))?;
    Ok(ExitCode::SUCCESS)
}

const fn way(way: Way) -> &'static str {
    match way {
        Way::Random => "random",
        Way::Best => "best",
        Way::Perfect => "perfect",
        Way::Flat => "flat",
    }
}

fn for_people(rows: &[Row]) -> String {
    let table = TableOf::new(rows)
        .left("role", |row| &row.role)
        .left("plays", |row| row.plays)
        .left("others", |row| row.others)
        .right("expected goal", |row| format!("{:.4}", row.goal))
        .text();
    let states = rows.first().map_or(0, |row| row.states as u64);
    let game = rows.first().map_or("", |row| &row.game);
    format!("{game}: {} states\n{table}", grouped(states))
}
