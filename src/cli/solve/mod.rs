//! `pipeline solve`: mine probabilities of a position, for people, or as JSON Lines.

pub mod board;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, anyhow, bail};

use super::{Global, failure, output};
use mineflow_minesweeper::{
    json_lines::{LinesError, MAX_LINE, answer_lines},
    solver::{Budget, CountError, DEFAULT_MEMORY_LIMIT, Solver},
    text::{self, TextError},
};
use mineflow_tasks::help::{EXIT_CODES, examples};

/// The default of `--node-limit`. A search of so many nodes takes several seconds.
pub const DEFAULT_NODE_LIMIT: u64 = 50_000_000;

/// Print the mine probability of every covered cell of a position.
///
/// The position is a `.mine` text (a first line WIDTHxHEIGHTxMINES, then the rows) or rows alone
/// with --mines N. `#` or `H` is a covered cell, `F` a flag (a note: it proves nothing), `0` to `8`
/// an open cell. Cells are named (row, column), both counted from 0.
#[derive(clap::Args)]
#[command(after_help = examples(
    &[
        "solve position.mine",
        "solve --mines 10 rows.txt",
        "solve --why --json positions.jsonl",
    ],
    EXIT_CODES,
))]
pub struct SolveArgs {
    /// Read this file; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// Read and write JSON Lines: one object a line, answered in order
    ///
    /// In: `{"id": any, "width": w, "height": h, "mines": n, "rows": ["##10", ...]}`, `id` is
    /// optional. Out: {"id", "solutions": "layouts that fit, in decimal", "mine_probability": [[p,
    /// or null for an open cell], ...], "safe": [[row, column], ...], "mines": [[row, column],
    /// ...]}, or {"id", "error"}, and then the exit code is 1.
    #[arg(long, verbatim_doc_comment, conflicts_with = "mines")]
    pub json: bool,

    /// Show why each proved cell is safe or a mine, in steps, those with the shortest chains first
    ///
    /// With --json, answers have `proofs`: [{"cell", "mine", "steps": [{"rule", "numbers", "cells",
    /// "mines", "after"}]}]. A step decides `cells` from the open `numbers` after the earlier steps
    /// `after`, by the rule `number`, `pair`, `count`, `ways` or `layouts`.
    #[arg(long, verbatim_doc_comment)]
    pub why: bool,

    /// Set the number of mines on the board, for rows alone
    #[arg(long, value_name = "N")]
    pub mines: Option<usize>,

    /// Give up on a position after N nodes of search or counting
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT)]
    pub node_limit: u64,
}

/// Runs the command. The exit code is 0, or 1 if a position has no answer: it is malformed,
/// inconsistent or too hard.
pub(super) fn run(args: &SolveArgs, global: &Global) -> Result<ExitCode> {
    let color = global.color_choice();
    let memory = global.memory.map_or(DEFAULT_MEMORY_LIMIT, |bytes| {
        usize::try_from(bytes.0).unwrap_or(usize::MAX)
    });
    let name = if is_stdin(&args.file) {
        "standard input".to_owned()
    } else {
        args.file.display().to_string()
    };
    let input = open(&args.file)?;
    let budget = Budget::new(Some(args.node_limit), None).with_memory_limit(memory);
    if args.json {
        solve_lines(input, &name, &budget, args.why)
    } else {
        solve_board(input, &name, args, budget, color)
    }
}

fn solve_lines(input: impl BufRead, name: &str, budget: &Budget, why: bool) -> Result<ExitCode> {
    match answer_lines(input, io::stdout().lock(), budget, why) {
        Ok(counts) => Ok(if counts.errors > 0 {
            ExitCode::from(failure::NO)
        } else {
            ExitCode::SUCCESS
        }),
        Err(LinesError::Write(error)) => written(Err(error)),
        Err(LinesError::Read(error)) => Err(error).with_context(|| format!("can't read {name}")),
    }
}

fn solve_board(
    input: impl BufRead,
    name: &str,
    args: &SolveArgs,
    mut budget: Budget,
    color: ColorChoice,
) -> Result<ExitCode> {
    let text = match read_text(input, name)? {
        Ok(text) => text,
        Err(why) => return Ok(failure::no_answer(&why)),
    };
    let json_hint = if text.trim_start().starts_with('{') {
        " (JSON Lines are read with --json)"
    } else {
        ""
    };
    let view = match text::read(&text, args.mines) {
        Ok(view) => view,
        // The command line is wrong here, not the position.
        Err(error @ TextError::MinesUnknown) => {
            bail!("{name}: {error}, or give --mines N{json_hint}")
        }
        Err(error @ TextError::MinesDiffer { .. }) => bail!("{name}: {error}{json_hint}"),
        Err(error) => return Ok(failure::no_answer(&anyhow!("{name}: {error}{json_hint}"))),
    };
    match Solver::new().solve(&view, &mut budget) {
        Ok(solution) => {
            let mut output = AutoStream::new(io::stdout(), color).lock();
            let shown = board::write_solution(&mut output, &view, &solution);
            let explained = shown.and_then(|()| match args.why {
                true => board::write_proofs(&mut output, &view, &solution),
                false => Ok(()),
            });
            written(explained.and_then(|()| output.flush()))
        }
        Err(error) => {
            let hint = match error {
                CountError::Exhausted(_) => "; --node-limit N allows more",
                CountError::TooHard { .. } => "; --memory SIZE allows more",
                CountError::Contradiction(_) => "",
            };
            Ok(failure::no_answer(&anyhow!("{name}: {error}{hint}")))
        }
    }
}

/// Ignores a closed pipe: a reader such as `head` has read all it needs.
fn written(result: io::Result<()>) -> Result<ExitCode> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("can't write to standard output")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Reads the text of one board. The outer error is a failed read; the inner one says that the input
/// is not a board.
fn read_text(input: impl BufRead, name: &str) -> Result<Result<String, anyhow::Error>> {
    let mut bytes = Vec::new();
    input
        .take(MAX_LINE as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("can't read {name}"))?;
    if bytes.len() > MAX_LINE {
        return Ok(Err(anyhow!(
            "{name}: more than {MAX_LINE} bytes can't be one board; for many positions use --json"
        )));
    }
    Ok(mineflow_store::text(bytes).map_err(|error| anyhow!("{name} is not text: {error}")))
}

/// Opens a file, or standard input for `-`.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if !is_stdin(path) {
        let file = File::open(path).with_context(|| format!("can't open {}", path.display()))?;
        return Ok(Box::new(BufReader::new(file)));
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        output::note("note: reading from the terminal; an end of file (Ctrl-D) ends the input");
    }
    Ok(Box::new(input))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
