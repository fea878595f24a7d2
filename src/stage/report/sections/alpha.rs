//! Alpha of equation 9: what it is worth, and how well equation 10 predicts it.

use std::collections::BTreeMap;

use crate::papers::minesweeper::ALPHA_R_SQUARED;
use crate::read::AlphaRun;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point, gain_ends};
use mineflow_document::numbers::grouped;
use mineflow_document::{Figure, Finding, PaperVerdict, Section};
use mineflow_stage::training_records::{SweepRow, TargetRow};

/// R^2 no further apart than this is called the same.
const SAME: f64 = 0.05;

/// The sweep and the regression.
pub(crate) fn alpha(search: Option<&AlphaRun>) -> Section {
    let mut section = Section::new("alpha", "Alpha of players 6.0 and 6.5");
    let Some(search) = search else {
        section.miss("Missing: the record of the search for alpha.");
        return section;
    };
    let AlphaRun { fit, sweep, targets } = search;
    let [width, height, ratio, constant] = fit.theta;
    section.say(format!(
        "{} games on {} boards; of each board the alpha with most wins is a target (those that share it: their mean). The regression gives \
         `alpha = {width:.4} p + {height:.4} q + {ratio:.3} ratio + {constant:.3}`, p being the longer side, q the shorter one.",
        grouped(fit.games),
        grouped(fit.boards as u64)
    ));
    section.figure(Figure::new(
        "alpha-sweep",
        sweep_chart(sweep),
        "What alpha is worth: points won more than with alpha = 1, which is P alone, as means over boards of about the same mine ratio.",
    ));
    let caption =
        "The best alpha of every board against what the regression gives for it; on the dotted line the two are equal.";
    section.figure(Figure::new("alpha-fit", fit_chart(targets), caption).with([finding(search)]));
    section
}

fn sweep_chart(sweep: &[SweepRow]) -> Chart {
    // By mine ratio in twentieths, then by alpha; alpha is not negative, so its bits are ordered like it.
    let mut groups: BTreeMap<u32, BTreeMap<u64, (f64, f64, f64)>> = BTreeMap::new();
    for row in sweep {
        let group = (row.mine_ratio * 20.0).round().clamp(1.0, 5.0) as u32;
        let (_, sum, boards) =
            groups.entry(group).or_default().entry(row.alpha.to_bits()).or_insert((row.alpha, 0.0, 0.0));
        *sum += row.wins as f64 / row.games as f64;
        *boards += 1.0;
    }
    let series = groups.iter().enumerate().filter_map(|(index, (group, alphas))| {
        let means: Vec<_> = alphas.values().map(|&(alpha, sum, boards)| (alpha, sum / boards)).collect();
        let &(_, of_p_alone) = means.last()?;
        let appearance = Appearance::solid(1 + (index % 6) as u8, Marker::nth(index));
        let points = means.iter().map(|&(alpha, mean)| Point::new(alpha, mean - of_p_alone));
        Some(DataSeries::new(format!("{} % mines", group * 5), appearance, Joining::Line, points))
    });
    let series: Vec<_> = series.collect();
    let (low, high) = gain_ends(series.iter().flat_map(|series| &series.points).map(|point| point.y));
    let y = Axis::percent("points more than P alone", low, high);
    Chart::new("Points gained on alpha = 1 against alpha", Axis::linear("alpha", 0.0, 1.0, 1), y, series)
        .with(Guide::Level(0.0))
}

fn fit_chart(targets: &[TargetRow]) -> Chart {
    let points = targets.iter().map(|target| Point::new(target.fitted, target.alpha));
    Chart::new(
        "Best alpha of every board against the regression",
        Axis::linear("alpha of the regression", 0.0, 1.0, 1),
        Axis::linear("best alpha", 0.0, 1.0, 1),
        vec![DataSeries::new("", Appearance::solid(2, Marker::Circle), Joining::Cloud, points)],
    )
    .with(Guide::Diagonal)
}

fn finding(AlphaRun { fit, sweep, targets }: &AlphaRun) -> Finding {
    let games = sweep.first().map_or(0, |row| row.games);
    let mut sharing: Vec<_> = targets.iter().map(|target| target.sharing).collect();
    sharing.sort_unstable();
    let shared = sharing.iter().filter(|&&sharing| sharing > 1).count();
    let middle = sharing.get(sharing.len() / 2).copied().unwrap_or(0);
    let fitted = match fit.r_squared {
        Some(r_squared) => format!("R^2 is {r_squared:.3}."),
        None => "All targets are the same, so there is no R^2.".to_owned(),
    };
    let read = fit.other_readings;
    let first = read.first_of_ties.map(|share| format!(" With the first of them R^2 is {share:.3}"));
    let drawn = read.one_height.map(|[mean, low, high]| {
        format!(", and {mean:.2} ({low:.2} - {high:.2}) with one height drawn for each longer side and ratio")
    });
    let others = first.map(|first| first + &drawn.unwrap_or_default() + ".").unwrap_or_default();
    let noise = if 2 * shared > targets.len() { ": where alphas win alike, the best of them is noise" } else { "" };
    Finding::new(
        format!("The regression has R^2 {ALPHA_R_SQUARED} (section 5.2.2)."),
        format!(
            "{fitted} With {games} games a value, several alphas share the most wins on {shared} of {} boards, {middle} of them on the board in \
             the middle{noise}.{others}",
            targets.len()
        ),
        PaperVerdict::when(fit.r_squared.is_some_and(|r_squared| (r_squared - ALPHA_R_SQUARED).abs() <= SAME)),
    )
    .apart(fit.r_squared.map_or(0.0, |r_squared| 100.0 * (r_squared - ALPHA_R_SQUARED).abs()))
}
