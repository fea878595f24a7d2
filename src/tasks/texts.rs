//! Settings from texts, as a pipeline file or `--set` has them: the type of a setting decides how its text is read.

use serde::de::value::{Error, SeqDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

/// A setting by name, with its texts: several for a list.
pub type Text<'a> = (&'a str, &'a [String]);

/// Why settings can't be read: the setting that is wrong, if it is one, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongSetting {
    pub name: Option<String>,
    pub why: String,
}

/// The settings of a stage, or those that stages share.
pub trait Settings: Sized {
    /// Those with these texts; the others have their default.
    ///
    /// # Errors
    /// A text that a setting doesn't take, and a name that no setting has.
    fn read(texts: &[Text<'_>]) -> Result<Self, WrongSetting>;
}

/// The texts of the settings that `S` has, and the others.
pub fn parted<'a, S: Serialize + Default>(texts: &[Text<'a>]) -> (Vec<Text<'a>>, Vec<Text<'a>>) {
    let own = serde_json::to_value(S::default()).unwrap_or_default();
    texts.iter().copied().partition(|(name, _)| own.get(name).is_some())
}

/// A struct of settings with these texts; those without one have their default.
///
/// # Errors
/// A text that a setting doesn't take, and a name that no setting has.
pub fn read<S: DeserializeOwned>(texts: &[Text<'_>]) -> Result<S, WrongSetting> {
    let mut all = All { left: texts.iter(), value: None };
    let read = S::deserialize(de::value::MapAccessDeserializer::new(&mut all));
    read.map_err(|error| WrongSetting { name: all.value.map(|(name, _)| (*name).to_owned()), why: error.to_string() })
}

/// All settings, on the way from one to the next.
struct All<'t, 'a> {
    left: std::slice::Iter<'t, Text<'a>>,
    /// The one being read.
    value: Option<&'t Text<'a>>,
}

impl<'de> MapAccess<'de> for &mut All<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.value = self.left.next();
        self.value.map(|(name, _)| seed.deserialize((*name).into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (_, texts) = self.value.expect("a value follows its key");
        seed.deserialize(Value { texts })
    }
}

/// The texts of a setting.
struct Value<'a> {
    texts: &'a [String],
}

impl Value<'_> {
    fn one(&self) -> Result<&str, Error> {
        match self.texts {
            [text] => Ok(text),
            texts => Err(de::Error::custom(format!("one value is taken, not {}", texts.len()))),
        }
    }

    fn parse<T: std::str::FromStr>(&self, what: &str) -> Result<T, Error> {
        let text = self.one()?;
        text.parse().map_err(|_| de::Error::custom(format!("`{text}` is not {what}")))
    }
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.one()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // As on the command line, where a switch is on or off.
        match self.one()? {
            "on" | "true" => visitor.visit_bool(true),
            "off" | "false" => visitor.visit_bool(false),
            text => Err(de::Error::custom(format!("`{text}` is neither true (on) nor false (off)"))),
        }
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.parse("a whole number from 0 on")?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(self.parse("a number")?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.parse("a number")?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // A comma parts entries, as on the command line.
        let entries = self.texts.iter().flat_map(|text| text.split(',')).map(str::to_owned);
        visitor.visit_seq(SeqDeserializer::new(entries))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.one()?.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u128 char str string bytes byte_buf unit unit_struct tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// A setting of any type that is written as a text; for `#[serde(with)]`.
pub mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    /// Writes the text.
    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads the text.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The same for a setting that may be left out.
pub mod optional_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    /// Writes the text, or null.
    pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    /// Reads the text, if there is one.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}

/// The same for a list.
#[expect(clippy::module_inception, reason = "fields name it in `serde(with)`")]
pub mod texts {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    /// Writes the texts.
    pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    /// Reads the texts.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(de::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use mineflow_minesweeper::Board;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    struct Settings {
        rounds: std::num::NonZeroU32,
        learning_rate: f64,
        symmetries: bool,
        #[serde(with = "texts")]
        boards: Vec<Board>,
        rows: Option<u64>,
    }

    impl Default for Settings {
        fn default() -> Self {
            let rounds = std::num::NonZeroU32::MIN;
            Self { rounds, learning_rate: 0.3, symmetries: true, boards: Vec::new(), rows: None }
        }
    }

    fn settings(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let owned: Vec<_> = pairs.iter().map(|(name, text)| (*name, vec![(*text).to_owned()])).collect();
        let texts: Vec<Text<'_>> = owned.iter().map(|(name, texts)| (*name, &texts[..])).collect();
        read(&texts).map_err(|wrong| format!("{}: {}", wrong.name.unwrap_or_default(), wrong.why))
    }

    #[test]
    fn the_type_of_a_setting_reads_its_text() {
        assert_eq!(settings(&[]), Ok(Settings::default()));
        let read = settings(&[("rounds", "7"), ("symmetries", "off"), ("boards", "beginner,5x5/3"), ("rows", "12")]);
        let read = read.unwrap();
        assert_eq!((read.rounds.get(), read.symmetries, read.rows), (7, false, Some(12)));
        assert_eq!(read.boards, ["beginner".parse().unwrap(), "5x5/3".parse().unwrap()]);
        let json = serde_json::to_value(&read).unwrap();
        assert_eq!(json["boards"], serde_json::json!(["9x9/10", "5x5/3"]));
        assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), read);
    }

    #[test]
    fn what_is_not_taken_is_named() {
        assert_eq!(settings(&[("learning-rate", "fast")]).unwrap_err(), "learning-rate: `fast` is not a number");
        assert_eq!(settings(&[("rows", "-1")]).unwrap_err(), "rows: `-1` is not a whole number from 0 on");
        assert!(settings(&[("rounds", "0")]).unwrap_err().starts_with("rounds: "));
        assert!(settings(&[("boards", "5x5")]).unwrap_err().starts_with("boards: "));
        assert!(settings(&[("speed", "1")]).unwrap_err().contains("unknown field `speed`"));
    }
}
