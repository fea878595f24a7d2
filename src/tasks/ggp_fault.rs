//! Errors of rule sheets, with their file.

use std::path::Path;

use anyhow::anyhow;

use mineflow_gdl::SheetError;

/// A sheet that can't be played, with its file.
#[derive(Debug, thiserror::Error)]
#[error("{sheet}: {error}")]
pub struct SheetFault {
    sheet: String,
    error: SheetError,
}

impl SheetFault {
    /// Returns help on the rule of GDL that the sheet breaks.
    pub const fn help(&self) -> Option<&'static str> {
        self.error.rule()
    }
}

/// Adds the sheet's path to an error; for `map_err`.
pub fn fault_of<E: Into<SheetError>>(sheet: &Path) -> impl Fn(E) -> anyhow::Error {
    move |error| {
        SheetFault {
            sheet: sheet.display().to_string(),
            error: error.into(),
        }
        .into()
    }
}

/// Adds the sheet's path to an error of any kind; for `map_err`.
pub(super) fn in_sheet<E: std::fmt::Display>(sheet: &Path) -> impl Fn(E) -> anyhow::Error {
    move |error| anyhow!("{}: {error}", sheet.display())
}
