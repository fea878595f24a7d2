//! A one-stage stochastic constraint network: variables, hard constraints, and what chance may
//! draw.

use super::{
    error::NetworkError,
    variable::{Variable, VariableKind},
};

/// The maximum total number of values in all tuples. A solver needs up to 24 bytes for each value.
const MOST_VALUES: usize = 50_000_000;

/// A hard constraint: the locations of its scope and of its tuples in the network's arenas.
#[derive(Clone, Copy, Debug)]
struct Hard {
    scope: (u32, u32),
    tuples: (usize, usize),
}

/// A one-stage stochastic constraint satisfaction problem (Koriche et al. (MAC-UCB), "General Game
/// Playing with Stochastic CSP", definitions 2 and 3), without soft constraints and threshold: the
/// utilities of MAC-UCB come from samples.
///
/// The values of a variable are numbers from 0; the caller defines what they mean. Decision
/// variables come first, then chance variables, then outcome variables, regardless of the order in
/// which they were added. A chance variable is uniform over its values, unless
/// [`Self::uniform_over`] restricts them.
///
/// ```
/// use mineflow_search::scsp::{ConstraintNetwork, Method, NetworkSolver, Query, VariableKind};
/// let mut network = ConstraintNetwork::default();
/// let bet = network.variable(VariableKind::Decision, 3);
/// let coin = network.variable(VariableKind::Chance, 2);
/// network.allow(&[bet, coin], &[0, 0, 1, 1, 2, 0, 2, 1])?;
/// let query = Query { given: &[], wanted: &[bet], method: Method::Mac, nodes: 100, time: None };
/// let mut bets = Vec::new();
/// assert!(NetworkSolver::new(network).solve(&query, |values| bets.push(values[0])));
/// assert_eq!(bets, [2], "only this bet is possible whatever the coin shows");
/// # Ok::<(), mineflow_search::scsp::NetworkError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ConstraintNetwork {
    kinds: Vec<VariableKind>,
    first_value: Vec<u32>,
    alive: Vec<bool>,
    hard: Vec<Hard>,
    scopes: Vec<u32>,
    tuples: Vec<u32>,
    /// For each variable, the indicators of its values; empty for variables without indicators.
    indicators: Vec<Vec<u32>>,
}

impl ConstraintNetwork {
    pub(super) fn clear_constraints(&mut self) {
        self.hard.clear();
        self.scopes.clear();
        self.tuples.clear();
    }

    /// Adds a variable with the domain `0..size`.
    pub fn variable(&mut self, kind: VariableKind, size: u32) -> Variable {
        let index = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.first_value.push(
            u32::try_from(self.alive.len()).expect("domains hold fewer than 2^32 values together"),
        );
        self.alive.resize(self.alive.len() + size as usize, true);
        self.indicators.push(Vec::new());
        Variable(index)
    }

    /// Adds a hard constraint that allows exactly the given tuples, which are concatenated in
    /// `tuples`. Each tuple has one value for each variable of `scope`, in that order. Duplicate
    /// tuples count once.
    ///
    /// # Errors
    /// Returns an error for an unknown or repeated variable in the scope, values that do not form
    /// complete tuples or lie outside a domain, or too many values in total.
    pub fn allow(&mut self, scope: &[Variable], tuples: &[u32]) -> Result<(), NetworkError> {
        self.check_scope(scope)?;
        if scope.is_empty() || !tuples.len().is_multiple_of(scope.len()) {
            let (arity, values) = (scope.len(), tuples.len());
            let ragged = format!("{values} values do not make tuples of {arity} values each");
            return Err(NetworkError(ragged));
        }
        for tuple in tuples.chunks_exact(scope.len()) {
            self.check_tuple(scope, tuple)?;
        }
        if self.tuples.len() + tuples.len() > MOST_VALUES {
            let tuples = "the tuples of the hard constraints hold";
            let most =
                format!("{tuples} more than {MOST_VALUES} values, more than this program keeps");
            return Err(NetworkError(most));
        }
        let first = self.scopes.len();
        self.scopes.extend(scope.iter().map(|x| x.0));
        self.push_hard(first, tuples);
        Ok(())
    }

    /// Makes a chance variable uniform over the values whose indicator is 1 (the intensional table
    /// of Koriche et al., section 3.2: `P(y = d_i) = b_i / sum b`). Indicator `i` is a decision
    /// variable with the values 0 and 1, which belongs to value `i`. An assignment in which every
    /// indicator is 0 is infeasible.
    ///
    /// # Errors
    /// Returns an error for a variable that is not a chance variable, or if the indicators are not
    /// one two-valued decision variable per value.
    pub fn uniform_over(
        &mut self,
        chance: Variable,
        indicators: &[Variable],
    ) -> Result<(), NetworkError> {
        self.check_scope(&[chance])?;
        self.check_scope(indicators)?;
        self.check_kind(chance, VariableKind::Chance)?;
        for &indicator in indicators {
            self.check_kind(indicator, VariableKind::Decision)?;
        }
        if indicators.len() != self.size(chance.0) || indicators.iter().any(|b| self.size(b.0) != 2)
        {
            return Err(NetworkError(format!(
                "variable {} needs a two-valued indicator for each value, not these {}",
                chance.index(),
                indicators.len()
            )));
        }
        self.indicators[chance.index()] = indicators.iter().map(|x| x.0).collect();
        Ok(())
    }

    /// Returns the variables of one kind, in the order in which they were added.
    pub fn of_kind(&self, kind: VariableKind) -> impl Iterator<Item = Variable> + '_ {
        (0..self.variables())
            .filter(move |&x| self.kind(x) == kind)
            .map(Variable)
    }

    /// Returns the values left in a variable's domain after preprocessing, in ascending order.
    pub fn domain(&self, x: Variable) -> impl Iterator<Item = u32> + '_ {
        self.alive(x.0)
            .iter()
            .zip(0..)
            .filter(|(alive, _)| **alive)
            .map(|(_, value)| value)
    }

    /// Returns the number of hard constraints.
    pub fn constraints(&self) -> usize {
        self.hard.len()
    }

    /// Returns the scope and the tuples of the hard constraint with index `index`.
    pub fn constraint(
        &self,
        index: usize,
    ) -> (impl ExactSizeIterator<Item = Variable> + '_, &[u32]) {
        (
            self.scope(index).iter().map(|&x| Variable(x)),
            self.tuples(index),
        )
    }

    pub(super) fn variables(&self) -> u32 {
        self.kinds.len() as u32
    }

    pub(super) fn kind(&self, x: u32) -> VariableKind {
        self.kinds[x as usize]
    }

    /// Returns, for each value of `x`, whether the value is still in the domain.
    pub(super) fn alive(&self, x: u32) -> &[bool] {
        let first = self.first_value[x as usize] as usize;
        let end = self
            .first_value
            .get(x as usize + 1)
            .map_or(self.alive.len(), |&v| v as usize);
        &self.alive[first..end]
    }

    /// Returns the number of values left in the domain of `x`.
    pub(super) fn domain_size(&self, x: u32) -> usize {
        self.alive(x).iter().filter(|&&alive| alive).count()
    }

    pub(super) fn kill(&mut self, x: u32, value: u32) {
        self.alive[(self.first_value[x as usize] + value) as usize] = false;
    }

    /// Returns the declared number of values of `x`.
    pub(super) fn size(&self, x: u32) -> usize {
        self.alive(x).len()
    }

    pub(super) fn scope(&self, constraint: usize) -> &[u32] {
        let (first, end) = self.hard[constraint].scope;
        &self.scopes[first as usize..end as usize]
    }

    pub(super) fn tuples(&self, constraint: usize) -> &[u32] {
        let (first, end) = self.hard[constraint].tuples;
        &self.tuples[first..end]
    }

    /// Adds a hard constraint without checking it.
    pub(super) fn push_relation(&mut self, scope: &[u32], tuples: &[u32]) {
        let first = self.scopes.len();
        self.scopes.extend_from_slice(scope);
        self.push_hard(first, tuples);
    }

    /// Returns the indicators of the values of `y`, or an empty list if all values are possible.
    pub(super) fn indicators(&self, y: u32) -> &[u32] {
        &self.indicators[y as usize]
    }

    fn push_hard(&mut self, first: usize, tuples: &[u32]) {
        let start = self.tuples.len();
        self.tuples.extend_from_slice(tuples);
        let scope = (first as u32, self.scopes.len() as u32);
        self.hard.push(Hard {
            scope,
            tuples: (start, self.tuples.len()),
        });
    }

    fn check_kind(&self, x: Variable, wanted: VariableKind) -> Result<(), NetworkError> {
        match self.kind(x.0) {
            kind if kind == wanted => Ok(()),
            kind => Err(NetworkError(format!(
                "variable {}, of kind {kind:?}, may not occur here",
                x.index()
            ))),
        }
    }

    fn check_scope(&self, scope: &[Variable]) -> Result<(), NetworkError> {
        for (place, x) in scope.iter().enumerate() {
            let (variable, variables) = (x.index(), self.variables());
            let wrong = |what: &str| Err(NetworkError(format!("variable {variable} {what}")));
            if x.0 >= variables {
                return wrong(&format!(
                    "is not among the {variables} variables of this network"
                ));
            }
            if scope[..place].contains(x) {
                return wrong("occurs twice in one scope");
            }
        }
        Ok(())
    }

    fn check_tuple(&self, scope: &[Variable], tuple: &[u32]) -> Result<(), NetworkError> {
        match scope
            .iter()
            .zip(tuple)
            .find(|&(x, &value)| value as usize >= self.size(x.0))
        {
            Some((x, &value)) => Err(NetworkError(format!(
                "variable {} has the values 0..{}, a tuple gives it {value}",
                x.index(),
                self.size(x.0)
            ))),
            None => Ok(()),
        }
    }
}
