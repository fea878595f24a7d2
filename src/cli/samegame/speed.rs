//! `pipeline samegame speed`.

use std::process::ExitCode;

use clap::Args;

use super::Global;
use crate::examples::examples;
use crate::progress::Meter;
use mineflow_document::TableOf;
use mineflow_document::numbers::grouped;
use mineflow_stage_games::samegame::speed::{SpeedRow, speed};

#[derive(Args)]
#[command(after_help = examples(&["samegame speed", "samegame speed --playouts 100000"], ""))]
pub(crate) struct SpeedArgs {
    /// Playouts of each strategy
    #[arg(long = "playouts", value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
}

pub(super) fn run(args: &SpeedArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let meter = Meter::new(global);
    meter.say(0, 1, "timing playouts");
    let rows = speed(args.playouts, global.seed)?;
    meter.finish();
    global.print(&rows, || for_people(&rows))?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[SpeedRow]) -> String {
    TableOf::new(rows)
        .left("strategy", |row| row.strategy)
        .right("playouts", |row| grouped(row.playouts.into()))
        .right("mean score", |row| format!("{:.1}", row.mean_score))
        .right("moves", |row| format!("{:.1}", row.mean_moves))
        .right("CPU s", |row| format!("{:.3}", row.cpu_seconds))
        .right("playouts/CPU s", |row| grouped(row.playouts_per_cpu_second as u64))
        .text()
}
