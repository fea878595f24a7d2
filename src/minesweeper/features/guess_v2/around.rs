//! Features that describe the whole board and the surroundings of a candidate.

use crate::Cell;
use crate::solver::Analysis;

/// Returns the doubt about a cell: the smaller of the probabilities that the cell is a mine and
/// that it is safe.
fn doubt(at: &Analysis, cell: Cell) -> f32 {
    let mine = at.counted().mine[cell.index()];
    mine.min(1.0 - mine) as f32
}

/// Features of the whole position.
pub(super) struct Whole {
    /// The three lowest mine probabilities, ascending.
    pub(super) least: [f64; 3],
    unknown: f32,
    mines_left: f32,
    cells: f32,
    ln_layouts: f32,
    /// The number of unknown cells off the boundary, and the mine probability of each of them (-1
    /// if there are none).
    rest: f32,
    rest_mine: f32,
    /// The number of unknown boundary cells, and the sum of their doubts.
    boundary: f32,
    doubt: f32,
}

impl Whole {
    pub(super) fn of(at: &Analysis) -> Self {
        let board = at.grid().board();
        let found = at.counted();
        let mut whole = Self {
            least: [1.0; 3],
            unknown: at.unknown() as f32,
            mines_left: at.mines_left() as f32,
            cells: board.cells() as f32,
            ln_layouts: found.ln_layouts() as f32,
            rest: 0.0,
            rest_mine: -1.0,
            boundary: 0.0,
            doubt: 0.0,
        };
        for cell in board.all_cells().filter(|&cell| at.is_unknown(cell)) {
            let mine = found.mine[cell.index()];
            let mut higher = mine;
            for place in &mut whole.least {
                if higher < *place {
                    std::mem::swap(&mut higher, place);
                }
            }
            if found.boundary().contains(cell) {
                whole.boundary += 1.0;
                whole.doubt += doubt(at, cell);
            } else {
                whole.rest += 1.0;
                whole.rest_mine = mine as f32;
            }
        }
        whole
    }

    /// Returns the features that are the same for all candidates.
    pub(super) fn columns(&self, components: usize, best: f64, candidates: usize) -> [f32; 15] {
        let &Self {
            unknown,
            mines_left,
            ..
        } = self;
        [
            unknown,
            mines_left,
            if unknown > 0.0 {
                mines_left / unknown
            } else {
                0.0
            },
            unknown / self.cells,
            self.ln_layouts,
            self.rest,
            self.rest_mine,
            self.boundary,
            components as f32,
            self.least[0] as f32,
            self.least[1] as f32,
            self.least[2] as f32,
            self.doubt,
            best as f32,
            candidates as f32,
        ]
    }
}

/// Features of the surroundings of a candidate.
#[derive(Default)]
pub(super) struct Around {
    is_on_boundary: bool,
    neighbours: f32,
    /// The numbers of neighbours that are open, unknown on the boundary, unknown off the boundary,
    /// and known mines.
    open: f32,
    unknown_boundary: f32,
    unknown_rest: f32,
    known_mines: f32,
    /// The expected number of mines, the sum of doubts and the lowest mine probability of the
    /// unknown neighbours.
    mines: f32,
    doubt: f32,
    least: f64,
    /// The number of other unknown cells at most two rows and two columns away, and the sum of
    /// their doubts.
    wide_unknown: f32,
    wide_doubt: f32,
    /// The number of components that contain the cell or a neighbour, the number of their cells,
    /// and the sum of the doubts of these cells.
    components: f32,
    component_cells: f32,
    component_doubt: f32,
    edge: f32,
}

impl Around {
    pub(super) fn of(at: &Analysis, cell: Cell, components: &Components) -> Self {
        let grid = at.grid();
        let found = at.counted();
        let board = grid.board();
        let mut around = Self {
            is_on_boundary: found.boundary().contains(cell),
            neighbours: grid.neighbor_count(cell) as f32,
            least: 1.0,
            edge: board.edge_distance(cell) as f32,
            ..Self::default()
        };
        let mut touched = Touched::default();
        touched.add(components.of[cell.index()]);
        for d in grid.neighbors(cell) {
            if at.is_open(d) {
                around.open += 1.0;
            } else if !at.is_unknown(d) {
                around.known_mines += 1.0;
            } else {
                let is_on_boundary = found.boundary().contains(d);
                let which = if is_on_boundary {
                    &mut around.unknown_boundary
                } else {
                    &mut around.unknown_rest
                };
                *which += 1.0;
                around.mines += found.mine[d.index()] as f32;
                around.doubt += doubt(at, d);
                around.least = around.least.min(found.mine[d.index()]);
                touched.add(components.of[d.index()]);
            }
        }
        for &component in touched.all() {
            let (cells, doubt) = components.sizes[usize::from(component)];
            around.components += 1.0;
            around.component_cells += cells;
            around.component_doubt += doubt;
        }
        let (row, col) = board.row_col(cell);
        let rows = row.saturating_sub(2)..=row + 2;
        let near = rows
            .flat_map(|r| (col.saturating_sub(2)..=col + 2).filter_map(move |c| board.cell(r, c)));
        for other in near.filter(|&other| other != cell && at.is_unknown(other)) {
            around.wide_unknown += 1.0;
            around.wide_doubt += doubt(at, other);
        }
        around
    }

    pub(super) fn columns(&self) -> [f32; 15] {
        [
            f32::from(u8::from(self.is_on_boundary)),
            self.neighbours,
            self.open,
            self.unknown_boundary,
            self.unknown_rest,
            self.known_mines,
            self.mines,
            self.doubt,
            self.least as f32,
            self.wide_unknown,
            self.wide_doubt,
            self.components,
            self.component_cells,
            self.component_doubt,
            self.edge,
        ]
    }
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
    pub(super) fn find(&mut self, at: &Analysis) {
        let Self { of, sizes, stack } = self;
        let grid = at.grid();
        of.clear();
        of.resize(grid.board().cells(), 0);
        sizes.clear();
        sizes.push((0.0, 0.0));
        for first in at
            .counted()
            .boundary()
            .iter()
            .filter(|&cell| at.is_unknown(cell))
        {
            if of[first.index()] > 0 {
                continue;
            }
            let number = sizes.len() as u16;
            let mut size = (0.0, 0.0);
            of[first.index()] = number;
            stack.push(first);
            while let Some(cell) = stack.pop() {
                size = (size.0 + 1.0, size.1 + doubt(at, cell));
                for open in grid.neighbors(cell).filter(|&d| at.is_open(d)) {
                    for other in grid.neighbors(open).filter(|&d| at.is_unknown(d)) {
                        if of[other.index()] == 0 {
                            of[other.index()] = number;
                            stack.push(other);
                        }
                    }
                }
            }
            sizes.push(size);
        }
    }

    /// Returns the number of components.
    pub(super) fn len(&self) -> usize {
        self.sizes.len() - 1
    }
}
