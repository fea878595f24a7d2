//! The judge of every engine: all layouts of a small position, one by one.

use mineflow_minesweeper::{Cell, View};

/// What looking at every layout finds, the mine count of the board kept or not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Layouts that fit.
    pub layouts: u64,
    /// For every cell of `cells`, in how many of the layouts it is a mine.
    pub mines: Vec<u64>,
    /// The cells that vary.
    pub cells: Vec<Cell>,
}

impl Counts {
    /// How often `cell` is a mine among all layouts; `None` if it doesn't vary.
    pub fn probability(&self, cell: Cell) -> Option<f64> {
        let at = self.cells.iter().position(|&c| c == cell)?;
        Some(self.mines[at] as f64 / self.layouts as f64)
    }
}

/// Every layout of exactly the board's mines on all covered cells (the true posterior).
pub fn posterior(view: &View) -> Counts {
    count(view, view.covered().collect(), Some(view.mines()))
}

/// Every solution of `A M = N` on the boundary, whatever its number of mines (equation 3 of the main paper).
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
