//! Numbering of the simplified ground form: atoms that always or never hold are substituted, and
//! atoms on which nothing depends are removed.

use std::collections::HashMap;

use super::{
    error::GroundingError,
    grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning, UnknownRole},
    instances::RawGrounding,
    terms::TermId,
    truth::{Truth, TruthValues},
};

/// The atoms that are kept, and their numbers.
pub(super) struct Numbering<'a> {
    raw: &'a RawGrounding<'a>,
    values: &'a TruthValues<'a>,
    roles: Vec<TermId>,
    fluents: Vec<Fluent>,
    constants: Vec<TermId>,
    actions: Vec<Vec<TermId>>,
    atoms: Vec<GroundAtom>,
    number: HashMap<TermId, usize>,
    unknown_roles: Vec<UnknownRole>,
}

impl<'a> Numbering<'a> {
    /// Numbers fluents, actions, and the atoms of the keywords.
    pub fn new(
        raw: &'a RawGrounding<'a>,
        values: &'a TruthValues<'a>,
    ) -> Result<Self, GroundingError> {
        let keywords = &raw.program.keywords;
        let roles = raw.database.atoms(keywords.role).iter();
        let roles: Vec<_> = roles
            .map(|&role| raw.database.terms.arguments(role)[0])
            .collect();
        let mut output = Self {
            actions: vec![Vec::new(); roles.len()],
            roles,
            fluents: Vec::new(),
            constants: Vec::new(),
            atoms: Vec::new(),
            number: HashMap::new(),
            unknown_roles: Vec::new(),
            raw,
            values,
        };
        output.number_fluents();
        output.number_actions();
        for &terminal in raw.database.atoms(keywords.terminal) {
            output.add(terminal, Meaning::Terminal);
        }
        output.number_goals()?;
        Ok(output)
    }

    fn number_fluents(&mut self) {
        for fluent in &self.values.fluents {
            match self.values.of[fluent.truth.index()] {
                Truth::Never => {}
                Truth::Always => self.constants.push(fluent.term),
                Truth::Open => {
                    let index = self.fluents.len();
                    self.fluents.push(Fluent {
                        term: fluent.term,
                        initially: fluent.initially,
                    });
                    self.add(fluent.truth, Meaning::True(index));
                    if let Some(next) = fluent.next {
                        self.add(next, Meaning::Next(index));
                    }
                }
            }
        }
    }

    fn number_actions(&mut self) {
        let database = &self.raw.database;
        for &legal in database.atoms(self.raw.program.keywords.legal) {
            let arguments = database.terms.arguments(legal);
            if self.values.of[legal.index()] != Truth::Never
                && let Some(role) = self.role(arguments[0], legal)
            {
                let action = self.actions[role].len();
                self.actions[role].push(arguments[1]);
                self.add(self.values.does[&legal], Meaning::Does { role, action });
                self.add(legal, Meaning::Legal { role, action });
            }
        }
    }

    fn number_goals(&mut self) -> Result<(), GroundingError> {
        let database = &self.raw.database;
        for &goal in database.atoms(self.raw.program.keywords.goal) {
            let arguments = database.terms.arguments(goal);
            let Some(role) = self.role(arguments[0], goal) else {
                continue;
            };
            let value = database.terms.show(arguments[1]).to_string();
            let Some(points) = value.parse().ok().filter(|points| *points <= 100) else {
                let role = database.terms.show(self.roles[role]).to_string();
                return Err(GroundingError::Goal { role, value });
            };
            self.add(goal, Meaning::Goal { role, points });
        }
        Ok(())
    }

    /// Returns the index of the role with the given name. If there is none, records that `atom`
    /// uses the name as a role.
    fn role(&mut self, name: TermId, atom: TermId) -> Option<usize> {
        let role = self.roles.iter().position(|&role| role == name);
        if role.is_none() {
            let predicate = self.raw.database.terms.functor(atom);
            let same = |unknown: &&mut UnknownRole| {
                unknown.name == name
                    && self.raw.database.terms.functor(unknown.example) == predicate
            };
            match self.unknown_roles.iter_mut().find(same) {
                Some(unknown) => unknown.atoms += 1,
                None => self.unknown_roles.push(UnknownRole {
                    name,
                    example: atom,
                    atoms: 1,
                }),
            }
        }
        role
    }

    fn add(&mut self, term: TermId, meaning: Meaning) {
        self.number.insert(term, self.atoms.len());
        self.atoms.push(GroundAtom { term, meaning });
    }

    /// Numbers the atoms that the kept atoms depend on, and records the clauses.
    pub fn finish(mut self) -> Result<Grounding, GroundingError> {
        self.ensure_playable()?;
        // Atoms in the bodies of kept atoms are also kept, in the order of discovery.
        let mut literals = Vec::new();
        let mut clause_starts = vec![0];
        let mut atom_starts = vec![0];
        let mut at = 0;
        while at < self.atoms.len() {
            let mut bodies = self.bodies(self.atoms[at].term);
            bodies.sort_unstable();
            bodies.dedup();
            for body in bodies {
                literals.extend(body);
                clause_starts.push(literals.len() as u32);
            }
            atom_starts.push(clause_starts.len() as u32 - 1);
            at += 1;
        }
        let terms = self.raw.database.terms.clone();
        let is_random = |&role: &TermId| terms.name(terms.functor(role)) == "random";
        Ok(Grounding {
            chance: self.roles.iter().position(is_random),
            terms,
            roles: self.roles,
            unknown_roles: self.unknown_roles,
            fluents: self.fluents,
            constants: self.constants,
            actions: self.actions,
            atoms: self.atoms,
            literals,
            clause_starts,
            atom_starts,
        })
    }

    /// Checks that the game may end, and that every role has an action.
    fn ensure_playable(&self) -> Result<(), GroundingError> {
        let may_end = |atom: &GroundAtom| {
            atom.meaning == Meaning::Terminal && self.values.of[atom.term.index()] != Truth::Never
        };
        let what = if !self.atoms.iter().any(may_end) {
            "terminal".to_owned()
        } else if let Some(role) = self.actions.iter().position(Vec::is_empty) {
            let role = self.raw.database.terms.show(self.roles[role]);
            format!("a legal move of {role}")
        } else {
            return Ok(());
        };
        Err(GroundingError::Never { what })
    }

    /// Returns the bodies of an atom's clauses, without literals whose value is known.
    fn bodies(&mut self, head: TermId) -> Vec<Vec<Literal>> {
        let values = self.values;
        match values.of[head.index()] {
            Truth::Never => return Vec::new(),
            Truth::Always => return vec![Vec::new()],
            Truth::Open => {}
        }
        let clauses = values
            .heads
            .of(head)
            .map(|place| values.heads.clauses[place] as usize);
        let mut bodies = Vec::new();
        for clause in clauses.filter(|&clause| !values.dead[clause]) {
            let mut body = Vec::new();
            for literal in self.raw.clause(clause).1 {
                let term = literal.atom();
                if values.of[term.index()] == Truth::Open {
                    if !self.number.contains_key(&term) {
                        self.add(term, Meaning::Auxiliary);
                    }
                    body.push(Literal::new(self.number[&term], literal.is_negated()));
                }
            }
            body.sort_unstable();
            body.dedup();
            let contradicts = |pair: &[Literal]| pair[0].atom() == pair[1].atom();
            if !body.windows(2).any(contradicts) {
                bodies.push(body);
            }
        }
        bodies
    }
}
