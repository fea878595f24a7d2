//! What every series prints: where it resumes, and how it ended.

use super::context::{Context, Outcome};
use super::part::PartDone;
use mineflow_arena::numbers::{grouped, list};
use mineflow_arena::{Records, Series};

/// Says how much of a series was done before this process began.
pub fn note_resumed<R: Records>(context: &Context<'_>, series: &Series<R>) {
    let (before, most, things) = (series.before(), series.records().most(), things::<R>());
    let Some(out) = context.out.as_deref().filter(|_| before > 0) else { return };
    let (is_whole, before, most, out) = (series.records().is_whole(), grouped(before), grouped(most), out.display());
    context.note(&match is_whole {
        true => format!("note: all {before} {things} were played before and are in {out}; nothing is left to play"),
        false => format!("note: resuming in {out} after {before} of {most} {things}"),
    });
}

/// The outcome of a series that was asked to stop, or that has a part of the work alone, which is then sealed: `games` are played in it.
/// None of one that is whole: its tables are to be made.
pub fn end<R: Records>(context: &Context<'_>, series: &mut Series<R>, games: u64) -> anyhow::Result<Option<Outcome>> {
    let records = series.records();
    if !records.is_whole() {
        let done = format!("{} of {} {}", grouped(records.done()), grouped(records.most()), things::<R>());
        return Ok(Some(context.interrupted(&done)));
    }
    if context.part.is_whole() {
        return Ok(None);
    }
    series.seal(&[], context.stop)?;
    Ok(Some(PartDone::outcome(context, games)))
}

/// The numbers of games at which a series had been finished before it was extended, as a column has them: `1000;4000`. None where it was
/// not: its number of games was not chosen after a look at results.
pub fn extended(at: &[u64]) -> Option<String> {
    (!at.is_empty()).then(|| at.iter().map(u64::to_string).collect::<Vec<_>>().join(";"))
}

/// A sentence on that; nothing where there is nothing to say.
pub fn extended_in_words(extended: Option<&str>) -> String {
    let Some(extended) = extended else { return String::new() };
    let at: Vec<_> = extended.split(';').map(|games| games.parse().map_or(games.to_owned(), grouped)).collect();
    let at = list(&at.iter().map(String::as_str).collect::<Vec<_>>());
    format!("Extended after a look: the series had been finished at {at} games before.\n")
}

fn things<R: Records>() -> String {
    R::KEEPING.things.replace('_', " ")
}
