//! `pipeline calibrate`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::line_up::ModelArgs;
use super::output::{Align, answer, grouped, json_lines, table};
use super::progress::Meter;
use super::{Global, arguments, interrupt};
use crate::minesweeper::{Board, FirstClick};
use crate::stage::calibrate::{Calibration, CalibrationRow, write};

#[derive(Args)]
pub(super) struct CalibrateArgs {
    /// Players by name or recipe, separated by commas: their probabilities, and those of the classifiers that they ask
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', default_value = "4.0,4.5,5.0,5.5,7.0")]
    players: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    /// Boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "beginner,intermediate,expert")]
    boards: Vec<Board>,
    /// What the first click is promised: safe, opening or any
    #[arg(long, value_name = "RULE", default_value = "safe")]
    first_click: FirstClick,
    /// Games of each player and board
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = arguments::games())]
    games: u32,
    /// File for the table as CSV
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &CalibrateArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let calibration = Calibration {
        players: args.models.players(&args.players)?,
        boards: arguments::unique(args.boards.clone()),
        first_click: args.first_click,
        games: args.games,
        seed: global.seed,
        threads: global.threads(),
    };
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let rows = calibration.run(stop, &mut |played, planned| meter.count("games", played, planned));
    meter.finish();
    let Some(rows) = rows? else {
        global.note("interrupted: nothing was written; the same command begins anew");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    };
    if let Some(out) = &args.out {
        write(&rows, out)?;
    }
    answer(&if global.json { json_lines(&rows)? } else { for_people(&rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[CalibrationRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("predictor", Align::Left),
        ("cells", Align::Left),
        ("bin", Align::Left),
        ("count", Align::Right),
        ("predicted", Align::Right),
        ("observed", Align::Right),
    ];
    let line = |row: &CalibrationRow| {
        [
            row.player.clone(),
            row.predictor.to_owned(),
            row.cells.to_owned(),
            format!("{:.2} - {:.2}", row.bin_low, row.bin_high),
            grouped(row.count),
            format!("{:.4}", row.predicted),
            format!("{:.4}", row.observed),
        ]
    };
    table(header, &rows.iter().map(line).collect::<Vec<_>>())
}
