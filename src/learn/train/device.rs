//! What computes.

use burn::tensor;

/// A backend of the training library.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    /// The processor, one thread: the same bits for any number of threads.
    #[default]
    Ndarray,
    /// The processor, by the successor of `ndarray`.
    #[cfg(feature = "flex")]
    Flex,
    /// The first Nvidia card. Its results are not the processor's to the bit.
    #[cfg(feature = "cuda")]
    Cuda,
}

impl Device {
    /// The name on the command line and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ndarray => "ndarray",
            #[cfg(feature = "flex")]
            Self::Flex => "flex",
            #[cfg(feature = "cuda")]
            Self::Cuda => "cuda",
        }
    }

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

#[expect(deprecated, reason = "kept by this project as its default: for layers this narrow it is the faster one")]
fn ndarray() -> tensor::Device {
    tensor::Device::ndarray()
}
