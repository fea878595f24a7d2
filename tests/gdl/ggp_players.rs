//! Players of rule sheets: what they find, and matches between them.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use mineflow_gdl::engine::{GameEngine, NetEngine};
use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::player::{
    Algorithm, ArmSource, Batches, Explored, GameWalk, GdlPlayer, MacUcbPlayer, MacUcbSettings, MoveBudget,
    PlayerRecipe, StageNetwork, UctPlayer, UctSettings,
};
use mineflow_gdl::propnet::{Machine, Moves, PlayoutRows, PlayoutStart, Propnet, Successors};
use mineflow_gdl::{GameState, Grounding, GroundingLimits, RuleTable, Sheet};
use mineflow_rng::{Rng, Seed};
use mineflow_search::scsp::{Filtering, Method, NetworkSolver};

use rand::RngExt;

use crate::files::repository;

fn sheet_of(name: &str) -> PathBuf {
    repository().join("pipelines/ggp").join(name).with_extension("kif")
}

fn grounding_of(name: &str) -> Grounding {
    let sheet = Sheet::read(&fs::read_to_string(sheet_of(name)).unwrap()).unwrap();
    Grounding::new(&sheet, &GroundingLimits::default()).unwrap()
}

/// The rewards of both roles under best play, turn by turn.
fn minimax(table: &mut GameWalk, state: &GameState, rng: &mut Rng) -> Vec<f64> {
    table.look_at(state);
    if table.is_terminal() {
        return table.rewards().to_vec();
    }
    let chooser = table.choosers().next();
    let role = chooser.unwrap_or(0);
    let actions = table.legal(role).to_vec();
    let mut best: Option<Vec<f64>> = None;
    for action in actions {
        table.look_at(state);
        table.step(|other| (other == role).then_some(action), rng);
        let next = table.state();
        let value = minimax(table, &next, rng);
        if best.as_ref().is_none_or(|best| value[role] > best[role]) {
            best = Some(value);
        }
    }
    best.unwrap()
}

#[test]
fn what_is_explored_has_its_exact_value_and_players_play_it_best() {
    let grounding = grounding_of("tic-tac-toe");
    let net = Propnet::new(&grounding);
    let stage = GameNetwork::new(&grounding, Rules::Stage).unwrap();
    let mut network = stage.network().clone();
    network.preprocess(Filtering::SingletonArc);
    let solver = NetworkSolver::new(network).unwrap();
    let mut table = GameWalk::new(&net, None, 100);
    let (mut decided, mut drawn, mut known) = (0, 0, 0);
    for seed in 0..12 {
        let mut rng = Seed::new(seed).child("position", 0).rng();
        table.look_at(net.initial());
        while !table.is_terminal() && table.steps() < 4 {
            table.step(|_| None, &mut rng);
        }
        let state = table.state();
        let expected = minimax(&mut table, &state, &mut rng);
        if expected[0] == 0.5 {
            drawn += 1
        } else {
            decided += 1
        }
        table.look_at(&state);
        let role = table.choosers().next().unwrap();
        let uct = UctPlayer::new(&net, None, 100, UctSettings::default());
        let mac = |method| {
            let settings = MacUcbSettings { arms: ArmSource::Network(method), ..MacUcbSettings::default() };
            let network = StageNetwork::new(&grounding, &stage, solver.clone());
            MacUcbPlayer::new(&net, grounding.chance, Some(network), settings)
        };
        let players: [Box<dyn GdlPlayer>; 3] =
            [Box::new(uct), Box::new(mac(Method::Mac)), Box::new(mac(Method::ForwardChecking))];
        for mut player in players {
            let mut explored = Explored::new(None, 100_000);
            let action = player.choose(&state, role, MoveBudget::Playouts(20_000), &mut explored, &mut rng);
            if let Some(value) = explored.value(&state) {
                assert_eq!(value, expected);
                known += 1;
            }
            table.look_at(&state);
            table.step(|other| (other == role).then_some(action), &mut rng);
            let next = table.state();
            assert_eq!(minimax(&mut table, &next, &mut rng)[role], expected[role]);
        }
    }
    assert!(decided > 2 && drawn > 0 && known > 5, "{decided} decided, {drawn} drawn, {known} explored as a whole");
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
        network.preprocess(Filtering::Arc);
        Self { net: Propnet::new(&grounding), solver: NetworkSolver::new(network).unwrap(), grounding, stage }
    }

    fn player(&self, settings: MacUcbSettings) -> MacUcbPlayer<'_> {
        let network = StageNetwork::new(&self.grounding, &self.stage, self.solver.clone());
        MacUcbPlayer::new(&self.net, self.grounding.chance, Some(network), settings)
    }

    fn table(&self) -> GameWalk<'_> {
        GameWalk::new(&self.net, self.grounding.chance, 100)
    }

    fn cache(&self, most: usize) -> Explored {
        Explored::new(self.grounding.chance, most).that_proves()
    }

    /// A state after so many random steps in which one role has a choice; none if the game ended before.
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

/// Exact values by a recursion over the rules: who chooses takes its best, chance is averaged over.
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
        let values: Vec<Vec<f64>> =
            self.table.legal(role).to_vec().into_iter().map(|action| self.after(state, role, action)).collect();
        let value = match chooser {
            Some(_) => values.into_iter().reduce(|best, value| if value[role] > best[role] { value } else { best }),
            None => Some(
                (0..values[0].len())
                    .map(|role| values.iter().map(|value| value[role]).sum::<f64>() / values.len() as f64)
                    .collect(),
            ),
        };
        let value = value.unwrap();
        self.known.insert(state.clone(), value.clone());
        value
    }

    fn after(&mut self, state: &GameState, role: usize, action: usize) -> Vec<f64> {
        self.table.look_at(state);
        self.table.step(|other| (other == role).then_some(action), &mut self.rng);
        let next = self.table.state();
        self.value(&next)
    }
}

impl Solved {
    fn exact(&self) -> Exact<'_> {
        let rng = Seed::new(0).rng();
        Exact { table: self.table(), chance: self.grounding.chance, known: HashMap::new(), rng }
    }

    /// What MAC-UCB's choices cost on average, in rewards, against the best one of each position.
    fn regret(&self, positions: &[(GameState, usize)], samples: u64, exact: &mut Exact<'_>) -> f64 {
        let mut sum = 0.0;
        for (seed, (state, role)) in positions.iter().enumerate() {
            let mut rng = Seed::new(seed as u64).child("choice", samples).rng();
            let mut player = self.player(MacUcbSettings::joined());
            let action =
                player.choose(state, *role, MoveBudget::Playouts(samples), &mut self.cache(1_000_000), &mut rng);
            sum += exact.value(state)[*role] - exact.after(state, *role, action)[*role];
        }
        sum / positions.len() as f64
    }
}

#[test]
fn cuts_are_made_unless_they_are_left_out() {
    let game = Solved::named("tic-tac-toe");
    let (state, role) = game.position(2, &mut Seed::new(5).rng()).unwrap();
    let cuts = |cuts: bool| {
        let mut player = game.player(MacUcbSettings { cuts, ..MacUcbSettings::default() });
        let budget = MoveBudget::Playouts(20_000);
        player.choose(&state, role, budget, &mut Explored::new(None, 0), &mut Seed::new(1).rng());
        player.effort().confidence_cuts
    };
    assert!(cuts(true) > 0 && cuts(false) == 0, "{} and {} cuts", cuts(true), cuts(false));
}

/// A published match says which version of a player played it: an option that came later leaves it as it was.
#[test]
fn a_new_option_leaves_the_versions_of_published_matches() {
    let spelled = |text: &str| text.parse::<PlayerRecipe>().unwrap().algorithm.spelled_out();
    assert!(!spelled("mac-ucb").contains("cuts"));
    assert!(spelled("mac-ucb:cuts=no").contains(":cuts=no"));
}

#[test]
fn regret_falls_as_the_budget_grows() {
    for (game, steps, budgets) in [("tic-tac-toe", 3, [2, 20, 200]), ("kaseklau", 6, [3, 30, 1000])] {
        let game = (game, Solved::named(game));
        let mut rng = Seed::new(3).rng();
        let positions: Vec<_> =
            std::iter::from_fn(|| Some(game.1.position(steps, &mut rng))).flatten().take(60).collect();
        let mut exact = game.1.exact();
        let regrets = budgets.map(|samples| game.1.regret(&positions, samples, &mut exact));
        let [few, more, most] = regrets;
        assert!(few > more && more > most && most < few / 3.0, "{}: {regrets:?}", game.0);
    }
}

#[test]
fn a_win_that_the_budget_proves_is_taken() {
    let game = Solved::named("connect-four");
    let mut exact = game.exact();
    let (mut won, mut proven) = (0, 0);
    let mut rng = Seed::new(0).rng();
    let positions: Vec<_> = std::iter::from_fn(|| Some(game.position(31, &mut rng))).flatten().take(15).collect();
    for (state, role) in positions {
        let value = exact.value(&state)[role];
        for arms in [ArmSource::TwoStages, ArmSource::Goals, ArmSource::Legal] {
            let mut explored = game.cache(1_000_000);
            let mut player = game.player(MacUcbSettings { arms, ..MacUcbSettings::joined() });
            let action = player.choose(&state, role, MoveBudget::Playouts(1000), &mut explored, &mut rng);
            if let Some(known) = explored.value(&state) {
                assert_eq!(known[role], value, "{arms:?}");
                assert_eq!(exact.after(&state, role, action)[role], value, "{arms:?}");
                proven += 1;
                won += u32::from(value == 1.0);
            }
        }
    }
    assert!(won > 5 && proven > 30, "{won} won of {proven} proven");
}

#[test]
fn without_proofs_a_win_at_hand_leaves_a_state_unknown_until_all_of_it_is_explored() {
    let game = Solved::named("tic-tac-toe");
    let mut rng = Seed::new(8).rng();
    let mut exact = game.exact();
    let positions = std::iter::from_fn(|| Some(game.position(3, &mut rng))).flatten();
    let won: Vec<_> = positions.filter(|(state, role)| exact.value(state)[*role] == 1.0).take(8).collect();
    for settings in [MacUcbSettings::joined(), MacUcbSettings::default()] {
        let known = |proves: bool| {
            let known = |(state, role): &&(GameState, usize)| {
                let explored = Explored::new(None, 1_000_000);
                let mut explored = if proves { explored.that_proves() } else { explored };
                let mut player = game.player(MacUcbSettings { proofs: proves, ..settings });
                player.choose(state, *role, MoveBudget::Playouts(60), &mut explored, &mut Seed::new(1).rng());
                explored.value(state).is_some()
            };
            won.iter().filter(known).count()
        };
        let (with, without) = (known(true), known(false));
        assert!(with > 2 && without == 0, "{with} proven, {without} known without proofs");
    }
}

#[test]
fn states_that_follow_are_those_of_one_state_at_a_time() {
    for (name, playouts) in [("tic-tac-toe", 5), ("kaseklau", 5), ("othello", 1)] {
        let grounding = grounding_of(name);
        let net = Propnet::new(&grounding);
        let (mut successors, mut machine) = (Successors::new(&net), Machine::new(&net));
        let legal_now = |machine: &Machine<'_>| -> Vec<Vec<usize>> {
            (0..net.roles()).map(|role| machine.legal(role).collect()).collect()
        };
        let (mut states, mut all_goals) = (Vec::new(), Vec::new());
        for seed in 0..playouts {
            let mut rng = Seed::new(seed).rng();
            let mut state = net.initial().clone();
            loop {
                machine.look_at(&state);
                if machine.is_terminal() {
                    break;
                }
                let legal = legal_now(&machine);
                let first: Vec<usize> = legal.iter().map(|legal| legal[0]).collect();
                for role in 0..net.roles() {
                    let found = successors.of(Moves { state: &state, legal: &legal, role: Some(role) });
                    assert_eq!(found.len(), legal[role].len());
                    for (&action, next) in legal[role].iter().zip(&found) {
                        let mut joint = first.clone();
                        joint[role] = action;
                        machine.look_at(&state);
                        machine.step(&joint);
                        assert_eq!(machine.state(), next.state);
                        assert_eq!(legal_now(&machine), *next.legal);
                        let goals: Option<Box<[u8]>> = machine.is_terminal().then(|| {
                            (0..net.roles()).map(|role| machine.goals(role).first().copied().unwrap_or(0)).collect()
                        });
                        assert_eq!(next.goals, goals);
                        all_goals.push(goals);
                    }
                    states.push((state.clone(), legal.clone(), role));
                }
                let role = (0..net.roles()).max_by_key(|&role| legal[role].len()).unwrap();
                let mut found = successors.of(Moves { state: &state, legal: &legal, role: Some(role) });
                state = found.swap_remove(rng.random_range(0..found.len())).state;
            }
        }
        let moves = states.iter().map(|(state, legal, role)| Moves { state, legal, role: Some(*role) });
        assert_eq!(successors.goals_of(&moves.collect::<Vec<_>>()), all_goals);
        assert!(all_goals.len() > 64 && all_goals.iter().any(Option::is_some), "{name}");
    }
}

#[test]
fn what_players_keep_is_bounded() {
    let game = Solved::named("tic-tac-toe");
    let mut rng = Seed::new(1).rng();
    let (state, role) = game.position(0, &mut rng).unwrap();
    for (most_stages, most_explored) in [(50, 100_000), (1_000_000, 300), (1, 1)] {
        let mut explored = game.cache(most_explored);
        let mut player = game.player(MacUcbSettings { most_stages, ..MacUcbSettings::joined() });
        for _ in 0..3 {
            player.choose(&state, role, MoveBudget::Playouts(500), &mut explored, &mut rng);
            assert!(explored.held() <= most_explored);
            // One more stage and its successors, and theirs, at most.
            assert!(player.states() <= most_stages + 100, "{}", player.states());
        }
    }
}

#[test]
fn players_are_read_as_they_are_written_and_slips_are_named() {
    for text in
        ["uct", "mac-ucb:playouts=5", "uct:ms=2.5:solver=yes:grave=50", "uct:transpositions=no:lanes=64:leaves=8"]
            .into_iter()
            .chain([
                "joined-ucb:arms=goals:samples=30:solving-share=0.5:lanes=64",
                "joined-ucb:grave=10",
                "mac-ucb:proofs=yes",
                "mac-ucb:cuts=no",
                "fc-ucb:samples=10000",
            ])
    {
        assert_eq!(text.parse::<PlayerRecipe>().unwrap().to_string(), text);
    }
    assert_eq!("uct:lanes=1:playouts=7".parse::<PlayerRecipe>().unwrap().to_string(), "uct:playouts=7");
    for (text, error) in [
        ("ucb", "`ucb` is none of uct, mac-ucb, fc-ucb, joined-ucb, random; did you mean `uct`?"),
        ("uct:lane=4", "`uct` has no option `lane`; it has playouts, ms, "),
        ("uct:lane=4", "; did you mean `lanes`?"),
        ("uct:playouts=0", "`playouts` of `uct` can't be `0`; write a whole number from 1"),
        ("uct:solver=true", "`solver` of `uct` can't be `true`; write yes or no"),
        ("uct:playouts=5:ms=5", "`uct` gives both `playouts` and `ms`"),
        ("uct:leaves=4", "there are more leaves than lanes"),
        ("uct:cache=no:proofs=yes", "which cache=no and solver=yes leave out"),
        ("uct:solver=yes:proofs=yes", "which cache=no and solver=yes leave out"),
        ("mac-ucb:samples=0", "`samples` of `mac-ucb` can't be `0`; write a whole number from 1 to"),
        ("fc-ucb:arms=goals", "`fc-ucb` has no option `arms`"),
        ("mac-ucb:grave=50", "`mac-ucb` has no option `grave`"),
        ("random:playouts=5", "`random` has no option `playouts`"),
    ] {
        let said = text.parse::<PlayerRecipe>().unwrap_err().to_string();
        assert!(said.contains(error), "{text}: {said}");
    }
}

/// What best play from a state gives to the first role, the second getting the rest.
fn best_play(table: &mut GameWalk, state: &GameState, known: &mut HashMap<GameState, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    table.look_at(state);
    if table.is_terminal() {
        return table.rewards()[0];
    }
    let role = table.choosers().next().unwrap_or(0);
    let actions = table.legal(role).to_vec();
    let values = actions.iter().map(|&action| {
        table.look_at(state);
        table.step(|other| (other == role).then_some(action), &mut Seed::new(0).rng());
        let next = table.state();
        best_play(table, &next, known)
    });
    let value = if role == 0 { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) };
    known.insert(state.clone(), value);
    value
}

#[test]
fn what_the_solver_proves_is_played() {
    for (game, steps, positions) in [("tic-tac-toe", 2, 12), ("connect-four", 29, 8)] {
        let grounding = grounding_of(game);
        let net = Propnet::new(&grounding);
        let mut table = GameWalk::new(&net, None, 100);
        let (mut seed, mut tried, mut decided, mut proven) = (0, 0, 0, 0);
        while tried < positions {
            seed += 1;
            let mut rng = Seed::new(seed).child("position", 0).rng();
            table.look_at(net.initial());
            while !table.is_terminal() && table.steps() < steps {
                table.step(|_| None, &mut rng);
            }
            let Some(role) = table.choosers().next().filter(|_| !table.is_terminal()) else { continue };
            tried += 1;
            let state = table.state();
            let mut known = HashMap::new();
            let expected = best_play(&mut table, &state, &mut known);
            decided += usize::from(expected != 0.5);
            for options in ["", ":transpositions=no", ":lanes=16:leaves=4", ":grave=20", ":grave=20:lanes=16:leaves=4"]
            {
                let recipe: PlayerRecipe = format!("uct:solver=yes{options}").parse().unwrap();
                let Algorithm::Uct(settings) = recipe.algorithm else { panic!("{recipe}") };
                for budget in [300, 20_000] {
                    let mut player = UctPlayer::new(&net, None, 100, settings.clone());
                    let mut none = Explored::new(None, 0);
                    let action = player.choose(&state, role, MoveBudget::Playouts(budget), &mut none, &mut rng);
                    table.look_at(&state);
                    table.step(|other| (other == role).then_some(action), &mut rng);
                    let next = table.state();
                    let value = best_play(&mut table, &next, &mut known);
                    if player.effort().samples < budget {
                        proven += 1;
                        assert_eq!(value, expected, "{game}, seed {seed}, {options}, {budget}");
                    }
                }
            }
        }
        assert!(decided > 3 && proven > 3 * positions, "{game}: {decided} decided, {proven} proven");
    }
}

#[test]
fn a_tree_holds_no_more_states_than_it_may() {
    let grounding = grounding_of("tic-tac-toe");
    let net = Propnet::new(&grounding);
    for (transpositions, keep_tree, lanes) in [(true, true, 1), (false, true, 1), (false, false, 8)] {
        let batches = Batches { lanes, leaves: 1 };
        let settings = UctSettings { transpositions, keep_tree, batches, most_nodes: 100, ..UctSettings::default() };
        let mut player = UctPlayer::new(&net, None, 100, settings);
        let mut table = GameWalk::new(&net, None, 100);
        let (mut rng, mut explored) = (Seed::new(1).rng(), Explored::new(None, 50));
        table.start();
        while !table.is_terminal() {
            let (state, role) = (table.state(), table.choosers().next().unwrap_or(0));
            let action = player.choose(&state, role, MoveBudget::Playouts(500), &mut explored, &mut rng);
            assert!(player.states() <= 100, "{} states", player.states());
            table.look_at(&state);
            table.step(|other| (other == role).then_some(action), &mut rng);
        }
    }
}

/// The mean rewards of batches of playouts of two actions against the exact ones by recursion.
#[test]
fn batches_of_playouts_have_the_exact_expected_rewards() {
    for (game, steps) in [("tic-tac-toe", 5), ("matching-pennies", 0)] {
        let grounding = grounding_of(game);
        let net = Propnet::new(&grounding);
        let mut table = GameWalk::new(&net, grounding.chance, 100);
        let mut rng = Seed::new(5).child(game, 0).rng();
        table.look_at(net.initial());
        while table.steps() < steps || table.choosers().next().is_none() {
            table.step(|_| None, &mut rng);
        }
        let state = table.state();
        let role = table.choosers().next().unwrap();
        let actions = table.legal(role)[..2].to_vec();
        for count in [40, 4_000] {
            let mut starts: Vec<PlayoutStart> = Vec::new();
            for playout in 0..count {
                starts.push(PlayoutStart { state: &state, first: Some((role, actions[playout % 2])) });
            }
            let repeats = 40_000 / count;
            let mut rows = PlayoutRows::default();
            let mut sums = [[0.0; 2]; 2];
            for _ in 0..repeats {
                table.play_out_all(&starts, &mut rng, &mut rows);
                for (playout, row) in rows.rewards.chunks(net.roles()).enumerate() {
                    sums[playout % 2].iter_mut().zip(row).for_each(|(sum, reward)| *sum += reward);
                }
            }
            for (action, sums) in actions.iter().zip(sums) {
                let exact = random_value(&mut table, &state, Some((role, *action)));
                for (sum, exact) in sums.iter().zip(exact) {
                    let mean = sum / 20_000.0;
                    assert!((mean - exact).abs() < 4.0 * 0.5 / 20_000_f64.sqrt(), "{game} {count} {mean} {exact}");
                }
            }
        }
    }
}

/// By time stages may stay unjoined with what follows, here all but that of the root. One that becomes the root is joined then.
#[test]
fn a_win_at_once_is_seen_in_a_stage_that_was_left_unjoined() {
    let game = Solved::named("hex");
    let settings = MacUcbSettings { arms: ArmSource::Goals, solving_share: 0.0, ..MacUcbSettings::joined() };
    let mut table = game.table();
    let mut kept = 0;
    for seed in 0..60 {
        let mut rng = Seed::new(seed).child("position", 0).rng();
        let Some((before, role)) = game.position(60, &mut rng) else { continue };
        let (mut player, mut cache) = (game.player(settings), game.cache(0));
        player.choose(&before, role, MoveBudget::Time(Duration::from_millis(2)), &mut cache, &mut rng);
        table.look_at(&before);
        table.step(|_| None, &mut rng);
        let (state, role, solved) = (table.state(), 1 - role, player.effort().stages_solved);
        let actions = table.legal(role).to_vec();
        let mut wins = |action| {
            table.look_at(&state);
            table.step(|of| (of == role).then_some(action), &mut Seed::new(0).rng());
            table.is_terminal() && table.rewards()[role] == 1.0
        };
        if !actions.iter().any(|&action| wins(action)) {
            continue;
        }
        let action = player.choose(&state, role, MoveBudget::Playouts(1), &mut cache, &mut rng);
        assert!(wins(action), "seed {seed}");
        kept += u32::from(player.effort().stages_solved == solved);
    }
    assert!(kept > 0, "none of the stages was there before");
}

/// The marks that both players of tic-tac-toe set where they had a choice tell how a playout ended, and when.
#[test]
fn what_players_chose_in_batches_of_playouts_is_what_the_rewards_come_of() {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let sheet = Sheet::read(&fs::read_to_string(sheet_of("tic-tac-toe")).unwrap()).unwrap();
    let grounding = Grounding::new(&sheet, &GroundingLimits::default()).unwrap();
    let net = Propnet::new(&grounding);
    let rules = RuleTable::new(&sheet).unwrap();
    let mut rows = PlayoutRows { chosen: Some(Vec::new()), ..PlayoutRows::default() };
    for (count, with_rules) in [(50, false), (1_000, false), (30, false), (40, true)] {
        let engine: Box<dyn GameEngine> =
            if with_rules { Box::new(rules.engine()) } else { Box::new(NetEngine::new(&net)) };
        let initial = engine.initial();
        let mut table = GameWalk::over(engine, None, 100);
        table.play_out_all(&vec![PlayoutStart::from(&initial); count], &mut Seed::new(3).rng(), &mut rows);
        let name = |role: usize, action| match with_rules {
            true => rules.action_name(role, action),
            false => grounding.terms.show(grounding.actions[role][action]).to_string(),
        };
        // "(mark 2 3)" is the sixth cell.
        let cell = |role, action| {
            let digits: Vec<u32> = name(role, action).chars().filter_map(|character| character.to_digit(10)).collect();
            3 * digits[0] + digits[1] - 4
        };
        let chosen = rows.chosen.as_ref().unwrap();
        assert_eq!(chosen.len(), count);
        for (reward, chosen) in rows.rewards.chunks(2).zip(chosen) {
            let [mut x, o] = [0, 1].map(|role| {
                let marks = chosen.iter().filter(|of| of.0 == role).map(|&(role, action)| cell(role, action));
                marks.fold(0_u32, |cells, cell| cells | 1 << cell)
            });
            assert_eq!((x & o, (x | o).count_ones() as usize), (0, chosen.len()));
            if chosen.len() == 8 && reward[1] < 1.0 {
                x |= !(x | o) & 0x1ff;
            }
            assert!(x.count_ones() == o.count_ones() || x.count_ones() == o.count_ones() + 1);
            let won = |cells: u32| LINES.iter().any(|line| line.iter().all(|cell| cells >> cell & 1 == 1));
            let expected = if won(x) {
                1.0
            } else if won(o) {
                0.0
            } else {
                0.5
            };
            assert!(won(x) || won(o) || (x | o) == 0x1ff);
            assert_eq!(reward, [expected, 1.0 - expected]);
        }
    }
}

/// The expected rewards if all roles draw, after a first action of one role.
fn random_value(table: &mut GameWalk, state: &GameState, first: Option<(usize, usize)>) -> Vec<f64> {
    table.look_at(state);
    if table.is_terminal() {
        return table.rewards().to_vec();
    }
    let roles = table.roles();
    let mut joints: Vec<Vec<usize>> = vec![Vec::new()];
    for role in 0..roles {
        let legal = match first {
            Some((fixed, action)) if fixed == role => vec![action],
            _ => table.legal(role).to_vec(),
        };
        joints = joints.iter().flat_map(|joint| legal.iter().map(|&a| [&joint[..], &[a]].concat())).collect();
    }
    let mut sums = vec![0.0; roles];
    for joint in &joints {
        table.look_at(state);
        table.step(|role| Some(joint[role]), &mut Seed::new(0).rng());
        let next = table.state();
        let value = random_value(table, &next, None);
        sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += value / joints.len() as f64);
    }
    sums
}
