//! Tests of broken and foreign artifacts: each is rejected with one clear error.

use std::fs;

use mineflow_model::{
    Activation, AnyModel, Artifact, Dense, Expected, Fault, Metadata, Mlp, Registry, Row, Target,
};
use mineflow_rng::Seed;
use serde_json::{Value, json};

use crate::files::{assert_has, read_bytes, read_text, tempdir, write_file};
use crate::model::{fixture, random_network};

const COLUMNS: [&str; 9] = [
    "width",
    "height",
    "mines",
    "row",
    "col",
    "probability",
    "boundary_size",
    "argmin_cell",
    "location_score",
];

const PLAYER_5: Expected = Expected {
    reader: "player 5.0",
    features: "classifier-v2",
    target: Some(Target::Safe),
    width: 9,
    columns: &COLUMNS,
};

fn refusal(bytes: &[u8]) -> String {
    AnyModel::from_bytes(bytes).unwrap_err().to_string()
}

fn artifact(bytes: &[u8]) -> Artifact {
    Artifact::new("trees.json".into(), bytes.to_vec()).unwrap()
}

/// Returns a safetensors file with a changed header and the same numbers.
fn with_header(bytes: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    change(&mut header);
    let header = serde_json::to_vec(&header).unwrap();
    [
        &(header.len() as u64).to_le_bytes()[..],
        &header,
        &bytes[8 + length..],
    ]
    .concat()
}

#[test]
fn broken_files_are_refused_with_the_fault() {
    let [network, trees] = ["network-table-1.safetensors", "xgboost-logistic.json"].map(fixture);
    let end = network.len();
    let more = [&network[..], b"more"].concat();
    let mut nan = network.clone();
    nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    for (bytes, fault) in [
        (&network[..end - 5], "is cut off: its header says"),
        (&network[..100], "is cut off"),
        (&more[..], "has bytes after its end"),
        (&nan[..], "has NaN at index"),
        (&trees[..trees.len() / 2], "is not a whole JSON text"),
        (
            &b""[..],
            "is neither a safetensors file nor a model of XGBoost",
        ),
        (
            &b"{L\0\0\0\0\0\0\0\x07learner{L"[..],
            "binary form (UBJSON)",
        ),
    ] {
        let found = refusal(bytes);
        assert_has(&found, fault);
    }
    for (file, fault) in [
        ("xgboost-dart.json", "has booster \"dart\""),
        ("xgboost-linear.json", "has booster \"gblinear\""),
        ("xgboost-classes.json", "has objective \"multi:softprob\""),
        ("xgboost-categories.json", "has categorical features"),
        (
            "lightgbm-categories.txt",
            "has categorical splits in tree 0",
        ),
        ("lightgbm-rf.txt", "has an average of trees"),
    ] {
        let found = refusal(&fixture(file));
        assert!(found.starts_with(fault), "{found}");
    }
    let newer = String::from_utf8(fixture("lightgbm-binary.txt")).unwrap();
    let found = refusal(newer.replace("version=v4", "version=v9").as_bytes());
    assert!(found.starts_with("has the version v9"), "{found}");
}

/// Changes one value in the header of a network or in the document of trees.
#[test]
fn impossible_values_are_refused_with_their_place() {
    let network = fixture("network-table-1.safetensors");
    for (pointer, value, fault) in [
        (
            "/layers.1.weight/shape",
            json!([9, 8]),
            "it must be a shape of 81 numbers",
        ),
        (
            "/layers.1.weight/shape",
            json!([27, 3]),
            "`layers.1.bias` of shape [9]; it must be [27]",
        ),
        (
            "/layers.1.weight/shape",
            json!([81]),
            "it must be (outputs, inputs)",
        ),
        (
            "/layers.0.weight/dtype",
            json!("BF16"),
            "of type BF16; it must be F32",
        ),
        ("/__metadata__/kind", json!("cnn"), "`kind` is \"cnn\""),
        ("/__metadata__/format", json!("2"), "is of format 2"),
        (
            "/__metadata__/activations",
            json!("relu,relu"),
            "has 5 layers and names 2 activations",
        ),
        (
            "/__metadata__/activations",
            json!("relu,relu,gelu,relu,sigmoid"),
            "`activations` is \"gelu\"",
        ),
    ] {
        let found = refusal(&with_header(&network, |header| {
            *header.pointer_mut(pointer).unwrap() = value;
        }));
        assert_has(&found, fault);
    }
    for (from, to, fault) in [
        (
            "layers.2.bias",
            "layers.2.biases",
            "has no tensor `layers.2.bias`",
        ),
        ("input.mean", "input.average", "has no tensor `input.mean`"),
        (
            "layers.2.weight",
            "dense.weight",
            "has 2 layers and names 5 activations",
        ),
        (
            "layers.0.weight",
            "dense.weight",
            "has no tensor `layers.0.weight`",
        ),
    ] {
        let found = refusal(&with_header(&network, |header| {
            let entry = header.as_object_mut().unwrap().remove(from).unwrap();
            header[to] = entry;
        }));
        assert_eq!(found, fault);
    }
    let alpha = fixture("alpha.safetensors");
    let found = refusal(&with_header(&alpha, |header| {
        header["__metadata__"]["kind"] = json!("mlp");
    }));
    assert_eq!(found, "doesn't say `activations` in its metadata");
    let found = refusal(&with_header(&alpha, |header| {
        header["bias"] = json!({"dtype": "F32", "shape": [0], "data_offsets": [32, 32]});
    }));
    assert_has(&found, "has a tensor `bias`");

    let mut trees: Value = serde_json::from_slice(&fixture("xgboost-logistic.json")).unwrap();
    trees["learner"]["gradient_booster"]["model"]["weight_drop"] = json!([1.0, 1.0]);
    for (pointer, value, fault) in [
        (
            "trees/3/split_conditions/2",
            json!(1e300),
            "number out of range",
        ),
        (
            "trees/3/split_type/0",
            json!(1),
            "has categorical splits in tree 3",
        ),
        (
            "trees/3/left_children/0",
            json!(1000),
            "has tree 3 with node 0 with children 1000",
        ),
        (
            "trees/3/left_children/1",
            json!(0),
            "that has another parent",
        ),
        (
            "trees/3/split_indices/0",
            json!(9),
            "has tree 3 with node 0 reading column 9 of 9",
        ),
        (
            "trees/3/default_left",
            json!([1]),
            "has `trees[3].default_left` of length 1",
        ),
        (
            "weight_drop/1",
            json!(0.5),
            "has a tree of weight 0.5 (dart)",
        ),
    ] {
        let mut document = trees.clone();
        let place = format!("/learner/gradient_booster/model/{pointer}");
        *document.pointer_mut(&place).unwrap() = value;
        let found = refusal(document.to_string().as_bytes());
        assert_has(&found, fault);
    }
    for (group, name, value, fault) in [
        (
            "learner_model_param",
            "num_target",
            "3",
            "has 3 outputs (`num_target`)",
        ),
        (
            "learner_model_param",
            "base_score",
            "[1E0]",
            "is not a probability between 0 and 1",
        ),
        (
            "attributes",
            "best_iteration",
            "7",
            "which the 5 trees don't reach",
        ),
    ] {
        let mut document = trees.clone();
        document["learner"][group][name] = json!(value);
        let found = refusal(document.to_string().as_bytes());
        assert_has(&found, fault);
    }
}

#[test]
fn layers_that_do_not_join_or_are_not_finite_are_refused() {
    let layer = |outputs: usize, inputs: usize, weight: f32| Dense {
        weight: vec![weight; outputs * inputs],
        bias: vec![0.0; outputs],
        activation: Activation::Relu,
    };
    for (layers, deviation, fault) in [
        (
            vec![layer(4, 3, 0.5), layer(1, 5, 0.5)],
            1.0,
            "layer 1 takes 5 inputs",
        ),
        (
            vec![layer(1, 3, f32::INFINITY)],
            1.0,
            "has inf at index 0 of `layers.0.weight`",
        ),
        (
            vec![layer(1, 3, 1.0)],
            0.0,
            "has 0 at index 0 of `input.deviation`",
        ),
        (
            vec![layer(5000, 3, 0.0)],
            1.0,
            "it must be of a width from 1 to 4096",
        ),
    ] {
        let refused = Mlp::new(
            layers,
            vec![0.0; 3],
            vec![deviation; 3],
            Metadata::default(),
        );
        let found = refused.unwrap_err().to_string();
        assert_has(&found, fault);
    }
}

fn forget(header: &mut Value, key: &str) {
    let metadata = header["__metadata__"].as_object_mut().unwrap();
    metadata.remove(key).unwrap();
}

fn assert_same_model(read: &[u8], known: &[u8]) {
    let [read, known] = [read, known].map(|bytes| AnyModel::from_bytes(bytes).unwrap());
    assert_eq!(read, known);
}

/// PyTorch's own functions write `format` as `pt` and no kind; editors write byte order marks.
#[test]
fn files_of_other_tools_are_read() {
    let network = fixture("network-table-1.safetensors");
    let changed = with_header(&network, |header| {
        header["__metadata__"]["format"] = json!("pt");
        forget(header, "kind");
    });
    assert_same_model(&changed, &network);
    let unsaid = with_header(&network, |header| forget(header, "features"));
    let unsaid = artifact(&unsaid);
    assert_eq!(
        unsaid.features(),
        None,
        "an import says it, as for XGBoost's models"
    );
    unsaid.check(&PLAYER_5).unwrap();
    let alpha = fixture("alpha.safetensors");
    let changed = with_header(&alpha, |header| forget(header, "kind"));
    assert_same_model(&changed, &alpha);

    let trees = fixture("xgboost-logistic.json");
    let mut document: Value = serde_json::from_slice(&trees).unwrap();
    document["learner"]["objective"]["name"] = json!("reg:logistic");
    assert_same_model(document.to_string().as_bytes(), &trees);
    let marked = [b"\xef\xbb\xbf", &trees[..]].concat();
    assert_same_model(&marked, &trees);
}

#[test]
fn older_spellings_of_the_same_model_are_read() {
    let bytes = fixture("xgboost-logistic.json");
    let mut document: Value = serde_json::from_slice(&bytes).unwrap();
    let base = document["learner"]["learner_model_param"]["base_score"]
        .as_str()
        .unwrap()
        .trim_matches(['[', ']'])
        .to_owned();
    document["learner"]["learner_model_param"]["base_score"] = json!(base);
    for tree in document["learner"]["gradient_booster"]["model"]["trees"]
        .as_array_mut()
        .unwrap()
    {
        for flag in tree["default_left"].as_array_mut().unwrap() {
            *flag = json!(flag.as_u64() == Some(1));
        }
    }
    assert_same_model(document.to_string().as_bytes(), &bytes);
}

#[test]
fn an_artifact_for_other_features_is_refused_with_both_names() {
    let folder = tempdir();
    let path = folder.join("q.safetensors");
    write_file(&path, fixture("network-table-2.safetensors"));
    let error = Artifact::load(&path, &PLAYER_5).unwrap_err();
    let expected = format!("{path} reads features \"q-v2\", player 5.0 computes \"classifier-v2\"");
    assert_eq!(error.to_string(), expected);
    assert!(
        error
            .help()
            .starts_with("train a model on the features that are computed")
    );

    let fault = |name: &str, expected: &Expected| {
        artifact(&fixture(name))
            .check(expected)
            .map_err(|error| error.fault)
    };
    fault("xgboost-logistic.json", &PLAYER_5).unwrap();
    let wider = Expected {
        width: 12,
        ..PLAYER_5
    };
    let found = fault("xgboost-logistic.json", &wider)
        .unwrap_err()
        .to_string();
    assert_eq!(found, "reads rows of 9 numbers, player 5.0 computes 12");
    let mut columns = COLUMNS;
    columns.swap(3, 4);
    let found = fault(
        "xgboost-logistic.json",
        &Expected {
            columns: &columns,
            ..PLAYER_5
        },
    )
    .unwrap_err()
    .to_string();
    assert_eq!(
        found,
        "reads \"row\" as its column 3, player 5.0 computes \"col\" there"
    );
    let pair = Artifact::in_memory(&random_network(&[9, 2], Seed::new(1)));
    assert_eq!(
        pair.check(&PLAYER_5).unwrap_err().to_string(),
        "in-memory gives 2 numbers a row, player 5.0 needs 1"
    );
}

#[test]
fn the_registry_names_artifacts_by_content_and_keeps_old_ones() {
    let folder = tempdir();
    let models = folder.join("models");
    assert!(
        Registry::open(Some(&models))
            .unwrap_err()
            .to_string()
            .contains(&models.to_string())
    );
    let mut registry = Registry::open_or_new(Some(&models)).unwrap();
    let unnamed = artifact(&fixture("xgboost-stopped.json"));
    let named = artifact(&fixture("xgboost-logistic.json"));
    let error = named.check_features("q-v2", "--features").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("trees.json reads features \"classifier-v2\", --features"),
        "{error}"
    );
    assert!(!models.exists(), "a refused artifact leaves nothing behind");

    let first = Row::new("5.0", &unnamed, "classifier-v2").unwrap();
    assert_eq!(registry.publish(&first, &unnamed.bytes).unwrap(), None);
    assert_eq!(first.file, format!("5.0/{}.json", &first.sha256[..12]));
    assert_eq!(first.command, "");
    let second = Row::new("5.0", &named, "classifier-v2").unwrap();
    let replaced = registry.publish(&second, &named.bytes).unwrap();
    assert_eq!(replaced.as_ref(), Some(&first));
    assert_eq!(second.command, "make_fixtures.py");
    let read_back = Registry::open(Some(&models)).unwrap();
    assert_eq!(read_back, registry);
    assert_eq!(read_back.rows().next(), Some(&second));
    let built_in = Registry::built_in().unwrap();
    assert_eq!(read_back.rows().count(), built_in.rows().count());
    assert_eq!(
        read_back.artifact("5.5").unwrap(),
        built_in.artifact("5.5").unwrap()
    );
    assert!(models.join(&first.file).exists());
    assert_eq!(
        read_back.load("5.0", &PLAYER_5).unwrap().sha256,
        second.sha256
    );
    let names: Vec<_> = fs::read_dir(models.join("5.0"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "no half-written files: {names:?}");

    let error = read_back.load("7.5", &PLAYER_5).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("names no artifact for player 7.5"),
        "{error}"
    );
    let path = models.join(&second.file);
    let mut bytes = read_bytes(&path);
    bytes.push(b'\n');
    write_file(&path, bytes);
    let error = read_back.verify(&second).unwrap_err();
    assert!(matches!(error.fault, Fault::Hash { .. }), "{error}");
}

#[test]
fn a_file_without_features_takes_those_of_its_registry_row() {
    let folder = tempdir();
    let mut registry = Registry::open_or_new(Some(&folder)).unwrap();
    let stopped = artifact(&fixture("xgboost-stopped.json"));
    let row = Row::new("5.0", &stopped, "q-v2").unwrap();
    registry.publish(&row, &stopped.bytes).unwrap();
    let error = registry.load("5.0", &PLAYER_5).unwrap_err().to_string();
    assert!(
        error.ends_with("reads features \"q-v2\", player 5.0 computes \"classifier-v2\""),
        "{error}"
    );
}

#[test]
fn a_target_that_the_file_or_its_registry_row_names_is_checked() {
    let fault = |artifact: &Artifact, expected: &Expected| {
        let error = artifact.check(expected).unwrap_err();
        error.fault.to_string()
    };
    let network = |change: &dyn Fn(&mut Value)| {
        let bytes = fixture("network-table-1.safetensors");
        artifact(&with_header(&bytes, |header| {
            change(&mut header["__metadata__"])
        }))
    };
    let returns = network(&|metadata| metadata["target"] = json!("return"));
    assert_eq!(
        fault(&returns, &PLAYER_5),
        "predicts return, player 5.0 takes models that predict safe"
    );
    let trees = |name: &str, attributes: Value| {
        let mut document: Value = serde_json::from_slice(&fixture(name)).unwrap();
        document["learner"]["attributes"] = attributes;
        artifact(document.to_string().as_bytes())
    };
    let gains = trees("xgboost-logistic.json", json!({"target": "gain"}));
    assert_eq!(gains.target(), Some("gain"));
    assert_has(fault(&gains, &PLAYER_5), "predicts gain, player 5.0");

    // If nobody says what a model predicts, the numbers that it gives must fit.
    let gain = Expected {
        target: Some(Target::Gain),
        ..PLAYER_5
    };
    let numbers = trees("xgboost-stopped.json", json!({}));
    let probabilities = trees("xgboost-logistic.json", json!({}));
    assert_eq!(
        fault(&numbers, &PLAYER_5),
        "predicts numbers that are not probabilities, player 5.0 takes models that predict safe"
    );
    assert_eq!(
        fault(&probabilities, &gain),
        "predicts probabilities, player 5.0 takes models that predict gain"
    );
    probabilities.check(&PLAYER_5).unwrap();
    numbers.check(&gain).unwrap();
    trees("xgboost-stopped.json", json!({"target": "safe"}))
        .check(&PLAYER_5)
        .unwrap();
    // Values are probabilities, whoever says that they are values.
    let value = Expected {
        target: Some(Target::Won),
        ..PLAYER_5
    };
    let linear = network(&|metadata| {
        metadata["target"] = json!("won");
        metadata["activations"] = json!("relu,relu,relu,relu,linear");
    });
    assert_has(fault(&linear, &value), "numbers that are not probabilities");
    network(&|metadata| metadata["target"] = json!("won"))
        .check(&value)
        .unwrap();

    let folder = tempdir();
    let mut registry = Registry::open_or_new(Some(&folder)).unwrap();
    let mut row = Row::new("11.0", &gains, "classifier-v2").unwrap();
    registry.publish(&row, &gains.bytes).unwrap();
    let text = read_text(folder.join("registry.json"));
    assert_has(&text, "\"target\": \"gain\"");
    let read_back = Registry::open(Some(&folder)).unwrap();
    assert_eq!(read_back.row("11.0"), Some(&row));
    row = Row::new("5.0", &probabilities, "classifier-v2").unwrap();
    assert!(!serde_json::to_string(&row).unwrap().contains("target"));
    row.target = Some("return".to_owned());
    registry.publish(&row, &probabilities.bytes).unwrap();
    let error = registry.load("5.0", &PLAYER_5).unwrap_err().to_string();
    assert_has(&error, "predicts return, player 5.0");
}

#[test]
fn several_publish_to_a_registry_at_once_and_none_is_lost() {
    let folder = tempdir();
    let trees = artifact(&fixture("xgboost-logistic.json"));
    let players: Vec<_> = (0..8).map(|number| format!("{number}.0")).collect();
    // All have read the registry before the first one publishes.
    let together = std::sync::Barrier::new(players.len());
    std::thread::scope(|scope| {
        for player in &players {
            scope.spawn(|| {
                let mut registry = Registry::open_or_new(Some(&folder)).unwrap();
                together.wait();
                let row = Row::new(player, &trees, "classifier-v2").unwrap();
                registry.publish(&row, &trees.bytes).unwrap();
            });
        }
    });
    let registry = Registry::open(Some(&folder)).unwrap();
    let in_folder = registry.rows().filter(|row| !registry.is_built_in(row));
    assert_eq!(
        in_folder.map(|row| row.player.clone()).collect::<Vec<_>>(),
        players
    );
}

#[test]
fn a_model_whose_answers_may_not_be_numbers_is_refused() {
    let layer = |weight: f32, activation| Dense {
        weight: vec![weight; 9],
        bias: vec![0.0],
        activation,
    };
    let network = |weight| {
        let metadata = Metadata::new("classifier-v2");
        let layers = vec![layer(weight, Activation::Sigmoid)];
        Artifact::in_memory(&Mlp::new(layers, vec![0.0; 9], vec![1.0; 9], metadata).unwrap())
    };
    network(1e30).check(&PLAYER_5).unwrap();
    let trees = |leaf: f32| {
        let mut document: Value =
            serde_json::from_slice(&fixture("xgboost-logistic.json")).unwrap();
        let model = &mut document["learner"]["gradient_booster"]["model"];
        for tree in model["trees"].as_array_mut().unwrap() {
            tree["split_conditions"] =
                json!(vec![leaf; tree["left_children"].as_array().unwrap().len()]);
        }
        artifact(document.to_string().as_bytes())
    };
    trees(1e30).check(&PLAYER_5).unwrap();
    for artifact in [network(1e38), trees(3e38)] {
        let error = artifact.check(&PLAYER_5).unwrap_err().fault.to_string();
        assert!(
            error.starts_with("may answer with NaN or infinity"),
            "{error}"
        );
    }
}

#[test]
fn broken_registries_are_refused_with_the_reason() {
    let folder = tempdir();
    let refusal = |document: &Value| {
        write_file(folder.join("registry.json"), document.to_string());
        Registry::open(Some(&folder)).unwrap_err().to_string()
    };
    let row =
        json!({"player": "5.0", "file": "5.0/a.json", "sha256": "", "features": "", "command": ""});
    let two = refusal(&json!({"format": 1, "artifacts": [row, row]}));
    assert!(
        two.ends_with("is not a registry of models: player 5.0 has two rows"),
        "{two}"
    );
    for outside in ["../a.json", "/etc/passwd", "5.0/../../a"] {
        let mut row = row.clone();
        row["file"] = json!(outside);
        let found = refusal(&json!({"format": 1, "artifacts": [row]}));
        assert!(found.ends_with("lies outside the folder"), "{found}");
    }
    let newer = refusal(&json!({"format": 2, "models": []}));
    assert!(
        newer.ends_with("is of format 2; this program reads format 1"),
        "{newer}"
    );
    let unknown = refusal(&json!({"format": 1, "artifacts": [], "notes": ""}));
    assert_has(&unknown, "unknown field `notes`");
    let trees = artifact(&fixture("xgboost-logistic.json"));
    for name in ["", "..", ".x", "a/b", "a b"] {
        let error = Row::new(name, &trees, "classifier-v2").unwrap_err();
        assert_has(error.to_string(), "is not a name of a player");
    }
}

#[test]
fn the_program_has_every_artifact_that_its_registry_names() {
    let registry = Registry::built_in().unwrap();
    assert_eq!(registry.rows().count(), mineflow_published::ARTIFACTS.len());
    for row in registry.rows() {
        registry.verify(row).unwrap();
    }
}
