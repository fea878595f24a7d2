//! Groups of fluents of which at most one holds at a time. Each group becomes one multi-valued
//! variable.
//!
//! Fluents with the same functor that differ only in some arguments, such as `(cell 1 1 ?)`, form a
//! group if the following is proven: at most one of them holds in the initial state, and no two of
//! them can hold in a next state, because each pair of their clauses is contradictory. Two clauses
//! contradict each other by a literal and its negation, by two actions of one role, or by two
//! fluents of one group. The proof assumes all groups at once, and is repeated without the groups
//! for which it failed.

use std::collections::HashMap;

use super::implied::Implied;
use crate::{
    grounding::{Grounding, Meaning},
    terms::{Symbol, TermId},
};

/// The maximum number of pairs of clauses that are compared to prove one class of groups.
const MOST_PAIRS: usize = 3_000_000;
/// The maximum number of arguments of a functor whose fluents are grouped. Fluents of other
/// functors keep a Boolean variable each.
const MOST_ARGUMENTS: usize = 5;

/// The partition of the fluents into groups. A fluent that shares a group with no other fluent is a
/// group of its own.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The fluents of each group. The value of the group's variable is one more than the index in
    /// this list; 0 means that no fluent holds.
    pub members: Vec<Vec<usize>>,
    /// For each fluent, its group and its value there.
    pub of: Vec<(usize, u32)>,
}

/// The fluents of a functor, grouped by their arguments outside a mask.
struct Class {
    functor: Symbol,
    groups: Vec<Vec<usize>>,
    valid: bool,
}

/// What must hold for one clause to apply: pairs of a key, such as a role or a group, and the value
/// that the clause requires for the key. A clause requires at most one value for a key, unless it
/// never applies.
type Claims = Vec<(ClaimKey, u32)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimKey {
    Literal(u32),
    Does(u32),
    Group { class: u32, group: u32 },
}

impl Groups {
    pub fn new(grounding: &Grounding) -> Self {
        let mut classes = classes(grounding);
        let claims = claims(grounding, &classes);
        loop {
            let failed: Vec<usize> = (0..classes.len())
                .filter(|&class| {
                    classes[class].valid
                        && !is_proven(grounding, &classes, &classes[class], &claims)
                })
                .collect();
            if failed.is_empty() {
                break;
            }
            failed
                .into_iter()
                .for_each(|class| classes[class].valid = false);
        }
        let mut best: HashMap<Symbol, &Class> = HashMap::new();
        for class in classes.iter().filter(|class| class.valid) {
            let kept = best.entry(class.functor).or_insert(class);
            if class.groups.len() < kept.groups.len() {
                *kept = class;
            }
        }
        let mut groups = Self {
            members: Vec::new(),
            of: vec![(usize::MAX, 0); grounding.fluents.len()],
        };
        for fluent in 0..grounding.fluents.len() {
            if groups.of[fluent].0 != usize::MAX {
                continue;
            }
            let functor = grounding.terms.functor(grounding.fluents[fluent].term);
            let found = best
                .get(&functor)
                .and_then(|class| class.groups.iter().find(|group| group.contains(&fluent)));
            let members = found.cloned().unwrap_or_else(|| vec![fluent]);
            for (&member, value) in members.iter().zip(1..) {
                groups.of[member] = (groups.members.len(), value);
            }
            groups.members.push(members);
        }
        groups
    }
}

fn classes(grounding: &Grounding) -> Vec<Class> {
    let terms = &grounding.terms;
    let mut functors: Vec<(Symbol, usize)> = Vec::new();
    for fluent in &grounding.fluents {
        let kind = (
            terms.functor(fluent.term),
            terms.arguments(fluent.term).len(),
        );
        if !functors.contains(&kind) {
            functors.push(kind);
        }
    }
    let mut classes = Vec::new();
    for (functor, arity) in functors
        .into_iter()
        .filter(|&(_, arity)| (1..=MOST_ARGUMENTS).contains(&arity))
    {
        // The mask contains the arguments in which the fluents of a group may differ.
        for mask in 1..1_u32 << arity {
            let mut places: HashMap<Vec<TermId>, usize> = HashMap::new();
            let mut groups: Vec<Vec<usize>> = Vec::new();
            for (index, fluent) in grounding.fluents.iter().enumerate() {
                let arguments = terms.arguments(fluent.term);
                if terms.functor(fluent.term) != functor || arguments.len() != arity {
                    continue;
                }
                let key = arguments
                    .iter()
                    .zip(0..)
                    .filter(|(_, place)| mask >> place & 1 == 0)
                    .map(|(&a, _)| a);
                let place = *places.entry(key.collect()).or_insert(groups.len());
                if place == groups.len() {
                    groups.push(Vec::new());
                }
                groups[place].push(index);
            }
            let initially = |group: &Vec<usize>| {
                group
                    .iter()
                    .filter(|&&fluent| grounding.fluents[fluent].initially)
                    .count()
            };
            let valid = groups.iter().all(|group| initially(group) <= 1)
                && groups.iter().any(|group| group.len() > 1);
            classes.push(Class {
                functor,
                groups,
                valid,
            });
        }
    }
    classes
}

/// Returns, for each fluent, what each clause of its `next` atom requires.
fn claims(grounding: &Grounding, classes: &[Class]) -> Vec<Vec<Claims>> {
    let mut memberships: Vec<Vec<ClaimKey>> = vec![Vec::new(); grounding.fluents.len()];
    for (class, number) in classes.iter().zip(0..).filter(|(class, _)| class.valid) {
        for (group, place) in class.groups.iter().zip(0..) {
            group.iter().for_each(|&fluent| {
                memberships[fluent].push(ClaimKey::Group {
                    class: number,
                    group: place,
                })
            });
        }
    }
    let mut implied = Implied::new(grounding);
    let mut claims = vec![Vec::new(); grounding.fluents.len()];
    for (atom, ground) in grounding.atoms.iter().enumerate() {
        let Meaning::Next(fluent) = ground.meaning else {
            continue;
        };
        for body in grounding.clauses(atom) {
            let mut said: Claims = Vec::new();
            for literal in implied.of_body(body, 0) {
                said.push((
                    ClaimKey::Literal(literal.atom() as u32),
                    u32::from(literal.is_negated()),
                ));
                match grounding.atoms[literal.atom()].meaning {
                    Meaning::Does { role, action } if !literal.is_negated() => {
                        said.push((ClaimKey::Does(role as u32), action as u32));
                    }
                    Meaning::True(fluent) if !literal.is_negated() => {
                        said.extend(memberships[fluent].iter().map(|&key| (key, fluent as u32)));
                    }
                    _ => {}
                }
            }
            said.sort_unstable();
            claims[fluent].push(said);
        }
    }
    claims
}

fn is_proven(
    grounding: &Grounding,
    classes: &[Class],
    class: &Class,
    claims: &[Vec<Claims>],
) -> bool {
    debug_assert_eq!(claims.len(), grounding.fluents.len());
    let mut pairs = 0;
    for group in &class.groups {
        for (place, &one) in group.iter().enumerate() {
            for &other in &group[..place] {
                for first in &claims[one] {
                    pairs += claims[other].len();
                    if pairs > MOST_PAIRS
                        || !claims[other]
                            .iter()
                            .all(|second| contradict(first, second, classes))
                    {
                        return false;
                    }
                }
            }
        }
    }
    true
}

fn contradict(one: &Claims, other: &Claims, classes: &[Class]) -> bool {
    let mut i = 0;
    let mut j = 0;
    while i < one.len() && j < other.len() {
        match one[i].0.cmp(&other[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let counts = match one[i].0 {
                    ClaimKey::Group { class, .. } => classes[class as usize].valid,
                    ClaimKey::Literal(_) | ClaimKey::Does(_) => true,
                };
                if counts && one[i].1 != other[j].1 {
                    return true;
                }
                // A clause that never applies may claim several values for a key. The index with
                // the smaller value advances.
                if one[i].1 <= other[j].1 {
                    i += 1
                } else {
                    j += 1
                }
            }
        }
    }
    false
}
