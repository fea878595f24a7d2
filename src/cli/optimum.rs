//! `pipeline optimum`.

use std::process::ExitCode;

use clap::Args;

use super::line_up::ModelArgs;
use super::output::to_stdout;
use super::progress::Meter;
use super::{Global, interrupt};
use mineflow_arena::Part;
use mineflow_document::numbers::{grouped, percent};
use mineflow_document::{Align, Columns};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_stage::definition::{Context, Unobserved, json_lines};
use mineflow_stage::values::unique;
use mineflow_stage_measure::optimum::{OptimumRow, Question};

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

/// Compute how often best play wins on small boards, exactly, and its best first cell
///
/// Best play is the policy that wins most of the layouts of the mines that a first click may meet, all of them as likely. It is found by
/// searching the whole game, so boards are small: 5x5/6 takes about a minute. Cells are named (row, column), both counted from 0; of those
/// that a turned or mirrored board exchanges, the first stands for all.
#[derive(Args)]
pub(super) struct OptimumArgs {
    /// Boards as WIDTHxHEIGHT/MINES, of at most 64 cells
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<Board>,
    /// What the first click is promised: safe, opening, any; several are separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', default_value = "safe")]
    first_click: Vec<FirstClick>,
    /// Every first cell, not just the best
    #[arg(long)]
    all: bool,
    /// Players by name or recipe, separated by commas: how many layouts each wins after its own first click. Where a player breaks
    /// ties at random, the figure is that of --seed
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',')]
    players: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
}

pub(super) fn run(args: &OptimumArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let players = args.models.players(&args.players)?;
    let (boards, rules) = (unique(args.boards.clone()), unique(args.first_click.clone()));
    let questions: Vec<_> = boards
        .iter()
        .flat_map(|&board| rules.iter().map(move |&rule| (board, rule)))
        .map(|(board, first_click)| Question { board, first_click, players: &players, every_first_cell: args.all })
        .collect();
    let stop = interrupt::listen_and(|| {})?;
    let (seed, threads, memory) = (global.seed, global.threads(), global.memory());
    let context = Context { out: None, seed, part: Part::WHOLE, threads, memory, stop, observer: &Unobserved };
    // Before anything is computed: nobody wants to hear after an hour that the last board is too large.
    questions.iter().try_for_each(|question| question.check(&context))?;

    let longest_board = boards.iter().map(|board| board.to_string().len()).max().unwrap_or(0);
    let longest_name = players.iter().map(|player| player.name.chars().count()).fold(BEST_PLAY.len(), usize::max);
    let columns = Columns::new(HEADER, [longest_board, 7, longest_name, 8, 11, 11, 6, 6]);
    if !global.json {
        to_stdout(&columns.header())?;
    }
    for question in &questions {
        let meter = Meter::new(global);
        let rows = question.rows(&Context { observer: &meter, ..context.clone() });
        meter.finish();
        let Some(rows) = rows? else {
            global.note("note: interrupted; the rows above are complete");
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        };
        to_stdout(&if global.json {
            json_lines(&rows)?
        } else {
            rows.iter().map(|row| columns.line(&for_people(row))).collect()
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
