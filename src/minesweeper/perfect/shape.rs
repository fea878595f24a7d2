//! Which cells give information about which.

/// Maximum number of unknown cells: a layout is a word with one bit for each.
pub(crate) const MOST_CELLS: usize = 64;

/// A set of cells, one bit each, and their adjacency.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// All cells.
    pub all: u64,
    /// The cells next to each cell.
    pub around: Vec<u64>,
    /// The cells next to each cell, or next to an open number that is next to it.
    pub linked: Vec<u64>,
    /// The independent groups that were found last.
    pub groups: Vec<u64>,
}

/// Returns the cells of a set in ascending order.
pub(crate) fn cells_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            cell
        })
    })
}

impl Shape {
    /// Creates the shape of cells without open numbers next to them: each cell gives information
    /// about those around it.
    pub fn new(around: Vec<u64>) -> Self {
        Self {
            all: !0 >> (MOST_CELLS - around.len()),
            linked: around.clone(),
            around,
            groups: Vec::new(),
        }
    }

    /// Sets [`Shape::groups`] to a partition of the `undecided` cells into independent groups: the
    /// layouts of the set are all combinations of the layouts of the groups. `open` are the other
    /// cells that are safe; `is_fixed` returns whether a group has the same number of mines in all
    /// layouts of the set.
    ///
    /// The layouts of a set are all those that are consistent with its open numbers and its number
    /// of mines. Cells that share no number, neither directly nor through others, thus depend on
    /// each other only through the number of mines. A group that always has the same number of
    /// mines does not depend on any other cells.
    pub fn group(&mut self, undecided: u64, open: u64, mut is_fixed: impl FnMut(u64) -> bool) {
        self.groups.clear();
        let mut left = undecided;
        let mut by_mines = 0;
        while left != 0 {
            let joined = self.joined(left & left.wrapping_neg(), undecided, open);
            left &= !joined;
            if joined == undecided || is_fixed(joined) {
                self.groups.push(joined);
            } else {
                by_mines |= joined;
            }
        }
        if by_mines != 0 {
            self.groups.push(by_mines);
        }
    }

    /// Returns the undecided cells that numbers connect with those of `found`, directly or through
    /// others.
    fn joined(&self, mut found: u64, undecided: u64, open: u64) -> u64 {
        let mut joined = 0;
        while found != 0 {
            let cell = found.trailing_zeros() as usize;
            joined |= 1 << cell;
            found |= if undecided >> cell & 1 == 1 {
                self.linked[cell] & undecided | self.around[cell] & open
            } else {
                self.around[cell] & undecided
            };
            found &= !joined;
        }
        joined & undecided
    }
}
