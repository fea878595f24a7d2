//! What the candidates of a position are worth by playing on.

use anyhow::{Context as _, ensure};

use super::values::{Unsuited, Values, candidate};
use super::{Candidate, Known};
use mineflow_document::Estimate;
use mineflow_document::numbers::round;
use mineflow_minesweeper::play::Judge;
use mineflow_minesweeper::player::{GameEnd, Limits, PlayerSpec, Seat, ValueModel};
use mineflow_minesweeper::solver::{Analysis, Budget, Layouts};
use mineflow_minesweeper::{Cell, FirstClick, Minefield, View};
use mineflow_model::Registry;
use mineflow_rng::Seed;

/// Candidates of the value model that are played on after a first look.
const LASTING: usize = 3;
/// Lines that tell something at least.
const FEWEST: u32 = 100;
/// The share of the lines that the first look takes.
const FIRST_LOOK: u32 = 10;

/// Who plays on, and how often.
pub(super) struct RollOuts<'a> {
    pub player: &'a str,
    pub lines: u32,
    pub seed: Seed,
}

impl RollOuts<'_> {
    /// What is worth most: of the value model's candidates the best by a first look on other layouts, and of `chosen` all. `analysis` has
    /// counted the position of `view`, in which no cell is certain.
    pub(super) fn values(
        &self,
        view: &View,
        rule: FirstClick,
        analysis: &mut Analysis,
        chosen: &[Cell],
    ) -> anyhow::Result<Values> {
        ensure!(self.lines >= FEWEST, "{} lines are too few for an interval; give {FEWEST} at least", self.lines);
        let board = view.board();
        let mut layouts = Layouts::default();
        analysis.layouts(&mut layouts, &mut Budget::unlimited())?;
        let registry = Registry::open(None)?;
        let model = ValueModel::registered(&registry, board, rule).context("roll-outs take a value model")?;
        let judged = Judge::new(Some(model.clone())).judge(view, &mut Budget::unlimited())?;
        let likely: Vec<Cell> = judged.candidates.iter().map(|candidate| candidate.cell).collect();
        let player = self.player.parse::<PlayerSpec>()?;
        let seat = Seat::new(player.build(), board, rule, Limits::default()).measure_luck(model);
        let mut lines = Lines { view, layouts, seat };

        let looks = lines.play(&likely, self.lines / FIRST_LOOK, self.seed.child("first look", 0))?;
        let mut looked: Vec<_> = likely.into_iter().zip(looks.iter().map(|look| mean(look).value)).collect();
        looked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut cells: Vec<Cell> = looked.iter().take(LASTING).map(|&(cell, _)| cell).collect();
        cells.extend(chosen);
        cells.sort_unstable();
        cells.dedup();

        let wins = lines.play(&cells, self.lines, self.seed.child("line", 0))?;
        let best =
            (0..cells.len()).reduce(|best, at| if mean(&wins[at]).value > mean(&wins[best]).value { at } else { best });
        let best = best.ok_or(Unsuited::NotApart)?;
        let mut candidates = Vec::new();
        for (at, &cell) in cells.iter().enumerate() {
            let win = mean(&wins[at]);
            let behind = Estimate::mean(wins[best].iter().zip(&wins[at]).map(|(best, other)| best - other));
            if at != best && !behind.is_above_zero() {
                return Err(Unsuited::NotApart.into());
            }
            let of_cell = Candidate {
                interval: Some(interval(win)),
                behind: (at != best).then(|| interval(behind)),
                ..candidate(board, cell, analysis.counted().mine[cell.index()], win.value)
            };
            candidates.push((cell, of_cell));
        }
        let known = Known::RollOuts { player: self.player.to_owned(), lines: self.lines };
        Ok(Values::new(known, vec![cells[best]], candidates))
    }
}

fn mean(wins: &[f64]) -> Estimate {
    Estimate::mean(wins.iter().copied())
}

fn interval(of: Estimate) -> [f64; 2] {
    [round(of.low, 6), round(of.high, 6)]
}

/// A position that is played on.
struct Lines<'a> {
    view: &'a View,
    layouts: Layouts,
    seat: Seat,
}

impl Lines<'_> {
    /// The ends of the lines after each cell, the same layouts for all: 1 for a win, 0 for a loss, less the luck.
    fn play(&mut self, cells: &[Cell], lines: u32, seed: Seed) -> anyhow::Result<Vec<Vec<f64>>> {
        let mut drawn = self.layouts.drawing();
        let mut ends = vec![Vec::new(); cells.len()];
        for line in 0..lines {
            let seed = seed.child("layout", line.into());
            self.layouts.draw(&mut drawn, &mut seed.rng());
            let field = Minefield::from_mines(self.view.grid().clone(), drawn.mines().iter().copied());
            for (&cell, ends) in cells.iter().zip(&mut ends) {
                let outcome = self.seat.play_from(self.view, cell, &field, seed)?;
                ends.push(f64::from(u8::from(outcome.end == GameEnd::Won)) - outcome.luck);
            }
        }
        Ok(ends)
    }
}
