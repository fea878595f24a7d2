//! Semi-naive Datalog: atoms are made active one after the other, and each one is joined with those active before it.
//! So every instance of a rule is found exactly once, when the last atom of its body becomes active.
//! (Abiteboul, Hull, Vianu, Foundations of Databases, 1995, 13.1, with differences of one atom.)

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::error::GroundingError;
use super::plan::{Relations, Shape, Step, plan};
use super::rules::{Literal, PredicateId, Program, Rule, Term};
use super::terms::{TermId, Terms};

/// Terms may lie so deep in each other; only a rule that builds terms without end goes deeper.
const DEEPEST_TERM: u32 = 64;

const UNBOUND: TermId = TermId(u32::MAX);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Underived,
    /// Derived, not yet joined with the others.
    Waiting,
    Active,
}

/// Multiplication and rotation: keys are short lists of small numbers.
#[derive(Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// The active atoms of a predicate by the known parts of a shape.
struct Index {
    shape: Shape,
    atoms: HashMap<Box<[TermId]>, Vec<TermId>, BuildHasherDefault<TermHasher>>,
}

/// The rules of a stratum with their joins.
pub(crate) struct Prepared {
    /// One join a rule, over the atoms that are there at first.
    initial: Vec<(usize, Vec<Step>)>,
    /// For each predicate the rules and literals that a new atom may match.
    triggers: Vec<Vec<Trigger>>,
}

struct Trigger {
    rule: usize,
    literal: usize,
    steps: Vec<Step>,
}

/// Which rules are evaluated together.
pub(crate) struct Stratum<'a> {
    /// Rules, as numbers of the program's.
    pub(crate) rules: Vec<usize>,
    /// Whether atoms of a predicate are derived in this stratum (or before it).
    pub(crate) grows: &'a dyn Fn(PredicateId) -> bool,
    /// Whether negations of a predicate are left open.
    pub(crate) open: &'a dyn Fn(PredicateId) -> bool,
}

/// Receives the instances of rules.
pub(crate) trait Sink {
    /// A rule with the values of its variables, and its head, which is derived after this.
    fn instance(
        &mut self,
        database: &mut Database,
        rule: usize,
        values: &[TermId],
        head: TermId,
    ) -> Result<(), GroundingError>;
}

/// A sink for those who want no more than the derived atoms.
pub(crate) struct Derived;

impl Sink for Derived {
    fn instance(&mut self, _: &mut Database, _: usize, _: &[TermId], _: TermId) -> Result<(), GroundingError> {
        Ok(())
    }
}

/// Atoms, and the indexes over them.
pub(crate) struct Database {
    pub(crate) terms: Terms,
    standing: Vec<Standing>,
    /// All derived atoms in order; those before `active` are active.
    derived: Vec<(PredicateId, TermId)>,
    active: usize,
    relations: Vec<Vec<TermId>>,
    indexes: Vec<Index>,
    indexes_of: Vec<Vec<usize>>,
    limit: usize,
    scratch: Vec<TermId>,
}

impl Database {
    /// An empty database that holds at most `limit` atoms.
    pub(crate) fn new(program: &Program, limit: usize) -> Self {
        let predicates = program.predicates.len();
        Self {
            terms: program.terms.clone(),
            standing: Vec::new(),
            derived: Vec::new(),
            active: 0,
            relations: vec![Vec::new(); predicates],
            indexes: Vec::new(),
            indexes_of: vec![Vec::new(); predicates],
            limit,
            scratch: Vec::new(),
        }
    }

    /// The active atoms of a predicate, in the order in which they were derived.
    pub(crate) fn atoms(&self, predicate: PredicateId) -> &[TermId] {
        &self.relations[predicate.index()]
    }

    /// Whether an atom is active.
    pub(crate) fn holds(&self, atom: TermId) -> bool {
        self.standing.get(atom.index()) == Some(&Standing::Active)
    }

    /// Derives an atom; `false` if the database is full.
    pub(crate) fn derive(&mut self, predicate: PredicateId, atom: TermId) -> bool {
        if self.standing.len() <= atom.index() {
            self.standing.resize(self.terms.len(), Standing::Underived);
        }
        if self.standing[atom.index()] == Standing::Underived {
            self.standing[atom.index()] = Standing::Waiting;
            self.derived.push((predicate, atom));
        }
        self.derived.len() <= self.limit
    }

    /// How many atoms are derived: a mark for [`Self::forget`].
    pub(crate) const fn mark(&self) -> usize {
        self.derived.len()
    }

    /// Takes back all atoms derived since `mark`.
    pub(crate) fn forget(&mut self, mark: usize) {
        while self.derived.len() > mark {
            let (predicate, atom) = self.derived.pop().expect("there are more than `mark`");
            if self.standing[atom.index()] == Standing::Active {
                self.relations[predicate.index()].pop();
                for &index in &self.indexes_of[predicate.index()] {
                    let Index { shape, atoms } = &mut self.indexes[index];
                    self.scratch.clear();
                    if key(&self.terms, shape, atom, &mut self.scratch) {
                        atoms.get_mut(self.scratch.as_slice()).expect("it was entered").pop();
                    }
                }
            }
            self.standing[atom.index()] = Standing::Underived;
        }
        self.active = self.active.min(mark);
    }

    /// Plans the joins of a stratum.
    pub(crate) fn prepare(&mut self, program: &Program, stratum: &Stratum<'_>) -> Prepared {
        let mut initial = Vec::new();
        let mut triggers: Vec<Vec<Trigger>> = program.predicates.iter().map(|_| Vec::new()).collect();
        let mut planning = Planning { database: self, stratum };
        for &number in &stratum.rules {
            let rule = &program.rules[number];
            initial.push((number, plan(rule, None, &mut planning)));
            for (literal, content) in rule.body.iter().enumerate() {
                if let Literal::Positive(atom) = content
                    && (stratum.grows)(atom.predicate)
                {
                    let steps = plan(rule, Some(literal), &mut planning);
                    triggers[atom.predicate.index()].push(Trigger { rule: number, literal, steps });
                }
            }
        }
        Prepared { initial, triggers }
    }

    /// Derives all that the rules of a stratum give.
    pub(crate) fn evaluate(
        &mut self,
        program: &Program,
        prepared: &Prepared,
        sink: &mut impl Sink,
    ) -> Result<(), GroundingError> {
        // What waits from outside (the facts of a state) is there before the first join.
        while let Some(&(predicate, atom)) = self.derived.get(self.active) {
            self.activate(predicate, atom);
        }
        let mut found = Solutions::default();
        for (number, steps) in &prepared.initial {
            let rule = &program.rules[*number];
            found.restart(rule);
            Join { database: self, rule, steps, new: None, out: &mut found }.run(0);
            self.conclude(rule, *number, &found, sink)?;
        }
        while let Some(&(predicate, atom)) = self.derived.get(self.active) {
            self.activate(predicate, atom);
            for trigger in &prepared.triggers[predicate.index()] {
                let rule = &program.rules[trigger.rule];
                found.restart(rule);
                if let Literal::Positive(pattern) = &rule.body[trigger.literal]
                    && matches(&self.terms, &pattern.term, atom, &mut found.values)
                {
                    Join { database: self, rule, steps: &trigger.steps, new: Some(atom), out: &mut found }.run(0);
                    self.conclude(rule, trigger.rule, &found, sink)?;
                }
            }
        }
        Ok(())
    }

    /// The atom of a literal whose variables have values.
    pub(crate) fn instantiate(&mut self, term: &Term, values: &[TermId]) -> TermId {
        match term {
            Term::Variable(number) => values[*number as usize],
            Term::Ground(id) => *id,
            Term::Compound(functor, arguments) => {
                let start = self.scratch.len();
                for argument in arguments {
                    let id = self.instantiate(argument, values);
                    self.scratch.push(id);
                }
                let id = self.terms.insert(*functor, &self.scratch[start..]);
                self.scratch.truncate(start);
                id
            }
        }
    }

    fn conclude(
        &mut self,
        rule: &Rule,
        number: usize,
        found: &Solutions,
        sink: &mut impl Sink,
    ) -> Result<(), GroundingError> {
        let width = rule.variables.len();
        for solution in 0..found.count {
            let values = &found.all[solution * width..(solution + 1) * width];
            self.scratch.clear();
            let head = self.instantiate(&rule.head.term, values);
            if self.terms.depth(head) > DEEPEST_TERM {
                return Err(GroundingError::TooDeep { limit: DEEPEST_TERM, at: rule.at });
            }
            sink.instance(self, number, values, head)?;
            if !self.derive(rule.head.predicate, head) {
                return Err(GroundingError::TooLarge { what: "atoms", limit: self.limit, at: rule.at });
            }
        }
        Ok(())
    }

    fn activate(&mut self, predicate: PredicateId, atom: TermId) {
        self.standing[atom.index()] = Standing::Active;
        self.active += 1;
        self.relations[predicate.index()].push(atom);
        for &index in &self.indexes_of[predicate.index()] {
            self.scratch.clear();
            enter(&self.terms, &mut self.indexes[index], atom, &mut self.scratch);
        }
    }
}

struct Planning<'a> {
    database: &'a mut Database,
    stratum: &'a Stratum<'a>,
}

impl Relations for Planning<'_> {
    fn size(&self, predicate: PredicateId) -> Option<usize> {
        (!(self.stratum.grows)(predicate)).then(|| self.database.relations[predicate.index()].len())
    }

    fn is_open(&self, predicate: PredicateId) -> bool {
        (self.stratum.open)(predicate)
    }

    fn index(&mut self, predicate: PredicateId, shape: Shape) -> usize {
        let Database { terms, relations, indexes, indexes_of, scratch, .. } = &mut *self.database;
        let known = &mut indexes_of[predicate.index()];
        if let Some(&index) = known.iter().find(|&&index| indexes[index].shape == shape) {
            return index;
        }
        let mut index = Index { shape, atoms: HashMap::default() };
        for &atom in &relations[predicate.index()] {
            scratch.clear();
            enter(terms, &mut index, atom, scratch);
        }
        known.push(indexes.len());
        indexes.push(index);
        indexes.len() - 1
    }
}

fn enter(terms: &Terms, index: &mut Index, atom: TermId, scratch: &mut Vec<TermId>) {
    if !key(terms, &index.shape, atom, scratch) {
        return;
    }
    match index.atoms.get_mut(scratch.as_slice()) {
        Some(atoms) => atoms.push(atom),
        None => drop(index.atoms.insert(scratch.as_slice().into(), vec![atom])),
    }
}

/// Appends the parts of `term` that a shape knows; `false` if the term hasn't the shape.
fn key(terms: &Terms, shape: &Shape, term: TermId, out: &mut Vec<TermId>) -> bool {
    match shape {
        Shape::Known => out.push(term),
        Shape::Free => {}
        Shape::Inside(functor, inner) => {
            let arguments = terms.arguments(term);
            return terms.functor(term) == *functor
                && arguments.len() == inner.len()
                && inner.iter().zip(arguments).all(|(shape, &argument)| key(terms, shape, argument, out));
        }
    }
    true
}

/// Binds the variables of `pattern` so that it becomes `term`; on failure some may be bound.
fn matches(terms: &Terms, pattern: &Term, term: TermId, values: &mut [TermId]) -> bool {
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
                && inner.iter().zip(arguments).all(|(pattern, &argument)| matches(terms, pattern, argument, values))
        }
    }
}

/// What a join has found: the values of all variables, solution after solution.
#[derive(Default)]
struct Solutions {
    values: Vec<TermId>,
    all: Vec<TermId>,
    count: usize,
    key: Vec<TermId>,
}

impl Solutions {
    fn restart(&mut self, rule: &Rule) {
        self.values.clear();
        self.values.resize(rule.variables.len(), UNBOUND);
        self.all.clear();
        self.count = 0;
    }
}

struct Join<'a> {
    database: &'a Database,
    rule: &'a Rule,
    steps: &'a [Step],
    new: Option<TermId>,
    out: &'a mut Solutions,
}

impl Join<'_> {
    fn run(&mut self, at: usize) {
        let Some(step) = self.steps.get(at) else {
            self.out.all.extend_from_slice(&self.out.values);
            self.out.count += 1;
            return;
        };
        match step {
            Step::Holds { literal, not_the_new } => {
                let atom = self.known(*literal);
                let counts = |atom: TermId| self.database.holds(atom) && !(*not_the_new && self.new == Some(atom));
                if atom.is_some_and(counts) {
                    self.run(at + 1);
                }
            }
            Step::HoldsNot { literal } => {
                if !self.known(*literal).is_some_and(|atom| self.database.holds(atom)) {
                    self.run(at + 1);
                }
            }
            Step::Distinct { literal } => {
                let Literal::Distinct(one, other) = &self.rule.body[*literal] else { return };
                if !self.equal(one, other) {
                    self.run(at + 1);
                }
            }
            Step::Each { literal, index, not_the_new, binds } => {
                let Literal::Positive(atom) = &self.rule.body[*literal] else { return };
                let database = self.database;
                let index = &database.indexes[*index];
                let mut key = std::mem::take(&mut self.out.key);
                key.clear();
                let known = self.pattern_key(&index.shape, &atom.term, &mut key);
                let candidates = known.then(|| index.atoms.get(key.as_slice())).flatten();
                self.out.key = key;
                for &candidate in candidates.into_iter().flatten() {
                    if *not_the_new && self.new == Some(candidate) {
                        continue;
                    }
                    if matches(&database.terms, &atom.term, candidate, &mut self.out.values) {
                        self.run(at + 1);
                    }
                    binds.iter().for_each(|&number| self.out.values[number as usize] = UNBOUND);
                }
            }
        }
    }

    /// The atom of a literal, if it is stored.
    fn known(&mut self, literal: usize) -> Option<TermId> {
        match &self.rule.body[literal] {
            Literal::Positive(atom) | Literal::Negative(atom) => self.find(&atom.term),
            Literal::Distinct(..) => None,
        }
    }

    /// Whether two terms, all of whose variables have values, are the same.
    fn equal(&mut self, one: &Term, other: &Term) -> bool {
        match (one, other) {
            (Term::Compound(f, left), Term::Compound(g, right)) => {
                f == g && left.len() == right.len() && left.iter().zip(right).all(|(l, r)| self.equal(l, r))
            }
            // One of them is stored; the other is found if it is the same.
            _ => self.find(one) == self.find(other),
        }
    }

    fn find(&mut self, term: &Term) -> Option<TermId> {
        find(&self.database.terms, term, &self.out.values, &mut self.out.key)
    }

    fn pattern_key(&mut self, shape: &Shape, pattern: &Term, key: &mut Vec<TermId>) -> bool {
        match (shape, pattern) {
            (Shape::Free, _) => true,
            (Shape::Inside(_, inner), Term::Compound(_, arguments)) => {
                inner.iter().zip(arguments).all(|(shape, argument)| self.pattern_key(shape, argument, key))
            }
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

/// The stored term that `term` is with these values; `scratch` ends as it began.
fn find(terms: &Terms, term: &Term, values: &[TermId], scratch: &mut Vec<TermId>) -> Option<TermId> {
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
