//! Tests of learning from roll-outs, end to end.

use mineflow::learn::data::{Split, read_table};
use mineflow::minesweeper::features::guess_v2;

use crate::models::fixture;
use crate::program::{assert_has, fails, pipeline, read_bytes, tempdir};

#[test]
fn guesses_become_rows_a_ranker_and_a_player() {
    let folder = tempdir();
    let path = |name: &str| folder.join(name);
    for (name, seed) in [("one", 3), ("two", 4)] {
        let of = "generate --kind guesses --player 11.0-fast --boards 16x16/40 --rows 1500 --least-layouts 50";
        let teacher = "--teacher roll-outs:layouts=4:unknown=0.9 --games-per-shard 200";
        pipeline(format!("{of} {teacher} --seed {seed} --out {}", path(name))).success();
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    let limits = mineflow::learn::data::ReadLimits {
        stop: &stop,
        memory: 1 << 30,
    };
    let table = read_table(
        &[path("one").to_path_buf()],
        &guess_v2::SET,
        Split::All,
        limits,
    )
    .unwrap();
    assert_eq!(table.rows(), 1500);
    let is_first = |row: usize| table.row(row)[guess_v2::RANK] == 0.0;
    let mut guess = Vec::new();
    for row in 0..table.rows() {
        if is_first(row) && !guess.is_empty() {
            let gains: Vec<f32> = std::mem::take(&mut guess);
            assert!(
                (2..=guess_v2::CANDIDATES).contains(&gains.len()),
                "{gains:?}"
            );
            assert!(gains.iter().sum::<f32>().abs() < 1e-5, "{gains:?}");
        }
        guess.push(table.target[row]);
    }
    let train = |data: &str, out: &str| {
        let data = data
            .split(',')
            .map(|name| path(name).to_string())
            .collect::<Vec<_>>()
            .join(",");
        format!(
            "train-trees --data {data} --rounds 20 --learning-rate 0.1 --leaf-weight 20 --out {}",
            path(out)
        )
    };
    pipeline(train("one", "ranker")).success();
    pipeline(train("one,two", "ranker-2")).success();
    let artifact = path("ranker").join("artifact.json");
    let recipe = |model: &std::path::Path| {
        format!("dss+posterior+ranker:model={}:unknown=0.9", model.display())
    };
    let player = recipe(&artifact);
    pipeline(format!(
        "eval --players {player} --boards 16x16/40 --games 60"
    ))
    .success();
    // The player uses the ranker, no matter whether its recipe names the file or `--model` does.
    let rows_of = |player: &str, name: &str| {
        let of = format!(
            "generate --kind guesses --player {player} --boards 16x16/40 --rows 200 --least-layouts 50"
        );
        let teacher = "--teacher roll-outs:layouts=2:looks=2:unknown=0.9";
        pipeline(format!("{of} {teacher} --out {}", path(name))).success();
        read_bytes(path(name).join("rows/00000.parquet"))
    };
    let named = "dss+posterior+ranker:unknown=0.9";
    let swapped = rows_of(
        &format!("{named} --model {named}={}", artifact.display()),
        "swapped",
    );
    assert!(rows_of(&recipe(&artifact), "by-file") == swapped);
    assert!(rows_of(named, "published") != swapped);
    let wrong = recipe(fixture("xgboost-logistic.json").as_ref());
    assert_has(
        fails(format!("eval --players {wrong} --games 1")),
        "takes models that predict gain",
    );
    let bad = "generate --kind guesses --rows 10 --teacher uct";
    assert_has(fails(bad), "roll-outs");
}
