//! Nested Monte-Carlo Search (Cazenave 2009).
//!
//! A search of level 0 is a play-out. One of level `n` tries every move, follows it with a search of level `n - 1`, and
//! plays the first move of the best line met so far, until the game is over.
//!
//! At the highest level a beam may be kept (Monte-Carlo beam search, Cazenave 2012): after each move the positions of the
//! best lines go on, not the first alone. Positions are ranked by the best line met from them or through them, and the
//! same board is kept once.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::board::{Board, Move};
use super::found::Found;
use super::play_out::Strategy;
use super::position::Position;
use super::shape::Shape;
use super::test_set::Solution;
use crate::rng::{Rng, Seed};

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nested {
    /// Levels above the play-outs. Each costs about 650 times the one below on 15 x 15 cells of 5 colours.
    pub level: u32,
    /// Positions kept after each move of the highest level, 1 or more; Nested Monte-Carlo Search has 1.
    pub width: usize,
    /// Searches of the level below for each move of the highest one when there is a beam, 1 or more.
    pub samples: u32,
    pub strategy: Strategy,
}

impl Default for Nested {
    fn default() -> Self {
        Self { level: 2, width: 1, samples: 1, strategy: Strategy::default() }
    }
}

impl Nested {
    /// Searches a whole game from a board.
    pub fn solve<S: Shape>(&self, board: &Board<S>, seed: Seed) -> Found {
        let mut search = Search {
            strategy: self.strategy,
            rng: seed.child("nested", 0).rng(),
            scratch: vec![Scratch::default(); self.level as usize + 1],
            line: Vec::new(),
            positions: 0,
        };
        let (level, root) = (self.level as usize, Position::new(*board));
        let solution = if level > 0 && self.width > 1 {
            search.beam(self, root)
        } else {
            let mut moves = Vec::new();
            let score = search.level(level, root, &mut moves);
            Solution { score, moves }
        };
        Found { solution, positions: search.positions }
    }
}

/// What one level works with.
#[derive(Clone, Debug, Default)]
struct Scratch {
    open: Vec<Move>,
    line: Vec<Move>,
    /// The best line from where the game of this level stands.
    best: Vec<Move>,
}

/// A position of the beam and the best line that goes through it.
struct Kept<S: Shape> {
    position: Position<S>,
    /// Moves of the line that lead to the position.
    depth: usize,
    score: i32,
    line: Vec<Move>,
}

struct Search {
    strategy: Strategy,
    rng: Rng,
    /// A level's own is taken out while the level is at work.
    scratch: Vec<Scratch>,
    /// A line from a position of the beam.
    line: Vec<Move>,
    positions: u64,
}

impl Search {
    /// Plays a game on from a position, appends its moves to `line`, and gives its score.
    fn level<S: Shape>(&mut self, level: usize, mut position: Position<S>, line: &mut Vec<Move>) -> i32 {
        if level == 0 {
            let before = line.len();
            position.points += position.board.play_out(&self.strategy, line, &mut self.rng);
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

    /// Plays a game of the highest level with a beam.
    fn beam<S: Shape>(&mut self, settings: &Nested, root: Position<S>) -> Solution {
        let mut best = Solution { score: i32::MIN, moves: Vec::new() };
        best.score = self.level(0, root, &mut best.moves);
        let mut layer = vec![Kept { position: root, depth: 0, score: best.score, line: best.moves.clone() }];
        let mut open = Vec::new();
        let mut places = HashMap::new();
        loop {
            let mut next: Vec<Kept<S>> = Vec::new();
            places.clear();
            for kept in &layer {
                open.clear();
                kept.position.board.moves(&mut open);
                for &a_move in &open {
                    let mut position = kept.position;
                    position.remove(a_move).expect("moves that were listed can be played");
                    self.positions += 1;
                    let place = *places.entry(position.board).or_insert(next.len());
                    if place == next.len() {
                        next.push(self.follow(settings, kept, a_move, position));
                    } else {
                        next[place].reach(kept, a_move, position);
                    }
                }
            }
            next.sort_by_key(|kept| Reverse(kept.score));
            next.truncate(settings.width);
            match next.first() {
                Some(first) if first.score > best.score => {
                    best.score = first.score;
                    best.moves.clone_from(&first.line);
                }
                Some(_) => {}
                None => break,
            }
            layer = next;
        }
        best
    }

    /// The position after a move of a kept one, with the best line through it: a new one, or that of the kept one.
    fn follow<S: Shape>(&mut self, settings: &Nested, kept: &Kept<S>, a_move: Move, position: Position<S>) -> Kept<S> {
        let depth = kept.depth;
        let mut best = if kept.line.get(depth) == Some(&a_move) {
            Kept { position, depth: depth + 1, score: kept.score, line: kept.line.clone() }
        } else {
            let mut line = kept.line[..depth].to_vec();
            line.push(a_move);
            Kept { position, depth: depth + 1, score: i32::MIN, line }
        };
        for _ in 0..settings.samples.max(1) {
            self.line.clear();
            let mut line = std::mem::take(&mut self.line);
            let score = self.level(settings.level as usize - 1, position, &mut line);
            if score > best.score {
                best.score = score;
                best.line.truncate(depth + 1);
                best.line.extend_from_slice(&line);
            }
            self.line = line;
        }
        best
    }
}

impl<S: Shape> Kept<S> {
    /// The same board was reached by another way: takes it if more points were made there.
    fn reach(&mut self, kept: &Self, a_move: Move, position: Position<S>) {
        let depth = kept.depth;
        let more = position.points - self.position.points;
        if more > 0 {
            self.position = position;
            self.score += more;
            self.line[..depth].copy_from_slice(&kept.line[..depth]);
            self.line[depth] = a_move;
        }
        if kept.line.get(depth) == Some(&a_move) && kept.score > self.score {
            self.score = kept.score;
            self.line.clone_from(&kept.line);
        }
    }
}
