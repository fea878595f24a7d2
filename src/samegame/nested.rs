//! Nested Monte-Carlo Search (Cazenave 2009).
//!
//! A search of level 0 is a playout. One of level `n` tries every move, follows it with a search of level `n - 1`, and
//! plays the first move of the best line met so far, until the game is over.
//!
//! At the highest level a beam may be kept (Monte-Carlo beam search, Cazenave 2012): of the positions after as many moves,
//! or with as many cells left, those of the best lines go on, not the first alone. Positions are ranked by the best line
//! met from them or through them, and the same board is kept once.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::board::Board;
use super::followed::{Followed, NONE};
use super::found::SearchResult;
use super::playout::{Draw, Strategy};
use super::position::Position;
use super::rules::Move;
use super::shape::Shape;
use super::test_set::ScoredLine;
use mineflow_rng::{Rng, Seed};
use mineflow_search::options::{OptionError, OptionList, Options};

/// Which positions a beam compares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Layers {
    /// Those after as many moves.
    #[default]
    Moves,
    /// Those with as many cells left.
    Cells,
    /// The first in every other search, and the second in the others: they find other lines.
    InTurn,
}

const LAYERS: [(&str, Layers); 3] = [("moves", Layers::Moves), ("cells", Layers::Cells), ("in-turn", Layers::InTurn)];

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nested {
    /// Levels above the playouts. Each costs about 650 times the one below on 15 x 15 cells of 5 colours.
    pub level: u32,
    /// Positions kept in each layer of the highest level, 1 or more; Nested Monte-Carlo Search has 1.
    pub width: usize,
    /// Searches of the level below for each move of the highest one when there is a beam, 1 or more.
    pub samples: u32,
    /// Most positions of the same score kept in a layer: those of one score are often one line in another order.
    pub same_score: usize,
    pub layers: Layers,
    /// Searches with different seeds, 1 or more, of which the best counts.
    pub searches: u32,
    /// Searches after those, to whose beams the best line so far is known.
    pub informed: u32,
    pub strategy: Strategy,
}

impl Default for Nested {
    fn default() -> Self {
        Self {
            level: 2,
            width: 1,
            samples: 1,
            same_score: usize::MAX,
            layers: Layers::default(),
            searches: 1,
            informed: 0,
            strategy: Strategy::default(),
        }
    }
}

impl Options for Nested {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("level", &mut self.level, 0..=9)?;
        list.number("width", &mut self.width, 1..=10_000_000)?;
        list.number("samples", &mut self.samples, 1..=1_000_000)?;
        list.number("same-score", &mut self.same_score, 1..=10_000_000)?;
        list.choice("layers", &mut self.layers, &LAYERS)?;
        list.number("searches", &mut self.searches, 1..=1_000_000)?;
        list.number("informed", &mut self.informed, 0..=1_000_000)?;
        list.number("epsilon", &mut self.strategy.epsilon, 0.0..=1.0)?;
        list.choice("draw", &mut self.strategy.draw, &Draw::NAMES)
    }
}

impl Nested {
    /// Searches a whole game from a board.
    pub fn solve<S: Shape>(&self, board: &Board<S>, seed: Seed) -> SearchResult {
        let root = Position::new(*board);
        let mut best = self.search(root, None, 0, seed.child("nested", 0).rng());
        for index in 1..self.searches.max(1) {
            best.take(self.search(root, None, index, seed.child("nested", index.into()).rng()));
        }
        for index in 0..self.informed {
            let ScoredLine { score, ref moves } = best.solution;
            let rng = seed.child("nested informed", index.into()).rng();
            best.take(self.search(root, Some((score, moves)), index, rng));
        }
        best
    }

    /// Search number `index`; `known` is a line from the root.
    fn search<S: Shape>(&self, root: Position<S>, known: Option<(i32, &[Move])>, index: u32, rng: Rng) -> SearchResult {
        let layers = match self.layers {
            Layers::InTurn if index.is_multiple_of(2) => Layers::Moves,
            Layers::InTurn => Layers::Cells,
            layers => layers,
        };
        let mut search = NestedSearch {
            strategy: self.strategy,
            rng,
            scratch: vec![LevelScratch::default(); self.level as usize + 1],
            line: Vec::new(),
            positions: 0,
        };
        let level = self.level as usize;
        let solution = if level > 0 && self.width > 1 {
            search.beam(&Self { layers, ..*self }, root, known)
        } else {
            let mut moves = Vec::new();
            let score = search.level(level, root, &mut moves);
            ScoredLine { score, moves }
        };
        SearchResult { solution, positions: search.positions }
    }
}

/// What one level works with.
#[derive(Clone, Debug, Default)]
struct LevelScratch {
    open: Vec<Move>,
    line: Vec<Move>,
    /// The best line from where the game of this level stands.
    best: Vec<Move>,
}

/// A position that waits for its layer's turn.
struct NestedCandidate<S: Shape> {
    position: Position<S>,
    /// Of the best line met from here, and the rest of it.
    score: i32,
    rest: Vec<Move>,
    /// The number of the position before, and the move that led here.
    parent: u32,
    a_move: Move,
}

/// The candidates that are compared with each other.
struct BeamLayer<S: Shape> {
    candidates: Vec<NestedCandidate<S>>,
    /// Where each board is, by its hash.
    places: HashMap<u64, usize>,
    /// The score that is too low, as far as is known.
    too_low: i32,
}

struct NestedSearch {
    strategy: Strategy,
    rng: Rng,
    /// A level's own is taken out while the level is at work.
    scratch: Vec<LevelScratch>,
    /// A line from a position of the beam.
    line: Vec<Move>,
    positions: u64,
}

impl NestedSearch {
    /// Plays a game on from a position, appends its moves to `line`, and gives its score.
    fn level<S: Shape>(&mut self, level: usize, mut position: Position<S>, line: &mut Vec<Move>) -> i32 {
        if level == 0 {
            let before = line.len();
            position.points += position.board.playout(&self.strategy, line, &mut self.rng);
            self.positions += (line.len() - before) as u64;
            return position.score();
        }
        let mut scratch = std::mem::take(&mut self.scratch[level]);
        scratch.best.clear();
        let mut score = i32::MIN;
        // Moves of the best line that have been played.
        let mut played = 0;
        loop {
            scratch.open.clear();
            position.board.moves(&mut scratch.open);
            if scratch.open.is_empty() {
                break;
            }
            for &a_move in &scratch.open {
                let mut next = position;
                next.remove(a_move).expect("moves that were listed can be played");
                self.positions += 1;
                scratch.line.clear();
                scratch.line.push(a_move);
                let reached = self.level(level - 1, next, &mut scratch.line);
                if reached > score {
                    score = reached;
                    scratch.best.truncate(played);
                    scratch.best.extend_from_slice(&scratch.line);
                }
            }
            position.remove(scratch.best[played]).expect("the best line was played from here");
            played += 1;
        }
        line.extend_from_slice(&scratch.best);
        self.scratch[level] = scratch;
        // A game over at the start has no line.
        if played == 0 { position.score() } else { score }
    }

    /// Plays a game of the highest level with a beam; `known` is a line from the root.
    fn beam<S: Shape>(&mut self, settings: &Nested, root: Position<S>, known: Option<(i32, &[Move])>) -> ScoredLine {
        let cells = root.board.cells();
        let mut layers: Vec<_> = (0..=cells).map(|_| BeamLayer::new()).collect();
        let mut followed = Followed::default();
        let mut best = (i32::MIN, NONE, Vec::new());
        let a_move = Move { column: 0, row: 0 };
        layers[0].candidates.push(self.sampled(settings, root, NONE, a_move, known));
        let mut open = Vec::new();
        for turn in 0..=cells {
            let mut layer = std::mem::replace(&mut layers[turn], BeamLayer::new());
            layer.narrow(settings);
            for candidate in &layer.candidates {
                let number = followed.push(candidate.parent, candidate.a_move);
                if candidate.score > best.0 {
                    best = (candidate.score, number, candidate.rest.clone());
                }
                open.clear();
                candidate.position.board.moves(&mut open);
                for &a_move in &open {
                    let mut position = candidate.position;
                    let size = position.remove(a_move).expect("moves that were listed can be played");
                    self.positions += 1;
                    let known = candidate.rest.split_first().filter(|(first, _)| **first == a_move);
                    let known = known.map(|(_, rest)| (candidate.score, rest));
                    let next = &mut layers[match settings.layers {
                        Layers::Cells => turn + size as usize,
                        _ => turn + 1,
                    }];
                    match next.find(&position.board) {
                        Some(other) => other.reach(position, number, a_move, known),
                        None => {
                            let candidate = self.sampled(settings, position, number, a_move, known);
                            next.add(candidate, settings);
                        }
                    }
                }
            }
        }
        let (score, number, rest) = best;
        let mut moves = followed.line(number);
        moves.extend(rest);
        ScoredLine { score, moves }
    }

    /// A candidate with the best line from it: the one known, or one of a search of the level below.
    fn sampled<S: Shape>(
        &mut self,
        settings: &Nested,
        position: Position<S>,
        parent: u32,
        a_move: Move,
        known: Option<(i32, &[Move])>,
    ) -> NestedCandidate<S> {
        let (mut score, rest) = known.unwrap_or((i32::MIN, &[]));
        let mut rest = rest.to_vec();
        let mut line = std::mem::take(&mut self.line);
        for _ in 0..settings.samples.max(1) {
            line.clear();
            let reached = self.level(settings.level as usize - 1, position, &mut line);
            if reached > score {
                score = reached;
                rest.clone_from(&line);
            }
        }
        self.line = line;
        NestedCandidate { position, score, rest, parent, a_move }
    }
}

impl<S: Shape> BeamLayer<S> {
    fn new() -> Self {
        Self { candidates: Vec::new(), places: HashMap::new(), too_low: i32::MIN }
    }

    fn find(&mut self, board: &Board<S>) -> Option<&mut NestedCandidate<S>> {
        let place = *self.places.get(&board.hash())?;
        Some(&mut self.candidates[place]).filter(|candidate| candidate.position.board == *board)
    }

    fn add(&mut self, candidate: NestedCandidate<S>, settings: &Nested) {
        if candidate.score <= self.too_low {
            return;
        }
        self.places.insert(candidate.position.board.hash(), self.candidates.len());
        self.candidates.push(candidate);
        if self.candidates.len() >= 3 * settings.width + 16 {
            self.narrow(settings);
            if self.candidates.len() == settings.width {
                self.too_low = self.candidates.last().map_or(i32::MIN, |last| last.score);
            }
            let hashes = self.candidates.iter().map(|candidate| candidate.position.board.hash());
            self.places = hashes.zip(0..).collect();
        }
    }

    /// Keeps the best, best first; of equal ones those that were found first.
    fn narrow(&mut self, settings: &Nested) {
        self.candidates.sort_by_cached_key(|candidate| Reverse(candidate.score));
        let mut run = (i32::MIN, 0);
        self.candidates.retain(|candidate| {
            run = (candidate.score, if candidate.score == run.0 { run.1 + 1 } else { 1 });
            run.1 <= settings.same_score
        });
        self.candidates.truncate(settings.width);
    }
}

impl<S: Shape> NestedCandidate<S> {
    /// The same board was reached by another way: takes it if more points were made there, and the line from there if it
    /// is better.
    fn reach(&mut self, position: Position<S>, parent: u32, a_move: Move, known: Option<(i32, &[Move])>) {
        let more = position.points - self.position.points;
        if more > 0 {
            (self.position, self.parent, self.a_move) = (position, parent, a_move);
            self.score += more;
        }
        if let Some((score, rest)) = known
            && score + (-more).max(0) > self.score
        {
            self.score = score + (-more).max(0);
            self.rest = rest.to_vec();
        }
    }
}
