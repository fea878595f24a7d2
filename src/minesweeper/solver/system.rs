//! The constraints of a position as a linear system `A M = N` (Sinha et al. 2021, section 3.1,
//! equations 1 and 2).
//!
//! A column of `A` is a covered cell next to an open number; a row is an open cell with at least
//! one such neighbour. `A` is sparse: each row and each column has at most eight ones. Their
//! positions are stored as short lists.

use super::frontier::Eight;
use crate::{Cell, View};

/// The entry of [`System::values`] for a variable without a value.
const UNKNOWN: u8 = 2;

/// The entry of [`System::column_of`] for a cell that is not a variable.
const NO_COLUMN: u16 = u16::MAX;

/// `A M = N` after reducing away the variables that have a value (Sinha et al. 2021, algorithm 1),
/// with a trail to undo reductions.
///
/// For every row the system keeps two numbers: how many of its unknown cells must be safe and how
/// many must be mines. The second number is the entry of `N`; the sum of both is the number of ones
/// left in the row. Assigning a variable subtracts one from one of them in each of the variable's
/// rows. The system is impossible as soon as one of these numbers falls below zero.
#[derive(Clone, Debug, Default)]
pub struct System {
    cells: Vec<Cell>,
    rows: Vec<Cell>,
    /// The positions of the ones in every column and every row of `A`.
    rows_of: Vec<Eight>,
    columns_of: Vec<Eight>,
    /// For every row, the number of unknown cells that must be safe and the number that must be
    /// mines.
    left: Vec<[i8; 2]>,
    /// For every column 0, 1 or [`UNKNOWN`].
    values: Vec<u8>,
    /// The columns with a value, in the order of their reduction.
    trail: Vec<u16>,
    /// Whether an open number without variables contradicts the known mines around it. Such a
    /// number has no row that would show this.
    broken: bool,
    /// Scratch: the column of every cell and of the slot off the board.
    column_of: Vec<u16>,
}

impl System {
    /// Creates the system of `view`. Covered cells for which `is_known_mine` holds are not
    /// variables; they are subtracted from `N`.
    pub fn new(view: &View, is_known_mine: impl Fn(Cell) -> bool) -> Self {
        let mut system = Self::default();
        system.rebuild(view, is_known_mine);
        system
    }

    /// Turns this into the system that [`System::new`] would create. It allocates memory only if
    /// the new system is larger than all earlier ones.
    pub fn rebuild(&mut self, view: &View, is_known_mine: impl Fn(Cell) -> bool) {
        self.find_columns(view, &is_known_mine);
        self.rows.clear();
        self.columns_of.clear();
        self.left.clear();
        self.trail.clear();
        self.broken = false;
        let grid = view.grid();
        for open in grid.board().all_cells() {
            let Some(number) = view.number(open) else {
                continue;
            };
            let mut columns = Eight::default();
            let mut mines = number as i8;
            for &d in grid.around(open.index()) {
                let column = self.column_of[usize::from(d)];
                if column != NO_COLUMN {
                    columns.push(column);
                } else if usize::from(d) != grid.off_board() && !view.is_open(Cell(d)) {
                    mines -= 1; // covered and no variable: a known mine
                }
            }
            if columns.len == 0 {
                self.broken |= mines != 0;
                continue;
            }
            for &column in columns.as_slice() {
                self.rows_of[usize::from(column)].push(self.rows.len() as u16);
            }
            self.left.push([columns.len as i8 - mines, mines]);
            self.rows.push(open);
            self.columns_of.push(columns);
        }
    }

    fn find_columns(&mut self, view: &View, is_known_mine: impl Fn(Cell) -> bool) {
        let grid = view.grid();
        self.column_of.clear();
        self.column_of.resize(grid.off_board() + 1, NO_COLUMN);
        self.cells.clear();
        for cell in grid.board().all_cells() {
            let on_boundary = !view.is_open(cell)
                && grid
                    .around(cell.index())
                    .iter()
                    .any(|&d| view.is_open(Cell(d)));
            if on_boundary && !is_known_mine(cell) {
                self.column_of[cell.index()] = self.cells.len() as u16;
                self.cells.push(cell);
            }
        }
        self.rows_of.clear();
        self.rows_of.resize(self.cells.len(), Eight::default());
        self.values.clear();
        self.values.resize(self.cells.len(), UNKNOWN);
    }

    /// Returns the variables `M`: the cell of every column, in row-major order.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the open cell of every row, in row-major order.
    pub fn rows(&self) -> &[Cell] {
        &self.rows
    }

    /// Returns the columns of `row` in ascending order of their cells, including those with a
    /// value.
    pub fn columns_of(&self, row: usize) -> &[u16] {
        self.columns_of[row].as_slice()
    }

    /// Returns the rows of `column`, at least one, in ascending order.
    pub fn rows_of(&self, column: usize) -> &[u16] {
        self.rows_of[column].as_slice()
    }

    /// Returns the number of mines still to place in `row`, that is, its entry of `N`. It may be
    /// negative in an impossible system.
    pub fn mines_left(&self, row: usize) -> i8 {
        self.left[row][1]
    }

    /// Returns the number of variables of `row` without a value that must be safe. It may be
    /// negative in an impossible system.
    pub fn safe_left(&self, row: usize) -> i8 {
        self.left[row][0]
    }

    /// Returns the number of variables of `row` without a value, that is, the row sum of `A`, 0 to
    /// 8.
    pub fn unknown_in(&self, row: usize) -> i8 {
        self.left[row][0] + self.left[row][1]
    }

    /// Returns whether `column` is a mine, or `None` before it is reduced.
    pub fn value(&self, column: usize) -> Option<bool> {
        match self.values[column] {
            UNKNOWN => None,
            value => Some(value == 1),
        }
    }

    /// Returns whether a single row shows that there is no solution. False does not mean that there
    /// is one.
    pub fn is_impossible(&self) -> bool {
        self.broken || self.left.iter().any(|left| left[0] < 0 || left[1] < 0)
    }

    /// Returns whether every row of the unknown `column` allows this cell to be a mine or, if
    /// `mine` is false, to be safe. Algorithm 3 of Sinha et al. (2021) tests this before a descent.
    pub fn is_possible(&self, column: usize, mine: bool) -> bool {
        self.rows_of(column)
            .iter()
            .all(|&row| self.left[usize::from(row)][usize::from(mine)] > 0)
    }

    /// Reduces the unknown `column` away (Sinha et al. 2021, algorithm 1): a mine subtracts one
    /// from `N` in all its rows, and the column of `A` becomes zero. Returns false if a row is then
    /// impossible; [`System::undo`] reverts the reduction in that case too.
    pub fn reduce(&mut self, column: usize, mine: bool) -> bool {
        self.reduce_and(column, mine, |_| {})
    }

    /// Reduces `column` like [`System::reduce`], and calls `forced` with every row whose remaining
    /// unknown cells have only one possible value.
    #[inline]
    pub(crate) fn reduce_and(
        &mut self,
        column: usize,
        mine: bool,
        mut forced: impl FnMut(usize),
    ) -> bool {
        self.trail.push(column as u16);
        self.values[column] = u8::from(mine);
        let mut possible = true;
        for &row in self.rows_of[column].as_slice() {
            let left = &mut self.left[usize::from(row)][usize::from(mine)];
            *left -= 1;
            possible &= *left >= 0;
            if *left == 0 {
                forced(usize::from(row));
            }
        }
        possible
    }

    /// Returns the number of reduced columns, as a mark for [`System::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Returns the columns reduced since `mark` with their values (true is a mine), in the order of
    /// their reduction.
    pub fn reduced_since(&self, mark: usize) -> impl ExactSizeIterator<Item = (usize, bool)> + '_ {
        self.trail[mark..]
            .iter()
            .map(|&column| (usize::from(column), self.values[usize::from(column)] == 1))
    }

    /// Reverts every reduction since `mark`.
    pub fn undo(&mut self, mark: usize) {
        self.undo_and(mark, |_, _| {});
    }

    /// Reverts reductions like [`System::undo`], and calls `each` with every reverted column and
    /// the value it had.
    #[inline]
    pub(crate) fn undo_and(&mut self, mark: usize, mut each: impl FnMut(usize, bool)) {
        for at in (mark..self.trail.len()).rev() {
            let column = usize::from(self.trail[at]);
            let mine = self.values[column] == 1;
            each(column, mine);
            self.values[column] = UNKNOWN;
            for &row in self.rows_of[column].as_slice() {
                self.left[usize::from(row)][usize::from(mine)] += 1;
            }
        }
        self.trail.truncate(mark);
    }
}
