//! Enums whose values have names on the command line and in files.

/// Gives an enum the list of its values, their names, and conversions in both directions. `$about`
/// describes the enum in the error for an unknown name.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $about:literal: $($value:ident = $name:literal),+) => {
        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns the name on the command line and in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let named = Self::ALL.iter().copied().find(|value| value.name() == text);
                named.ok_or_else(|| {
                    let (last, others) = Self::ALL.split_last().expect("an enum has values");
                    let others = others.iter().map(|value| value.name()).collect::<Vec<_>>().join(", ");
                    format!("`{text}` is not a {}; write {others} or {last}", $about)
                })
            }
        }
    };
}
