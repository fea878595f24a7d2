//! Joins of the literals of a rule, which follow the planned steps.

use super::{
    database::Database,
    plan::{AtomShape, JoinStep},
    rules::{BodyLiteral, SheetRule, Term},
    terms::{TermId, Terms},
};

pub(super) const UNBOUND: TermId = TermId(u32::MAX);

/// The solutions of a join: the values of all variables, concatenated solution by solution.
#[derive(Default)]
pub(super) struct Bindings {
    pub values: Vec<TermId>,
    pub all: Vec<TermId>,
    pub count: usize,
    /// The number of comparisons of atoms with literals in all joins so far.
    pub tried: usize,
    key: Vec<TermId>,
}

impl Bindings {
    pub fn restart(&mut self, rule: &SheetRule) {
        self.values.clear();
        self.values.resize(rule.variables.len(), UNBOUND);
        self.all.clear();
        self.count = 0;
    }
}

pub(super) struct RuleJoin<'a> {
    pub database: &'a Database,
    pub rule: &'a SheetRule,
    pub steps: &'a [JoinStep],
    /// The newly activated atom, which is matched with one literal.
    pub new: Option<TermId>,
    pub out: &'a mut Bindings,
}

impl RuleJoin<'_> {
    /// Finds all solutions, starting from step `at`.
    pub fn run(&mut self, at: usize) {
        // One solution beyond the limit is kept to show that there are too many.
        if self.out.count > self.database.limit {
            return;
        }
        let Some(step) = self.steps.get(at) else {
            self.out.all.extend_from_slice(&self.out.values);
            self.out.count += 1;
            return;
        };
        let holds = match step {
            JoinStep::Each {
                literal,
                index,
                not_the_new,
                binds,
            } => {
                let not_new = self.new.filter(|_| *not_the_new);
                return self.each(*literal, *index, not_new, binds, at);
            }
            JoinStep::Holds {
                literal,
                not_the_new,
            } => {
                let not_new = self.new.filter(|_| *not_the_new);
                let atom = self.known(*literal);
                atom.is_some_and(|atom| self.database.holds(atom) && not_new != Some(atom))
            }
            JoinStep::HoldsNot { literal } => {
                let atom = self.known(*literal);
                !atom.is_some_and(|atom| self.database.holds(atom))
            }
            JoinStep::NotAssumed { literal } => {
                let atom = self.known(*literal);
                !atom.is_some_and(|atom| self.database.assumed.contains(&atom))
            }
            JoinStep::Distinct { literal } => match &self.rule.body[*literal] {
                BodyLiteral::Distinct(one, other) => !self.equal(one, other),
                _ => false,
            },
        };
        if holds {
            self.run(at + 1);
        }
    }

    /// Continues with each atom that an index finds for a positive literal, except `not_new`. The
    /// literal binds the variables `binds`.
    fn each(
        &mut self,
        literal: usize,
        index: usize,
        not_new: Option<TermId>,
        binds: &[u16],
        at: usize,
    ) {
        let BodyLiteral::Positive(atom) = &self.rule.body[literal] else {
            return;
        };
        let database = self.database;
        let index = &database.indexes[index];
        let mut key = std::mem::take(&mut self.out.key);
        key.clear();
        let known = self.pattern_key(index.shape(), &atom.term, &mut key);
        let candidates = if known { index.find(&key) } else { &[] };
        self.out.key = key;
        for &candidate in candidates {
            self.out.tried += 1;
            if self.out.tried > database.most_tried {
                break;
            }
            if not_new == Some(candidate) {
                continue;
            }
            if matches(&database.terms, &atom.term, candidate, &mut self.out.values) {
                self.run(at + 1);
            }
            for &number in binds {
                self.out.values[number as usize] = UNBOUND;
            }
        }
    }

    /// Returns the atom of a literal, if it is stored.
    fn known(&mut self, literal: usize) -> Option<TermId> {
        match &self.rule.body[literal] {
            BodyLiteral::Positive(atom) | BodyLiteral::Negative(atom) => self.find(&atom.term),
            BodyLiteral::Distinct(..) => None,
        }
    }

    /// Returns whether two terms are equal. All of their variables must have values.
    fn equal(&mut self, one: &Term, other: &Term) -> bool {
        match (one, other) {
            (Term::Compound(f, left), Term::Compound(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(l, r)| self.equal(l, r))
            }
            // At least one of the two terms is stored. `find` finds the other term only if it is
            // equal.
            _ => self.find(one) == self.find(other),
        }
    }

    fn find(&mut self, term: &Term) -> Option<TermId> {
        find(
            &self.database.terms,
            term,
            &self.out.values,
            &mut self.out.key,
        )
    }

    fn pattern_key(&mut self, shape: &AtomShape, pattern: &Term, key: &mut Vec<TermId>) -> bool {
        match (shape, pattern) {
            (AtomShape::Free, _) => true,
            (AtomShape::Inside(_, inner), Term::Compound(_, arguments)) => inner
                .iter()
                .zip(arguments)
                .all(|(shape, argument)| self.pattern_key(shape, argument, key)),
            _ => match find(&self.database.terms, pattern, &self.out.values, key) {
                Some(id) => {
                    key.push(id);
                    true
                }
                None => false,
            },
        }
    }
}

/// Returns the stored term that `term` becomes under the given values. `scratch` is unchanged
/// afterwards.
fn find(
    terms: &Terms,
    term: &Term,
    values: &[TermId],
    scratch: &mut Vec<TermId>,
) -> Option<TermId> {
    match term {
        Term::Variable(number) => Some(values[*number as usize]),
        Term::Ground(id) => Some(*id),
        Term::Compound(functor, arguments) => {
            let start = scratch.len();
            for argument in arguments {
                match find(terms, argument, values, scratch) {
                    Some(id) => scratch.push(id),
                    None => {
                        scratch.truncate(start);
                        return None;
                    }
                }
            }
            let id = terms.find(*functor, &scratch[start..]);
            scratch.truncate(start);
            id
        }
    }
}

/// Binds the variables of `pattern` so that it becomes `term`. Returns false if that is impossible;
/// some variables may then be bound.
pub(super) fn matches(terms: &Terms, pattern: &Term, term: TermId, values: &mut [TermId]) -> bool {
    match pattern {
        Term::Variable(number) => {
            let value = &mut values[*number as usize];
            if *value == UNBOUND {
                *value = term;
            }
            *value == term
        }
        Term::Ground(id) => *id == term,
        Term::Compound(functor, inner) => {
            let arguments = terms.arguments(term);
            terms.functor(term) == *functor
                && arguments.len() == inner.len()
                && inner
                    .iter()
                    .zip(arguments)
                    .all(|(pattern, &argument)| matches(terms, pattern, argument, values))
        }
    }
}
