//! Semi-naive Datalog evaluation: atoms become active one at a time, and each is joined with the
//! atoms that became active before it. Every instance of a rule is therefore found exactly once,
//! when the last atom of its body becomes active. (Abiteboul, Hull, Vianu, Foundations of
//! Databases, 1995, section 13.1, with deltas of one atom.)

use super::{
    database::Database,
    error::GroundingError,
    join::{Bindings, RuleJoin, matches},
    plan::{AtomShape, JoinStep, Negation, Relations, plan},
    rules::{BodyLiteral, PredicateId, Program, SheetRule},
    terms::TermId,
};

/// The maximum depth of a term. Only rules that build terms without end exceed it.
const DEEPEST_TERM: u32 = 64;

/// The rules of a stratum with their joins.
pub(crate) struct PreparedStratum {
    /// One join per rule, over the atoms that are active at the start.
    initial: Vec<(usize, Vec<JoinStep>)>,
    /// For each predicate, the rules and literals that a new atom may match.
    triggers: Vec<Vec<Trigger>>,
    /// Whether some join tests a negation against the assumed atoms.
    pub assumes: bool,
}

impl PreparedStratum {
    /// Returns the rules, as indices into the program's rules.
    pub fn rules(&self) -> impl Iterator<Item = usize> {
        self.initial.iter().map(|&(rule, _)| rule)
    }
}

struct Trigger {
    rule: usize,
    literal: usize,
    steps: Vec<JoinStep>,
}

/// A stratum: rules that are evaluated together.
pub(crate) struct RuleStratum<'a> {
    /// The rules, as indices into the program's rules.
    pub rules: Vec<usize>,
    /// A function that returns whether this stratum or an earlier one derives atoms of a predicate.
    pub grows: &'a dyn Fn(PredicateId) -> bool,
    /// The expected number of atoms of each predicate, as far as it is known.
    pub expected: &'a [usize],
    /// How negations of the predicates for which `grows` returns true are evaluated.
    pub inner: Negation,
}

/// A receiver of the instances of rules.
pub(crate) trait Sink {
    /// Receives a rule, the values of its variables, and its head. The head is derived after this
    /// call.
    fn instance(
        &mut self,
        database: &mut Database,
        rule: usize,
        values: &[TermId],
        head: TermId,
    ) -> Result<(), GroundingError>;
}

/// A sink for callers that need only the derived atoms.
pub(crate) struct Derived;

impl Sink for Derived {
    fn instance(
        &mut self,
        _: &mut Database,
        _: usize,
        _: &[TermId],
        _: TermId,
    ) -> Result<(), GroundingError> {
        Ok(())
    }
}

impl Database {
    /// Plans the joins of a stratum.
    pub fn prepare(&mut self, program: &Program, stratum: &RuleStratum<'_>) -> PreparedStratum {
        let mut initial = Vec::new();
        let mut triggers: Vec<Vec<Trigger>> =
            program.predicates.iter().map(|_| Vec::new()).collect();
        let mut planning = Planning {
            database: self,
            stratum,
        };
        for &number in &stratum.rules {
            let rule = &program.rules[number];
            initial.push((number, plan(rule, None, &mut planning)));
            for (literal, content) in rule.body.iter().enumerate() {
                if let BodyLiteral::Positive(atom) = content
                    && (stratum.grows)(atom.predicate)
                {
                    let steps = plan(rule, Some(literal), &mut planning);
                    triggers[atom.predicate.index()].push(Trigger {
                        rule: number,
                        literal,
                        steps,
                    });
                }
            }
        }
        let assumes = initial
            .iter()
            .flat_map(|(_, steps)| steps)
            .any(|step| matches!(step, JoinStep::NotAssumed { .. }));
        PreparedStratum {
            initial,
            triggers,
            assumes,
        }
    }

    /// Derives all consequences of a stratum's rules.
    pub fn evaluate(
        &mut self,
        program: &Program,
        prepared: &PreparedStratum,
        sink: &mut impl Sink,
    ) -> Result<(), GroundingError> {
        // Atoms that were derived outside of the stratum (such as the facts of a state) are
        // activated before the first join.
        while self.activate_next().is_some() {}
        let mut found = Bindings::default();
        for (number, steps) in &prepared.initial {
            let rule = &program.rules[*number];
            found.restart(rule);
            RuleJoin {
                database: self,
                rule,
                steps,
                new: None,
                out: &mut found,
            }
            .run(0);
            self.conclude(rule, *number, &found, sink)?;
        }
        while let Some((predicate, atom)) = self.activate_next() {
            for trigger in &prepared.triggers[predicate.index()] {
                let rule = &program.rules[trigger.rule];
                found.restart(rule);
                if let BodyLiteral::Positive(pattern) = &rule.body[trigger.literal]
                    && matches(&self.terms, &pattern.term, atom, &mut found.values)
                {
                    RuleJoin {
                        database: self,
                        rule,
                        steps: &trigger.steps,
                        new: Some(atom),
                        out: &mut found,
                    }
                    .run(0);
                    self.conclude(rule, trigger.rule, &found, sink)?;
                }
            }
        }
        Ok(())
    }

    fn conclude(
        &mut self,
        rule: &SheetRule,
        number: usize,
        found: &Bindings,
        sink: &mut impl Sink,
    ) -> Result<(), GroundingError> {
        if found.count > self.limit {
            let what = "instances of one rule at once";
            return Err(GroundingError::TooLarge {
                what,
                limit: self.limit,
                at: rule.at,
            });
        }
        if found.tried > self.most_tried {
            let what = "atoms to hold against the literals of bodies";
            return Err(GroundingError::TooLarge {
                what,
                limit: self.most_tried,
                at: rule.at,
            });
        }
        let width = rule.variables.len();
        for solution in 0..found.count {
            let values = &found.all[solution * width..(solution + 1) * width];
            let head = self.instantiate(&rule.head.term, values);
            if self.terms.depth(head) > DEEPEST_TERM {
                return Err(GroundingError::TooDeep {
                    limit: DEEPEST_TERM,
                    at: rule.at,
                });
            }
            sink.instance(self, number, values, head)?;
            if !self.derive(rule.head.predicate, head) {
                return Err(GroundingError::TooLarge {
                    what: "atoms",
                    limit: self.limit,
                    at: rule.at,
                });
            }
        }
        Ok(())
    }
}

struct Planning<'a> {
    database: &'a mut Database,
    stratum: &'a RuleStratum<'a>,
}

impl Relations for Planning<'_> {
    fn size(&self, predicate: PredicateId) -> Option<usize> {
        let expected = self.stratum.expected.get(predicate.index()).copied();
        if (self.stratum.grows)(predicate) {
            return expected;
        }
        Some(
            self.database
                .atoms(predicate)
                .len()
                .max(expected.unwrap_or(0)),
        )
    }

    fn negation(&self, predicate: PredicateId) -> Negation {
        if (self.stratum.grows)(predicate) {
            self.stratum.inner
        } else {
            Negation::Evaluated
        }
    }

    fn index(&mut self, predicate: PredicateId, shape: AtomShape) -> usize {
        self.database.index(predicate, shape)
    }
}
