//! Rule sheets: the experiments of the MAC-UCB paper on the games that were played here.

use std::collections::BTreeSet;
use std::path::Path;

use crate::error::ReportError;
use crate::papers::mac_ucb::{BEST_SHARES, ORCHARD, PaperGame, game};
use crate::read::{EqualityRow, NetworkRow, equality, ladder, learning, networks, series};
use crate::sections::ggp_ladder::rungs;
use crate::sections::ggp_learning::in_a_row;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point, Values};
use mineflow_document::numbers::{counted, grouped, list, percent, with_interval};
use mineflow_document::{Estimate, Figure, Finding, PageTable, PaperVerdict, Section};
use mineflow_stage_games::ggp_table::TableRow;

/// The pairs of table 3, in its order.
const PAIRS: [(&str, &str); 3] = [("mac-ucb", "uct"), ("mac-ucb", "fc-ucb"), ("fc-ucb", "uct")];
/// The score of equals.
const EVEN: f64 = 0.5;
/// What makes most of the tables.
const TABLES: &str = "pipeline ggp table --out DIR";

/// The section, from the tables of a folder.
pub(crate) fn rule_sheets(folder: &Path) -> Result<Section, ReportError> {
    let mut section = Section::new("rule-sheets", "Rule sheets: MAC-UCB, FC-UCB and UCT");
    section.say(
        "Games written as rule sheets, each run by a propositional network and by stochastic constraint networks (Koriche, Lagrue, Piette, Tabary: \
         General Game Playing with Stochastic CSP). The paper gives 30 seconds a move on its own machine, with its own sheets. Here a move gets what the \
         tables say, far less; playouts a move tell how far the two can be compared.",
    );
    match equality(&folder.join("equality.csv"))? {
        Some(rows) => engines(&mut section, &rows),
        None => missing(&mut section, "equality.csv", "pipeline ggp check FILE --playouts 10000"),
    }
    match networks(&folder.join("networks.csv"))? {
        Some(rows) => networks_table(&mut section, &rows),
        None => missing(&mut section, "networks.csv", "pipeline ggp check FILE --scsp"),
    }
    type TablePart = (&'static str, fn(&mut Section, &[TableRow]), &'static str);
    let parts: [TablePart; 5] = [
        ("table3.csv", pairs, TABLES),
        ("table4.csv", by_playouts, TABLES),
        ("times.csv", by_time, TABLES),
        ("times-grave.csv", with_grave, TABLES),
        ("figure6.csv", shares, TABLES),
    ];
    for (file, part, command) in parts {
        match series(&folder.join(file))? {
            Some(rows) => part(&mut section, &rows),
            None => missing(&mut section, file, command),
        }
    }
    match learning(&folder.join("figure5.csv"))? {
        Some(rows) => in_a_row(&mut section, &rows),
        None => missing(&mut section, "figure5.csv", TABLES),
    }
    match ladder(&folder.join("ladder.csv"))? {
        Some(rows) => rungs(&mut section, &rows),
        None => missing(&mut section, "ladder.csv", "pipeline ggp ladder --out DIR"),
    }
    Ok(section)
}

fn missing(section: &mut Section, file: &str, command: &str) {
    section.miss(format!("Missing: `ggp/{file}`. `{command}` makes it."));
}

fn engines(section: &mut Section, rows: &[EqualityRow]) {
    let differ: Vec<_> = rows.iter().filter(|row| row.difference.is_some()).map(|row| row.game.as_str()).collect();
    let (playouts, states) = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.playouts, sum.1 + row.states));
    section.heading("Do the engines agree?");
    section.say(format!(
        "Terminal, goals, legal actions and the next state in every state of random playouts, {} with {} states in all: {}.",
        grouped(playouts),
        grouped(states),
        if differ.is_empty() { "no difference".to_owned() } else { format!("differences in {}", list(&differ)) },
    ));
    section.table(
        PageTable::of(rows)
            .left("game", |row| row.game.clone())
            .left("the network and", |row| row.engines.clone())
            .right("playouts", |row| grouped(row.playouts))
            .right("states", |row| grouped(row.states))
            .right("CPU s", |row| format!("{:.0}", row.cpu_seconds))
            .left("they agree", |row| row.difference.clone().unwrap_or_else(|| "yes".to_owned())),
    );
}

fn networks_table(section: &mut Section, rows: &[NetworkRow]) {
    section.heading("Table 2: the games as constraint networks");
    section.say(
        "The network of a stage, preprocessed. Ours are of Boolean and small variables and of many small tables, the paper's of few variables with large \
         domains.",
    );
    let paper = |row: &NetworkRow, figure: fn(PaperGame) -> u64| or_dash(game(&row.game).map(figure).map(grouped));
    let stages: Vec<_> = rows.iter().filter(|row| row.preprocessed && row.network == "stage").collect();
    section.table(
        PageTable::of(&stages)
            .left("game", |row| row.game.clone())
            .right("variables", |row| grouped(row.variables))
            .right("largest domain", |row| grouped(row.largest_domain))
            .right("constraints", |row| grouped(row.constraints))
            .right("tuples", |row| grouped(row.tuples))
            .right("CPU s", |row| format!("{:.1}", row.cpu_seconds))
            .right("paper: variables", |row| paper(row, |paper| paper.variables))
            .right("largest domain", |row| paper(row, |paper| paper.largest_domain))
            .right("constraints", |row| paper(row, |paper| paper.constraints))
            .right("s", |row| paper(row, |paper| paper.seconds)),
    );
}

/// An entry where the paper may have none.
fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// Series of matches beside the paper's table 3.
fn match_table(rows: &[TableRow]) -> PageTable {
    PageTable::of(rows)
        .left("game", |row| row.game.clone())
        .left("players", players)
        .right("a move", |row| row.budget.clone())
        .right("matches", |row| grouped(row.matches.into()))
        .right("won, drawn, lost", outcomes)
        .right("score, %", |row| with_interval(row.estimate()))
        .right("paper, %", |row| or_dash(in_table_3(row).map(|score| format!("{score:.1}"))))
        .right("playouts a move", playouts)
        .into()
}

/// The paper's score for the players of a series.
fn in_table_3(row: &TableRow) -> Option<f64> {
    let paper = game(&row.game)?;
    match (name_of(&row.player), name_of(&row.opponent)) {
        ("mac-ucb", "uct" | "") => Some(paper.mac_ucb_uct),
        ("mac-ucb", "fc-ucb") => Some(paper.mac_ucb_fc_ucb),
        ("fc-ucb", "uct" | "") => Some(paper.fc_ucb_uct),
        _ => None,
    }
}

/// The series of two players.
fn opposed(rows: &[TableRow]) -> Vec<&TableRow> {
    rows.iter().filter(|row| !row.opponent.is_empty()).collect()
}

/// Table 3.
fn pairs(section: &mut Section, rows: &[TableRow]) {
    section.heading("Table 3: who beats whom");
    let opposed = opposed(rows);
    let games = games_of(&opposed);
    if !games.is_empty() {
        let series = PAIRS.iter().zip(0..).map(|(&(player, opponent), tone)| {
            let of_pair =
                opposed.iter().filter(|row| (name_of(&row.player), name_of(&row.opponent)) == (player, opponent));
            let point = |row: &&TableRow| {
                let at = games.iter().position(|game| *game == row.game).unwrap_or(0);
                // Beside each other, not on top of each other.
                Point::along_x(row.estimate(), at as f64 + 0.2 * (f64::from(tone) - 1.0))
            };
            DataSeries::new(
                format!("{player} against {opponent}"),
                appearance(tone),
                Joining::Apart,
                of_pair.map(point),
            )
        });
        let chart = Chart::new(
            "Scores of the three pairs of algorithms by game",
            Axis::percent("score of the first, %", 0.0, 1.0),
            Axis::names("", games.iter().map(|game| (*game).to_owned())),
            series.collect(),
        );
        let caption =
            format!("Wins and half of the draws of the first of each pair, with 95 % intervals. {}", samples(&opposed));
        let findings = PAIRS.iter().filter_map(|&pair| pair_finding(&opposed, pair)).chain(orchard(rows));
        section.figure(Figure::new("ggp-pairs", chart, caption).with(findings));
    }
    section.table(match_table(rows));
    section.say(
        "Cooperative games have one algorithm in all roles; their score is the share of matches in which all get everything. With time budgets, playouts \
         a move show what solving costs: what an algorithm spends on solving, it can't sample.",
    );
}

/// When MAC-UCB and FC-UCB go on to the next stage.
fn samples(rows: &[&TableRow]) -> String {
    let counts: BTreeSet<&str> = rows.iter().map(|row| &*row.samples_a_stage).collect();
    let counts: Vec<String> = counts.into_iter().map(left_after).collect();
    format!("A stage is left after {}.", list(&counts))
}

fn left_after(samples: &str) -> String {
    samples.parse().map_or_else(|_| format!("{samples} samples"), |count| counted(count, "sample"))
}

fn players(row: &TableRow) -> String {
    if row.opponent.is_empty() { format!("{} alone", row.player) } else { format!("{}, {}", row.player, row.opponent) }
}

fn outcomes(row: &TableRow) -> String {
    format!("{}, {}, {}", row.wins, row.draws, row.losses)
}

fn playouts(row: &TableRow) -> String {
    match row.opponent_samples_a_move {
        Some(other) => format!("{:.0}, {other:.0}", row.samples_a_move),
        None => format!("{:.0}", row.samples_a_move),
    }
}

/// The cases of which something is shown to be more, shown to be less, and shown to be neither.
struct Sides<'a> {
    more: Vec<&'a str>,
    less: Vec<&'a str>,
    open: Vec<&'a str>,
}

impl<'a> Sides<'a> {
    /// Cases by what is more in them than nothing.
    fn of(cases: impl IntoIterator<Item = (&'a str, Estimate)>) -> Self {
        let mut sides = Self { more: Vec::new(), less: Vec::new(), open: Vec::new() };
        for (name, of) in cases {
            match of {
                _ if of.is_above_zero() => sides.more.push(name),
                _ if of.is_below_zero() => sides.less.push(name),
                _ => sides.open.push(name),
            }
        }
        sides
    }

    /// What a paper says of all cases, `None` without any: that there is more, or that there is less. Here it is more in ..., less in ...;
    /// neither is shown in ..., in these words.
    fn finding(&self, paper: &str, says_more: bool, [more, less, neither]: [&str; 3]) -> Option<Finding> {
        let Self { more: above, less: below, open } = self;
        let here = format!("{more} {}, {less} {}; {neither} {}.", list(above), list(below), list(open));
        let (agreeing, opposed) = if says_more { (above, below) } else { (below, above) };
        let all = above.len() + below.len() + open.len();
        (all > 0).then(|| Finding::new(paper, here, PaperVerdict::of_sides(agreeing.len(), opposed.len(), all)))
    }
}

/// What the paper says of a pair in general, beside the games played here.
fn pair_finding(rows: &[&TableRow], pair: (&str, &str)) -> Option<Finding> {
    let of_pair = || rows.iter().filter(|row| (name_of(&row.player), name_of(&row.opponent)) == pair);
    let lead = |of: Estimate| Estimate { value: of.value - EVEN, low: of.low - EVEN, high: of.high - EVEN };
    let sides = Sides::of(of_pair().map(|row| (row.game.as_str(), lead(row.estimate()))));
    let (paper, says_more) = match pair {
        ("mac-ucb", "uct") => ("MAC-UCB outperforms UCT in all games.", true),
        ("mac-ucb", _) => ("MAC-UCB dominates FC-UCB.", true),
        _ => ("UCT beats FC-UCB in the majority of games, says the text; table 3 has FC-UCB ahead in 10 of 14.", false),
    };
    let (player, opponent) = pair;
    let ahead = format!("{player} is ahead of {opponent} in");
    let finding = sides.finding(paper, says_more, [&ahead, "behind in", "no difference is shown in"])?;
    let scores = of_pair().filter_map(|row| Some((*row, in_table_3(row)?)));
    let off = |(row, paper): &(&TableRow, f64)| (100.0 * row.estimate().value - paper).abs();
    let Some(farthest) = scores.max_by(|a, b| off(a).total_cmp(&off(b))) else { return Some(finding) };
    let (row, score) = farthest;
    Some(finding.apart(off(&farthest)).because(format!(
        "Farthest off is {}: {} % here, {score:.1} % in table 3. A move has {} playouts here; the paper gives 30 s.",
        row.game,
        percent(row.estimate().value),
        playouts(row)
    )))
}

/// The algorithm of a player.
fn name_of(player: &str) -> &str {
    player.split(':').next().unwrap_or(player)
}

fn orchard(rows: &[TableRow]) -> Option<Finding> {
    let found: Vec<&TableRow> = rows.iter().filter(|row| row.game == "orchard" && row.opponent.is_empty()).collect();
    let inside = found.iter().filter(|row| row.estimate().contains(ORCHARD)).count();
    let shown: Vec<String> =
        found.iter().map(|row| format!("{} {}", row.player, with_interval(row.estimate()))).collect();
    let paper = format!("Orchard is won in about {} % by everyone, which is the optimum.", percent(ORCHARD));
    let agreement = PaperVerdict::of_cases(inside, found.len());
    let off = found.iter().map(|row| (row.estimate().value - ORCHARD).abs()).fold(0.0, f64::max);
    (!found.is_empty()).then(|| Finding::new(paper, format!("{} %.", list(&shown)), agreement).apart(100.0 * off))
}

/// Table 4 with budgets of playouts, which any machine plays again.
fn by_playouts(section: &mut Section, rows: &[TableRow]) {
    section.heading("Table 4: MAC-UCB against UCT by the playouts a move");
    budgets(section, rows, "ggp-budgets", "playouts a move");
}

/// Table 4 with budgets of time.
fn by_time(section: &mut Section, rows: &[TableRow]) {
    section.heading("Table 4: MAC-UCB against UCT by the time a move");
    section.say("CPU time of the thread: what an algorithm spends on solving and on its tree, it can't play out.");
    budgets(section, rows, "ggp-times", "ms a move");
}

/// MAC-UCB with GRAVE, by time.
fn with_grave(section: &mut Section, rows: &[TableRow]) {
    section.heading("MAC-UCB with GRAVE by the time a move");
    section.say(
        "With GRAVE an action is also valued by the playouts in which it was done later on; nobody uses it in the paper. Data: `ggp/times-grave.csv`.",
    );
    section.table(
        PageTable::of(rows)
            .left("game", |row| row.game.clone())
            .left("player", |row| row.player.clone())
            .left("opponent", |row| row.opponent.clone())
            .right("a move", |row| row.budget.clone())
            .right("matches", |row| grouped(row.matches.into()))
            .right("won, drawn, lost", outcomes)
            .right("score, %", |row| with_interval(row.estimate()))
            .right("playouts a move", playouts),
    );
}

/// Series against UCT by what a move gets.
fn budgets(section: &mut Section, rows: &[TableRow], figure: &'static str, unit: &str) {
    let opposed = opposed(rows);
    let (mut compared, mut growths) = (Vec::new(), Vec::new());
    for game in games_of(&opposed) {
        let of_game = || opposed.iter().filter(|row| row.game == game);
        let by_amount = |a: &&&TableRow, b: &&&TableRow| a.amount().total_cmp(&b.amount());
        if let (Some(least), Some(most)) = (of_game().min_by(by_amount), of_game().max_by(by_amount))
            && least.amount() < most.amount()
        {
            compared.push((game, most.estimate().minus(least.estimate())));
            growths.push((least, most));
        }
    }
    let words = ["From the least to the most it grows in", "shrinks in", "no change is shown in"];
    let paper = "MAC-UCB's lead on UCT grows with the time a move.";
    if let Some(finding) = Sides::of(compared).finding(paper, true, words) {
        let amounts = opposed.iter().map(|row| row.amount());
        let chart = Chart::new(
            format!("Score of MAC-UCB against UCT by {unit}"),
            Axis::log(unit, amounts, Values::Numbers),
            Axis::percent("score of MAC-UCB, %", 0.0, 1.0),
            lines(&opposed, TableRow::amount),
        );
        let caption = "Wins and half of the draws, with 95 % intervals.";
        section.figure(Figure::new(figure, chart.with(Guide::Level(EVEN)), caption).with([growth(finding, &growths)]));
    }
    let paper = |row: &TableRow| {
        let paper = game(&row.game)?;
        Some(format!("{:.1} to {:.1}", paper.one_second, paper.sixty_seconds))
    };
    section.table(
        PageTable::of(rows)
            .left("game", |row| row.game.clone())
            .right("a move", |row| row.budget.clone())
            .right("matches", |row| grouped(row.matches.into()))
            .right("won, drawn, lost", outcomes)
            .right("score, %", |row| with_interval(row.estimate()))
            .right("playouts a move", playouts)
            .right("paper: 1 s to 60 s, %", |row| or_dash(paper(row))),
    );
}

/// The finding of table 4 with the game in which our growth from the least to the most time is farthest from the paper's.
fn growth(finding: Finding, growths: &[(&&TableRow, &&TableRow)]) -> Finding {
    let compared = growths.iter().filter_map(|(least, most)| {
        let paper = game(&most.game)?;
        let here = 100.0 * (most.estimate().value - least.estimate().value);
        Some((least, most, here, paper.sixty_seconds - paper.one_second))
    });
    let off = |&(.., here, paper): &(_, _, f64, f64)| (here - paper).abs();
    let Some((least, most, here, paper)) = compared.max_by(|a, b| off(a).total_cmp(&off(b))) else { return finding };
    finding.apart((here - paper).abs()).because(format!(
        "Farthest off is {}: {here:+.1} points from {} to {} a move ({} and {} playouts), {paper:+.1} in the paper from 1 s to 60 s.",
        most.game,
        least.budget,
        most.budget,
        playouts(least),
        playouts(most)
    ))
}

/// Figure 6.
fn shares(section: &mut Section, rows: &[TableRow]) {
    section.heading("Figure 6: the share of solving");
    let opposed = opposed(rows);
    if opposed.is_empty() {
        return section.miss("Nothing to show yet: the table has no series of two players.");
    }
    let chart = Chart::new(
        "Score of MAC-UCB against UCT by the share of its time that solving may take",
        Axis::percent("share of solving, %", 0.0, 1.0),
        Axis::percent("score of MAC-UCB, %", 0.0, 1.0),
        lines(&opposed, |row| row.solving_share),
    );
    let (mut inside, mut best_of, mut shown) = (0, Vec::new(), 0);
    for game in games_of(&opposed) {
        let of_game = || opposed.iter().filter(|row| row.game == game);
        let by_score = |a: &&&TableRow, b: &&&TableRow| a.estimate().value.total_cmp(&b.estimate().value);
        let (Some(best), Some(worst)) = (of_game().max_by(by_score), of_game().min_by(by_score)) else { continue };
        if best.estimate().value == worst.estimate().value {
            continue;
        }
        inside += usize::from(BEST_SHARES.contains(&best.solving_share));
        shown += usize::from(best.estimate().minus(worst.estimate()).is_above_zero());
        best_of.push(format!("{:.0} % in {game}", 100.0 * best.solving_share));
    }
    let games = best_of.len();
    let finding = Finding::new(
        "The best share of solving lies between 86 and 94 %.",
        format!(
            "The best of the shares tried is {}; best and worst differ beyond their intervals in {shown} of {}.",
            list(&best_of),
            counted(games as u64, "game")
        ),
        PaperVerdict::of_cases(inside, games),
    );
    let caption = format!(
        "Wins and half of the draws, with 95 % intervals. At 0 the root alone is solved. {}",
        samples(&opposed)
    );
    section.figure(Figure::new("ggp-shares", chart.with(Guide::Level(EVEN)), caption).with([finding]));
}

/// A line a game.
fn lines(rows: &[&TableRow], x: impl Fn(&TableRow) -> f64) -> Vec<DataSeries> {
    let line = |(game, tone): (&str, u8)| {
        let of_game = rows.iter().filter(|row| row.game == game);
        let mut points: Vec<Point> = of_game.map(|row| Point::along_y(x(row), row.estimate())).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        DataSeries::new(game, appearance(tone), Joining::Line, points)
    };
    games_of(rows).into_iter().zip((0..8).cycle()).map(line).collect()
}

/// The games, in the order of the rows.
fn games_of<'a>(rows: &[&'a TableRow]) -> Vec<&'a str> {
    let mut games: Vec<&str> = Vec::new();
    for row in rows {
        if !games.contains(&row.game.as_str()) {
            games.push(&row.game);
        }
    }
    games
}

fn appearance(tone: u8) -> Appearance {
    Appearance::solid(tone % 8, Marker::nth(tone.into()))
}
