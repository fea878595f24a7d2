//! Commands that train trees: the same folder however they are interrupted.

use std::fs;
use std::path::Path;

use crate::program::{command, kill_when, pipeline, tempdir};

/// Everything in a folder but its lock.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name != "lock"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn one_and_two_threads_make_the_same_folder_and_its_trees_can_play() {
    let directory = tempdir();
    let run = |threads: u32| {
        let out = directory.path().join(threads.to_string());
        let run = format!("train-trees --rows 20000 --eval-games 30 --threads {threads} --out {}", out.display());
        pipeline(&run).success();
        contents(&out)
    };
    let files = run(1);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["artifact.json", "checkpoint.bin", "importance.csv", "manifest.json", "metrics.jsonl"]);
    assert_eq!(files, run(2));

    let artifact = directory.path().join("1/artifact.json");
    let eval = format!("eval --players 5.0 --model 5.0={} --games 50 --json", artifact.display());
    let row: serde_json::Value = serde_json::from_str(&pipeline(&eval).success().stdout()).unwrap();
    assert_eq!((row["player"].as_str(), row["games"].as_u64()), (Some("5.0"), Some(50)));
    let wrong = pipeline(&format!("eval --players 5.5 --model 5.5={} --games 5", artifact.display())).code(2);
    assert!(wrong.stderr().contains("needs a network"), "{}", wrong.stderr());
    let wrong = pipeline(&format!("eval --players 4.0 --model 5.0={}", artifact.display())).code(2);
    assert!(wrong.stderr().contains("--model names player 5.0, and those who play are 4.0"), "{}", wrong.stderr());
}

#[test]
fn what_was_killed_and_resumed_equals_what_was_not() {
    let directory = tempdir();
    let run = |out: &Path| {
        let growing = "--rows 20000 --rounds 120 --patience 120 --checkpoint-every 5 --eval-games 0";
        format!("train-trees {growing} --out {}", out.display())
    };
    let unbroken = directory.path().join("unbroken");
    pipeline(&run(&unbroken)).success();
    // A run that ends before it can be killed shows nothing: again, then.
    let broken = (0..5).map(|attempt| directory.path().join(format!("broken-{attempt}"))).find(|broken| {
        kill_when(&mut command(&run(broken)), || broken.join("checkpoint.bin").exists());
        !broken.join("artifact.json").exists()
    });
    let broken = broken.expect("one of five runs is killed before its end");
    pipeline(&run(&broken)).success();
    // Checkpoints are cut from where the run began, so the last one may be another; all that is made of them is the same.
    let made =
        |folder: &Path| contents(folder).into_iter().filter(|(name, _)| name != "checkpoint.bin").collect::<Vec<_>>();
    assert_eq!(made(&broken), made(&unbroken));
    let again = pipeline(&run(&broken)).success();
    assert!(again.stderr().contains("finished before"), "{}", again.stderr());
    let other = pipeline(&format!("{} --depth 3", run(&broken))).code(2);
    assert!(other.stderr().contains("depth is 6 there and 3 here"), "{}", other.stderr());
}

#[test]
fn trees_are_grown_from_a_data_folder() {
    let directory = tempdir();
    let (data, out) = (directory.path().join("data"), directory.path().join("out"));
    pipeline(&format!("generate --rows 20000 --out {}", data.display())).success();
    let run = format!("train-trees --data {} --eval-games 0 --json --out {}", data.display(), out.display());
    let result: serde_json::Value = serde_json::from_str(&pipeline(&run).success().stdout()).unwrap();
    let rows = |split: &str| result[format!("{split}_rows")].as_u64().unwrap();
    assert!(rows("train") + rows("validation") + rows("test") >= 20_000, "{result}");
    assert!(rows("train") > 5 * rows("test") && rows("validation") > 1000, "{result}");
    assert_eq!(result["win_ratio"], serde_json::Value::Null);

    let nothing = directory.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    let wrong = pipeline(&format!("train-trees --data {} --out {}", nothing.display(), out.display())).code(2);
    assert!(wrong.stderr().contains("is not a data folder"), "{}", wrong.stderr());
}
