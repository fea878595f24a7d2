//! Tests of native inference, compared with the libraries that made the fixtures; see
//! `fixtures/make_fixtures.py`.

use mineflow_model::{
    Activation, AnyModel, Dense, Forest, LEFT_OUT, Linear, Metadata, Mlp, Model, ModelScratch,
    Objective, Symmetry,
};
use mineflow_rng::Seed;
use proptest::prelude::*;
use rand::RngExt;
use serde_json::json;

use crate::files::{assert_has, read_bytes, repository};

pub fn fixture(name: &str) -> Vec<u8> {
    read_bytes(repository().join("tests/fixtures").join(name))
}

fn forest_of(bytes: &[u8]) -> Forest {
    match AnyModel::from_bytes(bytes) {
        Ok(AnyModel::Forest(forest)) => forest,
        other => panic!("{other:?}"),
    }
}

fn linear_of(bytes: &[u8]) -> Linear {
    match AnyModel::from_bytes(bytes) {
        Ok(AnyModel::Linear(alpha)) => alpha,
        other => panic!("{other:?}"),
    }
}

/// Returns the concatenated rows of a fixture table, and their predictions.
fn table(name: &str) -> (Vec<f32>, Vec<f32>) {
    let bytes = fixture(name);
    let (mut rows, mut predictions) = (Vec::new(), Vec::new());
    for record in csv::Reader::from_reader(&bytes[..]).records() {
        let mut numbers: Vec<f32> = record
            .unwrap()
            .iter()
            .map(|x| {
                if x.is_empty() {
                    f32::NAN
                } else {
                    x.parse().unwrap()
                }
            })
            .collect();
        predictions.push(numbers.pop().unwrap());
        rows.extend(numbers);
    }
    assert_eq!(predictions.len(), 50);
    (rows, predictions)
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{a} {b}");
    }
}

fn assert_trees_agree(file: &str) -> Forest {
    let forest = forest_of(&fixture(file));
    let (name, _) = file.split_once('.').unwrap();
    let (rows, expected) = table(&format!("{name}.csv"));
    assert!(rows.iter().any(|x| x.is_nan()));
    let mut found = Vec::new();
    forest.append(&rows, &mut found, &mut ModelScratch::default());
    assert_close(&found, &expected, 1e-6);
    forest
}

#[test]
fn trees_predict_what_xgboost_predicts_missing_numbers_included() {
    let forest = assert_trees_agree("xgboost-logistic.json");
    assert_eq!(
        (forest.objective(), forest.trees(), forest.width()),
        (Objective::Logistic, 5, 9)
    );
    assert_eq!(forest.features(), Some("classifier-v2"));
    assert_eq!(forest.columns()[5], "probability");
    assert_eq!(forest.notes()["command"], "make_fixtures.py");
}

#[test]
fn trees_predict_what_lightgbm_predicts_missing_numbers_included() {
    let forest = assert_trees_agree("lightgbm-binary.txt");
    assert_eq!((forest.trees(), forest.width()), (5, 9));
    assert_eq!(forest.columns()[5], "probability");
    let forest = assert_trees_agree("lightgbm-regression.txt");
    assert_eq!(forest.objective(), Objective::SquaredError);
    assert_eq!(forest.columns(), [""; 0]);
}

#[test]
fn trees_after_the_best_iteration_are_ignored() {
    let forest = assert_trees_agree("xgboost-stopped.json");
    assert_eq!(forest.objective(), Objective::SquaredError);
    let best: usize = forest.notes()["best_iteration"].parse().unwrap();
    assert_eq!(forest.trees(), 2 * (best + 1));
    assert_eq!(
        forest.notes()[LEFT_OUT],
        "4 of 6 trees, those after best_iteration; Booster.predict uses all"
    );
    assert_eq!(forest.features(), None);
}

fn assert_network_agrees(name: &str) -> Mlp {
    let mlp = Mlp::from_bytes(&fixture(&format!("{name}.safetensors"))).unwrap();
    let (rows, expected) = table(&format!("{name}.csv"));
    let mut found = Vec::new();
    mlp.append(&rows, &mut found, &mut ModelScratch::default());
    assert_close(&found, &expected, 1e-6);
    mlp
}

#[test]
fn networks_predict_what_numpy_predicts_in_64_bits() {
    let mlp = assert_network_agrees("network-table-1");
    assert_eq!(mlp.metadata().features, "classifier-v2");
    assert_eq!(
        mlp.layers().iter().map(Dense::outputs).collect::<Vec<_>>(),
        [9, 9, 5, 5, 1]
    );
    let mlp = assert_network_agrees("network-table-2");
    assert_eq!(mlp.metadata().features, "q-v2");
    assert_eq!(mlp.layers()[1].activation, Activation::Tanh);
}

#[test]
fn alpha_is_linear_in_the_board_and_stays_between_0_and_1() {
    let alpha = linear_of(&fixture("alpha.safetensors"));
    assert_eq!(alpha.theta(), [0.004, -0.003, 0.8, 0.25]);
    let expected = 0.004 * 20.0 - 0.003 * 10.0 + 0.8 * 0.2 + 0.25;
    assert!((alpha.alpha(20, 10, 40) - expected).abs() < 1e-12);
    assert_eq!(alpha.alpha(20, 10, 40), alpha.alpha(10, 20, 40));
    let far = |constant| {
        Linear::new([0.0, 0.0, 0.0, constant], Metadata::default())
            .unwrap()
            .alpha(9, 9, 10)
    };
    assert_eq!((far(-3.0), far(7.0)), (0.0, 1.0));
}

pub fn random_network(sizes: &[usize], seed: Seed) -> Mlp {
    let mut rng = seed.rng();
    let mut numbers = |count: usize| {
        (0..count)
            .map(|_| rng.random::<f32>() * 2.0 - 1.0)
            .collect::<Vec<f32>>()
    };
    let kinds = [
        Activation::Relu,
        Activation::Tanh,
        Activation::Linear,
        Activation::Sigmoid,
    ];
    let layers = sizes
        .windows(2)
        .enumerate()
        .map(|(index, pair)| Dense {
            weight: numbers(pair[0] * pair[1]),
            bias: numbers(pair[1]),
            activation: kinds[index % kinds.len()],
        })
        .collect();
    let mean = numbers(sizes[0]);
    let deviation = numbers(sizes[0])
        .into_iter()
        .map(|x| x.abs() + 0.1)
        .collect();
    Mlp::new(
        layers,
        mean,
        deviation,
        Metadata::new("classifier-v2").note("seed", 7),
    )
    .unwrap()
}

/// Computes the network's output by definition, in 64-bit arithmetic.
fn by_definition(mlp: &Mlp, row: &[f32]) -> Vec<f64> {
    let standardised = row.iter().zip(mlp.mean()).zip(mlp.deviation());
    let mut x: Vec<f64> = standardised
        .map(|((&x, &m), &d)| (f64::from(x) - f64::from(m)) / f64::from(d))
        .collect();
    for layer in mlp.layers() {
        let sum = |(weights, &bias): (&[f32], &f32)| {
            weights
                .iter()
                .zip(&x)
                .map(|(&w, x)| f64::from(w) * x)
                .sum::<f64>()
                + f64::from(bias)
        };
        x = layer
            .weight
            .chunks(x.len())
            .zip(&layer.bias)
            .map(sum)
            .collect();
        for x in &mut x {
            *x = match layer.activation {
                Activation::Relu => x.max(0.0),
                Activation::Tanh => x.tanh(),
                Activation::Linear => *x,
                Activation::Sigmoid => 1.0 / (1.0 + (-*x).exp()),
            }
        }
    }
    x
}

/// Returns an upper bound of the difference between 32-bit sums and `by_definition`: the sum of the
/// absolute rounding errors of all terms. No activation function increases a difference.
fn rounding(mlp: &Mlp, row: &[f32]) -> f64 {
    let standardised = row.iter().zip(mlp.mean()).zip(mlp.deviation());
    let mut size: Vec<f64> = standardised
        .map(|((x, m), d)| f64::from((x.abs() + m.abs()) / d))
        .collect();
    let mut terms = 0;
    for layer in mlp.layers() {
        let sum = |(weights, bias): (&[f32], &f32)| {
            weights
                .iter()
                .zip(&size)
                .map(|(w, x)| f64::from(w.abs()) * x)
                .sum::<f64>()
                + f64::from(bias.abs())
        };
        terms += size.len() + 4;
        size = layer
            .weight
            .chunks(size.len())
            .zip(&layer.bias)
            .map(sum)
            .collect();
    }
    terms as f64 * f64::from(f32::EPSILON) * size[0].max(1.0)
}

proptest! {
    #[test]
    fn a_row_gives_the_same_bits_alone_and_in_any_batch(
        seed: u64, sizes in prop::collection::vec(1..20usize, 1..5), count in 1..70usize,
    ) {
        let seed = Seed::new(seed);
        let sizes: Vec<usize> = sizes.into_iter().chain([1]).collect();
        let mlp = random_network(&sizes, seed);
        let mut rng = seed.child("rows", 0).rng();
        let rows: Vec<f32> = (0..count * sizes[0]).map(|_| rng.random::<f32>() * 4.0 - 2.0).collect();
        let (mut out, mut alone, mut scratch) = (Vec::new(), Vec::new(), ModelScratch::default());
        mlp.append(&rows, &mut out, &mut scratch);
        prop_assert_eq!(out.len(), count);
        for (row, &found) in rows.chunks(sizes[0]).zip(&out) {
            alone.clear();
            mlp.append(row, &mut alone, &mut scratch);
            prop_assert_eq!(alone[0].to_bits(), found.to_bits());
            let expected = by_definition(&mlp, row)[0];
            prop_assert!((f64::from(found) - expected).abs() < rounding(&mlp, row), "{found} {expected}");
        }
    }

    #[test]
    fn networks_and_alpha_survive_writing_and_reading(
        seed: u64, sizes in prop::collection::vec(1..20usize, 2..6), theta: [f32; 4],
    ) {
        let mlp = random_network(&sizes, Seed::new(seed));
        let bytes = mlp.to_bytes();
        prop_assert_eq!(&Mlp::from_bytes(&bytes).unwrap(), &mlp);
        prop_assert_eq!(mlp.clone().to_bytes(), bytes);
        prop_assume!(theta.iter().all(|x| x.is_finite()));
        let linear = Linear::new(theta.map(f64::from), Metadata::new(Linear::FEATURES)).unwrap();
        prop_assert_eq!(linear_of(&linear.to_bytes()), linear);
    }
}

#[test]
fn the_library_of_the_format_reads_written_files() {
    let mlp = random_network(&[9, 5, 2], Seed::new(3));
    let bytes = mlp.to_bytes();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let mut names = file.names();
    names.sort_unstable();
    let layers = [
        "layers.0.bias",
        "layers.0.weight",
        "layers.1.bias",
        "layers.1.weight",
    ];
    assert_eq!(
        names,
        [&["input.deviation", "input.mean"][..], &layers].concat()
    );
    let weight = file.tensor("layers.1.weight").unwrap();
    assert_eq!(weight.shape(), [2, 5]);
    let numbers: Vec<u8> = mlp.layers()[1]
        .weight
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    assert_eq!(weight.data(), numbers);
    let (_, header) = safetensors::SafeTensors::read_metadata(&bytes).unwrap();
    let metadata = header.metadata().as_ref().unwrap();
    assert_eq!(metadata["activations"], "relu,tanh");
    assert_eq!(
        (metadata["kind"].as_str(), metadata["seed"].as_str()),
        ("mlp", "7")
    );
}

#[test]
fn a_network_of_several_outputs_gives_them_row_by_row() {
    let mlp = random_network(&[3, 4, 2], Seed::new(5));
    let rows: Vec<f32> = (0..3 * 37).map(|x| x as f32 / 50.0 - 1.0).collect();
    let mut out = Vec::new();
    mlp.append(&rows, &mut out, &mut ModelScratch::default());
    let expected: Vec<f32> = rows
        .chunks(3)
        .flat_map(|row| by_definition(&mlp, row))
        .map(|x| x as f32)
        .collect();
    assert_close(&out, &expected, 1e-5);
}

/// Checks that each of `rows` has the same prediction alone as in the batch.
fn assert_same_bits_alone(forest: &Forest, rows: &[f32]) {
    let (mut all, mut one, mut scratch) = (Vec::new(), Vec::new(), ModelScratch::default());
    forest.append(rows, &mut all, &mut scratch);
    assert_eq!(all.len(), rows.len() / 9);
    for (row, &in_batch) in rows.chunks(9).zip(&all) {
        one.clear();
        forest.append(row, &mut one, &mut scratch);
        assert_eq!(
            one.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            [in_batch.to_bits()]
        );
    }
}

#[test]
fn rows_that_agree_in_some_columns_have_the_bits_that_they_have_alone() {
    let forest = forest_of(&fixture("xgboost-logistic.json"));
    let (rows, _) = table("xgboost-logistic.csv");
    // All rows of a batch take the columns in `mask` from one row, `example`; some rows have
    // missing values.
    for (example, mask) in rows.chunks(9).zip((0..1 << 9).step_by(11)) {
        let mut batch = rows.clone();
        for (index, x) in batch
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| mask >> (index % 9) & 1 == 1)
        {
            *x = example[index % 9];
        }
        assert_same_bits_alone(&forest, &batch);
    }
}

/// Returns a model of one full tree. At depth `d` the tree tests whether column `d` is at least 1;
/// each leaf contains its own index.
fn full_tree(depth: u32) -> Vec<u8> {
    let (inner, nodes) = ((1_i32 << depth) - 1, (2_i32 << depth) - 1);
    let child = |side: i32| {
        (0..nodes)
            .map(|at| if at < inner { 2 * at + side } else { -1 })
            .collect::<Vec<_>>()
    };
    let columns = (0..nodes)
        .map(|at| if at < inner { (at + 1).ilog2() } else { 0 })
        .collect::<Vec<_>>();
    let conditions = (0..nodes)
        .map(|at| if at < inner { 1 } else { at })
        .collect::<Vec<_>>();
    let tree = json!({
        "left_children": child(1), "right_children": child(2), "split_indices": columns, "split_conditions": conditions,
        "default_left": vec![0; nodes as usize]
    });
    let model = json!({"learner": {
        "gradient_booster": {"name": "gbtree", "model": {"trees": [tree]}},
        "learner_model_param": {"base_score": "0", "num_feature": depth.to_string()},
        "objective": {"name": "reg:squarederror"}
    }});
    serde_json::to_vec(&model).unwrap()
}

#[test]
fn a_tree_has_65535_nodes_at_most() {
    let forest = forest_of(&full_tree(15));
    assert_eq!((forest.nodes(), forest.depth()), (65_535, 15));
    let leaves = [0, 1, 0b101_0101_0101_0101, 0b111_1111_1111_1111];
    // The first column decides the highest bit of the leaf's index.
    let rows: Vec<f32> = leaves
        .iter()
        .flat_map(|leaf| (0..15).rev().map(move |digit| (leaf >> digit & 1) as f32))
        .collect();
    let mut found = Vec::new();
    forest.append(&rows, &mut found, &mut ModelScratch::default());
    assert_eq!(found, leaves.map(|leaf| (32_767 + leaf) as f32));
    let error = AnyModel::from_bytes(&full_tree(16))
        .unwrap_err()
        .to_string();
    assert_has(&error, "the 131071 nodes of tree 0, more than 65535");
}

#[test]
fn the_eight_symmetries_differ_and_each_is_undone_by_its_inverse() {
    let size = (2, 3);
    let cells = || (0..2).flat_map(|row| (0..3).map(move |col| (row, col)));
    let mut seen = Vec::new();
    for symmetry in Symmetry::all() {
        let turned: Vec<_> = cells().map(|cell| symmetry.place(cell, size)).collect();
        let turned_size = if symmetry.transposes() { (3, 2) } else { size };
        let back: Vec<_> = turned
            .iter()
            .map(|&cell| symmetry.inverse().place(cell, turned_size))
            .collect();
        assert_eq!(back, cells().collect::<Vec<_>>(), "{symmetry:?}");
        assert!(!seen.contains(&turned), "{symmetry:?} is one of the others");
        seen.push(turned);
    }
    assert_eq!(seen[0], cells().collect::<Vec<_>>());
}
