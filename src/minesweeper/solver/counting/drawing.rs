//! Draws random layouts of a component.

use rand::RngExt;

use super::{CHOOSE, Counted, Counting};
use crate::solver::number::Real;
use mineflow_rng::Rng;

impl<N: Real> Counting<N> {
    /// Prepares [`Counting::draw`]; call it after the last component was counted.
    pub(in crate::solver) fn order_for_drawing(&mut self) {
        self.transitions.sort_by_key(|transition| transition.to);
        self.into.clear();
        for (i, transition) in self.transitions.iter().enumerate() {
            let len = self.into.len().max(transition.to as usize + 1);
            self.into.resize(len, i as u32);
        }
        self.into
            .resize(self.spans.len() + 1, self.transitions.len() as u32);
    }

    /// Draws uniformly one of the layouts that `ByMines::counts[at]` of the `i`-th component
    /// counts. Appends the number of mines of each box, the last box in elimination order first.
    pub(in crate::solver) fn draw(
        &self,
        i: usize,
        at: usize,
        rng: &mut Rng,
        mines_of_boxes: &mut Vec<u8>,
    ) {
        let Counted {
            first_step,
            end_step,
            last_span,
        } = self.counted[i];
        let mut span = last_span;
        let mut at = at;
        for &(size, _) in self.steps[first_step..end_step].iter().rev() {
            let to = self.spans[span];
            let so_far = to.fewest as usize + at;
            let total = self.counts[to.range().start + at];
            let mut left = rng.random::<f64>();
            let mut chosen = None;
            let into = self.into[span] as usize..self.into[span + 1] as usize;
            for transition in &self.transitions[into] {
                let from = self.spans[transition.from as usize];
                let Some(before) = so_far.checked_sub((from.fewest + transition.mines) as usize)
                else {
                    continue;
                };
                let Some(count) = self.counts[from.range()]
                    .get(before)
                    .filter(|count| !count.is_zero())
                else {
                    continue;
                };
                // The last possible way is the fallback if the shares don't add up to 1 because of
                // rounding.
                chosen = Some((transition, before));
                left -= count
                    .times(f64::from(CHOOSE[size as usize][transition.mines as usize]))
                    .ratio(total);
                if left < 0.0 {
                    break;
                }
            }
            let (transition, before) = chosen.expect("what was counted was reached in some way");
            (span, at) = (transition.from as usize, before);
            mines_of_boxes.push(transition.mines as u8);
        }
    }
}
