//! Plays clicks under the rules shared by the recording programs.

use super::{Click, ClickKind, Replay, ReplayError};
use crate::{Cell, CellView, Game, Minefield, Status, View};

/// A click of a replay with its effect.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    pub click: Click,
    /// The safe cells that the click opened, in order.
    pub opened: Vec<Cell>,
    /// The mine that the click opened, which lost the game. If a chord would open several mines,
    /// this is the first one.
    pub mine: Option<Cell>,
    /// Whether the click changed nothing, such as a left click on an open or flagged cell, or a
    /// chord on a number with too few flags around it.
    pub wasted: bool,
}

/// The result of playing all clicks of a replay.
#[derive(Clone, Debug)]
pub struct Play {
    /// The effects of the clicks, in order.
    pub moves: Vec<Move>,
    /// The status of the game after the last click; [`Status::Playing`] if the player gave up.
    pub status: Status,
    /// What the player saw at the end.
    pub view: View,
}

pub(super) fn play(replay: &Replay) -> Result<Play, ReplayError> {
    let mut referee = Referee::new(replay.field.clone());
    let clicks = replay.clicks.iter();
    let moves = clicks.map(|&click| referee.apply(click)).collect();
    let status = referee.status();
    // A format that states no result is not checked. A game that was given up counts as not won.
    if let Some(won) = replay.won
        && won != (status == Status::Won)
    {
        return Err(ReplayError::Contradiction {
            format: replay.format,
            won,
        });
    }
    Ok(Play {
        moves,
        status,
        view: referee.game.view().clone(),
    })
}

/// A game in which a flag protects its cell, even from the cascade of a cell with number 0. The
/// recording programs have this rule; [`Game`] does not.
pub(super) struct Referee {
    game: Game,
}

impl Referee {
    pub fn new(field: Minefield) -> Self {
        Self {
            game: Game::on(field).with_cascade(false),
        }
    }

    pub fn status(&self) -> Status {
        self.game.status()
    }

    pub fn at(&self, cell: Cell) -> CellView {
        self.game.view().at(cell)
    }

    /// Returns the cell at this row and column, or `None` if it is off the board.
    pub fn cell(&self, row: usize, col: usize) -> Option<Cell> {
        self.game.board().cell(row, col)
    }

    /// Applies `click` and returns what it changed.
    pub fn apply(&mut self, click: Click) -> Move {
        let before = self.game.view().opened().len();
        let mut mine = None;
        let mut flagged = false;
        match click.kind {
            _ if self.status() != Status::Playing => {}
            ClickKind::Open => mine = self.open(vec![click.cell]),
            ClickKind::Chord => mine = self.open(self.chorded(click.cell)),
            ClickKind::Flag => flagged = self.flag(click.cell, true),
            ClickKind::Unflag => flagged = self.flag(click.cell, false),
        }
        let opened = self.game.view().opened()[before..].to_vec();
        Move {
            wasted: opened.is_empty() && mine.is_none() && !flagged,
            click,
            opened,
            mine,
        }
    }

    /// Returns what the player sees.
    pub fn view(&self) -> &View {
        self.game.view()
    }

    pub fn is_covered(&self, cell: Cell) -> bool {
        self.at(cell) == CellView::Covered
    }

    /// Returns the number of a cell, or `None` for a mine.
    pub fn number(&self, cell: Cell) -> Option<u8> {
        let field = self.game.field()?;
        (!field.is_mine(cell)).then(|| field.number(cell))
    }

    /// Sets or removes a flag; returns false if that changes nothing.
    pub fn flag(&mut self, cell: Cell, flagged: bool) -> bool {
        let from = if flagged {
            CellView::Covered
        } else {
            CellView::Flagged
        };
        self.at(cell) == from && self.game.set_flag(cell, flagged).is_ok()
    }

    /// Returns the cells that a chord on this cell opens.
    pub fn chorded(&self, cell: Cell) -> Vec<Cell> {
        let view = self.game.view();
        let around = || view.grid().neighbors(cell);
        let flags = around()
            .filter(|&near| view.at(near) == CellView::Flagged)
            .count();
        if view.number(cell).map(usize::from) == Some(flags) {
            around().filter(|&near| self.is_covered(near)).collect()
        } else {
            Vec::new()
        }
    }

    /// Opens the covered cells among `cells`, and the neighbours of each opened cell with number 0.
    /// Returns the mine that ended the game, if any.
    ///
    /// A chord opens its safe cells first and a mine last. It can't win and lose at once: if a mine
    /// next to the number has no flag, then a safe neighbour has a flag and stays covered.
    pub fn open(&mut self, mut cells: Vec<Cell>) -> Option<Cell> {
        cells.retain(|&cell| self.is_covered(cell));
        let mine = cells
            .iter()
            .copied()
            .find(|&cell| self.number(cell).is_none());
        cells.retain(|&cell| self.number(cell).is_some());
        cells.reverse();
        while let Some(cell) = cells.pop() {
            if self.is_covered(cell) && self.game.open(cell).is_ok() && self.number(cell) == Some(0)
            {
                let around = self.view().grid().neighbors(cell);
                cells.extend(around.filter(|&near| self.is_covered(near)));
            }
        }
        mine.filter(|&mine| self.game.open(mine).is_ok())
    }
}
