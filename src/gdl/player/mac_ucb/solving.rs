//! The solving of a stage by MAC-UCB: which roles choose, and the arms of each role.

use super::{
    player::MacUcbPlayer,
    settings::MacUcbSettings,
    stages::{Arm, Choice, Turn},
};
use crate::{grounding::Grounding, network::GameNetwork, state::GameState};
use mineflow_search::{
    Deadline,
    scsp::{NetworkSolver, Query},
};

/// The preprocessed constraint network of a game's stage.
pub struct StageNetwork<'n> {
    grounding: &'n Grounding,
    network: &'n GameNetwork,
    solver: NetworkSolver,
}

impl<'n> StageNetwork<'n> {
    /// Combines a stage network with `solver`, which must solve the preprocessed copy of the
    /// network.
    pub const fn new(
        grounding: &'n Grounding,
        network: &'n GameNetwork,
        solver: NetworkSolver,
    ) -> Self {
        Self {
            grounding,
            network,
            solver,
        }
    }

    /// Returns the actions of `role` in feasible policies of the state, in ascending order, or
    /// `None` if the search reached a limit.
    fn feasible(
        &mut self,
        state: &GameState,
        role: usize,
        settings: &MacUcbSettings,
        time: Option<Deadline>,
    ) -> Option<Vec<usize>> {
        let mut given = Vec::new();
        self.network.give(self.grounding, state, &mut given);
        let query = Query {
            given: &given,
            wanted: &[self.network.action(role)],
            method: settings.method,
            nodes: settings.most_nodes,
            time,
        };
        let mut actions = Vec::new();
        let visit = |values: &[u32]| actions.push(values[0] as usize);
        let is_complete = self.solver.solve(&query, visit);
        actions.sort_unstable();
        is_complete.then_some(actions)
    }
}

impl MacUcbPlayer<'_> {
    /// Solves the stage of the walk's current state. The arms of a role are the actions in feasible
    /// policies of the constraint network, found until `time`. If the network is not asked, or if the
    /// search reaches a limit, the arms are the legal actions.
    pub(super) fn turn(&mut self, asks_network: bool, time: Option<Deadline>) -> Turn {
        let state = self.walk.state();
        let mut choices: Vec<Choice> = Vec::new();
        for role in self.walk.choosers() {
            let found = asks_network
                .then(|| self.network.feasible(&state, role, &self.settings, time))
                .flatten();
            let actions = found.unwrap_or_else(|| self.walk.legal(role).to_vec());
            choices.push(Choice {
                role,
                arms: actions.into_iter().map(Arm::new).collect(),
            });
        }
        let chance = self.walk.chance;
        let is_drawn = chance.is_some_and(|role| self.walk.legal(role).len() > 1);
        match choices.len() {
            0 => Turn::Draw(Vec::new()),
            1 if !is_drawn => Turn::Choice(choices.remove(0)),
            _ => Turn::Mixed(choices),
        }
    }
}
