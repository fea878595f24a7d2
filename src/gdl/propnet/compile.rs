//! Compiles a circuit to a straight-line program of gates.

use super::{
    circuit::{CircuitNode, Wire},
    lower::{Loop, Lowered, lower},
};
use crate::{grounding::Grounding, state::GameState};

/// The set of outputs of a state for which a gate is evaluated.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Needs(u8);

impl Needs {
    pub const NOTHING: Self = Self(0);
    /// The outputs `terminal` and `legal`.
    pub const MOVES: Self = Self(1);
    pub const GOALS: Self = Self(2);
    pub const NEXT: Self = Self(4);

    /// Returns whether the two sets intersect.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A run of gates that are evaluated in order.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub needs: Needs,
    pub start: usize,
    pub end: usize,
    /// The slots that take the values of wires after each round. Rounds are repeated until no slot
    /// changes. Without such slots, there is only one round.
    pub feedback: Vec<(usize, Wire)>,
}

/// A propositional network in compiled form. The slots are, in this order: the constant false, the
/// fluents, the actions of all roles, the inputs of loops, and the gates.
#[derive(Clone, Debug)]
pub struct Propnet {
    pub(super) slots: usize,
    pub(super) first_gate: usize,
    pub(super) gates: Vec<[Wire; 2]>,
    /// The segments in the order of evaluation.
    pub(super) segments: Vec<Segment>,
    pub(super) next: Vec<Wire>,
    pub(super) terminal: Wire,
    /// For each action of each role, the wire that makes the action legal, and the slot that says
    /// that the action is done. An action that is always done has no slot.
    pub(super) moves: Vec<Vec<(Wire, Option<usize>)>>,
    pub(super) goals: Vec<Vec<(u8, Wire)>>,
    pub(super) initial: GameState,
}

impl Propnet {
    /// Compiles a ground form.
    pub fn new(grounding: &Grounding) -> Self {
        let lowered = lower(grounding);
        let initial = GameState::new(grounding.fluents.len(), |fluent| {
            grounding.fluents[fluent].initially
        });
        GateSchedule::new(&lowered).compile(initial)
    }

    /// Returns the initial state of the game.
    pub const fn initial(&self) -> &GameState {
        &self.initial
    }

    /// Returns the number of roles, including `random`.
    pub const fn roles(&self) -> usize {
        self.moves.len()
    }

    /// Returns the number of gates, which is the number of operations for evaluating a state
    /// and its successor.
    pub const fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// Returns the number of gates inside loops.
    pub fn loop_gate_count(&self) -> usize {
        let loops = self
            .segments
            .iter()
            .filter(|segment| !segment.feedback.is_empty());
        loops.map(|segment| segment.end - segment.start).sum()
    }

    pub(super) const fn fluents(&self) -> usize {
        self.next.len()
    }
}

struct GateSchedule<'a> {
    lowered: &'a Lowered,
    needs: Vec<Needs>,
    /// For each node of the circuit, the slot that holds its value.
    slots: Vec<usize>,
    gates: Vec<[Wire; 2]>,
    first_gate: usize,
}

impl<'a> GateSchedule<'a> {
    fn new(lowered: &'a Lowered) -> Self {
        let nodes = &lowered.circuit.nodes;
        let mut needs = vec![Needs::NOTHING; nodes.len()];
        let legal = lowered.legal.iter().flatten();
        let moves = legal.chain([&lowered.terminal]);
        mark(lowered, &mut needs, moves, Needs::MOVES);
        mark(
            lowered,
            &mut needs,
            lowered.goals.iter().flatten().map(|(_, wire)| wire),
            Needs::GOALS,
        );
        mark(lowered, &mut needs, &lowered.next, Needs::NEXT);
        let mut slots = vec![0; nodes.len()];
        let mut used = 1;
        // The inputs were created in the order of their slots: fluents, actions, then inputs of
        // loops.
        for (node, kind) in nodes.iter().enumerate().skip(1) {
            if *kind == CircuitNode::Input {
                slots[node] = used;
                used += 1;
            }
        }
        Self {
            lowered,
            needs,
            slots,
            gates: Vec::new(),
            first_gate: used,
        }
    }

    fn compile(mut self, initial: GameState) -> Propnet {
        // Gates that serve more needs come first, because no gate reads a gate that serves fewer
        // needs.
        let segments = (1..8)
            .rev()
            .flat_map(|needs| self.segments(Needs(needs)))
            .collect();
        let lowered = self.lowered;
        let moves = lowered
            .legal
            .iter()
            .zip(&lowered.does)
            .map(|(legal, does)| {
                let pairs = legal.iter().zip(does);
                pairs
                    .map(|(&legal, &does)| {
                        (
                            self.wire(legal),
                            (does != Wire::TRUE).then(|| self.slots[does.node()]),
                        )
                    })
                    .collect()
            });
        let goals = lowered.goals.iter().map(|goals| {
            goals
                .iter()
                .map(|&(points, w)| (points, self.wire(w)))
                .collect()
        });
        Propnet {
            slots: self.first_gate + self.gates.len(),
            first_gate: self.first_gate,
            segments,
            next: lowered.next.iter().map(|&wire| self.wire(wire)).collect(),
            terminal: self.wire(lowered.terminal),
            moves: moves.collect(),
            goals: goals.collect(),
            initial,
            gates: self.gates,
        }
    }

    fn wire(&self, wire: Wire) -> Wire {
        let renamed = Wire::of(self.slots[wire.node()]);
        if wire.is_inverted() {
            !renamed
        } else {
            renamed
        }
    }

    /// Lays out the gates with exactly the given needs, in topological order.
    fn segments(&mut self, needs: Needs) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut from = 0;
        for Loop {
            start,
            end,
            feedback,
        } in &self.lowered.loops
        {
            segments.extend(self.lay_out(from..*start, needs));
            if let Some(mut segment) = self.lay_out(*start..*end, needs) {
                segment.feedback = feedback
                    .iter()
                    .map(|&(node, w)| (self.slots[node], self.wire(w)))
                    .collect();
                segments.push(segment);
            }
            from = *end;
        }
        segments.extend(self.lay_out(from..self.lowered.circuit.nodes.len(), needs));
        segments
    }

    fn lay_out(&mut self, nodes: std::ops::Range<usize>, needs: Needs) -> Option<Segment> {
        let start = self.gates.len();
        for node in nodes {
            if let CircuitNode::And(one, other) = self.lowered.circuit.nodes[node]
                && self.needs[node] == needs
            {
                self.slots[node] = self.first_gate + self.gates.len();
                self.gates.push([self.wire(one), self.wire(other)]);
            }
        }
        let end = self.gates.len();
        (end > start).then_some(Segment {
            needs,
            start,
            end,
            feedback: Vec::new(),
        })
    }
}

/// Adds a need to all nodes on which `wires` depend. A loop is marked as a whole.
fn mark<'a>(
    lowered: &Lowered,
    needs: &mut [Needs],
    wires: impl IntoIterator<Item = &'a Wire>,
    need: Needs,
) {
    let mut open: Vec<usize> = wires.into_iter().map(|wire| wire.node()).collect();
    while let Some(node) = open.pop() {
        if needs[node].meets(need) {
            continue;
        }
        needs[node].0 |= need.0;
        if let CircuitNode::And(one, other) = lowered.circuit.nodes[node] {
            open.extend([one.node(), other.node()]);
        }
        let around = lowered.loops.partition_point(|l| l.end <= node);
        if let Some(l) = lowered.loops.get(around)
            && l.start <= node
        {
            open.extend(l.feedback.iter().map(|(_, wire)| wire.node()));
        }
    }
}
