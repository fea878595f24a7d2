//! Tables that map tuples of values to rows of numbers.

/// Keys of one width and their rows of one width. Rows are found by binary search after sorting.
#[derive(Clone, Debug)]
pub(super) struct KeyedRows<T> {
    key_width: usize,
    row_width: usize,
    keys: Vec<u32>,
    rows: Vec<T>,
}

impl<T: Copy> KeyedRows<T> {
    pub(super) fn new(key_width: usize, row_width: usize) -> Self {
        Self {
            key_width,
            row_width,
            keys: Vec::new(),
            rows: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, key: &[u32], row: &[T]) {
        self.keys.extend_from_slice(key);
        self.rows.extend_from_slice(row);
    }

    /// Sorts the keys, as `find` requires. Among equal keys, the one inserted first is kept.
    pub(super) fn sort(&mut self) {
        let order = sorted(&self.keys, self.key_width, self.len());
        self.keys = order
            .iter()
            .flat_map(|&i| self.key(i).iter().copied())
            .collect();
        self.rows = order
            .iter()
            .flat_map(|&i| self.row(i).iter().copied())
            .collect();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.row_width.max(1)
    }

    pub(super) fn key(&self, index: usize) -> &[u32] {
        &self.keys[index * self.key_width..(index + 1) * self.key_width]
    }

    pub(super) fn row(&self, index: usize) -> &[T] {
        &self.rows[index * self.row_width..(index + 1) * self.row_width]
    }

    pub(super) fn find(&self, key: &[u32]) -> Option<&[T]> {
        find(&self.keys, self.key_width, self.len(), key).map(|index| self.row(index))
    }
}

/// Returns the indices of `count` concatenated tuples in sorted order, without duplicates. Among
/// equal tuples, the first is kept.
pub(super) fn sorted(tuples: &[u32], width: usize, count: usize) -> Vec<usize> {
    let tuple = |index: usize| &tuples[index * width..(index + 1) * width];
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| tuple(a).cmp(tuple(b)));
    order.dedup_by(|later, earlier| tuple(*later) == tuple(*earlier));
    order
}

/// Returns the index of `key` among `count` sorted tuples, or `None` if it is missing.
pub(super) fn find(tuples: &[u32], width: usize, count: usize, key: &[u32]) -> Option<usize> {
    let mut low = 0;
    let mut high = count;
    while low < high {
        let middle = low + (high - low) / 2;
        match tuples[middle * width..(middle + 1) * width].cmp(key) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}
