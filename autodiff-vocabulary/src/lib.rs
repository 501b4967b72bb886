//! The functions of one number that `differentiable` knows: one table, from which the rules of scalars, duals, batches and
//! tensors, the kernels, the fused regions and the lists of the macros are made.
//!
//! The macros read it as data, [`functions()`]. The runtime reads it as code, [`functions!`]. To add a function, add its row
//! to `table.rs`; where it is made of functions that the table has, it needs nothing else.
#![no_std]

#[macro_use]
mod table;

/// Which value the pullback of a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saves {
    /// Nothing: the derivative is constant.
    Nothing,
    /// The operand.
    Input,
    /// The value.
    Output,
}

/// The [`Saves`] that a row of the table names.
#[macro_export]
macro_rules! saves {
    (nothing) => {
        $crate::Saves::Nothing
    };
    (input) => {
        $crate::Saves::Input
    };
    (output) => {
        $crate::Saves::Output
    };
}

/// Of an operand and a value, the one that a row of the table reads; the operand where it reads nothing.
#[macro_export]
macro_rules! saved {
    (output $input:tt $output:tt) => {
        $output
    };
    ($reads:ident $input:tt $output:tt) => {
        $input
    };
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
pub struct FunctionRow {
    /// The name of the method.
    pub name: &'static str,
    /// Who has it.
    pub section: Section,
    /// What its pullback reads.
    pub saves: Saves,
    /// How long the value of an element takes, in additions.
    pub cost: usize,
    /// How long its pullback takes.
    pub pull_cost: usize,
    /// An interval in which the function is smooth but for finitely many points, to try it in.
    pub domain: [f64; 2],
}

impl FunctionRow {
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
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) [$lo:expr, $hi:expr];)*]
    ) => {
        &[$(
            FunctionRow {
                name: stringify!($name),
                section: Section::$section,
                saves: saves!($reads),
                cost: $cost,
                pull_cost: $pull_cost,
                domain: [$lo, $hi],
            },
        )*]
    };
}

/// Every function, by sections.
pub const FUNCTIONS: &[&[FunctionRow]] = &[
    functions!(short data, { Numbers }[numbers]),
    functions!(short data, { Turns }[turns]),
    functions!(short data, { Shifts }[shifts]),
    functions!(short data, { Scales }[scales]),
    functions!(short data, { Scalars }[scalars]),
    functions!(short data, { Activations }[activations]),
    functions!(short data, { Elements }[elements]),
    functions!(short data, { Apart }[apart]),
    functions!(short data, { Flat }[flat]),
    functions!(short data, { FlatScalars }[flat_scalars]),
    functions!(short data, { FlatElements }[flat_elements]),
];

/// All functions.
pub fn functions() -> impl Iterator<Item = &'static FunctionRow> {
    FUNCTIONS.iter().copied().flatten()
}

/// The function of a name.
pub fn function(name: &str) -> Option<&'static FunctionRow> {
    functions().find(|f| f.name == name)
}
