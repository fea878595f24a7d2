//! Tests of `pipeline run`: which stages run and why, and that an interruption leaves no trace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::files::repository;
use crate::program::{
    Finished, TempPath, assert_has, command, interrupt_when, json_of, kill_when, left, read_bytes,
    read_text, tempdir, write_file,
};

/// A pipeline in its own folder, which is the working directory of the program.
struct Place(TempPath);

impl Place {
    fn new(pipeline: &str) -> Self {
        let directory = tempdir();
        write_file(directory.join("p.toml"), pipeline);
        Self(directory)
    }

    fn path(&self, name: &str) -> TempPath {
        self.0.join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = command(arguments);
        command.current_dir(&*self.0);
        command
    }

    fn pipeline(&self, arguments: &str) -> Finished {
        Finished::of(&mut self.command(arguments))
    }

    /// Runs the pipeline and returns the printed lines about its stages, as `STAGE: WHAT`.
    fn run(&self, arguments: &str) -> Vec<String> {
        let shown = self
            .pipeline(&format!("run p.toml --json {arguments}"))
            .success()
            .stdout();
        let values = shown.lines().map(json_of);
        let of_stages = values.filter(|value| value.get("stage").is_some());
        let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
        of_stages
            .map(|value| match text(&value, "why") {
                why if why.is_empty() => {
                    format!("{}: {}", text(&value, "stage"), text(&value, "state"))
                }
                why => format!("{}: {why}", text(&value, "stage")),
            })
            .collect()
    }

    fn fails(&self, arguments: &str) -> String {
        self.pipeline(arguments).code(2).stderr()
    }

    fn refused(&self, arguments: &str) -> String {
        self.fails(&format!("run p.toml {arguments}"))
    }

    /// Returns all files below the run's folder with their bytes, except locks, times and earlier
    /// outputs.
    fn left(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = left(&self.path("runs/p"));
        files.retain(|path, _| !path.to_string_lossy().contains(".old-"));
        files
    }

    /// Asserts that these files are left.
    #[track_caller]
    fn assert_left(&self, expected: &BTreeMap<PathBuf, Vec<u8>>) {
        let left = self.left();
        assert!(left.keys().eq(expected.keys()), "{:?}", left.keys());
        for (path, bytes) in left {
            assert!(expected[&path] == bytes, "{path:?} differs");
        }
    }

    /// Returns the folders in the run's folder whose name begins with `begin`, sorted.
    fn folders(&self, begin: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("runs/p")).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        let is_meant = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(begin)
        };
        let mut paths: Vec<_> = paths.filter(is_meant).collect();
        paths.sort();
        paths
    }

    /// Returns the work folder of `stage` if the stage is running.
    fn unfinished(&self, stage: &str) -> Option<PathBuf> {
        self.folders(&format!("{stage}.unfinished-")).pop()
    }
}

const TWO: &str = "format = 1\n[stage.slow]\ncommand = \"eval\"\nplayers = \"2.0\"\ngames = 30\n\
                   [stage.quick]\ncommand = \"eval\"\nplayers = [\"3.0\", \"4.0\"]\ngames = 40\n";

#[test]
fn up_to_date_stages_are_skipped_and_changed_ones_name_the_reason() {
    let place = Place::new(TWO);
    assert_eq!(place.run(""), ["slow: never ran", "quick: never ran"]);
    let left = place.left();
    assert_eq!(place.run(""), ["slow: up to date", "quick: up to date"]);
    place.assert_left(&left);
    let shown = place.run("--set slow.players=2.5 --set quick.first-click=any");
    assert_eq!(
        shown,
        [
            "slow: player 2.0 is no longer given, it was dss+backtracking+min-p; \
                       player 2.5 is new: dss+backtracking:solutions=100:swaps=1000+min-p; players changed from 2.0 to 2.5",
            "quick: first-click changed from safe to any"
        ]
    );
    assert_eq!(
        place.run("--seed 2 slow"),
        [
            "slow: player 2.0 is new: dss+backtracking+min-p; player 2.5 is no longer given, \
         it was dss+backtracking:solutions=100:swaps=1000+min-p; players changed from 2.5 to 2.0; seed changed from 1 to 2"
        ]
    );
}

#[test]
fn a_series_that_grows_keeps_its_games() {
    let place = Place::new(TWO);
    place.run("quick");
    let grown = place
        .pipeline("run p.toml quick --set quick.games=50")
        .success();
    assert_has(
        grown.stdout(),
        "games changed from 40 to 50; the games there are kept",
    );
    assert_has(grown.stderr(), "after 80 of 100 games");
    let at_once = Place::new(&TWO.replace("games = 40", "games = 50"));
    at_once.run("quick");
    place.assert_left(&at_once.left());
    assert_eq!(place.run("quick"), ["quick: games changed from 50 to 40"]);
}

#[test]
fn a_dry_run_changes_nothing() {
    let place = Place::new(TWO);
    assert_eq!(
        place.run("--dry-run"),
        ["slow: never ran", "quick: never ran"]
    );
    assert!(!place.path("runs").exists());
    place.run("");
    let left = place.left();
    assert_eq!(
        place.run("--dry-run --set slow.games=31 --until slow"),
        ["slow: games changed from 30 to 31; the games there are kept"]
    );
    assert_eq!(
        place.run("--dry-run --set slow.seed=5"),
        ["slow: seed changed from 1 to 5", "quick: up to date"]
    );
    place.assert_left(&left);
}

#[test]
fn forced_and_unfinished_stages_run() {
    let place = Place::new(TWO);
    place.run("");
    let left = place.left();
    assert_eq!(place.run("--force quick"), ["quick: forced"]);
    fs::remove_file(place.path("runs/p/slow/eval.csv")).unwrap();
    assert_eq!(
        place.run(""),
        ["slow: eval.csv is missing", "quick: up to date"]
    );
    place.assert_left(&left);
}

#[test]
fn an_output_of_other_settings_is_kept_and_used_again() {
    let place = Place::new(TWO);
    place.run("slow");
    let first = place.left();
    let said = place.pipeline("run p.toml slow --set seed=2").success();
    let [old] = &place.folders("slow.old-")[..] else {
        panic!("the output of seed 1 is gone")
    };
    assert_has(
        said.stderr(),
        format!(
            "stage slow is kept in runs/p/{}",
            old.file_name().unwrap().display()
        ),
    );
    // Recreate the state after a kill between two renames, too.
    for stage in ["slow.old-x", "gone"] {
        let again = place.pipeline("run p.toml slow").success().stderr();
        assert_has(&again, "its earlier output is used again");
        place.assert_left(&first);
        let made = place.folders("slow.old-");
        assert_eq!(made.len(), 1, "{made:?}");
        fs::rename(place.path("runs/p/slow"), old).unwrap();
        fs::rename(&made[0], place.path("runs/p").join(stage)).unwrap();
    }

    // An output to which its user added a file is kept.
    place.run("slow");
    write_file(place.path("runs/p/slow/notes.txt"), "years of work");
    place.run("slow --force");
    place.run("slow --set slow.games=40");
    assert!(
        place
            .folders("slow.old-")
            .iter()
            .any(|old| old.join("notes.txt").exists())
    );
    assert!(!place.path("runs/p/slow/notes.txt").exists());
}

#[test]
fn clean_deletes_work_of_other_settings_if_its_user_agrees() {
    let place = Place::new(TWO);
    place.run("");
    place.run("--set seed=2");
    place.run("");
    let left = place.left();
    fs::create_dir_all(place.path("runs/p/slow.mine")).unwrap();
    let shard = "run p.toml slow --shard 1/2 --set slow.games=31 --set slow.seed=";
    place.pipeline(&format!("{shard}1")).success();
    place.pipeline(&format!("{shard}2")).success();
    let clean = |change: &str, answer: &str| {
        write_file(place.path("answer"), answer);
        let mut command = place.command(&format!("run p.toml --clean {change}"));
        Finished::of(command.stdin(fs::File::open(place.path("answer")).unwrap()))
    };
    for no in ["", "n\n"] {
        let asked = clean("", no).code(1).stderr();
        assert_has(&asked, "runs/p/slow.old-");
        assert_eq!(place.folders("slow.").len(), 4);
    }
    clean("--set slow.games=31", "y\n").success();
    assert_eq!(
        place.folders("slow.parts-").len(),
        1,
        "a shard of these settings"
    );
    clean("", "y\n").success();
    assert_eq!(
        place.folders("slow."),
        [place.path("runs/p/slow.mine").to_path_buf()]
    );
    place.assert_left(&left);
}

#[test]
fn a_wrong_pipeline_is_refused_before_anything_is_written() {
    let place = Place::new(TWO);
    let refused = |change: &str, expected: &str| {
        write_file(place.path("p.toml"), format!("{TWO}{change}"));
        let refused = place.refused("");
        assert!(
            refused.starts_with(&format!("error: {expected}")),
            "{refused}"
        );
        assert_eq!(
            refused
                .lines()
                .filter(|line| line.starts_with("error"))
                .count(),
            1,
            "{refused}"
        );
        assert!(!place.path("runs").exists());
    };
    refused(
        "gmaes = 1\n",
        "p.toml:10:1: stage quick: eval has no setting `gmaes`; did you mean `games`?\n",
    );
    refused(
        "node-limit = \"x\"\n",
        "p.toml:10:1: stage quick: eval: invalid value 'x' for '--node-limit <N>'",
    );
    refused(
        "widths = \"5..6\"\n",
        "p.toml:6:8: stage quick: eval: the following required arguments were not provided: --mine-ratios <RANGE>",
    );
    refused(
        "out = \"here\"\n",
        "p.toml:10:1: stage quick: eval has no setting `out`",
    );
    refused("games = 1\n", "p.toml:10:1: duplicate key");
    refused("[stage.x]\n", "p.toml:10:8: stage x has no command");
    refused(
        "[stage.x]\ncommand = \"eval\"\nplayers = []\n",
        "p.toml:12:1: `players` is empty; leave it out for its default",
    );
    refused(
        "[stage.x]\ncommand = \"evil\"\n",
        "p.toml:10:8: stage x: `evil` is not a command of a stage; did you mean `eval`?",
    );
    refused(
        "[stage.x]\ncommand = \"score\"\nset = \"./s\"\n",
        "p.toml:10:8: stage x: score: the following required arguments were not provided: --players <PLAYERS>",
    );
    refused(
        "[stage.x]\ncommand = \"compare\"\na = \"4.0\"\n",
        "p.toml:10:8: stage x: compare: the setting `b` is missing",
    );
    refused(
        "[stage.x]\ncommand = \"eval\"\nplayers = \"9.9\"\n",
        "p.toml:12:1: stage x: player 9.9\n",
    );
    let model = |named: &str| {
        format!(
            "[stage.x]\ncommand = \"eval\"\nplayers = \"5.0\"\nmodel = {{ \"5.0\" = \"{named}\" }}\n"
        )
    };
    refused(
        &model("qick"),
        "p.toml:13:1: stage x: there is no stage `qick`; did you mean `quick`?",
    );
    refused(
        "[stage.x]\ncommand = \"eval\"\nplayers = \"5.5\"\nmodel = { \"5.5\" = 3 }\n",
        "p.toml:13:1: stage x: there is no stage `3`",
    );
    refused(
        &model("quick"),
        "p.toml:13:1: stage x: `model` takes what train-trees or train-network or train-classifier or train-q or choose makes, and",
    );
    let other =
        "[stage.x]\ncommand = \"eval\"\nplayers = \"5.5\"\nmodel = { \"5.0\" = \"./m.json\" }\n";
    refused(
        other,
        "p.toml:13:1: stage x: `model` names player 5.0, who doesn't play",
    );
    refused(
        &model("./none"),
        "p.toml:10:8: stage x needs ./none, and that is not there",
    );
    refused(
        "[stage.x]\ncommand = \"ggp match\"\nplayers = \"uct,random\"\ngame = \"./a,./b\"\n",
        "p.toml:10:8: stage x needs ./a,./b, and that is not there; several paths are a list",
    );
    refused(
        "[stage.x]\ncommand = \"report\"\n",
        "p.toml:10:8: stage x: report: the setting `runs` is missing",
    );
    refused(
        "[stage.x]\ncommand = \"eval\"\nplayers = \"4.0,5.0\"\nmodel = \"./m.json\"\n",
        "p.toml:13:1: stage x: several players, or none, are given",
    );
    refused("[stage\n", "p.toml:10:");
    for (from, to, expected) in [
        ("format = 1", "format = 2", "this program reads format 1"),
        ("format = 1\n", "", "it has no format"),
        ("format = 1", "format = 1\nsede = 2", "did you mean `seed`?"),
        (
            "stage.slow",
            "stage.\"a b\"",
            "`a b` is not a name of a stage",
        ),
        ("games = 30", "games = [[1]]", "`games` takes"),
    ] {
        write_file(place.path("p.toml"), TWO.replacen(from, to, 1));
        let refused = place.refused("");
        assert_has(&refused, expected);
    }
    write_file(place.path("p.toml"), TWO);
    for wrong in [
        "games=3",
        "slow.games",
        "y.games=3",
        "seed=x",
        "slow.command=eval",
    ] {
        let refused = place.refused(&format!("--set {wrong}"));
        assert_has(&refused, format!("--set {wrong}: "));
    }
    fs::remove_file(place.path("p.toml")).unwrap();
    assert!(place.refused("").contains("can't read p.toml"));
}

#[test]
fn a_changed_output_of_a_stage_is_reported_as_damaged_and_made_again() {
    let place = Place::new(TWO);
    place.run("");
    let left = place.left();
    for (file, why) in [
        ("eval.csv", "damaged: eval.csv is not what stage slow wrote"),
        (
            "journal.jsonl",
            "damaged: journal.jsonl is not what stage slow wrote",
        ),
        (
            "manifest.json",
            "damaged: manifest.json is not what stage slow wrote",
        ),
    ] {
        let path = place.path("runs/p/slow").join(file);
        let text = read_text(&path);
        write_file(&path, text.replacen('0', "1", 1));
        assert_eq!(
            place.run("--dry-run"),
            [format!("slow: {why}"), "quick: up to date".to_owned()]
        );
        assert_eq!(
            place.run(""),
            [format!("slow: {why}"), "quick: up to date".to_owned()]
        );
        place.assert_left(&left);
    }
}

#[test]
fn a_record_of_another_revision_is_stale_and_a_broken_one_is_an_error() {
    let place = Place::new(TWO);
    place.run("");
    let record = place.path("runs/p/slow/stage.json");
    let text = read_text(&record);
    let older = text.replace("\"revision\": 2", "\"revision\": 0");
    assert_ne!(older, text);
    write_file(&record, older);
    let shown = place.run("--dry-run");
    assert_eq!(
        shown[0],
        "slow: eval makes other results since revision 2; these are from revision 0"
    );
    for broken in [
        "",
        "{",
        &text.replace("\"format\": 3", "\"format\": 4"),
        &text.replace("revision", "version"),
    ] {
        write_file(&record, broken);
        assert!(
            place
                .refused("")
                .contains("runs/p/slow/stage.json is not a"),
            "{broken}"
        );
    }
}

#[test]
fn a_folder_that_no_pipeline_made_is_left_alone() {
    let place = Place::new(TWO);
    fs::create_dir_all(place.path("runs/p/quick")).unwrap();
    write_file(place.path("runs/p/quick/thesis.txt"), "years of work");
    assert!(
        place
            .refused("")
            .contains("runs/p/quick is not a stage of a pipeline")
    );
    assert!(place.path("runs/p/quick/thesis.txt").exists() && !place.path("runs/p/slow").exists());
}

const LONG: &str =
    "format = 1\n[stage.long]\ncommand = \"eval\"\nplayers = \"2.0,4.0\"\ngames = 3000\n";

#[test]
fn two_runs_cannot_share_a_folder() {
    let place = Place::new(LONG);
    let mut first = place.command("run p.toml --quiet --set long.games=1000000");
    let is_begun = || place.unfinished("long").is_some();
    assert!(kill_when(&mut first, || is_begun() && {
        let second = place.refused("");
        assert_has(&second, "another process is working in runs/p");
        true
    }));
    // The lock was released when the process that held it ended.
    assert_eq!(place.run(""), ["long: never ran"]);
}

#[test]
fn an_interrupted_run_ends_with_130_and_can_be_resumed() {
    let place = Place::new(&LONG.replace("3000", "30000"));
    let has_games = || {
        place.unfinished("long").is_some_and(|folder| {
            fs::metadata(folder.join("journal.jsonl")).is_ok_and(|journal| journal.len() > 0)
        })
    };
    interrupt_when(&mut place.command("run p.toml"), "-INT", |_| has_games());
    assert_eq!(place.run("--set long.games=100"), ["long: never ran"]);
    assert!(has_games(), "unfinished work is kept");
    // The settings decide what goes on, not the spelling of the output folder.
    let elsewhere = "run ../p.toml --out ../runs/p --dry-run";
    let mut command = place.command(elsewhere);
    let said = Finished::of(command.current_dir(place.path("runs"))).success();
    assert!(
        said.stdout().ends_with("; it goes on where it stopped)\n"),
        "{}",
        said.stdout()
    );
}

#[test]
fn a_path_may_have_the_characters_that_separate_values() {
    let place = Place::new("");
    let folder = "a,b=c:d+e";
    fs::create_dir(place.path(folder)).unwrap();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/5.0/768ad20d1575.json");
    fs::copy(model, place.path(folder).join("m,1.json")).unwrap();
    write_file(place.path(folder).join("b,1.txt"), "AABB\nBBAA\n");
    let recipe = format!("dss+posterior+trees:model=\"{folder}/m,1.json\"");
    let name = "dss+posterior+trees:model=\"m,1.json\":sha256=768ad20d1575";
    let text = format!(
        "format = 1\n[stage.recipe]\ncommand = \"eval\"\nplayers = ['{recipe}', \"4.0\"]\ngames = 2\n\
         [stage.model]\ncommand = \"eval\"\nplayers = \"4.0,5.0\"\nmodel = {{ \"5.0\" = '\"{folder}/m,1.json\"' }}\ngames = 2\n\
         [stage.boards]\ncommand = \"samegame eval\"\nboards = '\"{folder}/b,1.txt\"'\nbudgets = \"20it\"\n"
    );
    write_file(place.path("p.toml"), text);
    place.run("");
    let table = |file: &str| read_text(place.path(file).join("eval.csv"));
    assert!(table("runs/p/recipe").contains(&name.replace('"', "\"\"")));
    for arguments in [
        format!("--players {recipe},4.0"),
        format!("--players=5.0,4.0 --model 5.0=\"{folder}/m,1.json\""),
    ] {
        let eval = format!("eval {arguments} --games 2 --out one");
        place.pipeline(&eval).success();
        assert_eq!(table("one").lines().count(), 3);
        fs::remove_dir_all(place.path("one")).unwrap();
    }
    // The value of a change is one text, as in the file.
    let one = place.run(&format!(
        "boards --set boards.boards={folder}/b,1.txt --dry-run"
    ));
    assert_eq!(one, ["boards: up to date"]);
    for (data, why) in [
        (folder.to_owned(), "a comma separates paths"),
        (format!("\"{folder}"), "is not closed"),
    ] {
        let unquoted = format!("train-trees --data {data} --out one");
        let said = place.fails(&unquoted);
        assert_has(&said, why);
    }
}

/// Paths in a pipeline start at the current folder, wherever the file is and whichever setting or
/// recipe names them.
#[test]
fn relative_paths_start_at_the_current_folder() {
    let place = Place::new("");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/5.0/768ad20d1575.json");
    fs::create_dir(place.path("files")).unwrap();
    fs::copy(model, place.path("m.json")).unwrap();
    for players in [
        "\"dss+posterior+trees:model=m.json\"",
        "\"5.0\"\nmodel = { \"5.0\" = \"./m.json\" }",
    ] {
        let stage = "[stage.play]\ncommand = \"eval\"\ngames = 2";
        let text = format!("format = 1\n{stage}\nplayers = {players}\n");
        write_file(place.path("files/p.toml"), text);
        place.pipeline("run files/p.toml").success();
    }
}

#[test]
fn luck_corrected_stages_run_again_for_another_value_model() {
    let place = Place::new(
        "format = 1\n[stage.play]\ncommand = \"eval\"\nplayers = \"7.0\"\nboards = \"6x6/4\"\ngames = 5\nluck-corrected = true\n",
    );
    assert_eq!(place.run(""), ["play: never ran"]);
    assert_eq!(place.run(""), ["play: up to date"]);
    let other = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/models/value-8x8-10-safe/3949bef0b5c8.json"
    );
    let import = format!("models import value {other} --models models");
    place.pipeline(&import).success();
    let shown = place.run("--dry-run");
    assert_has(&shown[0], "published value");
}

/// Old output stays until its replacement is complete.
#[test]
fn a_stage_that_runs_again_is_not_deleted_first() {
    let place = Place::new(LONG);
    place.run("--set long.games=50");
    let before = read_bytes(place.path("runs/p/long/eval.csv"));
    let mut other = place.command("run p.toml --set long.first-click=any --set long.games=1000000");
    assert!(kill_when(&mut other, || place.unfinished("long").is_some()));
    assert_eq!(read_bytes(place.path("runs/p/long/eval.csv")), before);
    assert_eq!(place.run("--set long.games=50"), ["long: up to date"]);
}

#[test]
fn samegame_stages_take_files_of_boards_and_tuned_parameters() {
    const SMALL: &str = "samples = 4\nelite = 2\niterations = 1\nboards = 1\nsize = \"5x5\"\nbudget = \"playouts=20\"\n";
    let text = format!(
        "format = 1\n[stage.tune]\ncommand = \"samegame tune\"\n{SMALL}\
         [stage.play]\ncommand = \"samegame eval\"\nboards = \"./b.txt\"\nbudgets = \"nodes=20\"\ntuned = \"tune\"\n"
    );
    let place = Place::new(&text);
    write_file(place.path("b.txt"), "AABB\nBBAA\n");
    assert_eq!(place.run(""), ["tune: never ran", "play: never ran"]);
    let table = read_text(place.path("runs/p/play/eval.csv"));
    assert_eq!(table.matches(",nodes=20,1,").count(), 2, "{table}");
    assert_has(&table, "\nsp-mcts,");
    assert_has(&table, "\nsp-mcts:c=");
    assert_eq!(place.run(""), ["tune: up to date", "play: up to date"]);
    write_file(place.path("b.txt"), "AABB\nABAA\n");
    assert_eq!(
        place.run(""),
        ["tune: up to date", "play: input ./b.txt changed"]
    );
    assert_eq!(
        place.run("--dry-run --set tune.samples=5"),
        [
            "tune: samples changed from 4 to 5",
            "play: runs if tune will have changed"
        ]
    );
    let refused = place.refused("--set play.boards=b.txt");
    assert_has(
        &refused,
        "`boards` takes a file, and a path is written with a `/`: ./b.txt",
    );
    let refused = place.refused("--set play.tuned=play");
    assert_has(
        &refused,
        "`tuned` takes what samegame tune makes, and stage play is samegame eval",
    );
    let refused = place.fails("samegame eval --tuned runs/p/play --count 1");
    assert_has(&refused, "runs/p/play is not a folder of `samegame tune`");
}

#[cfg(feature = "train")]
mod trained {
    use super::*;

    fn smoke() -> String {
        read_text(Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/smoke.toml"))
    }

    fn states(shown: &[String]) -> BTreeMap<&str, &str> {
        shown
            .iter()
            .map(|line| line.split_once(": ").unwrap())
            .collect()
    }

    #[test]
    fn a_changed_setting_runs_its_stage_and_those_that_read_it() {
        let place = Place::new(&smoke());
        let all = place.run("");
        assert!(
            all.iter().all(|line| line.ends_with(": never ran")),
            "{all:?}"
        );
        let left = place.left();

        // Older programs recorded a player for a training that plays no games.
        let record = place.path("runs/p/trees/stage.json");
        let text = read_text(&record);
        let older = text.replace(
            "\"settings\": {",
            "\"settings\": {\"player 4.0\": \"older\",",
        );
        assert!(!text.contains("player 4.0") && older != text);
        write_file(&record, older);
        let shown = place.run("--dry-run trees");
        assert!(
            shown.iter().all(|line| line.ends_with(": up to date")),
            "{shown:?}"
        );
        write_file(&record, text);

        let ahead = place.run("--dry-run --set trees.rounds=2");
        let ahead = states(&ahead);
        assert_eq!(ahead["trees"], "rounds changed from 5 to 2");
        assert_eq!(ahead["play"], "runs if trees will have changed");
        let shown = place.run("--set trees.rounds=2");
        let mut shown = states(&shown);
        assert_eq!(shown.remove("trees"), Some("rounds changed from 5 to 2"));
        assert_eq!(shown.remove("play"), Some("input trees changed"));
        assert_eq!(shown.remove("calibration"), Some("input trees changed"));
        let of_report = "input calibration changed; input play changed; input trees changed";
        assert_eq!(shown.remove("report"), Some(of_report));
        assert!(
            shown.len() > 4 && shown.values().all(|why| *why == "up to date"),
            "{shown:?}"
        );

        // Checkpoints are more frequent, but the trees are equal: no other stage has to run.
        let shown = place.run("--set trees.checkpoint-every=1 --set trees.rounds=2");
        let mut shown = states(&shown);
        assert_eq!(
            shown.remove("trees"),
            Some("checkpoint-every changed from 50 to 1")
        );
        assert!(shown.values().all(|why| *why == "up to date"), "{shown:?}");

        place.run("");
        place.assert_left(&left);
    }

    #[test]
    fn each_of_several_inputs_of_a_setting_is_recorded() {
        let rows = |name: &str| {
            format!("[stage.{name}]\ncommand = \"generate\"\nrows = 400\nboards = \"5x5/5\"\n")
        };
        let trees =
            "[stage.trees]\ncommand = \"train-trees\"\ndata = [\"one\", \"two\"]\nrounds = 2\n";
        let place = Place::new(&format!(
            "format = 1\n{}{}{trees}",
            rows("one"),
            rows("two")
        ));
        place.run("--set two.seed=2");
        for changed in ["one", "two"] {
            let other = format!("--set two.seed=2 --set {changed}.seed=3");
            place.run(&format!("{changed} {other}"));
            assert_eq!(
                place
                    .run(&format!("--dry-run trees {other}"))
                    .last()
                    .unwrap(),
                &format!("trees: input {changed} changed")
            );
            place.run(&format!("{changed} --set two.seed=2"));
        }
        let shown = place.run("--dry-run --set two.seed=2");
        assert!(
            shown.iter().all(|line| line.ends_with(": up to date")),
            "{shown:?}"
        );
    }

    #[test]
    fn a_changed_input_is_detected_by_its_content() {
        let place = Place::new(&smoke());
        place.run("stronger q-single");
        assert!(!place.path("runs/p/trees").exists(), "nobody asked for it");
        let artifact = place.path("runs/p/alpha/alpha.safetensors");
        let shown = place.run("--dry-run --from q-single --until q-single");
        assert_eq!(shown, ["q-single: up to date"]);
        place.run("alpha --set alpha.games=12");
        assert_eq!(
            place.run("--dry-run q-single --set alpha.games=12"),
            ["alpha: up to date", "q-single: input alpha changed"]
        );
        // The output of every other stage is used even if it is stale.
        let as_it_is = place
            .pipeline("run p.toml --dry-run --from q-single --until q-single")
            .success();
        assert_eq!(as_it_is.stdout(), "q-single: runs (input alpha changed)\n");
        let note =
            "note: alpha is used as it is, though it is stale: games changed from 12 to 10\n";
        assert_eq!(as_it_is.stderr(), note);
        fs::remove_file(artifact).unwrap();
        let refused = place.refused("--from q-single --until q-single");
        assert_has(&refused, "stage q-single needs what stage alpha makes");
    }

    /// The last stage of a loop keeps a copy of the better model, and the run ends with tables of
    /// the rounds and of the stages of the matrix.
    #[test]
    fn a_loop_keeps_the_better_model_of_each_round() {
        let place = Place::new(&read_text(repository().join("tests/fixtures/loop.toml")));
        let loops = "set rows-1 ranker-1 best-1 rows-2 ranker-2 best-2";
        let names = |shown: Vec<String>| -> Vec<String> {
            let name = |line: &String| line.split(": ").next().unwrap().to_owned();
            shown.iter().map(name).collect()
        };
        assert_eq!(names(place.run("--dry-run round")).join(" "), loops);
        assert_eq!(names(place.run("--dry-run best")).join(" "), loops);
        assert_eq!(
            names(place.run("--dry-run rows --until ranker-1")).join(" "),
            "set rows-1 ranker-1"
        );
        let shown = place.pipeline("run p.toml").success().stdout();
        assert_has(&shown, "trees, means with 95 % intervals");
        let all = place.run("");
        assert!(
            all.iter().all(|line| line.ends_with(": up to date")),
            "{all:?}"
        );

        let artifact =
            |stage: &str| read_bytes(place.path("runs/p").join(stage).join("artifact.json"));
        assert_eq!(artifact("best-1"), artifact("ranker-1"));
        let rounds = read_text(place.path("runs/p/rounds.csv"));
        let lines: Vec<Vec<&str>> = rounds
            .lines()
            .map(|line| line.split(',').collect())
            .collect();
        let column = |name: &str| lines[0].iter().position(|column| *column == name).unwrap();
        assert_eq!(lines.len(), 3, "{rounds}");
        assert_eq!(lines[1][..2], ["round", "1"]);
        assert_eq!(lines[1][column("best.kept")], "true");
        assert!(column("rows.rows") < column("ranker.test_loss"), "{rounds}");
        let is_kept = lines[2][column("best.kept")] == "true";
        let kept = if is_kept { "ranker-2" } else { "best-1" };
        assert_eq!(artifact("best-2"), artifact(kept));

        let results = read_text(place.path("runs/p/results.csv"));
        assert_eq!(results.lines().count(), 5, "{results}");
        assert!(
            results.starts_with("stage,depth,seed,test_loss,"),
            "{results}"
        );
        assert_has(&results, "\ntrees-2-1,2,1,");
        assert!(place.path("runs/p/trees.svg").exists());
    }

    #[test]
    fn stages_in_a_circle_are_refused() {
        let circle = "format = 1\n[stage.a]\ncommand = \"train-q\"\niterative = true\nfrom = \"b\"\n\
                      [stage.b]\ncommand = \"train-q\"\niterative = true\nfrom = \"a\"\n";
        let refused = Place::new(circle).refused("");
        assert_has(
            &refused,
            "p.toml:2:8: the stages need each other in a circle: a needs b needs a",
        );
    }

    #[test]
    fn the_pipelines_of_the_repository_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = root.join("pipelines");
        let place = tempdir();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                let run = format!("run {} --dry-run", path.display());
                // Rule sheets, guess sets and models are named by their paths in the repository.
                let names_files = ["mac-ucb.toml", "loop.toml", "training.toml"]
                    .iter()
                    .any(|of| path.ends_with(of));
                let from = if names_files { root } else { &place };
                Finished::of(command(&run).current_dir(from)).success();
            }
        }
    }
}
