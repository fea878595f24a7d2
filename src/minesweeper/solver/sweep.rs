//! Counts the layouts of a component whose counts don't fit in memory at once. The counts are
//! summed layer by layer along the narrowest elimination order found.
//!
//! Summing the mines of each box needs the counts of every layer again, in reverse order. Only the
//! counts of some layers (checkpoints) are kept, and the layers of the segment between two
//! checkpoints are recomputed when needed. This costs one more pass. The number of counts held at a
//! time is of the order of `sqrt(T W)` if there are `T` counts in all and `W` in the widest layer.

use std::ops::Range;

use num_bigint::BigUint;

use super::{
    budget::Budget,
    counting::{BoxSums, ByMines},
    elimination::Plan,
    error::CountError,
    fixed::Fixed,
    frontier::{Component, Frontier},
    number::{Count, Real},
    order,
    states::{Edge, MineRange, Mines, States},
};

/// Number of products of 64-bit words that cost one node of the budget.
const WORDS_PER_NODE: usize = 64;
/// Counts that take at most this many bytes are all kept.
const KEEP_ALL: usize = 16 << 20;
/// Maximum number of segments.
const MAX_SEGMENTS: usize = 64;

/// A counted component, with the data for its box sums.
#[derive(Clone, Debug)]
pub(super) struct Sweep<N> {
    states: States,
    /// The index of each step's box in the order of the frontier.
    places: Vec<usize>,
    /// The first step of every segment, followed by the number of steps.
    segments: Vec<usize>,
    /// The counts at the start of each segment.
    checkpoints: Vec<Vec<N>>,
    /// The segment whose counts `layers` holds, one layer after each of its steps.
    kept: usize,
    layers: Vec<Vec<N>>,
    counts: Vec<N>,
    bytes: usize,
}

impl<N: Real> Sweep<N> {
    /// Counts the layouts of `component` whose number of mines is in `mines`, in at most `memory`
    /// bytes, including the later box sums. The cost of the box sums is spent here too.
    pub fn count(
        frontier: &Frontier,
        component: Component,
        mines: Mines,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        let (order, states) = find_states(frontier, component, mines, memory, budget)?;
        let sizes: Vec<usize> = (0..=states.steps.len())
            .map(|step| states.counts_before(step))
            .collect();
        let (segments, values) = segments(&sizes, KEEP_ALL / N::bytes(component.cells));
        let bytes = states.bytes() + values * N::bytes(component.cells);
        if bytes > memory {
            return Err(component.too_hard());
        }
        let mut place_of = vec![0; frontier.boxes.len()];
        frontier
            .order_of(component)
            .iter()
            .zip(0..)
            .for_each(|(&b, place)| place_of[usize::from(b)] = place);
        let mut sweep = Self {
            places: order.iter().map(|&b| place_of[usize::from(b)]).collect(),
            checkpoints: vec![vec![N::one()]],
            kept: 0,
            layers: Vec::new(),
            counts: Vec::new(),
            segments,
            states,
            bytes,
        };
        // The cost in passes: one forward, two for the backward pass (two products per transition),
        // and one more forward over all but one segment.
        let passes = if sweep.segments.len() > 2 { 4 } else { 3 };
        for segment in 0..sweep.segments.len() - 1 {
            for step in sweep.segments[segment]..sweep.segments[segment + 1] {
                spend::<N>(&sweep.states, step, passes, budget)?;
            }
            if let Some(last) = sweep.layers.pop() {
                sweep.checkpoints.push(last);
            }
            sweep.keep(segment);
        }
        sweep
            .counts
            .clone_from(sweep.layers.last().expect("a component has a box"));
        Ok(sweep)
    }

    /// Returns an upper bound of the memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of layouts by number of mines.
    pub fn by_mines(&self) -> ByMines<'_, N> {
        ByMines {
            fewest: fewest(&self.states),
            counts: &self.counts,
        }
    }

    /// Computes for each box of the component, in the order of the frontier, the sums over the
    /// layouts, weighted by `weights` according to their number of mines.
    pub fn box_sums(&mut self, weights: &[N], sums: &mut Vec<BoxSums<N>>) {
        sums.clear();
        sums.resize(self.places.len(), BoxSums::default());
        let mut ahead = weights.to_vec();
        for segment in (0..self.segments.len() - 1).rev() {
            if self.kept != segment {
                self.keep(segment);
            }
            let first = self.segments[segment];
            for step in (first..self.segments[segment + 1]).rev() {
                let counts = if step == first {
                    &self.checkpoints[segment]
                } else {
                    &self.layers[step - first - 1]
                };
                let (before, sum) = back(&self.states, step, counts, &ahead);
                ahead = before;
                sums[self.places[step]] = sum;
            }
        }
    }

    /// Recomputes the counts of a segment into `layers`.
    fn keep(&mut self, segment: usize) {
        self.layers.clear();
        self.kept = segment;
        for step in self.segments[segment]..self.segments[segment + 1] {
            let last = self.layers.last().unwrap_or(&self.checkpoints[segment]);
            self.layers.push(forward(&self.states, step, last));
        }
    }
}

/// Counts the layouts of `component` exactly; returns the fewest mines and the counts from there
/// on. It holds two layers of counts at a time.
pub(super) fn exact(
    frontier: &Frontier,
    component: Component,
    mines: Mines,
    budget: &mut Budget,
) -> Result<(usize, Vec<BigUint>), CountError> {
    let (_, states) = find_states(frontier, component, mines, budget.memory_limit(), budget)?;
    let counts = match states.bits() {
        0..=128 => count_exactly::<Fixed<2>>(&states, component, budget),
        129..=192 => count_exactly::<Fixed<3>>(&states, component, budget),
        193..=256 => count_exactly::<Fixed<4>>(&states, component, budget),
        257..=512 => count_exactly::<Fixed<8>>(&states, component, budget),
        _ => count_exactly::<BigUint>(&states, component, budget),
    }?;
    Ok((fewest(&states), counts))
}

fn count_exactly<N: Count + Into<BigUint>>(
    states: &States,
    component: Component,
    budget: &mut Budget,
) -> Result<Vec<BigUint>, CountError> {
    let mut counts = vec![N::one()];
    for step in 0..states.steps.len() {
        let values = states.counts_before(step) + states.counts_before(step + 1);
        if states.bytes() + values * N::bytes(component.cells) > budget.memory_limit() {
            return Err(component.too_hard());
        }
        spend::<N>(states, step, 1, budget)?;
        counts = forward(states, step, &counts);
    }
    Ok(counts.into_iter().map(Into::into).collect())
}

fn find_states(
    frontier: &Frontier,
    component: Component,
    mines: Mines,
    memory: usize,
    budget: &mut Budget,
) -> Result<(Vec<u16>, States), CountError> {
    let order = order::narrowest(frontier, component).ok_or(component.too_hard())?;
    let mut plan = Plan::default();
    plan.lay_out(frontier, component, &order)?;
    let states = States::find(&plan, mines, memory, budget)?;
    Ok((order, states))
}

fn fewest(states: &States) -> usize {
    states.before(states.steps.len())[0].fewest()
}

/// Spends the cost of `passes` passes over a step.
fn spend<N: Count>(
    states: &States,
    step: usize,
    passes: usize,
    budget: &mut Budget,
) -> Result<(), CountError> {
    let before = states.before(step);
    let products: usize = states.steps[step]
        .edges
        .iter()
        .map(|edge| before[edge.from()].len())
        .sum();
    let words = size_of::<N>().div_ceil(8);
    Ok(budget.spend((products * passes * words / WORDS_PER_NODE) as u64)?)
}

/// Returns the offset of each state's counts, followed by the total number.
fn starts(states: &[MineRange]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(states.len() + 1);
    let mut at = 0;
    starts.push(at);
    starts.extend(states.iter().map(|state| {
        at += state.len();
        at
    }));
    starts
}

/// Returns the edges of a step that carry counts, each with the ranges of these counts before and
/// after the step.
fn carried(
    states: &States,
    step: usize,
) -> impl Iterator<Item = (Edge, Range<usize>, Range<usize>)> {
    let before = states.before(step);
    let after = states.before(step + 1);
    let sources = starts(before);
    let targets = starts(after);
    states.steps[step].edges.iter().filter_map(move |&edge| {
        let shared = before[edge.from()].shared(edge.mines(), after[edge.to()]);
        let source = sources[edge.from()] + shared.from;
        let target = targets[edge.to()] + shared.to;
        (shared.len > 0).then(|| {
            let source = source..source + shared.len;
            (edge, source, target..target + shared.len)
        })
    })
}

/// Computes the counts after a step from those before it.
fn forward<N: Count>(states: &States, step: usize, counts: &[N]) -> Vec<N> {
    let mut after = vec![N::default(); states.counts_before(step + 1)];
    for (edge, source, target) in carried(states, step) {
        let ways = states.steps[step].ways(edge);
        for (target, source) in after[target].iter_mut().zip(&counts[source]) {
            target.add_scaled(source, ways);
        }
    }
    after
}

/// Computes the weights of the counts before a step from those after it, and the sums of the step's
/// box.
fn back<N: Real>(states: &States, step: usize, counts: &[N], ahead: &[N]) -> (Vec<N>, BoxSums<N>) {
    let mut weights = vec![N::default(); counts.len()];
    let mut sums = BoxSums::<N>::default();
    let size = u32::from(states.steps[step].size);
    for (edge, source, target) in carried(states, step) {
        let ways = states.steps[step].ways(edge);
        let ahead = &ahead[target];
        for (weight, ahead) in weights[source.clone()].iter_mut().zip(ahead) {
            weight.add_scaled(ahead, ways);
        }
        let through = N::dot(&counts[source], ahead);
        sums.mines.add_scaled(&through, ways * edge.mines());
        sums.safe.add_scaled(&through, ways * (size - edge.mines()));
    }
    (weights, sums)
}

/// Cuts the steps into segments so that few counts are held at a time: those at the start of each
/// segment, all of one segment, and two more layers. `sizes` are the numbers of counts before each
/// step and after the last one. If there are at most `keep_all` counts, one segment is enough.
/// Returns the cuts, including both ends, and the number of counts held.
fn segments(sizes: &[usize], keep_all: usize) -> (Vec<usize>, usize) {
    let total: usize = sizes.iter().sum();
    let widest = sizes.iter().max().copied().unwrap_or(0);
    let steps = sizes.len() - 1;
    let cut = |pieces: usize| {
        let most = total / pieces;
        let mut cuts = vec![0];
        let mut longest = 0;
        let mut first = 1;
        while first <= steps {
            // Extend the segment as far as it fits, then move its end back to the narrowest layer
            // in its last third.
            let mut length = 0;
            let fits = |&step: &usize| {
                length += sizes[step];
                step == first || length <= most
            };
            let end = (first..=steps).take_while(fits).last().unwrap_or(first);
            let third = end - (end - first) / 3;
            let end = if end == steps {
                end
            } else {
                (third..=end).min_by_key(|&step| sizes[step]).unwrap_or(end)
            };
            longest = longest.max(sizes[first..=end].iter().sum());
            cuts.push(end);
            first = end + 1;
        }
        let inner = cuts[..cuts.len() - 1].iter().map(|&cut| sizes[cut]);
        let held = inner.sum::<usize>() + longest + 2 * widest;
        (cuts, held)
    };
    let pieces = if total <= keep_all { 1 } else { MAX_SEGMENTS };
    (1..=pieces)
        .map(cut)
        .min_by_key(|&(_, held)| held)
        .expect("there is at least one segment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_hold_few_counts() {
        let sizes: Vec<usize> = (0..400_usize).map(|step| 1 + step * (399 - step)).collect();
        let total: usize = sizes.iter().sum();
        let (cuts, held) = segments(&sizes, 0);
        assert!(held * 5 < total, "{held} of {total}");
        assert_eq!((cuts.first(), cuts.last()), (Some(&0), Some(&399)));
        assert!(cuts.is_sorted_by(|a, b| a < b));
        assert_eq!(segments(&sizes, total).0, [0, 399]);
        assert_eq!(segments(&[1, 3], 0).0, [0, 1]);
    }
}
