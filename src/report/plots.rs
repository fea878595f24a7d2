//! The charts of published tables: the lines of `plots.csv`.

use anyhow::Context as _;
use csv::StringRecord;

use crate::{
    cases::{Case, Comparison, Sources},
    data::Data,
};
use mineflow_tasks::plot::{Axis, Figure, Point, Scale, Series, draw};

/// The lines, with fields separated by `;`. Those of a chart follow each other and have its name, and
/// so do those of a series.
/// `x` and `y` are `LABEL@SCALE:LOW:HIGH`; an axis is made longer if points lie outside, and two
/// of equal ranges get a diagonal. The
/// columns of [`Comparison`] measure the points, one for each case. The place on the x axis is that
/// of `compared=at`, or the last number of the case's name, `LABEL@NUMBER`; without `@`, a line joins
/// the points.
const PLOTS: &str = include_str!("plots.csv");

/// Draws all charts.
///
/// # Errors
/// Returns an error if a table is missing or malformed, or a line is.
pub(crate) fn figures(data: &Data) -> anyhow::Result<Vec<Figure>> {
    let sources = Sources::new(data)?;
    let mut lines = PLOTS
        .lines()
        .map(|line| line.split(';').collect::<Vec<_>>());
    let header = StringRecord::from(lines.next().context("no header")?);
    let lines: Vec<_> = lines.collect();
    let mut figures = Vec::new();
    for lines in lines.chunk_by(|a, b| a[0] == b[0]) {
        let mut series = Vec::new();
        for lines in lines.chunk_by(|a, b| a[3] == b[3]) {
            let mut points = Vec::new();
            for line in lines {
                let of: Comparison = StringRecord::from(line.clone()).deserialize(Some(&header))?;
                let cases = of.cases(&sources);
                let cases = cases.with_context(|| format!("the chart {}", line[0]))?;
                points.extend(cases.into_iter().filter_map(point));
            }
            series.push(Series::new(lines[0][3], points));
        }
        let [(x, of_x), (y, of_y)] = [lines[0][1], lines[0][2]].map(axis);
        figures.push((lines[0][0], draw(&x, &y, &series, of_x == of_y)));
    }
    Ok(figures)
}

/// Returns the point of a case, unless it has no rows.
fn point((name, at, of): Case) -> Option<Point> {
    let (label, last) = match name.rsplit_once('@') {
        Some((label, last)) => (Some(label), last),
        None => (None, &*name),
    };
    let at = at.or_else(|| last.rsplit('=').next()?.parse().ok());
    let point = Point::new(at?, of?);
    Some(match label {
        Some(label) => point.labelled(label),
        None => point,
    })
}

/// Reads an axis, `LABEL@SCALE:LOW:HIGH`, and returns it with the text behind `@`.
fn axis(text: &'static str) -> (Axis, &'static str) {
    let (label, range) = text.split_once('@').unwrap_or((text, ""));
    let mut parts = range.split(':');
    let scale = match parts.next() {
        Some("log") => Scale::Log,
        Some("percent") => Scale::Percent,
        _ => Scale::Linear,
    };
    let mut ends = parts.filter_map(|end| end.parse().ok());
    let axis = match (ends.next(), ends.next()) {
        (Some(low), Some(high)) => Axis::new(label, scale, low, high),
        _ => Axis::fitted(label, scale),
    };
    (axis, range)
}
