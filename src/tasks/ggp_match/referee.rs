//! The referee, which plays the matches of a pairing.

use anyhow::Result;
use std::{collections::BTreeSet, ops::Range, time::Duration};

use cpu_time::ThreadTime;

use super::{
    MatchEvent, Matches, Pairing,
    record::{CostRow, MatchRow},
    venue::{Stage, Venue},
};
use crate::{
    ggp::name_of,
    ggp_fault::fault_of,
    ggp_game::{Compiled, Engines, Game},
};
use mineflow_arena::numbers::round;
use mineflow_gdl::{
    ExactValues, PlayError,
    player::{
        Algorithm, Explored, GameWalk, GdlPlayer, MacUcbPlayer, MacUcbSettings, PlayerEffort,
        StageNetwork, UctPlayer,
    },
};
use mineflow_rng::{Rng, Seed};

/// The resources that the matches of a pairing share.
pub(super) struct Referee<'a> {
    matches: &'a Matches,
    pairing: Pairing<'a>,
    game: &'a Game,
    /// Shared resources of players that use the constraint network.
    stage: Option<&'a Stage>,
    /// The values by which the luck of chance is measured, if it is.
    exact: Option<&'a ExactValues>,
}

/// A player of a series, with the state that it keeps from match to match.
struct Player<'a> {
    /// Index of the player in the line-up.
    number: usize,
    /// The algorithm that chooses the moves; `None` for a random player.
    player: Option<Box<dyn GdlPlayer + 'a>>,
    /// The player's cache of explored leaves.
    explored: Explored,
}

/// A role other than chance, with its player.
struct Seat<'a> {
    role: usize,
    player: Player<'a>,
    before: PlayerEffort,
    rng: Rng,
    time: Duration,
}

/// How a match went.
struct PlayedMatch {
    steps: usize,
    /// Whether the game ended before the horizon.
    ended: bool,
    /// The reward of each role, 0 to 1; 0 if the game did not end.
    rewards: Vec<f64>,
    /// The luck of each role; empty if it is not measured.
    luck: Vec<f64>,
}

impl Player<'_> {
    fn effort(&self) -> PlayerEffort {
        self.player
            .as_ref()
            .map_or_else(PlayerEffort::default, |player| player.effort())
    }
}

impl Seat<'_> {
    fn effort(&self) -> PlayerEffort {
        self.player.effort().since(self.before)
    }
}

impl<'a> Referee<'a> {
    pub fn new(matches: &'a Matches, pairing: Pairing<'a>, venue: &'a Venue) -> Result<Self> {
        Ok(Self {
            matches,
            pairing,
            game: venue.game()?,
            stage: venue.stage(pairing.players)?,
            exact: match matches.luck_corrected {
                true => Some(venue.exact()?),
                false => None,
            },
        })
    }

    /// Plays consecutive matches and returns their rows, or `None` if interrupted. Players keep
    /// their trees and caches between the matches.
    pub fn play_row(
        &self,
        indices: Range<u32>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<(MatchRow, CostRow)>>> {
        let mut resting = Vec::new();
        let mut played = Vec::with_capacity(indices.len());
        for index in indices.clone() {
            if index > indices.start && is_over() {
                return Ok(None);
            }
            played.push(self.play(index, &mut resting)?);
        }
        Ok(Some(played))
    }

    /// Plays a match with the players in `resting`, and creates those that are missing. Afterwards,
    /// all players are in `resting` for the next match.
    fn play(&self, index: u32, resting: &mut Vec<Player<'a>>) -> Result<(MatchRow, CostRow)> {
        let place = index % self.matches.matches;
        let seed = Seed::new(self.matches.seed).child("match", u64::from(place));
        let engines = self.game.engines()?;
        let mut seats = self.seat(place, seed, &engines, resting);
        let played = self.moves(seed, &engines, &mut seats)?;
        let rows = self.record(index, &played, &seats);
        resting.extend(seats.into_iter().map(|seat| seat.player));
        Ok(rows)
    }

    /// Seats the players of a match: one for each role other than chance.
    fn seat(
        &self,
        place: u32,
        seed: Seed,
        engines: &Engines<'a>,
        resting: &mut Vec<Player<'a>>,
    ) -> Vec<Seat<'a>> {
        let chance = engines.chance();
        let roles: Vec<usize> = (0..engines.roles())
            .filter(|&role| Some(role) != chance)
            .collect();
        let players = self.pairing.players.len();
        let mut seats = Vec::with_capacity(roles.len());
        for (seat, &role) in roles.iter().enumerate() {
            let number = player_of(seat, place, roles.len(), players);
            let player = match resting.iter().position(|player| player.number == number) {
                Some(place) => resting.remove(place),
                None => self.player(number, engines),
            };
            seats.push(Seat {
                role,
                before: player.effort(),
                player,
                rng: seed.child("player", seat as u64).rng(),
                time: Duration::ZERO,
            });
        }
        seats
    }

    /// Plays the moves of a match.
    ///
    /// # Errors
    /// Returns an error if the rules of the game are at fault.
    fn moves(
        &self,
        seed: Seed,
        engines: &Engines<'a>,
        seats: &mut [Seat<'a>],
    ) -> Result<PlayedMatch> {
        let matches = self.matches;
        let Pairing { sheet, players } = self.pairing;
        let mut rng = seed.child("chance", 0).rng();
        let mut table = GameWalk::over(engines.engine(), engines.chance(), matches.horizon);
        table.start();
        let mut engine = engines.engine();
        let mut luck = self
            .exact
            .map_or_else(Vec::new, |exact| exact.advantage(&table.state()));
        let mut steps = 0;
        while !table.is_terminal() && steps < matches.horizon {
            let state = table.state();
            let mut joint = vec![None; engines.roles()];
            for seat in &mut *seats {
                let budget = players[seat.player.number].budget.unwrap_or(matches.budget);
                let Some(player) = &mut seat.player.player else {
                    continue;
                };
                let clock = ThreadTime::now();
                let explored = &mut seat.player.explored;
                joint[seat.role] =
                    Some(player.choose(&state, seat.role, budget, explored, &mut seat.rng));
                seat.time += clock.elapsed();
            }
            table.step(|role| joint[role], &mut rng);
            if let Some(exact) = self.exact {
                let of_step = exact.luck(&mut *engine, &state, table.joint(), &table.state());
                luck.iter_mut()
                    .zip(of_step)
                    .for_each(|(all, of)| *all += of);
            }
            steps += 1;
        }
        if let Some(fault) = table.fault() {
            return Err(fault_of(sheet)(fault));
        }
        if let Some(role) = table.stuck() {
            return Err(fault_of(sheet)(PlayError::Stuck {
                role: engines.role_name(role),
                steps,
            }));
        }
        let ended = table.is_terminal();
        let rewards = match ended {
            true => table.rewards().to_vec(),
            false => vec![0.0; engines.roles()],
        };
        Ok(PlayedMatch {
            steps,
            ended,
            rewards,
            luck,
        })
    }

    /// Returns the rows of a match that was played in these seats.
    fn record(&self, index: u32, played: &PlayedMatch, seats: &[Seat<'_>]) -> (MatchRow, CostRow) {
        let Pairing { sheet, players } = self.pairing;
        let of_effort = |value: fn(PlayerEffort) -> u64| -> Vec<u64> {
            seats.iter().map(|seat| value(seat.effort())).collect()
        };
        let row = MatchRow {
            index,
            game: (self.matches.sheets.len() > 1).then(|| name_of(sheet)),
            players: seats
                .iter()
                .map(|seat| players[seat.player.number].to_string())
                .collect(),
            goals: seats
                .iter()
                .map(|seat| (100.0 * played.rewards[seat.role]).round())
                .collect(),
            steps: played.steps,
            ended: played.ended,
            moves: of_effort(|effort| effort.moves),
            samples: of_effort(|effort| effort.samples),
            explored: of_effort(|effort| effort.explored),
            stages: of_effort(|effort| effort.stages_solved),
            certain_cuts: of_effort(|effort| effort.certain_cuts),
            confidence_cuts: of_effort(|effort| effort.confidence_cuts),
            luck: seats
                .iter()
                .filter_map(|seat| Some(round(*played.luck.get(seat.role)?, 6)))
                .collect(),
        };
        let seconds = |time: Duration| round(time.as_secs_f64(), 4);
        let cost = CostRow {
            index,
            cpu_seconds: seats.iter().map(|seat| seconds(seat.time)).collect(),
            solving_seconds: seats
                .iter()
                .map(|seat| seconds(seat.effort().solving))
                .collect(),
        };
        (row, cost)
    }

    /// Creates a player without any knowledge of the game.
    fn player(&self, number: usize, engines: &Engines<'a>) -> Player<'a> {
        let horizon = self.matches.horizon;
        let chance = engines.chance();
        let player: Option<Box<dyn GdlPlayer + 'a>> =
            match (&self.pairing.players[number].algorithm, engines, self.stage) {
                (Algorithm::Uct(settings), ..) => {
                    let walk = GameWalk::over(engines.engine(), chance, horizon);
                    Some(Box::new(UctPlayer::new(walk, settings.clone())))
                }
                (Algorithm::MacUcb(settings), Engines::Net(compiled), Some(stage)) => {
                    let Compiled { grounding, net } = compiled;
                    let network =
                        StageNetwork::new(grounding, &stage.network, stage.solver.clone());
                    let own = settings.horizon.unwrap_or(horizon);
                    let settings = MacUcbSettings {
                        horizon: Some(own.min(horizon)),
                        ..*settings
                    };
                    let player = MacUcbPlayer::new(net, chance, network, settings);
                    Some(Box::new(player))
                }
                (Algorithm::MacUcb(_), ..) => {
                    unreachable!("a line-up with MAC-UCB is refused without a constraint network")
                }
                (Algorithm::Random, ..) => None,
            };
        Player {
            number,
            player,
            explored: Explored::new(chance, self.matches.most_explored),
        }
    }
}

/// Creates a referee for each pairing with missing matches, and `None` for every other pairing.
/// `report` receives the notes on the sheets of games with missing matches.
pub(super) fn referees<'a>(
    matches: &'a Matches,
    venues: &'a [Venue],
    missing: &BTreeSet<usize>,
    report: &mut dyn FnMut(MatchEvent),
) -> Result<Vec<Option<Referee<'a>>>> {
    let line_ups = matches.line_ups.len();
    let mut referees = Vec::new();
    for (place, pairing) in matches.pairings().enumerate() {
        let venue = &venues[place / line_ups];
        let is_first = missing.range(place / line_ups * line_ups..).next() == Some(&place);
        if is_first {
            venue
                .game()?
                .notes()
                .into_iter()
                .for_each(|note| report(MatchEvent::Note(note)));
        }
        let referee = missing
            .contains(&place)
            .then(|| Referee::new(matches, pairing, venue));
        referees.push(referee.transpose()?);
    }
    Ok(referees)
}

/// Returns the index in the line-up of the player in this seat of match `place` of a pairing. Seats
/// number the roles other than chance; `roles` is the number of seats, and `players` the number of
/// players.
fn player_of(seat: usize, place: u32, roles: usize, players: usize) -> usize {
    ((seat + place as usize) % players.max(roles)).min(players - 1)
}
