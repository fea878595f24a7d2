//! The text of a recipe: parts joined by `+`, each a name and `:option=value`s; and what may be wrong with it.

use super::swap::Swap;
use super::versions::versions;
use mineflow_store::nearest;

/// Why a text is neither a recipe nor a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecipeError {
    #[error("an empty text is not a player; the players are {}", list(&player_names()))]
    Empty,
    #[error("`{text}` is not a player{}; the players are {}, or join parts with `+`: {}",
        suggest(text, &[player_names(), parts.clone()].concat()), list(&player_names()), list(parts))]
    UnknownPlayer { text: String, parts: Vec<&'static str> },
    #[error("`{part}` is not a part of a recipe{}; the parts are {}", suggest(part, parts), list(parts))]
    UnknownPart { part: String, parts: Vec<&'static str> },
    #[error("`{recipe}` has an empty part; join parts with one `+`: {}", list(parts))]
    EmptyPart { recipe: String, parts: Vec<&'static str> },
    #[error("`{part}` has no option `{option}`{}; {}", suggest(option, known), options(known))]
    UnknownOption { part: String, option: String, known: Vec<&'static str> },
    #[error("`{option}` of `{part}` can't be `{value}`; write {expected}")]
    BadValue { part: String, option: &'static str, value: String, expected: &'static str },
    #[error("`{text}` after `{part}` is not an option; write `{part}:option=value`")]
    NotAnOption { part: String, text: String },
    #[error("`{part}` is given `{option}` twice")]
    OptionTwice { part: String, option: String },
    #[error("`{first}` and `{second}` both say {job}; a recipe has one part for it")]
    PartTwice { first: String, second: String, job: &'static str },
    #[error("no part of `{recipe}` says {job}; add one of {}", list(possible))]
    Missing { recipe: String, job: &'static str, possible: Vec<&'static str> },
    #[error("`{part}` needs `{option}`; write `{part}:{option}=` and {expected}")]
    OptionMissing { part: &'static str, option: &'static str, expected: &'static str },
    #[error("`{part}` needs the true posterior; write `posterior` where `{source_part}` is")]
    NeedsPosterior { part: String, source_part: String },
    #[error("`{part}` gives both `playouts` and `ms`; its budget is one of them")]
    TwoBudgets { part: String },
    #[error("`{part}` has no usable model: {why}")]
    Model { part: String, why: String },
    #[error("player `{player}` asks no model, so none can take its place")]
    NoModel { player: String },
    #[error("`{whole}` is a whole player and can't be joined with `{other}`")]
    NotJoinable { whole: &'static str, other: String },
}

/// One part as typed: its name and the options not yet asked for.
pub(super) struct PartText<'a> {
    name: &'a str,
    given: Vec<(&'a str, &'a str)>,
    known: Vec<&'static str>,
    swap: Option<&'a Swap>,
}

impl<'a> PartText<'a> {
    /// Splits `name:option=value:option=value`. A part that asks a model asks `swap` instead.
    pub(super) fn split(text: &'a str, swap: Option<&'a Swap>) -> Result<Self, RecipeError> {
        let mut pieces = text.trim().split(':');
        let name = pieces.next().unwrap_or_default();
        let mut given: Vec<(&str, &str)> = Vec::new();
        for piece in pieces {
            let not_an_option = || RecipeError::NotAnOption { part: name.to_owned(), text: piece.to_owned() };
            let (option, value) = piece.split_once('=').ok_or_else(not_an_option)?;
            if given.iter().any(|&(other, _)| other == option) {
                return Err(RecipeError::OptionTwice { part: name.to_owned(), option: option.to_owned() });
            }
            given.push((option, value));
        }
        Ok(Self { name, given, known: Vec::new(), swap })
    }

    /// The number that `option` gives, `None` if it isn't given; refused outside of `range`.
    pub(super) fn take_number<T: std::str::FromStr + PartialOrd>(
        &mut self,
        option: &'static str,
        expected: &'static str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<Option<T>, RecipeError> {
        self.take(option, expected, |value| value.parse().ok().filter(|number| range.contains(number)))
    }

    /// The share, 0 to 1, that `option` gives.
    pub(super) fn take_share(&mut self, option: &'static str) -> Result<Option<f64>, RecipeError> {
        self.take_number(option, "a number from 0 to 1", 0.0..=1.0)
    }

    /// Whether `option` is given.
    pub(super) fn has(&self, option: &str) -> bool {
        self.given.iter().any(|&(given, _)| given == option)
    }

    pub(super) fn name(&self) -> &'a str {
        self.name
    }

    /// The model to ask instead of the one named.
    pub(super) fn swap(&self) -> Option<&'a Swap> {
        self.swap
    }

    /// The value of `option`, `None` if it isn't given. `read` turns the text into a value or refuses it; `expected`
    /// says what it takes.
    pub(super) fn take<T>(
        &mut self,
        option: &'static str,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, RecipeError> {
        self.known.push(option);
        let Some(at) = self.given.iter().position(|&(given, _)| given == option) else {
            return Ok(None);
        };
        let (_, value) = self.given.remove(at);
        let bad_value =
            || RecipeError::BadValue { part: self.name.to_owned(), option, value: value.to_owned(), expected };
        read(value).map(Some).ok_or_else(bad_value)
    }

    /// An error if an option is left that no part asked for.
    pub(super) fn finish(self) -> Result<(), RecipeError> {
        match self.given.first() {
            None => Ok(()),
            Some(&(option, _)) => Err(RecipeError::UnknownOption {
                part: self.name.to_owned(),
                option: option.to_owned(),
                known: self.known,
            }),
        }
    }
}

fn player_names() -> Vec<&'static str> {
    versions().iter().map(|version| version.name).collect()
}

fn list(names: &[&str]) -> String {
    names.join(", ")
}

fn options(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", list(known)) }
}

/// `, did you mean ...?` if one of `names` is near enough to be a slip of the keys.
fn suggest(text: &str, names: &[&str]) -> String {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        // One version number is as near as another.
        return String::new();
    }
    nearest(text, names.iter().copied()).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
