//! Makes rows from the recorded positions of earlier games, without playing these games again.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::{
    GenerateError,
    cells::{Unpacked, unpack},
    folder::note_resumed,
    record::PlayedGame,
    rows::{RowKind, RowMaker},
    shard::Shard,
};
use crate::{Context, Outcome};
use mineflow_arena::Ending;
use mineflow_learn::data::{
    Counts, DataError, DataFolder, Manifest, StoredDecision, purpose, read_decisions,
};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Grid,
    player::{GameStart, NoMove, Player, PlayerSpec, Recipe, RecipePlayer, Steps},
    solver::Budget,
};
use mineflow_rng::Seed;
use mineflow_store::Folder;

/// The task of making rows of `kind` from the decisions of a finished folder, with the
/// probabilities of `player`.
///
/// The rows equal those of self-play, except for players whose limited searches draw at random. The
/// draws of such a search depend on the whole game in self-play, but only on the position here.
pub struct Featurise {
    pub from: PathBuf,
    pub kind: RowKind,
    pub player: PlayerSpec,
}

impl Featurise {
    /// Returns the player of the games of a data folder.
    ///
    /// # Errors
    /// Returns an error if the manifest names no player that can be loaded.
    pub fn player_of_games(manifest: &Manifest) -> anyhow::Result<PlayerSpec> {
        let player = manifest.settings.get("player").unwrap_or(&Value::Null);
        let recipe = player["recipe"]
            .as_str()
            .context("the manifest names no player; give --player")?;
        Ok(PlayerSpec {
            name: player["name"].as_str().unwrap_or(recipe).to_owned(),
            recipe: recipe.parse().context(
                "the manifest names the player's model without its folder; give the player with --player",
            )?,
        })
    }

    /// Makes the shards of the data that the output folder lacks.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let Recipe::Steps(steps) = &self.player.recipe else {
            bail!(GenerateError::NoWeights(self.player.name.clone()));
        };
        let source = Manifest::of_finished(&self.from)?;
        let mut settings = source.settings.clone();
        settings.insert(
            "featurised_by".to_owned(),
            self.player.recipe.without_folders().into(),
        );
        settings.extend(self.kind.resolved());
        let folder = context.open(&purpose(self.kind.features.set().name, settings))?;
        GenerateError::outcome(self.make(steps, &source, folder, context), context)
    }

    fn make(
        &self,
        steps: &Steps,
        source: &Manifest,
        folder: Folder,
        context: &Context<'_>,
    ) -> Result<Counts, GenerateError> {
        let mut data = DataFolder::open(folder, context.stop)?;
        if source.shards.iter().any(|shard| !data.has(shard.number)) {
            note_resumed(&data, context);
        }
        let mut done = 0;
        let planned = source.totals.decisions;
        for from in &source.shards {
            done += from.counts.decisions;
            if data.has(from.number) {
                continue;
            }
            let decisions = read_decisions(&self.from, from, context.stop)?;
            // Each game with the index of its first row.
            let games = decisions
                .chunk_by(|a, b| a.game == b.game)
                .scan(0, |end, game| {
                    let first = *end;
                    *end += game.len();
                    Some((first, game))
                });
            let path = self.from.join(&from.decisions.file);
            let mut read = 0;
            let weigher = || Weigher {
                player: RecipePlayer::new(steps.clone()),
                rows: RowMaker::new(&self.kind),
                path: &path,
                same_rows: source.features == self.kind.features.set().name,
            };
            let mut shard = Shard::new(from.number, self.kind.features.set(), &self.player.name);
            let before = done - from.counts.decisions;
            let ending = context.workers().run_in_order(
                games,
                weigher,
                |weigher, (first_row, game)| (game.len(), weigher.game(game, first_row)),
                |played| {
                    if let Some((guesses, played)) = played {
                        shard.push(played?, u64::MAX);
                        read += guesses as u64;
                    }
                    context.count("guesses", before + read, planned, "");
                    Ok::<_, GenerateError>(ControlFlow::Continue(()))
                },
            )?;
            if ending == Ending::Stopped {
                return Err(GenerateError::Stopped);
            }
            data.keep(shard.write(data.path())?)?;
        }
        Ok(data.finish(context.stop)?)
    }
}

/// Makes the rows of one recorded game at a time: recomputes the player's mine probabilities for
/// each decision, then the features and the target.
struct Weigher<'a> {
    player: RecipePlayer,
    rows: RowMaker<'a>,
    /// The file of the decisions, for error messages.
    path: &'a Path,
    /// Whether the source folder has rows of the same kind. Its record then says how many rows of
    /// each decision were kept.
    same_rows: bool,
}

impl Weigher<'_> {
    /// Makes the rows of a game. `first_row` is the row of its first decision in their file.
    fn game(
        &mut self,
        game: &[StoredDecision],
        first_row: usize,
    ) -> Result<PlayedGame, GenerateError> {
        let wrong = |row: usize, why: String| DataError::Position {
            path: self.path.to_owned(),
            row,
            why,
        };
        let first = &game[0];
        let [width, height, mines] =
            [first.width, first.height, first.mines].map(|number| number as usize);
        let board = Board::new(width, height, mines)
            .map_err(|error| wrong(first_row, error.to_string()))?;
        let grid = Arc::new(Grid::new(board));
        let mut played = PlayedGame::new(first.game, Seed::new(first.seed), board);
        played.won = first.won;
        for (row, decision) in (first_row..).zip(game) {
            let unpacked = unpack(&grid, mines, &decision.cells).map_err(|why| wrong(row, why))?;
            let cell = Cell(decision.cell as u16);
            if decision.cell as usize >= board.cells() || unpacked.view.is_open(cell) {
                let why = format!("its cell {} is not covered", decision.cell);
                return Err(wrong(row, why).into());
            }
            if unpacked.view.opened().is_empty() && !self.rows.notes_first_clicks() {
                continue;
            }
            if self.same_rows && decision.rows == 0 {
                played.keep(decision, 0);
                continue;
            }
            match self.decision(&unpacked, decision, &mut played) {
                Ok(()) => {}
                Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => return Ok(played.given_up()),
                Err(why) => {
                    let path = self.path.to_owned();
                    let why = why.to_string();
                    return Err(DataError::Position { path, row, why }.into());
                }
            }
        }
        self.rows.finish(&mut played);
        let rows = played.features.len() / self.rows.width();
        played.target.truncate(rows);
        Ok(played)
    }

    /// Appends the rows of a decision to `played`, as many as its record says.
    fn decision(
        &mut self,
        unpacked: &Unpacked,
        decision: &StoredDecision,
        played: &mut PlayedGame,
    ) -> Result<(), NoMove> {
        self.player.begin(&GameStart {
            board: played.board,
            first_click: FirstClick::Safe,
            seed: played.seed.child("player", 0),
        });
        let mut budget = Budget::unlimited();
        let known_mines = &unpacked.known_mines;
        let position = self.player.look(&unpacked.view, known_mines, &mut budget)?;
        let is_mine = |cell: Cell| unpacked.is_mine[cell.index()];
        let chosen = Cell(decision.cell as u16);
        let made = self.rows.rows(&position, chosen, is_mine, played);
        let rows = match decision.rows {
            recorded if self.same_rows => made.min(recorded),
            0 => 0,
            _ => made,
        };
        let width = self.rows.width();
        let kept = played.features.len() - (made - rows) as usize * width;
        played.features.truncate(kept);
        played.target.truncate(kept / width);
        played.keep(decision, rows);
        Ok(())
    }
}
