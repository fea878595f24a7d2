//! Monte-Carlo tree search: selection, expansion, playout and backpropagation (Schadd et al.
//! (SP-MCTS), section 4.1).

use super::{
    budget::{Budget, Spending},
    descent::TreeDescent,
    rollout::Rollout,
    select::{SpUct, Statistics},
    state::State,
    tree::{NodeId, ROOT, SearchTree},
};
use mineflow_rng::{Rng, Seed};

/// When nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Expansion {
    /// A playout starts at the first node with fewer than `T` visits. Once a node has `T` visits,
    /// each playout through it adds one child.
    #[default]
    AfterVisits,
    /// Every playout adds the first position on its path that is not in the tree. In a node with
    /// fewer than `T` visits, the playout policy also chooses the moves inside the tree (Coulom
    /// 2007, whom Schadd et al. follow).
    EveryPlayout,
    /// As the program of Schadd et al. does it: the first `T` playouts through a node draw one of its
    /// moves uniformly and add it. Then all other moves become nodes at once, which count as nodes
    /// of the budget. A playout that begins at one of them draws and adds a move below it.
    AllAtOnce,
}

/// The rule for the final move (Schadd et al. (SP-MCTS), section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FinalMove {
    /// The first move of the line with the highest reward.
    #[default]
    TopScore,
    /// The move with the highest mean reward.
    HighestMean,
    /// The move with the most playouts.
    MostPlayouts,
}

/// Whether the search repeats games that are already complete in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ended {
    /// Complete games are repeated as often as the selection rule chooses them, which games with
    /// chance require.
    #[default]
    Again,
    /// Complete games are never repeated: a position whose games are all in the tree is no longer
    /// selected. Otherwise a search that has converged to a line would repeat that line endlessly.
    /// This option is for games without chance.
    Once,
}

/// The settings of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchSettings {
    pub select: SpUct,
    /// `T`: the number of visits after which the selection rule chooses the moves of a node.
    pub threshold: u32,
    pub expansion: Expansion,
    pub final_move: FinalMove,
    pub ended: Ended,
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchEffort {
    pub playouts: u64,
    /// The number of nodes in memory at the end.
    pub nodes: u64,
    /// The mean depth of a node.
    pub mean_depth: f64,
    /// The depth of the deepest node.
    pub deepest: u32,
    /// The mean over playouts of the number of nodes, including the root, at which the selection
    /// rule chose a move or another rule took over.
    pub selection_depth: f64,
}

impl SearchEffort {
    /// Returns the difference from the earlier statistics `before` of the same search. The depths
    /// are those of `self`.
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            playouts: self.playouts - before.playouts,
            nodes: self.nodes - before.nodes,
            ..self
        }
    }
}

/// A search from one position. The search can be resumed.
pub struct Search<S: State, R> {
    root: S,
    rollout: R,
    settings: SearchSettings,
    tree: SearchTree<S::Move>,
    rng: Rng,
    playouts: u64,
    /// The number of moves that became nodes with all of their siblings and have no visit yet.
    waiting: u64,
    /// The sum over playouts of the depths at which selection ended.
    selected: u64,
    best: Option<(Vec<S::Move>, f64)>,
    /// Scratch memory, which is reused so that playouts don't allocate: the descent, its moves, the
    /// legal moves of a position, and the nodes of the descent.
    descent: TreeDescent<S>,
    line: Vec<S::Move>,
    moves: Vec<S::Move>,
    path: Vec<NodeId>,
}

impl<S: State, R: Rollout<S>> Search<S, R> {
    /// Creates a search that has not begun.
    pub fn new(root: S, rollout: R, settings: SearchSettings, seed: Seed) -> Self {
        Self {
            descent: TreeDescent::new(&root),
            root,
            rollout,
            settings,
            tree: SearchTree::new(),
            rng: seed.rng(),
            playouts: 0,
            waiting: 0,
            selected: 0,
            best: None,
            line: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Continues the search until the budget is spent. A small game, or a search that has converged
    /// to a line, may add no more nodes. If only nodes are limited, the search therefore also ends
    /// after 100 playouts per node.
    pub fn run(&mut self, budget: Budget) {
        let playouts = budget
            .playouts
            .or(budget.nodes.map(|nodes| nodes.saturating_mul(100)));
        let mut spending = Spending::new(Budget { playouts, ..budget });
        while spending.go_on(self.nodes()) && !self.tree.is_done(ROOT) {
            self.playout_once();
        }
    }

    fn playout_once(&mut self) {
        let mut leads_nowhere = self.descend();
        let moves_in_tree = self.line.len();
        let end = self
            .descent
            .finish(&mut self.rollout, &mut self.line, &mut self.rng);
        let reward = end.reward();
        leads_nowhere |= self.line.len() == moves_in_tree;
        if self.settings.ended == Ended::Once && leads_nowhere {
            self.tree.finish(self.path.iter().copied());
        }
        self.playouts += 1;
        if self.best.as_ref().is_none_or(|&(_, best)| reward > best) {
            let (line, best) = self.best.get_or_insert_default();
            line.clone_from(&self.line);
            *best = reward;
        }
        for &node in &self.path {
            self.tree.add(node, reward, &self.settings.select);
        }
    }

    /// Descends from the root to the point where the playout leaves the tree. Returns whether the
    /// descent ended in a position without moves, or whose games are all done.
    fn descend(&mut self) -> bool {
        self.descent.restart(&self.root, &mut self.rng);
        self.line.clear();
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        let at_once = self.settings.expansion == Expansion::AllAtOnce;
        // Every node but the root has its first visit before a playout passes it.
        let threshold = self.settings.threshold.max(u32::from(at_once));
        let mut is_selecting = true;
        self.selected += 1;
        loop {
            let visits = self.tree.statistics(node).visits;
            let is_ripe = visits >= threshold;
            if !self.tree.is_expanded(node) {
                if !is_ripe && self.settings.expansion == Expansion::AfterVisits {
                    return false;
                }
                self.moves.clear();
                self.descent.state().moves(&mut self.moves);
                self.tree.expand(node, &self.moves);
            }
            let untried = self.tree.untried(node);
            if at_once && visits == threshold {
                self.waiting += untried;
            }
            is_selecting &= is_ripe && untried == 0;
            self.selected += u64::from(is_selecting);
            let child = if !is_ripe && at_once {
                self.tree.try_uniform(node, &mut self.rng)
            } else if !is_ripe {
                self.drawn_by_playout(node)
            } else if untried > 0 {
                self.waiting -= u64::from(at_once);
                // A node that was added with its siblings gains a child at once.
                Some((self.tree.try_any(node, &mut self.rng), at_once))
            } else {
                let child = self.tree.select(node, &self.settings.select);
                child.map(|child| (child, true))
            };
            let Some((child, mut is_known)) = child else {
                return true;
            };
            let a_move = self.tree.a_move(child);
            let shown = self.descent.play(child, a_move, &mut self.rng);
            self.line.push(a_move);
            self.path.push(child);
            node = child;
            if S::CHANCE {
                let (outcome, is_new) = self.tree.outcome(child, shown);
                self.path.push(outcome);
                node = outcome;
                is_known &= !is_new;
            }
            if !is_known {
                return false;
            }
        }
    }

    /// Returns the child for the first move of a playout, and whether that child was visited
    /// before.
    fn drawn_by_playout(&mut self, node: NodeId) -> Option<(NodeId, bool)> {
        self.moves.clear();
        self.descent
            .playout(&mut self.rollout, &mut self.moves, &mut self.rng);
        self.tree.try_move(node, *self.moves.first()?)
    }

    /// Returns the line with the highest reward so far, and its reward. In a game of chance, that
    /// reward also depends on luck.
    pub fn best(&self) -> Option<(&[S::Move], f64)> {
        self.best
            .as_ref()
            .map(|(line, reward)| (&line[..], *reward))
    }

    /// Adopts a line from the root that was found elsewhere, if its reward is higher than that of
    /// the best line.
    pub fn offer(&mut self, line: &[S::Move], reward: f64) {
        if self.best.as_ref().is_none_or(|&(_, best)| reward > best) {
            self.best = Some((line.to_vec(), reward));
        }
    }

    /// Returns the visited moves of the root, with their statistics.
    pub fn moves(&self) -> impl Iterator<Item = (S::Move, &Statistics)> {
        self.tree
            .tried(ROOT)
            .map(|child| (self.tree.a_move(child), self.tree.statistics(child)))
    }

    /// Returns the move to play, or `None` if the game is over or no move was visited. Ties go to
    /// the move with more visits, then to the smaller move.
    pub fn final_move(&self) -> Option<S::Move> {
        let highest = |value: fn(&Statistics) -> f64| {
            let order = |one: &(S::Move, &Statistics), other: &(S::Move, &Statistics)| {
                value(one.1)
                    .total_cmp(&value(other.1))
                    .then(one.1.visits.cmp(&other.1.visits))
                    .then(other.0.cmp(&one.0))
            };
            self.moves().max_by(order).map(|(a_move, _)| a_move)
        };
        match self.settings.final_move {
            FinalMove::TopScore => self.best()?.0.first().copied(),
            FinalMove::HighestMean => highest(Statistics::mean),
            FinalMove::MostPlayouts => highest(|statistics| f64::from(statistics.visits)),
        }
    }

    /// Returns the number of nodes in memory that count.
    fn nodes(&self) -> u64 {
        self.tree.len() + self.waiting
    }

    /// Returns the statistics of the search so far.
    pub fn effort(&self) -> SearchEffort {
        let (mean_depth, deepest) = self.tree.depths();
        SearchEffort {
            playouts: self.playouts,
            nodes: self.nodes(),
            mean_depth,
            deepest,
            selection_depth: self.selected as f64 / self.playouts.max(1) as f64,
        }
    }
}
