//! Tests of games as constraint networks: the arms of a stage are the legal actions of the propositional network.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::propnet::{Machine, Propnet};
use mineflow_gdl::{Grounding, GroundingLimits, Sheet};
use mineflow_rng::Seed;
use mineflow_search::scsp::{End, Filtering, Method, NetworkSolver, Query};
use rand::RngExt;

use crate::files::repository;

/// Runs random playouts of a game and checks in each state that each method computes the legal actions of each role as arms.
fn arms_are_the_legal_actions(name: &str, filtering: Filtering, methods: &[Method], playouts: u64) {
    let path = repository()
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif");
    let sheet = Sheet::read(&fs::read_to_string(path).unwrap()).unwrap();
    let grounding = Grounding::new(&sheet, &GroundingLimits::default()).unwrap();
    let stage = GameNetwork::new(&grounding, Rules::Stage).unwrap();
    let mut network = stage.network().clone();
    network.preprocess(filtering);
    let (net, mut solver) = (
        Propnet::new(&grounding),
        NetworkSolver::new(network).unwrap(),
    );
    for seed in 0..playouts {
        let mut rng = Seed::new(seed).child("play-out", 0).rng();
        let mut machine = Machine::new(&net);
        while !machine.is_terminal() {
            let mut given = Vec::new();
            stage.give(&grounding, &machine.state(), &mut given);
            let mut joint = Vec::new();
            for role in 0..net.roles() {
                let legal: Vec<usize> = machine.legal(role).collect();
                let wanted = [stage.action(role)];
                for &method in methods.iter().filter(|_| grounding.chance != Some(role)) {
                    let query = Query {
                        given: &given,
                        wanted: &wanted,
                        threshold: &[],
                        method,
                        nodes: u64::MAX,
                        time: None,
                    };
                    let mut arms = BTreeSet::new();
                    let effort = solver.solve(&query, |values| {
                        assert!(arms.insert(values[0] as usize), "an arm came twice");
                        ControlFlow::Continue(())
                    });
                    assert_eq!(effort.end, End::Complete);
                    assert!(
                        arms.into_iter().eq(legal.iter().copied()),
                        "{name}, {method:?}"
                    );
                }
                joint.push(legal[rng.random_range(0..legal.len())]);
            }
            machine.step(&joint);
        }
    }
}

#[test]
fn feasible_policies_contain_the_legal_actions() {
    for name in ["tic-tac-toe", "matching-pennies"] {
        arms_are_the_legal_actions(
            name,
            Filtering::SingletonArc,
            &[Method::Mac, Method::ForwardChecking],
            20,
        );
    }
    for name in ["connect-four", "hex"] {
        arms_are_the_legal_actions(name, Filtering::Arc, &[Method::Mac], 1);
    }
}
