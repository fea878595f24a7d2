//! `pipeline calibrate`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::ArgPredicate;

use super::line_up::ModelArgs;
use super::output::{Align, answer, grouped, json_lines, percent, table};
use super::progress::Meter;
use super::{Global, arguments, interrupt};
use crate::minesweeper::{Board, FirstClick};
use crate::stage::calibrate::{Calibration, CalibrationRow, ErrorRow, ScoreRow, Tables};

/// Games where guesses are limited: more than anybody waits for.
const MOST_GAMES: &str = "100000000";

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
    /// Games of each player and board [default: 2000; with --guesses as many as these take]
    #[arg(long, value_name = "N", default_value = "2000", value_parser = arguments::games(), hide_default_value = true,
        default_value_if("guesses", ArgPredicate::IsPresent, MOST_GAMES))]
    games: u32,
    /// Guesses of each player and board: its games end with the one in which it has guessed so often
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    guesses: Option<u64>,
    /// File for the bins as CSV; the scores are written to NAME-scores.csv beside it, the errors of limited P to NAME-errors.csv
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &CalibrateArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let calibration = Calibration {
        players: args.models.players(&args.players)?,
        boards: arguments::unique(args.boards.clone()),
        first_click: args.first_click,
        games: args.games,
        guesses: args.guesses,
        seed: global.seed,
        threads: global.threads(),
    };
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let counted = if args.guesses.is_some() { "guesses" } else { "games" };
    let tables = calibration.run(stop, &mut |done, planned| meter.count(counted, done, planned));
    meter.finish();
    let Some(tables) = tables? else {
        global.note("interrupted: nothing was written; the same command begins anew");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    };
    if let Some(out) = &args.out {
        tables.write(out)?;
    }
    answer(&if global.json { json_lines(&tables.rows().collect::<Vec<_>>())? } else { for_people(&tables) })?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(tables: &Tables) -> String {
    let errors = if tables.errors.is_empty() { String::new() } else { errors(&tables.errors) + "\n" };
    format!("{}\n{errors}{}", scores(&tables.scores), bins(&tables.bins))
}

fn scores(rows: &[ScoreRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("predictor", Align::Left),
        ("cells", Align::Left),
        ("count", Align::Right),
        ("Brier score", Align::Right),
        ("log-loss", Align::Right),
        ("calibration error", Align::Right),
    ];
    let line = |row: &ScoreRow| {
        [
            row.player.clone(),
            row.predictor.name().to_owned(),
            row.cells.name().to_owned(),
            grouped(row.count),
            format!("{:.4}", row.brier_score),
            format!("{:.4}", row.log_loss),
            format!("{:.4}", row.calibration_error),
        ]
    };
    table(header, &rows.iter().map(line).collect::<Vec<_>>())
}

fn errors(rows: &[ErrorRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("board", Align::Left),
        ("guesses", Align::Right),
        ("mean error of P", Align::Right),
        ("cells with P = 0", Align::Right),
        ("mines", Align::Right),
        ("mines %", Align::Right),
        ("95 % interval", Align::Right),
    ];
    let line = |row: &ErrorRow| {
        [
            row.player.clone(),
            row.board.clone(),
            grouped(row.guesses),
            row.mean_error.map_or(String::new(), |error| format!("{error:.4}")),
            grouped(row.zero_cells),
            grouped(row.zero_mines),
            row.share.map_or(String::new(), percent),
            format!("{} - {}", percent(row.ci_low), percent(row.ci_high)),
        ]
    };
    table(header, &rows.iter().map(line).collect::<Vec<_>>())
}

fn bins(rows: &[CalibrationRow]) -> String {
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
            row.predictor.name().to_owned(),
            row.cells.name().to_owned(),
            format!("{:.2} - {:.2}", row.bin_low, row.bin_high),
            grouped(row.count),
            format!("{:.4}", row.predicted),
            format!("{:.4}", row.observed),
        ]
    };
    table(header, &rows.iter().map(line).collect::<Vec<_>>())
}
