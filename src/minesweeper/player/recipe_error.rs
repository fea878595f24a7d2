//! The errors in the text of a recipe.

use super::versions::versions;
use mineflow_search::{did_you_mean, options::OptionError};

/// The error of a text that does not describe a usable player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecipeError {
    #[error("an empty text is not a player; the players are {}", list(&player_names()))]
    Empty,
    #[error("`{text}` is not a player; the players are {}, or join parts with `+`: {}{}",
        list(&player_names()), list(parts), meant(text, &[player_names(), parts.clone()].concat()))]
    UnknownPlayer {
        text: String,
        parts: Vec<&'static str>,
    },
    #[error(
        "`{0}` is not a range of players; write FIRST..LAST in the order of the table of players, such as 1.0..6.5"
    )]
    Range(String),
    #[error(
        "`{part}` is not a part of a recipe; the parts are {}{}",
        list(parts),
        meant(part, parts)
    )]
    UnknownPart {
        part: String,
        parts: Vec<&'static str>,
    },
    #[error(
        "`{recipe}` has an empty part; join parts with one `+`: {}",
        list(parts)
    )]
    EmptyPart {
        recipe: String,
        parts: Vec<&'static str>,
    },
    #[error(transparent)]
    Options(#[from] OptionError),
    #[error("`{first}` and `{second}` both say {job}; a recipe has one part for it")]
    PartTwice {
        first: String,
        second: String,
        job: &'static str,
    },
    #[error("no part of `{recipe}` says {job}; add one of {}", list(possible))]
    Missing {
        recipe: String,
        job: &'static str,
        possible: Vec<&'static str>,
    },
    #[error("`{part}` needs the true posterior; write `posterior` where `{source_part}` is")]
    NeedsPosterior { part: String, source_part: String },
    #[error("`{key}` does not name one number of `{recipe}`; {}", one_of(numbers))]
    Number {
        recipe: String,
        key: String,
        /// The numbers with this name, or all numbers of the recipe if there are none.
        numbers: Vec<String>,
    },
    #[error("player `{player}` has no usable model: {why}")]
    Model { player: String, why: String },
    #[error("player `{player}` has no model that could be replaced")]
    NoModel { player: String },
    #[error("`{whole}` is a whole player and can't be joined with `{other}`")]
    NotJoinable { whole: &'static str, other: String },
}

fn player_names() -> Vec<&'static str> {
    versions().iter().map(|version| version.name).collect()
}

fn list(names: &[&str]) -> String {
    names.join(", ")
}

fn one_of(numbers: &[String]) -> String {
    match numbers {
        [] => "it has none".to_owned(),
        _ => format!("write one of {}", numbers.join(", ")),
    }
}

/// Returns a suggestion of the name that was meant. A number gets a suggestion only if `.0`
/// completes it to a version, because all other numbers are equally similar.
fn meant(text: &str, names: &[&str]) -> String {
    if text.chars().any(|letter| letter.is_ascii_alphabetic()) {
        return did_you_mean(text, names.iter().copied());
    }
    let version = format!("{text}.0");
    if names.contains(&version.as_str()) {
        format!("; did you mean `{version}`?")
    } else {
        String::new()
    }
}
