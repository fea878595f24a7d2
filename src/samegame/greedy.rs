//! A greedy search with a budget of greedy games, after Billings' DBS. Only one detail of that
//! program is known: it plays a greedy game wherever the budget of a line is exhausted (Schadd et
//! al. (SP-MCTS), section 2.3).
//!
//! The budget of a position is divided equally among its moves, so that the search goes as deep as
//! the budget allows. The first move of the best line found so far is played, and the search starts
//! again from the new position with the same budget.

use super::{
    board::Board,
    found::FinishedGame,
    position::Position,
    rules::{Group, Move},
    shape::Shape,
};
use mineflow_search::options::{OptionList, Options};

/// Settings of a greedy search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Greedy {
    /// The number of greedy games for each move, 1 or more. With 1, the search plays a single
    /// greedy game.
    pub games: u64,
}

impl Default for Greedy {
    fn default() -> Self {
        Self { games: 1_000 }
    }
}

impl Options for Greedy {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("games", &mut self.games, 1..=1_000_000_000_000);
    }
}

impl Greedy {
    /// Plays from `board` to the end, searching again before each move, and returns the best line
    /// found. The search is deterministic.
    pub fn solve<S: Shape>(&self, board: &Board<S>) -> FinishedGame {
        let mut search = GreedySearch {
            tabu: board.most_frequent(),
            line: Vec::new(),
            best: Vec::new(),
            score: i32::MIN,
            groups: Vec::new(),
            positions: 0,
        };
        let mut position = Position::new(*board);
        let mut played = 0;
        loop {
            search.explore(position, self.games.max(1));
            let Some(&a_move) = search.best.get(played) else {
                break;
            };
            position
                .remove(a_move)
                .expect("the best line was played from here");
            search.line.push(a_move);
            played += 1;
        }
        FinishedGame {
            nodes: search.positions,
            ..FinishedGame::of(board, search.best)
        }
    }
}

struct GreedySearch {
    /// The colour that greedy games remove last.
    tabu: usize,
    /// The moves from the root to the current position.
    line: Vec<Move>,
    best: Vec<Move>,
    score: i32,
    groups: Vec<Group>,
    positions: u64,
}

impl GreedySearch {
    fn explore<S: Shape>(&mut self, position: Position<S>, games: u64) {
        if games <= 1 {
            return self.finish(position);
        }
        let mut open = Vec::new();
        position.board.moves(&mut open);
        if open.is_empty() {
            return self.finish(position);
        }
        for &a_move in &open {
            let mut next = position;
            next.remove(a_move)
                .expect("moves that were listed can be played");
            self.positions += 1;
            self.line.push(a_move);
            self.explore(next, games / open.len() as u64);
            self.line.pop();
        }
    }

    /// Plays the position to its end greedily, and keeps the line if its score is the highest so
    /// far.
    fn finish<S: Shape>(&mut self, mut position: Position<S>) {
        let depth = self.line.len();
        finish(
            &mut position,
            Some(self.tabu),
            &mut self.groups,
            &mut self.line,
        );
        self.positions += (self.line.len() - depth) as u64;
        if position.score() > self.score {
            self.score = position.score();
            self.best.clone_from(&self.line);
        }
        self.line.truncate(depth);
    }
}

/// Plays greedily to the end of the game: each move removes the largest group, the first one among
/// ties. Groups of the tabu colour are removed only if there are no other groups. The moves are
/// appended to `line`; `groups` is scratch memory.
pub(super) fn finish<S: Shape>(
    position: &mut Position<S>,
    tabu: Option<usize>,
    groups: &mut Vec<Group>,
    line: &mut Vec<Move>,
) {
    loop {
        groups.clear();
        position.board.groups(groups);
        let is_tabu = |group: &Group| {
            tabu.is_some()
                && position
                    .board
                    .colour(group.name.column.into(), group.name.row.into())
                    == tabu
        };
        let greed = |group: &&Group| (!is_tabu(group), group.size);
        // Among ties, `max_by_key` returns the last element. The reversed order thus selects the
        // first group.
        let Some(group) = groups.iter().rev().max_by_key(greed) else {
            return;
        };
        let name = group.name;
        position
            .remove(name)
            .expect("groups that were listed can be removed");
        line.push(name);
    }
}
