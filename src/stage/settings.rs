//! `settings!`: the settings of a stage, which the command line and pipelines read from one struct.

/// Makes a struct the settings of a stage: serde reads them from a pipeline by their names, and with the feature `cli` clap
/// reads them from a command line. Of a field first comes its help, then `#[arg(...)]` for clap, then `#[serde(...)]`,
/// then its name, type and default, where that is not the type's own. `with name: Type` after the struct adds a field of
/// settings that other stages have too, themselves made by `settings!`; to whoever types them they are settings like the others.
///
/// A default that depends on other settings is a constant, and the help of its setting is `help = format!(...)` with it.
macro_rules! settings {
    (
        $(#[$of:meta])*
        pub struct $name:ident {$(
            $(#[doc = $help:literal])*
            $(#[arg($($arg:tt)*)])?
            $(#[serde($($serde:tt)*)])?
            pub $field:ident: $type:ty $(= $default:expr)?,
        )*}
        $(with $group:ident: $shared:ty)?
    ) => {
        $(#[$of])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::Args))]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {
            $(
                $(#[doc = $help])*
                $(#[cfg_attr(feature = "cli", arg($($arg)*))])?
                $(#[serde($($serde)*)])?
                pub $field: $type,
            )*
            $(
                #[cfg_attr(feature = "cli", command(flatten))]
                #[serde(flatten)]
                pub $group: $shared,
            )?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: $crate::stage::settings::default!($($default)?),)*
                    $($group: <$shared>::default(),)?
                }
            }
        }

        impl $crate::stage::texts::Settings for $name {
            fn read(texts: &[$crate::stage::texts::Text<'_>]) -> Result<Self, $crate::stage::texts::WrongSetting> {
                $(let (shared, texts) = &$crate::stage::texts::parted::<$shared>(texts);)?
                Ok(Self {
                    $($group: $crate::stage::texts::Settings::read(shared)?,)?
                    ..$crate::stage::texts::read(texts)?
                })
            }
        }
    };
}

/// The default of a setting: the one given, else that of its type.
macro_rules! default {
    () => {
        Default::default()
    };
    ($value:expr) => {
        $value
    };
}

pub(in crate::stage) use {default, settings};
