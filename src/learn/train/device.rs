//! Compute devices.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use burn::tensor;

/// A backend of the training library.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    /// The CPU, with every operation on one thread: results are identical for any number of
    /// threads.
    #[default]
    Ndarray,
    /// The CPU, with the successor of the `ndarray` backend.
    #[cfg(feature = "flex")]
    Flex,
    /// The first Nvidia GPU. Its results differ from the CPU's in the last bits.
    #[cfg(feature = "cuda")]
    Cuda,
}

impl Device {
    /// Returns the name on the command line and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ndarray => "ndarray",
            #[cfg(feature = "flex")]
            Self::Flex => "flex",
            #[cfg(feature = "cuda")]
            Self::Cuda => "cuda",
        }
    }

    /// The devices that this build supports.
    pub const ALL: &'static [Self] = &[
        Self::Ndarray,
        #[cfg(feature = "flex")]
        Self::Flex,
        #[cfg(feature = "cuda")]
        Self::Cuda,
    ];

    pub(super) fn open(self) -> tensor::Device {
        match self {
            Self::Ndarray => ndarray(),
            #[cfg(feature = "flex")]
            Self::Flex => tensor::Device::flex(),
            #[cfg(feature = "cuda")]
            Self::Cuda => tensor::Device::cuda(0),
        }
    }
}

impl Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || {
            Self::ALL
                .iter()
                .map(|device| device.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let found = Self::ALL
            .iter()
            .copied()
            .find(|device| device.name() == text);
        found.ok_or_else(|| format!("`{text}` is not a device of this build; it has {}", names()))
    }
}

#[expect(
    deprecated,
    reason = "kept by this project as its default: for layers this narrow it is the faster one"
)]
fn ndarray() -> tensor::Device {
    tensor::Device::ndarray()
}
