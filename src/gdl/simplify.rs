//! From the clauses that grounding found to those that matter: atoms that always or never hold are put in, clauses that
//! never apply and atoms that nothing depends on are left out.

use std::collections::HashMap;

use super::error::GroundingError;
use super::grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning};
use super::instances::{GroundingLimits, RawGrounding, ground};
use super::sheet::Sheet;
use super::terms::TermId;

impl Grounding {
    /// Grounds a sheet.
    ///
    /// # Errors
    /// A ground form beyond `limits`, terms without end, goals that are not numbers, moves of those who don't play.
    pub fn new(sheet: &Sheet, limits: &GroundingLimits) -> Result<Self, GroundingError> {
        let raw = ground(sheet, limits)?;
        let mut values = TruthValues::new(&raw);
        values.settle();
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
    fn of(&self, atom: usize) -> std::ops::Range<usize> {
        self.starts[atom] as usize..self.starts[atom + 1] as usize
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
        let mut uses = vec![0_u32; atoms + 1];
        let mut heads = vec![0_u32; atoms + 1];
        for clause in 0..clause_count(raw) {
            let (head, body) = clause_of(raw, clause);
            heads[head + 1] += 1;
            body.iter().for_each(|&literal| uses[(literal >> 1) as usize + 1] += 1);
        }
        let mut fill_uses = accumulate(&mut uses);
        let mut fill_heads = accumulate(&mut heads);
        let mut use_clauses = vec![0; *uses.last().expect("it has a last element") as usize];
        let mut head_clauses = vec![0; clause_count(raw)];
        let mut left = Vec::with_capacity(clause_count(raw));
        for clause in 0..clause_count(raw) {
            let (head, body) = clause_of(raw, clause);
            let enter = |fill: &mut [u32], clauses: &mut [u32], atom: usize| {
                clauses[fill[atom] as usize] = clause as u32;
                fill[atom] += 1;
            };
            enter(&mut fill_heads, &mut head_clauses, head);
            body.iter().for_each(|&literal| enter(&mut fill_uses, &mut use_clauses, (literal >> 1) as usize));
            left.push(body.len() as u32);
        }
        let alive = heads.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let keywords = &raw.program.keywords;
        let database = &raw.database;
        let find = |predicate: super::rules::PredicateId, arguments: &[TermId]| {
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
            uses: Occurrences { starts: uses, clauses: use_clauses },
            heads: Occurrences { starts: heads, clauses: head_clauses },
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
        for atom in 0..self.of.len() {
            if !self.raw.database.holds(TermId(atom as u32)) && !self.uses.of(atom).is_empty() {
                self.decide(TermId(atom as u32), Truth::Never);
            }
        }
        for clause in 0..self.left.len() {
            if self.left[clause] == 0 {
                self.decide(self.head(clause), Truth::Always);
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

    fn decide(&mut self, atom: TermId, value: Truth) {
        if self.of[atom.index()] == Truth::Open {
            self.of[atom.index()] = value;
            self.decided.push(atom);
        }
    }

    fn head(&self, clause: usize) -> TermId {
        TermId(clause_of(self.raw, clause).0 as u32)
    }

    /// Puts the value of `atom` into all bodies.
    fn spread(&mut self, atom: TermId) {
        let value = self.of[atom.index()];
        if value == Truth::Never
            && let Some(&does) = self.does.get(&atom)
        {
            self.decide(does, Truth::Never);
        }
        for place in self.uses.of(atom.index()) {
            let clause = self.uses.clauses[place] as usize;
            if self.dead[clause] {
                continue;
            }
            // An atom may stand in a body twice, negated and not: `uses` then names the clause twice.
            let body = clause_of(self.raw, clause).1;
            let fails = body.iter().any(|&literal| (literal >> 1) == atom.0 && holds(value, literal) == Some(false));
            if fails {
                self.kill(clause);
            } else {
                self.left[clause] -= 1;
                if self.left[clause] == 0 {
                    self.decide(self.head(clause), Truth::Always);
                }
            }
        }
    }

    fn kill(&mut self, clause: usize) {
        self.dead[clause] = true;
        let head = self.head(clause);
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
        let mut clauses = self.heads.of(next.index()).map(|place| self.heads.clauses[place] as usize);
        let open = |clause: usize| {
            let body = clause_of(self.raw, clause).1.iter();
            body.filter(|&&literal| holds(self.of[(literal >> 1) as usize], literal).is_none())
        };
        if initially {
            clauses.any(|clause| !self.dead[clause] && open(clause).all(|&literal| literal == truth.0 << 1))
        } else {
            clauses.all(|clause| self.dead[clause] || open(clause).any(|&literal| literal == truth.0 << 1))
        }
    }
}

/// Whether a literal holds if its atom has this value.
fn holds(value: Truth, literal: u32) -> Option<bool> {
    match value {
        Truth::Open => None,
        Truth::Never => Some(literal & 1 == 1),
        Truth::Always => Some(literal & 1 == 0),
    }
}

fn clause_count(raw: &RawGrounding<'_>) -> usize {
    raw.starts.len() - 1
}

/// Head and body of a clause.
fn clause_of<'a>(raw: &'a RawGrounding<'_>, clause: usize) -> (usize, &'a [u32]) {
    let clause = &raw.clauses[raw.starts[clause] as usize..raw.starts[clause + 1] as usize];
    ((clause[0] >> 1) as usize, &clause[1..])
}

/// Turns counts into starts, and gives a copy to fill by.
fn accumulate(counts: &mut [u32]) -> Vec<u32> {
    for i in 1..counts.len() {
        counts[i] += counts[i - 1];
    }
    counts.to_vec()
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
            let role = output.role(role, || terms.show(legal).to_string())?;
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
            let shown = terms.show(value).to_string();
            let points = shown.parse().ok().filter(|points| *points <= 100);
            let name = terms.show(role).to_string();
            let points = points.ok_or(GroundingError::Goal { role: name, value: shown })?;
            let role = output.role(role, || terms.show(goal).to_string())?;
            output.add(goal, Meaning::Goal { role, points });
        }
        Ok(output)
    }

    fn role(&self, term: TermId, what: impl Fn() -> String) -> Result<usize, GroundingError> {
        let unknown = || GroundingError::NoRole { role: self.raw.database.terms.show(term).to_string(), what: what() };
        self.roles.iter().position(|&role| role == term).ok_or_else(unknown)
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
        let Self { roles, fluents, constants, actions, atoms, .. } = self;
        Ok(Grounding { terms, roles, chance, fluents, constants, actions, atoms, literals, clause_starts, atom_starts })
    }

    /// The bodies of an atom's clauses without what is known.
    fn bodies(&mut self, head: TermId) -> Vec<Vec<Literal>> {
        let values = self.values;
        match values.of[head.index()] {
            Truth::Never => return Vec::new(),
            Truth::Always => return vec![Vec::new()],
            Truth::Open => {}
        }
        let clauses = values.heads.of(head.index()).map(|place| values.heads.clauses[place] as usize);
        let mut bodies = Vec::new();
        for clause in clauses.filter(|&clause| !values.dead[clause]) {
            let mut body = Vec::new();
            for &literal in clause_of(self.raw, clause).1 {
                let term = TermId(literal >> 1);
                if values.of[term.index()] == Truth::Open {
                    if !self.number.contains_key(&term) {
                        self.add(term, Meaning::Auxiliary);
                    }
                    body.push(Literal::new(self.number[&term], literal & 1 == 1));
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
