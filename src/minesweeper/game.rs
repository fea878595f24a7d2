//! The referee: owns the truth, opens cells, says when a game is over.

use std::sync::Arc;

use super::{Board, Cell, Grid, Minefield, View};
use mineflow_rng::Seed;
use mineflow_store::named;

/// What the first click is promised. All layouts that keep the promise are equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstClick {
    /// The clicked cell is not a mine. This is the rule of the Minesweeper paper (Sinha et al. 2021), and is called SFAR elsewhere.
    #[default]
    Safe,
    /// Neither the clicked cell nor a neighbour is a mine, as far as the mines have room elsewhere. The rule is called SNR (safe
    /// neighbourhood rule) elsewhere.
    Opening,
    /// Nothing is promised: the clicked cell may be a mine.
    Any,
}

named!(FirstClick, "first-click rule": Safe = "safe", Opening = "opening", Any = "any");

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Safe cells are left to open.
    Playing,
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
}

/// Why a move was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    #[error("cell {0} is not on the board")]
    OffBoard(usize),
    #[error("cell {0} is open already")]
    AlreadyOpen(usize),
    #[error("the game is over")]
    GameOver,
}

/// One game after another on one board; the players see its [`View`] alone.
#[derive(Clone, Debug)]
pub struct Game {
    field: Minefield,
    view: View,
    first_click: FirstClick,
    cascades: bool,
    /// `Some` until the first click lays the mines.
    to_lay: Option<Seed>,
    status: Status,
    safe_left: usize,
    /// Scratch: zeros whose neighbours are still to open.
    zeros: Vec<u16>,
}

impl Game {
    /// A game on `board`, not started: [`Game::start`] seeds the mines. A board without a safe cell is won at once.
    pub fn new(board: Board, first_click: FirstClick) -> Self {
        let grid = Arc::new(Grid::new(board));
        let field = Minefield::new(grid.clone());
        let mut game = Self {
            field,
            view: View::new(grid, board.mines()),
            first_click,
            cascades: true,
            to_lay: None,
            status: Status::Playing,
            safe_left: 0,
            zeros: Vec::new(),
        };
        game.start(Seed::new(0));
        game
    }

    /// A game whose mines lie as `field` says; the first click is promised nothing.
    pub fn on(field: Minefield) -> Self {
        let mut game = Self::new(field.board(), FirstClick::Any);
        game.field = field;
        game.to_lay = None;
        game
    }

    /// The same game with or without the rule that a zero opens its neighbours; with it unless this is called.
    #[must_use]
    pub fn with_cascade(self, cascades: bool) -> Self {
        Self { cascades, ..self }
    }

    /// Begins a new game, its mines drawn from `seed` at the first click. Allocates nothing.
    pub fn start(&mut self, seed: Seed) {
        self.view.clear();
        self.to_lay = Some(seed);
        self.safe_left = self.view.covered_count() - self.view.mines();
        self.status = if self.safe_left == 0 {
            Status::Won
        } else {
            Status::Playing
        };
    }

    /// Begins a new game whose mines lie as `field` says, which is to keep the promise of the first click.
    ///
    /// # Panics
    /// If `field` is of another board.
    pub fn start_on(&mut self, field: &Minefield) {
        assert_eq!(field.board(), self.board(), "the field is one of the board");
        self.start(Seed::new(0));
        self.field.clone_from(field);
        self.to_lay = None;
    }

    /// What a player may know.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Size and number of mines.
    pub fn board(&self) -> Board {
        self.view.board()
    }

    /// What the first click was promised.
    pub fn first_click(&self) -> FirstClick {
        self.first_click
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The truth, once the first click has laid it; for referees, records and tests, never for players.
    pub fn field(&self) -> Option<&Minefield> {
        self.to_lay.is_none().then_some(&self.field)
    }

    /// Opens `cell`; a zero opens its neighbours, and so on, unless the game is [without a cascade](Game::with_cascade). Flags
    /// hinder nothing.
    ///
    /// # Errors
    /// The game is over, or the cell is off the board or open.
    #[inline]
    pub fn open(&mut self, cell: Cell) -> Result<Status, MoveError> {
        if self.status != Status::Playing {
            return Err(MoveError::GameOver);
        }
        if cell.index() >= self.board().cells() {
            return Err(MoveError::OffBoard(cell.index()));
        }
        if self.view.is_open(cell) {
            return Err(MoveError::AlreadyOpen(cell.index()));
        }
        self.lay_for(cell);
        if self.field.is_mine(cell) {
            self.status = Status::Lost;
            return Ok(self.status);
        }
        if self.cascades {
            self.flood(cell);
        } else {
            self.reveal(cell);
        }
        if self.safe_left == 0 {
            self.status = Status::Won;
        }
        Ok(self.status)
    }

    /// Sets or takes away a flag; notes of the player's that change nothing else.
    ///
    /// # Errors
    /// The cell is off the board or open.
    pub fn set_flag(&mut self, cell: Cell, flagged: bool) -> Result<(), MoveError> {
        if cell.index() >= self.board().cells() {
            return Err(MoveError::OffBoard(cell.index()));
        }
        self.view
            .set_flag(cell, flagged)
            .map_err(|_| MoveError::AlreadyOpen(cell.index()))
    }

    /// Lays the mines of a new game now, as its first click on `cell` will: for records that hold the truth beside what was
    /// seen. Nothing changes if they are laid already.
    pub fn lay_for(&mut self, cell: Cell) {
        if let Some(seed) = self.to_lay.take() {
            self.lay(cell, seed);
        }
    }

    fn lay(&mut self, clicked: Cell, seed: Seed) {
        let mut keep_free = [clicked; 9];
        let kept = match self.first_click {
            FirstClick::Any => 0,
            FirstClick::Safe => 1,
            FirstClick::Opening => {
                let around = self.view.grid().neighbors(clicked);
                1 + keep_free[1..]
                    .iter_mut()
                    .zip(around)
                    .map(|(slot, cell)| *slot = cell)
                    .count()
            }
        };
        self.field
            .lay(self.view.mines(), &keep_free[..kept], &mut seed.rng());
    }

    fn reveal(&mut self, cell: Cell) {
        self.view.reveal(cell.index(), self.field.number(cell));
        self.safe_left -= 1;
    }

    fn flood(&mut self, cell: Cell) {
        let mut open = |view: &mut View, zeros: &mut Vec<u16>, cell: u16| {
            let number = self.field.number(Cell(cell));
            view.reveal(cell as usize, number);
            self.safe_left -= 1;
            if number == 0 {
                zeros.push(cell);
            }
        };
        open(&mut self.view, &mut self.zeros, cell.0);
        while let Some(zero) = self.zeros.pop() {
            for &d in self.field.grid().around(zero as usize) {
                if self.view.is_covered_slot(d as usize) {
                    open(&mut self.view, &mut self.zeros, d);
                }
            }
        }
    }
}
