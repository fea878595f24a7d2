//! A trail of numbers for backtracking: every write is logged, and leaving a level undoes the
//! writes made since the level was entered.

/// Reversible 64-bit cells with a stack of levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    cells: Vec<u64>,
    log: Vec<(u32, u64)>,
    levels: Vec<usize>,
}

impl Trail {
    /// Returns the number of cells, which is the index of the next one.
    pub fn len(&self) -> u32 {
        u32::try_from(self.cells.len()).expect("a network is refused before it needs 2^32 cells")
    }

    pub fn allocate(&mut self, count: usize, value: u64) -> u32 {
        let first = self.len();
        self.cells.resize(self.cells.len() + count, value);
        first
    }

    /// Sets a cell that was allocated since the last `push`. The write is not logged.
    pub fn initialise(&mut self, cell: u32, value: u64) {
        self.cells[cell as usize] = value;
    }

    /// Removes the cells from index `len` on. No open level may have written to them.
    pub fn truncate(&mut self, len: u32) {
        self.cells.truncate(len as usize);
    }

    pub fn get(&self, cell: u32) -> u64 {
        self.cells[cell as usize]
    }

    pub fn set(&mut self, cell: u32, value: u64) {
        let old = std::mem::replace(&mut self.cells[cell as usize], value);
        if !self.levels.is_empty() {
            self.log.push((cell, old));
        }
    }

    pub fn push(&mut self) {
        self.levels.push(self.log.len());
    }

    pub fn pop(&mut self) {
        let mark = self.levels.pop().expect("every pop follows its push");
        while self.log.len() > mark {
            let (cell, old) = self.log.pop().expect("the log is longer than the mark");
            self.cells[cell as usize] = old;
        }
    }
}
