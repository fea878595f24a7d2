//! A reader of KIF, the prefix notation of rule sheets: symbols, lists in parentheses, and comments
//! from `;` to the end of the line, which a line feed or a carriage return ends. The reader does
//! not interpret the sheet. Letters are converted to lower case, as KIF requires.

use std::fmt;

use thiserror::Error;

/// The maximum nesting depth of lists. A sheet that exceeds the limit is rejected before any
/// function recurses over it.
const DEEPEST: usize = 100;

/// A position in a sheet. Both numbers start at 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub struct TextPosition {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A symbol or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    Symbol {
        name: String,
        at: TextPosition,
    },
    List {
        items: Vec<Expression>,
        at: TextPosition,
    },
}

impl Expression {
    /// Returns the start of the expression.
    pub const fn at(&self) -> TextPosition {
        match self {
            Self::Symbol { at, .. } | Self::List { at, .. } => *at,
        }
    }
}

/// An error in KIF text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SyntaxError {
    #[error("{at}: `)` closes nothing")]
    ClosesNothing { at: TextPosition },
    #[error("{at}: this `(` is never closed")]
    NeverClosed { at: TextPosition },
    #[error("{at}: more than {DEEPEST} lists lie in each other")]
    TooDeep { at: TextPosition },
    #[error("{at}: the character {character:?} can't stand here")]
    Character { at: TextPosition, character: char },
}

/// Reads all expressions of a sheet.
///
/// # Errors
/// Returns an error for parentheses that do not match or are nested too deeply, or a character
/// outside the language.
///
/// ```
/// use mineflow_gdl::kif::read;
/// assert_eq!(read("(role x) ; the first player\n(role o)").unwrap().len(), 2);
/// assert_eq!(read("(role x) ; the first player\r(role o)").unwrap().len(), 2);
/// assert_eq!(read("(role x\n  (role o)").unwrap_err().to_string(), "line 1, column 1: this `(` is never closed");
/// ```
pub fn read(text: &str) -> Result<Vec<Expression>, SyntaxError> {
    let mut open: Vec<(TextPosition, Vec<Expression>)> = Vec::new();
    let mut done = Vec::new();
    let mut at = TextPosition { line: 1, column: 1 };
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let here = at;
        at = after(at, character);
        let expression = match character {
            _ if character.is_whitespace() || character == '\u{feff}' => continue,
            ';' => {
                while let Some(skipped) = characters.next_if(|&next| !matches!(next, '\n' | '\r')) {
                    at = after(at, skipped);
                }
                continue;
            }
            '(' if open.len() == DEEPEST => return Err(SyntaxError::TooDeep { at: here }),
            '(' => {
                open.push((here, Vec::new()));
                continue;
            }
            ')' => {
                let (start, items) = open.pop().ok_or(SyntaxError::ClosesNothing { at: here })?;
                Expression::List { items, at: start }
            }
            _ if !in_symbol(character) => {
                return Err(SyntaxError::Character {
                    at: here,
                    character,
                });
            }
            _ => {
                let mut name: String = character.to_lowercase().collect();
                while let Some(next) = characters.next_if(|&next| in_symbol(next)) {
                    at = after(at, next);
                    name.extend(next.to_lowercase());
                }
                Expression::Symbol { name, at: here }
            }
        };
        open.last_mut()
            .map_or(&mut done, |(_, items)| items)
            .push(expression);
    }
    match open.first() {
        Some(&(at, _)) => Err(SyntaxError::NeverClosed { at }),
        None => Ok(done),
    }
}

const fn after(at: TextPosition, character: char) -> TextPosition {
    if character == '\n' {
        TextPosition {
            line: at.line + 1,
            column: 1,
        }
    } else {
        TextPosition {
            line: at.line,
            column: at.column + 1,
        }
    }
}

fn in_symbol(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !matches!(character, '(' | ')' | ';' | '"' | '|')
}
