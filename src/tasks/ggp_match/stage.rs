//! `pipeline ggp match`.

use std::path::PathBuf;

use anyhow::{bail, ensure};

use super::{MatchEvent, Matches, MoveBudgetText, Standing, Venue, play, standings};
use crate::as_text;
use crate::help::{EXIT_CODES, examples};
use crate::part::{PartDone, hold_whole};
use crate::{Context, Outcome, Row, Rows, Stage};
use mineflow_arena::TableOf;
use mineflow_arena::numbers::{counted, grouped};
use mineflow_arena::{Sprt, Tested};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use serde::Serialize;

/// Let uct, mac-ucb and fc-ucb play each other
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "ggp match --game pipelines/ggp/hex.kif --players mac-ucb,uct --matches 20 --budget 100ms",
            "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,random --budget 64it",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct GgpMatch {
    /// The game's rule sheet in KIF
    #[arg(long, value_name = "FILE")]
    pub game: PathBuf,
    /// Who plays, separated by commas: uct, mac-ucb, fc-ucb, random; with options as uct:playouts=500:explore=1 or
    /// mac-ucb:solving-share=0.5; the sides alternate
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    #[serde(serialize_with = "as_text::list")]
    pub players: Vec<PlayerRecipe>,
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::values::games())]
    pub matches: u32,
    /// Matches that follow one another: a player keeps its tree and cache from one to the next, and forgets them after these
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::values::games())]
    pub series: u32,
    /// For each move of a player without playouts= or ms= of its own: CPU time as 500ms or 1s, or playouts as 10000it
    #[arg(long, value_name = "BUDGET", default_value_t = MoveBudgetText(MoveBudget::Playouts(1000)))]
    #[serde(serialize_with = "as_text::one")]
    pub budget: MoveBudgetText,
    /// A match, and a playout, ends without points after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub horizon: usize,
    /// Joint moves that each player's cache of explored leaves may hold
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub cache: usize,
    /// Stop as soon as a sequential test (GSPRT, errors of 5 %) says whether the first of two players scores LOW or HIGH points above 50 %,
    /// such as 0:5; --matches is then the most. It looks after every 10 pairs of mirrored matches, first after 20
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    #[serde(serialize_with = "as_text::optional")]
    pub sprt: Option<Sprt>,
}

impl Stage for GgpMatch {
    fn check(&self) -> anyhow::Result<()> {
        self.sprt.map_or(Ok(()), |_| self.check_test())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let venue = Venue::new(&self.game);
        if self.sprt.is_some() {
            hold_whole(context, Sprt::SETTING)?;
            venue.hold_two_roles()?;
        }
        let matches = self.matches(context);
        let planned = matches.own().len() as u64;
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
        context.may_leave(&kept(0));
        let played = play(&matches, &venue, context.stop, &mut |event| match event {
            MatchEvent::Note(text) => context.note(&format!("note: {text}")),
            MatchEvent::Played(done) => context.count("matches", done.into(), planned, ""),
            MatchEvent::Kept(matches) => context.may_leave(&kept(matches)),
        });
        context.must_finish();
        let played = played?;
        if !played.is_whole {
            return Ok(Outcome::Interrupted(kept(played.rows.len() as u32)));
        }
        if context.part.is_whole() {
            return Ok(Outcome::Done(Box::new(Rows(standings(&matches, &played)))));
        }
        Ok(PartDone::outcome(context, planned))
    }
}

impl GgpMatch {
    /// Checks that matches come in pairs that a test can observe.
    fn check_test(&self) -> anyhow::Result<()> {
        let [first, second] = &self.players[..] else {
            bail!("--sprt tests two players, not {}; give two --players", self.players.len())
        };
        ensure!(first != second, "--sprt tests two players, and {first} is given twice; give another one");
        ensure!(self.matches > 1, "--sprt takes pairs of matches, and --matches is {}; give 2 or more", self.matches);
        ensure!(
            self.series == 1,
            "--sprt takes matches of which none depends on another, and --series is {}; leave one of the two away",
            self.series
        );
        Ok(())
    }

    fn matches(&self, context: &Context<'_>) -> Matches {
        Matches {
            sheet: self.game.clone(),
            players: self.players.clone(),
            matches: self.matches,
            series: self.series,
            budget: self.budget.0,
            horizon: self.horizon,
            most_explored: self.cache,
            seed: context.seed,
            part: context.part,
            sprt: self.sprt,
            threads: context.threads,
            out: context.out.clone(),
        }
    }
}

impl Row for Standing {
    fn text(rows: &[Self]) -> String {
        let if_known = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.2}"));
        let table = TableOf::new(rows)
            .left("player", |row| &row.player)
            .right("matches", |row| grouped(row.matches.into()))
            .right("won", |row| grouped(row.wins.into()))
            .right("drawn", |row| grouped(row.draws.into()))
            .right("lost", |row| grouped(row.losses.into()))
            .right("score %", |row| if_known(row.score))
            .right("deviation", |row| if_known(row.deviation))
            .right("mean goal", |row| format!("{:.2}", row.mean_goal))
            .text();
        let test = rows.first().and_then(|row| Some((&row.player, row.sprt?)));
        table + &test.map_or_else(String::new, |(player, test)| tested(player, test))
    }
}

/// What a test says of the first player.
fn tested(player: &str, test: Tested) -> String {
    let pairs = counted(test.observations, "pair");
    format!(
        "{player} above 50 %: {}.\n{}\n",
        test.mean_in_words(),
        test.in_words(&format!("{pairs} of mirrored matches"))
    )
}
