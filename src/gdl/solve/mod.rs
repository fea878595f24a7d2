//! Games small enough to look at every state: what each role can expect, exactly, of best play, of random play and of flat
//! Monte-Carlo without end, against each other.
//!
//! States are found by a walk from the start and valued after the states that follow them; where states lead back to one
//! another (strongly connected components), their values are raised from 0 until they stay, so that play which never ends is
//! worth nothing.
//!
//! Chance and a random player take each legal action equally often. Best play follows the convention of
//! [`super::player::Explored`]: where one role has a choice it knows it and takes what is best for itself; roles that choose
//! at once are averaged over. Among equal actions, flat and perfect play take each as often.

mod backup;
mod walk;

use super::engine::GameEngine;
use super::error::{PlayError, SheetError};
use backup::Backup;
use walk::Walk;

/// How a role moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Random,
    /// The best reply to how the others play: no player gets more against them.
    Best,
    /// As if the others were at their best, whatever they do.
    Perfect,
    /// Flat Monte-Carlo with play-outs without end: the action after which random play of all gives most.
    Flat,
}

/// Who plays how, and what each role can expect then.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayValue {
    /// Of each role; chance is [`Way::Random`].
    pub ways: Vec<Way>,
    /// The expected goal of each role, 0 to 100.
    pub goals: Vec<f64>,
}

/// The values of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// States that can be reached.
    pub states: usize,
    pub values: Vec<PlayValue>,
}

/// Why a game was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error("the game has more than {most} states; --most-states N allows more, at up to 500 bytes each")]
    TooLarge { most: usize },
}

impl From<PlayError> for Unsolved {
    fn from(error: PlayError) -> Self {
        Self::Sheet(error.into())
    }
}

/// Solves the game that `engine` plays, if it has at most `most_states` states; `chance` is the role that chance plays, and
/// `name` gives the name of a role.
///
/// # Errors
/// A faulty sheet; a game with more states.
pub fn solve(
    engine: &mut dyn GameEngine,
    chance: Option<usize>,
    most_states: usize,
    name: &dyn Fn(usize) -> String,
) -> Result<Solution, Unsolved> {
    let roles = engine.roles();
    let pairings = pairings(roles, chance);
    let mut walk = Walk::new(engine, chance, Backup::new(&pairings, roles, chance), name);
    let root = walk.all(most_states)?;
    let values = pairings.into_iter().zip(root).map(|(ways, goals)| PlayValue { ways, goals }).collect();
    Ok(Solution { states: walk.states(), values })
}

/// All at random first and then all at their best, as flat and perfect play ask for these values; then each role in one way, the
/// others in another.
fn pairings(roles: usize, chance: Option<usize>) -> Vec<Vec<Way>> {
    let players: Vec<usize> = (0..roles).filter(|&role| Some(role) != chance).collect();
    let all = |own: Way, others: Way, player: Option<usize>| -> Vec<Way> {
        let way = |role| match role {
            role if Some(role) == chance => Way::Random,
            role if Some(role) == player => own,
            _ => others,
        };
        (0..roles).map(way).collect()
    };
    let mut pairings = vec![all(Way::Random, Way::Random, None), all(Way::Best, Way::Best, None)];
    let apart = [
        (Way::Best, Way::Random),
        (Way::Perfect, Way::Random),
        (Way::Flat, Way::Random),
        (Way::Best, Way::Flat),
        (Way::Perfect, Way::Flat),
    ];
    for (own, others) in apart {
        pairings.extend(players.iter().map(|&player| all(own, others, Some(player))));
    }
    // A game of one role has no others.
    let mut kept: Vec<Vec<Way>> = Vec::new();
    for ways in pairings {
        if !kept.contains(&ways) {
            kept.push(ways);
        }
    }
    kept
}
