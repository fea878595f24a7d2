//! The number of mines in each box, summed over the layouts of a component.

use super::{CHOOSE, Counted, Counting, End};
use crate::solver::number::Real;

/// Weighted sums over all layouts of a component, for one of its boxes.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct BoxSums<N> {
    /// The weighted sum of the mines in the box.
    pub(in crate::solver) mines: N,
    /// The weighted sum of the safe cells in the box.
    pub(in crate::solver) safe: N,
}

impl<N: Real> Counting<N> {
    /// Computes for each box of the `i`-th component, in elimination order, the sums over its
    /// layouts, weighted by `weights` according to their number of mines. There is one weight for
    /// each count of [`ByMines`].
    pub(in crate::solver) fn box_sums(
        &mut self,
        i: usize,
        weights: &[N],
        sums: &mut Vec<BoxSums<N>>,
    ) {
        self.sum_boxes(i, self.counted[i].last_span, weights, sums);
    }

    /// Computes the same sums as [`Counting::box_sums`], but only over the layouts that reach this
    /// end of the `i`-th component.
    pub(in crate::solver) fn box_sums_at(
        &mut self,
        i: usize,
        end: End,
        weights: &[N],
        sums: &mut Vec<BoxSums<N>>,
    ) {
        self.sum_boxes(i, end.span as usize, weights, sums);
    }

    fn sum_boxes(&mut self, i: usize, end: usize, weights: &[N], sums: &mut Vec<BoxSums<N>>) {
        let Counted {
            first_step,
            end_step,
            last_span,
        } = self.counted[i];
        let first_span = match i.checked_sub(1) {
            None => 0,
            Some(before) => self.counted[before].last_span + 1,
        };
        self.backward.resize(self.counts.len(), N::default());
        self.backward[self.spans[first_span].range().start..self.spans[last_span].range().end]
            .fill(N::default());
        self.backward[self.spans[end].range()].copy_from_slice(weights);
        self.leads.resize(self.spans.len(), false);
        self.leads[first_span..=last_span].fill(false);
        self.leads[end] = true;
        sums.clear();
        for step in (first_step..end_step).rev() {
            sums.push(self.sum_box(step));
        }
        sums.reverse();
    }

    /// Carries the weights back over a step, and returns the sums of its box.
    fn sum_box(&mut self, step: usize) -> BoxSums<N> {
        let first = match step.checked_sub(1) {
            None => 0,
            Some(before) => self.steps[before].1 as usize,
        };
        let (size, end) = self.steps[step];
        let size = u32::from(size);
        let mut sum = BoxSums::<N>::default();
        for transition in &self.transitions[first..end as usize] {
            if !self.leads[transition.to as usize] {
                continue;
            }
            self.leads[transition.from as usize] = true;
            let from = self.spans[transition.from as usize];
            let to = self.spans[transition.to as usize];
            let ways = CHOOSE[size as usize][transition.mines as usize];
            let (before, after) = self.backward.split_at_mut(to.range().start);
            let after = &after[(from.fewest + transition.mines - to.fewest) as usize..];
            let reach = (to.most + 1 - transition.mines).saturating_sub(from.fewest) as usize;
            let source = from.range();
            let mut through = N::default();
            for ((back, ahead), count) in before[source.clone()]
                .iter_mut()
                .zip(&after[..reach.min(after.len())])
                .zip(&self.counts[source])
            {
                back.add_scaled(ahead, ways);
                through.add_product(*count, *ahead);
            }
            sum.mines.add_scaled(&through, ways * transition.mines);
            sum.safe
                .add_scaled(&through, ways * (size - transition.mines));
        }
        sum
    }
}
