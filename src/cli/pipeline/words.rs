//! Converts settings by name to the words of a command line, which clap parses.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command as ClapCommand};
use serde_json::{Map, Value};

use crate::stages::{OUT, SHARD, StageLine};
use mineflow_search::options::{quote, unquote};
use mineflow_tasks::table::TaskInfo;

/// A setting with its values as text. A list has several values.
pub(super) type Texts = (String, Vec<String>);

/// An error in settings, with the wrong setting if there is one.
#[derive(Debug)]
pub(super) struct WrongSetting {
    pub name: Option<String>,
    pub why: String,
}

/// Returns the arguments that a pipeline may set: their names and clap definitions.
pub(super) fn settings_of<'c>(
    task: &'c TaskInfo,
    command: &'c ClapCommand,
) -> impl Iterator<Item = (&'c str, &'c Arg)> {
    let named = command
        .get_arguments()
        .map(|arg| (arg.get_long().unwrap_or(arg.get_id().as_str()), arg));
    named.filter(|(name, _)| {
        ![OUT, SHARD, "help"].contains(name) && !task.command_line_only.contains(name)
    })
}

/// Parses a task with these settings and the output folder `out`.
///
/// # Errors
/// Returns the parse errors of clap.
pub(super) fn read(
    task: &TaskInfo,
    settings: &[Texts],
    out: &str,
) -> Result<StageLine, WrongSetting> {
    let command = StageLine::command_of(task).expect("the caller has found it");
    let mut words: Vec<_> = task.name.split(' ').map(str::to_owned).collect();
    words.push(format!("--{OUT}={out}"));
    for (name, texts) in settings.iter().filter(|(_, texts)| !texts.is_empty()) {
        let Some((_, arg)) = settings_of(task, &command).find(|(known, _)| known == name) else {
            return Err(WrongSetting {
                name: Some(name.clone()),
                why: format!("{} has no setting `{name}`", task.name),
            });
        };
        let text = in_one(arg, texts);
        match (arg.get_action().takes_values(), text.as_str()) {
            // Positional arguments are added later, in their own order.
            (true, _) if arg.is_positional() => {}
            (true, _) => words.push(format!("--{name}={text}")),
            (false, "true" | "on") => words.push(format!("--{name}")),
            (false, "false" | "off") => {}
            (false, _) => {
                let why = format!("`{name}`: `{text}` is neither true (on) nor false (off)");
                return Err(WrongSetting {
                    name: Some(name.clone()),
                    why,
                });
            }
        }
    }
    for (place, arg) in command.get_positionals().enumerate() {
        let name = arg.get_id().as_str();
        match settings.iter().find(|(known, _)| known == name) {
            Some((_, texts)) if !texts.is_empty() => {
                words.extend((place == 0).then(|| "--".to_owned()));
                words.push(in_one(arg, texts));
            }
            _ if arg.is_required_set() => {
                let why = format!("{}: the setting `{name}` is missing", task.name);
                return Err(WrongSetting { name: None, why });
            }
            _ => {}
        }
    }
    StageLine::read(&words).map_err(|error| wrong(&error, task))
}

/// Joins the texts of a setting to the text of its argument. Only lists keep the quotes around
/// their items.
fn in_one(arg: &Arg, texts: &[String]) -> String {
    let text = texts.join(",");
    match arg.get_value_delimiter() {
        Some(_) => text,
        None => unquote(&text).into_owned(),
    }
}

/// Shortens an error of clap to one line, with the setting that it is about.
fn wrong(error: &clap::Error, task: &TaskInfo) -> WrongSetting {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => Some(argument.as_str()),
        Some(ContextValue::Strings(arguments)) => arguments.first().map(String::as_str),
        _ => None,
    };
    let name = argument.map(|argument| {
        let name = argument.split([' ', '=']).next().unwrap_or_default();
        name.trim_start_matches(['-', '<'])
            .trim_end_matches(['>', '.'])
            .to_lowercase()
    });
    let text = error.render().to_string();
    let text = text.trim_start_matches("error: ");
    let end = ["\n\nUsage:", "\n\nFor more"]
        .iter()
        .filter_map(|end| text.find(end))
        .min()
        .unwrap_or(text.len());
    let why = text[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    WrongSetting {
        name,
        why: format!("{}: {why}", task.name),
    }
}

/// Converts settings, as serialised by serde, to text. Settings with the default value are left
/// out.
pub(super) fn texts(task: &TaskInfo, settings: &Map<String, Value>) -> Vec<Texts> {
    let command = StageLine::command_of(task).expect("the caller has found it");
    let default = |name: &str| {
        let arg = settings_of(task, &command).find(|(known, _)| *known == name);
        let values = arg
            .map(|(_, arg)| arg.get_default_values())
            .unwrap_or_default();
        values
            .iter()
            .map(|value| value.to_string_lossy())
            .collect::<Vec<_>>()
            .join(",")
    };
    let texts = settings
        .iter()
        .map(|(name, value)| (name.clone(), in_texts(value)));
    texts
        .filter(|(name, texts)| !texts.is_empty() && texts.join(",") != default(name))
        .collect()
}

fn in_texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => {
            let items = values.iter().flat_map(in_texts);
            items.map(|item| quote(&item).into_owned()).collect()
        }
        other => vec![other.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mineflow_tasks::table::TASKS;

    /// The required settings of each task.
    const REQUIRED: &[(&str, &[(&str, &str)])] = &[
        ("train-trees", &[("rows", "1000")]),
        ("train-classifier", &[("iterative", "true")]),
        ("train-trees", &[("data", "\"a,b\",c")]),
        ("eval", &[("players", "4.0,5.0"), ("keep-games", "3")]),
        ("score", &[("players", "4.0,5.0"), ("set", "set.parquet")]),
        (
            "compare",
            &[
                ("a", "4.0"),
                ("b", "dss+posterior+least-mine"),
                ("model", "4.0=\"a=b,c\""),
            ],
        ),
        (
            "ggp match",
            &[("game", "hex.kif"), ("players", "uct,random")],
        ),
    ];

    /// Serde names settings as clap does, and the settings that it writes are parsed back as the
    /// same ones. `merge` relies on that.
    #[test]
    fn settings_that_are_written_are_read_back() {
        for task in TASKS {
            let Some(command) = StageLine::command_of(task) else {
                continue;
            };
            let required = REQUIRED
                .iter()
                .find(|(name, _)| *name == task.name)
                .map_or(&[][..], |(_, settings)| settings);
            let given: Vec<Texts> = required
                .iter()
                .map(|(name, text)| ((*name).to_owned(), vec![(*text).to_owned()]))
                .collect();
            let first = read(task, &given, "DIR").unwrap();
            let settings = first.task().settings;
            let mut names: Vec<_> = settings_of(task, &command).map(|(name, _)| name).collect();
            names.extend(task.command_line_only);
            names.sort_unstable();
            assert_eq!(settings.keys().collect::<Vec<_>>(), names, "{}", task.name);
            let rest = settings
                .iter()
                .filter(|(name, _)| !task.command_line_only.contains(&name.as_str()));
            let rest = rest
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            let again = read(task, &texts(task, &rest), "DIR")
                .unwrap_or_else(|wrong| panic!("{}: {wrong:?}", task.name));
            assert_eq!(again.task().settings, settings, "{}", task.name);
        }
    }
}
