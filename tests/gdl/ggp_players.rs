//! Tests of players of rule sheets: the moves that they find, and matches between them.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::player::{
    Explored, GameWalk, GdlPlayer, MacUcbPlayer, MacUcbSettings, MoveBudget, PlayerRecipe,
    StageNetwork, UctPlayer, UctSettings,
};
use mineflow_gdl::propnet::Propnet;
use mineflow_gdl::{GameState, Grounding, GroundingLimits, Sheet};
use mineflow_rng::{Rng, Seed};
use mineflow_search::scsp::{Method, NetworkSolver};

use crate::files::{assert_has, read_text, repository};

fn sheet_of(name: &str) -> PathBuf {
    repository()
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif")
}

fn grounding_of(name: &str) -> Grounding {
    let sheet = Sheet::read(&read_text(sheet_of(name))).unwrap();
    Grounding::new(&sheet, &GroundingLimits::default()).unwrap()
}

/// A game with a solver for its stages.
struct Solved {
    grounding: Grounding,
    net: Propnet,
    stage: GameNetwork,
    solver: NetworkSolver,
}

impl Solved {
    fn named(game: &str) -> Self {
        let grounding = grounding_of(game);
        let stage = GameNetwork::new(&grounding, Rules::Stage).unwrap();
        let mut network = stage.network().clone();
        network.preprocess();
        Self {
            net: Propnet::new(&grounding),
            solver: NetworkSolver::new(network),
            grounding,
            stage,
        }
    }

    fn player(&self, settings: MacUcbSettings) -> MacUcbPlayer<'_> {
        let network = StageNetwork::new(&self.grounding, &self.stage, self.solver.clone());
        MacUcbPlayer::new(&self.net, self.grounding.chance, network, settings)
    }

    fn table(&self) -> GameWalk<'_> {
        GameWalk::new(&self.net, self.grounding.chance, 100)
    }

    fn cache(&self, most: usize) -> Explored {
        Explored::new(self.grounding.chance, most)
    }

    /// Returns a state in which one role has a choice, after this many random steps, or `None` if
    /// the game ended earlier.
    fn position(&self, steps: usize, rng: &mut Rng) -> Option<(GameState, usize)> {
        let mut table = self.table();
        table.start();
        while !table.is_terminal() && (table.steps() < steps || table.choosers().count() != 1) {
            table.step(|_| None, rng);
        }
        let role = table.choosers().next()?;
        (!table.is_terminal()).then(|| (table.state(), role))
    }
}

/// Exact values by recursion over the rules. A role with a choice takes its best action, and the
/// value of a chance event is the mean over its outcomes.
struct Exact<'a> {
    table: GameWalk<'a>,
    chance: Option<usize>,
    known: HashMap<GameState, Vec<f64>>,
    rng: Rng,
}

impl Exact<'_> {
    fn value(&mut self, state: &GameState) -> Vec<f64> {
        if let Some(value) = self.known.get(state) {
            return value.clone();
        }
        self.table.look_at(state);
        if self.table.is_terminal() {
            return self.table.rewards().to_vec();
        }
        let chooser = self.table.choosers().next();
        let role = chooser.or(self.chance).unwrap_or(0);
        let values: Vec<Vec<f64>> = self
            .table
            .legal(role)
            .to_vec()
            .into_iter()
            .map(|action| self.after(state, role, action))
            .collect();
        let value = match chooser {
            Some(_) => values.into_iter().reduce(|best, value| {
                if value[role] > best[role] {
                    value
                } else {
                    best
                }
            }),
            None => Some(
                (0..values[0].len())
                    .map(|role| {
                        values.iter().map(|value| value[role]).sum::<f64>() / values.len() as f64
                    })
                    .collect(),
            ),
        };
        let value = value.unwrap();
        self.known.insert(state.clone(), value.clone());
        value
    }

    fn after(&mut self, state: &GameState, role: usize, action: usize) -> Vec<f64> {
        self.table.look_at(state);
        self.table
            .step(|other| (other == role).then_some(action), &mut self.rng);
        let next = self.table.state();
        self.value(&next)
    }
}

impl Solved {
    fn exact(&self) -> Exact<'_> {
        let rng = Seed::new(0).rng();
        Exact {
            table: self.table(),
            chance: self.grounding.chance,
            known: HashMap::new(),
            rng,
        }
    }

    /// Returns the mean regret of MAC-UCB's choices, in rewards, compared with the best action of
    /// each position.
    fn regret(&self, positions: &[(GameState, usize)], samples: u64, exact: &mut Exact<'_>) -> f64 {
        let mut sum = 0.0;
        for (seed, (state, role)) in positions.iter().enumerate() {
            let mut rng = Seed::new(seed as u64).child("choice", samples).rng();
            let mut player = self.player(MacUcbSettings::default());
            let action = player.choose(
                state,
                *role,
                MoveBudget::Playouts(samples),
                &mut self.cache(1_000_000),
                &mut rng,
            );
            sum += exact.value(state)[*role] - exact.after(state, *role, action)[*role];
        }
        sum / positions.len() as f64
    }
}

#[test]
fn explored_states_have_exact_values_and_players_play_them_optimally() {
    let game = Solved::named("tic-tac-toe");
    let mut exact = game.exact();
    let (mut decided, mut drawn, mut known) = (0, 0, 0);
    for seed in 0..12 {
        let mut rng = Seed::new(seed).child("position", 0).rng();
        let (state, role) = game.position(4, &mut rng).unwrap();
        let expected = exact.value(&state);
        if expected[0] == 0.5 {
            drawn += 1
        } else {
            decided += 1
        }
        let mac = |method| {
            game.player(MacUcbSettings {
                method,
                ..MacUcbSettings::default()
            })
        };
        let players: [Box<dyn GdlPlayer>; 3] = [
            Box::new(UctPlayer::new(game.table(), UctSettings::default())),
            Box::new(mac(Method::Mac)),
            Box::new(mac(Method::ForwardChecking)),
        ];
        for mut player in players {
            let mut explored = game.cache(100_000);
            let budget = MoveBudget::Playouts(20_000);
            let action = player.choose(&state, role, budget, &mut explored, &mut rng);
            if let Some(value) = explored.value(&state) {
                assert_eq!(value, expected);
                known += 1;
            }
            assert_eq!(exact.after(&state, role, action)[role], expected[role]);
        }
    }
    assert!(
        decided > 2 && drawn > 0 && known > 5,
        "{decided} decided, {drawn} drawn, {known} explored as a whole"
    );
}

#[test]
fn arms_are_cut_by_their_confidence() {
    let game = Solved::named("tic-tac-toe");
    let (state, role) = game.position(2, &mut Seed::new(5).rng()).unwrap();
    let mut player = game.player(MacUcbSettings::default());
    let budget = MoveBudget::Playouts(20_000);
    player.choose(
        &state,
        role,
        budget,
        &mut Explored::new(None, 0),
        &mut Seed::new(1).rng(),
    );
    assert!(player.effort().confidence_cuts > 0);
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that moves on by a millisecond at each reading.
fn ticking() -> Duration {
    READINGS.set(READINGS.get() + 1);
    Duration::from_millis(READINGS.get())
}

/// Checks with a clock that moves only when it is read that a player reads it between samples and
/// while it solves a stage: a move of 100 ms ends within a few readings after the hundredth.
#[test]
fn the_clock_is_read_between_samples_and_inside_solving() {
    for (solving_share, least_samples) in [(0.0, 20), (1.0, 1)] {
        let game = Solved::named("hex");
        let settings = MacUcbSettings {
            solving_share,
            ..MacUcbSettings::default()
        };
        let mut player = game.player(settings).with_clock(ticking);
        let mut explored = game.cache(1_000_000);
        let mut rng = Seed::new(1).rng();
        let (state, role) = game.position(0, &mut rng).unwrap();
        READINGS.set(0);
        let time = MoveBudget::Time(Duration::from_millis(100));
        player.choose(&state, role, time, &mut explored, &mut rng);
        let (readings, effort) = (READINGS.get(), player.effort());
        assert!((101..110).contains(&readings), "{readings}");
        assert!(effort.samples >= least_samples, "{effort:?}");
    }
}

#[test]
fn regret_falls_as_the_budget_grows() {
    for (game, steps, budgets) in [
        ("tic-tac-toe", 3, [2, 20, 200]),
        ("kaseklau", 6, [3, 30, 1000]),
    ] {
        let game = (game, Solved::named(game));
        let mut rng = Seed::new(3).rng();
        let positions: Vec<_> = std::iter::from_fn(|| Some(game.1.position(steps, &mut rng)))
            .flatten()
            .take(60)
            .collect();
        let mut exact = game.1.exact();
        let regrets = budgets.map(|samples| game.1.regret(&positions, samples, &mut exact));
        let [few, more, most] = regrets;
        assert!(
            few > more && more > most && most < few / 3.0,
            "{}: {regrets:?}",
            game.0
        );
    }
}

#[test]
fn a_state_with_a_winning_move_is_unknown_until_its_subtree_is_explored() {
    let game = Solved::named("tic-tac-toe");
    let mut rng = Seed::new(8).rng();
    let mut exact = game.exact();
    let positions = std::iter::from_fn(|| Some(game.position(3, &mut rng))).flatten();
    let won: Vec<_> = positions
        .filter(|(state, role)| exact.value(state)[*role] == 1.0)
        .take(8)
        .collect();
    let known = |playouts: u64| {
        let known = |(state, role): &&(GameState, usize)| {
            let mut explored = game.cache(1_000_000);
            let mut player = game.player(MacUcbSettings::default());
            player.choose(
                state,
                *role,
                MoveBudget::Playouts(playouts),
                &mut explored,
                &mut Seed::new(1).rng(),
            );
            explored.value(state).is_some()
        };
        won.iter().filter(known).count()
    };
    let (few, many) = (known(60), known(20_000));
    assert!(
        few == 0 && many > 0,
        "{few} known after few playouts, {many} after many"
    );
}

#[test]
fn the_memory_of_players_is_bounded() {
    let game = Solved::named("tic-tac-toe");
    let mut rng = Seed::new(1).rng();
    let (state, role) = game.position(0, &mut rng).unwrap();
    for (most_stages, most_explored) in [(50, 100_000), (1_000_000, 300), (1, 1)] {
        let mut explored = game.cache(most_explored);
        let mut player = game.player(MacUcbSettings {
            most_stages,
            ..MacUcbSettings::default()
        });
        for _ in 0..3 {
            player.choose(
                &state,
                role,
                MoveBudget::Playouts(500),
                &mut explored,
                &mut rng,
            );
            assert!(explored.held() <= most_explored);
            // The player stores the solved stages and at most nine successor states of each.
            assert!(player.states() <= 10 * most_stages, "{}", player.states());
        }
    }
}

#[test]
fn recipes_of_players_round_trip_and_errors_name_the_mistake() {
    for text in [
        "uct",
        "uct:ms=2.5:explore=1",
        "mac-ucb:playouts=5",
        "mac-ucb:samples=30:solving-share=0.5",
        "fc-ucb:horizon=40",
        "fc-ucb:samples=10000",
        "random",
    ] {
        assert_eq!(text.parse::<PlayerRecipe>().unwrap().to_string(), text);
    }
    assert_eq!(
        "uct:explore=2:playouts=7"
            .parse::<PlayerRecipe>()
            .unwrap()
            .to_string(),
        "uct:playouts=7"
    );
    for (text, error) in [
        (
            "ucb",
            "`ucb` is none of uct, mac-ucb, fc-ucb, random; did you mean `uct`?",
        ),
        (
            "uct:explores=4",
            "`uct` has no option `explores`; it has playouts, ms, ",
        ),
        ("uct:explores=4", "; did you mean `explore`?"),
        (
            "uct:playouts=0",
            "`playouts` of `uct` can't be `0`; write a whole number from 1",
        ),
        (
            "uct:playouts=5:ms=5",
            "`uct` gives both `playouts` and `ms`",
        ),
        (
            "mac-ucb:horizon=0",
            "`horizon` of `mac-ucb` can't be `0`; write a whole number from 1 to",
        ),
        (
            "mac-ucb:samples=0",
            "`samples` of `mac-ucb` can't be `0`; write a whole number from 1 to",
        ),
        ("fc-ucb:explore=1", "`fc-ucb` has no option `explore`"),
        ("random:playouts=5", "`random` has no option `playouts`"),
    ] {
        let said = text.parse::<PlayerRecipe>().unwrap_err().to_string();
        assert_has(&said, error);
    }
}

#[test]
fn a_version_is_the_hash_of_the_shortest_text_and_the_revision() {
    let version = |text: &str| text.parse::<PlayerRecipe>().unwrap().version();
    assert_eq!(
        version("uct:explore=2:playouts=7"),
        version("uct:playouts=7")
    );
    assert_ne!(version("uct:playouts=7"), version("uct:playouts=8"));
    assert_ne!(version("mac-ucb"), version("fc-ucb"));
    // The version is the output of `printf 'mac-ucb\nrevision 3\n' | sha256sum`.
    assert_eq!(version("mac-ucb"), "c2c92dafb387");
}

#[test]
fn lines_end_at_the_horizon_with_value_0() {
    let game = Solved::named("tic-tac-toe");
    let (state, role) = game.position(2, &mut Seed::new(5).rng()).unwrap();
    let mut table = game.table();
    table.look_at(&state);
    let moves = table.legal(role).len();
    let deliberate = |horizon: Option<usize>| {
        let mut player = game.player(MacUcbSettings {
            horizon,
            ..MacUcbSettings::default()
        });
        let (mut explored, mut rng) = (game.cache(100_000), Seed::new(1).rng());
        let budget = MoveBudget::Playouts(2_000);
        let action = player.choose(&state, role, budget, &mut explored, &mut rng);
        (player.states(), player.effort().confidence_cuts, action)
    };
    // No move wins at once. All rewards are 0, and therefore no arm is cut and only the root's
    // moves are kept.
    let (states, cuts, _) = deliberate(Some(1));
    assert_eq!((states, cuts), (1 + moves, 0));
    let (states, cuts, _) = deliberate(None);
    assert!(states > 10 * moves && cuts > 0, "{states}, {cuts}");
    assert_eq!(
        deliberate(None),
        deliberate(Some(7)),
        "the game has no more than seven turns left"
    );
}

#[test]
fn a_tree_holds_no_more_states_than_it_may() {
    let game = Solved::named("tic-tac-toe");
    let settings = UctSettings {
        most_nodes: 100,
        ..UctSettings::default()
    };
    let mut player = UctPlayer::new(game.table(), settings);
    let mut table = game.table();
    let (mut rng, mut explored) = (Seed::new(1).rng(), Explored::new(None, 50));
    table.start();
    while !table.is_terminal() {
        let (state, role) = (table.state(), table.choosers().next().unwrap_or(0));
        let action = player.choose(
            &state,
            role,
            MoveBudget::Playouts(500),
            &mut explored,
            &mut rng,
        );
        assert!(player.states() <= 100, "{} states", player.states());
        table.look_at(&state);
        table.step(|other| (other == role).then_some(action), &mut rng);
    }
}
