//! What a stage takes: measured while it runs, in the file `cost.json` of its folder.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use mineflow_arena::{Charge, CpuAccount};
use mineflow_stage::kind::Kind;
use mineflow_store::{StoreError, read_record, write_record};

/// The file of a stage's folder; no seal has it.
pub(super) const FILE: &str = "cost.json";
const FORMAT: u64 = 1;

/// Stages begun by this process, and those that run.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// What a stage took, over all processes that worked on it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageCost {
    format: u64,
    /// Of all threads; of a stage that does not train, and beside which another one ran in the same process, of its thread and its
    /// workers. None where an earlier version of the program did not know it.
    pub cpu_seconds: Option<f64>,
    pub wall_seconds: f64,
    /// The most that the process held at once, in bytes; none where the system doesn't say, or another stage ran beside it.
    pub memory: Option<u64>,
}

impl StageCost {
    /// What is noted in a folder; `None` if nothing is.
    pub fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        read_record(&folder.join(FILE), FORMAT)
    }

    /// Adds this to what is noted in a folder.
    pub(super) fn add_to(self, folder: &Path) -> Result<(), StoreError> {
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

/// Runs on a stage's thread while the stage runs.
pub(super) struct CostClock {
    process: ProcessTime,
    wall: Instant,
    account: CpuAccount,
    charge: Charge,
    /// What was charged to all accounts before.
    charged_before: Duration,
    /// Whether the stage has threads of its own making, which are not charged. One such stage runs at a time.
    trains: bool,
    /// How many stages were begun with this one, if no other one ran.
    alone: Option<u64>,
}

impl CostClock {
    pub(super) fn start(kind: &Kind) -> Self {
        let others = RUNNING.fetch_add(1, Ordering::Relaxed);
        let begun = BEGUN.fetch_add(1, Ordering::Relaxed) + 1;
        if others == 0 {
            // From here on the peak is counted again; where that can't be said, it is that of the whole process.
            let _ = fs::write("/proc/self/clear_refs", "5");
        }
        let account = CpuAccount::default();
        Self {
            process: ProcessTime::now(),
            wall: Instant::now(),
            charge: account.charge(),
            account,
            charged_before: CpuAccount::charged_to_all(),
            trains: kind.trains(),
            alone: (others == 0).then_some(begun),
        }
    }

    pub(super) fn cost(&mut self) -> StageCost {
        let is_alone = self.alone == Some(BEGUN.load(Ordering::Relaxed));
        self.charge.note();
        let own = self.account.charged();
        let cpu = match is_alone || self.trains {
            // All that nothing else was charged with.
            true => (self.process.elapsed() + own).saturating_sub(CpuAccount::charged_to_all() - self.charged_before),
            false => own,
        };
        StageCost {
            format: FORMAT,
            cpu_seconds: Some(cpu.as_secs_f64()),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            memory: peak_memory().filter(|_| is_alone),
        }
    }
}

impl Drop for CostClock {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The most memory that this process held at once, in bytes.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"))?;
    Some(kib.trim().parse::<u64>().ok()? << 10)
}

/// Bytes of the files in a folder and below it; 0 if it is not there.
pub fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => folder_bytes(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}
