//! The lock of a folder.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use super::{StoreError, open_to_write};

/// A folder's lock. It is released when this value is dropped, or when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that another thread is starting may
        // briefly hold it open.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// The name of the file that is locked.
    pub const FILE: &str = "lock";

    /// Returns whether a process has locked the folder at `path`. The check briefly holds a shared
    /// lock.
    pub fn is_taken(path: &Path) -> bool {
        let file = File::open(path.join(Self::FILE));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Locks the folder at `path` for this process, and waits while another one has locked it.
    ///
    /// # Errors
    /// Returns an error if the folder can't be locked.
    pub fn wait(path: &Path) -> Result<Self, StoreError> {
        let file = open_to_write(&path.join(Self::FILE))?;
        file.lock().map_err(StoreError::io("lock", path))?;
        Ok(Self { file })
    }

    /// Locks the folder at `path` for this process.
    ///
    /// # Errors
    /// Returns an error if another process has locked it.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let file = path.join(Self::FILE);
        let opened = open_to_write(&file)?;
        match opened.try_lock() {
            Ok(()) => Ok(Self { file: opened }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(StoreError::Io {
                action: "lock",
                path: file,
                source,
            }),
        }
    }
}
