//! The measured cases of claims: a measure of the rows that a filter selects, alone or compared
//! with that of other rows.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use mineflow_arena::Estimate;
use serde::Deserialize;

use crate::{
    data::{Data, Names, Row},
    grid::{Played, grid, group},
    table::estimate,
};

/// The columns of a line of `claims.csv` that say what is measured. A filter consists of conditions
/// `COLUMN=VALUE` or `COLUMN>NUMBER`, with ` & ` between them. The line has a case for each of the
/// alternatives `COLUMN=VALUE|VALUE`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Comparison {
    /// A published table, a table in `papers/`, or `grid`, whose columns are `player`,
    /// `first_click` and those of [`group`].
    table: String,
    /// A measure of [`Sources::sample`]; empty if nothing was measured.
    measure: String,
    rows: String,
    compared: Option<Compared>,
    /// The table and the measure of the second rows, if they differ from those of the first.
    with_table: String,
    with_measure: String,
    /// The filter of the second rows. In the same table, the conditions of the first filter hold
    /// for all other columns. `{COLUMN}` is the value in the first filter.
    with: String,
    /// A number that is subtracted from the result.
    known: Option<f64>,
    /// The name of the case. `{COLUMN}` is the value in the first filter, `{with.COLUMN}` that in
    /// the second.
    case: String,
    /// `literal` if the case is measured by the literal text of the paper where the other cases
    /// rest on a chosen reading.
    pub reading: String,
}

/// How two samples are compared.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Compared {
    /// The difference, by board if the samples are paired, and at the places that both have played
    /// on the grid.
    Less,
    /// The difference from a value that is taken as exact.
    LessValue,
    Over,
    /// The difference as a share of the second.
    Relative,
    /// The binary logarithm of the ratio.
    Doublings,
    /// The number of boards on which the first is ahead.
    Ahead,
    /// The first, at the second on the x axis of a chart.
    At,
}

/// A case: its name, its place on the x axis of a chart, and the estimate, which is missing without
/// rows.
pub(crate) type Case = (String, Option<f64>, Option<Estimate>);

/// The conditions of a filter, each a column with a relation and a value.
type Filter = BTreeMap<String, String>;
/// What is measured of some rows.
enum Sample<'a> {
    /// An estimate, unless no rows were selected.
    Estimate(Option<Estimate>),
    /// Values by board.
    Paired(Vec<f64>),
    Won(Played<'a>),
    Seconds(Played<'a>),
}

impl Sample<'_> {
    fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Estimate(of) => *of,
            Self::Paired(values) => Some(Estimate::mean(values.iter().copied())),
            Self::Won(played) => played.won(),
            Self::Seconds(played) => played.seconds().map(Estimate::exactly),
        }
    }
}

impl Compared {
    fn apply(self, first: &Sample<'_>, second: &Sample<'_>) -> Option<Estimate> {
        match (self, first, second) {
            (Self::Less, Sample::Paired(a), Sample::Paired(b)) => {
                let differences = a.iter().zip(b).map(|(a, b)| a - b);
                (a.len().min(b.len()) > 1).then(|| Estimate::mean(differences))
            }
            (Self::Less, Sample::Won(a), Sample::Won(b)) => a.lead(b),
            (Self::Less, ..) => Some(first.estimate()?.minus(second.estimate()?)),
            (Self::LessValue, ..) => Some(first.estimate()?.less(second.estimate()?.value)),
            (Self::Over, Sample::Seconds(a), Sample::Seconds(b)) => a.times(b),
            (Self::Over, ..) => Some(first.estimate()?.times(1.0 / second.estimate()?.value)),
            (Self::Relative, ..) => Some(
                Self::Less
                    .apply(first, second)?
                    .times(1.0 / second.estimate()?.value),
            ),
            (Self::Doublings, ..) => {
                let Estimate { value, low, high } = Self::Over.apply(first, second)?;
                Some(estimate(value.log2(), low.log2(), high.log2()))
            }
            (Self::Ahead, Sample::Paired(a), Sample::Paired(b)) => Some(Estimate::exactly(
                a.iter().zip(b).filter(|(a, b)| a > b).count() as f64,
            )),
            (Self::Ahead, ..) => None,
            (Self::At, ..) => first.estimate(),
        }
    }
}

impl Comparison {
    /// Measures all cases.
    pub fn cases(&self, sources: &Sources<'_>) -> Result<Vec<Case>> {
        let [table, measure] = [
            (&self.with_table, &self.table),
            (&self.with_measure, &self.measure),
        ]
        .map(|(with, own)| if with.is_empty() { own } else { with });
        let mut cases = Vec::new();
        for first in filters(&self.rows)? {
            let sample = sources.sample(&self.table, &self.measure, &first)?;
            for with in filters(&filled(&self.with, "", &first))? {
                let name = filled(&filled(&self.case, "", &first), "with.", &with);
                let (of, at) = match self.compared {
                    None => (sample.estimate(), None),
                    Some(compared) => {
                        let mut second = Filter::new();
                        if *table == self.table {
                            second.clone_from(&first);
                        }
                        second.extend(with);
                        let second = sources.sample(table, measure, &second)?;
                        let is_place = matches!(compared, Compared::At);
                        let at = second.estimate().filter(|_| is_place);
                        let at = at.map(|of| of.value);
                        (compared.apply(&sample, &second), at)
                    }
                };
                let of = of.map(|of| of.less(self.known.unwrap_or(0.0)));
                cases.push((name, at, of));
            }
        }
        Ok(cases)
    }
}

/// Returns a filter for each combination of alternatives.
fn filters(text: &str) -> Result<Vec<Filter>> {
    let mut filters = vec![Filter::new()];
    for condition in text.split(" & ").filter(|condition| !condition.is_empty()) {
        let end = condition
            .find(['=', '>'])
            .with_context(|| format!("`{condition}` has no value"))?;
        let (column, test) = condition.split_at(end);
        let (relation, values) = test.split_at(1);
        let mut longer = Vec::new();
        for filter in filters {
            for value in values.split('|') {
                let mut filter = filter.clone();
                filter.insert(column.to_owned(), format!("{relation}{value}"));
                longer.push(filter);
            }
        }
        filters = longer;
    }
    Ok(filters)
}

/// Replaces each `{COLUMN}` after this prefix by the filter's value.
fn filled(text: &str, prefix: &str, filter: &Filter) -> String {
    filter.iter().fold(text.to_owned(), |text, (column, test)| {
        text.replace(&format!("{{{prefix}{column}}}"), &test[1..])
    })
}

/// The tables that claims name.
pub(crate) struct Sources<'a> {
    data: &'a Data,
    grid: Vec<Played<'a>>,
    /// Names of recipes and budgets in filters and in the names of cases.
    names: Names,
}

impl<'a> Sources<'a> {
    pub fn new(data: &'a Data) -> Result<Self> {
        Ok(Self {
            data,
            grid: grid(&data.grid),
            names: data.names()?,
        })
    }

    /// Returns whether a cell satisfies a condition. The value `*` allows every cell.
    fn holds(&self, cell: &str, test: &str) -> bool {
        let (relation, value) = test.split_at(1);
        if relation == ">" {
            return cell.parse::<f64>().ok() > value.parse().ok();
        }
        let mut named = self.names.get(value).into_iter().flatten();
        value == "*" || value == cell || named.any(|named| named == cell)
    }

    /// Measures the rows that the filter selects.
    fn sample(&self, table: &str, measure: &str, filter: &Filter) -> Result<Sample<'a>> {
        let words: Vec<&str> = measure.split(' ').collect();
        Ok(match *words {
            // Nothing was measured.
            [""] => Sample::Estimate(None),
            // A number, as it stands.
            [number] if number.parse::<f64>().is_ok() => {
                Sample::Estimate(Some(Estimate::exactly(number.parse()?)))
            }
            // Win rates and CPU times of games.
            ["won"] if table == "grid" => Sample::Won(self.played(filter)?),
            ["seconds"] if table == "grid" => Sample::Seconds(self.played(filter)?),
            // What is gained from one budget to another: `gain COLUMN BUDGET BUDGET`.
            ["gain", column, from, to] => {
                let at = |budget: &str| {
                    let mut filter = filter.clone();
                    filter.insert("budget".to_owned(), format!("={budget}"));
                    self.sample(table, &format!("paired {column}"), &filter)
                };
                Sample::Estimate(Compared::Less.apply(&at(to)?, &at(from)?))
            }
            _ => of_rows(&words, &self.rows(table, filter)?)?,
        })
    }

    fn rows(&self, table: &str, filter: &Filter) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = self.data.table(table)?;
        for (column, test) in filter {
            let has = rows.first().is_none_or(|row| row.0.contains_key(column));
            ensure!(has, "{table} has no column {column}");
            rows.retain(|row| self.holds(&row.0[column], test));
        }
        Ok(rows)
    }

    fn played(&self, filter: &Filter) -> Result<Played<'a>> {
        let is = |column: &str, cell: &str| {
            let test = filter.get(column);
            test.is_none_or(|test| self.holds(cell, test))
        };
        let mut series = self.grid.iter();
        let of = series.find(|of| is("player", of.player) && is("first_click", of.first_click));
        let mut played = of.cloned().unwrap_or_default();
        for (column, test) in filter {
            if !["player", "first_click"].contains(&&**column) {
                let of = group(column).with_context(|| format!("the grid has no {column}"))?;
                played = played.only(|place| self.holds(&of(place).to_string(), test));
            }
        }
        Ok(played)
    }
}

/// Measures columns of the rows of a table.
fn of_rows(words: &[&str], rows: &[Row]) -> Result<Sample<'static>> {
    let values = |column| {
        rows.iter()
            .map(|row| row.number(column))
            .collect::<Result<Vec<f64>, _>>()
    };
    let of = match (words, rows) {
        // The number of rows.
        (["count"], _) => Estimate::exactly(rows.len() as f64),
        (_, []) => return Ok(Sample::Estimate(None)),
        // The mean of the rows with its interval by Student's t distribution.
        (["mean", column], _) => Estimate::mean(values(column)?.into_iter()),
        // A value for each board: the rows of both samples are of the same boards.
        (["paired", column], _) => return Ok(Sample::Paired(values(column)?)),
        // The win rate of a row of `pipeline eval`, luck-corrected if luck was measured.
        (["won"], [row]) => {
            let corrected = [
                "corrected_win_ratio",
                "corrected_ci_low",
                "corrected_ci_high",
            ];
            row.interval(corrected)
                .or_else(|_| row.interval(["win_ratio", "ci_low", "ci_high"]))?
        }
        // The score of a row of `pipeline ggp match`, luck-corrected if luck was measured.
        (["score"], [row]) => {
            let corrected = ["corrected_score", "corrected_low", "corrected_high"];
            row.interval(corrected)
                .or_else(|_| row.interval(["score", "low", "high"]))?
        }
        // A row of `play/peers.csv`.
        (["percent", value, half], [row]) => {
            let [value, half] = [value, half].map(|of| row.number(of).unwrap_or(0.0) / 100.0);
            estimate(value, value - half, value + half)
        }
        ([value], [row]) => Estimate::exactly(row.number(value)?),
        ([value, low, high], [row]) => row.interval([value, low, high])?,
        _ => bail!(
            "`{}` can't be measured of {} rows",
            words.join(" "),
            rows.len()
        ),
    };
    Ok(Sample::Estimate(Some(of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_a_choice_for_each_combination_of_alternatives() {
        let filters = filters("a=1|2 & b>3 & c=x=1|y").unwrap();
        let names = filters
            .iter()
            .map(|filter| filled("{a} {c} {with.a}", "", filter));
        let names: Vec<String> = names.collect();
        assert_eq!(
            names,
            [
                "1 x=1 {with.a}",
                "1 y {with.a}",
                "2 x=1 {with.a}",
                "2 y {with.a}"
            ]
        );
        assert!(filters.iter().all(|filter| filter["b"] == ">3"));
        assert!(super::filters("a").is_err());
    }

    #[test]
    fn rows_are_selected_by_value_by_name_and_by_number() {
        let data = Data::default();
        let sources = Sources::new(&data).unwrap();
        let measure = |measure: &str, filter: &str| {
            let filter = &filters(filter).unwrap()[0];
            let sample = sources.sample("papers/samegame.csv", measure, filter);
            Ok::<_, anyhow::Error>(sample?.estimate().map(|of| of.value))
        };
        let balanced = "table=table-2 & algorithm=balanced & budget=nodes=100000";
        assert_eq!(measure("mean", balanced).unwrap(), Some(2388.0));
        assert_eq!(
            measure("count", "table=table-2 & mean>2800").unwrap(),
            Some(4.0)
        );
        assert_eq!(measure("mean", "table=none").unwrap(), None);
        for (of, filter) in [
            ("mean", "table=table-2"),
            ("mean", "tables=1"),
            ("means", balanced),
        ] {
            assert!(measure(of, filter).is_err(), "{of}, {filter}");
        }
    }

    #[test]
    fn samples_are_compared_by_board_if_they_are_paired() {
        let [a, b] = [[1.0, 2.0, 6.0], [2.0, 1.0, 3.0]].map(|of| Sample::Paired(of.into()));
        let value = |compared: Compared| compared.apply(&a, &b).unwrap().value;
        assert_eq!(value(Compared::Less), 1.0);
        assert_eq!(value(Compared::Relative), 0.5);
        assert_eq!(value(Compared::Ahead), 2.0);
        assert!((value(Compared::Doublings) - 1.5f64.log2()).abs() < 1e-12);
    }
}
