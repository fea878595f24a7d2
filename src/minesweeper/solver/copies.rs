//! Algorithm 3 of Sinha et al. (2021) as it is printed: `A`, `M` and `N` are copied at each node.
//!
//! [`Dsscsp`](super::Dsscsp) and [`Backtracking`](super::Backtracking) find the same solutions with
//! one sparse system. This form exists to measure what Sinha et al. measured.

use super::{Budget, Enumeration, Exhausted, System, dss::LOOPS};

/// A node of the tree: the rows of the dense matrix `A`, the entries of `N`, and `M`.
#[derive(Clone)]
struct Node {
    a: Vec<Vec<bool>>,
    n: Vec<i8>,
    m: Vec<bool>,
}

impl Node {
    fn variables(&self, row: usize) -> i8 {
        self.a[row].iter().map(|&one| i8::from(one)).sum()
    }

    /// Returns whether each row can still have its mines.
    fn is_possible(&self) -> bool {
        (0..self.n.len()).all(|row| (0..=self.variables(row)).contains(&self.n[row]))
    }

    /// Returns the column with the largest sum, the first of equals; `None` for a zero matrix.
    fn largest(&self) -> Option<usize> {
        let sum = |column: usize| self.a.iter().filter(|row| row[column]).count();
        let first = |&column: &usize| (sum(column), usize::MAX - column);
        let largest = (0..self.m.len()).max_by_key(first);
        largest.filter(|&column| sum(column) > 0)
    }

    /// Returns the first column with a one.
    fn first(&self) -> Option<usize> {
        (0..self.m.len()).find(|&column| self.a.iter().any(|row| row[column]))
    }

    /// Sets a variable (algorithm 1).
    fn reduce(&mut self, column: usize, mine: bool) {
        self.m[column] = mine;
        for (row, n) in self.a.iter_mut().zip(&mut self.n) {
            if std::mem::take(&mut row[column]) {
                *n -= i8::from(mine);
            }
        }
    }

    /// Reduces the variables that single rows determine (algorithm 2). The loops don't end early.
    fn determine(&mut self) {
        for _ in 0..LOOPS {
            for row in 0..self.n.len() {
                let variables = self.variables(row);
                if variables > 0 && (self.n[row] == 0 || self.n[row] == variables) {
                    let mine = self.n[row] != 0;
                    for column in 0..self.m.len() {
                        if self.a[row][column] {
                            self.reduce(column, mine);
                        }
                    }
                }
            }
        }
    }
}

/// Finds all solutions of `system`, of which no column has a value yet, and writes them to `found`.
/// With `dss`, this is algorithm 3; without it, simple backtracking in row-major order. Each edge
/// costs one node of `budget`. After an error the content of `found` is meaningless.
///
/// # Errors
/// Returns an error if the budget is used up.
pub fn enumerate_copies(
    system: &System,
    dss: bool,
    budget: &mut Budget,
    found: &mut Enumeration,
) -> Result<(), Exhausted> {
    let columns = system.cells().len();
    let rows = 0..system.rows().len();
    found.begin(columns);
    found.complete = true;
    if system.is_impossible() {
        return Ok(());
    }
    let ones = |row| {
        let mut ones = vec![false; columns];
        for &column in system.columns_of(row) {
            ones[usize::from(column)] = true;
        }
        ones
    };
    let mut open = vec![Node {
        a: rows.clone().map(ones).collect(),
        n: rows.map(|row| system.mines_left(row)).collect(),
        m: vec![false; columns],
    }];
    while let Some(node) = open.pop() {
        let column = if dss { node.largest() } else { node.first() };
        let Some(column) = column else {
            found.solutions += 1;
            for (mines, &mine) in found.mines.iter_mut().zip(&node.m) {
                *mines += u64::from(mine);
            }
            continue;
        };
        for mine in [true, false] {
            let mut child = node.clone();
            child.reduce(column, mine);
            if !child.is_possible() {
                continue;
            }
            budget.spend(1)?;
            found.edges += 1;
            if dss {
                child.determine();
            }
            if child.is_possible() {
                open.push(child);
            }
        }
    }
    Ok(())
}
