//! Lines: descents from the root to a leaf, and backing up of their results.

use super::{
    player::{Context, MacUcbPlayer},
    stages::{ArmEstimate, Choice, NodeId},
};
use mineflow_rng::Rng;
use mineflow_search::bandit::{any_of_best, ucb1};

/// An arm picked by a role.
pub(super) struct Picked {
    role: usize,
    pub place: usize,
    action: usize,
}

/// A step of a line from one stage to the next.
struct Step {
    /// The node of the stage.
    id: NodeId,
    /// The arms picked at the stage.
    picked: Vec<Picked>,
    /// The nodes of the picked arms that do not lead to a single state.
    arm_nodes: Vec<NodeId>,
}

/// The steps of a descent and the node at its end.
pub(super) struct Line {
    steps: Vec<Step>,
    leaf: NodeId,
}

impl MacUcbPlayer<'_> {
    /// Runs one line and one playout, which reads and fills the cache of explored leaves.
    pub(super) fn line(&mut self, context: &mut Context<'_>) {
        let line = self.descend(context);
        let rewards = match self.known_at(line.leaf) {
            Some(rewards) => rewards,
            None => self.walk.playout(context.explored, context.rng).into(),
        };
        self.back_up(&line, &rewards, context);
        self.raise_threshold(context);
    }

    /// Descends to a state of known value or without a solved stage, at most to the horizon.
    /// Afterwards the walk is in that state, and the path of the walk is the line.
    fn descend(&mut self, context: &mut Context<'_>) -> Line {
        self.walk.look_at(context.state);
        let mut steps: Vec<Step> = Vec::new();
        let mut id = context.root;
        while steps.len() < self.horizon && self.ensure_solved(id, context) {
            if context.threshold > 0.0 {
                self.cut(id, context.threshold);
            }
            let Some(stage) = &self.stages.node(id).stage else {
                break;
            };
            let new = stage.samples < self.settings.samples.into();
            let choices = stage.turn.choices().iter();
            let picked: Vec<Picked> = choices
                .map(|choice| self.pick(choice, context.rng))
                .collect();
            let action = |role| Some(picked.iter().find(|arm| arm.role == role)?.action);
            self.walk.step(action, context.rng);
            let next = self.stages.of(&self.walk.state(), context.explored);
            let arm_nodes = self.stages.enter(id, &picked, next);
            steps.push(Step {
                id,
                picked,
                arm_nodes,
            });
            id = next;
            if new && self.stages.node(next).stage.is_none() {
                break;
            }
        }
        if self.walk.is_terminal() {
            let rewards: Box<[f64]> = self.walk.rewards().into();
            self.stages.settle(id, &rewards);
        }
        Line { steps, leaf: id }
    }

    /// Returns whether a line goes on from a node, whose state the walk is in: the node's value is
    /// not known, unless it is the root, and its stage is solved, now or before.
    fn ensure_solved(&mut self, id: NodeId, context: &mut Context<'_>) -> bool {
        let is_root = id == context.root;
        let node = self.stages.node(id);
        if node.known && !is_root {
            return false;
        }
        if node.stage.is_some() {
            return true;
        }
        if self.walk.is_terminal() || self.stages.is_full() && !is_root {
            return false;
        }
        self.solve(id, context);
        is_root || !self.stages.node(id).known
    }

    /// Returns the value of a node if the value is known exactly.
    fn known_at(&self, id: NodeId) -> Option<Box<[f64]>> {
        let node = self.stages.node(id);
        node.known.then(|| node.value.clone())
    }

    /// Picks the arm to sample: the argmax of the upper bound among the arms that are neither
    /// exactly known nor cut.
    fn pick(&self, choice: &Choice, rng: &mut Rng) -> Picked {
        let estimates = self.stages.estimates(choice);
        let all = estimates.iter().map(|of| of.visits).sum();
        let arms = choice.arms.iter().zip(&estimates);
        let bounds = arms.map(
            |(
                arm,
                &ArmEstimate {
                    value,
                    visits,
                    known,
                },
            )| {
                if known || arm.cut_at == self.effort.moves {
                    f64::NEG_INFINITY
                } else {
                    ucb1(value, visits, all)
                }
            },
        );
        let place = any_of_best(bounds, rng);
        Picked {
            role: choice.role,
            place,
            action: choice.arms[place].action,
        }
    }

    /// Counts the playout of a line and backs up its rewards.
    fn back_up(&mut self, line: &Line, rewards: &[f64], context: &mut Context<'_>) {
        context.spending.add_playouts(1);
        self.effort.samples += 1;
        self.stages.add_sample(line.leaf, rewards, context.explored);
        for step in line.steps.iter().rev() {
            for &arm in &step.arm_nodes {
                self.stages.add_sample(arm, rewards, context.explored);
            }
            let place = step.picked.first().map(|arm| arm.place);
            self.stages.count_line(step.id, place);
            self.stages.add_sample(step.id, rewards, context.explored);
        }
    }
}
