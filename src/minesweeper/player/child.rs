//! The process of a program that plays, and the socket that is its stdin and stdout.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child as Process, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::program::Program;

/// The time for a program to end after `quit`.
const GRACE: Duration = Duration::from_millis(300);
/// A move may take this many times its CPU time by the clock.
const SILENCE: u32 = 10;
/// The maximum length of a line, in bytes.
const LONGEST: u64 = 1 << 20;

/// The process groups of all programs that run now.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends the programs of all players at once. Call this before the process exits early.
pub fn end_programs() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    groups.iter().copied().for_each(kill);
}

/// Ends all processes of a group.
fn kill(group: u32) {
    // SAFETY: the call only sends a signal; a group that has ended is an error, which is ignored.
    unsafe { libc::kill(-(group as i32), libc::SIGKILL) };
}

/// A running program.
#[derive(Debug)]
pub(super) struct Child {
    process: Process,
    socket: BufReader<UnixStream>,
}

impl Child {
    /// Starts the program. Its stderr is appended to the log if there is one.
    pub(super) fn start(program: &Program) -> Result<Self, String> {
        let start = || {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_write_timeout(Some(SILENCE * Duration::from_secs_f64(program.time)))?;
            let stderr = match program.log.get() {
                Some(log) => File::options().create(true).append(true).open(log)?.into(),
                None => Stdio::inherit(),
            };
            // `exec` lets the program take the place of the shell.
            let process = Command::new("sh")
                .args(["-c", &format!("exec {}", program.command)])
                .current_dir(&program.folder)
                .stdin(OwnedFd::from(theirs.try_clone()?))
                .stdout(OwnedFd::from(theirs))
                .stderr(stderr)
                .process_group(0)
                .spawn()?;
            let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
            groups.push(process.id());
            let socket = BufReader::new(ours);
            Ok(Self { process, socket })
        };
        start().map_err(|error: io::Error| format!("it can't be started: {error}"))
    }

    /// Returns the CPU seconds that the program has used, with those of its ended children. The
    /// result is 0 on systems without `/proc`.
    pub(super) fn cpu_seconds(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.unwrap_or_default();
        // The name of the program, in brackets, may contain blanks. The state follows it, and the
        // four times are 11 fields later, in hundredths of a second.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let times = fields.split_ascii_whitespace().skip(11).take(4);
        times
            .filter_map(|time| time.parse::<f64>().ok())
            .sum::<f64>()
            / 100.0
    }

    pub(super) fn send(&mut self, text: &str) -> Result<(), String> {
        let sent = self.socket.get_mut().write_all(text.as_bytes());
        sent.map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => "it reads nothing".to_owned(),
            _ => "it ended".to_owned(),
        })
    }

    /// Waits for the next line: for the CPU time `limit`, and for [`SILENCE`] times as long by the
    /// clock. The first quarter of the time is measured by the clock, which costs nothing.
    pub(super) fn line(&mut self, limit: Duration) -> Result<String, String> {
        if self.socket.buffer().is_empty() {
            let set = self.socket.get_ref().set_read_timeout(Some(limit / 4));
            set.map_err(|error| error.to_string())?;
        }
        let mut line = Vec::new();
        let mut waits = None;
        loop {
            let mut socket = self.socket.by_ref().take(LONGEST);
            match socket.read_until(b'\n', &mut line) {
                Ok(_) if line.ends_with(b"\n") => {
                    return Ok(String::from_utf8_lossy(&line).trim().to_owned());
                }
                _ if line.len() as u64 >= LONGEST => {
                    return Err(format!("it wrote a line of {LONGEST} bytes"));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                _ => return Err("it ended".to_owned()),
            }
            let cpu = self.cpu_seconds();
            let (since, before) = *waits.get_or_insert_with(|| (Instant::now(), cpu));
            let limit = limit.as_secs_f64();
            if cpu - before >= 0.75 * limit {
                return Err(format!("it used more than {limit} s for a move"));
            }
            let most = f64::from(SILENCE) * limit;
            if since.elapsed().as_secs_f64() >= most - 0.25 * limit {
                return Err(format!("it was silent for {most} s"));
            }
        }
    }
}

impl Drop for Child {
    /// Asks the program to end and, after [`GRACE`], ends all processes of its group.
    fn drop(&mut self) {
        let _ = self.send("quit\n");
        let socket = self.socket.get_ref();
        let _ = socket.shutdown(Shutdown::Write);
        let _ = socket.set_read_timeout(Some(GRACE));
        let began = Instant::now();
        while began.elapsed() < GRACE && self.socket.read(&mut [0; 4096]).is_ok_and(|n| n > 0) {}
        let group = self.process.id();
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.retain(|&other| other != group);
        // The number of the group stays taken until the process is waited for.
        kill(group);
        let _ = self.process.wait();
    }
}
