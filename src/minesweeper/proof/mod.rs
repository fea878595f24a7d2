//! Proofs that covered cells are safe or mines, in steps that a person can follow.
//!
//! A step applies a [`ProofRule`] to a few open numbers, after what earlier steps have decided.
//! Steps with the shortest chains of earlier steps are found first. Where numbers and pairs of
//! numbers prove nothing more, the mine count is tried, then the layouts around a few numbers, and
//! last all layouts of the position.

mod json;
mod pair;
mod part;

pub(crate) use pair::{Number, prove_pair};

use std::collections::BTreeSet;

use part::{Part, refuting};

use crate::{Board, Cell, CellSet, View};
use mineflow_store::named;

/// The maximum number of layouts that a person is asked to go through.
const WAYS: usize = 6;
/// The work of listing layouts for one position, in values assigned to cells.
const WORK: u32 = 200_000;

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
#[derive(Clone, Debug)]
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

/// The state of the search for proofs.
struct Prover {
    /// The open numbers with covered neighbours, before any step.
    numbers: Vec<Number>,
    /// The distance in row-major order beyond which two cells have no neighbour in common.
    reach: usize,
    /// The number of mines on the board.
    mines: usize,
    covered: Vec<Cell>,
    /// The work that may still be spent on listing layouts.
    work: u32,
    /// The cells to decide, each with whether it is a mine.
    targets: Vec<(Cell, bool)>,
    proofs: Proofs,
}

impl Prover {
    fn new(view: &View, targets: Vec<(Cell, bool)>) -> Self {
        let covered = |cell| {
            let near = view.grid().neighbors(cell);
            near.filter(|&near| !view.is_open(near)).collect()
        };
        let numbers = view.board().all_cells().filter_map(|cell| {
            let number = Number {
                cell,
                need: usize::from(view.number(cell)?),
                unknown: covered(cell),
            };
            Some(number).filter(|number| !number.unknown.is_empty())
        });
        Self {
            numbers: numbers.collect(),
            reach: 2 * view.board().width() + 2,
            mines: view.mines(),
            covered: view.covered().collect(),
            work: WORK,
            targets,
            proofs: Proofs {
                steps: Vec::new(),
                decided: vec![None; view.board().cells()],
                chains: Vec::new(),
                rest: Vec::new(),
            },
        }
    }

    /// Adds the next steps. Returns false if every target is decided.
    fn go_on(&mut self) -> bool {
        let proofs = &self.proofs;
        self.targets
            .retain(|&(cell, _)| proofs.is_mine(cell).is_none());
        if self.targets.is_empty() {
            return false;
        }
        let mut found = self.by_numbers();
        if found.is_empty() {
            found = self.by_count();
        }
        if found.is_empty() {
            found = self.by_part().into_iter().collect();
        }
        if found.is_empty() {
            found = self.by_all();
        }
        self.add_cheapest(found);
        true
    }

    /// Adds those of the steps that rest on the fewest others.
    fn add_cheapest(&mut self, found: Vec<Step>) {
        let cost = |step: &Step| self.proofs.chain_of(&step.after).len();
        let mut found: Vec<(usize, Step)> =
            found.into_iter().map(|step| (cost(&step), step)).collect();
        found.sort_by_key(|(cost, step)| (*cost, step.rule));
        let least = found[0].0;
        for (_, step) in found.into_iter().take_while(|(cost, _)| *cost == least) {
            self.proofs.push(step);
        }
    }

    /// Returns a number after what is decided, except by the steps `ignored`.
    fn after(&self, number: &Number, ignored: &[usize]) -> Number {
        let decided = |cell: &Cell| {
            let step = self.proofs.decided[cell.index()]?;
            (!ignored.contains(&step)).then(|| self.proofs.steps[step].mines)
        };
        let known = number
            .unknown
            .iter()
            .filter(|cell| decided(cell) == Some(true));
        let unknown = number.unknown.iter().filter(|cell| decided(cell).is_none());
        Number {
            cell: number.cell,
            // Only numbers that contradict each other need fewer mines than are known.
            need: number.need.checked_sub(known.count()).unwrap_or(usize::MAX),
            unknown: unknown.copied().collect(),
        }
    }

    /// Returns all numbers after what is decided.
    fn now(&self) -> Vec<Number> {
        let after = |number| self.after(number, &[]);
        self.numbers.iter().map(after).collect()
    }

    /// Returns the steps that decided cells around these numbers.
    fn around(&self, numbers: &[&Number]) -> Vec<usize> {
        let cells = numbers.iter().flat_map(|number| &number.unknown);
        let steps = cells.filter_map(|cell| self.proofs.decided[cell.index()]);
        steps.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the steps by one number and by two numbers.
    fn by_numbers(&self) -> Vec<Step> {
        let now = self.now();
        let mut steps = Vec::new();
        for (place, first) in now.iter().enumerate() {
            if first.unknown.is_empty() {
                continue;
            }
            self.conclude(&[place], first.prove(), &mut steps);
            let others = now.iter().enumerate().skip(place + 1);
            let reach = first.cell.index() + self.reach;
            for (other, second) in others.take_while(|(_, of)| of.cell.index() <= reach) {
                let mut cells = second.unknown.iter();
                if cells.any(|cell| first.unknown.contains(cell)) {
                    self.conclude(&[place, other], prove_pair(first, second), &mut steps);
                }
            }
        }
        steps
    }

    /// Adds the steps from these numbers to the `proved` safe cells and mines. They rest on no step
    /// without which the same follows.
    fn conclude(&self, places: &[usize], proved: [Vec<Cell>; 2], steps: &mut Vec<Step>) {
        let numbers: Vec<&Number> = places.iter().map(|&place| &self.numbers[place]).collect();
        for (mines, cells) in [false, true].into_iter().zip(proved) {
            if cells.is_empty() {
                continue;
            }
            let mut ignored = Vec::new();
            let mut after = self.around(&numbers);
            after.retain(|&step| {
                ignored.push(step);
                let now: Vec<Number> = numbers.iter().map(|of| self.after(of, &ignored)).collect();
                let proved = match &now[..] {
                    [one] => one.prove(),
                    [one, other] => prove_pair(one, other),
                    _ => return true,
                };
                let proved = &proved[usize::from(mines)];
                let is_needed = !cells.iter().all(|cell| proved.contains(cell));
                if is_needed {
                    ignored.pop();
                }
                is_needed
            });
            steps.push(Step {
                rule: if places.len() == 1 {
                    ProofRule::Number
                } else {
                    ProofRule::Pair
                },
                numbers: numbers.iter().map(|number| number.cell).collect(),
                cells,
                mines,
                after,
            });
        }
    }

    /// Returns the steps by the mine count: alone, or with numbers that have no cell in common.
    fn by_count(&self) -> Vec<Step> {
        let decided = |cell: &Cell| self.proofs.is_mine(*cell);
        let known = self
            .covered
            .iter()
            .filter(|cell| decided(cell) == Some(true));
        let left = self.mines.saturating_sub(known.count());
        let mut now = self.now();
        let mut steps = Vec::new();
        for mines in [false, true] {
            // The numbers that hold the most mines, or the most safe cells.
            now.sort_by_key(|number| match mines {
                false => (number.need, number.cell.index()),
                true => (number.unknown.len() - number.need, number.cell.index()),
            });
            let mut used = CellSet::new(self.proofs.decided.len());
            let mut numbers = Vec::new();
            let mut need = 0;
            for number in now.iter().rev().filter(|number| !number.unknown.is_empty()) {
                if !number.unknown.iter().any(|&cell| used.contains(cell)) {
                    used.extend(number.unknown.iter().copied());
                    numbers.push(number.cell);
                    need += number.need;
                }
            }
            let is_elsewhere = |cell: &&Cell| decided(cell).is_none() && !used.contains(**cell);
            let cells: Vec<Cell> = self.covered.iter().filter(is_elsewhere).copied().collect();
            if !cells.is_empty() && left == need + if mines { cells.len() } else { 0 } {
                steps.push(Step {
                    rule: ProofRule::Count,
                    numbers,
                    cells,
                    mines,
                    after: (0..self.proofs.steps.len()).collect(),
                });
            }
        }
        steps
    }

    /// Returns the step by the layouts around the fewest numbers that decides a target.
    fn by_part(&mut self) -> Option<Step> {
        let now = self.now();
        let found = self.targets.iter().filter_map(|&(cell, mine)| {
            let places = refuting(&now, (cell, !mine), &mut self.work)?;
            Some((places, cell, mine))
        });
        let (places, cell, mines) = found.min_by_key(|(places, ..)| places.len())?;
        let numbers: Vec<&Number> = places.iter().map(|&place| &now[place]).collect();
        let mut part = Part::new(&numbers, cell);
        let ways = part.layouts(None, WAYS + 1, &mut self.work)?;
        let is_few = ways.len() <= WAYS;
        let same = |at: &usize| ways.iter().all(|way| way[*at] == mines);
        let cells = match is_few {
            true => (0..part.cells.len())
                .filter(same)
                .map(|at| part.cells[at])
                .collect(),
            false => vec![cell],
        };
        let whole: Vec<&Number> = places.iter().map(|&place| &self.numbers[place]).collect();
        Some(Step {
            rule: if is_few {
                ProofRule::Ways
            } else {
                ProofRule::Layouts
            },
            numbers: whole.iter().map(|number| number.cell).collect(),
            cells,
            mines,
            after: self.around(&whole),
        })
    }

    /// Returns steps that count all layouts, one for the safe cells and one for the mines.
    fn by_all(&self) -> Vec<Step> {
        let targets = |mines| self.targets.iter().filter(move |of| of.1 == mines);
        let step = |mines: bool| Step {
            rule: ProofRule::Layouts,
            numbers: self.numbers.iter().map(|number| number.cell).collect(),
            cells: targets(mines).map(|of| of.0).collect(),
            mines,
            after: Vec::new(),
        };
        [false, true].map(step).into()
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
