//! Rules as tables: each variable is defined by clauses over tests of other variables.

use std::collections::HashMap;

use mineflow_search::scsp::{ConstraintNetwork, NetworkError, Variable, VariableKind};

/// A test of whether a variable has a given value or, if the test is negated, any other value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Test {
    pub x: Variable,
    pub value: u32,
    pub negated: bool,
}

impl Test {
    /// Returns a test of whether a variable has a value.
    pub const fn is(x: Variable, value: u32) -> Self {
        Self {
            x,
            value,
            negated: false,
        }
    }

    fn holds(self, value: u32) -> bool {
        (value == self.value) != self.negated
    }
}

/// A disjunction of conjunctions of tests.
pub(super) type Clauses = Vec<Vec<Test>>;

/// A builder of a network whose constraints each define one variable by other variables. Once these
/// are fixed, propagation finds the value of the defined variable.
pub(super) struct TableBuilder {
    pub network: ConstraintNetwork,
    sizes: HashMap<Variable, u32>,
    /// The maximum number of tuples of a table, except for tables of two variables. Rules that need
    /// more tuples get variables for their parts.
    most_tuples: usize,
    /// The variables for parts of rules. Equal parts share a variable.
    parts: HashMap<(Clauses, bool), Variable>,
}

impl TableBuilder {
    pub fn new(most_tuples: usize) -> Self {
        Self {
            network: ConstraintNetwork::default(),
            sizes: HashMap::new(),
            most_tuples,
            parts: HashMap::new(),
        }
    }

    pub fn variable(&mut self, kind: VariableKind, size: u32) -> Variable {
        let x = self.network.variable(kind, size);
        self.sizes.insert(x, size);
        x
    }

    /// Allows the tuples in which `target` has the value that `value_of` returns for the values of
    /// `inputs`. Input values for which `value_of` returns `None` are not allowed.
    pub fn tabulate(
        &mut self,
        inputs: &[Variable],
        target: Variable,
        value_of: impl Fn(&[u32]) -> Option<u32>,
    ) -> Result<(), NetworkError> {
        let sizes: Vec<u32> = inputs.iter().map(|x| self.sizes[x]).collect();
        let mut values = vec![0; inputs.len()];
        let mut tuples = Vec::new();
        loop {
            if let Some(value) = value_of(&values) {
                tuples.extend_from_slice(&values);
                tuples.push(value);
            }
            let Some(turn) = (0..values.len()).rev().find(|&i| values[i] + 1 < sizes[i]) else {
                break;
            };
            values[turn] += 1;
            values[turn + 1..].fill(0);
        }
        let scope: Vec<Variable> = inputs.iter().copied().chain([target]).collect();
        self.network.allow(&scope, &tuples)
    }

    /// Defines a Boolean variable that is 1 if and only if one of the clauses holds.
    pub fn define(
        &mut self,
        target: Variable,
        clauses: &Clauses,
        kind: VariableKind,
    ) -> Result<(), NetworkError> {
        let inputs = scope_of(clauses);
        if inputs.len() <= 1 || self.fits(&inputs) {
            return self.tabulate(&inputs, target, |values| {
                Some(u32::from(any_holds(clauses, &inputs, values)))
            });
        }
        // A single clause is split into two conjunctions, several clauses into two disjunctions.
        let is_single = clauses.len() == 1;
        let [one, other] = match &clauses[..] {
            [body] => {
                let (one, other) = body.split_at(body.len() / 2);
                [vec![one.to_vec()], vec![other.to_vec()]]
            }
            _ => {
                let (one, other) = clauses.split_at(clauses.len() / 2);
                [one.to_vec(), other.to_vec()]
            }
        };
        let mut inputs = vec![self.part(one, kind)?, self.part(other, kind)?];
        inputs.dedup();
        self.tabulate(&inputs, target, |values| {
            Some(u32::from(if is_single {
                !values.contains(&0)
            } else {
                values.contains(&1)
            }))
        })
    }

    /// Returns a Boolean variable for a part of a rule.
    fn part(&mut self, clauses: Clauses, kind: VariableKind) -> Result<Variable, NetworkError> {
        if let [body] = &clauses[..]
            && let [
                Test {
                    x,
                    value: 1,
                    negated: false,
                },
            ] = body[..]
            && self.sizes[&x] == 2
        {
            return Ok(x);
        }
        let key = (clauses, kind == VariableKind::Decision);
        if let Some(&known) = self.parts.get(&key) {
            return Ok(known);
        }
        let part = self.variable(kind, 2);
        self.define(part, &key.0, kind)?;
        self.parts.insert(key, part);
        Ok(part)
    }

    /// Returns whether a table over `inputs` and the variable that they define has few enough
    /// tuples.
    pub fn fits(&self, inputs: &[Variable]) -> bool {
        let mut tuples = 1_usize;
        inputs.iter().all(|x| {
            tuples = tuples.saturating_mul(self.sizes[x] as usize);
            tuples <= self.most_tuples
        })
    }

    pub fn size(&self, x: Variable) -> u32 {
        self.sizes[&x]
    }
}

/// Returns the variables that the clauses test, in ascending order.
pub(super) fn scope_of(clauses: &[Vec<Test>]) -> Vec<Variable> {
    let mut scope: Vec<Variable> = clauses.iter().flatten().map(|test| test.x).collect();
    scope.sort_unstable();
    scope.dedup();
    scope
}

/// Returns whether some clause holds for the values of `inputs`, which are in ascending order and
/// include every tested variable.
pub(super) fn any_holds(clauses: &[Vec<Test>], inputs: &[Variable], values: &[u32]) -> bool {
    let value_of = |x: Variable| {
        values[inputs
            .binary_search(&x)
            .expect("the inputs are the scope of the clauses")]
    };
    clauses
        .iter()
        .any(|body| body.iter().all(|test| test.holds(value_of(test.x))))
}
