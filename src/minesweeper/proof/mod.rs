//! Proofs that covered cells are safe or mines, in steps that a person can follow.
//!
//! A step applies a [`ProofRule`] to a few open numbers, after what earlier steps have decided.
//! Steps with the shortest chains of earlier steps are found first. Where numbers and pairs of
//! numbers prove nothing more, the mine count is tried, then the layouts around a few numbers, and
//! last all layouts of the position.

mod json;
mod pair;
mod part;
mod prover;

pub(crate) use pair::{Number, prove_pair};

use std::collections::BTreeSet;

use part::Part;
use prover::Prover;

use crate::{Board, Cell, View};
use mineflow_store::named;

/// The rule of a step. `k` is the number of mines that the numbers still need.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProofRule {
    /// A number has all its mines, or needs all its cells.
    Number,
    /// Two numbers with common cells.
    Pair,
    /// The mines left on the board are all around the numbers, which have no cell in common; or all
    /// cells that are not around them must be mines.
    Count,
    /// There are at most six layouts around the numbers, and the cells are the same in all of them.
    Ways,
    /// The cells are the same in all layouts around the numbers. If these are all numbers of the
    /// position, only layouts with the board's number of mines may count.
    Layouts,
}

named!(ProofRule, "rule": Number = "number", Pair = "pair", Count = "count", Ways = "ways", Layouts = "layouts");

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub rule: ProofRule,
    /// The open cells whose numbers it uses.
    pub numbers: Vec<Cell>,
    /// The cells that it decides.
    pub cells: Vec<Cell>,
    /// Whether these cells are mines; otherwise they are safe.
    pub mines: bool,
    /// The indices of the earlier steps on which it rests.
    pub after: Vec<usize>,
}

/// The proofs of the cells of a position.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// The steps, those with the shortest chains first.
    pub steps: Vec<Step>,
    /// The step that decides each cell of the board.
    decided: Vec<Option<usize>>,
    /// For each step, the indices of all steps that it needs, and its own.
    chains: Vec<Vec<usize>>,
    /// The numbers after all steps.
    rest: Vec<Number>,
}

impl Proofs {
    /// Proves the cells `safe` and `mines` of a position, which must be all that its layouts prove,
    /// as in [`Solution`](crate::solver::Solution).
    pub fn new(view: &View, safe: &[Cell], mines: &[Cell]) -> Self {
        let targets = [(safe, false), (mines, true)];
        let targets = targets.map(|(cells, mine)| cells.iter().map(move |&cell| (cell, mine)));
        let mut prover = Prover::new(view, targets.into_iter().flatten().collect());
        while prover.go_on() {}
        prover.proofs.rest = prover.now();
        prover.proofs
    }

    /// Proves what single numbers and pairs of numbers prove, for positions whose layouts are too
    /// many to count. Returns `None` if this shows that the numbers contradict each other.
    pub fn by_numbers(view: &View) -> Option<Self> {
        let mut prover = Prover::new(view, Vec::new());
        loop {
            prover.proofs.rest = prover.now();
            let fits = |now: &Number| now.need <= now.unknown.len();
            if !prover.proofs.rest.iter().all(fits) {
                return None;
            }
            match prover.by_numbers() {
                found if found.is_empty() => return Some(prover.proofs),
                found => prover.add_cheapest(found),
            }
        }
    }

    /// Returns the proved cells, those with the shortest chains and then the simplest rules first.
    pub fn cells(&self) -> Vec<Cell> {
        let ease = |cell: &Cell| {
            let last = self.decided[cell.index()].expect("only decided cells are compared");
            (self.chains[last].len(), self.steps[last].rule, cell.index())
        };
        let all = self.steps.iter().flat_map(|step| &step.cells);
        let mut cells: Vec<Cell> = all.copied().collect();
        cells.sort_by_key(ease);
        cells
    }

    /// Returns the steps that prove `cell`, of which the last decides it; `after` refers to this
    /// list. The list is empty if nothing is proved.
    pub fn chain(&self, cell: Cell) -> Vec<Step> {
        let last = self.decided[cell.index()];
        let chain = last.map_or(&[][..], |last| &self.chains[last]);
        let place = |step: &usize| chain.binary_search(step).expect("a chain is complete");
        let renumbered = |&index: &usize| Step {
            after: self.steps[index].after.iter().map(place).collect(),
            ..self.steps[index].clone()
        };
        chain.iter().map(renumbered).collect()
    }

    /// Returns whether `cell` is proved to be a mine; `None` if nothing is proved.
    pub fn is_mine(&self, cell: Cell) -> Option<bool> {
        self.decided[cell.index()].map(|step| self.steps[step].mines)
    }

    /// Lists the solutions of the undecided cells that numbers link to `cell`, which comes first.
    /// Returns `None` if there are more than `most` or no numbers.
    pub(crate) fn solutions(&self, cell: Cell, most: usize) -> Option<Vec<Vec<bool>>> {
        let mut cells = vec![cell];
        let mut part = Vec::new();
        let mut others: Vec<&Number> = self.rest.iter().collect();
        let near = |number: &&Number, cells: &[Cell]| {
            number.unknown.iter().any(|cell| cells.contains(cell))
        };
        while let Some(at) = others.iter().position(|number| near(number, &cells)) {
            part.push(others.swap_remove(at));
            cells.extend(&part[part.len() - 1].unknown);
        }
        let found = Part::new(&part, cell).layouts(None, most + 1, &mut 10_000)?;
        (!part.is_empty() && found.len() <= most).then_some(found)
    }

    /// Returns the chain of a step after these steps, without the step itself.
    fn chain_of(&self, after: &[usize]) -> Vec<usize> {
        let steps = after.iter().flat_map(|&step| &self.chains[step]);
        steps
            .copied()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    fn push(&mut self, mut step: Step) {
        step.cells
            .retain(|cell| self.decided[cell.index()].is_none());
        if step.cells.is_empty() {
            return;
        }
        let index = self.steps.len();
        for cell in &step.cells {
            self.decided[cell.index()] = Some(index);
        }
        let mut chain = self.chain_of(&step.after);
        chain.push(index);
        self.chains.push(chain);
        self.steps.push(step);
    }
}

impl Step {
    /// Describes why the step holds.
    pub fn explain(&self, view: &View) -> String {
        let board = view.board();
        let numbers: Vec<String> = (self.numbers.iter().take(3))
            .map(|&cell| {
                let number = view
                    .number(cell)
                    .map_or_else(String::new, |of| of.to_string());
                format!("the {number} at {}", place(board, cell))
            })
            .collect();
        let pair = self.rule == ProofRule::Pair;
        let mut names = numbers.join(if pair { " and " } else { ", " });
        if let more @ 1.. = self.numbers.len() - numbers.len() {
            names += &format!(" and {more} more");
        }
        match (self.rule, self.mines) {
            (ProofRule::Number, false) => format!("{names} has its mines elsewhere"),
            (ProofRule::Number, true) => format!("{names} has no other cells for its mines"),
            (ProofRule::Pair, _) => format!("{names} together leave no other way"),
            (ProofRule::Count, _) if names.is_empty() => "the mine count".to_owned(),
            (ProofRule::Count, _) => format!("the mine count and {names}"),
            (ProofRule::Ways, _) => format!("in each of the few layouts around {names}"),
            (ProofRule::Layouts, _) => format!("in every layout around {names}"),
        }
    }
}

/// Formats a cell as `(row, column)`, counted from 0.
pub(crate) fn place(board: Board, cell: Cell) -> String {
    let (row, col) = board.row_col(cell);
    format!("({row}, {col})")
}
