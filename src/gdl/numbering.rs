//! Numbering of the simplified ground form: atoms that always or never hold are substituted, and
//! atoms on which nothing depends are removed.

use std::collections::HashMap;

use super::error::GroundingError;
use super::grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning, UnknownRole};
use super::instances::RawGrounding;
use super::terms::TermId;
use super::truth::{Truth, TruthValues};

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
    pub(super) fn new(
        raw: &'a RawGrounding<'a>,
        values: &'a TruthValues<'a>,
    ) -> Result<Self, GroundingError> {
        let keywords = &raw.program.keywords;
        let terms = &raw.database.terms;
        let roles: Vec<_> = raw
            .database
            .atoms(keywords.role)
            .iter()
            .map(|&role| terms.arguments(role)[0])
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
        for fluent in &values.fluents {
            match values.of[fluent.truth.index()] {
                Truth::Never => {}
                Truth::Always => output.constants.push(fluent.term),
                Truth::Open => {
                    let index = output.fluents.len();
                    output.fluents.push(Fluent {
                        term: fluent.term,
                        initially: fluent.initially,
                    });
                    output.add(fluent.truth, Meaning::True(index));
                    if let Some(next) = fluent.next {
                        output.add(next, Meaning::Next(index));
                    }
                }
            }
        }
        for &legal in raw.database.atoms(keywords.legal) {
            if values.of[legal.index()] == Truth::Never {
                continue;
            }
            let &[role, action] = terms.arguments(legal) else {
                continue;
            };
            let Some(role) = output.role(role, legal) else {
                continue;
            };
            let index = output.actions[role].len();
            output.actions[role].push(action);
            output.add(
                values.does[&legal],
                Meaning::Does {
                    role,
                    action: index,
                },
            );
            output.add(
                legal,
                Meaning::Legal {
                    role,
                    action: index,
                },
            );
        }
        for &terminal in raw.database.atoms(keywords.terminal) {
            output.add(terminal, Meaning::Terminal);
        }
        for &goal in raw.database.atoms(keywords.goal) {
            let &[role, value] = terms.arguments(goal) else {
                continue;
            };
            let Some(role) = output.role(role, goal) else {
                continue;
            };
            let shown = terms.show(value).to_string();
            let points = shown.parse().ok().filter(|points| *points <= 100);
            let name = || terms.show(output.roles[role]).to_string();
            let points = points.ok_or_else(|| GroundingError::Goal {
                role: name(),
                value: shown,
            })?;
            output.add(goal, Meaning::Goal { role, points });
        }
        Ok(output)
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
    pub(super) fn finish(mut self) -> Result<Grounding, GroundingError> {
        let is_terminal = |atom: &GroundAtom| atom.meaning == Meaning::Terminal;
        let never = |atom: &GroundAtom| self.values.of[atom.term.index()] == Truth::Never;
        if !self
            .atoms
            .iter()
            .any(|atom| is_terminal(atom) && !never(atom))
        {
            return Err(GroundingError::Never {
                what: "terminal".to_owned(),
            });
        }
        if let Some(role) = self.actions.iter().position(Vec::is_empty) {
            let what = format!(
                "a legal move of {}",
                self.raw.database.terms.show(self.roles[role])
            );
            return Err(GroundingError::Never { what });
        }
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
        let chance = self
            .roles
            .iter()
            .position(|&role| terms.name(terms.functor(role)) == "random");
        let Self {
            roles,
            fluents,
            constants,
            actions,
            atoms,
            unknown_roles,
            ..
        } = self;
        Ok(Grounding {
            terms,
            roles,
            chance,
            unknown_roles,
            fluents,
            constants,
            actions,
            atoms,
            literals,
            clause_starts,
            atom_starts,
        })
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
