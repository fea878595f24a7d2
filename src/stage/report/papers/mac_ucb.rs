//! What the English paper of MAC-UCB reports, to stand beside what is measured here. Only here are its figures written down.

/// Table 2: variables, largest domain, constraints and seconds of each game.
const TABLE_2: [(&str, [u32; 4]); 15] = [
    ("awale", [19, 37, 73, 94]),
    ("backgammon", [76, 768, 86, 347]),
    ("bomberman", [145, 64, 42, 31]),
    ("cant-stop", [16, 1296, 409, 248]),
    ("checkers", [86, 262_144, 52, 43]),
    ("chess", [71, 4096, 50, 76]),
    ("chinese-checkers", [103, 192, 87, 54]),
    ("hex", [22, 6561, 27, 91]),
    ("kaseklau", [18, 7776, 106, 35]),
    ("orchard", [9, 146_410, 40, 12]),
    ("othello", [81, 65, 29, 51]),
    ("pacman", [93, 64, 22, 36]),
    ("pickomino", [29, 1_679_616, 223, 172]),
    ("tic-tac-toe", [19, 18, 37, 0]),
    ("yahtzee", [12, 30, 8862, 182]),
];

/// Table 3, 30 seconds a move: wins in per cent of MAC-UCB against UCT, of MAC-UCB against FC-UCB, of FC-UCB against UCT.
/// Orchard is cooperative: there it is MAC-UCB, MAC-UCB and FC-UCB alone, as the row's note has it.
const TABLE_3: [(&str, [f64; 3]); 15] = [
    ("awale", [56.7, 77.7, 43.2]),
    ("backgammon", [68.2, 84.8, 47.3]),
    ("bomberman", [65.4, 75.7, 58.4]),
    ("cant-stop", [71.7, 65.9, 54.7]),
    ("checkers", [61.2, 76.9, 57.5]),
    ("chess", [53.8, 68.5, 39.4]),
    ("chinese-checkers", [55.4, 78.1, 32.7]),
    ("hex", [69.7, 73.2, 55.3]),
    ("kaseklau", [71.4, 58.9, 68.3]),
    ("orchard", [70.2, 70.2, 70.0]),
    ("othello", [79.3, 75.1, 61.3]),
    ("pacman", [69.1, 74.1, 61.8]),
    ("pickomino", [63.4, 65.9, 52.1]),
    ("tic-tac-toe", [65.7, 51.8, 64.9]),
    ("yahtzee", [71.2, 74.0, 58.6]),
];

/// Table 4: wins in per cent of MAC-UCB against UCT with 1 and with 60 seconds a move.
const TABLE_4: [(&str, [f64; 2]); 15] = [
    ("awale", [38.6, 63.0]),
    ("backgammon", [53.1, 79.6]),
    ("bomberman", [58.3, 75.6]),
    ("cant-stop", [50.3, 78.9]),
    ("checkers", [43.4, 75.7]),
    ("chess", [34.0, 60.8]),
    ("chinese-checkers", [27.4, 65.4]),
    ("hex", [54.7, 72.5]),
    ("kaseklau", [63.6, 75.1]),
    ("orchard", [65.3, 70.2]),
    ("othello", [61.9, 84.9]),
    ("pacman", [64.4, 70.5]),
    ("pickomino", [52.4, 68.6]),
    ("tic-tac-toe", [63.6, 65.4]),
    ("yahtzee", [43.5, 78.9]),
];

/// Figure 6: where the best share of solving lies in every game.
pub(crate) const BEST_SHARES: std::ops::RangeInclusive<f64> = 0.86..=0.94;

/// Section 5.2: what everybody reaches in Orchard, which is the optimum.
pub(crate) const ORCHARD: f64 = 0.70;

/// Variables, largest domain, constraints, seconds.
pub(crate) fn table_2(game: &str) -> Option<[u32; 4]> {
    of(&TABLE_2, game)
}

/// In per cent; [`TABLE_3`] names the three.
pub(crate) fn table_3(game: &str) -> Option<[f64; 3]> {
    of(&TABLE_3, game)
}

/// In per cent, with 1 and with 60 seconds a move.
pub(crate) fn table_4(game: &str) -> Option<[f64; 2]> {
    of(&TABLE_4, game)
}

fn of<T: Copy>(table: &[(&str, T)], game: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == game).map(|&(_, figures)| figures)
}
