//! Stages from the library: settings, a run, an answer, with no command line in between.

use std::fs;
use std::sync::atomic::AtomicBool;

use mineflow::arena::Part;
use mineflow::cli::KINDS;
use mineflow::tasks::compare::Compare;
use mineflow::tasks::definition::{Context, Outcome, Stage, Unobserved};
use mineflow::tasks::pipeline::{OutFolder, PipelineFile, read_stages};

use crate::program::{pipeline, tempdir};

fn done(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done(answer) => answer.json().unwrap(),
        Outcome::Interrupted(kept) => panic!("nobody asked to stop: {kept}"),
    }
}

#[test]
fn a_stage_gives_the_same_from_the_library_and_from_the_command_line() {
    let stop = AtomicBool::new(false);
    let context = Context {
        out: None,
        seed: 3,
        part: Part::WHOLE,
        threads: 2,
        memory: u64::MAX,
        stop: &stop,
        observer: &Unobserved,
    };
    let settings = Compare { a: "7.0".to_owned(), b: "4.0".to_owned(), games: 500, ..Compare::default() };
    let shown = pipeline("compare 7.0 4.0 --games 500 --seed 3 --json -q");
    assert_eq!(done(settings.run(&context).unwrap()), shown.stdout());
}

#[test]
fn a_pipeline_runs_from_the_library() {
    let directory = tempdir();
    let file = directory.path().join("p.toml");
    fs::write(&file, "format = 1\n[stage.play]\ncommand = \"eval\"\nplayers = [\"3.0\"]\ngames = 20\n").unwrap();
    let file = PipelineFile::read(&file, &["play.seed=5".to_owned()]).unwrap();
    let out = OutFolder::new(directory.path().join("run"));
    let stop = AtomicBool::new(false);
    let context = Context {
        out: None,
        seed: 1,
        part: Part::WHOLE,
        threads: 1,
        memory: u64::MAX,
        stop: &stop,
        observer: &Unobserved,
    };
    let stages = read_stages(&file, KINDS).unwrap();
    assert!(done(stages[0].run(&out, &context).unwrap()).contains("\"games\":20"));
    assert!(directory.path().join("run/play/eval.csv").exists());
}

/// The names of settings are those of the command line, and no setting is without a default.
#[test]
fn every_stage_has_its_settings_under_the_names_of_its_arguments() {
    for kind in KINDS.all {
        let command = (kind.definition.arguments)(clap::Command::new("stage"));
        let arguments =
            command.get_arguments().map(|argument| argument.get_long().unwrap_or(argument.get_id().as_str()));
        let mut arguments: Vec<_> = arguments.map(str::to_owned).collect();
        let mut settings: Vec<_> = (kind.definition.defaults)().values().keys().cloned().collect();
        arguments.sort();
        settings.sort();
        assert_eq!(arguments, settings, "{}", kind.command);
    }
}
