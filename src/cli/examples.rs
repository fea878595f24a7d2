//! Two or three examples in the help of every command.

/// The end of a help: example command lines, given without the program's name, and `notes` below them.
pub(super) fn examples(lines: &[&str], notes: &str) -> String {
    let lines: String = lines.iter().map(|line| format!("  pipeline {line}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("Examples:\n{lines}{gap}{notes}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::command_line;

    #[test]
    fn examples_stand_before_the_exit_codes() {
        let eval = command_line().find_subcommand("eval").unwrap().get_after_help().unwrap().to_string();
        let (examples, codes) = (eval.find("Examples:\n  pipeline eval ").unwrap(), eval.find("Exit codes:").unwrap());
        assert!(examples < codes, "{eval}");
    }
}
