//! The end of a game played perfectly: a tree over sets of layouts.
//!
//! What is known is the set of layouts that still fit. Cells that are safe in all of them are opened at once and split the set
//! by the numbers they show; so the set alone says where the game stands, whatever the order of moves, and is looked up
//! by itself. Where no cell is safe in all, the value is the best over the cells of the layouts won in all the parts that the
//! cell's numbers make of those where it is safe. Cells are tried from the safest on, until even winning every layout in which
//! the next one is safe would be no gain.
//!
//! A cell that shows one number in all layouts where it is safe is dead: opening it only takes layouts away, and a plan that begins
//! with it wins no less if it is opened last, when everything else is known. So dead cells are tried only where all are dead.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::budget::{Budget, Exhausted};
use super::deduction::{Mark, SingleNumbers};
use super::frontier::Frontier;
use super::{Contradiction, CountError};
use crate::minesweeper::Cell;
use crate::rng::mix;

/// Most unknown cells of an endgame: a layout is a bit each.
pub const MAX_CELLS: usize = 128;
/// What a mine shows.
const MINE: u8 = u8::MAX;
/// Steps of listing the layouts that are tried for each layout there is.
const STEPS_A_LAYOUT: usize = 256;

/// How far an endgame may be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Most layouts.
    pub layouts: u32,
    /// Most sets of layouts that are looked at.
    pub nodes: u32,
}

/// What perfect play makes of a position in which no cell is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameValue {
    /// The cell to open.
    pub cell: Cell,
    /// Layouts that are won from here.
    pub won: u32,
    /// Layouts that fit.
    pub layouts: u32,
}

/// Searches endgames; keeps its memory from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Endgame {
    cells: Vec<Cell>,
    /// The mines of each layout, a bit for each of `cells`.
    layouts: Vec<u128>,
    /// What each cell shows in each layout: `shows[cell * layouts + layout]`.
    shows: Vec<u8>,
    /// A random number for each layout; the sum over a set is its name.
    names: Vec<u64>,
    known: HashMap<(u64, u32), u32, BuildHasherDefault<NameHasher>>,
    /// Sets of layouts, one after the other, those of deeper nodes last.
    sets: Vec<u16>,
    nodes_left: u32,
}

/// Why a search gave no value.
enum Ended {
    TooLarge,
    Exhausted(Exhausted),
}

impl From<Exhausted> for Ended {
    fn from(reason: Exhausted) -> Self {
        Self::Exhausted(reason)
    }
}

/// Names are random numbers already.
#[derive(Clone, Copy, Debug, Default)]
struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("a name is a u64 and a u32");
    }

    fn write_u64(&mut self, name: u64) {
        self.0 = name;
    }

    fn write_u32(&mut self, _: u32) {}
}

/// A cell that may be opened in a set.
#[derive(Clone, Copy)]
struct Move {
    cell: u16,
    /// Layouts of the set where it is safe.
    safe: u32,
}

impl Endgame {
    /// The best move of the position that `deduction` holds and `frontier` was built from, all certain cells being known;
    /// `None` beyond the limits.
    pub(super) fn solve(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, CountError> {
        let listed = self.list(deduction, frontier, limits.layouts as usize, budget);
        match listed.and_then(|()| self.search(limits, budget)) {
            Ok(value) => value.map(Some).ok_or_else(|| Contradiction.into()),
            Err(Ended::TooLarge) => Ok(None),
            Err(Ended::Exhausted(reason)) => Err(reason.into()),
        }
    }

    /// Lists the layouts, and what each cell shows in each.
    fn list(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        most: usize,
        budget: &mut Budget,
    ) -> Result<(), Ended> {
        self.cells.clear();
        self.layouts.clear();
        if deduction.unknown() > MAX_CELLS {
            return Err(Ended::TooLarge);
        }
        for component in 0..frontier.components.len() {
            self.cells.extend(frontier.boxes_of(component).flat_map(|cells| cells.cells()));
        }
        let boundary = self.cells.len();
        let cells = (0..deduction.grid.off_board()).filter(|&cell| deduction.mark(cell) == Mark::Unknown);
        self.cells.extend(cells.filter(|&cell| deduction.witnesses(cell) == 0).map(|cell| Cell(cell as u16)));
        let mut lister = Lister {
            constraints: frontier.constraints.iter().map(|_| 0).collect(),
            needs: frontier.constraints.iter().map(|constraint| constraint.need).collect(),
            of_cell: Vec::with_capacity(boundary),
            cells: self.cells.len(),
            most,
            steps_left: STEPS_A_LAYOUT * most.max(16),
            layouts: &mut self.layouts,
        };
        for component in 0..frontier.components.len() {
            for cells in frontier.boxes_of(component) {
                for _ in cells.cells() {
                    lister.of_cell.push(cells.constraints.as_slice().to_vec());
                    cells.constraints.as_slice().iter().for_each(|&c| lister.constraints[c as usize] += 1);
                }
            }
        }
        lister.go(0, 0, frontier.mines_left)?;
        budget.spend(self.layouts.len() as u64 / 16)?;
        let at: HashMap<Cell, usize> = self.cells.iter().enumerate().map(|(i, &cell)| (cell, i)).collect();
        self.shows.clear();
        for (i, &cell) in self.cells.iter().enumerate() {
            let (mut known, mut around) = (0, 0u128);
            for &d in deduction.grid.around(cell.index()) {
                match deduction.mark(d as usize) {
                    Mark::Mine => known += 1,
                    Mark::Unknown => around |= 1 << at[&Cell(d)],
                    _ => {}
                }
            }
            let shown = |mines: &u128| match mines >> i & 1 {
                1 => MINE,
                _ => known + (mines & around).count_ones() as u8,
            };
            self.shows.extend(self.layouts.iter().map(shown));
        }
        Ok(())
    }

    fn search(&mut self, limits: EndgameLimits, budget: &mut Budget) -> Result<Option<EndgameValue>, Ended> {
        let layouts = self.layouts.len();
        self.names.clear();
        self.names.extend((0..layouts as u64).map(mix));
        self.known.clear();
        self.sets.clear();
        self.sets.extend(0..layouts as u16);
        self.nodes_left = limits.nodes;
        let mut best: Option<(u32, u16)> = None;
        for next in self.moves(0, layouts) {
            if best.is_some_and(|(won, _)| next.safe <= won) {
                break;
            }
            let won = self.open(0, layouts, next, best.map_or(0, |(won, _)| won), budget)?;
            if best.is_none_or(|(most, _)| won > most) {
                best = Some((won, next.cell));
            }
        }
        Ok(best.map(|(won, cell)| EndgameValue { cell: self.cells[cell as usize], won, layouts: layouts as u32 }))
    }

    /// Layouts of the set `sets[from..end]` that perfect play wins.
    fn value(&mut self, from: usize, end: usize, budget: &mut Budget) -> Result<u32, Ended> {
        let size = end - from;
        if size == 1 {
            return Ok(1);
        }
        let name = self.sets[from..end].iter().fold(0u64, |sum, &layout| sum.wrapping_add(self.names[layout as usize]));
        if let Some(&known) = self.known.get(&(name, size as u32)) {
            return Ok(known);
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(Ended::TooLarge)?;
        budget.spend(1)?;
        let mut best = 0;
        for next in self.moves(from, end) {
            if next.safe <= best {
                break;
            }
            best = best.max(self.open(from, end, next, best, budget)?);
        }
        self.known.insert((name, size as u32), best);
        Ok(best)
    }

    /// Layouts won after opening a cell; anything up to `enough` where it can't be more than that.
    fn open(&mut self, from: usize, end: usize, next: Move, enough: u32, budget: &mut Budget) -> Result<u32, Ended> {
        let layouts = self.layouts.len();
        let shows = next.cell as usize * layouts;
        let begin = self.sets.len();
        let ends: [usize; 9] = std::array::from_fn(|number| {
            for i in from..end {
                let layout = self.sets[i];
                if usize::from(self.shows[shows + usize::from(layout)]) == number {
                    self.sets.push(layout);
                }
            }
            self.sets.len()
        });
        let (mut won, mut left, mut start) = (0, next.safe, begin);
        for part_end in ends {
            if part_end == start {
                continue;
            }
            left -= (part_end - start) as u32;
            won += self.value(start, part_end, budget)?;
            start = part_end;
            if won + left <= enough {
                break;
            }
        }
        self.sets.truncate(begin);
        Ok(won)
    }

    /// The cells worth opening, the safest first: one that is safe in all layouts and tells something if there is one, else the
    /// live ones, else the dead ones.
    fn moves(&self, from: usize, end: usize) -> Vec<Move> {
        let layouts = self.layouts.len();
        let set = &self.sets[from..end];
        let (mut live, mut dead) = (Vec::new(), Vec::new());
        for (cell, shows) in self.shows.chunks_exact(layouts).enumerate() {
            let (mut safe, mut seen) = (0, 0u16);
            for &layout in set {
                let shown = shows[layout as usize];
                if shown != MINE {
                    safe += 1;
                    seen |= 1 << shown;
                }
            }
            let next = Move { cell: cell as u16, safe };
            match (safe as usize == set.len(), seen.count_ones()) {
                (true, 2..) => return vec![next],
                // It may be open already.
                (true, _) | (_, 0) => {}
                (false, 1) => dead.push(next),
                (false, _) => live.push(next),
            }
        }
        let mut moves = if live.is_empty() { dead } else { live };
        moves.sort_by_key(|next| std::cmp::Reverse(next.safe));
        moves
    }
}

/// Goes through the layouts cell by cell.
struct Lister<'a> {
    /// Cells of each constraint that are still to be laid.
    constraints: Vec<u8>,
    needs: Vec<u8>,
    /// The constraints of each boundary cell.
    of_cell: Vec<Vec<u16>>,
    cells: usize,
    most: usize,
    steps_left: usize,
    layouts: &'a mut Vec<u128>,
}

impl Lister<'_> {
    fn go(&mut self, cell: usize, mines: u128, mines_left: usize) -> Result<(), Ended> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Ended::TooLarge)?;
        if mines_left > self.cells - cell {
            return Ok(());
        }
        if cell == self.cells {
            if self.layouts.len() == self.most {
                return Err(Ended::TooLarge);
            }
            self.layouts.push(mines);
            return Ok(());
        }
        for mine in 0..=1 {
            if mine as usize > mines_left {
                break;
            }
            if cell >= self.of_cell.len() {
                self.go(cell + 1, mines | u128::from(mine) << cell, mines_left - mine as usize)?;
                continue;
            }
            let constraints = std::mem::take(&mut self.of_cell[cell]);
            let fits = constraints.iter().all(|&c| {
                let (need, left) = (self.needs[c as usize], self.constraints[c as usize]);
                mine <= need && need - mine < left
            });
            let mut gone = Ok(());
            if fits {
                for &c in &constraints {
                    self.needs[c as usize] -= mine;
                    self.constraints[c as usize] -= 1;
                }
                gone = self.go(cell + 1, mines | u128::from(mine) << cell, mines_left - mine as usize);
                for &c in &constraints {
                    self.needs[c as usize] += mine;
                    self.constraints[c as usize] += 1;
                }
            }
            self.of_cell[cell] = constraints;
            gone?;
        }
        Ok(())
    }
}
