//! What the English paper of MAC-UCB reports. Only here and in `mac-ucb.csv` are its figures written down.

use serde::Deserialize;

const GAMES: &str = include_str!("mac-ucb.csv");

/// Figure 6: where the best share of solving lies in every game.
pub(crate) const BEST_SHARES: std::ops::RangeInclusive<f64> = 0.86..=0.94;

/// Section 5.2: what everybody reaches in Orchard, which is the optimum.
pub(crate) const ORCHARD: f64 = 0.70;

/// A game in the paper's tables.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct PaperGame {
    game: String,
    /// Table 2: the network of a stage, and how long it takes.
    pub(crate) variables: u64,
    pub(crate) largest_domain: u64,
    pub(crate) constraints: u64,
    pub(crate) seconds: u64,
    /// Table 3, 30 seconds a move: wins in per cent of MAC-UCB against UCT, of MAC-UCB against FC-UCB, of FC-UCB against UCT. Orchard is
    /// cooperative: there it is MAC-UCB, MAC-UCB and FC-UCB alone, as the row's note has it.
    pub(crate) mac_ucb_uct: f64,
    pub(crate) mac_ucb_fc_ucb: f64,
    pub(crate) fc_ucb_uct: f64,
    /// Table 4: wins in per cent of MAC-UCB against UCT with 1 and with 60 seconds a move.
    pub(crate) one_second: f64,
    pub(crate) sixty_seconds: f64,
}

/// What the tables have of a game.
pub(crate) fn game(name: &str) -> Option<PaperGame> {
    let games = csv::Reader::from_reader(GAMES.as_bytes()).into_deserialize();
    games.map(|game| game.expect("the table is right: a test reads it")).find(|game: &PaperGame| game.game == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        assert_eq!(GAMES.lines().count(), 16);
        let last = game("yahtzee").unwrap();
        assert_eq!((last.variables, last.fc_ucb_uct, last.sixty_seconds), (12, 58.6, 78.9));
        assert_eq!(game("go"), None);
    }
}
