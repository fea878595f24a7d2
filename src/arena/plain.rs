//! Makes untrusted text safe to show in a terminal.

use std::borrow::Cow;

/// The maximum number of characters shown of a quoted value.
const LONGEST: usize = 80;
/// The maximum number of bytes shown of an unquoted word, such as a path.
const LONGEST_WORD: usize = 300;

/// Escapes each character that a terminal would interpret instead of showing it, such as `\u{1b}`.
/// These are control characters, including line ends, and characters that change the direction of
/// writing.
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_obeyed(character) || character == '\n')
}

/// Escapes a message like [`plain`], but keeps line ends and truncates quoted values (between
/// backticks, or quotation marks after a space) to 80 characters.
pub fn plain_message(text: &str) -> String {
    let text = escaped(text, is_obeyed);
    let mut shown = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((start, mark)) = opening(rest) {
        let inner = &rest[start + 1..];
        let Some(end) = closing(inner, mark) else {
            break;
        };
        shown += &rest[..=start];
        shown += &cut(&inner[..end]);
        shown.push(mark);
        rest = &inner[end + 1..];
    }
    shown += rest;
    match shown.split(' ').any(|word| word.len() > LONGEST_WORD) {
        true => shown
            .split(' ')
            .map(short_word)
            .collect::<Vec<_>>()
            .join(" "),
        false => shown,
    }
}

/// Truncates a word that is too long even for a path.
fn short_word(word: &str) -> Cow<'_, str> {
    if word.len() > LONGEST_WORD {
        cut(word)
    } else {
        Cow::Borrowed(word)
    }
}

fn is_obeyed(character: char) -> bool {
    let turns = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    turns || character.is_control() && character != '\n'
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|character| match is_escaped(character) {
            true => character.escape_default().to_string(),
            false => character.to_string(),
        })
        .collect()
}

/// Finds the start of a quoted value, and its quotation mark.
fn opening(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(at, mark)| match mark {
        '`' => true,
        '"' | '\'' => text[..*at]
            .chars()
            .next_back()
            .is_none_or(|before| matches!(before, ' ' | '(' | '[')),
        _ => false,
    })
}

/// Finds the end of a quoted value: the first `mark` that is not followed by a letter or digit.
fn closing(inner: &str, mark: char) -> Option<usize> {
    inner.match_indices(mark).map(|(at, _)| at).find(|at| {
        inner[at + 1..]
            .chars()
            .next()
            .is_none_or(|after| !after.is_alphanumeric())
    })
}

fn cut(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(LONGEST) {
        None => Cow::Borrowed(value),
        Some((end, _)) => Cow::Owned(format!("{}...", &value[..end])),
    }
}
