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
    pub(crate) rows: Option<Vec<String>>,
    /// The mines of a game.
    field: Option<Vec<String>>,
    /// The player of a game, and those asked about a position.
    #[serde(default)]
    pub(crate) player: String,
    #[serde(default)]
    pub(crate) players: Vec<String>,
    #[serde(default)]
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) game: u64,
    first: Option<Place>,
    #[serde(default)]
    pub(crate) no_guess: bool,
    /// Whether candidates are rated by roll-outs, which takes up to three seconds.
    #[serde(default)]
    pub(crate) roll_outs: bool,
    pub(crate) level: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<AskedMove>,
}

#[derive(Deserialize)]
pub(crate) struct AskedMove {
    pub(crate) cells: Vec<Place>,
}

impl Asked {
    pub(crate) fn board(&self) -> Result<Board, Refusal> {
        Board::new(self.width, self.height, self.mines).map_err(Refusal::bad)
    }

    pub(crate) fn rule(&self) -> Result<FirstClick, Refusal> {
        let rule = self.first_click.as_deref().unwrap_or("safe");
        rule.parse().map_err(Refusal::bad)
    }

    /// Returns the position in `rows`; without rows, it is one of no rows.
    pub(crate) fn view(&self, worker: &mut WorkerState) -> Result<View, Refusal> {
        let grid = worker.grid(self.board()?);
        let rows = self.rows.as_deref().unwrap_or_default();
        view_on(grid, self.mines, rows).map_err(Refusal::bad)
    }

    /// Returns the mines of the game, if they are given.
    pub(crate) fn field(&self) -> Result<Option<Minefield>, Refusal> {
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
    pub(crate) fn first(&self) -> Result<Option<Cell>, Refusal> {
        let Some((row, col)) = self.first else {
            return Ok(None);
        };
        match self.board()?.cell(row, col) {
            Some(cell) => Ok(Some(cell)),
            None => Err(Refusal::bad("`first` is off the board")),
        }
    }
}
