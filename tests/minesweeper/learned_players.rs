//! Tests of players with a model, and of the decision rule in the sweep over alpha.

use std::sync::Arc;

use mineflow_minesweeper::features::{
    ClassifierV2, GuessRows, LocationScore, PositionFeatures, QV2, RowSettings, classifier_v2,
    guess_v2, q_v2, value_v1,
};
use mineflow_minesweeper::player::choose::note_inputs;
use mineflow_minesweeper::player::{
    Decision, Limits, PlayerSpec, Reason, Recipe, Seat, board_seed,
};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game};
use mineflow_model::{
    Activation, Artifact, Dense, FeatureSet, Linear, Metadata, Mlp, ModelScratch,
};
use mineflow_rng::Seed;

use crate::files::assert_has;
use crate::players::play;
use crate::tiny_models::{minus_p, minus_sc, trees, trees_file};

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

/// Returns a network of `width` inputs whose weights follow a fixed pattern, so that every feature
/// has an effect. With one layer, it is a linear model.
fn any_network(width: usize, layers: usize, end: Activation, metadata: Metadata) -> Arc<Mlp> {
    let pattern = |n: usize| {
        (0..n)
            .map(|i| ((i * 37 % 19) as f32 - 9.0) / 9.0)
            .collect::<Vec<_>>()
    };
    let hidden = Dense {
        weight: pattern(5 * width),
        bias: pattern(5),
        activation: Activation::Tanh,
    };
    let output = Dense {
        weight: pattern(if layers == 1 { width } else { 5 }),
        bias: vec![0.0],
        activation: end,
    };
    let layers = if layers == 1 {
        vec![output]
    } else {
        vec![hidden, output]
    };
    Arc::new(Mlp::new(layers, vec![0.5; width], vec![4.0; width], metadata).unwrap())
}

/// Returns a model of each kind that reads rows of `set`: trees, a network and a linear model.
fn any_models(set: &FeatureSet, metadata: &Metadata) -> [Artifact; 3] {
    let target = metadata.notes.get("target").map(String::as_str);
    let is_safe = target.unwrap_or(set.target.name()) == "safe";
    let (objective, end) = match is_safe {
        true => ("binary:logistic", Activation::Sigmoid),
        false => ("reg:squarederror", Activation::Linear),
    };
    let width = set.width();
    let network = |layers| any_network(width, layers, end, metadata.clone());
    [
        Artifact::new("trees.json".into(), trees(5, width, objective, metadata)).unwrap(),
        Artifact::in_memory(&network(2)),
        Artifact::in_memory(&network(1)),
    ]
}

fn predict(artifact: &Artifact, rows: &[f32]) -> Vec<f32> {
    let mut predicted = Vec::new();
    let scratch = &mut ModelScratch::default();
    artifact.model.append(rows, &mut predicted, scratch);
    predicted
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

/// Each rule takes trees, networks and linear models that predict its target, on each feature set
/// of a cell.
#[test]
fn players_choose_the_highest_score_of_the_features_that_training_sees() {
    let alpha = Linear::new([0.02, -0.01, 1.0, 0.2], Metadata::new("board-v1")).unwrap();
    let settings = RowSettings {
        alpha: 0.02 * 10.0 - 0.01 * 8.0 + 12.0 / 80.0 + 0.2,
        score: LocationScore::Opening,
        off_board: q_v2::OFF_BOARD,
    };
    let noted = |set: &FeatureSet| {
        note_inputs(
            Metadata::new(set.name),
            &alpha,
            settings.score,
            q_v2::OFF_BOARD,
        )
    };
    let (classifier, q) = (noted(&classifier_v2::SET), noted(&q_v2::SET));
    let all: [(&str, &dyn PositionFeatures, Metadata); 7] = [
        ("safest", &ClassifierV2, classifier.clone()),
        ("trees", &ClassifierV2, classifier.clone()),
        ("mlp", &ClassifierV2, classifier.clone()),
        ("safest", &QV2, q.clone().note("target", "safe")),
        ("highest-return", &QV2, q.clone()),
        ("q", &QV2, q),
        (
            "highest-return",
            &ClassifierV2,
            classifier.note("target", "return"),
        ),
    ];
    for (rule, features, metadata) in all {
        for artifact in any_models(features.set(), &metadata) {
            let text = format!("dss+components+{rule}:margin=0.05");
            let player = PlayerSpec::with_model(&text, artifact.clone()).unwrap();
            watch(&player, "8x10/12", 60, |decision, game, chosen| {
                let position = decision.position(game.view()).unwrap();
                let candidates: Vec<_> = position.candidates().collect();
                let rows = features.rows(&position, &settings, &candidates);
                assert_highest(&position, chosen, &predict(&artifact, &rows));
            });
        }
    }
}

#[test]
fn a_ranker_of_any_kind_chooses_the_highest_gain() {
    let set = &guess_v2::SET;
    for artifact in any_models(set, &Metadata::new(set.name)) {
        let text = "dss+posterior+ranker:unknown=1:within=2";
        let player = PlayerSpec::with_model(text, artifact.clone()).unwrap();
        let mut rows = Vec::new();
        watch(&player, "8x8/14", 40, |decision, game, chosen| {
            let position = decision.position(game.view()).unwrap();
            let mut guess = GuessRows::default();
            guess.read(&position, guess_v2::CANDIDATES).unwrap();
            rows.clear();
            guess.append(&mut rows);
            let gains = predict(&artifact, &rows);
            let highest = gains.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut scored = guess.looking.scored.iter();
            let at = scored.position(|of| of.cell == chosen).unwrap();
            assert!(gains[at] > highest - 1e-4, "{} of {highest}", gains[at]);
        });
    }
}

/// The names of published players stay, and other names of their rules are the same players.
#[test]
fn older_names_of_a_rule_are_the_same_rule() {
    let parse = |text: &str| text.parse::<PlayerSpec>().unwrap();
    for (older, name) in [
        ("trees:margin=0.05", "safest:margin=0.05"),
        ("trees", "safest:model=5.0"),
        ("mlp", "safest:model=5.5"),
        ("q", "highest-return"),
        ("q:model=6.0", "highest-return:model=6.0"),
    ] {
        let [older, newer] = [older, name].map(|rule| parse(&format!("dss+components+{rule}")));
        assert_eq!(older.recipe, newer.recipe, "{name}");
        assert_eq!(older.version(), newer.version(), "{name}");
        assert_has(newer.recipe.to_string(), name.split(':').next().unwrap());
    }
    // The versions in published tables.
    for (player, version) in [
        ("5.0", "460dbe6cc883"),
        ("5.5", "277bcf187712"),
        ("6.0", "033e6fa10ada"),
        ("6.5", "838e0ecd5883"),
        ("11.0", "a176f5c7dc3b"),
    ] {
        assert_eq!(parse(player).version(), version, "{player}");
    }
    assert_ne!(
        parse("dss+components+trees").recipe,
        parse("dss+components+mlp").recipe
    );
}

#[test]
fn a_model_of_another_target_is_refused_with_the_rules_that_take_it() {
    let model = |set: &FeatureSet, target: &str| {
        let metadata = Metadata::new(set.name).note("theta", "0,0,0,1");
        let metadata = match target {
            "" => metadata,
            target => metadata.note("target", target),
        };
        any_models(set, &metadata)
    };
    for (rule, set, target, words) in [
        (
            "safest",
            &q_v2::SET,
            "",
            "predicts return, and `safest` takes models that predict safe; return is for highest-return, q",
        ),
        (
            "ranker",
            &classifier_v2::SET,
            "",
            "predicts safe, and `ranker` takes models that predict gain; safe is for safest, trees, mlp",
        ),
        (
            "q",
            &value_v1::SET,
            "",
            "predicts won, and `q` takes models that predict return; won is for no rule: value models",
        ),
        (
            "mlp",
            &classifier_v2::SET,
            "gain",
            "predicts gain, and `mlp` takes models that predict safe; gain is for roll-outs, ranker",
        ),
        (
            "mlp",
            &classifier_v2::SET,
            "luck",
            "predicts luck, and `mlp` takes models that predict safe; luck is for no rule",
        ),
        (
            "ranker",
            &classifier_v2::SET,
            "gain",
            "reads features \"classifier-v2\", the player computes \"guess-v2\"",
        ),
        (
            "safest",
            &value_v1::SET,
            "safe",
            "reads features \"value-v1\", the player computes \"classifier-v2\"",
        ),
    ] {
        for artifact in model(set, target) {
            let message = PlayerSpec::with_model(&format!("dss+posterior+{rule}"), artifact)
                .expect_err(words)
                .to_string();
            assert_has(&message, words);
        }
    }
}

/// `tests/models.rs` refuses models of other features.
#[test]
fn a_model_with_impossible_notes_is_refused() {
    let network = |set: &str, note: &str, text: &str| {
        let metadata = Metadata::new(set).note(note, text);
        any_network(9, 2, Activation::Sigmoid, metadata)
    };
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
