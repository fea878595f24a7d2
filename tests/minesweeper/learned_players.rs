//! Tests of players with a model, and of the decision rule in the sweep over alpha.

use std::sync::Arc;

use mineflow_minesweeper::features::{
    ClassifierV2, LocationScore, PositionFeatures, QV2, RowSettings, classifier_v2, q_v2,
};
use mineflow_minesweeper::player::{
    Decision, Limits, PlayerSpec, Reason, Recipe, Seat, board_seed,
};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game};
use mineflow_model::{
    Activation, Artifact, Dense, Forest, ForestScratch, Metadata, Mlp, MlpScratch,
};
use mineflow_rng::Seed;

use crate::files::{assert_has, read_bytes};
use crate::players::play;
use crate::tiny_models::{minus_p, minus_sc, trees_file};

fn spec(text: &str, network: &Mlp) -> PlayerSpec {
    PlayerSpec::with_model(text, Artifact::in_memory(network))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the cells opened in each of `games` games, in order.
fn opened(player: &PlayerSpec, board: &str, games: u64) -> Vec<Vec<Cell>> {
    let board: Board = board.parse().unwrap();
    let mut seat = Seat::new(player.build(), board, FirstClick::Safe, Limits::default());
    let seeds = board_seed(Seed::new(3), board);
    let mut play = |index| {
        seat.play(seeds.child("game", index)).unwrap();
        seat.view().opened().to_vec()
    };
    (0..games).map(&mut play).collect()
}

#[test]
fn a_model_that_scores_minus_p_plays_as_the_least_p_does() {
    for (base, board, games) in [
        ("dss+components", "9x9/10", 400),
        ("components", "8x5/9", 400),
        ("dss+posterior", "16x9/25", 60),
    ] {
        for candidates in ["covered", "sampled"] {
            let least = format!("{base}+min-p:candidates={candidates}")
                .parse::<PlayerSpec>()
                .unwrap();
            let network = spec(&format!("{base}+mlp:candidates={candidates}"), &minus_p());
            // With alpha = 1, the score of a cell is its P.
            let q = spec(
                &format!("{base}+q:candidates={candidates}"),
                &minus_sc([0.0, 0.0, 0.0, 1.0]),
            );
            let expected = opened(&least, board, games);
            assert_eq!(
                opened(&network, board, games),
                expected,
                "{base} {candidates}"
            );
            assert_eq!(opened(&q, board, games), expected, "{base} {candidates}");
        }
    }
}

#[test]
fn the_edge_score_with_alpha_1_equals_the_edge_rule() {
    for base in ["dss+components", "posterior"] {
        let edge = format!("{base}+edge").parse().unwrap();
        let by_score = format!("{base}+edge-score:alpha=1:score=opening")
            .parse()
            .unwrap();
        assert_eq!(
            opened(&edge, "9x9/10", 300),
            opened(&by_score, "9x9/10", 300),
            "{base}"
        );
    }
}

/// Plays `games` games and passes every guess to `judge`.
fn watch(
    player: &PlayerSpec,
    board: &str,
    games: u64,
    mut judge: impl FnMut(&Decision<'_>, &Game, Cell),
) {
    let mut game = Game::new(board.parse().unwrap(), FirstClick::Safe);
    let mut player = player.build();
    let mut guesses = 0;
    for index in 0..games {
        play(player.as_mut(), &mut game, index, |game, decision| {
            if decision.reason == Reason::Guess {
                judge(decision, game, decision.cells[0]);
                guesses += 1;
            }
        })
        .unwrap();
    }
    assert!(
        guesses as u64 > games / 2,
        "{guesses} guesses judge nothing"
    );
}

/// Returns a network whose weights follow a fixed pattern, so that every feature has an effect.
fn any_network(metadata: Metadata) -> Arc<Mlp> {
    let pattern = |n: usize| {
        (0..n)
            .map(|i| ((i * 37 % 19) as f32 - 9.0) / 9.0)
            .collect::<Vec<_>>()
    };
    let hidden = Dense {
        weight: pattern(45),
        bias: pattern(5),
        activation: Activation::Tanh,
    };
    let output = Dense {
        weight: pattern(5),
        bias: vec![0.0],
        activation: Activation::Sigmoid,
    };
    Arc::new(Mlp::new(vec![hidden, output], vec![0.5; 9], vec![4.0; 9], metadata).unwrap())
}

/// Asserts that `chosen` has the highest score among the candidates of the position, the cells
/// whose mine probability exceeds the minimum by at most 0.05.
fn assert_highest(
    position: &mineflow_minesweeper::features::Position<'_>,
    chosen: Cell,
    scores: &[f32],
) {
    let candidates: Vec<Cell> = position.candidates().collect();
    let least = candidates
        .iter()
        .map(|cell| position.mine[cell.index()])
        .fold(f64::INFINITY, f64::min);
    let certain =
        |cell: &Cell| position.mine[cell.index()] > (1.0 - 1e-9_f64).min(least + 0.05 + 1e-9);
    let score = |cell: &Cell| scores[candidates.iter().position(|other| other == cell).unwrap()];
    let highest = candidates
        .iter()
        .filter(|cell| !certain(cell))
        .map(score)
        .fold(f32::NEG_INFINITY, f32::max);
    assert!(!certain(&chosen), "no cell beyond the margin");
    assert_eq!(score(&chosen), highest);
}

/// Watches 150 games of `player`, whose model scores the rows of `features` by `predict`.
fn chooses_the_highest(
    player: &PlayerSpec,
    board: &str,
    features: &dyn PositionFeatures,
    settings: &RowSettings,
    mut predict: impl FnMut(&[f32], &mut Vec<f32>),
) {
    watch(player, board, 150, |decision, game, chosen| {
        let position = decision.position(game.view()).unwrap();
        let candidates: Vec<_> = position.candidates().collect();
        let rows = features.rows(&position, settings, &candidates);
        let mut scores = Vec::new();
        predict(&rows, &mut scores);
        assert_highest(&position, chosen, &scores);
    });
}

#[test]
fn players_choose_the_highest_score_of_the_features_that_training_sees() {
    let (features, mut scratch) = (classifier_v2::SET.name, MlpScratch::default());
    let (features_of, defaults) = (&ClassifierV2, &RowSettings::default());
    let network = any_network(Metadata::new(features));
    let player = spec("dss+components+mlp:margin=0.05", &network);
    chooses_the_highest(&player, "9x9/10", features_of, defaults, |rows, scores| {
        network.predict(rows, scores, &mut scratch);
    });

    let path = trees_file("highest.json", features);
    let forest = Forest::from_bytes(&read_bytes(&path)).unwrap();
    let player = PlayerSpec::with_model_file("dss+components+trees:margin=0.05", &path).unwrap();
    chooses_the_highest(&player, "9x9/10", features_of, defaults, |rows, scores| {
        forest.predict(rows, scores, &mut ForestScratch::default());
    });

    let alpha =
        mineflow_model::Linear::new([0.02, -0.01, 1.0, 0.2], Metadata::new("board-v1")).unwrap();
    let settings = RowSettings {
        alpha: 0.02 * 10.0 - 0.01 * 8.0 + 12.0 / 80.0 + 0.2,
        score: LocationScore::Opening,
        off_board: q_v2::OFF_BOARD,
    };
    let metadata = mineflow_minesweeper::player::choose::note_inputs(
        Metadata::new(q_v2::SET.name),
        &alpha,
        settings.score,
        q_v2::OFF_BOARD,
    );
    let network = any_network(metadata);
    let player = spec("6.0", &network);
    chooses_the_highest(&player, "8x10/12", &QV2, &settings, |rows, scores| {
        network.predict(rows, scores, &mut scratch);
    });
}

/// `tests/models.rs` refuses models of other features.
#[test]
fn a_model_with_impossible_notes_is_refused() {
    let network =
        |set: &str, note: &str, text: &str| any_network(Metadata::new(set).note(note, text));
    for (player, network, words) in [
        (
            "6.5",
            network(q_v2::SET.name, "theta", "1,2,three,4"),
            "four numbers",
        ),
        (
            "5.5",
            network(classifier_v2::SET.name, "location_score", "best"),
            "is not a location score",
        ),
        ("4.5", minus_p(), "`4.5` has no model"),
    ] {
        let message = PlayerSpec::with_model(player, Artifact::in_memory(&network))
            .expect_err(player)
            .to_string();
        assert_has(&message, words);
    }
}

#[test]
fn a_recipe_names_its_model_by_content_and_finds_it_again() {
    let path = trees_file("named.json", classifier_v2::SET.name);
    let recipe = format!(
        "dss+components+trees:model={}:candidates=sampled",
        path.display()
    );
    let typed: PlayerSpec = recipe.parse().unwrap();
    let printed = typed.recipe.to_string();
    assert_has(&printed, ":sha256=");
    assert_eq!(printed.parse::<Recipe>().unwrap(), typed.recipe);
    // The name does not depend on the folder.
    let file = path.file_name().unwrap().display().to_string();
    assert_eq!(
        typed.name,
        printed.replace(&path.display().to_string(), &file)
    );
    let slow = typed.clone().with_paper_engines();
    assert_eq!(slow.name, typed.name.replace("components", "dsscsp"));

    let (rest, digits) = printed.split_at(printed.find("sha256=").unwrap() + "sha256=".len());
    let changed = if digits.starts_with('0') { '1' } else { '0' };
    let other = format!("{rest}{changed}{}", &digits[1..]);
    let message = other.parse::<Recipe>().unwrap_err().to_string();
    assert!(
        message.contains("the recipe says") && message.contains("named.json"),
        "{message}"
    );
    let message = format!("{rest}12")
        .parse::<Recipe>()
        .unwrap_err()
        .to_string();
    assert_has(&message, "`sha256` of `trees` can't be `12`");
}
