//! What the papers report, to stand beside what is measured here.

pub(super) mod expert_peers;
pub(super) mod mac_ucb;
pub(super) mod minesweeper;
pub(super) mod sp_mcts;
