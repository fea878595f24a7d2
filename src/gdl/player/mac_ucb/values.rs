//! The values of stages: sums of samples, and backing up from the children of a stage.

use super::stages::{Choice, Node, NodeId, Stage, Stages, Turn};
use crate::player::{add_scaled, explored::Explored};

impl Stages {
    /// Counts a sample at a node and updates the node's value.
    pub fn add_sample(&mut self, id: NodeId, rewards: &[f64], explored: &mut Explored) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        if node.is_sampled() {
            let share = 1.0 / node.visits as f64;
            node.value
                .iter_mut()
                .zip(rewards)
                .for_each(|(mean, reward)| *mean += (reward - *mean) * share);
        }
        self.value(id, explored);
    }

    /// Updates the value of a stage from its children.
    pub fn value(&mut self, id: NodeId, explored: &mut Explored) {
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

    /// Samples a stage with one arm, whose child is solved after its first sample and has a child of
    /// its own.
    #[test]
    fn samples_from_before_a_stage_was_solved_still_count() {
        let mut explored = Explored::new(None, 0);
        let mut stages = Stages::new(2, 100);
        let nodes: Vec<NodeId> = (0..3).map(|_| stages.add(None)).collect();
        let choice = |child| {
            let arms = vec![Arm {
                child: Some(child),
                ..Arm::new(0)
            }];
            Turn::Choice(Choice { role: 0, arms })
        };
        for (end, rewards) in [(1, [0.25, 0.75]), (2, [1.0, 0.0])] {
            stages.solved(nodes[end - 1], choice(nodes[end]));
            stages.add_sample(nodes[end], &rewards, &mut explored);
            for &id in nodes[..end].iter().rev() {
                stages.count_line(id, Some(0));
                stages.add_sample(id, &rewards, &mut explored);
            }
        }
        let value = |place: usize| stages.node(nodes[place]).value.to_vec();
        assert_eq!(value(0), [0.625, 0.375]);
        assert_eq!(value(2), [1.0, 0.0]);
    }
}
