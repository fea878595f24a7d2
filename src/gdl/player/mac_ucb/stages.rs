//! The graph of the stages that MAC-UCB has solved, with the states that their arms lead to and the
//! values of these states.
//!
//! A state has one node, whichever path reaches it. Where one role alone chooses, an inexact value
//! is the mean over the samples, or the best exactly known value if that is higher. Where no role
//! chooses, the value is the expectation over chance.

use rustc_hash::FxHashMap;

use crate::player::explored::Explored;
use crate::state::GameState;

/// The message of `expect` for the stage of a node that a line goes through.
const SOLVED: &str = "a line solves the stages that it goes through";

/// The index of a node in [`Stages`].
pub(super) type NodeId = u32;

/// A state, or the result of an action that does not determine the next state alone.
pub(super) struct Node {
    /// The state; `None` if the node represents an action whose effect also depends on other roles
    /// or chance.
    pub(super) state: Option<GameState>,
    pub(super) visits: u64,
    /// For each role, the mean reward, or the exact reward if `known` is true.
    pub(super) value: Box<[f64]>,
    pub(super) known: bool,
    pub(super) stage: Option<Stage>,
}

impl Node {
    /// Returns whether the value is the mean of the samples through the node, rather than backed up
    /// from the node's children.
    fn is_sampled(&self) -> bool {
        !self.known
            && self
                .stage
                .as_ref()
                .is_none_or(|stage| matches!(stage.turn, Turn::Mixed(_)))
    }
}

/// The stage of a state, after it has been solved.
pub(super) struct Stage {
    pub(super) samples: u64,
    pub(super) turn: Turn,
    /// The number and the mean reward of the samples from before the stage was solved.
    before: (u64, Box<[f64]>),
}

/// The kind of the stage, which says who determines the next state.
pub(super) enum Turn {
    /// One role alone chooses the next state.
    Choice(Choice),
    /// Chance alone determines the next state, or the next state is fixed. The list contains the
    /// next states drawn so far, with their counts.
    Draw(Vec<(NodeId, u64)>),
    /// Several roles choose simultaneously, or a role and chance determine the next state together.
    Mixed(Vec<Choice>),
}

impl Turn {
    /// Returns the roles that choose.
    pub(super) fn choices(&self) -> &[Choice] {
        match self {
            Self::Choice(choice) => std::slice::from_ref(choice),
            Self::Draw(_) => &[],
            Self::Mixed(choices) => choices,
        }
    }

    fn choices_mut(&mut self) -> &mut [Choice] {
        match self {
            Self::Choice(choice) => std::slice::from_mut(choice),
            Self::Draw(_) => &mut [],
            Self::Mixed(choices) => choices,
        }
    }
}

/// A role that chooses, and its arms.
pub(super) struct Choice {
    pub(super) role: usize,
    pub(super) arms: Vec<Arm>,
}

/// An arm: a feasible action of a role.
pub(super) struct Arm {
    pub(super) action: usize,
    pub(super) child: Option<NodeId>,
    /// The number of lines through this arm from this stage. The child's own count also includes
    /// lines from other stages.
    pub(super) visits: u64,
    /// The number of the move at which the arm was last cut, counted from 1; 0 if the arm was never
    /// cut.
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

/// The estimated value of an arm for a role.
#[derive(Clone, Copy)]
pub(super) struct ArmEstimate {
    pub(super) value: f64,
    /// The number of visits of the arm's child.
    pub(super) visits: u64,
    /// Whether the value is exact.
    pub(super) known: bool,
}

/// Records that chance led to `child`.
fn count_drawn(drawn: &mut Vec<(NodeId, u64)>, child: NodeId) {
    match drawn.iter_mut().find(|(id, _)| *id == child) {
        Some((_, times)) => *times += 1,
        None => drawn.push((child, 1)),
    }
}

/// The nodes of the graph.
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

    /// Returns whether the maximum number of nodes is reached.
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

    /// Returns the stage of a node on a line, which has been solved.
    pub(super) fn stage(&self, id: NodeId) -> &Stage {
        self.node(id).stage.as_ref().expect(SOLVED)
    }

    fn stage_mut(&mut self, id: NodeId) -> &mut Stage {
        self.node_mut(id).stage.as_mut().expect(SOLVED)
    }

    /// Records that the arms at `places`, one of each role that chooses, led to `next`. Returns the
    /// nodes of the arms if they do not lead to a single state.
    pub(super) fn enter(
        &mut self,
        id: NodeId,
        places: impl IntoIterator<Item = usize>,
        next: NodeId,
    ) -> Vec<NodeId> {
        let mut places = places.into_iter().enumerate();
        match &mut self.stage_mut(id).turn {
            Turn::Choice(choice) => {
                if let Some((_, place)) = places.next() {
                    choice.arms[place].child = Some(next);
                }
                Vec::new()
            }
            Turn::Draw(drawn) => {
                count_drawn(drawn, next);
                Vec::new()
            }
            Turn::Mixed(_) => places
                .map(|(choice, place)| self.arm_node(id, choice, place))
                .collect(),
        }
    }

    /// Returns the node of an arm that does not lead to a single state, and creates the node if it
    /// is missing.
    fn arm_node(&mut self, id: NodeId, choice: usize, place: usize) -> NodeId {
        if let Some(child) = self.stage(id).turn.choices()[choice].arms[place].child {
            return child;
        }
        let child = self.add(None);
        self.stage_mut(id).turn.choices_mut()[choice].arms[place].child = Some(child);
        child
    }

    /// Returns the node of a state, and creates the node if it is missing.
    pub(super) fn of(&mut self, state: &GameState, explored: &Explored) -> NodeId {
        if let Some(&id) = self.of_state.get(state) {
            return id;
        }
        let id = self.add(Some(state.clone()));
        self.of_state.insert(state.clone(), id);
        self.look_up(id, explored);
        id
    }

    /// Adds a new node for the given state, or for an action if there is no state.
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

    /// Sets the exact value of a node.
    pub(super) fn settle(&mut self, id: NodeId, value: &[f64]) {
        let node = &mut self.nodes[id as usize];
        node.value.copy_from_slice(value);
        node.known = true;
    }

    /// Copies the exact value of a node's state from the cache, if the cache contains it.
    fn look_up(&mut self, id: NodeId, explored: &Explored) {
        let node = &self.nodes[id as usize];
        if !node.known
            && let Some(value) = node.state.as_ref().and_then(|state| explored.value(state))
        {
            self.settle(id, value);
        }
    }

    /// Returns the estimated value of an arm for a role.
    pub(super) fn estimate(&self, arm: &Arm, role: usize) -> ArmEstimate {
        let node = arm.child.map(|child| self.node(child));
        ArmEstimate {
            value: node.map_or(0.0, |node| node.value[role]),
            visits: node.map_or(0, |node| node.visits),
            known: node.is_some_and(|node| node.known),
        }
    }

    /// Returns the estimated value of each arm of a choice for the choosing role.
    pub(super) fn estimates(&self, choice: &Choice) -> Vec<ArmEstimate> {
        choice
            .arms
            .iter()
            .map(|arm| self.estimate(arm, choice.role))
            .collect()
    }

    /// Stores the stage of a node.
    pub(super) fn solved(&mut self, id: NodeId, turn: Turn) {
        let node = &mut self.nodes[id as usize];
        node.stage = Some(Stage {
            samples: 0,
            turn,
            before: (node.visits, node.value.clone()),
        });
    }

    /// Counts lines from a stage. If one role alone chooses, the lines are also counted for the arm
    /// at `place`.
    pub(super) fn count_line(&mut self, id: NodeId, place: Option<usize>, lines: u64) {
        let Some(stage) = &mut self.nodes[id as usize].stage else {
            return;
        };
        stage.samples += lines;
        if let (Turn::Choice(choice), Some(place)) = (&mut stage.turn, place) {
            choice.arms[place].visits += lines;
        }
    }

    /// Counts samples at a node, whose rewards sum to `sums`, and updates the node's value.
    pub(super) fn add_samples(
        &mut self,
        id: NodeId,
        samples: u64,
        sums: &[f64],
        explored: &mut Explored,
    ) {
        let node = &mut self.nodes[id as usize];
        node.visits += samples;
        if node.is_sampled() {
            let share = 1.0 / node.visits as f64;
            let samples = samples as f64;
            node.value
                .iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += (sum - samples * *mean) * share);
        }
        self.value(id, explored);
    }

    /// Adds the rewards of samples through a node that have already been counted with reward 0, and
    /// updates the node's value.
    pub(super) fn add_rewards(&mut self, id: NodeId, sums: &[f64], explored: &mut Explored) {
        let node = &mut self.nodes[id as usize];
        if node.is_sampled() {
            let share = 1.0 / node.visits as f64;
            node.value
                .iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += sum * share);
        }
        self.value(id, explored);
    }

    /// Adds rewards at the end of a line, as [`Self::add_rewards`] does. If the stage of the node
    /// has been solved since, the rewards are also added to the samples from before it was solved.
    pub(super) fn add_rewards_at_end(&mut self, id: NodeId, sums: &[f64], explored: &mut Explored) {
        if let Some(Stage {
            before: (samples @ 1.., mean),
            ..
        }) = &mut self.nodes[id as usize].stage
        {
            let share = 1.0 / *samples as f64;
            mean.iter_mut()
                .zip(sums)
                .for_each(|(mean, sum)| *mean += sum * share);
        }
        self.add_rewards(id, sums, explored);
    }

    /// Updates the value of a stage from its children.
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

    /// Returns the value of a stage in which one role chooses and, if the value is exact, the index
    /// of the action to take. An inexact value is the mean over the samples of the arms without an
    /// exact value, or the value of the best exactly known arm if that is higher.
    fn of_choice(
        &self,
        choice: &Choice,
        before: &(u64, Box<[f64]>),
    ) -> (Option<Box<[f64]>>, Option<usize>) {
        let Choice { role, arms, .. } = choice;
        let mut best: Option<(f64, usize)> = None;
        let mut all_known = true;
        let mut weight = before.0 as f64;
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
                let share = arm.visits as f64;
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

    /// Returns the expectation over chance: the mean over the drawn states, combined with the
    /// samples from before the stage was solved.
    fn of_draw(&self, drawn: &[(NodeId, u64)], before: &(u64, Box<[f64]>)) -> Option<Box<[f64]>> {
        let nodes = || {
            drawn
                .iter()
                .map(|&(child, times)| (self.node(child), times as f64))
        };
        let visits: u64 = nodes().map(|(node, _)| node.visits).sum();
        let samples = (visits + before.0) as f64;
        if samples == 0.0 {
            return None;
        }
        let mean = self.mean(nodes().filter(|(node, _)| node.visits > 0));
        let share = before.0 as f64 / samples;
        Some(
            mean.iter()
                .zip(&before.1)
                .map(|(mean, before)| (1.0 - share) * mean + share * before)
                .collect(),
        )
    }

    /// Returns the weighted mean of the values of nodes.
    fn mean<'a>(&self, nodes: impl Iterator<Item = (&'a Node, f64)>) -> Box<[f64]> {
        let mut all = 0.0;
        let mut sum = vec![0.0; self.roles];
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

    /// Returns a choice with one arm, whose child is solved after its first sample and has a child
    /// of its own.
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

    /// Counts four samples along the nodes of a line.
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
