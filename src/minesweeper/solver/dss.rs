//! Deterministic solution search: deductions from single rows (Sinha et al. 2021, section 4,
//! algorithm 2).

use super::{Contradiction, System};

/// The maximum number of loops that Sinha et al. (2021) suggest for DSS.
pub(super) const LOOPS: usize = 10;

/// Deterministic solution search (DSS), with its scratch memory.
///
/// A loop goes through the rows in order. If no mine is left in a row, all its unknown cells are
/// safe; if no safe cell is left, all are mines. The loop reduces these cells at once, which
/// affects later rows in the same loop. A row that no reduction has touched since its last check
/// can't decide anything new. A bit set of rows to check therefore gives the same results, in the
/// same order, as the full loops of Sinha et al.
#[derive(Clone, Debug)]
pub struct Dss {
    loops: usize,
    /// Bit set of the rows to check: the rows that determine a variable, or that may determine one.
    waiting: Vec<u64>,
}

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ending {
    /// No row decides anything more.
    FixedPoint,
    /// The loops are used up, and some row may decide more.
    OutOfLoops,
}

impl Default for Dss {
    /// Creates a search of at most ten loops.
    fn default() -> Self {
        Self::new(LOOPS)
    }
}

impl Dss {
    /// Creates a search of at most `loops` loops; it stops earlier at a fixed point.
    pub fn new(loops: usize) -> Self {
        Self {
            loops,
            waiting: Vec::new(),
        }
    }

    /// Reduces every variable of `system` that the search determines, and returns them as (column,
    /// is a mine) in the order found. All solutions agree on them. If the search meets a
    /// contradiction it returns an error and leaves the system half reduced; call [`System::undo`]
    /// with a mark taken before.
    pub fn run<'a>(
        &mut self,
        system: &'a mut System,
    ) -> Result<impl ExactSizeIterator<Item = (usize, bool)> + use<'a>, Contradiction> {
        if system.is_impossible() {
            return Err(Contradiction);
        }
        let mark = system.mark();
        self.prepare(system);
        self.await_all(system);
        self.search(system)?;
        Ok(system.reduced_since(mark))
    }

    /// Clears the set of waiting rows and sizes it for `system`.
    pub(crate) fn prepare(&mut self, system: &System) {
        self.waiting.clear();
        self.waiting.resize(system.rows().len().div_ceil(64), 0);
    }

    /// Marks every row as waiting.
    pub(crate) fn await_all(&mut self, system: &System) {
        for row in 0..system.rows().len() {
            self.await_row(row);
        }
    }

    /// Marks `row` as waiting.
    pub(crate) fn await_row(&mut self, row: usize) {
        self.waiting[row / 64] |= 1 << (row % 64);
    }

    /// Reduces `column` and marks the rows that then decide something as waiting.
    #[inline]
    pub(crate) fn reduce(
        &mut self,
        system: &mut System,
        column: usize,
        mine: bool,
    ) -> Result<(), Contradiction> {
        let waiting = &mut self.waiting;
        let possible = system.reduce_and(column, mine, |row| waiting[row / 64] |= 1 << (row % 64));
        if possible { Ok(()) } else { Err(Contradiction) }
    }

    /// Runs the loops on the waiting rows. Afterwards no row is waiting, whatever the outcome.
    pub(crate) fn search(&mut self, system: &mut System) -> Result<Ending, Contradiction> {
        let found = self.run_loops(system);
        if found != Ok(Ending::FixedPoint) {
            self.waiting.fill(0);
        }
        found
    }

    fn run_loops(&mut self, system: &mut System) -> Result<Ending, Contradiction> {
        for _ in 0..self.loops {
            let mut any = false;
            for word in 0..self.waiting.len() {
                // Rows up to the current one wait for the next loop.
                let mut ahead = u64::MAX;
                loop {
                    let next = self.waiting[word] & ahead;
                    if next == 0 {
                        break;
                    }
                    let bit = next.trailing_zeros();
                    self.waiting[word] ^= 1 << bit;
                    ahead = (u64::MAX << bit) << 1;
                    any = true;
                    self.look_at(system, word * 64 + bit as usize)?;
                }
            }
            if !any {
                return Ok(Ending::FixedPoint);
            }
        }
        let waits = self.waiting.iter().any(|&word| word != 0);
        Ok(if waits {
            Ending::OutOfLoops
        } else {
            Ending::FixedPoint
        })
    }

    /// Checks one row (Sinha et al. 2021, algorithm 2, lines 5 to 18).
    fn look_at(&mut self, system: &mut System, row: usize) -> Result<(), Contradiction> {
        let mine = match (system.safe_left(row), system.mines_left(row)) {
            (0, 0) => return Ok(()),
            (_, 0) => false,
            (0, _) => true,
            _ => return Ok(()),
        };
        for at in 0..system.columns_of(row).len() {
            let column = usize::from(system.columns_of(row)[at]);
            if system.value(column).is_none() {
                self.reduce(system, column, mine)?;
            }
        }
        Ok(())
    }
}
