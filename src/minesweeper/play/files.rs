//! The table's texts to type, and the files and players that they name.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command::{Command, Effect, Existing, Mode, Prompt, Question, Written};
use super::saved::{self, Format, Loaded, Missing};
use super::table::Table;
use crate::Board;

/// The name that is proposed for a file.
const FILE: &str = "game.txt";
/// The longest text that can be typed.
const LONGEST_TEXT: usize = 500;

impl Table {
    pub(super) fn ask(&mut self, question: Question) {
        let last = || self.file.as_ref().map(|file| file.display().to_string());
        let text = match question {
            Question::Save => last().unwrap_or_else(|| FILE.to_owned()),
            Question::Load => last().unwrap_or_default(),
            _ => String::new(),
        };
        self.mode = Mode::Typing(Prompt { question, text });
    }

    /// What a command means while a text is typed.
    pub(super) fn type_on(&mut self, mut prompt: Prompt, command: Command, now: Duration) -> Effect {
        match command {
            Command::Type(typed) if prompt.text.len() < LONGEST_TEXT && !typed.is_control() => prompt.text.push(typed),
            Command::Erase => {
                prompt.text.pop();
            }
            Command::Confirm => return self.answer(prompt, now),
            Command::Cancel => return Effect::Nothing,
            Command::Quit => return Effect::Quit,
            _ => {}
        }
        self.mode = Mode::Typing(prompt);
        Effect::Nothing
    }

    fn answer(&mut self, prompt: Prompt, now: Duration) -> Effect {
        self.message.clear();
        let text = prompt.text.trim();
        match prompt.question {
            Question::Replace { path, bytes } if matches!(text, "y" | "yes") => {
                return Effect::Write { path, bytes, existing: Existing::Replace };
            }
            Question::Replace { .. } => "not saved".clone_into(&mut self.message),
            _ if text.is_empty() => {}
            Question::Save => {
                let path = PathBuf::from(text);
                match saved::write(self.round(), self.time(now), Format::of(&path)) {
                    Ok(bytes) => return Effect::Write { path, bytes, existing: Existing::Keep },
                    Err(why) => self.message = format!("not saved: {why}"),
                }
            }
            Question::Load => return Effect::Read(PathBuf::from(text)),
            Question::Player => return Effect::Find(text.to_owned()),
            Question::Board => match text.parse::<Board>() {
                Ok(board) => self.deal_on(board),
                Err(why) => self.message = why.to_string(),
            },
        }
        Effect::Nothing
    }

    /// Takes the game that a file holds.
    ///
    /// # Errors
    /// The bytes are not a game; the table is as it was.
    pub fn load(&mut self, path: &Path, bytes: &[u8]) -> Result<(), saved::SavedError> {
        let settings = self.settings();
        let missing = Missing { seed: self.seed(), first_click: settings.first_click, node_limit: settings.node_limit };
        let Loaded { round, time } = saved::read(bytes, Format::of(path), &missing)?;
        self.put(round, time);
        self.file = Some(path.to_owned());
        self.message = format!("loaded {}", path.display());
        Ok(())
    }

    /// Says that a file could not be read.
    pub fn not_loaded(&mut self, why: &str) {
        self.message = format!("not loaded: {why}");
    }

    /// Takes the result of writing a file; asks about a file that is there already.
    pub fn saved(&mut self, path: PathBuf, bytes: Vec<u8>, written: Written) {
        match written {
            Written::Done => {
                self.message = format!("saved {}", path.display());
                self.file = Some(path);
            }
            Written::Exists => self.ask(Question::Replace { path, bytes }),
            Written::Failed(why) => self.message = format!("not saved: {why}"),
        }
    }
}
