//! The functions of one number that `differentiable` knows: one table, from which the rules of scalars, duals, batches and
//! tensors, the kernels, the fused regions and the lists of the macros are made.
//!
//! The macros read it as data, [`functions()`]. The runtime reads it as code, [`functions!`]. To add a function, add its row
//! to `table.rs`; where it is made of functions that the table has, it needs nothing else.
#![no_std]

#[macro_use]
mod table;

/// What the pullback of a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)] // as the table writes them
pub enum Reads {
    /// Nothing: the derivative is constant.
    nothing,
    /// The operand.
    input,
    /// The value.
    output,
}

/// Who has a function, and how it is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Methods of `f64` that tensors have too.
    Numbers,
    /// The same: sines, whose kernels have a faster form for operands of the usual size.
    Turns,
    /// Methods of `f64` with a constant derivative that tensors have too.
    Shifts,
    /// The same with a factor.
    Scales,
    /// Methods of `f64` alone.
    Scalars,
    /// Methods of tensors that emitted code calls by their rule.
    Activations,
    /// Methods of tensors.
    Elements,
    /// Methods of tensors that fused regions cannot contain: they take long.
    Apart,
    /// Methods of `f64` and of tensors whose derivative is zero.
    Flat,
    /// Methods of `f64` alone whose derivative is zero.
    FlatScalars,
    /// Methods of tensors alone whose derivative is zero.
    FlatElements,
}

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Function {
    /// The name of the method.
    pub name: &'static str,
    /// Who has it.
    pub section: Section,
    /// What its pullback reads.
    pub reads: Reads,
    /// How long the value of an element takes, in additions.
    pub cost: usize,
    /// How long its pullback takes.
    pub pull_cost: usize,
    /// An interval in which the function is smooth but for finitely many points, to try it in.
    pub domain: [f64; 2],
}

impl Function {
    /// Whether a fused region may contain it.
    pub const fn is_fused(&self) -> bool {
        use Section::*;
        matches!(self.section, Numbers | Turns | Activations | Elements)
    }

    /// Whether it is a method of `f64`.
    pub const fn is_of_scalars(&self) -> bool {
        use Section::*;
        !matches!(self.section, Activations | Elements | Apart | FlatElements)
    }

    /// Whether it is a method of tensors.
    pub const fn is_of_tensors(&self) -> bool {
        !matches!(self.section, Section::Scalars | Section::FlatScalars)
    }

    /// Whether its derivative is zero wherever it has one.
    pub const fn is_flat(&self) -> bool {
        use Section::*;
        matches!(self.section, Flat | FlatScalars | FlatElements)
    }
}

macro_rules! data {
    ({ $section:ident }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) [$lo:expr, $hi:expr]
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => {
        &[$(
            Function {
                name: stringify!($name),
                section: Section::$section,
                reads: Reads::$reads,
                cost: $cost,
                pull_cost: $pull_cost,
                domain: [$lo, $hi],
            },
        )*]
    };
}

/// Every function, by sections.
pub const FUNCTIONS: &[&[Function]] = &[
    functions!(data, { Numbers }[numbers]),
    functions!(data, { Turns }[turns]),
    functions!(data, { Shifts }[shifts]),
    functions!(data, { Scales }[scales]),
    functions!(data, { Scalars }[scalars]),
    functions!(data, { Activations }[activations]),
    functions!(data, { Elements }[elements]),
    functions!(data, { Apart }[apart]),
    functions!(data, { Flat }[flat]),
    functions!(data, { FlatScalars }[flat_scalars]),
    functions!(data, { FlatElements }[flat_elements]),
];

/// All functions.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().copied().flatten()
}

/// The function of a name.
pub fn function(name: &str) -> Option<&'static Function> {
    functions().find(|f| f.name == name)
}
