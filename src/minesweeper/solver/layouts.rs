//! Draws mine layouts from the posterior: every consistent layout is equally likely.
//!
//! First the number of mines of each component is drawn, one component after the other, weighted by
//! the number of layouts of it and of everything that follows. Then one of the component's layouts
//! with this many mines is drawn, backwards along the states of the count. This gives the number of
//! mines in each box. The mine cells within the box are then drawn at random. The mines left over
//! are placed on random cells off the boundary.

use rand::RngExt;

use super::{
    Contradiction, CountError,
    budget::Budget,
    combination::F64_BOUNDARY,
    counting::Counting,
    deduction::{Mark, SingleNumbers},
    frontier::Frontier,
    number::{Real, Wide},
    rest::rest_weights,
};
use crate::Cell;
use mineflow_rng::Rng;

/// Maximum number of weights kept for a position: one for each component and number of mines before
/// it.
const MAX_WEIGHTS: usize = 1 << 22;

/// The consistent layouts of a position, ready to draw from.
/// [`Analysis::layouts`](super::Analysis::layouts) prepares them.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    frontier: Frontier,
    floats: Weighed<f64>,
    wides: Weighed<Wide>,
    /// Whether `floats` holds the counts; otherwise `wides` does.
    in_floats: bool,
    known_mines: Vec<Cell>,
    /// Unknown cells off the boundary.
    rest: Vec<Cell>,
}

/// A drawn layout, and the scratch memory for drawing.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    mines: Vec<Cell>,
    mines_of_boxes: Vec<u8>,
    /// The cells off the boundary, in the order in which the last draw left them.
    rest: Vec<Cell>,
}

impl Drawn {
    /// Returns all mines of the layout, in arbitrary order.
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }
}

impl Layouts {
    /// Prepares to draw layouts of the position in `deduction` by counting its consistent layouts.
    pub(super) fn prepare(
        &mut self,
        deduction: &mut SingleNumbers,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        self.frontier.build(deduction)?;
        self.known_mines.clear();
        self.known_mines.extend(deduction.marked(Mark::Mine));
        self.rest.clear();
        self.rest.extend(deduction.unknown_rest());
        self.in_floats =
            self.frontier.cells <= F64_BOUNDARY && self.floats.prepare(&self.frontier, budget)?;
        if !self.in_floats {
            self.wides.prepare(&self.frontier, budget)?;
        }
        Ok(())
    }

    /// Returns the cells that are proved to be mines and therefore mines in every layout, in
    /// row-major order.
    pub fn known_mines(&self) -> &[Cell] {
        &self.known_mines
    }

    /// Creates the scratch memory for drawing from these layouts.
    pub fn drawing(&self) -> Drawn {
        Drawn {
            rest: self.rest.clone(),
            ..Drawn::default()
        }
    }

    /// Draws a layout into `drawn`, which comes from [`Layouts::drawing`]. It allocates nothing
    /// once the memory of `drawn` is large enough.
    pub fn draw(&self, drawn: &mut Drawn, rng: &mut Rng) {
        drawn.mines.clear();
        drawn.mines.extend_from_slice(&self.known_mines);
        if self.in_floats {
            self.floats.draw(&self.frontier, drawn, rng);
        } else {
            self.wides.draw(&self.frontier, drawn, rng);
        }
        let left = self.known_mines.len() + self.frontier.mines_left - drawn.mines.len();
        for next in 0..left {
            let other = below(rng, next, drawn.rest.len());
            drawn.rest.swap(next, other);
        }
        drawn.mines.extend_from_slice(&drawn.rest[..left]);
    }
}

/// Draws uniformly from `from..to`; each probability is off by less than 2^-32.
fn below(rng: &mut Rng, from: usize, to: usize) -> usize {
    from + ((u64::from(rng.random::<u32>()) * (to - from) as u64) >> 32) as usize
}

/// Counted components, with the number of layouts of all following components for each number of
/// mines used before.
#[derive(Clone, Debug, Default)]
struct Weighed<N> {
    counting: Counting<N>,
    /// For each component, and last for the rest of the board: the number of layouts of this part
    /// and all later ones, up to a common factor. The index is the number of mines before this
    /// part, minus the fewest possible.
    ahead: Vec<N>,
    /// The start of each component's weights in `ahead`.
    begins: Vec<usize>,
    rest: Vec<N>,
}

impl<N: Real> Weighed<N> {
    /// Counts and weighs the components. Returns false if the weights may leave the range of `N`.
    fn prepare(&mut self, frontier: &Frontier, budget: &mut Budget) -> Result<bool, CountError> {
        self.counting.begin();
        self.begins.clear();
        let mut fewest = 0;
        let mut numbers = 1;
        let mut kept = 0;
        for &component in &frontier.components {
            self.counting
                .count(frontier, component, frontier.mines_left, budget)?;
            self.begins.push(kept);
            kept += numbers;
            fewest += self.counting.last().fewest;
            numbers += self.counting.last().counts.len() - 1;
        }
        self.begins.push(kept);
        if kept + numbers > MAX_WEIGHTS {
            return Err(CountError::TooHard {
                cells: frontier.cells,
            });
        }
        self.counting.order_for_drawing();
        let rest = &mut self.rest;
        if !rest_weights(fewest, numbers, frontier.mines_left, frontier.rest, rest) {
            return Ok(false);
        }
        self.ahead.clear();
        self.ahead.resize(kept, N::default());
        self.ahead.extend_from_slice(&self.rest);
        for i in (0..frontier.components.len()).rev() {
            let (before, after) = self.ahead.split_at_mut(self.begins[i + 1]);
            for (mines, weight) in before[self.begins[i]..].iter_mut().enumerate() {
                let counts = self.counting.by_mines(i).counts;
                for (&count, &following) in counts.iter().zip(&after[mines..]) {
                    weight.add_product(count, following);
                }
            }
        }
        if self.ahead[0].is_zero() {
            Err(Contradiction.into())
        } else {
            Ok(true)
        }
    }

    /// Draws the mines on the boundary.
    fn draw(&self, frontier: &Frontier, drawn: &mut Drawn, rng: &mut Rng) {
        let mut before = 0;
        for i in 0..frontier.components.len() {
            let counts = self.counting.by_mines(i).counts;
            let total = self.ahead[self.begins[i] + before];
            let after = &self.ahead[self.begins[i + 1] + before..];
            let mut left = rng.random::<f64>();
            let mut chosen = None;
            for (at, (&count, &following)) in counts.iter().zip(after).enumerate() {
                let mut layouts = N::default();
                layouts.add_product(count, following);
                if !layouts.is_zero() {
                    // The last possible number of mines is the fallback if the shares don't add up
                    // to 1 because of rounding.
                    chosen = Some(at);
                    left -= layouts.ratio(total);
                    if left < 0.0 {
                        break;
                    }
                }
            }
            let at = chosen.expect("a position whose layouts were counted has one");
            before += at;
            drawn.mines_of_boxes.clear();
            self.counting.draw(i, at, rng, &mut drawn.mines_of_boxes);
            let of_boxes = drawn.mines_of_boxes.iter().rev();
            for (cells, &of_box) in frontier.boxes_of(i).zip(of_boxes) {
                let mut wanted = usize::from(of_box);
                let mut cells_left = cells.size();
                for cell in cells.cells() {
                    if wanted == 0 {
                        break;
                    }
                    if wanted == cells_left || below(rng, 0, cells_left) < wanted {
                        drawn.mines.push(cell);
                        wanted -= 1;
                    }
                    cells_left -= 1;
                }
            }
        }
    }
}
