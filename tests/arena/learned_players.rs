//! Players that ask a model, in the arena.

use std::sync::atomic::AtomicBool;

use mineflow_arena::{Arena, Configuration, Part, Plan};
use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::{Limits, versions};
use mineflow_rng::Seed;

use crate::tiny_models;

/// The versions that ask a model.
fn learned_versions() -> Vec<&'static str> {
    let names: Vec<_> = versions()
        .iter()
        .map(|version| version.name)
        .filter(|name| matches!(*name, "5.0" | "5.5" | "6.0" | "6.5"))
        .collect();
    assert_eq!(names.len(), 4);
    names
}

#[test]
fn one_and_two_threads_give_learned_players_the_same_games() {
    let play = |threads| {
        let configurations = learned_versions()
            .into_iter()
            .map(|name| Configuration {
                player: tiny_models::player(name),
                board: "9x9/10".parse().unwrap(),
                first_click: FirstClick::Safe,
                value_model: None,
            })
            .collect();
        let plan = Plan {
            configurations,
            games: 200,
            part: Part::WHOLE,
            seed: Seed::new(6),
            limits: Limits::default(),
            sprt: None,
            threads,
        };
        let mut arena = Arena::in_memory(plan);
        arena.play(&AtomicBool::new(false), &mut |_| ()).unwrap();
        let won = |tally: &mineflow_arena::Tally| (tally.won().to_vec(), tally.guesses);
        arena.ledger().tallies().iter().map(won).collect::<Vec<_>>()
    };
    assert_eq!(play(1), play(2));
}
