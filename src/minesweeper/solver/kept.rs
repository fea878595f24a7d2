//! A cache of counted components.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::CountError;
use super::budget::Budget;
use super::counting::{BoxSums, ByMines, Counting};
use super::elimination::Plan;
use super::frontier::{CellBox, Frontier};
use super::number::Real;
use super::outlook::TakeSums;

/// The cache is cleared when it holds more than this many numbers.
const MAX_NUMBERS: usize = 1 << 20;

/// A cache of components that were counted.
#[derive(Clone, Debug, Default)]
pub(super) struct ComponentCache {
    by_key: HashMap<Key, u32, FxBuildHasher>,
    components: Vec<CachedComponent>,
    boxes: Vec<CellBox>,
    numbers: Vec<f64>,
    counting: Counting<f64>,
}

/// A hash of a component: the sum of one random number for each of its open numbers, and the sum of
/// one for each of its cells. Two different components of a board collide with a probability of at
/// most 2^-64.
pub(super) type Key = (u64, u64);

/// A cached component. Its `len` counts start at `at`, by number of mines from `fewest` on. They
/// are followed, for each of its boxes, by `len` sums over the layouts of the mines in the box, for
/// the same numbers of mines, and `len` such sums of the safe cells in the box.
#[derive(Clone, Copy, Debug)]
struct CachedComponent {
    fewest: usize,
    len: usize,
    at: usize,
    first_box: usize,
    boxes: usize,
}

impl ComponentCache {
    pub(super) fn forget(&mut self) {
        self.by_key.clear();
        self.components.clear();
        self.boxes.clear();
        self.numbers.clear();
    }

    /// Clears the cache if it has grown too large.
    pub(super) fn make_room(&mut self) {
        if self.numbers.len() > MAX_NUMBERS {
            self.forget();
        }
    }

    pub(super) fn find(&self, key: Key) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Counts the only component of `frontier`, adds it to the cache and returns its index.
    pub(super) fn add(
        &mut self,
        key: Key,
        frontier: &Frontier,
        (plan, sums): (&mut Plan, &mut Vec<BoxSums<f64>>),
        budget: &mut Budget,
    ) -> Result<u32, CountError> {
        let Self {
            by_key,
            components,
            boxes,
            numbers,
            counting,
        } = self;
        let component = frontier.components[0];
        counting.begin();
        counting
            .count(frontier, component, component.cells, plan, budget)
            .map_err(|reason| reason.of(component))?;
        let ByMines { fewest, counts } = counting.by_mines(0);
        let len = counts.len();
        let at = numbers.len();
        let first_box = boxes.len();
        numbers.extend_from_slice(counts);
        boxes.extend(frontier.boxes_of(0));
        let in_boxes = numbers.len();
        numbers.resize(in_boxes + 2 * len * (boxes.len() - first_box), 0.0);
        for mines in 0..len {
            let weights: Vec<f64> = (0..len)
                .map(|other| f64::from(u8::from(other == mines)))
                .collect();
            counting.box_sums(0, &weights, sums);
            for (of_box, sums) in numbers[in_boxes..]
                .chunks_exact_mut(2 * len)
                .zip(sums.iter())
            {
                (of_box[mines], of_box[len + mines]) = (sums.mines, sums.safe);
            }
        }
        let id = components.len() as u32;
        components.push(CachedComponent {
            fewest,
            len,
            at,
            first_box,
            boxes: boxes.len() - first_box,
        });
        by_key.insert(key, id);
        Ok(id)
    }

    pub(super) fn by_mines(&self, id: u32) -> ByMines<'_, f64> {
        let CachedComponent {
            fewest, len, at, ..
        } = self.components[id as usize];
        ByMines {
            fewest,
            counts: &self.numbers[at..at + len],
        }
    }

    /// Passes the boxes of a component to `taker`, weighted by its number of mines.
    pub(super) fn take_component(&self, id: u32, weights: &[f64], taker: &mut impl TakeSums<f64>) {
        let CachedComponent {
            len,
            at,
            first_box,
            boxes,
            ..
        } = self.components[id as usize];
        let numbers = self.numbers[at + len..].chunks_exact(2 * len);
        for (cells, numbers) in self.boxes[first_box..first_box + boxes].iter().zip(numbers) {
            let (mines, safe) = numbers.split_at(len);
            taker.take_box(
                &BoxSums {
                    mines: f64::dot(mines, weights),
                    safe: f64::dot(safe, weights),
                },
                cells,
            );
        }
    }
}
