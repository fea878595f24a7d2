//! The ground form of a rule sheet: fluents, actions, and Horn clauses over ground atoms, simplified.
//!
//! Atoms that can hold in some state are over-approximated: negations of what changes from state to state are taken to
//! be possible, a fluent to hold if `init` or `next` gives it, an action to be done if `legal` allows it.

use super::check::Changes;
use super::datalog::{Database, Derived, MOST_TRIED, Prepared, Sink, Stratum};
use super::error::{GroundingError, SheetError};
use super::kif::{Position, read};
use super::propnet::State;
use super::rules::{Literal as RuleLiteral, PredicateId, Program};
use super::simplify::simplify;
use super::terms::{TermId, Terms};
use super::{check, rules};

/// A rule sheet that was read and checked.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(crate) program: Program,
    pub(crate) strata: check::Strata,
}

impl Sheet {
    /// Reads the text of a sheet.
    ///
    /// # Errors
    /// A syntax error or a rule that the language forbids, with its line and column.
    pub fn read(text: &str) -> Result<Self, SheetError> {
        let program = rules::Program::new(&read(text)?)?;
        let strata = check::check(&program)?;
        Ok(Self { program, strata })
    }

    /// Predicates that bodies name and no rule gives: they never hold, which is seldom meant.
    pub fn undefined(&self) -> Vec<(&str, Position)> {
        let program = &self.program;
        let given = |predicate: PredicateId| program.rules.iter().any(|rule| rule.head.predicate == predicate);
        let own = (program.keywords.goal.0 + 1..program.predicates.len() as u32).map(PredicateId);
        let missing = own.filter(|&predicate| !given(predicate));
        missing.map(|predicate| (program.name(predicate), program.predicates[predicate.index()].at)).collect()
    }

    /// The number of rules, those with `or` written out.
    pub const fn rule_count(&self) -> usize {
        self.program.rules.len()
    }

    /// The strata whose predicates change so, each after those that it depends on.
    pub(crate) fn strata_that(&self, changes: Changes) -> Vec<SheetStratum> {
        let rules_of = |stratum: u32| {
            let heads = self.program.rules.iter().map(|rule| rule.head.predicate);
            let here = |predicate: PredicateId| {
                self.strata.of[predicate.index()] == stratum && self.strata.changes[predicate.index()] == changes
            };
            heads.enumerate().filter(|&(_, head)| here(head)).map(|(rule, _)| rule).collect::<Vec<_>>()
        };
        let strata = (0..self.strata.count as u32).map(|stratum| SheetStratum { stratum, rules: rules_of(stratum) });
        strata.filter(|stratum| !stratum.rules.is_empty()).collect()
    }
}

/// The rules whose heads depend on each other.
pub(crate) struct SheetStratum {
    stratum: u32,
    rules: Vec<usize>,
}

impl SheetStratum {
    /// Plans the joins, every relation below being there.
    pub(crate) fn prepare(self, sheet: &Sheet, database: &mut Database) -> Prepared {
        let grows = |predicate: PredicateId| sheet.strata.of[predicate.index()] == self.stratum;
        database.prepare(&sheet.program, &Stratum { rules: self.rules, grows: &grows, open: &|_| false })
    }
}

/// How large a ground form may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Ground atoms.
    pub atoms: usize,
    /// Literals of all ground clauses together, heads among them, before they are simplified.
    pub literals: usize,
    /// Atoms that are held against the literals of rules while one stratum is joined, which is what takes the time.
    pub joins: usize,
}

impl Default for Limits {
    /// At most about 1.7 GB, the network included, and a minute or so of joining.
    fn default() -> Self {
        Self { atoms: 2_000_000, literals: 20_000_000, joins: MOST_TRIED }
    }
}

/// A fluent: part of what a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// `(cell 1 2 x)` of `(true (cell 1 2 x))`.
    pub term: TermId,
    /// Whether it holds in the initial state.
    pub initially: bool,
}

/// What a ground atom says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The fluent (index into [`Grounding::fluents`]) holds in the current state. Never a head.
    True(usize),
    /// The role does the action (index into its [`Grounding::actions`]). Never a head.
    Does { role: usize, action: usize },
    /// The fluent holds in the next state.
    Next(usize),
    /// The role may do the action.
    Legal { role: usize, action: usize },
    /// The state is terminal.
    Terminal,
    /// The role gets 0 to 100 points.
    Goal { role: usize, points: u8 },
    /// A predicate of the sheet's own.
    Auxiliary,
}

/// A ground atom that at least one clause holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundAtom {
    /// The whole atom, `(true (cell 1 2 x))`.
    pub term: TermId,
    pub meaning: Meaning,
}

/// An atom (index into [`Grounding::atoms`]) or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    pub(crate) const fn new(atom: usize, negated: bool) -> Self {
        Self((atom as u32) << 1 | negated as u32)
    }

    /// The atom.
    pub const fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The ground form of a sheet. An atom holds if all literals of the body of one of its clauses do; the least such
/// model is meant, stratum by stratum.
#[derive(Clone, Debug)]
pub struct Grounding {
    pub terms: Terms,
    /// The players in the order of the sheet; indices everywhere refer to it.
    pub roles: Vec<TermId>,
    /// Which of the roles is `random`: it chooses uniformly among its legal actions (section 2.2).
    pub chance: Option<usize>,
    /// What a state is made of, fluents that never change left out.
    pub fluents: Vec<Fluent>,
    /// Fluents that hold in every state.
    pub constants: Vec<TermId>,
    /// Of each role, all actions that it may do in some state.
    pub actions: Vec<Vec<TermId>>,
    /// The atoms that terminal, goals, legal moves and the next state depend on.
    pub atoms: Vec<GroundAtom>,
    /// Bodies by clause number, one after the other.
    pub(crate) literals: Vec<Literal>,
    /// Where each clause's body begins, and the end of the last one.
    pub(crate) clause_starts: Vec<u32>,
    /// Of each atom, where its clauses begin, and the end of the last one.
    pub(crate) atom_starts: Vec<u32>,
}

impl Grounding {
    /// Grounds a sheet.
    ///
    /// # Errors
    /// A ground form beyond `limits`, terms without end, goals that are no numbers, moves of those who don't play.
    pub fn new(sheet: &Sheet, limits: &Limits) -> Result<Self, GroundingError> {
        simplify(&ground(sheet, limits)?)
    }

    /// The number of clauses.
    pub const fn clause_count(&self) -> usize {
        self.clause_starts.len() - 1
    }

    /// The number of literals in all bodies.
    pub const fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// The clauses of an atom: their bodies. An empty body is a fact; an atom without clauses never holds.
    pub fn clauses(&self, atom: usize) -> impl Iterator<Item = &[Literal]> {
        let clauses = self.atom_starts[atom] as usize..self.atom_starts[atom + 1] as usize;
        clauses
            .map(|clause| &self.literals[self.clause_starts[clause] as usize..self.clause_starts[clause + 1] as usize])
    }

    /// The fluents that hold in a state, those that never change left out.
    pub fn show_state(&self, state: &State) -> String {
        let holding = (0..self.fluents.len()).filter(|&fluent| state.holds(fluent));
        holding.map(|fluent| self.terms.show(self.fluents[fluent].term).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The name of a role.
    pub fn role_name(&self, role: usize) -> String {
        self.terms.show(self.roles[role]).to_string()
    }
}

/// Clauses as grounding finds them, over terms.
pub(crate) struct RawGrounding<'a> {
    pub(crate) program: &'a Program,
    pub(crate) database: Database,
    /// Head and body of each clause; the lowest bit of a number says whether it is negated.
    pub(crate) clauses: Vec<u32>,
    /// Where each clause begins in `clauses`, and the end of the last one.
    pub(crate) starts: Vec<u32>,
}

fn ground<'a>(sheet: &'a Sheet, limits: &Limits) -> Result<RawGrounding<'a>, GroundingError> {
    let Sheet { program, strata } = sheet;
    let keywords = &program.keywords;
    let mut database = Database::new(program, limits.atoms);
    database.most_tried = limits.joins;
    for stratum in sheet.strata_that(Changes::Never) {
        let prepared = stratum.prepare(sheet, &mut database);
        database.evaluate(program, &prepared, &mut Derived)?;
    }
    let changes = |predicate: PredicateId| strata.changes[predicate.index()] != Changes::Never;
    let mut recorder =
        Recorder { program, changes: &changes, clauses: Vec::new(), starts: vec![0], limit: limits.literals };
    for predicate in [keywords.init, keywords.next, keywords.legal, keywords.terminal, keywords.goal] {
        for atom in database.atoms(predicate).to_vec() {
            recorder.fact(predicate, atom);
            recorder.follow(&mut database, predicate, atom);
        }
    }
    let rules = (0..program.rules.len()).filter(|&rule| changes(program.rules[rule].head.predicate)).collect();
    let prepared = database.prepare(program, &Stratum { rules, grows: &changes, open: &changes });
    database.evaluate(program, &prepared, &mut recorder)?;
    let Recorder { clauses, starts, .. } = recorder;
    Ok(RawGrounding { program, database, clauses, starts })
}

/// Writes down the instances of rules as clauses without what never changes.
struct Recorder<'a> {
    program: &'a Program,
    changes: &'a dyn Fn(PredicateId) -> bool,
    clauses: Vec<u32>,
    starts: Vec<u32>,
    limit: usize,
}

impl Recorder<'_> {
    /// An atom of a keyword that holds in every state.
    fn fact(&mut self, predicate: PredicateId, atom: TermId) {
        if predicate != self.program.keywords.init {
            self.clauses.push(atom.0 << 1);
            self.starts.push(self.clauses.len() as u32);
        }
    }

    /// Derives what an atom makes possible: a fluent from `init` and `next`, doing from `legal`.
    fn follow(&self, database: &mut Database, predicate: PredicateId, atom: TermId) -> bool {
        let keywords = &self.program.keywords;
        let possible = match predicate {
            _ if predicate == keywords.init || predicate == keywords.next => keywords.truth,
            _ if predicate == keywords.legal => keywords.does,
            _ => return true,
        };
        let arguments = database.terms.arguments(atom).to_vec();
        let term = database.terms.insert(self.program.predicates[possible.index()].name, &arguments);
        database.derive(possible, term)
    }
}

impl Sink for Recorder<'_> {
    fn instance(
        &mut self,
        database: &mut Database,
        rule: usize,
        values: &[TermId],
        head: TermId,
    ) -> Result<(), GroundingError> {
        let rule = &self.program.rules[rule];
        self.clauses.push(head.0 << 1);
        for literal in &rule.body {
            let (atom, negated) = match literal {
                RuleLiteral::Positive(atom) => (atom, 0),
                RuleLiteral::Negative(atom) => (atom, 1),
                RuleLiteral::Distinct(..) => continue,
            };
            if (self.changes)(atom.predicate) {
                let term = database.instantiate(&atom.term, values);
                self.clauses.push(term.0 << 1 | negated);
            }
        }
        self.starts.push(self.clauses.len() as u32);
        if self.clauses.len() > self.limit {
            return Err(GroundingError::TooLarge { what: "literals", limit: self.limit, at: rule.at });
        }
        if !self.follow(database, rule.head.predicate, head) {
            return Err(GroundingError::TooLarge { what: "atoms", limit: self.limit, at: rule.at });
        }
        Ok(())
    }
}
