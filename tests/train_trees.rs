//! Tests of `pipeline train-trees`: trees that can play, trained on its own games or on a data
//! folder.

use std::fs;

use crate::program::{
    assert_has, command, interrupt_when, json_of, left, pipeline, prints, tempdir,
};

#[test]
fn trained_trees_can_play_and_are_not_trained_again() {
    let directory = tempdir();
    let run = |more: &str| {
        let out = directory.join("trees");
        pipeline(format!(
            "train-trees --rows 8000 --rounds 20 --eval-games 30 {more} --out {out}"
        ))
    };
    run("").success();
    let files = left(&directory.join("trees"));
    let names: Vec<_> = files.keys().map(|name| name.to_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "artifact.json",
            "checkpoint.bin",
            "curve.svg",
            "importance.csv",
            "manifest.json",
            "metrics.jsonl",
            "tensorboard/events.out.tfevents.0.mineflow"
        ]
    );
    let again = run("").success().stderr();
    assert_has(&again, "finished before");
    let other = run("--depth 3").code(2).stderr();
    assert_has(&other, "depth is 6 there and 3 here");

    let artifact = directory.join("trees/artifact.json");
    let eval = format!("eval --players 5.0 --model 5.0={artifact} --games 50 --json");
    let row = json_of(prints(&eval));
    assert_eq!(
        (row["player"].as_str(), row["games"].as_u64()),
        (Some("5.0"), Some(50))
    );
    // Any kind of model that predicts safe cells serves the players that ask for them.
    pipeline(format!(
        "eval --players 5.5 --model 5.5={artifact} --games 5"
    ))
    .success();
    let wrong = pipeline(format!("eval --players 4.0 --model 5.0={artifact}")).code(2);
    assert_has(
        wrong.stderr(),
        "--model names player 5.0, and those who play are 4.0",
    );
}

#[cfg(unix)]
#[test]
fn validation_games_can_be_interrupted() {
    let directory = tempdir();
    let out = directory.join("out");
    let run = format!("train-trees --rows 3000 --rounds 2 --eval-games 10000000 --out {out}");
    let said = interrupt_when(&mut command(&run), "-INT", |_| {
        out.join("artifact.json").exists()
    });
    assert_has(&said, "interrupted: 2 rounds are kept");
}

#[test]
fn trees_are_trained_on_a_data_folder() {
    let directory = tempdir();
    let (data, out) = (directory.join("data"), directory.join("out"));
    pipeline(format!("generate --rows 20000 --out {data}")).success();
    let run = format!("train-trees --data {data} --eval-games 0 --json --out {out}");
    let result = json_of(prints(&run));
    let rows = |split: &str| result[format!("{split}_rows")].as_u64().unwrap();
    assert!(
        rows("train") + rows("validation") + rows("test") >= 20_000,
        "{result}"
    );
    assert!(
        rows("train") > 5 * rows("test") && rows("validation") > 1000,
        "{result}"
    );
    assert_eq!(result["win_ratio"], serde_json::Value::Null);

    let nothing = directory.join("nothing");
    fs::create_dir(&nothing).unwrap();
    let wrong = pipeline(format!("train-trees --data {nothing} --out {out}")).code(2);
    assert_has(wrong.stderr(), "is not a data folder");
}

#[test]
fn trees_grow_on_those_of_a_file_of_the_same_features_alone() {
    let directory = tempdir();
    let path = |name: &str| directory.join(name).to_string();
    let train = "train-trees --rows 5000 --rounds 3 --eval-games 0";
    pipeline(format!("{train} --out {}", path("first"))).success();
    let run = format!("{train} --from {} --out {}", path("first"), path("more"));
    let result = json_of(prints(format!("{run} --json")));
    let shown = json_of(prints(format!("models show {} --json", path("more"))));
    assert_eq!(shown["trees"], result["trees"]);
    let first = json_of(prints(format!("models show {} --json", path("first"))));
    assert_eq!(result["rounds"], 3);
    assert!(result["trees"].as_u64() > first["trees"].as_u64());
    assert_eq!(shown["notes"]["from"], first["sha256"]);

    pipeline(format!(
        "generate --kind value --games 100 --out {}",
        path("rows")
    ))
    .success();
    for (from, why) in [
        (path("first"), "reads features \"classifier-v2\""),
        (path("no-such-file"), "no-such-file"),
    ] {
        let wrong = format!(
            "train-trees --data {} --from {from} --out {}",
            path("rows"),
            path("x")
        );
        assert_has(pipeline(wrong).code(2).stderr(), why);
        assert!(!directory.join("x").exists());
    }
}
