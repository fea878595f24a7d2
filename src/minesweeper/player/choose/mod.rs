//! Which cell to open when none is proved safe.
//!
//! A rule is a file with a `ChoosingRule` and its line in `rules!` of `choice.rs`. Probabilities closer than
//! [`TIE`](crate::solver::TIE) count as equal, so that no choice hangs on how an engine rounds.

mod choice;
mod chooser;
mod edge;
mod edge_score;
mod lanes;
mod learned;
mod least_mine;
mod min_p;
mod network;
mod q;
mod ranker;
mod ranking;
mod roll_outs;
mod rule;
mod scores;
mod sp_mcts;
mod stage_ucb;
mod trees;
mod two_step;
mod uct;

pub(super) use choice::RULES;
pub use choice::{Candidates, Choice, Rule};
pub use chooser::Chooser;
pub use edge::Edge;
pub use edge_score::EdgeScore;
pub use learned::{Learned, ModelRule, RowNotes};
pub use least_mine::LeastMine;
pub use min_p::MinP;
pub use network::ByNetwork;
pub use q::ByQ;
pub use ranker::Ranker;
pub use roll_outs::ByRollOuts;
pub use sp_mcts::SpMctsRule;
pub use stage_ucb::{ArcConsistency, ByForwardChecking, ByMac, Feasibility, OneStepAhead, StageUcb};
pub use trees::ByTrees;
pub use uct::UctRule;
