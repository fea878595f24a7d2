//! The threshold of a deliberation, and the arms that it removes (English paper, section 4.4).
//!
//! The bounds are those of UCB1, so wide that a cut by confidence takes some hundred samples of an arm.

use super::player::{Context, MacUcbPlayer};
use super::stages::{Arm, Choice, Node, NodeId, Stage, Turn};
use mineflow_search::Ucb1;

impl MacUcbPlayer<'_> {
    /// Raises the threshold to the least expected reward of the best policy at the root.
    pub(super) fn raise_threshold(&self, root: NodeId, context: &mut Context<'_>) {
        let Some(Stage { turn: Turn::Choice(choice), .. }) = &self.stages.node(root).stage else { return };
        let Some(best) = choice.arms[self.best(choice, context.rng)].child else { return };
        let chance = self.walk.chance;
        let players = self.stages.node(best).value.iter().enumerate().filter(|(role, _)| Some(*role) != chance);
        let least = players.map(|(_, &value)| value).fold(f64::INFINITY, f64::min);
        context.threshold = context.threshold.max(least);
    }

    /// Cuts the arms of a stage below the threshold for this move: those known to be, and those whose upper bound is. The
    /// best stays.
    pub(super) fn cut(&mut self, id: NodeId, threshold: f64) {
        let Some(Stage { turn: Turn::Choice(Choice { role, arms, .. }), .. }) = &self.stages.node(id).stage else {
            return;
        };
        let values: Vec<(f64, u32, bool)> = arms.iter().map(|arm| self.stages.of_arm(arm, *role)).collect();
        let best = values.iter().map(|(value, ..)| *value).fold(0.0, f64::max);
        let all = values.iter().map(|(_, visits, _)| visits).sum();
        let cuts = arms.iter().zip(values).map(|(arm, (value, visits, known))| {
            let below =
                value < threshold.min(best) && (known || self.is_unlikely(arm, *role, value, visits, all, threshold));
            (below && arm.cut_at != self.effort.moves).then_some(known)
        });
        let cuts: Vec<Option<bool>> = cuts.collect();
        let moves = self.effort.moves;
        let Some(Stage { turn: Turn::Choice(choice), .. }) = &mut self.stages.node_mut(id).stage else { return };
        for (arm, known) in choice.arms.iter_mut().zip(cuts).filter_map(|(arm, cut)| Some((arm, cut?))) {
            arm.cut_at = moves;
            self.effort.certain_cuts += u64::from(known);
            self.effort.confidence_cuts += u64::from(!known);
        }
    }

    /// Whether the upper bound of an arm is below the threshold; where it leads to chance, that of each of its values.
    fn is_unlikely(&self, arm: &Arm, role: usize, value: f64, visits: u32, all: u32, threshold: f64) -> bool {
        let node = arm.child.map(|child| self.stages.node(child));
        if let Some(Stage { turn: Turn::Draw { drawn, whole: true }, .. }) = node.and_then(|node| node.stage.as_ref()) {
            let below = |&(child, _): &(NodeId, u32)| {
                let Node { value, visits: of_value, known, .. } = self.stages.node(child);
                let bound = if *known { value[role] } else { Ucb1::upper_bound(value[role], *of_value, visits) };
                bound < threshold
            };
            return drawn.iter().all(below);
        }
        Ucb1::upper_bound(value, visits, all) < threshold
    }
}
