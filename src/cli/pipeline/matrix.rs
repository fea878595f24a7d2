//! Expands a stage with a matrix: one stage for each combination of values.

use super::{Setting, StageText};

/// Returns one copy of `stage` for each value of `axis`, a key of its matrix.
pub(super) fn expand(stage: &StageText, axis: &Setting) -> Vec<StageText> {
    let pattern = format!("{{{}}}", axis.name);
    let mut texts = stage.settings.iter().flat_map(|setting| &setting.values);
    let is_used = texts.any(|text| text.contains(&pattern));
    let with = |value: &String| {
        let mut stage = stage.clone();
        // The name must have no dots, because a dot separates the name of a stage from that of a
        // setting.
        stage.name += &format!("-{}", value.replace('.', "_"));
        stage.matrix.push(axis.name.clone());
        for text in stage
            .settings
            .iter_mut()
            .flat_map(|setting| &mut setting.values)
        {
            *text = text.replace(&pattern, value);
        }
        // A key that no setting refers to is itself a setting.
        if !is_used {
            stage.settings.push(Setting {
                values: vec![value.clone()],
                ..axis.clone()
            });
        }
        stage
    };
    axis.values.iter().map(with).collect()
}
