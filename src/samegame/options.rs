//! Options of an algorithm as text: `name:key=value:key=value`.

use std::fmt::Display;
use std::str::FromStr;

/// Why a text names no algorithm.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    #[error("`{name}` is no algorithm; there are {known}")]
    Algorithm { name: String, known: String },
    #[error("`{0}` is no option; write KEY=VALUE, as in c=0.5")]
    Form(String),
    #[error("{algorithm} has no option `{key}`; it has {known}")]
    Key { algorithm: &'static str, key: String, known: String },
    #[error("`{value}` is no value of {key}; write {expected}")]
    Value { key: &'static str, value: String, expected: String },
}

/// An algorithm's settings, told by key.
pub trait Options: Default {
    /// The algorithm's name.
    const NAME: &'static str;

    /// All keys with their values now.
    fn pairs(&self) -> Vec<(&'static str, String)>;

    /// Sets what `key`, one of [`Options::pairs`], stands for.
    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError>;

    /// The settings of a text `key=value:key=value`, the rest as by default.
    fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for option in text.split(':').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').ok_or_else(|| OptionError::Form(option.to_owned()))?;
            let keys: Vec<_> = options.pairs().into_iter().map(|(key, _)| key).collect();
            let known = keys.iter().find(|known| **known == key).ok_or_else(|| OptionError::Key {
                algorithm: Self::NAME,
                key: key.to_owned(),
                known: keys.join(", "),
            })?;
            options.set(known, value)?;
        }
        Ok(options)
    }

    /// The shortest text that [`Options::parse`] gives these settings for, the name before it.
    fn text(&self) -> String {
        let usual = Self::default().pairs();
        let differs = self.pairs().into_iter().zip(usual).filter(|(here, usual)| here != usual);
        differs.fold(Self::NAME.to_owned(), |text, ((key, value), _)| format!("{text}:{key}={value}"))
    }
}

/// A number within bounds.
pub(super) fn number<T: FromStr + PartialOrd + Display>(
    key: &'static str,
    value: &str,
    (low, high): (T, T),
) -> Result<T, OptionError> {
    let number = value.parse::<T>().ok().filter(|number| (&low..=&high).contains(&number));
    number.ok_or_else(|| OptionError::Value {
        key,
        value: value.to_owned(),
        expected: format!("a number in {low}..={high}"),
    })
}

/// One of several names.
pub(super) fn choice<T: Copy>(key: &'static str, value: &str, names: &[(&str, T)]) -> Result<T, OptionError> {
    let found = names.iter().find(|(name, _)| *name == value);
    found.map(|&(_, choice)| choice).ok_or_else(|| OptionError::Value {
        key,
        value: value.to_owned(),
        expected: names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or "),
    })
}

/// The name of a choice.
pub(super) fn name<T: PartialEq>(choice: &T, names: &[(&str, T)]) -> String {
    names.iter().find(|(_, named)| named == choice).map_or_else(String::new, |(name, _)| (*name).to_owned())
}
