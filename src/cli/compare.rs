//! `pipeline compare`.

use std::process::ExitCode;

use clap::Args;

use super::failure::NO;
use super::line_up::ModelArgs;
use super::output::{answer, counted, grouped, json_lines, percent};
use super::series::{Field, SeriesArgs, play};
use super::{Global, arguments};
use crate::minesweeper::{Board, FirstClick};
use crate::stage::compare::{self, CompareRow, Verdict};

#[derive(Args)]
pub(super) struct CompareArgs {
    /// A player by name or recipe; `pipeline players` lists them
    a: String,
    /// The player to compare it with
    b: String,
    #[command(flatten)]
    models: ModelArgs,
    /// Boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "beginner")]
    boards: Vec<Board>,
    /// What the first click is promised: safe, opening or any; several are separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', default_value = "safe")]
    first_click: Vec<FirstClick>,
    /// Games of each player, board and first-click rule
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = arguments::games())]
    games: u32,
    #[command(flatten)]
    series: SeriesArgs,
}

pub(super) fn run(args: &CompareArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let field = Field {
        players: args.models.players(&[args.a.clone(), args.b.clone()])?,
        boards: arguments::unique(args.boards.clone()),
        first_clicks: arguments::unique(args.first_click.clone()),
    };
    let series = args.series.series(global, field, args.games);
    let mut arena = compare::open(&series)?;
    if let Some(code) = play(global, &series, &mut arena)? {
        return Ok(code);
    }
    let rows = compare::rows(&arena)?;
    let text =
        if global.json { json_lines(&rows)? } else { rows.iter().map(for_people).collect::<Vec<_>>().join("\n") };
    answer(&text)?;
    let shown = rows.iter().any(|row| row.verdict != Verdict::NoDifferenceShown);
    Ok(if shown { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}

fn for_people(row: &CompareRow) -> String {
    let CompareRow { a, b, .. } = row;
    let [both, only_a, only_b, neither] = [row.both_won, row.only_a_won, row.only_b_won, row.neither_won].map(grouped);
    format!(
        "{a} against {b} on {}x{}/{}, first click {}, the same {}\n\
         \x20 won by both {both}, by {a} alone {only_a}, by {b} alone {only_b}, by neither {neither}\n\
         \x20 {a} wins {} %, {b} wins {} %: a difference of {:+.2} points, 95 % interval {:+.2} to {:+.2}\n\
         \x20 McNemar's exact test: p = {}\n\
         \x20 {}\n",
        row.width,
        row.height,
        row.mines,
        row.first_click,
        counted(row.games, "game"),
        percent(row.win_ratio_a),
        percent(row.win_ratio_b),
        100.0 * row.difference,
        100.0 * row.ci_low,
        100.0 * row.ci_high,
        p_value(row.p_value),
        verdict(row),
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

fn verdict(row: &CompareRow) -> String {
    match (row.verdict, row.games_to_settle) {
        (Verdict::AStronger, _) => format!("{} is stronger.", row.a),
        (Verdict::BStronger, _) => format!("{} is stronger.", row.b),
        (Verdict::NoDifferenceShown, None) => "No difference is shown at 95 %: they won equally often.".to_owned(),
        (Verdict::NoDifferenceShown, Some(games)) => format!(
            "No difference is shown at 95 %. If it is as large as measured, about {} games show it 4 times in 5.",
            grouped(games)
        ),
    }
}
