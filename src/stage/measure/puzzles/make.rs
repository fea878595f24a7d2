//! Makes a puzzle from its source.

use std::collections::BTreeMap;

use anyhow::{bail, ensure};

use super::kind::Told;
use super::roll_outs::RollOuts;
use super::values::{Unsuited, Values};
use super::{Known, Place, Puzzle, Source};
use mineflow_minesweeper::play::{Adviser, Kept, open_in_order};
use mineflow_minesweeper::player::{GameStart, PlayerSpec};
use mineflow_minesweeper::solver::{Analysis, Budget, Endgame, Weighting};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status, View};
use mineflow_rng::Seed;

/// The players that are asked.
pub const PLAYERS: [&str; 7] = ["3.0", "4.0", "5.5", "7.0", "9.0", "10.0-fast", "10.0"];
/// Nodes that one answer may cost.
const NODES: u64 = 5_000_000;

/// Makes puzzles, keeping its memory.
pub struct Maker {
    advisers: Vec<Adviser>,
    analysis: Analysis,
    endgame: Endgame,
}

impl Maker {
    /// A maker with all players.
    ///
    /// # Errors
    /// A player's model can't be read.
    pub fn new() -> anyhow::Result<Self> {
        let adviser = |name: &&str| anyhow::Ok(Adviser::new(name.parse::<PlayerSpec>()?, NODES));
        let advisers = PLAYERS.iter().map(adviser).collect::<anyhow::Result<_>>()?;
        Ok(Self { advisers, analysis: Analysis::new(), endgame: Endgame::default() })
    }

    /// The puzzle again: of `puzzle` only the name, the sentence, the board, the rule, the source and how it is to be known are read.
    ///
    /// By roll-outs the candidates are the best of the value model's after a first look, and the cells that players choose.
    ///
    /// # Errors
    /// [`Unsuited`], and what players and models give.
    pub fn make(&mut self, puzzle: &Puzzle) -> anyhow::Result<Puzzle> {
        let board = Board::new(puzzle.width, puzzle.height, puzzle.mines)?;
        self.make_at(&puzzle.source.position(board, puzzle.first_click)?, puzzle)
    }

    /// The same, of the position of its source.
    pub(super) fn make_at(&mut self, view: &View, puzzle: &Puzzle) -> anyhow::Result<Puzzle> {
        let board = view.board();
        let choices = self.choices(view, puzzle.first_click)?;
        let Self { analysis, endgame, .. } = self;
        analysis.begin(view.grid(), view.mines());
        analysis.update(view)?;
        analysis.probabilities(Weighting::Posterior, &mut Budget::unlimited())?;
        let is_untouched = view.opened().is_empty();
        let step = puzzle.source.step;
        ensure!(analysis.safe().is_empty() && analysis.unknown() > 0, Unsuited::Certain { step });
        let values = match &puzzle.known {
            Known::Exact { .. } if is_untouched => Values::of_first_click(board, puzzle.first_click)?,
            Known::Exact { .. } => Values::of_endgame(analysis, endgame)?,
            Known::RollOuts { .. } if is_untouched => bail!("roll-outs begin after the first click"),
            Known::RollOuts { player, lines } => {
                let chosen = choices.values().flatten().filter_map(|&(row, column)| board.cell(row, column));
                let chosen: Vec<Cell> = chosen.filter(|&cell| analysis.is_unknown(cell)).collect();
                let Source { seed, game, step, .. } = puzzle.source;
                let seed = Seed::new(seed).child("puzzle", game).child("step", step as u64);
                RollOuts { player, lines: *lines, seed }.values(view, puzzle.first_click, analysis, &chosen)?
            }
        };
        let wins: Vec<_> = values.candidates.iter().map(|(cell, candidate)| (*cell, candidate.win)).collect();
        let is_exact = matches!(values.known, Known::Exact { .. });
        let kinds = Told { analysis, wins: &wins, best: &values.best, is_exact }.kinds()?;
        Ok(Puzzle {
            kinds,
            rows: view.to_string().lines().map(str::to_owned).collect(),
            known: values.known,
            best: values.best.iter().map(|&cell| board.row_col(cell)).collect(),
            candidates: values.candidates.into_iter().map(|(_, candidate)| candidate).collect(),
            choices,
            ..puzzle.clone()
        })
    }

    /// The cell that each player opens first, if it opens one.
    ///
    /// # Errors
    /// The position contradicts itself.
    pub fn choices(&mut self, view: &View, first_click: FirstClick) -> anyhow::Result<BTreeMap<String, Option<Place>>> {
        let board = view.board();
        let start = GameStart { board, first_click, seed: Seed::new(1) };
        let choice = |adviser: &mut Adviser| {
            let advice = adviser.advise(view, &start).ok();
            let cell = advice.map(|advice| board.row_col(advice.moves[0]));
            (adviser.player().name.clone(), cell)
        };
        Ok(self.advisers.iter_mut().map(choice).collect())
    }
}

impl Source {
    /// The position before the decision, in a game on `board` under this rule.
    ///
    /// # Errors
    /// A player that can't be read or is wrong, or [`Unsuited::Over`].
    pub fn position(&self, board: Board, rule: FirstClick) -> anyhow::Result<View> {
        let Self { ref player, seed, game: number, step } = *self;
        let player = player.parse::<PlayerSpec>()?;
        let kept = Kept::play(&player, (board, rule), (seed, number), None, &mut Budget::unlimited())?;
        let mut game = Game::on(kept.field);
        for made in kept.moves.iter().take(step) {
            open_in_order(&mut game, &made.cells);
        }
        ensure!(kept.moves.len() >= step && game.status() == Status::Playing, Unsuited::Over { step });
        Ok(game.view().clone())
    }
}
