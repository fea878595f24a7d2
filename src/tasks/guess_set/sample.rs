//! Stratified sampling of the guesses of many games. The strata are bands of the share of unknown
//! cells.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use anyhow::anyhow;

use super::KindOfGuesses;
use crate::{Context, generate::left_out_note, watched_game::play_watched};
use mineflow_arena::Ending;
use mineflow_minesweeper::{
    Cell, Grid, View,
    player::{Fault, PlayerSpec, Reason, board_seed},
    solver::{Analysis, Budget, Weighting},
};
use mineflow_rng::Seed;

/// The bands: for each, the highest share of unknown cells in its positions, and its share of the
/// sampled guesses. Unknown cells are those that are not proved safe or mines. The last bands hold
/// the first guesses of games, which are much alike; the sample therefore has a smaller share of
/// them than games have.
const BANDS: [(f64, f64); 6] = [
    (0.25, 0.25),
    (0.5, 0.2),
    (0.94, 0.3),
    (0.97, 0.12),
    (0.985, 0.08),
    (1.0, 0.05),
];
/// Index of the band that gets additional guesses if games have too few guesses in other bands.
const LARGEST: usize = 2;

/// A sampled guess.
pub(super) struct SampledGuess {
    pub kind: KindOfGuesses,
    pub grid: Arc<Grid>,
    pub game: u64,
    /// Number of decisions in the game before the guess.
    pub turn: u32,
    /// The rows of the position, joined by `/`.
    pub position: String,
    pub chosen: Cell,
    pub unknown: f64,
    /// Index of the guess's band.
    pub band: usize,
    /// Number of guesses per game that belong to the same band.
    pub per_game: f64,
    /// Seed for drawing layouts of the position.
    pub seed: u64,
}

/// A sampler that plays the games of a kind and draws from their guesses.
pub(super) struct Sampler<'a> {
    pub player: &'a PlayerSpec,
    pub kind: KindOfGuesses,
    pub games: u32,
    pub seed: Seed,
}

impl Sampler<'_> {
    /// Samples guesses, in the order of games. Returns `None` after an interruption.
    pub fn sample(&self, context: &Context<'_>) -> anyhow::Result<Option<Vec<SampledGuess>>> {
        let grid = Arc::new(Grid::new(self.kind.board));
        let mut games = BTreeMap::new();
        let mut left_out = 0;
        let ending = context.workers().run(
            0..u64::from(self.games),
            || (),
            |(), game, results| results.hand_in((game, self.guesses(game, &grid))),
            |played| {
                if let Some((game, guesses)) = played {
                    let guesses = guesses?;
                    left_out += u32::from(guesses.is_none());
                    games.insert(game, guesses);
                }
                let done = games.len() as u64;
                let text = format!(", {}", self.kind.board);
                context.count("games", done, self.games.into(), &text);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        if ending == Ending::Stopped {
            return Ok(None);
        }
        let mut all: Vec<SampledGuess> = games.into_values().flatten().flatten().collect();
        if let Some(note) = left_out_note(left_out.into()) {
            context.note(&format!("note: {}: {note}", self.kind));
        }
        let mut met = [0; BANDS.len()];
        all.iter().for_each(|guess| met[guess.band] += 1);
        let mut left =
            BANDS.map(|(_, share)| (share * f64::from(self.kind.guesses)).round() as u32);
        let lacking = left
            .iter()
            .zip(met)
            .map(|(left, met)| left.saturating_sub(met));
        left[LARGEST] += lacking.sum::<u32>();
        all.retain_mut(|guess| {
            guess.per_game = f64::from(met[guess.band]) / f64::from(self.games - left_out);
            let left = &mut left[guess.band];
            let is_wanted = *left > 0;
            *left = left.saturating_sub(1);
            is_wanted
        });
        Ok(Some(all))
    }

    /// Plays a game and returns all guesses that have more than one candidate, or `None` if the
    /// player gives up.
    fn guesses(&self, number: u64, grid: &Arc<Grid>) -> anyhow::Result<Option<Vec<SampledGuess>>> {
        let KindOfGuesses {
            board, first_click, ..
        } = self.kind;
        let seed = board_seed(self.seed, board).child("game", number);
        let mut player = self.player.build();
        let mut analysis = Analysis::new();
        analysis.begin(grid, board.mines());
        let mut guesses = Vec::new();
        let mut turn = 0;
        let ended = play_watched(
            player.as_mut(),
            board,
            first_click,
            seed,
            |game, decision| {
                if decision.reason == Reason::Guess
                    && let Some(unknown) = unknown(&mut analysis, game.view())
                {
                    guesses.push(SampledGuess {
                        kind: self.kind,
                        grid: grid.clone(),
                        game: number,
                        turn,
                        position: game.view().to_string().trim_end().replace('\n', "/"),
                        chosen: decision.cells[0],
                        unknown,
                        band: BANDS.iter().filter(|(end, _)| unknown > *end).count(),
                        per_game: 0.0,
                        seed: seed.child("layouts", turn.into()).value(),
                    });
                }
                turn += 1;
                Ok(None)
            },
        );
        let ended = ended.map_err(|fault: Fault| {
            let name = &self.player.name;
            anyhow!("player {name} is wrong on {board}, game {number}: {fault}")
        })?;
        Ok(ended.map(|_| guesses))
    }
}

/// Returns the share of the board's cells that are unknown, or `None` if the position exceeds the
/// counting limits, has a safe cell, or has at most one unknown cell.
fn unknown(analysis: &mut Analysis, view: &View) -> Option<f64> {
    analysis.update(view).ok()?;
    analysis
        .probabilities(Weighting::Posterior, &mut Budget::unlimited())
        .ok()?;
    let unknown = analysis.unknown();
    (analysis.safe().is_empty() && unknown > 1)
        .then(|| unknown as f64 / view.board().cells() as f64)
}
