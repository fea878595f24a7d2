//! Settings as text, `name:key=value:key=value`. The same list of settings is used for reading and
//! writing.
//!
//! A value with a separator in it is written in double quotes, in which `""` stands for one quote:
//! `model="C:\a,b.json"`. The functions [`split`], [`quote`] and [`unquote`] apply this rule to
//! recipes and to lists of settings.
//!
//! A type with settings implements [`Options`]: it lists each setting once, with its key and
//! allowed values.
//!
//! ```
//! use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes};
//!
//! #[derive(Clone, PartialEq, Debug)]
//! struct Beam { width: u32, ends: bool }
//!
//! impl Options for Beam {
//!     fn list(&mut self, list: &mut OptionList<'_, '_>) {
//!         list.number("width", &mut self.width, 1..=1000);
//!         list.choice("ends", &mut self.ends, &[("once", true), ("again", false)]);
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

use std::{
    borrow::Cow,
    fmt::Display,
    ops::{Bound, RangeBounds},
    str::FromStr,
};

use super::suggest::did_you_mean;

/// Splits a text at each `separator` that is not in double quotes.
pub fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |c| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    })
}

/// Returns whether each double quote of a text is closed.
pub fn is_closed(text: &str) -> bool {
    text.matches('"').count().is_multiple_of(2)
}

/// Writes a value in double quotes if it contains a separator or a quote, or blanks at an end.
pub fn quote(value: &str) -> Cow<'_, str> {
    if value.contains([':', '+', ',', '=', '"']) || value.trim() != value {
        format!("\"{}\"", value.replace('"', "\"\"")).into()
    } else {
        value.into()
    }
}

/// Reads a value that [`quote`] may have written: removes the double quotes around it.
pub fn unquote(value: &str) -> Cow<'_, str> {
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    quoted.map_or(value.into(), |text| text.replace("\"\"", "\"").into())
}

/// An error in a name or in the options after it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(pub String);

impl OptionError {
    /// An option that can't have `value`; `expected` describes the allowed values.
    pub fn value(name: &str, key: &str, value: &str, expected: &str) -> Self {
        let refused = format!("`{key}` of `{name}` can't be `{value}`; write {expected}");
        Self(refused)
    }

    /// A required option that was not given.
    pub fn missing(name: &str, key: &str, expected: &str) -> Self {
        let missing = format!("`{name}` needs `{key}`; write `{name}:{key}=` and {expected}");
        Self(missing)
    }

    /// An unknown name; `says` leads over to the known `names`.
    pub fn unknown(name: &str, says: &str, names: &[&str]) -> Self {
        let meant = did_you_mean(name, names.iter().copied());
        Self(format!("`{name}` {says} {}{meant}", names.join(", ")))
    }
}

/// A type whose fields are settings, each with a key.
pub trait Options {
    /// Passes each setting to `list`, in the order in which settings are written. The default
    /// implementation has no settings. The list keeps the first error, and [`OptionText::read_into`]
    /// returns it.
    fn list(&mut self, _list: &mut OptionList<'_, '_>) {}
}

/// Options as text: a name, and the options that have not been read yet.
#[derive(Clone, Debug)]
pub struct OptionText<'a> {
    name: &'a str,
    given: Vec<(&'a str, &'a str)>,
    /// The keys that were requested.
    known: Vec<&'static str>,
}

impl<'a> OptionText<'a> {
    /// Splits `name:key=value:key=value`.
    ///
    /// # Errors
    /// Returns an error for a piece without `=`, a key that is given twice, or a double quote that
    /// is not closed.
    pub fn split(text: &'a str) -> Result<Self, OptionError> {
        if !is_closed(text) {
            let open = format!("the double quote in `{text}` is not closed");
            return Err(OptionError(open));
        }
        let mut pieces = split(text.trim(), ':');
        let mut options = Self::new(pieces.next().unwrap_or_default());
        for piece in pieces {
            let name = options.name;
            let not_an_option = || {
                let form = "is not an option; write";
                OptionError(format!(
                    "`{piece}` after `{name}` {form} `{name}:option=value`"
                ))
            };
            let (key, value) = piece.split_once('=').ok_or_else(not_an_option)?;
            if options.given.iter().any(|&(other, _)| other == key) {
                return Err(OptionError(format!("`{name}` is given `{key}` twice")));
            }
            options.given.push((key, value));
        }
        Ok(options)
    }

    /// Returns a name without options.
    pub fn new(name: &'a str) -> Self {
        Self {
            name,
            given: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Returns the same text with one more option.
    pub fn and(mut self, key: &'a str, value: &'a str) -> Self {
        self.given.push((key, value));
        self
    }

    /// Returns the name before the options.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the value of an option, or `None` if the text doesn't contain the option. `read`
    /// parses the value or rejects it; `expected` describes the allowed values.
    ///
    /// # Errors
    /// Returns an error for a value that `read` rejects.
    pub fn take<T>(
        &mut self,
        key: &'static str,
        expected: impl FnOnce() -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        self.known.push(key);
        let Some(at) = self.given.iter().position(|&(given, _)| given == key) else {
            return Ok(None);
        };
        let (_, value) = self.given.remove(at);
        let refused = || OptionError::value(self.name, key, value, &expected());
        read(&unquote(value)).map(Some).ok_or_else(refused)
    }

    /// Sets the options that the text contains.
    ///
    /// # Errors
    /// Returns an error for a value that an option can't take.
    pub fn read_into(&mut self, options: &mut (impl Options + ?Sized)) -> Result<(), OptionError> {
        let mut list = OptionList::new(ListDirection::Read(self));
        options.list(&mut list);
        list.error.map_or(Ok(()), Err)
    }

    /// Checks that all options have been read.
    ///
    /// # Errors
    /// Returns an error for an option that has not been read.
    pub fn finish(self) -> Result<(), OptionError> {
        match self.given.first() {
            None => Ok(()),
            Some(&(key, _)) => Err(OptionError(format!(
                "`{}` has no option `{key}`; {}{}",
                self.name,
                it_has(&self.known),
                did_you_mean(key, self.known.iter().copied())
            ))),
        }
    }
}

/// A visitor of settings, which reads or writes each of them.
pub struct OptionList<'l, 'a> {
    direction: ListDirection<'l, 'a>,
    /// The first error in the text.
    error: Option<OptionError>,
}

enum ListDirection<'l, 'a> {
    Read(&'l mut OptionText<'a>),
    Write(&'l mut Vec<(&'static str, String)>),
    /// Lists the keys of numbers, and reads and writes nothing.
    Numbers(&'l mut Vec<&'static str>),
}

impl<'l, 'a> OptionList<'l, 'a> {
    fn new(direction: ListDirection<'l, 'a>) -> Self {
        Self {
            direction,
            error: None,
        }
    }

    /// Lists a number within bounds.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        number: &mut T,
        bounds: impl RangeBounds<T>,
    ) {
        self.note_number(key);
        let written = number.to_string();
        let read = |text: &str| read_number(text, &bounds).map(|read| *number = read);
        self.entry(key, written, || number_within(&bounds), read);
    }

    /// Lists an optional number within bounds; `None` is not written. Returns whether the text
    /// contains the option.
    pub fn optional<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        number: &mut Option<T>,
        bounds: impl RangeBounds<T>,
    ) -> bool {
        self.note_number(key);
        let written = number.as_ref().map_or_else(String::new, T::to_string);
        let read = |text: &str| read_number(text, &bounds).map(|read| *number = Some(read));
        self.entry(key, written, || number_within(&bounds), read)
    }

    /// Lists a value that has its own text form; `expected` describes the allowed values. An empty
    /// text is not written.
    pub fn text<T: FromStr + Display>(&mut self, key: &'static str, value: &mut T, expected: &str) {
        let written = value.to_string();
        let read = |text: &str| {
            *value = text.parse().ok().filter(|_| !text.is_empty())?;
            Some(())
        };
        self.entry(key, written, || expected.to_owned(), read);
    }

    /// Lists a value that is chosen from named alternatives.
    pub fn choice<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        choice: &mut T,
        names: &[(&str, T)],
    ) {
        let mut written = names.iter().filter(|(_, named)| named == choice);
        let written = written.next().map_or("", |(name, _)| name).to_owned();
        let expected = || {
            let names = names.iter().map(|(name, _)| *name);
            names.collect::<Vec<_>>().join(" or ")
        };
        let read = |text: &str| {
            *choice = names.iter().find(|(name, _)| *name == text)?.1;
            Some(())
        };
        self.entry(key, written, expected, read);
    }

    fn note_number(&mut self, key: &'static str) {
        if let ListDirection::Numbers(keys) = &mut self.direction {
            keys.push(key);
        }
    }

    /// Writes an option as `written`, or lets `read` set the option if the text contains it.
    /// Returns whether the text contains it.
    fn entry(
        &mut self,
        key: &'static str,
        written: String,
        expected: impl FnOnce() -> String,
        read: impl FnOnce(&str) -> Option<()>,
    ) -> bool {
        match &mut self.direction {
            ListDirection::Write(pairs) => pairs.push((key, written)),
            ListDirection::Numbers(_) => {}
            ListDirection::Read(text) => match text.take(key, expected, read) {
                Ok(found) => return found.is_some(),
                Err(error) => self.refuse(error),
            },
        }
        false
    }

    fn refuse(&mut self, error: OptionError) {
        self.error.get_or_insert(error);
    }

    /// Refuses a text without a required option.
    pub fn missing(&mut self, key: &'static str, expected: &'static str) {
        self.refuse(OptionError::missing(self.name(), key, expected));
    }

    /// Refuses two options that exclude each other.
    pub fn both(&mut self, first: &'static str, second: &'static str) {
        let name = self.name();
        let both = format!("`{name}` gives both `{first}` and `{second}`; write one of them");
        self.refuse(OptionError(both));
    }

    fn name(&self) -> &str {
        match &self.direction {
            ListDirection::Read(text) => text.name,
            ListDirection::Write(_) | ListDirection::Numbers(_) => "",
        }
    }
}

/// Returns all options with their values as text, in the order of the list.
pub fn pairs(options: &(impl Options + Clone)) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    let mut list = OptionList::new(ListDirection::Write(&mut pairs));
    options.clone().list(&mut list);
    pairs
}

/// Returns the keys of the options that are numbers, in the order of the list.
pub fn numbers(options: &mut (impl Options + ?Sized)) -> Vec<&'static str> {
    let mut keys = Vec::new();
    options.list(&mut OptionList::new(ListDirection::Numbers(&mut keys)));
    keys
}

/// Returns the shortest text that turns `usual` into `options`: `:key=value` for each option that
/// differs.
pub fn changes<O: Options + Clone>(options: &O, usual: &O) -> String {
    changes_and(options, usual, &[])
}

/// Returns the same text as [`changes`], but includes the options in `always` even if their values
/// don't differ.
pub fn changes_and<O: Options + Clone>(options: &O, usual: &O, always: &[&str]) -> String {
    let both = pairs(options).into_iter().zip(pairs(usual));
    let written = both
        .filter(|(here, usual)| !here.1.is_empty() && (here != usual || always.contains(&here.0)));
    written
        .map(|((key, value), _)| format!(":{key}={}", quote(&value)))
        .collect()
}

fn read_number<T: FromStr + PartialOrd>(text: &str, bounds: &impl RangeBounds<T>) -> Option<T> {
    text.parse().ok().filter(|number| bounds.contains(number))
}

fn number_within<T: FromStr + Display>(bounds: &impl RangeBounds<T>) -> String {
    let kind = if T::from_str("0.5").is_ok() {
        "number"
    } else {
        "whole number"
    };
    match (bounds.start_bound(), bounds.end_bound()) {
        (Bound::Included(start), Bound::Included(end)) => format!("a {kind} from {start} to {end}"),
        (Bound::Included(start), _) => format!("a {kind} from {start}"),
        (Bound::Excluded(start), Bound::Included(end)) => {
            format!("a {kind} above {start}, to {end}")
        }
        _ => format!("a {kind}"),
    }
}

fn it_has(known: &[&str]) -> String {
    if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    }
}
