//! Tie-breaking among actions of equal exact value, in favour of those after which the other roles can lose most by errors.

use rustc_hash::FxHashMap;

use super::player::{Context, MacUcbPlayer};
use super::stages::{Arm, Node, NodeId, Stage, Stages, Turn};
use crate::player::explored::Explored;
use crate::state::GameState;
use mineflow_search::bandit::any_of_best;

/// The maximum number of states evaluated for one choice.
const MOST_STATES: usize = 20_000;

/// Computes the mean reward of a role from exactly known states if that role plays optimally and all other roles play at random. Among
/// its optimal actions, the role takes the one with the highest such mean. Where chance moves or several roles choose, the exact value is
/// used.
pub(super) struct AgainstRandom<'a> {
    role: usize,
    values: FxHashMap<NodeId, f64>,
    /// A function that is called for a state without a stage. The function does not have to solve the stage.
    solve: &'a mut dyn FnMut(NodeId, &mut Stages),
}

impl<'a> AgainstRandom<'a> {
    pub(super) fn new(role: usize, solve: &'a mut dyn FnMut(NodeId, &mut Stages)) -> Self {
        Self {
            role,
            values: FxHashMap::default(),
            solve,
        }
    }

    /// Returns the mean reward of the role in a state.
    pub(super) fn value(&mut self, id: NodeId, stages: &mut Stages) -> f64 {
        if let Some(&value) = self.values.get(&id) {
            return value;
        }
        let Node { known, stage, .. } = stages.node(id);
        if *known && stage.is_none() && self.values.len() < MOST_STATES {
            (self.solve)(id, stages);
        }
        let Node {
            value,
            known,
            stage,
            ..
        } = stages.node(id);
        let exact = value[self.role];
        let value = match stage.as_ref().map(|stage| &stage.turn).filter(|_| *known) {
            Some(Turn::Choice(choice)) => {
                let own = choice.role == self.role;
                let is_taken = |child: &NodeId| {
                    let of = stages.estimate_of(*child, self.role);
                    if own {
                        of.known && of.value >= exact
                    } else {
                        of.known || of.visits > 0
                    }
                };
                let children: Vec<NodeId> = choice
                    .arms
                    .iter()
                    .filter_map(|arm| arm.child)
                    .filter(is_taken)
                    .collect();
                let values: Vec<f64> = children
                    .iter()
                    .map(|&child| self.value(child, stages))
                    .collect();
                if own {
                    values.into_iter().reduce(f64::max)
                } else {
                    mean(&values)
                }
            }
            Some(Turn::Draw(_) | Turn::Mixed(_)) | None => None,
        };
        let value = value.unwrap_or(exact);
        self.values.insert(id, value);
        value
    }
}

/// Returns the mean of the values, or `None` if there are none.
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl MacUcbPlayer<'_> {
    /// Returns the action to take in a state of known value: among the optimal actions, the best one against random opponents.
    pub(super) fn best_of_known(
        &mut self,
        root: NodeId,
        state: &GameState,
        role: usize,
        context: &mut Context<'_>,
    ) -> Option<usize> {
        let Self {
            solver,
            walk,
            stages,
            ..
        } = self;
        let mut solve = |id: NodeId, stages: &mut Stages| {
            let Some(state) = stages.node(id).state.clone() else {
                return;
            };
            walk.look_at(&state);
            if !walk.is_terminal() && !stages.is_full() {
                // All values are known here. A search of the network would only find the legal actions, more slowly.
                let turn = solver.solve(walk, None, None);
                stages.solved(id, turn);
            }
        };
        if stages.node(root).stage.is_none() {
            solve(root, stages);
        }
        let Some(Stage {
            turn: Turn::Choice(choice),
            ..
        }) = &stages.node(root).stage
        else {
            return None;
        };
        let known = |arm: &Arm| {
            let child = arm.child.filter(|&child| stages.node(child).known)?;
            Some((arm.action, child, stages.node(child).value[role]))
        };
        let arms: Vec<(usize, NodeId, f64)> = choice.arms.iter().filter_map(known).collect();
        // The cache may know a better action from playouts.
        let best = stages.node(root).value[role];
        let mut against_random = AgainstRandom::new(role, &mut solve);
        let mut found = Vec::new();
        for &(action, child, _) in arms.iter().filter(|(.., value)| *value >= best) {
            found.push((
                action,
                if best < Explored::HIGHEST {
                    against_random.value(child, stages)
                } else {
                    best
                },
            ));
        }
        let place = (!found.is_empty())
            .then(|| any_of_best(found.iter().map(|&(_, value)| value), context.rng));
        walk.look_at(state);
        Some(found[place?].0)
    }
}
