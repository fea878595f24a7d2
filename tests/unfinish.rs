//! Folders in the state after an interruption.

use std::fs;
use std::path::Path;

/// Turns the finished folder `out` into one whose work was interrupted before its end was recorded.
pub fn unfinish(out: &Path) {
    let file = out.join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let members = manifest.as_object_mut().unwrap();
    assert!(
        members.remove("result").is_some() && members.remove("files").is_some(),
        "{} is finished",
        out.display()
    );
    fs::write(file, manifest.to_string()).unwrap();
}
