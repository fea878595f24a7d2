//! What others report of their players on expert, 30x16 with 99 mines. Only in `expert-peers.csv` are their figures written down, each
//! with its source.

use serde::Deserialize;

use mineflow_document::Estimate;

const PEERS: &str = include_str!("expert-peers.csv");
/// The machine of a speed that can be held against ours.
const LIKE_OURS: &str = "as ours";

/// A player of others under one first-click rule.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Peer {
    pub(crate) player: String,
    pub(crate) board: String,
    pub(crate) first_click: String,
    win_percent: f64,
    /// The ends of the 95 % interval, in percent, where it is known.
    ci_low: Option<f64>,
    ci_high: Option<f64>,
    /// Of processor time, where it is known.
    pub(crate) games_per_second: Option<f64>,
    /// Where its speed was measured: `as ours` on a machine of the same kind.
    machine: String,
    source: String,
    pub(crate) note: String,
}

impl Peer {
    /// The win ratio; without a known interval its ends are the value itself.
    pub(crate) fn wins(&self) -> Estimate {
        let value = self.win_percent / 100.0;
        let end = |end: Option<f64>| end.map_or(value, |percent| percent / 100.0);
        Estimate { value, low: end(self.ci_low), high: end(self.ci_high) }
    }

    /// Whether an interval is known.
    pub(crate) fn has_interval(&self) -> bool {
        self.ci_low.is_some()
    }

    /// Whether its speed was measured on a machine like ours.
    pub(crate) fn is_timed_here(&self) -> bool {
        self.machine == LIKE_OURS
    }

    /// The address of its source without the scheme: the page leads nowhere.
    pub(crate) fn address(&self) -> &str {
        self.source.trim_start_matches("https://")
    }
}

/// All of them, as the table has them.
pub(crate) fn peers() -> Vec<Peer> {
    let rows = csv::Reader::from_reader(PEERS.as_bytes()).into_deserialize();
    rows.map(|peer| peer.expect("the table is right: a test reads it")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_source_and_lies_in_its_interval() {
        let peers = peers();
        assert_eq!(peers.len(), PEERS.lines().count() - 1);
        for peer in &peers {
            let of = peer.wins();
            assert!(of.low <= of.value && of.value <= of.high && of.high < 1.0 && of.value > 0.1, "{peer:?}");
            assert_eq!(peer.ci_low.is_some(), peer.ci_high.is_some(), "{peer:?}");
            assert!(peer.source.starts_with("https://") && peer.board == "30x16/99", "{peer:?}");
            assert!(["safe", "opening"].contains(&peer.first_click.as_str()), "{peer:?}");
            // A speed says where it is from, and nothing else does.
            assert_eq!(peer.games_per_second.is_some(), !peer.machine.is_empty(), "{peer:?}");
            let same =
                peers.iter().filter(|other| (&other.player, &other.first_click) == (&peer.player, &peer.first_click));
            assert_eq!(same.count(), 1, "{peer:?}");
        }
    }
}
