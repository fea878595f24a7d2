//! Free memory, and memory sizes as users write them.

use std::{fs, path::Path, str::FromStr};

/// A number of bytes, written as `800MiB` or `4GiB`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
        let bytes = units.iter().find_map(|(unit, bits)| {
            let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(1 << bits)
        });
        bytes.map(Self).ok_or_else(|| {
            format!(
                "`{text}` is not a size; write a whole number of KiB, MiB, GiB or TiB such as 4GiB"
            )
        })
    }
}

/// Returns the memory in bytes that this process may still take, or `u64::MAX` if the system
/// doesn't report it.
pub fn free() -> u64 {
    free_of(|file| fs::read_to_string(file).unwrap_or_default())
}

/// Returns the free memory according to the files that `text` reads. It is the least of the free
/// memory of the machine, the room in each control group around the process (version 1 and 2), and
/// the process's limits of address space and data (`ulimit -v` and `ulimit -d`).
pub fn free_of(text: impl Fn(&str) -> String) -> u64 {
    // The first number of the first line that begins with `name`.
    let number = |text: &str, name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))?
            .split_whitespace()
            .next()?
            .parse::<u64>()
            .ok()
    };
    let kib = |text: &str, name: &str| Some(number(text, name)? << 10);
    let status = text("/proc/self/status");
    let limits = text("/proc/self/limits");
    let room = |most: Option<u64>, used: Option<u64>| Some(most?.saturating_sub(used?));
    let mut free = vec![
        kib(&text("/proc/meminfo"), "MemAvailable:"),
        room(
            number(&limits, "Max address space"),
            kib(&status, "VmSize:"),
        ),
        room(number(&limits, "Max data size"), kib(&status, "VmData:")),
    ];
    for line in text("/proc/self/cgroup").lines() {
        // A line is `NUMBER:CONTROLLERS:PATH`. The line of version 2 names no controllers.
        let mut fields = line.splitn(3, ':').skip(1);
        let (folder, [most, used, cached]) = match fields.next() {
            Some("") => ("", ["max", "current", "inactive_file"]),
            Some(controllers) if controllers.split(',').any(|name| name == "memory") => (
                "memory",
                ["limit_in_bytes", "usage_in_bytes", "total_inactive_file"],
            ),
            _ => continue,
        };
        let group = fields.next().unwrap_or_default().trim_start_matches('/');
        for group in Path::new(group).ancestors() {
            let at = Path::new("/sys/fs/cgroup").join(folder).join(group);
            let text = |file: &str| text(&at.join(format!("memory.{file}")).to_string_lossy());
            // The system drops cached files that were not read lately before it refuses memory.
            let cached = number(&text("stat"), cached).unwrap_or(0);
            let used = number(&text(used), "").map(|used| used.saturating_sub(cached));
            free.push(room(number(&text(most), ""), used));
        }
    }
    free.into_iter().flatten().min().unwrap_or(u64::MAX)
}
