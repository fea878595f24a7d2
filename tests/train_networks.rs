//! Tests of commands that train networks: what they publish, record and reject.

use std::fs;
use std::path::Path;

use mineflow::model::{Mlp, Model};

use crate::program::{
    assert_has, fails, json_of, pipeline, read_bytes, tempdir, unfinish, write_file,
};

fn file(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn metrics(folder: &Path) -> Vec<serde_json::Value> {
    let text = String::from_utf8(file(folder, "metrics.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the round number of each record of the event file except the first. Each record begins
/// with its length.
fn rounds_in_events(folder: &Path) -> Vec<u8> {
    let bytes = file(folder, "tensorboard/events.out.tfevents.0.mineflow");
    let (mut at, mut rounds) = (0, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        // The step follows the length (8 bytes), its checksum (4), the wall time with its tag (9)
        // and the tag of the step (1).
        rounds.push(bytes[at + 12 + 10]);
        at += length + 16;
    }
    rounds.split_off(1)
}

#[test]
fn the_published_network_is_the_one_that_wins_most_validation_games() {
    let directory = tempdir();
    let out = directory.join("run");
    let training =
        "train-classifier --iterative --episodes 8 --rows 4000 --eval-games 39 --average 2";
    pipeline(format!("{training} --out {out}")).success();

    assert_eq!(rounds_in_events(&out), [1, 2, 3, 4, 5, 6, 7, 8]);
    let text = String::from_utf8(file(&out, "checkpoints.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<std::collections::HashMap<String, String>> =
        rows.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 9, "{text}");
    // The first evaluation plays ten games on each of four boards, the second four times as many.
    assert!(rows.iter().all(|row| row["games"] == "40"), "{text}");
    let second: Vec<_> = rows
        .iter()
        .filter(|row| row["second_games"] == "160")
        .collect();
    assert!((5..=7).contains(&second.len()), "{text}");
    let wins = |row: &std::collections::HashMap<String, String>| {
        row["second_wins"].parse::<u32>().unwrap()
    };
    let best = second.iter().max_by_key(|row| wins(row)).unwrap();
    let published: Vec<_> = rows
        .iter()
        .filter(|row| row["published"] == "true")
        .collect();
    assert_eq!((published.len(), published[0]), (1, *best), "{text}");

    let name = match best["checkpoint"].as_str() {
        "average" => "average".to_owned(),
        number => format!("{number:0>4}"),
    };
    assert_eq!(
        file(&out, "artifact.safetensors"),
        file(&out, &format!("checkpoints/{name}.safetensors"))
    );
    let manifest = json_of(file(&out, "manifest.json"));
    assert_eq!(manifest["result"]["published"], best["checkpoint"].as_str());
    assert_eq!(
        (
            &manifest["settings"]["decay"],
            &manifest["settings"]["average"]
        ),
        (&0.5.into(), &2.into())
    );
}

#[test]
fn without_validation_games_the_mean_of_the_last_rounds_is_published_or_the_last() {
    let directory = tempdir();
    for (average, expected) in [("2", "average"), ("0", "0003"), ("1", "0003")] {
        let out = directory.join(average);
        let training =
            "train-classifier --iterative --episodes 3 --rows 3000 --eval-games 0 --average";
        pipeline(format!("{training} {average} --out {out}")).success();
        let published = file(&out, &format!("checkpoints/{expected}.safetensors"));
        assert_eq!(file(&out, "artifact.safetensors"), published, "{average}");
        assert!(
            metrics(&out)
                .iter()
                .all(|line| line.get("win_ratio").is_none())
        );
    }
}

#[test]
fn a_training_does_not_start_from_scratch_after_a_change_to_its_checkpoint() {
    let directory = tempdir();
    let out = directory.join("run");
    let run =
        format!("train-classifier --iterative --episodes 1 --rows 3000 --eval-games 0 --out {out}");
    pipeline(&run).success();
    unfinish(&out);
    let checkpoint = String::from_utf8(file(&out, "checkpoint.json")).unwrap();
    let changed = checkpoint.replacen("\"parameters\":[[", "\"parameters\":[[0,", 1);
    write_file(out.join("checkpoint.json"), changed);
    assert_has(fails(&run), "checkpoint.json is damaged");
}

#[test]
fn a_diverged_training_records_its_batch() {
    let directory = tempdir();
    let out = directory.join("run");
    let run = format!(
        "train-q --alpha 0.3 --games 1 --eval-games 0 --batch 64 --learning-rate 1e38 --out {out}"
    );
    let failed = fails(&run);
    assert!(
        failed.contains("ran-away.csv")
            && failed.contains("of batch")
            && failed.contains("--learning-rate"),
        "{failed}"
    );
    let batch = String::from_utf8(file(&out, "ran-away.csv")).unwrap();
    assert!(
        batch.starts_with("row,game,sc_nw,") && batch.lines().count() == 65,
        "{batch}"
    );
    assert!(!out.join("artifact.safetensors").exists());
}

#[test]
fn rows_of_a_single_game_leave_no_validation_rows() {
    let directory = tempdir();
    let out = directory.join("run");
    let run =
        format!("train-classifier --iterative --episodes 1 --rows 1 --eval-games 0 --out {out}");
    let failed = fails(&run);
    assert_has(&failed, "there are no validation rows");
    assert_has(&failed, "generate more games");
}

#[test]
fn data_folders_are_used_for_training_and_recorded() {
    let directory = tempdir();
    let path = |name: &str| directory.join(name).to_string();
    let generate = "generate --boards 9x9/10 --games";
    pipeline(format!(
        "{generate} 150 --score opening --out {}",
        path("rows")
    ))
    .success();
    pipeline(format!(
        "{generate} 300 --kind q --alpha 0.25 --out {}",
        path("q")
    ))
    .success();
    let train = |command: &str, data: &str, out: &str| {
        pipeline(format!(
            "{command} --data {} --epochs 2 --eval-games 0 --batch 64 --out {}",
            path(data),
            path(out)
        ))
    };
    train("train-classifier", "rows", "5.5").success();
    train("train-q", "q", "6.5").success();
    for (out, expected) in [
        ("5.5", vec![("location_score", "opening")]),
        (
            "6.5",
            vec![
                ("theta", "0,0,0,0.25"),
                ("location_score", "opening"),
                ("discount", "linear"),
            ],
        ),
    ] {
        let mlp = Mlp::from_bytes(&read_bytes(
            directory.join(out).join("artifact.safetensors"),
        ))
        .unwrap();
        for (note, value) in expected {
            assert_eq!(mlp.metadata().notes[note], value, "{out}: {note}");
        }
        let metrics = metrics(&directory.join(out));
        assert_eq!(metrics.len(), 2);
        assert_eq!(
            (&metrics[1]["round"], &metrics[1]["number"]),
            (&"epoch".into(), &2.into())
        );
        assert_eq!(metrics[0]["rows"], metrics[1]["rows"]);
    }
    let mixed = train("train-classifier --player 4.0", "rows", "no")
        .code(2)
        .stderr();
    assert_has(&mixed, "cannot be used with");
    let wrong = train("train-q", "rows", "no").code(2).stderr();
    assert_has(&wrong, "holds rows of `classifier-v2`, not of `q-v2`");
    let missing = train("train-q", "nowhere", "no").code(2).stderr();
    assert_has(&missing, "nowhere is not a data folder");
    assert!(!directory.join("no").exists());
}

#[test]
fn an_iterative_q_training_starts_from_the_published_network() {
    let dir = tempdir();
    let tiny = "train-q --iterative --episodes 2 --games 1 --eval-games 10 -q --out";
    let out = |name: &str| dir.join(name);
    let artifact = |folder: &Path| read_bytes(folder.join("artifact.safetensors"));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let registry = json_of(read_bytes(repository.join("registry.json")));
    let row = |player: &str| {
        registry["artifacts"]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["player"] == player)
            .unwrap()
    };

    pipeline(format!("{tiny} {}", out("published"))).success();
    let single_pass = repository.join(row("6.5")["file"].as_str().unwrap());
    pipeline(format!(
        "{tiny} {} --from {}",
        out("named"),
        single_pass.display()
    ))
    .success();
    assert!(artifact(&out("published")) == artifact(&out("named")));
}

#[test]
fn a_network_is_trained_on_rows_of_any_kind_and_keeps_its_best_checkpoints() {
    let directory = tempdir();
    let path = |name: &str| directory.join(name).to_string();
    for kind in [
        "classifier",
        "q --alpha 0.25",
        "value",
        "guesses --least-layouts 20",
    ] {
        let name = kind.split(' ').next().unwrap();
        let rows = path(name);
        let generate = format!("generate --kind {kind} --boards 9x9/10 --games 200 --out {rows}");
        pipeline(generate).success();
        let out = directory.join(format!("{name}-network"));
        let run = format!(
            "train-network --data {rows} --layers 8relu,4tanh --epochs 9 --batch 64 --learning-rate 0.02 --out {out}"
        );
        pipeline(&run).success();
        let losses: Vec<f64> = metrics(&out)
            .iter()
            .map(|line| line["validation_loss"].as_f64().unwrap())
            .collect();
        let lowest = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let best = losses.iter().position(|&loss| loss == lowest).unwrap() + 1;
        let manifest = json_of(file(&out, "manifest.json"));
        assert_eq!(
            manifest["result"]["published"],
            best.to_string(),
            "{kind}: {losses:?}"
        );
        assert_eq!(manifest["settings"]["network"], "8 relu, 4 tanh");
        let kept = fs::read_dir(out.join("checkpoints")).unwrap().count();
        assert!((5..=6).contains(&kept), "{kind}: {kept}");
        let mlp = Mlp::from_bytes(&file(&out, "artifact.safetensors")).unwrap();
        let notes = &mlp.metadata().notes;
        assert_eq!(notes["network"], "8 relu, 4 tanh");
        assert_eq!(notes["steps"], metrics(&out)[best - 1]["steps"].to_string());
        assert!(notes["data"].len() == 64 && notes["batch"] == "64");
        assert!(file(&out, "curve.svg").starts_with(b"<svg"));
    }
    pipeline(format!(
        "eval --players 5.5,6.5 --games 5 --model 5.5={},6.5={}",
        path("classifier-network"),
        path("q-network")
    ))
    .success();
}

#[test]
fn a_network_goes_on_from_its_layers_and_patience_ends_the_training() {
    let directory = tempdir();
    let path = |name: &str| directory.join(name).to_string();
    let generate = format!(
        "generate --boards 9x9/10 --games 200 --out {}",
        path("rows")
    );
    pipeline(generate).success();
    let train = format!("train-network --data {}", path("rows"));
    let first = format!("{train} --layers 8relu --epochs 30 --patience 2 --learning-rate 0.05");
    pipeline(format!("{first} --out {}", path("first"))).success();
    let losses: Vec<_> = metrics(&directory.join("first"))
        .iter()
        .map(|line| line["validation_loss"].as_f64().unwrap())
        .collect();
    let lowest = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let best = losses.iter().position(|&loss| loss == lowest).unwrap();
    assert!(losses.len() == (best + 3).min(30), "{losses:?}");

    // The layers are those of the file.
    let more = format!("{train} --from {} --epochs 1", path("first"));
    pipeline(format!("{more} --out {}", path("more"))).success();
    let manifest = json_of(file(&directory.join("more"), "manifest.json"));
    assert_eq!(manifest["settings"]["network"], "8 relu");
    let first = json_of(file(&directory.join("first"), "manifest.json"));
    assert_eq!(manifest["settings"]["from"], first["result"]["sha256"]);

    let other = pipeline(format!("{more} --layers 9relu --out {}", path("no")));
    let said = other.code(2).stderr();
    assert_has(
        &said,
        "has the layers 8 relu, 1 sigmoid, and this training has 9 relu, 1 sigmoid",
    );
    assert_has(&said, "leave out --layers");
    let long = pipeline(format!(
        "{train} --epochs 1 --schedule warm-up9000 --out {}",
        path("no")
    ));
    assert_has(long.code(2).stderr(), "takes at least 9000 steps");
    assert!(!directory.join("no").exists());
}
