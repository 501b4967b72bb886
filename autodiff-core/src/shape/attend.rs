//! What queries, keys and values of attention must share.
//!
//! As in `pair`: the impls have no conditions on the dimensions and expose those to compare.

use super::arith::DivExact;
use super::{Dim, Shape};

/// Queries `[.., Tq, D]` that can attend to keys `[.., Tk, D]` and values `[.., Tk, Dv]`.
#[diagnostic::on_unimplemented(
    message = "cannot attend from `{Self}` queries to `{K}` keys and `{V}` values",
    label = "the ranks do not fit",
    note = "queries `[.., Tq, D]`, keys `[.., Tk, D]` and values `[.., Tk, Dv]` have the same leading axes"
)]
pub trait Attend<K, V>: Shape {
    /// `[.., Tq, Dv]`
    type Out: Shape;
    /// `[.., Tq, Tk]`, of which nothing is ever stored.
    type Scores: Shape;
    /// The dimensions to compare.
    type Pairs;
    /// `[.., Tq, Dv]`
    fn attended(self, values: V) -> Self::Out;
    /// `[.., Tq, Tk]`
    fn scores(self, keys: K) -> Self::Scores;
}

/// As [`Attend`], where each head of keys and values (the axis before the last two) serves several neighbouring heads
/// of queries.
#[diagnostic::on_unimplemented(
    message = "cannot attend in groups of heads from `{Self}` queries to `{K}` keys and `{V}` values",
    label = "the ranks do not fit",
    note = "queries are `[.., H, Tq, D]`, keys `[.., G, Tk, D]` and values `[.., G, Tk, Dv]`, with at most one axis in front"
)]
pub trait AttendGrouped<K, V>: Shape {
    /// `[.., H, Tq, Dv]`
    type Out: Shape;
    /// `[.., H, Tq, Tk]`, of which nothing is ever stored.
    type Scores: Shape;
    /// The dimensions to compare.
    type Pairs;
    /// `[.., H, Tq, Dv]`
    fn attended(self, values: V) -> Self::Out;
    /// `[.., H, Tq, Tk]`
    fn scores(self, keys: K) -> Self::Scores;
}

/// The dimensions fit, those of queries `S`, keys `K` and values `V`.
pub trait Attending<S, K, V> {}
impl<D: HeadSize<D2, S, K>, D2, T: KeyCount<T2, K, V>, T2, Lead: SameLead<S, K, V>, S, K, V>
    Attending<S, K, V> for ((D, D2), (T, T2), Lead)
{
}

/// Queries and keys have the same last dimension.
#[diagnostic::on_unimplemented(
    message = "cannot attend from `{S}` queries to `{K}` keys: heads have the size `{Self}` in queries and `{D2}` in keys",
    label = "head sizes `{Self}` and `{D2}`"
)]
pub trait HeadSize<D2, S, K> {}
#[diagnostic::do_not_recommend]
impl<D, S, K> HeadSize<D, S, K> for D {}

/// There is a value for each key.
#[diagnostic::on_unimplemented(
    message = "cannot attend to `{K}` keys and `{V}` values: there are `{Self}` keys and `{T2}` values",
    label = "`{Self}` keys, `{T2}` values"
)]
pub trait KeyCount<T2, K, V> {}
#[diagnostic::do_not_recommend]
impl<T, K, V> KeyCount<T, K, V> for T {}

/// The leading dimensions agree.
pub trait SameLead<S, K, V> {}
impl<S, K, V> SameLead<S, K, V> for () {}
impl<A: LeadDim<B, S, K, V>, B, Rest: SameLead<S, K, V>, S, K, V> SameLead<S, K, V>
    for ((A, B), Rest)
{
}
impl<H, G, Rest: SameLead<S, K, V>, S, K, V> SameLead<S, K, V> for (Groups<H, G>, Rest) where
    H: DivExact<G>
{
}

/// `H` heads of queries for `G` of keys.
pub struct Groups<H, G>(core::marker::PhantomData<(H, G)>);

/// A leading dimension of one operand is that of another.
#[diagnostic::on_unimplemented(
    message = "cannot attend from `{S}` queries to `{K}` keys and `{V}` values: the leading dimensions `{Self}` and `{B}` differ",
    label = "leading dimensions `{Self}` and `{B}`"
)]
pub trait LeadDim<B, S, K, V> {}
#[diagnostic::do_not_recommend]
impl<A, S, K, V> LeadDim<A, S, K, V> for A {}

/// `((A, B), ((A, C), …))` of leading dimensions.
macro_rules! lead {
    () => { () };
    ([$a:ident $b:ident $c:ident] $($rest:tt)*) => { (($a, $b), (($a, $c), lead!($($rest)*))) };
}

macro_rules! attend {
    ($([$a:ident $b:ident $c:ident $x:ident])*) => {
        #[diagnostic::do_not_recommend]
        impl<$($a: Dim, $b: Dim, $c: Dim,)* Tq: Dim, D: Dim, Tk: Dim, D2: Dim, Tv: Dim, Dv: Dim>
            Attend<($($b,)* Tk, D2), ($($c,)* Tv, Dv)> for ($($a,)* Tq, D)
        {
            type Out = ($($a,)* Tq, Dv);
            type Scores = ($($a,)* Tq, Tk);
            type Pairs = ((D, D2), (Tk, Tv), lead!($([$a $b $c])*));
            #[allow(clippy::unused_unit)]
            fn attended(self, values: ($($c,)* Tv, Dv)) -> Self::Out {
                let ($($x,)* queries, _) = self;
                let ($(ignore!($c),)* _, width) = values;
                ($($x,)* queries, width)
            }
            fn scores(self, keys: ($($b,)* Tk, D2)) -> Self::Scores {
                let ($($x,)* queries, _) = self;
                let ($(ignore!($b),)* count, _) = keys;
                ($($x,)* queries, count)
            }
        }
    };
}
macro_rules! ignore {
    ($t:ident) => {
        _
    };
}
attend!();
attend!([A0 B0 C0 a0]);
attend!([A0 B0 C0 a0] [A1 B1 C1 a1]);
attend!([A0 B0 C0 a0] [A1 B1 C1 a1] [A2 B2 C2 a2]);
attend!([A0 B0 C0 a0] [A1 B1 C1 a1] [A2 B2 C2 a2] [A3 B3 C3 a3]);

macro_rules! attend_grouped {
    ($([$a:ident $b:ident $c:ident $x:ident])?) => {
        #[diagnostic::do_not_recommend]
        impl<$($a: Dim, $b: Dim, $c: Dim,)? H: Dim, Tq: Dim, D: Dim, G: Dim, Tk: Dim, D2: Dim, G2: Dim, Tv: Dim, Dv: Dim>
            AttendGrouped<($($b,)? G, Tk, D2), ($($c,)? G2, Tv, Dv)> for ($($a,)? H, Tq, D)
        {
            type Out = ($($a,)? H, Tq, Dv);
            type Scores = ($($a,)? H, Tq, Tk);
            type Pairs = ((D, D2), (Tk, Tv), (Groups<H, G>, ((G, G2), lead!($([$a $b $c])?))));
            fn attended(self, values: ($($c,)? G2, Tv, Dv)) -> Self::Out {
                let ($($x,)? heads, queries, _) = self;
                let ($(ignore!($c),)? _, _, width) = values;
                ($($x,)? heads, queries, width)
            }
            fn scores(self, keys: ($($b,)? G, Tk, D2)) -> Self::Scores {
                let ($($x,)? heads, queries, _) = self;
                let ($(ignore!($b),)? _, count, _) = keys;
                ($($x,)? heads, queries, count)
            }
        }
    };
}
attend_grouped!();
attend_grouped!([A0 B0 C0 a0]);

/// Finds run-time sizes that differ though their names agree.
pub(crate) fn check_attend<S: Shape, K: Shape, V: Shape>(
    q: S,
    k: K,
    v: V,
    grouped: bool,
) -> Result<(), super::ShapeError> {
    let (a, b, c) = (
        (q.dims(), S::NAMES),
        (k.dims(), K::NAMES),
        (v.dims(), V::NAMES),
    );
    let r = a.0.rank();
    // Heads in groups are static.
    let lead = if grouped { r - 3 } else { r - 2 };
    let same =
        |l: &(super::Dims, &[&'static str]), r: &(super::Dims, &[&'static str]), i: usize| {
            (l.0[i] != r.0[i]).then(|| super::ShapeError::Dimension {
                left: l.1[i],
                left_size: l.0[i],
                right: r.1[i],
                right_size: r.0[i],
            })
        };
    let found = same(&a, &b, r - 1)
        .or_else(|| same(&b, &c, r - 2))
        .or_else(|| (0..lead).find_map(|i| same(&a, &b, i).or_else(|| same(&a, &c, i))));
    found.map_or(Ok(()), Err)
}
