//! Which of several actions of equal exact value to take: the one that leaves the others most ways to go wrong.

use std::collections::HashMap;

use super::stages::{Node, NodeId, Stages, Turn};

/// States that a choice looks at.
const MOST_STATES: usize = 20_000;

/// What one role can hope for below states that are known exactly: its reward if it takes the best action of the best, and
/// the others take any.
pub(super) struct Hopes<'a> {
    role: usize,
    hopes: HashMap<NodeId, f64>,
    /// Called for a state without a stage; may leave it so.
    solve: &'a mut dyn FnMut(NodeId, &mut Stages),
}

impl<'a> Hopes<'a> {
    pub(super) fn new(role: usize, solve: &'a mut dyn FnMut(NodeId, &mut Stages)) -> Self {
        Self { role, hopes: HashMap::new(), solve }
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
