//! What the main paper reports. Only here are its figures written down.

/// Table 4 (section 5.3): win ratio in % on 9x9 with 10 mines. The paper gives no number of games.
pub(crate) const TABLE_4: [(&str, f64); 10] = [
    ("2.0", 82.14),
    ("2.5", 77.34),
    ("3.0", 82.20),
    ("3.5", 82.20),
    ("4.0", 86.24),
    ("4.5", 86.22),
    ("5.0", 92.02),
    ("5.5", 89.21),
    ("6.0", 87.58),
    ("6.5", 91.41),
];

/// Table 4: Buffet and others, with whom the paper compares.
pub(crate) const TABLE_4_OTHERS: f64 = 89.9;

/// Section 5.2.2: R^2 of the regression of alpha.
pub(crate) const ALPHA_R_SQUARED: f64 = 0.27;

/// Section 5.3: from this mine ratio on, versions 5.0 to 6.5 are like those before.
pub(crate) const LEARNED_ARE_ALIKE_FROM: f64 = 0.19;

/// The win ratio on the standard board as table 4 has it, 0 to 1.
pub(crate) fn table_4(player: &str) -> Option<f64> {
    TABLE_4.iter().find(|&&(name, _)| name == player).map(|&(_, percent)| percent / 100.0)
}
