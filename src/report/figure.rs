//! From the description of a figure and its rows to a chart.

use super::appearance::{appearance_of, look};
use super::data::Data;
use super::description::{Around, AxisText, Ends, FigureText, Level, LineText, ScaleText};
use super::row::Row;
use super::template::{WELL_FORMED, fill};
use crate::chart::{
    Appearance, Axis, Chart, DataSeries, ErrorBar, Guide, Joining, Point, PointLabel, Values, ends,
    extent, gain_ends,
};
use crate::page::Figure;
use mineflow_arena::Estimate;

/// The looks of series of which nothing is said.
const LOOKS: [&str; 8] = [
    "0 circle",
    "1 square",
    "2 triangle",
    "3 diamond",
    "4 inverted",
    "5 bar",
    "6 circle",
    "7 square",
];

/// The figure, without what is found by it; `None` where there is nothing to draw, or a fact that its texts need is missing.
pub(super) fn figure(text: &FigureText, data: &Data) -> Option<Figure> {
    let names = Names::of(text, data);
    let series: Vec<_> = text
        .lines
        .iter()
        .flat_map(|line| lines(line, text, data, &names))
        .collect();
    if series.is_empty() {
        return None;
    }
    let filled = |template: &str| fill(template, &data.facts);
    let level = text.level.as_ref().and_then(|level| match level {
        Level::At(level) => Some(*level),
        Level::Fact(name) => data.facts.number(name),
    });
    let points = || series.iter().flat_map(|series| &series.points);
    let x = axis(
        &text.x,
        &names,
        points().map(|point| bounds(point.x, point.error.filter(|bar| is_along_x(*bar)))),
    );
    let up = points().map(|point| bounds(point.y, point.error.filter(|bar| !is_along_x(*bar))));
    let y = axis(&text.y, &names, up.chain(level.map(|level| [level; 3])));
    let labelled = |axis: Axis| {
        Some(Axis {
            label: filled(&axis.label)?,
            ..axis
        })
    };
    let mut chart = Chart::new(filled(&text.title)?, labelled(x)?, labelled(y)?, series);
    chart.guides.extend(level.map(Guide::Level));
    chart
        .guides
        .extend(text.diagonal.then_some(Guide::Diagonal));
    let chart = if text.tall { chart.tall() } else { chart };
    let caption = fill(
        &text.caption,
        &data.facts.clone().with("reading", chart.reading()),
    )?;
    Some(Figure::new(filled(&text.id)?, chart, caption))
}

/// What rows are called on an axis of names, if there is one, in their order.
struct Names {
    template: Option<String>,
    names: Vec<String>,
}

impl Names {
    fn of(text: &FigureText, data: &Data) -> Self {
        let template = [&text.x, &text.y]
            .into_iter()
            .find(|axis| axis.scale == ScaleText::Names);
        let template = template.map(|axis| axis.names.clone());
        let mut names: Vec<String> = Vec::new();
        let is_shown = |row: &&Row| text.lines.iter().any(|line| line.only.hold(row));
        for row in data.rows.iter().filter(is_shown) {
            let name = template.as_ref().and_then(|template| fill(template, row));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        Self { template, names }
    }

    fn place(&self, row: &Row) -> Option<f64> {
        let name = fill(self.template.as_ref()?, row)?;
        self.names
            .iter()
            .position(|known| *known == name)
            .map(|at| at as f64)
    }
}

/// The series of a line, each that has a point.
fn lines(line: &LineText, text: &FigureText, data: &Data, names: &Names) -> Vec<DataSeries> {
    let rows = data
        .named(line.rows.as_deref())
        .iter()
        .filter(|row| line.only.hold(row));
    let mut groups: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows {
        let Some(key) = fill(&line.by, row) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    let series = groups.into_iter().enumerate().map(|(at, (key, rows))| {
        let name = line
            .name
            .as_ref()
            .map_or(Some(key.clone()), |name| fill(name, rows[0]))
            .unwrap_or_default();
        let appearance = appearance(&line.looks, (&key, at), rows[0]);
        let drawn = rows.into_iter().filter_map(|row| {
            let point = point(line, text, names, row)?;
            let said = |text: &str| fill(text, row).unwrap_or_default();
            let label = line.label.as_ref().map(|[text, title]| PointLabel {
                text: said(text),
                title: said(title),
            });
            Some((point, label))
        });
        let mut drawn: Vec<_> = drawn.collect();
        if line.sorted {
            drawn.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
        }
        let (points, labels): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
        let series = DataSeries::new(name, appearance, joining(&line.join), points);
        series.labelled(labels.into_iter().flatten())
    });
    series.filter(|series| !series.points.is_empty()).collect()
}

/// Where a row stands, if its values are known and the axes can show them.
fn point(line: &LineText, text: &FigureText, names: &Names, row: &Row) -> Option<Point> {
    let of = |axis: &AxisText, name: &str| -> Option<(f64, Option<Estimate>)> {
        if axis.scale == ScaleText::Names {
            return names.place(row).map(|at| (at + line.shift, None));
        }
        let value = row.number(name)?;
        let is_log = !matches!(axis.scale, ScaleText::Linear | ScaleText::Percent);
        (value > 0.0 || !is_log).then_some((value, row.estimate(name)))
    };
    let unknown = || (line.join == "edge").then_some((f64::INFINITY, None));
    let ((x, of_x), (y, of_y)) = (
        of(&text.x, &line.x).or_else(unknown)?,
        of(&text.y, &line.y)?,
    );
    Some(match (of_x, of_y) {
        (Some(of), _) => Point::along_x(of, y),
        (_, Some(of)) => Point::along_y(x, of),
        _ => Point::new(x, y),
    })
}

/// The appearance of the series of a key, which is one of several, by its first row.
fn appearance(looks: &[String], (key, at): (&str, usize), row: &Row) -> Appearance {
    match looks {
        [] => look(LOOKS[at % LOOKS.len()]),
        [one] if one == "player" => appearance_of(key),
        looks => look(&fill(&looks[at % looks.len()], row).expect(WELL_FORMED)),
    }
}

fn joining(join: &str) -> Joining {
    match join {
        "" => Joining::Line,
        "curve" => Joining::Curve,
        "apart" => Joining::Apart,
        "cloud" => Joining::Cloud,
        "edge" => Joining::Edge,
        _ => panic!("joined {join}: {WELL_FORMED}"),
    }
}

fn is_along_x(bar: ErrorBar) -> bool {
    matches!(bar, ErrorBar::X(..))
}

/// The low end, the value and the high end of a point.
fn bounds(value: f64, bar: Option<ErrorBar>) -> [f64; 3] {
    match bar {
        Some(ErrorBar::X(low, high) | ErrorBar::Y(low, high)) => [low, value, high],
        None => [value; 3],
    }
}

/// The axis of points with these bounds.
fn axis(text: &AxisText, names: &Names, points: impl Iterator<Item = [f64; 3]>) -> Axis {
    let points: Vec<_> = points.filter(|[_, value, _]| value.is_finite()).collect();
    let values = || points.iter().map(|[_, value, _]| *value);
    let label = text.label.as_str();
    let log = |kind: Values| {
        let room = values().filter_map(|value| Some(value * text.room?));
        Axis::log(label, values().chain(room), kind)
    };
    let (low, high) = bounds_of(text.ends, &points);
    let axis = match text.scale {
        ScaleText::Linear => Axis::linear(label, low, high, text.decimals),
        ScaleText::Percent => Axis::percent(label, low, high),
        ScaleText::Log => log(Values::Numbers),
        ScaleText::LogSeconds => log(Values::Seconds),
        ScaleText::LogPercent => log(Values::Ratios),
        ScaleText::Names => Axis::names(label, names.names.iter().cloned()),
    };
    if !text.ticks {
        return axis;
    }
    let mut ticks: Vec<_> = values().collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    Axis {
        ticks: ticks
            .into_iter()
            .map(|value| (value, value.to_string()))
            .collect(),
        ..axis
    }
}

/// Where an axis that holds these points ends.
fn bounds_of(wanted: Ends, points: &[[f64; 3]]) -> (f64, f64) {
    let values = || points.iter().map(|[_, value, _]| *value);
    let (low, high) = extent(values());
    let (lowest, highest) = extent(points.iter().flatten().copied());
    let around = match wanted {
        Ends::Fixed([low, high]) => return (low, high),
        Ends::Values => return (low, high),
        Ends::Around(around) => around,
    };
    match around {
        Around::FromZero => (0.0, high.max(1.0)),
        Around::FromOne => (1.0, high.max(2.0)),
        Around::Air => {
            let air = ((high - low) * 0.06).max(1e-4);
            (low - air, high + air)
        }
        Around::Twentieths => ends(values()),
        Around::Fiftieths => gain_ends(values()),
        Around::Percents => (
            (100.0 * lowest - 0.5).floor() / 100.0,
            (100.0 * highest + 0.5).ceil() / 100.0,
        ),
        Around::Hundreds => (
            (lowest / 100.0 - 0.5).floor() * 100.0,
            (highest / 100.0 + 0.5).ceil() * 100.0,
        ),
    }
}
