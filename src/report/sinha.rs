//! The Minesweeper paper (Sinha et al.): table 4, figures 1 to 5 and the measured cases of its claims.

use mineflow_arena::Estimate;
use mineflow_arena::numbers::grouped;
use mineflow_tasks::eval::EvalRow;
use serde::Deserialize;

use crate::claim::Case;
use crate::data::{Data, base, json, players_of};
use crate::grid::{Grid, PERCENTS, Place};
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::strength::{speed_of, speeds};
use crate::table::{bare, estimate, exactly, percent, shown, table};

/// Win rates of the players 2.0 to 6.5 in table 4 of Sinha et al., in %.
const TABLE_4: [f64; 10] = [
    82.14, 77.34, 82.20, 82.20, 86.24, 86.22, 92.02, 89.21, 87.58, 91.41,
];
/// The win rate of the best earlier player in table 4 of Sinha et al. The player is by Buffet et al.
const OPTIMISTIC: f64 = 0.899;
const NAMES: [&str; 13] = [
    "1.0", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0", "5.5", "6.0", "6.5", "7.0", "agent",
];
const PLAIN: [&str; 6] = ["2.0", "2.5", "3.0", "3.5", "4.0", "4.5"];
const LEARNED: [&str; 4] = ["5.0", "5.5", "6.0", "6.5"];
const TIMED: [&str; 5] = ["1.0", "2.0", "2.5", "3.0", "3.5"];
const BOARD: &str = "9x9/10";
const EXPERT: &str = "30x16/99";
/// Our players with recipes that differ from those of Sinha et al. only by a first click in a corner.
const FROM_A_CORNER: &[(&str, &str)] = &[
    ("3.0", "corner-first+dss+components+min-p"),
    (
        "3.5",
        "corner-first+dss+dsscsp:solutions=100:depth=300+min-p",
    ),
    ("4.0", "corner-first+dss+components+edge:margin=0.05"),
    (
        "4.5",
        "corner-first+dss+dsscsp:solutions=100:depth=300+edge:margin=0.05",
    ),
];
/// Players 3.0 and 3.5 by a literal reading of section 4.2.2 of Sinha et al.: P is 0.5 off the boundary, and the candidates are
/// the boundary and three drawn cells.
const LITERAL: [(&str, &str); 2] = [
    (
        "literal 3.0",
        "dss+components:off-boundary=half+min-p:candidates=sampled",
    ),
    (
        "literal 3.5",
        "dss+dsscsp:solutions=100:depth=300:off-boundary=half+min-p:candidates=sampled",
    ),
];
/// The two-sided 95 % quantile of Student's t-distribution with four degrees of freedom. It applies to the mean of five training runs and,
/// as the worst case (Welch), to the difference of two such means.
const STUDENT: f64 = 2.776;

/// A row of `play/trainings.csv`. Its first two columns are the interpretation of Sinha et al. (`published` or `literal`) and the seed of
/// the training run; the remaining ones are those of `eval.csv`.
#[derive(Deserialize)]
struct TrainedRow {
    reading: String,
    player: String,
    corrected_win_ratio: f64,
}

/// The evaluations of the learned players, each of which was trained several times.
pub(crate) struct Trainings(Vec<TrainedRow>);

impl Trainings {
    pub(crate) fn of(data: &Data) -> anyhow::Result<Self> {
        data.table("play/trainings.csv").map(Self)
    }

    /// Returns the number, mean and standard deviation of the win rates, or `None` for fewer than two training runs.
    fn moments(&self, reading: &str, player: &str) -> Option<[f64; 3]> {
        let of = self
            .0
            .iter()
            .filter(|row| row.reading == reading && row.player == player);
        let ratios: Vec<f64> = of.map(|row| row.corrected_win_ratio).collect();
        let count = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / count;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        (ratios.len() > 1).then(|| [count, mean, (squares / (count - 1.0)).sqrt()])
    }

    fn mean(&self, player: &str) -> Option<Estimate> {
        let [count, mean, deviation] = self.moments("published", player)?;
        let half = STUDENT * deviation / count.sqrt();
        Some(estimate(mean, mean - half, mean + half))
    }

    fn lead(&self, first: &str, second: &str) -> Option<Estimate> {
        let [n, a, of_a] = self.moments("published", first)?;
        let [m, b, of_b] = self.moments("published", second)?;
        let half = STUDENT * (of_a * of_a / n + of_b * of_b / m).sqrt();
        Some(estimate(a - b, a - b - half, a - b + half))
    }

    /// Returns a table of win rates under both interpretations of Sinha et al., side by side.
    pub(crate) fn table(&self) -> String {
        let cell = |reading: &str, player: &str| match self.moments(reading, player) {
            Some([n, mean, deviation]) => format!(
                "{:.2} (deviation {:.2}, {n} training runs)",
                100.0 * mean,
                100.0 * deviation
            ),
            None => String::new(),
        };
        let row = |player: &str| {
            let readings = [cell("published", player), cell("literal", player)];
            format!(
                "{player} | {} | {}",
                bare(in_table_4(player), 2),
                readings.join(" | ")
            )
        };
        table(
            "player | paper, % | our reading, % | literal reading, %",
            LEARNED.map(row),
        )
    }
}

fn in_table_4(player: &str) -> Option<f64> {
    let names = NAMES[1..].iter();
    names
        .zip(TABLE_4)
        .find(|(name, _)| **name == base(player))
        .map(|(_, won)| won)
}

fn from_a_corner(data: &Data, player: &str) -> Option<Estimate> {
    let (_, recipe) = FROM_A_CORNER.iter().find(|(name, _)| *name == player)?;
    data.won(recipe, BOARD, "safe")
}

/// Returns table 4 of Sinha et al. with our measurements.
pub(crate) fn table_4(data: &Data) -> String {
    let row = |player: &str| {
        let row = data.best(player, BOARD, "safe")?;
        let paper = in_table_4(player);
        let less = paper.map_or(String::new(), |paper| {
            format!("{:+.2}", 100.0 * row.won().value - paper)
        });
        let (won, corner) = (
            percent(row.won()),
            shown(from_a_corner(data, player), percent),
        );
        let opening = shown(data.won(player, BOARD, "opening"), percent);
        Some(format!(
            "{player} | {} | {won} | {less} | {corner} | {opening} | {}",
            bare(paper, 2),
            grouped(row.games)
        ))
    };
    let names = data.games.iter().map(|row| &*row.player);
    let ours =
        "safe first click, % | less the paper | from a corner, % | opening, % | games (safe)";
    table(
        &format!("player | paper, % | {ours}"),
        players_of(names, &NAMES).into_iter().filter_map(row),
    )
}

/// Returns the table of the players of Sinha et al. on larger boards.
pub(crate) fn boards(data: &Data) -> String {
    let row = |(name, player): (String, &str)| {
        let games = data.best(player, EXPERT, "safe")?.games;
        let cells = [("16x16/40", "safe"), (EXPERT, "safe"), (EXPERT, "opening")];
        let cells = cells.map(|(board, rule)| shown(data.won(player, board, rule), percent));
        Some(format!(
            "{name} | {} | {}",
            cells.join(" | "),
            grouped(games)
        ))
    };
    let corners = FROM_A_CORNER
        .iter()
        .map(|(name, recipe)| (format!("{name} from a corner"), *recipe));
    let players = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), *name))
        .chain(corners);
    let header = "player | 16x16/40, safe, % | 30x16/99, safe, % | 30x16/99, opening, % | games (30x16, safe)";
    table(header, players.filter_map(row))
}

/// Returns the table of all games of a report on stages, except those of grids.
pub(crate) fn games(data: &Data) -> String {
    let row = |row: &EvalRow| {
        let (won, games) = (percent(row.won()), grouped(row.games));
        format!(
            "`{}` | {} | {} | {won} | {games}",
            row.player,
            row.board(),
            row.first_click
        )
    };
    table(
        "player | board | first click | won, % | games",
        data.games.iter().map(row),
    )
}

/// Returns the players that have played at least half as many places as the player with the most, and the places that all of them
/// have played.
fn shared<'a>(grid: &Grid<'a>, names: &[&'a str]) -> (Vec<&'a str>, Vec<Place>) {
    let played: Vec<(&str, usize)> = names
        .iter()
        .map(|&name| (name, grid.shared(&[name]).len()))
        .collect();
    let most = played.iter().map(|(_, places)| *places).max().unwrap_or(0);
    let players: Vec<_> = played
        .iter()
        .filter(|(_, places)| most > 0 && 2 * places >= most)
        .map(|(name, _)| *name)
        .collect();
    let places = if players.is_empty() {
        Vec::new()
    } else {
        grid.shared(&players)
    };
    (players, places)
}

/// Returns the series of means over groups of places; `at` gives the group of a place.
fn line<'a>(
    player: &'a str,
    places: &[Place],
    at: impl Fn(Place) -> f64,
    value: impl Fn(&'a str, &[Place]) -> Option<Estimate>,
) -> Series {
    let mut groups: Vec<f64> = places.iter().map(|place| at(*place)).collect();
    groups.sort_by(f64::total_cmp);
    groups.dedup();
    let point = |x: f64| {
        let here: Vec<Place> = places
            .iter()
            .copied()
            .filter(|place| at(*place) == x)
            .collect();
        Some(Point::new(x, value(player, &here)?))
    };
    Series {
        name: player.to_owned(),
        points: groups.into_iter().filter_map(point).collect(),
        joined: true,
    }
}

fn ratio_of_mines(at: Place) -> f64 {
    at.percent as f64 / 100.0
}

fn ratio_of_sides(at: Place) -> f64 {
    (10.0 * at.height as f64 / at.width as f64).round() / 10.0
}

/// Returns the midpoint of a place's group. A group spans thirty consecutive numbers of cells.
fn cells(at: Place) -> f64 {
    (at.width * at.height / 30 * 30 + 15) as f64
}

/// Draws figures 1 and 2 of Sinha et al. (mine ratio), 3 (ratio of the sides), 4 (number of cells) and 5 (CPU time).
pub(crate) fn figures(data: &Data) -> Vec<(&'static str, String)> {
    let grid = Grid::new(&data.grid, "safe");
    let axis = |label, scale, ends| Axis { label, scale, ends };
    let mines = axis("mines, % of cells", Scale::Percent, (0.05, 0.25));
    let mut figures = Vec::new();
    // Players 1.0 and 2.0 are left out, because they play as 3.0 does.
    let (players, places) = shared(&grid, &grid.players(&NAMES[2..]));
    let won = |at: fn(Place) -> f64| -> Vec<Series> {
        players
            .iter()
            .map(|player| line(player, &places, at, |player, here| grid.won(player, here)))
            .collect()
    };
    if !places.is_empty() {
        let won_axis = |low, high| axis("games won, %", Scale::Percent, (low, high));
        let sides = axis("height / width", Scale::Linear, (0.5, 1.0));
        let size = axis("cells", Scale::Linear, (0.0, 240.0));
        figures.push((
            "figure-2",
            draw(&mines, &won_axis(0.0, 1.0), &won(ratio_of_mines), false),
        ));
        figures.push((
            "figure-3",
            draw(&sides, &won_axis(0.5, 0.9), &won(ratio_of_sides), false),
        ));
        figures.push((
            "figure-4",
            draw(&size, &won_axis(0.5, 0.9), &won(cells), false),
        ));
    }
    let (players, places) = shared(&grid, &grid.players(&TIMED));
    let seconds = |player, here: &[Place]| grid.seconds(player, here).map(exactly);
    let times: Vec<_> = players
        .iter()
        .map(|player| line(player, &places, ratio_of_mines, seconds))
        .collect();
    if times.iter().any(|series| !series.points.is_empty()) {
        let time = axis("CPU seconds per game", Scale::Log, (1e-6, 10.0));
        figures.push(("figure-5", draw(&mines, &time, &times, false)));
    }
    figures
}

/// Returns the measured cases of each claim.
pub(crate) fn cases(data: &Data) -> anyhow::Result<Vec<(&'static str, Vec<Case>)>> {
    let trainings = Trainings::of(data)?;
    let grid = Grid::new(&data.grid, "safe");
    let (players, _) = shared(&grid, &NAMES[..11]);
    let won = |player: &str| data.won(player, BOARD, "safe");
    let one = |name: String, of: Option<Estimate>| of.map(|of| (name, of));
    let alone = |of: Option<Estimate>| Vec::from_iter(one(String::new(), of));
    let less = |a: Option<Estimate>, b: Option<Estimate>| Some(a?.minus(b?));
    let off = |name: &&str, of: Option<Estimate>| {
        one(
            (*name).to_owned(),
            of.zip(in_table_4(name))
                .map(|(of, paper)| of.less(paper / 100.0)),
        )
    };
    let corner = |player| from_a_corner(data, player);
    // Compares every player of the first list with each player of the second, at the places that `of` selects.
    let leads =
        |first: &[&'static str], second: &[&'static str], of: fn(Place) -> bool| -> Vec<Case> {
            let pairs = first
                .iter()
                .flat_map(|a| second.iter().map(move |b| (*a, *b)));
            let others = pairs.filter(|(a, b)| a != b);
            others
                .filter_map(|(a, b)| one(format!("{a} less {b}"), grid.lead(a, b, of)))
                .collect()
        };
    let all: fn(Place) -> bool = |_| true;
    let changes = |at: fn(Place) -> f64, text: &str| -> Vec<Case> {
        let of = |player| {
            let places = grid.shared(&[player]);
            let mean = grid.won(player, &places).map_or(0.0, |all| all.value);
            let points = line(player, &places, at, |player, here| grid.won(player, here)).points;
            let case =
                |point: &Point| (format!("{player}, {text} {}", point.x), point.y.less(mean));
            points.iter().map(case).collect::<Vec<_>>()
        };
        players.iter().copied().flat_map(of).collect()
    };
    let mut densest = Vec::new();
    for (rule, grid) in [("safe", &grid), ("any", &Grid::new(&data.grid, "any"))] {
        let named = NAMES[..11].iter().map(|name| (*name, *name));
        for (name, player) in named.chain(LITERAL) {
            let mut places = grid.shared(&[player]);
            places.retain(|at| at.percent == *PERCENTS.end());
            let won = grid.won(player, &places);
            densest.extend(one(format!("{name}, {rule} first click"), won));
        }
    }
    let speeds = speeds(data)?;
    let seconds = |player: &&str| {
        let of = speed_of(&speeds, player, "safe").map(|speed| 1.0 / speed);
        one((*player).to_owned(), of.map(exactly))
    };
    let times = |of: &'static str, others: &[&'static str]| -> Vec<Case> {
        others
            .iter()
            .filter_map(|other| one(format!("{other} / {of}"), grid.times(of, other)))
            .collect()
    };
    let q_learning = ["6.0", "6.5"]
        .iter()
        .flat_map(|a| ["5.0", "5.5"].map(|b| (*a, b)));
    let doublings = grid
        .times("3.5", "2.5")
        .map(|of| estimate(of.value.log2(), of.low.log2(), of.high.log2()));
    let best = PLAIN
        .iter()
        .map(|other| (other, less(trainings.mean("5.0"), won(other))));
    let best = best.chain(
        LEARNED[1..]
            .iter()
            .map(|other| (other, trainings.lead("5.0", other))),
    );
    let followers = [
        leads(&["5.0", "6.5"], &["5.5", "6.0"], all),
        leads(&["5.5", "6.0"], &PLAIN, all),
    ];
    let others = ["2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.5", "6.0"];
    Ok(vec![
        (
            "table-4",
            PLAIN
                .iter()
                .filter_map(|name| off(name, won(name)))
                .collect(),
        ),
        (
            "table-4-learned",
            LEARNED
                .iter()
                .filter_map(|name| off(name, trainings.mean(name)))
                .collect(),
        ),
        ("same", alone(less(won("3.0"), won("2.0")))),
        ("edge", alone(less(won("4.0"), won("3.0")))),
        ("edge-corner", alone(less(corner("4.0"), corner("3.0")))),
        (
            "best",
            best.filter_map(|(name, of)| one(format!("5.0 less {name}"), of))
                .collect(),
        ),
        (
            "optimistic",
            alone(trainings.mean("5.0").map(|of| of.less(OPTIMISTIC))),
        ),
        (
            "deep-q",
            q_learning
                .filter_map(|(a, b)| one(format!("{a} less {b}"), trainings.lead(a, b)))
                .collect(),
        ),
        ("fast", LEARNED.iter().filter_map(seconds).collect()),
        ("worst", leads(&["2.0"], &["2.5", "3.0", "3.5"], all)),
        ("much-better", leads(&["3.0"], &["2.0", "2.5", "3.5"], all)),
        ("close-2.5", leads(&["2.5"], &["2.0"], all)),
        ("close-3.5", leads(&["3.5"], &["3.0"], all)),
        ("accuracy-3.5", leads(&["3.5"], &["2.5"], all)),
        ("edge-grid", leads(&["4.0"], &["3.0"], all)),
        ("visibly", leads(&["5.0", "6.5"], &others, all)),
        ("follow", followers.concat()),
        // Mine ratios above 19 % (Sinha et al., section 5.3).
        (
            "dense",
            leads(&LEARNED, &["4.0", "4.5"], |at| at.percent > 19),
        ),
        ("end", densest),
        ("sides", changes(ratio_of_sides, "height / width")),
        ("cells", changes(cells, "cells around")),
        ("slower", alone(grid.times("3.0", "2.0"))),
        ("faster-2.5", times("2.5", &["2.0", "3.0"])),
        ("faster-3.5", times("3.5", &["2.0", "3.0"])),
        ("time-3.5", alone(doublings)),
        ("r-squared", alone(r_squared(data)?)),
    ])
}

/// Returns R² of the regression minus that of Sinha et al., with the interval of its asymptotic variance.
fn r_squared(data: &Data) -> anyhow::Result<Option<Estimate>> {
    #[derive(Deserialize)]
    struct Alpha {
        boards: f64,
        r_squared: f64,
    }
    let runs = data.runs("alpha");
    let Some((_, folder)) = runs.first() else {
        return Ok(None);
    };
    let Alpha { boards, r_squared } = json(&folder.join("alpha.json"))?;
    let half = 1.96 * (4.0 * r_squared / boards).sqrt() * (1.0 - r_squared);
    Ok(Some(
        estimate(r_squared, r_squared - half, r_squared + half).less(0.27),
    ))
}
