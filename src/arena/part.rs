//! A shard of the run: the part of a series that one of several machines works on.

use std::{
    fmt::{self, Display},
    ops::Range,
    str::FromStr,
};

use serde_json::{Map, Value};

/// A shard of the run (`--shard I/N`): number `index`, counted from 0, of `of` shards. All shards
/// together cover the whole work, whatever their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub index: u64,
    pub of: u64,
}

impl Part {
    /// The whole work as a single shard of the run.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
    /// The name of the folder setting that identifies the shard of the run.
    pub const SETTING: &str = "shard";

    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Adds this shard to the settings of a folder, unless the shard is the whole work.
    pub fn noted_in(self, mut settings: Map<String, Value>) -> Map<String, Value> {
        if !self.is_whole() {
            settings.insert(Self::SETTING.to_owned(), self.to_string().into());
        }
        settings
    }

    /// Returns the range of this shard among `things` consecutive items. Sizes of shards differ by
    /// at most one.
    pub fn range(self, things: u64) -> Range<u64> {
        let up_to =
            |parts: u64| (u128::from(things) * u128::from(parts) / u128::from(self.of)) as u64;
        up_to(self.index)..up_to(self.index + 1)
    }
}

impl Default for Part {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (index, of) = text.split_once('/')?;
            let index: u64 = index.parse().ok()?;
            let of: u64 = of.parse().ok()?;
            (1..=of).contains(&index).then(|| Self {
                index: index - 1,
                of,
            })
        };
        parse().ok_or_else(|| {
            format!("`{text}` is not a shard; write I/N such as 2/4, the second of four")
        })
    }
}
