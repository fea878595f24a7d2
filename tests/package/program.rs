//! A program outside the repository that depends only on the solver's crate; the script `check` in
//! this folder builds and runs it.

use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::text;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let view = text::read_mine("3x2x1\n1HH\n1HH\n")?;
    let solution = Solver::new().solve(&view, &mut Budget::unlimited())?;
    println!("{} layouts, safe: {:?}", solution.layouts, solution.safe);
    assert_eq!(solution.layouts, 2_u32.into());
    Ok(())
}
