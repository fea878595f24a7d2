//! What a puzzle is an example of.

use mineflow_minesweeper::Cell;
use mineflow_minesweeper::solver::{Analysis, Budget, CountError, TIE, Weighting};
use mineflow_store::named;

/// What a position teaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Before the first click, or while less than a quarter of the safe cells is open.
    Opening,
    /// At most 36 cells.
    Small,
    /// A larger board of which so few layouts are left that its end is searched.
    Endgame,
    /// No best cell is among the safest.
    SafestLoses,
    /// Some of the safest cells win more than others.
    EqualSafety,
    /// A cell is at most as risky as the best, but tells nothing ([`Analysis::is_dead`]) and wins less.
    DeadCell,
    /// A best cell is a mine in just half of the layouts.
    EvenChance,
    /// The best cells touch no open number.
    AwayFromNumbers,
    /// A best cell is a corner of the board.
    Corner,
    /// Who weighs the solutions of the numbers alike, and doesn't count the mines left, takes a cell of the boundary for the safest that is not.
    MineCount,
}

named!(Kind, "kind of puzzle": Opening = "opening", Small = "small", Endgame = "endgame", SafestLoses = "safest-loses",
    EqualSafety = "equal-safety", DeadCell = "dead-cell", EvenChance = "even-chance", AwayFromNumbers = "away-from-numbers",
    Corner = "corner", MineCount = "mine-count");

/// What each kind is told by.
pub(super) struct Told<'a> {
    /// Of the position, counted.
    pub analysis: &'a Analysis,
    /// The candidates with their chances to win.
    pub wins: &'a [(Cell, f64)],
    pub best: &'a [Cell],
    pub is_exact: bool,
}

impl Told<'_> {
    /// The kinds of the position.
    pub(super) fn kinds(&self) -> Result<Vec<Kind>, CountError> {
        let board = self.analysis.grid().board();
        let is_untouched = self.analysis.unknown() == board.cells();
        let counted_wrongly = !is_untouched && self.is_counted_wrongly()?;
        let holds = |kind: &Kind| match kind {
            Kind::Opening => {
                let open = board.all_cells().filter(|&cell| self.analysis.is_open(cell)).count();
                4 * open < board.cells() - board.mines()
            }
            Kind::Small => board.cells() <= 36,
            Kind::Endgame => self.is_exact && board.cells() > 36,
            Kind::Corner => self.best.iter().any(|&cell| self.analysis.grid().neighbor_count(cell) == 3),
            _ if is_untouched => false,
            Kind::SafestLoses => self.best.iter().all(|&cell| self.mine(cell) > self.least() + TIE),
            Kind::EqualSafety => {
                let safest = || self.wins.iter().filter(|(cell, _)| self.mine(*cell) < self.least() + TIE);
                let is_best = |cell: &Cell| self.best.contains(cell);
                safest().any(|(cell, _)| is_best(cell)) && safest().any(|(cell, _)| !is_best(cell))
            }
            Kind::DeadCell => self.wins.iter().any(|&(cell, _)| self.is_tempting(cell) && self.analysis.is_dead(cell)),
            Kind::EvenChance => self.best.iter().any(|&cell| (self.mine(cell) - 0.5).abs() < TIE),
            Kind::AwayFromNumbers => self.best.iter().all(|&cell| !self.analysis.counted().boundary().contains(cell)),
            Kind::MineCount => counted_wrongly,
        };
        Ok(Kind::ALL.iter().copied().filter(holds).collect())
    }

    fn mine(&self, cell: Cell) -> f64 {
        self.analysis.counted().mine[cell.index()]
    }

    fn least(&self) -> f64 {
        let cells = self.analysis.grid().board().all_cells().filter(|&cell| self.analysis.is_unknown(cell));
        cells.map(|cell| self.mine(cell)).fold(1.0, f64::min)
    }

    /// Whether a cell is not best and no riskier than a best one.
    fn is_tempting(&self, cell: Cell) -> bool {
        !self.best.contains(&cell) && self.best.iter().any(|&best| self.mine(cell) < self.mine(best) + TIE)
    }

    /// As [`Kind::MineCount`] says.
    fn is_counted_wrongly(&self) -> Result<bool, CountError> {
        let mut alike = self.analysis.clone();
        let by_numbers = &alike.probabilities(Weighting::Solutions, &mut Budget::unlimited())?.mine;
        let boundary = || {
            let cells = self.analysis.grid().board().all_cells().filter(|&cell| self.analysis.is_unknown(cell));
            cells.filter(|cell| !by_numbers[cell.index()].is_nan())
        };
        let least = |of: &[f64]| boundary().map(|cell| of[cell.index()]).fold(1.0, f64::min);
        let (least_by_numbers, least) = (least(by_numbers), least(&self.analysis.counted().mine));
        let mut misled = boundary().filter(|cell| by_numbers[cell.index()] < least_by_numbers + TIE).peekable();
        Ok(misled.peek().is_some() && misled.all(|cell| !self.best.contains(&cell) && self.mine(cell) > least + TIE))
    }
}
