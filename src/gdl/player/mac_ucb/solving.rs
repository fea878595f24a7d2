//! How MAC-UCB solves a stage: the arms of the roles that choose, what they lead to, and what of that is known at once.
//!
//! The rules list the legal actions, and each is part of a feasible policy: a solution of the `legal` and `next` rules alone
//! says nothing new. So the stage is joined with `terminal` and `goal` of the state that follows, and where one role moves
//! after another, with the stage that follows too: wins, moves that lose at once and ends have their value before anything is
//! sampled. With the state given, the constraints are a circuit; its evaluation, a lane each joint move, finds all solutions.

use std::ops::ControlFlow;
use std::time::Duration;

use super::stages::{Arm, Choice, NodeId, Stages, Turn, count_drawn};
use crate::grounding::Grounding;
use crate::network::GameNetwork;
use crate::player::explored::Explored;
use crate::player::walk::{GameWalk, choosers};
use crate::propnet::{Moves, Propnet, Successor, Successors};
use crate::state::GameState;
use mineflow_search::scsp::{End, Method, NetworkSolver, Query, Variable};

/// A chance stage with more values is not solved: its values are drawn.
const MOST_DRAWN: usize = 256;
/// Two stages are joined where the first has at most this many arms: the work grows with their square.
const MOST_JOINED: usize = 32;
/// If a move's budget is time and the joins of this many stages in a row found no value, one stage in [`STRIDE`] is joined.
const MOST_FRUITLESS: u32 = 64;
const STRIDE: u32 = 16;

/// Where the arms of a stage come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArmSource {
    /// The actions that feasible policies of the stage's constraint network contain, found by this method: MAC-UCB and FC-UCB.
    Network(Method),
    /// The legal actions as they are.
    Legal,
    /// The legal actions, joined with the goal rules on the states that they lead to.
    Goals,
    /// The same, joined with the stage that follows where that is not chance's and both are small.
    TwoStages,
}

impl ArmSource {
    /// Each by the name that is typed.
    pub(super) const NAMES: [(&'static str, Self); 3] =
        [("legal", Self::Legal), ("goals", Self::Goals), ("two-stages", Self::TwoStages)];

    /// The method by which the constraint network is solved, if it is.
    pub const fn method(self) -> Option<Method> {
        match self {
            Self::Network(method) => Some(method),
            _ => None,
        }
    }

    /// Whether stages are joined with what follows them.
    pub(super) const fn joins(self) -> bool {
        matches!(self, Self::Goals | Self::TwoStages)
    }
}

/// A game's stage network, preprocessed, for the arms of [`ArmSource::Network`].
pub struct StageNetwork<'n> {
    grounding: &'n Grounding,
    network: &'n GameNetwork,
    solver: NetworkSolver,
    given: Vec<(Variable, u32)>,
}

impl<'n> StageNetwork<'n> {
    /// `solver` answers for the network's preprocessed copy.
    pub const fn new(grounding: &'n Grounding, network: &'n GameNetwork, solver: NetworkSolver) -> Self {
        Self { grounding, network, solver, given: Vec::new() }
    }

    /// The actions of `role` that a feasible policy of the state contains, rising; none if the search met its limit.
    fn feasible(&mut self, state: &GameState, role: usize, method: Method, limit: Limit) -> Option<Vec<usize>> {
        let Self { grounding, network, solver, given } = self;
        given.clear();
        network.give(grounding, state, given);
        let wanted = [network.action(role)];
        let query = Query { given, wanted: &wanted, threshold: &[], method, nodes: limit.nodes, time: limit.time };
        let mut actions = Vec::new();
        let effort = solver.solve(&query, |values| {
            actions.push(values[0] as usize);
            ControlFlow::Continue(())
        });
        actions.sort_unstable();
        (effort.end == End::Complete).then_some(actions)
    }
}

/// What a search of the network may take.
#[derive(Clone, Copy)]
struct Limit {
    /// Branchings.
    nodes: u64,
    time: Option<Duration>,
}

/// Solves stages.
pub(super) struct StageSolver<'n> {
    network: Option<StageNetwork<'n>>,
    /// A search of the network stops after this many branchings.
    most_nodes: u64,
    successors: Successors<'n>,
    /// Stages since the last one whose value was found by joining it with what follows.
    fruitless: u32,
    /// Searches that met their limit: the legal actions stood in.
    pub(super) unsolved: u64,
}

/// What of a stage decides who moves.
struct Movers {
    /// Roles besides chance with several legal actions.
    choosers: Vec<usize>,
    /// Whether chance has several values.
    drawn: bool,
}

impl Movers {
    /// Who moves where each role has these legal actions.
    fn of(legal: &[Vec<usize>], chance: Option<usize>) -> Self {
        Self { choosers: choosers(legal, chance).collect(), drawn: chance.is_some_and(|role| legal[role].len() > 1) }
    }

    /// The role that alone decides what follows, if one does.
    fn alone(&self) -> Option<usize> {
        match (&self.choosers[..], self.drawn) {
            (&[role], false) => Some(role),
            _ => None,
        }
    }
}

impl<'n> StageSolver<'n> {
    pub(super) fn new(net: &'n Propnet, network: Option<StageNetwork<'n>>, most_nodes: u64) -> Self {
        Self { network, most_nodes, successors: Successors::new(net), fruitless: 0, unsolved: 0 }
    }

    /// Solves the stage of the state that `walk` looks at, each role's network in `time` at most. With `saves_time` most stages are left
    /// unjoined while joining finds no value.
    pub(super) fn solve(
        &mut self,
        walk: &GameWalk<'_>,
        source: ArmSource,
        (saves_time, time): (bool, Option<Duration>),
        stages: &mut Stages,
        explored: &mut Explored,
    ) -> Turn {
        let (state, legal) = (&walk.state(), walk.legal_of_all());
        let movers = Movers::of(legal, walk.chance);
        if movers.choosers.is_empty() {
            let values = walk.chance.map_or(1, |chance| legal[chance].len());
            let whole = source.joins() && values <= MOST_DRAWN;
            let mut drawn = Vec::new();
            if whole {
                let found = self.successors.of(Moves { state, legal, role: walk.chance });
                found.iter().for_each(|next| count_drawn(&mut drawn, follow(next, stages, explored)));
            }
            return Turn::Draw { drawn, whole };
        }
        let mut choices: Vec<Choice> = Vec::new();
        for &role in &movers.choosers {
            let legal = legal[role].clone();
            let actions = match (source, &mut self.network) {
                (ArmSource::Network(method), Some(network)) => {
                    network.feasible(state, role, method, Limit { nodes: self.most_nodes, time }).unwrap_or_else(|| {
                        self.unsolved += 1;
                        legal
                    })
                }
                _ => legal,
            };
            choices.push(Choice { role, arms: actions.into_iter().map(Arm::new).collect(), joined: false });
        }
        if movers.alone().is_none() {
            return Turn::Mixed(choices);
        }
        let mut choice = choices.pop().expect("one role chooses");
        self.fruitless = self.fruitless.saturating_add(1);
        let worth_it = !saves_time || self.fruitless <= MOST_FRUITLESS || self.fruitless.is_multiple_of(STRIDE);
        if source.joins() && worth_it {
            self.join(walk, source, &mut choice, stages, explored);
        }
        Turn::Choice(choice)
    }

    /// Joins the stage of the state that `walk` looks at with the stages that follow, as far as `source` says.
    pub(super) fn join(
        &mut self,
        walk: &GameWalk<'_>,
        source: ArmSource,
        choice: &mut Choice,
        stages: &mut Stages,
        explored: &mut Explored,
    ) {
        choice.joined = true;
        let found =
            self.successors.of(Moves { state: &walk.state(), legal: walk.legal_of_all(), role: Some(choice.role) });
        for (arm, next) in choice.arms.iter_mut().zip(&found) {
            arm.child = Some(follow(next, stages, explored));
        }
        if source == ArmSource::TwoStages && found.len() <= MOST_JOINED {
            self.look_ahead(&choice.arms, &found, walk.chance, stages, explored);
        }
        if choice.arms.iter().any(|arm| stages.estimate(arm, choice.role).known) {
            self.fruitless = 0;
        }
    }

    /// Settles the states, of those that `arms` lead to, in which the one role with a choice has an action worth all there is,
    /// or all actions are ends.
    fn look_ahead(
        &mut self,
        arms: &[Arm],
        found: &[Successor],
        chance: Option<usize>,
        stages: &mut Stages,
        explored: &mut Explored,
    ) {
        let open = arms.iter().zip(found).filter_map(|(arm, next)| {
            let id = arm.child?;
            let node = stages.node(id);
            let stuck = next.legal.iter().any(Vec::is_empty);
            let role = Movers::of(&next.legal, chance).alone().filter(|_| !stuck)?;
            let moves = Moves { state: &next.state, legal: &next.legal, role: Some(role) };
            (!node.known && node.stage.is_none()).then_some((id, role, moves))
        });
        let open: Vec<(NodeId, usize, Moves<'_>)> = open.collect();
        let moves: Vec<Moves<'_>> = open.iter().map(|&(.., moves)| moves).collect();
        let goals = self.successors.goals_of(&moves);
        let mut goals = &goals[..];
        for (id, role, moves) in open {
            let (of_state, others) = goals.split_at(moves.legal[role].len());
            goals = others;
            let best = of_state.iter().enumerate().filter_map(|(place, goals)| Some((place, goals.as_deref()?)));
            let Some((place, best)) = best.reduce(|one, other| if other.1[role] > one.1[role] { other } else { one })
            else {
                continue;
            };
            let value = rewards(best);
            if explored.proves() && value[role] >= Explored::HIGHEST || of_state.iter().all(Option::is_some) {
                stages.settle(id, &value);
                explored.settle(moves.state, &value, place);
            }
        }
    }
}

/// The node of a state that follows; a terminal one has its goals.
fn follow(next: &Successor, stages: &mut Stages, explored: &Explored) -> NodeId {
    let id = stages.of(&next.state, explored);
    if let Some(goals) = &next.goals {
        stages.settle(id, &rewards(goals));
    }
    id
}

/// Goals by 100.
fn rewards(goals: &[u8]) -> Box<[f64]> {
    goals.iter().map(|&points| f64::from(points) / 100.0).collect()
}
