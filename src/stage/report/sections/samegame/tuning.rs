//! Tables 5 and 6: the Cross-Entropy Method.

use super::parts::{
    BudgetOnBoards, Origin, at, better, budget_words, budgets, is_per_move, mean, origin, place, points_axis,
};
use super::search::paper_at;
use crate::papers::sp_mcts::PARAMETERS;
use crate::read::SamegameResult;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Joining, Marker, Point};
use mineflow_document::numbers::{gain, score};
use mineflow_document::{Estimate, Figure, PageTable, Section};
use mineflow_stage_games::samegame::tune::DistributionRow;

/// The stages of table 5.
pub(super) const STAGES: [&str; 2] = ["table-5-game", "table-5-move"];

/// A stage of table 5 with its rows.
type Run<'a> = (&'a str, Vec<DistributionRow>);

/// A stage in words.
fn name((stage, _): &Run<'_>) -> &'static str {
    if *stage == STAGES[0] { "per game" } else { "per move" }
}

/// Table 5.
pub(super) fn tuning(section: &mut Section, runs: &[Run<'_>]) {
    let here: Vec<_> = runs.iter().map(|run| format!("{}, here", name(run))).collect();
    let paper = ["parameter", "manual", "per game, paper", "per move, paper"];
    let mut shown = PageTable::new(paper.into_iter().chain(here.iter().map(String::as_str)));
    for (key, values) in PARAMETERS {
        let mut line = vec![key.to_owned()];
        line.extend(values.map(|value| value.to_string()));
        line.extend(runs.iter().map(|(_, rows)| found(rows, key)));
        shown.rows.push(line);
    }
    section.table(shown);
    section.figure(Figure::new(
        "samegame-tuning",
        chart(runs),
        "Mean points of all samples of an iteration, and of its best one. Every iteration has new boards. Behind each found value \
         above stands the deviation that was left.",
    ));
}

/// The last mean of a parameter with its deviation.
fn found(rows: &[DistributionRow], key: &str) -> String {
    let last = rows.iter().filter(|row| row.parameter == key).max_by_key(|row| row.iteration);
    let digits = if key == "epsilon" { 5 } else { 2 };
    last.map_or(String::new(), |row| format!("{:.digits$} ± {:.digits$}", row.mean, row.deviation))
}

fn chart(runs: &[Run<'_>]) -> Chart {
    type FitnessLine = (&'static str, fn(u8, Marker) -> Appearance, fn(&DistributionRow) -> Option<f64>);
    let kinds: [FitnessLine; 2] = [
        ("all samples", Appearance::solid, |row| row.mean_fitness),
        ("the best", Appearance::dashed, |row| row.best_fitness),
    ];
    let mut series = Vec::new();
    for (run, (tone, marker)) in runs.iter().zip([(2, Marker::Circle), (4, Marker::Square)]) {
        for (kind, appearance, value) in kinds {
            // Every parameter of an iteration has the same.
            let of_one = run.1.iter().filter(|row| row.parameter == run.1[0].parameter);
            let points = of_one.filter_map(|row| Some(Point::new(row.iteration as f64, value(row)?)));
            series.push(DataSeries::new(
                format!("{}, {kind}", name(run)),
                appearance(tone, marker),
                Joining::Line,
                points,
            ));
        }
    }
    let points = || series.iter().flat_map(|series| &series.points);
    let last = points().map(|point| point.x).fold(2.0, f64::max);
    let x = Axis::linear("iteration", 1.0, last, 0);
    let y = if points().next().is_none() {
        points_axis("points", [0.0].into_iter())
    } else {
        points_axis("points", points().map(|point| point.y))
    };
    Chart::new("Points of the samples by iteration of the Cross-Entropy Method", x, y, series)
}

/// The results of a budget for one search a game, or for one a move.
struct TunedResults<'a> {
    budget: &'a BudgetOnBoards,
    per_move: bool,
    manual: &'a SamegameResult,
    /// With the paper's tuned settings.
    paper: Option<&'a SamegameResult>,
    /// With those tuned here.
    here: Option<&'a SamegameResult>,
}

impl TunedResults<'_> {
    /// What the settings that were tuned here gain on the manual ones.
    fn gain(&self) -> Option<Estimate> {
        Some(self.here?.minus(self.manual))
    }

    /// The paper's points: with manual settings, and with tuned ones.
    fn published(&self, tuned: usize) -> String {
        paper_at(self.manual).map_or(String::new(), |(_, of)| score(of[2 * usize::from(self.per_move) + tuned]))
    }
}

/// Table 6.
pub(super) fn tuned(section: &mut Section, results: Vec<SamegameResult>) {
    section.say("Random boards of another seed than those of the other tables.");
    let budgets = budgets(&results);
    let both = budgets.iter().flat_map(|budget| [(budget, false), (budget, true)]);
    let rows = both.filter_map(|(budget, per_move)| {
        let of = |wanted: Origin| {
            at(&results, budget).find(|result| is_per_move(result) == per_move && origin(result) == wanted)
        };
        let (manual, paper, here) = (of(Origin::Manual)?, of(Origin::Paper), of(Origin::Here));
        Some(TunedResults { budget, per_move, manual, paper, here })
    });
    let rows: Vec<_> = rows.collect();
    section.table(
        PageTable::of(&rows)
            .left("nodes, boards", |row| place(row.budget))
            .right("search", |row| if row.per_move { "per move" } else { "per game" }.to_owned())
            .right("manual", |row| mean(row.manual))
            .right("paper's", |row| row.published(0))
            .right("paper's tuned settings", |row| row.paper.map_or(String::new(), mean))
            .right("paper's", |row| row.published(1))
            .right("tuned here", |row| row.here.map_or(String::new(), mean))
            .right("more than manual", |row| row.gain().map_or(String::new(), gain)),
    );
    let claims = [(false, "Per game, tuned settings are better at every budget."), (true, "Per move too.")];
    section.findings(claims.iter().filter_map(|&(per_move, claim)| {
        let of_scope = rows.iter().filter(|row| row.per_move == per_move);
        let gains: Vec<_> = of_scope.filter_map(|row| Some((budget_words(&row.budget.0), row.gain()?))).collect();
        better(claim, &gains)
    }));
}
