//! From a fence of data to its rows.

use std::path::Path;

use super::data::Data;
use super::description::DataText;
use super::error::ReportError;
use super::sources::{SourceFile, Sources};
use super::views::view;

/// What a fence of data gives.
pub(super) struct Loaded {
    pub(super) data: Data,
    /// What is said of files that are missing, or of rows that are.
    pub(super) missing: Vec<String>,
}

/// Reads the files with these numbers among those of a fence.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub(super) fn load(
    sources: &Sources<'_>,
    text: &DataText,
    wanted: impl Fn(usize) -> bool,
) -> Result<Loaded, ReportError> {
    let files: Vec<_> = sources
        .files(text)
        .into_iter()
        .enumerate()
        .filter(|(at, _)| wanted(*at))
        .collect();
    let (mut there, missing): (Vec<_>, Vec<_>) = files
        .into_iter()
        .map(|(_, file)| file)
        .partition(SourceFile::is_there);
    let mut data = Data::default();
    if !there.is_empty() || text.from.is_empty() {
        there.extend(sources.also(text));
        data = view(sources, text, &there)?;
    }
    if data.files.is_empty() {
        data.files = there.into_iter().filter_map(|file| file.path).collect();
    }
    data.rows.retain(|row| text.only.hold(row));
    let mut said = messages(text.missing.as_deref(), &missing);
    if said.is_empty() && data.rows.is_empty() {
        said.extend(text.empty.clone());
    }
    Ok(Loaded {
        data,
        missing: said,
    })
}

fn messages(text: Option<&str>, missing: &[SourceFile]) -> Vec<String> {
    let Some(text) = text.filter(|_| !missing.is_empty()) else {
        return Vec::new();
    };
    let stem = |file: &SourceFile| {
        Path::new(&file.name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let said = |name: &str, stages: &str| text.replace("{name}", name).replace("{stages}", stages);
    match text.contains("{name}") {
        true => missing
            .iter()
            .map(|file| said(&file.name, &stem(file)))
            .collect(),
        false => vec![said(
            "",
            &missing.iter().map(stem).collect::<Vec<_>>().join(" "),
        )],
    }
}
