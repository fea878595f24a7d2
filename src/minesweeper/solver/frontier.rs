//! The counting problem of a position: boxes of cells with the same adjacent numbers, the numbers
//! as constraints over boxes, and the connected components, which can be counted one by one.

use std::ops::RangeInclusive;

use super::{
    Contradiction, CountError,
    deduction::{Mark, SingleNumbers},
};
use crate::Cell;

const NONE: u16 = u16::MAX;
/// The need of a constraint whose number is unknown: its boxes may have any number of mines. The
/// value is so large that after `k` mines it still exceeds the at most `8 - k` cells left.
pub(super) const ANY: u8 = 15;
/// The bit of `Constraint::unordered` that sorts a constraint of [`ANY`] need last, because
/// finishing this constraint frees no slot.
const LAST: u8 = 0x80;

/// Up to eight indices: a number has at most eight neighbours, and a cell has at most eight numbers
/// around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Eight {
    items: [u16; 8],
    pub len: u8,
}

impl Eight {
    pub fn push(&mut self, item: u16) {
        self.items[self.len as usize] = item;
        self.len += 1;
    }

    pub fn as_slice(&self) -> &[u16] {
        &self.items[..self.len as usize]
    }
}

/// A box: unknown cells with the same witnesses, that is, the same open numbers around them.
/// Layouts that differ only in which of these cells are mines are equally likely; the count thus
/// distinguishes only the number of mines in the box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellBox {
    cells: Eight,
    pub constraints: Eight,
}

impl CellBox {
    /// Creates a box of one cell.
    pub fn of(cell: Cell) -> Self {
        let mut cells = Eight::default();
        cells.push(cell.0);
        Self {
            cells,
            constraints: Eight::default(),
        }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.as_slice().iter().map(|&cell| Cell(cell))
    }

    pub fn size(&self) -> usize {
        self.cells.len as usize
    }
}

/// Requires that the mines in `boxes` add up to `need`, or to any number if `need` is [`ANY`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Constraint {
    pub boxes: Eight,
    /// The open cell of the constraint, or the first one if several open cells give the same
    /// constraint.
    pub witness: u16,
    pub need: u8,
    /// Number of boxes that are not in the elimination order yet.
    unordered: u8,
    touched: bool,
}

impl Constraint {
    /// Returns the number of cells in its boxes.
    pub fn cells(&self, boxes: &[CellBox]) -> u8 {
        let own = self.boxes.as_slice().iter();
        own.map(|&b| boxes[b as usize].size() as u8).sum()
    }
}

/// A range of [`Frontier::order`] whose boxes share no constraint with boxes outside it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Component {
    pub start: usize,
    pub end: usize,
    /// Number of cells in all its boxes.
    pub cells: usize,
}

impl Component {
    /// Returns the error of a count of this component that exceeds the limits.
    pub fn too_hard(self) -> CountError {
        CountError::TooHard { cells: self.cells }
    }
}

/// Boxes, constraints and components of a position. Reuses its memory from one position to the
/// next.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    pub boxes: Vec<CellBox>,
    pub constraints: Vec<Constraint>,
    /// The boxes in elimination order, component after component.
    pub order: Vec<u16>,
    pub components: Vec<Component>,
    /// Number of cells in all boxes together.
    pub cells: usize,
    /// Number of unknown cells off the boundary.
    pub rest: usize,
    /// Number of mines in the boxes and the rest together.
    pub mines_left: usize,
    /// Number of columns of the board.
    pub width: usize,
    /// The box of each cell, [`NONE`] for most; one entry per cell of the board and one for the
    /// slot off the board.
    box_of: Vec<u16>,
    /// Scratch: constraints in breadth-first order.
    met: Vec<u16>,
    box_ordered: Vec<bool>,
    constraint_met: Vec<bool>,
}

impl Frontier {
    /// Rebuilds the frontier from the unknown cells and their witnesses.
    pub fn build(&mut self, deduction: &mut SingleNumbers) -> Result<(), Contradiction> {
        self.clear(deduction.grid.off_board() + 1);
        deduction.sift_active();
        self.add_witnesses(deduction, deduction.active.iter().copied())?;
        self.rest = deduction.unknown - self.cells;
        self.mines_left = deduction.mines_left;
        self.width = deduction.grid.board().width();
        self.find_components();
        Ok(())
    }

    /// Builds only the boxes and constraints of the numbers `witnesses` and of `opened`, if any,
    /// whose number is unknown. `rest` and `mines_left` are not set.
    pub fn build_part(
        &mut self,
        deduction: &SingleNumbers,
        opened: Option<Cell>,
        witnesses: impl Iterator<Item = u16>,
    ) -> Result<(), Contradiction> {
        self.clear(deduction.grid.off_board() + 1);
        // Elimination ends at the first constraint: the later the boxes around the cell are
        // eliminated, the fewer states they distinguish.
        if let Some(opened) = opened {
            self.add_witness(deduction, opened.index(), ANY)?;
        }
        self.add_witnesses(deduction, witnesses)?;
        self.find_components();
        Ok(())
    }

    /// Returns the index of the box that contains the cell `slot`, or `None` if no box contains it.
    pub fn box_at(&self, slot: usize) -> Option<usize> {
        Some(self.box_of[slot])
            .filter(|&b| b != NONE)
            .map(usize::from)
    }

    /// Returns the boxes of a component in elimination order.
    pub fn boxes_of(&self, component: usize) -> impl Iterator<Item = &CellBox> {
        self.order_of(self.components[component])
            .iter()
            .map(|&b| &self.boxes[b as usize])
    }

    /// Returns the elimination order of a component, as indices of boxes.
    pub fn order_of(&self, component: Component) -> &[u16] {
        &self.order[component.start..component.end]
    }

    /// Returns bounds on the number of mines of a component that follow from the total alone: the
    /// other components and the rest must hold the remaining mines.
    pub fn mines_of(&self, component: Component) -> RangeInclusive<usize> {
        self.mines_left
            .saturating_sub(self.rest + self.cells - component.cells)..=self.mines_left
    }

    fn clear(&mut self, slots: usize) {
        for cells in &self.boxes {
            for &cell in cells.cells.as_slice() {
                self.box_of[cell as usize] = NONE;
            }
        }
        self.box_of.resize(slots, NONE);
        self.boxes.clear();
        self.constraints.clear();
        self.order.clear();
        self.components.clear();
        self.cells = 0;
    }

    fn add_witnesses(
        &mut self,
        deduction: &SingleNumbers,
        witnesses: impl Iterator<Item = u16>,
    ) -> Result<(), Contradiction> {
        for witness in witnesses.map(usize::from) {
            self.add_witness(deduction, witness, deduction.need(witness))?;
        }
        Ok(())
    }

    fn add_witness(
        &mut self,
        deduction: &SingleNumbers,
        witness: usize,
        need: u8,
    ) -> Result<(), Contradiction> {
        let (boxes, cells) = self.boxes_around(deduction, witness);
        if need > cells && need != ANY {
            return Err(Contradiction);
        }
        if cells == 0 {
            return Ok(());
        }
        match self.twin(&boxes) {
            Some(twin) if self.constraints[twin].need != need => return Err(Contradiction),
            Some(_) => return Ok(()),
            None => {}
        }
        let index = self.constraints.len() as u16;
        for &b in boxes.as_slice() {
            self.boxes[b as usize].constraints.push(index);
        }
        self.constraints.push(Constraint {
            boxes,
            witness: witness as u16,
            need,
            unordered: if need == ANY {
                LAST | boxes.len
            } else {
                boxes.len
            },
            touched: false,
        });
        Ok(())
    }

    /// Adds the unknown cells around a witness that are in no box yet, in new boxes. Returns the
    /// boxes of the unknown cells around it, and the number of these cells.
    fn boxes_around(&mut self, deduction: &SingleNumbers, witness: usize) -> (Eight, u8) {
        let first_new = self.boxes.len();
        // Witness sets of the new boxes, as bits of the 5 x 5 cells around this witness.
        let mut signatures = [0u32; 8];
        let mut boxes = Eight::default();
        let mut cells = 0;
        for (k, &slot) in deduction.grid.around(witness).iter().enumerate() {
            if deduction.mark(slot as usize) != Mark::Unknown {
                continue;
            }
            cells += 1;
            let mut index = self.box_of[slot as usize];
            if index == NONE {
                let signature = PLACED[k][deduction.witnesses(slot as usize) as usize];
                let new = self.boxes.len() - first_new;
                let found = signatures[..new]
                    .iter()
                    .position(|&s| s == signature)
                    .unwrap_or(new);
                if found == new {
                    signatures[new] = signature;
                    self.boxes.push(CellBox::default());
                }
                index = (first_new + found) as u16;
                self.boxes[index as usize].cells.push(slot);
                self.box_of[slot as usize] = index;
                self.cells += 1;
            }
            if !boxes.as_slice().contains(&index) {
                boxes.push(index);
            }
        }
        (boxes, cells)
    }

    /// Finds a constraint over exactly these boxes.
    fn twin(&self, boxes: &Eight) -> Option<usize> {
        let first = &self.boxes[*boxes.as_slice().first()? as usize];
        let mut constraints = first.constraints.as_slice().iter().map(|&c| c as usize);
        constraints.find(|&c| {
            let other = &self.constraints[c];
            other.need != ANY
                && other.boxes.len == boxes.len
                && boxes
                    .as_slice()
                    .iter()
                    .all(|b| other.boxes.as_slice().contains(b))
        })
    }

    fn find_components(&mut self) {
        self.box_ordered.clear();
        self.box_ordered.resize(self.boxes.len(), false);
        self.constraint_met.clear();
        self.constraint_met.resize(self.constraints.len(), false);
        for seed in 0..self.constraints.len() {
            if self.constraint_met[seed] {
                continue;
            }
            let farthest = self.meet_from(seed as u16);
            let start = self.order.len();
            self.eliminate_from(farthest);
            let cells = self.order[start..]
                .iter()
                .map(|&b| self.boxes[b as usize].size())
                .sum();
            self.components.push(Component {
                start,
                end: self.order.len(),
                cells,
            });
        }
    }

    /// Runs a breadth-first search over a component and returns the constraint met last, which is
    /// an end of the component.
    fn meet_from(&mut self, seed: u16) -> u16 {
        self.met.clear();
        self.met.push(seed);
        self.constraint_met[seed as usize] = true;
        let mut next = 0;
        while next < self.met.len() {
            let constraint = &self.constraints[self.met[next] as usize];
            next += 1;
            for &b in constraint.boxes.as_slice() {
                for &c in self.boxes[b as usize].constraints.as_slice() {
                    if !std::mem::replace(&mut self.constraint_met[c as usize], true) {
                        self.met.push(c);
                    }
                }
            }
        }
        *self.met.last().expect("the seed was met")
    }

    /// Orders the boxes of a component from one end. The next boxes are always those of the begun
    /// constraint with the fewest boxes left, so that few constraints are open at a time.
    fn eliminate_from(&mut self, start: u16) {
        let begun = &mut self.met;
        begun.clear();
        begun.push(start);
        self.constraints[start as usize].touched = true;
        while !begun.is_empty() {
            let (at, &next) = begun
                .iter()
                .enumerate()
                .min_by_key(|&(_, &c)| self.constraints[c as usize].unordered)
                .expect("the list was checked not to be empty");
            begun.remove(at);
            let boxes = self.constraints[next as usize].boxes;
            for &b in boxes.as_slice() {
                if std::mem::replace(&mut self.box_ordered[b as usize], true) {
                    continue;
                }
                self.order.push(b);
                for &c in self.boxes[b as usize].constraints.as_slice() {
                    let constraint = &mut self.constraints[c as usize];
                    constraint.unordered -= 1;
                    if !std::mem::replace(&mut constraint.touched, true) {
                        begun.push(c);
                    }
                }
            }
        }
    }
}

/// `PLACED[k][w]`: the witnesses `w` of the cell in direction `k` as bits of the 5 x 5 square
/// around the centre. Equal values mean equal witnesses.
static PLACED: [[u32; 256]; 8] = placed();

const fn placed() -> [[u32; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut k = 0;
    while k < 8 {
        let mut witnesses = 0;
        while witnesses < 256 {
            let mut bits = 0;
            let mut j = 0;
            while j < 8 {
                if witnesses >> j & 1 == 1 {
                    let row = 2 + crate::AROUND[k].0 + crate::AROUND[j].0;
                    let col = 2 + crate::AROUND[k].1 + crate::AROUND[j].1;
                    bits |= 1 << (row * 5 + col);
                }
                j += 1;
            }
            table[k][witnesses] = bits;
            witnesses += 1;
        }
        k += 1;
    }
    table
}
