//! The values of stages: sums of samples, and backing up from the children of a stage.

use super::stages::{Choice, Node, NodeId, Stage, Stages, Turn};
use crate::player::add_scaled;
use crate::player::explored::Explored;

impl Stages {
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
            add_scaled(&mut node.value, 1.0 / node.visits as f64, sums);
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
            add_scaled(mean, 1.0 / *samples as f64, sums);
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
        let role = choice.role;
        let mut best: Option<(&Node, usize)> = None;
        let mut all_known = true;
        let mut weight = before.0 as f64;
        let mut sum: Vec<f64> = before.1.iter().map(|value| weight * value).collect();
        for (place, arm) in choice.arms.iter().enumerate() {
            let node = arm.child.map(|child| self.node(child));
            all_known &= node.is_some_and(|node| node.known);
            match node {
                Some(node) if !node.known => {
                    add_scaled(&mut sum, arm.visits as f64, &node.value);
                    weight += arm.visits as f64;
                }
                Some(node) if best.is_none_or(|(best, _)| node.value[role] > best.value[role]) => {
                    best = Some((node, place));
                }
                _ => {}
            }
        }
        match best {
            Some((node, place)) if all_known => (Some(node.value.clone()), Some(place)),
            Some((node, _)) if weight == 0.0 || node.value[role] > sum[role] / weight => {
                (Some(node.value.clone()), None)
            }
            _ if weight > 0.0 => (Some(sum.iter().map(|sum| sum / weight).collect()), None),
            _ => (None, None),
        }
    }

    /// Returns the expectation over chance: the mean over the drawn states, combined with the
    /// samples from before the stage was solved.
    fn of_draw(&self, drawn: &[(NodeId, u64)], before: &(u64, Box<[f64]>)) -> Option<Box<[f64]>> {
        let mut visits = before.0;
        let mut all = 0.0;
        let mut sum = vec![0.0; self.roles];
        for &(child, times) in drawn {
            let node = self.node(child);
            visits += node.visits;
            if node.visits > 0 {
                all += times as f64;
                add_scaled(&mut sum, times as f64, &node.value);
            }
        }
        if visits == 0 {
            return None;
        }
        let share = before.0 as f64 / visits as f64;
        let value = |(sum, before): (&f64, &f64)| {
            let mean = if all > 0.0 { sum / all } else { 0.0 };
            (1.0 - share) * mean + share * before
        };
        Some(sum.iter().zip(&before.1).map(value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::mac_ucb::stages::Arm;

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
