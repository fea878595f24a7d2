//! Plays a position to its end on a layout that fits, to see what a move is worth.

use super::two_step::{LookScratch, TwoStep};
use crate::solver::{Analysis, Budget, CountError, Drawn, Endgame, EndgameLimits, Layouts, Outlook, TIE, Weighting};
use crate::{Cell, CellSet};
use mineflow_rng::Rng;
use mineflow_store::named;

/// Who makes the guesses of a roll-out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guesser {
    /// The least probability of a mine.
    #[default]
    LeastMine,
    /// Two-step safety.
    TwoStep,
}

named!(Guesser, "player of roll-outs": LeastMine = "least-mine", TwoStep = "two-step");

/// Plays positions to their end; keeps its memory from one to the next.
#[derive(Clone, Debug, Default)]
pub struct LayoutPlayout {
    at: Analysis,
    /// The probabilities of `at`.
    mine: Vec<f64>,
    looking: LookScratch,
    endgame: Endgame,
    layouts: Layouts,
    mines: CellSet,
}

impl LayoutPlayout {
    /// What opening `cell`, which is safe, is worth: an estimate of the chance to win, 0 to 1, from one line of play.
    ///
    /// The line shows the numbers of the layout with `mines`. A guess on it multiplies the value by its safety; if it would hit a
    /// mine, the line goes on with another layout that fits, drawn from those where the cell is safe, so that the expectation
    /// over layouts is that of playing on. The line ends where the game is won or perfect play is known.
    pub fn value(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        mines: &CellSet,
        (guesser, limits): (Guesser, EndgameLimits),
        rng: &mut Rng,
    ) -> Result<f64, CountError> {
        let Self { at, mine, looking, endgame, layouts, mines: drawn_mines } = self;
        let budget = &mut Budget::unlimited();
        let grid = parent.grid();
        let number = |cell: Cell, mines: &CellSet| grid.neighbors(cell).filter(|&d| mines.contains(d)).count() as u8;
        let mut mines = mines;
        let mut value = 1.0;
        at.follow(parent);
        at.suppose(cell, number(cell, mines))?;
        loop {
            at.open_certain(|cell| number(cell, mines))?;
            if at.unknown() == 0 {
                return Ok(value);
            }
            at.probabilities(Weighting::Posterior, budget)?;
            if !at.safe().is_empty() || at.unknown() == 0 {
                continue;
            }
            if let Some(end) = at.endgame(endgame, limits, budget)? {
                return Ok(value * f64::from(end.won) / f64::from(end.layouts));
            }
            let guess = match guesser {
                Guesser::LeastMine => safest(at),
                Guesser::TwoStep => {
                    mine.clone_from(&at.counted().mine);
                    TwoStep::default().look(at, mine, 1, looking);
                    looking.scored[0].cell
                }
            };
            value *= 1.0 - at.counted().mine[guess.index()];
            if mines.contains(guess) {
                at.layouts(layouts, budget)?;
                let mut drawn: Drawn = layouts.drawing();
                while {
                    layouts.draw(&mut drawn, rng);
                    drawn.mines().contains(&guess)
                } {}
                lay(&drawn, grid.board().cells(), drawn_mines);
                mines = &*drawn_mines;
            }
            at.suppose(guess, number(guess, mines))?;
        }
    }
}

/// Where a line of certain moves ends.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stop {
    /// Chance that the next guess is safe; 1 where the game is won.
    pub safety: f64,
    /// 1 where the game is won.
    pub won: f64,
    /// Natural logarithm of the number of layouts left.
    pub ln_layouts: f64,
    /// Unknown cells left.
    pub unknown: f64,
}

impl Stop {
    /// Joins each number with that of `other`.
    pub fn map(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            safety: join(self.safety, other.safety),
            won: join(self.won, other.won),
            ln_layouts: join(self.ln_layouts, other.ln_layouts),
            unknown: join(self.unknown, other.unknown),
        }
    }
}

impl LayoutPlayout {
    /// Opens `cell`, which is safe, and all that is certain then, on the layout with `mines`.
    pub fn next_guess(&mut self, parent: &Analysis, cell: Cell, mines: &CellSet) -> Result<Stop, CountError> {
        let at = &mut self.at;
        let budget = &mut Budget::unlimited();
        let grid = parent.grid();
        let number = |cell: Cell| grid.neighbors(cell).filter(|&d| mines.contains(d)).count() as u8;
        at.follow(parent);
        at.suppose(cell, number(cell))?;
        loop {
            at.open_certain(number)?;
            if at.unknown() == 0 {
                return Ok(Stop { safety: 1.0, won: 1.0, ..Stop::default() });
            }
            let outlook = at.outlook(budget)?;
            if outlook.certain == 0 {
                let Outlook { safety, ln_layouts, .. } = outlook;
                return Ok(Stop { safety, won: 0.0, ln_layouts, unknown: at.unknown() as f64 });
            }
            at.probabilities(Weighting::Posterior, budget)?;
        }
    }
}

/// The mines of a layout as a set.
pub fn lay(drawn: &Drawn, cells: usize, mines: &mut CellSet) {
    mines.reset(cells);
    mines.extend(drawn.mines().iter().copied());
}

/// The cell with the least probability of a mine, ties as 7.0.
pub fn safest(at: &Analysis) -> Cell {
    let (grid, found) = (at.grid(), at.counted());
    let rank = |cell: Cell| (!found.boundary().contains(cell), grid.neighbor_count(cell));
    let cells = grid.board().all_cells().filter(|&cell| at.is_unknown(cell));
    let better = |best: Cell, cell: Cell| {
        let (p, least) = (found.mine[cell.index()], found.mine[best.index()]);
        if p < least - TIE || p < least + TIE && rank(cell) < rank(best) { cell } else { best }
    };
    cells.reduce(better).expect("a position that is not won has unknown cells")
}
