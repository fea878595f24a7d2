//! The rows of a guess, and the returns of a game.

use rand::RngExt;

use super::record::PlayedGame;
use mineflow_minesweeper::ahead::{Arm, Scored, Teacher};
use mineflow_minesweeper::features::guess_v2::CANDIDATES;
use mineflow_minesweeper::features::{
    GuessRows, LocationScore, Position, PositionFeatures, RowSettings, RowsOf,
};
use mineflow_minesweeper::{Board, Cell};
use mineflow_model::Linear;
use mineflow_rng::Seed;

/// Number of covered cells off the boundary that get a row (Sinha et al., section 4.2.2).
const OTHERS: usize = 3;

/// A kind of rows.
#[derive(Clone, Debug)]
pub struct RowKind {
    pub features: &'static dyn PositionFeatures,
    pub labels: Labels,
}

/// The choice of the cells of a position that get rows, and the target of these rows.
#[derive(Clone, PartialEq, Debug)]
pub enum Labels {
    /// One row for each boundary cell and for each of three random other candidates; the target is
    /// 1 if the cell is safe and 0 if not.
    Safe {
        /// Variant of equation 4 of Sinha et al.
        score: LocationScore,
    },
    /// One row for the chosen cell, including the first click; the target is the return.
    Return(QSettings),
    /// One row for the position after a safe guess or first click; the target is 1 if the game is
    /// won and 0 if not.
    Won,
    /// One row per candidate of a guess; the target is the teacher's value minus the mean over the
    /// candidates.
    Gain(GainSettings),
}

/// Settings of [`Labels::Gain`]: the choice of the guesses that get rows, and the teacher that
/// values their candidates.
#[derive(Clone, PartialEq, Debug)]
pub struct GainSettings {
    pub teacher: Teacher,
    /// Guesses in positions with fewer layouts have no rows.
    pub least_layouts: u32,
}

/// Settings of [`Labels::Return`], on which the sub-states of the rows depend.
#[derive(Clone, PartialEq, Debug)]
pub struct QSettings {
    pub alpha: Alpha,
    pub score: LocationScore,
    /// Input value of a cell off the board in a sub-state.
    pub off_board: f32,
}

/// Alpha, the weight of P in `Sc` (equations 9 and 10 of Sinha et al.).
#[derive(Clone, PartialEq, Debug)]
pub enum Alpha {
    /// The same alpha for every board, 0 to 1.
    Fixed(f64),
    /// An alpha for each board, from the regression of equation 10 (Sinha et al.).
    Fitted(Linear),
}

impl Alpha {
    /// Returns alpha on `board`, 0 to 1.
    pub fn at(&self, board: Board) -> f64 {
        match self {
            &Self::Fixed(alpha) => alpha,
            Self::Fitted(linear) => linear.alpha(board.width(), board.height(), board.mines()),
        }
    }
}

/// The name of the discount rule in manifests and networks.
pub const DISCOUNT: &str = "linear";

/// Computes the return of every guess of a game: the sum of its own reward and all later rewards,
/// where the reward `n` guesses later is divided by `1 + n` (algorithm 5 of Sinha et al.). The
/// return is clamped to -1 to 1.
pub fn returns(rewards: &[f64]) -> impl Iterator<Item = f64> + '_ {
    (0..rewards.len()).map(move |t| {
        let sum: f64 = rewards[t..]
            .iter()
            .enumerate()
            .map(|(n, reward)| reward / (1 + n) as f64)
            .sum();
        sum.clamp(-1.0, 1.0)
    })
}

impl Labels {
    /// Returns the name on the command line and in manifests.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Safe { .. } => "classifier",
            Self::Return(_) => "q",
            Self::Won => "value",
            Self::Gain(_) => "guesses",
        }
    }

    /// Returns the settings that the features of a position on `board` depend on.
    fn row_settings(&self, board: Board) -> RowSettings {
        match self {
            &Self::Safe { score } => RowSettings {
                score,
                ..RowSettings::default()
            },
            Self::Return(QSettings {
                alpha,
                score,
                off_board,
                ..
            }) => RowSettings {
                score: *score,
                alpha: alpha.at(board),
                off_board: *off_board,
            },
            Self::Won | Self::Gain(_) => RowSettings::default(),
        }
    }
}

/// A maker of the rows of guesses, with its scratch memory.
pub(super) struct RowMaker<'a> {
    kind: &'a RowKind,
    /// The cells of the position that get rows.
    cells: Vec<Cell>,
    /// The displayed values of these cells, if the features read them.
    shown: Vec<u8>,
    others: Vec<Cell>,
    scratch: Vec<f32>,
    guess: GuessRows,
}

/// A guess for which rows are made, before its cell is opened.
pub(super) struct Guess<'a> {
    pub(super) position: Position<'a>,
    /// Seed of the game.
    pub(super) seed: Seed,
    /// Index of the guess in the game.
    pub(super) turn: u32,
    pub(super) cell: Cell,
}

impl<'a> RowMaker<'a> {
    pub(super) fn new(kind: &'a RowKind) -> Self {
        Self {
            kind,
            cells: Vec::new(),
            shown: Vec::new(),
            others: Vec::new(),
            scratch: Vec::new(),
            guess: GuessRows::default(),
        }
    }

    /// Returns whether the first click has a row.
    pub(super) fn notes_first_clicks(&self) -> bool {
        match self.kind.labels {
            Labels::Return(_) | Labels::Won => true,
            Labels::Safe { .. } | Labels::Gain(_) => false,
        }
    }

    /// Returns the number of features per row.
    pub(super) fn width(&self) -> usize {
        self.kind.features.set().width()
    }

    /// Appends the rows of a guess and returns their number. Targets that depend on the whole game
    /// are set by [`RowMaker::finish`].
    pub(super) fn rows(
        &mut self,
        guess: &Guess<'_>,
        is_mine: impl Fn(Cell) -> bool,
        features: &mut Vec<f32>,
        target: &mut Vec<f32>,
    ) -> u32 {
        if let Labels::Gain(settings) = &self.kind.labels {
            return self.candidates(guess, settings, features, target);
        }
        let position = &guess.position;
        self.cells.clear();
        self.shown.clear();
        match self.kind.labels {
            Labels::Safe { .. } => {
                self.draw_others(guess);
                self.cells
                    .extend(position.boundary.iter().chain(self.others.iter().copied()));
                target.extend(
                    self.cells
                        .iter()
                        .map(|&cell| if is_mine(cell) { 0.0 } else { 1.0 }),
                );
            }
            Labels::Return(_) => self.cells.push(guess.cell),
            Labels::Won if is_mine(guess.cell) => {}
            Labels::Won => {
                let mines = position
                    .view
                    .grid()
                    .neighbors(guess.cell)
                    .filter(|&d| is_mine(d))
                    .count();
                self.cells.push(guess.cell);
                self.shown.push(mines as u8);
            }
            Labels::Gain(_) => unreachable!("they are made elsewhere"),
        }
        let settings = self.kind.labels.row_settings(position.view.board());
        let of = RowsOf {
            position,
            settings: &settings,
            cells: &self.cells,
            shown: &self.shown,
        };
        self.kind
            .features
            .append_rows(of, features, &mut self.scratch);
        self.cells.len() as u32
    }

    /// Sets the targets that depend on the whole game.
    pub(super) fn finish(&self, game: &mut PlayedGame) {
        match &self.kind.labels {
            Labels::Return(_) => {
                let rewards: Vec<f64> = game
                    .guesses
                    .iter()
                    .map(|guess| guess.reward(game.board))
                    .collect();
                game.target.extend(returns(&rewards).map(|sum| sum as f32));
            }
            Labels::Won => {
                let rows = game.features.len() / self.width();
                game.target.resize(rows, if game.won { 1.0 } else { 0.0 });
            }
            Labels::Safe { .. } | Labels::Gain(_) => {}
        }
    }

    /// Appends a row for each candidate of a guess, with a target from the teacher's values, and
    /// returns the number of rows.
    fn candidates(
        &mut self,
        guess: &Guess<'_>,
        settings: &GainSettings,
        features: &mut Vec<f32>,
        target: &mut Vec<f32>,
    ) -> u32 {
        let Guess {
            position,
            seed,
            turn,
            ..
        } = guess;
        let GainSettings {
            teacher,
            least_layouts,
        } = settings;
        let rows = &mut self.guess;
        if position.view.opened().is_empty() || rows.read(position, CANDIDATES).is_err() {
            return 0;
        }
        let unknown = rows.parent.unknown() as f64;
        let is_judged = unknown <= teacher.roll_outs.unknown * position.view.board().cells() as f64
            && rows.parent.counted().ln_layouts() >= libm::log(f64::from(*least_layouts));
        if !is_judged || rows.looking.scored.len() < 2 {
            return 0;
        }
        let arm = |best: &Scored| Arm::new(best.cell, 1.0 - position.mine[best.cell.index()]);
        let mut arms: Vec<Arm> = rows.looking.scored.iter().map(arm).collect();
        rows.append(features);
        let rng = &mut seed.child("teacher", u64::from(*turn)).rng();
        teacher.teach(
            (&rows.parent, &rows.layouts),
            &mut arms,
            &mut rows.roll_out,
            rng,
        );
        let mean = arms.iter().map(Arm::value).sum::<f64>() / arms.len() as f64;
        target.extend(arms.iter().map(|arm| (arm.value() - mean) as f32));
        arms.len() as u32
    }

    /// Draws random candidates off the boundary.
    fn draw_others(&mut self, guess: &Guess<'_>) {
        let Guess {
            position,
            seed,
            turn,
            ..
        } = guess;
        self.others.clear();
        self.others.extend(
            position
                .candidates()
                .filter(|&cell| !position.boundary.contains(cell)),
        );
        let mut rng = seed.child("others", u64::from(*turn)).rng();
        let drawn = self.others.len().min(OTHERS);
        for i in 0..drawn {
            let from = rng.random_range(i as u32..self.others.len() as u32) as usize;
            self.others.swap(i, from);
        }
        self.others.truncate(drawn);
    }
}
