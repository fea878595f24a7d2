//! Implied literals: those that hold in every state in which a given literal holds.

use crate::grounding::{Grounding, Literal, Meaning};

/// The maximum length of a chain of rules that is followed. The constants below limit the literals
/// of a set and the clauses of an atom. All three limits make the result incomplete but not wrong.
const DEEPEST: usize = 40;
const MOST_LITERALS: usize = 200;
const MOST_CLAUSES: usize = 100;

/// Implied literals, computed on demand.
pub(super) struct Implied<'a> {
    grounding: &'a Grounding,
    /// For each atom that says that an action is done, the atom that says that the action is legal.
    legal: Vec<Option<usize>>,
    /// The implied literals of each literal. An empty list has not been computed yet, because each
    /// literal implies itself.
    known: Vec<Vec<Literal>>,
}

impl<'a> Implied<'a> {
    pub fn new(grounding: &'a Grounding) -> Self {
        let mut of_action: Vec<Vec<usize>> = grounding
            .actions
            .iter()
            .map(|list| vec![0; list.len()])
            .collect();
        for (atom, ground) in grounding.atoms.iter().enumerate() {
            if let Meaning::Legal { role, action } = ground.meaning {
                of_action[role][action] = atom;
            }
        }
        let legal = grounding.atoms.iter().map(|atom| match atom.meaning {
            Meaning::Does { role, action } => Some(of_action[role][action]),
            _ => None,
        });
        Self {
            grounding,
            legal: legal.collect(),
            known: vec![Vec::new(); 2 * grounding.atoms.len()],
        }
    }

    /// Returns all literals that are known to hold if all literals of a body hold, sorted.
    pub fn of_body(&mut self, body: &[Literal], depth: usize) -> Vec<Literal> {
        let mut all = Vec::new();
        for &literal in body {
            all.extend_from_slice(self.of(literal, depth));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn of(&mut self, literal: Literal, depth: usize) -> &[Literal] {
        let at = 2 * literal.atom() + usize::from(literal.is_negated());
        if self.known[at].is_empty() {
            // A recursive call from inside a loop gets only the literal itself.
            self.known[at] = vec![literal];
            let mut found = if depth < DEEPEST {
                self.follow(literal, depth + 1)
            } else {
                Vec::new()
            };
            found.push(literal);
            found.sort_unstable();
            found.dedup();
            found.truncate(MOST_LITERALS);
            self.known[at] = found;
        }
        &self.known[at]
    }

    fn follow(&mut self, literal: Literal, depth: usize) -> Vec<Literal> {
        let grounding = self.grounding;
        let atom = literal.atom();
        if literal.is_negated() {
            // No clause of the atom applies. Therefore the literal of each one-literal clause is
            // false.
            let alone = grounding
                .clauses(atom)
                .take(MOST_CLAUSES)
                .filter(|body| body.len() == 1);
            let fail: Vec<Literal> = alone
                .map(|body| Literal::new(body[0].atom(), !body[0].is_negated()))
                .collect();
            return self.of_body(&fail, depth);
        }
        if let Some(legal) = self.legal[atom] {
            return self.of(Literal::new(legal, false), depth).to_vec();
        }
        let mut common: Option<Vec<Literal>> = None;
        for (number, body) in grounding.clauses(atom).enumerate() {
            if number == MOST_CLAUSES || common.as_ref().is_some_and(Vec::is_empty) {
                return Vec::new();
            }
            let implied = self.of_body(body, depth);
            common = Some(match common {
                None => implied,
                Some(before) => before
                    .into_iter()
                    .filter(|l| implied.binary_search(l).is_ok())
                    .collect(),
            });
        }
        common.unwrap_or_default()
    }
}
