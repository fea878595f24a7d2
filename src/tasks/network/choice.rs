//! Selection of the network to publish.

use std::{
    cmp::Reverse,
    fmt::{self, Display, Formatter},
};

use crate::training_records::{Figures, Won};
use mineflow_arena::to_csv;

/// The number of networks that take part in the final validation because they won most, and that
/// are kept where not all are.
pub(super) const BEST: usize = 5;

/// The source of a saved network.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CandidateSource {
    /// The network after this round, counted from 1.
    Round(u64),
    /// The mean of the weights of the last rounds.
    Average,
}

impl CandidateSource {
    /// Returns the path of the network's file, relative to the output folder.
    pub fn file(self) -> String {
        match self {
            Self::Round(number) => format!("checkpoints/{number:04}.safetensors"),
            Self::Average => "checkpoints/average.safetensors".to_owned(),
        }
    }
}

impl Display for CandidateSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round(number) => write!(f, "{number}"),
            Self::Average => f.write_str("average"),
        }
    }
}

/// A candidate for publication.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub kept: CandidateSource,
    pub figures: Figures,
    /// Results of the candidate in the final validation, if it took part.
    pub second: Option<Won>,
}

impl Candidate {
    pub fn new(kept: CandidateSource, figures: Figures) -> Self {
        Self {
            kept,
            figures,
            second: None,
        }
    }
}

/// Returns the indices of the candidates, the best ones first: by wins, the later one in a tie. If
/// no games were played, by validation loss, the earlier one in a tie.
pub(super) fn ranked(candidates: &[Candidate]) -> Vec<usize> {
    let figures = |index: usize| candidates[index].figures;
    let wins = |index: usize| figures(index).won.map(|won| won.wins);
    let mut ranked: Vec<_> = (0..candidates.len()).collect();
    if ranked.iter().any(|&index| wins(index).is_none()) {
        let loss = |index: usize| figures(index).validation_loss;
        ranked.sort_by(|&a, &b| loss(a).total_cmp(&loss(b)));
    } else {
        ranked.sort_by_key(|&index| Reverse((wins(index), index)));
    }
    ranked
}

/// Returns the indices of the candidates for the final validation, in ascending order. They are the
/// candidates with the most wins so far, the last round, and the mean of the last rounds if there
/// is one. If no games were played, only one candidate is returned: the one with the lowest
/// validation loss if `by_loss` is set, otherwise the last one.
pub(super) fn finalists(candidates: &[Candidate], by_loss: bool) -> Vec<usize> {
    let ranked = ranked(candidates);
    if candidates.iter().any(|of| of.figures.won.is_none()) {
        let last = candidates.len().checked_sub(1);
        let best = ranked.first().copied().filter(|_| by_loss);
        return best.or(last).into_iter().collect();
    }
    let last_round = candidates
        .iter()
        .rposition(|candidate| candidate.kept != CandidateSource::Average);
    let ranked = ranked.into_iter().enumerate();
    let mut finalists: Vec<_> = ranked
        .filter(|&(rank, index)| rank < BEST || Some(index) >= last_round)
        .map(|(_, index)| index)
        .collect();
    finalists.sort_unstable();
    finalists
}

/// Returns the finalist with the most wins in the final validation: the last one in a tie, or if no
/// games were played.
pub(super) fn best(candidates: &[Candidate], finalists: &[usize]) -> Option<usize> {
    finalists
        .iter()
        .copied()
        .max_by_key(|&index| (candidates[index].second.map(|won| won.wins), index))
}

/// The header of `checkpoints.csv`, whose rows are the saved networks: the number of the round or
/// `average`, its results in the validation and in the final one, and whether it is published.
const HEADER: &str = "checkpoint,validation_loss,games,wins,win_ratio,win_low,win_high,\
    second_games,second_wins,second_win_ratio,second_win_low,second_win_high,published\n";

/// Returns the text of `checkpoints.csv`.
pub(super) fn table(candidates: &[Candidate], published: usize) -> anyhow::Result<Vec<u8>> {
    let games = |won: Option<Won>| {
        let counts = won.map(|won| (won.games, won.wins)).unzip();
        let ends = won.map(|won| (won.win_low, won.win_high)).unzip();
        (counts, won.map(|won| won.win_ratio), ends)
    };
    let line = |(index, of): (usize, &Candidate)| {
        let validation = (of.figures.validation_loss, games(of.figures.won));
        let is_published = index == published;
        (
            of.kept.to_string(),
            validation,
            games(of.second),
            is_published,
        )
    };
    let lines: Vec<_> = candidates.iter().enumerate().map(line).collect();
    Ok([HEADER.as_bytes(), &to_csv(&lines)?].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(wins: u64) -> Won {
        Won {
            games: 100,
            wins,
            win_ratio: 0.0,
            win_low: 0.0,
            win_high: 0.0,
        }
    }

    fn candidate(kept: CandidateSource, wins: Option<u64>) -> Candidate {
        let figures = Figures {
            validation_loss: 0.5,
            largest_difference: 0.0,
            won: wins.map(won),
        };
        Candidate::new(kept, figures)
    }

    fn with_average(wins: [Option<u64>; 9]) -> Vec<Candidate> {
        let kept = (1..9)
            .map(CandidateSource::Round)
            .chain([CandidateSource::Average]);
        kept.zip(wins)
            .map(|(kept, wins)| candidate(kept, wins))
            .collect()
    }

    #[test]
    fn the_five_best_the_last_round_and_the_average_are_looked_at_again() {
        let candidates = with_average([90, 10, 80, 80, 70, 70, 70, 20, 30].map(Some));
        // Rounds 5 to 7 tie, and the later two of them are chosen.
        assert_eq!(finalists(&candidates, false), [0, 2, 3, 5, 6, 7, 8]);
        assert_eq!(finalists(&candidates[..3], false), [0, 1, 2]);
        assert_eq!(finalists(&candidates[..1], false), [0]);
    }

    #[test]
    fn the_second_look_decides_and_of_equals_the_later_one() {
        let mut candidates = with_average([Some(50); 9]);
        for (index, wins) in [(1, 60), (4, 70), (6, 70), (8, 69)] {
            candidates[index].second = Some(won(wins));
        }
        assert_eq!(best(&candidates, &[1, 4, 6, 8]), Some(6));
    }

    #[test]
    fn where_nothing_was_played_the_last_is_published() {
        let candidates = with_average([None; 9]);
        assert_eq!(finalists(&candidates, false), [8]);
        assert_eq!(best(&candidates, &[8]), Some(8));
        assert_eq!(finalists(&candidates[..8], false), [7]);
    }
    #[test]
    fn without_games_the_lowest_validation_loss_decides_if_asked_for() {
        let mut candidates = with_average([None; 9]);
        for (index, loss) in [(2, 0.4), (5, 0.4), (7, 0.45)] {
            candidates[index].figures.validation_loss = loss;
        }
        assert_eq!(ranked(&candidates)[..4], [2, 5, 7, 0]);
        assert_eq!(finalists(&candidates, true), [2]);
        assert_eq!(finalists(&candidates, false), [8]);
    }
}
