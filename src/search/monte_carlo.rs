//! Monte-Carlo tree search: selection, expansion, playout and backpropagation (Schadd et al.
//! (SP-MCTS), section 4.1).

use super::budget::{Budget, Spending};
use super::descent::TreeDescent;
use super::rollout::Rollout;
use super::select::{Select, Statistics};
use super::state::State;
use super::tree::{NodeId, ROOT, SearchTree};
use mineflow_rng::{Rng, Seed};

/// When nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum Ended {
    /// Complete games are repeated as often as the selection rule chooses them, which games with
    /// chance or opponents require.
    #[default]
    Again,
    /// Complete games are never repeated: a position whose games are all in the tree is no longer
    /// selected. Otherwise a search that has converged to a line would repeat that line endlessly.
    /// This option is for single-player games without chance.
    Once,
}

/// The settings of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchSettings<P> {
    pub select: P,
    /// `T`: the number of visits after which the selection rule chooses the moves of a node.
    pub threshold: u32,
    pub expansion: Expansion,
    pub final_move: FinalMove,
    pub ended: Ended,
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
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
pub struct Search<S: State, R, P> {
    root: S,
    rollout: R,
    settings: SearchSettings<P>,
    tree: SearchTree<S::Move>,
    rng: Rng,
    playouts: u64,
    /// The number of moves that became nodes with all of their siblings and have no visit yet.
    waiting: u64,
    /// The sum over playouts of the depths at which selection ended.
    selected: u64,
    best: Option<(Vec<S::Move>, f64)>,
    scratch: SearchScratch<S>,
}

/// Scratch memory, which is reused so that playouts don't allocate.
struct SearchScratch<S: State> {
    descent: TreeDescent<S>,
    line: Vec<S::Move>,
    moves: Vec<S::Move>,
    /// The nodes of the descent, each with the player who made the move to it.
    path: Vec<(NodeId, usize)>,
}

impl<S: State, R: Rollout<S>, P: Select> Search<S, R, P> {
    /// Creates a search that has not begun.
    pub fn new(root: S, rollout: R, settings: SearchSettings<P>, seed: Seed) -> Self {
        let scratch = SearchScratch {
            descent: TreeDescent::new(&root),
            line: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
        };
        Self {
            root,
            rollout,
            settings,
            tree: SearchTree::new(),
            rng: seed.rng(),
            playouts: 0,
            waiting: 0,
            selected: 0,
            best: None,
            scratch,
        }
    }

    /// Returns the root position.
    pub fn root(&self) -> &S {
        &self.root
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
        let Self {
            root,
            rollout,
            settings,
            tree,
            rng,
            scratch,
            waiting,
            selected,
            ..
        } = self;
        let SearchScratch {
            descent,
            line,
            moves,
            path,
        } = scratch;
        descent.restart(root, rng);
        line.clear();
        path.clear();
        path.push((ROOT, descent.state().player()));
        let mut node = ROOT;
        let mut leads_nowhere = false;
        let at_once = settings.expansion == Expansion::AllAtOnce;
        // Every node but the root has its first visit before it is passed.
        let threshold = settings.threshold.max(u32::from(at_once));
        let mut selecting = true;
        *selected += 1;
        loop {
            let is_ripe = tree.statistics(node).visits >= threshold;
            if !tree.is_expanded(node) {
                if !is_ripe && settings.expansion == Expansion::AfterVisits {
                    break;
                }
                expand(tree, node, descent.state(), moves);
            }
            if at_once && tree.statistics(node).visits == threshold {
                *waiting += tree.untried(node);
            }
            selecting &= is_ripe && tree.untried(node) == 0;
            *selected += u64::from(selecting);
            let child = if !is_ripe && at_once {
                tree.try_uniform(node, rng)
            } else if !is_ripe && settings.expansion == Expansion::EveryPlayout {
                drawn_by_playout(tree, node, descent, rollout, moves, rng)
            } else if tree.untried(node) > 0 {
                *waiting -= u64::from(at_once);
                // A node that was added with its siblings gains a child at once.
                Some((tree.try_any(node, rng), at_once))
            } else {
                tree.select(node, &settings.select)
                    .map(|child| (child, true))
            };
            // The child is `None` in a position without moves, and if the games of all moves are
            // done.
            let Some((child, mut is_known)) = child else {
                leads_nowhere = true;
                break;
            };
            let a_move = tree.a_move(child);
            let player = descent.state().player();
            let shown = descent.play(child, a_move, rng);
            line.push(a_move);
            path.push((child, player));
            node = child;
            if S::CHANCE {
                let (outcome, is_new) = tree.outcome(child, shown);
                path.push((outcome, player));
                node = outcome;
                is_known &= !is_new;
            }
            if !is_known {
                break;
            }
        }
        let moves_in_tree = line.len();
        let end = descent.finish(rollout, line, rng);
        leads_nowhere |= line.len() == moves_in_tree;
        if settings.ended == Ended::Once && leads_nowhere {
            tree.finish(path.iter().map(|&(node, _)| node));
        }
        let mut seen = (path[0].1, end.reward(path[0].1));
        self.playouts += 1;
        if self.best.as_ref().is_none_or(|&(_, best)| seen.1 > best) {
            let (best_line, best) = self.best.get_or_insert_default();
            best_line.clone_from(line);
            *best = seen.1;
        }
        for &(node, player) in path.iter() {
            if player != seen.0 {
                seen = (player, end.reward(player));
            }
            tree.add(node, seen.1, &settings.select);
        }
    }

    /// Returns the line with the highest reward so far for the player to move at the root, and its
    /// reward. In a game of chance or with several players, that reward also depends on luck or on
    /// the opponents' moves.
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
            let order = |(a_move, statistics): (S::Move, &Statistics)| {
                (
                    value(statistics),
                    statistics.visits,
                    std::cmp::Reverse(a_move),
                )
            };
            let by_value = |a: &(f64, u32, std::cmp::Reverse<S::Move>),
                            b: &(f64, u32, std::cmp::Reverse<S::Move>)| {
                a.0.total_cmp(&b.0)
                    .then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2)))
            };
            self.moves()
                .map(order)
                .max_by(by_value)
                .map(|(_, _, a_move)| a_move.0)
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

fn expand<S: State>(
    tree: &mut SearchTree<S::Move>,
    node: NodeId,
    state: &S,
    moves: &mut Vec<S::Move>,
) {
    moves.clear();
    state.moves(moves);
    tree.expand(node, moves);
}

/// Returns the child for the first move of a playout, and whether that child was visited before.
fn drawn_by_playout<S: State>(
    tree: &mut SearchTree<S::Move>,
    node: NodeId,
    descent: &mut TreeDescent<S>,
    rollout: &mut impl Rollout<S>,
    line: &mut Vec<S::Move>,
    rng: &mut Rng,
) -> Option<(NodeId, bool)> {
    line.clear();
    descent.playout(rollout, line, rng);
    tree.try_move(node, *line.first()?)
}
