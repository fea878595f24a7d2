//! Probabilities of chance and expected utilities of policies.

use super::network::{ChanceTable, ConstraintNetwork};
use super::variable::Variable;

impl ConstraintNetwork {
    /// Returns the expected utility of each player (Koriche et al., definition 2, `val(pi)`) under
    /// the policy that assigns `values[x]` to each decision variable `x`. The entries of other
    /// variables are ignored. Returns `None` if a chance variable in the scope of a utility has no
    /// distribution under these decisions. Hard constraints are ignored.
    pub fn expected_utility(&self, values: &[u32]) -> Option<Vec<f64>> {
        let mut expected = vec![0.0; self.players()];
        let mut values = values.to_vec();
        let mut tuple = Vec::new();
        let mut weights = Vec::new();
        for utility in self.utilities() {
            let chance: Vec<u32> = utility
                .scope
                .iter()
                .copied()
                .filter(|&x| self.of_chance(x).is_some())
                .collect();
            let mut tables = Vec::with_capacity(chance.len());
            for &y in &chance {
                if !self.weights(y, |x| values[x as usize], &mut weights) {
                    return None;
                }
                tables.push(weights.clone());
            }
            // The odometer enumerates the values of the chance variables in the scope.
            let mut odometer = vec![0_usize; chance.len()];
            loop {
                let mut probability = 1.0;
                for ((&y, table), &value) in chance.iter().zip(&tables).zip(&odometer) {
                    values[y as usize] = value as u32;
                    probability *= table[value];
                }
                tuple.clear();
                tuple.extend(utility.scope.iter().map(|&x| values[x as usize]));
                if let Some(row) = utility.rows.find(&tuple).filter(|_| probability > 0.0) {
                    expected
                        .iter_mut()
                        .zip(row)
                        .for_each(|(sum, u)| *sum += probability * u);
                }
                let Some(turn) = (0..odometer.len()).find(|&i| odometer[i] + 1 < tables[i].len())
                else {
                    break;
                };
                odometer[..turn].fill(0);
                odometer[turn] += 1;
            }
        }
        Some(expected)
    }

    /// Writes the distribution of a chance variable under the decisions `value_of` into `weights`;
    /// returns false if the variable has none.
    pub(super) fn weights(
        &self,
        y: u32,
        value_of: impl Fn(u32) -> u32,
        weights: &mut Vec<f64>,
    ) -> bool {
        weights.clear();
        match self.of_chance(y) {
            Some(ChanceTable::Table { scope, rows }) => {
                let key: Vec<u32> = scope.iter().map(|&x| value_of(x)).collect();
                let Some(row) = rows.find(&key) else {
                    return false;
                };
                weights.extend_from_slice(row);
                true
            }
            Some(ChanceTable::UniformOver { indicators }) => {
                let count = indicators.iter().filter(|&&b| value_of(b) == 1).count();
                let share = 1.0 / count as f64;
                weights.extend(
                    indicators
                        .iter()
                        .map(|&b| if value_of(b) == 1 { share } else { 0.0 }),
                );
                count > 0
            }
            None => false,
        }
    }

    /// Returns the probabilities of the values of chance variable `y` under the decisions `values`,
    /// which are indexed by variable. Returns `None` if the variable has no distribution under
    /// these decisions.
    pub fn probabilities(&self, y: Variable, values: &[u32]) -> Option<Vec<f64>> {
        let mut weights = Vec::new();
        self.weights(y.0, |x| values[x as usize], &mut weights)
            .then_some(weights)
    }
}
