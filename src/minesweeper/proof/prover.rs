//! The search for proofs: the next steps, the simplest rules first.

use std::collections::BTreeSet;

use super::{
    Number, ProofRule, Proofs, Step,
    pair::prove_pair,
    part::{Part, refuting},
};
use crate::{Cell, CellSet, View};

/// The maximum number of layouts that a person is asked to go through.
const WAYS: usize = 6;
/// The work of listing layouts for one position, in values assigned to cells.
const WORK: u32 = 200_000;

/// The state of the search for proofs.
pub(super) struct Prover {
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
    pub(super) proofs: Proofs,
}

impl Prover {
    pub(super) fn new(view: &View, targets: Vec<(Cell, bool)>) -> Self {
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
                decided: vec![None; view.board().cells()],
                ..Proofs::default()
            },
        }
    }

    /// Adds the next steps. Returns false if every target is decided.
    pub(super) fn go_on(&mut self) -> bool {
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
    pub(super) fn add_cheapest(&mut self, found: Vec<Step>) {
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
    pub(super) fn now(&self) -> Vec<Number> {
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
    pub(super) fn by_numbers(&self) -> Vec<Step> {
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
