//! The boards of self-play games.

use rand::RngExt;

use crate::values::heights;
use mineflow_minesweeper::{Board, BoardError};
use mineflow_rng::Seed;

/// The boards of self-play. A pass has one game on each kind of board, and passes repeat.
#[derive(Clone)]
pub struct Boards {
    kinds: Vec<BoardKind>,
    description: String,
}

/// A board size with the range of its mine ratio.
#[derive(Clone, Copy)]
struct BoardKind {
    width: usize,
    height: usize,
    /// Range of the mine ratio (mines per cell), which is drawn uniformly for every game.
    ratio: (f64, f64),
}

impl BoardKind {
    /// Returns the number of mines if `drawn`, from 0 to 1, is the position of the mine ratio in
    /// its range.
    fn mines(&self, drawn: f64) -> usize {
        let (cells, (low, high)) = (self.width * self.height, self.ratio);
        let mines = (low + (high - low) * drawn) * cells as f64;
        (mines.round() as usize).clamp(1, (cells - 1).max(1))
    }
}

/// The mine ratios of the games, for every board size.
#[derive(Clone)]
pub enum MineRatios {
    /// A mine ratio drawn uniformly from low to high for every game.
    Uniform(f64, f64),
    /// Each of these mine ratios in turn.
    Each(Vec<f64>),
}

impl Boards {
    /// Returns the boards of the classifier data of Sinha et al. (section 5.2): width 5 to 30,
    /// height half the width to the full width, mine ratio drawn from 0.05 to 0.30.
    pub fn paper_classifier() -> Self {
        let widths: Vec<_> = (5..=30).collect();
        Self::grid(&widths, (0.5, 1.0), &MineRatios::Uniform(0.05, 0.30))
            .expect("the paper's boards are boards")
    }

    /// Returns the boards of the Q data of Sinha et al. (section 5.2.2): width 5 to 20 and 30,
    /// height half the width to the full width, mine ratio 0.05 to `highest` in steps of 0.05.
    /// `highest` is 0.30 for the single pass and 0.20 for the iterative training.
    pub fn paper_q(highest: f64) -> Self {
        let widths: Vec<_> = (5..=20).chain([30]).collect();
        let ratios = (1..=6)
            .map(|step| f64::from(step) * 0.05)
            .filter(|&ratio| ratio <= highest + 1e-9)
            .collect();
        Self::grid(&widths, (0.5, 1.0), &MineRatios::Each(ratios))
            .expect("the paper's boards are boards")
    }

    /// Returns the boards of every width with every height from `width * low` to `width * high`, at
    /// every mine ratio.
    pub fn grid(
        widths: &[usize],
        height_ratio: (f64, f64),
        ratios: &MineRatios,
    ) -> Result<Self, BoardError> {
        let (each, ratios) = match ratios {
            &MineRatios::Uniform(low, high) => {
                (vec![(low, high)], format!("drawn from {low}..{high}"))
            }
            MineRatios::Each(each) => {
                let ratios = each.iter().map(|&ratio| (ratio, ratio));
                (ratios.collect(), format!("{each:.4?}"))
            }
        };
        let mut kinds = Vec::new();
        for &width in widths {
            for height in heights(width, height_ratio) {
                Board::new(width, height, 0)?;
                let kind = |&ratio| BoardKind {
                    width,
                    height,
                    ratio,
                };
                kinds.extend(each.iter().map(kind));
            }
        }
        let (low, high) = height_ratio;
        let description =
            format!("widths {widths:?}, heights {low}..{high} of the width, mine ratios {ratios}");
        Ok(Self { kinds, description })
    }

    /// Returns exactly these boards.
    pub fn exactly(boards: &[Board]) -> Self {
        let kind = |board: &Board| {
            let ratio = board.mine_ratio();
            BoardKind {
                width: board.width(),
                height: board.height(),
                ratio: (ratio, ratio),
            }
        };
        let names: Vec<_> = boards.iter().map(ToString::to_string).collect();
        Self {
            kinds: boards.iter().map(kind).collect(),
            description: names.join(", "),
        }
    }

    /// Returns whether the games of some board may go on after a safe first click, and thus may
    /// have a guess.
    pub(super) fn have_guesses(&self) -> bool {
        self.kinds
            .iter()
            .any(|kind| kind.width * kind.height > kind.mines(0.0) + 1)
    }

    /// Returns the number of games of a pass.
    pub fn per_pass(&self) -> u64 {
        self.kinds.len() as u64
    }

    /// Returns a description of the boards, for manifests.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the board of game `number` with this seed. The board has at least one mine, and at
    /// least one safe cell if it has more than one cell.
    pub(super) fn of_game(&self, number: u64, seed: Seed) -> Board {
        let kind = self.kinds[(number % self.per_pass()) as usize];
        let drawn = seed.child("ratio", 0).rng().random::<f64>();
        Board::new(kind.width, kind.height, kind.mines(drawn))
            .expect("the size was checked, and no board has more mines than cells")
    }
}
