//! Rules that choose the cell to open when none is proved safe.
//!
//! Each rule has a file of its own and two lines in this one. A rule's `ChoosingRule` gives its
//! name and options and builds a [`Chooser`], which owns everything that the rule keeps between
//! guesses. Probabilities that differ by less than [`TIE`](crate::solver::TIE) count as equal, so
//! that no choice depends on an engine's rounding.

mod candidates;
mod choice;
mod closest;
mod edge;
mod edge_score;
mod input_spec;
mod learned;
mod least_mine;
mod mac_ucb;
mod min_p;
mod model;
mod network;
mod q;
mod ranker;
mod ranking;
mod roll_outs;
mod rule;
mod short_list;
mod sp_mcts;
mod trees;
mod two_step;

pub use candidates::{CandidateChooser, Candidates};
pub use choice::Choice;
pub use input_spec::InputSpec;
pub use learned::Learned;
pub use model::{LoadedModel, ModelRule};
pub use rule::{Chooser, Guess};

choice::rules!(
    min_p::MinP,
    edge::Edge,
    least_mine::LeastMine,
    two_step::TwoStep,
    roll_outs::ByRollOuts,
    ranker::Ranker,
    edge_score::EdgeScore,
    trees::ByTrees,
    network::ByNetwork,
    q::ByQ,
    sp_mcts::SpMctsRule,
    mac_ucb::ByMacUcb
);
