//! One game with its moves: they can be taken back, over a lost one too, and made again.

use crate::{Board, Cell, CellView, FirstClick, Game, Minefield, Status, View};
use mineflow_rng::Seed;

/// Why a move was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over; u takes the last move back, n begins another game")]
    Over,
    #[error("there is a flag; take it away first")]
    Flagged,
    #[error("the cell is open")]
    Open,
    #[error("a chord needs an open number")]
    Covered,
    #[error("a chord needs as many flags as the number says: {flags} of {number}")]
    Flags { number: u8, flags: usize },
    #[error("nothing is left to open around this number")]
    NothingAround,
    #[error("there is no move to take back")]
    NothingDone,
    #[error("there is no move to make again")]
    NothingUndone,
}

/// A cell as it is drawn. Mines are shown once the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    Covered,
    Flag,
    /// Open, with its number.
    Open(u8),
    /// A mine of a lost game, not flagged.
    Mine,
    /// The mine that was opened.
    Exploded,
    /// A flag of a lost game where there is not a mine.
    WrongFlag,
}

/// What is taken back at once.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Move {
    /// Cells opened together: one click, a chord, or all that a player proved safe.
    Open(Vec<Cell>),
    Flag {
        cell: Cell,
        flagged: bool,
    },
}

/// A game, where it began and what was done since.
#[derive(Clone, Debug)]
pub struct Round {
    /// Before the first of the moves.
    begin: Game,
    game: Game,
    done: Vec<Move>,
    /// Moves taken back, the next to make again last.
    undone: Vec<Move>,
    exploded: Option<Cell>,
    first_click: FirstClick,
}

impl Round {
    /// A new game, its mines laid from `seed` at the first click.
    pub fn new(board: Board, first_click: FirstClick, seed: Seed) -> Self {
        let mut game = Game::new(board, first_click);
        game.start(seed);
        Self::from(game)
    }

    /// A game on given mines, nothing open.
    pub fn on(field: Minefield) -> Self {
        Self::from(Game::on(field))
    }

    /// A game on given mines with those cells open and flagged that `position` shows so. A zero is opened with its
    /// neighbours, even if the position has them covered. `None` if the position shows a number where `field` has
    /// another, or a mine.
    pub fn resumed(field: Minefield, position: &View) -> Option<Self> {
        let fits = |&cell: &Cell| !field.is_mine(cell) && position.number(cell) == Some(field.number(cell));
        if field.board() != position.board() || !position.opened().iter().all(fits) {
            return None;
        }
        let mut game = Game::on(field);
        open_all(&mut game, position.opened());
        flag_as(&mut game, position);
        Some(Self::from(game))
    }

    /// The same round, its first click having been promised this.
    pub(super) fn promised(self, first_click: FirstClick) -> Self {
        Self { first_click, ..self }
    }

    /// Flags the covered cells that `position` has flags on, as where the round begins.
    pub(super) fn with_flags_of(mut self, position: &View) -> Self {
        flag_as(&mut self.begin, position);
        Self::from(self.begin)
    }

    /// What a player may know.
    pub fn view(&self) -> &View {
        self.game.view()
    }

    /// Size and number of mines.
    pub fn board(&self) -> Board {
        self.game.board()
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// What the first click is or was promised.
    pub fn first_click(&self) -> FirstClick {
        self.first_click
    }

    /// The truth, once the first click has laid it.
    pub fn field(&self) -> Option<&Minefield> {
        self.game.field()
    }

    /// The mine that was opened, in a lost game.
    pub fn exploded(&self) -> Option<Cell> {
        self.exploded
    }

    /// Number of moves that can be taken back.
    pub fn moves(&self) -> usize {
        self.done.len()
    }

    /// Mines less flags, those shown in a won game among them: below 0 with more flags than mines.
    pub fn mines_left(&self) -> i64 {
        if self.status() == Status::Won {
            return 0;
        }
        let flags = self.view().covered().filter(|&cell| self.view().at(cell) == CellView::Flagged).count();
        self.board().mines() as i64 - flags as i64
    }

    /// What is drawn at `cell`. A won game shows its mines as flags.
    pub fn shown(&self, cell: Cell) -> Shown {
        let is_mine = || self.field().is_some_and(|field| field.is_mine(cell));
        match (self.view().at(cell), self.status()) {
            (CellView::Open(number), _) => Shown::Open(number),
            (_, Status::Lost) if self.exploded == Some(cell) => Shown::Exploded,
            (CellView::Flagged, Status::Lost) if !is_mine() => Shown::WrongFlag,
            (CellView::Covered, Status::Lost) if is_mine() => Shown::Mine,
            (CellView::Covered, Status::Won) => Shown::Flag,
            (CellView::Covered, _) => Shown::Covered,
            (CellView::Flagged, _) => Shown::Flag,
        }
    }

    /// Opens a covered cell without a flag.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn open(&mut self, cell: Cell) -> Result<(), Refusal> {
        self.check_playing()?;
        match self.view().at(cell) {
            CellView::Open(_) => Err(Refusal::Open),
            CellView::Flagged => Err(Refusal::Flagged),
            CellView::Covered => self.make(Move::Open(vec![cell])),
        }
    }

    /// Opens cells that a player chose, flags or not, as one move. Those open already are passed over.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn open_chosen(&mut self, cells: &[Cell]) -> Result<(), Refusal> {
        self.check_playing()?;
        self.make(Move::Open(cells.to_vec()))
    }

    /// Opens all neighbours of an open number without a flag, if there are as many flags as the number says.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn chord(&mut self, cell: Cell) -> Result<(), Refusal> {
        self.check_playing()?;
        let view = self.view();
        let number = view.number(cell).ok_or(Refusal::Covered)?;
        let around = |wanted: CellView| view.grid().neighbors(cell).filter(move |&d| view.at(d) == wanted);
        let flags = around(CellView::Flagged).count();
        let covered: Vec<Cell> = around(CellView::Covered).collect();
        if covered.is_empty() {
            Err(Refusal::NothingAround)
        } else if flags != usize::from(number) {
            Err(Refusal::Flags { number, flags })
        } else {
            self.make(Move::Open(covered))
        }
    }

    /// Sets a flag on a covered cell, or takes it away.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn flag(&mut self, cell: Cell) -> Result<(), Refusal> {
        self.check_playing()?;
        match self.view().at(cell) {
            CellView::Open(_) => Err(Refusal::Open),
            seen => self.make(Move::Flag { cell, flagged: seen == CellView::Covered }),
        }
    }

    /// Takes the last move back. Back at the beginning of a game of its own, the next click lays the mines again.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let last = self.done.pop().ok_or(Refusal::NothingDone)?;
        self.undone.push(last);
        self.replay();
        Ok(())
    }

    /// Makes the move again that was taken back last.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        let next = self.undone.pop().ok_or(Refusal::NothingUndone)?;
        self.carry_out(&next);
        self.done.push(next);
        Ok(())
    }

    /// Takes all moves back.
    ///
    /// # Errors
    /// Why it can't be done now.
    pub fn restart(&mut self) -> Result<(), Refusal> {
        if self.done.is_empty() {
            return Err(Refusal::NothingDone);
        }
        self.undone.extend(self.done.drain(..).rev());
        self.replay();
        Ok(())
    }

    fn check_playing(&self) -> Result<(), Refusal> {
        if self.status() == Status::Playing { Ok(()) } else { Err(Refusal::Over) }
    }

    fn make(&mut self, new: Move) -> Result<(), Refusal> {
        self.carry_out(&new);
        self.done.push(new);
        self.undone.clear();
        Ok(())
    }

    fn replay(&mut self) {
        self.game = self.begin.clone();
        self.exploded = None;
        let done = std::mem::take(&mut self.done);
        done.iter().for_each(|made| self.carry_out(made));
        self.done = done;
    }

    fn carry_out(&mut self, made: &Move) {
        match made {
            Move::Open(cells) => self.exploded = open_all(&mut self.game, cells),
            Move::Flag { cell, flagged } => {
                self.game.set_flag(*cell, *flagged).expect("flags are set on covered cells")
            }
        }
    }
}

impl From<Game> for Round {
    fn from(game: Game) -> Self {
        let first_click = game.first_click();
        Self { begin: game.clone(), game, done: Vec::new(), undone: Vec::new(), exploded: None, first_click }
    }
}

/// Opens the cells in order, those open meanwhile passed over, until the game is over; the mine that was among them.
fn open_all(game: &mut Game, cells: &[Cell]) -> Option<Cell> {
    for &cell in cells {
        if game.status() == Status::Playing && !game.view().is_open(cell) {
            let status = game.open(cell).expect("a covered cell of a game that goes on can be opened");
            if status == Status::Lost {
                return Some(cell);
            }
        }
    }
    None
}

fn flag_as(game: &mut Game, position: &View) {
    for cell in position.covered().filter(|&cell| position.at(cell) == CellView::Flagged) {
        if !game.view().is_open(cell) {
            game.set_flag(cell, true).expect("the cell is covered");
        }
    }
}
