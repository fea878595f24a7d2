//! Which of several actions of equal exact value to take: the one that leaves the others most ways to go wrong.

use rustc_hash::FxHashMap;

use super::player::{Context, MacUcbPlayer};
use super::stages::{Arm, Node, NodeId, Stage, Stages, Turn};
use crate::player::explored::Explored;
use crate::state::GameState;
use mineflow_search::bandit::any_of_best;

/// States that a choice looks at.
const MOST_STATES: usize = 20_000;

/// What one role can hope for below states that are known exactly: its reward if it takes the best action of the best, and
/// the others take any.
pub(super) struct Hopes<'a> {
    role: usize,
    hopes: FxHashMap<NodeId, f64>,
    /// Called for a state without a stage; may leave it so.
    solve: &'a mut dyn FnMut(NodeId, &mut Stages),
}

impl<'a> Hopes<'a> {
    pub(super) fn new(role: usize, solve: &'a mut dyn FnMut(NodeId, &mut Stages)) -> Self {
        Self { role, hopes: FxHashMap::default(), solve }
    }

    /// What the role can hope for in a state.
    pub(super) fn of(&mut self, id: NodeId, stages: &mut Stages) -> f64 {
        if let Some(&hope) = self.hopes.get(&id) {
            return hope;
        }
        let Node { known, stage, .. } = stages.node(id);
        if *known && stage.is_none() && self.hopes.len() < MOST_STATES {
            (self.solve)(id, stages);
        }
        let Node { value, known, stage, .. } = stages.node(id);
        let value = value[self.role];
        let hope = match stage.as_ref().map(|stage| &stage.turn).filter(|_| *known) {
            Some(Turn::Choice(choice)) => {
                let own = choice.role == self.role;
                let of_arm = |child: &NodeId| {
                    let Node { value: of_child, known, visits, .. } = stages.node(*child);
                    if own { *known && of_child[self.role] >= value } else { *known || *visits > 0 }
                };
                let children: Vec<NodeId> = choice.arms.iter().filter_map(|arm| arm.child).filter(of_arm).collect();
                let hopes = children.iter().map(|&child| self.of(child, stages)).collect::<Vec<f64>>();
                if own { hopes.into_iter().reduce(f64::max) } else { mean(hopes.into_iter().map(|hope| (1.0, hope))) }
            }
            Some(Turn::Draw { drawn, whole: true }) => {
                let drawn = drawn.clone();
                let hopes = drawn.iter().map(|&(child, times)| (f64::from(times), self.of(child, stages)));
                mean(hopes.collect::<Vec<_>>().into_iter())
            }
            Some(Turn::Draw { .. } | Turn::Mixed(_)) | None => None,
        };
        let hope = hope.unwrap_or(value);
        self.hopes.insert(id, hope);
        hope
    }
}

/// The mean of values with weights; none of none.
fn mean(values: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (all, sum) = values.fold((0.0, 0.0), |(all, sum), (weight, value)| (all + weight, sum + weight * value));
    (all > 0.0).then(|| sum / all)
}

impl MacUcbPlayer<'_> {
    /// The action to take in a state of known value: of the best, the one with the best hopes.
    pub(super) fn hopeful(
        &mut self,
        root: NodeId,
        state: &GameState,
        role: usize,
        context: &mut Context<'_>,
    ) -> Option<usize> {
        let Self { solver, walk, stages, settings, .. } = self;
        let source = settings.arms;
        let mut solve = |id: NodeId, stages: &mut Stages| {
            let Some(state) = stages.node(id).state.clone() else { return };
            walk.look_at(&state);
            if !walk.is_terminal() && !stages.is_full() {
                let turn = solver.solve(&state, source, false, walk, stages, context.explored);
                stages.solved(id, turn);
            }
        };
        if stages.node(root).stage.is_none() {
            solve(root, stages);
        }
        let Some(Stage { turn: Turn::Choice(choice), .. }) = &stages.node(root).stage else { return None };
        let known = |arm: &Arm| {
            let child = arm.child.filter(|&child| stages.node(child).known)?;
            Some((arm.action, child, stages.node(child).value[role]))
        };
        let arms: Vec<(usize, NodeId, f64)> = choice.arms.iter().filter_map(known).collect();
        // The cache may know a better action, from playouts.
        let best = stages.node(root).value[role];
        let mut hopes = Hopes::new(role, &mut solve);
        let mut hoped = Vec::new();
        for &(action, child, _) in arms.iter().filter(|(.., value)| *value >= best) {
            hoped.push((action, if best < Explored::HIGHEST { hopes.of(child, stages) } else { best }));
        }
        let place = (!hoped.is_empty()).then(|| any_of_best(hoped.iter().map(|&(_, hope)| hope), context.rng));
        walk.look_at(state);
        Some(hoped[place?].0)
    }
}
