//! The instances of a sheet's rules over all ground atoms that can hold in some state.
//!
//! The set of atoms is an over-approximation. Negations of predicates that change from state to
//! state are treated as possible. A fluent may hold if `init` or `next` derives it, and an action
//! may be done if `legal` allows it.

use super::{
    check::Changes,
    database::{Database, MOST_TRIED},
    datalog::{RuleStratum, Sink},
    error::GroundingError,
    plan::Negation,
    rules::{PredicateId, Program},
    sheet::Sheet,
    terms::TermId,
};

/// Limits on the size of a ground form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundingLimits {
    /// The maximum number of ground atoms.
    pub atoms: usize,
    /// The maximum number of literals, heads included, in all ground clauses before simplification.
    pub literals: usize,
    /// The maximum number of comparisons of atoms with rule literals while one stratum is joined,
    /// which limits the running time.
    pub joins: usize,
}

impl Default for GroundingLimits {
    /// Returns limits under which grounding needs at most about 1.7 GB, including the network, and
    /// about one minute of joining.
    fn default() -> Self {
        Self {
            atoms: 2_000_000,
            literals: 20_000_000,
            joins: MOST_TRIED,
        }
    }
}

/// A ground atom or its negation.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct TermLiteral(u32);

impl TermLiteral {
    pub const fn new(atom: TermId, negated: bool) -> Self {
        Self(atom.0 << 1 | negated as u32)
    }

    pub const fn atom(self) -> TermId {
        TermId(self.0 >> 1)
    }

    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The ground clauses of a sheet, before they are simplified and their atoms are numbered.
pub(crate) struct RawGrounding<'a> {
    pub program: &'a Program,
    pub database: Database,
    /// The head and the body of each clause, concatenated.
    literals: Vec<TermLiteral>,
    /// For each clause, its start in `literals`; the last element is the end of the last clause.
    starts: Vec<u32>,
}

impl RawGrounding<'_> {
    pub const fn clause_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the head and the body of a clause.
    pub fn clause(&self, clause: usize) -> (TermId, &[TermLiteral]) {
        let literals =
            &self.literals[self.starts[clause] as usize..self.starts[clause + 1] as usize];
        (literals[0].atom(), &literals[1..])
    }
}

/// Finds all instances of a sheet's rules.
///
/// # Errors
/// Returns an error for more atoms, literals or joins than `limits` allow, or for rules that build
/// terms without end.
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
        limits,
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
    Ok(RawGrounding {
        program,
        literals: recorder.literals,
        starts: recorder.starts,
        database,
    })
}

/// A sink that records the instances of rules as clauses, without the literals of predicates that
/// never change.
struct ClauseRecorder<'a> {
    program: &'a Program,
    changes: &'a dyn Fn(PredicateId) -> bool,
    literals: Vec<TermLiteral>,
    starts: Vec<u32>,
    limits: &'a GroundingLimits,
}

impl ClauseRecorder<'_> {
    /// Records a keyword atom that holds in every state.
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

    /// Derives the atom that an atom makes possible: a `true` atom from `init` or `next`, or a
    /// `does` atom from `legal`. Returns `false` if the database is full.
    fn follow(&self, database: &mut Database, predicate: PredicateId, atom: TermId) -> bool {
        let keywords = &self.program.keywords;
        let possible = match predicate {
            _ if predicate == keywords.init || predicate == keywords.next => keywords.truth,
            _ if predicate == keywords.legal => keywords.does,
            _ => return true,
        };
        let arguments = database.terms.arguments(atom).to_vec();
        if possible == keywords.does && !self.is_role(database, arguments[0]) {
            return true; // No such role exists.
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
            if let Some((atom, negated)) = literal.atom()
                && (self.changes)(atom.predicate)
            {
                let term = database.instantiate(&atom.term, values);
                self.literals.push(TermLiteral::new(term, negated));
            }
        }
        self.starts.push(self.literals.len() as u32);
        if self.literals.len() > self.limits.literals {
            return Err(GroundingError::TooLarge {
                what: "literals",
                limit: self.limits.literals,
                at: rule.at,
            });
        }
        if !self.follow(database, rule.head.predicate, head) {
            return Err(GroundingError::TooLarge {
                what: "atoms",
                limit: self.limits.atoms,
                at: rule.at,
            });
        }
        Ok(())
    }
}
