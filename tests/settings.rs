//! Tests that impossible settings are found before anything is played, read or written: on the
//! command line, and by `run --dry-run`.

use crate::program::{assert_has, pipeline, tempdir, write_file};

/// Commands with an invalid setting: the command with its valid settings, the invalid setting, and
/// a part of the message. The work itself would take hours, and thus a test that ends shows that
/// none of it was done.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "eval --players 4.0 --games 100000000",
        "--boards 9x9/90",
        "mines",
    ),
    (
        "eval --players 4.0 --games 100000000",
        "--players 5.0,no-such-player",
        "no-such-player",
    ),
    ("calibrate --games 100000000", "--players 4.0,4.0", "twice"),
    (
        "eval --games 100000000",
        "--players 7.0..1.0",
        "`7.0..1.0` is not a range of players",
    ),
    (
        "eval --games 100000000",
        "--players 4.0..",
        "`4.0..` is not a range of players",
    ),
    (
        "compare 7.0 4.0 --games 100000000",
        "--confidence 2",
        "confidence",
    ),
    ("calibrate --players 7.0", "--games 0", "games"),
    (
        "choose --candidates ./a.json --set ./s.parquet --player 11.0",
        "--confirm games=0",
        "`games=0` is not games=N or games=N,seed=S",
    ),
    ("guess-set", "--kinds expert=5000", "BOARD:RULE=N"),
    ("guess-set", "--kinds expert:safe=0", "BOARD:RULE=N"),
    ("fit-alpha --games 100000000", "--alphas 1", "1001"),
    (
        "fit-alpha --games 100000000",
        "--widths 5..5",
        "the longer side follows from the other columns",
    ),
    (
        "fit-alpha --games 100000000",
        "--widths 1..2 --mine-ratios 0.1",
        "are too few to fit",
    ),
    (
        "compare 7.0 7.0",
        "--games 100000000",
        "player 7.0 is given twice",
    ),
    (
        "generate --kind guesses --games 100000000",
        "--teacher roll-outs:layouts=0",
        "can't be `0`",
    ),
    (
        "generate --games 100000000",
        "--explore -0.5",
        "--explore lies between 0 and 1",
    ),
    (
        "generate --games 100000000",
        "--games-per-shard 2000000",
        "games-per-shard",
    ),
    (
        "generate --games 100000000",
        "--alpha 0.5",
        "for q rows alone",
    ),
    (
        "generate --games 100000000",
        "--mine-ratios 0.1..2",
        "mine ratios lie between 0 and 1",
    ),
    (
        "generate --games 100000000",
        "--score best",
        "is not a location score",
    ),
    (
        "generate --kind q --games 100000000",
        "--alpha 2",
        "--alpha 2 does not lie between 0 and 1",
    ),
    (
        "generate --games 100000000",
        "--player agent",
        "computes no mine probabilities of the cells",
    ),
    (
        "generate --rows 10",
        "--boards 2x1/1",
        "no game on 2x1/1 has a guess",
    ),
    (
        "generate --kind guesses --rows 10",
        "--widths 1",
        "has a guess",
    ),
    (
        "train-trees --rows 100000000",
        "--learning-rate -1",
        "--learning-rate -1 is not a number above 0",
    ),
    (
        "train-trees --rows 100000000",
        "--learning-rate nan",
        "--learning-rate NaN is not a number above 0",
    ),
    (
        "train-trees --rows 100000000",
        "--bins 0",
        "--bins is a number from 2 to 65536, not 0",
    ),
    (
        "train-trees --rows 100000000",
        "--l2 -1",
        "--l2 -1 is not a number from 0 on",
    ),
    (
        "train-trees --rows 100000000",
        "--leaf-weight inf",
        "--leaf-weight inf is not a number from 0 on",
    ),
    (
        "train-trees --rows 100000000",
        "--player no-such-player",
        "no-such-player",
    ),
    (
        "train-trees --data ./no-such-folder",
        "--bins 1",
        "--bins is a number from 2 to 65536, not 1",
    ),
    (
        "train-trees --data ./no-such-folder",
        "--learning-rate 0",
        "--learning-rate 0 is not a number above 0",
    ),
    (
        "train-network --data ./no-such-folder",
        "--layers 64relu,64gelu",
        "`64gelu` is not a layer; write its width, 1 to 4096, and relu, tanh or linear",
    ),
    (
        "train-network --data ./no-such-folder",
        "--optimizer lion",
        "`lion` is not a known optimiser; write adam, adamw, rmsprop or sgd",
    ),
    (
        "train-network --data ./no-such-folder",
        "--schedule warm-up",
        "write its number of steps, from 1 on, such as `warm-up 500`",
    ),
    (
        "train-network --data ./no-such-folder",
        "--schedule exponential",
        "is not a part of a schedule; write warm-up, constant, linear, cosine or step",
    ),
    (
        "train-network --data ./no-such-folder",
        "--weight-decay -1",
        "--weight-decay -1 is not a number from 0 on",
    ),
    (
        "train-classifier --iterative --schedule cosine",
        "--decay 0.5",
        "cannot be used with",
    ),
    (
        "train-classifier --iterative",
        "--learning-rate -1",
        "--learning-rate -1 is not a number above 0",
    ),
    (
        "train-classifier --iterative",
        "--decay 2",
        "--decay 2 is not a number from 0 to 1",
    ),
    (
        "train-classifier --iterative",
        "--player agent",
        "computes no mine probabilities of the cells",
    ),
    (
        "train-classifier --iterative",
        "--player no-such-player",
        "no-such-player",
    ),
    (
        "train-q --games 1000000",
        "--clip 0",
        "--clip 0 is not a number above 0",
    ),
    ("train-q --games 1000000", "--alpha 2", "alpha"),
    (
        "train-q --games 1000000",
        "--player no-such-player",
        "no-such-player",
    ),
    (
        "train-q --games 1000000 --epochs 9",
        "--from ./no-such-file",
        "--from takes --iterative",
    ),
    (
        "train-q --games 1000000",
        "--window 30",
        "--window takes --data",
    ),
    (
        "eval --players 4.0 --games 100000000",
        "--keep-games 5 --time-limit 5s",
        "--keep-games plays games again",
    ),
    ("train-q --iterative", "--explore nan", "--explore"),
    ("samegame eval --count 1000000", "--colours 0", "colours"),
    (
        "samegame eval --count 1000000",
        "--algorithms no-such-one",
        "no-such-one",
    ),
    (
        "samegame tune --iterations 10000",
        "--bounds q=0..1",
        "`sp-mcts` has no option `q`",
    ),
    (
        "samegame tune --iterations 10000",
        "--bounds c=2..1",
        "parameter c is to lie between 2 and 1",
    ),
    (
        "samegame tune --iterations 10000",
        "--bounds epsilon=0..2",
        "`epsilon` of `sp-mcts` can't be `2`",
    ),
    (
        "samegame tune --iterations 10000",
        "--bounds c",
        "write KEY=LOW..HIGH",
    ),
    (
        "samegame tune --iterations 10000",
        "--samples 10 --elite 10",
        "10 elite samples of 10",
    ),
    (
        "samegame tune --iterations 10000",
        "--samples 1",
        "--samples",
    ),
    (
        "samegame tune --iterations 10000",
        "--samples 5 --elite 6",
        "elite",
    ),
    (
        "tune dss+posterior+edge --set data/guesses-tune.parquet",
        "--range margn=0..1",
        "write one of edge.margin",
    ),
    (
        "tune dss+posterior+edge --set data/guesses-tune.parquet",
        "--range margin=0..2",
        "`margin` of `edge` can't be `2`",
    ),
    (
        "tune dss+posterior+endgame+roll-outs --set data/guesses-tune.parquet",
        "--range layouts=2..9",
        "write one of roll-outs.layouts, endgame.layouts",
    ),
    (
        "samegame eval --count 1000000",
        "--algorithms greedy,greedy",
        "algorithm greedy is given twice",
    ),
    (
        "ggp match --game pipelines/ggp/tic-tac-toe.kif --matches 100000",
        "--players uct,no-such-player",
        "no-such-player",
    ),
];

#[test]
fn invalid_settings_are_found_before_the_work() {
    let dir = tempdir();
    let out = dir.join("out");
    for (command, wrong, shown) in WRONG {
        let run = pipeline(format!("{command} {wrong} -q --out {out}")).code(2);
        assert_has(run.stderr(), shown);
        assert!(!out.exists(), "{command} {wrong} made its folder");
    }
}

/// Checks the same settings as stages of a pipeline. If the command line gives a setting twice,
/// such as `--players`, the stage has only the last value.
#[test]
fn a_dry_run_finds_invalid_settings() {
    let dir = tempdir();
    let file = dir.join("wrong.toml");
    let mut unfound = Vec::new();
    let sheet = format!(
        "{}/pipelines/ggp/tic-tac-toe.kif",
        env!("CARGO_MANIFEST_DIR")
    );
    for (command, wrong, shown) in WRONG {
        let mut words: Vec<&str> = command
            .split(' ')
            .take_while(|word| !word.starts_with("--"))
            .collect();
        let mut stage = String::new();
        if let ["compare", a, b] = words[..] {
            stage = format!("a = \"{a}\"\nb = \"{b}\"\n");
            words.truncate(1);
        }
        if let ["tune", player] = words[..] {
            stage = format!("player = \"{player}\"\n");
            words.truncate(1);
        }
        let mut settings = std::collections::BTreeMap::new();
        let mut flags = command
            .split(' ')
            .chain(wrong.split(' '))
            .skip_while(|word| !word.starts_with("--"))
            .peekable();
        while let Some(flag) = flags.next() {
            let value = flags.next_if(|word| !word.starts_with("--"));
            settings.insert(flag.trim_start_matches('-'), value);
        }
        for (name, value) in settings {
            let value = match value {
                None => "true".to_owned(),
                Some("pipelines/ggp/tic-tac-toe.kif") => format!("\"{sheet}\""),
                Some(value)
                    if value.parse::<f64>().is_ok() && !["players", "player"].contains(&name) =>
                {
                    value.to_owned()
                }
                Some(value) => format!("\"{value}\""),
            };
            stage += &format!("{name} = {value}\n");
        }
        write_file(
            &file,
            format!(
                "format = 1\n[stage.it]\ncommand = \"{}\"\n{stage}",
                words.join(" ")
            ),
        );
        let run = pipeline(format!("run {file} --dry-run"));
        let said = run.stderr();
        if !said.starts_with("error: ") || !said.contains(shown) {
            unfound.push(format!(
                "{}\n{stage}{}{said}",
                words.join(" "),
                run.stdout()
            ));
        }
    }
    assert!(unfound.is_empty(), "{}", unfound.join("\n"));
}
