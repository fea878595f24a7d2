//! Expands a stage with a matrix: one stage for each combination of values.

use super::{Setting, StageText};

/// A key of a matrix with its values.
pub(super) struct Axis {
    pub(super) key: String,
    pub(super) values: Vec<String>,
    /// The source location of the key.
    pub(super) at: String,
}

impl Axis {
    /// Returns one copy of `stage` for each value.
    pub(super) fn of(&self, stage: &StageText) -> impl Iterator<Item = StageText> {
        let pattern = format!("{{{}}}", self.key);
        let is_used = stage
            .settings
            .iter()
            .any(|setting| setting.values.iter().any(|text| text.contains(&pattern)));
        self.values.iter().map(move |value| {
            let mut stage = stage.clone();
            // The name must have no dots, because a dot separates the name of a stage from that of
            // a setting.
            stage.name += &format!("-{}", value.replace('.', "_"));
            stage.matrix.push(self.key.clone());
            for setting in &mut stage.settings {
                setting
                    .values
                    .iter_mut()
                    .for_each(|text| *text = text.replace(&pattern, value));
            }
            // A key that no setting refers to is itself a setting.
            if !is_used {
                let name = self.key.clone();
                let at = self.at.clone();
                stage.settings.push(Setting {
                    name,
                    values: vec![value.clone()],
                    at,
                });
            }
            stage
        })
    }
}
