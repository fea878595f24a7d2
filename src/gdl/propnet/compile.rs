//! From a circuit to the straight line of gates that is evaluated.

use super::circuit::{CircuitNode, Wire};
use super::lower::{Loop, Lowered, lower};
use crate::gdl::grounding::Grounding;
use crate::gdl::state::GameState;

/// Gates that are evaluated one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Slots that take the values of wires after each round, which is repeated until they change no more; none: one round.
    pub(super) feedback: Vec<(usize, Wire)>,
}

/// The compiled form. Slots: the constant false, the fluents, the actions of all roles, inputs of loops, gates.
#[derive(Clone, Debug)]
pub struct Propnet {
    pub(super) slots: usize,
    pub(super) first_gate: usize,
    pub(super) gates: Vec<[Wire; 2]>,
    /// What terminal and legal moves need, and what both goals and the next state need; the rest of either.
    pub(super) for_moves: Vec<Segment>,
    pub(super) for_goals: Vec<Segment>,
    pub(super) for_next: Vec<Segment>,
    pub(super) next: Vec<Wire>,
    pub(super) terminal: Wire,
    /// Of each role: the wire that allows each action, and the slot that says it is done, if it is not always done.
    pub(super) moves: Vec<Vec<(Wire, Option<usize>)>>,
    pub(super) goals: Vec<Vec<(u8, Wire)>>,
    pub(super) chance: Option<usize>,
    pub(super) initial: GameState,
}

impl Propnet {
    /// Compiles a ground form.
    pub fn new(grounding: &Grounding) -> Self {
        let lowered = lower(grounding);
        let initial = GameState::new(grounding.fluents.len(), |fluent| grounding.fluents[fluent].initially);
        GateSchedule::new(&lowered).compile(initial, grounding.chance)
    }

    /// The state in which the game starts.
    pub const fn initial(&self) -> &GameState {
        &self.initial
    }

    /// The number of roles, `random` among them.
    pub const fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The number of gates; one evaluation of a state with its successor costs this many operations on words.
    pub const fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// The number of gates inside of loops.
    pub fn loop_gate_count(&self) -> usize {
        let all = [&self.for_moves, &self.for_goals, &self.for_next];
        let loops = all.into_iter().flatten().filter(|segment| !segment.feedback.is_empty());
        loops.map(|segment| segment.end - segment.start).sum()
    }

    pub(super) const fn fluents(&self) -> usize {
        self.next.len()
    }
}

/// For what a node is needed first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Moves,
    Goals,
    Next,
    Nothing,
}

struct GateSchedule<'a> {
    lowered: &'a Lowered,
    phases: Vec<Phase>,
    /// The new number of each node.
    slots: Vec<usize>,
    gates: Vec<[Wire; 2]>,
    first_gate: usize,
}

impl<'a> GateSchedule<'a> {
    fn new(lowered: &'a Lowered) -> Self {
        let nodes = &lowered.circuit.nodes;
        let mut phases = vec![Phase::Nothing; nodes.len()];
        let moves = lowered.legal.iter().flatten().chain([&lowered.terminal]);
        mark(lowered, &mut phases, moves, Phase::Moves);
        // Goals are evaluated only where a playout ends, so what the next state needs too must not wait for them.
        let mut with_goals = phases.clone();
        let goals = lowered.goals.iter().flatten().map(|(_, wire)| wire);
        mark(lowered, &mut with_goals, goals, Phase::Goals);
        mark(lowered, &mut phases, lowered.next.iter(), Phase::Next);
        for (phase, other) in phases.iter_mut().zip(with_goals) {
            match (*phase, other) {
                (Phase::Next, Phase::Goals) => *phase = Phase::Moves,
                (Phase::Nothing, Phase::Goals) => *phase = Phase::Goals,
                _ => {}
            }
        }
        let mut slots = vec![0; nodes.len()];
        let mut used = 1;
        // The inputs were made in the order of the slots: fluents, actions, then those of loops.
        for (node, kind) in nodes.iter().enumerate().skip(1) {
            if *kind == CircuitNode::Input {
                slots[node] = used;
                used += 1;
            }
        }
        Self { lowered, phases, slots, gates: Vec::new(), first_gate: used }
    }

    fn compile(mut self, initial: GameState, chance: Option<usize>) -> Propnet {
        let for_moves = self.segments(Phase::Moves);
        let for_goals = self.segments(Phase::Goals);
        let for_next = self.segments(Phase::Next);
        let lowered = self.lowered;
        let moves = lowered.legal.iter().zip(&lowered.does).map(|(legal, does)| {
            let pairs = legal.iter().zip(does);
            pairs
                .map(|(&legal, &does)| (self.wire(legal), (does != Wire::TRUE).then(|| self.slots[does.node()])))
                .collect()
        });
        let goals = lowered.goals.iter().map(|goals| goals.iter().map(|&(points, w)| (points, self.wire(w))).collect());
        Propnet {
            slots: self.first_gate + self.gates.len(),
            first_gate: self.first_gate,
            for_moves,
            for_goals,
            for_next,
            next: lowered.next.iter().map(|&wire| self.wire(wire)).collect(),
            terminal: self.wire(lowered.terminal),
            moves: moves.collect(),
            goals: goals.collect(),
            chance,
            initial,
            gates: self.gates,
        }
    }

    fn wire(&self, wire: Wire) -> Wire {
        let renamed = Wire::of(self.slots[wire.node()]);
        if wire.is_inverted() { !renamed } else { renamed }
    }

    /// Lays out the gates of a phase, in their order.
    fn segments(&mut self, phase: Phase) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut from = 0;
        for Loop { start, end, feedback } in &self.lowered.loops {
            segments.extend(self.lay_out(from..*start, phase));
            if let Some(mut segment) = self.lay_out(*start..*end, phase) {
                segment.feedback = feedback.iter().map(|&(node, w)| (self.slots[node], self.wire(w))).collect();
                segments.push(segment);
            }
            from = *end;
        }
        segments.extend(self.lay_out(from..self.lowered.circuit.nodes.len(), phase));
        segments
    }

    fn lay_out(&mut self, nodes: std::ops::Range<usize>, phase: Phase) -> Option<Segment> {
        let start = self.gates.len();
        for node in nodes {
            if let CircuitNode::And(one, other) = self.lowered.circuit.nodes[node]
                && self.phases[node] == phase
            {
                self.slots[node] = self.first_gate + self.gates.len();
                self.gates.push([self.wire(one), self.wire(other)]);
            }
        }
        let end = self.gates.len();
        (end > start).then_some(Segment { start, end, feedback: Vec::new() })
    }
}

/// Marks all nodes that `wires` depend on and that are not yet marked. A loop is marked as a whole.
fn mark<'a>(lowered: &Lowered, phases: &mut [Phase], wires: impl Iterator<Item = &'a Wire>, phase: Phase) {
    let mut open: Vec<usize> = wires.map(|wire| wire.node()).collect();
    while let Some(node) = open.pop() {
        if phases[node] != Phase::Nothing {
            continue;
        }
        phases[node] = phase;
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
