//! 50/50s: what it is worth that a guess settles one.
//!
//! Two unknown cells side by side are *even* in a layout if just one of them is a mine and no number can ever tell which: all other cells that
//! are next to one of them alone are known mines or off the board. Two diagonals of a square of four unknown cells are even likewise: a cell
//! beside the square is next to one cell of each, so that only the cells at its four corners could tell them apart. Whoever comes to such a
//! place must guess. A guess on one of its cells that is safe has that guess behind it.
//!
//! A place that is even in every layout is *unavoidable*: the game can't be won without a guess there, and whenever it is made, it loses half
//! of the layouts that are left, whatever else is known. What the two halves show is the same, as they are next to the same cells but for
//! mines that are known. So no later guess there is better than one now: whoever guesses later can guess now, go on likewise, and knows at
//! least as much.

use crate::Cell;
use crate::solver::{Analysis, Budget, CountError, TIE};

/// The share of layouts in which a cell is the safe half of a 50/50; kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    supposed: Analysis,
    /// Where the cell that was asked for may be half of one.
    places: Vec<Place>,
}

/// Where a 50/50 may be.
#[derive(Clone, Copy, Debug)]
struct Place {
    kind: PlaceKind,
    /// Mines if it is even and the cell is safe: the other half.
    mines: (Cell, Option<Cell>),
    /// Safe then, besides the cell.
    safe: Option<Cell>,
    /// An upper bound of the share of layouts in which it is even.
    bound: f64,
}

/// A cell is in one 50/50 of a kind at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlaceKind {
    Row,
    Column,
    Square,
}

impl Influence {
    /// Finds where `cell` may be half of a 50/50. The most that [`Influence::share`] can be. `parent` is counted.
    pub fn bound(&mut self, parent: &Analysis, cell: Cell) -> f64 {
        self.find_places(parent, cell);
        joined(&self.places, parent, cell, |place| Ok(place.bound)).unwrap_or(0.0)
    }

    fn find_places(&mut self, parent: &Analysis, cell: Cell) {
        let (row, col) = parent.grid().board().row_col(cell);
        let at = Around {
            parent,
            row: row as isize,
            col: col as isize,
        };
        self.places.clear();
        for one in [-1, 1] {
            self.places.extend(at.pair(0, one));
            self.places.extend(at.pair(one, 0));
            self.places.extend(
                [-1, 1]
                    .into_iter()
                    .filter_map(|other| at.square(one, other)),
            );
        }
    }

    /// Of the layouts in which the cell that [`Influence::bound`] was given is safe, the share in which it is half of a 50/50: of the pairs in
    /// its row, of those in its column and of the squares the likeliest each, added up.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn share(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        let Self { supposed, places } = self;
        joined(places, parent, cell, |place| {
            place.share(parent, cell, supposed, budget)
        })
    }

    /// A cell of an unavoidable 50/50 that may tell something about others; the first of several. `parent` is counted.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn unavoidable(
        &mut self,
        parent: &Analysis,
        budget: &mut Budget,
    ) -> Result<Option<Cell>, CountError> {
        for cell in parent.grid().board().all_cells() {
            if parent.is_unknown(cell)
                && !parent.is_dead(cell)
                && self.is_unavoidable(parent, cell, budget)?
            {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// Returns whether an unknown `cell` is half of an unavoidable 50/50. `parent` is counted.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn is_unavoidable(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        if (parent.counted().mine[cell.index()] - 0.5).abs() >= TIE {
            return Ok(false);
        }
        self.find_places(parent, cell);
        let Self { supposed, places } = self;
        for place in places {
            if place.bound > 0.5 - TIE && place.share(parent, cell, supposed, budget)? > 0.5 - TIE {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The greatest share of each kind, added up, of the layouts in which the cell is safe.
fn joined(
    places: &[Place],
    parent: &Analysis,
    cell: Cell,
    mut share: impl FnMut(&Place) -> Result<f64, CountError>,
) -> Result<f64, CountError> {
    let mut sum = 0.0;
    for kind in [PlaceKind::Row, PlaceKind::Column, PlaceKind::Square] {
        let mut most: f64 = 0.0;
        for place in places.iter().filter(|place| place.kind == kind) {
            if place.bound > most {
                most = most.max(share(place)?);
            }
        }
        sum += most;
    }
    let mine = parent.counted().mine[cell.index()];
    Ok(sum.min(mine) / (1.0 - mine))
}

impl Place {
    /// The share of all layouts in which it is even and `cell` safe.
    fn share(
        &self,
        parent: &Analysis,
        cell: Cell,
        supposed: &mut Analysis,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        supposed.follow(parent);
        let (first, second) = self.mines;
        let (safe, mines) = (
            [cell, self.safe.unwrap_or(cell)],
            [first, second.unwrap_or(first)],
        );
        let count = 1 + usize::from(second.is_some());
        let learnt = supposed
            .learn(&safe[..count], &mines[..count])
            .map_err(CountError::from);
        match learnt.and_then(|()| supposed.ln_layouts(budget)) {
            Ok(ln_layouts) => Ok((ln_layouts - parent.counted().ln_layouts()).exp()),
            Err(CountError::Contradiction(_)) => Ok(0.0),
            Err(reason) => Err(reason),
        }
    }
}

/// The cells around one.
struct Around<'a> {
    parent: &'a Analysis,
    row: isize,
    col: isize,
}

impl Around<'_> {
    /// The cell that many rows down and columns to the right; `None` off the board.
    fn cell(&self, down: isize, right: isize) -> Option<Cell> {
        let (row, col) = (
            usize::try_from(self.row + down).ok()?,
            usize::try_from(self.col + right).ok()?,
        );
        self.parent.grid().board().cell(row, col)
    }

    fn unknown(&self, down: isize, right: isize) -> Option<Cell> {
        self.cell(down, right)
            .filter(|&cell| self.parent.is_unknown(cell))
    }

    /// Whether no number is or will be there.
    fn is_mute(&self, down: isize, right: isize) -> bool {
        self.cell(down, right)
            .is_none_or(|cell| self.parent.is_mine(cell))
    }

    fn mine(&self, cell: Cell) -> f64 {
        self.parent.counted().mine[cell.index()]
    }

    /// The pair with the cell next to it in this direction.
    fn pair(&self, down: isize, right: isize) -> Option<Place> {
        let other = self.unknown(down, right)?;
        // Three cells beyond each of the two.
        let is_mute = (-1..=1).all(|side| {
            let (along, across) = (side * right, side * down);
            self.is_mute(along - down, across - right)
                && self.is_mute(along + 2 * down, across + 2 * right)
        });
        let kind = if down == 0 {
            PlaceKind::Row
        } else {
            PlaceKind::Column
        };
        is_mute.then(|| Place {
            kind,
            mines: (other, None),
            safe: None,
            bound: self.mine(other),
        })
    }

    /// The square with the cells in these directions.
    fn square(&self, down: isize, right: isize) -> Option<Place> {
        let safe = self.unknown(down, right)?;
        let (below, beside) = (self.unknown(down, 0)?, self.unknown(0, right)?);
        let corners = [
            (-down, -right),
            (2 * down, -right),
            (-down, 2 * right),
            (2 * down, 2 * right),
        ];
        let bound = (1.0 - self.mine(safe))
            .min(self.mine(below))
            .min(self.mine(beside));
        let place = Place {
            kind: PlaceKind::Square,
            mines: (below, Some(beside)),
            safe: Some(safe),
            bound,
        };
        corners
            .into_iter()
            .all(|(down, right)| self.is_mute(down, right))
            .then_some(place)
    }
}
