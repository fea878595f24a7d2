//! Two or three examples in the help of every command.

use clap::Command;

/// The examples of each command, in the order of the help.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[&str])] = &[
    ("generate", &["generate --kind classifier --games 10000 --out rows", "generate --kind q --player 4.5 --boards beginner,expert --out rows", "generate --kind classifier --shard 1/4 --out rows.1"]),
    ("fit-alpha", &["fit-alpha --games 20 --out alpha", "fit-alpha --widths 5..7 --alphas 11"]),
    ("train-trees", &["train-trees --data rows --out trees", "train-trees --rows 100000 --rounds 50 --out trees"]),
    ("train-ranker", &["train-ranker --data guesses --out ranker", "train-ranker --data guesses --rounds 200 --learning-rate 0.15 --out ranker"]),
    ("train-classifier", &["train-classifier --iterative --episodes 20 --out network", "train-classifier --data rows --epochs 3 --out network", "train-classifier --data rows --overfit"]),
    ("train-q", &["train-q --games 5000 --out q", "train-q --iterative --from q/artifact.safetensors --episodes 20 --out q-iterative"]),
    ("eval", &["eval --players 3.0,7.0,9.0 --games 2000", "eval --players 9.0 --boards expert --first-click safe,opening --games 100000 --luck-corrected --out strength", "eval --players dss+components+min-p --widths 5..9 --mine-ratios 0.1..0.2:0.05"]),
    ("compare", &["compare 9.0 8.0 --boards expert --games 20000 --luck-corrected", "compare 4.0 3.0"]),
    ("bench", &["bench", "bench --players 7.0,8.0-fast,9.0 --games 200"]),
    ("calibrate", &["calibrate --players 3.5,5.0,7.0 --guesses 10000", "calibrate --players 7.0 --boards expert --games 1000 --out calibration.csv"]),
    ("solve", &["solve position.mine", "solve --mines 10 rows.txt", "solve --json positions.jsonl"]),
    ("play", &["play", "play expert --first-click opening --player 9.0", "play --load game.mbf"]),
    ("data show", &["data show rows", "data show rows/part-00000.parquet --head 20"]),
    ("data verify", &["data verify rows", "data verify rows --json"]),
    ("data split", &["data split rows", "data split rows --out split"]),
    ("data featurise", &["data featurise rows --features q-v2 --out q-rows", "data featurise rows --features classifier-v2 --player 4.0 --out more-rows"]),
    ("run", &["run pipelines/quickstart.toml", "run pipelines/paper.toml --until trees --dry-run", "run pipelines/smoke.toml --set seed=2 --out runs/second"]),
    ("status", &["status pipelines/quickstart.toml", "status pipelines/paper.toml --out runs/paper --json"]),
    ("plan", &["plan pipelines/paper.toml --shards 8", "plan pipelines/quickstart.toml --measure"]),
    ("merge", &["merge whole part.1 part.2", "merge strength strength.1 strength.2 strength.3 strength.4"]),
    ("report", &["report", "report --runs runs/quickstart --out page"]),
    ("samegame solve", &["samegame solve --random 1", "samegame solve board.txt --algorithm nested:level=1 --budget nodes=1000000"]),
    ("samegame speed", &["samegame speed", "samegame speed --playouts 100000"]),
    ("samegame eval", &["samegame eval --algorithms sp-mcts,nested:level=1 --count 20", "samegame eval --boards boards.json --budgets nodes=10000,nodes=100000 --out points"]),
    ("samegame tune", &["samegame tune --algorithm sp-mcts --iterations 5 --out tuned", "samegame tune --samples 20 --elite 4 --budget nodes=10000"]),
    ("ggp check", &["ggp check pipelines/ggp/tic-tac-toe.kif", "ggp check pipelines/ggp/hex.kif --playouts 1000", "ggp check pipelines/ggp/kaseklau.kif --scsp"]),
    ("ggp play", &["ggp play pipelines/ggp/connect-four.kif", "ggp play pipelines/ggp/tic-tac-toe.kif --as x"]),
    ("ggp perft", &["ggp perft pipelines/ggp/tic-tac-toe.kif --depth 9", "ggp perft pipelines/ggp/chess.kif --depth 2"]),
    ("ggp solve", &["ggp solve pipelines/ggp/tic-tac-toe.kif", "ggp solve pipelines/ggp/kaseklau.kif --json"]),
    ("ggp bench", &["ggp bench pipelines/ggp/hex.kif", "ggp bench pipelines/ggp/chess.kif pipelines/ggp/othello.kif --playouts 1000"]),
    ("ggp match", &["ggp match --game pipelines/ggp/hex.kif --players mac-ucb,uct --matches 20 --budget 100ms", "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,random --budget 64it"]),
    ("ggp table", &["ggp table --experiments table3 --games tic-tac-toe=10ms --matches 20 --out table", "ggp table --experiments figure6 --games kaseklau=50ms --out table"]),
    ("ggp ladder", &["ggp ladder --games pipelines/ggp/tic-tac-toe.kif --matches 20", "ggp ladder --playouts 512 --divisors 1,8,64 --out ladder"]),
    ("optimum", &["optimum 4x4/4", "optimum 4x4/4 3x5/4 --players 7.0,9.0 --all"]),
    ("boards", &["boards --no-guess 30x16/99 --first 4,4 --count 1000 --out boards", "boards --no-guess beginner --level pairs --count 3"]),
    ("replay", &["replay games.jsonl", "replay games.jsonl --game 3 --form rawvf"]),
    ("serve", &["serve", "serve --runs runs --port 8080", "serve --replays games.jsonl --player corner-first+dss+posterior+least-mine"]),
    ("guesses", &["guesses", "guesses --players 4.0,7.0,9.0 --board intermediate --positions 1 --seed 5", "guesses --out notebooks-free-reports/play/guesses.csv"]),
    ("players", &["players", "players --json"]),
    ("models list", &["models list", "models list --models models"]),
    ("models show", &["models show 5.0", "models show trees.json --json"]),
    ("models verify", &["models verify", "models verify --models models"]),
    ("models import", &["models import 5.0 trees.json --models my-models", "models import 5.5 network.safetensors --models my-models"]),
    ("completions", &["completions bash", "completions zsh"]),
];

/// The command line with the examples before what else stands at the end of each help.
pub(super) fn add_to(cli: Command) -> Command {
    EXAMPLES.iter().fold(cli, |cli, (command, examples)| {
        let words: Vec<_> = command.split(' ').collect();
        add_at(cli, &words, examples)
    })
}

/// Adds examples to a subcommand, if this build has it.
fn add_at(command: Command, path: &[&str], examples: &[&str]) -> Command {
    match path {
        [] => {
            let lines: Vec<_> = examples.iter().map(|example| format!("  pipeline {example}")).collect();
            let after = command.get_after_help().map(|text| format!("\n\n{}", text.ansi())).unwrap_or_default();
            command.after_help(format!("Examples:\n{}{after}", lines.join("\n")))
        }
        [name, inner @ ..] if command.find_subcommand(name).is_some() => {
            command.mut_subcommand(*name, |command| add_at(command, inner, examples))
        }
        _ => command,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command_line;
    use super::*;

    /// The names of all commands that have no others below them.
    fn leaves(command: &Command, path: &str, found: &mut Vec<String>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let path = format!("{path} {}", inner.get_name());
            match inner.has_subcommands() {
                true => leaves(inner, &path, found),
                false => found.push(path.trim_start().to_owned()),
            }
        }
    }

    #[test]
    fn every_command_has_two_or_three_examples() {
        let mut commands = Vec::new();
        leaves(&command_line(), "", &mut commands);
        assert!(commands.len() >= 20, "{commands:?}");
        for command in commands {
            let rows: Vec<_> = EXAMPLES.iter().filter(|(name, _)| *name == command).collect();
            let [(_, examples)] = rows[..] else { panic!("{command} has {} rows of examples", rows.len()) };
            assert!((2..=3).contains(&examples.len()), "{command} has {} examples", examples.len());
            assert!(examples.iter().all(|example| example.starts_with(&command)), "{command}");
        }
    }

    #[test]
    fn the_arguments_of_every_example_are_understood() {
        let mut wrong = Vec::new();
        for (command, examples) in EXAMPLES {
            let has_it =
                command.split(' ').try_fold(command_line(), |at, name| at.find_subcommand(name).cloned()).is_some();
            for example in examples.iter().filter(|_| has_it) {
                let words = ["pipeline"].into_iter().chain(example.split(' '));
                if let Err(error) = command_line().try_get_matches_from(words) {
                    wrong.push(format!("pipeline {example}: {error}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn examples_stand_before_the_exit_codes() {
        let eval = command_line().find_subcommand("eval").unwrap().get_after_help().unwrap().to_string();
        let (examples, codes) = (eval.find("Examples:\n  pipeline eval ").unwrap(), eval.find("Exit codes:").unwrap());
        assert!(examples < codes, "{eval}");
    }
}
