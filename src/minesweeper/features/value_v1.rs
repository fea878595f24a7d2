//! `value-v1`: features of a position that predict its win probability for any player. They are the
//! inputs of the value model for luck-corrected measurement.
//!
//! A row describes the position after one guess: the chosen cell shows its number and all
//! conclusions from it are drawn, but no other cell is open yet.

use super::{PositionFeatures, RowsOf, insert_least, joined, mines_per_unknown};
use crate::solver::{Analysis, Budget, CountError, Weighting};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

/// The number of values per row.
pub const WIDTH: usize = 25;

const CELLS: (f64, f64) = (0.0, 65_535.0);
const SHARE: (f64, f64) = (0.0, 1.0);

const COLUMNS: [Column; WIDTH] = [
    Column::float(
        "certain",
        "cells",
        CELLS,
        "cells known to be safe and still covered",
    ),
    Column::float("unknown", "cells", CELLS, "cells of which nothing is known"),
    Column::float("mines_left", "mines", CELLS, "mines in them"),
    Column::float(
        "density",
        "mines per cell",
        SHARE,
        "mines in them, per cell",
    ),
    Column::float(
        "covered_share",
        "",
        SHARE,
        "unknown cells per cell of the board",
    ),
    Column::float(
        "ln_layouts",
        "",
        (0.0, 65_535.0),
        "natural logarithm of the number of layouts that fit",
    ),
    Column::float(
        "least",
        "probability",
        SHARE,
        "of a mine in the safest unknown cell; 0 where there is none",
    ),
    Column::float("second", "probability", SHARE, "in the second safest"),
    Column::float("third", "probability", SHARE, "in the third safest"),
    Column::float("fifth", "probability", SHARE, "in the fifth safest"),
    Column::float(
        "rest",
        "cells",
        CELLS,
        "unknown cells next to no open number",
    ),
    Column::float(
        "rest_mine",
        "probability",
        (-1.0, 1.0),
        "of a mine in one of them; -1 where there is none",
    ),
    Column::float(
        "boundary",
        "cells",
        CELLS,
        "unknown cells next to an open number",
    ),
    Column::float(
        "components",
        "",
        CELLS,
        "groups of them that share no number",
    ),
    Column::float(
        "under_5",
        "cells",
        CELLS,
        "boundary cells with a probability up to 0.05",
    ),
    Column::float("under_15", "cells", CELLS, "from there to 0.15"),
    Column::float("under_25", "cells", CELLS, "from there to 0.25"),
    Column::float("under_40", "cells", CELLS, "from there to 0.4"),
    Column::float("under_60", "cells", CELLS, "from there to 0.6"),
    Column::float("over_60", "cells", CELLS, "above"),
    Column::float(
        "doubt",
        "cells",
        CELLS,
        "sum over the boundary of the lesser of the probabilities of mine and safe",
    ),
    Column::float(
        "risk",
        "",
        (0.0, 65_535.0),
        "sum over components of -ln of the safety of their safest cell",
    ),
    Column::float(
        "worst",
        "probability",
        SHARE,
        "of a mine in the safest cell of the component where that is most",
    ),
    Column::float(
        "near_certain",
        "cells",
        CELLS,
        "unknown neighbours of the cells known to be safe",
    ),
    Column::float(
        "near_edge",
        "cells",
        CELLS,
        "boundary cells with fewer than eight neighbours",
    ),
];

/// The description of `value-v1`.
pub static SET: FeatureSet = FeatureSet {
    name: "value-v1",
    columns: &COLUMNS,
    names: &Column::names(&COLUMNS),
    target: Target::Won,
    turn,
};

/// The `value-v1` feature set.
#[derive(Clone, Copy, Debug)]
pub struct ValueV1;

impl PositionFeatures for ValueV1 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Appends a row for each cell, computed after the cell shows its number in `of.shown`. A cell
    /// without a number there gets no row, and a number that contradicts the position gets a row of
    /// zeros.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, _: &mut Vec<f32>) {
        let view = of.position.view;
        let mut analysis = Analysis::new();
        let mut child = Analysis::new();
        let budget = &mut Budget::unlimited();
        let known = analysis.read(view).map_err(CountError::from);
        let known = known.and_then(|()| {
            analysis
                .probabilities(Weighting::Posterior, budget)
                .map(drop)
        });
        for (&cell, &number) in of.cells.iter().zip(of.shown) {
            child.follow(&analysis);
            let shown = known.and_then(|()| Ok(child.suppose(cell, number)?));
            match shown.and_then(|()| row(&mut child, budget)) {
                Ok(row) => rows.extend(row),
                // Contradictory positions and those beyond the solver's limits get a row of zeros.
                Err(_) => rows.extend([0.0; WIDTH]),
            }
        }
    }
}

/// Computes the row of a position. Cells that counting proves to be safe or mines are first
/// recorded in `analysis`.
///
/// # Errors
/// Returns the errors of [`Analysis::probabilities`].
pub fn row(analysis: &mut Analysis, budget: &mut Budget) -> Result<[f32; WIDTH], CountError> {
    analysis.probabilities(Weighting::Posterior, budget)?;
    let found = analysis.counted();
    let mut least = [1.0; 5];
    let mut rest = 0.0;
    let mut rest_mine = -1.0;
    let mut boundary = 0.0;
    let mut near_edge = 0.0;
    let mut doubt = 0.0;
    let mut classes = [0.0; 6];
    for cell in analysis.unknown_cells() {
        let mine = found.mine[cell.index()];
        insert_least(&mut least, mine);
        if found.boundary().contains(cell) {
            boundary += 1.0;
            doubt += mine.min(1.0 - mine);
            near_edge += f32::from(u8::from(analysis.grid().neighbor_count(cell) < 8));
            classes[[0.05, 0.15, 0.25, 0.4, 0.6].partition_point(|&end| mine > end)] += 1.0;
        } else {
            rest += 1.0;
            rest_mine = mine as f32;
        }
    }
    least[analysis.unknown().min(5)..].fill(0.0);
    let mut components = 0.0;
    let mut risk = 0.0;
    let mut worst = 0.0;
    for safest in analysis.component_risks() {
        components += 1.0;
        risk -= libm::log(1.0 - safest);
        worst = f64::max(worst, safest);
    }
    let unknown = analysis.unknown() as f32;
    Ok(joined(&[
        &[
            analysis.safe().len() as f32,
            unknown,
            analysis.mines_left() as f32,
            mines_per_unknown(analysis),
            unknown / analysis.grid().board().cells() as f32,
            found.ln_layouts() as f32,
        ],
        &[least[0], least[1], least[2], least[4]].map(|mine| mine as f32),
        &[rest, rest_mine, boundary, components],
        &classes,
        &[doubt, risk, worst].map(|value| value as f32),
        &[analysis.unknown_near_safe() as f32, near_edge],
    ]))
}

/// Leaves the row unchanged, as the features don't depend on the board's orientation.
fn turn(_: &mut [f32], _: Symmetry) {}
