//! The names of the states of a small board, which are keys of the transposition table.

use rand::Rng as _;

use crate::{
    Board, Cell,
    perfect::{MOST_CELLS, cells_of},
};
use mineflow_model::Symmetry;
use mineflow_rng::Seed;

/// Number of different numbers that a cell may show: 0 to 8.
const NUMBERS: usize = 9;

/// The hash codes of a board's cells, for one of its symmetries.
struct Codes {
    undecided: [u128; MOST_CELLS],
    open: [[u128; NUMBERS]; MOST_CELLS],
}

/// Computes names that are equal for rotated and reflected states.
pub(super) struct Names {
    /// For each symmetry of the board, the cell to which it maps each cell.
    turned: Vec<Vec<usize>>,
    codes: Vec<Codes>,
}

impl Names {
    pub fn new(board: Board) -> Self {
        let size = (board.height(), board.width());
        let of_the_board = |turn: &Symmetry| !turn.transposes() || size.0 == size.1;
        let place = |turn: Symmetry, cell| {
            let (row, col) = turn.place(board.row_col(cell), size);
            row * board.width() + col
        };
        let turned: Vec<Vec<_>> = Symmetry::all()
            .filter(of_the_board)
            .map(|turn| board.all_cells().map(|cell| place(turn, cell)).collect())
            .collect();
        let own = Codes::drawn();
        let codes = turned.iter().map(|places| own.turned(places)).collect();
        Self { turned, codes }
    }

    /// Returns the first cell of each set of cells that symmetries exchange.
    pub fn first_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let is_first = |cell: &usize| self.turned.iter().all(|places| places[*cell] >= *cell);
        (0..self.turned[0].len())
            .filter(is_first)
            .map(|cell| Cell(cell as u16))
    }

    /// Returns the name of a state in which every cell that is safe in all its layouts is open.
    /// `undecided` are its cells that are mines in some layouts but not in all, `open` its open
    /// cells, and `layout` is one of its layouts. States of equal names have equal values.
    ///
    /// The layouts of such a state are all layouts that are consistent with its open numbers. The
    /// first-click rule excludes no further layout, because the number of the first cell already
    /// implies the rule. All cells but the undecided ones are the same in each layout. Thus the
    /// layouts are the ways to place the remaining mines on the undecided cells such that every
    /// open number next to these gets the mines that it lacks. Nothing else in the state matters
    /// for the rest of the game. The name is a sum of random 128-bit codes for exactly this
    /// information, minimised over the symmetries of the board. Among a million different states,
    /// two collide with a probability of about 2^-88.
    pub fn of(&self, around: &[u64], (undecided, open): (u64, u64), layout: u64) -> u128 {
        let witnesses = cells_of(undecided).fold(0, |set, cell| set | around[cell]) & open;
        let mines = layout & undecided;
        let mut lacks = [0; MOST_CELLS];
        cells_of(witnesses)
            .for_each(|cell| lacks[cell] = (mines & around[cell]).count_ones() as usize);
        let sum = |codes: &Codes| {
            let cells = cells_of(undecided).map(|cell| codes.undecided[cell]);
            let numbers = cells_of(witnesses).map(|cell| codes.open[cell][lacks[cell]]);
            cells
                .chain(numbers)
                .fold(u128::from(mines.count_ones()), u128::wrapping_add)
        };
        self.codes.iter().map(sum).min().unwrap_or(0)
    }
}

impl Codes {
    fn drawn() -> Self {
        let mut rng = Seed::new(0).child("state", 0).rng();
        let mut code = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        Self {
            undecided: std::array::from_fn(|_| code()),
            open: std::array::from_fn(|_| std::array::from_fn(|_| code())),
        }
    }

    /// Returns the codes, permuted by a symmetry.
    fn turned(&self, places: &[usize]) -> Self {
        let at = |cell: usize| places.get(cell).copied().unwrap_or(cell);
        Self {
            undecided: std::array::from_fn(|cell| self.undecided[at(cell)]),
            open: std::array::from_fn(|cell| self.open[at(cell)]),
        }
    }
}
