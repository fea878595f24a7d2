//! `pipeline boards`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde_json::json;

use super::{Global, interrupt, output::to_stdout, progress::Meter};
use mineflow_minesweeper::{Board, FirstClick, Minefield, mbf, no_guess::Level};
use mineflow_store::write;
use mineflow_tasks::{
    boards::{BoardSearch, Found, Wanted},
    help::examples,
};

/// Find boards that are solved from the first click without a guess
///
/// Boards are drawn as in every game, and a board that needs a guess is skipped; every board
/// without a guess is thus equally likely. A note at the end compares the found boards with all
/// boards tried. The level of a board is the hardest proof that it needs if the easiest possible
/// proof is always used: single-numbers, pairs (two numbers together), whole-count (all layouts
/// that fit agree).
#[derive(Args)]
#[command(after_help = examples(
    &[
        "boards --no-guess 30x16/99 --first 4,4 --count 1000 --out boards",
        "boards --no-guess beginner --level pairs --count 3",
    ],
    "Exit codes: 0 done, 1 fewer boards found than asked for, 2 error, 130 interrupted",
))]
pub(super) struct BoardsArgs {
    /// Choose the board as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert
    #[arg(long, value_name = "BOARD")]
    no_guess: Board,
    /// Set column and row of the first click, from 0
    #[arg(long, value_name = "X,Y", default_value = "0,0", value_parser = place)]
    first: (usize, usize),
    /// Set the first-click rule: safe, opening, any
    #[arg(long, value_name = "RULE", default_value = "opening")]
    first_click: FirstClick,
    /// Find N boards
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    count: u64,
    /// Accept only boards of this level: single-numbers, pairs, whole-count
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Try at most N boards
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    tries: u64,
    /// Write board files (000001.mbf and so on) and boards.csv to this folder [default: print the
    /// boards]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Parses a column and a row.
fn place(text: &str) -> Result<(usize, usize), String> {
    text.split_once(',')
        .and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)))
        .ok_or_else(|| format!("`{text}` is not a column and a row such as 4,4"))
}

pub(super) fn run(args: &BoardsArgs, global: &Global) -> Result<ExitCode> {
    let board = args.no_guess;
    let (x, y) = args.first;
    let first = board.cell(y, x).with_context(|| {
        format!(
            "--first {x},{y} is off the board, which has columns 0 to {} and rows 0 to {}",
            board.width() - 1,
            board.height() - 1
        )
    })?;
    if let Some(out) = &args.out {
        let empty =
            !out.exists() || std::fs::read_dir(out).is_ok_and(|mut files| files.next().is_none());
        ensure!(
            empty,
            "{} is there and not an empty folder; give another --out",
            out.display()
        );
    }
    let wanted = Wanted {
        board,
        first_click: args.first_click,
        first,
        count: args.count,
        level: args.level,
        tries: args.tries,
    };
    let stop = interrupt::listen_quietly()?;
    let meter = Meter::new(global);
    let search = wanted.search(&global.context(None, stop, &meter));
    meter.finish();
    let search = search?;
    match &args.out {
        Some(out) => keep(&search, out)?,
        None => to_stdout(
            &search
                .found
                .iter()
                .map(|found| shown(found, global.json))
                .collect::<String>(),
        )?,
    }
    global.note(&format!("note: {}", search.summary()));
    if !search.is_whole {
        global.note(
            "note: interrupted; the boards found so far are the first of those that were asked for",
        );
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    Ok(if (search.found.len() as u64) < args.count {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Formats a board as text, or as a line of JSON.
fn shown(found: &Found, as_json: bool) -> String {
    if as_json {
        let rows: Vec<String> = found.field.to_string().lines().map(str::to_owned).collect();
        let line = json!({
            "tried": found.index,
            "level": found.level.name(),
            "openings": found.measures.openings,
            "clicks": found.measures.clicks,
            "rows": rows,
        });
        return format!("{line}\n");
    }
    format!(
        "{}\n{}\n\n",
        found.level,
        found.field.to_string().trim_end()
    )
}

/// Creates the folder and writes a board file for each field, numbered from `first` on. Returns the
/// names of the files.
pub(super) fn write_boards<'a>(
    folder: &Path,
    first: usize,
    fields: impl Iterator<Item = &'a Minefield>,
) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("can't make the folder {}", folder.display()))?;
    let mut files = Vec::new();
    for (number, field) in (first..).zip(fields) {
        let name = format!("{number:06}.mbf");
        write(&folder.join(&name), &mbf::write(field)?)?;
        files.push(name);
    }
    Ok(files)
}

fn keep(search: &BoardSearch, out: &Path) -> Result<()> {
    let files = write_boards(out, 1, search.found.iter().map(|found| &found.field))?;
    Ok(write(&out.join("boards.csv"), &search.csv(&files)?)?)
}
