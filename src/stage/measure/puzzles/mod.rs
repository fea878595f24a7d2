//! Puzzles: named positions in which a guess must be made, with what each candidate is worth and what players choose.
//!
//! They are kept in `puzzles.jsonl`, an object a line:
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `shows` | a short name, and a sentence about what the position teaches |
//! | `kinds` | what it is an example of ([`Kind`]) |
//! | `width`, `height`, `mines`, `rows` | the position as `pipeline solve --json` reads it |
//! | `first_click` | the rule of the game that it is of |
//! | `source` | that game: its player, seed and number as `eval` counts them, and how many decisions were made before |
//! | `known` | `exact`, and the layouts that fit; or `roll-outs`, and who plays how many lines after each candidate |
//! | `best` | the best cells, as `[row, column]` from 0 |
//! | `candidates` | each cell with its probability of a mine and its chance to win; by roll-outs also the 95 % interval of that, and of the distance to the best |
//! | `choices` | the cell that each player opens, null where it gives up |
//!
//! An exact chance is that of best play after the cell: by [`optimum`](mineflow_minesweeper::optimum) before the first click, else by the
//! search of endgames, and every cell is a candidate. By roll-outs, the player goes on after each candidate on the same layouts, drawn from
//! those that fit, and the luck of its guesses is taken out. They don't show every cell: [`Maker`] says which they try.
//!
//! Everything but the name and the sentence is made again from `source`: [`Maker::make`], by `pipeline puzzles make`. [`Hunt`] finds more.

mod hunt;
mod kind;
mod make;
mod roll_outs;
mod values;

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

pub use hunt::Hunt;
pub use kind::Kind;
pub use make::{Maker, PLAYERS};
pub use values::Unsuited;

use mineflow_minesweeper::text::TextError;
use mineflow_minesweeper::{FirstClick, View};
use mineflow_stage::texts::{text, texts};

/// The puzzles of the program.
pub const PUBLISHED: &str = include_str!("puzzles.jsonl");

/// Row and column, from 0.
pub type Place = (usize, usize);

/// A position with what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    pub name: String,
    pub shows: String,
    #[serde(with = "texts")]
    pub kinds: Vec<Kind>,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub rows: Vec<String>,
    #[serde(with = "text")]
    pub first_click: FirstClick,
    pub source: Source,
    pub known: Known,
    pub best: Vec<Place>,
    /// The best first, then in row-major order.
    pub candidates: Vec<Candidate>,
    pub choices: BTreeMap<String, Option<Place>>,
}

/// A decision of a game that anybody can play again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name or recipe.
    pub player: String,
    pub seed: u64,
    /// The number of the game under this seed.
    pub game: u64,
    /// Decisions made before the position.
    pub step: usize,
}

/// How the chances to win are known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Known {
    /// By searching all play. `layouts` that fit, in an untouched position those that the best first click may meet.
    Exact { layouts: u64 },
    /// By playing on.
    RollOuts { player: String, lines: u32 },
}

/// A cell that may be opened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    pub cell: Place,
    /// The probability of a mine, 0 to 1; 0 for a first click that is promised none.
    pub mine: f64,
    /// The chance to win after opening it, 0 to 1.
    pub win: f64,
    /// The 95 % interval of `win`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The 95 % interval of how much less it wins than the best, on the same layouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<[f64; 2]>,
}

impl Puzzle {
    /// The position.
    ///
    /// # Errors
    /// The rows are not one.
    pub fn view(&self) -> Result<View, TextError> {
        View::from_rows(&self.rows, self.mines)
    }

    /// Whether a player opens one of the best cells.
    pub fn is_found_by(&self, player: &str) -> bool {
        self.choices.get(player).copied().flatten().is_some_and(|cell| self.best.contains(&cell))
    }
}

/// Reads lines of puzzles.
///
/// # Errors
/// A line that is not a puzzle, or a name that stands twice.
pub fn read(text: &str) -> anyhow::Result<Vec<Puzzle>> {
    let mut names = HashSet::new();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let puzzle: Puzzle =
                serde_json::from_str(line).with_context(|| format!("line {number} is not a puzzle"))?;
            puzzle.view().with_context(|| format!("line {number}, `rows`"))?;
            ensure!(names.insert(puzzle.name.clone()), "line {number}: there is a puzzle `{}` above", puzzle.name);
            Ok(puzzle)
        })
        .collect()
}
