//! Splits rules with many variables into several rules with few variables. If a variable occurs
//! only in some literals of a body, these literals move to a rule of their own, which is evaluated
//! once rather than for each combination of the remaining variables. (Bichler, Morak, Woltran, "The
//! power of non-ground rules in answer set programming", 2016, decompose rules by tree
//! decompositions; here variables are eliminated greedily.)
//!
//! ```text
//! (<= (next (sum ?s)) (does a (bid ?x)) (does b (bid ?y)) (less ?x ?y ?m) (true (purse ?p)) (minus ?p ?m ?s))
//!
//! (<= (part ?m) (does a (bid ?x)) (does b (bid ?y)) (less ?x ?y ?m))
//! (<= (next (sum ?s)) (part ?m) (true (purse ?p)) (minus ?p ?m ?s))
//! ```

use super::{
    check::{Changes, check, variables},
    rules::{Atom, BodyLiteral, Predicate, PredicateId, Program, SheetRule, Term},
    sheet::Sheet,
};

/// The minimum number of variables of rules that are split. Rules with fewer variables have few
/// instances.
const FEWEST_VARIABLES: usize = 4;

impl Sheet {
    /// Returns an equivalent game in which large rules are split, or `None` if no rule can be
    /// split.
    pub(super) fn split(&self) -> Option<Self> {
        let mut splitter = Splitter {
            program: self.program.clone(),
            changes: self.strata.changes.clone(),
            rules: Vec::new(),
        };
        for rule in &self.program.rules {
            splitter.split(rule.clone());
        }
        if splitter.rules.len() == self.program.rules.len() {
            return None;
        }
        let mut program = splitter.program;
        program.rules = splitter.rules;
        // The parts of safe rules are also safe.
        let strata = check(&program).ok()?;
        Some(Self { program, strata })
    }
}

struct Splitter {
    program: Program,
    changes: Vec<Changes>,
    rules: Vec<SheetRule>,
}

/// A part of a body that moves to a rule of its own.
struct SheetPart {
    /// The indices of the literals in the body, in ascending order.
    literals: Vec<usize>,
    /// All variables in the literals.
    all: Vec<u16>,
    /// The variables in the literals that also occur in the rest of the rule.
    kept: Vec<u16>,
}

impl Splitter {
    /// Adds a rule, split into parts if possible.
    fn split(&mut self, mut rule: SheetRule) {
        while rule.variables.len() >= FEWEST_VARIABLES
            && let Some(part) = self.best_part(&rule)
        {
            let number = self.rules.len();
            let name = self
                .program
                .terms
                .symbol(&format!("part {number} of the rule at {}", rule.at));
            let predicate = PredicateId(self.program.predicates.len() as u32);
            self.program.predicates.push(Predicate {
                name,
                arity: part.kept.len(),
                at: rule.at,
            });
            let mut body = Vec::new();
            let mut rest = Vec::new();
            for (place, literal) in std::mem::take(&mut rule.body).into_iter().enumerate() {
                match part.literals.contains(&place) {
                    true => body.push(literal),
                    false => rest.push(literal),
                }
            }
            self.changes.push(self.changes_of(&body));
            let term = match part.kept.as_slice() {
                [] => Term::Ground(self.program.terms.insert(name, &[])),
                kept => Term::Compound(
                    name,
                    kept.iter()
                        .map(|&variable| Term::Variable(variable))
                        .collect(),
                ),
            };
            let head = Atom { predicate, term };
            rest.push(BodyLiteral::Positive(head.clone()));
            self.rules.push(renumbered(SheetRule {
                head,
                body,
                variables: rule.variables.clone(),
                at: rule.at,
            }));
            rule.body = rest;
            rule = renumbered(rule);
        }
        self.rules.push(rule);
    }

    fn changes_of(&self, body: &[BodyLiteral]) -> Changes {
        let changes = body
            .iter()
            .filter_map(|literal| Some(self.changes[literal.atom()?.0.predicate.index()]));
        changes.max().unwrap_or(Changes::Never)
    }

    /// Returns the part with the fewest variables among the parts that have fewer variables than
    /// the rule.
    fn best_part(&self, rule: &SheetRule) -> Option<SheetPart> {
        let in_head = variables_of(&rule.head.term);
        let in_literal: Vec<Vec<u16>> = rule.body.iter().map(variables_of_literal).collect();
        let changes: Vec<bool> = rule
            .body
            .iter()
            .map(|l| self.changes_of(std::slice::from_ref(l)) != Changes::Never)
            .collect();
        let all = 0..rule.variables.len() as u16;
        let goes = |variable: &u16| {
            !in_head.contains(variable)
                && (0..rule.body.len()).any(|l| changes[l] && in_literal[l].contains(variable))
        };
        let parts = all.filter(goes).filter_map(|variable| {
            let part = part_without(rule, &in_head, &in_literal, variable)?;
            (part.all.len() < rule.variables.len()).then_some(part)
        });
        parts.min_by_key(|part| (part.all.len(), part.kept.len()))
    }
}

/// Returns a part with all literals of the body that contain `variable`, so that the rest of the
/// rule no longer needs the variable.
fn part_without(
    rule: &SheetRule,
    in_head: &[u16],
    in_literal: &[Vec<u16>],
    variable: u16,
) -> Option<SheetPart> {
    let mut inside: Vec<bool> = in_literal
        .iter()
        .map(|list| list.contains(&variable))
        .collect();
    let positive = |literal: usize| matches!(rule.body[literal], BodyLiteral::Positive(_));
    let mut all = union(in_literal, &inside);
    // Every variable of the part must occur in a positive literal of the part. Missing positive
    // literals are added.
    loop {
        let bound = |v: &u16| {
            (0..inside.len()).any(|l| inside[l] && positive(l) && in_literal[l].contains(v))
        };
        let Some(&free) = all.iter().find(|v| !bound(v)) else {
            break;
        };
        let binding = (0..inside.len()).find(|&l| positive(l) && in_literal[l].contains(&free))?;
        inside[binding] = true;
        all = union(in_literal, &inside);
    }
    // Further literals that use only these variables restrict the solutions of the part.
    for (literal, list) in in_literal.iter().enumerate() {
        inside[literal] |= !list.is_empty() && list.iter().all(|v| all.contains(v));
    }
    if inside.iter().all(|&inside| inside) {
        return None;
    }
    let outside = |v: &u16| {
        in_head.contains(v) || (0..inside.len()).any(|l| !inside[l] && in_literal[l].contains(v))
    };
    let kept = all.iter().copied().filter(outside).collect();
    let literals = (0..inside.len())
        .filter(|&literal| inside[literal])
        .collect();
    Some(SheetPart {
        literals,
        all,
        kept,
    })
}

/// Returns the variables of the literals that are `inside`, in ascending order.
fn union(in_literal: &[Vec<u16>], inside: &[bool]) -> Vec<u16> {
    let lists = in_literal.iter().zip(inside).filter(|(_, inside)| **inside);
    sorted(lists.flat_map(|(list, _)| list.clone()).collect())
}

/// Returns the variables of a term, in ascending order.
fn variables_of(term: &Term) -> Vec<u16> {
    let mut found = Vec::new();
    variables(term, &mut |number| found.push(number));
    sorted(found)
}

/// Returns the variables of a literal, in ascending order.
fn variables_of_literal(literal: &BodyLiteral) -> Vec<u16> {
    match literal {
        BodyLiteral::Positive(atom) | BodyLiteral::Negative(atom) => variables_of(&atom.term),
        BodyLiteral::Distinct(one, other) => {
            sorted([variables_of(one), variables_of(other)].concat())
        }
    }
}

/// Returns the rule with its remaining variables renumbered from 0.
fn renumbered(mut rule: SheetRule) -> SheetRule {
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
