//! Two or three examples in the help of every command.

/// The end of a help: example command lines, given without the program's name, and `notes` below them.
pub(super) fn examples(lines: &[&str], notes: &str) -> String {
    let lines: String = lines.iter().map(|line| format!("  pipeline {line}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("Examples:\n{lines}{gap}{notes}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::super::command_line;

    /// Every command without subcommands: its name and its examples.
    fn leaves(command: &Command, path: &str, found: &mut Vec<(String, Vec<String>)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
            if inner.has_subcommands() {
                leaves(inner, &path, found);
                continue;
            }
            let help = inner.get_after_help().map(ToString::to_string).unwrap_or_default();
            let below = help.strip_prefix("Examples:\n").unwrap_or_default().lines();
            let lines = below.map_while(|line| line.strip_prefix("  pipeline ")).map(str::to_owned).collect();
            found.push((path, lines));
        }
    }

    fn commands() -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        leaves(&command_line(), "", &mut found);
        assert!(found.len() >= 20, "{found:?}");
        found
    }

    #[test]
    fn every_command_has_two_or_three_examples() {
        for (command, examples) in commands() {
            assert!((2..=3).contains(&examples.len()), "{command} has {} examples", examples.len());
            assert!(examples.iter().all(|example| example.starts_with(&command)), "{command}");
        }
    }

    #[test]
    fn the_arguments_of_every_example_are_understood() {
        let mut wrong = Vec::new();
        for example in commands().iter().flat_map(|(_, examples)| examples) {
            let words = ["pipeline"].into_iter().chain(example.split(' '));
            if let Err(error) = command_line().try_get_matches_from(words) {
                wrong.push(format!("pipeline {example}: {error}"));
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
