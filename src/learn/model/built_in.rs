//! The published artifacts as part of the program, so that one installed alone plays every version.
//!
//! Whoever publishes another one in `models/` changes its line here; a test holds the list against `registry.json`.

/// `models/registry.json`.
pub(super) const REGISTRY: &[u8] = include_bytes!("../../../models/registry.json");

/// The bytes of an artifact, by the file that its row names.
pub(super) fn artifact(file: &str) -> Option<&'static [u8]> {
    ARTIFACTS.iter().find(|(name, _)| *name == file).map(|&(_, bytes)| bytes)
}

macro_rules! artifacts {
    ($($file:literal),* $(,)?) => {
        const ARTIFACTS: &[(&str, &[u8])] = &[$(($file, include_bytes!(concat!("../../../models/", $file)))),*];
    };
}

artifacts!(
    "5.0/17baa9c8d1a4.json",
    "5.5/8ad1727b712e.safetensors",
    "6.0/a5114e03d257.safetensors",
    "6.5/49f57efe8f35.safetensors",
    "alpha/e4048c8f2851.safetensors",
    "value/6b5d349ee275.json",
    "value-16x16-40-opening/65125a5f2896.json",
    "value-16x16-40-safe/67418e1a2746.json",
    "value-30x16-99-opening/f8b2979a68cf.json",
    "value-30x16-99-safe/269408341c36.json",
    "value-8x8-10-opening/2663041c8033.json",
    "value-8x8-10-safe/0460b4212f55.json",
    "value-9x9-10-opening/884d6aded83b.json",
    "value-9x9-10-safe/603b90a34522.json",
);

#[cfg(test)]
mod tests {
    use super::super::Registry;
    use super::*;

    #[test]
    fn the_program_has_every_artifact_that_its_registry_names() {
        let registry = Registry::built_in().unwrap();
        assert_eq!(registry.rows().len(), ARTIFACTS.len());
        for row in registry.rows() {
            registry.verify(row).unwrap();
        }
    }
}
