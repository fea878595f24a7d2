//! Tests of shards of a series, run separately and merged: the result equals the folder of a single
//! machine, or there is one clear error.

use std::fs;

use crate::program::{
    Finished, TempPath, assert_has, fails, json_of, left, pipeline, read_bytes, read_text, tempdir,
    unfinish, write_file,
};

const SERIES: &str = "eval --players 7.0 --boards 9x9/10 --games 500 --luck-corrected";

/// Runs shard `index` of `parts`, counted from 1, to its end. Returns the folder of the shard.
fn part(dir: &TempPath, of: &str, (index, parts): (u64, u64)) -> TempPath {
    let folder = dir.join(format!("part-{index}-{parts}"));
    pipeline(format!("{of} --shard {index}/{parts} --out {folder}")).success();
    folder
}

fn merge(out: &TempPath, parts: &[TempPath]) -> Finished {
    let parts: String = parts.iter().map(|part| format!(" {part}")).collect();
    pipeline(format!("merge {out}{parts}"))
}

/// Runs two shards of a series; returns their folders and the path of the merged folder.
fn two() -> (TempPath, TempPath, Vec<TempPath>) {
    let dir = tempdir();
    let parts = (1..=2)
        .map(|index| part(&dir, SERIES, (index, 2)))
        .collect();
    let out = dir.join("out");
    (dir, out, parts)
}

#[test]
fn missing_duplicate_foreign_and_damaged_shards_are_refused_by_name() {
    let (dir, out, parts) = two();
    let refused = |parts: &[TempPath]| merge(&out, parts).code(2).stderr();
    assert_has(refused(&parts[1..]), "shards are missing: 1/2");
    let twice = refused(&[parts[0].clone(), parts[1].clone(), parts[0].clone()]);
    assert_has(&twice, "shard 1/2 is given twice");
    assert_has(&twice, "part-1-2");
    let elsewhere = tempdir();
    let other = part(
        &elsewhere,
        "eval --players 7.0 --boards 9x9/10 --games 400 --luck-corrected",
        (2, 2),
    );
    let foreign = refused(&[parts[0].clone(), other]);
    assert_has(&foreign, "different work");
    assert_has(&foreign, "games is");
    let third = part(&dir, SERIES, (3, 3));
    assert_has(refused(&[parts[0].clone(), third]), "shard 3/3");
    assert_has(
        refused(std::slice::from_ref(&dir)),
        "is not a finished shard",
    );
    assert!(
        !out.exists(),
        "nothing is written before all parts are there"
    );

    let (_dir, out, parts) = two();
    let journal = parts[1].join("journal.jsonl");
    let text = read_text(&journal);
    write_file(&journal, text.replacen("\"won\"", "\"wen\"", 1));
    let damaged = merge(&out, &parts).code(2).stderr();
    assert_has(&damaged, "journal.jsonl is damaged");
    assert_has(&damaged, "part-2-2");
}

#[test]
fn an_interrupted_shard_and_an_interrupted_merge_can_be_resumed() {
    let (dir, out, parts) = two();
    let whole = dir.join("whole");
    pipeline(format!("{SERIES} --out {whole}")).success();
    unfinish(&parts[1]);
    write_file(parts[1].join("journal.jsonl"), "");
    assert_has(
        merge(&out, &parts).code(2).stderr(),
        "its work is not finished",
    );
    part(&dir, SERIES, (2, 2));
    fs::create_dir(&out).unwrap();
    write_file(out.join(".journal.jsonl.tmp"), "half of it");
    merge(&out, &parts).success();
    merge(&out, &parts).success();
    assert!(left(&whole) == left(&out));
}

/// Earlier versions kept the settings of a shard in `part.json` instead of its command line in the
/// manifest.
#[test]
fn a_shard_of_an_earlier_version_is_refused_until_its_command_runs_again() {
    let (dir, out, parts) = two();
    let file = parts[0].join("manifest.json");
    let mut manifest = json_of(read_bytes(&file));
    assert!(manifest.as_object_mut().unwrap().remove("argv").is_some());
    write_file(&file, manifest.to_string());
    write_file(parts[0].join("part.json"), "{\"format\": 1}");
    assert_has(
        merge(&out, &parts).code(2).stderr(),
        "part-1-2 is a shard of an earlier version; run its command again",
    );
    let command = format!("{SERIES} --shard 1/2 --out {}", parts[0]);
    let said = pipeline(&command).success().stderr();
    assert_has(&said, "nothing is left to play");
    merge(&out, &parts).success();
    let whole = dir.join("whole");
    pipeline(format!("{SERIES} --out {whole}")).success();
    assert!(left(&whole) == left(&out));
}

#[test]
fn shards_without_games_say_so_and_one_without_a_folder_is_refused() {
    let dir = tempdir();
    let (empty, out) = (dir.join("empty"), dir.join("out"));
    let of = "eval --players 7.0 --boards 9x9/10 --games 64";
    let said = pipeline(format!("{of} --shard 1/3 --out {empty}"))
        .success()
        .stderr();
    assert_has(&said, "warning: shard 1/3 has no games");
    // Most of these 16 shards have no games.
    let parts: Vec<_> = (1..=16).map(|index| part(&dir, of, (index, 16))).collect();
    merge(&out, &parts).success();
    let whole = dir.join("whole");
    pipeline(format!("{of} --out {whole}")).success();
    assert!(left(&whole) == left(&out));
    assert_has(fails(format!("{of} --shard 1/3")), "--out");
    assert_has(
        fails(format!("{of} --shard 4/3 --out {empty}")),
        "is not a shard",
    );
}

#[test]
fn a_scheduler_runs_a_stage_of_a_pipeline_in_shards() {
    let dir = tempdir();
    let file = dir.join("p.toml");
    let text = "format = 1\n[stage.play]\ncommand = \"eval\"\nplayers = \"4.0,7.0\"\ngames = 200\n";
    write_file(&file, text);
    let run = |arguments: &str| pipeline(format!("run {file} {arguments}"));
    let (whole, parts) = (dir.join("whole"), dir.join("parts"));
    run(&format!("--out {whole}")).success();
    let out = format!("--out {parts}");
    run(&format!("play --shard 2/2 {out}")).success();
    let missing = run(&format!("play --join 2 {out}")).code(2).stderr();
    assert_has(&missing, "1-of-2: a shard of stage play is not finished");
    run(&format!("play --shard 1/2 {out}")).success();
    run(&format!("play --join 2 {out}")).success();
    assert!(left(&whole) == left(&parts));
    assert_has(
        run(&format!("play --join 2 {out}")).success().stdout(),
        "up to date",
    );
    // With other settings, the shard is recomputed from the first game on.
    let more = format!("--set play.games=300 {out}");
    run(&format!("play --shard 1/2 {more}")).success();
    write_file(&file, text.replace("200", "300"));
    run(&format!("play --shard 2/2 {out}")).success();
    run(&format!("play --join 2 {out}")).success();
    let again = dir.join("again");
    run(&format!("--out {again}")).success();
    assert!(left(&again) == left(&parts));
    // A shard stays while shards of other settings are made.
    for shard in ["1/2 --set seed=8", "1/2 --set seed=9", "2/2 --set seed=8"] {
        run(&format!("play --shard {shard} {out}")).success();
    }
    run(&format!("play --join 2 --set seed=8 {out}")).success();
    run(&format!("play {out}")).success();
    assert_has(
        run(&format!("--shard 1/2 {out}")).code(2).stderr(),
        "take one stage",
    );
    assert_has(
        run(&format!("pley --join 1 {out}")).code(2).stderr(),
        "did you mean `play`",
    );

    let job = run(&format!("--dry-run --json {out}")).success().stdout();
    let job = json_of(&job);
    assert_eq!(
        (&job["stage"], &job["shardable"], &job["settings"]["games"]),
        (&"play".into(), &true.into(), &300.into())
    );
    assert_eq!(
        (&job["needs"], &job["state"]),
        (&serde_json::json!([]), &"up to date".into())
    );
}

#[test]
fn trainers_learn_from_several_folders_of_one_kind() {
    let dir = tempdir();
    let folder = |name: &str, of: &str| {
        let path = dir.join(name);
        pipeline(format!("generate {of} --out {path}")).success();
        path.to_string()
    };
    let (first, second) = (
        folder("first", "--rows 3000 --seed 1"),
        folder("second", "--rows 2000 --seed 2"),
    );
    let printed = folder("printed", "--rows 500 --score printed");
    for (trainer, settings) in [
        ("train-trees", "--rounds 3"),
        ("train-classifier", "--epochs 1"),
    ] {
        let train = |data: &str, out: &str| {
            let out = dir.join(format!("{trainer}-{out}"));
            let trained =
                format!("{trainer} {settings} --eval-games 0 --data {data} --json --out {out}");
            (pipeline(&trained), out)
        };
        let rows = |data: &str, out: &str| -> u64 {
            let (said, out) = train(data, out);
            let said = said.success().stdout();
            let metrics = read_text(out.join("metrics.jsonl"));
            let of = |text: &str, name: &str| json_of(text)[name].as_u64();
            of(&said, "train_rows")
                .or_else(|| of(metrics.lines().next().unwrap(), "rows"))
                .expect("it says how many rows")
        };
        let both = rows(&format!("{first},{second}"), "both");
        assert_eq!(
            both,
            rows(&first, "first") + rows(&second, "second"),
            "{trainer}"
        );
        let mixed = train(&format!("{first},{printed}"), "mixed")
            .0
            .code(2)
            .stderr();
        assert_has(&mixed, "can't be learnt together: `score`");
    }
}
