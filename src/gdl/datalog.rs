//! Semi-naive Datalog: atoms are made active one after the other, and each one is joined with those active before it.
//! So every instance of a rule is found exactly once, when the last atom of its body becomes active.
//! (Abiteboul, Hull, Vianu, Foundations of Databases, 1995, 13.1, with differences of one atom.)

use super::error::GroundingError;
use super::index::Index;
use super::join::{Join, Solutions, matches};
use super::plan::{Relations, Shape, Step, plan};
use super::rules::{Literal, PredicateId, Program, Rule, Term};
use super::terms::{TermId, Terms};

/// Terms may lie so deep in each other; only a rule that builds terms without end goes deeper.
const DEEPEST_TERM: u32 = 64;

/// As many as a minute or so is enough for.
pub(crate) const MOST_TRIED: usize = 1_000_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Underived,
    /// Derived, not yet joined with the others.
    Waiting,
    Active,
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
    pub(super) indexes: Vec<Index>,
    indexes_of: Vec<Vec<usize>>,
    pub(super) limit: usize,
    /// How many atoms one evaluation may hold against literals.
    pub(crate) most_tried: usize,
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
            most_tried: MOST_TRIED,
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
                    self.scratch.clear();
                    self.indexes[index].forget(&self.terms, atom, &mut self.scratch);
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
        if found.count > self.limit {
            let what = "instances of one rule at once";
            return Err(GroundingError::TooLarge { what, limit: self.limit, at: rule.at });
        }
        if found.tried > self.most_tried {
            let what = "atoms to hold against the literals of bodies";
            return Err(GroundingError::TooLarge { what, limit: self.most_tried, at: rule.at });
        }
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
            self.indexes[index].enter(&self.terms, atom, &mut self.scratch);
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
        if let Some(&index) = known.iter().find(|&&index| indexes[index].shape() == &shape) {
            return index;
        }
        let mut index = Index::new(shape);
        for &atom in &relations[predicate.index()] {
            scratch.clear();
            index.enter(terms, atom, scratch);
        }
        known.push(indexes.len());
        indexes.push(index);
        indexes.len() - 1
    }
}
