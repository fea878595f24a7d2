//! Free memory, and memory sizes as users write them.

use std::fs;
use std::str::FromStr;

/// A number of bytes, written as `800MiB` or `4GiB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bytes(pub(super) u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
        let unit = units
            .iter()
            .find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, bits)));
        let bytes =
            unit.and_then(|(number, bits)| number.parse::<u64>().ok()?.checked_mul(1 << bits));
        bytes.map(Self).ok_or_else(|| {
            format!(
                "`{text}` is not a size; write a whole number of KiB, MiB, GiB or TiB such as 4GiB"
            )
        })
    }
}

/// Returns the free memory in bytes: of this machine, or of its control group if that is less. Returns `u64::MAX` if the system
/// doesn't report it.
pub(super) fn free() -> u64 {
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:")?.strip_suffix("kB"));
    let free = available
        .and_then(|kib| kib.trim().parse::<u64>().ok())
        .map_or(u64::MAX, |kib| kib << 10);
    let number = |file: &str| {
        fs::read_to_string(format!("/sys/fs/cgroup/{file}"))
            .ok()?
            .trim()
            .parse::<u64>()
            .ok()
    };
    let group = number("memory.max")
        .zip(number("memory.current"))
        .map(|(most, taken)| most.saturating_sub(taken));
    free.min(group.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_whole_numbers_with_a_unit() {
        assert_eq!("4GiB".parse(), Ok(Bytes(4 << 30)));
        assert_eq!("800MiB".parse(), Ok(Bytes(800 << 20)));
        for wrong in ["", "4", "GiB", "-1GiB", "1.5GiB", "99999999999TiB"] {
            assert!(wrong.parse::<Bytes>().is_err(), "{wrong}");
        }
    }
}
