//! Nested Rollout Policy Adaptation (Rosin 2011), a search that learns its playout policy.
//!
//! A policy assigns a weight to every move, and a playout draws moves with probability proportional
//! to `exp(weight)`. A search of level `n` repeatedly calls a search of level `n - 1`, and after
//! each call adapts the policy towards the best line so far. A search of level 0 is a playout. When
//! a level ends, the policy that it started with is restored.
//!
//! Three additions come from later papers. A bias `b` is added to each weight, `exp(weight + b)`
//! (generalised NRPA, Cazenave 2020); here it favours large groups. Several playouts precede each
//! adaptation (stabilised NRPA, Cazenave, Sevestre and Toulemont 2020). The groups of a tabu colour
//! are removed last (TabuColorRandom of Schadd et al.).
//!
//! A move is identified by the name, size and colour of its group, regardless of the rest of the
//! board. Lines that differ elsewhere thus share weights.

use rand::Rng as _;

use super::{
    board::Board,
    found::FinishedGame,
    position::Position,
    rules::{Group, Move},
    shape::Shape,
};
use mineflow_rng::{Rng, Seed};
use mineflow_search::options::{OptionList, Options};

/// Settings of a search by NRPA.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nrpa {
    /// The number of levels above the playouts, 1 or more.
    pub level: u32,
    /// The number of iterations of each level, each of which calls the level below; 1 or more.
    pub iterations: u32,
    /// The number of playouts before each adaptation, 1 or more; Rosin uses 1.
    pub playouts: u32,
    /// The step size (learning rate) of an adaptation.
    pub step: f32,
    /// The bias for each cell of a group beyond two cells; Rosin uses 0.
    pub bias: f32,
    /// The number of cells beyond two after which the bias of a group no longer grows.
    pub bias_limit: u32,
}

impl Default for Nrpa {
    fn default() -> Self {
        Self {
            level: 2,
            iterations: 100,
            playouts: 4,
            step: 1.0,
            bias: 0.3,
            bias_limit: 6,
        }
    }
}

impl Options for Nrpa {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("level", &mut self.level, 1..=9);
        list.number("iterations", &mut self.iterations, 1..=1_000_000);
        list.number("playouts", &mut self.playouts, 1..=1_000_000);
        list.number("step", &mut self.step, 0.0..=100.0);
        list.number("bias", &mut self.bias, -10.0..=10.0);
        // With this limit and a bias of 10, `exp` is still finite.
        list.number("bias-limit", &mut self.bias_limit, 0..=8);
    }
}

/// The base-2 logarithm of the number of weights. The hashes of two moves may collide, which is
/// rare and does little harm.
const WEIGHT_BITS: u32 = 18;

impl Nrpa {
    /// Searches from `board` by NRPA and returns the best line found.
    pub fn solve<S: Shape>(&self, board: &Board<S>, seed: Seed) -> FinishedGame {
        let mut search = NrpaSearch::new(self, board, seed);
        let mut line = AdaptLine::default();
        search.level(self.level, &mut line);
        FinishedGame {
            nodes: search.positions,
            ..FinishedGame::of(board, line.moves)
        }
    }
}

/// A legal move in a playout.
#[derive(Clone, Copy)]
struct OpenMove {
    /// The index of the move's weight.
    weight: u32,
    /// `exp` of the move's bias.
    bias: f32,
}

/// A game with all legal moves along its line, so that the policy can be adapted to the line
/// without replaying it.
#[derive(Default)]
struct AdaptLine {
    score: i32,
    moves: Vec<Move>,
    choices: Vec<OpenMove>,
    /// For each move, the end of its choices in `choices`, and the index of the choice taken.
    steps: Vec<(u32, u32)>,
}

struct NrpaSearch<'a, S: Shape> {
    settings: &'a Nrpa,
    root: Position<S>,
    /// The colour whose groups are removed last.
    tabu: usize,
    rng: Rng,
    /// `exp` of each weight.
    weights: Vec<f32>,
    /// The change of each weight by the current adaptation; 0 between adaptations.
    changes: Vec<f32>,
    changed: Vec<u32>,
    /// Values of weights before their adaptations, oldest first. A level that ends restores its
    /// initial policy from these values.
    log: Vec<(u32, f32)>,
    /// `exp` of the bias of a group, by its size.
    biases: Vec<f32>,
    groups: Vec<Group>,
    /// The name of each choice, and the cumulative sums of the choices' probabilities before
    /// normalisation.
    open: Vec<(Move, f32)>,
    positions: u64,
}

impl<'a, S: Shape> NrpaSearch<'a, S> {
    fn new(settings: &'a Nrpa, board: &Board<S>, seed: Seed) -> Self {
        let most = board.cells() as u32;
        let beyond_two = |size: u32| size.saturating_sub(2).min(settings.bias_limit);
        Self {
            settings,
            root: Position::new(*board),
            tabu: board.most_frequent(),
            rng: seed.child("nrpa", 0).rng(),
            weights: vec![1.0; 1 << WEIGHT_BITS],
            changes: vec![0.0; 1 << WEIGHT_BITS],
            changed: Vec::new(),
            log: Vec::new(),
            biases: (0..=most)
                .map(|size| libm::expf(settings.bias * beyond_two(size) as f32))
                .collect(),
            groups: Vec::new(),
            open: Vec::new(),
            positions: 0,
        }
    }

    /// Runs a search of this level and stores the best line in `best`.
    fn level(&mut self, level: u32, best: &mut AdaptLine) {
        if level == 0 {
            return self.playout(best);
        }
        let begun = self.log.len();
        let calls = if level == 1 {
            self.settings.playouts.max(1)
        } else {
            1
        };
        let mut line = AdaptLine::default();
        for iteration in 0..self.settings.iterations.max(1) {
            if iteration > 0 {
                self.adapt(best);
            }
            for call in 0..calls {
                self.level(level - 1, &mut line);
                // A line whose score ties with the best replaces the best line, to avoid stagnation
                // (Rosin).
                if iteration + call == 0 || line.score >= best.score {
                    std::mem::swap(best, &mut line);
                }
            }
        }
        for (weight, before) in self.log.drain(begun..).rev() {
            self.weights[weight as usize] = before;
        }
    }

    fn playout(&mut self, line: &mut AdaptLine) {
        line.moves.clear();
        line.choices.clear();
        line.steps.clear();
        let mut position = self.root;
        loop {
            self.groups.clear();
            position.board.groups(&mut self.groups);
            if self.groups.is_empty() {
                break;
            }
            let name = self.draw(&position.board, line);
            position
                .remove(name)
                .expect("groups that were listed can be removed");
            line.moves.push(name);
        }
        self.positions += line.moves.len() as u64;
        line.score = position.score();
    }

    /// Draws one of `groups` by the policy and records the legal moves. Groups of the tabu colour
    /// are legal only if there are no other groups.
    fn draw(&mut self, board: &Board<S>, line: &mut AdaptLine) -> Move {
        let first = line.choices.len();
        self.open.clear();
        let mut sum = 0.0;
        for is_tabu_open in [false, true] {
            for group in &self.groups {
                let Move { column, row } = group.name;
                let colour = board.colour(column.into(), row.into());
                if colour == Some(self.tabu) && !is_tabu_open {
                    continue;
                }
                let weight = weight_of(group, colour);
                let bias = self.biases[group.size as usize];
                sum += self.weights[weight as usize] * bias;
                self.open.push((group.name, sum));
                line.choices.push(OpenMove { weight, bias });
            }
            if !self.open.is_empty() {
                break;
            }
        }
        let drawn = (self.rng.next_u32() >> 8) as f32 / (1 << 24) as f32 * sum;
        let last = self.open.len() - 1;
        let taken = self
            .open
            .iter()
            .position(|&(_, sum)| drawn < sum)
            .unwrap_or(last);
        line.steps
            .push((line.choices.len() as u32, (first + taken) as u32));
        self.open[taken].0
    }

    /// Adapts the policy towards a line. The weight of each move taken rises by the step, and the
    /// weights of all legal moves fall by the step times their probability before the adaptation.
    fn adapt(&mut self, line: &AdaptLine) {
        let step = self.settings.step;
        let mut first = 0;
        for &(end, taken) in &line.steps {
            let choices = &line.choices[first..end as usize];
            first = end as usize;
            if choices.len() == 1 {
                continue;
            }
            let chance = |choice: &OpenMove| self.weights[choice.weight as usize] * choice.bias;
            let unit = step / choices.iter().map(chance).sum::<f32>();
            for choice in choices {
                let change = &mut self.changes[choice.weight as usize];
                if *change == 0.0 {
                    self.changed.push(choice.weight);
                }
                *change -= unit * chance(choice);
            }
            self.changes[line.choices[taken as usize].weight as usize] += step;
        }
        for weight in self.changed.drain(..) {
            let change = std::mem::take(&mut self.changes[weight as usize]);
            let value = &mut self.weights[weight as usize];
            self.log.push((weight, *value));
            // The range keeps a sum of weights finite and positive.
            *value = (*value * libm::expf(change)).clamp(1e-20, 1e20);
        }
    }
}

fn weight_of(group: &Group, colour: Option<usize>) -> u32 {
    let Move { column, row } = group.name;
    let parts = [
        u64::from(column),
        u64::from(row),
        u64::from(group.size),
        colour.unwrap_or_default() as u64,
    ];
    let key = parts.into_iter().fold(0, |key, part| key << 10 | part);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - WEIGHT_BITS)) as u32
}
