//! Puzzles: named positions in which a guess must be made, with the value of each candidate and the
//! choices of players.
//!
//! The puzzles are stored in `puzzles.jsonl`, one JSON object per line:
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `shows` | a short name, and a sentence about what the position teaches |
//! | `kinds` | the kinds of situation that the position illustrates; see below |
//! | `width`, `height`, `mines`, `rows` | the position in the format of `pipeline solve --json` |
//! | `first_click` | the first-click rule of the position's game |
//! | `known` | `exact` with the number of layouts that fit, or `roll-outs` with the player and the number of lines after each candidate |
//! | `best` | the best cells as `[row, column]`, counted from 0 |
//! | `candidates` | each cell with its mine and win probability; roll-outs add 95 % intervals of the win probability and of its regret |
//! | `choices` | the cell that each player opens, or null if the player gives up |
//!
//! An exact win probability assumes optimal play after the cell, and every unknown cell is a
//! candidate. It is computed by [`optimum`](mineflow_minesweeper::optimum) before the first click,
//! else by [`endgame_cells`](mineflow_minesweeper::solver::Analysis::endgame_cells). Roll-outs
//! continue the game after each candidate on the same layouts, drawn from those that fit, and their
//! win probabilities are luck-corrected. They cover only the cells that the value model or a player
//! prefers.
//!
//! | kind | the position |
//! |---|---|
//! | `opening` | is untouched, or has less than a quarter of its safe cells open |
//! | `small` | has 36 cells or fewer |
//! | `endgame` | belongs to a larger board and has an exact win probability |
//! | `safest-loses` | has no best cell among the safest |
//! | `equal-safety` | has safest cells with different win probabilities, and one of them is a best cell |
//! | `dead-cell` | has a cell that is no riskier than the best but reveals nothing and wins less |
//! | `even-chance` | has a best cell that is a mine in exactly half of the layouts |
//! | `away-from-numbers` | has open numbers, but no best cell next to one |
//! | `corner` | has a best cell in a corner |
//! | `mine-count` | has a different safest cell on the boundary if the mine count is ignored |

const PUZZLES: &str = include_str!("puzzles.jsonl");

/// Returns all puzzles as one JSON list.
pub fn puzzles() -> String {
    let lines = PUZZLES.trim_end().replace('\n', ",");
    format!("[{lines}]")
}
