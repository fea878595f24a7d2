//! 50/50s, and the value of a guess that settles one.
//!
//! Two adjacent unknown cells are *even* in a layout if exactly one of them is a mine and no number
//! can ever tell which: all other cells that are next to only one of them are known mines or off
//! the board. The two diagonals of a square of four unknown cells can be even in the same way: a
//! cell beside the square is next to one cell of each diagonal. Thus only the cells at the four
//! corners of the square could distinguish the diagonals. A player who reaches such a place must
//! guess. A safe guess on one of its cells settles it.
//!
//! A place that is even in every layout is *unavoidable*: the game can't be won without a guess
//! there, and whenever this guess is made, it loses half of the remaining layouts, whatever else is
//! known. Both halves give the same information, as they are next to the same cells except for
//! known mines. Thus no later guess there is better than one now: a player who guesses later could
//! guess now, continue in the same way, and know at least as much.

use crate::{
    Cell,
    solver::{Analysis, Budget, CountError, TIE},
};

/// Computes the share of layouts in which a cell is the safe half of a 50/50. Keep one instance to
/// reuse its memory.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    supposed: Analysis,
    /// The places where the cell of the last query may be half of a 50/50.
    places: Vec<Place>,
}

/// A place that may be a 50/50.
#[derive(Clone, Copy, Debug)]
struct Place {
    kind: PlaceKind,
    /// The mines if the place is even and the cell is safe: the other cell of a pair twice, or the
    /// other diagonal of a square.
    mines: [Cell; 2],
    /// The safe cells in that case: the cell itself twice, or its diagonal.
    safe: [Cell; 2],
    /// Upper bound of the share of layouts in which the place is even and the cell safe.
    bound: f64,
}

/// The kind of a place. A cell is in at most one 50/50 of each kind.
#[derive(Clone, Copy, PartialEq, Debug)]
enum PlaceKind {
    Row,
    Column,
    Square,
}

impl Influence {
    /// Finds the places where `cell` may be half of a 50/50, and returns an upper bound of
    /// [`Influence::share`]. The probabilities of `parent` must have been computed.
    pub fn bound(&mut self, parent: &Analysis, cell: Cell) -> f64 {
        self.find_places(parent, cell);
        joined(&self.places, parent, cell, |place| Ok(place.bound)).unwrap_or(0.0)
    }

    fn find_places(&mut self, parent: &Analysis, cell: Cell) {
        let (row, col) = parent.grid().board().row_col(cell);
        let at = Around {
            parent,
            center: cell,
            row: row as isize,
            col: col as isize,
        };
        self.places.clear();
        for one in [-1, 1] {
            self.places.extend(at.pair(0, one));
            self.places.extend(at.pair(one, 0));
            self.places.extend(at.square(one, -1));
            self.places.extend(at.square(one, 1));
        }
    }

    /// Returns the share of layouts in which a cell is half of a 50/50, among those in which the
    /// cell is safe. The cell is the one given to [`Influence::bound`]. The result adds up the
    /// shares of the likeliest pair in the cell's row, the likeliest pair in its column and the
    /// likeliest square.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn share(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        let supposed = &mut self.supposed;
        joined(&self.places, parent, cell, |place| {
            place.share(parent, supposed, budget)
        })
    }

    /// Returns the first cell of an unavoidable 50/50 that may give information about other cells,
    /// or `None` if there is none. The probabilities of `parent` must have been computed.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn unavoidable(
        &mut self,
        parent: &Analysis,
        budget: &mut Budget,
    ) -> Result<Option<Cell>, CountError> {
        for cell in parent.unknown_cells() {
            if !parent.is_dead(cell) && self.is_unavoidable(parent, cell, budget)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// Returns whether the unknown `cell` is half of an unavoidable 50/50. The probabilities of
    /// `parent` must have been computed.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn is_unavoidable(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let place = self.unavoidable_place(parent, cell, budget)?;
        Ok(place.is_some())
    }

    /// Returns the cells of an unavoidable 50/50 of which the unknown `cell` is half, those of a
    /// pair twice, under the conditions of [`Influence::is_unavoidable`].
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn unavoidable_place(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<Option<[Cell; 4]>, CountError> {
        if (parent.counted().mine[cell.index()] - 0.5).abs() >= TIE {
            return Ok(None);
        }
        self.find_places(parent, cell);
        for place in &self.places {
            if place.bound > 0.5 - TIE
                && place.share(parent, &mut self.supposed, budget)? > 0.5 - TIE
            {
                let [safe, mines] = [place.safe, place.mines];
                return Ok(Some([safe[0], safe[1], mines[0], mines[1]]));
            }
        }
        Ok(None)
    }
}

/// Adds up the highest share of each kind, relative to the layouts in which the cell is safe.
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
    /// Returns the share of all layouts in which the place is even and the cell is safe.
    fn share(
        &self,
        parent: &Analysis,
        supposed: &mut Analysis,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        supposed.follow(parent);
        let count = if self.kind == PlaceKind::Square { 2 } else { 1 };
        let learnt = supposed
            .learn(&self.safe[..count], &self.mines[..count])
            .map_err(CountError::from);
        match learnt.and_then(|()| supposed.ln_layouts(budget)) {
            Ok(ln_layouts) => Ok(libm::exp(ln_layouts - parent.counted().ln_layouts())),
            Err(CountError::Contradiction(_)) => Ok(0.0),
            Err(reason) => Err(reason),
        }
    }
}

/// The neighbourhood of a cell.
struct Around<'a> {
    parent: &'a Analysis,
    center: Cell,
    row: isize,
    col: isize,
}

impl Around<'_> {
    /// Returns the cell `down` rows below and `right` columns to the right, or `None` if it is off
    /// the board.
    fn cell(&self, down: isize, right: isize) -> Option<Cell> {
        let row = usize::try_from(self.row + down).ok()?;
        let col = usize::try_from(self.col + right).ok()?;
        self.parent.grid().board().cell(row, col)
    }

    fn unknown(&self, down: isize, right: isize) -> Option<Cell> {
        self.cell(down, right)
            .filter(|&cell| self.parent.is_unknown(cell))
    }

    /// Returns whether the place never shows a number: it is a known mine or off the board.
    fn is_mute(&self, down: isize, right: isize) -> bool {
        self.cell(down, right)
            .is_none_or(|cell| self.parent.is_mine(cell))
    }

    fn mine(&self, cell: Cell) -> f64 {
        self.parent.counted().mine[cell.index()]
    }

    /// Returns the pair of this cell and the adjacent cell in a direction, or `None` if it can't be
    /// a 50/50.
    fn pair(&self, down: isize, right: isize) -> Option<Place> {
        let other = self.unknown(down, right)?;
        // The three cells beyond each end of the pair.
        let is_mute = (-1..=1).all(|side| {
            let along = side * right;
            let across = side * down;
            self.is_mute(along - down, across - right)
                && self.is_mute(along + 2 * down, across + 2 * right)
        });
        is_mute.then(|| Place {
            kind: if down == 0 {
                PlaceKind::Row
            } else {
                PlaceKind::Column
            },
            mines: [other; 2],
            safe: [self.center; 2],
            bound: self.mine(other),
        })
    }

    /// Returns the square that extends in these directions, or `None` if it can't be a 50/50.
    fn square(&self, down: isize, right: isize) -> Option<Place> {
        let safe = self.unknown(down, right)?;
        let below = self.unknown(down, 0)?;
        let beside = self.unknown(0, right)?;
        let corners = [
            (-down, -right),
            (2 * down, -right),
            (-down, 2 * right),
            (2 * down, 2 * right),
        ];
        let bound = (1.0 - self.mine(safe))
            .min(self.mine(below))
            .min(self.mine(beside));
        let is_mute = corners
            .into_iter()
            .all(|(down, right)| self.is_mute(down, right));
        is_mute.then_some(Place {
            kind: PlaceKind::Square,
            mines: [below, beside],
            safe: [self.center, safe],
            bound,
        })
    }
}
