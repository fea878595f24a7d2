//! What a stage takes: measured while it runs, in the file `cost.json` of its folder.

use std::fs;
use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use mineflow_store::{StoreError, read_record, write_record};

/// The file of a stage's folder; no seal has it.
pub const FILE: &str = "cost.json";
const FORMAT: u64 = 1;

/// What a stage took, over all processes that worked on it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageCost {
    format: u64,
    /// Of all threads. `None` where an earlier version of the program did not know it.
    pub cpu_seconds: Option<f64>,
    pub wall_seconds: f64,
    /// The most memory that the process held at once, in bytes; `None` where the system doesn't say.
    pub memory: Option<u64>,
}

impl StageCost {
    /// What is noted in a folder; `None` if nothing is.
    pub fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        read_record(&folder.join(FILE), FORMAT)
    }

    /// Adds this to what is noted in a folder.
    pub fn add_to(self, folder: &Path) -> Result<(), StoreError> {
        // A note that can't be read says nothing, and stops no work.
        let all = match Self::read(folder).unwrap_or_default() {
            None => self,
            Some(before) => Self {
                cpu_seconds: before.cpu_seconds.zip(self.cpu_seconds).map(|(a, b)| a + b),
                wall_seconds: before.wall_seconds + self.wall_seconds,
                memory: before.memory.zip(self.memory).map(|(a, b)| a.max(b)),
                ..self
            },
        };
        write_record(&folder.join(FILE), &all)
    }
}

/// Measures a stage while it runs.
pub struct CostClock {
    process: ProcessTime,
    wall: Instant,
}

impl CostClock {
    pub fn start() -> Self {
        // From here on the peak of memory is counted again; where that can't be said, it is that of the whole process.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self {
            process: ProcessTime::now(),
            wall: Instant::now(),
        }
    }

    pub fn cost(&self) -> StageCost {
        StageCost {
            format: FORMAT,
            cpu_seconds: Some(self.process.elapsed().as_secs_f64()),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            memory: peak_memory(),
        }
    }
}

/// The most memory that this process held at once, in bytes.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"))?;
    Some(kib.trim().parse::<u64>().ok()? << 10)
}
