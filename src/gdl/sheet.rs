//! A rule sheet: its rules, and the order in which they can be evaluated.

use super::{
    check::{self, Changes},
    database::Database,
    datalog::{PreparedStratum, RuleStratum},
    error::SheetError,
    kif::{TextPosition, read},
    plan::Negation,
    rules::{PredicateId, Program},
};

/// A rule sheet that has been parsed and checked.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(crate) program: Program,
    pub(crate) strata: check::Strata,
}

impl Sheet {
    /// Parses and checks the text of a sheet.
    ///
    /// # Errors
    /// Returns a syntax error, or an error for a rule that the language forbids, with its line and
    /// column.
    pub fn read(text: &str) -> Result<Self, SheetError> {
        let program = Program::new(&read(text)?)?;
        let strata = check::check(&program)?;
        Ok(Self { program, strata })
    }

    /// Returns the predicates that occur in bodies but in no head, with their positions. Such
    /// predicates never hold, which is rarely intended.
    pub fn undefined(&self) -> Vec<(&str, TextPosition)> {
        let program = &self.program;
        let given = |predicate: PredicateId| {
            program
                .rules
                .iter()
                .any(|rule| rule.head.predicate == predicate)
        };
        let own = (program.keywords.goal.0 + 1..program.predicates.len() as u32).map(PredicateId);
        let missing = own.filter(|&predicate| !given(predicate));
        missing
            .map(|predicate| {
                (
                    program.name(predicate),
                    program.predicates[predicate.index()].at,
                )
            })
            .collect()
    }

    /// Returns the number of rules after the expansion of `or`.
    pub const fn rule_count(&self) -> usize {
        self.program.rules.len()
    }

    /// Returns the strata whose predicates change as `changes` says. Each stratum comes after those
    /// that it depends on.
    pub(crate) fn strata_that(&self, changes: Changes) -> Vec<SheetStratum> {
        let rules_of = |stratum: u32| {
            let heads = self.program.rules.iter().map(|rule| rule.head.predicate);
            let here = |predicate: PredicateId| {
                self.strata.of[predicate.index()] == stratum
                    && self.strata.changes[predicate.index()] == changes
            };
            heads
                .enumerate()
                .filter(|&(_, head)| here(head))
                .map(|(rule, _)| rule)
                .collect::<Vec<_>>()
        };
        let strata = (0..self.strata.count as u32).map(|stratum| SheetStratum {
            stratum,
            rules: rules_of(stratum),
        });
        strata.filter(|stratum| !stratum.rules.is_empty()).collect()
    }
}

/// A set of rules whose heads depend on each other.
pub(crate) struct SheetStratum {
    stratum: u32,
    rules: Vec<usize>,
}

impl SheetStratum {
    /// Plans the joins of the stratum for the expected numbers of atoms per predicate, where these
    /// are known.
    pub fn prepare(
        self,
        sheet: &Sheet,
        database: &mut Database,
        expected: &[usize],
    ) -> PreparedStratum {
        let grows = |predicate: PredicateId| sheet.strata.of[predicate.index()] == self.stratum;
        let stratum = RuleStratum {
            rules: self.rules,
            grows: &grows,
            expected,
            inner: Negation::Assumed,
        };
        database.prepare(&sheet.program, &stratum)
    }
}
