//! The graph of the stages that MAC-UCB has solved, with the states that their arms lead to and the
//! values of these states.
//!
//! A state has one node, whichever path reaches it. Where one role alone chooses, an inexact value
//! is the mean over the samples, or the best exactly known value if that is higher. Where no role
//! chooses, the value is the expectation over chance.

use rustc_hash::FxHashMap;

use super::line::Picked;
use crate::{player::explored::Explored, state::GameState};

/// The index of a node in [`Stages`].
pub(super) type NodeId = u32;

/// A state, or the result of an action that does not determine the next state alone.
pub(super) struct Node {
    /// The state; `None` if the node represents an action whose effect also depends on other roles
    /// or chance.
    pub state: Option<GameState>,
    pub visits: u64,
    /// For each role, the mean reward, or the exact reward if `known` is true.
    pub value: Box<[f64]>,
    pub known: bool,
    pub stage: Option<Stage>,
}

impl Node {
    /// Returns whether the value is the mean of the samples through the node, rather than backed up
    /// from the node's children.
    pub fn is_sampled(&self) -> bool {
        !self.known
            && self
                .stage
                .as_ref()
                .is_none_or(|stage| matches!(stage.turn, Turn::Mixed(_)))
    }
}

/// The stage of a state, after it has been solved.
pub(super) struct Stage {
    pub samples: u64,
    pub turn: Turn,
    /// The number and the mean reward of the samples from before the stage was solved.
    pub before: (u64, Box<[f64]>),
}

/// The kind of the stage, which says who determines the next state.
pub(super) enum Turn {
    /// One role alone chooses the next state.
    Choice(Choice),
    /// Chance alone determines the next state, or the next state is fixed. The list contains the
    /// next states drawn so far, with their counts.
    Draw(Vec<(NodeId, u64)>),
    /// Several roles choose simultaneously, or a role and chance determine the next state together.
    Mixed(Vec<Choice>),
}

impl Turn {
    /// Returns the roles that choose.
    pub fn choices(&self) -> &[Choice] {
        match self {
            Self::Choice(choice) => std::slice::from_ref(choice),
            Self::Draw(_) => &[],
            Self::Mixed(choices) => choices,
        }
    }
}

/// A role that chooses, and its arms.
pub(super) struct Choice {
    pub role: usize,
    pub arms: Vec<Arm>,
}

/// An arm: a feasible action of a role.
pub(super) struct Arm {
    pub action: usize,
    pub child: Option<NodeId>,
    /// The number of lines through this arm from this stage. The child's own count also includes
    /// lines from other stages.
    pub visits: u64,
    /// The number of the move at which the arm was last cut, counted from 1; 0 if the arm was never
    /// cut.
    pub cut_at: u64,
}

impl Arm {
    pub const fn new(action: usize) -> Self {
        Self {
            action,
            child: None,
            visits: 0,
            cut_at: 0,
        }
    }
}

/// The estimated value of an arm for a role.
#[derive(Clone, Copy)]
pub(super) struct ArmEstimate {
    pub value: f64,
    /// The number of visits of the arm's child.
    pub visits: u64,
    /// Whether the value is exact.
    pub known: bool,
}

/// The nodes of the graph.
pub(super) struct Stages {
    pub nodes: Vec<Node>,
    of_state: FxHashMap<GameState, NodeId>,
    pub roles: usize,
    most: usize,
}

impl Stages {
    pub fn new(roles: usize, most: usize) -> Self {
        Self {
            nodes: Vec::new(),
            of_state: FxHashMap::default(),
            roles,
            most,
        }
    }

    pub const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the maximum number of nodes is reached.
    pub const fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.of_state.clear();
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the choice of a solved stage in which one role alone chooses.
    pub fn sole_choice(&self, id: NodeId) -> Option<&Choice> {
        match &self.node(id).stage.as_ref()?.turn {
            Turn::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    pub fn sole_choice_mut(&mut self, id: NodeId) -> Option<&mut Choice> {
        match &mut self.nodes[id as usize].stage.as_mut()?.turn {
            Turn::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Records that the picked arms, one of each role that chooses, led to `next`. Returns the
    /// nodes of the arms if they do not lead to a single state, and creates those that are missing.
    pub fn enter(&mut self, id: NodeId, picked: &[Picked], next: NodeId) -> Vec<NodeId> {
        let first_new = self.nodes.len() as NodeId;
        let stage = self.nodes[id as usize].stage.as_mut();
        match stage.map(|stage| &mut stage.turn) {
            None => {}
            Some(Turn::Choice(choice)) => choice.arms[picked[0].place].child = Some(next),
            Some(Turn::Draw(drawn)) => match drawn.iter_mut().find(|(id, _)| *id == next) {
                Some((_, times)) => *times += 1,
                None => drawn.push((next, 1)),
            },
            Some(Turn::Mixed(choices)) => {
                let mut end = first_new;
                let mut child = |(choice, arm): (&mut Choice, &Picked)| {
                    *choice.arms[arm.place].child.get_or_insert_with(|| {
                        end += 1;
                        end - 1
                    })
                };
                let arms = choices.iter_mut().zip(picked).map(&mut child).collect();
                for _ in first_new..end {
                    self.add(None);
                }
                return arms;
            }
        }
        Vec::new()
    }

    /// Returns the node of a state, and creates the node if it is missing.
    pub fn of(&mut self, state: &GameState, explored: &Explored) -> NodeId {
        if let Some(&id) = self.of_state.get(state) {
            return id;
        }
        let id = self.add(Some(state.clone()));
        self.of_state.insert(state.clone(), id);
        self.look_up(id, explored);
        id
    }

    /// Adds a new node for the given state, or for an action if there is no state.
    pub fn add(&mut self, state: Option<GameState>) -> NodeId {
        let value = vec![0.0; self.roles].into();
        self.nodes.push(Node {
            state,
            visits: 0,
            value,
            known: false,
            stage: None,
        });
        (self.nodes.len() - 1) as NodeId
    }

    /// Sets the exact value of a node.
    pub fn settle(&mut self, id: NodeId, value: &[f64]) {
        let node = &mut self.nodes[id as usize];
        node.value.copy_from_slice(value);
        node.known = true;
    }

    /// Copies the exact value of a node's state from the cache, if the cache contains it.
    pub fn look_up(&mut self, id: NodeId, explored: &Explored) {
        let node = &self.nodes[id as usize];
        if !node.known
            && let Some(value) = node.state.as_ref().and_then(|state| explored.value(state))
        {
            self.settle(id, value);
        }
    }

    /// Returns the estimated value of each arm of a choice for the choosing role.
    pub fn estimates(&self, choice: &Choice) -> Vec<ArmEstimate> {
        let estimate = |arm: &Arm| {
            let node = arm.child.map(|child| self.node(child));
            ArmEstimate {
                value: node.map_or(0.0, |node| node.value[choice.role]),
                visits: node.map_or(0, |node| node.visits),
                known: node.is_some_and(|node| node.known),
            }
        };
        choice.arms.iter().map(estimate).collect()
    }

    /// Stores the stage of a node.
    pub fn solved(&mut self, id: NodeId, turn: Turn) {
        let node = &mut self.nodes[id as usize];
        node.stage = Some(Stage {
            samples: 0,
            turn,
            before: (node.visits, node.value.clone()),
        });
    }

    /// Counts a line from a stage. If one role alone chooses, the line is also counted for the arm at
    /// `place`.
    pub fn count_line(&mut self, id: NodeId, place: Option<usize>) {
        let Some(stage) = &mut self.nodes[id as usize].stage else {
            return;
        };
        stage.samples += 1;
        if let (Turn::Choice(choice), Some(place)) = (&mut stage.turn, place) {
            choice.arms[place].visits += 1;
        }
    }
}
