//! Near the edge of the board.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::features::Position;
use crate::solver::TIE;
use crate::{Cell, CellSet};
use mineflow_rng::Rng;

/// Among the cells within `margin` of the least P, the one nearest to an edge; ties by P, then at random: players 4.0
/// and
/// 4.5 (main paper, section 4.2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// 0 to 1.
    pub margin: f64,
}

impl Edge {
    /// The main paper's margin.
    pub const PAPER: Self = Self { margin: 0.05 };
}

impl ChoosingRule for Edge {
    const NAME: &'static str = "edge";
    const HELP: &'static str =
        "nearest to an edge among all P up to the least + 0.05; [:margin=0.05] [:candidates=covered|boundary|sampled]";

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let margin = part.take_share("margin")?;
        Ok(margin.map_or(Self::PAPER, |margin| Self { margin }))
    }

    fn choose(&self, _: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        chooser.gather(mine, self.margin);
        nearest_to_an_edge(mine, chooser, rng)
    }
}

/// Of the cells in `close` the one nearest to an edge; ties by `values`, then at random.
pub(super) fn nearest_to_an_edge(values: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
    let Chooser { close, edge_distance, .. } = chooser;
    let distance = |cell: Cell| edge_distance[cell.index()];
    let value = |cell: Cell| values[cell.index()];
    let nearest = close.iter().map(distance).min()?;
    keep(close, |cell| distance(cell) == nearest);
    let least = close.iter().map(value).fold(f64::INFINITY, f64::min);
    keep(close, |cell| value(cell) <= least + TIE);
    chooser.draw(rng)
}

fn keep(cells: &mut CellSet, wanted: impl Fn(Cell) -> bool) {
    for (i, word) in cells.words_mut().iter_mut().enumerate() {
        let mut left = *word;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if !wanted(Cell((i * 64) as u16 + bit as u16)) {
                *word &= !(1 << bit);
            }
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:margin={}", Self::NAME, self.margin)
    }
}
