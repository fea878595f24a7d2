//! The narrowest elimination order found for a component, by an upper bound of the number of its
//! states.
//!
//! An order finishes one constraint after the other by eliminating the boxes that the constraint
//! has left. Two orders sweep over the board, column by column and row by row. The greedy orders
//! start from many different constraints and always finish next the constraint that leaves the
//! fewest states. The order with the fewest states in total is chosen.
//!
//! The sweep along the shorter side of a board, of `h` cells, never has more than `2 h + 3`
//! constraints open, because each eliminated box is next to a finished number, and each begun
//! number is within two cells of a finished one. Let the sweep go from column to column and be at
//! row `r`. Then the open constraints are that of row `r`, at most `h-r-1` below it, `h` in the
//! next column, and `r+3` in the one after that. Boards with a side of at most 30 cells therefore
//! have an order within [`MAX_OPEN`].

use super::{
    elimination::MAX_OPEN,
    frontier::{Component, Frontier},
};

/// Maximum number of constraints that greedy orders start from.
const STARTS: usize = 24;

/// Tie-breaker between two constraints that lead to the same number of states.
#[derive(Clone, Copy, PartialEq)]
enum Tie {
    /// The constraint that was begun last.
    Newest,
    /// The constraint that is further left.
    Column,
    /// The constraint that is further up.
    Row,
}

/// Returns the boxes of `component` in the narrowest order found, or `None` if every order tried
/// exceeds [`MAX_OPEN`] open constraints at some step.
pub(super) fn narrowest(frontier: &Frontier, component: Component) -> Option<Vec<u16>> {
    let boxes = frontier.order_of(component);
    let mut constraints: Vec<u16> = boxes
        .iter()
        .flat_map(|&b| frontier.boxes[usize::from(b)].constraints.as_slice())
        .copied()
        .collect();
    let mut search = OrderSearch {
        best: None,
        trial: Trial::new(frontier, component.end - component.start),
    };
    search.offer(|trial| boxes.iter().all(|&b| trial.eliminate(b)));
    for tie in [Tie::Column, Tie::Row] {
        constraints.sort_unstable_by_key(|&c| place(frontier, c, tie));
        constraints.dedup();
        search.offer(|trial| constraints.iter().all(|&c| trial.finish(c)));
    }
    for start in 0..STARTS.min(constraints.len()) {
        let start = constraints[start * constraints.len() / STARTS.min(constraints.len())];
        for tie in [Tie::Newest, Tie::Column, Tie::Row] {
            search.offer(|trial| trial.finish_all(start, tie));
        }
    }
    search.best.map(|(_, order)| order)
}

/// Returns the sort key of a constraint in a sweep.
fn place(frontier: &Frontier, constraint: u16, tie: Tie) -> (usize, usize) {
    let witness = usize::from(frontier.constraints[usize::from(constraint)].witness);
    let row = witness / frontier.width;
    let col = witness % frontier.width;
    if tie == Tie::Row {
        (row, col)
    } else {
        (col, row)
    }
}

/// The best order so far with its number of states, and the current trial.
struct OrderSearch<'a> {
    best: Option<(f64, Vec<u16>)>,
    trial: Trial<'a>,
}

impl OrderSearch<'_> {
    /// Replaces the best order by the trial if `complete` can complete it.
    fn offer(&mut self, complete: impl FnOnce(&mut Trial<'_>) -> bool) {
        let best = self.best.as_ref();
        let bound = best.map_or(f64::INFINITY, |&(states, _)| states);
        self.trial.begin(bound);
        if complete(&mut self.trial) {
            self.best = Some((self.trial.states, self.trial.order.clone()));
        }
    }
}

/// An elimination order under construction.
struct Trial<'a> {
    frontier: &'a Frontier,
    /// The number of cells of every constraint, and the number of these cells that are already in
    /// the order.
    cells: Vec<u8>,
    done: Vec<u8>,
    ordered: Vec<bool>,
    /// The open constraints, the newest last.
    open: Vec<u16>,
    order: Vec<u16>,
    /// Number of boxes of the component.
    boxes: usize,
    /// Upper bound on the total number of states over all steps.
    states: f64,
    /// Number of states at which the trial is abandoned.
    bound: f64,
    /// Scratch of [`Trial::growth`]: how many cells each constraint would lose, and which
    /// constraints lose any.
    shift: Vec<u8>,
    shifted: Vec<u16>,
}

impl<'a> Trial<'a> {
    fn new(frontier: &'a Frontier, boxes: usize) -> Self {
        let constraints = frontier.constraints.iter();
        let cells: Vec<u8> = constraints.map(|c| c.cells(&frontier.boxes)).collect();
        Self {
            frontier,
            done: vec![0; cells.len()],
            shift: vec![0; cells.len()],
            cells,
            ordered: vec![false; frontier.boxes.len()],
            open: Vec::new(),
            order: Vec::with_capacity(boxes),
            boxes,
            states: 0.0,
            bound: f64::INFINITY,
            shifted: Vec::new(),
        }
    }

    fn begin(&mut self, bound: f64) {
        self.done.fill(0);
        self.ordered.fill(false);
        self.open.clear();
        self.order.clear();
        self.states = 0.0;
        self.bound = bound;
    }

    /// Returns the number of different needs that a constraint may have left once `done` of its
    /// cells are eliminated.
    fn needs(&self, constraint: u16, done: u8) -> f64 {
        let c = usize::from(constraint);
        let need = self.frontier.constraints[c].need;
        let left = self.cells[c] - done;
        if done == 0 || left == 0 {
            return 1.0;
        }
        f64::from(
            (need.min(left) + 1)
                .saturating_sub(need.saturating_sub(done))
                .max(1),
        )
    }

    /// Appends a box to the order. Returns false if too many constraints are then open or if the
    /// order can't be better than the best one.
    fn eliminate(&mut self, b: u16) -> bool {
        self.ordered[usize::from(b)] = true;
        self.order.push(b);
        let cells = &self.frontier.boxes[usize::from(b)];
        for &c in cells.constraints.as_slice() {
            let done = &mut self.done[usize::from(c)];
            if *done == 0 {
                self.open.push(c);
            }
            *done += cells.size() as u8;
        }
        if self.open.len() > MAX_OPEN {
            return false;
        }
        let Self { cells, done, .. } = self;
        self.open
            .retain(|&c| done[usize::from(c)] < cells[usize::from(c)]);
        self.states += self
            .open
            .iter()
            .map(|&c| self.needs(c, self.done[usize::from(c)]))
            .product::<f64>();
        self.states < self.bound
    }

    /// Eliminates all boxes that a constraint has left. Returns false in the same cases as
    /// [`Trial::eliminate`].
    fn finish(&mut self, constraint: u16) -> bool {
        let boxes = self.frontier.constraints[usize::from(constraint)].boxes;
        boxes
            .as_slice()
            .iter()
            .all(|&b| self.ordered[usize::from(b)] || self.eliminate(b))
    }

    /// Finishes one constraint after the other, always the cheapest next, `start` first.
    fn finish_all(&mut self, start: u16, tie: Tie) -> bool {
        let mut next = Some(start);
        while let Some(constraint) = next {
            if !self.finish(constraint) {
                return false;
            }
            next = self.cheapest(tie);
        }
        true
    }

    /// Returns the open constraint that leaves the fewest states when it is finished, or `None` if
    /// no constraint is open.
    fn cheapest(&mut self, tie: Tie) -> Option<u16> {
        if self.order.len() == self.boxes {
            return None;
        }
        let mut best: Option<(f64, (usize, usize), u16)> = None;
        for at in 0..self.open.len() {
            let constraint = self.open[at];
            let growth = self.growth(constraint);
            let place = match tie {
                Tie::Newest => (self.open.len() - at, 0),
                Tie::Column | Tie::Row => place(self.frontier, constraint, tie),
            };
            if best
                .is_none_or(|(least, first, _)| growth < least || growth == least && place < first)
            {
                best = Some((growth, place, constraint));
            }
        }
        best.map(|(_, _, constraint)| constraint)
    }

    /// Returns the factor by which finishing `constraint` changes the number of states.
    fn growth(&mut self, constraint: u16) -> f64 {
        let frontier = self.frontier;
        for &b in frontier.constraints[usize::from(constraint)]
            .boxes
            .as_slice()
        {
            let cells = &frontier.boxes[usize::from(b)];
            if self.ordered[usize::from(b)] {
                continue;
            }
            for &c in cells.constraints.as_slice() {
                let shift = &mut self.shift[usize::from(c)];
                if *shift == 0 {
                    self.shifted.push(c);
                }
                *shift += cells.size() as u8;
            }
        }
        let mut growth = 1.0;
        while let Some(c) = self.shifted.pop() {
            let done = self.done[usize::from(c)];
            let shift = std::mem::take(&mut self.shift[usize::from(c)]);
            growth *= self.needs(c, done + shift) / self.needs(c, done);
        }
        growth
    }
}
