//! `pipeline guesses`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::examples::examples;
use super::{Global, interrupt};
use mineflow_document::numbers::percent;
use mineflow_document::{TableOf, to_csv};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_stage::ModelArgs;
use mineflow_stage_measure::guesses::{GuessRow, Wanted};
use mineflow_store::write;

/// Find positions where players guess differently, and print how good each guess is
///
/// The last player plays the games. From each game, this takes the first position where the players choose at least three cells and
/// their chances to win differ by two points or more. The chance of a guess is the mean over the numbers that the cell may show.
#[derive(Args)]
#[command(after_help = examples(
    &[
        "guesses",
        "guesses --players 4.0,7.0,10.0 --board intermediate --positions 1 --seed 5",
        "guesses --out notebooks-free-reports/play/guesses.csv",
    ],
    "Exit codes: 0 done, 1 fewer positions found than asked for, 2 error, 130 interrupted",
))]
pub(super) struct GuessesArgs {
    /// Players by name or recipe, separated by commas; the last plays the games
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', default_value = "3.0,4.0,5.0,7.0,10.0-fast,10.0")]
    players: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    /// The board as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert
    #[arg(long, value_name = "BOARD", default_value = "expert")]
    board: Board,
    /// First click rule: safe, opening, any
    #[arg(long, value_name = "RULE", default_value = "safe")]
    first_click: FirstClick,
    /// Number of positions to find
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    positions: u64,
    /// Most games to try
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// CSV file for the guesses [default: print them]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &GuessesArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let players = args.models.players(&args.players)?;
    let stop = interrupt::listen()?;
    let GuessesArgs { board, first_click, positions, games, .. } = *args;
    let rows = Wanted { board, first_click, players, positions, games }.find(global.seed, stop)?;
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        global.note("interrupted: nothing is written");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    match &args.out {
        Some(out) => write(out, &to_csv(&rows)?)?,
        None => global.print(&rows, || text(&rows))?,
    }
    let found = rows.last().map_or(0, |row| row.position);
    Ok(if found < positions { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Each position with its guesses below.
fn text(rows: &[GuessRow]) -> String {
    let of_position = |rows: &[GuessRow]| {
        let table = TableOf::new(rows)
            .left("player", |row| &row.player)
            .left("row, column", |row| format!("({}, {})", row.row, row.column))
            .right("mine %", |row| percent(row.mine))
            .right("win %", |row| percent(row.win))
            .text();
        format!("{}, game {}\n{}\n\n{table}\n", rows[0].board, rows[0].game, rows[0].view.replace('/', "\n"))
    };
    rows.chunk_by(|a, b| a.position == b.position).map(of_position).collect()
}
