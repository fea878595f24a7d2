//! Helpers for rewriting rules: the variables of rules, and renumbering of the remaining variables.

use super::check::variables;
use super::rules::{Atom, BodyLiteral, SheetRule, Term};
use super::terms::Terms;

/// Returns the atom of a literal, and whether it is negated. Returns `None` for `distinct`.
pub(super) fn atom_of(literal: &BodyLiteral) -> Option<(&Atom, bool)> {
    match literal {
        BodyLiteral::Positive(atom) => Some((atom, false)),
        BodyLiteral::Negative(atom) => Some((atom, true)),
        BodyLiteral::Distinct(..) => None,
    }
}

/// Returns the arguments of an atom's term.
pub(super) fn arguments_of(terms: &Terms, term: &Term) -> Vec<Term> {
    match term {
        Term::Variable(_) => Vec::new(),
        Term::Ground(id) => terms
            .arguments(*id)
            .iter()
            .map(|&argument| Term::Ground(argument))
            .collect(),
        Term::Compound(_, arguments) => arguments.clone(),
    }
}

/// Returns the variables of a term, in ascending order.
pub(super) fn variables_of(term: &Term) -> Vec<u16> {
    let mut found = Vec::new();
    variables(term, &mut |number| found.push(number));
    sorted(found)
}

/// Returns the variables of a literal, in ascending order.
pub(super) fn variables_of_literal(literal: &BodyLiteral) -> Vec<u16> {
    match literal {
        BodyLiteral::Positive(atom) | BodyLiteral::Negative(atom) => variables_of(&atom.term),
        BodyLiteral::Distinct(one, other) => {
            sorted([variables_of(one), variables_of(other)].concat())
        }
    }
}

/// Returns the rule with its remaining variables renumbered from 0.
pub(super) fn renumbered(mut rule: SheetRule) -> SheetRule {
    let in_body = rule.body.iter().flat_map(variables_of_literal);
    let used = sorted(in_body.chain(variables_of(&rule.head.term)).collect());
    let change = |term: &mut Term| renumber(term, &used);
    change(&mut rule.head.term);
    for literal in &mut rule.body {
        match literal {
            BodyLiteral::Positive(atom) | BodyLiteral::Negative(atom) => change(&mut atom.term),
            BodyLiteral::Distinct(one, other) => {
                change(one);
                change(other);
            }
        }
    }
    rule.variables = used
        .iter()
        .map(|&variable| rule.variables[variable as usize].clone())
        .collect();
    rule
}

fn renumber(term: &mut Term, used: &[u16]) {
    match term {
        Term::Variable(number) => {
            *number = used.binary_search(number).expect("all variables are used") as u16
        }
        Term::Ground(_) => {}
        Term::Compound(_, arguments) => arguments
            .iter_mut()
            .for_each(|argument| renumber(argument, used)),
    }
}

fn sorted(mut numbers: Vec<u16>) -> Vec<u16> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
