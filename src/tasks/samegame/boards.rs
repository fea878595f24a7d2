//! Sources of boards: files, or a seed.

use std::{
    fmt::{self, Display},
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use crate::as_text;
use mineflow_rng::Seed;
use mineflow_samegame::{COLOURS, Puzzle, TestSet};
use mineflow_store::{LONGEST, read_input_text, sha256};

/// A set of boards.
pub enum BoardSet {
    /// The boards of a file: JSON with a list of boards, or one board as text.
    File(PathBuf),
    /// Random boards, drawn from a seed.
    Random {
        width: usize,
        height: usize,
        colours: usize,
    },
}

impl BoardSet {
    /// Returns the first `count` boards of the set. Without a count, returns all boards of a file,
    /// or one random board.
    pub fn puzzles(&self, count: Option<usize>, seed: Seed) -> Result<Vec<Puzzle>> {
        match self {
            Self::File(path) => {
                let mut puzzles = read_puzzles(path)?;
                let there = puzzles.len();
                let wanted = count.unwrap_or(there);
                ensure!(
                    wanted <= there,
                    "{} boards are asked for, and {} holds {there}",
                    wanted,
                    path.display()
                );
                puzzles.truncate(wanted);
                Ok(puzzles)
            }
            Self::Random { .. } => self.draw(count.unwrap_or(1), seed.child("samegame board", 0)),
        }
    }

    /// Draws `count` random boards; a file has none.
    pub(super) fn draw(&self, count: usize, seed: Seed) -> Result<Vec<Puzzle>> {
        let Self::Random {
            width,
            height,
            colours,
        } = *self
        else {
            return Ok(Vec::new());
        };
        let puzzle = |index| Puzzle::random(width, height, colours, seed.child("board", index));
        Ok((0..count as u64).map(puzzle).collect::<Result<_, _>>()?)
    }

    /// Returns the settings for a manifest, except for seed and count.
    pub(super) fn settings(&self) -> Result<Value> {
        match self {
            Self::File(path) => Ok(json!({ "file sha256": sha256(read(path)?.as_bytes()) })),
            Self::Random {
                width,
                height,
                colours,
            } => Ok(json!({ "width": width, "height": height, "colours": colours })),
        }
    }
}

fn read(path: &Path) -> Result<String> {
    Ok(read_input_text(path, LONGEST)?)
}

/// Reads the boards of a file: JSON with a list of boards, or one board as text.
pub fn read_puzzles(path: &Path) -> Result<Vec<Puzzle>> {
    let text = read(path)?;
    let wrong = || format!("{} holds no SameGame boards", path.display());
    if text.trim_start().starts_with(['{', '[']) {
        return Ok(TestSet::parse(&text).with_context(wrong)?.puzzles);
    }
    Ok(vec![text.parse::<Puzzle>().with_context(wrong)?])
}

/// The form of random boards.
#[derive(Clone, Copy, clap::Args, Serialize)]
pub struct RandomBoards {
    /// Set the size of random boards, up to 25x25
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Size { width: 15, height: 15 })]
    #[serde(serialize_with = "as_text::one")]
    pub size: Size,
    /// Set the number of colours of random boards
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=COLOURS as i64))]
    pub colours: u32,
}

impl RandomBoards {
    /// Returns the set of all boards of this form.
    pub fn set(self) -> BoardSet {
        BoardSet::Random {
            width: self.size.width,
            height: self.size.height,
            colours: self.colours as usize,
        }
    }
}

/// The size of a board, up to 25x25.
#[derive(Clone, Copy)]
pub struct Size {
    pub width: usize,
    pub height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        let sides =
            sides.filter(|(width, height)| (1..=25).contains(width) && (1..=25).contains(height));
        let (width, height) =
            sides.ok_or_else(|| format!("`{text}` is not a size; write 15x15, 25x25 at most"))?;
        Ok(Self { width, height })
    }
}

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
