//! Rule sheets: the experiments of the MAC-UCB paper on the games that were played here.

use std::collections::BTreeSet;
use std::path::Path;

use crate::document::Estimate;
use crate::document::chart::{Axis, Chart, ErrorBar, Guide, Join, Look, Marker, Point, Series, Stroke};
use crate::document::numbers::{counted, grouped, list, percent, with_interval};
use crate::document::{Align, Block, Figure, Finding, Section, Table, Verdict};
use crate::stage::report::ReportError;
use crate::stage::report::papers::mac_ucb::{BEST_SHARES, ORCHARD, table_2, table_3, table_4};
use crate::stage::report::read::{EqualityRow, NetworkRow, SeriesRow, equality, networks, series};

/// The pairs of table 3, in its order.
const PAIRS: [(&str, &str); 3] = [("mac-ucb", "uct"), ("mac-ucb", "fc-ucb"), ("fc-ucb", "uct")];
/// The score of equals.
const EVEN: f64 = 0.5;

/// The section, from the tables of a folder.
pub(crate) fn rule_sheets(folder: &Path) -> Result<Section, ReportError> {
    let mut section = Section::new("rule-sheets", "Rule sheets: MAC-UCB, FC-UCB and UCT");
    section.say(
        "Games written as rule sheets, each run by a propositional network and by stochastic constraint networks (Koriche, Lagrue, Piette, Tabary: \
         General Game Playing with Stochastic CSP). The paper gives 30 seconds a move on its own machine, with its own sheets. Here a move gets what the \
         tables say, far less; play-outs a move tell how far the two can be compared.",
    );
    match equality(&folder.join("equality.csv"))? {
        Some(rows) => engines(&mut section, &rows),
        None => missing(&mut section, "equality.csv", "pipeline ggp check FILE --play-outs 10000"),
    }
    match networks(&folder.join("networks.csv"))? {
        Some(rows) => networks_table(&mut section, &rows),
        None => missing(&mut section, "networks.csv", "pipeline ggp check FILE --scsp"),
    }
    let command = "pipeline ggp table --out DIR";
    match series(&folder.join("table3.csv"))? {
        Some(rows) => pairs(&mut section, &rows),
        None => missing(&mut section, "table3.csv", command),
    }
    match series(&folder.join("table3-play-outs.csv"))? {
        Some(rows) => equal_play_outs(&mut section, &rows),
        None => missing(
            &mut section,
            "table3-play-outs.csv",
            "pipeline ggp table --experiments table3 --games GAME=Nit --out DIR",
        ),
    }
    match series(&folder.join("table4.csv"))? {
        Some(rows) => budgets(&mut section, &rows),
        None => missing(&mut section, "table4.csv", command),
    }
    match series(&folder.join("figure6.csv"))? {
        Some(rows) => shares(&mut section, &rows),
        None => missing(&mut section, "figure6.csv", command),
    }
    Ok(section)
}

fn missing(section: &mut Section, file: &str, command: &str) {
    section.blocks.push(Block::Missing(format!("Missing: `ggp/{file}`. `{command}` makes it.")));
}

fn engines(section: &mut Section, rows: &[EqualityRow]) {
    let differ: Vec<_> = rows.iter().filter(|row| row.difference.is_some()).map(|row| row.game.as_str()).collect();
    let (play_outs, states) = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.play_outs, sum.1 + row.states));
    section.blocks.push(Block::Heading("Do the engines agree?".to_owned()));
    section.say(format!(
        "Terminal, goals, legal actions and the next state in every state of random play-outs, {} with {} states in all: {}.",
        grouped(play_outs),
        grouped(states),
        if differ.is_empty() { "no difference".to_owned() } else { format!("differences in {}", list(&differ)) },
    ));
    let mut table = Table::new(&[
        ("game", Align::Left),
        ("the network and", Align::Left),
        ("play-outs", Align::Right),
        ("states", Align::Right),
        ("CPU s", Align::Right),
        ("they agree", Align::Left),
    ]);
    for row in rows {
        table.rows.push(vec![
            row.game.clone(),
            row.engines.clone(),
            grouped(row.play_outs),
            grouped(row.states),
            format!("{:.0}", row.cpu_seconds),
            row.difference.clone().unwrap_or_else(|| "yes".to_owned()),
        ]);
    }
    section.blocks.push(Block::Table(table));
}

fn networks_table(section: &mut Section, rows: &[NetworkRow]) {
    section.blocks.push(Block::Heading("Table 2: the games as constraint networks".to_owned()));
    section.say(
        "The network of a stage, preprocessed. Ours are of Boolean and small variables and of many small tables, the paper's of few variables with large \
         domains.",
    );
    let mut table = Table::new(&[
        ("game", Align::Left),
        ("variables", Align::Right),
        ("largest domain", Align::Right),
        ("constraints", Align::Right),
        ("tuples", Align::Right),
        ("CPU s", Align::Right),
        ("paper: variables", Align::Right),
        ("largest domain", Align::Right),
        ("constraints", Align::Right),
        ("s", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.preprocessed && row.network == "stage") {
        let mut cells = vec![row.game.clone()];
        cells.extend([row.variables, row.largest_domain, row.constraints, row.tuples].map(grouped));
        cells.push(format!("{:.1}", row.cpu_seconds));
        match table_2(&row.game) {
            Some(paper) => cells.extend(paper.map(|figure| grouped(figure.into()))),
            None => cells.extend(["-"; 4].map(str::to_owned)),
        }
        table.rows.push(cells);
    }
    section.blocks.push(Block::Table(table));
}

/// Series of matches beside the paper's table 3.
fn match_table(rows: &[SeriesRow]) -> Table {
    let mut table = Table::new(&[
        ("game", Align::Left),
        ("players", Align::Left),
        ("a move", Align::Right),
        ("matches", Align::Right),
        ("won, drawn, lost", Align::Right),
        ("score, %", Align::Right),
        ("paper, %", Align::Right),
        ("play-outs a move", Align::Right),
    ]);
    for row in rows {
        let paper = table_3(&row.game).and_then(|paper| match &*row.opponent {
            "" if row.player == "uct" => None,
            "" => Some(if row.player == "mac-ucb" { paper[0] } else { paper[2] }),
            _ => PAIRS.iter().position(|&pair| pair == (&row.player, &row.opponent)).map(|at| paper[at]),
        });
        table.rows.push(vec![
            row.game.clone(),
            players(row),
            row.budget.clone(),
            grouped(row.matches.into()),
            format!("{}, {}, {}", row.wins, row.draws, row.losses),
            with_interval(row.estimate()),
            paper.map_or_else(|| "-".to_owned(), |paper| format!("{paper:.1}")),
            play_outs(row),
        ]);
    }
    table
}

/// Table 3.
fn pairs(section: &mut Section, rows: &[SeriesRow]) {
    section.blocks.push(Block::Heading("Table 3: who beats whom".to_owned()));
    let opposed: Vec<&SeriesRow> = rows.iter().filter(|row| !row.opponent.is_empty()).collect();
    let games = games_of(&opposed);
    if !games.is_empty() {
        let series = PAIRS.iter().zip(0..).map(|(&(player, opponent), tone)| {
            let of_pair = opposed.iter().filter(|row| (&*row.player, &*row.opponent) == (player, opponent));
            let point = |row: &&SeriesRow| {
                let at = games.iter().position(|game| *game == row.game).unwrap_or(0);
                let Estimate { value, low, high } = row.estimate();
                // Beside each other, not on top of each other.
                let y = at as f64 + 0.2 * (f64::from(tone) - 1.0);
                Point { x: value, y, error: Some(ErrorBar::X(low, high)) }
            };
            let points = of_pair.map(point).collect();
            Series { name: format!("{player} against {opponent}"), look: look(tone), join: Join::Apart, points }
        });
        let chart = Chart {
            title: "Scores of the three pairs of algorithms by game".to_owned(),
            x: Axis::percent("score of the first, %", 0.0, 1.0),
            y: Axis::names("", games.iter().map(|game| (*game).to_owned())),
            series: series.collect(),
            guides: Vec::new(),
        };
        let caption =
            format!("Wins and half of the draws of the first of each pair, with 95 % intervals. {}", samples(&opposed));
        let findings = PAIRS.iter().filter_map(|&pair| pair_finding(&opposed, pair)).chain(orchard(rows)).collect();
        section.blocks.push(Figure { id: "ggp-pairs".to_owned(), chart, caption, findings }.block());
    }
    section.blocks.push(Block::Table(match_table(rows)));
    section.say(
        "Cooperative games have one algorithm in all roles; their score is the share of matches in which all get everything. With time budgets, play-outs \
         a move show what solving costs: what an algorithm spends on solving, it can't sample.",
    );
}

/// The pairs of table 3 where solving takes no play-outs away.
fn equal_play_outs(section: &mut Section, rows: &[SeriesRow]) {
    section.blocks.push(Block::Heading("The same pairs with the same play-outs".to_owned()));
    section.say(
        "A move gets so many play-outs, whatever time that takes. Who is ahead here and behind by time pays too much for solving; who is behind here too \
         does less with each play-out.",
    );
    section.blocks.push(Block::Table(match_table(rows)));
}

/// When MAC-UCB and FC-UCB go on to the next stage.
fn samples(rows: &[&SeriesRow]) -> String {
    let counts: BTreeSet<usize> = rows.iter().map(|row| row.samples_a_stage).collect();
    let counts: Vec<String> = counts.into_iter().map(|count| counted(count, "sample")).collect();
    format!("A stage is left after {}.", list(&counts))
}

fn players(row: &SeriesRow) -> String {
    if row.opponent.is_empty() { format!("{} alone", row.player) } else { format!("{}, {}", row.player, row.opponent) }
}

fn play_outs(row: &SeriesRow) -> String {
    match row.opponent_samples_a_move {
        Some(other) => format!("{:.0}, {other:.0}", row.samples_a_move),
        None => format!("{:.0}", row.samples_a_move),
    }
}

/// What the paper says of a pair in general, beside the games played here.
fn pair_finding(rows: &[&SeriesRow], pair: (&str, &str)) -> Option<Finding> {
    let of_pair: Vec<&&SeriesRow> = rows.iter().filter(|row| (&*row.player, &*row.opponent) == pair).collect();
    let names = |keep: &dyn Fn(Estimate) -> bool| -> Vec<&str> {
        of_pair.iter().filter(|row| keep(row.estimate())).map(|row| row.game.as_str()).collect()
    };
    let (above, below) = (names(&|of| of.low > EVEN), names(&|of| of.high < EVEN));
    let open = names(&|of| of.contains(EVEN));
    if of_pair.is_empty() {
        return None;
    }
    let (paper, as_there) = match pair {
        ("mac-ucb", "uct") => ("MAC-UCB outperforms UCT in all games.", (above.len(), below.len())),
        ("mac-ucb", _) => ("MAC-UCB dominates FC-UCB.", (above.len(), below.len())),
        _ => ("UCT beats FC-UCB in the majority of games, says the text; table 3 has FC-UCB ahead in 10 of 14.", {
            (below.len(), above.len())
        }),
    };
    let verdict = match as_there {
        (agree, 0) if agree == of_pair.len() => Verdict::Agrees,
        (0, differ) if differ > 0 => Verdict::Differs,
        _ => Verdict::Partly,
    };
    let (player, opponent) = pair;
    let here = format!(
        "{player} is ahead of {opponent} in {}, behind in {}; no difference is shown in {}.",
        list(&above),
        list(&below),
        list(&open)
    );
    Some(Finding { paper: paper.to_owned(), here, verdict })
}

fn orchard(rows: &[SeriesRow]) -> Option<Finding> {
    let found: Vec<&SeriesRow> = rows.iter().filter(|row| row.game == "orchard" && row.opponent.is_empty()).collect();
    let inside = found.iter().filter(|row| row.estimate().contains(ORCHARD)).count();
    let shown: Vec<String> =
        found.iter().map(|row| format!("{} {}", row.player, with_interval(row.estimate()))).collect();
    let verdict = match inside {
        0 => Verdict::Differs,
        all if all == found.len() => Verdict::Agrees,
        _ => Verdict::Partly,
    };
    (!found.is_empty()).then(|| Finding {
        paper: format!("Orchard is won in about {} % by everyone, which is the optimum.", percent(ORCHARD)),
        here: format!("{} %.", list(&shown)),
        verdict,
    })
}

/// Table 4.
fn budgets(section: &mut Section, rows: &[SeriesRow]) {
    section.blocks.push(Block::Heading("Table 4: MAC-UCB against UCT by the time a move".to_owned()));
    let opposed: Vec<&SeriesRow> = rows.iter().filter(|row| !row.opponent.is_empty()).collect();
    let games = games_of(&opposed);
    let mut compared = Vec::new();
    for game in &games {
        let of_game: Vec<&&SeriesRow> = opposed.iter().filter(|row| row.game == *game).collect();
        let by_amount = |a: &&&&SeriesRow, b: &&&&SeriesRow| a.amount().total_cmp(&b.amount());
        if let (Some(least), Some(most)) = (of_game.iter().min_by(by_amount), of_game.iter().max_by(by_amount))
            && least.amount() < most.amount()
        {
            compared.push((*game, most.estimate().minus(least.estimate())));
        }
    }
    let names = |keep: &dyn Fn(&Estimate) -> bool| -> Vec<&str> {
        compared.iter().filter(|(_, gain)| keep(gain)).map(|(game, _)| *game).collect()
    };
    let (grows, shrinks) = (names(&|gain| gain.is_above_zero()), names(&|gain| gain.is_below_zero()));
    let neither = names(&|gain| gain.contains(0.0));
    let verdict = match (grows.len(), shrinks.len()) {
        (all, 0) if all == compared.len() => Verdict::Agrees,
        (0, some) if some > 0 => Verdict::Differs,
        _ => Verdict::Partly,
    };
    let finding = Finding {
        paper: "MAC-UCB's lead on UCT grows with the time a move.".to_owned(),
        here: format!(
            "From the least to the most time it grows in {}, shrinks in {}; no change is shown in {}.",
            list(&grows),
            list(&shrinks),
            list(&neither)
        ),
        verdict,
    };
    if !compared.is_empty() {
        let amounts = opposed.iter().map(|row| row.amount());
        let chart = Chart {
            title: "Score of MAC-UCB against UCT by budget".to_owned(),
            x: Axis::log("a move, ms or play-outs", amounts, |amount| format!("{amount}")),
            y: Axis::percent("score of MAC-UCB, %", 0.0, 1.0),
            series: lines(&opposed, SeriesRow::amount),
            guides: vec![Guide::Level(EVEN)],
        };
        let caption = "Wins and half of the draws, with 95 % intervals.".to_owned();
        section.blocks.push(Figure { id: "ggp-budgets".to_owned(), chart, caption, findings: vec![finding] }.block());
    }
    let mut table = Table::new(&[
        ("game", Align::Left),
        ("a move", Align::Right),
        ("matches", Align::Right),
        ("won, drawn, lost", Align::Right),
        ("score, %", Align::Right),
        ("play-outs a move", Align::Right),
        ("paper: 1 s to 60 s, %", Align::Right),
    ]);
    for row in rows {
        let paper =
            table_4(&row.game).map_or_else(|| "-".to_owned(), |[least, most]| format!("{least:.1} to {most:.1}"));
        table.rows.push(vec![
            row.game.clone(),
            row.budget.clone(),
            grouped(row.matches.into()),
            format!("{}, {}, {}", row.wins, row.draws, row.losses),
            with_interval(row.estimate()),
            play_outs(row),
            paper,
        ]);
    }
    section.blocks.push(Block::Table(table));
}

/// Figure 6.
fn shares(section: &mut Section, rows: &[SeriesRow]) {
    section.blocks.push(Block::Heading("Figure 6: the share of solving".to_owned()));
    let opposed: Vec<&SeriesRow> = rows.iter().filter(|row| !row.opponent.is_empty()).collect();
    if opposed.is_empty() {
        section.blocks.push(Block::Missing("Nothing to show yet: the table has no series of two players.".to_owned()));
        return;
    }
    let chart = Chart {
        title: "Score of MAC-UCB against UCT by the share of its time that solving may take".to_owned(),
        x: Axis::percent("share of solving, %", 0.0, 1.0),
        y: Axis::percent("score of MAC-UCB, %", 0.0, 1.0),
        series: lines(&opposed, |row| row.solving_share),
        guides: vec![Guide::Level(EVEN)],
    };
    let (mut inside, mut best_of, mut shown) = (0, Vec::new(), 0);
    let games = games_of(&opposed);
    for game in &games {
        let of_game = opposed.iter().filter(|row| row.game == *game);
        let best = of_game.clone().max_by(|a, b| a.estimate().value.total_cmp(&b.estimate().value));
        let Some(best) = best else { continue };
        inside += usize::from(BEST_SHARES.contains(&best.solving_share));
        let worst = of_game.min_by(|a, b| a.estimate().value.total_cmp(&b.estimate().value));
        shown += usize::from(worst.is_some_and(|worst| best.estimate().minus(worst.estimate()).is_above_zero()));
        best_of.push(format!("{:.0} % in {game}", 100.0 * best.solving_share));
    }
    let verdict = match inside {
        0 => Verdict::Differs,
        all if all == games.len() => Verdict::Agrees,
        _ => Verdict::Partly,
    };
    let finding = Finding {
        paper: "The best share of solving lies between 86 and 94 %.".to_owned(),
        here: format!(
            "The best of the shares tried is {}; best and worst differ beyond their intervals in {} of {}.",
            list(&best_of),
            shown,
            counted(games.len(), "game")
        ),
        verdict,
    };
    let caption = format!(
        "Wins and half of the draws, with 95 % intervals. At 0 the root alone is solved. {}",
        samples(&opposed)
    );
    section.blocks.push(Figure { id: "ggp-shares".to_owned(), chart, caption, findings: vec![finding] }.block());
}

/// A line a game.
fn lines(rows: &[&SeriesRow], x: impl Fn(&SeriesRow) -> f64) -> Vec<Series> {
    let line = |(game, tone): (&str, u8)| {
        let point = |row: &&SeriesRow| {
            let Estimate { value, low, high } = row.estimate();
            Point { x: x(row), y: value, error: Some(ErrorBar::Y(low, high)) }
        };
        let mut points: Vec<Point> = rows.iter().filter(|row| row.game == game).map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: game.to_owned(), look: look(tone), join: Join::Line, points }
    };
    games_of(rows).into_iter().zip((0..8).cycle()).map(line).collect()
}

/// The games, in the order of the rows.
fn games_of<'a>(rows: &[&'a SeriesRow]) -> Vec<&'a str> {
    let mut games: Vec<&str> = Vec::new();
    for row in rows {
        if !games.contains(&row.game.as_str()) {
            games.push(&row.game);
        }
    }
    games
}

fn look(tone: u8) -> Look {
    const MARKERS: [Marker; 6] =
        [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Inverted, Marker::Bar];
    Look { tone: tone % 8, stroke: Stroke::Solid, marker: MARKERS[usize::from(tone) % 6] }
}
