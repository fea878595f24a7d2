//! The eight symmetries of a board.

/// A symmetry of a board: an optional transposition, then optional reversals of rows and columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    transposed: bool,
    rows_reversed: bool,
    cols_reversed: bool,
}

impl Symmetry {
    /// Returns the symmetry with this number. Only the lowest three bits count; 0 is the identity.
    pub const fn of(number: u64) -> Self {
        Self {
            transposed: number & 1 != 0,
            rows_reversed: number & 2 != 0,
            cols_reversed: number & 4 != 0,
        }
    }

    /// Returns all eight symmetries.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self::of)
    }

    /// Returns whether the symmetry swaps width and height.
    pub const fn transposes(self) -> bool {
        self.transposed
    }

    /// Returns the position of the cell (row, col) of a (height, width) board on the transformed
    /// board.
    pub const fn place(
        self,
        (row, col): (usize, usize),
        (height, width): (usize, usize),
    ) -> (usize, usize) {
        let ((row, col), (height, width)) = if self.transposed {
            ((col, row), (width, height))
        } else {
            ((row, col), (height, width))
        };
        (
            if self.rows_reversed {
                height - 1 - row
            } else {
                row
            },
            if self.cols_reversed {
                width - 1 - col
            } else {
                col
            },
        )
    }

    /// Returns the inverse symmetry. For a transposing symmetry, the reversals of rows and of
    /// columns change places.
    pub const fn inverse(self) -> Self {
        if self.transposed {
            Self {
                transposed: true,
                rows_reversed: self.cols_reversed,
                cols_reversed: self.rows_reversed,
            }
        } else {
            self
        }
    }
}
