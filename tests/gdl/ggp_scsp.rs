//! Games as constraint networks: the arms of a stage are the legal actions of the propositional network, and the next
//! state is its next state.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::propnet::{Machine, Propnet};
use mineflow_gdl::{GameState, Grounding, GroundingLimits, Sheet};
use mineflow_rng::Seed;
use mineflow_search::scsp::{End, Filtering, Method, NetworkSolver, Query, Variable};
use rand::RngExt;

use crate::files::repository;

/// A game with its stage.
struct Game {
    grounding: Grounding,
    net: Propnet,
    stage: GameNetwork,
    solver: NetworkSolver,
}

fn solver_of(stage: &GameNetwork, filtering: Filtering) -> NetworkSolver {
    let mut network = stage.network().clone();
    network.preprocess(filtering);
    NetworkSolver::new(network).unwrap()
}

impl Game {
    fn named(name: &str, filtering: Filtering) -> Self {
        let path = repository().join("pipelines/ggp").join(name).with_extension("kif");
        let sheet = Sheet::read(&fs::read_to_string(path).unwrap()).unwrap();
        let grounding = Grounding::new(&sheet, &GroundingLimits::default()).unwrap();
        let stage = GameNetwork::new(&grounding, Rules::Stage).unwrap();
        Self { net: Propnet::new(&grounding), solver: solver_of(&stage, filtering), grounding, stage }
    }

    fn given(&self, stage: &GameNetwork, state: &GameState) -> Vec<(Variable, u32)> {
        let mut given = Vec::new();
        stage.give(&self.grounding, state, &mut given);
        given
    }

    /// The actions of a role that some feasible policy contains.
    fn arms(&mut self, state: &GameState, role: usize, method: Method) -> Vec<usize> {
        let given = self.given(&self.stage, state);
        let wanted = [self.stage.action(role)];
        let query = Query { given: &given, wanted: &wanted, threshold: &[], method, nodes: u64::MAX, time: None };
        let mut arms = BTreeSet::new();
        let effort = self.solver.solve(&query, |values| {
            assert!(arms.insert(values[0] as usize), "an arm came twice");
            ControlFlow::Continue(())
        });
        assert_eq!(effort.end, End::Complete);
        arms.into_iter().collect()
    }

    /// The states that MAC finds for the next variables when the moves are given too.
    fn successors(&mut self, state: &GameState, joint: &[usize]) -> Vec<GameState> {
        let mut given = self.given(&self.stage, state);
        given.extend(joint.iter().enumerate().map(|(role, &action)| (self.stage.action(role), action as u32)));
        let query = Query {
            given: &given,
            wanted: self.stage.next(),
            threshold: &[],
            method: Method::Mac,
            nodes: u64::MAX,
            time: None,
        };
        let mut states = Vec::new();
        self.solver.solve(&query, |values| {
            states.push(self.stage.state(values));
            ControlFlow::Continue(())
        });
        states
    }

    /// One random playout in which the methods are asked for the arms of each state, and MAC for the state after it
    /// where chance has no say.
    fn playout(&mut self, net: &Propnet, seed: u64, methods: &[Method]) {
        let mut rng = Seed::new(seed).child("play-out", 0).rng();
        let mut machine = Machine::new(net);
        while !machine.is_terminal() {
            let state = machine.state();
            let mut joint = Vec::new();
            for role in 0..net.roles() {
                let legal: Vec<usize> = machine.legal(role).collect();
                if self.grounding.chance != Some(role) {
                    for &method in methods {
                        assert_eq!(self.arms(&state, role, method), legal, "{method:?}");
                    }
                }
                joint.push(legal[rng.random_range(0..legal.len())]);
            }
            machine.step(&joint);
            if self.grounding.chance.is_none() {
                assert_eq!(self.successors(&state, &joint), [machine.state()]);
            }
        }
    }

    fn playouts(&mut self, count: u64, methods: &[Method]) {
        let net = self.net.clone();
        (0..count).for_each(|seed| self.playout(&net, seed, methods));
    }
}

const BOTH: [Method; 2] = [Method::Mac, Method::ForwardChecking];

#[test]
fn feasible_policies_contain_the_legal_actions_of_small_games() {
    for name in ["tic-tac-toe", "matching-pennies"] {
        Game::named(name, Filtering::SingletonArc).playouts(20, &BOTH);
    }
}

#[test]
fn feasible_policies_contain_the_legal_actions_of_larger_games() {
    for name in ["connect-four", "hex"] {
        Game::named(name, Filtering::Arc).playouts(1, &[Method::Mac]);
    }
}
