//! What nodes are told beside their operands, with types that were checked when the model was loaded.

use super::fault::Fault;
use super::value::Value;
use std::collections::BTreeMap;

/// The value of an attribute.
#[derive(Clone)]
pub enum Attribute {
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A text.
    Text(String),
    /// Whole numbers.
    Ints(Vec<i64>),
    /// Numbers.
    Floats(Vec<f32>),
    /// Texts.
    Texts(Vec<String>),
    /// A tensor.
    Tensor(Value),
}

/// The attributes of a node by their names.
#[derive(Clone, Default)]
pub struct Attributes(pub BTreeMap<String, Attribute>);

macro_rules! get {
    ($($(#[$doc:meta])* $name:ident $V:ident($t:ty) |$x:ident| $as:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(&self, name: &str) -> Option<$t> {
            match self.0.get(name)? {
                Attribute::$V($x) => Some($as),
                _ => None,
            }
        }
    )* };
}

impl Attributes {
    get! {
        /// A whole number, if it is given.
        integer Int(i64) |x| *x;
        /// A number, if it is given.
        float Float(f64) |x| f64::from(*x);
        /// Whole numbers, if they are given.
        integers Ints(&[i64]) |x| x;
        /// Numbers, if they are given.
        floats Floats(&[f32]) |x| x;
        /// Texts, if they are given.
        texts Texts(&[String]) |x| x;
        /// A tensor, if it is given.
        tensor Tensor(&Value) |x| x;
    }

    /// A whole number or its default.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        self.integer(name).unwrap_or(default)
    }

    /// A number or its default, as the `f32` that files hold.
    pub fn number(&self, name: &str, default: f32) -> f64 {
        self.float(name).unwrap_or(f64::from(default))
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.int(name, 0) != 0
    }

    /// A text or its default.
    pub fn text<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        match self.0.get(name) {
            Some(Attribute::Text(x)) => x,
            _ => default,
        }
    }

    /// The attribute that must be there.
    pub fn needed<R>(&self, name: &'static str, value: Option<R>) -> Result<R, Fault> {
        value.ok_or(Fault::Attribute {
            name,
            what: "is missing".into(),
        })
    }

    /// An error about its value.
    pub fn wrong(&self, name: &'static str, what: impl Into<String>) -> Fault {
        let what = what.into();
        Fault::Attribute { name, what }
    }
}
