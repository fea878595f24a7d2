//! Tests of `pipeline models` as users run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mineflow::model::Registry;

use crate::program::{
    Finished, PIPELINE, assert_has, command, json_of, left, pipeline, read_bytes, read_text,
    tempdir, write_file,
};

fn models(folder: &Path, arguments: &str) -> Finished {
    Finished::of(command(format!("models {arguments}")).current_dir(folder))
}

/// Imports a fixture as the model of a player into the folder `models`.
fn import(folder: &Path, player: &str, name: &str) -> String {
    models(
        folder,
        &format!("--models models import {player} {}", fixture(name)),
    )
    .success()
    .stdout()
}

pub(crate) fn fixture(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
        .display()
        .to_string()
}

#[test]
fn an_imported_model_is_listed_described_and_verified_until_it_is_changed() {
    let folder = tempdir();
    let here = &folder;
    let answer = import(here, "5.0", "xgboost-logistic.json");
    let file = answer
        .strip_prefix("5.0 loads ")
        .unwrap()
        .strip_suffix(" from now on\n")
        .unwrap();
    import(here, "5.5", "network-table-1.safetensors");
    import(here, "alpha", "alpha.safetensors");

    let listed = models(here, "list").success().stdout();
    let from = |place: &str| {
        let of = listed
            .lines()
            .filter(|line| line.split_whitespace().any(|word| word == place));
        of.map(|line| line.split_whitespace().next().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(from("folder"), ["5.0", "5.5", "alpha"]);
    assert_eq!(from("program")[..3], ["11.0", "6.0", "6.5"]);
    let shown = models(here, "show 5.0").success().stdout();
    assert!(
        shown.starts_with("kind       5 trees of depth 4 with "),
        "{shown}"
    );
    assert_has(&shown, "\nfeatures   classifier-v2\n");
    let shown = models(here, "show 5.5").success().stdout();
    assert_has(
        &shown,
        "\nlayer     9 -> 5 relu\nlayer     5 -> 5 relu\nlayer     5 -> 1 sigmoid\n",
    );
    let shown = models(
        here,
        &format!("show {} --json", fixture("alpha.safetensors")),
    )
    .success()
    .stdout();
    let shown = json_of(&shown);
    assert_eq!(
        (shown["kind"].as_str(), shown["theta"][2].as_f64()),
        (Some("linear"), Some(0.8))
    );

    models(here, "verify").success();
    write_file(here.join(file), b"{}");
    let verdicts = models(here, "verify").code(1);
    let verdicts = verdicts.stdout();
    let built_in = Registry::built_in().unwrap().rows().count();
    assert_has(&verdicts, " 44136fa355b3");
    assert_eq!(
        verdicts.matches("  ok\n").count(),
        built_in - 1,
        "{verdicts}"
    );
    let error = models(here, "show 5.0").code(2);
    assert_has(
        error.stderr(),
        "help: the file was changed after it was published",
    );
}

#[test]
fn a_file_that_the_player_can_t_load_is_not_imported() {
    let folder = tempdir();
    let here = &folder;
    import(here, "5.0", "xgboost-logistic.json");
    let before = left(here);
    let refused = [
        (
            "6.0",
            "xgboost-logistic.json",
            "",
            "predicts safe, and `q` takes models that predict return; safe is for safest, trees, mlp",
        ),
        (
            "6.5",
            "network-table-1.safetensors",
            "",
            "predicts safe, and `q` takes models that predict return; safe is for",
        ),
        (
            "6.0",
            "network-table-2.safetensors",
            "",
            "doesn't say `theta` in its metadata",
        ),
        // This file doesn't declare its features, and thus `--features` gives them.
        (
            "5.0",
            "xgboost-stopped.json",
            "--features q-v2",
            "predicts return, and `trees` takes models that predict safe; return is for",
        ),
        // Nor does it declare a target, and its objective is that of a number.
        (
            "5.0",
            "xgboost-stopped.json",
            "",
            "predicts numbers that are not probabilities, the player takes models that predict safe",
        ),
        (
            "alpha",
            "xgboost-logistic.json",
            "",
            "reads features \"classifier-v2\", train-q computes \"board-v1\"",
        ),
    ];
    for (player, file, features, why) in refused {
        let file = fixture(file);
        let error = models(here, &format!("import {player} {file} {features}"))
            .code(2)
            .stderr();
        assert!(
            error.starts_with(&format!(
                "error: {file} can't become the model of {player}\n"
            )),
            "{error}"
        );
        assert!(
            error.contains(&format!("{file} {why}")) && error.matches("error").count() == 1,
            "{error}"
        );
        assert_eq!(left(here), before);
    }
}

#[test]
fn a_network_takes_the_place_of_trees_and_trees_that_of_a_network() {
    let folder = tempdir();
    let here = &folder;
    import(here, "5.0", "network-table-1.safetensors");
    import(here, "5.5", "xgboost-logistic.json");
    models(here, "verify").success();
    let line = "eval --players 5.0,5.5 --games 5 --json";
    let played = Finished::of(command(line).current_dir(here)).success();
    let rows: Vec<_> = played.stdout().lines().map(json_of).collect();
    let [network, trees] = ["network-table-1.safetensors", "xgboost-logistic.json"].map(fixture);
    let typed = "corner-first+dss+dsscsp:solutions=100:depth=300+safest:margin=0.05:model=";
    let line = format!("eval --players {typed}{network},{typed}{trees} --games 5 --json");
    let typed = Finished::of(command(&line).current_dir(here)).success();
    for (row, typed) in rows.iter().zip(typed.stdout().lines().map(json_of)) {
        assert_eq!(
            (&row["wins"], &row["version"]),
            (&typed["wins"], &typed["version"])
        );
    }
    let shown = models(here, "show 5.0").success().stdout();
    assert_has(&shown, "\ntarget    safe\n");
}

#[test]
fn models_are_not_imported_into_the_folder_of_a_training() {
    let folder = tempdir();
    let manifest = "{\"settings\": {\"command\": \"train-trees\"}}";
    fs::create_dir(folder.join("run")).unwrap();
    write_file(folder.join("run/manifest.json"), manifest);
    let line = format!(
        "--models run import 5.0 {}",
        fixture("xgboost-logistic.json")
    );
    let said = models(&folder, &line).code(2).stderr();
    assert_has(&said, "run is a folder of `train-trees`");
    assert_has(&said, "name another folder with --models DIR");
}

#[test]
fn models_of_a_registry_that_players_can_t_load_are_named() {
    let folder = tempdir();
    let here = &folder;
    import(here, "5.0", "xgboost-logistic.json");
    let path = here.join("models/registry.json");
    let row = read_text(&path);
    let verdicts = |player: &str| {
        write_file(
            &path,
            row.replace("\"player\": \"5.0\"", &format!("\"player\": \"{player}\"")),
        );
        models(here, "verify --json").code(1).stdout()
    };
    let shown = verdicts("6.0");
    assert_has(&shown, "{\"player\":\"6.0\",\"file\":\"5.0/");
    assert_has(
        &shown,
        "predicts safe, and `q` takes models that predict return",
    );
    assert_has(
        verdicts("9.9"),
        "no player loads a model of the name \\\"9.9\\\"",
    );
}

#[test]
fn a_folder_that_a_training_wrote_is_a_model_everywhere() {
    let folder = tempdir();
    let here = &folder;
    for (run, name, file) in [
        ("trees", "artifact.json", "xgboost-logistic.json"),
        (
            "network",
            "artifact.safetensors",
            "network-table-1.safetensors",
        ),
        ("alpha", "alpha.safetensors", "alpha.safetensors"),
        ("alpha", "alpha.json", "alpha.safetensors"),
    ] {
        fs::create_dir_all(here.join(run)).unwrap();
        fs::copy(fixture(file), here.join(run).join(name)).unwrap();
    }
    // Only the name of this file leads to the model beside it.
    write_file(here.join("alpha/alpha.json"), "{\"theta\": []}");
    fs::create_dir(here.join("empty")).unwrap();
    let run = |line: &str| Finished::of(command(line).current_dir(here));
    let shown = |line: &str| run(line).success().stdout();
    let table = |model: &str| {
        shown(&format!(
            "eval --players 5.0 --games 5 --model 5.0={model} --json"
        ))
    };
    assert_eq!(table("trees"), table("trees/artifact.json"));
    let recipe = shown("eval --players dss+components+mlp:model=network --games 5 --json");
    assert_has(&recipe, "model=artifact.safetensors");
    let rows = "generate --kind q --widths 5 --rows 50 -q --alpha";
    shown(&format!("{rows} alpha --out one"));
    shown(&format!("{rows} alpha/alpha.json --out two"));
    assert_eq!(
        read_bytes(here.join("one/manifest.json")),
        read_bytes(here.join("two/manifest.json"))
    );
    assert_has(shown("models show trees"), "trees/artifact.json");
    shown("models import alpha alpha --models models");
    for (line, words) in [
        (
            "eval --players 5.0 --games 5 --model 5.0=empty",
            "player `5.0` has no usable model: empty is a folder without artifact.json",
        ),
        (
            "generate --kind q --widths 5 --rows 50 --alpha empty --out three",
            "empty is a folder without artifact.json",
        ),
    ] {
        let said = run(line).code(2).stderr();
        assert_has(&said, words);
    }
}

#[test]
fn models_that_answer_with_nan_or_leave_out_trees_are_named() {
    let folder = tempdir();
    let here = &folder;
    let run = |line: &str| Finished::of(command(line).current_dir(here));
    let nan = fixture("network-nan.safetensors");
    let said = run(&format!("eval --players 5.5 --games 5 --model 5.5={nan}"))
        .code(2)
        .stderr();
    let words = format!("player `5.5` has no usable model: {nan} may answer with NaN or infinity");
    assert!(said.contains(&words), "{said}");
    let trees = fixture("xgboost-continued.json");
    let words = "5 of 10 trees, those after best_iteration; Booster.predict uses all";
    let shown = run(&format!("models show {trees}")).success();
    assert_has(shown.stdout(), words);
    for line in [
        format!("models import 5.0 {trees} --features classifier-v2 --models models"),
        format!("eval --players 5.0 --games 5 --model 5.0={trees}"),
    ] {
        let said = run(&line).success().stderr();
        assert_has(&said, words);
    }
}

#[test]
fn a_registry_of_another_program_is_skipped_unless_it_is_named() {
    let folder = tempdir();
    let here = &folder;
    fs::create_dir(here.join("models")).unwrap();
    let registry = here.join("models/registry.json");
    let run = |line: &str| Finished::of(command(line).current_dir(here));
    write_file(&registry, "{\"models\": {\"bert\": \"1.0\"}}");
    run("eval --players 5.0 --games 5").success();
    let said = run("eval --players 5.0 --games 5 --models models")
        .code(2)
        .stderr();
    assert_has(&said, "is not a registry of models");
    write_file(&registry, "{\"artifacts\": [");
    let said = run("eval --players 5.0 --games 5").code(2).stderr();
    assert_has(&said, "--models DIR");
}

/// Installs the program alone in a folder, without `models` nearby. Returns a function that makes a
/// command to run in another, empty folder.
fn installed(folder: &Path) -> impl Fn(&str) -> Command {
    let (bin, here) = (folder.join("bin"), folder.join("here"));
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&here).unwrap();
    let program = bin.join("pipeline");
    fs::copy(PIPELINE, &program).unwrap();
    move |arguments| {
        let mut command = Command::new(&program);
        command
            .env_remove("MINEFLOW_MODELS")
            .args(arguments.split_whitespace())
            .current_dir(&here);
        command
    }
}

#[test]
fn an_installed_program_plays_every_version_with_the_models_that_are_part_of_it() {
    let folder = tempdir();
    let alone = installed(&folder);
    let played = Finished::of(&mut alone(
        "eval --players 5.0,5.5,6.0,6.5 --games 2 --json",
    ))
    .success()
    .stdout();
    let beside_models = pipeline("eval --players 5.0,5.5,6.0,6.5 --games 2 --json")
        .success()
        .stdout();
    let wins = |text: &str| -> Vec<_> {
        let rows = text.lines().map(json_of);
        rows.map(|row| (row["player"].to_string(), row["wins"].to_string()))
            .collect()
    };
    assert_eq!(
        (wins(&played).len(), wins(&played)),
        (4, wins(&beside_models))
    );
    let listed = Finished::of(&mut alone("models verify")).success().stdout();
    assert_eq!(
        listed.matches("  ok\n").count(),
        Registry::built_in().unwrap().rows().count(),
        "{listed}"
    );
    let shown = Finished::of(&mut alone("models show 5.0"))
        .success()
        .stdout();
    assert_has(&shown, "built-in models/5.0/");
    let import = format!("models import 5.0 {}", fixture("xgboost-logistic.json"));
    let error = Finished::of(&mut alone(&import)).code(2).stderr();
    assert_has(
        &error,
        "no models/registry.json was found; looked in models, ",
    );
}

#[test]
fn an_option_and_the_environment_replace_the_models_that_are_found() {
    let folder = tempdir();
    let alone = installed(&folder);
    let own = folder.join("own").to_string();
    let import = format!("models import 5.0 {}", fixture("xgboost-logistic.json"));
    Finished::of(alone(&import).env("MINEFLOW_MODELS", &own)).success();
    let players = |command: &mut Command| {
        Finished::of(command.arg("--json"))
            .success()
            .stdout()
            .lines()
            .count()
    };
    assert_eq!(
        players(&mut alone("models list")),
        Registry::built_in().unwrap().rows().count()
    );
    let listed = |command: &mut Command| Finished::of(command).success().stdout();
    for list in [
        listed(alone("models list").env("MINEFLOW_MODELS", &own)),
        listed(alone(&format!("--models {own} models list")).env("MINEFLOW_MODELS", "elsewhere")),
    ] {
        let from = |player: &str| {
            let line = list.lines().find(|line| line.starts_with(player)).unwrap();
            line.split_whitespace().nth(3).unwrap().to_owned()
        };
        assert_eq!(
            (from("5.0"), from("5.5")),
            ("folder".into(), "program".into())
        );
    }

    Finished::of(&mut alone(&format!(
        "eval --players 5.0 --games 2 --models {own}"
    )))
    .success();
    // Players that the models folder doesn't name load their built-in models.
    let game = |models: &str| {
        let line = format!("eval --players 5.5 --games 2 --json {models}");
        let rows = Finished::of(&mut alone(&line)).success().stdout();
        json_of(&rows)["version"].clone()
    };
    assert_eq!(game(&format!("--models {own}")), game(""));
    let error =
        Finished::of(alone("eval --players 5.0 --games 2").env("MINEFLOW_MODELS", "elsewhere"))
            .code(2)
            .stderr();
    assert_has(
        &error,
        "no models/registry.json was found; looked in elsewhere",
    );
}

#[cfg(feature = "train")]
#[test]
fn a_model_is_explained_by_rows_that_it_was_not_trained_on() {
    let folder = tempdir();
    let rows = folder.join("rows");
    pipeline(format!("generate --rows 20000 --out {rows}")).success();
    let trees = "models/5.0/768ad20d1575.json";
    let explained = format!("models explain {trees} --data {rows} --against {trees} --json");
    let explained = crate::program::prints(explained);
    let explained: Vec<_> = explained.lines().map(json_of).collect();
    let part = |name: &str| {
        let of = explained.iter().filter(|row| row["part"] == name);
        of.collect::<Vec<_>>()
    };
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().unwrap();
    // The trees of 5.0 mostly correct the mine probability.
    let importance = part("importance");
    assert_eq!(
        (importance.len(), &importance[0]["name"]),
        (9, &"probability".into())
    );
    assert!(number(importance[0], "low") > 0.0, "{}", importance[0]);
    let gain: f64 = importance.iter().map(|row| number(row, "gain_share")).sum();
    assert!((gain - 1.0).abs() < 1e-4, "{gain}");
    // Predictions of well calibrated trees are near the mean target of each tenth.
    let tenths = part("calibration");
    assert_eq!(tenths.len(), 10);
    for row in &tenths {
        let off = (number(row, "predicted") - number(row, "value")).abs();
        assert!(off < 0.15, "{row}");
    }
    // A model is no better than itself, on any kind of position.
    let (losses, differences) = (part("loss"), part("difference"));
    assert_eq!(losses.len(), differences.len());
    assert!(losses.len() > 4 && differences.iter().all(|row| number(row, "value") == 0.0));
    let all = losses.iter().find(|row| row["name"] == "all").unwrap();
    let sum: f64 = tenths.iter().map(|row| number(row, "rows")).sum();
    assert_eq!(number(all, "rows"), sum);

    let refused = |arguments: &str, said: &str| {
        let run = pipeline(format!("models explain {arguments}")).code(2);
        assert_has(run.stderr(), said);
    };
    let train = format!("{trees} --data {rows} --split train");
    refused(&train, "--split train has rows that models are trained on");
    let other = format!("{} --data {rows}", fixture("alpha.safetensors"));
    refused(&other, "reads features \"board-v1\"");
}

#[test]
fn a_version_plays_with_the_model_of_a_file_or_of_its_own_name() {
    let folder = tempdir();
    let here = &folder;
    import(here, "my-5.0", "xgboost-logistic.json");
    let eval = |players: &str| {
        let line = format!("eval --games 5 --json --models models --players {players}");
        Finished::of(command(line).current_dir(here))
    };
    let row = |player: &str| json_of(eval(player).success().stdout());
    let trees = fixture("xgboost-logistic.json");
    let named = row(&format!("5.0:model={trees}"));
    let own = row("my-5.0");
    assert_eq!(named["player"], "5.0 (xgboost-logistic.json)");
    assert_eq!(own["player"], "my-5.0");
    assert_eq!(named["version"], own["version"]);
    assert_ne!(row("5.0")["version"], own["version"]);
    let other = here.join("xgboost-logistic.json");
    fs::copy(fixture("xgboost-continued.json"), &other).unwrap();
    for (players, words) in [
        (
            "5.0,5.0",
            "give it once, or another one, such as 5.0:model=FILE",
        ),
        (&format!("my-5.0,5.0:model={trees}")[..], "are the same"),
        (
            &format!("5.0:model={trees},5.0:model=xgboost-logistic.json")[..],
            "two players with different models are called 5.0 (xgboost-logistic.json)",
        ),
        ("7.0:model=trees.json", "`7.0` has no option `model`"),
        ("other-5.0", "names no artifact for player other-5.0"),
    ] {
        assert_has(eval(players).code(2).stderr(), words);
    }
}
