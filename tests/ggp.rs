//! Games by their rule sheets: the network against the interpreter, published counts, bad sheets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mineflow::ggp::perft::{Count, perft};
use mineflow::ggp::propnet::{Machine, Propnet, State};
use mineflow::ggp::{Grounding, Interpreter, Limits, Sheet};
use mineflow::rng::Seed;
use rand::Rng as _;

fn sheet_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp").join(name).with_extension("kif")
}

struct Game {
    sheet: Sheet,
    grounding: Grounding,
    net: Propnet,
}

impl Game {
    fn of(text: &str) -> Self {
        let sheet = Sheet::read(text).expect("the sheet is sound");
        let grounding = Grounding::new(&sheet, &Limits::default()).expect("the sheet can be grounded");
        let net = Propnet::new(&grounding);
        Self { sheet, grounding, net }
    }

    fn named(name: &str) -> Self {
        Self::of(&fs::read_to_string(sheet_of(name)).expect("the sheet can be read"))
    }

    fn action(&self, role: usize, action: usize) -> String {
        self.grounding.terms.show(self.grounding.actions[role][action]).to_string()
    }

    /// The fluents that hold in `state`, those that always do among them.
    fn fluents(&self, state: &State) -> BTreeSet<String> {
        let holding = (0..self.grounding.fluents.len()).filter(|&fluent| state.holds(fluent));
        let terms = holding.map(|fluent| self.grounding.fluents[fluent].term).chain(self.grounding.constants.clone());
        terms.map(|term| self.grounding.terms.show(term).to_string()).collect()
    }

    /// Random play-outs by the network and by the interpreter side by side, at most `steps` steps in all.
    fn agrees_with_the_interpreter(&self, steps: usize, seed: u64) {
        let mut rng = Seed::new(seed).rng();
        let mut left = steps;
        while left > 0 {
            let mut machine = Machine::new(&self.net);
            let mut interpreter = Interpreter::new(&self.sheet).expect("the sheet can be evaluated");
            loop {
                let verdict = interpreter.verdict();
                assert_eq!(self.fluents(&machine.state()), interpreter.state().into_iter().collect());
                assert_eq!(machine.is_terminal(), verdict.terminal);
                for role in 0..self.net.roles() {
                    let mut goals: Vec<_> = machine.goals(role).iter().map(u8::to_string).collect();
                    goals.sort();
                    assert_eq!(goals, verdict.goals[role]);
                }
                if verdict.terminal || left == 0 {
                    break;
                }
                left -= 1;
                let mut joint = Vec::new();
                let mut names = Vec::new();
                for role in 0..self.net.roles() {
                    let legal: Vec<_> = machine.legal(role).collect();
                    let mut texts: Vec<_> = legal.iter().map(|&action| self.action(role, action)).collect();
                    let choice = (rng.next_u64() % legal.len() as u64) as usize;
                    joint.push(legal[choice]);
                    names.push(texts[choice].clone());
                    texts.sort();
                    assert_eq!(texts, verdict.legal[role]);
                }
                machine.step(&joint);
                interpreter.step(&names.iter().map(String::as_str).collect::<Vec<_>>()).expect("it has room");
            }
        }
    }

    fn lines(&self, depth: usize) -> u64 {
        perft(&self.net, Count::Lines { depth })
    }

    /// The number of ways to play the game to its end.
    fn games(&self) -> u64 {
        perft(&self.net, Count::Games { depth: usize::MAX })
    }
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let game = Game::named("tic-tac-toe");
    assert_eq!(game.games(), 255_168);
    game.agrees_with_the_interpreter(300, 1);
}

#[test]
fn othello_has_the_published_counts_of_lines() {
    let game = Game::named("othello");
    assert_eq!([1, 2, 3, 4, 5, 6].map(|depth| game.lines(depth)), [4, 12, 56, 244, 1396, 8200]);
    game.agrees_with_the_interpreter(60, 1);
}

#[test]
fn connect_four_has_the_published_counts_of_lines() {
    let game = Game::named("connect-four");
    // Up to seven plies: 7^7 lines less those that fill a column, which John Tromp's counts of positions imply.
    assert_eq!([1, 2, 3, 4, 5, 6].map(|depth| game.lines(depth)), [7, 49, 343, 2401, 16807, 117_649]);
    assert_eq!(game.lines(7), 823_536);
    game.agrees_with_the_interpreter(100, 1);
}

#[test]
fn hex_and_matching_pennies_agree_with_the_interpreter() {
    Game::named("hex").agrees_with_the_interpreter(80, 1);
    let pennies = Game::named("matching-pennies");
    assert_eq!(pennies.games(), 8);
    pennies.agrees_with_the_interpreter(40, 1);
}
