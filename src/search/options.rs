//! Settings as text, `name:key=value:key=value`, read and written by one list.
//!
//! A type that has settings implements [`Options`]: it lists each setting once, with its key and what it may be. The list
//! serves both directions.
//!
//! ```
//! use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes};
//!
//! #[derive(Clone, PartialEq, Debug)]
//! struct Beam { width: u32, ends: bool }
//!
//! impl Options for Beam {
//!     fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
//!         list.number("width", &mut self.width, 1..=1000)?;
//!         list.choice("ends", &mut self.ends, &[("once", true), ("again", false)])
//!     }
//! }
//!
//! let usual = Beam { width: 10, ends: true };
//! let mut beam = usual.clone();
//! let mut text = OptionText::split("beam:width=30")?;
//! text.read_into(&mut beam)?;
//! text.finish()?;
//! assert_eq!(beam, Beam { width: 30, ends: true });
//! assert_eq!(changes(&beam, &usual), ":width=30");
//! let wrong = OptionText::split("beam:widht=30")?.finish().unwrap_err();
//! assert_eq!(wrong.to_string(), "`beam` has no option `widht`; it has none");
//! # Ok::<(), OptionError>(())
//! ```

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What is wrong with the options after a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    #[error("`{text}` after `{name}` is not an option; write `{name}:option=value`")]
    Form { name: String, text: String },
    #[error("`{name}` is given `{key}` twice")]
    Twice { name: String, key: String },
    #[error("`{name}` has no option `{key}`{}; {}", did_you_mean(key, known), it_has(known))]
    Unknown { name: String, key: String, known: Vec<&'static str> },
    #[error("`{key}` of `{name}` can't be `{value}`; write {expected}")]
    Value { name: String, key: &'static str, value: String, expected: String },
}

/// Settings with a key each.
pub trait Options {
    /// Shows each setting to `list`, in the order in which they are written.
    ///
    /// # Errors
    /// A value that a setting can't take.
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError>;
}

/// A text of options: its name, and what nobody has asked for yet.
#[derive(Clone, Debug)]
pub struct OptionText<'a> {
    name: &'a str,
    given: Vec<(&'a str, &'a str)>,
    /// The keys asked for.
    known: Vec<&'static str>,
}

impl<'a> OptionText<'a> {
    /// Splits `name:key=value:key=value`.
    ///
    /// # Errors
    /// A piece without `=`, a key that is given twice.
    pub fn split(text: &'a str) -> Result<Self, OptionError> {
        let mut pieces = text.trim().split(':');
        let mut options = Self::new(pieces.next().unwrap_or_default());
        for piece in pieces {
            let not_an_option = || OptionError::Form { name: options.name.to_owned(), text: piece.to_owned() };
            let (key, value) = piece.split_once('=').ok_or_else(not_an_option)?;
            if options.given.iter().any(|&(other, _)| other == key) {
                return Err(OptionError::Twice { name: options.name.to_owned(), key: key.to_owned() });
            }
            options.given.push((key, value));
        }
        Ok(options)
    }

    /// A name without options.
    pub fn new(name: &'a str) -> Self {
        Self { name, given: Vec::new(), known: Vec::new() }
    }

    /// The same with one more option.
    pub fn and(mut self, key: &'a str, value: &'a str) -> Self {
        self.given.push((key, value));
        self
    }

    /// What stands before the options.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The value of an option, `None` if it is not given. `read` turns the text into a value or refuses it; `expected`
    /// says what it takes.
    ///
    /// # Errors
    /// A value that `read` refuses.
    pub fn take<T>(
        &mut self,
        key: &'static str,
        expected: impl FnOnce() -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        self.known.push(key);
        let Some(at) = self.given.iter().position(|&(given, _)| given == key) else { return Ok(None) };
        let (_, value) = self.given.remove(at);
        let refused =
            || OptionError::Value { name: self.name.to_owned(), key, value: value.to_owned(), expected: expected() };
        read(value).map(Some).ok_or_else(refused)
    }

    /// Sets those of the options that are given.
    ///
    /// # Errors
    /// A value that an option can't take.
    pub fn read_into(&mut self, options: &mut impl Options) -> Result<(), OptionError> {
        options.list(&mut OptionList(ListDirection::Read(self)))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// An option that nobody asked for.
    pub fn finish(self) -> Result<(), OptionError> {
        match self.given.first() {
            None => Ok(()),
            Some(&(key, _)) => {
                Err(OptionError::Unknown { name: self.name.to_owned(), key: key.to_owned(), known: self.known })
            }
        }
    }
}

/// Takes the settings one after the other, to set them or to write them.
pub struct OptionList<'l, 'a>(ListDirection<'l, 'a>);

enum ListDirection<'l, 'a> {
    Read(&'l mut OptionText<'a>),
    Write(&'l mut Vec<(&'static str, String)>),
}

impl OptionList<'_, '_> {
    /// A number within bounds.
    ///
    /// # Errors
    /// Text that is not such a number.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        number: &mut T,
        bounds: RangeInclusive<T>,
    ) -> Result<(), OptionError> {
        let text = match &mut self.0 {
            ListDirection::Read(text) => text,
            ListDirection::Write(pairs) => {
                pairs.push((key, number.to_string()));
                return Ok(());
            }
        };
        let kind = if T::from_str("0.5").is_ok() { "number" } else { "whole number" };
        let expected = || format!("a {kind} from {} to {}", bounds.start(), bounds.end());
        let read = |text: &str| text.parse().ok().filter(|number| bounds.contains(number));
        if let Some(value) = text.take(key, expected, read)? {
            *number = value;
        }
        Ok(())
    }

    /// A value with a text of its own; `expected` says what it takes.
    ///
    /// # Errors
    /// Text that is not such a value.
    pub fn text<T: FromStr + Display>(
        &mut self,
        key: &'static str,
        value: &mut T,
        expected: &str,
    ) -> Result<(), OptionError> {
        match &mut self.0 {
            ListDirection::Write(pairs) => pairs.push((key, value.to_string())),
            ListDirection::Read(text) => {
                if let Some(read) = text.take(key, || expected.to_owned(), |text| text.parse().ok())? {
                    *value = read;
                }
            }
        }
        Ok(())
    }

    /// One of several names.
    ///
    /// # Errors
    /// Text that is none of them.
    pub fn choice<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        choice: &mut T,
        names: &[(&str, T)],
    ) -> Result<(), OptionError> {
        let text = match &mut self.0 {
            ListDirection::Read(text) => text,
            ListDirection::Write(pairs) => {
                let name = names.iter().find(|(_, named)| named == choice).map_or("", |(name, _)| name);
                pairs.push((key, name.to_owned()));
                return Ok(());
            }
        };
        let expected = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
        let read = |text: &str| names.iter().find(|(name, _)| *name == text).map(|&(_, named)| named);
        if let Some(value) = text.take(key, expected, read)? {
            *choice = value;
        }
        Ok(())
    }
}

/// All options with their values as text, in the order of their list.
pub fn pairs(options: &(impl Options + Clone)) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    let written = options.clone().list(&mut OptionList(ListDirection::Write(&mut pairs)));
    written.expect("writing refuses no value");
    pairs
}

/// The shortest text that turns `usual` into `options`, `:key=value` for each option that differs.
pub fn changes<O: Options + Clone>(options: &O, usual: &O) -> String {
    let differing = pairs(options).into_iter().zip(pairs(usual)).filter(|(here, usual)| here != usual);
    differing.map(|((key, value), _)| format!(":{key}={value}")).collect()
}

/// `, did you mean ...?` if one of `names` is near enough to be a slip of the keys.
pub fn did_you_mean(text: &str, names: &[&str]) -> String {
    let near = names.iter().map(|name| (strsim::levenshtein(text, name), name)).min_by_key(|&(edits, _)| edits);
    match near {
        Some((edits, name)) if edits <= 1 + name.len() / 4 && edits < name.len() => format!(", did you mean `{name}`?"),
        _ => String::new(),
    }
}

fn it_has(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
}
