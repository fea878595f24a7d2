//! What a search of sets of layouts is given.

use super::shape::Shape;

/// What is known of how many layouts of a set perfect play wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WinBound {
    /// The value, or a bound that it doesn't exceed.
    pub(crate) value: u32,
    pub(crate) exact: bool,
}

/// What a search knows of sets of layouts, and what it may still do.
pub(crate) trait Search {
    /// Two sets of equal names have equal values.
    type Name: Copy;
    /// Why a search ended early.
    type Ended;

    fn shape(&mut self) -> &mut Shape;

    /// The name of a set of layouts in which every cell that is safe in all is open. `undecided` are the cells that are mines in
    /// some of them, and not in others; `open` finds those that are safe in all. All other cells are mines in each.
    fn name(
        &mut self,
        layouts: impl Iterator<Item = u64>,
        undecided: u64,
        open: impl FnOnce() -> u64,
    ) -> Self::Name;

    fn recall(&self, name: Self::Name) -> Option<WinBound>;

    fn remember(&mut self, name: Self::Name, known: WinBound);

    /// Counts layouts of a set that are looked at once, or cells of a small set.
    fn work(&mut self, looked_at: usize);

    /// Begins with another set; an error if that may not be.
    fn spend(&mut self) -> Result<(), Self::Ended>;

    /// Makes room for this many more layouts; an error if they may not be held.
    fn make_room(&mut self, layouts: &mut Vec<u64>, more: usize) -> Result<(), Self::Ended>;
}
