//! Beam search: of all positions with as many cells left, only the most promising ones are followed.
//!
//! Positions are compared by cells left rather than by moves made, as a move takes from 2 cells to all of them; the same
//! board reached twice is followed once. A position is worth its points, and
//!
//! - a share of what the tabu colour, the most frequent one of the first board, makes if all of it goes at once;
//! - less for every group, and for every cell without a neighbour of its colour: they block each other.
//!
//! The factors were chosen by hand on random boards. Searches by playouts are stronger: see `nested`.

use std::collections::HashSet;

use super::board::Board;
use super::followed::{Followed, NONE};
use super::found::SearchResult;
use super::position::Position;
use super::rules::{Group, Move, points};
use super::shape::Shape;
use super::test_set::ScoredLine;
use mineflow_search::options::{OptionError, OptionList, Options};

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beam {
    /// Positions followed of those with as many cells left, 1 or more.
    pub width: usize,
    pub worth: Worth,
}

/// What a position is worth beside its points.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Worth {
    /// The share of the points for all cells of the tabu colour.
    pub tabu: f32,
    /// The points that a group costs, a single cell among them.
    pub group: f32,
    /// The points that a single cell costs beyond that.
    pub single: f32,
}

impl Default for Worth {
    fn default() -> Self {
        Self { tabu: 0.9, group: 40.0, single: 40.0 }
    }
}

impl Default for Beam {
    fn default() -> Self {
        Self { width: 300, worth: Worth::default() }
    }
}

impl Options for Beam {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("width", &mut self.width, 1..=10_000_000)?;
        list.number("tabu", &mut self.worth.tabu, 0.0..=10.0)?;
        list.number("group", &mut self.worth.group, -1e4..=1e4)?;
        list.number("single", &mut self.worth.single, -1e4..=1e4)
    }
}

impl Beam {
    /// Searches a whole game from a board. Nothing is left to chance.
    pub fn solve<S: Shape>(&self, board: &Board<S>) -> SearchResult {
        let mut search = BeamSearch::new(self, board);
        search.run(Position::new(*board));
        SearchResult { solution: search.solution(), positions: search.positions }
    }
}

/// A position that waits until all with more cells have been followed.
#[derive(Clone, Copy, Debug)]
struct BeamCandidate<S: Shape> {
    worth: f32,
    position: Position<S>,
    /// The node before it, and the move that led here.
    parent: u32,
    name: Move,
}

struct BeamSearch<S: Shape> {
    settings: Beam,
    tabu: usize,
    /// By the number of cells left.
    waiting: Vec<Vec<BeamCandidate<S>>>,
    /// What a candidate must be worth to be among the most promising ones, as far as is known.
    entry: Vec<f32>,
    followed: Followed,
    best: (i32, u32),
    groups: Vec<Group>,
    next_groups: Vec<Group>,
    seen: HashSet<Board<S>>,
    positions: u64,
}

impl<S: Shape> BeamSearch<S> {
    fn new(settings: &Beam, board: &Board<S>) -> Self {
        let cells = board.cells();
        Self {
            settings: Beam { width: settings.width.max(1), ..*settings },
            tabu: board.most_frequent(),
            waiting: vec![Vec::new(); cells + 1],
            entry: vec![f32::NEG_INFINITY; cells + 1],
            followed: Followed::default(),
            best: (i32::MIN, NONE),
            groups: Vec::new(),
            next_groups: Vec::new(),
            seen: HashSet::new(),
            positions: 0,
        }
    }

    fn run(&mut self, root: Position<S>) {
        let cells = root.board.cells();
        let name = Move { column: 0, row: 0 };
        self.waiting[cells].push(BeamCandidate { worth: 0.0, position: root, parent: NONE, name });
        for left in (0..=cells).rev() {
            let mut candidates = std::mem::take(&mut self.waiting[left]);
            self.prune(&mut candidates);
            for candidate in &candidates {
                self.follow(candidate, left);
            }
        }
    }

    fn follow(&mut self, candidate: &BeamCandidate<S>, left: usize) {
        let node = self.followed.push(candidate.parent, candidate.name);
        let mut groups = std::mem::take(&mut self.groups);
        groups.clear();
        candidate.position.board.groups(&mut groups);
        if groups.is_empty() && candidate.position.score() > self.best.0 {
            self.best = (candidate.position.score(), node);
        }
        for group in &groups {
            let mut position = candidate.position;
            position.remove(group.name).expect("groups that were listed can be removed");
            self.positions += 1;
            let left = left - group.size as usize;
            let worth = self.worth(&position, left);
            if worth > self.entry[left] {
                self.waiting[left].push(BeamCandidate { worth, position, parent: node, name: group.name });
                if self.waiting[left].len() >= 3 * self.settings.width + 16 {
                    self.narrow(left);
                }
            }
        }
        self.groups = groups;
    }

    fn worth(&mut self, position: &Position<S>, left: usize) -> f32 {
        self.next_groups.clear();
        position.board.groups(&mut self.next_groups);
        let grouped = self.next_groups.iter().map(|group| group.size as usize).sum::<usize>();
        let singles = (left - grouped) as f32;
        let Worth { tabu, group, single } = self.settings.worth;
        let all_tabu = points(position.board.counts()[self.tabu].max(2)) as f32;
        let groups = self.next_groups.len() as f32 + singles;
        position.points as f32 + tabu * all_tabu - group * groups - single * singles
    }

    /// Keeps the most promising of those that wait with this many cells.
    fn narrow(&mut self, left: usize) {
        let mut candidates = std::mem::take(&mut self.waiting[left]);
        self.prune(&mut candidates);
        if let Some(last) = candidates.get(self.settings.width - 1) {
            self.entry[left] = last.worth;
        }
        self.waiting[left] = candidates;
    }

    /// Sorts candidates, the most promising first, and drops those beyond the width and boards that came before. Ties go
    /// to the one found first.
    fn prune(&mut self, candidates: &mut Vec<BeamCandidate<S>>) {
        candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        self.seen.clear();
        let (seen, width) = (&mut self.seen, self.settings.width);
        candidates.retain(|candidate| seen.len() < width && seen.insert(candidate.position.board));
    }

    fn solution(&self) -> ScoredLine {
        let (score, node) = self.best;
        ScoredLine { score, moves: self.followed.line(node) }
    }
}
