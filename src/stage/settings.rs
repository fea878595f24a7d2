//! `settings!`: the settings of a stage, which the command line and pipelines read from one struct.

/// Makes a struct the settings of a stage: serde reads them from a pipeline by their names, and with the feature `cli` clap
/// reads them from a command line. Of a field first comes its help, then `#[arg(...)]` for clap, then `#[serde(...)]`,
/// then its name, type and default, where that is not the type's own.
#[macro_export]
macro_rules! settings {
    (
        $(#[$of:meta])*
        pub struct $name:ident {$(
            $(#[doc = $help:literal])*
            $(#[arg($($arg:tt)*)])?
            $(#[serde($($serde:tt)*)])?
            pub $field:ident: $type:ty $(= $default:expr)?,
        )*}
    ) => {
        $(#[$of])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[derive(clap::Args)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {$(
            $(#[doc = $help])*
            $(#[arg($($arg)*)])?
            $(#[serde($($serde)*)])?
            pub $field: $type,
        )*}

        impl Default for $name {
            fn default() -> Self {
                Self {$($field: $crate::default_of!($($default)?),)*}
            }
        }
    };
}

/// The default of a setting: the one given, else that of its type.
#[doc(hidden)]
#[macro_export]
macro_rules! default_of {
    () => {
        Default::default()
    };
    ($value:expr) => {
        $value
    };
}
