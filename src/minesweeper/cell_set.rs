//! A bit set of cells.

use super::Cell;

/// A set of cells of one board, with one bit per cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellSet {
    words: Vec<u64>,
}

impl CellSet {
    /// Creates an empty set with room for the cells `0..cells`.
    pub fn new(cells: usize) -> Self {
        Self {
            words: vec![0; cells.div_ceil(64)],
        }
    }

    /// Adds `cell`; returns false if the cell was a member before. May panic if the cell is off the
    /// board.
    pub fn insert(&mut self, cell: Cell) -> bool {
        let (word, bit) = place(cell);
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    /// Removes `cell`; returns false if the cell was not a member. May panic if the cell is off the
    /// board.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let (word, bit) = place(cell);
        let there = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        there
    }

    /// Returns whether `cell` is a member.
    pub fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = place(cell);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Removes all members and makes room for the cells `0..cells`.
    pub fn reset(&mut self, cells: usize) {
        self.words.clear();
        self.words.resize(cells.div_ceil(64), 0);
    }

    /// Returns the words of the bit set: bit `c % 64` of word `c / 64` is 1 if cell `c` is a
    /// member.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of the bit set for modification. Bits past the board's last cell must stay
    /// 0.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the members in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                Some(w & (w - 1)).filter(|&w| w != 0)
            })
            .map(move |w| Cell((i * 64) as u16 + w.trailing_zeros() as u16))
        })
    }
}

/// Returns the word index and the bit mask of a cell.
fn place(cell: Cell) -> (usize, u64) {
    (cell.index() / 64, 1 << (cell.index() % 64))
}

impl Extend<Cell> for CellSet {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}
