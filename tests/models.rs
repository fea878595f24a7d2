//! `pipeline models` as people meet it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Finished, command, tempdir};

fn models(folder: &Path, arguments: &[&str]) -> Finished {
    Finished::of(command("models").args(arguments).current_dir(folder))
}

fn fixture(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name).display().to_string()
}

#[test]
fn an_imported_model_is_listed_described_and_verified_until_it_is_changed() {
    let folder = tempdir();
    let here = folder.path();
    let trees = fixture("xgboost-logistic.json");
    let imported = models(here, &["--models", "models", "import", "5.0", &trees]).success();
    let answer = imported.stdout();
    let file = answer.strip_prefix("5.0 loads ").unwrap().strip_suffix(" from now on\n").unwrap().to_owned();
    models(here, &["--models", "models", "import", "5.5", &fixture("network-table-1.safetensors")]).success();
    models(here, &["--models", "models", "import", "alpha", &fixture("alpha.safetensors")]).success();

    let listed = models(here, &["list"]).success().stdout();
    let players: Vec<_> = listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(players, ["player", "5.0", "5.5", "alpha"]);
    let shown = models(here, &["show", "5.0"]).success().stdout();
    assert!(shown.starts_with("kind       5 trees of depth 4 with "), "{shown}");
    assert!(shown.contains("\nfeatures   classifier-v2\n"), "{shown}");
    let shown = models(here, &["show", "5.5"]).success().stdout();
    assert!(shown.contains("\nlayer      9 -> 5 relu\nlayer      5 -> 5 relu\nlayer      5 -> 1 sigmoid\n"), "{shown}");
    let shown = models(here, &["show", &fixture("alpha.safetensors"), "--json"]).success().stdout();
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((shown["kind"].as_str(), shown["theta"][2].as_f64()), (Some("linear"), Some(0.8)));

    models(here, &["verify"]).success();
    fs::write(here.join(&file), b"{}").unwrap();
    let verdicts = models(here, &["verify"]).code(1);
    let verdicts = verdicts.stdout();
    assert!(verdicts.contains("has sha256 44136fa355b3") && verdicts.matches("  ok\n").count() == 2, "{verdicts}");
    let error = models(here, &["show", "5.0"]).code(2);
    assert!(error.stderr().contains("help: the file was changed after it was published"));
}

#[test]
fn refusals_say_where_it_was_looked_and_what_to_do() {
    let folder = tempdir();
    let here = folder.path();
    let stderr = |arguments: &[&str]| models(here, arguments).code(2).stderr();
    let error = stderr(&["--models", "elsewhere", "list"]);
    assert!(error.starts_with("error: no models/registry.json was found; looked in elsewhere\n"), "{error}");
    assert!(error.ends_with("help: name the folder that holds registry.json with --models DIR\n"), "{error}");
    let error = stderr(&["--models", "new", "import", "5.0", &fixture("xgboost-stopped.json")]);
    assert!(error.ends_with("help: say it: --features classifier-v2\n"), "{error}");
    let error = stderr(&["--models", "new", "import", "5.0", "none.json"]);
    assert!(error.starts_with("error: none.json can't be read\n  because: No such file"), "{error}");
    fs::write(here.join("half.json"), b"{\"learner\": ").unwrap();
    let error = stderr(&["show", "half.json"]);
    assert!(error.starts_with("error: half.json is no whole JSON text: EOF"), "{error}");
    assert!(!here.join("new").exists());
}
