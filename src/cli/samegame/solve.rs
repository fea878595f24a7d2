//! `pipeline samegame solve`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::Ordering,
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Serialize;

use super::Global;
use crate::{failure::NO, interrupt, output::to_stdout, progress::Meter};
use mineflow_arena::numbers::{counted, grouped};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, FinishedGame, Large, Move, Position, Puzzle, ScoredLine};
use mineflow_search::{Budget, Stop};
use mineflow_store::{LONGEST, read_input_text};
use mineflow_tasks::{
    help::examples,
    samegame::{ALGORITHMS, BudgetText, RandomBoards, read_puzzles},
};

#[derive(Args)]
#[command(after_help = examples(
    &[
        "samegame solve --random 1",
        "samegame solve board.txt --algorithm nrpa:iterations=30 --budget nodes=1000000",
    ],
    ALGORITHMS,
))]
pub(crate) struct SolveArgs {
    /// Read a file of one board (rows of letters, top first) or of many boards (JSON)
    #[arg(value_name = "FILE", required_unless_present = "random")]
    file: Option<PathBuf>,
    /// Use a random board with this seed instead
    #[arg(long, value_name = "SEED", conflicts_with = "file")]
    random: Option<u64>,
    #[command(flatten)]
    boards: RandomBoards,
    /// Choose the board in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    board: u32,
    /// Choose the algorithm
    #[arg(
        long,
        value_name = "ALGORITHM",
        default_value = "sp-mcts:explore=deviation:expand=all-at-once"
    )]
    algorithm: Algorithm,
    /// Set the search budget
    #[arg(long, value_name = "BUDGET", default_value = "nodes=100000")]
    budget: BudgetText,
    /// Play these moves instead and print their score: COLUMN,ROW separated by spaces, where 0,0 is
    /// the lower left cell, or a file of moves, or of solutions as JSON
    #[arg(long, value_name = "MOVES")]
    replay: Option<String>,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer {
    score: i32,
    cleared: bool,
    moves: Vec<Move>,
    playouts: u64,
    nodes: u64,
}

pub(super) fn run(args: &SolveArgs, global: &Global) -> Result<ExitCode> {
    let puzzle = args.puzzle()?;
    if let Some(moves) = &args.replay {
        return replay(&puzzle, &moves_of(moves, args.board as usize)?, global);
    }
    let meter = Meter::new(global);
    meter.say(0, 1, &format!("searching, {}", args.budget));
    let stop = interrupt::listen()?;
    let budget = Budget {
        stop: Stop(Some(stop)),
        ..args.budget.budget()
    };
    let outcome = args.algorithm.solve(
        &puzzle,
        budget,
        Seed::new(global.seed()).child("samegame", 0),
    );
    meter.finish();
    global.print([Answer::of(&outcome)], || for_people(&puzzle, &outcome))?;
    if stop.load(Ordering::Relaxed) {
        global.note("interrupted: these are the best moves found so far");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

impl SolveArgs {
    fn puzzle(&self) -> Result<Puzzle> {
        if let Some(seed) = self.random {
            return Ok(self
                .boards
                .set()
                .puzzles(Some(1), Seed::new(seed))?
                .remove(0));
        }
        let file = self
            .file
            .as_deref()
            .context("a board is missing; name a file or give --random SEED")?;
        let puzzles = read_puzzles(file)?;
        let there = puzzles.len();
        let board = self.board as usize;
        puzzles.into_iter().nth(board - 1).with_context(|| {
            format!(
                "{} holds {}, and board {board} is asked for",
                file.display(),
                counted(there as u64, "board")
            )
        })
    }
}

impl Answer {
    fn of(outcome: &FinishedGame) -> Self {
        Self {
            score: outcome.score,
            cleared: outcome.cleared,
            moves: outcome.line.clone(),
            playouts: outcome.playouts,
            nodes: outcome.nodes,
        }
    }
}

fn for_people(puzzle: &Puzzle, outcome: &FinishedGame) -> String {
    let moves: Vec<_> = outcome.line.iter().map(Move::to_string).collect();
    let mut position = Position::new(puzzle.board::<Large>());
    let end = match position.replay(&outcome.line) {
        Ok(()) if outcome.cleared => "the board is cleared".to_owned(),
        _ => format!("left over:\n{}", puzzle.after(&position.board)),
    };
    let playouts = counted(outcome.playouts, "playout");
    let nodes = counted(outcome.nodes, "node");
    format!(
        "{puzzle}\nmoves {}\nscore {} in {} moves, {playouts}, {nodes}; {}\n",
        moves.join(" "),
        outcome.score,
        moves.len(),
        end.trim_end()
    )
}

/// Parses moves as typed, or reads them from a file.
fn moves_of(text: &str, board: usize) -> Result<Vec<Move>> {
    if let Ok(moves) = typed_moves(text) {
        return Ok(moves);
    }
    let path = Path::new(text);
    let text = read_input_text(path, LONGEST).with_context(|| {
        format!("`{text}` is not a list of moves COLUMN,ROW, nor a file of them")
    })?;
    if text.trim_start().starts_with('{') {
        let mut solutions = ScoredLine::parse_all(&text)
            .with_context(|| format!("{} holds no solutions", path.display()))?;
        let solution = solutions.remove(&board);
        return Ok(solution
            .with_context(|| format!("{} has no solution of board {board}", path.display()))?
            .moves);
    }
    typed_moves(&text).with_context(|| format!("{} holds no moves", path.display()))
}

fn typed_moves(text: &str) -> Result<Vec<Move>> {
    let moves = text
        .split_whitespace()
        .map(|word| {
            word.split_once(',')
                .and_then(|(column, row)| {
                    Some(Move {
                        column: column.parse().ok()?,
                        row: row.parse().ok()?,
                    })
                })
                .with_context(|| format!("`{word}` is not a move; write COLUMN,ROW"))
        })
        .collect::<Result<Vec<_>>>()?;
    ensure!(!moves.is_empty(), "there are no moves");
    Ok(moves)
}

fn replay(puzzle: &Puzzle, moves: &[Move], global: &Global) -> Result<ExitCode> {
    let mut position = Position::new(puzzle.board::<Large>());
    let played = position.replay(moves);
    let cleared = position.board.is_cleared();
    let mut groups = Vec::new();
    position.board.groups(&mut groups);
    if let Err(wrong) = played {
        let what = format!(
            "move {} of {}, {}, removes no group",
            wrong + 1,
            moves.len(),
            moves[wrong]
        );
        ensure!(!global.json, "{what}");
        let board = puzzle.after(&position.board);
        to_stdout(&format!("{board}\n{what} of the board above\n"))?;
        return Ok(ExitCode::from(NO));
    }
    let answer = Answer {
        score: position.score(),
        cleared,
        moves: moves.to_vec(),
        playouts: 0,
        nodes: 0,
    };
    global.print([answer], || {
        let end = match groups.len() as u64 {
            _ if cleared => "the board is cleared".to_owned(),
            0 => "the game is over".to_owned(),
            left => format!("the game is not over, {} can go", counted(left, "group")),
        };
        format!(
            "{}\nscore {} in {} moves; {end}\n",
            puzzle.after(&position.board),
            position.score(),
            grouped(moves.len() as u64)
        )
    })
}
