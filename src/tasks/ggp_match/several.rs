//! Several series of matches, one after the other: what tables are made of.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{MatchEvent, Matches, Played, Venue, play};
use mineflow_arena::Ending;

/// All matches of these series.
pub fn planned(all: &[Matches]) -> u64 {
    all.iter().map(|matches| matches.own().len() as u64).sum()
}

/// Plays what is missing of these series. `report` gets which one is played, and how many matches of all are; `finished` each that has
/// all matches of the whole work, with them. Once `stop` is set, no matches are begun.
pub fn play_all(
    all: &[Matches],
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize, u64),
    finished: &mut dyn FnMut(usize, &Played) -> anyhow::Result<()>,
) -> anyhow::Result<Ending> {
    let mut venues: HashMap<&Path, Venue> = HashMap::new();
    let mut before = 0;
    for (at, matches) in all.iter().enumerate() {
        let venue = venues.entry(&matches.sheet).or_insert_with(|| Venue::new(&matches.sheet));
        if matches.sprt.is_some() {
            venue.hold_two_roles()?;
        }
        let played = play(matches, venue, stop, &mut |event| {
            if let MatchEvent::Played(done) = event {
                report(at, before + u64::from(done));
            }
        })?;
        if !played.is_whole {
            return Ok(Ending::Stopped);
        }
        // A test may have left some out.
        before += matches.own().len() as u64;
        if matches.part.is_whole() {
            finished(at, &played)?;
        }
    }
    Ok(Ending::Finished)
}
