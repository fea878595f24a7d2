//! `settings!`: the settings of a stage, which the command line and pipelines read from one struct.

/// Makes a struct the settings of a stage: serde reads them from a pipeline by their names, and with the feature `cli` clap
/// reads them from a command line. Of a field first comes its help, then `#[arg(...)]` for clap, then `#[serde(...)]`.
macro_rules! settings {
    (
        $(#[$of:meta])*
        pub struct $name:ident {$(
            $(#[doc = $help:literal])*
            $(#[arg($($arg:tt)*)])?
            $(#[serde($($serde:tt)*)])?
            pub $field:ident: $type:ty,
        )*}
    ) => {
        $(#[$of])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::Args))]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {$(
            $(#[doc = $help])*
            $(#[cfg_attr(feature = "cli", arg($($arg)*))])?
            $(#[serde($($serde)*)])?
            pub $field: $type,
        )*}
    };
}

pub(in crate::stage) use settings;
