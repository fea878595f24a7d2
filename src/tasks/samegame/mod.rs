//! SameGame: sets of boards, and series of algorithms on them.

mod boards;
pub mod eval;
mod games;
mod tables;
pub mod tune;

pub use crate::budget::BudgetText;
pub use boards::{BoardSet, RandomBoards, Size, read_puzzles};

/// The description of the algorithms and their options, for help texts.
pub const ALGORITHMS: &str = "\
Algorithms, each with its options and their defaults:
  sp-mcts:c=0.1:d=32:t=10:w=0.02:epsilon=0.003
    :playout=tabu-color-random|tabu-random|random
    :expand=every-playout|after-visits|all-at-once
    :explore=printed|deviation      equation 1, or C as a factor of the deviation
    :final=top-score|highest-mean|most-playouts
    :per=game|move                  scope of the budget; with move, each move gets 1/64.4 of it
    :searches=1                     randomised restarts that share the budget of the game or the move
  nrpa:level=2:iterations=100:playouts=4:step=1:bias=0.3:bias-limit=6
  greedy:games=1000                 greedy games at each move
Budgets (sp-mcts only; nrpa and greedy have options instead): nodes=N, playouts=N, time=10s (CPU time);
  join several by +";
