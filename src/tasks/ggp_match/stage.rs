//! The command `pipeline ggp match`.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use super::{MatchEvent, Matches, Standing, play, standing::all_standings};
use crate::{
    Context, Outcome, Row, Rows, SprtArgs, Stage, as_text,
    budget::move_budget,
    help::{EXIT_CODES, examples},
    part::{PartDone, ensure_unsharded},
};
use mineflow_arena::{
    Sprt, TableOf, Tested, Text,
    numbers::{counted, ends, grouped},
};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use serde::Serialize;

/// Capacity of each player's cache of explored leaves, in joint moves.
const MOST_EXPLORED: usize = 2_000_000;

/// Play matches between uct, mac-ucb and fc-ucb
///
/// The hypotheses of --sprt are on the first player's score minus 50 %, in percentage points. The
/// test is evaluated after every 10 mirrored pairs, first after 20.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "ggp match --game pipelines/ggp/hex.kif --players mac-ucb,uct --matches 20 --budget 100ms",
            "ggp match --game pipelines/ggp/tic-tac-toe.kif,pipelines/ggp/kaseklau.kif --players mac-ucb,fc-ucb --against uct,fc-ucb --matches 20 --budget playouts=64",
            "ggp match --game pipelines/ggp/orchard.kif --players mac-ucb,uct --alone --matches 20 --budget playouts=64",
        ], EXIT_CODES))]
pub struct GgpMatch {
    /// Choose the games by their rule sheets in KIF, separated by commas
    #[arg(long, value_name = "FILES", value_delimiter = ',', required = true)]
    pub game: Vec<PathBuf>,
    /// Choose the players, separated by commas: uct, mac-ucb, fc-ucb, random; with options as
    /// uct:playouts=500:explore=1 or mac-ucb:solving-share=0.5:horizon=40. All play in one match,
    /// and the sides alternate
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    pub players: Vec<PlayerRecipe>,
    /// Play each of --players against each of these players instead, two in a match; duplicate
    /// pairs are left out
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',')]
    pub against: Vec<PlayerRecipe>,
    /// Let each of --players play all roles instead, for cooperative games
    #[arg(long, conflicts_with = "against")]
    pub alone: bool,
    /// Play N matches of each game and pair
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::values::games())]
    pub matches: u32,
    /// Keep the players' trees and caches over N consecutive matches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::values::games())]
    pub series: u32,
    /// Set the budget of a move, such as playouts=10000 or time=500ms (or 10000it, 500ms);
    /// playouts= or ms= of a player overrides it
    #[arg(long, value_name = "BUDGET", default_value_t = MoveBudget::Playouts(1000), value_parser = move_budget)]
    #[serde(serialize_with = "as_text::one")]
    pub budget: MoveBudget,
    /// End a match or playout after N steps, with 0 points for every role; mac-ucb:horizon=N can
    /// shorten its playouts
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub horizon: usize,
    /// Also compute scores less the luck of chance and of the seat, by exact values of all
    /// states; for games of chance with at most 2,000,000 states, such as Kaseklau and Orchard
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub luck_corrected: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: SprtArgs,
}

impl Stage for GgpMatch {
    fn check(&self) -> Result<()> {
        let line_ups = self.line_ups();
        ensure!(
            !line_ups.is_empty(),
            "every player of --against is the one of --players; name another one"
        );
        let all = (self.game.len() * line_ups.len()) as u64 * u64::from(self.matches);
        ensure!(
            u32::try_from(all).is_ok(),
            "{} matches are too many; give fewer --matches",
            grouped(all)
        );
        self.test.sprt.map_or(Ok(()), |_| self.check_test())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        if self.test.sprt.is_some() {
            ensure_unsharded(context, Sprt::SETTING)?;
        }
        let matches = self.matches(context);
        let planned = matches.own().count() as u64;
        let kept = |matches: u32| match &context.out {
            Some(out) => {
                let is = if matches == 1 {
                    "1 match is".to_owned()
                } else {
                    format!("{} matches are", grouped(matches.into()))
                };
                format!("{is} kept in {}; the same command resumes", out.display())
            }
            None => "nothing is kept; --out DIR would have kept it".to_owned(),
        };
        context.say(0, planned, "making the networks");
        context.allow_exit(&kept(0));
        let played = play(&matches, context.stop, &mut |event| match event {
            MatchEvent::Note(text) => context.note(&format!("note: {text}")),
            MatchEvent::Played(done) => context.count("matches", done.into(), planned, ""),
            MatchEvent::Saved(matches) => context.allow_exit(&kept(matches)),
        });
        context.forbid_exit();
        let played = played?;
        if !played.is_whole {
            return Ok(Outcome::Interrupted(kept(
                played.pairings.iter().map(|of| of.rows.len() as u32).sum(),
            )));
        }
        if context.part.is_whole() {
            return Ok(Outcome::Done(Box::new(Rows(all_standings(
                &matches, &played,
            )))));
        }
        Ok(PartDone::outcome(context, planned))
    }
}

impl GgpMatch {
    /// Returns the line-ups of each game.
    fn line_ups(&self) -> Vec<Vec<PlayerRecipe>> {
        if self.alone {
            return self
                .players
                .iter()
                .map(|player| vec![player.clone()])
                .collect();
        }
        if self.against.is_empty() {
            return vec![self.players.clone()];
        }
        let mut pairs: Vec<Vec<PlayerRecipe>> = Vec::new();
        for (player, other) in self
            .players
            .iter()
            .flat_map(|player| self.against.iter().map(move |other| (player, other)))
        {
            let is_there = |pair: &Vec<PlayerRecipe>| pair.contains(player) && pair.contains(other);
            if player != other && !pairs.iter().any(is_there) {
                pairs.push(vec![player.clone(), other.clone()]);
            }
        }
        pairs
    }

    /// Checks that matches come in independent mirrored pairs, as the sequential test requires.
    fn check_test(&self) -> Result<()> {
        for players in self.line_ups() {
            let [first, second] = &players[..] else {
                bail!(
                    "--sprt tests two players, not {}; give two --players",
                    players.len()
                )
            };
            ensure!(
                first != second,
                "--sprt tests two players, and {first} is given twice; give another one"
            );
        }
        ensure!(
            self.matches > 1,
            "--sprt takes pairs of matches, and --matches is {}; give 2 or more",
            self.matches
        );
        ensure!(
            self.series == 1,
            "--sprt takes matches of which none depends on another, and --series is {}; leave one of the two out",
            self.series
        );
        Ok(())
    }

    fn matches(&self, context: &Context<'_>) -> Matches {
        Matches {
            sheets: self.game.clone(),
            line_ups: self.line_ups(),
            matches: self.matches,
            series: self.series,
            budget: self.budget,
            horizon: self.horizon,
            luck_corrected: self.luck_corrected,
            most_explored: MOST_EXPLORED,
            seed: context.seed,
            part: context.part,
            sprt: self.test.sprt,
            threads: context.threads,
            out: context.out.clone(),
        }
    }
}

impl Row for Standing {
    fn text(rows: &[Self]) -> Text {
        let if_known =
            |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.2}"));
        let mut table = TableOf::new(rows);
        if rows.iter().any(|row| row.game.is_some()) {
            table = table.left("game", |row| row.game.as_deref().unwrap_or_default());
        }
        table = table.left("player", |row| &row.player);
        if rows.iter().any(|row| row.against.is_some()) {
            table = table.left("against", |row| row.against.as_deref().unwrap_or_default());
        }
        table = table
            .right("matches", |row| grouped(row.matches.into()))
            .right("won", |row| grouped(row.wins.into()))
            .right("drawn", |row| grouped(row.draws.into()))
            .right("lost", |row| grouped(row.losses.into()))
            .right("score %", |row| if_known(row.score))
            .right("deviation", |row| if_known(row.deviation))
            .right("mean goal", |row| format!("{:.2}", row.mean_goal));
        if rows.iter().any(|row| row.corrected.is_some()) {
            table = table.left("luck-corrected %", |row| {
                row.corrected.map_or_else(String::new, |of| {
                    format!("{:.2}, {}", of.score, ends(of.low, of.high, 2))
                })
            });
        }
        if rows.iter().any(|row| row.is_timed) {
            table = table
                .right("CPU ms/move", |row| {
                    format!("{:.1}", 1000.0 * row.cpu_seconds_per_move)
                })
                .right("solving %", |row| format!("{:.1}", row.solving));
        }
        let table = table.text();
        let tests = rows.iter().filter_map(|row| Some(tested(row, row.sprt?)));
        table.then(tests.collect::<String>())
    }
}

/// Describes the result of the sequential test for the player of a row.
fn tested(row: &Standing, test: Tested) -> String {
    let Standing {
        game,
        player,
        against,
        ..
    } = row;
    let against = against
        .as_ref()
        .map_or_else(String::new, |others| format!(" against {others}"));
    let at = game
        .as_ref()
        .map_or_else(String::new, |game| format!(" at {game}"));
    let pairs = counted(test.observations, "pair");
    format!(
        "{player}{against}{at} above 50 %: {}.\n{}\n",
        test.mean_in_words(),
        test.in_words(&format!("{pairs} of mirrored matches"))
    )
}
