//! The hard constraints of a network as a straight evaluation: for networks whose constraints define all variables by a
//! few that are given, one after the other, without search.
//!
//! Each constraint is looked up once, when the last variable of its scope takes its value: the values of the others
//! lead to the row of values that it leaves to the last. So no constraint goes unasked, whether it defines that variable
//! or checks it. The order is found once: a variable takes its value where a constraint leaves at most one for all values
//! of the others, or where the other variables of all its constraints have theirs.

use std::collections::VecDeque;
use std::ops::Range;

use super::error::NetworkError;
use super::network::ConstraintNetwork;
use super::variable::Variable;

/// Words in the rows of all constraints.
const MOST_WORDS: usize = 50_000_000;
/// Stands for the value of a variable that has none.
const NO_VALUE: u32 = u32::MAX;

/// A variable to which its constraints do not leave exactly one value, or not the one given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undetermined {
    pub variable: Variable,
    /// How many values are left.
    pub left: u32,
}

/// A network made ready for the values of certain variables, given round after round.
#[derive(Clone, Debug)]
pub struct Evaluation {
    steps: Vec<Turn>,
    tables: Vec<Lookup>,
    inputs: Vec<KnownValue>,
    words: Vec<u64>,
    /// Where the steps of each round end.
    rounds: Vec<usize>,
    values: Vec<u32>,
    mask: Vec<u64>,
}

/// The turn of a variable.
#[derive(Clone, Copy, Debug)]
struct Turn {
    x: u32,
    given: bool,
    /// Its values, a bit each, begin at word `domain`; this many words take all of them.
    domain: u32,
    width: u32,
    /// The tables up to this one, from where those of the step before end.
    tables: u32,
}

/// A constraint, whose rows begin at word `rows`.
#[derive(Clone, Copy, Debug)]
struct Lookup {
    rows: u32,
    /// The inputs up to this one, from where those of the table before end.
    inputs: u32,
}

/// A variable that has its value already, and the words between the rows of its values.
#[derive(Clone, Copy, Debug)]
struct KnownValue {
    x: u32,
    stride: u32,
}

impl Evaluation {
    /// Orders the constraints of `network` for values of the variables of `given`, round after round.
    ///
    /// # Errors
    /// A variable that stands in a constraint and does not follow from those given; tables that need too much room.
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

    /// Gives the variables of a round their values, and those that follow from them and the rounds before theirs.
    ///
    /// # Errors
    /// The first variable with none or several values left.
    pub fn give(&mut self, round: usize, given: &[(Variable, u32)]) -> Result<(), Undetermined> {
        for &(x, value) in given {
            self.values[x.index()] = value;
        }
        let first = round.checked_sub(1).map_or(0, |before| self.rounds[before]);
        self.evaluate(first..self.rounds[round])
    }

    /// The value of a variable, as the last rounds leave it; None if no constraint contains it.
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

/// The order while it is made.
struct OrderBuilder<'n> {
    network: &'n ConstraintNetwork,
    given: Vec<bool>,
    /// For each variable, its constraints, and those of them whose other variables are settled.
    of: Vec<Vec<usize>>,
    ready: Vec<Vec<Ready>>,
    /// For each constraint, how many of its variables are not settled.
    open: Vec<usize>,
    settled: Vec<bool>,
    /// Variables that a constraint leaves at most one value.
    defined: VecDeque<u32>,
    evaluation: Evaluation,
}

/// A table that waits for the turn of its last variable.
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

    /// What needs no other variable: unary constraints, and domains of one value.
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

    /// Settles all that follows from what is settled.
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

    /// It is the turn of `x`, unless it was before.
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

    /// Lays out the rows of a constraint for the one variable of it that is not settled.
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
