//! The cost of a stage, measured while it runs and stored in `cost.json` of its folder.

use std::{fs, path::Path, time::Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use mineflow_store::{StoreError, read_record, write_record};

/// The file in a stage's folder. The folder's seal does not include this file.
pub const FILE: &str = "cost.json";
const FORMAT: u64 = 1;

/// The cost of a stage, over all processes that worked on it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageCost {
    format: u64,
    /// CPU seconds of all threads. `None` if an earlier version of the program did not record them.
    pub cpu_seconds: Option<f64>,
    pub wall_seconds: f64,
    /// Peak memory of the process, in bytes; `None` if the system does not report it.
    pub memory: Option<u64>,
}

impl StageCost {
    /// Returns the cost recorded in a folder, or `None` if no cost is recorded.
    fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        read_record(&folder.join(FILE), FORMAT)
    }

    /// Adds this cost to the cost recorded in a folder.
    pub fn add_to(self, folder: &Path) -> Result<(), StoreError> {
        // An unreadable record is ignored, so that it does not stop any work.
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

/// Measures the cost of a stage while it runs.
pub struct CostClock {
    process: ProcessTime,
    wall: Instant,
}

impl CostClock {
    pub fn start() -> Self {
        // Reset the peak memory. If the system doesn't allow this, the measured peak is that since
        // the process started.
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

/// Returns the peak memory of this process in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"))?;
    Some(kib.trim().parse::<u64>().ok()? << 10)
}
