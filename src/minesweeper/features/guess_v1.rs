//! `guess-v1`: what tells candidates of one guess apart: how safe each is, what it may show, and what is around it.

use rand::SeedableRng;

use super::{Position, PositionFeatures, RowsOf};
use crate::learn::{Column, FeatureSet, Symmetry, Target};
use crate::minesweeper::ahead::{LookScratch, RollOut, Scored, Stop, TwoStep, lay};
use crate::minesweeper::solver::{Analysis, Budget, CountError, Layouts, TIE, Weighting};
use crate::minesweeper::{Cell, CellSet};
use crate::rng::Rng;

/// Candidates that have rows.
pub const CANDIDATES: usize = 8;
/// Layouts on which certain moves are followed.
const LAYOUTS: usize = 16;
/// The column of the rank by two-step safety; a guess begins with rank 0.
pub const RANK: usize = 3;

const CELLS: (f64, f64) = (0.0, 65_535.0);
const SHARE: (f64, f64) = (0.0, 1.0);
const NATS: (f64, f64) = (0.0, 65_535.0);
const SCORE: (f64, f64) = (0.0, 2.0);
const EIGHT: (f64, f64) = (0.0, 8.0);

/// Columns about a candidate, once as they are and once less what the first candidate has; before and after them others.
macro_rules! columns {
    (
        $(place: $place:literal, $of_place:literal, $place_range:expr, $place_says:literal;)*
        $(own: $name:literal, $unit:literal, $range:expr, $says:literal;)*
        $(all: $all:literal, $of_all:literal, $all_range:expr, $all_says:literal;)*
    ) => {
        /// Columns about a candidate that are also compared with the first.
        const OWN: usize = [$($name),*].len();
        /// Numbers a row.
        pub const WIDTH: usize = [$($place),*].len() + 2 * OWN + [$($all),*].len();

        const COLUMNS: [Column; WIDTH] = [
            $(Column::float($place, $of_place, $place_range, $place_says),)*
            $(Column::float($name, $unit, $range, $says),)*
            $(Column::float(
                concat!($name, "_more"),
                $unit,
                (-$range.1, $range.1),
                concat!($says, "; less that of the first candidate")
            ),)*
            $(Column::float($all, $of_all, $all_range, $all_says),)*
        ];
    };
}

columns! {
    place: "mine_over_least", "probability", SHARE, "of a mine in the cell, less the least of all cells";
    place: "two_step", "", SCORE, "two-step safety with its bonus";
    place: "below_best", "", (-1.0, 2.0), "the best candidate's, less this";
    place: "rank", "", (0.0, 30.0), "candidates with a better two-step safety";
    own: "mine", "probability", SHARE, "of a mine in the cell";
    own: "safety", "probability", SHARE, "two-step safety without its bonus";
    own: "certain", "probability", SHARE, "that a cell is certain then";
    own: "certain_cells", "cells", CELLS, "expected number of such cells";
    own: "entropy", "nats", NATS, "of what it shows, a mine included";
    own: "likeliest", "probability", SHARE, "of the likeliest number";
    own: "numbers", "", (0.0, 9.0), "numbers that it may show";
    own: "known", "cells", CELLS, "expected number of cells that single numbers tell then, itself included";
    own: "boundary", "", SHARE, "1 next to an open number, else 0";
    own: "neighbours", "cells", EIGHT, "on the board";
    own: "open", "cells", EIGHT, "open neighbours";
    own: "unknown_boundary", "cells", EIGHT, "unknown neighbours next to an open number";
    own: "unknown_rest", "cells", EIGHT, "other unknown neighbours";
    own: "known_mines", "cells", EIGHT, "neighbours known to be mines";
    own: "near_mines", "mines", EIGHT, "expected in the unknown neighbours";
    own: "near_doubt", "cells", EIGHT, "sum over them of the lesser of the probabilities of mine and safe";
    own: "near_least", "probability", SHARE, "least of theirs; 1 where there is none";
    own: "wide_unknown", "cells", (0.0, 24.0), "unknown cells within two steps";
    own: "wide_doubt", "cells", (0.0, 24.0), "sum over them of the lesser of the probabilities of mine and safe";
    own: "components", "", (0.0, 9.0), "components of the boundary that it is in or touches";
    own: "component_cells", "cells", CELLS, "cells in them";
    own: "component_doubt", "cells", CELLS, "sum over these of the lesser of the probabilities of mine and safe";
    own: "edge", "cells", CELLS, "steps to the nearest edge of the board";
    own: "stop_safety", "probability", SHARE, "that it and the next guess are safe, certain moves made between";
    own: "stop_won", "probability", SHARE, "that certain moves win";
    own: "stop_ln_layouts", "nats", NATS, "mean left at the next guess";
    own: "stop_unknown", "cells", CELLS, "mean unknown cells then";
    all: "unknown", "cells", CELLS, "unknown cells";
    all: "mines_left", "mines", CELLS, "mines in them";
    all: "density", "mines per cell", SHARE, "mines in them, per cell";
    all: "covered_share", "", SHARE, "unknown cells per cell of the board";
    all: "ln_layouts", "nats", NATS, "natural logarithm of the number of layouts that fit";
    all: "rest", "cells", CELLS, "unknown cells next to no open number";
    all: "rest_mine", "probability", (-1.0, 1.0), "of a mine in one of them; -1 where there is none";
    all: "boundary_cells", "cells", CELLS, "unknown cells next to an open number";
    all: "all_components", "", CELLS, "components of the boundary";
    all: "least", "probability", SHARE, "of a mine in the safest cell";
    all: "second", "probability", SHARE, "in the second safest";
    all: "third", "probability", SHARE, "in the third safest";
    all: "doubt", "cells", CELLS, "sum over the boundary of the lesser of the probabilities of mine and safe";
    all: "best_two_step", "", SCORE, "the best candidate's two-step safety with its bonus";
    all: "candidates", "", (0.0, 30.0), "that have rows";
}

/// The description of the set.
pub static SET: FeatureSet =
    FeatureSet { name: "guess-v1", columns: &COLUMNS, names: &Column::names(&COLUMNS), target: Target::Gain, turn };

/// Turning the board changes nothing.
fn turn(_: &mut [f32], _: Symmetry) {}

/// Computes the rows.
#[derive(Clone, Copy, Debug)]
pub struct GuessV1;

impl PositionFeatures for GuessV1 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Zeros for cells that two-step safety does not look at, and beyond the limits of counting.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, candidates: &mut Vec<f32>) {
        let mut guess = GuessRows::default();
        candidates.clear();
        if guess.read(of.position, usize::MAX).is_ok() {
            guess.append(candidates);
        }
        for &cell in of.cells {
            let place = guess.looking.scored.iter().position(|candidate| candidate.cell == cell);
            let row = place.and_then(|place| candidates.get(place * WIDTH..(place + 1) * WIDTH));
            rows.extend_from_slice(row.unwrap_or(&[0.0; WIDTH]));
        }
    }
}

/// A position with its best candidates, looked ahead from; kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct GuessRows {
    pub parent: Analysis,
    pub layouts: Layouts,
    pub looking: LookScratch,
    pub roll_out: RollOut,
    pub scratch: RowScratch,
}

/// Scratch of computing rows.
#[derive(Clone, Debug, Default)]
pub struct RowScratch {
    mines: CellSet,
    child: Analysis,
    /// The component of each cell, from 1; 0 for none.
    component: Vec<u16>,
    /// Cells and doubt of each component.
    sizes: Vec<(f32, f32)>,
    stack: Vec<Cell>,
}

impl GuessRows {
    /// Takes in a position and finds its best candidates, at most so many.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn read(&mut self, position: &Position<'_>, most: usize) -> Result<(), CountError> {
        let Self { parent, layouts, looking, .. } = self;
        let budget = &mut Budget::unlimited();
        parent.begin(position.view.grid(), position.view.mines());
        parent.update(position.view)?;
        parent.probabilities(Weighting::Posterior, budget)?;
        parent.layouts(layouts, budget)?;
        TwoStep::default().look(parent, position.mine, most, looking);
        Ok(())
    }

    /// Appends a row for each candidate, the best by two-step safety first.
    pub fn append(&mut self, rows: &mut Vec<f32>) {
        let Self { parent, layouts, looking, roll_out, scratch } = self;
        append_rows((parent, layouts), &looking.scored, roll_out, scratch, rows);
    }
}

/// Appends a row for each of the candidates `scored`, the best by two-step safety first.
pub fn append_rows(
    (parent, layouts): (&Analysis, &Layouts),
    scored: &[Scored],
    roll_out: &mut RollOut,
    scratch: &mut RowScratch,
    out: &mut Vec<f32>,
) {
    let stops = stops((parent, layouts), scored, roll_out, scratch);
    scratch.find_components(parent);
    let grid = parent.grid();
    let (board, found) = (grid.board(), parent.counted());
    let doubt = |cell: Cell| found.mine[cell.index()].min(1.0 - found.mine[cell.index()]) as f32;
    let mut least = [1.0_f64; 3];
    let (mut boundary_cells, mut rest, mut all_doubt) = (0.0, (0.0, -1.0), 0.0);
    for cell in board.all_cells().filter(|&cell| parent.is_unknown(cell)) {
        let mine = found.mine[cell.index()];
        let mut higher = mine;
        for place in &mut least {
            if higher < *place {
                std::mem::swap(&mut higher, place);
            }
        }
        if found.boundary().contains(cell) {
            boundary_cells += 1.0;
            all_doubt += doubt(cell);
        } else {
            rest = (rest.0 + 1.0, mine as f32);
        }
    }
    let (unknown, mines_left) = (parent.unknown() as f32, parent.mines_left() as f32);
    let best = scored.first().map_or(0.0, |best| best.score);
    let all = [
        unknown,
        mines_left,
        if unknown > 0.0 { mines_left / unknown } else { 0.0 },
        unknown / board.cells() as f32,
        found.ln_layouts() as f32,
        rest.0,
        rest.1,
        boundary_cells,
        (scratch.sizes.len() - 1) as f32,
        least[0] as f32,
        least[1] as f32,
        least[2] as f32,
        all_doubt,
        best as f32,
        scored.len() as f32,
    ];
    let mut first = None;
    for (rank, (of, stop)) in scored.iter().zip(&stops).enumerate() {
        let &Scored { cell, score, ahead } = of;
        let mine = found.mine[cell.index()];
        let shown = Shown::of(parent, of, mine, &mut scratch.child);
        let (mut open, mut on_boundary, mut off_boundary, mut known_mines) = (0.0, 0.0, 0.0, 0.0);
        let (mut near_mines, mut near_doubt, mut near_least) = (0.0, 0.0, 1.0_f64);
        let mut touched = [0u16; 9];
        let mut groups = 0;
        let mut touch = |component: u16| {
            if component > 0 && !touched[..groups].contains(&component) {
                touched[groups] = component;
                groups += 1;
            }
        };
        touch(scratch.component[cell.index()]);
        for d in grid.neighbors(cell) {
            if parent.is_open(d) {
                open += 1.0;
            } else if !parent.is_unknown(d) {
                known_mines += 1.0;
            } else {
                if found.boundary().contains(d) {
                    on_boundary += 1.0
                } else {
                    off_boundary += 1.0
                }
                near_mines += found.mine[d.index()] as f32;
                near_doubt += doubt(d);
                near_least = near_least.min(found.mine[d.index()]);
                touch(scratch.component[d.index()]);
            }
        }
        let of_groups = touched[..groups].iter().map(|&component| scratch.sizes[component as usize]);
        let (component_cells, component_doubt) = of_groups.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        let (mut wide_unknown, mut wide_doubt) = (0.0, 0.0);
        let (row, col) = board.row_col(cell);
        let rows = row.saturating_sub(2)..=row + 2;
        let cells = rows.flat_map(|r| (col.saturating_sub(2)..=col + 2).filter_map(move |c| board.cell(r, c)));
        for other in cells.filter(|&other| other != cell && parent.is_unknown(other)) {
            wide_unknown += 1.0;
            wide_doubt += doubt(other);
        }
        let own: [f32; OWN] = [
            mine as f32,
            ahead.safety as f32,
            ahead.certain as f32,
            ahead.cells as f32,
            shown.entropy as f32,
            shown.likeliest as f32,
            shown.numbers as f32,
            shown.known as f32,
            f32::from(u8::from(found.boundary().contains(cell))),
            grid.neighbor_count(cell) as f32,
            open,
            on_boundary,
            off_boundary,
            known_mines,
            near_mines,
            near_doubt,
            near_least as f32,
            wide_unknown,
            wide_doubt,
            groups as f32,
            component_cells,
            component_doubt,
            board.edge_distance(cell) as f32,
            ((1.0 - mine) * stop.safety) as f32,
            ((1.0 - mine) * stop.won) as f32,
            stop.ln_layouts as f32,
            stop.unknown as f32,
        ];
        let first = *first.get_or_insert(own);
        let place = [(mine - least[0]) as f32, score as f32, (best - score) as f32, rank as f32];
        out.extend(place);
        out.extend(own);
        out.extend(own.iter().zip(first).map(|(own, first)| own - first));
        out.extend(all);
    }
}

/// What the number of a candidate will tell.
#[derive(Default)]
struct Shown {
    /// In nats, a mine being one of the values.
    entropy: f64,
    /// The chance of the likeliest number.
    likeliest: f64,
    /// Numbers that it may show.
    numbers: u32,
    /// The expected number of cells that single numbers tell then.
    known: f64,
}

impl Shown {
    fn of(parent: &Analysis, of: &Scored, mine: f64, child: &mut Analysis) -> Self {
        let mut shown = Self::default();
        for (number, &chance) in (0..).zip(&of.ahead.numbers).filter(|&(_, &chance)| chance > 0.0) {
            shown.entropy -= chance * chance.ln();
            shown.likeliest = shown.likeliest.max(chance);
            shown.numbers += u32::from(chance > TIE);
            child.follow(parent);
            if child.suppose(of.cell, number).is_ok() {
                shown.known += chance * (parent.unknown() - child.unknown()) as f64;
            }
        }
        if mine > 0.0 {
            shown.entropy -= mine * mine.ln();
        }
        shown
    }
}

/// The mean over layouts of where certain moves end after each candidate.
fn stops(
    (parent, layouts): (&Analysis, &Layouts),
    scored: &[Scored],
    roll_out: &mut RollOut,
    scratch: &mut RowScratch,
) -> Vec<Stop> {
    let cells = parent.grid().board().cells();
    // The same for the same position.
    let mut rng = Rng::seed_from_u64((parent.unknown() as u64) << 16 | parent.mines_left() as u64);
    let mut drawn = layouts.drawing();
    let mut sums = vec![(Stop::default(), 0.0); scored.len()];
    for _ in 0..LAYOUTS {
        layouts.draw(&mut drawn, &mut rng);
        lay(&drawn, cells, &mut scratch.mines);
        for (of, (sum, tried)) in scored.iter().zip(&mut sums) {
            if scratch.mines.contains(of.cell) {
                continue;
            }
            if let Ok(stop) = roll_out.next_guess(parent, of.cell, &scratch.mines) {
                sum.safety += stop.safety;
                sum.won += stop.won;
                sum.ln_layouts += stop.ln_layouts;
                sum.unknown += stop.unknown;
                *tried += 1.0;
            }
        }
    }
    let mean = |(sum, tried): (Stop, f64)| {
        let over = |sum: f64| if tried > 0.0 { sum / tried } else { 0.0 };
        Stop {
            safety: over(sum.safety),
            won: over(sum.won),
            ln_layouts: over(sum.ln_layouts),
            unknown: over(sum.unknown),
        }
    };
    sums.into_iter().map(mean).collect()
}

impl RowScratch {
    /// Numbers the components of the boundary, cells that share an open number being in the same.
    fn find_components(&mut self, parent: &Analysis) {
        let Self { component, sizes, stack, .. } = self;
        let (grid, found) = (parent.grid(), parent.counted());
        component.clear();
        component.resize(grid.board().cells(), 0);
        sizes.clear();
        sizes.push((0.0, 0.0));
        for first in found.boundary().iter().filter(|&cell| parent.is_unknown(cell)) {
            if component[first.index()] > 0 {
                continue;
            }
            let number = sizes.len() as u16;
            let mut size = (0.0, 0.0);
            component[first.index()] = number;
            stack.push(first);
            while let Some(cell) = stack.pop() {
                let mine = found.mine[cell.index()];
                size = (size.0 + 1.0, size.1 + mine.min(1.0 - mine) as f32);
                for open in grid.neighbors(cell).filter(|&d| parent.is_open(d)) {
                    for other in grid.neighbors(open).filter(|&d| parent.is_unknown(d)) {
                        if component[other.index()] == 0 {
                            component[other.index()] = number;
                            stack.push(other);
                        }
                    }
                }
            }
            sizes.push(size);
        }
    }
}
