//! Puzzles: named positions in which a guess must be made, with what each candidate is worth and what players choose.
//!
//! They are kept in `puzzles.jsonl`, one JSON object a line:
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `shows` | a short name, and a sentence about what the position teaches |
//! | `kinds` | what the position is an example of; see below |
//! | `width`, `height`, `mines`, `rows` | the position as `pipeline solve --json` reads it |
//! | `first_click` | the first-click rule of the game that the position is from |
//! | `known` | `exact` with the number of layouts that fit, or `roll-outs` with the player and the number of lines after each candidate |
//! | `best` | the best cells as `[row, column]`, counted from 0 |
//! | `candidates` | each cell with its mine probability and its chance to win; roll-outs add 95 % intervals of that and of the distance to the best |
//! | `choices` | the cell that each player opens, null if it gives up |
//!
//! An exact chance is that of best play after the cell, and every cell is a candidate. It is found by
//! [`optimum`](mineflow_minesweeper::optimum) before the first click, else by
//! [`endgame_cells`](mineflow_minesweeper::solver::Analysis::endgame_cells). Roll-outs play on after each candidate on the same layouts,
//! drawn from those that fit, and their chances are luck-corrected. They list only the cells that the value model or a player prefers.
//!
//! | kind | the position |
//! |---|---|
//! | `opening` | is untouched, or has less than a quarter of its safe cells open |
//! | `small` | has 36 cells or fewer |
//! | `endgame` | is of a larger board and has an exact chance |
//! | `safest-loses` | has no best cell among the safest |
//! | `equal-safety` | has safest cells of different worth, a best cell among them |
//! | `dead-cell` | has a cell that is no riskier than the best but tells nothing and wins less |
//! | `even-chance` | has a best cell that is a mine in just half of the layouts |
//! | `away-from-numbers` | has no best cell next to an open number |
//! | `corner` | has a best cell in a corner |
//! | `mine-count` | has another safest cell on the boundary if the remaining mines are not counted |

const PUZZLES: &str = include_str!("puzzles.jsonl");

/// All puzzles as one list.
pub fn puzzles() -> String {
    let lines = PUZZLES.trim_end().replace('\n', ",");
    format!("[{lines}]")
}
