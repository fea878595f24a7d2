//! `pipeline puzzles`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::examples::examples;
use super::output::to_stdout;
use super::progress::Meter;
use super::{Global, interrupt};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_stage::definition::{Context, json_lines};
use mineflow_stage_measure::puzzles::{Hunt, Kind, Known, Maker, PUBLISHED, Puzzle, read};
use mineflow_store::{read_input_text, write};

/// Who plays on after the candidates: the strongest of the fast ones.
const PLAYS_ON: &str = "10.0-fast";
/// The longest file that is read.
const LONGEST: u64 = 1 << 28;

/// Positions to learn from, each with what every candidate is worth: make them again, find more
#[derive(Subcommand)]
pub(super) enum PuzzlesCommand {
    /// Make puzzles again from the games that they are of
    ///
    /// Of each line of the file only the name, the sentence, the source and how its chances are to be known are read; all else is computed: exact
    /// chances, roll-outs, what players choose. Without --out the lines are printed.
    #[command(after_help = examples(
        &["puzzles make", "puzzles make --choices --out puzzles.jsonl", "puzzles make found.jsonl --out found.jsonl"],
        "Exit codes: 0 done, 2 error, 130 interrupted",
    ))]
    Make(MakeArgs),
    /// Find positions in games and print them as puzzles
    #[command(after_help = examples(
        &[
            "puzzles find --kind safest-loses --board 5x5/6",
            "puzzles find --kind equal-safety --board 9x9/10 --roll-outs 1000",
        ],
        "Exit codes: 0 done, 1 fewer positions found than asked for, 2 error, 130 interrupted",
    ))]
    Find(FindArgs),
}

#[derive(Args)]
pub(super) struct MakeArgs {
    /// A file of puzzles, an object a line [default: those of the program]
    file: Option<PathBuf>,
    /// Ask the players again, and leave all else as it is
    #[arg(long)]
    choices: bool,
    /// File for the puzzles [default: print them]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct FindArgs {
    /// What they are to be examples of: opening, small, endgame, safest-loses, equal-safety, dead-cell, even-chance, away-from-numbers,
    /// corner, mine-count
    #[arg(long, value_name = "KIND")]
    kind: Kind,
    /// The board as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert
    #[arg(long, value_name = "BOARD", default_value = "expert")]
    board: Board,
    /// First click rule: safe, opening, any
    #[arg(long, value_name = "RULE", default_value = "safe")]
    first_click: FirstClick,
    /// The player of the games
    #[arg(long, value_name = "PLAYER", default_value = "10.0")]
    player: String,
    /// Number of positions to find, one a game
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    positions: u64,
    /// Most games to try
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Fewest layouts that fit
    #[arg(long, value_name = "N", default_value_t = 10)]
    least: u64,
    /// Most layouts that fit; with --roll-outs more than this fit
    #[arg(long, value_name = "N", default_value_t = 2000)]
    most: u64,
    /// How much less often the second-best candidates win, at least
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    gap: f64,
    /// In place of exact chances, let 10.0-fast play on this often after each candidate of a position with more layouts
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u32).range(100..))]
    roll_outs: Option<u32>,
}

pub(super) fn run(command: &PuzzlesCommand, global: &Global) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen_quietly()?;
    let meter = Meter::new(global);
    let context = global.context(None, stop, &meter);
    let (puzzles, out, wanted) = match command {
        PuzzlesCommand::Make(args) => {
            let text = args.file.as_ref().map(|file| read_input_text(file, LONGEST)).transpose()?;
            let puzzles = read(text.as_deref().unwrap_or(PUBLISHED))?;
            (again(&puzzles, args.choices, &context), args.out.as_ref(), puzzles.len() as u64)
        }
        PuzzlesCommand::Find(args) => (hunt(args)?.run(&context), None, args.positions),
    };
    meter.finish();
    let puzzles = puzzles?;
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        global.note("interrupted: nothing is written");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    let lines = json_lines(&puzzles)?;
    match out {
        Some(out) => write(out, lines.as_bytes())?,
        None => to_stdout(&lines)?,
    }
    Ok(if (puzzles.len() as u64) < wanted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The puzzles made again; fewer if it is asked to stop.
fn again(puzzles: &[Puzzle], choices: bool, context: &Context<'_>) -> anyhow::Result<Vec<Puzzle>> {
    let mut made = Vec::new();
    context.workers().run_in_order(
        puzzles.iter(),
        Maker::new,
        |maker, puzzle| {
            let maker = maker.as_mut().map_err(|error| anyhow::anyhow!("{error:#}"))?;
            match choices {
                true => Ok(Puzzle { choices: maker.choices(&puzzle.view()?, puzzle.first_click)?, ..puzzle.clone() }),
                false => maker.make(puzzle),
            }
            .with_context(|| format!("puzzle `{}`", puzzle.name))
        },
        |puzzle| {
            if let Some(puzzle) = puzzle {
                made.push(puzzle?);
            }
            context.count("puzzles", made.len() as u64, puzzles.len() as u64, "");
            anyhow::Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(made)
}

fn hunt(args: &FindArgs) -> anyhow::Result<Hunt> {
    let known = match args.roll_outs {
        Some(lines) => Known::RollOuts { player: PLAYS_ON.to_owned(), lines },
        None => Known::Exact { layouts: 0 },
    };
    Ok(Hunt {
        board: args.board,
        first_click: args.first_click,
        player: args.player.parse()?,
        kind: args.kind,
        positions: args.positions,
        games: args.games,
        known,
        layouts: args.least..=args.most,
        gap: args.gap,
    })
}
