//! Models that are small enough to write down, for players with a model.

use std::path::PathBuf;
use std::sync::Arc;

use crate::files::write_file;
use mineflow_minesweeper::features::{LocationScore, classifier_v2, q_v2};
use mineflow_minesweeper::player::{PlayerSpec, choose::note_inputs};
use mineflow_model::{Activation, Artifact, Dense, Linear, Metadata, Mlp};
use serde_json::json;

/// The column of the classifier's rows that contains the mine probability.
pub const PROBABILITY: usize = 5;
/// The column of the Q-network's rows that contains the score of the action itself.
const ACTION: usize = 4;

/// Builds a player from a version or recipe. A version with a model gets a tiny model that prefers
/// the lowest P.
pub fn player(text: &str) -> PlayerSpec {
    let spec = match text {
        "5.0" => PlayerSpec::with_model_file(text, &trees_file("tiny-trees.json", "classifier-v2")),
        "5.5" => PlayerSpec::with_model(text, Artifact::in_memory(&minus_p())),
        "6.0" | "6.5" => {
            PlayerSpec::with_model(text, Artifact::in_memory(&minus_sc([0.0, 0.0, 0.0, 1.0])))
        }
        _ => text.parse(),
    };
    spec.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns a network that scores a cell by the negative of one of its nine inputs.
fn minus(column: usize, metadata: Metadata) -> Arc<Mlp> {
    let mut weight = vec![0.0; 9];
    weight[column] = -1.0;
    let layer = Dense {
        weight,
        bias: vec![0.0],
        activation: Activation::Linear,
    };
    Arc::new(Mlp::new(vec![layer], vec![0.0; 9], vec![1.0; 9], metadata).unwrap())
}

/// Returns the classifier with the score -P.
pub fn minus_p() -> Arc<Mlp> {
    minus(PROBABILITY, Metadata::new(classifier_v2::SET.name))
}

/// Returns the Q-network with the score -Sc of the action, where alpha is the linear model with the
/// coefficients `theta`.
pub fn minus_sc(theta: [f64; 4]) -> Arc<Mlp> {
    let alpha = Linear::new(theta, Metadata::new(Linear::FEATURES)).unwrap();
    minus(
        ACTION,
        note_inputs(
            Metadata::new(q_v2::SET.name),
            &alpha,
            LocationScore::Printed,
            q_v2::OFF_BOARD,
        ),
    )
}

/// Returns the file of trees that score a row higher the lower the number in `column` is, in 32
/// steps from 0 to 1 with one stump each. The trees give probabilities or, with the objective
/// `reg:squarederror`, the sums of their leaves.
pub fn trees(column: usize, width: usize, objective: &str, metadata: &Metadata) -> Vec<u8> {
    let stump = |id: i32| {
        json!({
            "base_weights": [0.0, 0.25, -0.25], "categories": [], "categories_nodes": [], "categories_segments": [],
            "categories_sizes": [], "default_left": [0, 0, 0], "id": id, "left_children": [1, -1, -1],
            "loss_changes": [1.0, 0.0, 0.0], "parents": [2147483647, 0, 0], "right_children": [2, -1, -1],
            "split_conditions": [f64::from(id + 1) / 33.0, 0.25, -0.25], "split_indices": [column, 0, 0],
            "split_type": [0, 0, 0], "sum_hessian": [2.0, 1.0, 1.0],
            "tree_param": {"num_deleted": "0", "num_feature": width.to_string(), "num_nodes": "3", "size_leaf_vector": "1"}
        })
    };
    let trees: Vec<_> = (0..32).map(stump).collect();
    let mut attributes = metadata.notes.clone();
    if !metadata.features.is_empty() {
        attributes.insert("features".to_owned(), metadata.features.clone());
    }
    let model = json!({
        "learner": {
            "attributes": attributes,
            "gradient_booster": {"name": "gbtree", "model": {
                "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "32"},
                "iteration_indptr": (0..=32).collect::<Vec<_>>(), "tree_info": vec![0; 32], "trees": trees
            }},
            "learner_model_param": {"base_score": "5E-1", "boost_from_average": "1", "num_class": "0",
                "num_feature": width.to_string(), "num_target": "1"},
            "objective": {"name": objective, "reg_loss_param": {"scale_pos_weight": "1"}}
        },
        "version": [3, 0, 0]
    });
    serde_json::to_vec(&model).unwrap()
}

/// Writes a file of trees for `features` that score a cell higher the lower its P is. Returns the
/// path.
pub fn trees_file(name: &str, features: &str) -> PathBuf {
    let metadata = Metadata::new(features);
    let bytes = trees(PROBABILITY, 9, "binary:logistic", &metadata);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Tests run in parallel, and thus a reader must never see a partial file.
    let beside = path.with_extension(format!("{:?}.tmp", std::thread::current().id()));
    write_file(&beside, bytes);
    std::fs::rename(&beside, &path).unwrap();
    path
}
