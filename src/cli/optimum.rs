//! `pipeline optimum`.

use std::process::ExitCode;

use clap::Args;

use super::output::to_stdout;
use super::progress::Meter;
use super::terminal::Columns;
use super::{Global, interrupt};
use mineflow_arena::Align;
use mineflow_arena::numbers::{grouped, percent};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_tasks::ModelArgs;
use mineflow_tasks::help::{EXIT_CODES, examples};
use mineflow_tasks::optimum::{OptimumRow, Question};
use mineflow_tasks::values::unique;
use mineflow_tasks::{Context, Unobserved};

const BEST_PLAY: &str = "best play";

const HEADER: [(&str, Align); 8] = [
    ("board", Align::Left),
    ("first click", Align::Left),
    ("player", Align::Left),
    ("first cell", Align::Left),
    ("won", Align::Right),
    ("layouts", Align::Right),
    ("won %", Align::Right),
    ("points below best", Align::Right),
];

/// Compute the exact win rate and first cell of optimal play on small boards
///
/// Optimal play is the policy with the highest win rate over the layouts that are possible after
/// the first click, all of them equally likely. It is found by searching the whole game, and thus
/// boards must be small: 5x5/6 takes about a minute. Cells are (row, column), counted from 0. Of
/// first cells that are equivalent by symmetry, only the first is shown.
#[derive(Args)]
#[command(after_help = examples(&["optimum 4x4/4", "optimum 4x4/4 3x5/4 --players 7.0,11.0 --all"], EXIT_CODES))]
pub(super) struct OptimumArgs {
    /// Solve these boards: WIDTHxHEIGHT/MINES, of at most 64 cells
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<Board>,
    /// Choose the first-click rules: safe, opening, any; separate several by commas
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        default_value = "safe"
    )]
    first_click: Vec<FirstClick>,
    /// Show every first cell, not only the best
    #[arg(long)]
    all: bool,
    /// Also play these players (names or recipes, separated by commas), and count the layouts that
    /// each wins after its own first click. If a player breaks ties at random, the count depends on
    /// --seed
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',')]
    players: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
}

pub(super) fn run(args: &OptimumArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let players = args.models.players(&args.players, &global.published)?;
    let boards = unique(args.boards.clone());
    let rules = unique(args.first_click.clone());
    let questions: Vec<_> = boards
        .iter()
        .flat_map(|&board| rules.iter().map(move |&rule| (board, rule)))
        .map(|(board, first_click)| Question {
            board,
            first_click,
            players: &players,
            every_first_cell: args.all,
        })
        .collect();
    let stop = interrupt::listen_quietly()?;
    let context = global.context(None, stop, &Unobserved);
    // Check all boards first: an error after an hour of work would come too late.
    questions
        .iter()
        .try_for_each(|question| question.check(&context))?;

    let longest_board = boards
        .iter()
        .map(|board| board.to_string().len())
        .max()
        .unwrap_or(0);
    let longest_name = players
        .iter()
        .map(|player| player.name.chars().count())
        .fold(BEST_PLAY.len(), usize::max);
    let columns = Columns::new(HEADER, [longest_board, 7, longest_name, 8, 11, 11, 6, 6]);
    if !global.json {
        to_stdout(&columns.header())?;
    }
    for question in &questions {
        let meter = Meter::new(global);
        let rows = question.rows(&Context {
            observer: &meter,
            ..context.clone()
        });
        meter.finish();
        let Some(rows) = rows? else {
            global.note("note: interrupted; the rows above are complete");
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        };
        global.print(&rows, || {
            rows.iter()
                .map(|row| columns.line(&for_people(row)))
                .collect::<String>()
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(row: &OptimumRow) -> [String; 8] {
    let [at_row, at_col] = row.first_cell;
    [
        row.board.clone(),
        row.first_click.to_owned(),
        row.player.clone().unwrap_or_else(|| BEST_PLAY.to_owned()),
        format!("({at_row}, {at_col})"),
        grouped(row.won),
        grouped(row.layouts),
        percent(row.win_ratio),
        percent(row.below_best),
    ]
}
