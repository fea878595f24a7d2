//! Expands a stage with a matrix: one stage for each combination of values.

use anyhow::{Context as _, Result, ensure};
use toml::{Spanned, de::DeValue};

use super::{
    MatrixKey, Setting, StageText,
    file::{Text, in_order},
};

const EXAMPLE: &str = "a matrix has lists, such as matrix = { seed = [1, 2, 3] }";

/// A key of a matrix with its values, each as the values of a [`Setting`].
pub(super) struct Axis {
    name: String,
    values: Vec<Vec<String>>,
    at: String,
}

impl Text<'_> {
    /// Reads the keys of a matrix with their values.
    pub fn matrix(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<Axis>> {
        let example = |value: &Spanned<_>| format!("{}: {EXAMPLE}", self.at(value.span()));
        let lists = value.get_ref().as_table().with_context(|| example(value))?;
        let mut axes = Vec::new();
        for (key, value) in in_order(lists) {
            let name = key.get_ref().to_string();
            let at = self.at(key.span());
            let items = value.get_ref().as_array();
            let items = items.with_context(|| format!("{at}: {EXAMPLE}"))?;
            ensure!(!items.is_empty(), "{at}: {EXAMPLE}");
            let values = items.iter().map(|item| self.values(&name, item));
            let values = values.collect::<Result<_>>()?;
            axes.push(Axis { name, values, at });
        }
        Ok(axes)
    }
}

/// Returns one copy of `stage` for each combination of values of a matrix.
///
/// # Errors
/// Returns an error if the stage sets a key of the matrix.
pub(super) fn expand(stage: StageText, matrix: &[Axis]) -> Result<Vec<StageText>> {
    for Axis { name: key, at, .. } in matrix {
        let StageText { name, settings, .. } = &stage;
        ensure!(
            key != "command" && settings.iter().all(|setting| setting.name != *key),
            "{at}: stage {name}: `{key}` is set by the stage and can't be a key of its matrix"
        );
    }
    let stages = matrix.iter().fold(vec![stage], |stages, axis| {
        stages.iter().flat_map(|stage| along(stage, axis)).collect()
    });
    Ok(stages)
}

/// Returns one copy of `stage` for each value of `axis`.
fn along(stage: &StageText, axis: &Axis) -> Vec<StageText> {
    let pattern = format!("{{{}}}", axis.name);
    let is_used = |setting: &&Setting| setting.values.iter().any(|text| text.contains(&pattern));
    let used = || stage.settings.iter().filter(is_used);
    let with = |(index, values): (usize, &Vec<String>)| {
        let mut stage = stage.clone();
        let value = values.join(",");
        let of_name = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
        let is_name = values.len() == 1 && !value.is_empty() && value.chars().all(of_name);
        // The name must have no dots, because a dot separates the name of a stage from that of a
        // setting.
        let name = match is_name {
            true => value.replace('.', "_"),
            false => (index + 1).to_string(),
        };
        stage.name += &format!("-{name}");
        for text in stage
            .settings
            .iter_mut()
            .flat_map(|setting| &mut setting.values)
        {
            *text = text.replace(&pattern, &value);
        }
        // A key that no setting refers to is itself a setting.
        if used().next().is_none() {
            stage.settings.push(Setting {
                name: axis.name.clone(),
                values: values.clone(),
                at: axis.at.clone(),
            });
        }
        stage.matrix.push(MatrixKey {
            name: axis.name.clone(),
            value,
            seeds: axis.name == "seed" || used().any(|setting| setting.name == "seed"),
        });
        stage
    };
    axis.values.iter().enumerate().map(with).collect()
}
