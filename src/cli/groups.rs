//! The list of commands in `pipeline --help`, in groups.

use anstyle::Style;
use clap::Command;

use super::{
    commands::GROUPS,
    terminal::{self, wrapped},
};

const HEADING: Style = Style::new().bold().underline();
const NAME: Style = Style::new().bold();

/// The text that clap shows for its own command `help`.
const HELP: &str = "Print this message or the help of the given subcommand(s)";
/// Width of the column of names.
const INDENT: usize = 24;
/// Line width: the default without a terminal, and the maximum.
const WIDTH: (usize, usize) = (100, 120);

/// Groups the commands in the help of a command line.
pub(super) fn add_to(cli: Command) -> Command {
    let columns = terminal::columns()
        .unwrap_or(WIDTH.0)
        .clamp(INDENT + 20, WIDTH.1);
    let list = list(&cli, columns);
    cli.help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{HEADING}Options:{HEADING:#}\n{{options}}{{after-help}}"))
}

fn list(cli: &Command, columns: usize) -> String {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let lines: String = names
            .iter()
            .filter_map(|name| line(cli, name, columns))
            .collect();
        if !lines.is_empty() {
            text += &format!("{HEADING}{heading}:{HEADING:#}\n{lines}\n");
        }
    }
    text
}

/// Returns the line of a command with its summary, or `None` if this build lacks it.
fn line(cli: &Command, name: &str, columns: usize) -> Option<String> {
    let about = match name {
        "help" => HELP.to_owned(),
        _ => cli.find_subcommand(name)?.get_about()?.to_string(),
    };
    let gap = " ".repeat(INDENT.saturating_sub(name.len() + 2));
    let below = format!("\n{}", " ".repeat(INDENT));
    Some(format!(
        "  {NAME}{name}{NAME:#}{gap}{}\n",
        wrapped(&about, columns - INDENT).join(&below)
    ))
}

#[cfg(test)]
mod tests {
    use super::{super::command_line, *};

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let cli = command_line();
        let listed: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        for command in cli.get_subcommands() {
            let times = listed
                .iter()
                .filter(|name| **name == command.get_name())
                .count();
            assert_eq!(times, 1, "{} is in {times} groups", command.get_name());
        }
    }
}
