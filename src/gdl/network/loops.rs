//! Atoms that depend on each other in loops, such as a chain of stones. Their least model cannot be
//! expressed by tables. Since the state determines the values of these atoms, they are evaluated
//! with the state and given to the network.

use crate::{
    grounding::{Grounding, Meaning},
    state::GameState,
};

/// The atoms in loops and the atoms that they depend on, in dependency order, grouped by strongly
/// connected component.
#[derive(Clone, Debug)]
pub(super) struct Loops {
    components: Vec<Vec<usize>>,
    atoms: usize,
    /// The atoms in loops.
    pub inside: Vec<usize>,
}

impl Loops {
    pub fn new(grounding: &Grounding, components: &[Vec<usize>]) -> Self {
        let refers_to_itself = |atom: usize| grounding.uses(atom).any(|used| used == atom);
        let mut needed = vec![false; grounding.atoms.len()];
        let mut inside = Vec::new();
        let mut kept = Vec::new();
        // Components are visited from the top down, so that the dependencies of a kept atom are
        // marked before they are visited.
        for members in components.iter().rev() {
            if members.len() > 1 || refers_to_itself(members[0]) {
                inside.extend_from_slice(members);
                members.iter().for_each(|&atom| needed[atom] = true);
            }
            if members.iter().any(|&atom| needed[atom]) {
                for used in members.iter().flat_map(|&atom| grounding.uses(atom)) {
                    needed[used] = true;
                }
                kept.push(members.clone());
            }
        }
        kept.reverse();
        inside.sort_unstable();
        Self {
            components: kept,
            atoms: grounding.atoms.len(),
            inside,
        }
    }

    /// Returns, for each atom in `inside`, whether it holds in `state`.
    pub fn evaluate(&self, grounding: &Grounding, state: &GameState) -> Vec<bool> {
        let mut holds = vec![false; self.atoms];
        for members in &self.components {
            loop {
                let mut grown = false;
                for &atom in members {
                    let value = match grounding.atoms[atom].meaning {
                        Meaning::True(fluent) => state.holds(fluent),
                        _ => grounding.clauses(atom).any(|body| {
                            body.iter()
                                .all(|literal| holds[literal.atom()] != literal.is_negated())
                        }),
                    };
                    grown |= value && !std::mem::replace(&mut holds[atom], value);
                }
                if !grown || members.len() == 1 {
                    break;
                }
            }
        }
        self.inside.iter().map(|&atom| holds[atom]).collect()
    }
}
