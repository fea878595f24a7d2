//! From the clauses that grounding found to those that matter: atoms that always or never hold are put in, clauses that
//! never apply and atoms that nothing depends on are left out.

use std::collections::HashMap;

use super::error::GroundingError;
use super::grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning, Stranger};
use super::instances::{GroundingLimits, RawGrounding, TermLiteral, ground};
use super::rules::PredicateId;
use super::sheet::Sheet;
use super::stratify::refuse_circles;
use super::terms::TermId;

impl Grounding {
    /// Grounds a sheet; where its rules have too many instances, with large rules split.
    ///
    /// # Errors
    /// A ground form beyond `limits`, terms without end, goals that are not numbers, negation in a circle of ground atoms.
    pub fn new(sheet: &Sheet, limits: &GroundingLimits) -> Result<Self, GroundingError> {
        match Self::as_written(sheet, limits) {
            Err(too_large @ GroundingError::TooLarge { .. }) => match sheet.split() {
                Some(split) => Self::as_written(&split, limits).map_err(|_| too_large),
                None => Err(too_large),
            },
            grounding => grounding,
        }
    }

    fn as_written(sheet: &Sheet, limits: &GroundingLimits) -> Result<Self, GroundingError> {
        let raw = ground(sheet, limits)?;
        let mut values = TruthValues::new(&raw);
        values.settle();
        if sheet.strata.negates_itself {
            refuse_circles(raw.program, &raw.database.terms, values.open_clauses())?;
        }
        Numbering::new(&raw, &values)?.finish()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Open,
    Never,
    Always,
}

/// Lists of clauses by atom, in one array.
struct Occurrences {
    starts: Vec<u32>,
    clauses: Vec<u32>,
}

impl Occurrences {
    /// Lists the clauses in which each atom occurs; `atoms_of` calls back with every atom of a clause.
    fn new(raw: &RawGrounding<'_>, atoms_of: impl Fn(usize, &mut dyn FnMut(TermId))) -> Self {
        // First the length of each list, two places on; then, one place on, where each list is filled.
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

    fn of(&self, atom: TermId) -> std::ops::Range<usize> {
        self.starts[atom.index()] as usize..self.starts[atom.index() + 1] as usize
    }
}

/// What is known of the atoms, all terms standing for the atoms they are.
struct TruthValues<'a> {
    raw: &'a RawGrounding<'a>,
    of: Vec<Truth>,
    /// Clauses with the atom in the body, negated or not.
    uses: Occurrences,
    /// Clauses with the atom as the head.
    heads: Occurrences,
    /// Of each clause, the literals that are not known to hold.
    left: Vec<u32>,
    dead: Vec<bool>,
    /// Of each atom, the clauses that may apply.
    alive: Vec<u32>,
    decided: Vec<TermId>,
    /// The `true`, `next` and `init` atoms of the fluents, as far as there are any.
    fluents: Vec<FluentAtoms>,
    /// The `does` atom of each `legal` atom.
    does: HashMap<TermId, TermId>,
}

struct FluentAtoms {
    term: TermId,
    truth: TermId,
    next: Option<TermId>,
    initially: bool,
}

impl<'a> TruthValues<'a> {
    fn new(raw: &'a RawGrounding<'a>) -> Self {
        let atoms = raw.database.terms.len();
        let heads = Occurrences::new(raw, |clause, enter| enter(raw.clause(clause).0));
        let uses = Occurrences::new(raw, |clause, enter| {
            raw.clause(clause).1.iter().for_each(|literal| enter(literal.atom()));
        });
        let left: Vec<u32> = (0..raw.clause_count()).map(|clause| raw.clause(clause).1.len() as u32).collect();
        let alive = heads.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let keywords = &raw.program.keywords;
        let database = &raw.database;
        let find = |predicate: PredicateId, arguments: &[TermId]| {
            database.terms.find(raw.program.predicates[predicate.index()].name, arguments)
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
        let does = database
            .atoms(keywords.legal)
            .iter()
            .filter_map(|&legal| find(keywords.does, database.terms.arguments(legal)).map(|does| (legal, does)));
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

    /// Draws all conclusions.
    fn settle(&mut self) {
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

    /// Head and body of each clause that may apply, a literal that is known to hold among the others.
    fn open_clauses(&self) -> impl Iterator<Item = (TermId, &[TermLiteral])> + Clone {
        let open = |&clause: &usize| !self.dead[clause] && self.of[self.raw.clause(clause).0.index()] == Truth::Open;
        (0..self.raw.clause_count()).filter(open).map(|clause| self.raw.clause(clause))
    }

    fn decide(&mut self, atom: TermId, value: Truth) {
        if self.of[atom.index()] == Truth::Open {
            self.of[atom.index()] = value;
            self.decided.push(atom);
        }
    }

    /// Puts the value of `atom` into all bodies.
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
            // An atom may stand in a body twice, negated and not: `uses` then names the clause twice.
            let body = self.raw.clause(clause).1;
            let fails = body.iter().any(|&literal| literal.atom() == atom && holds(value, literal) == Some(false));
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

    /// Fluents that always keep their first value, by induction over the steps.
    fn frozen_fluents(&mut self) {
        for fluent in 0..self.fluents.len() {
            let FluentAtoms { truth, next, initially, .. } = self.fluents[fluent];
            if self.of[truth.index()] != Truth::Open {
                continue;
            }
            let next_value = next.map_or(Truth::Never, |next| self.of[next.index()]);
            let frozen = match (initially, next_value) {
                (true, Truth::Never) | (false, Truth::Always) => false,
                (true, Truth::Always) | (false, Truth::Never) => true,
                (_, Truth::Open) => self.keeps(truth, next.expect("an open atom is one"), initially),
            };
            if frozen {
                self.decide(truth, if initially { Truth::Always } else { Truth::Never });
            }
        }
    }

    /// Whether `next` follows from `truth` alone (if it holds at first), or only together with it (if it does not).
    fn keeps(&self, truth: TermId, next: TermId, initially: bool) -> bool {
        let mut clauses = self.heads.of(next).map(|place| self.heads.clauses[place] as usize);
        let open = |clause: usize| {
            let body = self.raw.clause(clause).1.iter();
            body.filter(|literal| holds(self.of[literal.atom().index()], **literal).is_none())
        };
        let truth = TermLiteral::new(truth, false);
        if initially {
            clauses.any(|clause| !self.dead[clause] && open(clause).all(|&literal| literal == truth))
        } else {
            clauses.all(|clause| self.dead[clause] || open(clause).any(|&literal| literal == truth))
        }
    }
}

/// Whether a literal holds if its atom has this value.
fn holds(value: Truth, literal: TermLiteral) -> Option<bool> {
    match value {
        Truth::Open => None,
        Truth::Never => Some(literal.is_negated()),
        Truth::Always => Some(!literal.is_negated()),
    }
}

/// The atoms that are kept, and their numbers.
struct Numbering<'a> {
    raw: &'a RawGrounding<'a>,
    values: &'a TruthValues<'a>,
    roles: Vec<TermId>,
    fluents: Vec<Fluent>,
    constants: Vec<TermId>,
    actions: Vec<Vec<TermId>>,
    atoms: Vec<GroundAtom>,
    number: HashMap<TermId, usize>,
    strangers: Vec<Stranger>,
}

impl<'a> Numbering<'a> {
    fn new(raw: &'a RawGrounding<'a>, values: &'a TruthValues<'a>) -> Result<Self, GroundingError> {
        let keywords = &raw.program.keywords;
        let terms = &raw.database.terms;
        let roles: Vec<_> = raw.database.atoms(keywords.role).iter().map(|&role| terms.arguments(role)[0]).collect();
        let mut output = Self {
            actions: vec![Vec::new(); roles.len()],
            roles,
            fluents: Vec::new(),
            constants: Vec::new(),
            atoms: Vec::new(),
            number: HashMap::new(),
            strangers: Vec::new(),
            raw,
            values,
        };
        for fluent in &values.fluents {
            match values.of[fluent.truth.index()] {
                Truth::Never => {}
                Truth::Always => output.constants.push(fluent.term),
                Truth::Open => {
                    let index = output.fluents.len();
                    output.fluents.push(Fluent { term: fluent.term, initially: fluent.initially });
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
            let &[role, action] = terms.arguments(legal) else { continue };
            let Some(role) = output.role(role, legal) else { continue };
            let index = output.actions[role].len();
            output.actions[role].push(action);
            output.add(values.does[&legal], Meaning::Does { role, action: index });
            output.add(legal, Meaning::Legal { role, action: index });
        }
        for &terminal in raw.database.atoms(keywords.terminal) {
            output.add(terminal, Meaning::Terminal);
        }
        for &goal in raw.database.atoms(keywords.goal) {
            let &[role, value] = terms.arguments(goal) else { continue };
            let Some(role) = output.role(role, goal) else { continue };
            let shown = terms.show(value).to_string();
            let points = shown.parse().ok().filter(|points| *points <= 100);
            let name = || terms.show(output.roles[role]).to_string();
            let points = points.ok_or_else(|| GroundingError::Goal { role: name(), value: shown })?;
            output.add(goal, Meaning::Goal { role, points });
        }
        Ok(output)
    }

    /// The role with this name; where there is none, notes that `atom` names it.
    fn role(&mut self, name: TermId, atom: TermId) -> Option<usize> {
        let role = self.roles.iter().position(|&role| role == name);
        if role.is_none() {
            let predicate = self.raw.database.terms.functor(atom);
            let same = |stranger: &&mut Stranger| {
                stranger.name == name && self.raw.database.terms.functor(stranger.example) == predicate
            };
            match self.strangers.iter_mut().find(same) {
                Some(stranger) => stranger.atoms += 1,
                None => self.strangers.push(Stranger { name, example: atom, atoms: 1 }),
            }
        }
        role
    }

    fn add(&mut self, term: TermId, meaning: Meaning) {
        self.number.insert(term, self.atoms.len());
        self.atoms.push(GroundAtom { term, meaning });
    }

    fn finish(mut self) -> Result<Grounding, GroundingError> {
        let is_terminal = |atom: &GroundAtom| atom.meaning == Meaning::Terminal;
        let never = |atom: &GroundAtom| self.values.of[atom.term.index()] == Truth::Never;
        if !self.atoms.iter().any(|atom| is_terminal(atom) && !never(atom)) {
            return Err(GroundingError::Never { what: "terminal".to_owned() });
        }
        if let Some(role) = self.actions.iter().position(Vec::is_empty) {
            let what = format!("a legal move of {}", self.raw.database.terms.show(self.roles[role]));
            return Err(GroundingError::Never { what });
        }
        // Atoms that the bodies of kept atoms name are kept, in the order in which they are met.
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
        let chance = self.roles.iter().position(|&role| terms.name(terms.functor(role)) == "random");
        let Self { roles, fluents, constants, actions, atoms, strangers, .. } = self;
        Ok(Grounding {
            terms,
            roles,
            chance,
            strangers,
            fluents,
            constants,
            actions,
            atoms,
            literals,
            clause_starts,
            atom_starts,
        })
    }

    /// The bodies of an atom's clauses without what is known.
    fn bodies(&mut self, head: TermId) -> Vec<Vec<Literal>> {
        let values = self.values;
        match values.of[head.index()] {
            Truth::Never => return Vec::new(),
            Truth::Always => return vec![Vec::new()],
            Truth::Open => {}
        }
        let clauses = values.heads.of(head).map(|place| values.heads.clauses[place] as usize);
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
