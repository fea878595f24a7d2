//! A cache of counted components.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{
    CountError,
    budget::Budget,
    counting::{BoxSums, ByMines, Counting},
    frontier::{CellBox, Frontier},
    number::Real,
    outlook::TakeSums,
};

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
    pub fn forget(&mut self) {
        self.by_key.clear();
        self.components.clear();
        self.boxes.clear();
        self.numbers.clear();
    }

    /// Clears the cache if it has grown too large.
    pub fn make_room(&mut self) {
        if self.numbers.len() > MAX_NUMBERS {
            self.forget();
        }
    }

    pub fn find(&self, key: Key) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Counts the only component of `frontier`, adds it to the cache and returns its index.
    pub fn add(
        &mut self,
        key: Key,
        frontier: &Frontier,
        sums: &mut Vec<BoxSums<f64>>,
        budget: &mut Budget,
    ) -> Result<u32, CountError> {
        let component = frontier.components[0];
        self.counting.begin();
        self.counting
            .count(frontier, component, component.cells, budget)?;
        let ByMines { fewest, counts } = self.counting.by_mines(0);
        let len = counts.len();
        let at = self.numbers.len();
        let first_box = self.boxes.len();
        self.numbers.extend_from_slice(counts);
        self.boxes.extend(frontier.boxes_of(0));
        let boxes = self.boxes.len() - first_box;
        let in_boxes = self.numbers.len();
        self.numbers.resize(in_boxes + 2 * len * boxes, 0.0);
        let mut weights = vec![0.0; len];
        for mines in 0..len {
            weights.fill(0.0);
            weights[mines] = 1.0;
            self.counting.box_sums(0, &weights, sums);
            let numbers = self.numbers[in_boxes..].chunks_exact_mut(2 * len);
            for (of_box, sums) in numbers.zip(sums.iter()) {
                of_box[mines] = sums.mines;
                of_box[len + mines] = sums.safe;
            }
        }
        let id = self.components.len() as u32;
        self.components.push(CachedComponent {
            fewest,
            len,
            at,
            first_box,
            boxes,
        });
        self.by_key.insert(key, id);
        Ok(id)
    }

    pub fn by_mines(&self, id: u32) -> ByMines<'_, f64> {
        let component = self.components[id as usize];
        ByMines {
            fewest: component.fewest,
            counts: &self.numbers[component.at..component.at + component.len],
        }
    }

    /// Passes the boxes of a component to `taker`, weighted by its number of mines.
    pub fn take_component(&self, id: u32, weights: &[f64], taker: &mut impl TakeSums<f64>) {
        let component = self.components[id as usize];
        let len = component.len;
        let boxes = &self.boxes[component.first_box..][..component.boxes];
        let numbers = self.numbers[component.at + len..].chunks_exact(2 * len);
        for (cells, numbers) in boxes.iter().zip(numbers) {
            let (mines, safe) = numbers.split_at(len);
            let sums = BoxSums {
                mines: f64::dot(mines, weights),
                safe: f64::dot(safe, weights),
            };
            taker.take_box(&sums, cells);
        }
    }
}
