//! Evaluation of the hard constraints of a network without search, for networks in which the given variables determine all other
//! variables one after the other.
//!
//! Each constraint is looked up once, when the last variable of its scope is evaluated: the values of the other variables in the scope
//! select the row of values that the constraint allows for the last one. Thus no constraint is skipped, whether it defines that variable or
//! only checks its value. The evaluation order is computed once. A variable is evaluated as soon as some constraint allows at most one
//! value of it, whatever the values of the other variables in the scope are, or as soon as the other variables of all its constraints have
//! been evaluated.

use std::collections::VecDeque;
use std::ops::Range;

use super::error::NetworkError;
use super::network::ConstraintNetwork;
use super::variable::Variable;

/// The maximum number of words in the rows of all constraints.
const MOST_WORDS: usize = 50_000_000;
/// A placeholder for a missing value.
const NO_VALUE: u32 = u32::MAX;

/// A variable for which the constraints do not leave exactly one value, or for which they exclude the given value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undetermined {
    pub variable: Variable,
    /// The number of values left; 0 if the given value is excluded.
    pub left: u32,
}

/// A network prepared for evaluation. The given variables are divided into rounds.
#[derive(Clone, Debug)]
pub struct Evaluation {
    steps: Vec<Turn>,
    tables: Vec<Lookup>,
    inputs: Vec<KnownValue>,
    words: Vec<u64>,
    /// The index of the end of each round's steps.
    rounds: Vec<usize>,
    values: Vec<u32>,
    mask: Vec<u64>,
}

/// The step that evaluates a variable.
#[derive(Clone, Copy, Debug)]
struct Turn {
    x: u32,
    given: bool,
    /// The index of the first word of the variable's domain, a bit-set of `width` words.
    domain: u32,
    width: u32,
    /// The index of the end of the step's tables, which start where those of the previous step end.
    tables: u32,
}

/// The lookup table of a constraint, whose rows start at word `rows`.
#[derive(Clone, Copy, Debug)]
struct Lookup {
    rows: u32,
    /// The index of the end of the table's inputs, which start where those of the previous table end.
    inputs: u32,
}

/// An already evaluated variable, and the number of words between the rows of consecutive values.
#[derive(Clone, Copy, Debug)]
struct KnownValue {
    x: u32,
    stride: u32,
}

impl Evaluation {
    /// Computes the evaluation order of `network`, given the variables of `given`, round by round.
    ///
    /// # Errors
    /// Returns an error if the given variables do not determine a variable that some constraint contains, or if the tables need too much
    /// memory.
    pub fn new(network: &ConstraintNetwork, given: &[Vec<Variable>]) -> Result<Self, NetworkError> {
        let mut plan = OrderBuilder::new(network, given);
        plan.begin()?;
        let mut rounds = Vec::with_capacity(given.len());
        for variables in given {
            for &x in variables {
                plan.settle(x.0)?;
            }
            plan.follow()?;
            rounds.push(plan.evaluation.steps.len());
        }
        if let Some(x) = (0..network.variables())
            .find(|&x| !plan.settled[x as usize] && !plan.of[x as usize].is_empty())
        {
            return Err(NetworkError::Undefined {
                variable: x as usize,
            });
        }
        plan.evaluation.rounds = rounds;
        Ok(plan.evaluation)
    }

    /// Sets the variables of a round, and evaluates the variables that they determine together with the variables of earlier rounds.
    ///
    /// # Errors
    /// Returns the first variable with no value or several values left, or whose given value is excluded.
    pub fn give(&mut self, round: usize, given: &[(Variable, u32)]) -> Result<(), Undetermined> {
        for &(x, value) in given {
            self.values[x.index()] = value;
        }
        let first = round.checked_sub(1).map_or(0, |before| self.rounds[before]);
        self.evaluate(first..self.rounds[round])
    }

    /// Returns the value of a variable after the last round, or `None` if no constraint contains the variable.
    pub fn value(&self, x: Variable) -> Option<u32> {
        Some(self.values[x.index()]).filter(|&value| value != NO_VALUE)
    }

    fn evaluate(&mut self, steps: Range<usize>) -> Result<(), Undetermined> {
        let Self {
            steps: all,
            tables,
            inputs,
            words,
            values,
            mask,
            ..
        } = self;
        let before = |at: usize| {
            at.checked_sub(1)
                .map_or(0, |before| all[before].tables as usize)
        };
        let mut table = before(steps.start);
        let mut input = table
            .checked_sub(1)
            .map_or(0, |before| tables[before].inputs as usize);
        for step in &all[steps] {
            let width = step.width as usize;
            mask.clear();
            mask.extend_from_slice(&words[step.domain as usize..][..width]);
            for Lookup { rows, inputs: end } in &tables[table..step.tables as usize] {
                let scope = &inputs[input..*end as usize];
                let row = scope.iter().fold(*rows, |row, input| {
                    row + values[input.x as usize] * input.stride
                });
                mask.iter_mut()
                    .zip(&words[row as usize..][..width])
                    .for_each(|(word, row)| *word &= row);
                input = *end as usize;
            }
            table = step.tables as usize;
            if step.given {
                let value = values[step.x as usize];
                if mask
                    .get(value as usize / 64)
                    .is_none_or(|word| word >> (value % 64) & 1 == 0)
                {
                    return Err(Undetermined {
                        variable: Variable(step.x),
                        left: 0,
                    });
                }
            } else {
                let left = mask.iter().map(|word| word.count_ones()).sum();
                let found = mask.iter().zip(0..).find(|(word, _)| **word != 0);
                match found {
                    Some((word, place)) if left == 1 => {
                        values[step.x as usize] = 64 * place + word.trailing_zeros()
                    }
                    _ => {
                        return Err(Undetermined {
                            variable: Variable(step.x),
                            left,
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// The evaluation order under construction.
struct OrderBuilder<'n> {
    network: &'n ConstraintNetwork,
    given: Vec<bool>,
    /// For each variable, the constraints that contain it.
    of: Vec<Vec<usize>>,
    /// For each variable, the lookup tables of its constraints whose other variables all have a step.
    ready: Vec<Vec<Ready>>,
    /// For each constraint, the number of its variables without a step yet.
    open: Vec<usize>,
    settled: Vec<bool>,
    /// A queue of variables for which some constraint leaves at most one value.
    defined: VecDeque<u32>,
    evaluation: Evaluation,
}

/// A table that is looked up when its last variable is evaluated.
struct Ready {
    rows: u32,
    inputs: Vec<KnownValue>,
}

impl<'n> OrderBuilder<'n> {
    fn new(network: &'n ConstraintNetwork, given: &[Vec<Variable>]) -> Self {
        let variables = network.variables() as usize;
        let mut of = vec![Vec::new(); variables];
        let mut open = Vec::with_capacity(network.constraints());
        for constraint in 0..network.constraints() {
            network
                .scope(constraint)
                .iter()
                .for_each(|&x| of[x as usize].push(constraint));
            open.push(network.scope(constraint).len());
        }
        let mut is_given = vec![false; variables];
        given
            .iter()
            .flatten()
            .for_each(|x| is_given[x.index()] = true);
        let evaluation = Evaluation {
            steps: Vec::new(),
            tables: Vec::new(),
            inputs: Vec::new(),
            words: Vec::new(),
            rounds: Vec::new(),
            values: vec![NO_VALUE; variables],
            mask: Vec::new(),
        };
        Self {
            network,
            given: is_given,
            of,
            ready: (0..variables).map(|_| Vec::new()).collect(),
            open,
            settled: vec![false; variables],
            defined: VecDeque::new(),
            evaluation,
        }
    }

    /// Starts with the constraints and domains that need no other variable: unary constraints, and domains of one value.
    fn begin(&mut self) -> Result<(), NetworkError> {
        for constraint in 0..self.open.len() {
            if self.open[constraint] == 1 {
                self.prepare(constraint)?;
            }
        }
        let fixed = (0..self.network.variables())
            .filter(|&x| !self.given[x as usize] && self.network.domain_size(x) == 1);
        self.defined.extend(fixed);
        Ok(())
    }

    /// Appends steps for all variables that the variables with steps determine.
    fn follow(&mut self) -> Result<(), NetworkError> {
        loop {
            while let Some(x) = self.defined.pop_front() {
                self.settle(x)?;
            }
            let all_ready = |x: &usize| {
                !self.settled[*x]
                    && !self.given[*x]
                    && !self.of[*x].is_empty()
                    && self.ready[*x].len() == self.of[*x].len()
            };
            match (0..self.of.len()).find(all_ready) {
                Some(x) => self.settle(x as u32)?,
                None => return Ok(()),
            }
        }
    }

    /// Appends the step that evaluates `x`, unless the step exists.
    fn settle(&mut self, x: u32) -> Result<(), NetworkError> {
        let at = x as usize;
        if std::mem::replace(&mut self.settled[at], true) {
            return Ok(());
        }
        let Evaluation {
            steps,
            tables,
            inputs,
            words,
            ..
        } = &mut self.evaluation;
        for ready in self.ready[at].drain(..) {
            inputs.extend(ready.inputs);
            tables.push(Lookup {
                rows: ready.rows,
                inputs: inputs.len() as u32,
            });
        }
        let alive = self.network.alive(x);
        let width = alive.len().div_ceil(64);
        let domain = words.len();
        words.extend(alive.chunks(64).map(|chunk| {
            chunk
                .iter()
                .zip(0..)
                .fold(0_u64, |word, (&alive, bit)| word | u64::from(alive) << bit)
        }));
        steps.push(Turn {
            x,
            given: self.given[at],
            domain: domain as u32,
            width: width as u32,
            tables: tables.len() as u32,
        });
        for place in 0..self.of[at].len() {
            let constraint = self.of[at][place];
            self.open[constraint] -= 1;
            if self.open[constraint] == 1 {
                self.prepare(constraint)?;
            }
        }
        Ok(())
    }

    /// Builds the rows of a constraint for the only variable of its scope that has no step yet.
    fn prepare(&mut self, constraint: usize) -> Result<(), NetworkError> {
        let scope = self.network.scope(constraint);
        let last = scope
            .iter()
            .position(|&x| !self.settled[x as usize])
            .expect("one variable is not settled");
        let width = self.network.size(scope[last]).div_ceil(64);
        let mut strides = vec![0; scope.len()];
        let mut length = width;
        for (stride, &x) in strides
            .iter_mut()
            .zip(scope)
            .filter(|(_, x)| **x != scope[last])
        {
            *stride = length as u32;
            length = length.saturating_mul(self.network.size(x));
        }
        let words = &mut self.evaluation.words;
        let first = words.len();
        if first.saturating_add(length) > MOST_WORDS {
            return Err(NetworkError::TooManyRows { limit: MOST_WORDS });
        }
        words.resize(first + length, 0);
        let rows = &mut words[first..];
        for tuple in self.network.tuples(constraint).chunks_exact(scope.len()) {
            let row: u32 = tuple
                .iter()
                .zip(&strides)
                .map(|(value, stride)| value * stride)
                .sum();
            rows[(row + tuple[last] / 64) as usize] |= 1 << (tuple[last] % 64);
        }
        let left = |row: &[u64]| row.iter().map(|word| word.count_ones()).sum::<u32>();
        let x = scope[last];
        if rows.chunks_exact(width).all(|row| left(row) <= 1) && !self.given[x as usize] {
            self.defined.push_back(x);
        }
        let inputs = scope.iter().zip(strides).filter(|(other, _)| **other != x);
        let inputs = inputs
            .map(|(&x, stride)| KnownValue { x, stride })
            .collect();
        self.ready[x as usize].push(Ready {
            rows: first as u32,
            inputs,
        });
        Ok(())
    }
}
