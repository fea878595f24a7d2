//! Expands repeats: `[repeat.NAME]` runs stages several times, each round with the results of
//! earlier ones.
//!
//! ```toml
//! [repeat.round]                  # rows-1, best-1, rows-2, best-2, ...
//! times = 4
//! stages = ["rows", "best"]
//!
//! [stage.rows]
//! command = "generate"
//! player = "dss+posterior+ranker"
//! model = "best@previous"         # the stage of the round before; round 1 has no `model`
//! first = { player = "7.0" }      # settings of round 1
//! ```
//!
//! In a stage of the repeat, `best` means the stage of the same round, and elsewhere that of the
//! last round. `rows@last 3` means the stages of up to three rounds, the last one included. These
//! names are resolved where stages are read, because only settings that take stages have them.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use toml::{
    Spanned,
    de::{DeValue, ValueDeserializer},
};

use super::{Round, Setting, StageText, did_you_mean, file::Text};

/// The most rounds of a repeat.
const MOST: u64 = 1000;

/// A repeat as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Repeat {
    times: Spanned<u64>,
    stages: Vec<Spanned<String>>,
}

impl Text<'_> {
    /// Replaces the stages of repeats by one stage for each round.
    ///
    /// # Errors
    /// Returns an error if a repeat is not valid, or names a stage that doesn't exist, has a matrix
    /// or is repeated already.
    pub fn unroll(
        &self,
        repeats: Spanned<DeValue<'_>>,
        stages: Vec<StageText>,
    ) -> anyhow::Result<Vec<StageText>> {
        let span = repeats.span();
        let repeats = BTreeMap::<String, Repeat>::deserialize(ValueDeserializer::from(repeats));
        let repeats = repeats.map_err(|error| {
            let at = self.at(error.span().unwrap_or(span));
            let why = error.message().replace('\n', ", ");
            anyhow::anyhow!(
                "{at}: {why}; write times = 4 and stages = [\"rows\", \"best\"] in [repeat.NAME]"
            )
        })?;
        let all = || repeats.values().flat_map(|repeat| &repeat.stages);
        for name in all() {
            let at = self.at(name.span());
            let name = name.get_ref();
            let names = stages.iter().map(|stage| stage.family.as_str());
            let stage = stages.iter().find(|stage| stage.family == *name);
            let stage = stage.with_context(|| {
                let meant = did_you_mean(name, names);
                format!("{at}: there is no stage `{name}`{meant}")
            })?;
            let is_free = stage.matrix.is_empty()
                && all().filter(|other| other.get_ref() == name).count() == 1;
            ensure!(
                is_free,
                "{at}: stage {name} has a matrix or is in a repeat already, and can't be in this one"
            );
        }
        for Repeat { times, .. } in repeats.values() {
            let at = self.at(times.span());
            let times = times.get_ref();
            ensure!(
                (1..=MOST).contains(times),
                "{at}: times is from 1 to {MOST}, not {times}"
            );
        }
        let rounds = |stage: &StageText| {
            let is_in = |of: &Repeat| of.stages.iter().any(|name| *name.get_ref() == stage.family);
            let Some((repeat, of)) = repeats.iter().find(|(_, of)| is_in(of)) else {
                return vec![stage.clone()];
            };
            let times = *of.times.get_ref();
            let round = |number| Round {
                repeat: repeat.clone(),
                number,
                times,
            };
            (1..=times)
                .map(|number| stage.in_round(round(number)))
                .collect()
        };
        Ok(stages.iter().flat_map(rounds).collect())
    }
}

impl StageText {
    /// Returns the stage of a round. The settings of `first` replace those of round 1.
    fn in_round(&self, round: Round) -> Self {
        let mut stage = self.clone();
        let first: Vec<Setting> = std::mem::take(&mut stage.first);
        if round.number == 1 {
            let is_kept = |of: &Setting| first.iter().all(|other| other.name != of.name);
            stage.settings.retain(is_kept);
            stage.settings.extend(first);
        }
        stage.name += &format!("-{}", round.number);
        stage.round = Some(round);
        stage
    }
}
