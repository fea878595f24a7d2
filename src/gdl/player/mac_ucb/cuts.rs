//! The threshold of a deliberation, and the arms that the threshold cuts (Koriche et al. (MAC-UCB),
//! section 4.4).
//!
//! The upper bounds are those of UCB1. These bounds are so wide that a cut by confidence needs
//! several hundred samples of an arm.

use super::{
    player::{Context, MacUcbPlayer},
    stages::{ArmEstimate, NodeId},
};
use mineflow_search::bandit::ucb1;

impl MacUcbPlayer<'_> {
    /// Raises the threshold to the smallest expected reward of any player under the best policy at
    /// the root.
    pub(super) fn raise_threshold(&self, context: &mut Context<'_>) {
        let Some(choice) = self.stages.sole_choice(context.root) else {
            return;
        };
        let Some(best) = choice.arms[self.best(choice, context.rng)].child else {
            return;
        };
        let values = self.stages.node(best).value.iter().enumerate();
        let players = values.filter(|(role, _)| Some(*role) != self.walk.chance);
        let least = players
            .map(|(_, &value)| value)
            .fold(f64::INFINITY, f64::min);
        context.threshold = context.threshold.max(least);
    }

    /// Cuts, for this move, the arms of a stage whose exact value or upper confidence bound is
    /// below the threshold. The best arm is never cut.
    pub(super) fn cut(&mut self, id: NodeId, threshold: f64) {
        let Some(choice) = self.stages.sole_choice(id) else {
            return;
        };
        let estimates = self.stages.estimates(choice);
        let best = estimates.iter().map(|of| of.value).fold(0.0, f64::max);
        let all = estimates.iter().map(|of| of.visits).sum();
        let is_cut = |of: &ArmEstimate| {
            of.value < threshold.min(best)
                && (of.known || ucb1(of.value, of.visits, all) < threshold)
        };
        let moves = self.effort.moves;
        let choice = self.stages.sole_choice_mut(id).into_iter();
        for (arm, of) in choice.flat_map(|choice| &mut choice.arms).zip(&estimates) {
            if arm.cut_at != moves && is_cut(of) {
                arm.cut_at = moves;
                self.effort.certain_cuts += u64::from(of.known);
                self.effort.confidence_cuts += u64::from(!of.known);
            }
        }
    }
}
