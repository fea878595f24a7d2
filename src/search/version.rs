//! Player versions: a hash that changes whenever a player's moves may change.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The number of hexadecimal digits of a version.
const DIGITS: usize = 12;

/// Returns the first 12 hexadecimal digits of a SHA-256 hash of the canonical text of a player, the
/// hashes of the models that it loads, and the revision of the program's players. Rows of results
/// contain the version, so that a table can be compared with the current players.
pub fn version(text: &str, models: &[&str], revision: u32) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{text}\n"));
    for model in models {
        hash.update(format!("model {model}\n"));
    }
    hash.update(format!("revision {revision}\n"));
    let mut digits = String::new();
    for byte in &hash.finalize()[..DIGITS / 2] {
        write!(digits, "{byte:02x}").expect("text can be written to memory");
    }
    digits
}
