//! Sets of cells as bits, and the set operations that the game uses.
//!
//! A column is a lane of bits whose lowest bit is the bottom cell. Column 0 is the lowest lane:
//!
//! ```text
//! row 2   2 18 34          bit = column * LANE + row, LANE = 16 here
//! row 1   1 17 33
//! row 0   0 16 32
//! column  0  1  2
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
pub(super) use portable::Portable;

/// A set of cells. All implementations give the same results and differ only in speed.
pub trait Bits: Copy {
    /// The memory representation of the set.
    type Words: Copy;
    /// The number of bits per column.
    const LANE: usize;

    fn load(words: &Self::Words) -> Self;
    fn words(self) -> Self::Words;
    fn empty() -> Self;
    /// Returns the set that contains only the cell `bit`.
    fn cell(bit: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    /// Shifts every cell up by one row. Cells of the top row are dropped.
    fn up(self) -> Self;
    fn down(self) -> Self;
    /// Shifts every cell right by one column. Cells of the last column are dropped.
    fn right(self) -> Self;
    fn left(self) -> Self;
    fn is_empty(self) -> bool;
    fn count(self) -> u32;
    /// Returns the cell with index `floor(random * count / 2^32)`, counted from the lowest bit, or
    /// `None` for an empty set.
    fn pick(self, random: u32) -> Option<usize>;
    /// Returns whether the set contains a bit below `bit`.
    fn holds_below(self, bit: usize) -> bool;
    /// Returns the columns that contain a cell. Column 0 is the lowest bit.
    fn columns(self) -> u32;
    /// Returns the set without the lane of `column`, with the lanes to the right of it shifted left
    /// by one column.
    fn close(self, column: usize) -> Self;
    /// Removes the cells of `gone` from every set, and lets the cells above fall within their
    /// columns.
    fn fall<const N: usize>(sets: &mut [Self; N], gone: Self);

    /// Returns the cells reachable from `self` by links. A cell of `vertical` is linked to the cell
    /// below it, a cell of `horizontal` to its left neighbour.
    #[inline(always)]
    fn flood(self, vertical: Self, horizontal: Self) -> Self {
        let mut reached = self;
        loop {
            let more = spread(reached, vertical, horizontal);
            if more.xor(reached).is_empty() {
                return reached;
            }
            reached = more;
        }
    }
}

/// Returns the cells and the neighbours that are linked to them.
#[inline(always)]
fn spread<B: Bits>(cells: B, vertical: B, horizontal: B) -> B {
    let upright = cells.up().and(vertical).or(cells.and(vertical).down());
    let sideways = cells
        .right()
        .and(horizontal)
        .or(cells.and(horizontal).left());
    cells.or(upright).or(sideways)
}
