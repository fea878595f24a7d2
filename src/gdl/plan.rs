//! Planning of joins: the order of a rule's literals, and the index that finds the atoms for each
//! literal.

use super::{
    check::variables,
    rules::{BodyLiteral, PredicateId, SheetRule, Term},
    terms::Symbol,
};

/// The assumed number of atoms of a relation that is still growing.
const UNKNOWN_SIZE: f64 = 1000.0;
/// The assumed selectivity of a bound argument: one atom in this many matches.
const SELECTIVITY: f64 = 8.0;

/// The known parts of an atom that is looked up: the key of an index.
#[derive(PartialEq)]
pub(crate) enum AtomShape {
    Known,
    Free,
    Inside(Symbol, Vec<AtomShape>),
}

/// A step of a join.
pub(crate) enum JoinStep {
    /// Iterates over the atoms that an index finds for a positive literal.
    Each {
        literal: usize,
        index: usize,
        not_the_new: bool,
        binds: Vec<u16>,
    },
    /// Tests that a positive literal without unbound variables holds.
    Holds {
        literal: usize,
        not_the_new: bool,
    },
    /// Tests that the atom of a negative literal doesn't hold.
    HoldsNot {
        literal: usize,
    },
    /// Tests that the atom of a negative literal is not assumed to hold.
    NotAssumed {
        literal: usize,
    },
    Distinct {
        literal: usize,
    },
}

/// How a negative literal is evaluated in a join.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Negation {
    /// The literal is satisfied if the atom doesn't hold.
    Evaluated,
    /// The literal is satisfied if the atom is not assumed to hold.
    Assumed,
    /// The literal can't be decided yet, and the join ignores it.
    Open,
}

/// The information about relations that the planner needs.
pub(crate) trait Relations {
    /// Returns the number of atoms of the predicate, or `None` while the number grows.
    fn size(&self, predicate: PredicateId) -> Option<usize>;
    /// Returns how a negation of the predicate is evaluated.
    fn negation(&self, predicate: PredicateId) -> Negation;
    /// Returns the number of the index with the given shape.
    fn index(&mut self, predicate: PredicateId, shape: AtomShape) -> usize;
}

/// Plans the join of the literals of `rule`. `first` is the literal that a new atom has already
/// matched.
pub(crate) fn plan(
    rule: &SheetRule,
    first: Option<usize>,
    relations: &mut impl Relations,
) -> Vec<JoinStep> {
    let mut bound = vec![false; rule.variables.len()];
    let mut left: Vec<usize> = (0..rule.body.len())
        .filter(|&literal| Some(literal) != first)
        .collect();
    let is_open = |literal: usize| match &rule.body[literal] {
        BodyLiteral::Negative(atom) => relations.negation(atom.predicate) == Negation::Open,
        _ => false,
    };
    left.retain(|&literal| !is_open(literal));
    if let Some(BodyLiteral::Positive(atom)) = first.map(|first| &rule.body[first]) {
        bind(&atom.term, &mut bound);
    }
    let mut steps = Vec::with_capacity(left.len());
    while let Some(place) = cheapest(rule, &left, &bound, relations) {
        let literal = left.remove(place);
        let not_the_new = first.is_some_and(|first| literal < first);
        steps.push(match &rule.body[literal] {
            BodyLiteral::Distinct(..) => JoinStep::Distinct { literal },
            BodyLiteral::Negative(atom)
                if relations.negation(atom.predicate) == Negation::Assumed =>
            {
                JoinStep::NotAssumed { literal }
            }
            BodyLiteral::Negative(_) => JoinStep::HoldsNot { literal },
            BodyLiteral::Positive(atom) if is_known(&atom.term, &bound) => JoinStep::Holds {
                literal,
                not_the_new,
            },
            BodyLiteral::Positive(atom) => {
                let index = relations.index(atom.predicate, shape(&atom.term, &bound));
                let mut binds = Vec::new();
                variables(&atom.term, &mut |number| {
                    if !std::mem::replace(&mut bound[number as usize], true) {
                        binds.push(number);
                    }
                });
                JoinStep::Each {
                    literal,
                    index,
                    not_the_new,
                    binds,
                }
            }
        });
    }
    steps
}

/// Returns the index in `left` of the literal to join next.
fn cheapest(
    rule: &SheetRule,
    left: &[usize],
    bound: &[bool],
    relations: &impl Relations,
) -> Option<usize> {
    let cost = |literal: usize| match &rule.body[literal] {
        BodyLiteral::Distinct(one, other) if is_known(one, bound) && is_known(other, bound) => -1.0,
        BodyLiteral::Negative(atom) if is_known(&atom.term, bound) => -1.0,
        BodyLiteral::Distinct(..) | BodyLiteral::Negative(_) => f64::INFINITY,
        BodyLiteral::Positive(atom) if is_known(&atom.term, bound) => -1.0,
        BodyLiteral::Positive(atom) => {
            let size = relations
                .size(atom.predicate)
                .map_or(UNKNOWN_SIZE, |size| size as f64);
            size / libm::pow(SELECTIVITY, known_leaves(&atom.term, bound) as f64)
        }
    };
    (0..left.len()).min_by(|&a, &b| cost(left[a]).total_cmp(&cost(left[b])))
}

fn bind(term: &Term, bound: &mut [bool]) {
    variables(term, &mut |number| bound[number as usize] = true);
}

fn is_known(term: &Term, bound: &[bool]) -> bool {
    let mut known = true;
    variables(term, &mut |number| known &= bound[number as usize]);
    known
}

fn known_leaves(term: &Term, bound: &[bool]) -> usize {
    match term {
        Term::Compound(_, arguments) => arguments
            .iter()
            .map(|argument| known_leaves(argument, bound))
            .sum(),
        _ => usize::from(is_known(term, bound)),
    }
}

fn shape(term: &Term, bound: &[bool]) -> AtomShape {
    match term {
        _ if is_known(term, bound) => AtomShape::Known,
        Term::Compound(functor, arguments) => AtomShape::Inside(
            *functor,
            arguments
                .iter()
                .map(|argument| shape(argument, bound))
                .collect(),
        ),
        _ => AtomShape::Free,
    }
}
