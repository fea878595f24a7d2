//! SameGame: sets of boards, and series of algorithms on them.

mod boards;
mod budget;
pub mod eval;
mod games;
mod tables;
pub mod tune;

pub use boards::{BoardSet, Size, read_puzzles};
pub use budget::BudgetText;

use mineflow_samegame::COLOURS;

/// The algorithms with their options, for help.
pub const ALGORITHMS: &str = "\
Algorithms, each with its options and their defaults:
  sp-mcts:c=0.1:d=32:t=10:w=0.02:epsilon=0.003
    :unit=100                       the points that are a reward of 1, for C and D
    :log=natural|common             the logarithm of equation 1
    :playout=tabu-color-random|tabu-random|random|roulette-wheel
    :tabu-for=playout|move          how long a tabu colour lasts
    :draw=groups|cells              what is equally likely in a playout
    :expand=every-playout|after-visits
    :final=top-score|highest-mean|most-playouts
    :per=game|move                  what the budget is searched for; a move gets a 64.4th
    :searches=1                     randomised restarts that share the budget of the game or the move
    :games=1                        whole games that share the budget, of which the best counts
    :keep=line|tree|nothing         what the next move's search takes over
    :ended=once|again               games that are in the tree to their end
    :transpositions=apart|shared
  nrpa:level=2:iterations=100:playouts=4:step=1:bias=0.3:bias-limit=6
  greedy:games=1000                 greedy games at each move
Budgets (of sp-mcts; the others have options): nodes=N, playouts=N, time=10s (processor time), joined by + if several";

/// Checks that random boards can have this many colours.
fn check_colours(colours: u32) -> anyhow::Result<()> {
    anyhow::ensure!(
        (1..=COLOURS as u32).contains(&colours),
        "colours are 1 to {COLOURS}, not {colours}"
    );
    Ok(())
}
