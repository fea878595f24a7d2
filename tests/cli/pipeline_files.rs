//! Tests of pipeline files: how matrices and repeats expand to stages, and which files are refused.

use mineflow_cli::pipeline::{PipelineFile, StageText};

use crate::files::{tempdir, write_file};

fn read(text: &str, changes: &[&str]) -> anyhow::Result<PipelineFile> {
    let folder = tempdir();
    let path = folder.join("p.toml");
    write_file(&path, format!("format = 1\n{text}"));
    let changes: Vec<_> = changes.iter().map(|&change| change.to_owned()).collect();
    PipelineFile::read(&path, &changes)
}

/// Returns the error of a file, from the line and column on.
fn refused(text: &str) -> String {
    let refused = read(text, &[]).unwrap_err().to_string();
    let at = refused.find("p.toml:").expect("it names the place");
    refused[at + 7..].to_owned()
}

fn shown(stage: &StageText) -> String {
    let settings = stage.settings.iter();
    let settings: Vec<_> = settings
        .map(|setting| format!("{}={}", setting.name, setting.values.join(",")))
        .collect();
    format!("{} {}", stage.name, settings.join(" "))
}

#[test]
fn a_matrix_makes_a_stage_for_each_combination() {
    let text = "[stage.net]\ncommand = \"train-q\"\nmatrix = { seed = [1, 2] }\n[stage.play]\ncommand = \"eval\"\n\
                model = { \"6.5\" = \"net-{net}\" }\nmatrix = { net = [1, 2], games = [7, 8] }\n";
    let expanded = |changes: &[&str]| -> Vec<String> {
        read(text, changes)
            .unwrap()
            .stages
            .iter()
            .map(shown)
            .collect()
    };
    assert_eq!(
        expanded(&[]),
        [
            "net-1 seed=1",
            "net-2 seed=2",
            "play-1-7 model=6.5=net-1 games=7",
            "play-1-8 model=6.5=net-1 games=8",
            "play-2-7 model=6.5=net-2 games=7",
            "play-2-8 model=6.5=net-2 games=8",
        ]
    );
    assert_eq!(
        expanded(&["net.games=3", "net-1.games=4"])[..2],
        ["net-1 seed=1 games=4", "net-2 seed=2 games=3"]
    );
    for (wrong, at) in [
        ("3", "4:10"),
        ("{ seed = 3 }", "4:12"),
        ("{ seed = [] }", "4:12"),
    ] {
        let refused = refused(&format!(
            "[stage.a]\ncommand = \"eval\"\nmatrix = {wrong}\n"
        ));
        assert!(
            refused.starts_with(&format!("{at}: a matrix has lists")),
            "{refused}"
        );
    }
    let twice =
        "[stage.a]\ncommand = \"eval\"\nmatrix = { seed = [1] }\n[stage.a-1]\ncommand = \"eval\"\n";
    assert!(refused(twice).ends_with("there are two stages a-1"));
}

const BOARDS: &str = "[stage.rows]\ncommand = \"generate\"\nmatrix = { board = [\"5x5/3\", \"6x6/4\"] }\nboards = \"{board}\"\n\
    [stage.value]\ncommand = \"train-trees\"\nmatrix = { board = [\"5x5/3\", \"6x6/4\"] }\ndata = [\"rows-{board}\"]\n";

/// Values of a matrix may be lists. One that can't be a name gives its number, and other stages name
/// its stage by the value.
#[test]
fn a_value_of_a_matrix_that_is_no_name_gives_its_number() {
    let text = "[stage.net]\ncommand = \"eval\"\n\
                matrix = { layers = [[\"9 relu\"], [\"64 relu\", \"64 relu\"], \"x\"], seed = [1, 2] }\n";
    let file = read(&format!("{text}{BOARDS}"), &[]).unwrap();
    assert_eq!(
        file.stages.iter().map(shown).collect::<Vec<_>>(),
        [
            "net-1-1 layers=9 relu seed=1",
            "net-1-2 layers=9 relu seed=2",
            "net-2-1 layers=64 relu,64 relu seed=1",
            "net-2-2 layers=64 relu,64 relu seed=2",
            "net-x-1 layers=x seed=1",
            "net-x-2 layers=x seed=2",
            "rows-1 boards=5x5/3",
            "rows-2 boards=6x6/4",
            "value-1 data=rows-5x5/3",
            "value-2 data=rows-6x6/4",
        ]
    );
}

#[test]
fn a_wrong_repeat_is_refused() {
    let rows = "[stage.rows]\ncommand = \"generate\"\n";
    let repeat = |of: &str| refused(&format!("[repeat.a]\n{of}\n{rows}"));
    for (of, why) in [
        (
            "times = 0\nstages = [\"rows\"]",
            "3:9: times is from 1 to 1000, not 0",
        ),
        ("time = 3", "3:1: unknown field `time`"),
        ("times = 3", "2:1: missing field `stages`"),
        (
            "times = 3\nstages = [\"rosw\"]",
            "4:11: there is no stage `rosw`; did you mean `rows`?",
        ),
        (
            "times = 3\nstages = [\"rows\", \"rows\"]",
            "4:11: stage rows has a matrix or is in a repeat already",
        ),
        (
            "times = 3\nstages = [\"rows\"]\n[stage.rows-2]\ncommand = \"eval\"",
            "7:8: there are two stages rows-2",
        ),
    ] {
        let refused = repeat(of);
        assert!(refused.starts_with(why), "{refused}");
    }
    let first = refused(&format!("{rows}first = {{ player = \"7.0\" }}\n"));
    assert_eq!(
        first,
        "4:11: only a stage of a repeat has settings of a first round"
    );
    let matrix =
        format!("[repeat.a]\ntimes = 3\nstages = [\"rows\"]\n{rows}matrix = {{ seed = [1] }}\n");
    assert!(refused(&matrix).starts_with("4:11: stage rows has a matrix"));
}

#[cfg(feature = "train")]
mod trained {
    use std::path::Path;

    use mineflow_cli::pipeline::{Stage, order, read_stages};
    use mineflow_model::Models;

    use super::*;

    /// Returns the stages of a file, each as its name, its seed and the stages that it reads.
    fn read_all(text: &str, changes: &[&str]) -> anyhow::Result<Vec<Stage>> {
        order(read_stages(
            &read(text, changes)?,
            Path::new("out"),
            &Models::default(),
        )?)
    }

    fn in_short(stage: &Stage) -> String {
        let needs: Vec<_> = stage.needs().collect();
        format!("{} {} {}", stage.name, stage.seed, needs.join(" "))
    }

    #[test]
    fn other_stages_name_a_stage_of_a_matrix_by_its_value() {
        let stages = read_all(BOARDS, &[]).unwrap();
        let shown: Vec<_> = stages.iter().map(in_short).collect();
        assert_eq!(
            shown,
            [
                "rows-1 1 ",
                "rows-2 1 ",
                "value-1 1 rows-1",
                "value-2 1 rows-2"
            ]
        );
    }

    const LOOP: &str = "[repeat.round]\ntimes = 3\nstages = [\"rows\", \"ranker\", \"best\"]\n\
        [stage.rows]\ncommand = \"generate\"\nkind = \"guesses\"\nplayer = \"dss+posterior+ranker\"\n\
        model = \"best@previous\"\nfirst = { player = \"7.0\" }\n\
        [stage.ranker]\ncommand = \"train-trees\"\ndata = \"rows@last 2\"\n\
        [stage.best]\ncommand = \"choose\"\ncandidates = [\"ranker\", \"best@previous\"]\nset = \"./s.parquet\"\nplayer = \"11.0\"\n\
        [stage.all]\ncommand = \"train-trees\"\ndata = \"rows@last 9\"\nseed = 5\n\
        [stage.play]\ncommand = \"eval\"\nplayers = \"11.0\"\nmodel = \"best\"\n";

    #[test]
    fn a_repeat_makes_a_stage_for_each_round() {
        let stages = read_all(LOOP, &["ranker.seed=40"]).unwrap();
        assert_eq!(
            stages.iter().map(in_short).collect::<Vec<_>>(),
            [
                "rows-1 1 ",
                "ranker-1 40 rows-1",
                "best-1 1 ranker-1",
                "rows-2 1000001 best-1",
                "ranker-2 1000040 rows-1 rows-2",
                "best-2 1000001 ranker-2 best-1",
                "rows-3 2000001 best-2",
                "ranker-3 2000040 rows-2 rows-3",
                "best-3 2000001 ranker-3 best-2",
                "all 5 rows-1 rows-2 rows-3",
                "play 1 best-3",
            ]
        );
        assert_eq!(stages[0].settings["player"], "7.0");
        assert_eq!(stages[3].settings["player"], "dss+posterior+ranker");
        let roles: Vec<_> = stages[3]
            .inputs
            .iter()
            .map(|input| input.role.as_str())
            .collect();
        assert_eq!(roles, ["model dss+posterior+ranker"]);
    }

    #[test]
    fn a_wrong_name_of_a_round_is_refused() {
        for (from, to, why) in [
            (
                "best@previous\"\nfirst",
                "bset@previous\"\nfirst",
                "9:1: stage rows-1: `bset@previous`: no repeat has a stage `bset`",
            ),
            (
                "@last 2",
                "@last 0",
                "13:1: stage ranker-1: `rows@last 0`: write rows@previous, or rows@last N with N from 1 on",
            ),
            (
                "@last 2",
                "@next",
                "13:1: stage ranker-1: `rows@next`: write rows@previous, or rows@last N",
            ),
            (
                "\"best\"\n",
                "\"best@previous\"\n",
                "26:1: stage play: `best@previous`: only stages of repeat round have a previous round",
            ),
            (
                "\"best\"\n",
                "\"all@last 2\"\n",
                "26:1: stage play: `all@last 2`: no repeat has a stage `all`",
            ),
            (
                "{ player = \"7.0\"",
                "{ plaier = \"7.0\"",
                "10:11: stage rows-1: generate has no setting `plaier`; did you mean `player`?",
            ),
            (
                "players = \"11.0\"",
                "players = \"11.0,7.0\"",
                "26:1: stage play: several players, or none, are given",
            ),
        ] {
            let refused = read_all(&LOOP.replacen(from, to, 1), &[]);
            let refused = refused.map(|_| ()).unwrap_err().to_string();
            assert!(refused.contains(&format!("p.toml:{why}")), "{refused}");
        }
    }
}
