//! What every series prints: where it resumes, and how it ended.

use super::context::{Context, Outcome};
use super::part::PartDone;
use mineflow_arena::{Records, Series};
use mineflow_document::numbers::grouped;

/// Says how much of a series was done before this process began.
pub fn note_resumed<R: Records>(context: &Context<'_>, series: &Series<R>) {
    let (before, planned, things) = (series.before(), series.records().planned(), things::<R>());
    let Some(out) = context.out.as_deref().filter(|_| before > 0) else { return };
    let (is_whole, before, planned, out) = (before == planned, grouped(before), grouped(planned), out.display());
    context.note(&match is_whole {
        true => format!("note: all {planned} {things} were played before and are in {out}; nothing is left to play"),
        false => format!("note: resuming in {out} after {before} of {planned} {things}"),
    });
}

/// The outcome of a series that was asked to stop, or that has a part of the work alone, which is then sealed: `games` are played in it.
/// None of one that is whole: its tables are to be made.
///
/// # Errors
/// As [`Series::seal`].
pub fn end<R: Records>(context: &Context<'_>, series: &mut Series<R>, games: u64) -> anyhow::Result<Option<Outcome>> {
    let (done, planned) = (series.records().done(), series.records().planned());
    if done < planned {
        let done = format!("{} of {} {}", grouped(done), grouped(planned), things::<R>());
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
