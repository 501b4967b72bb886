//! Methods of sequences: which change their receiver, and which only read it.

/// Methods of the standard library that change a sequence in place.
const MUTATORS: &[&str] = &[
    "append",
    "clear",
    "clone_from_slice",
    "copy_from_slice",
    "copy_within",
    "dedup",
    "drain",
    "extend",
    "extend_from_slice",
    "fill",
    "insert",
    "pop",
    "push",
    "remove",
    "resize",
    "retain",
    "reverse",
    "rotate_left",
    "rotate_right",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "resize_with",
    "split_off",
    "swap",
    "swap_remove",
    "swap_with_slice",
    "truncate",
];

/// Whether a call has the name of one of [`MUTATORS`]. None of them has generic arguments: with those
/// it is a tensor's, as `x.sort::<0>()`, which returns what it makes.
pub fn is_mutator(m: &syn::ExprMethodCall) -> bool {
    // A vector of numbers without its last one, `v.truncate()`, is another.
    let shortened = m.method == "truncate" && m.args.is_empty();
    m.turbofish.is_none() && !shortened && MUTATORS.contains(&m.method.to_string().as_str())
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
