//! Near the edge of the board, by score instead of probability.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::edge::{Edge, nearest_to_an_edge};
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::{LocationScore, Position};
use crate::solver::TIE;
use mineflow_rng::Rng;

/// The rule of 4.0 on `Sc = alpha * P + (1 - alpha) * score` instead of P: among the cells within 0.05 of the least Sc the
/// one nearest to an edge, ties by Sc, then at random. With it the main paper finds alpha (section 4.2.3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeScore {
    /// 0 to 1.
    pub alpha: f64,
    pub score: LocationScore,
}

impl ChoosingRule for EdgeScore {
    const NAME: &'static str = "edge-score";
    const HELP: &'static str = "as edge, by alpha * P + (1 - alpha) * location score; :alpha=0.5 [:score=opening|printed] \
                                [:candidates=covered|boundary|sampled]";

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let alpha = part.take_share("alpha")?;
        let score = part.take("score", "opening or printed", |value| value.parse().ok())?.unwrap_or_default();
        let missing = || RecipeError::OptionMissing { part: Self::NAME, option: "alpha", expected: "0 to 1" };
        Ok(Self { alpha: alpha.ok_or_else(missing)?, score })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let &Self { alpha, score } = self;
        let mut values = std::mem::take(&mut chooser.rescored);
        let (grid, scores) = (position.view.grid(), score.of(position));
        let certain = if mine.iter().any(|&p| p < 1.0 - TIE) { 1.0 - TIE } else { f64::INFINITY };
        values.clear();
        values.extend(mine.iter().enumerate().map(|(cell, &p)| {
            let location = score.to_minimise(scores.at(grid, Cell(cell as u16)));
            if p < certain { alpha * p + (1.0 - alpha) * location } else { f64::NAN }
        }));
        chooser.gather_values(&values, Edge::PAPER.margin);
        let chosen = nearest_to_an_edge(&values, chooser, rng);
        chooser.rescored = values;
        chosen
    }
}

impl fmt::Display for EdgeScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:alpha={}:score={}", Self::NAME, self.alpha, self.score)
    }
}
