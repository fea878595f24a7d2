//! The solving of a stage by MAC-UCB: which roles choose, and the arms of each role.

use std::ops::ControlFlow;
use std::time::Duration;

use super::stages::{Arm, Choice, Turn};
use crate::grounding::Grounding;
use crate::network::GameNetwork;
use crate::player::walk::GameWalk;
use crate::state::GameState;
use mineflow_search::scsp::{End, Method, NetworkSolver, Query, Variable};

/// The preprocessed constraint network of a game's stage.
pub struct StageNetwork<'n> {
    grounding: &'n Grounding,
    network: &'n GameNetwork,
    solver: NetworkSolver,
    given: Vec<(Variable, u32)>,
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
            given: Vec::new(),
        }
    }

    /// Returns the actions of `role` in feasible policies of the state, in ascending order, or
    /// `None` if the search reached a limit.
    fn feasible(
        &mut self,
        state: &GameState,
        role: usize,
        method: Method,
        limit: Limit,
    ) -> Option<Vec<usize>> {
        let Self {
            grounding,
            network,
            solver,
            given,
        } = self;
        given.clear();
        network.give(grounding, state, given);
        let wanted = [network.action(role)];
        let query = Query {
            given,
            wanted: &wanted,
            threshold: &[],
            method,
            nodes: limit.nodes,
            time: limit.time,
        };
        let mut actions = Vec::new();
        let effort = solver.solve(&query, |values| {
            actions.push(values[0] as usize);
            ControlFlow::Continue(())
        });
        actions.sort_unstable();
        (effort.end == End::Complete).then_some(actions)
    }
}

/// The limits of a search of the network.
#[derive(Clone, Copy)]
struct Limit {
    /// The maximum number of branchings of the search.
    nodes: u64,
    time: Option<Duration>,
}

/// A solver of stages.
pub(super) struct StageSolver<'n> {
    network: Option<StageNetwork<'n>>,
    /// The maximum number of branchings in one search of the network.
    most_nodes: u64,
}

impl<'n> StageSolver<'n> {
    pub(super) const fn new(network: Option<StageNetwork<'n>>, most_nodes: u64) -> Self {
        Self {
            network,
            most_nodes,
        }
    }

    /// Solves the stage of the walk's current state. The arms of a role are the actions in feasible
    /// policies of the constraint network, found by `method` in at most `time` for each role.
    /// Without a method or a network, or if the search reaches a limit, the arms are the legal
    /// actions.
    pub(super) fn solve(
        &mut self,
        walk: &GameWalk<'_>,
        method: Option<Method>,
        time: Option<Duration>,
    ) -> Turn {
        let state = &walk.state();
        let legal = walk.legal_of_all();
        let mut choices: Vec<Choice> = Vec::new();
        for role in walk.choosers() {
            let legal = legal[role].clone();
            let actions = match (method, &mut self.network) {
                (Some(method), Some(network)) => network
                    .feasible(
                        state,
                        role,
                        method,
                        Limit {
                            nodes: self.most_nodes,
                            time,
                        },
                    )
                    .unwrap_or(legal),
                _ => legal,
            };
            choices.push(Choice {
                role,
                arms: actions.into_iter().map(Arm::new).collect(),
            });
        }
        let is_drawn = walk.chance.is_some_and(|role| legal[role].len() > 1);
        match choices.pop() {
            None => Turn::Draw(Vec::new()),
            Some(choice) if choices.is_empty() && !is_drawn => Turn::Choice(choice),
            Some(choice) => {
                choices.push(choice);
                Turn::Mixed(choices)
            }
        }
    }
}
