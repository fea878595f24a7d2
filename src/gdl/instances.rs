//! The instances of a sheet's rules over all ground atoms that can hold in some state.
//!
//! The atoms are over-approximated: negations of what changes from state to state are taken to be possible, a fluent to
//! hold if `init` or `next` gives it, an action to be done if `legal` allows it.

use super::check::Changes;
use super::database::{Database, MOST_TRIED};
use super::datalog::{RuleStratum, Sink};
use super::error::GroundingError;
use super::plan::Negation;
use super::rules::{BodyLiteral, PredicateId, Program};
use super::sheet::Sheet;
use super::terms::TermId;

/// How large a ground form may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundingLimits {
    /// Ground atoms.
    pub atoms: usize,
    /// Literals of all ground clauses together, heads among them, before they are simplified.
    pub literals: usize,
    /// Atoms that are compared with the literals of rules while one stratum is joined; this takes the time.
    pub joins: usize,
}

impl Default for GroundingLimits {
    /// At most about 1.7 GB, the network included, and a minute or so of joining.
    fn default() -> Self {
        Self {
            atoms: 2_000_000,
            literals: 20_000_000,
            joins: MOST_TRIED,
        }
    }
}

/// A ground atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TermLiteral(u32);

impl TermLiteral {
    pub(crate) const fn new(atom: TermId, negated: bool) -> Self {
        Self(atom.0 << 1 | negated as u32)
    }

    pub(crate) const fn atom(self) -> TermId {
        TermId(self.0 >> 1)
    }

    pub(crate) const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Clauses as grounding finds them, over terms.
pub(crate) struct RawGrounding<'a> {
    pub(crate) program: &'a Program,
    pub(crate) database: Database,
    /// Head and body of each clause.
    literals: Vec<TermLiteral>,
    /// Where each clause begins in `literals`, and the end of the last one.
    starts: Vec<u32>,
}

impl RawGrounding<'_> {
    pub(crate) const fn clause_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Head and body of a clause.
    pub(crate) fn clause(&self, clause: usize) -> (TermId, &[TermLiteral]) {
        let literals =
            &self.literals[self.starts[clause] as usize..self.starts[clause + 1] as usize];
        (literals[0].atom(), &literals[1..])
    }
}

/// Finds all instances of a sheet's rules.
///
/// # Errors
/// More atoms, literals or joins than `limits` allow, terms without end.
pub(crate) fn ground<'a>(
    sheet: &'a Sheet,
    limits: &GroundingLimits,
) -> Result<RawGrounding<'a>, GroundingError> {
    let Sheet { program, strata } = sheet;
    let keywords = &program.keywords;
    let mut database = Database::new(program, limits.atoms);
    database.most_tried = limits.joins;
    for stratum in sheet.strata_that(Changes::Never) {
        let prepared = stratum.prepare(sheet, &mut database, &[]);
        database.settle(program, &prepared)?;
    }
    let changes = |predicate: PredicateId| strata.changes[predicate.index()] != Changes::Never;
    let mut recorder = ClauseRecorder {
        program,
        changes: &changes,
        literals: Vec::new(),
        starts: vec![0],
        limit: limits.literals,
    };
    for predicate in [
        keywords.init,
        keywords.next,
        keywords.legal,
        keywords.terminal,
        keywords.goal,
    ] {
        for atom in database.atoms(predicate).to_vec() {
            recorder.fact(predicate, atom);
            recorder.follow(&mut database, predicate, atom);
        }
    }
    let rules = (0..program.rules.len())
        .filter(|&rule| changes(program.rules[rule].head.predicate))
        .collect();
    let prepared = database.prepare(
        program,
        &RuleStratum {
            rules,
            grows: &changes,
            expected: &[],
            inner: Negation::Open,
        },
    );
    database.evaluate(program, &prepared, &mut recorder)?;
    let ClauseRecorder {
        literals, starts, ..
    } = recorder;
    Ok(RawGrounding {
        program,
        database,
        literals,
        starts,
    })
}

/// Writes down the instances of rules as clauses without what never changes.
struct ClauseRecorder<'a> {
    program: &'a Program,
    changes: &'a dyn Fn(PredicateId) -> bool,
    literals: Vec<TermLiteral>,
    starts: Vec<u32>,
    limit: usize,
}

impl ClauseRecorder<'_> {
    /// An atom of a keyword that holds in every state.
    fn fact(&mut self, predicate: PredicateId, atom: TermId) {
        if predicate != self.program.keywords.init {
            self.literals.push(TermLiteral::new(atom, false));
            self.starts.push(self.literals.len() as u32);
        }
    }

    fn is_role(&self, database: &Database, name: TermId) -> bool {
        let role = self.program.predicates[self.program.keywords.role.index()].name;
        database
            .terms
            .find(role, &[name])
            .is_some_and(|atom| database.holds(atom))
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
        if possible == keywords.does && !self.is_role(database, arguments[0]) {
            return true; // Nobody is there to do it.
        }
        let term = database
            .terms
            .insert(self.program.predicates[possible.index()].name, &arguments);
        database.derive(possible, term)
    }
}

impl Sink for ClauseRecorder<'_> {
    fn instance(
        &mut self,
        database: &mut Database,
        rule: usize,
        values: &[TermId],
        head: TermId,
    ) -> Result<(), GroundingError> {
        let rule = &self.program.rules[rule];
        self.literals.push(TermLiteral::new(head, false));
        for literal in &rule.body {
            let (atom, negated) = match literal {
                BodyLiteral::Positive(atom) => (atom, false),
                BodyLiteral::Negative(atom) => (atom, true),
                BodyLiteral::Distinct(..) => continue,
            };
            if (self.changes)(atom.predicate) {
                let term = database.instantiate(&atom.term, values);
                self.literals.push(TermLiteral::new(term, negated));
            }
        }
        self.starts.push(self.literals.len() as u32);
        if self.literals.len() > self.limit {
            return Err(GroundingError::TooLarge {
                what: "literals",
                limit: self.limit,
                at: rule.at,
            });
        }
        if !self.follow(database, rule.head.predicate, head) {
            return Err(GroundingError::TooLarge {
                what: "atoms",
                limit: self.limit,
                at: rule.at,
            });
        }
        Ok(())
    }
}
