//! Lines: down from the root to a leaf, and back up with what came of it.

use super::player::{Context, MacUcbPlayer};
use super::stages::{Arm, ArmEstimate, Choice, NodeId, Turn, count_drawn};
use crate::player::batches::{LeafPlayouts, play_out};
use crate::player::grave::ActionTable;
use mineflow_rng::Rng;
use mineflow_search::Ucb1;
use mineflow_search::bandit::any_of_best;

/// Why a node of a line has a state.
const STATE: &str = "a line leads from state to state";

/// An arm that a role takes.
struct Picked {
    role: usize,
    place: usize,
    action: usize,
}

/// A step of a line.
struct Step {
    /// The stage.
    id: NodeId,
    /// The arms taken.
    picked: Vec<Picked>,
    /// The nodes of these arms where they do not lead to one state.
    arm_nodes: Vec<NodeId>,
}

/// A way down, and the node at its end.
pub(super) struct Line {
    steps: Vec<Step>,
    leaf: NodeId,
    /// Whether the walk looks at the state of the leaf.
    seen: bool,
}

impl MacUcbPlayer<'_> {
    /// One line from `root` with one playout, which asks the cache of explored leaves and fills it.
    pub(super) fn line(&mut self, root: NodeId, context: &mut Context<'_>) {
        let line = self.descend(root, context);
        if self.settings.grave > 0 {
            self.walk.keep_chosen();
        }
        let rewards = match self.known_at(line.leaf) {
            Some(rewards) => rewards,
            None => {
                self.look(line.leaf, line.seen);
                self.walk.playout(context.explored, context.rng).into()
            }
        };
        let mut table = ActionTable::default();
        table.add_playout(self.walk.chosen(), &rewards);
        self.back_up(&line, 1, &rewards, table, context);
        self.raise_threshold(root, context);
    }

    /// Lines to some leaves and playouts from them, all at once, at most `room` in number.
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
                self.back_up(&line, 1, &rewards, ActionTable::default(), context);
                room -= 1;
            } else {
                let playouts = batches.share().min(room);
                let leaf = self.stages.node(line.leaf).state.clone().expect(STATE);
                self.back_up(&line, playouts, &vec![0.0; roles], ActionTable::default(), context);
                open.push((line, leaf, playouts));
                context.under_way = true;
                room -= playouts;
            }
        }
        let leaves = open.iter().map(|(_, leaf, playouts)| (leaf, *playouts));
        let made = play_out(&mut self.walk, leaves, self.settings.grave > 0, context.rng);
        for ((line, ..), made) in open.iter().zip(made) {
            self.settle_up(line, made, context);
        }
        context.under_way = false;
        self.raise_threshold(root, context);
    }

    /// Goes down to a state that is known, or whose stage is not solved; the walk notes the way.
    fn descend(&mut self, root: NodeId, context: &mut Context<'_>) -> Line {
        self.walk.came_by(Vec::new());
        let mut steps: Vec<Step> = Vec::new();
        let (mut id, mut seen) = (root, false);
        loop {
            let node = self.stages.node(id);
            if node.known && id != root || steps.len() >= self.settings.horizon {
                break;
            }
            if node.stage.is_none() {
                seen = self.look(id, seen);
                if self.walk.is_terminal() || self.stages.is_full() && id != root {
                    break;
                }
                self.solve(id, id == root, context);
                if self.stages.node(id).known && id != root {
                    break;
                }
            }
            let stage = self.stages.node(id).stage.as_ref().expect("it was solved");
            let new = stage.samples < self.settings.samples;
            if self.settings.cuts && context.threshold > 0.0 && !context.under_way {
                self.cut(id, context.threshold);
            }
            let picked = self.pick(id, &steps, context.rng);
            let (next, arm_nodes) = if let Some((next, arms)) = self.known_to_follow(id, &picked) {
                let Picked { role, place, action } = picked[0];
                let state = self.stages.node(id).state.as_ref().expect(STATE);
                self.walk.pass(state, role, arms, place, action, context.rng);
                seen = false;
                (next, Vec::new())
            } else {
                self.look(id, seen);
                let action = |role| picked.iter().find(|arm| arm.role == role).map(|arm| arm.action);
                self.walk.step(action, context.rng);
                seen = true;
                let next = self.stages.of(&self.walk.state(), context.explored);
                (next, self.enter(id, &picked, next))
            };
            steps.push(Step { id, picked, arm_nodes });
            id = next;
            if new && self.stages.node(next).stage.is_none() {
                break;
            }
        }
        if seen && self.walk.is_terminal() {
            let rewards: Box<[f64]> = self.walk.rewards().into();
            self.stages.settle(id, &rewards);
        }
        Line { steps, leaf: id, seen }
    }

    /// Has the walk look at the state of a node, unless it does.
    fn look(&mut self, id: NodeId, seen: bool) -> bool {
        if !seen {
            self.walk.look_again(self.stages.node(id).state.as_ref().expect(STATE));
        }
        true
    }

    /// The node that a picked arm leads to, if it is known, and the number of arms: the solver has found it, or a line has. The
    /// arms of the constraint network need not be all that are legal: the walk counts those.
    fn known_to_follow(&self, id: NodeId, picked: &[Picked]) -> Option<(NodeId, usize)> {
        let Turn::Choice(choice) = &self.stages.node(id).stage.as_ref()?.turn else { return None };
        let next = choice.arms[picked[0].place].child.filter(|_| self.settings.arms.method().is_none())?;
        Some((next, choice.arms.len()))
    }

    /// What a node is worth, if that is known.
    fn known_at(&self, id: NodeId) -> Option<Box<[f64]>> {
        let node = self.stages.node(id);
        node.known.then(|| node.value.clone())
    }

    /// The arm that each role with a choice takes.
    fn pick(&self, id: NodeId, above: &[Step], rng: &mut Rng) -> Vec<Picked> {
        let stage = self.stages.node(id).stage.as_ref().expect("it was solved");
        let choices = match &stage.turn {
            Turn::Choice(choice) => std::slice::from_ref(choice),
            Turn::Draw { .. } => &[],
            Turn::Mixed(choices) => choices,
        };
        let with_table = (self.settings.grave > 0 && !choices.is_empty()).then(|| {
            let top = above.first().map_or(id, |step| step.id);
            let near = std::iter::once(id).chain(above.iter().rev().map(|step| step.id));
            near.into_iter().find(|&id| self.stages.node(id).visits > self.settings.grave).unwrap_or(top)
        });
        let pick = |choice: &Choice| {
            let place = self.to_sample(choice, with_table, rng);
            Picked { role: choice.role, place, action: choice.arms[place].action }
        };
        choices.iter().map(pick).collect()
    }

    /// The place of the arm to sample: the highest upper bound, or by GRAVE with the table of a node the highest mean.
    fn to_sample(&self, choice: &Choice, with_table: Option<NodeId>, rng: &mut Rng) -> usize {
        let estimates = self.stages.estimates(choice);
        let all = estimates.iter().map(|of| of.visits).sum();
        let bound = |(arm, &ArmEstimate { value, visits, known }): (&Arm, &ArmEstimate)| {
            if known || arm.cut_at == self.effort.moves {
                return f64::NEG_INFINITY;
            }
            match with_table {
                Some(id) => self.stages.node(id).table.blend(choice.role, arm.action, value, visits),
                None => Ucb1::upper_bound(value, visits, all),
            }
        };
        any_of_best(choice.arms.iter().zip(&estimates).map(bound), rng)
    }

    /// Notes what the picked arms lead to; gives the nodes of arms that do not lead to one state.
    fn enter(&mut self, id: NodeId, picked: &[Picked], next: NodeId) -> Vec<NodeId> {
        let mut stage = self.stages.node_mut(id).stage.take().expect("it was solved");
        let mut arm_nodes = Vec::new();
        match &mut stage.turn {
            Turn::Choice(choice) => choice.arms[picked[0].place].child = Some(next),
            Turn::Draw { whole: true, .. } => {}
            Turn::Draw { drawn, .. } => count_drawn(drawn, next),
            Turn::Mixed(choices) => {
                for (choice, arm) in choices.iter_mut().zip(picked) {
                    let arm = &mut choice.arms[arm.place];
                    arm_nodes.push(*arm.child.get_or_insert_with(|| self.stages.add(None)));
                }
            }
        }
        self.stages.node_mut(id).stage = Some(stage);
        arm_nodes
    }

    /// Counts the playouts of a line, whose rewards add up to `sums`; `table` has what was done in them below it.
    fn back_up(&mut self, line: &Line, playouts: u64, sums: &[f64], mut table: ActionTable, context: &mut Context<'_>) {
        context.add_playouts(playouts);
        self.effort.samples += playouts;
        let count = playouts as u32;
        self.stages.add_samples(line.leaf, count, sums, context.explored);
        for Step { id, picked, arm_nodes } in line.steps.iter().rev() {
            for &arm in arm_nodes {
                self.stages.add_samples(arm, count, sums, context.explored);
            }
            self.stages.count_line(*id, picked.first().map(|arm| arm.place), count);
            self.add_to_table(*id, picked, count, sums, &mut table);
            self.stages.add_samples(*id, count, sums, context.explored);
        }
    }

    /// Adds the rewards of playouts that are counted already.
    fn settle_up(&mut self, line: &Line, made: LeafPlayouts, context: &mut Context<'_>) {
        let LeafPlayouts { sums, mut table } = made;
        self.stages.add_rewards_at_end(line.leaf, &sums, context.explored);
        for Step { id, picked, arm_nodes } in line.steps.iter().rev() {
            for &arm in arm_nodes {
                self.stages.add_rewards(arm, &sums, context.explored);
            }
            self.add_to_table(*id, picked, 0, &sums, &mut table);
            self.stages.add_rewards(*id, &sums, context.explored);
        }
    }

    /// With GRAVE, adds playouts to the table of a stage; all of them picked these arms there.
    fn add_to_table(&mut self, id: NodeId, picked: &[Picked], playouts: u32, sums: &[f64], table: &mut ActionTable) {
        if self.settings.grave > 0 {
            picked.iter().for_each(|arm| table.set(arm.role, arm.action, playouts, sums[arm.role]));
            self.stages.add_to_table(id, table);
        }
    }
}
