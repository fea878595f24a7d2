//! The tree in memory: all nodes in one arena, with the children of a node contiguous.
//!
//! ```text
//! node --block--> [child child child | child child]    tried ones first
//! ```
//!
//! In a game with chance, the child for a move has no block. Its outcomes are a linked list, each
//! with its own node.

use super::select::{SpUct, Statistics, ValueTerms};
use mineflow_rng::{Rng, below};

/// The null index.
const NONE: u32 = u32::MAX;

/// The index of a node in the arena.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct NodeId(u32);

#[derive(Debug)]
struct TreeNode<M> {
    /// The move that leads to this node; `None` for the root.
    a_move: Option<M>,
    statistics: Statistics,
    /// The index of the block of the children, or `NONE`.
    block: u32,
    /// The index of the first outcome of chance, or `NONE`.
    outcomes: u32,
}

/// The block of the children of a node, one child for each legal move.
#[derive(Clone, Copy)]
struct Siblings {
    first: u32,
    count: u32,
    /// The number of visited children, which come first.
    tried: u32,
}

/// An outcome of chance after a move, and the node of the resulting position.
#[derive(Clone, Copy)]
struct ChanceOutcome {
    shown: u32,
    node: u32,
    next: u32,
}

/// A search tree, in which each node except the root belongs to a move.
pub(super) struct SearchTree<M> {
    nodes: Vec<TreeNode<M>>,
    /// For each node, the terms of the selection rule, or `DONE`. The terms are updated with the
    /// statistics, so that selection reads nothing else.
    terms: Vec<ValueTerms>,
    /// Cached values of [`SpUct::parent`] by visits.
    parents: Vec<f64>,
    blocks: Vec<Siblings>,
    outcomes: Vec<ChanceOutcome>,
    /// The number of nodes that a playout went through, including the root.
    visited: u64,
}

/// The terms of a node whose games are all in the tree. Such a node is never selected.
const DONE: ValueTerms = ValueTerms {
    own: f64::NEG_INFINITY,
    exploration: 0.0,
};

/// The number of visits up to which the parent's factor is cached, because computing it takes a
/// logarithm.
const MOST_PARENTS: usize = 1 << 20;

pub(super) const ROOT: NodeId = NodeId(0);

/// The number of values compared in parallel. Each lane has its own maximum, so that no comparison
/// waits for the previous one.
const LANES: usize = 4;

/// Returns the index of the first child with the highest value among the children that are not
/// done.
fn first_highest(children: &[ValueTerms], parent: f64) -> Option<usize> {
    let value = |child: &ValueTerms| child.own + child.exploration * parent;
    let higher = |a: f64, b: f64| if b > a { b } else { a };
    let (whole, rest) = children.as_chunks::<LANES>();
    let lanes = whole
        .iter()
        .fold([f64::NEG_INFINITY; LANES], |highest, four| {
            std::array::from_fn(|lane| higher(highest[lane], value(&four[lane])))
        });
    let highest = lanes
        .into_iter()
        .chain(rest.iter().map(value))
        .fold(f64::NEG_INFINITY, higher);
    children
        .iter()
        .position(|child| value(child) == highest)
        .filter(|_| highest > f64::NEG_INFINITY)
}

impl<M: Copy + Eq> SearchTree<M> {
    pub fn new() -> Self {
        Self {
            nodes: vec![TreeNode::new(None)],
            terms: vec![ValueTerms::default()],
            parents: Vec::new(),
            blocks: Vec::new(),
            outcomes: Vec::new(),
            visited: 1,
        }
    }

    /// Returns the number of nodes that a playout has gone through, including the root.
    pub fn len(&self) -> u64 {
        self.visited
    }

    pub fn statistics(&self, node: NodeId) -> &Statistics {
        &self.nodes[node.0 as usize].statistics
    }

    pub fn a_move(&self, node: NodeId) -> M {
        self.nodes[node.0 as usize]
            .a_move
            .expect("only the root has no move, and it is never asked for")
    }

    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node.0 as usize].block != NONE
    }

    /// Returns the number of unvisited children.
    pub fn untried(&self, node: NodeId) -> u64 {
        let block = self.block(node);
        u64::from(block.count - block.tried)
    }

    fn block(&self, node: NodeId) -> Siblings {
        match self.nodes[node.0 as usize].block {
            NONE => Siblings {
                first: 0,
                count: 0,
                tried: 0,
            },
            block => self.blocks[block as usize],
        }
    }

    /// Adds a child for each move.
    pub fn expand(&mut self, node: NodeId, moves: &[M]) {
        let first = self.nodes.len() as u32;
        let count = moves.len() as u32;
        self.nodes[node.0 as usize].block = self.blocks.len() as u32;
        self.blocks.push(Siblings {
            first,
            count,
            tried: 0,
        });
        self.nodes
            .extend(moves.iter().map(|&a_move| TreeNode::new(Some(a_move))));
        self.terms.resize(self.nodes.len(), ValueTerms::default());
    }

    /// Returns the visited children.
    pub fn tried(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<M> {
        let block = self.block(node);
        (block.first..block.first + block.tried).map(NodeId)
    }

    /// Returns a uniformly random unvisited child and marks it as visited.
    pub fn try_any(&mut self, node: NodeId, rng: &mut Rng) -> NodeId {
        let Siblings {
            first,
            count,
            tried,
        } = self.block(node);
        let index = below(rng, (count - tried) as usize);
        self.start(node, first + tried + index as u32)
    }

    /// Returns a uniformly random child, and whether that child was visited before. Marks the child
    /// as visited. Returns `None` in a position without moves.
    pub fn try_uniform(&mut self, node: NodeId, rng: &mut Rng) -> Option<(NodeId, bool)> {
        let Siblings {
            first,
            count,
            tried,
        } = self.block(node);
        if count == 0 {
            return None;
        }
        let index = below(rng, count as usize) as u32;
        Some(if index < tried {
            (NodeId(first + index), true)
        } else {
            (self.start(node, first + index), false)
        })
    }

    /// Returns the child for a move, and whether that child was visited before. Marks the child as
    /// visited.
    pub fn try_move(&mut self, node: NodeId, a_move: M) -> Option<(NodeId, bool)> {
        let Siblings {
            first,
            count,
            tried,
        } = self.block(node);
        let child = (first..first + count)
            .find(|&child| self.nodes[child as usize].a_move == Some(a_move))?;
        let was_tried = child < first + tried;
        Some((
            if was_tried {
                NodeId(child)
            } else {
                self.start(node, child)
            },
            was_tried,
        ))
    }

    /// Moves an unvisited child to the end of the visited ones, and returns its new index.
    fn start(&mut self, node: NodeId, child: u32) -> NodeId {
        let block = &mut self.blocks[self.nodes[node.0 as usize].block as usize];
        let place = block.first + block.tried;
        block.tried += 1;
        self.visited += 1;
        self.nodes.swap(place as usize, child as usize);
        self.terms.swap(place as usize, child as usize);
        NodeId(place)
    }

    /// Returns whether all games through the node are in the tree, as far as [`SearchTree::finish`]
    /// has recorded.
    pub fn is_done(&self, node: NodeId) -> bool {
        self.terms[node.0 as usize] == DONE
    }

    /// Records that the last node of a path ends a game, and marks every earlier node that is
    /// thereby done.
    pub fn finish(&mut self, path: impl DoubleEndedIterator<Item = NodeId>) {
        for node in path.rev() {
            let Siblings { tried, count, .. } = self.block(node);
            if tried < count || !self.tried(node).all(|child| self.is_done(child)) {
                return;
            }
            self.terms[node.0 as usize] = DONE;
        }
    }

    /// Returns the visited child with the highest value among those that are not done, or `None` if
    /// there is none.
    pub fn select(&mut self, node: NodeId, rule: &SpUct) -> Option<NodeId> {
        let parent = self.parent(self.statistics(node).visits.max(1), rule);
        let Siblings { first, tried, .. } = self.block(node);
        let children = &self.terms[first as usize..(first + tried) as usize];
        first_highest(children, parent).map(|index| NodeId(first + index as u32))
    }

    /// Returns the factor of a parent with `visits` visits.
    fn parent(&mut self, visits: u32, rule: &SpUct) -> f64 {
        let index = visits as usize - 1;
        if index >= MOST_PARENTS {
            return rule.parent(visits);
        }
        let known = self.parents.len() as u32;
        self.parents
            .extend((known..visits).map(|before| rule.parent(before + 1)));
        self.parents[index]
    }

    /// Returns the node for the outcome `shown` after the move of `node`, and whether the node is
    /// new.
    pub fn outcome(&mut self, node: NodeId, shown: u32) -> (NodeId, bool) {
        let head = self.nodes[node.0 as usize].outcomes;
        let mut next = head;
        while next != NONE {
            let outcome = self.outcomes[next as usize];
            if outcome.shown == shown {
                return (NodeId(outcome.node), false);
            }
            next = outcome.next;
        }
        let new = self.nodes.len() as u32;
        self.nodes
            .push(TreeNode::new(self.nodes[node.0 as usize].a_move));
        self.terms.push(ValueTerms::default());
        self.nodes[node.0 as usize].outcomes = self.outcomes.len() as u32;
        self.outcomes.push(ChanceOutcome {
            shown,
            node: new,
            next: head,
        });
        self.visited += 1;
        (NodeId(new), true)
    }

    pub fn add(&mut self, node: NodeId, reward: f64, rule: &SpUct) {
        let statistics = &mut self.nodes[node.0 as usize].statistics;
        statistics.add(reward);
        let terms = &mut self.terms[node.0 as usize];
        if *terms != DONE {
            *terms = rule.terms(statistics);
        }
    }

    /// Returns the mean depth of all visited nodes, and the depth of the deepest node. The root has
    /// depth 0.
    pub fn depths(&self) -> (f64, u32) {
        let mut sum = 0u64;
        let mut deepest = 0u32;
        let mut count = 0u64;
        let mut open = vec![(0u32, 0u32)];
        while let Some((node, depth)) = open.pop() {
            (sum, deepest, count) = (sum + u64::from(depth), deepest.max(depth), count + 1);
            let node = &self.nodes[node as usize];
            if node.block != NONE {
                let Siblings { first, tried, .. } = self.blocks[node.block as usize];
                open.extend((first..first + tried).map(|child| (child, depth + 1)));
            }
            let mut next = node.outcomes;
            while next != NONE {
                open.push((self.outcomes[next as usize].node, depth));
                next = self.outcomes[next as usize].next;
            }
        }
        (sum as f64 / count as f64, deepest)
    }
}

impl<M> TreeNode<M> {
    fn new(a_move: Option<M>) -> Self {
        Self {
            a_move,
            statistics: Statistics::default(),
            block: NONE,
            outcomes: NONE,
        }
    }
}
