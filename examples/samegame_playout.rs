//! Implements a playout policy for SameGame and compares it with random playouts in the crate's
//! Monte-Carlo tree search.
//!
//! `cargo run --release --example samegame_playout`

use std::error::Error;

use mineflow::arena::Estimate;
use mineflow::rng::{Rng, Seed, below};
use mineflow::samegame::{COLOURS, Group, Move, Position, Puzzle};
use mineflow::search::{Budget, Rollout, Search, SearchSettings, UniformRollout};

/// A playout policy that does not remove groups of the most frequent colour while a group of
/// another colour exists, so that this colour forms large groups. The policy draws uniformly among
/// the remaining groups.
#[derive(Clone, Default)]
struct SpareOneColour {
    groups: Vec<Group>,
}

impl Rollout<Position> for SpareOneColour {
    fn playout(&mut self, position: &mut Position, line: &mut Vec<Move>, rng: &mut Rng) {
        let spared = (0..COLOURS).max_by_key(|&colour| position.board.counts()[colour]);
        let is_spared = |position: &Position, Move { column, row }| {
            position.board.colour(column.into(), row.into()) == spared
        };
        loop {
            self.groups.clear();
            position.board.groups(&mut self.groups);
            if self
                .groups
                .iter()
                .any(|group| !is_spared(position, group.name))
            {
                self.groups.retain(|group| !is_spared(position, group.name));
            }
            if self.groups.is_empty() {
                return;
            }
            let group = self.groups[below(rng, self.groups.len())].name;
            position
                .remove(group)
                .expect("groups that were listed can be removed");
            line.push(group);
        }
    }
}

/// Returns the best score that the search finds on each of 25 random boards of 15x15 cells.
fn scores<R: Rollout<Position> + Clone>(policy: &R) -> Result<Vec<f64>, Box<dyn Error>> {
    let settings = SearchSettings::default();
    let of_board = |number| {
        let seed = Seed::new(1).child("board", number);
        let root = Position::new(Puzzle::random(15, 15, 5, seed)?.board());
        let mut search = Search::new(root, policy.clone(), settings, seed);
        search.run(Budget::playouts(1000));
        let (_, score) = search.best().ok_or("the search has played no game")?;
        Ok(score)
    };
    (0..25).map(of_board).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let random = scores(&UniformRollout::default())?;
    let sparing = scores(&SpareOneColour::default())?;
    for (name, scores) in [("random", random), ("spares one colour", sparing)] {
        let Estimate { value, low, high } = Estimate::mean(scores.iter().copied());
        println!("{name:>17}: {value:.0} points a board ({low:.0} - {high:.0})");
    }
    Ok(())
}
