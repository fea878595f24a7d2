//! Perfect play: a tree over sets of layouts.
//!
//! What is known is the set of layouts that still fit. Cells that are safe in all of them are opened at once and split the set
//! by the numbers they show; so the set alone says where the game stands, whatever the order of moves, and is looked up
//! by itself. Where no cell is safe in all, the value is the best over the cells of the layouts won in all the parts that the
//! cell's numbers make of those where it is safe. Cells are tried from the safest on, until even winning every layout in which
//! the next one is safe would be no gain.
//!
//! Where the layouts of a set are all ways to lay one group of cells, together with all ways to lay the rest, and no number depends on both,
//! each is played by itself: the share of layouts that is won is the product of the shares. So a pair of cells with one mine that nothing
//! will ever distinguish costs half, and no search.
//!
//! | file | what |
//! |---|---|
//! | `shape` | which cells inform about which; independent groups |
//! | `search` | what a search knows of sets, and what it may still do |
//! | `tree` | which cell to open, however sets are held |
//! | `lists`, `counts` | sets of any size |
//! | `table` | sets of up to 64 layouts, each a word |

mod counts;
mod lists;
mod search;
mod shape;
mod table;
mod tree;

pub(super) use lists::Lists;
pub(super) use search::{Search, WinBound};
pub(super) use shape::{MOST_CELLS, Shape, cells_of};
