//! Parses the words of a command line after rewriting what clap's own parsers refuse or misread:
//! items in double quotes, lists of players such as `1.0..7.0`, and numbers such as `1e6`. The
//! words of a pipeline's stage are parsed in the same way.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use clap::{
    Arg, ArgMatches, Command,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::stages::change_arguments;
use mineflow_search::options::{is_closed, split, unquote};
use mineflow_tasks::values::{player_names, whole};

/// Parses words, with the name of the program if `cli` expects it.
///
/// # Errors
/// Returns the errors of clap.
pub(crate) fn parse(cli: Command, words: Vec<OsString>) -> Result<ArgMatches, clap::Error> {
    let (cli, mut words) = itemised(cli, words)?;
    loop {
        let error = match cli.clone().try_get_matches_from(&words) {
            Err(error) => error,
            matches => return matches,
        };
        let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidValue) else {
            return Err(error);
        };
        let Some(number) = whole(wrong)
            .map(|number| number.to_string())
            .filter(|number| number != wrong)
        else {
            return Err(error);
        };
        let Some(word) = words.iter_mut().find(|word| {
            let before = word.to_str().and_then(|text| text.strip_suffix(&**wrong));
            before.is_some_and(|before| before.is_empty() || before.ends_with('='))
        }) else {
            return Err(error);
        };
        *word = word.to_string_lossy().replace(&**wrong, &number).into();
    }
}

/// Gives each item of a list an argument of its own. Clap splits a list at every comma, but a comma
/// in double quotes separates nothing (`--data '"a,b",c'`). An item of `--players` may name
/// several.
///
/// # Errors
/// Returns an error if a double quote is not closed, or a path with a comma needs quotes.
fn itemised(cli: Command, words: Vec<OsString>) -> Result<(Command, Vec<OsString>), clap::Error> {
    let is = |of: fn(&str) -> bool| words.iter().any(|word| of(&word.to_string_lossy()));
    let is_searching = is(|word| word.starts_with("--games"));
    // The players of other games have other names.
    let is_other_game = is(|word| word == "ggp");
    let mut items = Vec::new();
    let mut lists = Vec::new();
    let mut command = &cli;
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let (flag, value) = text.split_once('=').unzip();
        let flag = flag.unwrap_or(text);
        let Some(list) = command.get_arguments().find(|arg| {
            arg.get_long() == flag.strip_prefix("--") && arg.get_value_delimiter().is_some()
        }) else {
            command = command.find_subcommand(text).unwrap_or(command);
            items.push(word);
            continue;
        };
        lists.push(list.get_id().clone());
        let next = words.next_if(|next| {
            next.to_str()
                .is_some_and(|next| value.is_none() && !next.starts_with("--"))
        });
        let Some(list) = value.or(next.as_deref().and_then(OsStr::to_str)) else {
            items.push(word);
            continue;
        };
        if let Some(why) = misquoted(list) {
            let why = format!("{flag}: {why}");
            return Err(cli.clone().error(ErrorKind::ValueValidation, why));
        }
        for item in split(list, ',').map(unquote) {
            let named = match flag == "--players" && !is_other_game {
                true => player_names(&item, is_searching),
                false => vec![&*item],
            };
            items.extend(named.iter().map(|item| format!("{flag}={item}").into()));
        }
    }
    let undelimited = |arg: Arg| match lists.contains(arg.get_id()) {
        true => arg.value_delimiter(None),
        false => arg,
    };
    Ok((change_arguments(cli, &undelimited), items))
}

/// Returns what is wrong with the quotes of a list, if they are wrong.
fn misquoted(list: &str) -> Option<String> {
    if !is_closed(list) {
        return Some(format!("the double quote in `{list}` is not closed"));
    }
    let exists = |path: &str| Path::new(path).exists();
    let is_path = list.contains(',') && exists(list) && !split(list, ',').all(exists);
    is_path.then(|| format!("a comma separates paths; for this one write '\"{list}\"'"))
}
