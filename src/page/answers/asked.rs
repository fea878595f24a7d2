//! The body of a request: a board, and what is asked about it.

use std::str::FromStr;

use serde::Deserialize;

use crate::{Place, Refusal, WorkerState};
use mineflow_minesweeper::{Board, Cell, FirstClick, Minefield, View, text::view_on};

/// The body of a request. Each request reads only some of the optional members.
#[derive(Deserialize)]
pub(crate) struct Asked {
    width: usize,
    height: usize,
    mines: usize,
    first_click: Option<String>,
    /// The rows of a position.
    pub rows: Option<Vec<String>>,
    /// The mines of a game.
    field: Option<Vec<String>>,
    /// The player of a game, and those asked about a position.
    #[serde(default)]
    pub player: String,
    #[serde(default)]
    pub players: Vec<String>,
    #[serde(default)]
    pub seed: u64,
    #[serde(default)]
    pub game: u64,
    first: Option<Place>,
    #[serde(default)]
    pub no_guess: bool,
    /// Whether candidates are rated by roll-outs, which takes up to three seconds.
    #[serde(default)]
    pub roll_outs: bool,
    pub level: Option<String>,
    #[serde(default)]
    pub moves: Vec<AskedMove>,
}

#[derive(Deserialize)]
pub(crate) struct AskedMove {
    pub cells: Vec<Place>,
}

impl Asked {
    pub fn board(&self) -> Result<Board, Refusal> {
        Board::new(self.width, self.height, self.mines).map_err(Refusal::bad)
    }

    pub fn rule(&self) -> Result<FirstClick, Refusal> {
        let rule = self.first_click.as_deref().unwrap_or("safe");
        rule.parse().map_err(Refusal::bad)
    }

    /// Returns the position in `rows`; without rows, it is one of no rows.
    pub fn view(&self, worker: &mut WorkerState) -> Result<View, Refusal> {
        let grid = worker.grid(self.board()?);
        let rows = self.rows.as_deref().unwrap_or_default();
        view_on(grid, self.mines, rows).map_err(Refusal::bad)
    }

    /// Returns the mines of the game, if they are given.
    pub fn field(&self) -> Result<Option<Minefield>, Refusal> {
        let Some(rows) = &self.field else {
            return Ok(None);
        };
        let field = Minefield::from_str(&rows.join("\n")).map_err(Refusal::bad)?;
        match field.board() == self.board()? {
            true => Ok(Some(field)),
            false => Err(Refusal::bad(
                "`field` does not match width, height and mines",
            )),
        }
    }

    /// Returns the first click, if it is given.
    pub fn first(&self) -> Result<Option<Cell>, Refusal> {
        let Some((row, col)) = self.first else {
            return Ok(None);
        };
        match self.board()?.cell(row, col) {
            Some(cell) => Ok(Some(cell)),
            None => Err(Refusal::bad("`first` is off the board")),
        }
    }
}
