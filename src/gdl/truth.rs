//! The ground atoms that always or never hold, and the clauses that never apply.

use std::collections::HashMap;

use super::{
    instances::{RawGrounding, TermLiteral},
    rules::PredicateId,
    terms::TermId,
};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Truth {
    Open,
    Never,
    Always,
}

/// Lists of clauses by atom, concatenated in one array.
pub(super) struct Occurrences {
    starts: Vec<u32>,
    pub clauses: Vec<u32>,
}

impl Occurrences {
    /// Lists the clauses in which each atom occurs. `atoms_of` calls its argument with every atom
    /// of a clause.
    fn new(raw: &RawGrounding<'_>, atoms_of: impl Fn(usize, &mut dyn FnMut(TermId))) -> Self {
        // At first, the array contains the length of each list, stored two places further on. Then
        // it contains the position at which each list is filled next, stored one place further on.
        let mut starts = vec![0_u32; raw.database.terms.len() + 2];
        for clause in 0..raw.clause_count() {
            atoms_of(clause, &mut |atom| starts[atom.index() + 2] += 1);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut clauses = vec![0; starts.pop().expect("it has two elements or more") as usize];
        for clause in 0..raw.clause_count() {
            atoms_of(clause, &mut |atom| {
                let place = &mut starts[atom.index() + 1];
                clauses[*place as usize] = clause as u32;
                *place += 1;
            });
        }
        Self { starts, clauses }
    }

    pub fn of(&self, atom: TermId) -> std::ops::Range<usize> {
        self.starts[atom.index()] as usize..self.starts[atom.index() + 1] as usize
    }
}

/// What is known about the atoms, indexed by term.
pub(super) struct TruthValues<'a> {
    raw: &'a RawGrounding<'a>,
    pub of: Vec<Truth>,
    /// For each atom, the clauses whose body contains the atom, negated or not.
    uses: Occurrences,
    /// For each atom, the clauses whose head is the atom.
    pub heads: Occurrences,
    /// For each clause, the number of body literals that are not known to hold.
    left: Vec<u32>,
    pub dead: Vec<bool>,
    /// For each atom, the number of its clauses that may apply.
    alive: Vec<u32>,
    decided: Vec<TermId>,
    /// For each fluent, its `true` atom, its `next` atom if there is one, and whether it holds
    /// initially.
    pub fluents: Vec<FluentAtoms>,
    /// The `does` atom of each `legal` atom.
    pub does: HashMap<TermId, TermId>,
}

pub(super) struct FluentAtoms {
    pub term: TermId,
    pub truth: TermId,
    pub next: Option<TermId>,
    pub initially: bool,
}

impl<'a> TruthValues<'a> {
    /// Creates the truth values, all of which are unknown.
    pub fn new(raw: &'a RawGrounding<'a>) -> Self {
        let atoms = raw.database.terms.len();
        let heads = Occurrences::new(raw, |clause, enter| enter(raw.clause(clause).0));
        let uses = Occurrences::new(raw, |clause, enter| {
            raw.clause(clause)
                .1
                .iter()
                .for_each(|literal| enter(literal.atom()));
        });
        let left: Vec<u32> = (0..raw.clause_count())
            .map(|clause| raw.clause(clause).1.len() as u32)
            .collect();
        let alive = heads
            .starts
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
        let keywords = &raw.program.keywords;
        let database = &raw.database;
        let find = |predicate: PredicateId, arguments: &[TermId]| {
            database
                .terms
                .find(raw.program.predicates[predicate.index()].name, arguments)
        };
        let fluents = database.atoms(keywords.truth).iter().map(|&truth| {
            let term = database.terms.arguments(truth)[0];
            FluentAtoms {
                term,
                truth,
                next: find(keywords.next, &[term]).filter(|&next| database.holds(next)),
                initially: find(keywords.init, &[term]).is_some_and(|init| database.holds(init)),
            }
        });
        let does = database.atoms(keywords.legal).iter().filter_map(|&legal| {
            find(keywords.does, database.terms.arguments(legal)).map(|does| (legal, does))
        });
        Self {
            of: vec![Truth::Open; atoms],
            uses,
            heads,
            dead: vec![false; left.len()],
            left,
            alive,
            decided: Vec::new(),
            fluents: fluents.collect(),
            does: does.collect(),
            raw,
        }
    }

    /// Propagates known values until nothing changes.
    pub fn settle(&mut self) {
        for atom in (0..self.of.len() as u32).map(TermId) {
            if !self.raw.database.holds(atom) && !self.uses.of(atom).is_empty() {
                self.decide(atom, Truth::Never);
            }
        }
        for clause in 0..self.left.len() {
            if self.left[clause] == 0 {
                self.decide(self.raw.clause(clause).0, Truth::Always);
            }
        }
        loop {
            while let Some(atom) = self.decided.pop() {
                self.spread(atom);
            }
            self.frozen_fluents();
            if self.decided.is_empty() {
                return;
            }
        }
    }

    /// Returns the head and the body of each clause that may apply and whose head is undecided.
    /// Literals that are known to hold are included.
    pub fn open_clauses(&self) -> impl Iterator<Item = (TermId, &[TermLiteral])> + Clone {
        let open = |&clause: &usize| {
            !self.dead[clause] && self.of[self.raw.clause(clause).0.index()] == Truth::Open
        };
        (0..self.raw.clause_count())
            .filter(open)
            .map(|clause| self.raw.clause(clause))
    }

    fn decide(&mut self, atom: TermId, value: Truth) {
        if self.of[atom.index()] == Truth::Open {
            self.of[atom.index()] = value;
            self.decided.push(atom);
        }
    }

    /// Propagates the value of `atom` into all bodies.
    fn spread(&mut self, atom: TermId) {
        let value = self.of[atom.index()];
        if value == Truth::Never
            && let Some(&does) = self.does.get(&atom)
        {
            self.decide(does, Truth::Never);
        }
        for place in self.uses.of(atom) {
            let clause = self.uses.clauses[place] as usize;
            if self.dead[clause] {
                continue;
            }
            // A body may contain an atom twice, both negated and not negated. The clause then
            // occurs twice in `uses`.
            let body = self.raw.clause(clause).1;
            let fails = body
                .iter()
                .any(|&literal| literal.atom() == atom && holds(value, literal) == Some(false));
            if fails {
                self.kill(clause);
            } else {
                self.left[clause] -= 1;
                if self.left[clause] == 0 {
                    self.decide(self.raw.clause(clause).0, Truth::Always);
                }
            }
        }
    }

    fn kill(&mut self, clause: usize) {
        self.dead[clause] = true;
        let head = self.raw.clause(clause).0;
        self.alive[head.index()] -= 1;
        if self.alive[head.index()] == 0 {
            self.decide(head, Truth::Never);
        }
    }

    /// Finds fluents that always keep their initial value, by induction on the steps.
    fn frozen_fluents(&mut self) {
        for fluent in 0..self.fluents.len() {
            let FluentAtoms {
                truth,
                next,
                initially,
                ..
            } = self.fluents[fluent];
            if self.of[truth.index()] != Truth::Open {
                continue;
            }
            let next_value = next.map_or(Truth::Never, |next| self.of[next.index()]);
            let frozen = match (initially, next_value) {
                (true, Truth::Never) | (false, Truth::Always) => false,
                (true, Truth::Always) | (false, Truth::Never) => true,
                (_, Truth::Open) => {
                    self.keeps(truth, next.expect("an open atom is one"), initially)
                }
            };
            if frozen {
                self.decide(
                    truth,
                    if initially {
                        Truth::Always
                    } else {
                        Truth::Never
                    },
                );
            }
        }
    }

    /// Returns whether the fluent keeps its initial value in a step. If the fluent holds initially,
    /// `next` must follow from `truth` alone; otherwise `next` must follow only together with
    /// `truth`.
    fn keeps(&self, truth: TermId, next: TermId, initially: bool) -> bool {
        let mut clauses = self
            .heads
            .of(next)
            .map(|place| self.heads.clauses[place] as usize);
        let open = |clause: usize| {
            let body = self.raw.clause(clause).1.iter();
            body.filter(|literal| holds(self.of[literal.atom().index()], **literal).is_none())
        };
        let truth = TermLiteral::new(truth, false);
        if initially {
            clauses
                .any(|clause| !self.dead[clause] && open(clause).all(|&literal| literal == truth))
        } else {
            clauses.all(|clause| self.dead[clause] || open(clause).any(|&literal| literal == truth))
        }
    }
}

/// Returns whether a literal holds if its atom has the given value, or `None` if the value is
/// unknown.
fn holds(value: Truth, literal: TermLiteral) -> Option<bool> {
    match value {
        Truth::Open => None,
        Truth::Never => Some(literal.is_negated()),
        Truth::Always => Some(!literal.is_negated()),
    }
}
