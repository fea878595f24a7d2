#![doc = include_str!("README.md")]

/// The content of `registry.json`.
pub const REGISTRY: &[u8] = include_bytes!("registry.json");

/// Returns the bytes of the artifact with the file name `file` in the registry.
pub fn artifact(file: &str) -> Option<&'static [u8]> {
    let own = ARTIFACTS
        .iter()
        .find(|(name, _)| *name == file)
        .map(|&(_, bytes)| bytes);
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    let own = own.or_else(|| fetched::artifact(file));
    own
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use fetched::{give, take_missing};

/// The artifacts of a web page. It downloads each artifact on first use, so they are not part of the program.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod fetched {
    use std::sync::{Mutex, PoisonError};

    struct Fetched {
        given: Vec<(String, &'static [u8])>,
        missing: Vec<String>,
    }

    static FETCHED: Mutex<Fetched> = Mutex::new(Fetched {
        given: Vec::new(),
        missing: Vec::new(),
    });

    fn locked<T>(work: impl FnOnce(&mut Fetched) -> T) -> T {
        work(&mut FETCHED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn artifact(file: &str) -> Option<&'static [u8]> {
        locked(|fetched| {
            let given = fetched.given.iter().find(|(name, _)| name == file);
            let bytes = given.map(|&(_, bytes)| bytes);
            if bytes.is_none() {
                fetched.missing.push(file.to_owned());
            }
            bytes
        })
    }

    /// Adds the bytes of an artifact for the rest of the process.
    pub fn give(file: &str, bytes: Vec<u8>) {
        locked(|fetched| {
            if fetched.given.iter().all(|(name, _)| name != file) {
                fetched.given.push((file.to_owned(), bytes.leak()));
            }
        });
    }

    /// Returns the artifacts that were requested but missing since the last call.
    pub fn take_missing() -> Vec<String> {
        locked(|fetched| {
            let mut missing = std::mem::take(&mut fetched.missing);
            missing.sort_unstable();
            missing.dedup();
            missing
        })
    }
}

macro_rules! artifacts {
    ($($file:literal),* $(,)?) => {
        /// Every artifact that the registry names: its file and its bytes.
        pub const ARTIFACTS: &[(&str, &[u8])] = &[$(($file, include_bytes!($file))),*];
    };
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
artifacts!();

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
artifacts!(
    "11.0/769b67e0139c.json",
    "5.0/768ad20d1575.json",
    "5.5/0c708b5f6c45.safetensors",
    "6.0/a5114e03d257.safetensors",
    "6.5/49f57efe8f35.safetensors",
    "alpha/e4048c8f2851.safetensors",
    "value/7ba0377f005f.json",
    "value-16x16-40-opening/df42ef68187b.json",
    "value-16x16-40-safe/d02bb8980dc1.json",
    "value-30x16-99-opening/0e385b1ed6af.json",
    "value-30x16-99-safe/43788af7a241.json",
    "value-8x8-10-opening/4756a89db86e.json",
    "value-8x8-10-safe/3949bef0b5c8.json",
    "value-9x9-10-opening/7ad82de8129d.json",
    "value-9x9-10-safe/02f7e5a95991.json",
);
