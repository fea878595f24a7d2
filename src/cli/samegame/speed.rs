//! `pipeline samegame speed`.

use std::process::ExitCode;

use clap::Args;

use super::Global;
use crate::examples::examples;
use crate::progress::Meter;
use mineflow_document::numbers::grouped;
use mineflow_document::{Align, columns};
use mineflow_stage_games::samegame::speed::{SpeedRow, speed};

#[derive(Args)]
#[command(after_help = examples(&["samegame speed", "samegame speed --playouts 100000"], ""))]
pub(crate) struct SpeedArgs {
    /// Playouts of each strategy
    #[arg(long = "playouts", value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
}

const HEADER: [(&str, Align); 6] = [
    ("strategy", Align::Left),
    ("playouts", Align::Right),
    ("mean score", Align::Right),
    ("moves", Align::Right),
    ("CPU s", Align::Right),
    ("playouts/CPU s", Align::Right),
];

pub(super) fn run(args: &SpeedArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let meter = Meter::new(global);
    meter.say(0, 1, "timing playouts");
    let rows = speed(args.playouts, global.seed)?;
    meter.finish();
    global.print(&rows, || columns(HEADER, &rows.iter().map(for_people).collect::<Vec<_>>()))?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(row: &SpeedRow) -> [String; 6] {
    [
        row.strategy.to_owned(),
        grouped(row.playouts.into()),
        format!("{:.1}", row.mean_score),
        format!("{:.1}", row.mean_moves),
        format!("{:.3}", row.cpu_seconds),
        grouped(row.playouts_per_cpu_second as u64),
    ]
}
