//! The threshold of a deliberation, and the arms that the threshold cuts (Koriche et al. (MAC-UCB),
//! section 4.4).
//!
//! The upper bounds are those of UCB1. These bounds are so wide that a cut by confidence needs
//! several hundred samples of an arm.

use super::player::{Context, MacUcbPlayer};
use super::stages::{NodeId, Stage, Turn};
use mineflow_search::Ucb1;

impl MacUcbPlayer<'_> {
    /// Raises the threshold to the smallest expected reward of any player under the best policy at
    /// the root.
    pub(super) fn raise_threshold(&self, root: NodeId, context: &mut Context<'_>) {
        let Some(Stage {
            turn: Turn::Choice(choice),
            ..
        }) = &self.stages.node(root).stage
        else {
            return;
        };
        let Some(best) = choice.arms[self.best(choice, context.rng)].child else {
            return;
        };
        let chance = self.walk.chance;
        let players = self
            .stages
            .node(best)
            .value
            .iter()
            .enumerate()
            .filter(|(role, _)| Some(*role) != chance);
        let least = players
            .map(|(_, &value)| value)
            .fold(f64::INFINITY, f64::min);
        context.threshold = context.threshold.max(least);
    }

    /// Cuts, for this move, the arms of a stage whose exact value or upper confidence bound is
    /// below the threshold. The best arm is never cut.
    pub(super) fn cut(&mut self, id: NodeId, threshold: f64) {
        let Some(Stage {
            turn: Turn::Choice(choice),
            ..
        }) = &self.stages.node(id).stage
        else {
            return;
        };
        let estimates = self.stages.estimates(choice);
        let best = estimates.iter().map(|of| of.value).fold(0.0, f64::max);
        let all = estimates.iter().map(|of| of.visits).sum();
        let cuts = choice.arms.iter().zip(estimates).map(|(arm, of)| {
            let is_unlikely = || Ucb1::upper_bound(of.value, of.visits, all) < threshold;
            let is_cut = of.value < threshold.min(best) && (of.known || is_unlikely());
            (is_cut && arm.cut_at != self.effort.moves).then_some(of.known)
        });
        let cuts: Vec<Option<bool>> = cuts.collect();
        let moves = self.effort.moves;
        let Some(Stage {
            turn: Turn::Choice(choice),
            ..
        }) = &mut self.stages.node_mut(id).stage
        else {
            return;
        };
        for (arm, known) in choice
            .arms
            .iter_mut()
            .zip(cuts)
            .filter_map(|(arm, cut)| Some((arm, cut?)))
        {
            arm.cut_at = moves;
            self.effort.certain_cuts += u64::from(known);
            self.effort.confidence_cuts += u64::from(!known);
        }
    }
}
