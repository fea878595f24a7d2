//! The files behind every figure, and the command that made each: from the table of commands in the `README.md` beside the file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::error::ReportError;
use super::inputs::{Inputs, Training};
use super::sections::GUESSES;
use mineflow_document::{FigureSource, PageBlock, Section};

/// The file with a table of commands.
const README: &str = "README.md";
/// The file in which a stage describes itself.
const MANIFEST: &str = "manifest.json";

/// Says under every figure of `sections` which files it is drawn from. `experiment` are the tables of figures 1 to 5, `standard` those of
/// table 4.
pub(super) fn name_sources(
    sections: &mut [Section],
    inputs: &Inputs,
    (experiment, standard): (&[PathBuf], &[PathBuf]),
) -> Result<(), ReportError> {
    let mut readmes = HashMap::new();
    for block in sections.iter_mut().flat_map(|section| &mut section.blocks) {
        let (id, sources) = match block {
            PageBlock::Figure(figure) => (&*figure.id, &mut figure.sources),
            PageBlock::Board(figure) => (&*figure.id, &mut figure.sources),
            _ => continue,
        };
        let files = match id {
            "table-4-figure" => standard.to_vec(),
            id if id.starts_with("figure-") => experiment.to_vec(),
            id => behind(id, inputs),
        };
        add(sources, files, inputs, &mut readmes)?;
    }
    Ok(())
}

/// The files behind a figure that is not of games alone.
fn behind(id: &str, inputs: &Inputs) -> Vec<PathBuf> {
    let Training { trees, classifier, q_single, q_iterative, alpha } = &inputs.training;
    let (folder, files): (&Option<PathBuf>, &[&str]) = match id {
        "trees-loss" => (trees, &["metrics.jsonl"]),
        "trees-importance" => (trees, &["importance.csv"]),
        "alpha-sweep" => (alpha, &["sweep.csv"]),
        "alpha-fit" => (alpha, &["targets.csv"]),
        "ggp-pairs" => (&inputs.rule_sheets, &["table3.csv"]),
        "ggp-budgets" => (&inputs.rule_sheets, &["table4.csv"]),
        "ggp-times" => (&inputs.rule_sheets, &["times.csv"]),
        "ggp-shares" => (&inputs.rule_sheets, &["figure6.csv"]),
        "ggp-learning" => (&inputs.rule_sheets, &["figure5.csv"]),
        "ggp-ladder" => (&inputs.rule_sheets, &["ladder.csv"]),
        "samegame-restarts" => (&inputs.samegame, &["figure-2.csv"]),
        "samegame-tuning" => (&inputs.samegame, &["table-5-game.csv", "table-5-move.csv"]),
        "samegame-budget" => (
            &inputs.samegame,
            &["table-7.csv", "table-7-games.csv", "table-7-ten-minutes.csv", "table-7-best.csv", "table-7-rivals.csv"],
        ),
        _ if id.starts_with("guesses-") => (&inputs.strength, &[GUESSES]),
        _ if id.starts_with("strength-") => (&inputs.strength, &["strength.csv", "versions.csv", "speed.csv"]),
        _ if id.starts_with("training-5.5") => (classifier, &["metrics.jsonl"]),
        _ if id.starts_with("training-6.0") => (q_iterative, &["metrics.jsonl"]),
        _ if id.starts_with("training-6.5") => (q_single, &["metrics.jsonl"]),
        _ if id.starts_with("calibration-") => return inputs.calibration.iter().cloned().collect(),
        _ => (&None, &[]),
    };
    folder.iter().flat_map(|folder| files.iter().map(|file| folder.join(file))).collect()
}

/// Texts of the files with commands that were read; `None` where there is none.
type Readmes = HashMap<PathBuf, Option<String>>;

fn add(
    sources: &mut Vec<FigureSource>,
    files: Vec<PathBuf>,
    inputs: &Inputs,
    readmes: &mut Readmes,
) -> Result<(), ReportError> {
    for file in files.into_iter().filter(|file| file.exists()) {
        let link = inputs.page_folder.as_deref().and_then(|folder| file.strip_prefix(folder).ok());
        let link = link.map(|path| path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
        sources.push(FigureSource { name: super::build::short(&file), link, made_by: made_by(&file, readmes)? });
    }
    Ok(())
}

/// What made a file: what the `README.md` of its folder, or of the folder above, says of the file, or of its folder; else that the
/// manifest beside it has its settings.
fn made_by(file: &Path, readmes: &mut Readmes) -> Result<Option<String>, ReportError> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (Some(folder), stem) = (file.parent(), file.with_extension("")) else { return Ok(None) };
    for (place, names) in [(Some(folder), vec![name(file), name(&stem)]), (folder.parent(), vec![name(folder)])] {
        let Some(place) = place.map(|place| place.join(README)) else { continue };
        if !readmes.contains_key(&place) {
            let text = mineflow_store::read(&place)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            readmes.insert(place.clone(), text);
        }
        let text = readmes[&place].as_deref().unwrap_or_default();
        if let Some(command) = names.iter().find_map(|name| command(text, name)) {
            return Ok(Some(command));
        }
    }
    Ok(folder.join(MANIFEST).exists().then(|| format!("`{MANIFEST}` beside it has the settings")))
}

/// The last column of the first row of a Markdown table whose first column names `file` in code.
fn command(text: &str, file: &str) -> Option<String> {
    let wanted = format!("`{file}`");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let row = rows.filter(|row| row.split(" | ").next().is_some_and(|first| first.contains(&wanted)));
    row.filter_map(|row| row.rsplit(" | ").next()).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_file_stands_in_the_row_that_names_it() {
        let table =
            "| file | command |\n|---|---|\n| `a.csv`, `b.csv` | `pipeline x a` |\n| `trees` | 5.0 | `pipeline y` |\n";
        assert_eq!(command(table, "b.csv").unwrap(), "`pipeline x a`");
        assert_eq!(command(table, "trees").unwrap(), "`pipeline y`");
        assert_eq!(command(table, "csv"), None);
    }
}
