//! The least likely mine, ties to where an open number says most.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;

/// The least probability of a mine; ties to boundary cells, then to the fewest neighbours on the board, then to the
/// first cell in row-major order: player 7.0. Nothing is drawn at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeastMine;

impl ChoosingRule for LeastMine {
    const NAME: &'static str = "least-mine";
    const HELP: &'static str =
        "the least P, ties to the boundary, then to the fewest neighbours; [:candidates=covered|boundary|sampled]";

    fn read(_: &mut PartText<'_>) -> Result<Self, RecipeError> {
        Ok(Self)
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, _: &mut Rng) -> Option<Cell> {
        chooser.gather(mine, 0.0);
        let close = chooser.close.words();
        let boundary = position.boundary.words();
        let classes = || chooser.by_neighbors.iter().map(|class| class.words());
        let on_boundary = |class: &[u64]| {
            first_set(close.iter().zip(boundary).zip(class).map(|((close, boundary), class)| close & boundary & class))
        };
        let anywhere = |class: &[u64]| first_set(close.iter().zip(class).map(|(close, class)| close & class));
        classes().find_map(on_boundary).or_else(|| classes().find_map(anywhere))
    }
}

fn first_set(words: impl Iterator<Item = u64>) -> Option<Cell> {
    let (i, word) = words.enumerate().find(|&(_, word)| word != 0)?;
    Some(Cell((i * 64) as u16 + word.trailing_zeros() as u16))
}

impl fmt::Display for LeastMine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)
    }
}
