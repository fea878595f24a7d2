//! The database of ground atoms: which atoms are derived, which are active, and indexes over the
//! active atoms.

use rustc_hash::FxHashSet;

use super::{
    index::Index,
    plan::AtomShape,
    rules::{PredicateId, Program, Term},
    terms::{TermId, Terms},
};

/// The default maximum number of comparisons of atoms. Reaching it takes about a minute.
pub(crate) const MOST_TRIED: usize = 1_000_000_000;

#[derive(Clone, Copy, PartialEq)]
enum AtomStanding {
    Underived,
    /// The atom is derived, but not yet joined with the other atoms.
    Waiting,
    Active,
}

/// The ground atoms and the indexes over them.
pub(crate) struct Database {
    pub terms: Terms,
    standing: Vec<AtomStanding>,
    /// All derived atoms, in the order of derivation. The atoms before index `active` are active.
    derived: Vec<(PredicateId, TermId)>,
    active: usize,
    relations: Vec<Vec<TermId>>,
    pub indexes: Vec<Index>,
    indexes_of: Vec<Vec<usize>>,
    pub limit: usize,
    /// The atoms assumed to hold, against which negations inside a stratum are tested; see
    /// [`super::stratify`].
    pub assumed: FxHashSet<TermId>,
    /// The maximum number of comparisons of atoms with literals in one evaluation.
    pub most_tried: usize,
    scratch: Vec<TermId>,
}

impl Database {
    /// Creates an empty database that holds at most `limit` atoms.
    pub fn new(program: &Program, limit: usize) -> Self {
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
            assumed: FxHashSet::default(),
            most_tried: MOST_TRIED,
            scratch: Vec::new(),
        }
    }

    /// Returns the active atoms of a predicate, in the order in which they were derived.
    pub fn atoms(&self, predicate: PredicateId) -> &[TermId] {
        &self.relations[predicate.index()]
    }

    /// Returns whether an atom is active.
    pub fn holds(&self, atom: TermId) -> bool {
        self.standing.get(atom.index()) == Some(&AtomStanding::Active)
    }

    /// Derives an atom; returns `false` if the database is full.
    pub fn derive(&mut self, predicate: PredicateId, atom: TermId) -> bool {
        if self.standing.len() <= atom.index() {
            self.standing
                .resize(self.terms.len(), AtomStanding::Underived);
        }
        if self.standing[atom.index()] == AtomStanding::Underived {
            self.standing[atom.index()] = AtomStanding::Waiting;
            self.derived.push((predicate, atom));
        }
        self.derived.len() <= self.limit
    }

    /// Returns the number of derived atoms, which serves as a mark for [`Self::forget`].
    pub const fn mark(&self) -> usize {
        self.derived.len()
    }

    /// Returns the atoms derived since `mark`.
    pub fn since(&self, mark: usize) -> impl ExactSizeIterator<Item = (PredicateId, TermId)> {
        self.derived[mark..].iter().copied()
    }

    /// Removes all atoms derived since `mark`.
    pub fn forget(&mut self, mark: usize) {
        while self.derived.len() > mark {
            let (predicate, atom) = self.derived.pop().expect("there are more than `mark`");
            if self.standing[atom.index()] == AtomStanding::Active {
                self.relations[predicate.index()].pop();
                for &index in &self.indexes_of[predicate.index()] {
                    self.scratch.clear();
                    self.indexes[index].forget(&self.terms, atom, &mut self.scratch);
                }
            }
            self.standing[atom.index()] = AtomStanding::Underived;
        }
        self.active = self.active.min(mark);
    }

    /// Returns the ground atom of a literal for the given values of its variables.
    pub fn instantiate(&mut self, term: &Term, values: &[TermId]) -> TermId {
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

    /// Returns the number of the index with the given shape, and creates the index if it is
    /// missing.
    pub fn index(&mut self, predicate: PredicateId, shape: AtomShape) -> usize {
        let Database {
            terms,
            relations,
            indexes,
            indexes_of,
            scratch,
            ..
        } = self;
        let known = &mut indexes_of[predicate.index()];
        if let Some(&index) = known
            .iter()
            .find(|&&index| indexes[index].shape() == &shape)
        {
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

    /// Makes the next derived atom active and returns it, or `None` if all derived atoms are
    /// active.
    pub fn activate_next(&mut self) -> Option<(PredicateId, TermId)> {
        let &(predicate, atom) = self.derived.get(self.active)?;
        self.standing[atom.index()] = AtomStanding::Active;
        self.active += 1;
        self.relations[predicate.index()].push(atom);
        for &index in &self.indexes_of[predicate.index()] {
            self.scratch.clear();
            self.indexes[index].enter(&self.terms, atom, &mut self.scratch);
        }
        Some((predicate, atom))
    }
}
