//! Plays a position to its end on a consistent layout, to estimate the value of a move.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::two_step::{LookScratch, TwoStep};
use crate::{
    Cell, CellSet,
    solver::{
        Analysis, Budget, CountError, Drawn, Endgame, EndgameLimits, Layouts, Line, Weighting,
    },
};
use mineflow_rng::Rng;
use mineflow_store::named;

/// The rule that makes the guesses of a roll-out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guesser {
    /// The cell with the lowest mine probability.
    #[default]
    LeastMine,
    /// Two-step safety.
    TwoStep,
}

named!(Guesser, "player of roll-outs": LeastMine = "least-mine", TwoStep = "two-step");

/// The policy of a roll-out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// Number of first guesses that are made by [`TwoStep::of_living_cells`].
    pub looks: u32,
    /// The rule that makes the later guesses.
    pub guesser: Guesser,
    /// The limits within which optimal play replaces the rest of the roll-out.
    pub end: EndgameLimits,
}

/// Plays positions to their end; reuses its memory between roll-outs.
#[derive(Clone, Debug, Default)]
pub struct LayoutPlayout {
    line: Line,
    player: LinePlayer,
    layouts: Layouts,
    mines: CellSet,
}

/// Chooses the guesses in a line of play.
#[derive(Clone, Debug, Default)]
struct LinePlayer {
    policy: Option<Policy>,
    /// The position of a guess and its probabilities, for two-step safety.
    at: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
    endgame: Endgame,
    /// A cache of the moves in the line's cached positions. The key is the hash of the position,
    /// and whether a guess there looks two steps ahead.
    met: HashMap<(u64, bool), Next, FxBuildHasher>,
}

/// The continuation of a line from a position in which no cell is proved safe.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The line ends with this value.
    End(f64),
    /// A guess and its mine probability.
    Guess(Cell, f64),
}

impl LayoutPlayout {
    /// Estimates the value of opening the safe `cells`: the win probability, 0 to 1, from one line of
    /// play.
    ///
    /// The line shows the numbers of the layout with `mines`. A guess multiplies the value by its
    /// safety. If it would hit a mine, the line continues on another consistent layout, drawn from
    /// those in which the guessed cell is safe. The expected value over layouts thus equals the win
    /// probability of playing on. The line ends where the game is won or the value of optimal play
    /// is known.
    pub fn value(
        &mut self,
        parent: &Analysis,
        cells: &[Cell],
        mines: &CellSet,
        policy: Policy,
        rng: &mut Rng,
    ) -> Result<f64, CountError> {
        self.begin(parent);
        self.player.follow(policy);
        let line = &mut self.line;
        let budget = &mut Budget::unlimited();
        let grid = parent.grid();
        let number = |cell: Cell, mines: &CellSet| {
            grid.neighbors(cell).filter(|&d| mines.contains(d)).count() as u8
        };
        let mut mines = mines;
        let mut value = 1.0;
        let mut looks = policy.looks;
        for &cell in cells {
            line.open(cell, number(cell, mines))?;
        }
        loop {
            line.open_certain(|cell| number(cell, mines))?;
            if line.unknown() == 0 {
                return Ok(value);
            }
            line.count(budget)?;
            if line.learn()? || line.unknown() == 0 {
                continue;
            }
            let (guess, risk) = match self.player.next(line, looks > 0, policy, budget)? {
                Next::End(end) => return Ok(value * end),
                Next::Guess(guess, risk) => (guess, risk),
            };
            looks = looks.saturating_sub(1);
            value *= 1.0 - risk;
            if mines.contains(guess) {
                line.layouts(&mut self.layouts, budget)?;
                let mut drawn: Drawn = self.layouts.drawing();
                while {
                    self.layouts.draw(&mut drawn, rng);
                    drawn.mines().contains(&guess)
                } {}
                lay(&drawn, grid.board().cells(), &mut self.mines);
                mines = &self.mines;
            }
            line.open(guess, number(guess, mines))?;
        }
    }

    /// Begins a line at `parent`; clears the cache if the last line began elsewhere or the cache is
    /// full.
    fn begin(&mut self, parent: &Analysis) {
        if self.line.begin(parent) {
            self.player.met.clear();
        }
    }
}

impl LinePlayer {
    /// Sets the policy; clears the cache if it changes.
    fn follow(&mut self, policy: Policy) {
        if self.policy.replace(policy) != Some(policy) {
            self.met.clear();
        }
    }

    /// Returns the continuation of the line's position, whose layouts have been counted and in
    /// which no cell is proved safe.
    fn next(
        &mut self,
        line: &mut Line,
        looks: bool,
        policy: Policy,
        budget: &mut Budget,
    ) -> Result<Next, CountError> {
        let position = (line.position(), looks);
        if let Some(&next) = self.met.get(&position) {
            return Ok(next);
        }
        let rule = match policy.guesser {
            _ if looks => Some(TwoStep::of_living_cells()),
            Guesser::TwoStep => Some(TwoStep::default()),
            Guesser::LeastMine => None,
        };
        let next = match (line.endgame(&mut self.endgame, policy.end, budget)?, rule) {
            (Some(end), _) => Next::End(f64::from(end.won) / f64::from(end.layouts)),
            (None, Some(rule)) => {
                self.at.follow_line(line);
                let counted = self.at.probabilities(Weighting::Posterior, budget)?;
                self.mine.clone_from(&counted.mine);
                rule.look(&mut self.at, &self.mine, 1, &mut self.looking);
                let guess = self.looking.scored[0].cell;
                Next::Guess(guess, self.mine[guess.index()])
            }
            (None, None) => {
                let (guess, risk) = line
                    .safest()
                    .expect("a position that is not won has unknown cells");
                Next::Guess(guess, risk)
            }
        };
        self.met.insert(position, next);
        Ok(next)
    }
}

/// The position at the end of a line of moves proved safe.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stop {
    /// Probability that the next guess is safe; 1 if the game is won.
    pub safety: f64,
    /// 1 if the game is won, otherwise 0.
    pub won: f64,
    /// Natural logarithm of the number of layouts left.
    pub ln_layouts: f64,
    /// Number of unknown cells left.
    pub unknown: f64,
}

impl Stop {
    /// Combines each statistic with that of `other`.
    pub fn map(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            safety: join(self.safety, other.safety),
            won: join(self.won, other.won),
            ln_layouts: join(self.ln_layouts, other.ln_layouts),
            unknown: join(self.unknown, other.unknown),
        }
    }
}

impl LayoutPlayout {
    /// Opens the safe `cell`, then all cells proved safe until no cell is proved safe, on the
    /// layout with `mines`. Returns the position at which the next guess must be made.
    pub fn next_guess(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        mines: &CellSet,
    ) -> Result<Stop, CountError> {
        self.begin(parent);
        let line = &mut self.line;
        let budget = &mut Budget::unlimited();
        let grid = parent.grid();
        let number = |cell: Cell| grid.neighbors(cell).filter(|&d| mines.contains(d)).count() as u8;
        line.open(cell, number(cell))?;
        loop {
            line.open_certain(number)?;
            if line.unknown() == 0 {
                return Ok(Stop {
                    safety: 1.0,
                    won: 1.0,
                    ..Stop::default()
                });
            }
            line.count(budget)?;
            let outlook = line.outlook();
            if outlook.certain == 0 {
                return Ok(Stop {
                    safety: outlook.safety,
                    won: 0.0,
                    ln_layouts: outlook.ln_layouts,
                    unknown: line.unknown() as f64,
                });
            }
            line.learn()?;
        }
    }
}

/// Stores the mines of a layout as a set.
pub fn lay(drawn: &Drawn, cells: usize, mines: &mut CellSet) {
    mines.reset(cells);
    mines.extend(drawn.mines().iter().copied());
}
