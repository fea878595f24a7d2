//! SameGame: the tables of Schadd et al. (SP-MCTS) and the measured cases of their claims.

use mineflow_arena::Estimate;
use mineflow_arena::numbers::{gain, grouped};
use mineflow_tasks::samegame::eval::{BoardRow, EvalRow};
use mineflow_tasks::samegame::tune::DistributionRow;
use serde::Deserialize;

use crate::claim::Case;
use crate::data::{Data, embedded};
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::table::{bare, estimate, exactly, score, shown, table};

/// The tables of Schadd et al.
const PAPER: &str = include_str!("samegame.csv");
const EXPLOITATION: &str = "sp-mcts";
const BALANCED: &str = "sp-mcts:c=0.5:d=10000";
const EXPLORATION: &str = "sp-mcts:c=1:d=20000";
const SETTINGS: [&str; 3] = [EXPLOITATION, BALANCED, EXPLORATION];
const RANDOM: &str = "sp-mcts:c=0.5:d=10000:playout=random";
const TABU_RANDOM: &str = "sp-mcts:c=0.5:d=10000:playout=tabu-random";
const PER_MOVE: &str = "sp-mcts:per=move";
const MOST_PLAYOUTS: &str = "sp-mcts:final=most-playouts:per=move";
const HIGHEST_MEAN: &str = "sp-mcts:final=highest-mean:per=move";
/// Table 5 of Schadd et al.: settings chosen by hand, tuned for a search per game and tuned for a search per move.
const TABLE_5: [(&str, [f64; 3]); 5] = [
    ("c", [0.1, 5.96, 4.31]),
    ("d", [32.0, 67.98, 96.67]),
    ("t", [10.0, 13.0, 11.0]),
    ("w", [0.02, 0.49, 0.28]),
    ("epsilon", [0.003, 7e-5, 7e-5]),
];
/// Scores of programs on each of the standard 20 positions, from table 7 of Schadd et al.
const POSITIONS: &str = include_str!("positions.csv");
/// A row of a table of Schadd et al.: mean points, and the average and greatest depth of the tree.
#[derive(Deserialize)]
struct Published {
    table: String,
    /// The name of the algorithm in this project; empty if the algorithm is not implemented.
    algorithm: String,
    budget: String,
    /// The name or the time that Schadd et al. give.
    label: String,
    mean: f64,
    depth: Option<f64>,
    deepest: Option<f64>,
}

/// The measured tables in `samegame/`, and the tables of Schadd et al.
pub(crate) struct Tables<'a> {
    data: &'a Data,
    paper: Vec<Published>,
}

impl<'a> Tables<'a> {
    pub(crate) fn new(data: &'a Data) -> anyhow::Result<Self> {
        let paper = embedded(PAPER)?;
        Ok(Self { data, paper })
    }

    fn rows(&self, name: &str) -> anyhow::Result<Vec<EvalRow>> {
        self.data.table(&format!("samegame/{name}.csv"))
    }

    fn boards(&self, name: &str) -> anyhow::Result<Boards> {
        self.data
            .table(&format!("samegame/{name}-boards.csv"))
            .map(Boards)
    }

    fn published(&self, table: &str, algorithm: &str, budget: &str) -> Option<&Published> {
        let is = |row: &&Published| {
            row.table == table && row.algorithm == algorithm && row.budget == budget
        };
        self.paper.iter().find(is)
    }

    /// Returns a table of `pipeline samegame eval` next to the table of the same name of Schadd et al. Differences are paired by
    /// board, with the first algorithm that has the same budget.
    pub(crate) fn beside(&self, name: &str) -> anyhow::Result<String> {
        let published = |row: &EvalRow| self.published(name, &row.algorithm, &row.budget);
        let ours = |row: &EvalRow| {
            let paper = published(row);
            let label = paper.map_or("", |paper| &paper.label);
            let less = shown(difference(row).filter(|of| of.low != of.high), gain);
            let [points, depth] = [
                paper.map(|paper| paper.mean),
                paper.and_then(|paper| paper.depth),
            ]
            .map(|of| bare(of, 0));
            let algorithm = format!("`{}` {label}", rounded(&row.algorithm));
            let played = format!(
                "{} | {} | {}",
                nodes(&row.budget),
                row.boards,
                score(mean(row))
            );
            format!(
                "{algorithm} | {played} | {points} | {} | {} | {depth} | {less}",
                row.cleared,
                bare(row.mean_depth, 0)
            )
        };
        // If Schadd et al. have a table of this name, only its budgets and single playouts are shown.
        let of_paper: Vec<&Published> = self.paper.iter().filter(|row| row.table == name).collect();
        let is_shown = |row: &&EvalRow| {
            let budgets = || of_paper.iter().any(|paper| paper.budget == row.budget);
            of_paper.is_empty() || budgets() || row.budget == "playouts=1"
        };
        let mut rows: Vec<String> = self.rows(name)?.iter().filter(is_shown).map(ours).collect();
        let others = of_paper.iter().filter(|paper| paper.algorithm.is_empty());
        rows.extend(
            others.map(|paper| format!("{} |  |  |  | {:.0} |  |  |  | ", paper.label, paper.mean)),
        );
        Ok(table(
            "algorithm | budget | boards | points | paper, points | cleared | depth | paper, depth | less the first",
            rows,
        ))
    }

    /// Returns table 5 of Schadd et al. next to our results: the settings found by the Cross-Entropy Method.
    pub(crate) fn table_5(&self) -> anyhow::Result<String> {
        let runs = [self.tuned("game")?, self.tuned("move")?];
        let row = |(name, paper): (&str, [f64; 3])| {
            let found = runs.each_ref().map(|rows| match last(rows, name) {
                Some(row) => format!("{} ± {}", short(row.mean), short(row.deviation)),
                None => String::new(),
            });
            format!(
                "{name} | {} | {}",
                paper.map(short).join(" | "),
                found.join(" | ")
            )
        };
        let header =
            "parameter | by hand | per game, paper | per move, paper | per game | per move";
        Ok(table(header, TABLE_5.map(row)))
    }

    fn tuned(&self, name: &str) -> anyhow::Result<Vec<DistributionRow>> {
        self.data.table(&format!("samegame/table-5-{name}.csv"))
    }

    /// Draws our results for figure 2 of Schadd et al.: several searches that share one budget.
    pub(crate) fn figures(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let number = |row: &EvalRow| {
            row.algorithm
                .split_once("searches=")
                .and_then(|(_, number)| number.parse().ok())
        };
        let point = |row: &EvalRow| Point::new(number(row).unwrap_or(1.0), mean(row));
        let points = self.rows("figure-2")?.iter().map(point).collect();
        let x = Axis {
            label: "searches that share 500,000 nodes",
            scale: Scale::Log,
            ends: (1.0, 100.0),
        };
        let y = Axis {
            label: "points",
            scale: Scale::Linear,
            ends: (2300.0, 3000.0),
        };
        let ours = Series {
            name: String::new(),
            points,
            joined: true,
        };
        Ok(vec![("samegame-searches", draw(&x, &y, &[ours], false))])
    }

    /// Returns the measured cases of each claim.
    pub(crate) fn cases(&self) -> anyhow::Result<Vec<(&'static str, Vec<Case>)>> {
        let [two, three, four, six, seven, shared] = [
            "table-2", "table-3", "table-4", "table-6", "table-7", "figure-2",
        ]
        .map(|name| self.rows(name));
        let (two, three, four, six, seven, shared) = (two?, three?, four?, six?, seven?, shared?);
        let [of_1, of_2, of_searches, of_7] =
            ["table-1", "table-2", "figure-2", "table-7"].map(|name| self.boards(name));
        let (of_1, of_2, of_searches, of_7) = (of_1?, of_2?, of_searches?, of_7?);
        let one = |name: &str, of: Option<Estimate>| of.map(|of| (name.to_owned(), of));
        let alone = |of: Option<Estimate>| Vec::from_iter(one("", of));
        let [few, some, many, long] = [
            "nodes=100000",
            "nodes=1000000",
            "nodes=5000000",
            "nodes=10000000",
        ];
        let ahead = |budget: &str, first: &str| -> Vec<Case> {
            let others = SETTINGS.iter().filter(|other| **other != first);
            others
                .filter_map(|other| {
                    one(
                        &format!("less {}", setting(other)),
                        of_2.less((first, budget), (other, budget)),
                    )
                })
                .collect()
        };
        let relative = |table: &str, row: &EvalRow| {
            let paper = self.published(table, &row.algorithm, &row.budget)?;
            one(
                paper.label.as_str(),
                Some(mean(row).times(1.0 / paper.mean).less(1.0)),
            )
        };
        let doublings =
            |row: &EvalRow, depth: Option<f64>, paper: fn(&Published) -> Option<f64>| {
                let paper = paper(self.published("table-2", &row.algorithm, few)?)?;
                one(
                    setting(&row.algorithm),
                    depth.map(|depth| exactly((depth / paper).log2())),
                )
            };
        let trees = || two.iter().filter(|row| row.budget == few);
        let behind = |(other, paper): (&str, f64)| {
            let of = of_2.less((EXPLOITATION, many), (other, many))?;
            one(setting(other), Some(of.less(paper)))
        };
        let searches = |number: u32| match number {
            1 => EXPLOITATION.to_owned(),
            number => format!("sp-mcts:searches={number}"),
        };
        let at = "nodes=500000";
        let more = |a: u32, b: u32| of_searches.less((&searches(a), at), (&searches(b), at));
        let gained = |setting: &str| of_2.less((setting, some), (setting, few));
        let gains_more = |other: &&str| {
            one(
                setting(other),
                Some(gained(BALANCED)?.minus(gained(other)?)),
            )
        };
        let lead = |budget: &str| found(&three, PER_MOVE, budget).and_then(difference);
        let below = |algorithm: &str| found(&four, algorithm, "nodes=50000").and_then(difference);
        let above = |algorithm: &&str| {
            let of = below(algorithm)?;
            one(algorithm, Some(estimate(-of.value, -of.high, -of.low)))
        };
        // Schadd et al. give these rows of tables 3 and 6 by time.
        let times = |table: &str, rows: &[EvalRow], manual: &[&str]| -> Vec<Case> {
            let timed = rows.iter().filter(|row| !manual.contains(&&*row.algorithm));
            let named = timed.filter_map(|row| {
                let paper = self.published(table, &row.algorithm, &row.budget)?;
                one(
                    &format!("{}, `{}`", paper.label, row.algorithm),
                    difference(row),
                )
            });
            named.collect()
        };
        let forms: Vec<&EvalRow> = seven
            .iter()
            .filter(|row| {
                self.published("table-7", &row.algorithm, &row.budget)
                    .is_some()
            })
            .collect();
        let form = |index: usize| Some((&*forms.get(index)?.algorithm, &*forms.get(index)?.budget));
        let of_form_1 = form(0).map(|form| of_7.scores(form)).unwrap_or_default();
        let positions = positions()?;
        let paper = |name: &str| {
            positions
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, scores)| &scores[..])
        };
        let total = |row: &&EvalRow| {
            let published = self.published("table-7", &row.algorithm, &row.budget)?;
            let (theirs, ours) = (
                paper(&published.label)?,
                of_7.scores((&row.algorithm, &row.budget)),
            );
            let more = mean_difference(&ours, theirs)?;
            one(&published.label, Some(more.times(1.0 / published.mean)))
        };
        let beaten = of_form_1
            .iter()
            .zip(paper("DBS").unwrap_or(&[]))
            .filter(|(ours, dbs)| ours > dbs)
            .count() as f64;
        let uncleared = |row: &&EvalRow| {
            one(
                &row.algorithm,
                Some(exactly((row.boards - row.cleared) as f64)),
            )
        };
        let found_c =
            last(&self.tuned("game")?, "c").map(|row| exactly(row.mean - TABLE_5[0].1[0]));
        let only = |rows: &[EvalRow], algorithm: &str, budget: &str, table: &str| {
            Vec::from_iter(found(rows, algorithm, budget).and_then(|row| relative(table, row)))
        };
        Ok(vec![
            (
                "tabu",
                alone(
                    of_1.less((TABU_RANDOM, long), (RANDOM, long))
                        .map(|of| of.less(700.0)),
                ),
            ),
            (
                "colour",
                alone(
                    of_1.less((BALANCED, long), (TABU_RANDOM, long))
                        .map(|of| of.less(300.0)),
                ),
            ),
            ("exploitation", only(&two, EXPLOITATION, few, "table-2")),
            ("best-100k", ahead(few, EXPLOITATION)),
            ("best-1m", ahead(some, BALANCED)),
            ("best-5m", ahead(many, BALANCED)),
            (
                "gains",
                [EXPLOITATION, EXPLORATION]
                    .iter()
                    .filter_map(gains_more)
                    .collect(),
            ),
            (
                "longer",
                alone(of_2.less((EXPLORATION, some), (EXPLOITATION, few))),
            ),
            (
                "depths",
                trees()
                    .filter_map(|row| doublings(row, row.mean_depth, |paper| paper.depth))
                    .collect(),
            ),
            (
                "deepest",
                trees()
                    .filter_map(|row| doublings(row, row.mean_deepest, |paper| paper.deepest))
                    .collect(),
            ),
            (
                "behind",
                [(BALANCED, -202.0), (EXPLORATION, -95.0)]
                    .into_iter()
                    .filter_map(behind)
                    .collect(),
            ),
            (
                "t-by-hand",
                alone(
                    last(&self.tuned("game")?, "t")
                        .map(|row| exactly((row.mean / TABLE_5[2].1[0]).log2())),
                ),
            ),
            ("two", alone(more(2, 1))),
            (
                "ten",
                [1, 2, 5, 20, 50, 100]
                    .iter()
                    .filter_map(|&n| one(&format!("ten less {n}"), more(10, n)))
                    .collect(),
            ),
            ("ten-mean", only(&shared, &searches(10), at, "figure-2")),
            ("scopes", times("table-3", &three, &[EXPLOITATION])),
            (
                "lead-5s",
                alone(
                    lead("nodes=25000")
                        .zip(lead("nodes=300000"))
                        .map(|(a, b)| a.minus(b)),
                ),
            ),
            (
                "final-move",
                [MOST_PLAYOUTS, HIGHEST_MEAN]
                    .iter()
                    .filter_map(above)
                    .collect(),
            ),
            (
                "most-playouts",
                alone(
                    below(MOST_PLAYOUTS)
                        .zip(below(HIGHEST_MEAN))
                        .map(|(a, b)| a.minus(b)),
                ),
            ),
            ("explorative", alone(found_c)),
            ("tuned", times("table-6", &six, &[EXPLOITATION, PER_MOVE])),
            ("totals", forms.iter().filter_map(total).collect()),
            (
                "per-move",
                alone(form(1).zip(form(0)).and_then(|(a, b)| of_7.less(a, b))),
            ),
            (
                "beats-dbs",
                alone((!of_form_1.is_empty()).then(|| exactly(beaten - 11.0))),
            ),
            ("cleared", forms.iter().filter_map(uncleared).collect()),
        ])
    }
}

/// Returns the programs with their scores by position.
fn positions() -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    let mut reader = csv::Reader::from_reader(POSITIONS.as_bytes());
    let row = |row: csv::StringRecord| {
        let scores: Result<Vec<f64>, _> = row.iter().skip(2).map(str::parse).collect();
        Ok((row[0].to_owned(), scores?))
    };
    reader.records().map(|record| row(record?)).collect()
}

/// The scores of all algorithms on every board.
struct Boards(Vec<BoardRow>);

impl Boards {
    fn scores(&self, (algorithm, budget): (&str, &str)) -> Vec<f64> {
        let of = self
            .0
            .iter()
            .filter(|row| row.algorithm == algorithm && row.budget == budget);
        of.map(|row| f64::from(row.score)).collect()
    }

    /// Returns the mean difference of the first search minus the second on the boards that both have played.
    fn less(&self, first: (&str, &str), second: (&str, &str)) -> Option<Estimate> {
        mean_difference(&self.scores(first), &self.scores(second))
    }
}

/// Returns the mean pairwise difference of the first list minus the second.
fn mean_difference(first: &[f64], second: &[f64]) -> Option<Estimate> {
    let differences = first.iter().zip(second).map(|(a, b)| a - b);
    (first.len().min(second.len()) > 1).then(|| Estimate::mean(differences))
}

fn found<'a>(rows: &'a [EvalRow], algorithm: &str, budget: &str) -> Option<&'a EvalRow> {
    rows.iter()
        .find(|row| row.algorithm == algorithm && row.budget == budget)
}

fn mean(row: &EvalRow) -> Estimate {
    let (low, high) = row
        .low
        .zip(row.high)
        .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    estimate(row.mean, low, high)
}

/// Returns the mean difference between an algorithm and the first algorithm with the same budget, on the same boards.
fn difference(row: &EvalRow) -> Option<Estimate> {
    Some(estimate(
        row.difference?,
        row.difference_low?,
        row.difference_high?,
    ))
}

fn last<'a>(rows: &'a [DistributionRow], parameter: &str) -> Option<&'a DistributionRow> {
    rows.iter()
        .filter(|row| row.parameter == parameter)
        .max_by_key(|row| row.iteration)
}

/// Returns the name of a setting in table 2 of Schadd et al.
fn setting(algorithm: &str) -> &str {
    let names = SETTINGS
        .iter()
        .zip(["exploitation", "balanced", "exploration"]);
    names
        .into_iter()
        .find(|(known, _)| **known == algorithm)
        .map_or(algorithm, |(_, name)| name)
}

/// Formats `nodes=100000` as `100,000`.
fn nodes(budget: &str) -> String {
    let (unit, number) = budget.split_once('=').unwrap_or(("", budget));
    let number = number.parse().map_or(number.to_owned(), grouped);
    if unit == "nodes" {
        number
    } else {
        format!("{number} {unit}")
    }
}

/// Rounds the long options of an algorithm to two decimals, or below 0.01 to two significant digits.
fn rounded(algorithm: &str) -> String {
    let option = |text: &str| match text
        .split_once('=')
        .and_then(|(name, value)| Some((name, value.parse().ok()?)))
    {
        Some((name, value)) if text.len() > name.len() + 8 => format!("{name}={}", short(value)),
        _ => text.to_owned(),
    };
    algorithm
        .split(':')
        .map(option)
        .collect::<Vec<_>>()
        .join(":")
}

fn short(value: f64) -> String {
    if value.abs() < 0.01 {
        format!("{value:.1e}")
    } else {
        format!("{}", (value * 100.0).round() / 100.0)
    }
}
