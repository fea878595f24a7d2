//! Rule sheets: the tables of the MAC-UCB paper (Koriche et al.) and the cases of its claims.

use mineflow_arena::Estimate;
use mineflow_arena::numbers::grouped;
use serde::Deserialize;

use crate::claim::Case;
use crate::data::Data;
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::table::{bare, estimate, table};

/// What the paper has of each game: tables 2, 3 and 4.
const PAPER: &str = include_str!("ggp.csv");
/// Games in which the paper plays many matches in a row, and those of figure 6.
const IN_A_ROW: [&str; 5] = [
    "kaseklau",
    "yahtzee",
    "cant-stop",
    "pickomino",
    "backgammon",
];
const SHARES: [&str; 5] = ["kaseklau", "hex", "othello", "yahtzee", "pickomino"];
const DRAWN: [&str; 8] = [
    "kaseklau",
    "hex",
    "othello",
    "checkers",
    "yahtzee",
    "cant-stop",
    "awale",
    "chess",
];

/// A game of the paper; scores in %, those of table 4 with 1 and with 60 s.
#[derive(Deserialize)]
struct Published {
    game: String,
    variables: u64,
    largest_domain: u64,
    constraints: u64,
    mac_ucb_uct: f64,
    mac_ucb_fc_ucb: f64,
    fc_ucb_uct: f64,
    one_second: f64,
    sixty_seconds: f64,
}

fn published() -> anyhow::Result<Vec<Published>> {
    Ok(csv::Reader::from_reader(PAPER.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()?)
}

/// A row of `standings.csv` of `pipeline ggp match`; scores in %.
#[derive(Deserialize)]
struct Match {
    game: String,
    player: String,
    opponent: String,
    budget: String,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    low: f64,
    high: f64,
    samples_per_move: f64,
    opponent_samples_per_move: Option<f64>,
    #[serde(default)]
    solving_share: f64,
    #[serde(default)]
    to: u32,
}

impl Match {
    fn score(&self) -> Estimate {
        estimate(self.score, self.low, self.high)
    }

    fn is(&self, player: &str, opponent: &str) -> bool {
        algorithm(&self.player) == player && algorithm(&self.opponent) == opponent
    }
}

/// The algorithm of a player without its options.
fn algorithm(player: &str) -> &str {
    player.split([':', ';']).next().unwrap_or(player)
}

fn shown(of: Estimate) -> String {
    format!("{:.1} ({:.1} to {:.1})", of.value, of.low, of.high)
}

/// Table 2: the constraint network of a stage.
pub(crate) fn networks(data: &Data) -> anyhow::Result<String> {
    #[derive(Deserialize)]
    struct Network {
        game: String,
        network: String,
        preprocessed: bool,
        variables: u64,
        largest_domain: u64,
        constraints: u64,
    }
    let rows: Vec<Network> = data.table("ggp/networks.csv")?;
    let row = |paper: &Published| {
        let is =
            |row: &&Network| row.game == paper.game && row.network == "stage" && row.preprocessed;
        let row = rows.iter().find(is)?;
        let domains = [row.largest_domain, paper.largest_domain];
        let cells = [
            [row.variables, paper.variables],
            domains,
            [row.constraints, paper.constraints],
        ];
        Some(
            [
                vec![row.game.clone()],
                cells.concat().into_iter().map(grouped).collect(),
            ]
            .concat(),
        )
    };
    let rows: Vec<_> = published()?.iter().filter_map(row).collect();
    Ok(table(
        &[
            "game",
            "variables",
            "paper",
            "largest domain",
            "paper",
            "constraints",
            "paper",
        ],
        &rows,
    ))
}

/// Tables 3 and 4, figures 5 and 6: matches, with the paper's figure of that table.
pub(crate) fn matches(data: &Data, name: &str) -> anyhow::Result<String> {
    let rows: Vec<Match> = data.table(&format!("ggp/{name}.csv"))?;
    let papers = published()?;
    let row = |row: &Match| {
        let paper = papers.iter().find(|paper| paper.game == row.game);
        let of_pair = |paper: &Published| match algorithm(&row.opponent) {
            "fc-ucb" => paper.mac_ucb_fc_ucb,
            _ if algorithm(&row.player) == "fc-ucb" => paper.fc_ucb_uct,
            _ => paper.mac_ucb_uct,
        };
        let paper = match name {
            "table3" => bare(paper.map(of_pair), 1),
            "times" => paper.map_or(String::new(), |of| {
                format!("{:.1} to {:.1}", of.one_second, of.sixty_seconds)
            }),
            _ => String::new(),
        };
        let at = match name {
            "figure5" => format!("{}, matches to {}", row.budget, row.to),
            "figure6" => format!("{}, {:.0} %", row.budget, 100.0 * row.solving_share),
            _ => row.budget.clone(),
        };
        let decided = Estimate::of_wins(row.wins, row.wins + row.losses).times(100.0);
        let decided = (row.wins + row.losses > 0 && !row.opponent.is_empty()).then_some(decided);
        let theirs = row
            .opponent_samples_per_move
            .map_or(String::new(), |of| format!("; {}", grouped(of as u64)));
        let players = [&row.player, &row.opponent]
            .map(|player| algorithm(player))
            .join(", ");
        vec![
            row.game.clone(),
            players.trim_end_matches(", ").to_owned(),
            at,
            format!("{}, {}, {}", row.wins, row.draws, row.losses),
            shown(row.score()),
            decided.map_or(String::new(), shown),
            paper,
            format!("{}{theirs}", grouped(row.samples_per_move as u64)),
        ]
    };
    let is_shown = |row: &&Match| name != "figure5" || row.to == 10 || row.to == 100;
    let rows: Vec<_> = rows.iter().filter(is_shown).map(row).collect();
    let scores = [
        "won, drawn, lost",
        "score, %",
        "of decided matches, %",
        "paper, %",
        "playouts per move",
    ];
    Ok(table(
        &[&["game", "players", "a move"], &scores[..]].concat(),
        &rows,
    ))
}

/// MAC-UCB's score by the time a move.
pub(crate) fn figures(data: &Data) -> anyhow::Result<Vec<(&'static str, String)>> {
    let rows: Vec<Match> = data.table("ggp/times.csv")?;
    let point = |row: &Match| {
        let time = row
            .budget
            .strip_suffix("ms")
            .and_then(|time| time.parse().ok())?;
        Some(Point::new(time, row.score().times(0.01)))
    };
    let of = |game: &str| {
        let against_uct = rows
            .iter()
            .filter(|row| row.game == game && row.is("mac-ucb", "uct"));
        let mut points: Vec<Point> = against_uct.filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series {
            name: game.to_owned(),
            points,
            joined: true,
        }
    };
    let x = Axis {
        label: "ms per move",
        scale: Scale::Log,
        ends: (5.0, 1000.0),
    };
    let y = Axis {
        label: "score of MAC-UCB against UCT, %",
        scale: Scale::Percent,
        ends: (0.0, 0.8),
    };
    Ok(vec![(
        "ggp-chart",
        draw(&x, &y, &DRAWN.map(of), Some(0.5), false),
    )])
}

/// What was measured of each claim.
pub(crate) fn cases(data: &Data) -> anyhow::Result<Vec<(&'static str, Vec<Case>)>> {
    #[derive(Deserialize)]
    struct Ceiling {
        plays: String,
        goal: f64,
    }
    let [three, times, five, six]: [Result<Vec<Match>, _>; 4] =
        ["table3", "times", "figure5", "figure6"]
            .map(|name| data.table(&format!("ggp/{name}.csv")));
    let (three, times, five, six) = (three?, times?, five?, six?);
    let ceilings: Vec<Ceiling> = data.table("ggp/ceilings.csv")?;
    let best = ceilings
        .iter()
        .filter(|row| row.plays == "best")
        .map(|row| row.goal)
        .fold(0.0, f64::max);
    let ahead = |player: &str, other: &str| -> Vec<Case> {
        let equal = |row: &Match| {
            if row.game == "chinese-checkers" {
                100.0 / 3.0
            } else {
                50.0
            }
        };
        let rows = three.iter().filter(|row| row.is(player, other));
        rows.map(|row| (row.game.clone(), row.score().less(equal(row))))
            .collect()
    };
    let mut short = ahead("mac-ucb", "uct");
    short.retain(|(game, _)| ["awale", "chess", "chinese-checkers"].contains(&&**game));
    let alone: Vec<&Match> = three.iter().filter(|row| row.game == "orchard").collect();
    let orchard = |less: f64| -> Vec<Case> {
        alone
            .iter()
            .map(|row| (algorithm(&row.player).to_owned(), row.score().less(less)))
            .collect()
    };
    let of = |player: &str| {
        alone
            .iter()
            .find(|row| algorithm(&row.player) == player)
            .map(|row| row.score())
    };
    let at = |game: &str, budget: &str| {
        let is =
            |row: &&Match| row.game == game && row.budget == budget && row.is("mac-ucb", "uct");
        times.iter().find(is).map(Match::score)
    };
    let growth = |of: &Published| {
        Some((
            of.game.clone(),
            at(&of.game, "50ms")?.minus(at(&of.game, "5ms")?),
        ))
    };
    let learnt = |game: &&str| {
        let tenth = |to: u32| {
            five.iter()
                .find(|row| row.game == **game && row.to == to)
                .map(Match::score)
        };
        Some(((*game).to_owned(), tenth(100)?.minus(tenth(10)?)))
    };
    let share = |game: &str, share: f64| {
        six.iter()
            .find(|row| row.game == game && row.solving_share == share)
            .map(Match::score)
    };
    let other_share = |game: &&str, other: f64| {
        let less = share(game, 0.9)?.minus(share(game, other)?);
        Some((format!("{game}, {:.0} %", 100.0 * other), less))
    };
    let shares = SHARES
        .iter()
        .flat_map(|game| [0.0, 0.25, 0.5, 0.75, 1.0].map(|other| other_share(game, other)));
    let one = |of: Option<Estimate>| Vec::from_iter(of.map(|of| (String::new(), of)));
    Ok(vec![
        ("outperforms", ahead("mac-ucb", "uct")),
        (
            "kaseklau",
            one(at("kaseklau", "30s").map(|of| of.less(50.0))),
        ),
        ("dominates", ahead("mac-ucb", "fc-ucb")),
        ("majority", ahead("fc-ucb", "uct")),
        ("short", short),
        ("orchard", orchard(70.0)),
        ("optimal", orchard(best)),
        (
            "alike",
            one(of("mac-ucb").zip(of("uct")).map(|(a, b)| a.minus(b))),
        ),
        ("grows", published()?.iter().filter_map(growth).collect()),
        ("stochastic", IN_A_ROW.iter().filter_map(learnt).collect()),
        ("deterministic", Vec::from_iter(learnt(&"awale"))),
        ("share", shares.flatten().collect()),
    ])
}
