//! The process of a program that plays, and the socket that is its stdin and stdout.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::Shutdown,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::{Child as Process, Command, Stdio},
    sync::Mutex,
    thread,
    time::Duration,
};

use super::Program;
use mineflow_store::lock;

/// The time for a program to start; a virtual machine on a busy machine starts in seconds.
const START: Duration = Duration::from_secs(30);
/// The time for a program to end after `quit`.
const GRACE: Duration = Duration::from_millis(300);
/// The maximum length of a line, in bytes.
const LONGEST: u64 = 1 << 20;
/// The maximum number of games that a program may play at once.
const MOST_AT_ONCE: u32 = 64;

/// The process groups of all programs that run now.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends the programs of all players at once. Call this before the process exits early.
pub fn end_programs() {
    lock(&GROUPS).iter().copied().for_each(kill);
}

/// Ends all processes of a group.
fn kill(group: u32) {
    // SAFETY: the call only sends a signal; a group that has ended is an error, which is ignored.
    unsafe { libc::kill(-(group as i32), libc::SIGKILL) };
}

/// A running program and what it has announced.
pub(super) struct Child {
    process: Process,
    socket: BufReader<UnixStream>,
    pub name: String,
    pub at_once: u32,
    /// As last read.
    cpu_seconds: f64,
}

impl Child {
    /// Starts the program, and waits for its name.
    pub fn start(program: &Program) -> Result<Self, String> {
        let child = Self::spawn(program);
        let mut child = child.map_err(|error| format!("it can't be started: {error}"))?;
        // A program that has ended already may have written why.
        let _ = child.send("mineflow 1\n");
        while child.name.is_empty() {
            let line = child.line();
            let line = line.map_err(|why| format!("{why} before it wrote `name NAME`"))?;
            let (word, rest) = line.split_once(' ').unwrap_or_default();
            match (word, rest.parse()) {
                ("name", _) => rest.clone_into(&mut child.name),
                ("batch", Ok(games @ 2..=MOST_AT_ONCE)) => child.at_once = games,
                _ => {
                    let batch = format!("`batch N`, N from 2 to {MOST_AT_ONCE}");
                    return Err(format!("it wrote `{line}`, and not `name NAME` or {batch}"));
                }
            }
        }
        let limit = Duration::try_from_secs_f64(program.time.unwrap_or(10.0))
            .ok()
            .filter(|limit| !limit.is_zero())
            .ok_or("`time` must be a number of seconds above 0")?;
        let limit = Some(limit.saturating_mul(child.at_once));
        let _ = child.socket.get_ref().set_read_timeout(limit);
        Ok(child)
    }

    /// Starts the process. Its stderr is appended to the log if there is one.
    fn spawn(program: &Program) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_read_timeout(Some(START))?;
        ours.set_write_timeout(Some(START))?;
        let stderr = match program.log.get() {
            Some(log) => File::options().create(true).append(true).open(log)?.into(),
            None => Stdio::inherit(),
        };
        // `exec` lets the program take the place of the shell.
        let process = Command::new("sh")
            .args(["-c", &format!("exec {}", program.command)])
            .current_dir(Path::new(".").join(&program.folder))
            .stdin(OwnedFd::from(theirs.try_clone()?))
            .stdout(OwnedFd::from(theirs))
            .stderr(stderr)
            .process_group(0)
            .spawn()?;
        lock(&GROUPS).push(process.id());
        Ok(Self {
            process,
            socket: BufReader::new(ours),
            name: String::new(),
            at_once: 1,
            cpu_seconds: 0.0,
        })
    }

    /// Returns the CPU seconds that the program has used, with those of its ended children, also
    /// after it has ended. The result is 0 on systems without `/proc`.
    pub fn cpu_seconds(&mut self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.unwrap_or_default();
        // The name of the program, in brackets, may contain blanks. The state follows it, and the
        // four times are 11 fields later, in hundredths of a second.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let times = fields.split_ascii_whitespace().skip(11).take(4);
        let seconds = times.flat_map(str::parse::<f64>).sum::<f64>() / 100.0;
        self.cpu_seconds = self.cpu_seconds.max(seconds);
        self.cpu_seconds
    }

    pub fn send(&mut self, text: &str) -> Result<(), String> {
        let sent = self.socket.get_mut().write_all(text.as_bytes());
        sent.map_err(|error| self.reason(error.kind()))
    }

    /// Returns why nothing could be sent or received.
    fn reason(&mut self, error: ErrorKind) -> String {
        if error == ErrorKind::WouldBlock {
            return "it took too long".to_owned();
        }
        thread::sleep(GRACE / 10);
        // Its times are gone once it is waited for.
        self.cpu_seconds();
        match self.process.try_wait() {
            Ok(Some(status)) => format!("it ended with {status}"),
            _ => "it closed its input or output".to_owned(),
        }
    }

    /// Waits for the next line.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = Vec::new();
        let mut socket = self.socket.by_ref().take(LONGEST);
        let read = socket.read_until(b'\n', &mut line);
        read.map_err(|error| self.reason(error.kind()))?;
        match line.strip_suffix(b"\n") {
            Some(line) => Ok(String::from_utf8_lossy(line).trim().to_owned()),
            None if line.len() as u64 == LONGEST => {
                Err(format!("it wrote a line of {LONGEST} bytes"))
            }
            None => Err(self.reason(ErrorKind::UnexpectedEof)),
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
        let _ = self.socket.read(&mut [0]);
        let group = self.process.id();
        let mut groups = lock(&GROUPS);
        groups.retain(|&other| other != group);
        // The number of the group stays taken until the process is waited for.
        kill(group);
        let _ = self.process.wait();
    }
}
