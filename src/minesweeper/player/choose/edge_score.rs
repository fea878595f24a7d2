//! The rule that chooses, among the cells with the lowest scores, the one nearest to an edge.

use super::super::decision::NoMove;
use super::super::model_override::ModelOverride;
use super::super::recipe_error::RecipeError;
use super::edge::{Edge, NearEdge};
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::features::LocationScore;
use crate::solver::TIE;
use crate::{Cell, Grid};
use mineflow_search::options::{OptionError, OptionList, Options};

/// The rule of player 4.0 applied to `Sc = alpha * P + (1 - alpha) * score` instead of P: among the
/// cells within 0.05 of the lowest Sc, it chooses the one nearest to an edge. Ties are broken by
/// Sc, then at random. Sinha et al. (2021) use this rule to find alpha (section 4.2.3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeScore {
    /// The weight alpha of P, 0 to 1.
    pub alpha: f64,
    pub score: LocationScore,
}

impl ChoosingRule for EdgeScore {
    const NAME: &'static str = "edge-score";
    const HELP: &'static str = "as edge, with the score alpha * P + (1 - alpha) * location score; :alpha=0.5 [:score=opening|printed] \
                                [:candidates=covered|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["alpha", "score"];

    /// Returns the rule with alpha unset. Alpha has no default: [`EdgeScore::load`] fails if it is
    /// unset.
    fn usual() -> Self {
        Self {
            alpha: f64::NAN,
            score: LocationScore::default(),
        }
    }

    fn load(&mut self, _: Option<&ModelOverride>) -> Result<(), RecipeError> {
        let missing = || OptionError::Missing {
            name: Self::NAME.to_owned(),
            key: "alpha",
            expected: "0 to 1",
        };
        if self.alpha.is_nan() {
            Err(missing().into())
        } else {
            Ok(())
        }
    }

    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
        Box::new(EdgeScoreChooser {
            rule: *self,
            values: Vec::new(),
            near: NearEdge::new(grid),
        })
    }
}

impl Options for EdgeScore {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("alpha", &mut self.alpha, 0.0..=1.0)?;
        list.text("score", &mut self.score, "opening or printed")
    }
}

#[derive(Debug)]
struct EdgeScoreChooser {
    rule: EdgeScore,
    /// Scratch memory for Sc of the candidates.
    values: Vec<f64>,
    near: NearEdge,
}

impl Chooser for EdgeScoreChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self {
            rule: EdgeScore { alpha, score },
            values,
            near,
        } = self;
        let grid = guess.position.view.grid();
        let scores = score.of(guess.position);
        let certain = if mine.iter().any(|&p| p < 1.0 - TIE) {
            1.0 - TIE
        } else {
            f64::INFINITY
        };
        values.clear();
        values.extend(mine.iter().enumerate().map(|(cell, &p)| {
            let location = score.to_minimise(scores.at(grid, Cell(cell as u16)));
            if p < certain {
                *alpha * p + (1.0 - *alpha) * location
            } else {
                f64::NAN
            }
        }));
        near.closest.gather_values(values, Edge::PAPER.margin);
        Ok(near.choose(values, guess.rng))
    }
}
