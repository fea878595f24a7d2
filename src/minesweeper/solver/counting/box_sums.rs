//! The number of mines in each box, summed over the layouts of a component.

use super::{CHOOSE, Counted, Counting, End};
use crate::solver::number::Real;

/// Weighted sums over all layouts of a component, for one of its boxes.
#[derive(Clone, Copy, Debug)]
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
        let Self {
            spans,
            transitions,
            steps,
            counts,
            backward,
            leads,
            counted,
            ..
        } = self;
        let Counted {
            first_step,
            end_step,
            last_span,
        } = counted[i];
        let first_span = if i == 0 {
            0
        } else {
            counted[i - 1].last_span + 1
        };
        backward.resize(counts.len(), N::zero());
        backward[spans[first_span].range().start..spans[last_span].range().end].fill(N::zero());
        backward[spans[end].range()].copy_from_slice(weights);
        leads.resize(spans.len(), false);
        leads[first_span..=last_span].fill(false);
        leads[end] = true;
        sums.clear();
        sums.resize(
            end_step - first_step,
            BoxSums {
                mines: N::zero(),
                safe: N::zero(),
            },
        );
        for step in (first_step..end_step).rev() {
            let first = if step == 0 {
                0
            } else {
                steps[step - 1].1 as usize
            };
            let (size, end) = steps[step];
            let size = u32::from(size);
            let sum = &mut sums[step - first_step];
            for transition in &transitions[first..end as usize] {
                if !leads[transition.to as usize] {
                    continue;
                }
                leads[transition.from as usize] = true;
                let from = spans[transition.from as usize];
                let to = spans[transition.to as usize];
                let ways = CHOOSE[size as usize][transition.mines as usize];
                let (before, after) = backward.split_at_mut(to.range().start);
                let after = &after[(from.fewest + transition.mines - to.fewest) as usize..];
                let reach = (to.most + 1 - transition.mines).saturating_sub(from.fewest) as usize;
                let source = from.range();
                let mut through = N::zero();
                for ((back, ahead), count) in before[source.clone()]
                    .iter_mut()
                    .zip(&after[..reach.min(after.len())])
                    .zip(&counts[source])
                {
                    back.add_scaled(ahead, ways);
                    through.add_product(*count, *ahead);
                }
                sum.mines.add_scaled(&through, ways * transition.mines);
                sum.safe
                    .add_scaled(&through, ways * (size - transition.mines));
            }
        }
    }
}
