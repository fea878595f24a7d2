//! Translation of a ground form to a circuit. Atoms that depend on each other, such as a chain of
//! stones, become a loop: a part of the circuit that is evaluated repeatedly, starting from
//! all-false, until it no longer changes. The fixpoint is the least model.

use super::circuit::{Circuit, Wire};
use crate::grounding::{Grounding, Literal, Meaning};

/// A loop of the circuit: the nodes `start..end`, and the inputs that take the values of wires from
/// the previous round.
pub(super) struct Loop {
    pub start: usize,
    pub end: usize,
    pub feedback: Vec<(usize, Wire)>,
}

/// A circuit and the meaning of its inputs and wires.
pub(super) struct Lowered {
    pub circuit: Circuit,
    pub loops: Vec<Loop>,
    pub does: Vec<Vec<Wire>>,
    pub next: Vec<Wire>,
    pub legal: Vec<Vec<Wire>>,
    pub terminal: Wire,
    /// For each role, its goals and their wires.
    pub goals: Vec<Vec<(u8, Wire)>>,
}

pub(super) fn lower(grounding: &Grounding) -> Lowered {
    let mut circuit = Circuit::new();
    let fluents: Vec<_> = grounding.fluents.iter().map(|_| circuit.input()).collect();
    let does: Vec<Vec<_>> = grounding
        .actions
        .iter()
        .map(|actions| match actions.len() {
            // A role with only one action does this action in every nonterminal state.
            1 => vec![Wire::TRUE],
            _ => actions.iter().map(|_| circuit.input()).collect(),
        })
        .collect();
    let mut wires: Vec<Option<Wire>> = grounding
        .atoms
        .iter()
        .map(|atom| match atom.meaning {
            Meaning::True(fluent) => Some(fluents[fluent]),
            Meaning::Does { role, action } => Some(does[role][action]),
            _ => None,
        })
        .collect();
    let loops = lower_atoms(grounding, &mut circuit, &mut wires);
    let mut lowered = Lowered {
        circuit,
        loops,
        next: vec![Wire::FALSE; fluents.len()],
        legal: grounding
            .actions
            .iter()
            .map(|actions| vec![Wire::FALSE; actions.len()])
            .collect(),
        terminal: Wire::FALSE,
        goals: vec![Vec::new(); grounding.roles.len()],
        does,
    };
    for (atom, wire) in grounding.atoms.iter().zip(wires) {
        let wire = wire.expect("every atom was lowered");
        match atom.meaning {
            Meaning::Next(fluent) => lowered.next[fluent] = wire,
            Meaning::Legal { role, action } => lowered.legal[role][action] = wire,
            Meaning::Terminal => lowered.terminal = wire,
            Meaning::Goal { role, points } => lowered.goals[role].push((points, wire)),
            Meaning::True(_) | Meaning::Does { .. } | Meaning::Auxiliary => {}
        }
    }
    lowered
}

fn lower_atoms(
    grounding: &Grounding,
    circuit: &mut Circuit,
    wires: &mut [Option<Wire>],
) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut delayed: Vec<Option<Wire>> = vec![None; wires.len()];
    for members in grounding.loops() {
        let start = circuit.nodes.len();
        for &atom in &members {
            if wires[atom].is_some() {
                continue;
            }
            let mut products = Vec::new();
            for body in grounding.clauses(atom) {
                let wire = |literal: &Literal| {
                    let at = literal.atom();
                    let wire = wires[at]
                        .unwrap_or_else(|| *delayed[at].get_or_insert_with(|| circuit.input()));
                    if literal.is_negated() { !wire } else { wire }
                };
                products.push(body.iter().map(wire).collect());
            }
            wires[atom] = Some(circuit.sum_of_products(products));
        }
        let feedback: Vec<_> = members
            .iter()
            .filter_map(|&atom| Some((delayed[atom]?.node(), wires[atom].expect("it was lowered"))))
            .collect();
        if !feedback.is_empty() {
            loops.push(Loop {
                start,
                end: circuit.nodes.len(),
                feedback,
            });
        }
    }
    loops
}
