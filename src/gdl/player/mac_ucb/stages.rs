//! The stages that MAC-UCB has solved, as a graph: what their arms lead to, and what that is worth.
//!
//! A state has one node, whichever way it is reached. Its value is that of its best arm where one role chooses, and the
//! expectation over the values of chance where no role does; a value that is known exactly takes the place of a mean
//! where a role chooses.

use rustc_hash::FxHashMap;

use crate::player::explored::Explored;
use crate::state::GameState;

/// A place among the nodes.
pub(super) type NodeId = u32;

/// A state, or what follows an action where more than that action decides.
pub(super) struct Node {
    /// None where the node stands for an action whose effect others decide too.
    pub(super) state: Option<GameState>,
    pub(super) visits: u32,
    /// Of each role: the mean or, if `known`, the exact reward.
    pub(super) value: Box<[f64]>,
    pub(super) known: bool,
    pub(super) stage: Option<Stage>,
}

impl Node {
    /// Whether its value is the mean of the samples through it, and not made of what its arms lead to.
    fn is_sampled(&self) -> bool {
        !self.known
            && self
                .stage
                .as_ref()
                .is_none_or(|stage| matches!(stage.turn, Turn::Mixed(_)))
    }
}

/// A solved stage.
pub(super) struct Stage {
    pub(super) samples: u32,
    pub(super) turn: Turn,
    /// The samples of the state from before its stage was solved, and their mean.
    before: (u32, Box<[f64]>),
}

/// Who decides what follows.
pub(super) enum Turn {
    /// One role, and nobody else.
    Choice(Choice),
    /// Chance, or nobody: the states that followed, and how often.
    Draw(Vec<(NodeId, u32)>),
    /// Several roles at once, or a role and chance.
    Mixed(Vec<Choice>),
}

/// A role and its arms.
pub(super) struct Choice {
    pub(super) role: usize,
    pub(super) arms: Vec<Arm>,
}

/// A feasible action.
pub(super) struct Arm {
    pub(super) action: usize,
    pub(super) child: Option<NodeId>,
    /// The lines from this stage, unlike those that its child has from anywhere.
    pub(super) visits: u32,
    /// The move at which it was cut last, counted from 1.
    pub(super) cut_at: u64,
}

impl Arm {
    pub(super) const fn new(action: usize) -> Self {
        Self {
            action,
            child: None,
            visits: 0,
            cut_at: 0,
        }
    }
}

/// What an arm is worth to a role, as far as is known.
#[derive(Clone, Copy)]
pub(super) struct ArmEstimate {
    pub(super) value: f64,
    /// The visits of what it leads to.
    pub(super) visits: u32,
    /// Whether the value is exact.
    pub(super) known: bool,
}

/// Counts that a value of chance led to `child`.
pub(super) fn count_drawn(drawn: &mut Vec<(NodeId, u32)>, child: NodeId) {
    match drawn.iter_mut().find(|(id, _)| *id == child) {
        Some((_, times)) => *times += 1,
        None => drawn.push((child, 1)),
    }
}

/// All nodes.
pub(super) struct Stages {
    nodes: Vec<Node>,
    of_state: FxHashMap<GameState, NodeId>,
    roles: usize,
    most: usize,
}

impl Stages {
    pub(super) fn new(roles: usize, most: usize) -> Self {
        Self {
            nodes: Vec::new(),
            of_state: FxHashMap::default(),
            roles,
            most,
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is room for no more.
    pub(super) const fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.of_state.clear();
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The node of a state, made if there is none.
    pub(super) fn of(&mut self, state: &GameState, explored: &Explored) -> NodeId {
        if let Some(&id) = self.of_state.get(state) {
            return id;
        }
        let id = self.add(Some(state.clone()));
        self.of_state.insert(state.clone(), id);
        self.look_up(id, explored);
        id
    }

    /// A node of its own.
    pub(super) fn add(&mut self, state: Option<GameState>) -> NodeId {
        let value = vec![0.0; self.roles].into();
        self.nodes.push(Node {
            state,
            visits: 0,
            value,
            known: false,
            stage: None,
        });
        (self.nodes.len() - 1) as NodeId
    }

    /// Gives a node its exact value.
    pub(super) fn settle(&mut self, id: NodeId, value: &[f64]) {
        let node = &mut self.nodes[id as usize];
        node.value.copy_from_slice(value);
        node.known = true;
    }

    /// Takes over what the cache knows of a node's state.
    fn look_up(&mut self, id: NodeId, explored: &Explored) {
        let node = &self.nodes[id as usize];
        if !node.known
            && let Some(value) = node.state.as_ref().and_then(|state| explored.value(state))
        {
            self.settle(id, value);
        }
    }

    /// What an arm is worth to a role.
    pub(super) fn estimate(&self, arm: &Arm, role: usize) -> ArmEstimate {
        let unknown = ArmEstimate {
            value: 0.0,
            visits: 0,
            known: false,
        };
        arm.child
            .map_or(unknown, |child| self.estimate_of(child, role))
    }

    /// What an arm that leads to this node is worth to a role.
    pub(super) fn estimate_of(&self, child: NodeId, role: usize) -> ArmEstimate {
        let Node {
            value,
            visits,
            known,
            ..
        } = self.node(child);
        ArmEstimate {
            value: value[role],
            visits: *visits,
            known: *known,
        }
    }

    /// What each arm of a choice is worth to its role.
    pub(super) fn estimates(&self, choice: &Choice) -> Vec<ArmEstimate> {
        choice
            .arms
            .iter()
            .map(|arm| self.estimate(arm, choice.role))
            .collect()
    }

    /// Gives a node its stage.
    pub(super) fn solved(&mut self, id: NodeId, turn: Turn) {
        let node = &mut self.nodes[id as usize];
        node.stage = Some(Stage {
            samples: 0,
            turn,
            before: (node.visits, node.value.clone()),
        });
    }

    /// Counts lines from a stage, through the arm at this place if one role alone chooses.
    pub(super) fn count_line(&mut self, id: NodeId, place: Option<usize>, lines: u32) {
        let Some(stage) = &mut self.nodes[id as usize].stage else {
            return;
        };
        stage.samples += lines;
        if let (Turn::Choice(choice), Some(place)) = (&mut stage.turn, place) {
            choice.arms[place].visits += lines;
        }
    }

    /// Counts samples at a node, whose rewards add up to `sums`, and updates its value.
    pub(super) fn add_samples(
        &mut self,
        id: NodeId,
        samples: u32,
        sums: &[f64],
        explored: &mut Explored,
    ) {
        let node = &mut self.nodes[id as usize];
        node.visits += samples;
        if node.is_sampled() {
            let (share, samples) = (1.0 / f64::from(node.visits), f64::from(samples));
            node.value
                .iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += (sum - samples * *mean) * share);
        }
        self.value(id, explored);
    }

    /// Adds the rewards of samples that were counted as without any, through a node, and updates its value.
    pub(super) fn add_rewards(&mut self, id: NodeId, sums: &[f64], explored: &mut Explored) {
        let node = &mut self.nodes[id as usize];
        if node.is_sampled() {
            let share = 1.0 / f64::from(node.visits);
            node.value
                .iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += sum * share);
        }
        self.value(id, explored);
    }

    /// The same at the end of a line, whose stage may have been solved since: the samples are from before that.
    pub(super) fn add_rewards_at_end(&mut self, id: NodeId, sums: &[f64], explored: &mut Explored) {
        if let Some(Stage {
            before: (samples @ 1.., mean),
            ..
        }) = &mut self.nodes[id as usize].stage
        {
            let share = 1.0 / f64::from(*samples);
            mean.iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += sum * share);
        }
        self.add_rewards(id, sums, explored);
    }

    /// Updates the value of a stage from what it leads to.
    pub(super) fn value(&mut self, id: NodeId, explored: &mut Explored) {
        self.look_up(id, explored);
        let node = &self.nodes[id as usize];
        if node.known {
            return;
        }
        let Some(Stage { turn, before, .. }) = &node.stage else {
            return;
        };
        let (value, known) = match turn {
            Turn::Choice(choice) => self.of_choice(choice, before),
            Turn::Draw(drawn) => (self.of_draw(drawn, before), None),
            Turn::Mixed(_) => (None, None),
        };
        let node = &mut self.nodes[id as usize];
        if let Some(value) = value {
            node.value = value;
        }
        if let Some(best) = known {
            node.known = true;
            if let Some(state) = &node.state {
                explored.settle(state, &node.value, best);
            }
        }
    }

    /// The value where one role chooses and, if it is exact, the place of the action to take. Until then it is the mean
    /// over the samples of the arms that are not known, or that of the best known arm where that is higher.
    fn of_choice(
        &self,
        choice: &Choice,
        before: &(u32, Box<[f64]>),
    ) -> (Option<Box<[f64]>>, Option<usize>) {
        let Choice { role, arms, .. } = choice;
        let mut best: Option<(f64, usize)> = None;
        let mut all_known = true;
        let mut weight = f64::from(before.0);
        let mut sum: Vec<f64> = before.1.iter().map(|value| weight * value).collect();
        for (place, arm) in arms.iter().enumerate() {
            let Some(Node { value, known, .. }) = arm.child.map(|child| self.node(child)) else {
                all_known = false;
                continue;
            };
            all_known &= known;
            if *known {
                if best.is_none_or(|(best, _)| value[*role] > best) {
                    best = Some((value[*role], place));
                }
            } else {
                let share = f64::from(arm.visits);
                sum.iter_mut()
                    .zip(value)
                    .for_each(|(sum, value)| *sum += share * value);
                weight += share;
            }
        }
        let of_place = |place: usize| {
            arms[place]
                .child
                .map(|child| self.node(child).value.clone())
        };
        match best {
            Some((_, place)) if all_known => (of_place(place), Some(place)),
            Some((value, place)) if weight == 0.0 || value > sum[*role] / weight => {
                (of_place(place), None)
            }
            _ => (
                (weight > 0.0).then(|| sum.iter().map(|sum| sum / weight).collect()),
                None,
            ),
        }
    }

    /// The expectation over the values of chance: the mean over those drawn, with the samples from before the stage was solved.
    fn of_draw(&self, drawn: &[(NodeId, u32)], before: &(u32, Box<[f64]>)) -> Option<Box<[f64]>> {
        let nodes = || {
            drawn
                .iter()
                .map(|&(child, times)| (self.node(child), f64::from(times)))
        };
        let visits: u32 = nodes().map(|(node, _)| node.visits).sum();
        let samples = f64::from(visits) + f64::from(before.0);
        if samples == 0.0 {
            return None;
        }
        let mean = self.mean(nodes().filter(|(node, _)| node.visits > 0));
        let share = f64::from(before.0) / samples;
        Some(
            mean.iter()
                .zip(&before.1)
                .map(|(mean, before)| (1.0 - share) * mean + share * before)
                .collect(),
        )
    }

    /// The mean value of nodes with weights.
    fn mean<'a>(&self, nodes: impl Iterator<Item = (&'a Node, f64)>) -> Box<[f64]> {
        let (mut all, mut sum) = (0.0, vec![0.0; self.roles]);
        for (node, weight) in nodes {
            all += weight;
            sum.iter_mut()
                .zip(&node.value)
                .for_each(|(sum, value)| *sum += weight * value);
        }
        sum.into_iter()
            .map(|sum| if all > 0.0 { sum / all } else { 0.0 })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice with one arm, whose child is solved after its first sample and has a child of its own.
    fn chain(
        explored: &mut Explored,
        add: impl Fn(&mut Stages, &[NodeId], [f64; 2], &mut Explored),
    ) -> Vec<Box<[f64]>> {
        let mut stages = Stages::new(2, 100);
        let nodes: Vec<NodeId> = (0..3).map(|_| stages.add(None)).collect();
        let choice = |child| {
            let arms = vec![Arm {
                child: Some(child),
                ..Arm::new(0)
            }];
            Turn::Choice(Choice { role: 0, arms })
        };
        stages.solved(nodes[0], choice(nodes[1]));
        add(&mut stages, &nodes[..2], [1.0, 3.0], explored);
        stages.solved(nodes[1], choice(nodes[2]));
        add(&mut stages, &nodes, [4.0, 0.0], explored);
        nodes
            .iter()
            .map(|&id| stages.node(id).value.clone())
            .collect()
    }

    /// Four samples along the nodes of a line.
    fn count(stages: &mut Stages, line: &[NodeId], sums: &[f64], explored: &mut Explored) {
        for (place, &id) in line.iter().enumerate().rev() {
            if place + 1 < line.len() {
                stages.count_line(id, Some(0), 4);
            }
            stages.add_samples(id, 4, sums, explored);
        }
    }

    #[test]
    fn rewards_that_come_late_come_to_the_same() {
        let mut explored = Explored::new(None, 0);
        let at_once = chain(&mut explored, |stages, line, sums, explored| {
            count(stages, line, &sums, explored)
        });
        let late = chain(&mut explored, |stages, line, sums, explored| {
            count(stages, line, &[0.0; 2], explored);
            let (&end, above) = line.split_last().unwrap();
            stages.add_rewards_at_end(end, &sums, explored);
            above
                .iter()
                .rev()
                .for_each(|&id| stages.add_rewards(id, &sums, explored));
        });
        assert_eq!(at_once, late);
        assert_eq!(*at_once[0], [5.0 / 8.0, 3.0 / 8.0]);
        assert_eq!(*at_once[2], [1.0, 0.0]);
    }
}
