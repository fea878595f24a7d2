//! The agent of "An Artificial Intelligence Approach to Minesweeper" (the agent paper): its
//! heuristics 1 to 7 as written.

use std::slice;

use rand::{RngExt, SeedableRng};

use super::decision::{Decision, GameStart, NoMove, Player, Reason};
use crate::{
    Board, Cell, View,
    solver::{Budget, ForwardChecking, System},
};
use mineflow_rng::Rng;

/// Probabilities that differ by less than this count as equal.
const TOLERANCE: f64 = 1e-9;

/// The agent of "An Artificial Intelligence Approach to Minesweeper". It looks for cells proved
/// safe, first by single constraints and then by enumerating the solutions of one independent set
/// of constraints after another. If no cell is proved safe, it opens the cell with the lowest mine
/// probability. The agent returns one cell at a time: a safe square is clicked as soon as it is
/// known, and the analysis continues after the click (heuristic 2, "quick action").
#[derive(Debug)]
pub struct Agent {
    knowledge: Knowledge,
    system: System,
    engine: ForwardChecking,
    /// Scratch memory for the cells that share the lowest probability.
    best: Vec<Cell>,
    /// The square clicked last.
    chosen: Cell,
    rng: Rng,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            knowledge: Knowledge::default(),
            system: System::default(),
            engine: ForwardChecking::default(),
            best: Vec::new(),
            chosen: Cell(0),
            rng: Rng::seed_from_u64(0),
        }
    }
}

impl Player for Agent {
    fn begin(&mut self, game: &GameStart) {
        self.rng = game.seed.child("agent", 0).rng();
        self.knowledge.forget();
    }

    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove> {
        let (reason, cell) = self.next(view, budget)?;
        self.chosen = cell;
        Ok(Decision::new(reason, slice::from_ref(&self.chosen)))
    }
}

impl Agent {
    fn next(&mut self, view: &View, budget: &mut Budget) -> Result<(Reason, Cell), NoMove> {
        if view.opened().is_empty() {
            // Heuristic 1 of the agent paper: click a square with the fewest neighbours.
            return Ok((Reason::FirstClick, view.grid().by_fewest_neighbors()[0]));
        }
        self.knowledge.learn(view);
        if let Some(safe) = self.knowledge.single_squares(view)? {
            return Ok((Reason::Certain, safe));
        }
        if let Some(safe) = self.enumerate(view, budget)? {
            return Ok((Reason::Certain, safe));
        }
        Ok((Reason::Guess, self.least_likely_mine(view)?))
    }

    /// Applies heuristics 5 to 7 of the agent paper: counts the solutions of one independent set
    /// after another, stops at the first set with a square that is a mine in no solution, and
    /// returns that square, or `None` if no set has one.
    fn enumerate(&mut self, view: &View, budget: &mut Budget) -> Result<Option<Cell>, NoMove> {
        self.system
            .rebuild(view, |cell| self.knowledge.mine[cell.index()]);
        for set in 0..self.engine.partition(&self.system) {
            let solutions = self.engine.enumerate(&mut self.system, set, budget)?;
            if solutions == 0 {
                return Err(NoMove::Contradiction);
            }
            let mut safe = None;
            for &column in self.engine.variables(set) {
                let cell = self.system.cells()[usize::from(column)];
                match self.engine.mines(usize::from(column)) {
                    0 if safe.is_none() => safe = Some(cell),
                    mines if mines == solutions => self.knowledge.add_mine(view, cell),
                    _ => {}
                }
            }
            if safe.is_some() {
                return Ok(safe);
            }
        }
        Ok(None)
    }

    /// Applies heuristic 4 of the agent paper: returns the square with the lowest mine probability.
    /// The probability is the share of solutions with a mine for a directly constrained square, and
    /// the density of the whole board for an indirectly constrained one (section 4.2.3 of the agent
    /// paper). Ties are broken at random.
    fn least_likely_mine(&mut self, view: &View) -> Result<Cell, NoMove> {
        self.best.clear();
        let best = &mut self.best;
        let mut lowest = f64::INFINITY;
        let mut consider = |cell: Cell, probability: f64| {
            if probability < lowest - TOLERANCE {
                lowest = probability;
                best.clear();
            }
            if probability <= lowest + TOLERANCE {
                best.push(cell);
            }
        };
        let engine = &self.engine;
        for set in 0..engine.sets() {
            let solutions = engine.solutions(set) as f64;
            for &column in engine.variables(set) {
                let cell = self.system.cells()[usize::from(column)];
                if !self.knowledge.mine[cell.index()] {
                    consider(cell, engine.mines(usize::from(column)) as f64 / solutions);
                }
            }
        }
        let density = view.board().mine_ratio();
        for cell in view.covered() {
            if self.knowledge.is_indirectly_constrained(cell) {
                consider(cell, density);
            }
        }
        if best.is_empty() {
            // This can't occur in a game: an unfinished game has a covered safe cell.
            return Err(NoMove::Contradiction);
        }
        Ok(best[self.rng.random_range(0..best.len() as u32) as usize])
    }
}

/// The agent's memory between moves, updated incrementally from the view.
#[derive(Debug, Default)]
struct Knowledge {
    board: Option<Board>,
    /// The number of neighbours of every cell. Like the next three vectors, this one has an extra
    /// entry for everything off the board.
    degree: Vec<u8>,
    /// The number of covered neighbours of every cell, including known mines.
    covered_around: Vec<u8>,
    /// The number of known mines around every cell.
    mines_around: Vec<u8>,
    /// Whether each cell is covered and known to be a mine.
    mine: Vec<bool>,
    /// The number of the view's opened cells that have been processed.
    seen: usize,
    /// Open cells whose constraint has changed since the last check. The list may contain
    /// duplicates.
    to_check: Vec<Cell>,
}

impl Knowledge {
    fn forget(&mut self) {
        self.seen = 0;
        self.to_check.clear();
        self.covered_around.copy_from_slice(&self.degree);
        self.mines_around.fill(0);
        self.mine.fill(false);
    }

    fn learn(&mut self, view: &View) {
        let grid = view.grid();
        if self.board.is_none_or(|board| {
            (board.width(), board.height()) != (grid.board().width(), grid.board().height())
        }) {
            self.board = Some(grid.board());
            self.degree.clear();
            self.degree.extend(
                grid.board()
                    .all_cells()
                    .map(|cell| grid.neighbor_count(cell) as u8),
            );
            self.degree.push(0);
            self.covered_around.resize(self.degree.len(), 0);
            self.mines_around.resize(self.degree.len(), 0);
            self.mine.resize(self.degree.len(), false);
            self.forget();
        }
        for &open in &view.opened()[self.seen..] {
            self.to_check.push(open);
            for &d in grid.around(open.index()) {
                let covered = &mut self.covered_around[usize::from(d)];
                *covered = covered.wrapping_sub(1);
                if view.is_open(Cell(d)) {
                    self.to_check.push(Cell(d));
                }
            }
        }
        self.seen = view.opened().len();
    }

    /// Applies heuristics 3 and 6 of the agent paper: solves constraints that can be solved alone
    /// until none is left or a safe square is found, and returns the safe square. The constraint
    /// that proved this square is checked again at the next move.
    fn single_squares(&mut self, view: &View) -> Result<Option<Cell>, NoMove> {
        while let Some(&open) = self.to_check.last() {
            let number = view.number(open).expect("only open cells have constraints");
            let covered = self.covered_around[open.index()];
            let known = self.mines_around[open.index()];
            let left = number.checked_sub(known).zip(covered.checked_sub(known));
            let Some((mines, unknown)) = left.filter(|(mines, unknown)| mines <= unknown) else {
                return Err(NoMove::Contradiction);
            };
            if unknown > 0 && mines == 0 {
                return Ok(view
                    .grid()
                    .neighbors(open)
                    .find(|&d| !view.is_open(d) && !self.mine[d.index()]));
            }
            self.to_check.pop();
            if unknown > 0 && mines == unknown {
                for d in view.grid().neighbors(open) {
                    if !view.is_open(d) && !self.mine[d.index()] {
                        self.add_mine(view, d);
                    }
                }
            }
        }
        Ok(None)
    }

    fn add_mine(&mut self, view: &View, cell: Cell) {
        self.mine[cell.index()] = true;
        for &d in view.grid().around(cell.index()) {
            let mines = &mut self.mines_around[usize::from(d)];
            *mines = mines.wrapping_add(1);
            if view.is_open(Cell(d)) {
                self.to_check.push(Cell(d));
            }
        }
    }

    /// Returns whether no neighbour of `cell` is open (definition 1 of the agent paper).
    fn is_indirectly_constrained(&self, cell: Cell) -> bool {
        self.covered_around[cell.index()] == self.degree[cell.index()]
    }
}
