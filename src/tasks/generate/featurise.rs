//! Makes rows from the recorded positions of earlier games, without playing these games again.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;

use super::GenerateError;
use super::cells::unpack;
use super::record::{Guessed, PlayedGame};
use super::rows::{Guess, RowKind, RowMaker};
use super::shard::Shard;
use crate::{Context, Outcome};
use mineflow_arena::Ending;
use mineflow_learn::data::{
    Counts, DataError, DataFolder, Manifest, StoredDecision, purpose, read_decisions,
};
use mineflow_minesweeper::player::{
    GameStart, NoMove, Player, PlayerSpec, Recipe, RecipePlayer, Steps,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Grid};
use mineflow_rng::Seed;
use mineflow_store::Folder;

/// The task of making rows of `kind` from the decisions of a finished folder, with the
/// probabilities of `player`.
///
/// The rows equal those of self-play, except for players whose limited searches draw at random. The
/// draws of such a search depend on the whole game in self-play, but only on the position here.
#[derive(Clone, Debug)]
pub struct Featurise {
    pub from: PathBuf,
    pub kind: RowKind,
    pub player: PlayerSpec,
}

impl Featurise {
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
            let weigher = || Weigher {
                player: RecipePlayer::new(steps.clone()),
                rows: RowMaker::new(&self.kind),
                path: &path,
                same_rows: source.features == self.kind.features.set().name,
            };
            let mut shard = Shard::new(from.number, self.kind.features.set(), &self.player.name);
            let ending = context.workers().run_in_order(
                games,
                weigher,
                |weigher, (first_row, game)| weigher.game(game, first_row),
                |played| {
                    if let Some(played) = played {
                        shard.push(&played?, u64::MAX);
                    }
                    Ok::<_, GenerateError>(ControlFlow::Continue(()))
                },
            )?;
            if ending == Ending::Stopped {
                return Err(GenerateError::Stopped);
            }
            data.keep(shard.write(data.path())?)?;
            context.count("guesses", done, planned, "");
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
    fn game(
        &mut self,
        game: &[StoredDecision],
        first_row: usize,
    ) -> Result<PlayedGame, GenerateError> {
        let &StoredDecision {
            game: number,
            seed,
            won,
            width,
            height,
            mines,
            ..
        } = &game[0];
        let wrong = |row: usize, why: String| DataError::Position {
            path: self.path.to_owned(),
            row,
            why,
        };
        let board = Board::new(width, height, mines)
            .map_err(|error| wrong(first_row, error.to_string()))?;
        let seed = Seed::new(seed);
        let grid = Arc::new(Grid::new(board));
        let mut played = PlayedGame::new(number, seed, board);
        played.won = won;
        for (row, decision) in (first_row..).zip(game) {
            let position = unpack(&grid, mines, &decision.cells).map_err(|why| wrong(row, why))?;
            if decision.cell as usize >= board.cells() || position.view.is_open(Cell(decision.cell))
            {
                return Err(
                    wrong(row, format!("its cell {} is not covered", decision.cell)).into(),
                );
            }
            if position.view.opened().is_empty() && !self.rows.notes_first_clicks() {
                continue;
            }
            self.player.begin(&GameStart {
                board,
                first_click: FirstClick::Safe,
                seed: seed.child("player", 0),
            });
            let mut budget = Budget::unlimited();
            let looked = self
                .player
                .look(&position.view, &position.known_mines, &mut budget);
            let looked = match looked {
                Ok(looked) => looked,
                Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => {
                    return Ok(PlayedGame {
                        left_out: true,
                        ..PlayedGame::new(number, seed, board)
                    });
                }
                Err(why @ NoMove::Contradiction) => return Err(wrong(row, why.to_string()).into()),
            };
            let guess = Guess {
                position: looked,
                seed,
                turn: played.guesses.len() as u32,
                cell: Cell(decision.cell),
            };
            let is_mine = |cell: Cell| position.is_mine[cell.index()];
            let rows = self
                .rows
                .rows(&guess, is_mine, &mut played.features, &mut played.target);
            let kept = match decision.rows {
                rows if self.same_rows => rows,
                0 => 0,
                _ => rows,
            };
            let dropped = rows.saturating_sub(kept) as usize;
            played
                .features
                .truncate(played.features.len() - dropped * self.rows.width());
            played
                .target
                .truncate(played.features.len() / self.rows.width());
            let &StoredDecision {
                cell,
                explored,
                safe,
                opened,
                ..
            } = decision;
            played.guesses.push(Guessed {
                cell: Cell(cell),
                explored,
                safe,
                opened,
                rows: rows.min(kept),
            });
            played.cells.extend_from_slice(&decision.cells);
        }
        self.rows.finish(&mut played);
        played
            .target
            .truncate(played.features.len() / self.rows.width());
        Ok(played)
    }
}
