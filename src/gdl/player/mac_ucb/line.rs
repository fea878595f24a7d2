//! Lines: descents from the root to a leaf, and backing up of their results.

use super::player::{Context, MacUcbPlayer};
use super::stages::{Arm, ArmEstimate, Choice, NodeId};
use crate::player::batches::play_out;
use crate::propnet::PlayoutStart;
use mineflow_rng::Rng;
use mineflow_search::Ucb1;
use mineflow_search::bandit::any_of_best;

/// The message of `expect` for a node of a line, which always has a state.
const STATE: &str = "a line leads from state to state";

/// An arm picked by a role.
struct Picked {
    role: usize,
    place: usize,
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
    /// Runs one line from `root` and one playout, which reads and fills the cache of explored
    /// leaves.
    pub(super) fn line(&mut self, root: NodeId, context: &mut Context<'_>) {
        let line = self.descend(root, context);
        let rewards = match self.known_at(line.leaf) {
            Some(rewards) => rewards,
            None => self.walk.playout(context.explored, context.rng).into(),
        };
        self.back_up(&line, 1, &rewards, context);
        self.raise_threshold(root, context);
    }

    /// Runs lines to several leaves and one batch of playouts from these leaves, at most `room`
    /// playouts in all.
    pub(super) fn lines_in_lanes(&mut self, root: NodeId, room: u64, context: &mut Context<'_>) {
        let batches = self.settings.batches;
        let roles = self.walk.roles();
        let mut room = room;
        let mut open = Vec::new();
        for _ in 0..batches.leaves {
            if room == 0 || self.stages.node(root).known {
                break;
            }
            let line = self.descend(root, context);
            if let Some(rewards) = self.known_at(line.leaf) {
                self.back_up(&line, 1, &rewards, context);
                room -= 1;
            } else {
                let playouts = batches.share().min(room);
                let leaf = self.stages.node(line.leaf).state.clone().expect(STATE);
                self.back_up(&line, playouts, &vec![0.0; roles], context);
                open.push((line, leaf, playouts));
                context.under_way = true;
                room -= playouts;
            }
        }
        let leaves = open.iter().map(|(line, state, playouts)| {
            let taken = line.steps.len();
            let start = PlayoutStart {
                taken,
                ..PlayoutStart::from(state)
            };
            (start, *playouts)
        });
        let made = play_out(&mut self.walk, leaves, context.rng);
        for ((line, ..), sums) in open.iter().zip(made) {
            self.settle_up(line, &sums, context);
        }
        context.under_way = false;
        self.raise_threshold(root, context);
    }

    /// Descends to a state of known value or without a solved stage, at most to the horizon.
    /// Afterwards the walk is in that state, and the path of the walk is the line.
    fn descend(&mut self, root: NodeId, context: &mut Context<'_>) -> Line {
        self.walk
            .look_at(self.stages.node(root).state.as_ref().expect(STATE));
        let mut steps: Vec<Step> = Vec::new();
        let mut id = root;
        loop {
            let node = self.stages.node(id);
            if node.known && id != root || steps.len() >= self.horizon {
                break;
            }
            if node.stage.is_none() {
                if self.walk.is_terminal() || self.stages.is_full() && id != root {
                    break;
                }
                self.solve(id, context);
                if self.stages.node(id).known && id != root {
                    break;
                }
            }
            let stage = self.stages.stage(id);
            let new = stage.samples < self.settings.samples.into();
            if context.threshold > 0.0 && !context.under_way {
                self.cut(id, context.threshold);
            }
            let picked = self.pick(id, context.rng);
            let action = |role| {
                picked
                    .iter()
                    .find(|arm| arm.role == role)
                    .map(|arm| arm.action)
            };
            self.walk.step(action, context.rng);
            let next = self.stages.of(&self.walk.state(), context.explored);
            let places = picked.iter().map(|arm| arm.place);
            let arm_nodes = self.stages.enter(id, places, next);
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

    /// Returns the value of a node if the value is known exactly.
    fn known_at(&self, id: NodeId) -> Option<Box<[f64]>> {
        let node = self.stages.node(id);
        node.known.then(|| node.value.clone())
    }

    /// Picks an arm for each role with a choice.
    fn pick(&self, id: NodeId, rng: &mut Rng) -> Vec<Picked> {
        let pick = |choice: &Choice| {
            let place = self.to_sample(choice, rng);
            Picked {
                role: choice.role,
                place,
                action: choice.arms[place].action,
            }
        };
        self.stages
            .stage(id)
            .turn
            .choices()
            .iter()
            .map(pick)
            .collect()
    }

    /// Returns the index of the arm to sample: the argmax of the upper bound among the arms that
    /// are neither exactly known nor cut.
    fn to_sample(&self, choice: &Choice, rng: &mut Rng) -> usize {
        let estimates = self.stages.estimates(choice);
        let all = estimates.iter().map(|of| of.visits).sum();
        let bound = |(
            arm,
            &ArmEstimate {
                value,
                visits,
                known,
            },
        ): (&Arm, &ArmEstimate)| {
            if known || arm.cut_at == self.effort.moves {
                return f64::NEG_INFINITY;
            }
            Ucb1::upper_bound(value, visits, all)
        };
        any_of_best(choice.arms.iter().zip(&estimates).map(bound), rng)
    }

    /// Counts the playouts of a line and backs up `sums`, the sums of their rewards.
    fn back_up(&mut self, line: &Line, playouts: u64, sums: &[f64], context: &mut Context<'_>) {
        context.add_playouts(playouts);
        self.effort.samples += playouts;
        self.stages
            .add_samples(line.leaf, playouts, sums, context.explored);
        for Step {
            id,
            picked,
            arm_nodes,
        } in line.steps.iter().rev()
        {
            for &arm in arm_nodes {
                self.stages
                    .add_samples(arm, playouts, sums, context.explored);
            }
            self.stages
                .count_line(*id, picked.first().map(|arm| arm.place), playouts);
            self.stages
                .add_samples(*id, playouts, sums, context.explored);
        }
    }

    /// Backs up the rewards of playouts that have already been counted.
    fn settle_up(&mut self, line: &Line, sums: &[f64], context: &mut Context<'_>) {
        self.stages
            .add_rewards_at_end(line.leaf, sums, context.explored);
        for Step { id, arm_nodes, .. } in line.steps.iter().rev() {
            for &arm in arm_nodes {
                self.stages.add_rewards(arm, sums, context.explored);
            }
            self.stages.add_rewards(*id, sums, context.explored);
        }
    }
}
