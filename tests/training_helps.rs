//! A short training of each learner gives a player that wins more of the same games than the same
//! player without the model.

use std::collections::HashMap;

use crate::program::{TempPath, pipeline, tempdir};

/// Asserts that a player wins more of the same luck-corrected games than another one, with the
/// whole 95 % interval.
fn assert_stronger(directory: &TempPath, players: &str, games: u32) {
    let out = directory.join("compare");
    pipeline(format!(
        "compare {players} --games {games} --luck-corrected --seed 2 --out {out}"
    ))
    .success();
    let mut table = csv::Reader::from_path(out.join("compare.csv")).unwrap();
    let row: HashMap<String, String> = table.deserialize().next().unwrap().unwrap();
    let low: f64 = row["corrected_ci_low"].parse().unwrap();
    assert!(low > 0.0, "{players}: {row:?}");
    std::fs::remove_dir_all(out).unwrap();
}

/// 4.5 from a corner: 5.0 and 5.5 without a model.
const FROM_A_CORNER: &str = "corner-first+dss+dsscsp:solutions=100:depth=300+edge:margin=0.05";

#[test]
fn trees_and_a_network_on_rows_of_cells_are_better_than_the_distance_to_the_edge() {
    let directory = tempdir();
    let rows = directory.join("rows");
    let trees = directory.join("trees");
    let network = directory.join("network");
    pipeline(format!("generate --rows 100000 --out {rows}")).success();
    pipeline(format!(
        "train-trees --data {rows} --rounds 30 --out {trees}"
    ))
    .success();
    pipeline(format!(
        "train-network --data {rows} --epochs 10 --out {network}"
    ))
    .success();
    let trees = format!("5.0 {FROM_A_CORNER} --model 5.0={trees}");
    assert_stronger(&directory, &trees, 2_000);
    let network = format!("5.5 {FROM_A_CORNER} --model 5.5={network}");
    assert_stronger(&directory, &network, 2_000);
}

#[test]
fn a_q_network_is_better_than_the_distance_to_the_edge() {
    let directory = tempdir();
    let network = directory.join("network");
    pipeline(format!("train-q --games 20 --out {network}")).success();
    assert_stronger(&directory, &format!("6.5 4.5 --model 6.5={network}"), 2_000);
}

#[test]
fn a_ranker_is_better_than_safety_of_two_steps() {
    let directory = tempdir();
    let rows = directory.join("rows");
    let ranker = directory.join("ranker");
    let board = "--boards 7x7/13 --first-click opening";
    pipeline(format!(
        "generate --kind guesses --player 11.0-fast {board} --rows 6000 --least-layouts 30 \
         --teacher roll-outs:layouts=16:unknown=1:more=64 --out {rows}"
    ))
    .success();
    pipeline(format!(
        "train-trees --data {rows} --rounds 200 --patience 20 --learning-rate 0.1 \
         --leaf-weight 200 --out {ranker}"
    ))
    .success();
    let rule = "corner-first+dss+posterior";
    assert_stronger(
        &directory,
        &format!("{rule}+ranker:model={ranker}/artifact.json:unknown=1 {rule}+two-step {board}"),
        3_000,
    );
}
