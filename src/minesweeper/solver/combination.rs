//! Combines the components of a position with the cells off the boundary.

use super::{
    Contradiction, CountError,
    budget::{Budget, Exhausted},
    components::Components,
    counting::{BoxSums, ByMines},
    deduction::SingleNumbers,
    frontier::Frontier,
    number::Real,
    outlook::{Outlook, Safest, TakeSums},
    probabilities::{Probabilities, Weighting},
    product_tree::ProductTree,
    rest::{LnBinomials, rest_weights},
};

/// Up to this many cells on the boundary, sums stay far from the limits of an `f64`, provided that
/// the numbers of [`rest_weights`] fit.
pub(super) const F64_BOUNDARY: usize = 400;

/// The combined components of a frontier, in the number type `N`.
#[derive(Clone, Debug, Default)]
pub(super) struct Combination<N> {
    components: Components<N>,
    joint: JointCount<N>,
    weights: Vec<N>,
    sums: Vec<BoxSums<N>>,
}

impl<N: Real> Combination<N> {
    /// Computes `probabilities`. Returns false if the counts may leave the range of `N`.
    pub fn probabilities(
        &mut self,
        (deduction, frontier): (&SingleNumbers, &Frontier),
        weighting: Weighting,
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let is_in_range = self
            .count(frontier, weighting, budget)
            .and_then(|()| match weighting {
                Weighting::Solutions => {
                    probabilities.begin(deduction);
                    self.solutions(frontier, probabilities);
                    Ok(true)
                }
                Weighting::Posterior => {
                    self.posterior((deduction, frontier), probabilities, budget)
                }
            });
        self.components.release();
        is_in_range
    }

    fn count(
        &mut self,
        frontier: &Frontier,
        weighting: Weighting,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        self.components.begin();
        for &component in &frontier.components {
            let mines = match weighting {
                Weighting::Solutions => 0..=u32::MAX as usize,
                Weighting::Posterior => frontier.mines_of(component),
            };
            self.components.count(frontier, component, mines, budget)?;
        }
        Ok(())
    }

    /// Computes the probabilities under [`Weighting::Solutions`]: every layout of a component has
    /// the same weight, independently of the other components.
    fn solutions(&mut self, frontier: &Frontier, probabilities: &mut Probabilities) {
        for i in 0..frontier.components.len() {
            let counts = self.components.by_mines(i).counts;
            let mut total = N::default();
            counts.iter().for_each(|count| total.add_scaled(count, 1));
            self.weights.clear();
            self.weights.resize(counts.len(), N::one());
            self.components.box_sums(i, &self.weights, &mut self.sums);
            probabilities.put_component(frontier, i, &self.sums, total);
        }
    }

    /// Returns the natural logarithm of the number of layouts, or `None` if the counts may leave
    /// the range of `N`.
    pub fn ln_layouts(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Option<f64>, CountError> {
        let counted = self
            .count(frontier, Weighting::Posterior, budget)
            .and_then(|()| self.total(frontier, budget));
        self.components.release();
        Ok(counted?.map(|total| total.ln_layouts))
    }

    /// Returns the outlook of the position, or `None` if the counts may leave the range of `N`.
    pub fn outlook(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Option<Outlook>, CountError> {
        let found = self
            .count(frontier, Weighting::Posterior, budget)
            .and_then(|()| self.safest(frontier, budget));
        self.components.release();
        found
    }

    fn safest(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Option<Outlook>, CountError> {
        let Some(total) = self.total(frontier, budget)? else {
            return Ok(None);
        };
        self.joint.weigh_components(budget)?;
        let mut safest = Safest::of(total.layouts);
        for i in 0..frontier.components.len() {
            self.components
                .box_sums(i, self.joint.weights_of(i), &mut self.sums);
            safest.take_component(frontier, i, &self.sums);
        }
        safest.take_rest(&total.in_rest, frontier.rest);
        Ok(Some(safest.outlook(total.ln_layouts)))
    }

    fn total(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Option<Total<N>>, CountError> {
        let by_mines = (0..frontier.components.len()).map(|i| self.components.by_mines(i));
        self.joint
            .total(by_mines, frontier.mines_left, frontier.rest, budget)
    }

    /// Computes the probabilities under [`Weighting::Posterior`]: a layout's weight is the number of
    /// ways to place the remaining mines on the rest.
    fn posterior(
        &mut self,
        (deduction, frontier): (&SingleNumbers, &Frontier),
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let Some(total) = self.total(frontier, budget)? else {
            return Ok(false);
        };
        self.joint.weigh_components(budget)?;
        probabilities.begin(deduction);
        probabilities.ln_layouts = total.ln_layouts;
        for i in 0..frontier.components.len() {
            self.components
                .box_sums(i, self.joint.weights_of(i), &mut self.sums);
            probabilities.put_component(frontier, i, &self.sums, total.layouts);
        }
        if frontier.rest > 0 {
            let mine = total.in_rest.mines.ratio(total.layouts) / frontier.rest as f64;
            probabilities.put_rest(deduction, mine, &total.in_rest);
        }
        Ok(true)
    }
}

/// The product tree of the components' layout counts, with a weight for each total number of mines
/// in the components.
#[derive(Clone, Debug, Default)]
pub(super) struct JointCount<N> {
    tree: ProductTree<N>,
    weights: Vec<N>,
    ln_binomials: LnBinomials,
}

/// The number of layouts of a position. The unit of `layouts` and `in_rest` is the number of ways
/// to place the most possible mines on the rest.
pub(super) struct Total<N> {
    pub layouts: N,
    pub in_rest: BoxSums<N>,
    /// The natural logarithm of the number of layouts.
    pub ln_layouts: f64,
}

impl<N: Real> JointCount<N> {
    /// Sums all layouts, weighting each by the number of ways to place the remaining mines on the
    /// `rest` cells off the boundary. Returns `None` if the weights may leave the range of `N`.
    pub fn total<'a>(
        &mut self,
        components: impl Iterator<Item = ByMines<'a, N>>,
        mines_left: usize,
        rest: usize,
        budget: &mut Budget,
    ) -> Result<Option<Total<N>>, CountError>
    where
        N: 'a,
    {
        self.tree.build(components, budget)?;
        let ByMines { fewest, counts } = self.tree.root();
        if !rest_weights(fewest, counts.len(), mines_left, rest, &mut self.weights) {
            return Ok(None);
        }
        let mut layouts = N::default();
        let mut in_rest = BoxSums::<N>::default();
        let mut most_in_rest = None;
        for (i, (&count, &weight)) in counts.iter().zip(&self.weights).enumerate() {
            let mut here = N::default();
            here.add_product(count, weight);
            if let Some(mines) = mines_left
                .checked_sub(fewest + i)
                .filter(|&mines| mines <= rest)
            {
                most_in_rest.get_or_insert(mines);
                layouts.add_scaled(&here, 1);
                in_rest.mines.add_scaled(&here, mines as u32);
                in_rest.safe.add_scaled(&here, (rest - mines) as u32);
            }
        }
        let Some(unit) = most_in_rest.filter(|_| !layouts.is_zero()) else {
            return Err(Contradiction.into());
        };
        let ln_layouts = layouts.ln() + self.ln_binomials.get(rest, unit);
        Ok(Some(Total {
            layouts,
            in_rest,
            ln_layouts,
        }))
    }

    /// Carries the weights down to the components; call after [`JointCount::total`].
    pub fn weigh_components(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        self.tree.weigh(&self.weights, budget)
    }

    /// Returns the weights of the numbers of mines of one component, one for each of its counts.
    pub fn weights_of(&self, component: usize) -> &[N] {
        self.tree.leaf_weights(component)
    }
}
