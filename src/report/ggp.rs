//! Games given as rule sheets: the tables of Koriche et al. (MAC-UCB) and the measured cases of their claims.

use mineflow_arena::Estimate;
use mineflow_arena::numbers::grouped;
use serde::Deserialize;

use crate::claim::Case;
use crate::data::{Data, embedded};
use crate::table::{bare, estimate, shown, table};

/// The figures of Koriche et al. for each game: tables 2, 3 and 4.
const PAPER: &str = include_str!("ggp.csv");

/// The figures of one game in tables 2, 3 and 4 of Koriche et al. Scores are in %; table 4 has scores with 1 s and with
/// 60 s.
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
    embedded(PAPER)
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
}

/// Returns the algorithm in a player's recipe, without options.
fn algorithm(player: &str) -> &str {
    player.split([':', ';']).next().unwrap_or(player)
}

fn score(of: Estimate) -> String {
    format!("{:.1} ({:.1} to {:.1})", of.value, of.low, of.high)
}

/// Returns table 2 of Koriche et al. next to our results: the size of the constraint network of a stage of each game.
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
        Some(format!(
            "{} | {}",
            row.game,
            cells.map(|pair| pair.map(grouped).join(" | ")).join(" | ")
        ))
    };
    let header = "game | variables | paper | largest domain | paper | constraints | paper";
    Ok(table(header, published()?.iter().filter_map(row)))
}

/// Returns our matches for tables 3 and 4 and for figures 5 and 6 of Koriche et al., with the corresponding results of
/// Koriche et al.
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
            .map(|player| player.replace(":lanes=64:leaves=4", ""))
            .join(", ");
        let counts = format!(
            "{} | {at} | {}, {}, {}",
            players.trim_end_matches(", "),
            row.wins,
            row.draws,
            row.losses
        );
        let scores = format!(
            "{} | {} | {paper}",
            score(row.score()),
            shown(decided, score)
        );
        format!(
            "{} | {counts} | {scores} | {}{theirs}",
            row.game,
            grouped(row.samples_per_move as u64)
        )
    };
    let is_shown = |row: &&Match| name != "figure5" || row.to == 10 || row.to == 100;
    let scores =
        "won, drawn, lost | score, % | of decided matches, % | paper, % | playouts per move";
    Ok(table(
        &format!("game | players | a move | {scores}"),
        rows.iter().filter(is_shown).map(row),
    ))
}

/// Returns the measured cases of each claim under the conditions of Koriche et al.
pub(crate) fn cases(data: &Data) -> anyhow::Result<Vec<(&'static str, Vec<Case>)>> {
    #[derive(Deserialize)]
    struct Ceiling {
        plays: String,
        goal: f64,
    }
    let matches: [Vec<Match>; 2] = [data.table("ggp/table3.csv")?, data.table("ggp/times.csv")?];
    let ceilings: Vec<Ceiling> = data.table("ggp/ceilings.csv")?;
    let best = ceilings
        .iter()
        .filter(|row| row.plays == "best")
        .map(|row| row.goal)
        .fold(0.0, f64::max);
    let alone: Vec<&Match> = matches[0]
        .iter()
        .filter(|row| row.game == "orchard" && row.budget == "50ms")
        .collect();
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
    let long = matches[1]
        .iter()
        .find(|row| row.game == "kaseklau" && row.budget == "30s");
    let one = |of: Option<Estimate>| Vec::from_iter(of.map(|of| (String::new(), of)));
    Ok(vec![
        ("kaseklau", one(long.map(|row| row.score().less(50.0)))),
        ("orchard", orchard(70.0)),
        ("optimal", orchard(best)),
        (
            "alike",
            one(of("mac-ucb").zip(of("uct")).map(|(a, b)| a.minus(b))),
        ),
    ])
}
