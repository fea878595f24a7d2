//! The mine layouts that are possible after a first click.

use crate::{Board, Cell, FirstClick, Grid};

/// All layouts of a board that satisfy the first-click rule for one cell, each equally likely. Bit
/// `i` of a layout is cell `i`.
///
/// If the rule can't be satisfied, the mines that have no room elsewhere lie next to the cell, then
/// on it, as in a [`Game`](crate::Game).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layouts {
    /// The mines that every layout has.
    fixed: u64,
    /// The cells on which the other mines may lie.
    free: u64,
    /// Number of these other mines.
    mines: u32,
}

impl Layouts {
    /// Returns the layouts of `board`, which has at most 64 cells, after a first click on `cell`.
    ///
    /// # Panics
    /// Panics if the board has more than 64 cells.
    pub fn of(board: Board, first_click: FirstClick, cell: Cell) -> Self {
        assert!(board.cells() <= 64, "a layout has a bit a cell");
        let all = !0 >> (64 - board.cells());
        let clicked = 1_u64 << cell.index();
        let around = Grid::new(board)
            .neighbors(cell)
            .fold(0, |set, cell| set | 1_u64 << cell.index());
        let kept_free = match first_click {
            FirstClick::Any => 0,
            FirstClick::Safe => clicked,
            FirstClick::Opening => clicked | around,
        };
        let mut mines = board.mines() as u32;
        let mut fixed = 0;
        let mut free = all & !kept_free;
        // Mines without room go to the neighbours, and to the clicked cell last.
        for next in [kept_free & !clicked, kept_free & clicked] {
            if mines > free.count_ones() {
                mines -= free.count_ones();
                fixed |= free;
                free = next;
            }
        }
        Self { fixed, free, mines }
    }

    /// Returns the number of layouts.
    pub fn count(&self) -> u64 {
        // With at most 64 cells the count is below 2^61; each division is exact.
        let cells = u128::from(self.free.count_ones());
        let chosen =
            (0..u128::from(self.mines)).fold(1_u128, |count, k| count * (cells - k) / (k + 1));
        chosen as u64
    }

    /// Returns all layouts, each once, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { fixed, free, mines } = *self;
        let last: u64 = if mines == 0 { 0 } else { !0 >> (64 - mines) };
        // The subsets of `mines` cells, as numbers in ascending order (Gosper's hack).
        let end = u128::from(last) << (free.count_ones() - mines);
        std::iter::successors(Some(last), move |&subset: &u64| {
            if u128::from(subset) == end {
                return None;
            }
            let low = subset & subset.wrapping_neg();
            let risen = subset + low;
            Some(risen | (((subset ^ risen) / low) >> 2))
        })
        .map(move |subset| fixed | spread(subset, free))
    }

    /// Returns the layouts in which `cell` is safe and shows `number`; `around` are its neighbours.
    pub(super) fn showing(
        &self,
        cell: Cell,
        around: u64,
        number: u32,
    ) -> impl Iterator<Item = u64> + use<> {
        let Self { fixed, free, mines } = *self;
        let clicked = 1 << cell.index();
        let near = free & around;
        let far = free & !around & !clicked;
        let fits = |beside: &u32| {
            fixed & clicked == 0
                && *beside <= mines.min(near.count_ones())
                && mines - beside <= far.count_ones()
        };
        let beside = number
            .checked_sub((fixed & around).count_ones())
            .filter(fits);
        beside.into_iter().flat_map(move |beside| {
            let laid = Self {
                fixed,
                free: near,
                mines: beside,
            }
            .iter();
            laid.flat_map(move |fixed| {
                Self {
                    fixed,
                    free: far,
                    mines: mines - beside,
                }
                .iter()
            })
        })
    }
}

/// Maps bit `i` of `subset` to the `i`-th cell of `free`.
fn spread(mut subset: u64, free: u64) -> u64 {
    let mut cells = 0;
    let mut left = free;
    while subset != 0 {
        let cell = left & left.wrapping_neg();
        if subset & 1 != 0 {
            cells |= cell;
        }
        left ^= cell;
        subset >>= 1;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(board: &str, first_click: FirstClick, cell: u16) -> Vec<u64> {
        let layouts = Layouts::of(board.parse().unwrap(), first_click, Cell(cell));
        let all: Vec<_> = layouts.iter().collect();
        assert_eq!(all.len() as u64, layouts.count());
        all
    }

    #[test]
    fn every_layout_that_keeps_the_promise_comes_once() {
        for (rule, kept_free) in [
            (FirstClick::Any, 0),
            (FirstClick::Safe, 1),
            (FirstClick::Opening, 0b11_0011),
        ] {
            let fits = |&set: &u64| set.count_ones() == 3 && set & kept_free == 0;
            let all: Vec<_> = (0..1 << 12).filter(fits).collect();
            assert_eq!(of("4x3/3", rule, 0), all, "{rule}");
        }
    }

    #[test]
    fn mines_without_room_lie_beside_the_cell() {
        assert_eq!(of("3x2/5", FirstClick::Opening, 0), [0b11_1110]);
        assert_eq!(
            of("3x2/4", FirstClick::Opening, 0),
            [0b10_1110, 0b11_0110, 0b11_1100]
        );
        assert_eq!(of("2x1/1", FirstClick::Safe, 1), [1]);
        assert_eq!(of("2x1/2", FirstClick::Opening, 1), [3]);
        assert_eq!(of("8x8/0", FirstClick::Any, 1), [0]);
        assert_eq!(of("8x8/64", FirstClick::Any, 1), [!0]);
        assert_eq!(of("8x8/63", FirstClick::Any, 1).len(), 64);
    }
}
