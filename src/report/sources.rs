//! The files of a report: where they lie, and the command that made each, from the table of commands in the `README.md` beside it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::description::DataText;
use super::error::ReportError;
use super::files::beside;
use super::games::{self, GameTable};
use super::inputs::{Inputs, Training};
use crate::page::FigureSource;

/// The file with a table of commands.
const README: &str = "README.md";
/// The file in which a stage describes itself.
const MANIFEST: &str = "manifest.json";
/// The tables of games, the most important first.
pub(super) const GAMES: &str = "games";

/// What a report is made from, and what was read already.
pub(super) struct Sources<'a> {
    pub(super) inputs: &'a Inputs,
    /// Those of the tables of games that are there.
    pub(super) games: Vec<(PathBuf, GameTable)>,
    /// Texts of the files with commands that were read; `None` where there is none.
    readmes: RefCell<HashMap<PathBuf, Option<String>>>,
}

/// A file that a description names.
pub(super) struct SourceFile {
    pub(super) name: String,
    /// `None` where its folder isn't among the inputs.
    pub(super) path: Option<PathBuf>,
}

impl SourceFile {
    pub(super) fn is_there(&self) -> bool {
        self.path().exists()
    }

    pub(super) fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }
}

impl<'a> Sources<'a> {
    /// # Errors
    /// A table of games that exists and is wrong.
    pub(super) fn open(inputs: &'a Inputs) -> Result<Self, ReportError> {
        let mut tables = Vec::new();
        for path in &inputs.games {
            tables.extend(games::read(path)?.map(|table| (path.clone(), table)));
        }
        Ok(Self {
            inputs,
            games: tables,
            readmes: RefCell::default(),
        })
    }

    /// The files that a description names.
    pub(super) fn files(&self, text: &DataText) -> Vec<SourceFile> {
        let named = |(at, from): (usize, &String)| {
            let name = text.names.get(at).unwrap_or(from).clone();
            match from.as_str() {
                GAMES => self
                    .inputs
                    .games
                    .iter()
                    .map(|path| SourceFile {
                        name: short(path),
                        path: Some(path.clone()),
                    })
                    .collect(),
                _ => vec![SourceFile {
                    name,
                    path: self.path(from),
                }],
            }
        };
        text.from.iter().enumerate().flat_map(named).collect()
    }

    /// Those of the files that it can do without which are there.
    pub(super) fn also(&self, text: &DataText) -> impl Iterator<Item = SourceFile> {
        let files = text.also.iter().map(|name| SourceFile {
            name: name.clone(),
            path: self.path(name),
        });
        files.filter(SourceFile::is_there)
    }

    /// Where the file of a name lies, if its root is among the inputs.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let Inputs {
            training:
                Training {
                    trees,
                    classifier,
                    q_single,
                    q_iterative,
                    alpha,
                },
            ..
        } = self.inputs;
        let (root, rest) = name.split_once('/').unwrap_or((name, ""));
        let folder = match root {
            "play" => &self.inputs.strength,
            "ggp" => &self.inputs.rule_sheets,
            "samegame" => &self.inputs.samegame,
            "trees" => trees,
            "classifier" => classifier,
            "q-single" => q_single,
            "q-iterative" => q_iterative,
            "alpha" => alpha,
            // A table whose name may be another, with what lies beside it.
            _ => {
                let bins = self.inputs.calibration.as_ref()?;
                return Some(if rest.is_empty() {
                    bins.clone()
                } else {
                    beside(bins, rest)
                });
            }
        };
        Some(folder.as_ref()?.join(rest))
    }

    /// Whether the root of a section is among the inputs.
    pub(super) fn has(&self, root: &str) -> bool {
        self.path(root).is_some()
    }

    /// What a figure says of a file that it is drawn from.
    pub(super) fn describe(&self, file: &Path) -> Result<FigureSource, ReportError> {
        let link = self
            .inputs
            .page_folder
            .as_deref()
            .and_then(|folder| file.strip_prefix(folder).ok());
        let link = link.map(|path| {
            path.iter()
                .map(|part| part.to_string_lossy())
                .collect::<Vec<_>>()
                .join("/")
        });
        Ok(FigureSource {
            name: short(file),
            link,
            made_by: self.made_by(file)?,
        })
    }

    /// What made a file: what the `README.md` of its folder, or of the folder above, says of the file, or of its folder; else that the
    /// manifest beside it has its settings.
    fn made_by(&self, file: &Path) -> Result<Option<String>, ReportError> {
        let name = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let (Some(folder), stem) = (file.parent(), file.with_extension("")) else {
            return Ok(None);
        };
        for (place, names) in [
            (Some(folder), vec![name(file), name(&stem)]),
            (folder.parent(), vec![name(folder)]),
        ] {
            let Some(place) = place.map(|place| place.join(README)) else {
                continue;
            };
            let mut readmes = self.readmes.borrow_mut();
            if !readmes.contains_key(&place) {
                let text = mineflow_store::read(&place)?
                    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                readmes.insert(place.clone(), text);
            }
            let text = readmes[&place].as_deref().unwrap_or_default();
            if let Some(command) = names.iter().find_map(|name| command(text, name)) {
                return Ok(Some(command));
            }
        }
        Ok(folder
            .join(MANIFEST)
            .exists()
            .then(|| format!("`{MANIFEST}` beside it has the settings")))
    }
}

/// A file with the name of its folder alone, which is the same on every machine.
pub(super) fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// The last column of the first row of a Markdown table whose first column names `file` in code.
fn command(text: &str, file: &str) -> Option<String> {
    let wanted = format!("`{file}`");
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let row = rows.filter(|row| {
        row.split(" | ")
            .next()
            .is_some_and(|first| first.contains(&wanted))
    });
    row.filter_map(|row| row.rsplit(" | ").next())
        .next()
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_file_stands_in_the_row_that_names_it() {
        let table = "| file | command |\n|---|---|\n| `a.csv`, `b.csv` | `pipeline x a` |\n| `trees` | 5.0 | `pipeline y` |\n";
        assert_eq!(command(table, "b.csv").unwrap(), "`pipeline x a`");
        assert_eq!(command(table, "trees").unwrap(), "`pipeline y`");
        assert_eq!(command(table, "csv"), None);
    }
}
