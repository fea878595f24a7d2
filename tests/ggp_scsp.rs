//! Games as constraint networks: the same states, moves and goals as by the propositional network.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use mineflow::ggp::propnet::{Machine, Propnet, State};
use mineflow::ggp::scsp::{Rules, StageNetwork};
use mineflow::ggp::{Grounding, Limits, Sheet};
use mineflow::rng::Seed;
use mineflow::scsp::{End, Filtering, Method, Query, Solver, Variable};
use rand::RngExt;

/// A game with both engines.
struct Game {
    grounding: Grounding,
    net: Propnet,
    stage: StageNetwork,
    solver: Solver,
    last: StageNetwork,
    last_solver: Solver,
}

fn solver_of(stage: &StageNetwork, filtering: Filtering) -> Solver {
    let mut network = stage.network().clone();
    network.preprocess(filtering).unwrap();
    Solver::new(network).unwrap()
}

impl Game {
    fn named(name: &str, filtering: Filtering) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp").join(name).with_extension("kif");
        let sheet = Sheet::read(&fs::read_to_string(path).unwrap()).unwrap();
        let grounding = Grounding::new(&sheet, &Limits::default()).unwrap();
        let stage = StageNetwork::new(&grounding, Rules::Stage).unwrap();
        let last = StageNetwork::new(&grounding, Rules::Goals).unwrap();
        Self {
            net: Propnet::new(&grounding),
            solver: solver_of(&stage, filtering),
            last_solver: solver_of(&last, filtering),
            grounding,
            stage,
            last,
        }
    }

    fn given(&self, stage: &StageNetwork, state: &State) -> Vec<(Variable, u32)> {
        let mut given = Vec::new();
        stage.give(&self.grounding, state, &mut given);
        given
    }

    /// The actions of a role that some feasible policy contains.
    fn arms(&mut self, state: &State, role: usize, method: Method) -> Vec<usize> {
        let given = self.given(&self.stage, state);
        let wanted = [self.stage.action(role)];
        let query = Query { given: &given, wanted: &wanted, threshold: &[], method, nodes: u64::MAX };
        let mut arms = BTreeSet::new();
        let effort = self.solver.solve(&query, |values| {
            assert!(arms.insert(values[0] as usize), "an arm came twice");
            ControlFlow::Continue(())
        });
        assert_eq!(effort.end, End::Complete);
        arms.into_iter().collect()
    }

    fn check_goals(&mut self, machine: &mut Machine) {
        let given = self.given(&self.last, &machine.state());
        let mut values = Vec::new();
        for role in 0..self.net.roles() {
            let goals = self.last.goals(role).to_vec();
            let wanted = goals.iter().map(|&(_, x)| x).chain([self.last.terminal()]);
            assert!(self.last_solver.consequences(&given, wanted, &mut values));
            assert_eq!(values.pop(), Some(Some(u32::from(machine.is_terminal()))));
            let mut points: Vec<u8> = goals
                .iter()
                .zip(&values)
                .filter(|(_, value)| **value == Some(1))
                .map(|(&(points, _), _)| points)
                .collect();
            points.sort_unstable();
            let mut expected = machine.goals(role);
            expected.sort_unstable();
            assert!(values.iter().all(Option::is_some));
            assert_eq!(points, expected);
        }
    }

    /// One random play-out by both engines; the methods are asked for the arms of each state.
    fn play_out(&mut self, net: &Propnet, seed: u64, methods: &[Method]) -> usize {
        let mut rng = Seed::new(seed).child("play-out", 0).rng();
        let mut machine = Machine::new(net);
        let mut values = Vec::new();
        let mut steps = 0;
        loop {
            self.check_goals(&mut machine);
            let state = machine.state();
            let mut given = self.given(&self.stage, &state);
            if machine.is_terminal() {
                return steps;
            }
            assert!(self.solver.consequences(&given, [self.stage.terminal()], &mut values));
            assert_eq!(values, [Some(0)]);
            let mut joint = Vec::new();
            for role in 0..net.roles() {
                let legal: Vec<usize> = machine.legal(role).collect();
                assert!(self.solver.consequences(&given, self.stage.legal(role).iter().copied(), &mut values));
                let said: Vec<usize> = (0..values.len()).filter(|&action| values[action].unwrap() == 1).collect();
                assert_eq!(said, legal);
                if self.grounding.chance != Some(role) {
                    for &method in methods {
                        assert_eq!(self.arms(&state, role, method), legal, "{method:?}");
                    }
                }
                joint.push(legal[rng.random_range(0..legal.len())]);
            }
            given.extend(joint.iter().enumerate().map(|(role, &action)| (self.stage.action(role), action as u32)));
            assert!(self.solver.consequences(&given, self.stage.next().iter().copied(), &mut values));
            let next: Vec<u32> = values.iter().map(|value| value.expect("moves decide the next state")).collect();
            machine.step(&joint);
            assert_eq!(self.stage.state(&next), machine.state());
            steps += 1;
        }
    }

    fn play_outs(&mut self, count: u64, methods: &[Method]) -> usize {
        let net = self.net.clone();
        (0..count).map(|seed| self.play_out(&net, seed, methods)).sum()
    }
}

const BOTH: [Method; 2] = [Method::Mac, Method::ForwardChecking];

#[test]
fn engines_agree_on_small_games() {
    for name in ["tic-tac-toe", "matching-pennies"] {
        Game::named(name, Filtering::SingletonArc).play_outs(20, &BOTH);
    }
}

#[test]
fn engines_agree_on_larger_games() {
    for name in ["connect-four", "hex"] {
        Game::named(name, Filtering::Arc).play_outs(1, &[Method::Mac]);
    }
}

/// `cargo test --release -- --ignored --nocapture engines_agree_on_every_game`
#[test]
#[ignore = "minutes"]
fn engines_agree_on_every_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names {
        let start = cpu_time::ThreadTime::now();
        let mut game = Game::named(&name, Filtering::Arc);
        let built = start.elapsed().as_secs_f64();
        let steps = game.play_outs(20, &[Method::Mac]);
        println!(
            "{name}: built in {built:.2} s, 20 play-outs with {steps} steps in {:.2} s",
            start.elapsed().as_secs_f64()
        );
    }
}
