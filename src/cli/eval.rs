//! `pipeline eval`.

use std::process::ExitCode;

use clap::Args;

use super::line_up::ModelArgs;
use super::output::{Align, answer, grouped, json_lines, percent, table};
use super::series::{Field, SeriesArgs, play};
use super::{Global, arguments};
use crate::minesweeper::{Board, FirstClick};
use crate::stage::eval::{self, EvalRow};

/// The board where none is given.
const DEFAULT_BOARD: &str = "beginner";

#[derive(Args)]
pub(super) struct EvalArgs {
    /// Players by name or recipe, separated by commas; `pipeline players` lists them
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    players: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    /// Boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas [default: beginner]
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', conflicts_with_all = ["widths", "mine_ratios"])]
    boards: Vec<Board>,
    /// A grid of boards: widths LOW..HIGH, both included
    #[arg(long, value_name = "RANGE", requires = "mine_ratios")]
    widths: Option<arguments::Range<u16>>,
    /// A grid of boards: heights as a share of the width, LOW..HIGH
    #[arg(long, value_name = "RANGE", requires = "widths", default_value = "0.5..1")]
    height_ratio: arguments::Range<f64>,
    /// A grid of boards: mines as a share of the cells, LOW..HIGH:STEP
    #[arg(long, value_name = "RANGE", requires = "widths")]
    mine_ratios: Option<arguments::Steps>,
    /// What the first click is promised: safe, opening or any; several are separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', default_value = "safe")]
    first_click: Vec<FirstClick>,
    /// Games of each player, board and first-click rule
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = arguments::games())]
    games: u32,
    #[command(flatten)]
    series: SeriesArgs,
}

impl EvalArgs {
    fn field(&self) -> anyhow::Result<Field> {
        let boards = match (self.widths, self.mine_ratios) {
            (Some(widths), Some(ratios)) => {
                arguments::grid(widths, self.height_ratio, ratios).map_err(anyhow::Error::msg)?
            }
            _ if self.boards.is_empty() => vec![DEFAULT_BOARD.parse()?],
            _ => arguments::unique(self.boards.clone()),
        };
        Ok(Field {
            players: self.models.players(&self.players)?,
            boards,
            first_clicks: arguments::unique(self.first_click.clone()),
        })
    }
}

pub(super) fn run(args: &EvalArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let series = args.series.series(global, args.field()?, args.games);
    let mut arena = eval::open(&series)?;
    if let Some(code) = play(global, &series, &mut arena)? {
        return Ok(code);
    }
    let rows = eval::rows(&arena)?;
    answer(&if global.json { json_lines(&rows)? } else { for_people(&rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[EvalRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("board", Align::Left),
        ("first click", Align::Left),
        ("games", Align::Right),
        ("won %", Align::Right),
        ("95 % interval", Align::Right),
        ("timeouts", Align::Right),
        ("guesses/game", Align::Right),
        ("CPU s", Align::Right),
        ("games/CPU s", Align::Right),
    ];
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            [
                row.player.clone(),
                format!("{}x{}/{}", row.width, row.height, row.mines),
                row.first_click.to_owned(),
                grouped(row.games),
                percent(row.win_ratio),
                format!("{} - {}", percent(row.ci_low), percent(row.ci_high)),
                grouped(row.timeouts),
                format!("{:.3}", row.guesses_per_game),
                format!("{:.3}", row.cpu_seconds),
                format!("{:.1}", row.games_per_cpu_second),
            ]
        })
        .collect();
    table(header, &rows)
}
