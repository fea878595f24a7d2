//! `settings!`: the settings of a stage, which the command line and pipelines read from one struct.

/// Makes a struct the settings of a stage: serde reads them from a pipeline by their names, and clap
/// reads them from a command line. Of a field first comes its help, then `#[arg(...)]` for clap, then `#[serde(...)]`,
/// then its name, type and default, where that is not the type's own. `with name: Type` after the struct adds a field of
/// settings that other stages have too, themselves made by `settings!`; a user types them like all others.
///
/// A default that depends on other settings is a constant, and the help of its setting is `help = format!(...)` with it.
#[doc(hidden)]
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
        $(with $group:ident: $shared:ty)?
    ) => {
        $(#[$of])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[derive(clap::Args)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {
            $(
                $(#[doc = $help])*
                $(#[arg($($arg)*)])?
                $(#[serde($($serde)*)])?
                pub $field: $type,
            )*
            $(
                #[command(flatten)]
                #[serde(flatten)]
                pub $group: $shared,
            )?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: $crate::default_of!($($default)?),)*
                    $($group: <$shared>::default(),)?
                }
            }
        }

        impl $crate::texts::Settings for $name {
            fn read(texts: &[$crate::texts::Text<'_>]) -> Result<Self, $crate::texts::WrongSetting> {
                $(let (shared, texts) = &$crate::texts::parted::<$shared>(texts);)?
                Ok(Self {
                    $($group: $crate::texts::Settings::read(shared)?,)?
                    ..$crate::texts::read(texts)?
                })
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
