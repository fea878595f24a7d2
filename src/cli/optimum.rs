//! `pipeline optimum`.

use std::process::ExitCode;

use clap::Args;

use super::{Global, interrupt, output::to_stdout, progress::Meter, terminal::Columns};
use mineflow_arena::{
    Align,
    numbers::{grouped, percent},
};
use mineflow_minesweeper::{Board, player::PlayerSpec};
use mineflow_tasks::{
    Context, FirstClickArgs, ModelArgs, Unobserved,
    help::{EXIT_CODES, examples},
    optimum::{OptimumRow, Question},
    values::{check_different, unique},
};

const BEST_PLAY: &str = "best play";

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
    #[command(flatten)]
    first_clicks: FirstClickArgs,
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
    check_different(&players)?;
    let boards = unique(args.boards.clone());
    let rules = args.first_clicks.rules();
    let mut questions = Vec::new();
    for &board in &boards {
        questions.extend(rules.iter().map(|&first_click| Question {
            board,
            first_click,
            players: &players,
            every_first_cell: args.all,
        }));
    }
    let stop = interrupt::listen_quietly()?;
    let context = global.context(None, stop, &Unobserved);
    // Check all boards first: an error after an hour of work would come too late.
    questions
        .iter()
        .try_for_each(|question| question.check(&context))?;

    let columns = columns(&boards, &players);
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

fn columns(boards: &[Board], players: &[PlayerSpec]) -> Columns<'static> {
    let longest_board = boards
        .iter()
        .map(|board| board.to_string().len())
        .max()
        .unwrap_or(0);
    let longest_name = players
        .iter()
        .map(|player| player.name.chars().count())
        .fold(BEST_PLAY.len(), usize::max);
    Columns::new([
        ("board", Align::Left, longest_board),
        ("first click", Align::Left, 7),
        ("player", Align::Left, longest_name),
        ("first cell", Align::Left, 8),
        ("won", Align::Right, 11),
        ("layouts", Align::Right, 11),
        ("won %", Align::Right, 6),
        ("points below best", Align::Right, 6),
    ])
}

fn for_people(row: &OptimumRow) -> [String; 8] {
    [
        row.board.clone(),
        row.first_click.to_owned(),
        row.player.clone().unwrap_or_else(|| BEST_PLAY.to_owned()),
        format!("({}, {})", row.first_cell[0], row.first_cell[1]),
        grouped(row.won),
        grouped(row.layouts),
        percent(row.win_ratio),
        percent(row.below_best),
    ]
}
