//! Backtracking with forward checking over independent sets (*An Artificial Intelligence Approach
//! to Minesweeper*, sections 4.2.4 and 4.3, heuristics 5 to 7).

use std::{cmp::Reverse, ops::Range};

use super::{
    Budget, Dss, Exhausted, System,
    enumeration::Walk,
    tree::{DssTree, Order},
};

/// An independent set (*An Artificial Intelligence Approach to Minesweeper*, definition 2) with its
/// enumeration results. Its variables depend on each other but on no other variable.
#[derive(Clone, Debug)]
struct IndependentSet {
    variables: Range<usize>,
    equations: Range<usize>,
    solutions: u64,
}

/// The enumeration of *An Artificial Intelligence Approach to Minesweeper*, with its scratch
/// memory.
///
/// Each independent set has its own tree. Its equations are sorted by descending number of
/// variables, ties in row-major order. The branching variable is the first unassigned one in the
/// order in which the equations mention the variables. A variable's domain is {0, 1} until it is
/// assigned or an equation leaves it only one value (heuristic 6 of that paper). Such values are
/// propagated to a fixed point, before the first branching and after each assignment. An equation
/// that can no longer be satisfied, that is, an empty domain, is a dead end.
#[derive(Clone, Debug)]
pub struct ForwardChecking {
    tree: DssTree,
    sets: Vec<IndependentSet>,
    /// The columns of all sets, one set after the other, each in branching order.
    variables: Vec<u16>,
    /// The rows of all sets, one set after the other, each by descending number of variables.
    equations: Vec<u16>,
    mines: Vec<u64>,
    seen_columns: Vec<bool>,
    seen_rows: Vec<bool>,
}

impl Default for ForwardChecking {
    fn default() -> Self {
        Self {
            tree: DssTree::new(Dss::new(usize::MAX)),
            sets: Vec::new(),
            variables: Vec::new(),
            equations: Vec::new(),
            mines: Vec::new(),
            seen_columns: Vec::new(),
            seen_rows: Vec::new(),
        }
    }
}

impl ForwardChecking {
    /// Splits the unknown variables of `system` into independent sets, ordered by their first cell,
    /// and returns their number. Call [`ForwardChecking::enumerate`] on each of them, with the same
    /// system.
    pub fn partition(&mut self, system: &System) -> usize {
        let columns = system.cells().len();
        self.sets.clear();
        self.variables.clear();
        self.equations.clear();
        refill(&mut self.mines, columns, 0);
        refill(&mut self.seen_columns, columns, false);
        refill(&mut self.seen_rows, system.rows().len(), false);
        for column in 0..columns {
            if !self.seen_columns[column] && system.value(column).is_none() {
                self.add_set(system, column);
            }
        }
        self.sets.len()
    }

    fn add_set(&mut self, system: &System, column: usize) {
        let first_variable = self.variables.len();
        let first_equation = self.equations.len();
        self.add_equations_of(system, column);
        let mut at = first_equation;
        while at < self.equations.len() {
            for &other in system.columns_of(usize::from(self.equations[at])) {
                self.add_equations_of(system, usize::from(other));
            }
            at += 1;
        }
        let equations = &mut self.equations[first_equation..];
        equations.sort_unstable_by_key(|&row| (Reverse(system.unknown_in(usize::from(row))), row));
        for &row in equations.iter() {
            for &variable in system.columns_of(usize::from(row)) {
                // Every variable of the set was marked as seen above; clearing the mark prevents
                // duplicates.
                if system.value(usize::from(variable)).is_none()
                    && std::mem::take(&mut self.seen_columns[usize::from(variable)])
                {
                    self.variables.push(variable);
                }
            }
        }
        for &variable in &self.variables[first_variable..] {
            self.seen_columns[usize::from(variable)] = true;
        }
        self.sets.push(IndependentSet {
            variables: first_variable..self.variables.len(),
            equations: first_equation..self.equations.len(),
            solutions: 0,
        });
    }

    fn add_equations_of(&mut self, system: &System, column: usize) {
        if system.value(column).is_some() || std::mem::replace(&mut self.seen_columns[column], true)
        {
            return;
        }
        for &row in system.rows_of(column) {
            if !std::mem::replace(&mut self.seen_rows[usize::from(row)], true) {
                self.equations.push(row);
            }
        }
    }

    /// Returns the number of independent sets.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Returns the columns of the set in branching order.
    pub fn variables(&self, set: usize) -> &[u16] {
        &self.variables[self.sets[set].variables.clone()]
    }

    /// Counts the solutions of one set; each edge of its tree costs one node of `budget`. Zero
    /// means that the system contradicts itself. The number of solutions of the system is the
    /// product over the sets, or zero if it [is impossible](System::is_impossible). `system` is
    /// unchanged afterwards.
    ///
    /// # Errors
    /// Returns an error if the budget is used up.
    pub fn enumerate(
        &mut self,
        system: &mut System,
        set: usize,
        budget: &mut Budget,
    ) -> Result<u64, Exhausted> {
        let variables = &self.variables[self.sets[set].variables.clone()];
        let equations = &self.equations[self.sets[set].equations.clone()];
        for &variable in variables {
            self.mines[usize::from(variable)] = 0;
        }
        let mut walk = Walk::complete();
        let order = Order {
            columns: variables,
            propagated: Some(equations),
        };
        self.tree
            .walk(system, order, &mut walk, budget, &mut self.mines)?;
        self.sets[set].solutions = walk.solutions;
        Ok(walk.solutions)
    }

    /// Returns the number of solutions of an enumerated set.
    pub fn solutions(&self, set: usize) -> u64 {
        self.sets[set].solutions
    }

    /// Returns the number of solutions in which `column` is a mine, among those of its enumerated
    /// set.
    pub fn mines(&self, column: usize) -> u64 {
        self.mines[column]
    }
}

fn refill<T: Clone>(scratch: &mut Vec<T>, length: usize, value: T) {
    scratch.clear();
    scratch.resize(length, value);
}
