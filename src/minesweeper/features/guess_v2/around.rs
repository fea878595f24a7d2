//! Features that describe the whole board and the surroundings of a candidate.

use crate::{
    Cell,
    features::{insert_least, mines_per_unknown},
    solver::Analysis,
};

/// Returns the doubt about a cell: the smaller of the probabilities that the cell is a mine and
/// that it is safe.
fn doubt(at: &Analysis, cell: Cell) -> f32 {
    let mine = at.counted().mine[cell.index()];
    mine.min(1.0 - mine) as f32
}

/// Returns the lowest mine probability, and the features that are the same for all candidates.
pub(super) fn whole(
    at: &Analysis,
    components: usize,
    best: f64,
    candidates: usize,
) -> (f64, [f32; 15]) {
    let found = at.counted();
    let mut least = [1.0; 3];
    let mut rest = 0.0;
    let mut rest_mine = -1.0;
    let mut boundary = 0.0;
    let mut boundary_doubt = 0.0;
    for cell in at.unknown_cells() {
        let mine = found.mine[cell.index()];
        insert_least(&mut least, mine);
        if found.boundary().contains(cell) {
            boundary += 1.0;
            boundary_doubt += doubt(at, cell);
        } else {
            rest += 1.0;
            rest_mine = mine as f32;
        }
    }
    let unknown = at.unknown() as f32;
    let columns = [
        unknown,
        at.mines_left() as f32,
        mines_per_unknown(at),
        unknown / at.grid().board().cells() as f32,
        found.ln_layouts() as f32,
        rest,
        rest_mine,
        boundary,
        components as f32,
        least[0] as f32,
        least[1] as f32,
        least[2] as f32,
        boundary_doubt,
        best as f32,
        candidates as f32,
    ];
    (least[0], columns)
}

/// Returns the features of the surroundings of a candidate.
pub(super) fn around(at: &Analysis, cell: Cell, components: &Components) -> [f32; 15] {
    let grid = at.grid();
    let found = at.counted();
    let mut open = 0.0;
    let mut unknown_boundary = 0.0;
    let mut unknown_rest = 0.0;
    let mut known_mines = 0.0;
    let mut mines = 0.0;
    let mut near_doubt = 0.0;
    let mut least: f64 = 1.0;
    let mut touched = Touched::default();
    touched.add(components.of[cell.index()]);
    for d in grid.neighbors(cell) {
        if at.is_open(d) {
            open += 1.0;
        } else if !at.is_unknown(d) {
            known_mines += 1.0;
        } else {
            if found.boundary().contains(d) {
                unknown_boundary += 1.0;
            } else {
                unknown_rest += 1.0;
            }
            mines += found.mine[d.index()] as f32;
            near_doubt += doubt(at, d);
            least = least.min(found.mine[d.index()]);
            touched.add(components.of[d.index()]);
        }
    }
    let mut component_cells = 0.0;
    let mut component_doubt = 0.0;
    for &component in touched.all() {
        let (cells, doubt) = components.sizes[usize::from(component)];
        component_cells += cells;
        component_doubt += doubt;
    }
    let (wide_unknown, wide_doubt) = wide(at, cell);
    [
        f32::from(u8::from(found.boundary().contains(cell))),
        grid.neighbor_count(cell) as f32,
        open,
        unknown_boundary,
        unknown_rest,
        known_mines,
        mines,
        near_doubt,
        least as f32,
        wide_unknown,
        wide_doubt,
        touched.all().len() as f32,
        component_cells,
        component_doubt,
        grid.board().edge_distance(cell) as f32,
    ]
}

/// Returns the number of other unknown cells at most two rows and two columns away, and the sum of
/// their doubts.
fn wide(at: &Analysis, cell: Cell) -> (f32, f32) {
    let board = at.grid().board();
    let (row, col) = board.row_col(cell);
    let mut unknown = 0.0;
    let mut sum = 0.0;
    for row in row.saturating_sub(2)..=row + 2 {
        for col in col.saturating_sub(2)..=col + 2 {
            if let Some(other) = board.cell(row, col)
                && other != cell
                && at.is_unknown(other)
            {
                unknown += 1.0;
                sum += doubt(at, other);
            }
        }
    }
    (unknown, sum)
}

/// A set of components. A cell and its neighbours belong to at most nine components.
#[derive(Default)]
struct Touched {
    components: [u16; 9],
    len: usize,
}

impl Touched {
    /// Adds a component; 0 means no component and is ignored.
    fn add(&mut self, component: u16) {
        if component > 0 && !self.all().contains(&component) {
            self.components[self.len] = component;
            self.len += 1;
        }
    }

    fn all(&self) -> &[u16] {
        &self.components[..self.len]
    }
}

/// The components of the boundary: unknown cells next to the same open number are in the same
/// component.
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    /// The component of each cell, counted from 1; 0 for a cell without a component.
    of: Vec<u16>,
    /// The number of cells and the sum of doubts of each component; entry 0 is unused.
    sizes: Vec<(f32, f32)>,
    /// Scratch memory: cells whose neighbours have not been visited yet.
    stack: Vec<Cell>,
}

impl Components {
    pub fn find(&mut self, at: &Analysis) {
        let grid = at.grid();
        self.of.clear();
        self.of.resize(grid.board().cells(), 0);
        self.sizes.clear();
        self.sizes.push((0.0, 0.0));
        for first in at.counted().boundary().iter() {
            if !at.is_unknown(first) || self.of[first.index()] > 0 {
                continue;
            }
            let number = self.sizes.len() as u16;
            let mut size = (0.0, 0.0);
            self.of[first.index()] = number;
            self.stack.push(first);
            while let Some(cell) = self.stack.pop() {
                size = (size.0 + 1.0, size.1 + doubt(at, cell));
                for open in grid.neighbors(cell).filter(|&d| at.is_open(d)) {
                    for other in grid.neighbors(open).filter(|&d| at.is_unknown(d)) {
                        if self.of[other.index()] == 0 {
                            self.of[other.index()] = number;
                            self.stack.push(other);
                        }
                    }
                }
            }
            self.sizes.push(size);
        }
    }

    /// Returns the number of components.
    pub fn len(&self) -> usize {
        self.sizes.len() - 1
    }
}
