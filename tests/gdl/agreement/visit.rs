//! A state of a playout, and the comparison of two answers about it.

use std::fmt;

use mineflow_gdl::GameState;
use mineflow_gdl::Grounding;

/// A question that two engines answer differently, with both answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    pub(super) about: String,
    pub(super) network: String,
    pub(super) other: String,
}

/// A state of a playout, with the propositional network's answers.
pub(super) struct Visit {
    pub(super) state: GameState,
    pub(super) terminal: bool,
    /// The legal actions of each role, in ascending order.
    pub(super) legal: Vec<Vec<usize>>,
    pub(super) goals: Vec<Vec<u8>>,
    /// The moves taken and the state after them; `None` in a terminal state.
    pub(super) step: Option<TakenMoves>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct TakenMoves {
    pub(super) joint: Vec<usize>,
    pub(super) next: GameState,
}

pub(super) fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values
}

/// Returns a mismatch if the two answers differ.
pub(super) fn same<T: PartialEq + fmt::Debug>(
    about: impl FnOnce() -> String,
    network: &T,
    other: &T,
) -> Result<(), Mismatch> {
    if network == other {
        return Ok(());
    }
    Err(Mismatch {
        about: about(),
        network: format!("{network:?}"),
        other: format!("{other:?}"),
    })
}

impl TakenMoves {
    pub(super) fn about(&self, grounding: &Grounding) -> String {
        let pairs = self.joint.iter().zip(&grounding.actions);
        let names: Vec<String> = pairs
            .map(|(&action, list)| grounding.terms.show(list[action]).to_string())
            .collect();
        format!("the state that follows {}", names.join(", "))
    }
}
