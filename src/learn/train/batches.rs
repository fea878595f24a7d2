//! The order in which rows are learnt from, and what of them stays together.

use rand::RngExt;

use super::lists::beginnings;
use super::network::Output;
use mineflow_data::Table;
use mineflow_rng::Seed;

/// Rows that are learnt from together: single rows, or the rows of a list.
pub(super) struct Units<'a> {
    table: &'a Table,
    /// Where each list begins, and the end; none for single rows.
    lists: Option<Vec<u32>>,
}

impl<'a> Units<'a> {
    /// Those of a table, which has fewer than 4 billion rows.
    pub(super) fn of(table: &'a Table, output: Output) -> Self {
        let ends = |rank| beginnings(table, rank).chain([table.rows()]).map(|row| row as u32).collect();
        let lists = if let Output::Rank { rank, .. } = output { Some(ends(rank)) } else { None };
        Self { table, lists }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lists.as_ref().map_or(self.table.rows(), |ends| ends.len() - 1)
    }

    /// The rows of some of them.
    pub(super) fn rows(&self, units: &[u32]) -> Vec<u32> {
        match &self.lists {
            None => units.to_vec(),
            Some(ends) => units.iter().flat_map(|&unit| ends[unit as usize]..ends[unit as usize + 1]).collect(),
        }
    }
}

/// Whole units of `rows`, as many as there are in about `about` rows; `begins` tells where a list begins.
pub(super) fn slices(rows: &[u32], about: usize, begins: impl Fn(u32) -> bool) -> Vec<&[u32]> {
    let mut slices = Vec::new();
    let mut left = rows;
    while left.len() > about {
        let end = (about..left.len()).find(|&at| begins(left[at])).unwrap_or(left.len());
        let (slice, rest) = left.split_at(end);
        slices.push(slice);
        left = rest;
    }
    slices.extend((!left.is_empty()).then_some(left));
    slices
}

/// The numbers below `rows` in an order drawn by `seed` (Fisher and Yates).
pub(super) fn shuffled(rows: usize, seed: Seed) -> Vec<u32> {
    let rows = u32::try_from(rows).expect("a table of 4 billion rows fits no memory");
    let mut order: Vec<u32> = (0..rows).collect();
    let mut rng = seed.rng();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.random_range(0..=last as u32) as usize);
    }
    order
}
