//! The Minesweeper paper (Sinha et al.): table 4 and figures 2 to 5.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

use mineflow_arena::{Estimate, PairedMean, Table, TableOf, numbers::grouped};
use mineflow_tasks::eval::EvalRow;
use serde::Deserialize;

use crate::{
    data::{Data, base},
    grid::{Played, grid, group},
    table::{bare, percent, shown, table},
};
use mineflow_tasks::plot::{Axis, Figure, Point, Scale, Series, draw};

const NAMES: [&str; 13] = [
    "1.0", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0", "5.5", "6.0", "6.5", "7.0", "agent",
];
const LEARNED: [&str; 4] = ["5.0", "5.5", "6.0", "6.5"];
const TIMED: [&str; 5] = ["1.0", "2.0", "2.5", "3.0", "3.5"];
const BOARD: &str = "9x9/10";
const EXPERT: &str = "30x16/99";

/// Returns the win rates in table 4 of Sinha et al. by player, in %.
fn paper(data: &Data) -> Result<BTreeMap<String, f64>> {
    let rows: Vec<(String, f64)> = data.table("papers/sinha-table-4.csv")?;
    Ok(rows
        .into_iter()
        .map(|(player, won)| (player, 100.0 * won))
        .collect())
}

/// Returns a table of the win rates of players that were trained several times, under both
/// interpretations of Sinha et al.
pub(crate) fn trainings(data: &Data) -> Result<String> {
    /// A row of `play/trainings.csv`: a row of `eval.csv` with the interpretation, `published` or
    /// `literal`, and the seed of the training run.
    #[derive(Deserialize)]
    struct Trained {
        reading: String,
        player: String,
        corrected_win_ratio: f64,
    }
    let rows: Vec<Trained> = data.table("play/trainings.csv")?;
    let paper = paper(data)?;
    let cell = |reading: &str, player: &str| {
        let of = rows
            .iter()
            .filter(|row| row.reading == reading && row.player == player);
        let of = PairedMean::of(of.map(|row| 100.0 * row.corrected_win_ratio));
        let deviation = of.error * (of.games as f64).sqrt();
        match of.games {
            ..2 => String::new(),
            runs => format!(
                "{:.2} (deviation {deviation:.2}, {runs} training runs)",
                of.mean
            ),
        }
    };
    let header = "player | paper, % | our reading, % | literal reading, %";
    Ok(table(
        header,
        LEARNED.map(|player| {
            let won = bare(paper.get(player).copied(), 2);
            let [ours, literal] = ["published", "literal"].map(|reading| cell(reading, player));
            format!("{player} | {won} | {ours} | {literal}")
        }),
    ))
}

/// Draws the win rates on the board of table 4 of Sinha et al. by player, next to theirs.
pub(crate) fn against(data: &Data) -> Result<Option<String>> {
    let rows = measured(data);
    let point = |(name, row): &(&str, &EvalRow)| {
        let base = base(name);
        let run = name[base.len()..].trim_matches([' ', '(', ')']);
        Some(Point::new(base.parse().ok()?, row.won()).labelled(run))
    };
    let paper = paper(data)?.into_iter().filter_map(|(player, won)| {
        let won = Estimate::exactly(won / 100.0);
        Some(Point::new(player.parse().ok()?, won).labelled(""))
    });
    let series = [
        Series::new("measured here", rows.iter().filter_map(point)),
        Series::new("Sinha et al.", paper),
    ];
    let x = Axis::fitted("player", Scale::Linear);
    let y = Axis::fitted("games won, %", Scale::Percent);
    Ok(draw(&x, &y, &series, false).filter(|_| !rows.is_empty()))
}

/// Returns the players that have played the board of table 4 with their rows. In a report on
/// stages, a player may have several names.
fn measured(data: &Data) -> Vec<(&str, &EvalRow)> {
    let names: BTreeSet<&str> = data.games.iter().map(|row| &*row.player).collect();
    NAMES
        .into_iter()
        .flat_map(|player| names.iter().filter(move |name| base(name) == player))
        .filter_map(|name| Some((*name, data.best(name, BOARD, "safe")?)))
        .collect()
}

/// Returns table 4 of Sinha et al. with our measurements.
pub(crate) fn table_4(data: &Data) -> Result<Table> {
    let paper = paper(data)?;
    let recipes = data.names()?;
    let rows = measured(data);
    let in_paper = |name: &str| paper.get(base(name)).copied();
    let won = |player: &str, rule| shown(data.won(player, BOARD, rule), percent);
    let table = TableOf::new(&rows)
        .left("player", |(name, _)| name)
        .right("paper, %", |(name, _)| bare(in_paper(name), 2))
        .right("safe first click, %", |(_, row)| percent(row.won()))
        .right("less the paper", |(name, row)| {
            in_paper(name).map_or(String::new(), |paper| {
                format!("{:+.2}", 100.0 * row.won().value - paper)
            })
        })
        .right("games (safe)", |(_, row)| grouped(row.games));
    // A run rarely has the games of the other columns.
    if data.file("").is_err() {
        return Ok(table.into());
    }
    Ok(table
        .right("from a corner, %", |(name, _)| {
            let recipe = recipes.get(&format!("{name} from a corner"));
            recipe.map_or(String::new(), |recipe| won(&recipe[0], "safe"))
        })
        .right("opening, %", |(name, _)| won(name, "opening"))
        .into())
}

/// Returns the table of the players of Sinha et al. on larger boards.
pub(crate) fn boards(data: &Data) -> Result<String> {
    let recipes = data.names()?;
    let corners = ["3.0", "3.5", "4.0", "4.5"].map(|name| format!("{name} from a corner"));
    Ok(table(
        "player | 16x16/40, safe, % | 30x16/99, safe, % | 30x16/99, opening, % | games (30x16, safe)",
        NAMES
            .into_iter()
            .chain(corners.iter().map(String::as_str))
            .filter_map(|name| {
                let player = recipes.get(name).map_or(name, |recipe| &recipe[0]);
                let won = |board, rule| shown(data.won(player, board, rule), percent);
                Some(format!(
                    "{name} | {} | {} | {} | {}",
                    won("16x16/40", "safe"),
                    won(EXPERT, "safe"),
                    won(EXPERT, "opening"),
                    grouped(data.best(player, EXPERT, "safe")?.games)
                ))
            }),
    ))
}

/// Returns the table of all games of a report on stages, except those of grids.
pub(crate) fn games(data: &Data) -> String {
    let rows = data.games.iter().map(|row| {
        format!(
            "`{}` | {} | {} | {} | {}",
            row.player,
            row.board(),
            row.first_click,
            percent(row.won()),
            grouped(row.games)
        )
    });
    table("player | board | first click | won, % | games", rows)
}

/// Returns the rows of those of these players that have played at least half as many places as the
/// player with the most, at the places that all of them have played.
fn shared<'a>(grid: &[Played<'a>], players: &[&str]) -> Vec<Played<'a>> {
    let mut played = Vec::new();
    for player in players {
        let of = grid.iter().filter(|played| base(played.player) == *player);
        played.extend(of.cloned());
    }
    let most = played.iter().map(Played::len).max().unwrap_or(0);
    played.retain(|played| 2 * played.len() >= most);
    played
        .iter()
        .map(|one| {
            played
                .iter()
                .fold(one.clone(), |one, other| one.shared(other))
        })
        .collect()
}

/// Draws the means of players over groups of places.
fn chart(
    players: &[Played<'_>],
    by: &str,
    mean: impl Fn(&Played<'_>) -> Option<Estimate>,
    x: &Axis,
    y: &Axis,
) -> Option<String> {
    let of = group(by).expect("the grid has the column");
    draw(
        x,
        y,
        &players
            .iter()
            .map(|played| {
                let groups = played.groups(of).into_iter();
                let point = |(x, here)| Some(Point::new(x, mean(&here)?));
                Series::new(played.player, groups.filter_map(point))
            })
            .collect::<Vec<_>>(),
        false,
    )
}

/// Draws figure 2 of Sinha et al. (mine ratio; figure 1 is a part of it), 3 (ratio of the sides), 4
/// (number of cells) and 5 (CPU time).
pub(crate) fn figures(data: &Data) -> Vec<Figure> {
    let mut grid = grid(&data.grid);
    grid.retain(|played| played.first_click == "safe");
    let mines = Axis::new("mines, % of cells", Scale::Percent, 0.05, 0.25);
    let sides = Axis::new("height / width", Scale::Linear, 0.5, 1.0);
    let cells = Axis::new("cells", Scale::Linear, 0.0, 240.0);
    let seconds = Axis::new("CPU seconds per game", Scale::Log, 1e-6, 10.0);
    // Players 1.0 and 2.0 are left out of the win rates, because they play as 3.0 does.
    let [played, timed] = [&NAMES[2..], &TIMED].map(|players| shared(&grid, players));
    let won = |by, x, low, high| {
        let y = Axis::new("games won, %", Scale::Percent, low, high);
        chart(&played, by, |played| played.won(), &x, &y)
    };
    vec![
        ("figure-2", won("mine_ratio", mines, 0.0, 1.0)),
        ("figure-3", won("sides", sides, 0.5, 0.9)),
        ("figure-4", won("cells", cells, 0.5, 0.9)),
        (
            "figure-5",
            chart(
                &timed,
                "mine_ratio",
                |played| played.seconds().map(Estimate::exactly),
                &mines,
                &seconds,
            ),
        ),
    ]
}
