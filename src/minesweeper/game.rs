//! The referee: it holds the minefield, opens cells, and decides when a game is over.

use std::sync::Arc;

use super::{Board, Cell, Grid, Minefield, View};
use mineflow_rng::Seed;
use mineflow_store::named;

/// The guarantee for the first click. All mine layouts that satisfy the guarantee are equally
/// likely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstClick {
    /// The clicked cell is not a mine. This is the rule of the Minesweeper paper (Sinha et al.
    /// 2021), also called SFAR.
    #[default]
    Safe,
    /// Neither the clicked cell nor a neighbour is a mine, unless the mines do not fit on the other
    /// cells. The rule is also called SNR (safe neighbourhood rule).
    Opening,
    /// No guarantee: the clicked cell may be a mine.
    Any,
}

named!(FirstClick, "first-click rule": Safe = "safe", Opening = "opening", Any = "any");

/// The status of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Some safe cells are not open yet.
    Playing,
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
}

/// The reason why a cell can't be opened or flagged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    #[error("cell {0} is not on the board")]
    OffBoard(usize),
    #[error("cell {0} is open already")]
    AlreadyOpen(usize),
    #[error("the game is over")]
    GameOver,
    #[error("a cell can't have {0} mines around it")]
    NotANumber(u8),
}

impl MoveError {
    /// Checks that `cell` is a covered cell of the board.
    pub(crate) fn check(view: &View, cell: Cell) -> Result<(), Self> {
        match cell.index() {
            at if at >= view.board().cells() => Err(Self::OffBoard(at)),
            at if view.is_open(cell) => Err(Self::AlreadyOpen(at)),
            _ => Ok(()),
        }
    }
}

/// A referee for successive games on one board. Players see only its [`View`].
#[derive(Clone, Debug)]
pub struct Game {
    field: Minefield,
    view: View,
    first_click: FirstClick,
    cascades: bool,
    /// The seed of the mines; `Some` until the first click lays the mines.
    to_lay: Option<Seed>,
    status: Status,
    safe_left: usize,
    /// Scratch memory: open cells with number 0 whose neighbours have not been opened yet.
    zeros: Vec<u16>,
}

impl Game {
    /// Creates a game on `board`. Its mines are drawn from seed 0 unless [`Game::start`] sets
    /// another seed. A board without a safe cell is won at once.
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

    /// Creates a game with the minefield `field` and no guarantee for the first click.
    pub fn on(field: Minefield) -> Self {
        let mut game = Self::new(field.board(), FirstClick::Any);
        game.field = field;
        game.to_lay = None;
        game
    }

    /// Sets whether opening a cell with number 0 opens its neighbours (the cascade). The default is
    /// true.
    #[must_use]
    pub fn with_cascade(self, cascades: bool) -> Self {
        Self { cascades, ..self }
    }

    /// Starts a new game whose mines are drawn from `seed` at the first click. This method does not
    /// allocate.
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

    /// Starts a new game with the minefield `field`. The caller must ensure that the first click
    /// satisfies the [`FirstClick`] rule.
    ///
    /// # Panics
    /// Panics if `field` has a different board.
    pub fn start_on(&mut self, field: &Minefield) {
        assert_eq!(field.board(), self.board(), "the field is one of the board");
        self.start(Seed::new(0));
        self.field.clone_from(field);
        self.to_lay = None;
    }

    /// Returns the player's view of the game.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Returns the size and number of mines.
    pub fn board(&self) -> Board {
        self.view.board()
    }

    /// Returns the rule for the first click.
    pub fn first_click(&self) -> FirstClick {
        self.first_click
    }

    /// Returns the status of the game.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns the minefield, or `None` before the first click lays it. The minefield is for
    /// referees, records and tests, never for players.
    pub fn field(&self) -> Option<&Minefield> {
        self.to_lay.is_none().then_some(&self.field)
    }

    /// Opens `cell`. A cell with number 0 opens its neighbours recursively, unless the [cascade is
    /// disabled](Game::with_cascade). Flags don't prevent opening.
    ///
    /// # Errors
    /// Returns an error if the game is over, the cell is off the board, or the cell is already
    /// open.
    pub fn open(&mut self, cell: Cell) -> Result<Status, MoveError> {
        if self.status != Status::Playing {
            return Err(MoveError::GameOver);
        }
        MoveError::check(&self.view, cell)?;
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

    /// Sets or removes a flag. A flag is a note for the player and changes nothing else.
    ///
    /// # Errors
    /// Returns an error if the cell is off the board or open.
    pub fn set_flag(&mut self, cell: Cell, flagged: bool) -> Result<(), MoveError> {
        self.view.set_flag(cell, flagged)
    }

    /// Lays the mines of a new game now, as a first click on `cell` would. Records use this method
    /// to store the minefield before any cell is opened. It has no effect if the mines are already
    /// laid.
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
