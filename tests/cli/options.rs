//! Tests of the definition of the command line.

use clap::{Arg, Command};
use mineflow_cli::command_line;

#[test]
fn an_argument_with_the_id_of_a_global_option_is_that_option() {
    fn walk(command: &Command, global: &[&Arg], path: &str) {
        let path = format!("{path} {}", command.get_name());
        for argument in command.get_arguments() {
            for other in global
                .iter()
                .filter(|other| other.get_id() == argument.get_id())
            {
                assert_eq!(argument.get_long(), other.get_long(), "{path}");
                let kind = |of: &Arg| of.get_value_parser().type_id();
                assert_eq!(kind(argument), kind(other), "{path}: {}", argument.get_id());
            }
        }
        for inner in command.get_subcommands() {
            walk(inner, global, &path);
        }
    }
    let cli = command_line();
    let global: Vec<_> = cli
        .get_arguments()
        .filter(|argument| argument.is_global_set())
        .collect();
    assert!(global.len() > 5, "{global:?}");
    for command in cli.get_subcommands() {
        walk(command, &global, "pipeline");
    }
}
