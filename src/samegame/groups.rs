//! Groups of a board as bits: how they are found and removed.
//!
//! In this module and in playouts, loops iterate over arrays of bit boards, because a closure
//! passed to `map` is not compiled for the instruction set of its caller.

use super::{bits::Bits, rules::COLOURS};

/// The pairs of neighbouring cells that have the same colour.
pub(super) struct Links<B> {
    /// Cells with the same colour as the cell below.
    pub vertical: B,
    /// Cells with the same colour as the cell to the left.
    pub horizontal: B,
}

impl<B: Bits> Links<B> {
    /// Returns the links between the cells of one colour.
    #[inline(always)]
    pub fn of_colour(cells: B) -> Self {
        Self {
            vertical: cells.and(cells.up()),
            horizontal: cells.and(cells.right()),
        }
    }

    /// Returns the links of a board with one bit board per colour.
    #[inline(always)]
    fn of_colours(colours: &[B; COLOURS]) -> Self {
        let mut vertical = B::empty();
        let mut horizontal = B::empty();
        for &cells in colours {
            let links = Self::of_colour(cells);
            (vertical, horizontal) = (vertical.or(links.vertical), horizontal.or(links.horizontal));
        }
        Self {
            vertical,
            horizontal,
        }
    }

    /// Returns candidate cells from which groups are found. The candidates include the lowest bit
    /// of every group, which names the group, and rarely another cell of it.
    ///
    /// The lowest bit of a group has no link down or to the left. It lies in the first column of
    /// the group. Therefore no cell in the run above it has a link to the left either. This
    /// condition is tested for two cells of the run.
    #[inline(always)]
    pub fn starts(&self) -> B {
        let linked_on = self.vertical.down().or(self.horizontal.left());
        let above = self.vertical.and(self.horizontal).down();
        let two_above = above.and(self.vertical).down();
        linked_on
            .without(self.vertical.or(self.horizontal))
            .without(above.or(two_above))
    }

    /// Returns the group of a cell.
    #[inline(always)]
    pub fn group(&self, bit: usize) -> B {
        B::cell(bit).flood(self.vertical, self.horizontal)
    }
}

/// Calls `found` with the lowest bit and the number of cells of every group, in ascending order of
/// the lowest bits.
#[inline(always)]
pub(super) fn each_group<B: Bits>(
    colours: &[B::Words; COLOURS],
    mut found: impl FnMut(usize, u32),
) {
    let mut sets = [B::empty(); COLOURS];
    for (set, words) in sets.iter_mut().zip(colours) {
        *set = B::load(words);
    }
    let links = Links::of_colours(&sets);
    let mut starts = links.starts();
    while let Some(bit) = starts.pick(0) {
        let group = links.group(bit);
        // The first start of each group is its lowest bit.
        found(bit, group.count());
        starts = starts.without(group);
    }
}

/// Removes the group of the cell `bit`, and returns its number of cells. If the group has fewer
/// than two cells, returns 0 and changes nothing.
#[inline(always)]
pub(super) fn remove_at<B: Bits>(colours: &mut [B::Words; COLOURS], bit: usize) -> u32 {
    let mut sets = [B::empty(); COLOURS];
    let cell = B::cell(bit);
    let mut colour = B::empty();
    for (set, words) in sets.iter_mut().zip(&*colours) {
        *set = B::load(words);
        if !set.and(cell).is_empty() {
            colour = *set;
        }
    }
    if colour.is_empty() {
        return 0;
    }
    let group = Links::of_colour(colour).group(bit);
    let count = group.count();
    if count < 2 {
        return 0;
    }
    remove(&mut sets, group);
    for (words, set) in colours.iter_mut().zip(sets) {
        *words = set.words();
    }
    count
}

/// Removes a group from sets that together contain every occupied cell. Returns the cells that are
/// occupied afterwards.
#[inline(always)]
pub(super) fn remove<B: Bits, const N: usize>(sets: &mut [B; N], group: B) -> B {
    B::fall(sets, group);
    let mut occupied = sets.iter().fold(B::empty(), |all, &set| all.or(set));
    let mut columns = occupied.columns();
    // A gap is an empty column with an occupied column to its right.
    while columns & (columns + 1) != 0 {
        let gap = columns.trailing_ones() as usize;
        for set in &mut *sets {
            *set = set.close(gap);
        }
        occupied = occupied.close(gap);
        let before = (1 << gap) - 1;
        columns = columns & before | columns >> 1 & !before;
    }
    occupied
}
