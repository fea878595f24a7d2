//! The tree of UCT: states, the actions of all roles in each state, and the states that joint moves
//! lead to.

use rustc_hash::FxHashMap;

use crate::{
    player::{add_scaled, arms::ActionArm, explored::Explored, walk::GameWalk},
    state::GameState,
};

/// The index of a node in [`Tree`].
pub(super) type NodeId = u32;

/// A node of the tree: a state with the statistics of its actions.
pub(super) struct Node {
    pub state: GameState,
    /// For each role, its legal actions in ascending order. The actions of chance have no
    /// statistics. The list is empty in a state whose value is known.
    pub arms: Vec<Vec<ActionArm>>,
    /// The exact rewards of all roles, if they are known.
    pub end: Option<End>,
    /// The states that joint moves lead to. The key of a joint move consists of the indices of its
    /// actions.
    next: FxHashMap<Box<[u32]>, NodeId>,
}

/// The exact value of a state.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub rewards: Box<[f64]>,
    /// Whether the value comes from the cache of explored leaves.
    pub explored: bool,
}

impl End {
    /// Returns the value of an explored state.
    pub fn explored(state: &GameState, explored: &Explored) -> Option<Self> {
        explored.value(state).map(|value| Self {
            rewards: value.into(),
            explored: true,
        })
    }
}

impl Node {
    /// Returns the node that a joint move leads to, if it has been recorded.
    pub fn next(&self, places: &[u32]) -> Option<NodeId> {
        self.next.get(places).copied()
    }
}

/// A step from a state: the node, and the index of each role's action.
pub(super) struct WayStep {
    pub node: NodeId,
    pub places: Box<[u32]>,
}

/// The nodes, and the index of each state's node.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    index: FxHashMap<GameState, NodeId>,
    most_nodes: usize,
    chance: Option<usize>,
}

impl Tree {
    pub fn new(most_nodes: usize, chance: Option<usize>) -> Self {
        Self {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            most_nodes: most_nodes.max(1),
            chance,
        }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.index.clear();
    }

    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.most_nodes
    }

    /// Returns the node of a state, if there is one.
    pub fn find(&self, state: &GameState) -> Option<NodeId> {
        self.index.get(state).copied()
    }

    /// Adds a node for `state`, the walk's current state, if there is room.
    pub fn add(
        &mut self,
        walk: &GameWalk<'_>,
        state: GameState,
        end: Option<End>,
    ) -> Option<NodeId> {
        if self.is_full() {
            return None;
        }
        let roles = if end.is_some() { 0 } else { walk.roles() };
        let arms = |role| {
            let rewards = if Some(role) == self.chance { 0 } else { roles };
            walk.legal(role)
                .iter()
                .map(|&action| ActionArm::new(action, rewards))
                .collect()
        };
        let id = self.nodes.len() as NodeId;
        self.index.insert(state.clone(), id);
        self.nodes.push(Node {
            state,
            arms: (0..roles).map(arms).collect(),
            end,
            next: FxHashMap::default(),
        });
        Some(id)
    }

    /// Records the node that a step leads to.
    pub fn link(&mut self, step: &WayStep, to: NodeId) {
        self.nodes[step.node as usize]
            .next
            .insert(step.places.clone(), to);
    }

    /// Counts a playout along a path, and adds its rewards.
    pub fn add_playout(&mut self, way: &[WayStep], rewards: &[f64]) {
        for WayStep { node, places } in way {
            let arms = self.nodes[*node as usize].arms.iter_mut();
            for (role, (arms, &place)) in arms.zip(places).enumerate() {
                if Some(role) != self.chance {
                    let arm = &mut arms[place as usize];
                    arm.visits += 1;
                    add_scaled(&mut arm.sums, 1.0, rewards);
                }
            }
        }
    }
}
