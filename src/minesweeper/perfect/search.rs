//! The interface between the tree search and its caller.

use super::shape::Shape;

/// A bound on the number of layouts of a set that optimal play wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WinBound {
    /// The value if `exact`, otherwise an upper bound.
    pub value: u32,
    pub exact: bool,
}

/// The transposition table and the limits of a search.
pub(crate) trait Search {
    /// The key of a set in the transposition table. Two sets of equal names have equal values.
    type Name: Copy;
    /// The reason why a search ended early.
    type Ended;

    fn shape(&mut self) -> &mut Shape;

    /// Returns the name of a set of layouts. Every cell that is safe in all of them must be open.
    /// `undecided` are the cells that are mines in some of the layouts but not in all of them;
    /// `open` returns the cells that are safe in all of them. All other cells are mines in each
    /// layout.
    fn name(
        &mut self,
        layouts: impl Iterator<Item = u64>,
        undecided: u64,
        open: impl FnOnce() -> u64,
    ) -> Self::Name;

    fn recall(&self, name: Self::Name) -> Option<WinBound>;

    fn remember(&mut self, name: Self::Name, known: WinBound);

    /// Counts `looked_at` examined layouts of a set, or examined cells of a small set, as work.
    fn work(&mut self, looked_at: usize);

    /// Accounts for another set before it is searched; an error ends the search.
    fn spend(&mut self) -> Result<(), Self::Ended>;

    /// Reserves memory for `more` layouts; an error means that they exceed the limit.
    fn make_room(&mut self, layouts: &mut Vec<u64>, more: usize) -> Result<(), Self::Ended>;
}
