//! Messages and outcomes that all series have in common: where a series resumes, and how it ended.

use std::path::Path;

use super::{
    context::{Context, Outcome},
    part::PartDone,
};
use mineflow_arena::{Records, Series, numbers::grouped};
use mineflow_minesweeper::player::PlayerSpec;
use serde_json::{Value, json};

/// Returns the setting that prevents players of another revision from continuing a folder. The
/// first revision is not recorded; folders from before revisions were recorded can thus be
/// continued.
pub(crate) fn noted_revision(revision: u32) -> Option<(String, Value)> {
    (revision > 1).then(|| ("revision".to_owned(), revision.into()))
}

/// Returns the setting of [`noted_revision`] for players of Minesweeper.
pub(crate) fn revision_of_players<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
) -> Option<(String, Value)> {
    let revisions = players.into_iter().map(|player| player.recipe.revision());
    noted_revision(revisions.max().unwrap_or(1))
}

/// Returns what manifests record of a player.
pub(crate) fn recorded(player: &PlayerSpec) -> Value {
    json!({"name": player.name, "recipe": player.recipe.without_folders()})
}

/// Notes how much of a series was done before this process.
pub fn note_resumed<R: Records>(context: &Context<'_>, series: &Series<R>) {
    let out = context.out.as_deref().filter(|_| series.before() > 0);
    let Some(out) = out.map(Path::display) else {
        return;
    };
    let before = grouped(series.before());
    let things = things::<R>();
    context.note(&if series.records().is_whole() {
        format!("note: all {before} {things} were played before and are in {out}; nothing is left to play")
    } else {
        let most = grouped(series.records().most());
        format!("note: resuming in {out} after {before} of {most} {things}")
    });
}

/// Ends a series. Returns the outcome if the series was interrupted, or if it is a finished shard
/// of the run with `games` games, which is then sealed. Returns `None` if the whole series is
/// complete; the caller then makes its tables.
pub fn end<R: Records>(
    context: &Context<'_>,
    series: &mut Series<R>,
    games: u64,
) -> anyhow::Result<Option<Outcome>> {
    let records = series.records();
    if !records.is_whole() {
        let done = format!(
            "{} of {} {}",
            grouped(records.done()),
            grouped(records.most()),
            things::<R>()
        );
        return Ok(Some(context.interrupted(&done)));
    }
    if context.part.is_whole() {
        return Ok(None);
    }
    series.seal(&[], context.stop)?;
    Ok(Some(PartDone::outcome(context, games)))
}

fn things<R: Records>() -> String {
    R::KEEPING.things.replace('_', " ")
}
