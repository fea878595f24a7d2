//! The components of a position, counted once for all moves examined from it.

use super::{
    CountError, budget::Budget, combination::F64_BOUNDARY, counting::Counting, frontier::Frontier,
};
use crate::Cell;

/// The components of the parent position, with their counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    pub frontier: Frontier,
    pub counting: Counting<f64>,
    pub is_counted: bool,
    /// The component of every box.
    component_of: Vec<u16>,
    /// Whether the opened cell touches each component.
    pub touched: Vec<bool>,
}

impl Before {
    pub fn count(&mut self, budget: &mut Budget) -> Result<(), CountError> {
        self.counting.begin();
        // A move adds at most eight cells to the boundary.
        self.is_counted = self.frontier.cells + 8 <= F64_BOUNDARY;
        self.component_of.clear();
        self.component_of.resize(self.frontier.boxes.len(), 0);
        for (i, &component) in self.frontier.components.iter().enumerate() {
            for &b in self.frontier.order_of(component) {
                self.component_of[usize::from(b)] = i as u16;
            }
            if !self.is_counted {
                continue;
            }
            let most = self.frontier.mines_left;
            match self.counting.count(&self.frontier, component, most, budget) {
                Err(CountError::TooHard { .. }) => self.is_counted = false,
                counted => counted?,
            }
        }
        Ok(())
    }

    /// Finds the components that contain `cell` or a cell around it.
    pub fn touch(&mut self, around: &[u16; 8], cell: Cell) {
        self.touched.clear();
        self.touched.resize(self.frontier.components.len(), false);
        for slot in around.iter().map(|&d| usize::from(d)).chain([cell.index()]) {
            if let Some(at) = self.frontier.box_at(slot) {
                self.touched[usize::from(self.component_of[at])] = true;
            }
        }
    }

    /// Returns the open numbers of the touched components.
    pub fn witnesses(&self) -> impl Iterator<Item = u16> {
        let component = |boxes: &[u16]| usize::from(self.component_of[usize::from(boxes[0])]);
        let constraints = self.frontier.constraints.iter();
        constraints
            .filter(move |c| self.touched[component(c.boxes.as_slice())])
            .map(|c| c.witness)
    }

    /// Returns the components that are not touched.
    pub fn untouched(&self) -> impl Iterator<Item = usize> {
        (0..self.touched.len()).filter(|&i| !self.touched[i])
    }
}
