//! Views: from files to rows with the values that descriptions show.
//!
//! A view is a function and a line of [`VIEWS`]. Lines of a table without computed values need none.

mod alpha;
mod calibration;
mod edges;
mod experiment;
mod games;
mod matches;
mod mine_ratios;
mod regression;
mod samegame;
mod shape;
mod standard_board;
pub(super) mod strength;
mod table_3;
mod training;

use std::path::Path;

use super::data::Data;
use super::description::{DataText, ViewOptions};
use super::error::ReportError;
use super::files::csv_rows;
use super::row::Row;
use super::sources::{SourceFile, Sources};
use super::template::WELL_FORMED;

pub(super) use standard_board::table_4;

/// What a view makes rows of.
pub(super) struct Request<'a> {
    sources: &'a Sources<'a>,
    with: &'a ViewOptions,
    /// Those that are there.
    files: &'a [SourceFile],
}

pub(super) type View = fn(&Request<'_>) -> Result<Data, ReportError>;

/// All views by their names.
pub(super) const VIEWS: &[(&str, View)] = &[
    ("alpha", alpha::alpha),
    ("calibration", calibration::bins),
    ("calibration-errors", calibration::errors),
    ("calibration-scores", calibration::scores),
    ("edges", edges::edges),
    ("engines", matches::engines),
    ("games", games::games),
    ("ideas", strength::ideas),
    ("importance", training::importance),
    ("learning", matches::learning),
    ("matches", matches::matches),
    ("mine-ratios", mine_ratios::mine_ratios),
    ("networks", matches::networks),
    ("peers", strength::published),
    ("rounds", training::rounds),
    ("samegame-each-position", samegame::each_position),
    ("samegame-final-moves", samegame::final_moves),
    ("samegame-positions", samegame::positions),
    ("samegame-restarts", samegame::restarts),
    ("samegame-rivals", samegame::rivals),
    ("samegame-scopes", samegame::scopes),
    ("samegame-settings", samegame::settings),
    ("samegame-strategies", samegame::strategies),
    ("samegame-tuned", samegame::tuned),
    ("samegame-tuning", samegame::tuning),
    ("samegame-units", samegame::units),
    ("samegame-variants", samegame::variants),
    ("shape", shape::shape),
    ("standard-board", standard_board::standard_board),
    ("strength", strength::strength),
    ("table-3", table_3::table_3),
    ("trainings", training::trainings),
    ("trees", training::trees),
];

/// The rows that the view of a description makes of these files.
pub(super) fn view(
    sources: &Sources<'_>,
    text: &DataText,
    files: &[SourceFile],
) -> Result<Data, ReportError> {
    let request = Request {
        sources,
        with: &text.with,
        files,
    };
    match &text.view {
        None => request.rows(lines).map(Data::of),
        Some(name) => {
            let (_, view) = VIEWS
                .iter()
                .find(|(known, _)| known == name)
                .expect(WELL_FORMED);
            view(&request)
        }
    }
}

impl Request<'_> {
    /// The rows of all files, as `read` gives them.
    fn rows<R>(
        &self,
        read: impl Fn(&Path) -> Result<Option<Vec<R>>, ReportError>,
    ) -> Result<Vec<R>, ReportError> {
        let mut rows = Vec::new();
        for file in self.files {
            rows.extend(read(file.path())?.into_iter().flatten());
        }
        Ok(rows)
    }

    /// The same for one of the files alone, or for none where that is not there.
    fn only(&self, name: &str) -> Request<'_> {
        let file = self.files.iter().find(|file| file.name == name);
        Request {
            files: file.map_or(&[], std::slice::from_ref),
            ..*self
        }
    }
}

/// The lines of a table.
fn lines(path: &Path) -> Result<Option<Vec<Row>>, ReportError> {
    csv_rows(path, |_| Ok(()))
}

/// The lines of a table of a paper, which stands beside the code: there alone are its figures written down.
fn paper(table: &str) -> Vec<Row> {
    csv::Reader::from_reader(table.as_bytes())
        .into_deserialize()
        .map(|row| row.expect(WELL_FORMED))
        .collect()
}

/// A figure that a paper has in its text alone, by a name of ours.
fn in_text(name: &str) -> f64 {
    let all = paper(include_str!("../papers/in-text.csv"));
    all.iter()
        .find(|row| row.text("name") == name)
        .and_then(|row| row.number("value"))
        .expect(WELL_FORMED)
}

/// Each text once, in the order in which they come.
fn unique<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut unique = Vec::new();
    texts.for_each(|text| {
        if !unique.contains(&text) {
            unique.push(text)
        }
    });
    unique
}
