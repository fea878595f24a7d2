//! Lists the layouts of the cells around a few numbers.

use super::pair::Number;
use crate::Cell;

/// The maximum number of numbers around which layouts are listed.
const NUMBERS: usize = 24;

/// The unknown cells around a few numbers, and the numbers as constraints on them.
pub(super) struct Part {
    pub cells: Vec<Cell>,
    /// For each number, its missing mines and its cells without a value.
    left: Vec<(usize, usize)>,
    /// For each cell, its numbers.
    around: Vec<Vec<usize>>,
}

impl Part {
    /// Creates the part of `numbers`. The cell `first`, which must be in it, is assigned first.
    pub fn new(numbers: &[&Number], first: Cell) -> Self {
        let mut part = Self {
            cells: vec![first],
            left: Vec::new(),
            around: vec![Vec::new()],
        };
        for (index, number) in numbers.iter().enumerate() {
            part.left.push((number.need, number.unknown.len()));
            for &cell in &number.unknown {
                let found = part.cells.iter().position(|&other| other == cell);
                let at = found.unwrap_or_else(|| {
                    part.cells.push(cell);
                    part.around.push(Vec::new());
                    part.cells.len() - 1
                });
                part.around[at].push(index);
            }
        }
        part
    }

    /// Returns up to `most` layouts, each with a value for each of the cells, true for a mine. With
    /// `first`, the first cell has this value. Returns `None` if `work` is used up.
    pub fn layouts(
        &mut self,
        first: Option<bool>,
        most: usize,
        work: &mut u32,
    ) -> Option<Vec<Vec<bool>>> {
        let mut found = Vec::new();
        self.assign(&mut Vec::new(), first, most, &mut found, work)?;
        Some(found)
    }

    fn assign(
        &mut self,
        values: &mut Vec<bool>,
        first: Option<bool>,
        most: usize,
        found: &mut Vec<Vec<bool>>,
        work: &mut u32,
    ) -> Option<()> {
        *work = work.checked_sub(1)?;
        let at = values.len();
        if at == self.cells.len() {
            found.push(values.clone());
            return Some(());
        }
        let around = self.around[at].clone();
        for mine in [false, true] {
            let fits = around.iter().all(|&number| {
                let (need, cells) = self.left[number];
                if mine { need > 0 } else { need < cells }
            });
            if !fits || at == 0 && first.is_some_and(|first| first != mine) || found.len() == most {
                continue;
            }
            for &number in &around {
                self.left[number].0 -= usize::from(mine);
                self.left[number].1 -= 1;
            }
            values.push(mine);
            let assigned = self.assign(values, first, most, found, work);
            values.pop();
            for &number in &around {
                self.left[number].0 += usize::from(mine);
                self.left[number].1 += 1;
            }
            assigned?;
        }
        Some(())
    }
}

/// Returns a few numbers around which no layout gives `cell` this value, and of which none can be
/// left out. Returns `None` if they are not found.
pub(super) fn refuting(
    numbers: &[Number],
    (cell, value): (Cell, bool),
    work: &mut u32,
) -> Option<Vec<usize>> {
    let mut refutes = |places: &[usize]| {
        let part: Vec<&Number> = places.iter().map(|&place| &numbers[place]).collect();
        let layouts = Part::new(&part, cell).layouts(Some(value), 1, work)?;
        Some(layouts.is_empty())
    };
    let mut reached = vec![cell];
    let mut places: Vec<usize> = Vec::new();
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        for (place, number) in numbers.iter().enumerate() {
            if !number.unknown.contains(&at) || places.contains(&place) {
                continue;
            }
            places.push(place);
            let unmet = number.unknown.iter().filter(|cell| !reached.contains(cell));
            let unmet: Vec<Cell> = unmet.copied().collect();
            reached.extend(unmet);
            if places.len() > NUMBERS {
                return None;
            }
            if !refutes(&places)? {
                continue;
            }
            for index in (0..places.len()).rev() {
                let mut fewer = places.clone();
                fewer.remove(index);
                if refutes(&fewer)? {
                    places = fewer;
                }
            }
            return Some(places);
        }
    }
    None
}
