//! Negation inside a stratum, such as `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`.
//!
//! GDL requires that predicates can be stratified (GDL specification, Love et al. 2008, section 3).
//! Here it suffices that ground atoms can be stratified, so that a role's goal may depend on the
//! negation of its own or another role's goal. Such rules have one meaning, the well-founded model.
//! The alternating fixpoint computes this model: it alternates between underestimates and
//! overestimates until they agree (Van Gelder, "The alternating fixpoint of logic programs with
//! negation", 1993). The estimates never agree if atoms depend on their own negations; such sheets
//! are rejected.

use rustc_hash::FxHashSet;

use super::{
    components::strongly_connected,
    database::Database,
    datalog::{Derived, PreparedStratum},
    error::GroundingError,
    instances::TermLiteral,
    join::{UNBOUND, matches},
    kif::TextPosition,
    rules::{BodyLiteral, Program},
    terms::{TermId, Terms},
};

impl Database {
    /// Derives all atoms of a stratum that may contain negations of its own predicates.
    ///
    /// # Errors
    /// Returns the errors of [`Self::evaluate`], or an error for atoms that depend on their own
    /// negations.
    pub fn settle(
        &mut self,
        program: &Program,
        prepared: &PreparedStratum,
    ) -> Result<(), GroundingError> {
        if !prepared.assumes {
            return self.evaluate(program, prepared, &mut Derived);
        }
        let mark = self.mark();
        let mut certain = 0;
        self.assumed.clear();
        loop {
            // The first evaluation assumes the atoms that are proved to hold, and derives every
            // atom that may hold. The second evaluation assumes the atoms that may hold, and
            // derives only atoms that are proved to hold.
            self.evaluate(program, prepared, &mut Derived)?;
            let possible: FxHashSet<TermId> = self.since(mark).map(|(_, atom)| atom).collect();
            self.forget(mark);
            self.assumed.clone_from(&possible);
            self.evaluate(program, prepared, &mut Derived)?;
            let found = self.since(mark).len();
            if found == possible.len() {
                return Ok(());
            }
            if found == certain {
                return Err(self.undecided(program, prepared, mark));
            }
            certain = found;
            self.assumed = self.since(mark).map(|(_, atom)| atom).collect();
            self.forget(mark);
        }
    }

    /// Returns the error for atoms that may hold (those assumed) but are not proved to hold (those
    /// not derived since `mark`).
    fn undecided(
        &self,
        program: &Program,
        prepared: &PreparedStratum,
        mark: usize,
    ) -> GroundingError {
        let certain: FxHashSet<TermId> = self.since(mark).map(|(_, atom)| atom).collect();
        let mut open: Vec<TermId> = self
            .assumed
            .iter()
            .copied()
            .filter(|atom| !certain.contains(atom))
            .collect();
        open.sort_unstable();
        let pairs = open
            .iter()
            .flat_map(|&head| open.iter().map(move |&negated| (head, negated)));
        let mut found = pairs.filter_map(|(head, negated)| {
            let at = negating_rule(program, &self.terms, prepared.rules(), head, negated)?;
            Some((at, head, negated))
        });
        let (at, head, negated) =
            found
                .next()
                .unwrap_or((TextPosition::default(), open[0], open[0]));
        let show = |atom: TermId| self.terms.show(atom).to_string();
        GroundingError::Unstratified {
            at,
            head: show(head),
            negated: show(negated),
        }
    }
}

/// Rejects ground clauses in which an atom depends on its own negation. Each clause consists of a
/// head and a body.
pub(super) fn refuse_circles<'a>(
    program: &Program,
    terms: &Terms,
    clauses: impl Iterator<Item = (TermId, &'a [TermLiteral])> + Clone,
) -> Result<(), GroundingError> {
    let mut successors = vec![Vec::new(); terms.len()];
    for (head, body) in clauses.clone() {
        successors[head.index()].extend(body.iter().map(|literal| literal.atom().0));
    }
    let component = strongly_connected(&successors).of;
    for (head, body) in clauses {
        let inside = |atom: TermId| component[atom.index()] == component[head.index()];
        if let Some(literal) = body
            .iter()
            .find(|literal| literal.is_negated() && inside(literal.atom()))
        {
            let negated = literal.atom();
            let at = negating_rule(program, terms, 0..program.rules.len(), head, negated)
                .unwrap_or_default();
            let show = |atom: TermId| terms.show(atom).to_string();
            return Err(GroundingError::Unstratified {
                at,
                head: show(head),
                negated: show(negated),
            });
        }
    }
    Ok(())
}

/// Returns the position of a rule by which `head` depends on the negation of `negated`.
fn negating_rule(
    program: &Program,
    terms: &Terms,
    mut rules: impl Iterator<Item = usize>,
    head: TermId,
    negated: TermId,
) -> Option<TextPosition> {
    let negates = |number: &usize| {
        let rule = &program.rules[*number];
        let mut values = vec![UNBOUND; rule.variables.len()];
        matches(terms, &rule.head.term, head, &mut values)
            && rule.body.iter().any(|literal| match literal {
                BodyLiteral::Negative(atom) => {
                    matches(terms, &atom.term, negated, &mut values.clone())
                }
                _ => false,
            })
    };
    rules.find(negates).map(|number| program.rules[number].at)
}
