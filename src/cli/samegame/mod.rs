//! `pipeline samegame`.

mod eval;
mod solve;
mod speed;
mod tune;

use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, Subcommand};

use super::Global;
use crate::samegame::COLOURS;

/// Play SameGame, and compare ways to play it
#[derive(Subcommand)]
pub(super) enum SamegameCommand {
    /// Play one board and print the moves and the score, or check a list of moves
    Solve(solve::SolveArgs),
    /// Play many boards with each algorithm and budget and print means and deviations
    Eval(eval::EvalArgs),
    /// Find settings of an algorithm by the Cross-Entropy Method
    Tune(tune::TuneArgs),
    /// Play out random boards: play-outs per processor second, and their mean score
    Speed(speed::SpeedArgs),
}

pub(super) fn run(command: &SamegameCommand, global: &Global) -> anyhow::Result<ExitCode> {
    match command {
        SamegameCommand::Solve(args) => solve::run(args, global),
        SamegameCommand::Eval(args) => eval::run(args, global),
        SamegameCommand::Tune(args) => tune::run(args, global),
        SamegameCommand::Speed(args) => speed::run(args, global),
    }
}

const ALGORITHMS: &str = "\
Algorithms, each with its options and their defaults:
  sp-mcts:c=0.1:d=32:t=10:w=0.02:epsilon=0.003
    :unit=100                       the points that are a reward of 1, for C and D
    :log=natural|common             the logarithm of equation 1
    :playout=tabu-color-random|tabu-random|random|roulette-wheel
    :tabu-for=playout|move          how long a tabu colour lasts
    :draw=groups|cells              what is equally likely in a play-out
    :expand=every-playout|after-visits
    :final=top-score|highest-mean|most-playouts
    :per=game|move                  what the budget is searched for; a move gets a 64.4th
    :searches=1                     randomised restarts that share the budget of the game or the move
    :games=1                        whole games that share the budget, of which the best counts
    :keep=line|tree|nothing         what the next move's search takes over
    :ended=once|again               games that are in the tree to their end
    :transpositions=apart|shared
  nested:level=2:epsilon=0.003:draw=groups|cells
    :width=1:samples=1              from width 2 with a beam, and so many searches of each position
    :layers=moves|cells|in-turn     which positions a beam compares: as many moves made, or cells left
    :same-score=N                   most positions of one score kept in a layer
    :searches=1                     with different seeds, of which the best counts
  nrpa:level=2:iterations=100:playouts=4:step=1:bias=0.3:bias-limit=6
  beam:width=300:tabu=0.9:group=40:single=40
  greedy:games=1000                 greedy games at each move
  ida-star:positions=1000000
Budgets (of sp-mcts; the others are told by their options): nodes=N, playouts=N, time=10s (processor time), joined by + if several";

/// How large random boards are.
#[derive(Args)]
struct RandomArgs {
    /// Size of random boards, up to 25x25
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "15x15")]
    size: Size,
    /// Colours of random boards
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=COLOURS as i64))]
    colours: u8,
}

#[derive(Clone, Copy)]
struct Size {
    width: usize,
    height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        let sides = sides.filter(|(width, height)| (1..=25).contains(width) && (1..=25).contains(height));
        let (width, height) = sides.ok_or_else(|| format!("`{text}` is no size; write 15x15, 25x25 at most"))?;
        Ok(Self { width, height })
    }
}
