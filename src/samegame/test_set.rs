//! JSON files of boards and of move lists.
//!
//! ```text
//! {"boards": [[[3, 1, ...], ...], ...]}    boards[i][row][column], the top row first, colours from 0, null is empty
//! {"solutions": {"1": {"score": 1567, "moves": [[6, 5], ...]}}}    board from 1; column and row from 0, row 0 below
//! ```
//!
//! Other keys are notes for people and are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    puzzle::{Puzzle, PuzzleError},
    rules::Move,
};

/// A list of puzzles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestSet {
    pub puzzles: Vec<Puzzle>,
}

/// A line of play and its score, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoredLine {
    pub score: i32,
    pub moves: Vec<Move>,
}

/// Why a file is not a valid test set.
#[derive(Debug, thiserror::Error)]
pub enum TestSetError {
    #[error("it is not JSON of the expected form")]
    Json(#[from] serde_json::Error),
    #[error("board {board} is wrong")]
    Puzzle { board: usize, source: PuzzleError },
    #[error("it holds no boards")]
    Empty,
    #[error("`{0}` is not a board number")]
    Number(String),
}

#[derive(Deserialize)]
struct BoardsFile {
    boards: Vec<Vec<Vec<Option<u8>>>>,
}

#[derive(Serialize, Deserialize)]
struct SolutionsFile {
    solutions: BTreeMap<String, ScoredLine>,
}

impl TestSet {
    /// Parses the boards of a JSON file.
    ///
    /// # Errors
    /// Returns an error for text that is not JSON of this form, a grid that is not a valid puzzle,
    /// or a file without boards.
    pub fn parse(json: &str) -> Result<Self, TestSetError> {
        let BoardsFile { boards } = serde_json::from_str(json)?;
        if boards.is_empty() {
            return Err(TestSetError::Empty);
        }
        let puzzle = |(index, rows): (usize, &Vec<Vec<Option<u8>>>)| {
            Puzzle::from_rows(rows).map_err(|source| TestSetError::Puzzle {
                board: index + 1,
                source,
            })
        };
        Ok(Self {
            puzzles: boards
                .iter()
                .enumerate()
                .map(puzzle)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl ScoredLine {
    /// Parses the move lists of a JSON file, by board number from 1.
    ///
    /// # Errors
    /// Returns an error for text that is not JSON of this form, or a key that is not a board
    /// number.
    pub fn parse_all(json: &str) -> Result<BTreeMap<usize, Self>, TestSetError> {
        let SolutionsFile { solutions } = serde_json::from_str(json)?;
        let numbered = |(number, solution): (String, Self)| match number.parse() {
            Ok(number) if number > 0 => Ok((number, solution)),
            _ => Err(TestSetError::Number(number)),
        };
        solutions.into_iter().map(numbered).collect()
    }

    /// Writes move lists in the format that [`ScoredLine::parse_all`] reads, one board per line.
    pub fn write_all(solutions: &BTreeMap<usize, Self>) -> String {
        let line = |(number, solution): (&usize, &Self)| {
            let solution = serde_json::to_string(solution).expect("a solution is plain data");
            format!("  \"{number}\": {solution}")
        };
        format!(
            "{{\"solutions\": {{\n{}\n}}}}\n",
            solutions.iter().map(line).collect::<Vec<_>>().join(",\n")
        )
    }
}
