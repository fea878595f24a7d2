//! Alpha of equation 9: what it is worth, and how well equation 10 tells it.

use std::collections::BTreeMap;

use crate::document::chart::{Axis, Chart, Guide, Join, Look, Marker, Point, Series, Stroke};
use crate::document::numbers::grouped;
use crate::document::{Block, Figure, Finding, Section, Verdict};
use crate::stage::report::papers::minesweeper::ALPHA_R_SQUARED;
use crate::stage::report::read::{AlphaSearch, Sweep, Target};

/// R^2 no further apart than this is called the same.
const SAME: f64 = 0.05;

/// The sweep and the regression.
pub(crate) fn alpha(search: Option<&AlphaSearch>) -> Section {
    let mut section = Section::new("alpha", "Alpha of players 6.0 and 6.5");
    let Some(search) = search else {
        section.blocks.push(Block::Missing("Missing: the record of the search for alpha.".to_owned()));
        return section;
    };
    let AlphaSearch { fit, sweep, targets } = search;
    let [width, height, ratio, constant] = fit.theta;
    section.say(format!(
        "{} games on {} boards; of each board the alpha with most wins is a target (those that share it: their mean). The regression gives \
         `alpha = {width:.4} p + {height:.4} q + {ratio:.3} ratio + {constant:.3}`, p being the longer side, q the shorter one.",
        grouped(fit.games),
        fit.boards
    ));
    section.blocks.push(Figure {
        id: "alpha-sweep".to_owned(),
        chart: sweep_chart(sweep),
        caption: "What alpha is worth: points won more than with alpha = 1, which is P alone, as means over boards of about the same mine ratio."
            .to_owned(),
        findings: Vec::new(),
    }.block());
    section.blocks.push(Figure {
        id: "alpha-fit".to_owned(),
        chart: fit_chart(targets),
        caption: "The best alpha of every board against what the regression gives for it; on the dotted line the two are equal.".to_owned(),
        findings: vec![finding(search)],
    }.block());
    section
}

fn sweep_chart(sweep: &[Sweep]) -> Chart {
    // By mine ratio in twentieths, then by alpha; alpha is not negative, so its bits are ordered like it.
    let mut groups: BTreeMap<u32, BTreeMap<u64, (f64, f64, f64)>> = BTreeMap::new();
    for row in sweep {
        let group = (row.mine_ratio * 20.0).round().clamp(1.0, 5.0) as u32;
        let (_, sum, boards) =
            groups.entry(group).or_default().entry(row.alpha.to_bits()).or_insert((row.alpha, 0.0, 0.0));
        *sum += f64::from(row.wins) / f64::from(row.games);
        *boards += 1.0;
    }
    let markers = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Inverted, Marker::Bar];
    let series = groups.iter().enumerate().filter_map(|(index, (group, alphas))| {
        let means: Vec<_> = alphas.values().map(|&(alpha, sum, boards)| (alpha, sum / boards)).collect();
        let &(_, of_p_alone) = means.last()?;
        Some(Series {
            name: format!("{} % mines", group * 5),
            look: Look { tone: 1 + (index % 6) as u8, stroke: Stroke::Solid, marker: markers[index % markers.len()] },
            join: Join::Line,
            points: means.iter().map(|&(alpha, mean)| Point { x: alpha, y: mean - of_p_alone, error: None }).collect(),
        })
    });
    let series: Vec<_> = series.collect();
    let values = || series.iter().flat_map(|series| &series.points).map(|point| point.y);
    let step = |value: f64, round: fn(f64) -> f64| round(value * 50.0) / 50.0;
    let low = step(values().fold(0.0, f64::min), f64::floor);
    let high = step(values().fold(0.02, f64::max), f64::ceil);
    Chart {
        title: "Points gained on alpha = 1 against alpha".to_owned(),
        x: Axis::linear("alpha", 0.0, 1.0, 1),
        y: Axis::percent("points more than P alone", low, high),
        series,
        guides: vec![Guide::Level(0.0)],
    }
}

fn fit_chart(targets: &[Target]) -> Chart {
    let points = targets.iter().map(|target| Point { x: target.fitted, y: target.alpha, error: None }).collect();
    let look = Look { tone: 2, stroke: Stroke::Solid, marker: Marker::Circle };
    Chart {
        title: "Best alpha of every board against the regression".to_owned(),
        x: Axis::linear("alpha of the regression", 0.0, 1.0, 1),
        y: Axis::linear("best alpha", 0.0, 1.0, 1),
        series: vec![Series { name: String::new(), look, join: Join::Cloud, points }],
        guides: vec![Guide::Diagonal],
    }
}

fn finding(AlphaSearch { fit, sweep, targets }: &AlphaSearch) -> Finding {
    let games = sweep.first().map_or(0, |row| row.games);
    let mut sharing: Vec<_> = targets.iter().map(|target| target.sharing).collect();
    sharing.sort_unstable();
    let shared = sharing.iter().filter(|&&sharing| sharing > 1).count();
    let middle = sharing.get(sharing.len() / 2).copied().unwrap_or(0);
    let fitted = match fit.r_squared {
        Some(r_squared) => format!("R^2 is {r_squared:.3}."),
        None => "All targets are the same, so there is no R^2.".to_owned(),
    };
    let read = fit.other_readings.as_ref();
    let first =
        read.and_then(|read| read.first_of_ties).map(|share| format!(" With the first of them R^2 is {share:.3}"));
    let drawn = read.and_then(|read| read.one_height).map(|[mean, low, high]| {
        format!(", and {mean:.2} ({low:.2} - {high:.2}) with one height drawn for each longer side and ratio")
    });
    let others = first.map(|first| first + &drawn.unwrap_or_default() + ".").unwrap_or_default();
    let noise = if 2 * shared > targets.len() { ": where alphas win alike, the best of them is noise" } else { "" };
    Finding {
        paper: format!("The regression has R^2 {ALPHA_R_SQUARED} (section 5.2.2)."),
        here: format!(
            "{fitted} With {games} games a value, several alphas share the most wins on {shared} of {} boards, {middle} of them on the board in \
             the middle{noise}.{others}",
            targets.len()
        ),
        verdict: match fit.r_squared {
            Some(r_squared) if (r_squared - ALPHA_R_SQUARED).abs() <= SAME => Verdict::Agrees,
            _ => Verdict::Differs,
        },
    }
}
