//! The reference for every engine: enumeration of all layouts of a small position.

use mineflow_minesweeper::{Cell, View};

/// The counts over all layouts, with or without the constraint on the board's number of mines.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of consistent layouts.
    pub layouts: u64,
    /// For every cell of `cells`, the number of layouts in which it is a mine.
    pub mines: Vec<u64>,
    /// The cells to which the enumeration assigns mines.
    pub cells: Vec<Cell>,
}

impl Counts {
    /// Returns the share of all layouts in which `cell` is a mine, or `None` if it is not one of
    /// `cells`.
    pub fn probability(&self, cell: Cell) -> Option<f64> {
        let at = self.cells.iter().position(|&c| c == cell)?;
        Some(self.mines[at] as f64 / self.layouts as f64)
    }
}

/// Counts all layouts with exactly the board's number of mines on the covered cells (the true
/// posterior).
pub fn posterior(view: &View) -> Counts {
    count(view, view.covered().collect(), Some(view.mines()))
}

/// Counts all solutions of `A M = N` on the boundary, with any number of mines (Sinha et al.,
/// equation 3).
pub fn solutions(view: &View) -> Counts {
    count(view, view.boundary().collect(), None)
}

fn count(view: &View, cells: Vec<Cell>, mines: Option<usize>) -> Counts {
    assert!(cells.len() <= 26, "too many cells for brute force");
    let constraints: Vec<(u32, u32)> = view
        .opened()
        .iter()
        .map(|&open| {
            let mask = cells
                .iter()
                .enumerate()
                .filter(|&(_, &c)| view.grid().neighbors(open).any(|d| d == c));
            let number = view.number(open).expect("an open cell has a number");
            (mask.map(|(bit, _)| 1 << bit).sum(), u32::from(number))
        })
        .collect();
    let mut counts = Counts {
        layouts: 0,
        mines: vec![0; cells.len()],
        cells,
    };
    for layout in 0u32..1 << counts.cells.len() {
        let fits = mines.is_none_or(|mines| layout.count_ones() as usize == mines)
            && constraints
                .iter()
                .all(|&(mask, number)| (layout & mask).count_ones() == number);
        if fits {
            counts.layouts += 1;
            for (bit, mines) in counts.mines.iter_mut().enumerate() {
                *mines += u64::from(layout >> bit & 1);
            }
        }
    }
    counts
}
