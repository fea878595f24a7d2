//! A file of saved games, read line by line.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use anyhow::Context;

use mineflow_answers::Refusal;
use mineflow_minesweeper::play::SavedGame;
use mineflow_store::without_bom;

/// Maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// A file of saved games.
pub(crate) struct GameFile {
    /// The file's name without its folder.
    pub name: String,
    path: PathBuf,
    /// Offset of each line.
    pub lines: Vec<u64>,
}

impl GameFile {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let about = || format!("can't read {}", path.display());
        let mut file = BufReader::new(File::open(path).with_context(about)?);
        let mut lines = Vec::new();
        let mut at = 0;
        loop {
            let mut line = Vec::new();
            let read = (&mut file)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
                .with_context(about)?;
            if read == 0 {
                break;
            }
            if !line.trim_ascii().is_empty() {
                // Skip a byte order mark before the first line.
                lines.push(at + (line.len() - without_bom(&line).len()) as u64);
            }
            at += read as u64;
        }
        let name = path.file_name().map_or_else(
            || "games".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        let file = Self {
            name,
            path: path.to_owned(),
            lines,
        };
        if !file.lines.is_empty() {
            file.game(0)
                .map_err(|refusal| anyhow::anyhow!("{}: {}", path.display(), refusal.message))?;
        }
        Ok(file)
    }

    pub fn game(&self, index: usize) -> Result<SavedGame, Refusal> {
        let &at = self
            .lines
            .get(index)
            .ok_or_else(|| Refusal::not_found(format!("there are {} games", self.lines.len())))?;
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(at))?;
            let mut line = Vec::new();
            BufReader::new(file.take(LONGEST_LINE)).read_until(b'\n', &mut line)?;
            Ok(line)
        };
        let line = read().map_err(|error| {
            Refusal::unanswerable(format!("{} can't be read: {error}", self.name))
        })?;
        std::str::from_utf8(&line)
            .map_err(Refusal::unanswerable)?
            .trim()
            .parse()
            .map_err(|error| Refusal::unanswerable(format!("line {}: {error}", index + 1)))
    }
}
