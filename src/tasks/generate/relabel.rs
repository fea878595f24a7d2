//! The stage `data relabel`: gives the rows of a folder the targets of another teacher.

use std::path::PathBuf;

use anyhow::bail;
use serde::Serialize;
use serde_json::Value;

use super::{Featurise, GainSettings, Labels, RowKind};
use crate::{
    Context, Outcome, Stage, as_text,
    help::{EXIT_CODES, examples},
};
use mineflow_learn::data::Manifest;
use mineflow_minesweeper::{
    ahead::{RollOuts, Teacher},
    features::GuessV2,
    player::PlayerSpec,
};

/// Give rows of guesses the targets of another teacher, from the same positions
///
/// The positions and candidates stay, and no game is played. The teacher values the candidates
/// again: more layouts have less noise, and `player=two-step` or `looks` play better lines. The
/// result is a data folder like the given one. Other kinds of rows have no teacher: their targets
/// are results of games.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "data relabel guesses --teacher roll-outs:layouts=64 --out better",
            "data relabel guesses --teacher roll-outs:layouts=64:looks=2:player=two-step --out better",
        ], EXIT_CODES))]
pub struct Relabel {
    /// Read the positions of this data folder of `generate --kind guesses`
    #[arg(value_name = "DIR")]
    pub data: PathBuf,
    /// Set the roll-outs that value candidates, with their options; `unknown` stays that of the
    /// folder
    #[arg(long, value_name = "ROLL-OUTS")]
    #[serde(serialize_with = "as_text::one")]
    pub teacher: Teacher,
    /// Use the probabilities of this player, by name or recipe [default: the player of the games]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
}

impl Stage for Relabel {
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let folder = self.data.display();
        let source = Manifest::of_finished(&self.data)?;
        let setting = |name| source.settings.get(name).unwrap_or(&Value::Null);
        let (Some(before), Some(least)) = (
            setting("teacher").as_str(),
            setting("least_layouts").as_u64(),
        ) else {
            bail!(
                "{folder} holds rows of {}, whose targets come from no teacher; give rows of `pipeline generate --kind guesses`",
                source.features
            );
        };
        let files = source.shards.iter().map(|shard| &shard.decisions.file);
        if let Some(file) = files
            .into_iter()
            .find(|file| !self.data.join(file).exists())
        {
            bail!(
                "{folder} lacks the positions in {file}; give the command that made the folder once more, which makes what is missing"
            );
        }
        let before: Teacher = before.parse()?;
        let unknown = before.roll_outs.unknown;
        let teacher = Teacher {
            roll_outs: RollOuts {
                unknown,
                ..self.teacher.roll_outs
            },
            ..self.teacher
        };
        let relabelled = Featurise {
            from: self.data.clone(),
            kind: RowKind {
                features: &GuessV2,
                labels: Labels::Gain(GainSettings {
                    teacher,
                    least_layouts: least as u32,
                }),
            },
            player: match &self.player {
                Some(player) => PlayerSpec::with_models(player, context.models)?,
                None => Featurise::player_of_games(&source)?,
            },
        };
        relabelled.run(context)
    }
}
