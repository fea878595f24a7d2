//! `pipeline ggp bench`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::Global;
use crate::examples::examples;
use crate::output::to_stdout;
use mineflow_document::numbers::grouped;
use mineflow_document::{Align, Columns};
use mineflow_stage_games::ggp::bench;

const HEADER: [(&str, Align); 7] = [
    ("game", Align::Left),
    ("playouts", Align::Right),
    ("cut off", Align::Right),
    ("steps", Align::Right),
    ("CPU s", Align::Right),
    ("playouts/CPU s", Align::Right),
    ("mean goals", Align::Left),
];

#[derive(Args)]
#[command(after_help = examples(
    &[
        "ggp bench pipelines/ggp/hex.kif",
        "ggp bench pipelines/ggp/chess.kif pipelines/ggp/othello.kif --playouts 1000",
    ],
    "",
))]
pub(crate) struct BenchArgs {
    /// Rule sheets in KIF
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Random playouts from the start of each game
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    playouts: usize,
    /// Stop a playout after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    horizon: usize,
}

pub(super) fn run(args: &BenchArgs, global: &Global) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(args.playouts > 0, "--playouts 0 leaves nothing to measure");
    let longest = args.files.iter().filter_map(|file| file.file_stem()).map(|name| name.len()).max().unwrap_or(0);
    let columns = Columns::new(HEADER, [longest, 9, 7, 7, 9, 15, 10]);
    if !global.json {
        to_stdout(&columns.header())?;
    }
    for file in &args.files {
        let row = bench(file, args.playouts, args.horizon, global.seed)?;
        row.notes.iter().for_each(|note| global.note(&format!("note: {note}")));
        global.print([&row], || {
            columns.line(&[
                row.game.clone(),
                grouped(row.playouts as u64),
                grouped(row.cut_off as u64),
                format!("{:.2}", row.mean_steps),
                format!("{:.3}", row.cpu_seconds),
                grouped(row.playouts_per_cpu_second.round() as u64),
                row.mean_goals.iter().map(|goal| format!("{goal:.2}")).collect::<Vec<_>>().join(" "),
            ])
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
