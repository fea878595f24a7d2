//! The rows of a guess, and the returns of a game.

use rand::RngExt;

use super::record::{PlayedGame, reward};
use mineflow_minesweeper::{
    Cell,
    ahead::{Arm, Scored, Teacher},
    features::{
        GuessRows, LocationScore, Position, PositionFeatures, RowSettings, RowsOf,
        guess_v2::CANDIDATES,
    },
};
use mineflow_model::Linear;

/// Number of covered cells off the boundary that get a row (Sinha et al., section 4.2.2).
const OTHERS: usize = 3;

/// A kind of rows.
pub struct RowKind {
    pub features: &'static dyn PositionFeatures,
    pub labels: Labels,
}

/// The choice of the cells of a position that get rows, and the target of these rows.
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
pub struct GainSettings {
    pub teacher: Teacher,
    /// Guesses in positions with fewer layouts have no rows.
    pub least_layouts: u32,
}

/// Settings of [`Labels::Return`], on which the sub-states of the rows depend.
#[derive(Clone)]
pub struct QSettings {
    /// Alpha, the weight of P in `Sc` (equations 9 and 10 of Sinha et al.).
    pub alpha: Linear,
    pub score: LocationScore,
    /// Input value of a cell off the board in a sub-state.
    pub off_board: f32,
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
}

/// A maker of the rows of guesses, with its scratch memory.
pub(super) struct RowMaker<'a> {
    kind: &'a RowKind,
    /// The cells of the position that get rows.
    cells: Vec<Cell>,
    /// The displayed values of these cells, if the features read them.
    shown: Vec<u8>,
    scratch: Vec<f32>,
    guess: GuessRows,
}

impl<'a> RowMaker<'a> {
    pub fn new(kind: &'a RowKind) -> Self {
        Self {
            kind,
            cells: Vec::new(),
            shown: Vec::new(),
            scratch: Vec::new(),
            guess: GuessRows::default(),
        }
    }

    /// Returns whether the first click has a row.
    pub fn notes_first_clicks(&self) -> bool {
        match self.kind.labels {
            Labels::Return(_) | Labels::Won => true,
            Labels::Safe { .. } | Labels::Gain(_) => false,
        }
    }

    /// Returns the number of features per row.
    pub fn width(&self) -> usize {
        self.kind.features.set().width()
    }

    /// Appends the rows of the game's next guess, before its cell is opened, and returns their
    /// number. Targets that depend on the whole game are set by [`RowMaker::finish`].
    pub fn rows(
        &mut self,
        position: &Position<'_>,
        chosen: Cell,
        is_mine: impl Fn(Cell) -> bool,
        game: &mut PlayedGame,
    ) -> u32 {
        self.cells.clear();
        self.shown.clear();
        let mut settings = RowSettings::default();
        match &self.kind.labels {
            Labels::Gain(gain) => return self.candidates(position, gain, game),
            Labels::Safe { score } => {
                settings.score = *score;
                self.draw_cells(position, game);
                let is_safe = |&cell: &Cell| if is_mine(cell) { 0.0 } else { 1.0 };
                game.target.extend(self.cells.iter().map(is_safe));
            }
            Labels::Return(q) => {
                settings.score = q.score;
                let board = game.board;
                settings.alpha = q.alpha.alpha(board.width(), board.height(), board.mines());
                settings.off_board = q.off_board;
                self.cells.push(chosen);
            }
            Labels::Won if is_mine(chosen) => {}
            Labels::Won => {
                let neighbors = position.view.grid().neighbors(chosen);
                self.shown
                    .push(neighbors.filter(|&cell| is_mine(cell)).count() as u8);
                self.cells.push(chosen);
            }
        }
        let of = RowsOf {
            position,
            settings: &settings,
            cells: &self.cells,
            shown: &self.shown,
        };
        let features = self.kind.features;
        features.append_rows(of, &mut game.features, &mut self.scratch);
        self.cells.len() as u32
    }

    /// Sets the targets that depend on the whole game.
    pub fn finish(&self, game: &mut PlayedGame) {
        game.guesses
            .iter_mut()
            .for_each(|guess| guess.won = game.won);
        match &self.kind.labels {
            Labels::Return(_) => {
                let rewards: Vec<f64> = game.guesses.iter().map(reward).collect();
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
        position: &Position<'_>,
        settings: &GainSettings,
        game: &mut PlayedGame,
    ) -> u32 {
        let teacher = &settings.teacher;
        let rows = &mut self.guess;
        if position.view.opened().is_empty() || rows.read(position, CANDIDATES).is_err() {
            return 0;
        }
        let unknown = rows.parent.unknown() as f64;
        let is_judged = unknown <= teacher.roll_outs.unknown * game.board.cells() as f64
            && rows.parent.counted().ln_layouts() >= libm::log(settings.least_layouts.into());
        if !is_judged || rows.looking.scored.len() < 2 {
            return 0;
        }
        let arm = |best: &Scored| Arm::new(best.cell, 1.0 - position.mine[best.cell.index()]);
        let mut arms: Vec<Arm> = rows.looking.scored.iter().map(arm).collect();
        rows.append(&mut game.features);
        let rng = &mut game.seed.child("teacher", game.turn().into()).rng();
        let position = (&rows.parent, &rows.layouts);
        teacher.teach(position, &mut arms, &mut rows.roll_out, rng);
        let mean = arms.iter().map(Arm::value).sum::<f64>() / arms.len() as f64;
        let gain = |arm: &Arm| (arm.value() - mean) as f32;
        game.target.extend(arms.iter().map(gain));
        arms.len() as u32
    }

    /// Sets the cells to the boundary and random candidates off the boundary.
    fn draw_cells(&mut self, position: &Position<'_>, game: &PlayedGame) {
        self.cells.extend(position.boundary.iter());
        let boundary = self.cells.len();
        let others = position.candidates();
        self.cells
            .extend(others.filter(|&cell| !position.boundary.contains(cell)));
        let others = &mut self.cells[boundary..];
        let mut rng = game.seed.child("others", game.turn().into()).rng();
        let drawn = others.len().min(OTHERS);
        for i in 0..drawn {
            let from = rng.random_range(i as u32..others.len() as u32) as usize;
            others.swap(i, from);
        }
        self.cells.truncate(boundary + drawn);
    }
}
