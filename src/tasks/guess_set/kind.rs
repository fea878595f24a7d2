//! Kinds of boards from which guesses are sampled.

use std::{fmt, str::FromStr};

use mineflow_minesweeper::{Board, FirstClick};

/// A board with a first-click rule, and the number of guesses to sample from its games.
#[derive(Clone, Copy)]
pub struct KindOfGuesses {
    pub board: Board,
    pub first_click: FirstClick,
    pub guesses: u32,
}

impl fmt::Display for KindOfGuesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", self.board, self.first_click, self.guesses)
    }
}

impl FromStr for KindOfGuesses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not BOARD:RULE=N, such as expert:safe=5000");
        let (board, rest) = text.split_once(':').ok_or_else(wrong)?;
        let (rule, guesses) = rest.split_once('=').ok_or_else(wrong)?;
        let guesses = guesses.parse().ok().filter(|&guesses| guesses > 0);
        Ok(Self {
            board: board.parse().map_err(|error| format!("{error}"))?,
            first_click: rule.parse()?,
            guesses: guesses.ok_or_else(wrong)?,
        })
    }
}
