//! Methods of sequences: which change their receiver, and which only read it.

use std::ops::RangeInclusive;

/// Methods of the standard library that change a sequence in place, and how many arguments they take.
const MUTATORS: &[(&str, RangeInclusive<usize>)] = &[
    ("append", 1..=1),
    ("clear", 0..=0),
    ("clone_from_slice", 1..=1),
    ("copy_from_slice", 1..=1),
    ("copy_within", 2..=2),
    ("dedup", 0..=0),
    ("drain", 1..=1),
    ("extend", 1..=1),
    ("extend_from_slice", 1..=1),
    ("fill", 1..=1),
    ("insert", 1..=2),
    ("pop", 0..=0),
    ("push", 1..=1),
    ("remove", 1..=1),
    ("resize", 2..=2),
    ("retain", 1..=1),
    ("reverse", 0..=0),
    ("rotate_left", 1..=1),
    ("rotate_right", 1..=1),
    ("sort", 0..=0),
    ("sort_by", 1..=1),
    ("sort_by_key", 1..=1),
    ("sort_unstable", 0..=0),
    ("sort_unstable_by", 1..=1),
    ("sort_unstable_by_key", 1..=1),
    ("resize_with", 2..=2),
    ("split_off", 1..=1),
    ("swap", 2..=2),
    ("swap_remove", 1..=1),
    ("swap_with_slice", 1..=1),
    ("truncate", 1..=1),
];

/// Whether a call may be one of [`MUTATORS`]. None of them has generic arguments: with those it is a tensor's, as
/// `x.sort::<0>()`, which returns what it makes.
pub fn is_mutator(m: &syn::ExprMethodCall) -> bool {
    let meant = |(name, args): &(&str, RangeInclusive<usize>)| {
        m.method == name && args.contains(&m.args.len())
    };
    // A vector of numbers without its last one, `v.truncate()`, is another.
    m.turbofish.is_none() && MUTATORS.iter().any(meant)
}

/// Whether a call changes the memory of a sequence, and none of its values.
pub fn only_makes_room(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    match m.args.len() {
        0 => name == "shrink_to_fit",
        1 => matches!(name.as_str(), "reserve" | "reserve_exact" | "shrink_to"),
        _ => false,
    }
}

/// Methods of the standard library that only read.
pub const PURE: &[&str] = &[
    "abs_diff",
    "as_ref",
    "as_slice",
    "as_str",
    "at",
    "chunks",
    "chunks_exact",
    "clone",
    "cloned",
    "copied",
    "expect",
    "first",
    "get",
    "iter",
    "last",
    "pow",
    "powf",
    "powi",
    "saturating_sub",
    "split_at",
    "to_be_bytes",
    "to_le_bytes",
    "to_ne_bytes",
    "to_owned",
    "to_string",
    "to_vec",
    "unwrap",
    "unwrap_or",
    "windows",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];
