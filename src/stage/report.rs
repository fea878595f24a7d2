//! The report of a folder of tables and training records.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::arena::write_whole;
use crate::player::versions;
use crate::report::{Inputs, Version, build};

/// The tables of games that are looked for, most important first.
const GAMES: [&str; 5] =
    ["play/table4.csv", "play/learned.csv", "play/section53.csv", "play/section53-exponential.csv", "play/figure5.csv"];

/// The inputs as they lie in a folder such as `notebooks-free-reports`.
pub fn inputs_in(folder: &Path) -> Inputs {
    Inputs { games: GAMES.iter().map(|name| folder.join(name)).collect(), versions: named() }
}

/// The table of players, for [`Inputs`].
pub fn named() -> Vec<Version> {
    let version = |version: &crate::player::Version| Version {
        name: version.name.to_owned(),
        recipe: version.recipe.to_owned(),
        summary: version.summary.to_owned(),
        source: version.source.to_owned(),
    };
    versions().iter().map(version).collect()
}

/// Writes the report of `inputs` into the folder `out`, made if missing, and gives the paths of its files. Each is written whole or not
/// at all.
///
/// # Errors
/// An input that exists and is wrong; nothing is then written. A folder that can't be written.
pub fn write(inputs: &Inputs, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let files = build(inputs)?;
    let mut written = Vec::with_capacity(files.len());
    for file in files {
        let path = out.join(&file.name);
        let folder = path.parent().unwrap_or(out);
        fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        write_whole(&path, file.text.as_bytes())?;
        written.push(path);
    }
    Ok(written)
}
