//! Elementwise regions.

use super::Real;

/// A function of `N` elements, applied to each element of `N` tensors: several operations that run in
/// one pass, with their derivatives, which compute interior values again.
///
/// `#[differentiable]` writes the implementations.
pub trait Region<const N: usize>: Copy + Send + Sync + 'static {
    /// Which inputs have a derivative.
    const ACTIVE: [bool; N];
    /// Which inputs the pullback reads.
    const READS: [bool; N];
    /// Whether the pullback reads the value.
    const READS_VALUE: bool;
    /// The work for one element, in additions.
    const COST: usize;
    /// Whether it has sines, cosines or tangents. With `NEAR` they are without branches, for arguments
    /// that are not [far](Region::far).
    const TURNS: bool = false;
    /// The value.
    fn value<T: Real, const NEAR: bool>(x: [T; N]) -> T;
    /// The cotangents of the inputs for that of the value `y`. What it does not read may be anything.
    fn pullback<T: Real, const NEAR: bool>(x: [T; N], y: T, ct: T) -> [T; N];
    /// The tangent of the value for those of the inputs.
    fn pushforward<T: Real, const NEAR: bool>(x: [T; N], t: [T; N]) -> T;
    /// The number of arguments of sines, cosines and tangents that are too large for `NEAR`; if one is,
    /// others may be missed.
    fn far<T: Real>(_x: [T; N]) -> T {
        T::ZERO
    }
}

/// Sees the regions of a function, which are types that nobody else can name.
pub trait RegionVisitor {
    /// Sees one of them.
    fn region<R: Region<N>, const N: usize>(&mut self);
}
