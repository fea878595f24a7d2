//! Optimal play: a search tree over sets of layouts.
//!
//! What is known in a game is the set of layouts that are still consistent. Cells that are safe in
//! all of them are opened at once and split the set by the numbers that they show. The set alone
//! therefore determines the state of the game, whatever the order of moves, and serves as the key
//! of the transposition table. If no cell is safe in all layouts, the value is a maximum over the
//! cells: the layouts in which the cell is safe are split by its number, and the values of the
//! parts are added up. Cells are tried in descending order of safety, until even winning every
//! layout in which the next cell is safe would be no improvement.
//!
//! Sometimes the layouts of a set are all combinations of the layouts of one group of cells with
//! the layouts of the rest, and no number depends on both. Then each group is searched separately,
//! and the share of layouts that is won is the product of the groups' shares. A pair of cells with
//! one mine that nothing can ever distinguish thus costs half of the wins, without a search.
//!
//! | file | content |
//! |---|---|
//! | `shape` | which cells give information about which; independent groups |
//! | `search` | the transposition table and the limits of a search, as a trait |
//! | `tree` | which cell to open, independent of how sets are stored |
//! | `lists`, `counts` | sets of any size |
//! | `table` | sets of up to 64 layouts, each stored as a word |

mod counts;
mod lists;
mod search;
mod shape;
mod table;
mod tree;

pub(super) use lists::Lists;
pub(super) use search::{Search, WinBound};
pub(super) use shape::{MOST_CELLS, Shape, cells_of};
